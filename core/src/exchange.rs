//! The shape of a transcript: responses, rounds, exchanges, and the live tail that the model has not consumed.

use alloc::vec::Vec;
use core::ops::Range;

use crate::cut::once;
use crate::note::{self, Note};
use crate::pairing::{Call, Pairing, Place};
use crate::rounds::Responses;
pub use crate::rounds::Round;
use crate::transcript::{Id, PartKind, Role, Transcript};

/// Everything about a transcript that follows from its roles and pairs.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    /// Calls and results.
    pub pairing: Pairing,
    /// The exchanges in their order, without the head.
    pub exchanges: Vec<Exchange>,
    /// Entries before the first exchange: those that are frozen, leading system entries, the note of an earlier fold.
    pub head: usize,
    /// The note of an earlier fold and the entry it is in.
    pub note: Option<(usize, Note)>,
    /// Whether the note shares its entry with a prompt, as it must where the roles of entries alternate.
    pub note_shared: bool,
    /// What the model has not consumed yet.
    pub tail: LiveTail,
    pub(crate) responses: Responses,
    /// The first system entry.
    pub(crate) system: Option<usize>,
    /// The calls that were answered since the newest response began.
    late: Vec<u32>,
    /// The number of entries.
    len: usize,
    /// As in [`Transcript::frozen`].
    pub(crate) frozen: usize,
    /// Whether the roles of entries must alternate.
    pub(crate) alternates: bool,
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

/// What became of a structure when entries were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grown {
    /// The first entry that was taken in: all of them are new if it is the first.
    pub(crate) from: usize,
    /// The first entry of which anything may be different: the first that is new, or a call that one of these answers.
    pub(crate) changed: usize,
    /// The calls that were answered, in the order of their answers.
    pub(crate) answered: Vec<u32>,
    /// Whether exchanges became one.
    pub(crate) merged: bool,
}

impl Structure {
    /// The structure of `transcript`.
    pub fn of(transcript: &Transcript) -> Self {
        let mut structure = Self::default();
        structure.grow(transcript);
        structure
    }

    /// Takes in the entries of `transcript` that are new.
    pub(crate) fn grow(&mut self, transcript: &Transcript) -> Grown {
        if self.head == self.len {
            // Which entries the head takes is not known before something else follows.
            *self = Self::default();
            self.note = note::find(transcript);
            let shared = |(entry, _): &(usize, Note)| transcript.parts(*entry).len() > 1;
            self.note_shared = self.note.as_ref().is_some_and(shared);
            self.head = head(transcript, self.note_entry());
        }
        let from = core::mem::replace(&mut self.len, transcript.len());
        (self.frozen, self.alternates) = (transcript.frozen(), transcript.wire.alternates());
        let mut grown = Grown { from, changed: from, ..Grown::default() };
        let mut entries = from..self.len;
        let system = entries.find(|&entry| {
            entry >= transcript.frozen() && transcript.entries[entry].role == Role::System
        });
        self.system = self.system.or(system);
        grown.answered = self.pairing.grow(transcript, from);
        for &call in &grown.answered {
            let place = self.pairing.calls[call as usize].place;
            grown.changed = grown.changed.min(place.entry as usize);
        }
        for entry in from..self.len {
            if transcript.entries[entry].role == Role::Assistant {
                self.responses.speaks(entry);
            }
        }
        self.exchange(transcript, &mut grown);
        self.live(transcript, &grown);
        grown
    }

    /// The entry that is the note of an earlier fold and nothing else: it is replaced, not folded.
    pub(crate) fn note_entry(&self) -> Option<usize> {
        self.note.as_ref().map(|(entry, _)| *entry).filter(|_| !self.note_shared)
    }

    /// The part of `entry` that is the note, where the note shares its entry with a prompt.
    pub(crate) fn is_note_part(&self, entry: usize, part: usize) -> bool {
        part == 0 && self.note_shared && self.note.as_ref().is_some_and(|(seat, _)| *seat == entry)
    }

    /// Whether an entry is a prompt: a user entry that carries no result and is not the note. "User role" alone is not enough.
    pub(crate) fn is_prompt(&self, transcript: &Transcript, entry: usize) -> bool {
        let is_result = |kind: &PartKind| matches!(kind, PartKind::Result { .. });
        transcript.entries[entry].role == Role::User
            && self.note_entry() != Some(entry)
            && !transcript.parts(entry).iter().any(|part| is_result(&part.kind))
    }

    /// The index of the exchange that entry `entry` belongs to; `None` in the head.
    pub fn exchange_of(&self, entry: usize) -> Option<usize> {
        let after = self.exchanges.partition_point(|exchange| exchange.entries.start <= entry);
        after.checked_sub(1)
    }
}

impl Structure {
    /// Takes in exchanges.
    ///
    /// A prompt wedged inside a pair opens no exchange: the pair is one with what is around it. That is seen when the result
    /// comes.
    fn exchange(&mut self, transcript: &Transcript, grown: &mut Grown) {
        let (head, len) = (self.head, self.len);
        let mut answered = grown.answered.iter().map(|&call| &self.pairing.calls[call as usize]);
        let mut next = answered.next();
        for entry in grown.from.max(head)..len {
            while let Some(Call { place, answer: Some(answer), .. }) = next
                && answer.entry as usize <= entry
            {
                let inside = |exchange: &Exchange| {
                    exchange.prompt.is_some() && exchange.entries.start > place.entry as usize
                };
                while self.exchanges.last().is_some_and(inside) {
                    self.exchanges.pop();
                    grown.merged = true;
                }
                next = answered.next();
            }
            let prompt = Some(entry).filter(|&entry| self.is_prompt(transcript, entry));
            if prompt.is_some() || entry == head {
                if let Some(open) = self.exchanges.last_mut() {
                    open.entries.end = entry;
                }
                self.exchanges.push(Exchange { entries: entry..len, prompt });
            }
        }
        if let Some(open) = self.exchanges.last_mut() {
            open.entries.end = len;
        }
    }

    /// Finds what is live. Where a call and its result stand in one entry, a result after which the model said nothing more
    /// is not consumed; what the provider executes, the model has read as it wrote.
    fn live(&mut self, transcript: &Transcript, grown: &Grown) {
        let newest = self.newest_response();
        let after = newest.as_ref().map_or(0, |response| response.end);
        let mut entries = grown.from.max(after)..self.len;
        let known = self.tail.prompt.filter(|&prompt| prompt >= after);
        let prompt = known.or_else(|| entries.find(|&entry| self.is_prompt(transcript, entry)));
        self.tail = LiveTail { prompt, ..LiveTail::default() };
        let calls = &self.pairing.calls;
        let start = newest.as_ref().map_or(usize::MAX, |response| response.start);
        let since = |call: &u32| {
            calls[*call as usize].answer.is_some_and(|answer| answer.entry as usize >= start)
        };
        self.late.extend(&grown.answered);
        self.late.retain(since);
        self.late.sort_unstable();
        let Some(newest) = newest else { return };
        let last_word = last_word(transcript, &newest);
        let unread = |call: &Call, answer: Place| {
            answer.entry as usize >= after
                || newest.contains(&(answer.entry as usize))
                    && !call.server
                    && last_word.is_none_or(|word| answer > word)
        };
        let late = self.late.iter().map(|&call| &calls[call as usize]);
        let unread = late.filter(|call| call.answer.is_some_and(|answer| unread(call, answer)));
        self.tail.unconsumed = once(unread.map(|call| call.id));
        // With a prompt after it the talk went on: the call is dead, not pending.
        if prompt.is_none() {
            let first = calls.partition_point(|call| (call.place.entry as usize) < newest.start);
            let own = calls[first..].iter().take_while(|it| (it.place.entry as usize) < after);
            let pending = own.filter(|call| call.answer.is_none());
            self.tail.pending = once(pending.map(|call| call.id));
        }
        let live = !self.tail.pending.is_empty() || !self.tail.unconsumed.is_empty();
        self.tail.response = live.then_some(newest.start);
    }
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
    let leading = |entry: usize| transcript.stays(entry) || Some(entry) == note;
    (0..transcript.len()).take_while(|&entry| leading(entry)).count()
}
