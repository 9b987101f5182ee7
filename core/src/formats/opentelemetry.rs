//! OpenTelemetry GenAI messages: `{role, parts}` with typed parts. Ids may be missing.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::builder::Builder;
use super::detect::ONLY;
use super::turn::{Piece, Turn};
use crate::json::{Node, Object, quote};
use crate::transcript::{PartKind, Role};

/// The types of the parts. Source: the JSON schema of `gen_ai.input.messages` in the semantic conventions.
const KINDS: [&str; 10] = [
    "text",
    "reasoning",
    "tool_call",
    "tool_call_response",
    "server_tool_call",
    "server_tool_call_response",
    "blob",
    "uri",
    "file",
    "generic",
];

/// What in an entry speaks for this format.
pub(super) fn evidence(members: &Object<'_>) -> u32 {
    let parts = members.field("parts").map(Node::array).unwrap_or_default();
    let own = |part: &Node<'_>| {
        let part = part.object();
        let kind = part.string("type").unwrap_or_default();
        match &*kind {
            "text" | "reasoning" => part.has("content"),
            // A file is one of the AI SDK's too.
            "file" | "generic" => part.has("modality") || part.has("file_id"),
            _ => KINDS.contains(&&*kind),
        }
    };
    if parts.iter().take(8).any(own) { ONLY } else { 0 }
}

/// Reads one message.
pub(super) fn entry<'a>(builder: &mut Builder<'a>, node: Node<'a>) {
    let members = node.object();
    let role = members.string("role").unwrap_or_default();
    let known = match &*role {
        "system" | "developer" => Role::System,
        "user" => Role::User,
        "assistant" | "model" => Role::Assistant,
        "tool" => Role::Tool,
        _ => return builder.unknown_role(node, &role, "OpenTelemetry"),
    };
    builder.open_turn(node, known);
    match (members.field("parts"), members.field("content")) {
        (Some(parts), _) if parts.is_array() => {
            for node in parts.array() {
                part(builder, node);
            }
        }
        (_, Some(content)) => super::blocks::content(builder, content),
        _ => builder.here("missing-content", "A message has no parts."),
    }
}

fn part<'a>(builder: &mut Builder<'a>, node: Node<'a>) {
    builder.within(node);
    let members = node.object();
    let kind = members.string("type").unwrap_or_default();
    let id = members.string("id");
    match &*kind {
        "text" => builder.part(PartKind::Text, members.field("content")),
        "reasoning" => builder.part(PartKind::Thinking, members.field("content")),
        "tool_call" => {
            builder.call_in_turn(id.as_deref(), members.field("name"), members.field("arguments"));
        }
        "tool_call_response" => {
            let name = members.string("name").unwrap_or_default();
            // The key was another one in older drafts.
            let keys = ["response", "result", "content"];
            let body = keys.iter().find_map(|key| members.field(key));
            builder.result_in_turn(id.as_deref(), &name, body, false);
        }
        "server_tool_call" => {
            let id = match id {
                Some(id) => builder.id(&id),
                None => builder.nameless_call("\0server"),
            };
            builder.call_of(id, members.field("name"), members.field(&kind), true);
        }
        "server_tool_call_response" => {
            let id = match id {
                Some(id) => builder.id(&id),
                None => builder.nameless_result("\0server"),
            };
            builder.result_of(id, members.field(&kind), true);
        }
        "blob" | "uri" | "file" => builder.part(PartKind::Media, Some(node)),
        "generic" => builder.part(PartKind::Opaque, Some(node)),
        _ => builder.unknown_block(node, &kind),
    }
}

/// Writes turns as messages: the results of a turn are a message of their own.
pub(super) fn write(turns: &[Turn<'_>]) -> Vec<(usize, String)> {
    let mut written = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        let (results, words): (Vec<_>, Vec<_>) =
            turn.pieces.iter().partition(|piece| matches!(piece, Piece::Result { .. }));
        let mut message = |role: &str, pieces: &[&Piece<'_>]| {
            let parts: Vec<String> = pieces.iter().map(|piece| part_of(piece)).collect();
            let parts = parts.join(",");
            written.push((at, format!("{{\"role\":\"{role}\",\"parts\":[{parts}]}}")));
        };
        if !results.is_empty() {
            message("tool", &results);
        }
        if !words.is_empty() || results.is_empty() {
            message(turn.role.name(), &words);
        }
    }
    written
}

fn part_of(piece: &Piece<'_>) -> String {
    match piece {
        Piece::Text(text) => format!("{{\"type\":\"text\",\"content\":{}}}", quote(text)),
        Piece::Thinking { text, .. } => {
            format!("{{\"type\":\"reasoning\",\"content\":{}}}", quote(text))
        }
        Piece::Call { id, name, arguments } => format!(
            "{{\"type\":\"tool_call\",\"id\":{},\"name\":{},\"arguments\":{arguments}}}",
            quote(id),
            quote(name)
        ),
        Piece::Result { id, text, .. } => format!(
            "{{\"type\":\"tool_call_response\",\"id\":{},\"response\":{}}}",
            quote(id),
            quote(text)
        ),
        Piece::Media(media) => {
            let modality = media.mime.split('/').next().filter(|mime| !mime.is_empty());
            let (kind, key) = if media.address { ("uri", "uri") } else { ("blob", "content") };
            format!(
                "{{\"type\":\"{kind}\",\"modality\":{},\"mime_type\":{},\"{key}\":{}}}",
                quote(modality.unwrap_or("image")),
                quote(&media.mime),
                quote(&media.data)
            )
        }
    }
}
