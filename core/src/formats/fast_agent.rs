//! Histories of fast-agent: messages whose calls and results are maps by id.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::lines::Line;
use super::log::{Aside, Candidate, Log};
use super::talk::{Talk, arguments, pieces};
use super::turn::Piece;
use crate::json::{Node, Object};
use crate::transcript::{Format, Role};

/// Whether an object is a history, or a message of one.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    is_message(candidate.members) || candidate.any(is_message)
}

fn is_message(members: &Object<'_>) -> bool {
    let maps = ["tool_calls", "tool_results", "channels"];
    members.has("role")
        && maps.iter().any(|key| members.field(key).is_some_and(Node::is_object))
        && !members.has("parts")
}

/// The talk of a history; of one that is written a message a line, too.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let mut talk = Talk::default();
    for (line, members) in aside.records(lines) {
        let Some(messages) = members.field("messages").map(Node::array) else {
            message(&mut talk, line.number, &members, &mut aside, &line);
            continue;
        };
        for (number, node) in (1..).zip(messages) {
            message(&mut talk, number, &node.object(), &mut aside, &line);
        }
    }
    let log = talk.log(String::from("the history"), Format::OpenAiChat);
    aside.told_in(Vec::from([log]))
}

fn message<'a>(
    talk: &mut Talk<'a>,
    number: u32,
    members: &Object<'a>,
    aside: &mut Aside<'a>,
    line: &Line<'a>,
) {
    let object = |key: &str| members.field(key).map(Node::object).unwrap_or_default();
    let content = members.field("content").map(pieces).unwrap_or_default();
    let channels = object("channels");
    for (name, _) in channels.iter().filter(|(name, _)| *name != "reasoning") {
        aside.not_sent(&alloc::format!("channel {name}"), line);
    }
    match &*members.string("role").unwrap_or_default() {
        "assistant" => {
            let reasoning = channels.field("reasoning").map(pieces).unwrap_or_default();
            let reasoning = reasoning.into_iter().map(|piece| match piece {
                Piece::Text(text) => Piece::Thinking { text, signature: None },
                other => other,
            });
            let calls = object("tool_calls");
            let calls = calls.iter().map(|(id, node)| call(id, node));
            let pieces = reasoning.chain(content).chain(calls).collect();
            talk.say(Role::Assistant, number, pieces);
        }
        role => {
            let results = object("tool_results");
            let mut answered = false;
            for (id, node) in results.iter() {
                answered = true;
                let result = node.object();
                let content = result.field("content").map(pieces).unwrap_or_default();
                talk.answer(number, id_of(id), content, result.is_true("isError"));
            }
            if !answered || !content.is_empty() {
                let role = if role == "system" { Role::System } else { Role::User };
                talk.say(role, number, content);
            }
        }
    }
}

fn call<'a>(id: &str, node: Node<'a>) -> Piece<'a> {
    let params = node.object().field("params").map(Node::object).unwrap_or_default();
    Piece::Call {
        id: id_of(id),
        name: params.string("name").unwrap_or_default(),
        arguments: arguments(params.field("arguments")),
    }
}

fn id_of<'a>(id: &str) -> Cow<'a, str> {
    Cow::Owned(id.into())
}
