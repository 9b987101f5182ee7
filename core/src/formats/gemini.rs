//! Google Gemini `contents`: `{role, parts}`, a part being the one key it has. Ids are optional.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::builder::Builder;
use super::detect::ONLY;
use super::document::List;
use super::turn::{Piece, Turn, as_object, names};
use crate::json::{Node, Object, quote};
use crate::transcript::{PartKind, Role};

/// What a part can be.
#[derive(Clone, Copy)]
enum Kind {
    Call,
    Code,
    CodeResult,
    Media,
    Result,
    ServerCall,
    ServerResult,
    Signature,
    Text,
}

/// The keys that say what a part is, in JSON and as Python dumps have them. A signature is only looked for where nothing
/// else stands, and text after everything that may stand beside an empty one.
const KINDS: [(&str, &str, Kind); 10] = [
    ("functionCall", "function_call", Kind::Call),
    ("functionResponse", "function_response", Kind::Result),
    ("inlineData", "inline_data", Kind::Media),
    ("fileData", "file_data", Kind::Media),
    ("executableCode", "executable_code", Kind::Code),
    ("codeExecutionResult", "code_execution_result", Kind::CodeResult),
    ("toolCall", "tool_call", Kind::ServerCall),
    ("toolResponse", "tool_response", Kind::ServerResult),
    ("text", "text", Kind::Text),
    ("thoughtSignature", "thought_signature", Kind::Signature),
];

fn kind_of<'a>(members: &Object<'a>) -> Option<(Kind, Node<'a>)> {
    let value = |camel, snake| either(members, camel, snake).filter(|node| !node.is_null());
    KINDS.iter().find_map(|&(camel, snake, kind)| Some((kind, value(camel, snake)?)))
}

fn either<'a>(members: &Object<'a>, camel: &str, snake: &str) -> Option<Node<'a>> {
    members.field(camel).or_else(|| members.field(snake))
}

/// What in an entry speaks for this format.
pub(super) fn evidence(members: &Object<'_>) -> u32 {
    let own = |part: &Node<'_>| {
        let part = part.object();
        kind_of(&part).is_some() && !part.has("type") && !part.has("kind")
    };
    let Some(parts) = members.field("parts").filter(|parts| parts.is_array()) else { return 0 };
    let model = members.string("role").as_deref() == Some("model");
    if model || parts.array().iter().take(8).any(own) { ONLY } else { 0 }
}

/// What in a request speaks for this format.
pub(super) fn request(list: &List<'_>) -> u32 {
    let keys = ["systemInstruction", "system_instruction", "generationConfig", "generation_config"];
    let own = list.key == Some("contents") || keys.iter().any(|key| list.members.has(key));
    if own { ONLY } else { 0 }
}

/// Reads one content.
pub(super) fn entry<'a>(builder: &mut Builder<'a>, node: Node<'a>) {
    let members = node.object();
    let role = members.string("role").unwrap_or_default();
    let known = match &*role {
        // A single prompt may leave it out.
        "user" | "" => Role::User,
        "model" => Role::Assistant,
        "function" | "tool" => Role::Tool,
        "system" => Role::System,
        _ => return builder.unknown_role(node, &role, "Gemini"),
    };
    builder.open_turn(node, known);
    match members.field("parts") {
        Some(parts) if parts.is_array() => {
            for node in parts.array() {
                part(builder, node);
            }
        }
        Some(only) if !only.is_null() => part(builder, only),
        _ => builder.here("missing-content", "A content has no parts."),
    }
}

fn part<'a>(builder: &mut Builder<'a>, node: Node<'a>) {
    builder.within(node);
    if node.raw().starts_with('"') {
        return builder.part(PartKind::Text, Some(node));
    }
    let members = node.object();
    let Some((kind, value)) = kind_of(&members) else {
        let message = format!("A part with the keys {} is carried unread.", members.keys());
        builder.at(node, "unknown-block", message);
        return builder.part(PartKind::Opaque, Some(node));
    };
    let inner = value.object();
    let id = inner.string("id");
    match kind {
        Kind::Text if members.is_true("thought") => builder.part(PartKind::Thinking, Some(value)),
        Kind::Text => builder.part(PartKind::Text, Some(value)),
        Kind::Signature => builder.part(PartKind::Thinking, Some(value)),
        Kind::Media => builder.part(PartKind::Media, Some(node)),
        Kind::Call => {
            builder.call_in_turn(id.as_deref(), inner.field("name"), inner.field("args"));
        }
        Kind::Result => {
            let name = inner.string("name").unwrap_or_default();
            let response = inner.field("response");
            let members = response.map(Node::object).unwrap_or_default();
            let body = members.only().or(response);
            builder.result_in_turn(id.as_deref(), &name, body, members.has("error"));
        }
        // What the provider executes names its pair by nothing but its place, unless it has an id.
        Kind::Code => server_call(builder, id.as_deref(), "code", &inner, "language", "code"),
        Kind::ServerCall => server_call(
            builder,
            id.as_deref(),
            "tool",
            &inner,
            if inner.has("toolType") { "toolType" } else { "tool_type" },
            "args",
        ),
        Kind::CodeResult => {
            let failed = inner.string("outcome").is_some_and(|outcome| outcome != "OUTCOME_OK");
            server_result(builder, id.as_deref(), "code", inner.field("output"), failed);
        }
        Kind::ServerResult => {
            server_result(builder, id.as_deref(), "tool", inner.field("response"), false);
        }
    }
}

fn server_call<'a>(
    builder: &mut Builder<'a>,
    id: Option<&str>,
    kind: &str,
    inner: &Object<'a>,
    name: &str,
    body: &str,
) {
    let id = match id {
        Some(id) => builder.id(id),
        None => builder.nameless_call(kind),
    };
    builder.call_of(id, inner.field(name), inner.field(body), true);
}

fn server_result<'a>(
    builder: &mut Builder<'a>,
    id: Option<&str>,
    kind: &str,
    body: Option<Node<'a>>,
    error: bool,
) {
    let id = match id {
        Some(id) => builder.id(id),
        None => builder.nameless_result(kind),
    };
    builder.part(PartKind::Result { id, error, server: true }, body);
}

/// Writes turns as contents, one each. Instructions have no role here; their words are a user's.
pub(super) fn write(turns: &[Turn<'_>]) -> Vec<(usize, String)> {
    let names = names(turns);
    let content = |(at, turn): (usize, &Turn<'_>)| {
        let role = if turn.role == Role::Assistant { "model" } else { "user" };
        let parts: Vec<String> = turn.pieces.iter().map(|piece| written(piece, &names)).collect();
        (at, format!("{{\"role\":\"{role}\",\"parts\":[{}]}}", parts.join(",")))
    };
    turns.iter().enumerate().map(content).collect()
}

fn written(piece: &Piece<'_>, names: &super::turn::Names<'_>) -> String {
    match piece {
        Piece::Text(text) => format!("{{\"text\":{}}}", quote(text)),
        Piece::Thinking { text, signature } => {
            let signature = signature.as_deref().map_or_else(String::new, |signature| {
                format!(",\"thoughtSignature\":{}", quote(signature))
            });
            format!("{{\"text\":{},\"thought\":true{signature}}}", quote(text))
        }
        Piece::Call { id, name, arguments } => format!(
            "{{\"functionCall\":{{\"id\":{},\"name\":{},\"args\":{}}}}}",
            quote(id),
            quote(name),
            as_object(arguments)
        ),
        Piece::Result { id, name, text, error } => format!(
            "{{\"functionResponse\":{{\"id\":{},\"name\":{},\"response\":{{\"{}\":{}}}}}}}",
            quote(id),
            quote(names.of(id, name)),
            if *error { "error" } else { "output" },
            quote(text)
        ),
        Piece::Media(media) if media.address => format!(
            "{{\"fileData\":{{\"mimeType\":{},\"fileUri\":{}}}}}",
            quote(&media.mime),
            quote(&media.data)
        ),
        Piece::Media(media) => format!(
            "{{\"inlineData\":{{\"mimeType\":{},\"data\":{}}}}}",
            quote(&media.mime),
            quote(&media.data)
        ),
    }
}
