//! What Claude Code and the Agent SDK print with `--output-format stream-json`, as lines or as one list.
//!
//! Messages and ids are those of a session log, without the chain of parents: a sub-agent's messages name the call that
//! started it in `parent_tool_use_id`.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::claude_messages::{Said, assemble};
use super::lines::Line;
use super::log::{self, Aside, Candidate, Log};
use super::recorded::{Stamps, State};
use crate::json::{Node, Object};

/// Whether an object is a record of the stream.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    let members = candidate.members;
    let own = ["uuid", "sessionId", "parentUuid"].iter().all(|key| !members.has(key))
        || members.has("session_id");
    own && match &*members.string("type").unwrap_or_default() {
        "user" | "assistant" => is_talk(members),
        "system" => members.has("subtype") && members.has("session_id"),
        "result" => {
            ["total_cost_usd", "cost_usd", "duration_ms"].iter().any(|key| members.has(key))
        }
        "stream_event" => members.has("event") && members.has("session_id"),
        _ => false,
    }
}

fn is_talk(members: &Object<'_>) -> bool {
    members.field("message").is_some_and(|message| message.object().has("content"))
}

/// The lines of a stretch: the number, whether the model says it, and the message.
type Stretch<'a> = Vec<(u32, bool, Object<'a>)>;

/// The talk between compactions, then each sub-agent's.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let mut talks: BTreeMap<Option<Cow<'_, str>>, usize> = BTreeMap::new();
    // Each talk as its stretches.
    let mut told: Vec<(Option<Cow<'_, str>>, Vec<Stretch<'_>>)> = Vec::new();
    let mut model = None;
    let mut stamps = Stamps::default();
    for (line, members) in aside.records(lines) {
        let kind = members.string("type").unwrap_or_default();
        let boundary =
            kind == "system" && members.string("subtype").as_deref() == Some("compact_boundary");
        let assistant = kind == "assistant";
        let says = assistant || kind == "user";
        if says && !is_talk(&members) {
            aside.broken(&line, &format!("is of type {kind:?} but holds no message with content"));
            continue;
        }
        if !says && !boundary {
            model = members.string("model").or(model);
            stamps.note(line.number, members.string("cwd"), None);
            aside.not_sent(&name(&kind, &members), &line);
            continue;
        }
        let parent = members.string("parent_tool_use_id");
        let at = *talks.entry(parent.clone()).or_insert_with(|| {
            told.push((parent, alloc::vec![Vec::new()]));
            told.len() - 1
        });
        let stretches = &mut told[at].1;
        if boundary {
            stretches.push(Vec::new());
        } else if let Some(stretch) = stretches.last_mut() {
            let message = members.field("message").map(Node::object).unwrap_or_default();
            stretch.push((line.number, assistant, message));
        }
    }
    // The main talk first; a stream may begin in the middle of a sub-agent's.
    told.sort_by_key(|(parent, _)| parent.is_some());
    let mut logs: Vec<Log> = Vec::new();
    let mut agents = 0;
    for (parent, stretches) in &told {
        agents += u32::from(parent.is_some());
        let last = stretches.len() - 1;
        for (index, stretch) in stretches.iter().enumerate() {
            let label = match parent {
                None => log::stretch(index, last),
                Some(call) if last == 0 => format!("sub-agent {agents} ({call})"),
                Some(call) => format!("sub-agent {agents} ({call}), {}", log::stretch(index, last)),
            };
            let said = stretch.iter().map(|(line, assistant, message)| Said {
                line: *line,
                assistant: *assistant,
                message,
                state: State::default(),
                kept: false,
                // A stream does not mark its summaries; the ledger knows their first words.
                summary: false,
            });
            let mut log = assemble(label, said);
            log.current = parent.is_none() && index == last;
            if log.model.is_none() {
                log.model = model.as_deref().map(Into::into);
            }
            stamps.tell_in(&mut log);
            logs.push(log);
        }
    }
    aside.told_in(logs)
}

fn name(kind: &str, members: &Object<'_>) -> String {
    match members.string("subtype") {
        Some(subtype) => format!("{kind}/{subtype}"),
        None => kind.into(),
    }
}
