//! Ties each result to its call: by id, from left to right, a result closing the newest open call of its id.
//!
//! This pairing is loose on purpose. It decides what must not be severed; whether a provider accepts where
//! a result stands is the question of [`crate::rules`].

use alloc::vec::Vec;

use crate::transcript::{Id, PartKind, Transcript};

/// Every call of a transcript with its answer, and the results that answer none.
#[derive(Clone, Debug, Default)]
pub struct Pairing {
    /// The calls in their order.
    pub calls: Vec<Call>,
    /// Results without a call of their own, in their order.
    pub strays: Vec<Stray>,
}

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
        let mut open: Vec<Vec<usize>> = alloc::vec![Vec::new(); transcript.ids.len()];
        let mut answered = alloc::vec![false; transcript.ids.len()];
        for entry in 0..transcript.len() {
            for (part, content) in transcript.parts(entry).iter().enumerate() {
                let place = Place { entry: entry as u32, part: part as u32 };
                match content.kind {
                    PartKind::Call { id, server, .. } => {
                        open[id.0 as usize].push(pairing.calls.len());
                        pairing.calls.push(Call { id, place, answer: None, server });
                    }
                    PartKind::Result { id, .. } => {
                        if let Some(call) = open[id.0 as usize].pop() {
                            pairing.calls[call].answer = Some(place);
                            answered[id.0 as usize] = true;
                        } else {
                            let duplicate = answered[id.0 as usize];
                            pairing.strays.push(Stray { id, place, duplicate });
                        }
                    }
                    _ => {}
                }
            }
        }
        pairing
    }

    /// The calls that have their answer.
    pub fn pairs(&self) -> impl Iterator<Item = (&Call, Place)> {
        self.calls.iter().filter_map(|call| call.answer.map(|answer| (call, answer)))
    }
}
