//! A recorded stream of AI SDK UI message chunks, put together into the `UIMessage`s that they build.
//!
//! The parts come out in the order in which their chunks open them, as `readUIMessageStream` of the SDK has it.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::lines::Line;
use super::log::{Aside, Candidate, Log};
use crate::json::{Node, Object, quote};
use crate::transcript::Format;

/// The types that only these chunks have.
const OWN: [&str; 15] = [
    "start-step",
    "finish-step",
    "text-start",
    "text-delta",
    "text-end",
    "reasoning-start",
    "reasoning-delta",
    "reasoning-end",
    "tool-input-start",
    "tool-input-delta",
    "tool-input-available",
    "tool-input-error",
    "tool-approval-request",
    "tool-output-available",
    "tool-output-error",
];

/// Whether an object is a chunk.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    let kind = candidate.members.string("type").unwrap_or_default();
    OWN.contains(&&*kind)
}

/// The messages of a stream.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let mut stream = Stream::default();
    for (line, chunk) in aside.records(lines) {
        let kind = chunk.string("type").unwrap_or_default();
        if !stream.take(&kind, &chunk, &line) {
            match &*kind {
                "finish" | "abort" | "error" | "message-metadata" => aside.not_sent(&kind, &line),
                _ => aside.unknown(&kind, &line),
            }
        }
    }
    let entries: Vec<(u32, String)> =
        stream.messages.iter().map(|message| (message.line, message.write())).collect();
    let label = String::from("the streamed messages");
    aside.told_in(Vec::from([Log::of_entries(label, Format::AiSdkUi, &entries)]))
}

#[derive(Default)]
struct Stream<'a> {
    messages: Vec<Message<'a>>,
}

struct Message<'a> {
    line: u32,
    id: Cow<'a, str>,
    parts: Vec<Part<'a>>,
    /// The part that grows under an id, by its kind.
    open: BTreeMap<(bool, Cow<'a, str>), usize>,
}

enum Part<'a> {
    /// A part that came whole, as it is written.
    Whole(String),
    /// `text` or `reasoning`.
    Text {
        kind: &'static str,
        text: String,
    },
    Tool(Tool<'a>),
}

#[derive(Default)]
struct Tool<'a> {
    id: Cow<'a, str>,
    name: Cow<'a, str>,
    dynamic: bool,
    state: &'static str,
    /// The input as it grew, in characters.
    typed: String,
    input: Option<Node<'a>>,
    /// What came back: the key and the value.
    output: Option<(&'static str, Node<'a>)>,
    approval: Option<Node<'a>>,
}

impl<'a> Stream<'a> {
    /// The message that is open; a stream that was cut off at its start has none yet.
    fn message(&mut self, line: &Line<'_>) -> &mut Message<'a> {
        if self.messages.is_empty() {
            self.begin(line, Cow::Borrowed(""));
        }
        let newest = self.messages.len() - 1;
        &mut self.messages[newest]
    }

    fn begin(&mut self, line: &Line<'_>, id: Cow<'a, str>) {
        let (parts, open) = (Vec::new(), BTreeMap::new());
        self.messages.push(Message { line: line.number, id, parts, open });
    }

    /// Takes a chunk; whether it is of a known kind.
    fn take(&mut self, kind: &str, chunk: &Object<'a>, line: &Line<'a>) -> bool {
        if kind == "start" {
            self.begin(line, chunk.string("messageId").unwrap_or_default());
            return true;
        }
        let message = self.message(line);
        if let Some(step) = kind.strip_prefix("text-") {
            message.text("text", step, chunk);
        } else if let Some(step) = kind.strip_prefix("reasoning-") {
            message.text("reasoning", step, chunk);
        } else if kind == "start-step" {
            message.parts.push(Part::Whole("{\"type\":\"step-start\"}".into()));
        } else if kind == "finish-step" {
            // A text that goes on under the same id in the next step is a part of its own.
            message.open.retain(|(tool, _), _| *tool);
        } else if kind.starts_with("tool-") {
            return message.tool(kind, chunk);
        } else if matches!(kind, "file" | "source-url" | "source-document")
            || kind.starts_with("data-")
        {
            message.parts.push(Part::Whole(line.text.into()));
        } else {
            return false;
        }
        true
    }
}

impl<'a> Message<'a> {
    fn text(&mut self, kind: &'static str, step: &str, chunk: &Object<'a>) {
        let key = (false, chunk.string("id").unwrap_or_default());
        if step == "start" || !self.open.contains_key(&key) && step == "delta" {
            self.open.insert(key.clone(), self.parts.len());
            self.parts.push(Part::Text { kind, text: String::new() });
        }
        let at = self.open.get(&key).copied();
        if let (Some(Part::Text { text, .. }), Some(delta)) =
            (at.and_then(|at| self.parts.get_mut(at)), chunk.string("delta"))
        {
            text.push_str(&delta);
        }
    }

    fn tool(&mut self, kind: &str, chunk: &Object<'a>) -> bool {
        let id = chunk.string("toolCallId").unwrap_or_default();
        let next = self.parts.len();
        let at = *self.open.entry((true, id.clone())).or_insert(next);
        if at == next {
            self.parts.push(Part::Tool(Tool { id, ..Tool::default() }));
        }
        let Some(Part::Tool(tool)) = self.parts.get_mut(at) else { return false };
        if let Some(name) = chunk.string("toolName") {
            tool.name = name;
        }
        tool.dynamic |= chunk.is_true("dynamic");
        tool.input = chunk.field("input").or(tool.input);
        let state = match kind {
            "tool-input-start" => "input-streaming",
            "tool-input-delta" => {
                tool.typed.push_str(&chunk.string("inputTextDelta").unwrap_or_default());
                "input-streaming"
            }
            "tool-input-available" => "input-available",
            "tool-approval-request" => {
                tool.approval = chunk.field("approvalId");
                "approval-requested"
            }
            "tool-output-available" => {
                tool.output = chunk.field("output").map(|node| ("output", node));
                "output-available"
            }
            "tool-input-error" | "tool-output-error" => {
                tool.output = chunk.field("errorText").map(|node| ("errorText", node));
                "output-error"
            }
            "tool-output-denied" => "output-denied",
            _ => return false,
        };
        tool.state = state;
        true
    }

    fn write(&self) -> String {
        let parts: Vec<String> = self.parts.iter().map(Part::write).collect();
        let id = match &*self.id {
            "" => String::new(),
            id => format!("\"id\":{},", quote(id)),
        };
        format!("{{{id}\"role\":\"assistant\",\"parts\":[{}]}}", parts.join(","))
    }
}

impl Part<'_> {
    fn write(&self) -> String {
        match self {
            Self::Whole(text) => text.clone(),
            Self::Text { kind, text } => {
                format!("{{\"type\":\"{kind}\",\"text\":{},\"state\":\"done\"}}", quote(text))
            }
            Self::Tool(tool) => tool.write(),
        }
    }
}

impl Tool<'_> {
    fn write(&self) -> String {
        let mut members: Vec<String> = Vec::new();
        let mut add = |key: &str, value: &str| members.push(format!("\"{key}\":{value}"));
        if self.dynamic {
            add("type", "\"dynamic-tool\"");
            add("toolName", &quote(&self.name));
        } else {
            add("type", &quote(&format!("tool-{}", self.name)));
        }
        add("toolCallId", &quote(&self.id));
        add("state", &quote(self.state));
        // What was typed is JSON once it is whole; until then it is kept as the text that it is.
        let typed = Node::parse(&self.typed).map(|node| node.raw().into());
        let typed = typed.unwrap_or_else(|_| quote(&self.typed));
        let input = self.input.map(Node::raw);
        if input.is_some() || !self.typed.is_empty() {
            add("input", input.unwrap_or(&typed));
        }
        if let Some((key, value)) = self.output {
            add(key, value.raw());
        }
        if let Some(approval) = self.approval {
            add("approval", &format!("{{\"id\":{}}}", approval.raw()));
        }
        format!("{{{}}}", members.join(","))
    }
}
