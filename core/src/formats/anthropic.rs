//! Anthropic Messages: `{role, content}`, content a string or a list of blocks.

use super::{blocks, builder::Builder};
use crate::json::Node;
use crate::transcript::{PartKind, Role};

/// Reads one message.
pub(super) fn entry<'a>(builder: &mut Builder<'a>, node: Node<'a>) {
    let members = node.object();
    let role = members.string("role").unwrap_or_default();
    let known = match &*role {
        "user" => Some(Role::User),
        "assistant" => Some(Role::Assistant),
        "system" => Some(Role::System),
        _ => None,
    };
    builder.open(node, known.unwrap_or(Role::User));
    if known.is_none() {
        let message = alloc::format!(
            "An entry has the role {role:?}, which Anthropic Messages does not know."
        );
        builder.here("unknown-role", &message);
        builder.part(PartKind::Opaque, Some(node));
        return;
    }
    match members.field("content") {
        Some(content) => blocks::content(builder, content),
        None => builder.here("missing-content", "A message has no content."),
    }
}
