//! The cut map: every boundary of a transcript, legal or not, and why not.
//!
//! Everything that decides whether a cut is legal lives in this file.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::exchange::Structure;
use crate::transcript::{Format, Id, PartKind, Role, Transcript};

/// Every boundary 0 to n of a transcript of n entries; folding at boundary `i` replaces entries `0..i`.
///
/// Built once in O(n). Asking whether a boundary is legal, and for the nearest legal one, costs O(1).
#[derive(Clone, Debug)]
pub struct CutMap {
    flags: Vec<u16>,
    /// The nearest legal boundary at or before each, or `NONE`.
    before: Vec<u32>,
    /// The nearest legal boundary at or after each, or `NONE`.
    after: Vec<u32>,
    /// Pairs as (call entry, result entry, id) in the order of their calls.
    spans: Vec<(u32, u32, Id)>,
    /// The farthest result entry among the pairs up to each.
    reach: Vec<u32>,
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

    fn bit(self) -> u16 {
        1 << (self as u16)
    }
}

const NONE: u32 = u32::MAX;

impl CutMap {
    /// The map of `transcript`, whose structure is `structure`.
    pub fn of(transcript: &Transcript, structure: &Structure) -> Self {
        let count = transcript.len() + 1;
        let mut flags = alloc::vec![0_u16; count];
        let spans = spans(transcript, structure);
        mark_pairs(&mut flags, &spans);
        mark_strays(&mut flags, structure);
        mark_responses(&mut flags, structure);
        if transcript.wire == Format::OpenAiResponses {
            mark_reasoning(&mut flags, transcript);
        }
        if transcript.request.thinking_bound {
            mark_thinking(&mut flags, transcript, structure);
        }
        mark_tail(&mut flags, structure);
        mark_provider(&mut flags, transcript);
        let mut reach = Vec::with_capacity(spans.len());
        for &(_, result, _) in &spans {
            reach.push(reach.last().map_or(result, |&so_far: &u32| so_far.max(result)));
        }
        let (before, after) = nearest(&flags);
        Self { flags, before, after, spans, reach }
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
        self.flags.get(at) == Some(&0)
    }

    /// The nearest legal boundary at or before `at`.
    pub fn at_or_before(&self, at: usize) -> Option<usize> {
        let found = self.before[at.min(self.len() - 1)];
        (found != NONE).then_some(found as usize)
    }

    /// The nearest legal boundary at or after `at`.
    pub fn at_or_after(&self, at: usize) -> Option<usize> {
        let found = self.after.get(at).copied().unwrap_or(NONE);
        (found != NONE).then_some(found as usize)
    }

    /// How many boundaries are illegal.
    pub fn illegal(&self) -> usize {
        self.flags.iter().filter(|&&flags| flags != 0).count()
    }

    /// Every reason why boundary `at` is illegal; empty for a legal one.
    pub fn why(&self, at: usize, structure: &Structure) -> Vec<Reason> {
        let flags = self.flags.get(at).copied().unwrap_or(0);
        let kinds = ReasonKind::ALL.into_iter().filter(|kind| flags & kind.bit() != 0);
        kinds
            .map(|kind| {
                let ids = match kind {
                    ReasonKind::SeversPair => self.severed(at),
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
    fn severed(&self, at: usize) -> Vec<Id> {
        let at = at as u32;
        let first = self.reach.partition_point(|&reach| reach < at);
        let open = self.spans[first..].iter().take_while(|&&(call, _, _)| call < at);
        once(open.filter(|&&(_, result, _)| result >= at).map(|&(_, _, id)| id))
    }
}

fn spans(transcript: &Transcript, structure: &Structure) -> Vec<(u32, u32, Id)> {
    // Calls come in the order of their entries, so the pairs do too.
    let pairs = structure.pairing.pairs();
    let stays = |entry: u32| transcript.entries[entry as usize].role == Role::System;
    pairs
        .filter(|(call, answer)| call.place.entry < answer.entry || stays(answer.entry))
        .map(|(call, answer)| {
            // A system entry is never folded, so what it holds of a pair would outlive the rest at every cut behind.
            let outlives = stays(call.place.entry) || stays(answer.entry);
            let end = if outlives { transcript.len() as u32 } else { answer.entry };
            (call.place.entry, end, call.id)
        })
        .collect()
}

fn mark_pairs(flags: &mut [u16], spans: &[(u32, u32, Id)]) {
    let mut change = alloc::vec![0_i32; flags.len() + 1];
    for &(call, result, _) in spans {
        change[call as usize + 1] += 1;
        change[result as usize + 1] -= 1;
    }
    let mut open = 0;
    for (flags, change) in flags.iter_mut().zip(&change) {
        open += change;
        if open > 0 {
            *flags |= ReasonKind::SeversPair.bit();
        }
    }
}

fn mark_strays(flags: &mut [u16], structure: &Structure) {
    for stray in &structure.pairing.strays {
        let flags = &mut flags[stray.place.entry as usize];
        if *flags & ReasonKind::SeversPair.bit() == 0 {
            *flags |= ReasonKind::BeginsWithResult.bit();
        }
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

fn mark_responses(flags: &mut [u16], structure: &Structure) {
    for response in &structure.responses {
        for flags in &mut flags[response.start + 1..response.end] {
            *flags |= ReasonKind::SplitsResponse.bit();
        }
    }
}

/// A reasoning item belongs to the next item of the model; only results may stand between the two.
fn mark_reasoning(flags: &mut [u16], transcript: &Transcript) {
    let mut open: Option<usize> = None;
    for (index, entry) in transcript.entries.iter().enumerate() {
        match entry.role {
            Role::Assistant if is_reasoning(transcript, index) => {
                open = open.or(Some(index));
            }
            Role::Assistant => {
                if let Some(reasoning) = open.take() {
                    for flags in &mut flags[reasoning + 1..=index] {
                        if *flags & ReasonKind::SplitsResponse.bit() == 0 {
                            *flags |= ReasonKind::DetachesReasoning.bit();
                        }
                    }
                }
            }
            Role::Tool => {}
            Role::User | Role::System => open = None,
        }
    }
}

/// Whether an entry is a reasoning item and nothing else.
pub(crate) fn is_reasoning(transcript: &Transcript, entry: usize) -> bool {
    let parts = transcript.parts(entry);
    !parts.is_empty() && parts.iter().all(|part| part.kind == PartKind::Thinking)
}

fn mark_thinking(flags: &mut [u16], transcript: &Transcript, structure: &Structure) {
    let thinks = |response: &core::ops::Range<usize>| {
        let mut parts = response.clone().flat_map(|entry| transcript.parts(entry));
        parts.any(|part| part.kind == PartKind::Thinking)
    };
    // A prompt that stands beside results is one turn with them to the provider, and ends no loop.
    let answers = |entry: usize| {
        let mut parts = transcript.parts(entry).iter();
        parts.any(|part| matches!(part.kind, PartKind::Result { .. }))
    };
    let mut thought = false;
    for pair in structure.responses.windows(2) {
        let goes_on = (pair[0].end..pair[1].start).any(answers);
        thought = goes_on && (thought || thinks(&pair[0]));
        if !thought || thinks(&pair[1]) {
            continue;
        }
        for flags in &mut flags[pair[0].start + 1..=pair[1].start] {
            *flags |= ReasonKind::DetachesThinking.bit();
        }
    }
}

fn mark_tail(flags: &mut [u16], structure: &Structure) {
    let tail = &structure.tail;
    let mut mark = |from: usize, kind: ReasonKind| {
        for flags in &mut flags[from + 1..] {
            *flags |= kind.bit();
        }
    };
    if let Some(response) = tail.response {
        if !tail.pending.is_empty() {
            mark(response, ReasonKind::PendingCall);
        }
        if !tail.unconsumed.is_empty() {
            mark(response, ReasonKind::UnconsumedResult);
        }
    }
    if let Some(prompt) = tail.prompt {
        mark(prompt, ReasonKind::UnansweredPrompt);
    }
}

/// What the provider's own devices forbid.
fn mark_provider(flags: &mut [u16], transcript: &Transcript) {
    let mut mark = |from: usize, kind: ReasonKind| {
        for flags in &mut flags[from + 1..] {
            *flags |= kind.bit();
        }
    };
    let system = transcript.entries.iter().position(|entry| entry.role == Role::System);
    if let (Format::Anthropic, Some(system)) = (transcript.wire, system) {
        mark(system, ReasonKind::DisplacesSystem);
    }
    if let Some(compaction) = &transcript.compaction {
        // A note in front of it is not read; behind it, the note must carry its summary, if that can be read at all.
        let until =
            if compaction.summary.is_some() { compaction.entry as usize + 1 } else { flags.len() };
        for flags in flags.iter_mut().take(until).skip(1) {
            *flags |= ReasonKind::ProviderCompaction.bit();
        }
    }
}

fn nearest(flags: &[u16]) -> (Vec<u32>, Vec<u32>) {
    let mut before = Vec::with_capacity(flags.len());
    let mut last = NONE;
    for (at, &flags) in flags.iter().enumerate() {
        last = if flags == 0 { at as u32 } else { last };
        before.push(last);
    }
    let mut after = alloc::vec![NONE; flags.len()];
    let mut next = NONE;
    for (at, &flags) in flags.iter().enumerate().rev() {
        next = if flags == 0 { at as u32 } else { next };
        after[at] = next;
    }
    (before, after)
}
