//! Logs of Inspect evaluations: each sample is a talk, in messages much like those of a chat.
//!
//! A log is one JSON document, or a zip archive of one document a sample (`archive`). What a sample's `events` hold is told
//! in its messages as well.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

use super::lines::Line;
use super::log::{Aside, Candidate, Log};
use super::talk::{Talk, arguments, located, pieces};
use super::turn::Piece;
use crate::json::{Node, Object};
use crate::transcript::{Format, Role};

/// Whether an object is a log or a sample.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    let members = candidate.members;
    members.has("eval") && members.field("samples").is_some_and(Node::is_array)
        || members.has("epoch")
            && members.has("target")
            && ["output", "scores", "model_usage", "events"].iter().any(|key| members.has(key))
}

/// The talk of each sample.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let mut logs = Vec::new();
    for (line, members) in aside.records(lines) {
        let eval = members.field("eval").map(Node::object).unwrap_or_default();
        let model = eval.string("model");
        match members.field("samples") {
            Some(samples) => {
                let samples = samples.array().into_iter();
                logs.extend(
                    samples.map(|node| sample(&node.object(), model.as_deref(), &mut aside, &line)),
                );
            }
            None => logs.push(sample(&members, None, &mut aside, &line)),
        }
    }
    // As in any set of talks, the longest is read if nobody picks.
    if let Some(longest) = logs.iter_mut().max_by_key(|log| log.lines.len()) {
        longest.current = true;
    }
    aside.told_in(logs)
}

/// The texts that a sample keeps once, by their hash.
type Attachments<'k, 'a> = BTreeMap<&'k str, Node<'a>>;

fn sample<'a>(
    sample: &Object<'a>,
    model: Option<&str>,
    aside: &mut Aside<'a>,
    line: &Line<'a>,
) -> Log {
    let attachments = sample.field("attachments").map(Node::object).unwrap_or_default();
    let attachments: Attachments<'_, 'a> = attachments.iter().collect();
    let mut model = model.map(|name| Cow::Owned(name.into()));
    let mut talk = Talk::default();
    let messages = sample.field("messages").map(Node::array).unwrap_or_default();
    for (number, node) in (1..).zip(messages) {
        let members = node.object();
        if model.is_none() {
            model = members.string("model");
        }
        message(&mut talk, number, &members, &attachments, aside, line);
    }
    if sample.has("events") {
        aside.not_sent("events of a sample", line);
    }
    let raw = |key: &str| sample.field(key).map(|node| node.string().unwrap_or(node.raw().into()));
    let id = raw("id").unwrap_or_default();
    let epoch = raw("epoch").unwrap_or(Cow::Borrowed("1"));
    let mut log = talk.log(format!("sample {id}, epoch {epoch}"), Format::OpenAiChat);
    log.model = model.map(Cow::into_owned);
    log
}

fn message<'a>(
    talk: &mut Talk<'a>,
    number: u32,
    members: &Object<'a>,
    attachments: &Attachments<'_, 'a>,
    aside: &mut Aside<'a>,
    line: &Line<'a>,
) {
    let content = members.field("content").map(pieces).unwrap_or_default();
    let mut content: Vec<Piece<'a>> =
        content.into_iter().map(|piece| attached(piece, attachments)).collect();
    match &*members.string("role").unwrap_or_default() {
        "assistant" => {
            let calls = members.field("tool_calls").map(Node::array).unwrap_or_default();
            content.extend(calls.into_iter().map(call));
            talk.say(Role::Assistant, number, content);
        }
        "tool" => {
            // Of a call that failed the model is told the error alone.
            let error = members.field("error").filter(|node| node.is_object());
            let message = error.and_then(|node| node.object().string("message"));
            if let Some(message) = &message {
                if !content.is_empty() {
                    aside.not_sent("content beside a tool's error", line);
                }
                content = Vec::from([Piece::Text(format!("Error: {message}").into())]);
            }
            let id = members.string("tool_call_id").unwrap_or_default();
            talk.answer(number, id, content, message.is_some());
        }
        "system" => {
            talk.say(Role::System, number, content);
        }
        "user" => {
            talk.say(Role::User, number, content);
        }
        other => aside.unknown(&format!("message of {other:?}"), line),
    }
}

fn call(node: Node<'_>) -> Piece<'_> {
    let members = node.object();
    Piece::Call {
        id: members.string("id").unwrap_or_default(),
        name: members.string("function").unwrap_or_default(),
        arguments: arguments(members.field("arguments")),
    }
}

/// The piece with what it refers to: a log keeps a long or repeated text once, under its hash.
fn attached<'a>(mut piece: Piece<'a>, attachments: &Attachments<'_, 'a>) -> Piece<'a> {
    let text = match &piece {
        Piece::Text(text) | Piece::Thinking { text, .. } => text,
        Piece::Media(media) => &media.data,
        _ => return piece,
    };
    let whole = text.strip_prefix("attachment://").and_then(|at| attachments.get(at));
    let Some(whole) = whole.and_then(|node| node.string()) else { return piece };
    match &mut piece {
        Piece::Media(media) => *media = located(core::mem::take(&mut media.mime), whole),
        Piece::Text(text) | Piece::Thinking { text, .. } => *text = whole,
        _ => {}
    }
    piece
}
