//! GitHub Copilot CLI events: what was asked, said and executed, an event a line.
//!
//! A call stands in the message that requests it, its result in the event that ends its execution. An execution that no
//! message requests leaves a result without a call. Usage is recorded once, when the session ends.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

use super::lines::Line;
use super::log::{Aside, Candidate, Log};
use super::recorded::Stamps;
use super::stretches::{Step, Steps, arguments, image};
use super::turn::{Piece, Turn};
use crate::json::{Node, Object};
use crate::transcript::{Format, Role};

/// The families of events, and what begins their names.
const EVENTS: [&str; 10] = [
    "session.",
    "system.",
    "user.",
    "assistant.",
    "tool.",
    "hook.",
    "subagent.",
    "skill.",
    "mcp.",
    "permission.",
];

/// Whether an object is a record of it.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    let members = candidate.members;
    let kind = members.string("type").unwrap_or_default();
    let family = EVENTS.iter().any(|family| kind.starts_with(family)) || kind == "abort";
    family
        && members.field("data").is_some_and(Node::is_object)
        && members.has("timestamp")
        && members.field("parentId").is_some()
}

/// The talks in its lines: the session's, then each sub-agent's.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let mut model = None;
    let mut stamps = Stamps::default();
    let mut main = Steps::new(lines.len());
    let mut agents: BTreeMap<usize, (Cow<'_, str>, Steps<'_>)> = BTreeMap::new();
    let mut numbers: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
    for (line, members) in aside.records(lines) {
        let kind = members.string("type").unwrap_or_default();
        let data = members.field("data").map(Node::object).unwrap_or_default();
        if kind.starts_with("session.") {
            let context = data.field("context").map(Node::object).unwrap_or_default();
            let changed = if kind == "session.context_changed" { &data } else { &context };
            stamps.note(line.number, changed.string("cwd"), changed.string("branch"));
        }
        // What a sub-agent says and does names the call that made it.
        let talk = match data.string("parentToolCallId") {
            Some(call) => {
                let next = numbers.len();
                let number = *numbers.entry(call.clone()).or_insert(next);
                &mut agents.entry(number).or_insert_with(|| (call, Steps::new(0))).1
            }
            None => &mut main,
        };
        match &*kind {
            "system.message" => {
                let text = data.string("content").unwrap_or_default();
                if talk.system(line.number, text) {
                    aside.not_sent("system.message, replaced by a later one", &line);
                }
            }
            "user.message" => {
                talk.push(prompt(&data, line.number));
            }
            "assistant.message" => {
                talk.push(response(&data, line.number));
            }
            "tool.execution_complete" => {
                let (result, media) = result(&data);
                talk.result(line.number, result, media);
            }
            "session.compaction_complete" if data.has("summaryContent") => {
                let mut summary = Turn::new(Role::User, line.number).unsaid();
                summary.pieces.extend(data.string("summaryContent").map(Piece::Text));
                talk.compact([Step::of(summary)]);
            }
            _ => {
                if kind == "session.model_change" {
                    model = data.string("newModel").or(model);
                }
                if EVENTS.iter().any(|family| kind.starts_with(family)) || kind == "abort" {
                    aside.not_sent(&kind, &line);
                } else {
                    aside.unknown(&kind, &line);
                }
            }
        }
    }
    let mut logs = main.logs(Format::OpenAiChat);
    for (number, (call, talk)) in agents {
        let label = format!("sub-agent {} ({call})", number + 1);
        let thread = talk.logs(Format::OpenAiChat).pop();
        logs.extend(thread.map(|log| Log { label, current: false, ..log }));
    }
    for log in &mut logs {
        log.model = model.clone().map(Cow::into_owned);
        stamps.tell_in(log);
    }
    aside.told_in(logs)
}

/// A prompt as it is sent: with what the client puts around it.
fn prompt<'a>(data: &Object<'a>, line: u32) -> Turn<'a> {
    let mut turn = Turn::new(Role::User, line);
    let sent = data.string("transformedContent").or_else(|| data.string("content"));
    turn.pieces.extend(sent.map(Piece::Text));
    turn
}

fn response<'a>(data: &Object<'a>, line: u32) -> Turn<'a> {
    let mut turn = Turn::new(Role::Assistant, line);
    let thinking = data.string("reasoningText").filter(|text| !text.is_empty());
    turn.pieces.extend(
        thinking.map(|text| Piece::Thinking { text, signature: data.string("reasoningOpaque") }),
    );
    let text = data.string("content").filter(|text| !text.is_empty());
    turn.pieces.extend(text.map(Piece::Text));
    for request in data.field("toolRequests").map(Node::array).unwrap_or_default() {
        let request = request.object();
        turn.pieces.push(Piece::Call {
            id: request.string("toolCallId").unwrap_or_default(),
            name: request.string("name").unwrap_or_default(),
            arguments: arguments(&request, "arguments").into(),
        });
    }
    turn
}

/// The result that an execution ends with, and the images in it.
fn result<'a>(data: &Object<'a>) -> (Piece<'a>, Vec<Piece<'a>>) {
    let outcome = data.field("result").map(Node::object).unwrap_or_default();
    let error = data.field("error").map(Node::object).unwrap_or_default();
    let text = outcome.string("content").or_else(|| error.string("message"));
    let blocks = outcome.field("contents").map(Node::array).unwrap_or_default();
    let images = blocks.into_iter().map(Node::object).filter_map(|block| {
        let mime = block.string("mimeType").unwrap_or_default();
        let data = block.string("data").filter(|_| mime.starts_with("image/"))?;
        Some(image(data, mime))
    });
    let result = Piece::Result {
        id: data.string("toolCallId").unwrap_or_default(),
        name: data.string("toolName").unwrap_or_default(),
        text: text.unwrap_or_default(),
        error: data.field("success").is_some_and(|node| node.raw() == "false"),
    };
    (result, images.collect())
}
