//! Kimi (Moonshot), over the shape of Chat Completions.

use super::{Rule, Violations};
use crate::exchange::Structure;
use crate::transcript::Transcript;

/// The rules.
pub(super) const RULES: &[&Rule] = &[];

pub(super) fn check(_transcript: &Transcript, _structure: &Structure, _found: &mut Violations) {}
