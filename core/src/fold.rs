//! The fold: a new transcript with a note in place of what was folded, and every kept byte as it was.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::cost;
use crate::excerpts::Lines;
use crate::formats::turn::prompt;
use crate::ledger::Share;
use crate::liveness::{Chosen, Excerpt, choose};
use crate::note::{Kept, Note, Tally, hash};
use crate::places;
use crate::plan::{Decision, Fold, Planner, Policy};
use crate::room::record;
use crate::telling::Telling;
pub use crate::telling::{Earlier, Reply, Told};
use crate::tokens::CountKind;
use crate::transcript::{Format, Role, Transcript};
use crate::verify::{Broken, Check, verify};

/// What a fold gives back.
#[derive(Clone, Debug)]
pub struct Folded {
    /// The decision that was carried out.
    pub fold: Fold,
    /// The folded transcript, in the input's [`Transcript::wire`].
    pub text: String,
    /// The note as text.
    pub note: String,
    /// The note as the entry that was written.
    pub note_entry: String,
    /// Whether that entry is also the first one kept: where roles must alternate, the note is put in front of the parts of
    /// the prompt at the cut, which are as they were.
    pub merged: bool,
    /// The system entries that stood before the cut and stay, as indices into the input.
    pub system: Vec<usize>,
    /// What happened, counted again on the result.
    pub report: Report,
}

/// What a fold did.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Tokens before.
    pub before: u64,
    /// Tokens after, counted on the result.
    pub after: u64,
    /// Tokens over the budget before.
    pub deficit: u64,
    /// Tokens freed.
    pub freed: u64,
    /// Tokens freed ÷ deficit.
    pub overshoot: f64,
    /// Tokens of an exchange on average ÷ deficit: above 1, leaving out whole exchanges frees more than is asked for.
    pub coarseness: f64,
    /// Tokens that a provider has to read anew, at most: what it may have cached ends where the note begins.
    pub cache_lost: u64,
    /// Where the counts come from, and how far estimates were off where that could be measured.
    pub counted: (CountKind, Option<f64>),
    /// Entries folded and kept.
    pub entries: (usize, usize),
    /// Pairs folded and kept.
    pub pairs: (usize, usize),
    /// What became of each exchange.
    pub exchanges: Vec<Became>,
    /// The lines of folded output that the note keeps, and why.
    pub excerpts: Vec<Excerpt>,
    /// What the ledger takes of the budget.
    pub ledger: Share,
    /// What came of the summary by a model of the host's.
    pub summary: Told,
    /// What became of the summary that an earlier fold left.
    pub earlier: Earlier,
}

/// What became of an exchange, and why.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Became {
    /// How it is represented now.
    pub representation: Representation,
    /// Why it is not represented otherwise.
    pub why: Why,
    /// Its entries in the input.
    pub entries: Range<usize>,
    /// Their tokens.
    pub tokens: u64,
    /// How many of its lines the note shows as the newest, and how many it has.
    pub lines: (usize, usize),
}

/// Why an exchange is represented as it is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Why {
    /// It holds what the model has not consumed yet.
    LiveTail,
    /// It is among the newest that the budget holds.
    Newest,
    /// No exchange boundary was near enough to the target, so it is cut between two rounds.
    CutInside,
    /// It is older, and its lines have room in the note.
    Older,
    /// A model's summary tells of it, and its lines have no room beside that.
    Summarised,
    /// Its lines have no room in the note.
    NoRoom,
}

impl Why {
    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::LiveTail => "live-tail",
            Self::Newest => "newest",
            Self::CutInside => "cut-inside",
            Self::Older => "older",
            Self::Summarised => "summarised",
            Self::NoRoom => "no-room",
        }
    }
}

/// How an exchange is represented in a folded transcript.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Representation {
    /// Every entry as it was.
    Raw,
    /// Its end as it was, its beginning as lines of the note.
    Part,
    /// As lines of the note.
    Digest,
    /// As a part of what the summary tells of.
    Summary,
    /// Only counted by the marker.
    Counted,
}

impl Representation {
    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Part => "part",
            Self::Digest => "digest",
            Self::Summary => "summary",
            Self::Counted => "counted",
        }
    }
}

/// What came of a wish to fold.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The transcript was folded, and the result proved.
    Folded(alloc::boxed::Box<Folded>),
    /// It was not, for the reason that the decision names.
    Left(Decision),
    /// The result broke a law, so it is withheld. This is a fault of Pinfold.
    Refused(Vec<Broken>),
}

/// Folds `transcript` as `policy` asks, if the plan says so, and proves the result.
pub fn fold(transcript: &Transcript, planner: &Planner, policy: &Policy) -> Outcome {
    fold_with(transcript, planner, policy, &Reply::None)
}

/// The same with a summary by a model of the host's. One that was refused, or that is of something else than what is folded
/// now, is left out, and the report says so: the digests are the note then.
pub fn fold_with(
    transcript: &Transcript,
    planner: &Planner,
    policy: &Policy,
    reply: &Reply,
) -> Outcome {
    let fold = match planner.plan(policy) {
        Decision::Fold(fold) => fold,
        other => return Outcome::Left(other),
    };
    let folded = carry_out(transcript, planner, fold, policy.budget, reply);
    let proof = verify(
        transcript,
        planner,
        &folded.text,
        &Check { policy: Some(*policy), ..Check::default() },
    );
    if proof.holds() { Outcome::Folded(folded.into()) } else { Outcome::Refused(proof.broken) }
}

/// Writes the transcript that `fold` describes.
fn carry_out(
    transcript: &Transcript,
    planner: &Planner,
    fold: Fold,
    budget: u64,
    reply: &Reply,
) -> Folded {
    let cut = fold.cut;
    let structure = &planner.structure;
    let old = structure.note.as_ref().map(|(_, note)| note);
    let lines = Lines { transcript, structure, digest: &planner.digest };
    let mut note = Note {
        tally: old
            .map(|note| note.tally)
            .unwrap_or_default()
            .plus(tally(transcript, planner, &fold)),
        summary: cost::summary(transcript, structure, cut),
        carried: cost::carried(transcript, structure, cut),
        hash: folded_hash(transcript, planner, cut),
        ledger: planner.standing.block(cut),
        ..Note::default()
    };
    let Telling { fold, host, dropped, records, told, earlier } =
        Telling::of(transcript, planner, fold, &note, reply);
    let (_, unlisted) = fold.lines;
    (note.host, note.dropped) = (host, dropped);
    note.lines = planner.digest.lines(cut, unlisted).map(Kept::from).collect();
    note.unlisted = old.map_or(0, |note| note.unlisted).saturating_add(unlisted as u32);
    let shown = lines.inherited() + unlisted;
    let note = with_excerpts(note, lines, shown, &records, &Chosen::default());
    let chosen = choose(lines, cut, (shown, &records), &note, fold.excerpts, |chosen| {
        let note = with_excerpts(note.clone(), lines, shown, &records, chosen);
        fold.after.checked_sub(after_tokens(planner, cut, &note.render()))
    });
    let note = with_excerpts(note, lines, shown, &records, &chosen).render();
    let shared = shared_entry(transcript, cut, &note);
    let merged = shared.is_some();
    let note_entry = shared.unwrap_or_else(|| prompt(transcript.wire, &note));
    let is_system = |&entry: &usize| transcript.entries[entry].role == Role::System;
    let system: Vec<usize> = (0..cut).filter(is_system).collect();
    let text = assemble(transcript, cut + usize::from(merged), &system, &note_entry);
    let mut report = report(planner, &fold, &note, budget);
    report.excerpts = chosen.into_excerpts();
    if matches!(told, Told::Written { .. }) {
        let counted = |it: &&mut Became| it.representation == Representation::Counted;
        report.exchanges.iter_mut().filter(counted).for_each(|it| {
            (it.representation, it.why) = (Representation::Summary, Why::Summarised);
        });
    }
    (report.summary, report.earlier) = (told, earlier);
    Folded { fold, text, note, note_entry, merged, system, report }
}

/// The note with excerpts under its lines, of which those from `shown` on are shown, and `records` only begin.
fn with_excerpts(
    mut note: Note,
    lines: Lines<'_>,
    shown: usize,
    records: &[usize],
    chosen: &Chosen,
) -> Note {
    let older: BTreeSet<usize> = chosen.lines(0..shown).chain(records.iter().copied()).collect();
    note.older = older
        .into_iter()
        .map(|line| {
            let is_record = records.binary_search(&line).is_ok();
            let text = if is_record { record(lines, line) } else { lines.short(line).into() };
            Kept { text, excerpts: chosen.of_line(line) }
        })
        .collect();
    for (index, line) in note.lines.iter_mut().enumerate() {
        line.excerpts = chosen.of_line(shown + index);
    }
    note
}

/// What this fold adds to the marker.
fn tally(transcript: &Transcript, planner: &Planner, fold: &Fold) -> Tally {
    let seat = planner.structure.note_entry();
    let folded = (0..fold.cut)
        .filter(|&entry| transcript.entries[entry].role != Role::System && Some(entry) != seat);
    let tokens = folded.map(|entry| u64::from(planner.counts.entries[entry])).sum();
    Tally {
        entries: fold.entries as u64,
        prompts: fold.prompts as u64,
        pairs: fold.pairs as u64,
        tokens,
    }
}

/// The hash of the bytes that are folded; an earlier fold's hash stands for what it folded.
pub(crate) fn folded_hash(transcript: &Transcript, planner: &Planner, cut: usize) -> String {
    let structure = &planner.structure;
    let old = structure.note.as_ref();
    let seat = structure.note_entry();
    let mut pieces: Vec<&str> = old.map(|(_, note)| &*note.hash).into_iter().collect();
    for entry in 0..cut {
        if transcript.entries[entry].role == Role::System || Some(entry) == seat {
            continue;
        }
        let text = transcript.entry_text(entry);
        if structure.is_note_part(entry, 0) {
            // The entry as it was before the note was put into it.
            let start = transcript.entries[entry].span.range().start;
            let note = transcript.parts(entry)[0].whole.range();
            pieces.extend([&text[..note.start - start], &text[note.end - start..]]);
        } else {
            pieces.push(text);
        }
    }
    hash(&pieces)
}

/// The entry at `cut` with the note in front of its parts, if the provider refuses two user entries in a row.
pub(crate) fn shared_entry(transcript: &Transcript, cut: usize, note: &str) -> Option<String> {
    let entry = transcript.entries.get(cut)?;
    let alternates = matches!(transcript.wire, Format::Bedrock | Format::Gemini);
    let parts = transcript.parts(cut);
    // An entry of an unknown role is carried unread: what is put into it would not be read either. One without content would
    // be taken for a note and nothing else.
    let unread = parts.is_empty() || parts.iter().any(|part| part.whole == entry.span);
    if !alternates || entry.role != Role::User || unread {
        return None;
    }
    let list = places::blocks(&transcript.text, entry.span)?;
    let block = places::first_block(&prompt(transcript.wire, note));
    let (start, inside) = (entry.span.range().start, list.range().start + 1);
    let text = transcript.entry_text(cut);
    Some([&text[..inside - start], &block, ",", &text[inside - start..]].concat())
}

/// System entries, note, and the kept entries as one slice of the input, inside the request as it was.
fn assemble(transcript: &Transcript, cut: usize, system: &[usize], note: &str) -> String {
    let source = transcript.text();
    let span = |entry: usize| transcript.entries[entry].span.range();
    let last = transcript.len() - 1;
    // Separated as the first two entries are, so that a pretty list stays one.
    let between = if last > 0 { &source[span(0).end..span(1).start] } else { "," };
    let mut text = String::from(&source[..span(0).start]);
    for &entry in system {
        text.push_str(transcript.entry_text(entry));
        text.push_str(between);
    }
    text.push_str(note);
    if cut <= last {
        text.push_str(between);
        text.push_str(&source[span(cut).start..span(last).end]);
    }
    text.push_str(transcript.frame().1);
    text
}

fn report(planner: &Planner, fold: &Fold, note: &str, budget: u64) -> Report {
    let counts = &planner.counts;
    let after = after_tokens(planner, fold.cut, note);
    let freed = fold.before.saturating_sub(after);
    let all_pairs = planner.structure.pairing.pairs().count();
    let kept = counts.entries.len() - fold.cut;
    let structure = &planner.structure;
    let spoken: u64 = structure.exchanges.iter().map(|it| planner.tokens_of(&it.entries)).sum();
    let average = spoken as f64 / structure.exchanges.len().max(1) as f64;
    // Everything is sent in order, so a cache ends at the first byte that changed.
    let same = planner.frozen_tokens(structure.head);
    Report {
        before: fold.before,
        after,
        deficit: fold.deficit,
        freed,
        overshoot: if fold.deficit == 0 { 1.0 } else { freed as f64 / fold.deficit as f64 },
        coarseness: if fold.deficit == 0 { 1.0 } else { average / fold.deficit as f64 },
        cache_lost: fold.before.saturating_sub(same),
        counted: (counts.kind, counts.error),
        entries: (fold.entries, kept),
        pairs: (fold.pairs, all_pairs - fold.pairs),
        exchanges: exchanges(planner, fold),
        excerpts: Vec::new(),
        ledger: planner.standing.share(fold.cut, budget),
        summary: Told::None,
        earlier: Earlier::None,
    }
}

/// The tokens of a result: what is kept at its known count, the note counted from its text.
pub(crate) fn after_tokens(planner: &Planner, cut: usize, note: &str) -> u64 {
    planner.frozen_tokens(cut) + planner.kept_tokens(cut) + crate::tokens::note_tokens(note)
}

/// What becomes of each exchange, and why.
fn exchanges(planner: &Planner, fold: &Fold) -> Vec<Became> {
    let structure = &planner.structure;
    let live = structure.tail.start(planner.counts.entries.len());
    let (_, unlisted) = fold.lines;
    let lines = |entries: &Range<usize>| {
        let end = planner.digest.count_before(entries.end.min(fold.cut));
        let start = planner.digest.count_before(entries.start.min(fold.cut));
        (end.saturating_sub(start.max(unlisted)), end - start)
    };
    let all = structure.exchanges.iter().zip(representations(planner, fold));
    all.map(|(exchange, representation)| {
        let entries = exchange.entries.clone();
        let why = match representation {
            Representation::Raw if entries.end > live => Why::LiveTail,
            Representation::Raw => Why::Newest,
            Representation::Part => Why::CutInside,
            Representation::Digest => Why::Older,
            Representation::Summary => Why::Summarised,
            Representation::Counted => Why::NoRoom,
        };
        let tokens = planner.tokens_of(&entries);
        Became { representation, why, lines: lines(&entries), entries, tokens }
    })
    .collect()
}

/// How each exchange is represented after `fold`.
pub fn representations(planner: &Planner, fold: &Fold) -> Vec<Representation> {
    let (_, unlisted) = fold.lines;
    let exchanges = planner.structure.exchanges.iter();
    exchanges
        .map(|exchange| {
            if exchange.entries.start >= fold.cut {
                Representation::Raw
            } else if exchange.entries.end > fold.cut {
                Representation::Part
            } else if planner.digest.count_before(exchange.entries.end) > unlisted {
                Representation::Digest
            } else {
                Representation::Counted
            }
        })
        .collect()
}
