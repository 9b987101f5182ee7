//! AWS Bedrock Converse: content blocks without a type; the key names the kind.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::builder::Builder;
use super::detect::ONLY;
use super::document::List;
use super::turn::{Piece, Turn, as_object};
use crate::json::{Node, Object, quote};
use crate::transcript::{PartKind, Role};

/// The keys of a content block. Source: `ContentBlock` of the Converse API.
const KINDS: [&str; 12] = [
    "toolUse",
    "toolResult",
    "reasoningContent",
    "citationsContent",
    "guardContent",
    "cachePoint",
    "searchResult",
    "image",
    "document",
    "video",
    "audio",
    "text",
];

fn kind_of<'a>(members: &Object<'a>) -> Option<(&'static str, Node<'a>)> {
    let value = |key| members.field(key).filter(|node| !node.is_null());
    KINDS.iter().find_map(|&key| Some((key, value(key)?)))
}

/// What in an entry speaks for this format.
pub(super) fn evidence(members: &Object<'_>) -> u32 {
    let content = members.field("content").map(Node::array).unwrap_or_default();
    let votes = |block: &Node<'_>| {
        let block = block.object();
        match kind_of(&block) {
            _ if block.has("type") => 0,
            // Others leave out the type of a text or an image too.
            Some(("text" | "image" | "audio" | "video", _)) => 3,
            Some(_) => ONLY,
            None => 0,
        }
    };
    content.iter().take(8).map(votes).max().unwrap_or_default()
}

/// What in a request speaks for this format.
pub(super) fn request(list: &List<'_>) -> u32 {
    let members = &list.members;
    let keys = ["toolConfig", "inferenceConfig", "modelId", "guardrailConfig"];
    let system = members.field("system").map(Node::array).unwrap_or_default();
    let untyped = system.iter().take(4).any(|block| {
        let block = block.object();
        block.has("text") && !block.has("type")
    });
    let messages = list.key == Some("messages");
    if messages && (untyped || keys.iter().any(|key| members.has(key))) { ONLY } else { 0 }
}

/// Reads one message.
pub(super) fn entry<'a>(builder: &mut Builder<'a>, node: Node<'a>) {
    let members = node.object();
    let role = members.string("role").unwrap_or_default();
    let known = match &*role {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "system" => Role::System,
        _ => return builder.unknown_role(node, &role, "Bedrock Converse"),
    };
    builder.open(node, known);
    match members.field("content") {
        Some(content) if content.is_array() => {
            for node in content.array() {
                block(builder, node, known);
            }
        }
        Some(content) if !content.is_null() => super::blocks::content(builder, content),
        _ => builder.here("missing-content", "A message has no content."),
    }
}

fn block<'a>(builder: &mut Builder<'a>, node: Node<'a>, role: Role) {
    builder.within(node);
    let members = node.object();
    let Some((kind, value)) = kind_of(&members) else {
        let message = format!("A block with the keys {} is carried unread.", members.keys());
        builder.at(node, "unknown-block", message);
        return builder.part(PartKind::Opaque, Some(node));
    };
    let inner = value.object();
    match kind {
        "text" => builder.part(PartKind::Text, Some(value)),
        "image" | "document" | "video" | "audio" => builder.part(PartKind::Media, Some(node)),
        "toolUse" => {
            let id = inner.string("toolUseId");
            let server = inner.string("type").as_deref() == Some("server_tool_use");
            builder.call(id.as_deref(), inner.field("name"), inner.field("input"), server);
        }
        "toolResult" => {
            let id = inner.string("toolUseId");
            let error = inner.string("status").as_deref() == Some("error");
            // What the provider executed is answered by the model's own entry.
            let server = inner.has("type") || role == Role::Assistant;
            let content = inner.field("content");
            let blocks = content.map(Node::array).unwrap_or_default();
            let json = match blocks[..] {
                [only] => only.object().field("json"),
                _ => None,
            };
            builder.result(id.as_deref(), "", json.or(content), error, server);
        }
        "reasoningContent" => {
            let text = inner.field("reasoningText").and_then(|text| text.object().field("text"));
            let body = text.or_else(|| inner.field("redactedContent"));
            builder.part(PartKind::Thinking, body.or(Some(value)));
        }
        "citationsContent" => builder.part(PartKind::Text, inner.field("content")),
        "guardContent" if inner.has("image") => builder.part(PartKind::Media, Some(value)),
        "guardContent" => {
            let text = inner.field("text").and_then(|text| text.object().field("text"));
            builder.part(PartKind::Text, text);
        }
        _ => builder.part(PartKind::Opaque, Some(node)),
    }
}

/// Writes turns as messages, one each. Instructions stand beside the messages here; among them their words are a user's.
pub(super) fn write(turns: &[Turn<'_>]) -> Vec<(usize, String)> {
    let message = |(at, turn): (usize, &Turn<'_>)| {
        let role = if turn.role == Role::Assistant { "assistant" } else { "user" };
        let blocks: Vec<String> = turn.pieces.iter().map(written).collect();
        (at, format!("{{\"role\":\"{role}\",\"content\":[{}]}}", blocks.join(",")))
    };
    turns.iter().enumerate().map(message).collect()
}

fn written(piece: &Piece<'_>) -> String {
    match piece {
        Piece::Text(text) => format!("{{\"text\":{}}}", quote(text)),
        Piece::Thinking { text, signature } => {
            let signature = signature.as_deref().map_or_else(String::new, |signature| {
                format!(",\"signature\":{}", quote(signature))
            });
            format!(
                "{{\"reasoningContent\":{{\"reasoningText\":{{\"text\":{}{signature}}}}}}}",
                quote(text)
            )
        }
        Piece::Call { id, name, arguments } => format!(
            "{{\"toolUse\":{{\"toolUseId\":{},\"name\":{},\"input\":{}}}}}",
            quote(id),
            quote(name),
            as_object(arguments)
        ),
        Piece::Result { id, text, error, .. } => format!(
            "{{\"toolResult\":{{\"toolUseId\":{},\"content\":[{{\"text\":{}}}],\"status\":\"{}\"}}}}",
            quote(id),
            quote(text),
            if *error { "error" } else { "success" }
        ),
        Piece::Media(media) => {
            let (family, format) = media.mime.split_once('/').unwrap_or(("image", "png"));
            // There is no address but one in S3; a model that cannot look still learns what stood there.
            if media.address && !media.data.starts_with("s3:") {
                return format!("{{\"text\":{}}}", quote(&format!("[{family}: {}]", media.data)));
            }
            let source = if media.address {
                format!("{{\"s3Location\":{{\"uri\":{}}}}}", quote(&media.data))
            } else {
                format!("{{\"bytes\":{}}}", quote(&media.data))
            };
            let format = quote(format);
            match family {
                "image" | "video" => {
                    format!("{{\"{family}\":{{\"format\":{format},\"source\":{source}}}}}")
                }
                _ => format!(
                    "{{\"document\":{{\"format\":{format},\"name\":\"document\",\"source\":{source}}}}}"
                ),
            }
        }
    }
}
