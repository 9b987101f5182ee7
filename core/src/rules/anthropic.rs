//! Anthropic Messages. Source: probes of the live API recorded in 2026, its documentation, and the texts
//! quoted in public issues; where only a reimplementation quotes a text, there is no `says`.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use super::{Code, Mode, Violations, made_up, names};
use crate::cut::once;
use crate::exchange::Structure;
use crate::json::Node;
use crate::pairing::Place;
use crate::transcript::{Id, Part, PartKind, Role, Transcript};

/// The rules.
pub(super) const RULES: &[&super::Rule] = &[];

pub(super) fn check(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    let turns = turns(transcript);
    for (index, turn) in turns.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &turns[before]);
        if turn.role == Role::Assistant {
            answers(transcript, structure, found, turn, turns.get(index + 1));
        } else {
            results(transcript, found, turn, before);
        }
    }
    ids(transcript, found);
    server_pairs(transcript, structure, found);
    ends(transcript, structure, found);
    for entry in 0..transcript.len() {
        content(transcript, found, entry);
    }
    no_tools(transcript, structure, found);
}

/// Adjacent messages of one role, which the API reads as one turn (`u|u` and `a|a` are accepted).
struct Turn {
    role: Role,
    entries: Range<usize>,
}

fn turns(transcript: &Transcript) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for (index, entry) in transcript.entries().iter().enumerate() {
        if entry.role == Role::System {
            continue;
        }
        match turns.last_mut() {
            Some(turn) if turn.role == entry.role => turn.entries.end = index + 1,
            _ => turns.push(Turn { role: entry.role, entries: index..index + 1 }),
        }
    }
    turns
}

/// The parts of a turn with their places, in order.
fn parts<'a>(
    transcript: &'a Transcript,
    turn: &Turn,
) -> impl Iterator<Item = (Place, &'a PartKind)> + use<'a> {
    turn.entries.clone().flat_map(move |entry| {
        let parts = transcript.parts(entry).iter().enumerate();
        parts.map(move |(part, content)| {
            (Place { entry: entry as u32, part: part as u32 }, &content.kind)
        })
    })
}

/// Every call must be answered in the leading run of results of the user turn after it; the run crosses
/// messages, and any other block ends it (measured 2026-07-25).
fn answers(
    transcript: &Transcript,
    structure: &Structure,
    found: &mut Violations,
    turn: &Turn,
    next: Option<&Turn>,
) {
    let mut run = BTreeSet::new();
    let mut late = BTreeSet::new();
    let mut leading = true;
    for (_, kind) in next.into_iter().flat_map(|next| parts(transcript, next)) {
        match *kind {
            PartKind::Result { id, .. } if leading => {
                run.insert(id);
            }
            PartKind::Result { id, .. } => {
                late.insert(id);
            }
            _ => leading = false,
        }
    }
    let mut misplaced: BTreeMap<usize, Vec<Id>> = BTreeMap::new();
    let mut missing: BTreeMap<usize, Vec<Id>> = BTreeMap::new();
    for (place, kind) in parts(transcript, turn) {
        let PartKind::Call { id, server: false, .. } = *kind else { continue };
        let entry = place.entry as usize;
        if run.contains(&id) || found.lets_be(structure, id, entry) {
            continue;
        }
        let list = if late.contains(&id) { &mut misplaced } else { &mut missing };
        list.entry(entry).or_default().push(id);
    }
    for (code, list) in [(Code::ResultOrder, misplaced), (Code::UnansweredCall, missing)] {
        for (entry, ids) in list {
            let ids = once(ids.into_iter());
            let says = format!(
                "messages.{entry}: `tool_use` ids were found without `tool_result` blocks immediately after: \
                 {}. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
                names(transcript, &ids)
            );
            found.add(code, entry, None, ids, Some(says));
        }
    }
}

/// Every result must answer a call of the assistant turn before it, once.
fn results(transcript: &Transcript, found: &mut Violations, turn: &Turn, before: Option<&Turn>) {
    let calls: BTreeSet<Id> = before
        .into_iter()
        .flat_map(|before| parts(transcript, before))
        .filter_map(|(_, kind)| match *kind {
            PartKind::Call { id, .. } => Some(id),
            _ => None,
        })
        .collect();
    let mut seen = BTreeSet::new();
    for (place, kind) in parts(transcript, turn) {
        let PartKind::Result { id, .. } = *kind else { continue };
        let (entry, part) = (place.entry as usize, place.part as usize);
        let name = transcript.id(id);
        if !calls.contains(&id) {
            let says = format!(
                "messages.{entry}.content.{part}: unexpected `tool_use_id` found in `tool_result` blocks: \
                 {name}. Each `tool_result` block must have a corresponding `tool_use` block in the previous \
                 message."
            );
            found.add(Code::OrphanResult, entry, Some(part), [id].into(), Some(says));
        } else if !seen.insert(id) {
            let says = format!(
                "messages.{entry}.content.{part}: each tool_use must have a single result. Found multiple \
                 `tool_result` blocks with id: {name}"
            );
            found.add(Code::DuplicateResult, entry, Some(part), [id].into(), Some(says));
        }
    }
}

/// Ids are unique across the request and have a fixed alphabet.
fn ids(transcript: &Transcript, found: &mut Violations) {
    let mut seen = BTreeSet::new();
    for entry in 0..transcript.len() {
        for (part, content) in transcript.parts(entry).iter().enumerate() {
            let PartKind::Call { id, server, .. } = content.kind else { continue };
            if !seen.insert(id) {
                let says =
                    format!("messages.{entry}.content.{part}: `tool_use` ids must be unique");
                found.add(Code::DuplicateCallId, entry, Some(part), [id].into(), Some(says));
            }
            let name = transcript.id(id);
            let plain = |name: &str| {
                !name.is_empty()
                    && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
            };
            if made_up(name) {
                found.add(Code::BadId, entry, Some(part), [id].into(), None);
            } else if !server && !plain(name) {
                let says = format!(
                    "messages.{entry}.content.{part}.tool_use.id: String should match pattern \
                     '^[a-zA-Z0-9_-]+$'"
                );
                found.add(Code::BadId, entry, Some(part), [id].into(), Some(says));
            } else if server
                && !is_server_id(name)
                && is_server_tool(&transcript.call_name(content))
            {
                let says = format!(
                    "messages.{entry}.content.{part}.server_tool_use.id: String should match pattern \
                     '^srvtoolu_[a-zA-Z0-9_]+$'"
                );
                found.add(Code::BadId, entry, Some(part), [id].into(), Some(says));
            }
        }
    }
}

/// The tools behind `server_tool_use`. MCP calls are the provider's too, but no verified text tells the form
/// of their ids.
fn is_server_tool(name: &str) -> bool {
    let tools = ["web_search", "web_fetch", "code_execution", "bash_code_execution"];
    tools.contains(&name)
        || name == "text_editor_code_execution"
        || name.starts_with("tool_search_tool_")
}

fn is_server_id(id: &str) -> bool {
    let rest = id.strip_prefix("srvtoolu_").unwrap_or_default();
    !rest.is_empty() && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A server call has its result in the same response, or at the start of the next; only the last message
/// may end on an open one (`pause_turn`).
fn server_pairs(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    let newest = structure.responses.last().map_or(0, |response| response.start);
    for call in structure.pairing.calls.iter().filter(|call| call.server && call.answer.is_none()) {
        let (entry, part) = (call.place.entry as usize, call.place.part as usize);
        let paused = entry >= newest && structure.tail.pending.contains(&call.id);
        if paused {
            continue;
        }
        let tool = transcript.call_name(&transcript.parts(entry)[part]);
        let says = matches!(&*tool, "web_search" | "web_fetch").then(|| {
            format!(
                "messages.{entry}: `{tool}` tool use with id `{}` was found without a corresponding \
                 `{tool}_tool_result` block",
                transcript.id(call.id)
            )
        });
        found.add(Code::ServerPair, entry, Some(part), [call.id].into(), says);
    }
    for stray in &structure.pairing.strays {
        let (entry, part) = (stray.place.entry as usize, stray.place.part as usize);
        if let PartKind::Result { server: true, .. } = transcript.parts(entry)[part].kind {
            found.add(Code::ServerPair, entry, Some(part), [stray.id].into(), None);
        }
    }
}

/// The first message must be the user's; on Claude 4.6 and later the last one too.
fn ends(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    let role = |entry: usize| transcript.entries()[entry].role;
    let Some(last) = transcript.len().checked_sub(1) else { return };
    if role(0) == Role::Assistant {
        let says = "messages: first message must use the \"user\" role".into();
        found.add(Code::HeadRole, 0, None, Vec::new(), Some(says));
    }
    let open = !structure.tail.pending.is_empty();
    if found.mode == Mode::Request && role(last) == Role::Assistant && !open {
        found.warn(Code::TailRole, last, None, Vec::new());
    }
}

fn content(transcript: &Transcript, found: &mut Violations, entry: usize) {
    let role = transcript.entries()[entry].role;
    let parts = transcript.parts(entry);
    for (part, content) in parts.iter().enumerate() {
        match content.kind {
            PartKind::Result { id, server: false, .. } if role == Role::Assistant => {
                found.add(Code::PartRole, entry, Some(part), [id].into(), None);
            }
            PartKind::Call { id, .. } if role == Role::User => {
                found.add(Code::PartRole, entry, Some(part), [id].into(), None);
            }
            _ => {}
        }
    }
    emptiness(transcript, found, entry);
}

/// An assistant message may be empty as a whole (measured); a user message may not, and no text block may.
fn emptiness(transcript: &Transcript, found: &mut Violations, entry: usize) {
    let user = transcript.entries()[entry].role == Role::User;
    let parts = transcript.parts(entry);
    let is_text = |part: &&Part| part.kind == PartKind::Text;
    let blank = |part: &Part| transcript.part_text(part).trim().is_empty();
    let empty = |part: &Part| transcript.part_text(part).is_empty();
    if parts.is_empty() || parts.iter().filter(is_text).any(blank) {
        let in_blocks = Node::parse(transcript.entry_text(entry))
            .is_ok_and(|node| node.object().field("content").is_some_and(Node::is_array));
        let nothing = parts.is_empty() || !in_blocks && parts.iter().all(empty);
        let all_blank = !parts.is_empty() && parts.iter().all(|part| is_text(&part) && blank(part));
        let says = if user && nothing {
            format!("messages.{entry}: user messages must have non-empty content")
        } else if in_blocks && parts.iter().filter(is_text).any(empty) {
            "messages: text content blocks must be non-empty".into()
        } else if user && all_blank {
            "messages: text content blocks must contain non-whitespace text".into()
        } else {
            return;
        };
        found.add(Code::EmptyContent, entry, None, Vec::new(), Some(says));
    }
}

fn no_tools(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    let request = transcript.request();
    let first = structure.pairing.calls.iter().find(|call| !call.server).map(|call| call.place);
    let stray = structure.pairing.strays.first().map(|stray| stray.place);
    if let Some(place) = first.into_iter().chain(stray).min()
        // A store of messages is no request: it has no model.
        && request.model.is_some()
        && !request.tools
    {
        let says =
            "Requests which include `tool_use` or `tool_result` blocks must define tools.".into();
        found.add(Code::NoTools, place.entry as usize, None, Vec::new(), Some(says));
    }
}
