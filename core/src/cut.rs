//! The cut map: every boundary of a transcript, legal or not, and why not.
//!
//! Everything that decides whether a cut is legal lives in this file.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::Range;

use crate::exchange::{Grown, Structure};
use crate::spare;
use crate::transcript::{Format, Id, PartKind, Role, Transcript};

/// Every boundary 0 to n of a transcript of n entries; folding at boundary `i` replaces entries `0..i`.
///
/// Built in O(n), and grown by what an entry changes. Asking whether a boundary is legal costs O(1), for the nearest legal one
/// O(log n).
#[derive(Clone, Debug, Default)]
pub struct CutMap {
    /// What is known of each boundary without the end of the transcript: a bit for each kind.
    flags: Vec<u8>,
    /// The boundaries of which nothing is known so, in their order.
    open: Vec<u32>,
    /// The boundaries from which on a kind of reason holds, whatever else there is.
    marks: Vec<(usize, ReasonKind)>,
    /// The first boundary behind the provider's own compaction; none between the first and it is legal.
    read: usize,
    /// The last boundary that may be legal.
    last: usize,
    /// The first of the reasoning items that wait for what came of them.
    reasoning: Option<usize>,
    /// The calls of pairs of which a part stands in a system entry.
    outliving: BTreeSet<u32>,
    /// Of each response whether it or one before it in its tool loop thinks, where that is asked for.
    thought: Vec<bool>,
}

/// Why a boundary is illegal.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Reason {
    /// The kind of reason.
    pub kind: ReasonKind,
    /// The calls it is about, in their order, each once.
    pub ids: Vec<Id>,
}

/// The kinds of reason, in the order in which they are reported.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum ReasonKind {
    /// A call stands before the boundary and its result at or after it.
    SeversPair,
    /// The entry after the boundary carries a result whose call is nowhere to be kept.
    /// A severed pair says as much and more, so it is not reported beside one.
    BeginsWithResult,
    /// It lies between two entries of one response.
    SplitsResponse,
    /// It lies between a reasoning item and the item that came of it, with results between the two.
    DetachesReasoning,
    /// It cuts a tool loop off from the thinking that opened it, on a model that demands it.
    DetachesThinking,
    /// It lies behind a call that is being executed.
    PendingCall,
    /// It lies behind a result that the model has not read yet.
    UnconsumedResult,
    /// It lies behind a prompt that the model has not answered yet.
    UnansweredPrompt,
    /// A system entry in the middle of the talk would come to stand where Anthropic refuses it.
    DisplacesSystem,
    /// In front of the provider's own compaction a note would never be read; folded away, a sealed one would be lost.
    ProviderCompaction,
}

impl ReasonKind {
    /// All kinds, in the order in which they are reported.
    pub const ALL: [Self; 10] = [
        Self::SeversPair,
        Self::BeginsWithResult,
        Self::SplitsResponse,
        Self::DetachesReasoning,
        Self::DetachesThinking,
        Self::PendingCall,
        Self::UnconsumedResult,
        Self::UnansweredPrompt,
        Self::DisplacesSystem,
        Self::ProviderCompaction,
    ];

    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::SeversPair => "severs-pair",
            Self::BeginsWithResult => "begins-with-result",
            Self::SplitsResponse => "splits-response",
            Self::DetachesReasoning => "detaches-reasoning",
            Self::DetachesThinking => "detaches-thinking",
            Self::PendingCall => "pending-call",
            Self::UnconsumedResult => "unconsumed-result",
            Self::UnansweredPrompt => "unanswered-prompt",
            Self::DisplacesSystem => "displaces-system",
            Self::ProviderCompaction => "provider-compaction",
        }
    }

    /// One sentence for a person.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::SeversPair => "A call would be folded away while its result is kept.",
            Self::BeginsWithResult => {
                "What is kept would begin with a result that answers nothing."
            }
            Self::SplitsResponse => "It would split one response of the model in two.",
            Self::DetachesReasoning => "Reasoning would be folded away from the item it led to.",
            Self::DetachesThinking => "The tool loop would lose the thinking that opened it.",
            Self::PendingCall => "A call is still being executed.",
            Self::UnconsumedResult => "The model has not read this result yet.",
            Self::UnansweredPrompt => "The model has not answered this prompt yet.",
            Self::DisplacesSystem => "A system entry would stand where the provider refuses it.",
            Self::ProviderCompaction => {
                "The provider's own compaction would be lost, or the note before it never read."
            }
        }
    }

    fn bit(self) -> u8 {
        1 << (self as u8)
    }
}

impl CutMap {
    /// The map of `transcript`, whose structure is `structure`.
    pub fn of(transcript: &Transcript, structure: &Structure) -> Self {
        let mut map = Self::default();
        let answered = structure.pairing.answered();
        map.grow(transcript, structure, &Grown { answered, ..Grown::default() });
        map
    }

    /// Takes in what became of the structure. Gives the first boundary of which anything may be different.
    pub(crate) fn grow(
        &mut self,
        transcript: &Transcript,
        structure: &Structure,
        grown: &Grown,
    ) -> usize {
        if grown.from == 0 {
            *self = Self::default();
        }
        let len = transcript.len();
        let new = (len + 1).saturating_sub(self.flags.len());
        spare::reserve(&mut self.flags, new);
        self.flags.resize(len + 1, 0);
        let mut first = grown.from.min(self.mark_pairs(transcript, structure, grown));
        self.mark_strays(structure, grown.from);
        self.mark_responses(transcript, grown.from);
        if transcript.wire == Format::OpenAiResponses {
            first = first.min(self.mark_reasoning(transcript, grown.from));
        }
        if transcript.request.thinking_bound {
            first = first.min(self.mark_thinking(transcript, structure, grown));
        }
        let known = self.open.partition_point(|&at| (at as usize) < first);
        self.open.truncate(known);
        for (at, _) in self.flags.iter().enumerate().skip(first).filter(|(_, flags)| **flags == 0) {
            spare::push(&mut self.open, at as u32);
        }
        self.mark_end(transcript, structure);
        first
    }

    /// The number of boundaries: one more than entries.
    pub fn len(&self) -> usize {
        self.flags.len()
    }

    /// Never: even an empty transcript has one boundary.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Whether boundary `at` is legal; a boundary beyond the end is not.
    pub fn legal(&self, at: usize) -> bool {
        self.is_open(at) && at <= self.last && (at == 0 || at >= self.read)
    }

    /// Whether boundary `at` would be legal but for how the transcript ends, and the provider's own compaction.
    pub(crate) fn is_open(&self, at: usize) -> bool {
        self.flags.get(at) == Some(&0)
    }

    /// The boundaries among which a legal one may be, but for the first of all.
    pub(crate) fn range(&self) -> Range<usize> {
        self.read..self.last + 1
    }

    /// The nearest legal boundary at or before `at`.
    pub fn at_or_before(&self, at: usize) -> Option<usize> {
        let after = self.open.partition_point(|&open| open as usize <= at.min(self.last));
        let found = self.open[after.checked_sub(1)?] as usize;
        if self.legal(found) { Some(found) } else { self.legal(0).then_some(0) }
    }

    /// The nearest legal boundary at or after `at`.
    pub fn at_or_after(&self, at: usize) -> Option<usize> {
        if at == 0 && self.legal(0) {
            return Some(0);
        }
        let next = self.open.partition_point(|&open| (open as usize) < at.max(self.read).max(1));
        self.open.get(next).map(|&open| open as usize).filter(|&open| open <= self.last)
    }

    /// How many boundaries are illegal.
    pub fn illegal(&self) -> usize {
        let open = |end: usize| self.open.partition_point(|&open| (open as usize) < end);
        let legal = open(self.last + 1).saturating_sub(open(self.read.max(1)));
        self.len() - legal - usize::from(self.legal(0))
    }

    /// Every reason why boundary `at` is illegal; empty for a legal one.
    pub fn why(&self, at: usize, structure: &Structure) -> Vec<Reason> {
        let kinds = ReasonKind::ALL.into_iter().filter(|&kind| self.holds(kind, at));
        kinds
            .map(|kind| {
                let ids = match kind {
                    ReasonKind::SeversPair => self.severed(structure, at),
                    ReasonKind::BeginsWithResult => strays_at(structure, at),
                    ReasonKind::PendingCall => structure.tail.pending.clone(),
                    ReasonKind::UnconsumedResult => structure.tail.unconsumed.clone(),
                    _ => Vec::new(),
                };
                Reason { kind, ids }
            })
            .collect()
    }

    /// The ids of the pairs that boundary `at` severs, in the order of their calls.
    fn severed(&self, structure: &Structure, at: usize) -> Vec<Id> {
        let pairing = &structure.pairing;
        let is_before = |call: usize| (pairing.calls[call].place.entry as usize) < at;
        let first = pairing.reaching(at);
        let open = (first..pairing.calls.len()).take_while(|&call| is_before(call));
        let ends = |call: usize| pairing.calls[call].answer.map(|answer| answer.entry as usize);
        let open = open.filter(|&call| ends(call).is_some_and(|end| end >= at));
        let outliving =
            self.outliving.iter().map(|&call| call as usize).filter(|&it| is_before(it));
        let severed: BTreeSet<usize> = open.chain(outliving).collect();
        once(severed.into_iter().map(|call| pairing.calls[call].id))
    }

    fn holds(&self, kind: ReasonKind, at: usize) -> bool {
        let Some(&flags) = self.flags.get(at) else { return false };
        let marked = || self.marks.iter().any(|&(from, mark)| mark == kind && at >= from);
        let severs = ReasonKind::SeversPair;
        let has = |kind: ReasonKind| flags & kind.bit() != 0;
        match kind {
            // What says as much and more stands for both.
            ReasonKind::BeginsWithResult => has(kind) && !self.holds(severs, at),
            ReasonKind::DetachesReasoning => has(kind) && !has(ReasonKind::SplitsResponse),
            ReasonKind::SeversPair => has(kind) || marked(),
            ReasonKind::SplitsResponse | ReasonKind::DetachesThinking => has(kind),
            ReasonKind::ProviderCompaction => at > 0 && at < self.read,
            _ => marked(),
        }
    }

    /// Marks what newly answered calls forbid; gives the first boundary among that.
    fn mark_pairs(
        &mut self,
        transcript: &Transcript,
        structure: &Structure,
        grown: &Grown,
    ) -> usize {
        // A system entry is never folded, so what it holds of a pair would outlive the rest at every cut behind.
        let stays = |entry: u32| transcript.entries[entry as usize].role == Role::System;
        self.outliving.extend(grown.answered.iter().copied().filter(|&call| {
            let call = &structure.pairing.calls[call as usize];
            call.answer.is_some_and(|answer| {
                let both = stays(call.place.entry) && call.place.entry < answer.entry;
                both || stays(answer.entry)
            })
        }));
        let calls = grown.answered.iter().map(|&call| &structure.pairing.calls[call as usize]);
        let spans = calls.filter_map(|call| Some((call.place.entry, call.answer?.entry)));
        let first = grown.changed + 1;
        let mut change = alloc::vec![0_i32; self.flags.len().saturating_sub(first) + 1];
        for (call, result) in spans.filter(|(call, result)| call < result) {
            change[call as usize + 1 - first] += 1;
            change[result as usize + 1 - first] -= 1;
        }
        let mut open = 0;
        for (flags, change) in self.flags.iter_mut().skip(first).zip(&change) {
            open += change;
            if open > 0 {
                *flags |= ReasonKind::SeversPair.bit();
            }
        }
        first
    }

    fn mark_strays(&mut self, structure: &Structure, from: usize) {
        let strays = &structure.pairing.strays;
        let first = strays.partition_point(|stray| (stray.place.entry as usize) < from);
        for stray in &strays[first..] {
            self.flags[stray.place.entry as usize] |= ReasonKind::BeginsWithResult.bit();
        }
    }

    fn mark_responses(&mut self, transcript: &Transcript, from: usize) {
        let speaks = |entry: usize| transcript.entries[entry].role == Role::Assistant;
        for entry in from.max(1)..transcript.len() {
            if speaks(entry - 1) && speaks(entry) {
                self.flags[entry] |= ReasonKind::SplitsResponse.bit();
            }
        }
    }

    /// A reasoning item belongs to the next item of the model; only results may stand between the two.
    fn mark_reasoning(&mut self, transcript: &Transcript, from: usize) -> usize {
        let mut first = from;
        for (index, entry) in transcript.entries.iter().enumerate().skip(from) {
            match entry.role {
                Role::Assistant if is_reasoning(transcript, index) => {
                    self.reasoning = self.reasoning.or(Some(index));
                }
                Role::Assistant => {
                    if let Some(reasoning) = self.reasoning.take() {
                        first = first.min(reasoning + 1);
                        for flags in &mut self.flags[reasoning + 1..=index] {
                            *flags |= ReasonKind::DetachesReasoning.bit();
                        }
                    }
                }
                Role::Tool => {}
                Role::User | Role::System => self.reasoning = None,
            }
        }
        first
    }

    /// Marks what lies between a response without thinking and the one before it, in a tool loop that thinking opened. The
    /// newest response may still come to think, and an exchange may become part of the one before it.
    fn mark_thinking(
        &mut self,
        transcript: &Transcript,
        structure: &Structure,
        grown: &Grown,
    ) -> usize {
        let thinks = |response: &Range<usize>| {
            let first = response.clone().flat_map(|entry| transcript.parts(entry)).next();
            first.is_some_and(|part| part.kind == PartKind::Thinking)
        };
        let begins = |index: usize| structure.response(index).map(|response| response.start);
        let touched = structure.responses_ended(grown.from);
        let start = touched.checked_sub(1).and_then(begins).unwrap_or(0);
        for flags in self.flags.iter_mut().skip(start + 1) {
            *flags &= !ReasonKind::DetachesThinking.bit();
        }
        // A prompt that stands beside results is one turn with them to the provider, and ends no loop.
        let answers = |entry: usize| {
            let mut parts = transcript.parts(entry).iter();
            parts.any(|part| matches!(part.kind, PartKind::Result { .. }))
        };
        let known = structure.responses_before(start);
        self.thought.truncate(known);
        let mut before = known.checked_sub(1).and_then(|index| structure.response(index));
        for (index, response) in structure.responses().enumerate().skip(known) {
            let goes_on = |before: &Range<usize>| (before.end..response.start).any(answers);
            let bound = before.filter(|it| self.thought[index - 1] && goes_on(it));
            let own = thinks(&response);
            if let Some(before) = bound.as_ref().filter(|_| !own) {
                for flags in &mut self.flags[before.start + 1..=response.start] {
                    *flags |= ReasonKind::DetachesThinking.bit();
                }
            }
            self.thought.push(own || bound.is_some());
            before = Some(response);
        }
        start + 1
    }

    /// Marks what the live tail and the provider's own devices forbid.
    fn mark_end(&mut self, transcript: &Transcript, structure: &Structure) {
        self.marks.clear();
        let tail = &structure.tail;
        if let Some(response) = tail.response {
            if !tail.pending.is_empty() {
                self.marks.push((response + 1, ReasonKind::PendingCall));
            }
            if !tail.unconsumed.is_empty() {
                self.marks.push((response + 1, ReasonKind::UnconsumedResult));
            }
        }
        if let Some(prompt) = tail.prompt {
            self.marks.push((prompt + 1, ReasonKind::UnansweredPrompt));
        }
        if let (Format::Anthropic, Some(system)) = (transcript.wire, structure.system) {
            self.marks.push((system + 1, ReasonKind::DisplacesSystem));
        }
        // The first call has the first entry.
        if let Some(&call) = self.outliving.first() {
            let entry = structure.pairing.calls[call as usize].place.entry as usize;
            self.marks.push((entry + 1, ReasonKind::SeversPair));
        }
        let first = self.marks.iter().map(|&(from, _)| from).min();
        self.last = first.unwrap_or(self.flags.len()) - 1;
        self.read = transcript.compaction.as_ref().map_or(0, |compaction| {
            // A note in front of it is not read; behind it, the note must carry its summary, if that can be read at all.
            let readable = compaction.summary.is_some();
            if readable { compaction.entry as usize + 1 } else { self.flags.len() }
        });
    }
}

fn strays_at(structure: &Structure, at: usize) -> Vec<Id> {
    let strays = &structure.pairing.strays;
    let first = strays.partition_point(|stray| (stray.place.entry as usize) < at);
    let here = strays[first..].iter().take_while(|stray| stray.place.entry as usize == at);
    once(here.map(|stray| stray.id))
}

/// The ids in their order, each once.
pub(crate) fn once(ids: impl Iterator<Item = Id>) -> Vec<Id> {
    let mut seen = BTreeSet::new();
    ids.filter(|&id| seen.insert(id)).collect()
}

/// Whether an entry is a reasoning item and nothing else.
pub(crate) fn is_reasoning(transcript: &Transcript, entry: usize) -> bool {
    let parts = transcript.parts(entry);
    !parts.is_empty() && parts.iter().all(|part| part.kind == PartKind::Thinking)
}
