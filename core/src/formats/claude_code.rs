//! Claude Code session logs: JSON Lines in which one model response is spread over several lines.
//!
//! A log is rebuilt into the messages that the model saw, as a list in Anthropic's form (`claude_messages`), each talk in it
//! by itself (`claude_tree`). The log's own form cannot express a fold, so a fold of it is written as that list. There is no
//! published specification; the record types are those seen in real logs of versions 1.0 to 2.1.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::claude_tree::{self, Kind, Preserved, Record};
use super::lines::Line;
use super::log::{Aside, Candidate, Log};
use super::recorded::State;
use crate::json::{Node, Object};
use crate::transcript::Weight;

/// Whether an object is a record of a session log.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    let members = candidate.members;
    let kind = members.string("type").unwrap_or_default();
    let kinds = ["user", "assistant", "system", "summary", "progress", "attachment"];
    let talk = matches!(&*kind, "user" | "assistant") && members.has("message");
    kinds.contains(&&*kind)
        && (["uuid", "parentUuid", "leafUuid"].iter().any(|key| members.field(key).is_some())
            && !members.has("session_id")
            || talk && members.has("sessionId"))
}

/// The talks of a log: each stretch between compactions, what was left by a rewind, then each sub-agent's.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let records = records(lines, &mut aside);
    let logs = claude_tree::talks(&records, &mut aside);
    aside.told_in(logs)
}

fn records<'a>(lines: &[Line<'a>], aside: &mut Aside<'a>) -> Vec<Record<'a>> {
    let mut records: Vec<Record<'a>> = Vec::new();
    // The parents of what is left out: its children are theirs.
    let mut skipped: BTreeMap<Cow<'a, str>, Cow<'a, str>> = BTreeMap::new();
    let mut of_uuid: BTreeMap<Cow<'a, str>, usize> = BTreeMap::new();
    for (line, members) in aside.records(lines) {
        let kind = members.string("type").unwrap_or_default();
        let subtype = members.string("subtype").unwrap_or_default();
        let is_talk = matches!(&*kind, "user" | "assistant");
        let queued = if kind == "attachment" { queued(&members) } else { None };
        let message = members.field("message").filter(|_| is_talk).map(Node::object);
        if is_talk && !message.as_ref().is_some_and(|message| message.has("content")) {
            aside.broken(&line, &format!("is of type {kind:?} but holds no message with content"));
            continue;
        }
        let unsent = members.is_true("isApiErrorMessage")
            || members.is_true("isVisibleInTranscriptOnly") && !members.is_true("isCompactSummary");
        let boundary = kind == "system" && subtype == "compact_boundary";
        let parent = members.string("parentUuid").or_else(|| members.string("logicalParentUuid"));
        let parent = parent.map(|parent| skipped.get(&parent).cloned().unwrap_or(parent));
        let uuid = members.string("uuid");
        if !is_talk && !boundary && queued.is_none() || unsent {
            if let (Some(uuid), Some(parent)) = (uuid, parent) {
                skipped.insert(uuid, parent);
            }
            let name =
                if unsent { String::from("client-side message") } else { name_of(&kind, &subtype) };
            aside.not_sent(&name, &line);
            continue;
        }
        if let Some(uuid) = &uuid {
            if of_uuid.contains_key(uuid) {
                let message = format!(
                    "Line {} repeats the record {uuid}; the first one counts.",
                    line.number
                );
                aside.note("repeated-line", Weight::Warning, &line, message);
                continue;
            }
            of_uuid.insert(uuid.clone(), records.len());
        }
        records.push(Record {
            kind: match (&*kind, boundary) {
                (_, true) => Kind::Boundary,
                ("assistant", _) => Kind::Assistant,
                _ if queued.is_some() => Kind::Queued,
                _ => Kind::User,
            },
            line,
            // What names itself as its parent, or a record that comes later, has none.
            parent: parent
                .and_then(|parent| of_uuid.get(&parent).copied())
                .filter(|&parent| parent < records.len()),
            agent: members.string("agentId"),
            side: members.is_true("isSidechain"),
            injected: ["isMeta", "isCompactSummary"].iter().any(|key| members.is_true(key)),
            summary: members.is_true("isCompactSummary"),
            message: queued.or(message).unwrap_or_default(),
            state: State { directory: members.string("cwd"), branch: members.string("gitBranch") },
            preserved: boundary.then(|| preserved(&members)),
            uuid,
        });
    }
    without_twins(records)
}

/// What a person said while the model worked. It is sent along with the results of that time, and stands in no line of type
/// `user` (with rare exceptions, see `without_twins`).
fn queued<'a>(members: &Object<'a>) -> Option<Object<'a>> {
    let attachment = members.field("attachment")?.object();
    let is_it = attachment.string("type").as_deref() == Some("queued_command");
    let prompt = attachment.field("prompt").filter(|prompt| is_it && prompt.raw().len() > 2)?;
    (prompt.is_array() || prompt.string().is_some())
        .then(|| [(Cow::Borrowed("content"), prompt)].into_iter().collect())
}

/// The records without queued prompts that their neighbour of type `user` says as well.
fn without_twins(mut records: Vec<Record<'_>>) -> Vec<Record<'_>> {
    fn says<'a>(record: &Record<'a>) -> Option<&'a str> {
        record.message.field("content").map(Node::raw)
    }
    let is_twin = |at: usize| {
        let near = [at.checked_sub(1), Some(at + 1)];
        let mut near = near.into_iter().flatten().filter_map(|at| records.get(at));
        records[at].kind == Kind::Queued
            && near.any(|other| other.kind == Kind::User && says(other) == says(&records[at]))
    };
    let twins: BTreeSet<usize> = (0..records.len()).filter(|&at| is_twin(at)).collect();
    for &at in &twins {
        // Its place in the tree stays, but it says nothing.
        records[at].message = Object::default();
    }
    records
}

/// What a compaction kept alive.
fn preserved(members: &Object<'_>) -> Preserved {
    let meta = members.field("compactMetadata").map(Node::object).unwrap_or_default();
    let object = |key: &str| meta.field(key).map(Node::object).unwrap_or_default();
    let (messages, segment) = (object("preservedMessages"), object("preservedSegment"));
    let uuids = messages.field("uuids").map(Node::array).unwrap_or_default();
    let own = |text: Cow<'_, str>| text.into_owned();
    Preserved {
        uuids: uuids.iter().filter_map(|node| node.string()).map(own).collect(),
        head: segment.string("headUuid").map(own),
        tail: segment.string("tailUuid").map(own),
        anchor: messages.string("anchorUuid").or_else(|| segment.string("anchorUuid")).map(own),
    }
}

fn name_of(kind: &str, subtype: &str) -> String {
    match (kind, subtype) {
        ("", _) => String::from("(none)"),
        (kind, "") => kind.into(),
        (kind, subtype) => format!("{kind}/{subtype}"),
    }
}
