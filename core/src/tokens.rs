//! How many tokens a transcript costs: estimated from the text, anchored on the provider's own usage where
//! a log records it, or taken from the caller, whose counts win.

use alloc::string::String;
use alloc::vec::Vec;

use crate::estimator::{estimate, estimate_escaped};
use crate::json::Node;
use crate::media;
use crate::spare;
use crate::transcript::{Format, Part, PartKind, Span, Transcript};

/// The tokens of each entry and of the fixed part of the request.
#[derive(Clone, Debug)]
pub struct Counts {
    /// One count for each entry.
    pub entries: Vec<u32>,
    /// The fixed part, item by item.
    pub fixed: Vec<Item>,
    /// Where the counts come from.
    pub kind: CountKind,
    /// How far the estimates were off, where usage is recorded: the sum of their errors between two responses ÷ the sum of
    /// what was measured. `None` where it could not be measured.
    pub error: Option<f64>,
}

/// A named number of tokens.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Item {
    /// What it is.
    pub what: String,
    /// Its tokens.
    pub tokens: u64,
}

impl Item {
    /// An item of that name.
    pub fn new(what: &str, tokens: u64) -> Self {
        Self { what: what.into(), tokens }
    }
}

/// Where counts come from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CountKind {
    /// Estimated, and scaled to the usage that the provider reported.
    Anchored,
    /// Estimated from the text.
    Estimated,
    /// Given by the caller.
    Given,
}

impl CountKind {
    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anchored => "anchored",
            Self::Estimated => "estimated",
            Self::Given => "given",
        }
    }
}

/// What every entry costs beside its content: role and separators.
const ENTRY: u32 = 4;
/// What every call or result costs beside its content: its id and its frame.
const FRAME: u32 = 8;

impl Counts {
    /// Counts from the text, anchored where usage is recorded.
    pub fn of(transcript: &Transcript) -> Self {
        // What stands in front of the provider's own compaction is no longer read, and costs nothing.
        let read = transcript.compaction.as_ref().map_or(0, |compaction| compaction.entry as usize);
        let entry = |entry: usize| {
            if entry < read && !transcript.stays(entry) {
                0
            } else {
                entry_tokens(transcript, entry)
            }
        };
        let entries = (0..transcript.len()).map(entry).collect();
        let fixed = transcript.request.fixed.iter();
        let fixed = fixed
            .map(|fixed| Item::new(fixed.what, u64::from(value(transcript, fixed.span))))
            .collect();
        let mut counts = Self { entries, fixed, kind: CountKind::Estimated, error: None };
        counts.anchor(transcript);
        counts
    }

    /// Counts the entries of `transcript` that are new, from their text.
    pub(crate) fn grow(&mut self, transcript: &Transcript) {
        let new = self.entries.len()..transcript.len();
        spare::reserve(&mut self.entries, new.len());
        self.entries.extend(new.map(|entry| entry_tokens(transcript, entry)));
    }

    /// The caller's counts, one for each entry, and the tokens of everything else in the request.
    ///
    /// # Errors
    /// When there is not one count for each entry; the message names both numbers.
    pub fn given(
        transcript: &Transcript,
        entries: Vec<u32>,
        fixed: Option<u32>,
    ) -> Result<Self, String> {
        if entries.len() != transcript.len() {
            return Err(alloc::format!(
                "There are {} token counts for {} entries: give one for each entry.",
                entries.len(),
                transcript.len()
            ));
        }
        let mut counts = Self::of(transcript);
        counts.entries = entries;
        counts.kind = CountKind::Given;
        counts.error = None;
        if let Some(fixed) = fixed {
            counts.fixed = [Item::new("fixed", u64::from(fixed))].into();
        }
        Ok(counts)
    }

    /// The tokens of the fixed part.
    pub fn fixed_total(&self) -> u64 {
        self.fixed.iter().map(|item| item.tokens).sum()
    }

    /// The tokens of everything.
    pub fn total(&self) -> u64 {
        self.fixed_total() + self.entries.iter().map(|&tokens| u64::from(tokens)).sum::<u64>()
    }

    /// The provider's last word counts: where the context shrank on the way (old results were cleared), what
    /// stands before it is scaled down to it; where it grew by what no entry shows, that is fixed.
    fn follow(&mut self, input: u32, last: usize, fixed: u64) {
        let before: u64 = self.entries[..last].iter().map(|&tokens| u64::from(tokens)).sum();
        let truth = u64::from(input).saturating_sub(fixed);
        if truth > before {
            self.fixed[0].tokens += truth - before;
        } else if truth > 0 {
            scale(&mut self.entries[..last], truth, before);
        }
    }

    /// Between two responses with usage, the entries from the first to the second cost exactly the
    /// difference of their inputs; the estimates are scaled to it. What the first input holds beyond the
    /// entries before it is the fixed part, which a log does not record otherwise.
    fn anchor(&mut self, transcript: &Transcript) {
        let usage = transcript.usage();
        let Some(first) = usage.first() else { return };
        let (mut measured, mut estimated, mut off) = (0_u64, 0_u64, 0_u64);
        for pair in usage.windows(2) {
            let range = pair[0].entry as usize..pair[1].entry as usize;
            let guess: u64 =
                self.entries[range.clone()].iter().map(|&tokens| u64::from(tokens)).sum();
            let Some(truth) = pair[1].input.checked_sub(pair[0].input).map(u64::from) else {
                continue;
            };
            // Outside a factor of three something else happened to the context between the two.
            if truth * 3 < guess || guess * 3 < truth {
                continue;
            }
            measured += truth;
            estimated += guess;
            off += truth.abs_diff(guess);
            scale(&mut self.entries[range], truth, guess);
        }
        self.error = (measured > 0).then(|| off as f64 / measured as f64);
        let (measured, estimated) = if estimated == 0 { (1, 1) } else { (measured, estimated) };
        let last = usage.last().unwrap_or(first).entry as usize;
        for range in [0..first.entry as usize, last..self.entries.len()] {
            let guess: u64 =
                self.entries[range.clone()].iter().map(|&tokens| u64::from(tokens)).sum();
            let truth = u128::from(guess) * u128::from(measured) / u128::from(estimated);
            scale(&mut self.entries[range], truth as u64, guess);
        }
        let before: u64 = self.entries[..first.entry as usize].iter().map(|&t| u64::from(t)).sum();
        let fixed = u64::from(first.input).saturating_sub(before);
        self.fixed = [Item::new("system and tools, from the recorded usage", fixed)].into();
        self.follow(usage[usage.len() - 1].input, last, fixed);
        self.kind = CountKind::Anchored;
    }
}

/// Scales `entries`, whose sum is `from`, so that it is `to`.
fn scale(entries: &mut [u32], to: u64, from: u64) {
    let (mut seen, mut given) = (0_u64, 0_u64);
    for tokens in entries {
        seen += u64::from(*tokens);
        let share = u128::from(seen) * u128::from(to);
        let upto = share.checked_div(u128::from(from)).map_or(seen, |upto| upto as u64);
        *tokens = u32::try_from(upto - given).unwrap_or(u32::MAX);
        given = upto;
    }
}

/// The tokens of a note as an entry.
pub(crate) fn note_tokens(note: &str) -> u64 {
    u64::from(ENTRY) + u64::from(estimate(note))
}

/// The estimated tokens of an entry.
pub(crate) fn entry_tokens(transcript: &Transcript, entry: usize) -> u32 {
    let parts = transcript.parts(entry).iter();
    parts.fold(ENTRY, |sum, part| sum.saturating_add(part_tokens(transcript, part)))
}

/// The tokens of one part.
pub fn part_tokens(transcript: &Transcript, part: &Part) -> u32 {
    match part.kind {
        PartKind::Text => string(Node::at(&transcript.text, part.body))
            .unwrap_or_else(|| estimate(&transcript.part_text(part))),
        PartKind::Call { name, .. } => FRAME
            .saturating_add(name_tokens(transcript, transcript.raw_name(name)))
            .saturating_add(value(transcript, part.body)),
        PartKind::Result { .. } => FRAME.saturating_add(value(transcript, part.body)),
        PartKind::Thinking => thinking(&transcript.part_text(part)),
        PartKind::Media | PartKind::Opaque => value(transcript, part.body),
    }
}

/// Sealed reasoning is base64 of what was thought: three bytes for four characters, about four bytes a token.
fn thinking(text: &str) -> u32 {
    let sealed = text.len() > 64 && !text.contains(|c: char| c.is_whitespace());
    if sealed { (text.len() as u64 * 3 / 16) as u32 } else { estimate(text) }
}

/// The tokens of a JSON value as a model reads it: strings decoded, media priced by their size on screen.
fn value(transcript: &Transcript, span: Span) -> u32 {
    node_tokens(transcript, Node::at(&transcript.text, span))
}

/// The tokens of a tool's name, which may be a piece of a string.
fn name_tokens(transcript: &Transcript, raw: &str) -> u32 {
    Node::parse(raw).map_or_else(|_| estimate(raw), |node| node_tokens(transcript, node))
}

/// The tokens of what a string says; `None` of anything else.
fn string(node: Node<'_>) -> Option<u32> {
    let inner = node.raw().strip_prefix('"')?.strip_suffix('"')?;
    estimate_escaped(inner).or_else(|| node.string().map(|text| estimate(&text)))
}

fn node_tokens(transcript: &Transcript, node: Node<'_>) -> u32 {
    if let Some(tokens) = string(node) {
        return tokens;
    }
    if node.is_array() {
        let blocks = node.array().into_iter();
        return blocks
            .fold(0, |sum, block| sum.saturating_add(block_tokens(transcript.wire, block)));
    }
    block_tokens(transcript.wire, node)
}

fn block_tokens(format: Format, node: Node<'_>) -> u32 {
    if let Some(tokens) = string(node) {
        return tokens;
    }
    let members = node.object();
    if let Some(tokens) = media::tokens(format, &members) {
        return tokens;
    }
    let text = members.field("text").filter(|_| members.has("type")).and_then(string);
    text.unwrap_or_else(|| estimate(node.raw()))
}
