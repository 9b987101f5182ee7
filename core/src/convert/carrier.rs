//! What is carried over: the turns of a transcript, its system prompt, its images, and the names of what stays behind.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::Dropped;
use crate::exchange::Structure;
use crate::formats::turn::{Media, Piece, Turn};
use crate::json::{Node, quote};
use crate::pairing::Place;
use crate::provider::Provider;
use crate::transcript::{Format, Part, PartKind, Role, Transcript, readable};

/// Carries a transcript over.
pub(super) struct Carrier<'a> {
    pub(super) transcript: &'a Transcript,
    pub(super) structure: &'a Structure,
    pub(super) names: BTreeMap<Place, String>,
    /// Of each result the place of its call.
    pub(super) called: BTreeMap<Place, Place>,
    pub(super) format: Format,
    pub(super) provider: Provider,
    pub(super) dropped: Vec<Dropped>,
}

impl<'a> Carrier<'a> {
    /// The turns: adjacent entries of the model are one response, and its results follow it in the order of its calls.
    pub(super) fn turns(&mut self) -> Vec<Turn<'a>> {
        let transcript = self.transcript;
        let structure = self.structure;
        let calls: BTreeMap<Place, Option<Place>> =
            structure.pairing.calls.iter().map(|call| (call.place, call.answer)).collect();
        let answers: BTreeSet<Place> = calls.values().filter_map(|answer| *answer).collect();
        let mut turns: Vec<Turn<'a>> = Vec::new();
        let mut waiting: Vec<Place> = Vec::new();
        let mut last = usize::MAX;
        for entry in 0..transcript.len() {
            let role = match transcript.entries()[entry].role {
                Role::Tool => Role::User,
                role => role,
            };
            let goes_on = role == Role::Assistant
                && last != usize::MAX
                && last + 1 == entry
                && transcript.entries()[last].role == Role::Assistant;
            if !goes_on {
                self.settle(&mut turns, &mut waiting);
                turns.push(Turn::new(role, entry as u32 + 1));
            }
            last = entry;
            for part in 0..transcript.parts(entry).len() {
                let place = Place { entry: entry as u32, part: part as u32 };
                if answers.contains(&place) {
                    // It comes with its call. What the model says after it is another response.
                    if role == Role::Assistant && !waiting.is_empty() {
                        self.settle(&mut turns, &mut waiting);
                        turns.push(Turn::new(role, entry as u32 + 1));
                    }
                    continue;
                }
                let is_call = calls.contains_key(&place);
                if is_call && turns.last().is_some_and(|turn| turn.role != Role::Assistant) {
                    // A call is the model's, whoever's entry it stands in.
                    turns.push(Turn::new(Role::Assistant, entry as u32 + 1));
                } else if !is_call && turns.last().is_some_and(|turn| turn.role != role) {
                    self.settle(&mut turns, &mut waiting);
                    turns.push(Turn::new(role, entry as u32 + 1));
                }
                if let Some(Some(answer)) = calls.get(&place) {
                    waiting.push(*answer);
                }
                if let Some(piece) = self.piece(place)
                    && let Some(turn) = turns.last_mut()
                {
                    turn.pieces.push(piece);
                }
            }
        }
        self.settle(&mut turns, &mut waiting);
        turns
    }

    /// Writes the results of the calls of the response that ends here.
    fn settle(&mut self, turns: &mut Vec<Turn<'a>>, waiting: &mut Vec<Place>) {
        if waiting.is_empty() {
            return;
        }
        let mut turn = Turn::new(Role::User, waiting[0].entry + 1);
        for answer in waiting.drain(..) {
            turn.pieces.extend(self.piece(answer));
        }
        turns.push(turn);
    }

    fn piece(&mut self, place: Place) -> Option<Piece<'a>> {
        let transcript = self.transcript;
        let entry = place.entry as usize;
        let part = &transcript.parts(entry)[place.part as usize];
        match part.kind {
            PartKind::Text => Some(Piece::Text(transcript.part_text(part))),
            PartKind::Thinking => {
                let keeps = matches!(
                    self.provider,
                    Provider::AiSdk
                        | Provider::DeepSeek
                        | Provider::Kimi
                        | Provider::LangGraph
                        | Provider::Telemetry
                );
                if keeps {
                    return Some(Piece::Thinking {
                        text: transcript.part_text(part),
                        signature: None,
                    });
                }
                self.drop("thinking", entry, "Reasoning is bound to the provider that wrote it.");
                None
            }
            PartKind::Call { id, server, .. } => {
                if server {
                    self.drop(
                        "server-pair",
                        entry,
                        "A call that its provider ran is an ordinary call now.",
                    );
                }
                let arguments = self.arguments(entry, part);
                let id = self.name(place, transcript.id(id));
                let name = transcript.call_name(part);
                let plain = plain_name(&name);
                if plain.is_some() {
                    self.drop(
                        "tool-name",
                        entry,
                        "The tool's name has characters that no provider takes.",
                    );
                }
                Some(Piece::Call { id, name: plain.unwrap_or(name), arguments })
            }
            PartKind::Result { id, error, .. } => {
                let bare = matches!(
                    self.format,
                    Format::OpenAiChat | Format::OpenAiResponses | Format::Gemini
                );
                if error && bare {
                    self.drop(
                        "error-mark",
                        entry,
                        "That the result is an error is not marked there; its words stay.",
                    );
                }
                let text = transcript.part_text(part);
                let id_name = transcript.id(id);
                let name = self.called.get(&place).map(|call| {
                    transcript.call_name(&transcript.parts(call.entry as usize)[call.part as usize])
                });
                Some(Piece::Result {
                    id: self.name(place, id_name),
                    name: name.map_or(Cow::Borrowed(""), |name| plain_name(&name).unwrap_or(name)),
                    text,
                    error,
                })
            }
            PartKind::Media => {
                let node = Node::at(transcript.text(), part.whole);
                if let Some(media) = media(node) {
                    return Some(Piece::Media(media));
                }
                self.drop(
                    "media",
                    entry,
                    "An image or document of a form that cannot be carried over.",
                );
                Some(Piece::Text("[an image or document that could not be carried over]".into()))
            }
            PartKind::Opaque => {
                let node = Node::at(transcript.text(), part.whole).object();
                let kind = node.string("type").unwrap_or_default();
                if kind != "step-start" {
                    let message =
                        format!("A part of type {kind:?}, which only its own format knows.");
                    self.drop("part", entry, &message);
                }
                None
            }
        }
    }

    fn name(&self, place: Place, old: &'a str) -> Cow<'a, str> {
        match self.names.get(&place) {
            Some(new) => Cow::Owned(new.clone()),
            None => Cow::Borrowed(old),
        }
    }

    /// The arguments as a JSON object; what is none is wrapped into one.
    fn arguments(&mut self, entry: usize, part: &Part) -> Cow<'a, str> {
        let raw = &self.transcript.text()[part.body.range()];
        let inner = match Node::parse(raw).ok().and_then(Node::string) {
            Some(text) => text,
            None => Cow::Borrowed(raw),
        };
        let is_object = Node::parse(&inner).is_ok_and(Node::is_object);
        if is_object {
            return inner;
        }
        if inner.trim().is_empty() || &*inner == "null" {
            return "{}".into();
        }
        self.drop(
            "arguments",
            entry,
            "The arguments are no JSON object; they stand as `input` of one.",
        );
        format!("{{\"input\":{}}}", quote(&inner)).into()
    }

    /// Takes the system prompt out of the list where the format keeps it elsewhere.
    pub(super) fn system(&mut self, turns: &mut Vec<Turn<'a>>) -> Vec<String> {
        let request = self.transcript.request();
        let keys =
            ["system", "instructions", "systemInstruction", "system_instruction", "system_prompt"];
        let fixed = request.fixed.iter().filter(|fixed| keys.contains(&fixed.what));
        let mut system: Vec<String> = fixed
            .map(|fixed| system_text(&self.transcript.text()[fixed.span.range()]))
            .filter(|text| !text.is_empty())
            .collect();
        let inside = !matches!(self.format, Format::Anthropic | Format::Bedrock | Format::Gemini);
        if inside {
            let first = system.drain(..).map(|text| Piece::Text(text.into()));
            let leading: Vec<Turn<'a>> =
                first.map(|piece| Turn::of(Role::System, [piece].into())).collect();
            turns.splice(0..0, leading);
            return system;
        }
        let head = turns.iter().take_while(|turn| turn.role == Role::System).count();
        for (index, turn) in turns.iter_mut().enumerate() {
            if turn.role != Role::System {
                continue;
            }
            for piece in turn.pieces.drain(..) {
                if let Piece::Text(text) = piece {
                    system.push(text.into_owned());
                }
            }
            if index >= head {
                let message =
                    "An instruction in the middle of the talk stands in the system prompt now.";
                self.dropped.push(Dropped {
                    what: "system-place",
                    entry: (turn.line as usize).checked_sub(1),
                    message: message.into(),
                });
            }
        }
        system
    }

    /// Names what the request around the entries holds beside its system prompt.
    pub(super) fn settings(&mut self) {
        if !self.transcript.request().whole {
            return;
        }
        let members = Node::parse(self.transcript.text()).map(Node::object).unwrap_or_default();
        let carried = [
            "messages",
            "input",
            "contents",
            "system",
            "instructions",
            "systemInstruction",
            "system_instruction",
            "system_prompt",
        ];
        let names: Vec<&str> =
            members.iter().map(|(name, _)| name).filter(|name| !carried.contains(name)).collect();
        if !names.is_empty() {
            let message =
                format!("The request's own settings, to be given anew: {}.", names.join(", "));
            self.dropped.push(Dropped { what: "settings", entry: None, message });
        }
    }

    fn drop(&mut self, what: &'static str, entry: usize, message: &str) {
        self.dropped.push(Dropped { what, entry: Some(entry), message: message.into() });
    }
}

/// A tool's name as every provider takes it, letters, digits, `_` and `-`, at most 64; `None` if it is one.
fn plain_name(name: &str) -> Option<Cow<'static, str>> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.len() <= 64 && name.chars().all(plain) {
        return None;
    }
    let name: String = name.chars().take(64).map(|c| if plain(c) { c } else { '_' }).collect();
    Some(if name.is_empty() { Cow::Borrowed("tool") } else { Cow::Owned(name) })
}

/// The words of a system prompt: a string, a list of blocks, or Gemini's parts.
fn system_text(raw: &str) -> String {
    let node = Node::parse(raw).map(Node::object).unwrap_or_default();
    match node.field("parts") {
        Some(parts) => readable(parts.raw()).into_owned(),
        None => readable(raw).into_owned(),
    }
}

/// The image or document that a block of any format holds.
fn media(node: Node<'_>) -> Option<Media<'_>> {
    let members = node.object();
    // The block itself, or the one object in it that holds the data.
    let inner = [
        "source",
        "image_url",
        "inlineData",
        "inline_data",
        "fileData",
        "file_data",
        "image",
        "document",
    ]
    .iter()
    .find_map(|key| members.field(key));
    let object = inner.filter(|inner| inner.is_object()).map(Node::object).unwrap_or_default();
    let bedrock = object.field("source").map(Node::object).unwrap_or_default();
    let all = [&object, &members, &bedrock];
    let first = |keys: &[&str]| {
        all.iter().find_map(|object| keys.iter().find_map(|key| object.string(key)))
    };
    let mime = first(&["media_type", "mediaType", "mimeType", "mime_type"])
        .or_else(|| object.string("format").map(|format| Cow::Owned(format!("image/{format}"))));
    let mut mime = mime.unwrap_or_default();
    let direct = inner.and_then(Node::string);
    let data = direct.or_else(|| {
        first(&["data", "url", "bytes", "fileUri", "file_uri", "image_url", "file_data"])
    })?;
    if let Some(rest) = data.strip_prefix("data:") {
        let (head, base64) = rest.split_once(";base64,")?;
        mime = Cow::Owned(head.to_string());
        return Some(Media { mime, data: Cow::Owned(base64.to_string()), address: false });
    }
    let address = data.contains("://");
    Some(Media { mime, data, address })
}
