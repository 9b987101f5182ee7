//! Attributes of OpenInference, flattened (`llm.input_messages.0.message.role`), nested, or both: each record is a span,
//! and its messages are rebuilt into those of Chat Completions.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::lines::Line;
use super::log::{self, Candidate, Log};
use super::turn::{Media, Piece, Turn};
use super::waiting::Waiting;
use crate::json::{Node, Object};
use crate::transcript::{Format, Id, Role, Weight, readable};

/// The lists of messages: what was sent, and what came back.
const LISTS: [&str; 2] = ["llm.input_messages", "llm.output_messages"];
const MODEL: &str = "llm.model_name";
const TOKENS: [&str; 2] = ["llm.token_count.prompt", "llm.token_count.completion"];

/// Whether an object is a record of it.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    let inner = candidate.members.field("attributes").map(Node::object).unwrap_or_default();
    [candidate.members, &inner].into_iter().any(|members| {
        let nested = members.field("llm").map(Node::object).unwrap_or_default();
        let flat = |key: &str| {
            let key = key.strip_prefix("attributes.").unwrap_or(key);
            LISTS.iter().any(|list| key.starts_with(list))
        };
        nested.has("input_messages")
            || nested.has("output_messages")
            || members.iter().any(|(key, _)| flat(key))
    })
}

/// The talks in its lines: each span holds one.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    lines.iter().filter_map(span).collect()
}

fn span(line: &Line<'_>) -> Option<Log> {
    let members = line.node?.object();
    let name = members.string("name");
    let attributes = flattened(members);
    let fields = || attributes.iter().map(|(path, node)| (&**path, *node));
    let mut talk = Talk { line: line.number, ..Talk::default() };
    for message in numbered(fields(), LISTS[0], "message").values() {
        talk.message(message);
    }
    let sent = talk.turns.len();
    for message in numbered(fields(), LISTS[1], "message").values() {
        talk.message(message);
    }
    if talk.turns.is_empty() {
        return None;
    }
    let count = |key: &str| attributes.get(key).and_then(|node| node.integer());
    let tokens = |key| u32::try_from(count(key).unwrap_or(0)).unwrap_or(u32::MAX);
    if let Some(answer) = talk.turns.get_mut(sent).filter(|_| tokens(TOKENS[0]) > 0) {
        answer.usage = Some((tokens(TOKENS[0]), tokens(TOKENS[1])));
    }
    let label = format!("{}, record {}", name.as_deref().unwrap_or("span"), line.number);
    let mut log = Log::of_turns(label, Format::OpenAiChat, &talk.turns);
    log.model = attributes.get(MODEL).and_then(|node| node.string()).map(Cow::into_owned);
    let told = [
        (talk.nameless, "missing-id", "calls and results have no id; they pair by name and order"),
        (talk.sealed, "left-out", "seals of reasoning have no place in Chat and were left out"),
    ];
    for (count, code, what) in told.into_iter().filter(|told| told.0 > 0) {
        log.findings.push(log::finding(code, Weight::Note, line, format!("{count} {what}.")));
    }
    Some(log)
}

type Fields<'f, 'a> = BTreeMap<&'f str, Node<'a>>;

/// The attributes that are looked for by their paths, whether they stand flat or in one another.
fn flattened<'a>(members: Object<'a>) -> BTreeMap<String, Node<'a>> {
    let wanted = |path: &str| {
        let known = LISTS.iter().chain(&TOKENS).chain([&MODEL]);
        known.into_iter().any(|known| known.starts_with(path) || path.starts_with(known))
    };
    // The words of somebody are opened no further.
    let whole =
        |path: &str| path.ends_with("arguments") || path.ends_with(".content") || path.len() > 200;
    let mut found = BTreeMap::new();
    let mut open = Vec::from([(String::new(), members)]);
    while let Some((prefix, members)) = open.pop() {
        let mut add = |key: &str, node: Node<'a>| {
            let path = if prefix.is_empty() { key.into() } else { format!("{prefix}.{key}") };
            let path = path.strip_prefix("attributes.").unwrap_or(&path).to_string();
            if path == "attributes" {
                open.push((String::new(), node.object()));
            } else if !wanted(&path) {
            } else if node.is_object() && !whole(&path) {
                open.push((path, node.object()));
            } else if node.is_array() && !whole(&path) {
                let elements = node.array().into_iter().enumerate();
                open.push((path, elements.map(|(at, it)| (at.to_string().into(), it)).collect()));
            } else if !node.is_null() {
                found.insert(path, node);
            }
        };
        for (key, node) in members.iter() {
            add(key, node);
        }
    }
    found
}

/// The elements of a flattened list, in the order of their numbers. Each may stand under the name of its kind.
fn numbered<'f, 'a>(
    fields: impl Iterator<Item = (&'f str, Node<'a>)>,
    list: &str,
    kind: &str,
) -> BTreeMap<u32, Fields<'f, 'a>> {
    let mut found: BTreeMap<u32, Fields<'f, 'a>> = BTreeMap::new();
    for (path, node) in fields {
        let inside = path.strip_prefix(list).and_then(|rest| rest.strip_prefix('.'));
        let Some((number, rest)) = inside.and_then(|rest| rest.split_once('.')) else { continue };
        let Ok(number) = number.parse() else { continue };
        let rest = rest.strip_prefix(kind).and_then(|rest| rest.strip_prefix('.')).unwrap_or(rest);
        found.entry(number).or_default().insert(rest, node);
    }
    found
}

/// The turns of a span in the making.
#[derive(Default)]
struct Talk<'a> {
    turns: Vec<Turn<'a>>,
    line: u32,
    ids: Vec<String>,
    known: BTreeMap<String, Id>,
    waiting: Waiting,
    /// Calls and results without an id.
    nameless: usize,
    /// How many ids were made up for the message that is read.
    places: usize,
    /// Signatures and sealed reasoning.
    sealed: usize,
}

impl<'a> Talk<'a> {
    fn message(&mut self, fields: &Fields<'_, 'a>) {
        self.places = 0;
        let role = match &*words(fields, "role").unwrap_or_default() {
            "assistant" | "model" | "ai" => Role::Assistant,
            "system" | "developer" => Role::System,
            "tool" | "function" => Role::Tool,
            _ => Role::User,
        };
        if role == Role::Tool {
            let result = self.result(fields);
            let mut turn = Turn::new(Role::User, self.line);
            turn.pieces.push(result);
            return self.turns.push(turn);
        }
        let goes_on = self.turns.last().is_some_and(|turn| turn.role == Role::Assistant);
        if role == Role::Assistant && !goes_on {
            self.waiting.clear();
        }
        let pieces = self.pieces(fields);
        let mut turn = Turn::new(role, self.line);
        turn.pieces = pieces;
        self.turns.push(turn);
    }

    fn pieces(&mut self, fields: &Fields<'_, 'a>) -> Vec<Piece<'a>> {
        let all = || fields.iter().map(|(&path, &node)| (path, node));
        let mut pieces = Vec::new();
        for part in numbered(all(), "contents", "message_content").values() {
            self.content(part, &mut pieces);
        }
        let spoken = pieces.iter().any(|piece| matches!(piece, Piece::Text(_)));
        let text = words(fields, "content").filter(|text| !spoken && !text.is_empty());
        pieces.splice(0..0, text.map(Piece::Text));
        // The list of calls says again what the contents say, in their order; without ids that is all there is to tell by.
        let told = pieces.iter().filter_map(|piece| match piece {
            Piece::Call { id, .. } => Some(id.clone()),
            _ => None,
        });
        let told: BTreeSet<Cow<'a, str>> = told.collect();
        for (at, call) in numbered(all(), "tool_calls", "tool_call").values().enumerate() {
            let again = match words(call, "id").filter(|id| !id.is_empty()) {
                Some(id) => told.contains(&id),
                None => at < told.len(),
            };
            if !again {
                let call = self.call(call, "");
                pieces.push(call);
            }
        }
        if let Some(name) = words(fields, "function_call_name") {
            let arguments = words(fields, "function_call_arguments_json").unwrap_or_default();
            let id = self.made_up(&name);
            pieces.push(Piece::Call { id: id.into(), name, arguments });
        }
        pieces
    }

    /// An element of the ordered contents.
    fn content(&mut self, part: &Fields<'_, 'a>, pieces: &mut Vec<Piece<'a>>) {
        let sealed = ["signature", "data", "encrypted_content"];
        self.sealed += sealed.iter().filter(|key| part.contains_key(*key)).count();
        let text = words(part, "text");
        let address = part.keys().find(|path| path.rsplit('.').next() == Some("url"));
        match &*words(part, "type").unwrap_or_default() {
            "tool_use" | "tool_call" => {
                let call = self.call(part, "tool_call.");
                pieces.push(call);
            }
            "reasoning" => {
                pieces.extend(text.map(|text| Piece::Thinking { text, signature: None }));
            }
            _ => match (text, address.and_then(|path| words(part, path))) {
                (Some(text), _) => pieces.push(Piece::Text(text)),
                (None, Some(url)) => pieces.push(Piece::Media(media(&url))),
                (None, None) => {}
            },
        }
    }

    fn call(&mut self, fields: &Fields<'_, 'a>, prefix: &str) -> Piece<'a> {
        let word = |key: &str| words(fields, &format!("{prefix}{key}"));
        self.sealed += usize::from(word("reasoning_signature").is_some());
        let name = word("function.name").unwrap_or_default();
        let arguments = word("function.arguments").unwrap_or("{}".into());
        let id = match word("id").filter(|id| !id.is_empty()) {
            Some(id) => {
                let known = self.id(&id);
                self.waiting.add(known, name.to_string(), true);
                id
            }
            None => self.made_up(&name).into(),
        };
        Piece::Call { id, name, arguments }
    }

    fn result(&mut self, fields: &Fields<'_, 'a>) -> Piece<'a> {
        let name = words(fields, "name").unwrap_or_default();
        let mut text = words(fields, "content").unwrap_or_default();
        if text.is_empty() {
            let all = fields.iter().map(|(&path, &node)| (path, node));
            let parts = numbered(all, "contents", "message_content");
            let parts: Vec<_> = parts.values().filter_map(|part| words(part, "text")).collect();
            text = parts.join("\n").into();
        }
        let told = words(fields, "tool_call_id").filter(|id| !id.is_empty());
        let id = if let Some(id) = told {
            let known = self.id(&id);
            self.waiting.answered(known);
            id
        } else {
            self.nameless += 1;
            let waiting = self.waiting.take(&name).or_else(|| self.waiting.take_nameless());
            match waiting {
                Some(id) => Cow::Owned(self.ids[id.0 as usize].clone()),
                None => self.place().into(),
            }
        };
        Piece::Result { id, name, text, error: false }
    }

    /// The id of a call that has none: its place.
    fn made_up(&mut self, name: &str) -> String {
        self.nameless += 1;
        let place = self.place();
        let id = self.id(&place);
        self.waiting.add(id, name.to_string(), false);
        place
    }

    fn place(&mut self) -> String {
        self.places += 1;
        format!("#{}.{}", self.turns.len(), self.places - 1)
    }

    fn id(&mut self, name: &str) -> Id {
        if let Some(&id) = self.known.get(name) {
            return id;
        }
        let id = Id(self.ids.len() as u32);
        self.ids.push(name.into());
        self.known.insert(name.into(), id);
        id
    }
}

/// The value under `key` in words: a string as it is, anything else as a person reads it.
fn words<'a>(fields: &Fields<'_, 'a>, key: &str) -> Option<Cow<'a, str>> {
    fields.get(key).map(|node| readable(node.raw()))
}

fn media(url: &str) -> Media<'static> {
    let inline = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    let (mime, data) = inline.unwrap_or(("", url));
    Media {
        mime: mime.to_string().into(),
        data: data.to_string().into(),
        address: inline.is_none(),
    }
}
