//! The transcripts in a text: a list, a request around it, a data set of them, a recorded cassette, a log.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::ReadError;
use super::detect::{self, Detected};
use super::lines::{self, Line};
use super::log::{self, Candidate, Log, Reader};
use crate::json::{self, Node, Object};
use crate::transcript::{Finding, Format, Span, Weight};

/// One transcript in a text, not yet read.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// What tells it from its neighbours.
    pub label: String,
    /// Its format, and how sure that is.
    pub detected: Detected,
    /// The number of its entries.
    pub entries: usize,
    pub(super) current: bool,
    /// What was left aside on the way to it.
    pub(super) aside: Vec<Finding>,
    pub(super) body: Body<'a>,
}

impl Document<'_> {
    /// Where in `text`, in which it was found, it begins; `None` if it was rebuilt or decoded.
    pub(super) fn place_in(&self, text: &str) -> Option<usize> {
        match &self.body {
            Body::Text(Cow::Borrowed(own), _) => {
                (own.as_ptr() as usize).checked_sub(text.as_ptr() as usize)
            }
            _ => None,
        }
    }

    /// The text that is read: the list or request itself, or the messages rebuilt from a log.
    pub fn text(&self) -> &str {
        match &self.body {
            Body::Log(log) => &log.text,
            Body::Text(text, _) => text,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Body<'a> {
    Log(Log),
    Text(Cow<'a, str>, Layout),
}

/// The keys under which a request keeps its entries.
const LIST_KEYS: &[&str] = &["messages", "input", "contents"];

/// A list of entries in its text, with the request around it.
#[derive(Debug, Default)]
pub(super) struct List<'a> {
    pub(super) nodes: Vec<Node<'a>>,
    /// The other members of the request.
    pub(super) members: Object<'a>,
    /// The key of the list; `None` for a bare list.
    pub(super) key: Option<&'static str>,
    /// Whether it is a whole request.
    pub(super) whole: bool,
    /// Where reading stopped, if the text is not whole.
    pub(super) broken: Option<usize>,
}

impl<'a> List<'a> {
    /// The list that `text` is or holds; empty if there is none.
    pub(super) fn of(text: &'a str) -> Self {
        if text.trim_start().starts_with('[') {
            let (nodes, broken) = json::elements(text);
            return Self { nodes, broken, ..Self::default() };
        }
        let found = json::envelope(text, LIST_KEYS);
        if let Some((key, nodes)) = found.list {
            let key = Some(key);
            return Self { nodes, key, members: found.members, whole: true, broken: found.broken };
        }
        // A prompt by itself; without a model beside it, a string under that key is anything.
        let prompt = found.members.field("input").filter(|input| input.string().is_some());
        match prompt.filter(|_| found.members.has("model")) {
            Some(input) => Self {
                nodes: alloc::vec![input],
                key: Some("input"),
                members: found.members,
                whole: true,
                broken: found.broken,
            },
            None => Self {
                members: found.members,
                whole: true,
                broken: found.broken,
                ..Self::default()
            },
        }
    }

    /// Where everything stands, so that the text need not be looked through again.
    fn layout(&self, text: &str) -> Layout {
        let span = |node: Node<'_>| node.span_in(text);
        Layout {
            nodes: self.nodes.iter().map(|&node| span(node)).collect(),
            members: self.members.iter().map(|(key, node)| (key.into(), span(node))).collect(),
            key: self.key,
            whole: self.whole,
            broken: self.broken,
        }
    }

    /// Whether the text breaks off before its first entry is whole.
    fn breaks_at_once(&self) -> bool {
        self.nodes.is_empty() && self.broken.is_some()
    }
}

/// A [`List`] by its places in a text.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    nodes: Vec<Span>,
    members: Vec<(String, Span)>,
    key: Option<&'static str>,
    whole: bool,
    broken: Option<usize>,
}

impl Layout {
    /// The list in `text`, which must be the text of which this is the layout.
    pub(super) fn list<'a>(&self, text: &'a str) -> List<'a> {
        let node = |span: Span| Node::at(text, span);
        let members = self.members.iter();
        List {
            nodes: self.nodes.iter().map(|&span| node(span)).collect(),
            members: members.map(|(key, span)| (Cow::Owned(key.clone()), node(*span))).collect(),
            key: self.key,
            whole: self.whole,
            broken: self.broken,
        }
    }
}

/// Every transcript in `text`, in its order.
pub(super) fn find(text: &str, format: Option<Format>) -> Result<Vec<Document<'_>>, ReadError> {
    let found = match lines::of(text) {
        Some(lines) => in_lines(&lines, format),
        None => in_text(text, format),
    };
    if found.is_empty() { Err(unknown(text, format)) } else { Ok(found) }
}

fn in_lines<'a>(lines: &[Line<'a>], format: Option<Format>) -> Vec<Document<'a>> {
    if let Some(reader) = log::reader_of(lines, format) {
        return logs(reader, lines);
    }
    let broken: Vec<Finding> =
        lines.iter().filter(|line| line.node.is_none()).map(left_out).collect();
    let mut found = Vec::new();
    for line in lines {
        let inside = line.node.map_or_else(Vec::new, |node| in_object(node, format, 0));
        found.extend(labelled(&format!("line {}", line.number), inside));
    }
    if found.is_empty() {
        // A list that is written one entry a line.
        let entries: Vec<&str> = lines.iter().filter_map(|line| line.node).map(Node::raw).collect();
        let list = format!("[{}]", entries.join(",\n"));
        found.extend(in_list(Cow::Owned(list), format));
    }
    for document in &mut found {
        document.aside.clone_from(&broken);
    }
    found
}

/// The documents with the place before their own labels.
fn labelled<'a>(place: &str, inside: Vec<Document<'a>>) -> impl Iterator<Item = Document<'a>> {
    let several = inside.len() > 1;
    inside.into_iter().map(move |document| {
        let label = if several { format!("{place}, {}", document.label) } else { place.into() };
        Document { label, ..document }
    })
}

fn left_out(line: &Line<'_>) -> Finding {
    Finding {
        code: "broken-line",
        weight: Weight::Warning,
        offset: line.offset as u32,
        line: line.number,
        message: format!("Line {} is not JSON and was left out.", line.number),
    }
}

fn logs<'a>(reader: &Reader, lines: &[Line<'_>]) -> Vec<Document<'a>> {
    let detected = Detected { format: reader.format, confidence: 1.0 };
    (reader.rebuild)(lines)
        .into_iter()
        .map(|log| Document {
            label: log.label.clone(),
            detected: detected.clone(),
            entries: log.lines.len(),
            current: log.current,
            aside: Vec::new(),
            body: Body::Log(log),
        })
        .collect()
}

fn in_text(text: &str, format: Option<Format>) -> Vec<Document<'_>> {
    let trimmed = text.trim_start();
    if trimmed.starts_with('{') {
        let list = List::of(text);
        let candidate = Candidate { node: None, members: &list.members, nodes: &list.nodes };
        if let Some(reader) = log::reader_of_document(&candidate, format) {
            return logs(reader, &lines::single(text));
        }
        return match list.key {
            Some(_) if list.breaks_at_once() => Vec::new(),
            Some(_) => document(Cow::Borrowed(text), &list, format).into_iter().collect(),
            None => in_members(&list.members, format, 0),
        };
    }
    if !trimmed.starts_with('[') {
        return Vec::new();
    }
    let list = List::of(text);
    let as_lines = list_as_lines(text, &list.nodes);
    if let Some(reader) = log::reader_of(&as_lines, format) {
        return logs(reader, &as_lines);
    }
    if list.breaks_at_once() {
        return Vec::new();
    }
    // Who names a format of messages has said what the list is, however few of its entries can be read.
    let told = format.is_some_and(|it| !it.is_log());
    let entries = told && detect::has_entry(&list.nodes);
    if list.nodes.is_empty() || entries || detect::looks_like_entries(&list.nodes) {
        return document(Cow::Borrowed(text), &list, format).into_iter().collect();
    }
    let mut found = Vec::new();
    for (index, node) in list.nodes.iter().enumerate() {
        let inside = in_object(*node, format, 0);
        found.extend(labelled(&format!("element {index}"), inside));
    }
    if found.is_empty() && told && list.nodes.iter().any(|node| node.is_object()) {
        found.extend(document(Cow::Borrowed(text), &list, format));
    }
    found
}

/// A log whose lines were parsed into one list.
fn list_as_lines<'a>(text: &str, nodes: &[Node<'a>]) -> Vec<Line<'a>> {
    let line = |(index, &node): (usize, &Node<'a>)| Line {
        offset: node.span_in(text).start as usize,
        number: index as u32 + 1,
        node: Some(node),
        text: node.raw(),
    };
    nodes.iter().enumerate().map(line).collect()
}

/// The transcripts in an object: its own, or those of its members.
fn in_object(node: Node<'_>, format: Option<Format>, depth: u8) -> Vec<Document<'_>> {
    if !node.is_object() {
        return Vec::new();
    }
    let list = List::of(node.raw());
    let candidate = Candidate { node: Some(node), members: &list.members, nodes: &list.nodes };
    if let Some(reader) = log::reader_of_document(&candidate, format) {
        let line = Line { offset: 0, number: 1, node: Some(node), text: node.raw() };
        return logs(reader, &[line]);
    }
    if list.key.is_some_and(|key| key != "input" || !list.nodes.is_empty())
        && detect::looks_like_entries(&list.nodes)
    {
        return document(Cow::Borrowed(node.raw()), &list, format).into_iter().collect();
    }
    in_members(&node.object(), format, depth)
}

/// How many wrappers are opened; real files have three at the most.
const DEPTH: u8 = 6;

/// The members that may hold a transcript.
const WRAPPERS: [&str; 10] = [
    "parsed_body",
    "body",
    "request",
    "string",
    "input",
    "messages",
    "traj",
    "gen_ai.input.messages",
    "gen_ai",
    "attributes",
];

/// The members that hold a transcript in the files people keep: a cassette's interactions and their
/// requests, a body that is JSON in a string, an example's input.
fn in_members<'a>(members: &Object<'a>, format: Option<Format>, depth: u8) -> Vec<Document<'a>> {
    if depth > DEPTH {
        return Vec::new();
    }
    if let Some(interactions) = members.field("interactions") {
        let mut found = Vec::new();
        for (index, node) in interactions.array().into_iter().enumerate() {
            let label = format!("interaction {index}");
            let request = node.object().field("request").unwrap_or(node);
            let inside = in_members(&request.object(), format, depth + 1);
            found.extend(labelled(&label, inside));
        }
        return found;
    }
    for key in WRAPPERS {
        let Some(node) = members.field(key) else { continue };
        let found = match node.string() {
            Some(inner) => in_string(inner, format),
            None if node.is_array() => {
                in_list(Cow::Borrowed(node.raw()), format).into_iter().collect()
            }
            None => in_object(node, format, depth + 1),
        };
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// A transcript that stands, as JSON, inside a JSON string.
fn in_string(inner: Cow<'_, str>, format: Option<Format>) -> Vec<Document<'_>> {
    let list = List::of(&inner);
    if !detect::looks_like_entries(&list.nodes) {
        return Vec::new();
    }
    let layout = list.layout(&inner);
    let made = detect::detect(&list, format).map(|detected| (detected, list.nodes.len()));
    made.map(|(detected, entries)| Document {
        label: String::new(),
        detected,
        entries,
        current: false,
        aside: Vec::new(),
        body: Body::Text(inner, layout),
    })
    .into_iter()
    .collect()
}

fn in_list(text: Cow<'_, str>, format: Option<Format>) -> Option<Document<'_>> {
    in_string(text, format).pop()
}

fn document<'a>(
    text: Cow<'a, str>,
    list: &List<'_>,
    format: Option<Format>,
) -> Option<Document<'a>> {
    let detected = detect::detect(list, format)?;
    let layout = list.layout(&text);
    let entries = list.nodes.len();
    Some(Document {
        label: "the list".into(),
        detected,
        entries,
        current: false,
        aside: Vec::new(),
        body: Body::Text(text, layout),
    })
}

fn unknown(text: &str, told: Option<Format>) -> ReadError {
    let trimmed = text.trim_start();
    let mut nearest = match trimmed.chars().next() {
        Some('[' | '{') => match Node::parse(text) {
            Err(at) => format!("The text stops being JSON at byte {at}, before any entry."),
            Ok(node) => detect::nearest(node),
        },
        Some(other) => format!("The text begins with {other:?}, and JSON with `[` or `{{`."),
        None => String::from("The text is blank."),
    };
    if let Some(format) = told {
        nearest = format!("It was to be read as {}. {nearest}", format.title());
    }
    ReadError::Unknown { nearest }
}
