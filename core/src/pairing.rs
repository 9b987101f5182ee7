//! Ties each result to its call: by id, from left to right, a result closing the newest open call of its id.
//!
//! This pairing is loose on purpose. It decides what must not be severed; whether a provider accepts where
//! a result stands is the question of [`crate::rules`].

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::spare;
use crate::transcript::{Id, PartKind, Transcript};

/// Every call of a transcript with its answer, and the results that answer none.
#[derive(Clone, Debug, Default)]
pub struct Pairing {
    /// The calls in their order.
    pub calls: Vec<Call>,
    /// Results without a call of their own, in their order.
    pub strays: Vec<Stray>,
    /// The calls that wait for their answer, by id and number.
    open: BTreeSet<(Id, u32)>,
    /// For each id whether a call of it was answered: a bit.
    closed: Vec<u64>,
    /// From which call on some call so far reaches up to which entry, itself or with its answer; both only rise. Of every
    /// [`STEP`] calls there is one at most, from which on the others are looked through.
    reach: Vec<(u32, u32)>,
}

/// How many calls are looked through to find the first that reaches an entry.
const STEP: u32 = 8;

/// A call and where it is answered.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Its id.
    pub id: Id,
    /// Where it stands.
    pub place: Place,
    /// Where its result stands.
    pub answer: Option<Place>,
    /// Executed by the provider.
    pub server: bool,
}

/// A result that no open call waits for.
#[derive(Clone, Copy, Debug)]
pub struct Stray {
    /// The id it names.
    pub id: Id,
    /// Where it stands.
    pub place: Place,
    /// Whether a call of that id was answered before: a second answer, not an orphan.
    pub duplicate: bool,
}

/// The place of a part.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Place {
    /// The entry.
    pub entry: u32,
    /// The part, counted within its entry.
    pub part: u32,
}

impl Pairing {
    /// Pairs the calls and results of `transcript`.
    pub fn of(transcript: &Transcript) -> Self {
        let mut pairing = Self::default();
        pairing.grow(transcript, 0);
        pairing
    }

    /// Takes in the entries from `from` on. Gives the calls that were answered by them, in the order of their answers.
    pub(crate) fn grow(&mut self, transcript: &Transcript, from: usize) -> Vec<u32> {
        self.closed.resize(transcript.ids.len().div_ceil(64), 0);
        let mut done = Vec::new();
        // What is frozen is no matter of a cut.
        for entry in from.max(transcript.frozen())..transcript.len() {
            for (part, content) in transcript.parts(entry).iter().enumerate() {
                let place = Place { entry: entry as u32, part: part as u32 };
                match content.kind {
                    PartKind::Call { id, server, .. } => {
                        self.open.insert((id, self.calls.len() as u32));
                        self.reach(self.calls.len() as u32, place.entry);
                        let call = Call { id, place, answer: None, server };
                        spare::push(&mut self.calls, call);
                    }
                    PartKind::Result { id, .. } => {
                        let newest = self.open.range((id, 0)..=(id, u32::MAX)).next_back().copied();
                        if let Some((_, call)) = newest {
                            self.open.remove(&(id, call));
                            self.calls[call as usize].answer = Some(place);
                            self.closed[id.0 as usize / 64] |= 1 << (id.0 % 64);
                            done.push(call);
                            self.reach(call, place.entry);
                        } else {
                            let duplicate = self.closed[id.0 as usize / 64] >> (id.0 % 64) & 1 == 1;
                            self.strays.push(Stray { id, place, duplicate });
                        }
                    }
                    _ => {}
                }
            }
        }
        done
    }

    /// Takes in that call `call` reaches up to entry `entry`; nothing reaches farther so far.
    fn reach(&mut self, call: u32, entry: u32) {
        let from = call - call % STEP;
        let before = self.reach.partition_point(|&(start, _)| start < from);
        self.reach.truncate(before);
        if self.reach.last().is_none_or(|&(_, reach)| reach < entry) {
            spare::push(&mut self.reach, (from, entry));
        }
    }

    /// The calls that have their answer, by number, in the order of their answers.
    pub(crate) fn answered(&self) -> Vec<u32> {
        let numbers = (0..self.calls.len() as u32).zip(&self.calls);
        let mut answered: Vec<(Place, u32)> =
            numbers.filter_map(|(number, call)| Some((call.answer?, number))).collect();
        answered.sort_unstable();
        answered.into_iter().map(|(_, number)| number).collect()
    }

    /// The first call that reaches entry `entry`, itself or with its answer; no call before it does.
    pub(crate) fn reaching(&self, entry: usize) -> usize {
        let step = self.reach.partition_point(|&(_, reach)| (reach as usize) < entry);
        let from = self.reach.get(step).map_or(self.calls.len(), |&(from, _)| from as usize);
        let reaches = |place: Place| place.entry as usize >= entry;
        let mut rest = self.calls[from..].iter();
        let first = rest.position(|it| reaches(it.place) || it.answer.is_some_and(reaches));
        first.map_or(self.calls.len(), |first| from + first)
    }

    /// The calls that have their answer.
    pub fn pairs(&self) -> impl Iterator<Item = (&Call, Place)> {
        self.calls.iter().filter_map(|call| call.answer.map(|answer| (call, answer)))
    }
}
