//! OpenTelemetry GenAI messages: `{role, parts}` with typed parts.

use alloc::string::String;
use alloc::vec::Vec;

use super::builder::Builder;
use super::turn::Turn;
use crate::json::{Node, Object};

/// What in an entry speaks for this format.
pub(super) fn evidence(_members: &Object<'_>) -> u32 {
    0
}

/// Reads one message.
pub(super) fn entry<'a>(_builder: &mut Builder<'a>, _node: Node<'a>) {}

/// Writes turns as messages.
pub(super) fn write(_turns: &[Turn<'_>]) -> Vec<(usize, String)> {
    Vec::new()
}
