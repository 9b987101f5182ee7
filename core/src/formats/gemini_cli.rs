//! Gemini CLI sessions: one document, or JSON Lines that change it record by record.
//!
//! A message is written again, under its id, whenever it grew: the last one counts and keeps the place of the first.
//! `$rewindTo` takes back a message and all after it. Parts are carried byte for byte; a call holds its result.
//! Source: `chatRecordingTypes.ts` of gemini-cli.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::lines::Line;
use super::log::{self, Aside, Candidate, Log};
use crate::json::{Node, Object, quote};
use crate::transcript::{Format, Usage, Weight};

/// Whether an object is a record of it.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    let members = candidate.members;
    let kind = members.string("type").unwrap_or_default();
    ["sessionId", "projectHash"].iter().all(|key| members.has(key))
        || ["$set", "$rewindTo"].iter().any(|key| members.has(key))
        || KINDS.contains(&&*kind)
            && ["id", "timestamp", "content"].iter().all(|key| members.has(key))
}

/// What a message may be; only the first two are sent.
const KINDS: [&str; 5] = ["user", "gemini", "info", "error", "warning"];

/// The talk in its lines.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let mut messages = Messages { list: Vec::new(), places: BTreeMap::new() };
    for (line, members) in aside.records(lines) {
        if let Some(set) = members.field("$set") {
            if let Some(list) = set.object().field("messages").filter(|list| list.is_array()) {
                messages.clear();
                messages.add_all(list, &line);
            }
            aside.not_sent("$set", &line);
        } else if let Some(id) = members.string("$rewindTo") {
            messages.rewind(&id);
            aside.tell("rewound", &line, "The session was taken back to an earlier message.");
        } else if members.has("projectHash") {
            match members.field("messages").filter(|list| list.is_array()) {
                Some(list) => messages.add_all(list, &line),
                None => aside.not_sent("header", &line),
            }
        } else {
            messages.add(line, members);
        }
    }
    let mut talk = Talk { entries: Vec::new(), usage: Vec::new(), model: None };
    for (line, message) in &messages.list {
        talk.message(line, message, &mut aside);
    }
    let log = Log {
        current: true,
        usage: talk.usage,
        model: talk.model.map(Cow::into_owned),
        ..Log::of_entries("the session".into(), Format::Gemini, &talk.entries)
    };
    aside.told_in([log].into())
}

/// The messages in the order of their first lines.
struct Messages<'a> {
    list: Vec<(Line<'a>, Object<'a>)>,
    places: BTreeMap<String, usize>,
}

impl<'a> Messages<'a> {
    fn clear(&mut self) {
        self.list.clear();
        self.places.clear();
    }

    /// The messages of a document.
    fn add_all(&mut self, list: Node<'a>, document: &Line<'a>) {
        for (line, message) in log::elements(document, list) {
            self.add(line, message);
        }
    }

    fn add(&mut self, line: Line<'a>, message: Object<'a>) {
        let id = message.string("id").filter(|id| !id.is_empty());
        let Some(id) = id else { return self.list.push((line, message)) };
        if let Some(&place) = self.places.get(&*id) {
            self.list[place] = (line, message);
        } else {
            self.places.insert(id.into_owned(), self.list.len());
            self.list.push((line, message));
        }
    }

    /// Takes back the message of that id and all after it; all, if it is not known.
    fn rewind(&mut self, id: &str) {
        let first = self.places.get(id).copied().unwrap_or(0);
        for (_, message) in self.list.drain(first..) {
            if let Some(id) = message.string("id") {
                self.places.remove(&*id);
            }
        }
    }
}

struct Talk<'a> {
    entries: Vec<(u32, String)>,
    usage: Vec<Usage>,
    model: Option<Cow<'a, str>>,
}

impl<'a> Talk<'a> {
    fn message(&mut self, line: &Line<'a>, message: &Object<'a>, aside: &mut Aside<'a>) {
        let kind = message.string("type").unwrap_or_default();
        match &*kind {
            "user" => self.add(line, "user", &parts(message.field("content"))),
            "gemini" => self.response(line, message, aside),
            _ if KINDS.contains(&&*kind) => aside.not_sent(&kind, line),
            _ => aside.unknown(&kind, line),
        }
    }

    fn add(&mut self, line: &Line<'a>, role: &str, parts: &[Cow<'a, str>]) {
        if !parts.is_empty() {
            let parts = parts.join(",");
            self.entries
                .push((line.number, format!("{{\"role\":\"{role}\",\"parts\":[{parts}]}}")));
        }
    }

    /// A response: its thoughts, its words, its calls; and the results that stand with them.
    fn response(&mut self, line: &Line<'a>, message: &Object<'a>, aside: &mut Aside<'a>) {
        let list = |key: &str| message.field(key).map(Node::array).unwrap_or_default();
        let mut said: Vec<Cow<'a, str>> = Vec::new();
        for thought in list("thoughts") {
            let thought = thought.object();
            let word = |key: &str| thought.string(key).unwrap_or_default();
            let text = format!("**{}**\n{}", word("subject"), word("description"));
            said.push(format!("{{\"text\":{},\"thought\":true}}", quote(&text)).into());
        }
        said.extend(parts(message.field("content")));
        let mut results = Vec::new();
        let calls = list("toolCalls");
        if !calls.is_empty() {
            let says = "The calls of a response stand without the thought signature, which a session does not record; \
                        Gemini 3 demands it in the newest turn.";
            aside.tell("no-signature", line, says);
        }
        for node in calls {
            let call = node.object();
            let raw = |key: &str| call.field(key).map_or("null", Node::raw);
            let (id, name) = (raw("id"), raw("name"));
            let args = call.field("args").filter(|args| args.is_object()).map_or("{}", Node::raw);
            said.push(
                format!("{{\"functionCall\":{{\"id\":{id},\"name\":{name},\"args\":{args}}}}}")
                    .into(),
            );
            let outcome = call.field("result").filter(|outcome| !outcome.is_null());
            match outcome {
                Some(outcome) if outcome.string().is_some() => {
                    let output = outcome.raw();
                    results.push(Cow::Owned(format!(
                        "{{\"functionResponse\":{{\"id\":{id},\"name\":{name},\"response\":{{\"output\":{output}}}}}}}"
                    )));
                }
                Some(_) => results.extend(parts(outcome)),
                None => {
                    let status = call.string("status").unwrap_or_default();
                    let message = format!(
                        "The call {id} on line {} has no result (status {status:?}).",
                        line.number
                    );
                    aside.note("no-result", Weight::Note, line, message);
                }
            }
        }
        let tokens = message.field("tokens").map(Node::object).unwrap_or_default();
        let input = log::tokens(&tokens, &["input"]);
        if input > 0 && !said.is_empty() {
            let output = log::tokens(&tokens, &["output", "thoughts"]);
            self.usage.push(Usage { entry: self.entries.len() as u32, input, output });
        }
        self.model = message.string("model").or(self.model.take());
        self.add(line, "model", &said);
        self.add(line, "user", &results);
    }
}

/// The parts of a `PartListUnion`: a text, a part, or a list of both.
fn parts<'a>(content: Option<Node<'a>>) -> Vec<Cow<'a, str>> {
    let Some(content) = content else { return Vec::new() };
    let nodes = if content.is_array() { content.array() } else { [content].into() };
    let part = |node: Node<'a>| match node.string() {
        Some(text) if text.is_empty() => None,
        Some(_) => Some(Cow::Owned(format!("{{\"text\":{}}}", node.raw()))),
        None => node.is_object().then_some(Cow::Borrowed(node.raw())),
    };
    nodes.into_iter().filter_map(part).collect()
}
