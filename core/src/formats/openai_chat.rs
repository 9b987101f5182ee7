//! OpenAI Chat Completions: calls in `tool_calls`, each answered by a `tool` message.

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
    let Some(role) = members.string("role") else {
        return if members.has("function") { ONLY } else { 0 };
    };
    let calls = members.field("tool_calls").is_some_and(Node::is_array);
    let keys = ["tool_call_id", "function_call", "reasoning_content"];
    let content = members.field("content").map(Node::array).unwrap_or_default();
    // Others give their results that role too, but in parts that say what they are.
    let parts = members.has("parts")
        || content.iter().take(8).any(|block| {
            let kind = block.object().string("type").unwrap_or_default();
            matches!(&*kind, "tool-result" | "tool-approval-response")
        });
    let own = calls
        || matches!(&*role, "tool" | "function") && !parts
        || keys.iter().any(|key| members.has(key));
    let media = content.iter().take(8).any(|block| {
        let kind = block.object().string("type").unwrap_or_default();
        matches!(&*kind, "image_url" | "input_audio")
    });
    let system = matches!(&*role, "system" | "developer");
    if own || media { ONLY } else { u32::from(system) }
}

/// What in a request speaks for this format.
pub(super) fn request(list: &List<'_>) -> u32 {
    let members = &list.members;
    let function = |tool: &Node<'_>| tool.object().field("function").is_some_and(Node::is_object);
    let tools = members.field("tools").map(Node::array).unwrap_or_default();
    let model = members.string("model").unwrap_or_default();
    u32::from(model.contains("gpt")) + if tools.iter().take(4).any(function) { ONLY } else { 0 }
}

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
            let message =
                format!("An entry has the role {role:?}, which Chat Completions does not know.");
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
        builder.within(reasoning);
        builder.part(PartKind::Thinking, Some(reasoning));
    }
    if let Some(content) = members.field("content") {
        blocks::content(builder, content);
    }
    if let Some(refusal) = members.field("refusal").filter(|node| !node.is_null()) {
        builder.within(refusal);
        builder.part(PartKind::Text, Some(refusal));
    }
    // A gateway may leave the calls among the content blocks as well: two views of one call.
    let calls = members.field("tool_calls").map(Node::array).unwrap_or_default();
    let is_again =
        |node: &Node<'a>| node.object().string("id").is_some_and(|id| builder.called(&id));
    let again: Vec<bool> = calls.iter().map(is_again).collect();
    for (node, again) in calls.into_iter().zip(again) {
        if again {
            let message = "A call stands in the message twice, as a block and in `tool_calls`; it counts once.";
            builder.at(node, "two-views", message.into());
        } else {
            call(builder, node);
        }
    }
    // The form before `tool_calls`: one call, no id, answered by a `function` message of its name.
    if let Some(legacy) = members.field("function_call").filter(|node| node.is_object()) {
        let function = legacy.object();
        builder.within(legacy);
        builder.call(None, function.field("name"), function.field("arguments"), false);
    }
}

fn call<'a>(builder: &mut Builder<'a>, node: Node<'a>) {
    let members = node.object();
    let id = members.string("id");
    builder.within(node);
    // A custom tool's call has `custom: {name, input}` where a function's has `function: {name, arguments}`.
    let inner =
        members.field("function").or_else(|| members.field("custom")).unwrap_or(node).object();
    let body = inner.field("arguments").or_else(|| inner.field("input"));
    builder.call(id.as_deref(), inner.field("name"), body, false);
}

/// Writes turns as messages: an answer in one, each result in one of its own.
pub(super) fn write(turns: &[Turn<'_>]) -> Vec<(usize, String)> {
    let mut written = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        let results = turn.pieces.iter().filter_map(result);
        written.extend(results.map(|text| (at, text)));
        if turn.role == Role::Assistant || !turn.only_results() || turn.pieces.is_empty() {
            written.push((at, message(turn)));
        }
    }
    written
}

fn result(piece: &Piece<'_>) -> Option<String> {
    let Piece::Result { id, text, .. } = piece else { return None };
    Some(format!(
        "{{\"role\":\"tool\",\"tool_call_id\":{},\"content\":{}}}",
        quote(id),
        quote(text)
    ))
}

/// The message of a turn, without its results.
fn message(turn: &Turn<'_>) -> String {
    let mut calls = Vec::new();
    let mut blocks = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    let mut reasoning: Vec<&str> = Vec::new();
    for piece in &turn.pieces {
        match piece {
            Piece::Text(text) => {
                words.push(text);
                blocks.push(format!("{{\"type\":\"text\",\"text\":{}}}", quote(text)));
            }
            Piece::Thinking { text, .. } => reasoning.push(text),
            Piece::Call { id, name, arguments } => calls.push(format!(
                "{{\"id\":{},\"type\":\"function\",\"function\":{{\"name\":{},\"arguments\":{}}}}}",
                quote(id),
                quote(name),
                quote(arguments)
            )),
            Piece::Media(media) => {
                let url = if media.address {
                    quote(&media.data)
                } else {
                    quote(&format!("data:{};base64,{}", media.mime, media.data))
                };
                blocks.push(format!("{{\"type\":\"image_url\",\"image_url\":{{\"url\":{url}}}}}"));
            }
            Piece::Result { .. } => {}
        }
    }
    let content = if blocks.len() > words.len() {
        format!("[{}]", blocks.join(","))
    } else if words.is_empty() && !calls.is_empty() {
        "null".into()
    } else {
        quote(&words.join("\n\n"))
    };
    let mut message = format!("{{\"role\":{},\"content\":{content}", quote(turn.role.name()));
    if !reasoning.is_empty() {
        message.push_str(",\"reasoning_content\":");
        message.push_str(&quote(&reasoning.join("\n\n")));
    }
    if !calls.is_empty() {
        message.extend([",\"tool_calls\":[", &calls.join(","), "]"]);
    }
    message.push('}');
    message
}
