//! The ids that were read so far, without their names: these stand in the transcript.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::ids::Ids;
use crate::transcript::Id;

/// The ids by the hashes of their keys: of two with the same hash the second has the next one.
///
/// A tree takes two times and a half the room of what it holds. So most stand in a list, in the order of their hashes, and
/// those that came last in a tree that is small against it.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    list: Vec<(u32, Id)>,
    newest: BTreeMap<u32, Id>,
}

/// How many ids stand in the tree at least before they are taken into the list.
const NEWEST: usize = 64;

impl Known {
    /// The id of a key and its name, and the hash under which it stands or has a place.
    pub(super) fn find(&self, ids: &Ids, key: &str, name: &str) -> (u32, Option<Id>) {
        let mut hash = hash(key);
        loop {
            match self.at(hash) {
                Some(id) if ids.name(id) != name => hash = hash.wrapping_add(1),
                found => return (hash, found),
            }
        }
    }

    /// Notes the id under the hash that [`Known::find`] gave.
    pub(super) fn insert(&mut self, hash: u32, id: Id) {
        self.newest.insert(hash, id);
        if self.newest.len() > NEWEST.max(self.list.len() / 16) {
            self.take_in();
        }
    }

    fn at(&self, hash: u32) -> Option<Id> {
        let listed = self.list.binary_search_by_key(&hash, |&(hash, _)| hash);
        listed.ok().map(|at| self.list[at].1).or_else(|| self.newest.get(&hash).copied())
    }

    /// Takes the newest ids into the list, from its end on, so that each is moved once.
    fn take_in(&mut self) {
        let newest = core::mem::take(&mut self.newest);
        let mut left = self.list.len();
        let mut to = left + newest.len();
        self.list.reserve_exact(newest.len());
        self.list.resize(to, (0, Id(0)));
        for new in newest.into_iter().rev() {
            while left > 0 && self.list[left - 1].0 > new.0 {
                (left, to) = (left - 1, to - 1);
                self.list[to] = self.list[left];
            }
            to -= 1;
            self.list[to] = new;
        }
    }
}

/// The upper half of the FNV-1a hash of 64 bits, into which every byte of a short key has been carried by the end.
fn hash(key: &str) -> u32 {
    let hash = key.bytes().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    (hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn every_id_is_found_again_and_no_other() {
        let (mut known, mut ids) = (Known::default(), Ids::default());
        for number in 0..5000 {
            let name = number.to_string();
            let (hash, found) = known.find(&ids, &name, &name);
            assert_eq!(found, None, "{name}");
            known.insert(hash, ids.add(&name));
            for earlier in [0, number / 2, number] {
                let earlier = earlier.to_string();
                let found = known.find(&ids, &earlier, &earlier).1;
                assert_eq!(found.map(|id| ids.name(id)), Some(&*earlier));
            }
        }
    }

    #[test]
    fn keys_of_one_hash_are_told_apart_by_their_names() {
        let (mut known, mut ids) = (Known::default(), Ids::default());
        // One key for all: what an approval and a call of the same name would have if their hashes were the same.
        for name in ["a", "b", "c"] {
            let (hash, found) = known.find(&ids, "key", name);
            assert_eq!(found, None);
            known.insert(hash, ids.add(name));
        }
        for name in ["c", "a", "b"] {
            assert_eq!(known.find(&ids, "key", name).1.map(|id| ids.name(id)), Some(name));
        }
    }
}
