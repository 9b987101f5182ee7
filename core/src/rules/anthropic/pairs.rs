//! Client calls and their results: the run of results after a call, ids, and who may carry what.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::ops::Range;

use super::{
    BAD_ID, BAD_SERVER_ID, CALL_OF_USER, DUPLICATE_CALL, DUPLICATE_RESULT, NO_ID, ORPHAN,
    RESULT_OF_ASSISTANT, RESULT_ORDER, SERVER_RESULT_OF_USER, UNANSWERED, UNANSWERED_LAST,
};
use crate::cut::once;
use crate::exchange::Structure;
use crate::rules::{Mode, Violations, made_up, names};
use crate::transcript::{Id, Part, PartKind, Role, Transcript};

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
    roles(transcript, found);
}

/// Adjacent messages of one role, which the API reads as one turn (`u|u` and `a|a` are accepted).
pub(super) struct Turn {
    pub(super) role: Role,
    pub(super) entries: Range<usize>,
}

pub(super) fn turns(transcript: &Transcript) -> Vec<Turn> {
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

/// The parts of a turn with their places (entry, part), in order.
pub(super) fn parts<'a>(
    transcript: &'a Transcript,
    turn: &Turn,
) -> impl Iterator<Item = (usize, usize, &'a Part)> + use<'a> {
    turn.entries.clone().flat_map(move |entry| {
        let parts = transcript.parts(entry).iter().enumerate();
        parts.map(move |(part, content)| (entry, part, content))
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
    for (_, _, part) in next.into_iter().flat_map(|next| parts(transcript, next)) {
        match part.kind {
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
    for (entry, _, part) in parts(transcript, turn) {
        let PartKind::Call { id, server: false, .. } = part.kind else { continue };
        if run.contains(&id) || found.lets_be(structure, id, entry) {
            continue;
        }
        let list = if late.contains(&id) { &mut misplaced } else { &mut missing };
        list.entry(entry).or_default().push(id);
    }
    let unsure = next.is_none()
        && found.mode == Mode::Request
        && transcript.request().family.prefills() == Some(false);
    let missed = if unsure { UNANSWERED_LAST.answer() } else { UNANSWERED.answer() };
    for (answer, list) in [(RESULT_ORDER.answer(), misplaced), (missed, missing)] {
        for (entry, ids) in list {
            let ids = once(ids.into_iter());
            let unnamed = ids.iter().any(|&id| made_up(transcript.id(id)));
            let answer = if unnamed { answer.silent() } else { answer };
            let names = names(transcript, &ids);
            found.add(answer, entry, None, ids, &[("ids", &names)]);
        }
    }
}

/// Every result must answer a call of the assistant turn before it, once.
fn results(transcript: &Transcript, found: &mut Violations, turn: &Turn, before: Option<&Turn>) {
    let calls: BTreeSet<Id> = before
        .into_iter()
        .flat_map(|before| parts(transcript, before))
        .filter_map(|(_, _, part)| match part.kind {
            PartKind::Call { id, .. } => Some(id),
            _ => None,
        })
        .collect();
    let mut seen = BTreeSet::new();
    for (entry, at, part) in parts(transcript, turn) {
        let PartKind::Result { id, server: false, .. } = part.kind else { continue };
        let rule = if !calls.contains(&id) {
            ORPHAN.answer()
        } else if seen.insert(id) {
            continue;
        } else {
            DUPLICATE_RESULT.answer()
        };
        let name = transcript.id(id);
        let answer = if made_up(name) { rule.silent() } else { rule };
        found.add(answer, entry, Some(at), [id].into(), &[("ids", name)]);
    }
}

/// Ids are unique across the request and have a fixed alphabet.
fn ids(transcript: &Transcript, found: &mut Violations) {
    let mut seen = BTreeSet::new();
    for entry in 0..transcript.len() {
        for (part, content) in transcript.parts(entry).iter().enumerate() {
            let PartKind::Call { id, server, .. } = content.kind else { continue };
            let at = Some(part);
            if !seen.insert(id) {
                found.broke(&DUPLICATE_CALL, entry, at, [id].into(), &[]);
            }
            let name = transcript.id(id);
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if made_up(name) {
                found.broke(&NO_ID, entry, at, [id].into(), &[]);
            } else if !server && !name.chars().all(plain) {
                found.broke(&BAD_ID, entry, at, [id].into(), &[]);
            } else if server
                && !is_server_id(name)
                && is_server_tool(&transcript.call_name(content))
            {
                found.broke(&BAD_SERVER_ID, entry, at, [id].into(), &[]);
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

/// Calls are the assistant's, results the user's; what the provider executes stays with the assistant.
fn roles(transcript: &Transcript, found: &mut Violations) {
    for (entry, content) in transcript.entries().iter().enumerate() {
        for (part, content_part) in transcript.parts(entry).iter().enumerate() {
            let (rule, id) = match (content.role, content_part.kind) {
                (Role::Assistant, PartKind::Result { id, server: false, .. }) => {
                    (RESULT_OF_ASSISTANT.answer(), id)
                }
                (Role::User, PartKind::Call { id, .. }) => (CALL_OF_USER.answer(), id),
                (Role::User, PartKind::Result { id, server: true, .. }) => {
                    (SERVER_RESULT_OF_USER.answer(), id)
                }
                _ => continue,
            };
            found.add(rule, entry, Some(part), [id].into(), &[]);
        }
    }
}
