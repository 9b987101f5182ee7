//! SWE-agent trajectories: a `history` of chat messages, whose results name their calls in `tool_call_ids`.
//!
//! Runs of the text mode have no ids: an action is the end of what the assistant says, its observation a message of the
//! user. They are read as the plain talk that they are.

use alloc::vec::Vec;

use super::lines::Line;
use super::log::{Aside, Candidate, Log};
use super::talk::{Talk, pieces};
use super::turn::Piece;
use crate::json::{Node, Object};
use crate::transcript::{Format, Role};

/// Whether an object is a trajectory.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    let members = candidate.members;
    let Some(history) = members.field("history").filter(|node| node.is_array()) else {
        return false;
    };
    let is_own = |node: &Node<'_>| {
        let members = node.object();
        members.has("role") && ["agent", "message_type"].iter().any(|key| members.has(key))
    };
    members.has("trajectory") || history.array().iter().take(8).any(is_own)
}

/// The talk of each trajectory.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let mut logs = Vec::new();
    for (line, members) in aside.records(lines) {
        let mut talk = Talk::default();
        let history = members.field("history").map(Node::array).unwrap_or_default();
        for (number, node) in (1..).zip(history) {
            message(&mut talk, number, &node.object());
        }
        for _ in members.field("trajectory").map(Node::array).unwrap_or_default() {
            aside.not_sent("trajectory step", &line);
        }
        let name = match logs.len() {
            0 => "the trajectory".into(),
            count => alloc::format!("trajectory {}", count + 1),
        };
        let mut log = talk.log(name, Format::OpenAiChat);
        log.model = model(&members);
        logs.push(log);
    }
    aside.told_in(logs)
}

fn message<'a>(talk: &mut Talk<'a>, number: u32, members: &Object<'a>) {
    let content = members.field("content").map(pieces).unwrap_or_default();
    match &*members.string("role").unwrap_or_default() {
        "assistant" => {
            let thinking = members.field("thinking_blocks").map(pieces).unwrap_or_default();
            let calls = members.field("tool_calls").map(Node::array).unwrap_or_default();
            let calls = calls.into_iter().map(call);
            talk.say(
                Role::Assistant,
                number,
                thinking.into_iter().chain(content).chain(calls).collect(),
            );
        }
        // The tool answers one call at a time, so there is one id in the list.
        "tool" => {
            let ids = members.field("tool_call_ids").map(Node::array).unwrap_or_default();
            let id = ids.first().and_then(|id| id.string()).unwrap_or_default();
            talk.answer(number, id, content, false);
        }
        "system" => {
            talk.say(Role::System, number, content);
        }
        _ => {
            // In the text mode the user's place is where a tool answers; only the kind of the message tells it from a prompt.
            let kind = members.string("message_type");
            talk.say(Role::User, number, content).unsaid = kind.as_deref() == Some("observation");
        }
    }
}

/// A call in the shape of Chat Completions.
pub(super) fn call(node: Node<'_>) -> Piece<'_> {
    let members = node.object();
    let function = members.field("function").map(Node::object).unwrap_or_default();
    let arguments = function.field("arguments");
    Piece::Call {
        id: members.string("id").unwrap_or_default(),
        name: function.string("name").unwrap_or_default(),
        arguments: arguments
            .map(|node| node.string().unwrap_or_else(|| node.raw().into()))
            .unwrap_or_default(),
    }
}

/// The model of the run's configuration, which is an object, or JSON in a string.
fn model(members: &Object<'_>) -> Option<alloc::string::String> {
    let config = members.field("replay_config")?;
    let text = config.string();
    let config = text.as_deref().map_or(Some(config), |text| Node::parse(text).ok())?;
    let agent = config.object().field("agent")?.object();
    let name = agent.field("model")?.object().string("name")?;
    Some(name.into_owned())
}
