//! A transcript written in another provider's format, with a list of what that format cannot hold.
//!
//! Nothing that pairing needs is lost: every call and every result arrives, each result right behind the response of its
//! call, under ids that the other provider takes. What is bound to its provider (sealed reasoning, its own settings) stays
//! behind and is named.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use crate::exchange::Structure;
use crate::formats::turn::{Media, Piece, Turn, write};
use crate::json::{Node, quote};
use crate::pairing::Place;
use crate::provider::Provider;
use crate::repair::{ids, rename_ids};
use crate::rules::made_up;
use crate::transcript::{Format, Part, PartKind, Role, Transcript, readable};

/// A converted transcript.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Converted {
    /// It as text: a list of entries, or a request where the system prompt has no place in the list.
    pub text: String,
    /// The format it is written in.
    pub format: Format,
    /// What did not come along, in the order of the entries.
    pub dropped: Vec<Dropped>,
}

/// Something that the other format cannot hold.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Dropped {
    /// A stable name in kebab-case: `thinking`, `media`, `part`, `arguments`, `error-mark`, `server-pair`,
    /// `system-place`, `settings`, `tool-name`.
    pub what: &'static str,
    /// The entry of the input; `None` for the request around the entries.
    pub entry: Option<usize>,
    /// What was lost, and what stands there now.
    pub message: String,
}

/// Why a transcript cannot be converted.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ConvertError {
    /// Logs are read, not written.
    Log(Format),
}

impl ConvertError {
    /// A stable name in kebab-case.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Log(_) => "not-a-message-format",
        }
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log(format) => {
                write!(
                    f,
                    "Nothing is written as {:?}, which is a log: name a format of messages, such as",
                    format.name()
                )?;
                let writable = Format::ALL.into_iter().filter(|format| is_written(*format));
                for (index, format) in writable.enumerate() {
                    write!(f, "{} {:?}", if index == 0 { "" } else { "," }, format.name())?;
                }
                f.write_str(".")
            }
        }
    }
}

impl core::error::Error for ConvertError {}

/// Whether transcripts can be written in `format`.
fn is_written(format: Format) -> bool {
    !format.is_log() && format != Format::Cline
}

/// Writes `transcript` in `format` for `provider`, whose ids it takes; without one, for the format's own.
///
/// # Errors
/// When `format` is that of a log.
pub fn convert(
    transcript: &Transcript,
    format: Format,
    provider: Option<Provider>,
) -> Result<Converted, ConvertError> {
    if !is_written(format) {
        return Err(ConvertError::Log(format));
    }
    let fits = Provider::of_wire(format);
    let provider = provider.filter(|provider| fits.contains(provider)).unwrap_or(fits[0]);
    let structure = Structure::of(transcript);
    let names = names(transcript, &structure, provider);
    if format == transcript.wire() && is_plain(transcript) {
        // Written like this already: every byte stays but those of ids.
        let text = rename_ids(transcript, &structure, &names);
        return Ok(Converted { text, format, dropped: Vec::new() });
    }
    let called = structure.pairing.pairs().map(|(call, answer)| (answer, call.place)).collect();
    let dropped = Vec::new();
    let mut carrier =
        Carrier { transcript, structure: &structure, names, called, format, provider, dropped };
    let mut turns = carrier.turns();
    let system = carrier.system(&mut turns);
    carrier.settings();
    turns.retain(|turn| !turn.pieces.is_empty());
    if format == Format::Bedrock {
        alternate(&mut turns);
    }
    let entries: Vec<String> = write(format, &turns).into_iter().map(|(_, entry)| entry).collect();
    let text = frame(format, &system, &format!("[\n{}\n]", entries.join(",\n")));
    let mut dropped = carrier.dropped;
    dropped.sort_by_key(|dropped| dropped.entry.map_or(usize::MAX, |entry| entry));
    Ok(Converted { text, format, dropped })
}

/// Whether every entry is of its format's own making, so that another provider of that format can take it as it stands.
fn is_plain(transcript: &Transcript) -> bool {
    let foreign =
        ["bare-call", "missing-id", "two-views", "unknown-block", "unknown-role", "untyped-block"];
    let silent =
        |part: &Part| matches!(part.kind, PartKind::Result { .. }) && part.body.range().is_empty();
    let is_silent = |entry: usize| transcript.parts(entry).iter().any(silent);
    !transcript.findings().iter().any(|finding| foreign.contains(&finding.code))
        && !transcript.ids.iter().any(|id| made_up(id))
        && !(0..transcript.len()).any(is_silent)
}

/// The id of each call and result, where it must be another one: of a form that the provider takes, and where it wants ids
/// to be unique, for each call its own.
fn names(
    transcript: &Transcript,
    structure: &Structure,
    provider: Provider,
) -> BTreeMap<Place, String> {
    let unique = provider == Provider::Anthropic || provider == Provider::Bedrock;
    let mut taken: BTreeSet<String> = transcript.ids.iter().cloned().collect();
    let mut seen = BTreeSet::new();
    let mut mapped: BTreeMap<_, String> = BTreeMap::new();
    let mut names = BTreeMap::new();
    for call in &structure.pairing.calls {
        let old = transcript.id(call.id);
        let form = ids::form(provider, false);
        let again = !seen.insert(call.id);
        let new = if again && unique {
            form.fresh(old, &mut taken)
        } else if form.fits(old) {
            continue;
        } else {
            mapped.entry(call.id).or_insert_with(|| form.fresh(old, &mut taken)).clone()
        };
        names.extend(call.answer.map(|answer| (answer, new.clone())));
        names.insert(call.place, new);
    }
    for stray in &structure.pairing.strays {
        let old = transcript.id(stray.id);
        let form = ids::form(provider, false);
        if !form.fits(old) {
            let new = mapped.entry(stray.id).or_insert_with(|| form.fresh(old, &mut taken));
            names.insert(stray.place, new.clone());
        }
    }
    names
}

/// Carries a transcript over.
struct Carrier<'a> {
    transcript: &'a Transcript,
    structure: &'a Structure,
    names: BTreeMap<Place, String>,
    /// Of each result the place of its call.
    called: BTreeMap<Place, Place>,
    format: Format,
    provider: Provider,
    dropped: Vec<Dropped>,
}

impl<'a> Carrier<'a> {
    /// The turns: adjacent entries of the model are one response, and its results follow it in the order of its calls.
    fn turns(&mut self) -> Vec<Turn<'a>> {
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
    fn system(&mut self, turns: &mut Vec<Turn<'a>>) -> Vec<String> {
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
    fn settings(&mut self) {
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

/// Neighbours of one role become one turn.
fn alternate(turns: &mut Vec<Turn<'_>>) {
    let mut merged: Vec<Turn<'_>> = Vec::with_capacity(turns.len());
    for turn in turns.drain(..) {
        match merged.last_mut() {
            Some(last) if last.role == turn.role => last.pieces.extend(turn.pieces),
            _ => merged.push(turn),
        }
    }
    *turns = merged;
}

/// The list by itself, or in a request with its system prompt.
fn frame(format: Format, system: &[String], list: &str) -> String {
    if system.is_empty() {
        return format!("{list}\n");
    }
    let text = system.join("\n\n");
    let text = quote(&text);
    match format {
        Format::Gemini => {
            format!(
                "{{\"systemInstruction\":{{\"parts\":[{{\"text\":{text}}}]}},\"contents\":{list}}}\n"
            )
        }
        Format::Bedrock => format!("{{\"system\":[{{\"text\":{text}}}],\"messages\":{list}}}\n"),
        _ => format!("{{\"system\":{text},\"messages\":{list}}}\n"),
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
