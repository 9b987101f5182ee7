//! The ids that were read so far, without their names: these stand in the transcript.

use alloc::collections::BTreeMap;
use alloc::string::String;

use crate::transcript::Id;

/// The ids by the hashes of their keys: of two with the same hash the second has the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    by_hash: BTreeMap<u64, Id>,
}

impl Known {
    /// The id of a key and its name, and the hash under which it stands or has a place.
    pub(super) fn find(&self, ids: &[String], key: &str, name: &str) -> (u64, Option<Id>) {
        let mut hash = key.bytes().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        loop {
            match self.by_hash.get(&hash) {
                Some(&id) if ids[id.0 as usize] != name => hash = hash.wrapping_add(1),
                found => return (hash, found.copied()),
            }
        }
    }

    /// Notes the id under the hash that [`Known::find`] gave.
    pub(super) fn insert(&mut self, hash: u64, id: Id) {
        self.by_hash.insert(hash, id);
    }
}
