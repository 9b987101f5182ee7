//! LangChain messages: `lc` envelopes, `messages_to_dict`, or plain.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::detect::ONLY;
use super::turn::{Piece, Turn};
use super::{anthropic, blocks, builder::Builder};
use crate::json::{Node, Object, quote};
use crate::transcript::{PartKind, Role};

/// A message out of its envelope: what kind it says it is, and its members.
fn unwrapped(members: Object<'_>) -> (String, Object<'_>) {
    let kind = members.string("type").unwrap_or_default();
    if let Some(inner) = members.field("kwargs").filter(|_| kind == "constructor") {
        let path = members.field("id").map(Node::array).unwrap_or_default();
        let class = path.last().and_then(|class| class.string()).unwrap_or_default();
        return (kind_of(&class), inner.object());
    }
    if let Some(inner) = members.field("data").filter(|data| data.is_object()) {
        return (kind_of(&kind), inner.object());
    }
    let role = members.string("role").filter(|_| kind.is_empty()).unwrap_or(kind);
    (kind_of(&role), members)
}

/// `AIMessageChunk` is `ai`.
fn kind_of(name: &str) -> String {
    let name = name.strip_suffix("Chunk").unwrap_or(name);
    name.strip_suffix("Message").unwrap_or(name).to_ascii_lowercase()
}

fn role_of(kind: &str) -> Option<Role> {
    match kind {
        "human" | "user" => Some(Role::User),
        "ai" | "assistant" => Some(Role::Assistant),
        "system" | "developer" => Some(Role::System),
        "tool" | "function" => Some(Role::Tool),
        _ => None,
    }
}

/// What in an entry speaks for this format.
pub(super) fn evidence(members: &Object<'_>) -> u32 {
    let kind = members.string("type").unwrap_or_default();
    if kind == "constructor" {
        let path = members.field("id").map(Node::array).unwrap_or_default();
        let class = path.last().and_then(|class| class.string()).unwrap_or_default();
        return if class.contains("Message") { ONLY } else { 0 };
    }
    let known = kind_of(&kind);
    let known = role_of(&known).is_some() || matches!(&*known, "chat" | "generic" | "remove");
    let envelope = members.field("data").is_some_and(|data| data.object().has("content"));
    let plain = members.has("content") || members.has("tool_calls");
    match &*kind {
        _ if !known => 0,
        _ if envelope => ONLY,
        "human" | "ai" | "AIMessageChunk" if plain => ONLY,
        "tool" if members.has("tool_call_id") => ONLY,
        "system" | "tool" | "function" if plain && !members.has("role") => 3,
        _ => 0,
    }
}

/// Reads one message.
pub(super) fn entry<'a>(builder: &mut Builder<'a>, node: Node<'a>) {
    let (mut kind, members) = unwrapped(node.object());
    if matches!(&*kind, "chat" | "generic") {
        kind = members.string("role").unwrap_or_default().to_ascii_lowercase();
    }
    let Some(role) = role_of(&kind) else {
        return builder.unknown_role(node, &kind, "LangChain");
    };
    builder.open(node, role);
    let content = members.field("content");
    match role {
        Role::Assistant => assistant(builder, &members),
        Role::Tool => {
            let name = members.string("name").unwrap_or_default();
            let error = members.string("status").as_deref() == Some("error");
            let id = members.string("tool_call_id").filter(|_| kind == "tool");
            builder.result(id.as_deref(), &name, content, error, false);
        }
        Role::System | Role::User => {
            // The middleware that shortens a talk marks the message that a model wrote in the place of what it took out.
            let more = members.field("additional_kwargs").map(Node::object).unwrap_or_default();
            if more.string("lc_source").as_deref() == Some("summarization") {
                builder.unsaid();
            }
            if let Some(content) = content {
                self::content(builder, content);
            }
        }
    }
}

/// The places where a message may keep its calls: each is a view of the same, and an id counts once.
fn assistant<'a>(builder: &mut Builder<'a>, members: &Object<'a>) {
    let more = members.field("additional_kwargs").map(Node::object).unwrap_or_default();
    let reasoning = more.field("reasoning").or_else(|| more.field("reasoning_content"));
    if let Some(reasoning) = reasoning.filter(|node| !node.is_null()) {
        builder.within(reasoning);
        builder.part(PartKind::Thinking, Some(reasoning_in(reasoning)));
    }
    // An answer that is only calls has empty words.
    if let Some(words) = members.field("content").filter(|words| words.raw() != "\"\"") {
        content(builder, words);
    }
    let mut any = false;
    for key in ["tool_calls", "invalid_tool_calls"] {
        for node in members.field(key).map(Node::array).unwrap_or_default() {
            any = true;
            let call = node.object();
            let id = call.string("id");
            view(builder, node, id.as_deref(), call.field("name"), call.field("args"));
        }
    }
    for node in more.field("tool_calls").map(Node::array).unwrap_or_default() {
        let call = node.object();
        let id = call.string("id");
        let function = call.field("function").map(Node::object).unwrap_or_default();
        if id.is_some() || !any {
            let name = function.field("name");
            view(builder, node, id.as_deref(), name, function.field("arguments"));
        }
    }
    if let Some(legacy) = more.field("function_call").filter(|node| node.is_object() && !any) {
        let function = legacy.object();
        view(builder, legacy, None, function.field("name"), function.field("arguments"));
    }
}

/// A call, unless another view of it was read.
fn view<'a>(
    builder: &mut Builder<'a>,
    node: Node<'a>,
    id: Option<&str>,
    name: Option<Node<'a>>,
    body: Option<Node<'a>>,
) {
    if !id.is_some_and(|id| builder.called(id)) {
        builder.within(node);
        builder.call(id, name, body, false);
    }
}

/// The words of a reasoning: of OpenAI's item its summary.
fn reasoning_in(node: Node<'_>) -> Node<'_> {
    let members = node.object();
    let keys = ["reasoning", "text", "content", "summary", "encrypted_content"];
    let words = keys
        .iter()
        .find_map(|key| members.field(key).filter(|node| !node.is_null() && node.raw() != "[]"));
    words.unwrap_or(node)
}

fn content<'a>(builder: &mut Builder<'a>, node: Node<'a>) {
    if !node.is_array() {
        return blocks::content(builder, node);
    }
    for node in node.array() {
        let members = node.object();
        builder.within(node);
        match &*members.string("type").unwrap_or_default() {
            "reasoning" => builder.part(PartKind::Thinking, Some(reasoning_in(node))),
            // What the provider's library left in the content; `tool_calls` has it too.
            "tool_use" | "tool_call" | "invalid_tool_call" => {
                let body = members.field("input").or_else(|| members.field("args"));
                let id = members.string("id");
                view(builder, node, id.as_deref(), members.field("name"), body);
            }
            "function_call" => {
                let id = members.string("call_id").or_else(|| members.string("id"));
                let body = members.field("arguments").or_else(|| members.field("args"));
                view(builder, node, id.as_deref(), members.field("name"), body);
            }
            "server_tool_call" => {
                let id = members.string("id");
                builder.call(id.as_deref(), members.field("name"), members.field("args"), true);
            }
            "server_tool_result" => {
                let id = members.string("tool_call_id");
                let error = members.string("status").as_deref() == Some("error");
                builder.result(id.as_deref(), "", members.field("output"), error, true);
            }
            "video" => builder.part(PartKind::Media, Some(node)),
            "text-plain" => builder.part(PartKind::Text, members.field("text")),
            "input_json_delta" | "non_standard" | "server_tool_call_chunk" | "tool_call_chunk" => {
                builder.part(PartKind::Opaque, Some(node));
            }
            _ => blocks::block(builder, node),
        }
    }
}

/// Writes turns as plain messages: each result is one of its own.
pub(super) fn write(turns: &[Turn<'_>]) -> Vec<(usize, String)> {
    let mut written = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        let (results, words): (Vec<_>, Vec<_>) =
            turn.pieces.iter().partition(|piece| matches!(piece, Piece::Result { .. }));
        let none = results.is_empty();
        written.extend(results.into_iter().map(|piece| (at, result(piece))));
        if !words.is_empty() || none {
            written.push((at, message(turn.role, &words)));
        }
    }
    written
}

fn result(piece: &Piece<'_>) -> String {
    let Piece::Result { id, name, text, error } = piece else { return String::new() };
    let name = if name.is_empty() { String::new() } else { format!(",\"name\":{}", quote(name)) };
    format!(
        "{{\"type\":\"tool\",\"content\":{},\"tool_call_id\":{}{name},\"status\":\"{}\"}}",
        quote(text),
        quote(id),
        if *error { "error" } else { "success" }
    )
}

fn message(role: Role, pieces: &[&Piece<'_>]) -> String {
    let kind = match role {
        Role::Assistant => "ai",
        Role::System => "system",
        _ => "human",
    };
    let mut calls = Vec::new();
    let mut blocks = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Call { id, name, arguments } => calls.push(format!(
                "{{\"name\":{},\"args\":{arguments},\"id\":{},\"type\":\"tool_call\"}}",
                quote(name),
                quote(id)
            )),
            Piece::Thinking { text, signature: None } => {
                blocks.push(format!("{{\"type\":\"reasoning\",\"reasoning\":{}}}", quote(text)));
            }
            Piece::Media(media) => {
                let url = if media.address {
                    media.data.to_string()
                } else {
                    format!("data:{};base64,{}", media.mime, media.data)
                };
                let url = quote(&url);
                blocks.push(format!("{{\"type\":\"image_url\",\"image_url\":{{\"url\":{url}}}}}"));
            }
            other => blocks.push(anthropic::block(other)),
        }
    }
    let words: Option<&str> = match pieces.iter().find(|piece| !matches!(piece, Piece::Call { .. }))
    {
        Some(Piece::Text(text)) if blocks.len() == 1 => Some(text),
        None => Some(""),
        Some(_) => None,
    };
    let content = words.map_or_else(|| format!("[{}]", blocks.join(",")), quote);
    let calls = if calls.is_empty() {
        String::new()
    } else {
        format!(",\"tool_calls\":[{}]", calls.join(","))
    };
    format!("{{\"type\":\"{kind}\",\"content\":{content}{calls}}}")
}
