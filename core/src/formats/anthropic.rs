//! Anthropic Messages: `{role, content}`, content a string or a list of blocks.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::detect::ONLY;
use super::document::List;
use super::turn::{Piece, Turn};
use super::{blocks, builder::Builder};
use crate::json::{Node, Object, quote};
use crate::transcript::{PartKind, Role};

/// What in an entry speaks for this format.
pub(super) fn evidence(members: &Object<'_>) -> u32 {
    let content = members.field("content").map(Node::array).unwrap_or_default();
    let own = |block: &Node<'_>| {
        let block = block.object();
        match &*block.string("type").unwrap_or_default() {
            "tool_use" | "tool_result" | "thinking" | "redacted_thinking" | "server_tool_use"
            | "mcp_tool_use" | "compaction" => true,
            "document" | "image" => block.has("source"),
            _ => false,
        }
    };
    content.iter().take(8).map(|block| if own(block) { ONLY } else { 0 }).sum()
}

/// What in a request speaks for this format.
pub(super) fn request(list: &List<'_>) -> u32 {
    let members = &list.members;
    let schema = |tool: &Node<'_>| tool.object().has("input_schema");
    let tools = members.field("tools").map(Node::array).unwrap_or_default();
    let model = members.string("model").unwrap_or_default();
    // Bedrock gives the blocks of its instructions no type.
    let blocks = members.field("system").map(Node::array).unwrap_or_default();
    let system = members.has("system") && blocks.iter().all(|block| block.object().has("type"));
    let votes = [
        (system, ONLY),
        (members.has("max_tokens"), 1),
        (model.contains("claude"), 2),
        (tools.iter().take(4).any(schema), ONLY),
    ];
    votes.into_iter().map(|(speaks, votes)| if speaks { votes } else { 0 }).sum()
}

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
        let message =
            format!("An entry has the role {role:?}, which Anthropic Messages does not know.");
        builder.here("unknown-role", &message);
        builder.part(PartKind::Opaque, Some(node));
        return;
    }
    match members.field("content") {
        Some(content) => blocks::content(builder, content),
        None => builder.here("missing-content", "A message has no content."),
    }
}

/// Writes turns as messages, one each.
pub(super) fn write(turns: &[Turn<'_>]) -> Vec<(usize, String)> {
    let message = |(at, turn): (usize, &Turn<'_>)| {
        let role = quote(turn.role.name());
        let content = match &turn.pieces[..] {
            [Piece::Text(text)] if turn.role != Role::Assistant => quote(text),
            pieces => format!("[{}]", pieces.iter().map(block).collect::<Vec<_>>().join(",")),
        };
        (at, format!("{{\"role\":{role},\"content\":{content}}}"))
    };
    turns.iter().enumerate().map(message).collect()
}

/// A piece as a block.
pub(super) fn block(piece: &Piece<'_>) -> String {
    match piece {
        Piece::Text(text) => format!("{{\"type\":\"text\",\"text\":{}}}", quote(text)),
        Piece::Thinking { text, signature: Some(signature) } => format!(
            "{{\"type\":\"thinking\",\"thinking\":{},\"signature\":{}}}",
            quote(text),
            quote(signature)
        ),
        Piece::Thinking { text, signature: None } => {
            format!("{{\"type\":\"thinking\",\"thinking\":{}}}", quote(text))
        }
        Piece::Call { id, name, arguments } => format!(
            "{{\"type\":\"tool_use\",\"id\":{},\"name\":{},\"input\":{arguments}}}",
            quote(id),
            quote(name)
        ),
        Piece::Result { id, text, error, .. } => format!(
            "{{\"type\":\"tool_result\",\"tool_use_id\":{},\"content\":{}{}}}",
            quote(id),
            quote(text),
            if *error { ",\"is_error\":true" } else { "" }
        ),
        Piece::Media(media) => {
            let kind = if media.mime.starts_with("image") || media.mime.is_empty() {
                "image"
            } else {
                "document"
            };
            let source = if media.address {
                format!("{{\"type\":\"url\",\"url\":{}}}", quote(&media.data))
            } else {
                format!(
                    "{{\"type\":\"base64\",\"media_type\":{},\"data\":{}}}",
                    quote(&media.mime),
                    quote(&media.data)
                )
            };
            format!("{{\"type\":\"{kind}\",\"source\":{source}}}")
        }
    }
}
