//! Agent Trajectory Interchange Format: `steps` with tool calls and, in an observation, their results.
//!
//! The format's own description (versions 1.0 to 1.7) says what a step holds. A result without `source_call_id` is no
//! answer to a call, and is told the agent as text.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::lines::Line;
use super::log::{self, Aside, Candidate, Log};
use super::talk::{Talk, arguments, pieces};
use super::turn::Piece;
use crate::json::{Node, Object};
use crate::transcript::{Format, Role};

/// Whether an object is a trajectory.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    let version = candidate.members.string("schema_version").unwrap_or_default();
    version.starts_with("ATIF")
}

/// How deep sub-agents are looked for within sub-agents.
const DEPTH: u8 = 6;

/// The talk of each trajectory, then those of its sub-agents.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let mut logs = Vec::new();
    for (line, members) in aside.records(lines) {
        let mut open = Vec::from([(members, 0)]);
        while let Some((members, depth)) = open.pop() {
            let label = label(&members, depth, logs.len());
            let mut log = trajectory(&members, label, &mut aside, &line);
            log.current = logs.is_empty();
            logs.push(log);
            let inner = members.field("subagent_trajectories").map(Node::array).unwrap_or_default();
            for node in inner.into_iter().rev() {
                if depth == DEPTH {
                    aside.unknown("subagent_trajectories within too many others", &line);
                } else {
                    open.push((node.object(), depth + 1));
                }
            }
        }
    }
    aside.told_in(logs)
}

fn label(members: &Object<'_>, depth: u8, before: usize) -> String {
    let agent = members.field("agent").map(Node::object).unwrap_or_default();
    let name = agent.string("name").unwrap_or_default();
    match (depth, before) {
        (0, 0) => "the trajectory".into(),
        (0, _) => format!("trajectory {} ({name})", before + 1),
        _ => format!("sub-agent {before} ({name})"),
    }
}

fn trajectory<'a>(
    members: &Object<'a>,
    label: String,
    aside: &mut Aside<'a>,
    line: &Line<'a>,
) -> Log {
    let agent = members.field("agent").map(Node::object).unwrap_or_default();
    let mut model = agent.string("model_name");
    let mut talk = Talk::default();
    let steps = members.field("steps").map(Node::array).unwrap_or_default();
    for (number, node) in (1..).zip(steps) {
        let step = node.object();
        model = step.string("model_name").or(model);
        let message = step.field("message").map(pieces).unwrap_or_default();
        match &*step.string("source").unwrap_or_default() {
            "agent" => response(&mut talk, number, &step, message),
            "user" => {
                talk.say(Role::User, number, message);
            }
            "system" => {
                talk.say(Role::System, number, message);
            }
            other => {
                aside.unknown(&format!("step of {other:?}"), line);
                continue;
            }
        }
        observation(&mut talk, number, &step);
    }
    let mut log = talk.log(label, Format::OpenAiChat);
    log.model = model.map(Into::into);
    log
}

fn response<'a>(talk: &mut Talk<'a>, number: u32, step: &Object<'a>, message: Vec<Piece<'a>>) {
    let reasoning = step.string("reasoning_content").filter(|text| !text.is_empty());
    let reasoning = reasoning.map(|text| Piece::Thinking { text, signature: None });
    let calls = step.field("tool_calls").map(Node::array).unwrap_or_default();
    let calls = calls.into_iter().map(|node| {
        let call = node.object();
        Piece::Call {
            id: call.string("tool_call_id").unwrap_or_default(),
            name: call.string("function_name").unwrap_or_default(),
            arguments: arguments(call.field("arguments")),
        }
    });
    let pieces = reasoning.into_iter().chain(message).chain(calls).collect();
    // `prompt_tokens` counts cached tokens too.
    let metrics = step.field("metrics").map(Node::object).unwrap_or_default();
    let count = |key: &str| log::tokens(&metrics, &[key]);
    let usage = (count("prompt_tokens"), count("completion_tokens"));
    talk.say(Role::Assistant, number, pieces).usage = (usage.0 > 0).then_some(usage);
}

/// The results of a step, in the order of its calls.
fn observation<'a>(talk: &mut Talk<'a>, number: u32, step: &Object<'a>) {
    let observation = step.field("observation").map(Node::object).unwrap_or_default();
    let mut words = Vec::new();
    for node in observation.field("results").map(Node::array).unwrap_or_default() {
        let result = node.object();
        let content = result.field("content").map(pieces).unwrap_or_default();
        let extra = result.field("extra").map(Node::object).unwrap_or_default();
        match result.string("source_call_id") {
            Some(id) => talk.answer(number, id, content, extra.is_true("is_error")),
            None => words.extend(content),
        }
    }
    if !words.is_empty() {
        talk.say(Role::User, number, words);
    }
}
