//! Calls that wait for their results, where a format lets ids be missing: a result without one goes by name, then by
//! position.

use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::string::String;

use crate::transcript::Id;

/// The calls that are not answered.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    /// By their place in the order of calls.
    calls: BTreeMap<u32, Id>,
    /// Those of each name, oldest first; one that was answered otherwise is passed over.
    by_name: BTreeMap<String, VecDeque<u32>>,
    /// Those that have an id.
    by_id: BTreeMap<Id, u32>,
    /// Those that have none.
    nameless: BTreeSet<u32>,
    next: u32,
}

impl Waiting {
    /// Adds a call; `own` says whether it has an id of its own.
    pub(super) fn add(&mut self, id: Id, name: String, own: bool) {
        let place = self.next;
        self.next += 1;
        self.calls.insert(place, id);
        self.by_name.entry(name).or_default().push_back(place);
        if own {
            self.by_id.insert(id, place);
        } else {
            self.nameless.insert(place);
        }
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        *self = Self { next: self.next, ..Self::default() };
    }

    /// A result names its call.
    pub(super) fn answered(&mut self, id: Id) {
        if let Some(place) = self.by_id.remove(&id) {
            self.calls.remove(&place);
        }
    }

    /// The oldest call of that name, which is answered by this.
    pub(super) fn take(&mut self, name: &str) -> Option<Id> {
        let places = self.by_name.get_mut(name)?;
        while let Some(place) = places.pop_front() {
            if let Some(id) = self.calls.remove(&place) {
                self.nameless.remove(&place);
                return Some(id);
            }
        }
        None
    }

    /// The oldest call without an id, which is answered by this.
    pub(super) fn take_nameless(&mut self) -> Option<Id> {
        let place = self.nameless.pop_first()?;
        self.calls.remove(&place)
    }
}
