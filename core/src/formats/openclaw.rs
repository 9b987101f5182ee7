//! The telemetry of `OpenClaw`: `agent.start` repeats all messages of a session, in the shape of pi's.
//!
//! The newest list of a session holds all that came before it; the prompt that starts the agent follows it. What the agent
//! then does is told without its ids and results (`tool.start`, `tool.end`), so it is in the talk only when the next list
//! repeats it.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

use super::lines::Line;
use super::log::{Aside, Candidate, Log};
use super::pi::Speaker;
use super::turn::{Piece, Turn};
use crate::json::{Node, Object};
use crate::transcript::Role;

/// What begins the types of events.
const EVENTS: [&str; 8] =
    ["agent.", "gateway.", "llm.", "message.", "session.", "subagent.", "tool.", "compaction."];

/// Whether an object is a record of it.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    let members = candidate.members;
    let kind = members.string("type").unwrap_or_default();
    let is_event = EVENTS.iter().any(|event| kind.starts_with(event));
    is_event && ["sessionKey", "channel"].iter().any(|key| members.has(key))
}

/// The talks in its lines, one a session; the one that was active last is the current one.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let records = aside.records(lines);
    let mut order: Vec<Cow<'_, str>> = Vec::new();
    let mut newest: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
    for (at, (line, members)) in records.iter().enumerate() {
        let kind = members.string("type").unwrap_or_default();
        let session = members.string("sessionKey").filter(|_| kind == "agent.start");
        if let Some(session) = session {
            let before = newest.get(&session).copied();
            if before.is_none() {
                order.push(session.clone());
            }
            // An agent's start is told twice: before its messages are known, and with them.
            let lists = |at: usize| records[at].1.has("messages");
            if before.is_none_or(|before| lists(at) || !lists(before)) {
                newest.insert(session, at);
                if let Some(before) = before {
                    aside.not_sent("agent.start, repeated by a later one", &records[before].0);
                }
            } else {
                aside.not_sent("agent.start without messages", line);
            }
        } else if EVENTS.iter().any(|event| kind.starts_with(event)) {
            aside.not_sent(&kind, line);
        } else {
            aside.unknown(&kind, line);
        }
    }
    let last = newest.values().copied().max();
    let mut logs: Vec<Log> = Vec::new();
    for session in order {
        let Some(&at) = newest.get(&session) else { continue };
        let (line, members) = &records[at];
        let current = Some(at) == last;
        logs.push(Log { current, ..log(&session, line, members, &mut aside) });
    }
    aside.told_in(logs)
}

fn log<'a>(session: &str, line: &Line<'a>, members: &Object<'a>, aside: &mut Aside<'a>) -> Log {
    let mut speaker = Speaker::default();
    let mut turns = Vec::new();
    for node in members.field("messages").map(Node::array).unwrap_or_default() {
        turns.extend(speaker.turn(&node.object(), line, aside));
    }
    if let Some(prompt) = members.string("prompt").filter(|prompt| !prompt.is_empty()) {
        let mut turn = Turn::new(Role::User, line.number);
        turn.pieces.push(Piece::Text(prompt));
        turns.push(turn);
    }
    speaker.log(format!("session {session}"), speaker.wire(), turns)
}
