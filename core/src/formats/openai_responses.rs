//! OpenAI Responses: a list of typed items; calls and outputs pair by `call_id`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::detect::ONLY;
use super::document::List;
use super::turn::{Piece, Turn};
use super::{blocks, builder::Builder};
use crate::json::{Node, Object, quote};
use crate::transcript::{PartKind, Role};

/// Call type, output type, and the key under which the call holds its arguments.
/// Source: the pair table of openai-agents-python (`run_internal/items.py`).
const PAIRS: [(&str, &str, &str); 9] = [
    ("function_call", "function_call_output", "arguments"),
    ("custom_tool_call", "custom_tool_call_output", "input"),
    ("shell_call", "shell_call_output", "action"),
    ("local_shell_call", "local_shell_call_output", "action"),
    ("apply_patch_call", "apply_patch_call_output", "operation"),
    ("computer_call", "computer_call_output", "action"),
    ("tool_search_call", "tool_search_output", "arguments"),
    ("program", "program_output", "code"),
    ("mcp_approval_request", "mcp_approval_response", "arguments"),
];

/// What in an entry speaks for this format.
pub(super) fn evidence(members: &Object<'_>) -> u32 {
    let content = members.field("content").map(Node::array).unwrap_or_default();
    let own = |block: &Node<'_>| {
        let kind = block.object().string("type").unwrap_or_default();
        matches!(&*kind, "input_text" | "output_text" | "input_image" | "input_file")
    };
    let blocks: u32 = content.iter().take(8).map(|block| if own(block) { ONLY } else { 0 }).sum();
    let message = members.has("role") && members.string("type").as_deref() == Some("message");
    blocks + if is_item(members) { ONLY } else { 0 } + if message { 3 } else { 0 }
}

/// What in a request speaks for this format.
pub(super) fn request(list: &List<'_>) -> u32 {
    u32::from(list.members.has("instructions")) + if list.key == Some("input") { ONLY } else { 0 }
}

/// Whether an element is an item by its type.
pub(super) fn is_item(members: &Object<'_>) -> bool {
    let kind = members.string("type").unwrap_or_default();
    let pair = PAIRS.iter().any(|(call, output, _)| *call == kind || *output == kind);
    // A `program` or a `compaction` by itself may be anything.
    let vague = matches!(&*kind, "program" | "compaction");
    !vague && (pair || kind == "reasoning" || HOSTED.contains(&&*kind))
}

/// Reads one item.
pub(super) fn entry<'a>(builder: &mut Builder<'a>, node: Node<'a>) {
    if node.raw().starts_with('"') {
        // `input` may be a plain string: one prompt.
        builder.open(node, Role::User);
        builder.part(PartKind::Text, Some(node));
        return;
    }
    let members = node.object();
    let kind = members.string("type").unwrap_or_default();
    let pair = PAIRS.iter().find(|(call, output, _)| *call == kind || *output == kind);
    match (&*kind, pair) {
        ("" | "message", _) => message(builder, node, &members),
        ("reasoning", _) => {
            builder.open(node, Role::Assistant);
            let body = ["content", "summary", "encrypted_content"].iter().find_map(|key| {
                members.field(key).filter(|body| !body.is_null() && body.raw() != "[]")
            });
            builder.part(PartKind::Thinking, body);
        }
        (_, Some(&(call_kind, _, body_key))) if kind == call_kind => {
            builder.open(node, Role::Assistant);
            let server = members.string("execution").as_deref() == Some("server");
            let name = members.field("name").or_else(|| members.field("type"));
            let body = members.field(body_key);
            if let Some(id) = key(&members) {
                builder.call(Some(&id), name, body, server);
            } else {
                let id = builder.nameless_call(call_kind);
                builder.call_of(id, name, body, server);
            }
        }
        (_, Some(&(call_kind, _, _))) => {
            let server = members.string("execution").as_deref() == Some("server");
            builder.open(node, if server { Role::Assistant } else { Role::Tool });
            let body =
                ["output", "tools", "approve", "result"].iter().find_map(|key| members.field(key));
            let id = match key(&members) {
                Some(id) => builder.id(&id),
                None => builder.nameless_result(call_kind),
            };
            builder.result_of(id, body, server);
        }
        // Tools that are added on the way are instructions, not talk.
        ("additional_tools", _) => {
            builder.open(node, Role::System);
            builder.part(PartKind::Opaque, members.field("tools").or(Some(node)));
        }
        // Hosted calls hold their own outcome; references and compaction items are carried unread.
        _ => {
            builder.open(node, Role::Assistant);
            if kind.starts_with("compaction") {
                builder.compaction(None);
            }
            if !HOSTED.contains(&&*kind) {
                let message = format!("An item of type {kind:?} is carried unread.");
                builder.here("unknown-item", &message);
            }
            builder.part(PartKind::Opaque, Some(node));
        }
    }
}

/// Items that stand for themselves.
const HOSTED: [&str; 9] = [
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "mcp_call",
    "mcp_list_tools",
    "item_reference",
    "compaction",
    "compaction_summary",
];

/// What pairs an item: `call_id`, or for an approval the id of the request.
fn key<'a>(members: &Object<'a>) -> Option<alloc::borrow::Cow<'a, str>> {
    members
        .string("call_id")
        .or_else(|| members.string("approval_request_id"))
        .or_else(|| {
            let kind = members.string("type").unwrap_or_default();
            matches!(&*kind, "mcp_approval_request" | "program")
                .then(|| members.string("id"))
                .flatten()
        })
        .filter(|id| !id.is_empty())
}

fn message<'a>(builder: &mut Builder<'a>, node: Node<'a>, members: &Object<'a>) {
    let role = members.string("role").unwrap_or_default();
    let known = match &*role {
        "system" | "developer" => Some(Role::System),
        "user" => Some(Role::User),
        "assistant" => Some(Role::Assistant),
        _ => None,
    };
    builder.open(node, known.unwrap_or(Role::User));
    if known.is_none() {
        let message = format!("An item has the role {role:?}, which Responses does not know.");
        builder.here("unknown-role", &message);
        builder.part(PartKind::Opaque, Some(node));
        return;
    }
    if let Some(content) = members.field("content") {
        blocks::content(builder, content);
    }
}

/// Writes turns as items: each word, call and result is one.
pub(super) fn write(turns: &[Turn<'_>]) -> Vec<(usize, String)> {
    let mut written = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        let mut content: Vec<String> = Vec::new();
        for piece in &turn.pieces {
            let item = match piece {
                Piece::Text(text) => {
                    let kind =
                        if turn.role == Role::Assistant { "output_text" } else { "input_text" };
                    content.push(format!("{{\"type\":\"{kind}\",\"text\":{}}}", quote(text)));
                    continue;
                }
                Piece::Media(media) => {
                    let url = if media.address {
                        quote(&media.data)
                    } else {
                        quote(&format!("data:{};base64,{}", media.mime, media.data))
                    };
                    content.push(format!("{{\"type\":\"input_image\",\"image_url\":{url}}}"));
                    continue;
                }
                // Without its id and its encrypted content it would be refused.
                Piece::Thinking { .. } => continue,
                Piece::Call { id, name, arguments } => format!(
                    "{{\"type\":\"function_call\",\"call_id\":{},\"name\":{},\"arguments\":{}}}",
                    quote(id),
                    quote(name),
                    quote(arguments)
                ),
                Piece::Result { id, text, .. } => format!(
                    "{{\"type\":\"function_call_output\",\"call_id\":{},\"output\":{}}}",
                    quote(id),
                    quote(text)
                ),
            };
            flush(&mut written, at, turn.role, &mut content);
            written.push((at, item));
        }
        flush(&mut written, at, turn.role, &mut content);
    }
    written
}

fn flush(written: &mut Vec<(usize, String)>, at: usize, role: Role, content: &mut Vec<String>) {
    if !content.is_empty() {
        let role = quote(role.name());
        let blocks = content.join(",");
        written
            .push((at, format!("{{\"type\":\"message\",\"role\":{role},\"content\":[{blocks}]}}")));
        content.clear();
    }
}
