//! The names of ids, one after the other: a string of its own for each would take twice the room of a short one.

use alloc::string::String;
use alloc::vec::Vec;

use crate::spare;
use crate::transcript::Id;

/// The names of a transcript's ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ids {
    names: String,
    /// For each id where its name ends.
    ends: Vec<u32>,
}

impl Ids {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The name of `id`.
    pub(crate) fn name(&self, id: Id) -> &str {
        let id = id.0 as usize;
        let start = id.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.names[start as usize..self.ends[id] as usize]
    }

    /// A new id of that name.
    pub(crate) fn add(&mut self, name: &str) -> Id {
        let id = Id(self.ends.len() as u32);
        spare::push_str(&mut self.names, name);
        spare::push(&mut self.ends, self.names.len() as u32);
        id
    }

    /// The names in the order of the ids.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|id| self.name(Id(id)))
    }
}
