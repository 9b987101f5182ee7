//! OpenAI Responses: a list of typed items; calls and outputs pair by `call_id`.

use super::{blocks, builder::Builder};
use crate::json::{Node, Object};
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
                builder.compaction();
            }
            if !HOSTED.contains(&&*kind) {
                let message = alloc::format!("An item of type {kind:?} is carried unread.");
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
        let message =
            alloc::format!("An item has the role {role:?}, which Responses does not know.");
        builder.here("unknown-role", &message);
        builder.part(PartKind::Opaque, Some(node));
        return;
    }
    if let Some(content) = members.field("content") {
        blocks::content(builder, content);
    }
}
