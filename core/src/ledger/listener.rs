//! A ledger that listens to a transcript while it grows: what it observes is what is new.
//!
//! Where an entry may change what was heard before (system text, prompts that become one exchange, words that stood in what
//! was folded), the whole is observed anew, as [`Ledger::observe`] does. The two agree after every entry.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::heard::{Heard, words_of};
use super::pin::Seat;
use super::tools::Trail;
use super::{ClassifyRequest, Ledger};
use crate::exchange::{Grown, Structure};
use crate::transcript::{Role, Transcript};

/// What a ledger remembers of a transcript so that it can listen on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listener {
    /// The numbers of what was heard, by the hash of its words.
    known: BTreeMap<String, Vec<u32>>,
    followed: Option<Trail>,
    /// How often the ledger had observed a whole, and how much it had heard.
    passes: u32,
    heard: usize,
    /// The last of the turns that were heard.
    newest: u32,
    /// Whether somebody worked on the ledger since.
    pub(crate) touched: bool,
    /// Whether what a fold shows of the ledger may be different.
    pub(crate) changed: bool,
}

impl Ledger {
    /// Observes the whole of `transcript`, and listens from there on.
    pub(crate) fn listen(
        &mut self,
        transcript: &Transcript,
        structure: &Structure,
        listener: &mut Listener,
    ) -> Vec<ClassifyRequest> {
        let (requests, followed) = self.observe_all(transcript, structure);
        let mut known: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (index, heard) in self.heard.iter().enumerate() {
            known.entry(heard.key.clone()).or_default().push(index as u32);
        }
        let heard = self.heard.len();
        let newest = self.heard.iter().map(|heard| heard.turn).max().unwrap_or_default();
        *listener = Listener {
            known,
            followed,
            passes: self.passes,
            heard,
            newest,
            touched: false,
            changed: true,
        };
        requests
    }

    /// Takes in the entries that are new, as `grown` tells. Gives a request for each new turn that a model should classify.
    pub(crate) fn hear_on(
        &mut self,
        transcript: &Transcript,
        structure: &Structure,
        grown: &Grown,
        listener: &mut Listener,
    ) -> Vec<ClassifyRequest> {
        let fresh: Vec<Heard> = (grown.from..transcript.len())
            .filter_map(|entry| words_of(transcript, structure, entry))
            .collect();
        let mut entries = transcript.entries().iter().skip(grown.from);
        let anew = grown.from == 0
            || grown.merged
            || !self.placed
            || (listener.passes, listener.heard) != (self.passes, self.heard.len())
            || entries.any(|entry| entry.role == Role::System)
            || fresh.iter().any(|heard| self.stood_before(heard, structure, listener));
        if anew {
            return self.listen(transcript, structure, listener);
        }
        if core::mem::take(&mut listener.touched) {
            self.forget_decided();
            listener.changed = true;
        }
        let (first, books) = (self.heard.len(), self.books.len());
        for heard in fresh {
            self.hear_one(heard, listener);
        }
        listener.heard = self.heard.len();
        let requests = self.judge(first..self.heard.len());
        let new = (grown.from, &grown.answered[..]);
        let told = listener.followed.as_mut();
        let told =
            told.is_some_and(|followed| self.follow_on(transcript, structure, new, followed));
        if told || self.books.len() > books {
            self.find();
        }
        self.contradict_new(first);
        listener.changed |= told || first < self.heard.len();
        requests
    }

    /// Whether words may be some that were heard before: then it must be found out which. Where exchanges became one, later
    /// turns have smaller numbers than those that were heard before them.
    fn stood_before(&self, heard: &Heard, structure: &Structure, listener: &Listener) -> bool {
        let folded = structure.note.as_ref().map_or(0, |(_, note)| note.tally.prompts);
        let known = listener.known.get(&heard.key).into_iter().flatten();
        let mut known = known.filter_map(|&index| self.heard.get(index as usize));
        let is_known = known.any(|known| {
            let free = known.system || u64::from(known.turn) > folded;
            known.turn == heard.turn || known.seat == Seat::Folded && free
        });
        is_known || heard.turn < listener.newest
    }

    fn hear_one(&mut self, mut heard: Heard, listener: &mut Listener) {
        let known = listener.known.entry(heard.key.clone()).or_default();
        let turn = heard.turn;
        let same = known.iter().filter(|&&index| self.heard[index as usize].turn == turn).count();
        heard.request = heard.request_id(same);
        known.push(self.heard.len() as u32);
        listener.newest = listener.newest.max(turn);
        self.heard.push(heard);
    }
}
