//! Trimming: what is changed in the entries that a fold keeps.
//!
//! Results are cut down in place where no fold alone keeps to the budget, the largest first; thinking that is valid no more is
//! taken out. Pairs stay whole, calls keep their arguments, and entries that are folded are folded as they were.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::discriminant;
use core::ops::Range;

use crate::edited::{Edit, edited, slice};
use crate::estimator::estimate;
use crate::exchange::Structure;
use crate::json::{Node, quote};
use crate::media;
use crate::plan::{Decision, Fold, Planner, Policy, Way};
use crate::thinking::{self, Thinking};
use crate::tokens::entry_tokens;
use crate::transcript::{Part, PartKind, Span, Transcript};
use crate::trimmed::{Gap, gaps, gaps_between, whole_characters, without};

/// A transcript as a policy folds it: with its largest results trimmed, if that is what it takes, and without thinking that would
/// be refused.
#[derive(Clone, Debug)]
pub struct Trimming<'a> {
    /// The transcript that is folded.
    pub transcript: Cow<'a, Transcript>,
    /// What is known of it.
    pub planner: Cow<'a, Planner>,
    /// What is to be done.
    pub decision: Decision,
}

/// An entry of which results are trimmed, or thinking is taken out.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Trim {
    /// The entry.
    pub entry: usize,
    /// Its tokens as it was.
    pub before: u64,
    /// Its tokens as it is.
    pub after: u64,
    /// The entry as it is.
    pub text: String,
}

/// In tokens: no string is cut to less.
const LEAST: u64 = 64;

/// Counts need not be the estimates that a string is cut by, so it may take more than one try.
const TRIES: usize = 4;

impl<'a> Trimming<'a> {
    /// What `policy` makes of `transcript`.
    pub fn of(transcript: &'a Transcript, planner: &'a Planner, policy: &Policy) -> Self {
        let plain = Self {
            transcript: Cow::Borrowed(transcript),
            planner: Cow::Borrowed(planner),
            decision: planner.plan(policy),
        };
        if matches!(plain.decision, Decision::Fits { .. }) {
            return plain;
        }
        let strips = policy.thinking_of(transcript) == Thinking::Strip;
        let frozen = transcript.frozen();
        let entries = (frozen..transcript.len()).filter(|_| strips);
        let stripped: Vec<Edit> =
            entries.flat_map(|entry| thinking::stripped(transcript, entry)).collect();
        if !stripped.is_empty()
            && let Some(folded) = Self::edited(transcript, planner, policy, stripped.clone())
        {
            return folded;
        }
        let until = planner.last(policy);
        let (from, lowest) = match &plain.decision {
            Decision::Fits { .. } | Decision::Fold(_) => return plain,
            _ if !policy.hard || planner.total <= policy.budget => return plain,
            Decision::Defer(_) => (frozen, planner.total),
            Decision::Stuck { floor, .. } => {
                let lowest = floor.iter().map(|item| item.tokens).sum();
                (planner.lowest_cut(policy).unwrap_or(frozen), lowest)
            }
        };
        let strings = Strings::of(transcript, planner, from..until.max(from));
        // What the model has read goes before what it has not.
        let trimmed = [false, true]
            .into_iter()
            .find_map(|live| strings.within(policy, lowest, live, &stripped));
        trimmed.unwrap_or(plain)
    }

    /// What is to be done about a transcript with `edits`, where that is a fold.
    fn edited(
        before: &Transcript,
        known: &Planner,
        policy: &Policy,
        mut edits: Vec<Edit>,
    ) -> Option<Self> {
        loop {
            let (transcript, planner, trims) = apply(before, known, &edits);
            let mut decision = match planner.plan(policy) {
                Decision::Fits { total } if total <= policy.budget => in_place(total),
                Decision::Fold(fold) => fold,
                _ => return None,
            };
            let cut = decision.cut;
            let kept = before.entries.get(cut).map_or(u32::MAX, |it| it.span.start);
            // What is folded is folded as it was.
            let folded = edits.partition_point(|edit| edit.span.start < kept);
            if folded == 0 {
                decision.before = known.total;
                decision.deficit = decision.before.saturating_sub(policy.budget);
                decision.trims = trims;
                let (transcript, planner) = (Cow::Owned(transcript), Cow::Owned(planner));
                return Some(Self { transcript, planner, decision: Decision::Fold(decision) });
            }
            edits.drain(..folded);
        }
    }
}

/// The text of a result cut down to at most `most` tokens, or as near as its pieces allow: its beginning and its end, lines between
/// them that say what failed, and for each gap how many tokens are gone. JSON stays JSON.
pub fn shortened(text: &str, most: u64) -> String {
    without(text, &gaps(text, most))
}

/// Whether `is` is `was` cut down in that way: whatever it holds stood there, and each gap is told.
pub fn is_shortened(was: &str, is: &str) -> bool {
    gaps_between(was, is).is_some_and(|gaps| !gaps.is_empty())
}

/// A fold that folds nothing, and leaves `after` tokens.
fn in_place(after: u64) -> Fold {
    Fold {
        cut: 0,
        way: Way::InPlace,
        entries: 0,
        prompts: 0,
        pairs: 0,
        before: after,
        after,
        deficit: 0,
        lines: (0, 0),
        excerpts: 0,
        room: 0,
        trims: Vec::new(),
    }
}

/// The strings of a transcript that may be cut.
struct Strings<'a> {
    transcript: &'a Transcript,
    planner: &'a Planner,
    found: Vec<Found>,
    /// What their entries are estimated at, and what they count for.
    scale: (u64, u64),
}

struct Found {
    span: Span,
    tokens: u64,
    /// Whether the model has not read it yet.
    live: bool,
}

impl<'a> Strings<'a> {
    /// Those of some entries.
    fn of(transcript: &'a Transcript, planner: &'a Planner, entries: Range<usize>) -> Self {
        let live = planner.structure.tail.start(transcript.len());
        let mut strings = Self { transcript, planner, found: Vec::new(), scale: (0, 0) };
        for entry in entries {
            let before = strings.found.len();
            for part in transcript.parts(entry) {
                let long = strings_of(transcript, part).into_iter().filter_map(|span| {
                    let text = Node::at(&transcript.text, span).string()?;
                    let tokens = u64::from(estimate(&text));
                    (tokens > LEAST).then_some(Found { span, tokens, live: entry >= live })
                });
                strings.found.extend(long);
            }
            if strings.found.len() > before {
                strings.scale.0 += u64::from(entry_tokens(transcript, entry));
                strings.scale.1 += u64::from(planner.counts.entries[entry]);
            }
        }
        strings
    }

    /// The transcript with so much trimmed that what has at least `lowest` tokens now keeps to `policy`; with `live` also what the
    /// model has not read yet. `None` if that is not to be had.
    fn within(
        &self,
        policy: &Policy,
        lowest: u64,
        live: bool,
        stripped: &[Edit],
    ) -> Option<Trimming<'a>> {
        let mut short = lowest.saturating_sub(policy.aim());
        for _ in 0..TRIES {
            let most = self.most(short, live);
            let found = self.found.iter().filter(|it| live || !it.live);
            let cut = found.flat_map(|it| {
                let most = if it.live || !live { most } else { LEAST };
                edits_of(self.transcript, it.span, most)
            });
            let mut edits: Vec<Edit> = cut.chain(stripped.iter().cloned()).collect();
            edits.sort_unstable_by_key(|edit| edit.span.start);
            let trimming = (edits.len() > stripped.len())
                .then(|| Trimming::edited(self.transcript, self.planner, policy, edits));
            if let Some(trimming) = trimming.flatten() {
                return Some(trimming);
            }
            if most == LEAST {
                break;
            }
            short += short / 4 + 1;
        }
        None
    }

    /// To how many tokens the largest strings must be cut so that `short` are freed.
    fn most(&self, short: u64, live: bool) -> u64 {
        let (estimated, counted) = (u128::from(self.scale.0), u128::from(self.scale.1.max(1)));
        let mut short = (u128::from(short) * estimated / counted) as u64;
        if live {
            let read = self.found.iter().filter(|it| !it.live);
            short = short.saturating_sub(read.map(|it| it.tokens - LEAST).sum());
        }
        let mut sizes: Vec<u64> =
            self.found.iter().filter(|it| it.live == live).map(|it| it.tokens).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let mut sum = 0;
        for (index, &size) in sizes.iter().enumerate() {
            sum += size;
            let next = sizes.get(index + 1).copied().unwrap_or(LEAST).max(LEAST);
            let count = index as u64 + 1;
            if sum >= short + next * count {
                return ((sum - short) / count).max(LEAST);
            }
        }
        LEAST
    }
}

/// `before` with what was trimmed of it to make `after` of it, and what is known of it then; `None` if nothing was. What else was
/// changed stays as it was before.
pub(crate) fn of(
    before: &Transcript,
    planner: &Planner,
    after: &Transcript,
    structure: &Structure,
) -> Option<(Transcript, Planner)> {
    // Where nothing was folded, each entry is still in its place.
    let in_place = (before.len() == after.len()).then_some(0);
    let behind = structure.note.as_ref().map(|(seat, _)| seat + 1);
    let whole = in_place.into_iter().map(|from| (from, true));
    whole.chain(behind.map(|from| (from, false))).find_map(|(from, whole)| {
        let mut edits = Vec::new();
        let (mut strips, mut thinks) = (false, false);
        for is in from..after.len() {
            let Some(was) = (is + before.len()).checked_sub(after.len()) else { continue };
            if was < before.frozen() {
                continue;
            }
            strips |= before.parts(was).len() > after.parts(is).len();
            thinks |= thinking::is_there(after, is);
            if before.entry_text(was) != after.entry_text(is) {
                match between(before, was, after, is) {
                    Some(found) => edits.extend(found),
                    None if whole => return None,
                    None => {}
                }
            }
        }
        if strips && thinks {
            // A gap in it makes what follows invalid.
            return None;
        }
        let (trimmed, planner, trims) = apply(before, planner, &edits);
        (!trims.is_empty()).then_some((trimmed, planner))
    })
}

/// What was trimmed of entry `was` to make entry `is` of `after` of it; `None` if it was made in another way.
fn between(before: &Transcript, was: usize, after: &Transcript, is: usize) -> Option<Vec<Edit>> {
    let (mut old, new) = (before.parts(was).to_vec(), after.parts(is));
    let mut edits = Vec::new();
    if old.len() != new.len() {
        old.retain(|part| part.kind != PartKind::Thinking);
        edits = thinking::stripped(before, was);
    }
    let alike = |(old, new): (&Part, &Part)| discriminant(&old.kind) == discriminant(&new.kind);
    if old.len() != new.len() || !old.iter().zip(new).all(alike) {
        return None;
    }
    for (old, new) in old.iter().zip(new) {
        let (old, new) = (strings_of(before, old), strings_of(after, new));
        if old.len() != new.len() {
            return None;
        }
        for (old, new) in old.into_iter().zip(new) {
            if before.slice(old) == after.slice(new) {
                continue;
            }
            let (old_text, new_text) =
                (Node::at(&before.text, old).string()?, Node::at(&after.text, new).string()?);
            let gaps = gaps_between(&old_text, &new_text)?;
            edits.extend(written(before, old, &old_text, &gaps));
        }
    }
    edits.sort_unstable_by_key(|edit| edit.span.start);
    let text = slice(before, before.entries[was].span, &edits);
    (text == after.entry_text(is)).then_some(edits)
}

/// A transcript with `edits`, what is known of it, and which entries they trim.
fn apply(
    transcript: &Transcript,
    planner: &Planner,
    edits: &[Edit],
) -> (Transcript, Planner, Vec<Trim>) {
    let after = edited(transcript, edits);
    let mut counts = planner.counts.clone();
    let mut trims: Vec<Trim> = Vec::new();
    for edit in edits {
        let starts = transcript.entries.partition_point(|it| it.span.start <= edit.span.start);
        let Some(entry) = starts.checked_sub(1) else { continue };
        if trims.last().is_some_and(|trim| trim.entry == entry) {
            continue;
        }
        let count = u64::from(counts.entries[entry]);
        let was = u64::from(entry_tokens(transcript, entry)).max(1);
        let is = u64::from(entry_tokens(&after, entry)).min(was);
        let tokens = (u128::from(count) * u128::from(is)).div_ceil(u128::from(was)) as u32;
        counts.entries[entry] = tokens;
        let text = after.entry_text(entry).into();
        trims.push(Trim { entry, before: count, after: u64::from(tokens), text });
    }
    let planner = planner.recounted(&after, counts);
    (after, planner, trims)
}

/// The strings in a result that may be cut: what a tool returned, and nothing that the API reads for itself.
fn strings_of(transcript: &Transcript, part: &Part) -> Vec<Span> {
    let PartKind::Result { server: false, .. } = part.kind else { return Vec::new() };
    let text = &*transcript.text;
    let mut found = Vec::new();
    let mut open: Vec<Node<'_>> = Node::parse(transcript.slice(part.body)).into_iter().collect();
    while let Some(node) = open.pop() {
        if node.raw().starts_with('"') {
            found.push(node.span_in(text));
        } else if node.is_array() {
            open.extend(node.array());
        } else {
            let members = node.object();
            if media::tokens(transcript.wire, &members).is_none() {
                let free = members.iter().filter(|(key, _)| !BOUND.contains(key));
                open.extend(free.map(|(_, value)| value));
            }
        }
    }
    found.sort_unstable_by_key(|span| span.start);
    found
}

/// Members of a block whose strings are no words.
const BOUND: [&str; 12] = [
    "cache_control",
    "citations",
    "data",
    "encrypted_content",
    "file_id",
    "id",
    "mimeType",
    "name",
    "signature",
    "source",
    "type",
    "url",
];

/// What is cut of the string at `span` so that it has at most `most` tokens.
fn edits_of(transcript: &Transcript, span: Span, most: u64) -> Vec<Edit> {
    let Some(text) = Node::at(&transcript.text, span).string() else { return Vec::new() };
    let gaps = gaps(&text, most);
    let edits = written(transcript, span, &text, &gaps);
    // What is no character, as half a surrogate pair, cannot be cut where it is no longer itself.
    let literal = slice(transcript, span, &edits);
    let is_exact = Node::at(&literal, Span::new(0, literal.len())).string();
    if is_exact.is_some_and(|it| it == without(&text, &gaps)) { edits } else { Vec::new() }
}

/// `gaps` in `text` as edits of the string literal at `span` that it was read from.
fn written(transcript: &Transcript, span: Span, text: &str, gaps: &[Gap]) -> Vec<Edit> {
    let literal = transcript.slice(span);
    let raw = &literal[1..literal.len() - 1];
    let start = span.range().start + 1;
    let mut places = whole_characters(raw).zip(decoded_places(raw)).peekable();
    let mut place = |wanted: usize| {
        let mut found = places.peek().copied().unwrap_or_default();
        while let Some(&(at, decoded)) = places.peek() {
            found = (at, decoded);
            if decoded >= wanted {
                break;
            }
            places.next();
        }
        start + found.0
    };
    let edit = |gap: &Gap| {
        let says = quote(&gap.says(text));
        let span = Span::new(place(gap.range.start), place(gap.range.end));
        Edit { span, with: String::from(&says[1..says.len() - 1]) }
    };
    gaps.iter().map(edit).collect()
}

/// For each place of [`whole_characters`] the place in the decoded string.
fn decoded_places(raw: &str) -> impl Iterator<Item = usize> {
    let ends = whole_characters(raw).skip(1);
    let lengths = whole_characters(raw).zip(ends).map(|(start, end)| {
        let unit = &raw[start..end];
        if !unit.starts_with('\\') {
            return unit.len();
        }
        let literal = ["\"", unit, "\""].concat();
        Node::parse(&literal).ok().and_then(Node::string).map_or(1, |it| it.len())
    });
    core::iter::once(0).chain(lengths.scan(0, |at, len| {
        *at += len;
        Some(*at)
    }))
}
