//! The model's responses with what answers them, in little room: a session has one for every second entry.

use alloc::vec::Vec;
use core::ops::Range;

use crate::exchange::Structure;
use crate::spare;

/// The responses of a transcript in their order: adjacent assistant entries are one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Responses {
    entries: Vec<(u32, u32)>,
}

/// One model response with every result that answers it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Round {
    /// The entries of the response.
    pub response: Range<usize>,
    /// The entry after its last result, or after the response if it has none.
    pub end: usize,
    /// Its calls, as indices into the pairing.
    pub calls: Range<usize>,
}

impl Structure {
    /// The number of model responses, and so of rounds.
    pub fn round_count(&self) -> usize {
        self.responses.entries.len()
    }

    /// The entries of response `index`, if there are as many.
    pub fn response(&self, index: usize) -> Option<Range<usize>> {
        self.responses.entries.get(index).copied().map(open)
    }

    /// The entries of each response.
    pub fn responses(&self) -> impl DoubleEndedIterator<Item = Range<usize>> + ExactSizeIterator {
        self.responses.entries.iter().copied().map(open)
    }

    /// The entries of the newest response.
    pub fn newest_response(&self) -> Option<Range<usize>> {
        self.responses.entries.last().copied().map(open)
    }

    /// How many responses begin before entry `entry`.
    pub fn responses_before(&self, entry: usize) -> usize {
        self.responses.entries.partition_point(|&(start, _)| (start as usize) < entry)
    }

    /// How many responses end before entry `entry`.
    pub fn responses_ended(&self, entry: usize) -> usize {
        self.responses.entries.partition_point(|&(_, end)| end as usize <= entry)
    }

    /// The number of the response in which entry `entry` stands.
    pub fn response_of(&self, entry: usize) -> Option<usize> {
        let last = self.responses_before(entry + 1).checked_sub(1)?;
        self.response(last).filter(|response| entry < response.end).map(|_| last)
    }

    /// Round `index`, if there are as many. It costs O(log n).
    pub fn round(&self, index: usize) -> Option<Round> {
        let response = self.response(index)?;
        let calls = &self.pairing.calls;
        let before = |entry: usize| calls.partition_point(|it| (it.place.entry as usize) < entry);
        let own = before(response.start)..before(response.end);
        let answers = calls[own.clone()].iter().filter_map(|call| call.answer);
        let end = answers.fold(response.end, |end, answer| end.max(answer.entry as usize + 1));
        Some(Round { response, end, calls: own })
    }

    /// The rounds in their order.
    pub fn rounds(&self) -> impl DoubleEndedIterator<Item = Round> {
        (0..self.round_count()).filter_map(|index| self.round(index))
    }
}

impl Responses {
    /// Takes in that the model speaks in entry `entry`, behind all others so far.
    pub(crate) fn speaks(&mut self, entry: usize) {
        match self.entries.last_mut() {
            Some((_, end)) if *end as usize == entry => *end += 1,
            _ => spare::push(&mut self.entries, (entry as u32, entry as u32 + 1)),
        }
    }
}

fn open((start, end): (u32, u32)) -> Range<usize> {
    start as usize..end as usize
}
