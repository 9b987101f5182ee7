//! The shape of a transcript: responses, rounds, exchanges, and the live tail that the model has not consumed.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::Range;

use crate::note::{self, Note};
use crate::pairing::{Call, Pairing, Place};
use crate::transcript::{Id, PartKind, Role, Transcript};

/// Everything about a transcript that follows from its roles and pairs.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Calls and results.
    pub pairing: Pairing,
    /// Model responses as ranges of entries: adjacent assistant entries are one response.
    pub responses: Vec<Range<usize>>,
    /// One round for each response.
    pub rounds: Vec<Round>,
    /// The exchanges in their order, without the head.
    pub exchanges: Vec<Exchange>,
    /// Entries before the first exchange: leading system entries and the note of an earlier fold.
    pub head: usize,
    /// The note of an earlier fold and the entry it is in.
    pub note: Option<(usize, Note)>,
    /// Whether the note shares its entry with a prompt, as it must where the roles of entries alternate.
    pub note_shared: bool,
    /// What the model has not consumed yet.
    pub tail: LiveTail,
}

/// One model response with every result that answers it.
#[derive(Clone, Debug)]
pub struct Round {
    /// The entries of the response.
    pub response: Range<usize>,
    /// The entry after its last result, or after the response if it has none.
    pub end: usize,
    /// Its calls, as indices into the pairing.
    pub calls: Range<usize>,
}

/// A prompt and everything up to the next prompt.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Exchange {
    /// Its entries.
    pub entries: Range<usize>,
    /// The prompt, which is its first entry; `None` where the transcript begins in the middle of one.
    pub prompt: Option<usize>,
}

/// What the model has not consumed yet. It is never folded.
#[derive(Clone, Debug, Default)]
pub struct LiveTail {
    /// The first entry of the newest response, if any of its calls is pending or any result unconsumed.
    pub response: Option<usize>,
    /// Unanswered calls of the newest response, with nothing but results after it.
    pub pending: Vec<Id>,
    /// Answered calls whose results stand after the newest response.
    pub unconsumed: Vec<Id>,
    /// The first prompt after the newest response.
    pub prompt: Option<usize>,
}

impl LiveTail {
    /// The first entry that may not be folded; `len` of the transcript if all may.
    pub fn start(&self, len: usize) -> usize {
        self.response.unwrap_or(len).min(self.prompt.unwrap_or(len))
    }
}

impl Structure {
    /// The structure of `transcript`.
    pub fn of(transcript: &Transcript) -> Self {
        let pairing = Pairing::of(transcript);
        let note = note::find(transcript);
        let note_shared =
            note.as_ref().is_some_and(|(entry, _)| transcript.parts(*entry).len() > 1);
        let seat = note.as_ref().map(|(entry, _)| *entry).filter(|_| !note_shared);
        let responses = responses(transcript);
        let rounds = rounds(&responses, &pairing);
        let prompts = prompts(transcript, seat);
        let tail = live_tail(transcript, &responses, &pairing, &prompts);
        let head = head(transcript, seat);
        let exchanges = exchanges(transcript.len(), head, &prompts, &pairing);
        Self { pairing, responses, rounds, exchanges, head, note, note_shared, tail }
    }

    /// The entry that is the note of an earlier fold and nothing else: it is replaced, not folded.
    pub(crate) fn note_entry(&self) -> Option<usize> {
        self.note.as_ref().map(|(entry, _)| *entry).filter(|_| !self.note_shared)
    }

    /// The part of `entry` that is the note, where the note shares its entry with a prompt.
    pub(crate) fn is_note_part(&self, entry: usize, part: usize) -> bool {
        part == 0 && self.note_shared && self.note.as_ref().is_some_and(|(seat, _)| *seat == entry)
    }

    /// The index of the exchange that entry `entry` belongs to; `None` in the head.
    pub fn exchange_of(&self, entry: usize) -> Option<usize> {
        let after = self.exchanges.partition_point(|exchange| exchange.entries.start <= entry);
        after.checked_sub(1)
    }
}

/// Whether an entry is a prompt: a user entry that carries no result. "User role" alone is not enough.
fn is_prompt(transcript: &Transcript, entry: usize) -> bool {
    let is_result = |kind: &PartKind| matches!(kind, PartKind::Result { .. });
    transcript.entries[entry].role == Role::User
        && !transcript.parts(entry).iter().any(|part| is_result(&part.kind))
}

fn prompts(transcript: &Transcript, note: Option<usize>) -> Vec<usize> {
    (0..transcript.len())
        .filter(|&entry| Some(entry) != note && is_prompt(transcript, entry))
        .collect()
}

fn responses(transcript: &Transcript) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (index, entry) in transcript.entries.iter().enumerate() {
        if entry.role != Role::Assistant {
            continue;
        }
        match found.last_mut() {
            Some(open) if open.end == index => open.end = index + 1,
            _ => found.push(index..index + 1),
        }
    }
    found
}

fn rounds(responses: &[Range<usize>], pairing: &Pairing) -> Vec<Round> {
    let mut next = 0;
    let mut rounds = Vec::with_capacity(responses.len());
    for response in responses {
        let calls = &pairing.calls;
        while next < calls.len() && (calls[next].place.entry as usize) < response.start {
            next += 1;
        }
        let first = next;
        let mut end = response.end;
        while next < calls.len() && (calls[next].place.entry as usize) < response.end {
            end = calls[next].answer.map_or(end, |answer| end.max(answer.entry as usize + 1));
            next += 1;
        }
        rounds.push(Round { response: response.clone(), end, calls: first..next });
    }
    rounds
}

/// What is live. Where a call and its result stand in one entry, a result after which the model said nothing more is
/// not consumed; what the provider executes, the model has read as it wrote.
fn live_tail(
    transcript: &Transcript,
    responses: &[Range<usize>],
    pairing: &Pairing,
    prompts: &[usize],
) -> LiveTail {
    let newest = responses.last();
    let after = newest.map_or(0, |response| response.end);
    let prompt = prompts.iter().copied().find(|&prompt| prompt >= after);
    let mut tail = LiveTail { prompt, ..LiveTail::default() };
    let Some(newest) = newest else { return tail };
    let last_word = last_word(transcript, newest);
    let unread = |call: &Call, answer: Place| {
        answer.entry as usize >= after
            || newest.contains(&(answer.entry as usize))
                && !call.server
                && last_word.is_none_or(|word| answer > word)
    };
    let (mut pending, mut unconsumed) = (BTreeSet::new(), BTreeSet::new());
    for call in &pairing.calls {
        let entry = call.place.entry as usize;
        match call.answer {
            Some(answer) if unread(call, answer) && unconsumed.insert(call.id) => {
                tail.unconsumed.push(call.id);
            }
            // With a prompt after it the talk went on: the call is dead, not pending.
            None if newest.contains(&entry) && prompt.is_none() && pending.insert(call.id) => {
                tail.pending.push(call.id);
            }
            _ => {}
        }
    }
    let live = !tail.pending.is_empty() || !tail.unconsumed.is_empty();
    tail.response = live.then_some(newest.start);
    tail
}

/// The last part of a response that the model wrote: words, thinking, a call.
fn last_word(transcript: &Transcript, response: &Range<usize>) -> Option<Place> {
    let is_word = |kind: &PartKind| {
        matches!(kind, PartKind::Text | PartKind::Thinking | PartKind::Call { .. })
    };
    let in_entry = |entry: usize| {
        let part = transcript.parts(entry).iter().rposition(|part| is_word(&part.kind))?;
        Some(Place { entry: entry as u32, part: part as u32 })
    };
    response.clone().rev().find_map(in_entry)
}

fn head(transcript: &Transcript, note: Option<usize>) -> usize {
    let leading =
        |entry: usize| transcript.entries[entry].role == Role::System || Some(entry) == note;
    (0..transcript.len()).take_while(|&entry| leading(entry)).count()
}

/// A prompt wedged inside a pair opens no exchange: the pair is one with what is around it.
fn exchanges(len: usize, head: usize, prompts: &[usize], pairing: &Pairing) -> Vec<Exchange> {
    let mut spans: Vec<(usize, usize)> = pairing
        .pairs()
        .map(|(call, answer)| (call.place.entry as usize, answer.entry as usize))
        .collect();
    spans.sort_unstable();
    let mut next = 0;
    let mut reach = 0;
    let mut found: Vec<Exchange> = Vec::new();
    let mut start = |entry: usize, prompt: Option<usize>| {
        if let Some(open) = found.last_mut() {
            open.entries.end = entry;
        }
        found.push(Exchange { entries: entry..len, prompt });
    };
    if head < len && !prompts.contains(&head) {
        start(head, None);
    }
    for &prompt in prompts {
        while next < spans.len() && spans[next].0 < prompt {
            reach = reach.max(spans[next].1);
            next += 1;
        }
        if reach < prompt || next == 0 {
            start(prompt, Some(prompt));
        }
    }
    found
}
