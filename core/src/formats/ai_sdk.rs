//! Vercel AI SDK `ModelMessage`: parts `tool-call` and `tool-result`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::builder::Builder;
use super::detect::ONLY;
use super::turn::{Media, Names, Piece, Turn, names};
use crate::json::{Node, Object, quote};
use crate::transcript::{PartKind, Role};

/// What in an entry speaks for this format.
pub(super) fn evidence(members: &Object<'_>) -> u32 {
    let content = members.field("content").map(Node::array).unwrap_or_default();
    let own = |part: &Node<'_>| {
        let part = part.object();
        match &*part.string("type").unwrap_or_default() {
            "tool-call" | "tool-result" | "tool-approval-request" | "tool-approval-response" => {
                true
            }
            "reasoning" => part.has("text"),
            "image" => part.has("image"),
            "file" => part.has("mediaType") || part.has("mimeType"),
            _ => false,
        }
    };
    let options = u32::from(members.has("providerOptions")) * 3;
    options + if content.iter().take(8).any(own) { ONLY } else { 0 }
}

/// Reads one message.
pub(super) fn entry<'a>(builder: &mut Builder<'a>, node: Node<'a>) {
    let members = node.object();
    let role = members.string("role").unwrap_or_default();
    let known = match &*role {
        "system" => Role::System,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "tool" => Role::Tool,
        _ => return builder.unknown_role(node, &role, "the AI SDK"),
    };
    builder.open(node, known);
    match members.field("content") {
        Some(content) if content.is_array() => {
            for node in content.array() {
                part(builder, node, known);
            }
        }
        Some(content) => super::blocks::content(builder, content),
        None => builder.here("missing-content", "A message has no content."),
    }
}

fn part<'a>(builder: &mut Builder<'a>, node: Node<'a>, role: Role) {
    builder.within(node);
    let members = node.object();
    let kind = members.string("type").unwrap_or_default();
    let id = members.string("toolCallId");
    let approval = members.string("approvalId").unwrap_or_default();
    match &*kind {
        "text" => builder.part(PartKind::Text, members.field("text")),
        "reasoning" => builder.part(PartKind::Thinking, members.field("text")),
        "redacted-reasoning" => builder.part(PartKind::Thinking, members.field("data")),
        "image" | "file" | "reasoning-file" => builder.part(PartKind::Media, Some(node)),
        // Before version 5 it was `args` and `result`.
        "tool-call" => {
            let body = members.field("input").or_else(|| members.field("args"));
            let server = members.is_true("providerExecuted");
            builder.call(id.as_deref(), members.field("toolName"), body, server);
        }
        "tool-result" => {
            let (body, error) = match members.field("output") {
                Some(output) => output_of(output),
                None => (members.field("result"), members.is_true("isError")),
            };
            let server = role == Role::Assistant || members.is_true("providerExecuted");
            let name = members.string("toolName").unwrap_or_default();
            builder.result(id.as_deref(), &name, body, error, server);
        }
        // The question whether a call may be executed, and its answer: a pair of its own.
        "tool-approval-request" if !approval.is_empty() => {
            let id = builder.approval(&approval);
            builder.call_of(id, members.field("type"), members.field("toolCallId"), true);
        }
        "tool-approval-response" if !approval.is_empty() => {
            let id = builder.approval(&approval);
            builder.result_of(id, members.field("approved"), true);
        }
        _ => builder.unknown_block(node, &kind),
    }
}

/// What an output says, and whether it is that of a call that failed.
fn output_of(output: Node<'_>) -> (Option<Node<'_>>, bool) {
    let members = output.object();
    let kind = members.string("type").unwrap_or_default();
    let error = matches!(&*kind, "error-text" | "error-json" | "execution-denied");
    let body = members.field("value").or_else(|| members.field("reason"));
    (body.or(Some(output)), error)
}

/// Writes turns as messages: the results of a turn are a message of their own.
pub(super) fn write(turns: &[Turn<'_>]) -> Vec<(usize, String)> {
    let names = names(turns);
    let mut written = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        let (results, words): (Vec<_>, Vec<_>) =
            turn.pieces.iter().partition(|piece| matches!(piece, Piece::Result { .. }));
        let mut message = |role: &str, pieces: &[&Piece<'_>]| {
            let content = match pieces {
                [Piece::Text(text)] if role != "assistant" => quote(text),
                // The SDK takes a system message as one text.
                pieces if role == "system" => {
                    let words: Vec<&str> = pieces
                        .iter()
                        .filter_map(|piece| match piece {
                            Piece::Text(text) => Some(&**text),
                            _ => None,
                        })
                        .collect();
                    quote(&words.join("\n\n"))
                }
                pieces => {
                    let parts: Vec<String> =
                        pieces.iter().map(|piece| part_of(piece, &names)).collect();
                    format!("[{}]", parts.join(","))
                }
            };
            written.push((at, format!("{{\"role\":\"{role}\",\"content\":{content}}}")));
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

fn part_of(piece: &Piece<'_>, names: &Names<'_>) -> String {
    match piece {
        Piece::Text(text) => format!("{{\"type\":\"text\",\"text\":{}}}", quote(text)),
        Piece::Thinking { text, signature } => reasoning(text, signature.as_deref(), "Options"),
        Piece::Call { id, name, arguments } => format!(
            "{{\"type\":\"tool-call\",\"toolCallId\":{},\"toolName\":{},\"input\":{arguments}}}",
            quote(id),
            quote(name)
        ),
        Piece::Result { id, name, text, error } => format!(
            "{{\"type\":\"tool-result\",\"toolCallId\":{},\"toolName\":{},\"output\":{{\"type\":\"{}\",\"value\":{}}}}}",
            quote(id),
            quote(names.of(id, name)),
            if *error { "error-text" } else { "text" },
            quote(text)
        ),
        Piece::Media(media) => file(media, "data", !media.address),
    }
}

/// Reasoning with its signature; only Anthropic's takes it back by that name.
pub(super) fn reasoning(text: &str, signature: Option<&str>, key: &str) -> String {
    let signature = signature.map_or_else(String::new, |signature| {
        format!(",\"provider{key}\":{{\"anthropic\":{{\"signature\":{}}}}}", quote(signature))
    });
    format!("{{\"type\":\"reasoning\",\"text\":{}{signature}}}", quote(text))
}

/// A file under `key`, its bytes bare or as a data URI.
pub(super) fn file(media: &Media<'_>, key: &str, bare: bool) -> String {
    let mime = if media.mime.is_empty() { "image/*" } else { &media.mime };
    let data = if bare || media.address {
        quote(&media.data)
    } else {
        quote(&format!("data:{};base64,{}", media.mime, media.data))
    };
    format!("{{\"type\":\"file\",\"mediaType\":{},\"{key}\":{data}}}", quote(mime))
}
