//! What a cut at each boundary costs, known before any budget is: the fixed part, the system entries that
//! stay, the prompts that the note carries, and the entries kept.

use alloc::string::String;
use alloc::vec::Vec;

use crate::cut::CutMap;
use crate::digest::Digest;
use crate::exchange::{Exchange, Structure};
use crate::note::Note;
use crate::tokens::Counts;
use crate::transcript::{PartKind, Role, Transcript};

/// What is known in advance of each boundary. All but the counts are tokens.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// The entries at and after the boundary.
    pub(crate) kept: u64,
    /// The system entries before it, which stay.
    pub(crate) system: u64,
    /// What the note must carry word for word: prompts, the provider's summary.
    pub(crate) carried: u64,
    /// The ledger.
    pub(crate) pins: u64,
    /// The request cut here, without the lines of the note.
    pub(crate) bare: u64,
    /// The request cut here, with all lines of the note.
    pub(crate) full: u64,
    /// The least that `bare` and `full` are here or further left.
    pub(crate) least: Least,
    /// The same over legal boundaries alone.
    pub(crate) least_legal: Least,
    /// Entries before the boundary that a fold replaces, and the prompts and pairs among them.
    pub(crate) entries: u32,
    pub(crate) prompts: u32,
    pub(crate) pairs: u32,
}

/// Running minima; they fall from left to right, which is what makes them fit for halving.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Least {
    pub(crate) bare: u64,
    pub(crate) full: u64,
}

impl Default for Least {
    fn default() -> Self {
        Self { bare: u64::MAX, full: u64::MAX }
    }
}

impl Least {
    fn and(self, cost: &Cost) -> Self {
        Self { bare: self.bare.min(cost.bare), full: self.full.min(cost.full) }
    }

    /// Whether some boundary so far costs at most `tokens` with at most `lines` tokens of lines.
    pub(crate) fn within(self, tokens: u64, lines: u64) -> bool {
        self.full <= tokens || self.bare.saturating_add(lines) <= tokens
    }
}

/// The costs of every boundary of a transcript of n entries: n + 1 of them, in O(n).
pub(crate) fn costs(
    transcript: &Transcript,
    structure: &Structure,
    cuts: &CutMap,
    counts: &Counts,
    digest: &Digest,
    pins: &[u64],
) -> Vec<Cost> {
    let len = transcript.len();
    let mut costs = alloc::vec![Cost::default(); len + 1];
    tally(&mut costs, transcript, structure);
    let mut kept = 0;
    for entry in (0..len).rev() {
        kept += u64::from(counts.entries[entry]);
        costs[entry].kept = kept;
    }
    carry(&mut costs, transcript, structure);
    let inherited = summary(transcript, structure, 0);
    let seat =
        transcript.compaction.as_ref().map_or(len + 1, |compaction| compaction.entry as usize + 1);
    let tokens = |summary: Option<String>| summary.map_or(0, |text| Note::summary_tokens(&text));
    let (before, after) = (tokens(inherited), tokens(summary(transcript, structure, len)));
    let dropped = dropped_tokens(structure);
    for (at, cost) in costs.iter_mut().enumerate().skip(1) {
        cost.carried += dropped + if at < seat { before } else { after };
    }
    let frame = counts.fixed_total() + Note::frame_tokens();
    let mut system = 0;
    for (at, cost) in costs.iter_mut().enumerate() {
        if at > 0 && transcript.entries()[at - 1].role == Role::System {
            system += u64::from(counts.entries[at - 1]);
        }
        cost.system = system;
        cost.pins = pins[at];
        cost.bare = frame + system + cost.kept + cost.carried + cost.pins;
    }
    let (mut least, mut least_legal) = (Least::default(), Least::default());
    for (at, cost) in costs.iter_mut().enumerate() {
        cost.full = cost.bare + digest.tokens_before(at);
        // A cut in the head would fold nothing.
        if at > structure.head {
            least = least.and(cost);
            least_legal = if cuts.legal(at) { least_legal.and(cost) } else { least_legal };
        }
        cost.least = least;
        cost.least_legal = least_legal;
    }
    costs
}

/// What it costs to say that a model's summary is no longer there, which may have to be said where there is one.
fn dropped_tokens(structure: &Structure) -> u64 {
    let Some((_, note)) = &structure.note else { return 0 };
    let entries = note.host.as_ref().map_or(0, |host| host.entries).max(note.dropped);
    if entries == 0 { 0 } else { Note::dropped_tokens(entries) }
}

/// What each cut carries: the sum over the run of prompts that were not answered by themselves.
fn carry(costs: &mut [Cost], transcript: &Transcript, structure: &Structure) {
    let mut run = 0;
    for (index, exchange) in structure.exchanges.iter().enumerate() {
        if index == 0 || is_answered(structure, index - 1) {
            run = 0;
        }
        if let Some(prompt) = exchange.prompt {
            run += Note::carried_tokens(&prompt_text(transcript, structure, prompt));
        }
        if index == 0 {
            // What the note carries was not answered yet when it was written.
            let inherited = structure.note.as_ref().map_or(&[][..], |(_, note)| &note.carried);
            run += inherited.iter().map(|prompt| Note::carried_tokens(prompt)).sum::<u64>();
        }
        let Exchange { entries, .. } = exchange;
        let end = entries.end + usize::from(!is_answered(structure, index));
        for cost in &mut costs[entries.start + 1..end.max(entries.start + 1)] {
            cost.carried = run;
        }
    }
}

fn tally(costs: &mut [Cost], transcript: &Transcript, structure: &Structure) {
    let seat = structure.note_entry();
    for (entry, content) in transcript.entries().iter().enumerate() {
        let folded = content.role != Role::System && Some(entry) != seat;
        costs[entry + 1].entries = u32::from(folded);
    }
    for prompt in structure.exchanges.iter().filter_map(|exchange| exchange.prompt) {
        costs[prompt + 1].prompts += 1;
    }
    for (call, answer) in structure.pairing.pairs() {
        costs[answer.entry.max(call.place.entry) as usize + 1].pairs += 1;
    }
    for at in 1..costs.len() {
        costs[at].entries += costs[at - 1].entries;
        costs[at].prompts += costs[at - 1].prompts;
        costs[at].pairs += costs[at - 1].pairs;
    }
}

/// The prompts that a cut at boundary `at` must carry word for word: those that are still being worked on.
pub(crate) fn carried(transcript: &Transcript, structure: &Structure, at: usize) -> Vec<String> {
    let from_note =
        || structure.note.as_ref().map_or_else(Vec::new, |(_, note)| note.carried.clone());
    let Some(last) = at.checked_sub(1).and_then(|entry| structure.exchange_of(entry)) else {
        return from_note();
    };
    if at >= structure.exchanges[last].entries.end && is_answered(structure, last) {
        return Vec::new();
    }
    let mut first = last;
    while first > 0 && !is_answered(structure, first - 1) {
        first -= 1;
    }
    let inherited = first == 0;
    let prompts = structure.exchanges[first..=last].iter().filter_map(|exchange| exchange.prompt);
    let own = prompts.map(|entry| prompt_text(transcript, structure, entry));
    if inherited { from_note().into_iter().chain(own).collect() } else { own.collect() }
}

/// The provider's summary that a cut at boundary `at` must carry: that of the compaction it folds, else that which the note
/// of an earlier fold carries.
pub(crate) fn summary(transcript: &Transcript, structure: &Structure, at: usize) -> Option<String> {
    let compaction = transcript.compaction.as_ref().filter(|it| (it.entry as usize) < at);
    let inherited = || structure.note.as_ref().and_then(|(_, note)| note.summary.clone());
    compaction.and_then(|compaction| compaction.summary.clone()).or_else(inherited)
}

/// Whether the model has responded within an exchange. Prompts that follow each other are one request.
fn is_answered(structure: &Structure, exchange: usize) -> bool {
    let entries = &structure.exchanges[exchange].entries;
    let next = structure.responses.partition_point(|response| response.start < entries.start);
    structure.responses.get(next).is_some_and(|response| response.start < entries.end)
}

/// The words of a prompt. A note is plain text, so of pictures it can only say that they were there.
pub(crate) fn prompt_text(transcript: &Transcript, structure: &Structure, entry: usize) -> String {
    let mut text = String::new();
    for (index, part) in transcript.parts(entry).iter().enumerate() {
        if structure.is_note_part(entry, index) {
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        match part.kind {
            PartKind::Text => text.push_str(&transcript.part_text(part)),
            PartKind::Media => text.push_str("[an image or document that is no longer here]"),
            _ => text.push_str("[a part that is no longer here]"),
        }
    }
    text
}
