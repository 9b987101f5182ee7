//! What a cut at each boundary costs, known before any budget is: the fixed part, the system entries that
//! stay, the prompts that the note carries, and the entries kept.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::cut::CutMap;
use crate::digest::Digest;
use crate::exchange::{Grown, Structure};
use crate::minima::{Both, Least, Minima};
use crate::note::Note;
use crate::spare;
use crate::tokens::Counts;
use crate::transcript::{PartKind, Transcript};

/// What a cut at a boundary costs. All but the counts are tokens.
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
    /// Entries before the boundary that a fold replaces, and the prompts and pairs among them.
    pub(crate) entries: u32,
    pub(crate) prompts: u32,
    pub(crate) pairs: u32,
}

/// The least that any of some boundaries costs, in tokens; more than any budget where there are none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cheapest {
    pub(crate) bare: u64,
    pub(crate) full: u64,
}

impl Cheapest {
    /// Whether some boundary costs at most `tokens` with at most `lines` tokens of lines.
    pub(crate) fn within(self, tokens: u64, lines: u64) -> bool {
        self.full <= tokens || self.bare.saturating_add(lines) <= tokens
    }
}

/// Of how many sums one is kept.
const SAMPLE: usize = 8;

/// What is known in advance of every boundary, as sums that grow at their end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Costs {
    /// For every eighth boundary the tokens of all entries before it: those between are the counts' to tell.
    before: Vec<u64>,
    /// The number of entries, and the tokens of all of them.
    entries: usize,
    total: u64,
    /// Each system entry, with the tokens of all of them up to it.
    systems: Vec<(u32, u64)>,
    /// The entries at which pairs are done, in their order.
    done: Vec<u32>,
    runs: Vec<Run>,
    /// The tokens of the fixed part and the note's marker.
    frame: u64,
    /// The tokens of the summary that is carried at each boundary but the first, and from which one on another.
    summary: u64,
    newer: (usize, u64),
    /// From which boundary on the ledger takes how many tokens.
    pins: Vec<(usize, u64)>,
    minima: Minima,
}

/// The prompts that are being worked on, up to one of them: those that were not answered by themselves, and those that came
/// while a call was being executed.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The prompt, or the first entry of an exchange that has none.
    start: u32,
    /// The tokens of this prompt.
    own: u64,
    /// The tokens of the whole run.
    tokens: u64,
}

/// What a planner knows beside the costs, which rest on it.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) counts: &'a Counts,
    pub(crate) structure: &'a Structure,
    pub(crate) cuts: &'a CutMap,
    pub(crate) digest: &'a Digest,
}

impl Costs {
    /// Takes in what became of the structure; boundaries before `first` are as legal as they were.
    pub(crate) fn grow(
        &mut self,
        transcript: &Transcript,
        view: View<'_>,
        grown: &Grown,
        first: usize,
    ) {
        if grown.from == 0 {
            let pins = core::mem::take(&mut self.pins);
            *self = Self { pins, ..Self::default() };
            self.begin(transcript, view.structure, view.counts);
        }
        for entry in grown.from..transcript.len() {
            let tokens = u64::from(view.counts.entries[entry]);
            if entry.is_multiple_of(SAMPLE) {
                spare::push(&mut self.before, self.total);
            }
            self.total += tokens;
            self.entries += 1;
            if transcript.stays(entry) {
                self.systems.push((entry as u32, self.system_before(entry) + tokens));
            }
        }
        let calls = &view.structure.pairing.calls;
        let answers = grown.answered.iter().filter_map(|&call| calls[call as usize].answer);
        spare::reserve(&mut self.done, grown.answered.len());
        self.done.extend(answers.map(|answer| answer.entry));
        self.carry(transcript, view.structure, grown);
        let first = first.min(grown.changed);
        let mut minima = core::mem::take(&mut self.minima);
        minima.grow(first, transcript.len() + 1, |at| self.share(view, at));
        self.minima = minima;
    }

    /// Takes in what a ledger shows.
    pub(crate) fn pin(&mut self, pins: Vec<(usize, u64)>) {
        self.pins = pins;
    }

    /// What a cut at boundary `at` costs.
    pub(crate) fn at(&self, view: View<'_>, at: usize) -> Cost {
        let kept = self.kept(view, at);
        let system = self.system_before(at);
        let (carried, pins) = (self.carried_at(view.structure, at), self.pins_at(at));
        let bare = self.frame + system + kept + carried + pins;
        let seat = view.structure.note_entry().filter(|&seat| seat < at);
        let systems = self.systems.partition_point(|&(entry, _)| (entry as usize) < at);
        let exchanges = &view.structure.exchanges;
        let headless = exchanges.first().is_some_and(|exchange| exchange.prompt.is_none());
        let begun = exchanges.partition_point(|exchange| exchange.entries.start < at);
        Cost {
            kept,
            system,
            carried,
            pins,
            bare,
            full: bare + view.digest.tokens_before(at),
            entries: (at - systems - usize::from(seat.is_some())) as u32,
            prompts: (begun - usize::from(headless && begun > 0)) as u32,
            pairs: self.done.partition_point(|&entry| (entry as usize) < at) as u32,
        }
    }

    /// The tokens of the entries from boundary `at` on.
    pub(crate) fn kept(&self, view: View<'_>, at: usize) -> u64 {
        self.total - self.before(view, at)
    }

    /// The tokens of all entries.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// The number of boundaries.
    pub(crate) fn len(&self) -> usize {
        self.entries + 1
    }

    /// The first boundary at which a fold may cut, in `range`, of which `holds`; with `legal` of those that are legal alone.
    /// It must hold of what is cheaper, too.
    pub(crate) fn first(
        &self,
        view: View<'_>,
        range: Range<usize>,
        legal: bool,
        holds: impl Fn(Cheapest) -> bool,
    ) -> Option<usize> {
        let cost = |at: usize| self.share(view, at);
        self.stretches(view, range, legal).find_map(|(range, pins)| {
            let holds = |both: Both| holds(self.cheapest(both, legal, pins));
            self.minima.first(range, &cost, &holds)
        })
    }

    /// The least that a cut in `range` costs; with `legal` of those that are legal alone.
    pub(crate) fn least(&self, view: View<'_>, range: Range<usize>, legal: bool) -> Cheapest {
        let cost = |at: usize| self.share(view, at);
        let none = Cheapest { bare: u64::MAX, full: u64::MAX };
        self.stretches(view, range, legal).fold(none, |least, (range, pins)| {
            let found = self.cheapest(self.minima.least(range, &cost), legal, pins);
            Cheapest { bare: least.bare.min(found.bare), full: least.full.min(found.full) }
        })
    }

    /// The stretches of `range` over which the ledger costs the same, with what it costs. A cut in the head folds nothing, so
    /// none begins there.
    fn stretches(
        &self,
        view: View<'_>,
        range: Range<usize>,
        legal: bool,
    ) -> impl Iterator<Item = (Range<usize>, u64)> {
        let mut start = range.start.max(view.structure.head + 1);
        let mut end = range.end.min(self.len());
        if legal {
            let open = view.cuts.range();
            (start, end) = (start.max(open.start), end.min(open.end));
        }
        let next = self.pins.partition_point(|&(from, _)| from <= start);
        let first = next.checked_sub(1).map_or(0, |at| self.pins[at].1);
        let ends = self.pins[next..].iter().map(|&(from, _)| from).chain([usize::MAX]);
        let pins = core::iter::once(first).chain(self.pins[next..].iter().map(|&(_, pins)| pins));
        ends.zip(pins)
            .scan(start, move |start, (until, pins)| {
                let until = until.min(end);
                let range = *start..until;
                *start = until;
                Some((range, pins))
            })
            .take_while(|(range, _)| !range.is_empty())
    }

    fn cheapest(&self, both: Both, legal: bool, pins: u64) -> Cheapest {
        let Least { bare, full } = if legal { both.legal } else { both.any };
        let common = self.frame + self.total + pins;
        let whole =
            |share: Option<i64>| share.map_or(u64::MAX, |it| common.saturating_add_signed(it));
        Cheapest { bare: whole(bare), full: whole(full) }
    }

    /// What a boundary costs beside what all have in common, and the ledger.
    fn share(&self, view: View<'_>, at: usize) -> Both {
        let bare = self.system_before(at) + self.carried_at(view.structure, at);
        let bare = bare.cast_signed() - self.before(view, at).cast_signed();
        let full = bare + view.digest.tokens_before(at).cast_signed();
        let any = Least { bare: Some(bare), full: Some(full) };
        Both { any, legal: if view.cuts.is_open(at) { any } else { Least::default() } }
    }

    /// The tokens of the entries before boundary `at`.
    fn before(&self, view: View<'_>, at: usize) -> u64 {
        let start = at - at % SAMPLE;
        let Some(&known) = self.before.get(at / SAMPLE) else { return self.total };
        let rest = view.counts.entries[start..at].iter();
        known + rest.map(|&tokens| u64::from(tokens)).sum::<u64>()
    }

    /// The tokens of the system entries before boundary `at`.
    pub(crate) fn system_before(&self, at: usize) -> u64 {
        let systems = self.systems.partition_point(|&(entry, _)| (entry as usize) < at);
        systems.checked_sub(1).map_or(0, |last| self.systems[last].1)
    }

    fn pins_at(&self, at: usize) -> u64 {
        let next = self.pins.partition_point(|&(from, _)| from <= at);
        next.checked_sub(1).map_or(0, |last| self.pins[last].1)
    }

    /// What a cut at boundary `at` carries: prompts that are being worked on, the provider's summary.
    fn carried_at(&self, structure: &Structure, at: usize) -> u64 {
        if at == 0 {
            return 0;
        }
        let next = self.runs.partition_point(|run| (run.start as usize) < at);
        let tokens = next.checked_sub(1).map_or(0, |last| self.runs[last].tokens);
        let edge = self.runs.get(next).map_or(self.entries, |next| next.start as usize);
        let prompts = if at == edge && is_done(structure, at) { 0 } else { tokens };
        prompts + if at < self.newer.0 { self.summary } else { self.newer.1 }
    }

    /// Takes in what stands before the entries.
    fn begin(&mut self, transcript: &Transcript, structure: &Structure, counts: &Counts) {
        self.frame = counts.fixed_total() + Note::frame_tokens();
        let len = transcript.len();
        let tokens = |at: usize| {
            let summary = summary(transcript, structure, at);
            summary.map_or(0, |text| Note::summary_tokens(&text)) + dropped_tokens(structure)
        };
        let seat = transcript.compaction.as_ref().map(|compaction| compaction.entry as usize + 1);
        self.summary = tokens(0);
        self.newer = (seat.unwrap_or(usize::MAX), tokens(len));
    }

    /// Takes in prompts. What those before the change come to is as it was: an exchange that others follow was answered by
    /// then or never is.
    fn carry(&mut self, transcript: &Transcript, structure: &Structure, grown: &Grown) {
        let known = self.runs.partition_point(|run| (run.start as usize) < grown.changed);
        let again = self.runs.split_off(known);
        let again = again.iter().map(|run| (run.start as usize, Some(run.own)));
        let head = structure.head;
        let begins = |&entry: &usize| entry == head || structure.is_prompt(transcript, entry);
        let new = (grown.from.max(head)..transcript.len()).filter(begins);
        for (start, own) in again.chain(new.map(|entry| (entry, None))) {
            let own = own.unwrap_or_else(|| {
                let prompt = Some(start).filter(|&it| structure.is_prompt(transcript, it));
                let own = prompt.map(|prompt| prompt_text(transcript, structure, prompt));
                // What the note carries was not answered yet when it was written.
                let note = structure.note.as_ref().filter(|_| start == head);
                let inherited = note.map_or(&[][..], |(_, note)| &note.carried);
                own.iter().chain(inherited).map(|it| Note::carried_tokens(it)).sum()
            });
            let open = self.runs.last().filter(|_| !is_done(structure, start));
            let tokens = own + open.map_or(0, |run| run.tokens);
            self.runs.push(Run { start: start as u32, own, tokens });
        }
    }
}

/// What it costs to say that a model's summary is no longer there, which may have to be said where there is one.
fn dropped_tokens(structure: &Structure) -> u64 {
    let Some((_, note)) = &structure.note else { return 0 };
    let entries = note.host.as_ref().map_or(0, |host| host.entries).max(note.dropped);
    if entries == 0 { 0 } else { Note::dropped_tokens(entries) }
}

/// The prompts that a cut at boundary `at` must carry word for word: those that are still being worked on.
pub(crate) fn carried(transcript: &Transcript, structure: &Structure, at: usize) -> Vec<String> {
    let from_note =
        || structure.note.as_ref().map_or_else(Vec::new, |(_, note)| note.carried.clone());
    let Some(last) = at.checked_sub(1).and_then(|entry| structure.exchange_of(entry)) else {
        return from_note();
    };
    if is_done(structure, at) {
        return Vec::new();
    }
    let mut first = last;
    while first > 0 && !is_answered(structure, first - 1) {
        first -= 1;
    }
    let inherited = first == 0;
    let entries = structure.exchanges[first].entries.start..at;
    let prompts = entries.filter(|&entry| structure.is_prompt(transcript, entry));
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

/// Whether an exchange ends at boundary `at` in which the model has responded: nobody waits for it any more.
fn is_done(structure: &Structure, at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|entry| structure.exchange_of(entry));
    let ended = before.filter(|&index| structure.exchanges[index].entries.end == at);
    ended.is_some_and(|index| is_answered(structure, index))
}

/// Whether the model has responded within an exchange. Prompts that follow each other are one request.
fn is_answered(structure: &Structure, exchange: usize) -> bool {
    let entries = &structure.exchanges[exchange].entries;
    let next = structure.responses_before(entries.start);
    structure.response(next).is_some_and(|response| response.start < entries.end)
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
