//! Sessions of pi.

use alloc::vec::Vec;

use super::lines::Line;
use super::log::{Candidate, Log};

/// Whether an object is a record of it.
pub(super) fn is_record(_candidate: &Candidate<'_, '_>) -> bool {
    false
}

/// The talks in its lines.
pub(super) fn rebuild(_lines: &[Line<'_>]) -> Vec<Log> {
    Vec::new()
}
