//! OpenAI Chat Completions. Source: texts quoted in public issues and probes of the live API (2026-08).

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

use super::{Code, Violations, names};
use crate::cut::once;
use crate::exchange::Structure;
use crate::json::Node;
use crate::transcript::{Id, PartKind, Role, Transcript};

/// The rules.
pub(super) const RULES: &[&super::Rule] = &[];

pub(super) fn check(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    let mut entry = 0;
    while entry < transcript.len() {
        let calls = calls(transcript, entry);
        duplicate_calls(found, entry, &calls);
        let role = transcript.entries()[entry].role;
        if calls.is_empty() {
            if role == Role::Tool {
                orphans(transcript, found, entry);
            } else if role == Role::Assistant {
                content(transcript, found, entry);
            }
            entry += 1;
        } else {
            let run = entry + 1..entry + 1 + results_after(transcript, entry);
            answers(transcript, structure, found, entry, &calls, run.clone());
            entry = run.end;
        }
    }
}

fn calls(transcript: &Transcript, entry: usize) -> Vec<(usize, Id)> {
    let parts = transcript.parts(entry).iter().enumerate();
    parts
        .filter_map(|(part, content)| match content.kind {
            PartKind::Call { id, .. } => Some((part, id)),
            _ => None,
        })
        .collect()
}

fn results(transcript: &Transcript, entry: usize) -> impl Iterator<Item = (usize, Id)> + '_ {
    transcript.parts(entry).iter().enumerate().filter_map(|(part, content)| match content.kind {
        PartKind::Result { id, .. } => Some((part, id)),
        _ => None,
    })
}

/// How many `tool` messages follow an entry without a gap.
fn results_after(transcript: &Transcript, entry: usize) -> usize {
    let after = &transcript.entries()[entry + 1..];
    after.iter().take_while(|entry| entry.role == Role::Tool).count()
}

/// An assistant message with calls is followed at once by one `tool` message for each, in any order.
fn answers(
    transcript: &Transcript,
    structure: &Structure,
    found: &mut Violations,
    entry: usize,
    calls: &[(usize, Id)],
    run: core::ops::Range<usize>,
) {
    let wanted: BTreeSet<Id> = calls.iter().map(|&(_, id)| id).collect();
    let mut answered = BTreeSet::new();
    for result in run {
        for (part, id) in results(transcript, result) {
            if !wanted.contains(&id) {
                let says = format!(
                    "Invalid parameter: 'tool_call_id' of '{}' not found in 'tool_calls' of previous message.",
                    transcript.id(id)
                );
                found.add(Code::OrphanResult, result, Some(part), [id].into(), Some(says));
            } else if !answered.insert(id) {
                // What OpenAI itself answers to this is not verified.
                found.warn(Code::DuplicateResult, result, Some(part), [id].into());
            }
        }
    }
    let open = calls.iter().map(|&(_, id)| id).filter(|id| !answered.contains(id));
    let missing = once(open.filter(|&id| !found.lets_be(structure, id, entry)));
    if !missing.is_empty() {
        let says = format!(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each \
             'tool_call_id'. The following tool_call_ids did not have response messages: {}",
            names(transcript, &missing)
        );
        found.add(Code::UnansweredCall, entry, None, missing, Some(says));
    }
}

fn orphans(transcript: &Transcript, found: &mut Violations, entry: usize) {
    for (part, id) in results(transcript, entry) {
        let says = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message \
                    with 'tool_calls'."
            .into();
        found.add(Code::OrphanResult, entry, Some(part), [id].into(), Some(says));
    }
}

fn duplicate_calls(found: &mut Violations, entry: usize, calls: &[(usize, Id)]) {
    let mut seen = BTreeSet::new();
    for &(part, id) in calls {
        if !seen.insert(id) {
            // An id may come back in a later message; twice in one, no answer can tell them apart.
            found.warn(Code::DuplicateCallId, entry, Some(part), [id].into());
        }
    }
}

/// An assistant message must say or call something.
fn content(transcript: &Transcript, found: &mut Violations, entry: usize) {
    let Ok(node) = Node::parse(transcript.entry_text(entry)) else { return };
    let members = node.object();
    let calls = members.field("tool_calls");
    if calls.is_some_and(|calls| calls.is_array() && calls.array().is_empty()) {
        let says = format!(
            "Invalid 'messages[{entry}].tool_calls': empty array. Expected an array with minimum length 1, but \
             got an empty array instead."
        );
        found.add(Code::EmptyContent, entry, None, Vec::new(), Some(says));
        return;
    }
    let substitutes = ["content", "tool_calls", "function_call", "refusal", "audio"];
    if members.string("role").is_some() && !substitutes.iter().any(|key| members.has(key)) {
        let says = "Invalid value for 'content': expected a string, got null.".into();
        found.add(Code::EmptyContent, entry, None, Vec::new(), Some(says));
    }
}
