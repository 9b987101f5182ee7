//! OpenAI Chat Completions: calls in `tool_calls`, each answered by a `tool` message.

use super::{blocks, builder::Builder};
use crate::json::{Node, Object};
use crate::transcript::{PartKind, Role};

/// Reads one message.
pub(super) fn entry<'a>(builder: &mut Builder<'a>, node: Node<'a>) {
    let members = node.object();
    let role = members.string("role").unwrap_or_default();
    match &*role {
        "system" | "developer" => plain(builder, node, &members, Role::System),
        "user" => plain(builder, node, &members, Role::User),
        "assistant" => {
            builder.open(node, Role::Assistant);
            assistant(builder, &members);
        }
        // The role alone makes it a result, whatever its content is.
        "tool" | "function" => {
            builder.open(node, Role::Tool);
            let id = members.string("tool_call_id").or_else(|| members.string("id"));
            let name = members.string("name").unwrap_or_default();
            builder.result(id.as_deref(), &name, members.field("content"), false, false);
        }
        "" if members.has("function") => {
            builder.open(node, Role::Assistant);
            builder.here("bare-call", "A call stands in the list by itself, without its message.");
            call(builder, node);
        }
        _ => {
            builder.open(node, Role::User);
            let message = alloc::format!(
                "An entry has the role {role:?}, which Chat Completions does not know."
            );
            builder.here("unknown-role", &message);
            builder.part(PartKind::Opaque, Some(node));
        }
    }
}

fn plain<'a>(builder: &mut Builder<'a>, node: Node<'a>, members: &Object<'a>, role: Role) {
    builder.open(node, role);
    if let Some(content) = members.field("content") {
        blocks::content(builder, content);
    }
}

fn assistant<'a>(builder: &mut Builder<'a>, members: &Object<'a>) {
    if let Some(reasoning) = members.field("reasoning_content").filter(|node| !node.is_null()) {
        builder.part(PartKind::Thinking, Some(reasoning));
    }
    if let Some(content) = members.field("content") {
        blocks::content(builder, content);
    }
    if let Some(refusal) = members.field("refusal").filter(|node| !node.is_null()) {
        builder.part(PartKind::Text, Some(refusal));
    }
    for node in members.field("tool_calls").map(Node::array).unwrap_or_default() {
        call(builder, node);
    }
    // The form before `tool_calls`: one call, no id, answered by a `function` message of its name.
    if let Some(legacy) = members.field("function_call").filter(|node| node.is_object()) {
        let function = legacy.object();
        builder.call(None, function.field("name"), function.field("arguments"), false);
    }
}

fn call<'a>(builder: &mut Builder<'a>, node: Node<'a>) {
    let members = node.object();
    let id = members.string("id");
    // A custom tool's call has `custom: {name, input}` where a function's has `function: {name, arguments}`.
    let inner =
        members.field("function").or_else(|| members.field("custom")).unwrap_or(node).object();
    let body = inner.field("arguments").or_else(|| inner.field("input"));
    builder.call(id.as_deref(), inner.field("name"), body, false);
}
