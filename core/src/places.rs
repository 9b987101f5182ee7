//! Where a piece stands in its entry's JSON: what an edit of it has to take along.

use alloc::string::String;
use alloc::vec::Vec;

use crate::json::Node;
use crate::transcript::{Format, Part, PartKind, Span, Transcript};

/// The seat of a piece.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Seat {
    /// The piece is its whole entry.
    Entry,
    /// It is an element of a list.
    Element { list: Span, index: usize },
    /// It is the value of a member of the object at `object`.
    Member { object: Span, index: usize },
}

/// Finds the value at `piece` in the entry at `entry`.
pub(crate) fn seat(text: &str, entry: Span, piece: Span) -> Option<Seat> {
    if entry == piece {
        return Some(Seat::Entry);
    }
    let holds = |span: Span| span.start <= piece.start && piece.end <= span.end;
    let mut at = entry;
    // Each step goes into the one value that holds the piece, so this ends where the piece is.
    loop {
        let node = Node::at(text, at);
        let inside: Vec<Span> =
            children(node).into_iter().map(|child| child.span_in(text)).collect();
        let index = inside.iter().position(|&span| holds(span))?;
        if inside[index] == piece {
            return Some(if node.is_array() {
                Seat::Element { list: at, index }
            } else {
                Seat::Member { object: at, index }
            });
        }
        at = inside[index];
    }
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    if node.is_array() {
        node.array()
    } else {
        node.object().iter().map(|(_, value)| value).collect()
    }
}

/// The list in which the pieces of an entry stand: `content` or `parts`, in its envelope if it has one.
pub(crate) fn blocks(text: &str, entry: Span) -> Option<Span> {
    let mut members = Node::at(text, entry).object();
    for envelope in ["kwargs", "data"] {
        if let Some(inner) = members.field(envelope).filter(|inner| inner.is_object()) {
            members = inner.object();
        }
    }
    let list = ["content", "parts"].iter().filter_map(|key| members.field(key));
    list.into_iter().find(|node| node.is_array()).map(|node| node.span_in(text))
}

/// The first block of an entry that stands by itself.
pub(crate) fn first_block(entry: &str) -> String {
    let list = blocks(entry, Span::new(0, entry.len())).map(|list| Node::at(entry, list).array());
    list.and_then(|list| list.first().map(|node| node.raw().into())).unwrap_or_default()
}

/// The range of a member of an object, with its key and one comma.
pub(crate) fn member_range(text: &str, object: Span, index: usize) -> core::ops::Range<usize> {
    let members = Node::at(text, object).object();
    let values: Vec<Span> = members.iter().map(|(_, value)| value.span_in(text)).collect();
    let last = index + 1 == values.len();
    // From the end of the value before (or the opening brace) to the end of this one takes the comma in front along; the
    // first member takes the one behind it.
    let start = if index == 0 { object.start as usize + 1 } else { values[index - 1].range().end };
    let end = values[index].range().end;
    if index > 0 || last {
        return start..end;
    }
    let comma = text[end..].find(',').map_or(end, |offset| end + offset + 1);
    start..comma
}

/// Where a member called `key` stands in the object at `object`.
pub(crate) fn member(text: &str, object: Span, key: &str) -> Option<(usize, Span)> {
    let members = Node::at(text, object).object();
    let found = members.iter().enumerate().filter(|(_, (name, _))| *name == key).last();
    found.map(|(index, (_, value))| (index, value.span_in(text)))
}

/// The keys under which formats keep the id of a call, in the call and in its result.
const ID_KEYS: [&str; 8] = [
    "id",
    "tool_use_id",
    "tool_call_id",
    "call_id",
    "toolCallId",
    "toolUseId",
    "approvalId",
    "approval_request_id",
];

/// The objects in a piece that may hold its id.
const ID_HOMES: [&str; 8] = [
    "toolUse",
    "toolResult",
    "functionCall",
    "functionResponse",
    "function_call",
    "function_response",
    "kwargs",
    "data",
];

/// Where in the piece at `piece` its id `name` is written.
pub(crate) fn ids(text: &str, piece: Span, name: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let members = Node::at(text, piece).object();
    for (key, value) in members.iter() {
        if ID_KEYS.contains(&key) && value.string().as_deref() == Some(name) {
            found.push(value.span_in(text));
        }
        if ID_HOMES.contains(&key) {
            for (key, value) in value.object().iter() {
                if ID_KEYS.contains(&key) && value.string().as_deref() == Some(name) {
                    found.push(value.span_in(text));
                }
            }
        }
    }
    found
}

/// The object in which a call or result has its id, and under which key its format looks for it; `None` where something else
/// stands in the place of that object.
pub(crate) fn id_home(transcript: &Transcript, part: &Part) -> Option<(Span, &'static str)> {
    let (text, piece) = (transcript.text(), part.whole);
    let is_call = matches!(part.kind, PartKind::Call { .. });
    let members = Node::at(text, piece).object();
    let inside = |home: &&str| members.field(home).filter(|inner| inner.is_object());
    let homes: &[&str] = match transcript.wire() {
        Format::Bedrock => &["toolUse", "toolResult"],
        Format::Gemini => {
            &["functionCall", "functionResponse", "function_call", "function_response"]
        }
        Format::LangChain => &["kwargs", "data"],
        _ => &[],
    };
    let object = match homes.iter().find_map(inside) {
        Some(inner) => inner.span_in(text),
        None if matches!(transcript.wire(), Format::Bedrock | Format::Gemini) => return None,
        None => piece,
    };
    let key = match transcript.wire() {
        Format::Anthropic if !is_call => "tool_use_id",
        Format::Bedrock => "toolUseId",
        Format::AiSdk | Format::AiSdkUi => "toolCallId",
        Format::OpenAiResponses => match &*members.string("type").unwrap_or_default() {
            "mcp_approval_request" => "id",
            "mcp_approval_response" => "approval_request_id",
            _ => "call_id",
        },
        Format::OpenAiChat | Format::LangChain if !is_call => "tool_call_id",
        _ => "id",
    };
    Node::at(text, object).is_object().then_some((object, key))
}
