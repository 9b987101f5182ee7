//! Collects the turns of a log in which messages are told much like those of a chat.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::log::Log;
use super::turn::{Media, Piece, Turn};
use crate::json::Node;
use crate::transcript::{Format, Role};

/// A talk in the making.
#[derive(Debug, Default)]
pub(super) struct Talk<'a> {
    pub(super) turns: Vec<Turn<'a>>,
    /// The images of the newest results. Chat takes none in a result, so they follow the last of the round.
    shown: Vec<Piece<'a>>,
}

impl<'a> Talk<'a> {
    /// What one side says.
    pub(super) fn say(&mut self, role: Role, line: u32, pieces: Vec<Piece<'a>>) -> &mut Turn<'a> {
        self.show();
        let at = self.turns.len();
        self.turns.push(Turn { pieces, ..Turn::new(role, line) });
        &mut self.turns[at]
    }

    /// The result of a call, with its content in pieces.
    pub(super) fn answer(
        &mut self,
        line: u32,
        id: Cow<'a, str>,
        content: Vec<Piece<'a>>,
        error: bool,
    ) {
        let mut words: Vec<Cow<'a, str>> = Vec::new();
        for piece in content {
            match piece {
                Piece::Text(text) | Piece::Thinking { text, .. } => words.push(text),
                other => self.shown.push(other),
            }
        }
        let text = match words.len() {
            0 | 1 => words.pop().unwrap_or_default(),
            _ => words.join("\n").into(),
        };
        let result = Piece::Result { id, name: Cow::Borrowed(""), text, error };
        self.turns.push(Turn { pieces: [result].into(), ..Turn::new(Role::User, line) });
    }

    fn show(&mut self) {
        let line = self.turns.last().map_or(0, |turn| turn.line);
        if !self.shown.is_empty() {
            let pieces = core::mem::take(&mut self.shown);
            self.turns.push(Turn { pieces, ..Turn::new(Role::User, line) });
        }
    }

    /// The log of it, written in `wire`.
    pub(super) fn log(mut self, label: String, wire: Format) -> Log {
        self.show();
        Log::of_turns(label, wire, &self.turns)
    }
}

/// The content of a message, a string or a list of blocks, as pieces. A block that is none of the known ones is carried as
/// its JSON.
pub(super) fn pieces(content: Node<'_>) -> Vec<Piece<'_>> {
    if content.is_null() {
        return Vec::new();
    }
    if !content.is_array() {
        return text(content).into_iter().collect();
    }
    content.array().into_iter().flat_map(block).collect()
}

/// The arguments of a call as they are sent: an object that stands in a log, without the space around its members.
pub(super) fn arguments(node: Option<Node<'_>>) -> Cow<'_, str> {
    let Some(node) = node.filter(|node| !node.is_null()) else { return Cow::Borrowed("{}") };
    if !node.raw().contains('\n') {
        return Cow::Borrowed(node.raw());
    }
    let (mut within, mut escaped) = (false, false);
    let keep = |c: &char| {
        let kept = within || !c.is_ascii_whitespace();
        within ^= *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        kept
    };
    Cow::Owned(node.raw().chars().filter(keep).collect())
}

/// A text, unless it is empty; any other value as its JSON.
fn text(node: Node<'_>) -> Option<Piece<'_>> {
    let text = node.string().unwrap_or(Cow::Borrowed(node.raw()));
    (!text.is_empty()).then_some(Piece::Text(text))
}

/// The keys under which a block keeps its address or its data, as different tools call them.
const SOURCES: [&str; 7] =
    ["image_url", "image_urls", "image", "audio", "video", "document", "source"];

fn block(node: Node<'_>) -> Vec<Piece<'_>> {
    let members = node.object();
    let kind = members.string("type").unwrap_or_default();
    let whole = || text(node).into_iter().collect();
    match &*kind {
        "text" | "input_text" | "output_text" => {
            members.field("text").and_then(text).into_iter().collect()
        }
        "refusal" => members.field("refusal").and_then(text).into_iter().collect(),
        "reasoning" | "thinking" => {
            let keys = ["reasoning", "thinking", "text"];
            let words = keys.iter().find_map(|key| members.string(key)).unwrap_or_default();
            let signature = members.string("signature");
            Vec::from([Piece::Thinking { text: words, signature }])
        }
        "image" | "image_url" | "audio" | "video" | "document" => {
            let mime = members.string("mimeType").or_else(|| members.string("media_type"));
            if let Some(data) = members.string("data") {
                let mime = mime.unwrap_or_default();
                return Vec::from([Piece::Media(Media { mime, data, address: false })]);
            }
            let found: Vec<Piece<'_>> = SOURCES
                .iter()
                .filter_map(|key| members.field(key))
                .flat_map(|node| if node.is_array() { node.array() } else { Vec::from([node]) })
                .filter_map(media)
                .collect();
            if found.is_empty() { whole() } else { found }
        }
        // A resource of the Model Context Protocol.
        "resource" => {
            let inner = members.field("resource").map(Node::object).unwrap_or_default();
            inner.field("text").and_then(text).map_or_else(whole, |piece| Vec::from([piece]))
        }
        _ => whole(),
    }
}

/// An address or a `data:` address, by itself or in an object.
fn media(node: Node<'_>) -> Option<Piece<'_>> {
    let members = node.object();
    let mime = members.string("media_type").unwrap_or_default();
    if let Some(data) = members.string("data") {
        return Some(Piece::Media(Media { mime, data, address: false }));
    }
    let keys = ["url", "path"];
    let data = node.string().or_else(|| keys.iter().find_map(|key| members.string(key)))?;
    Some(Piece::Media(located(mime, data)))
}

/// What stands at an address, which may be a `data:` address.
pub(super) fn located<'a>(mime: Cow<'a, str>, data: Cow<'a, str>) -> Media<'a> {
    let split = data.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    match split {
        Some((mime, bytes)) => {
            let (mime, bytes) = (String::from(mime), String::from(bytes));
            Media { mime: mime.into(), data: bytes.into(), address: false }
        }
        None => Media { mime, data, address: true },
    }
}
