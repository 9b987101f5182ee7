//! A ledger that listens to a transcript while it grows: what it observes is what is new.
//!
//! Where an entry may change what was heard before (system text, prompts that become one exchange, words that stood in what
//! was folded), the whole is observed anew, as [`Ledger::observe`] does. The two agree after every entry.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::heard::{Heard, words_of};
use super::pin::Seat;
use super::tools::Trail;
use super::{ClassifyRequest, Ledger};
use crate::exchange::{Grown, Structure};
use crate::spare;
use crate::transcript::{Role, Transcript};

/// What a ledger remembers of a transcript so that it can listen on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listener {
    /// What was heard: the number of its key and its own number.
    known: BTreeSet<(u64, u32)>,
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
        let heard = self.heard.iter().zip(0..);
        let known = heard.map(|(heard, index)| (number(&heard.key), index)).collect();
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
        let is_known = self.same_words(heard, listener).any(|known| {
            let free = known.system || u64::from(known.turn) > folded;
            known.turn == heard.turn || known.seat == Seat::Folded && free
        });
        is_known || heard.turn < listener.newest
    }

    fn hear_one(&mut self, mut heard: Heard, listener: &mut Listener) {
        let turn = heard.turn;
        let same = self.same_words(&heard, listener).filter(|known| known.turn == turn).count();
        heard.request = heard.request_id(same);
        listener.known.insert((number(&heard.key), self.heard.len() as u32));
        listener.newest = listener.newest.max(turn);
        spare::push(&mut self.heard, heard);
    }

    /// What was heard with the same words.
    fn same_words<'a>(
        &'a self,
        heard: &'a Heard,
        listener: &Listener,
    ) -> impl Iterator<Item = &'a Heard> {
        let key = number(&heard.key);
        let known = listener.known.range((key, 0)..=(key, u32::MAX));
        let known = known.filter_map(|&(_, index)| self.heard.get(index as usize));
        known.filter(|known| known.key == heard.key)
    }
}

/// The number that a key of hexadecimal digits is. What was stored may have another key: such are told apart by themselves.
fn number(key: &str) -> u64 {
    u64::from_str_radix(key, 16).unwrap_or_default()
}
