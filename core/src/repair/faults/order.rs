//! Which role may stand where.

use alloc::collections::BTreeSet;

use crate::formats::turn::prompt;
use crate::json::Node;
use crate::places;
use crate::repair::ChangeKind;
use crate::repair::draft::Draft;
use crate::rules::{Code, Severity};
use crate::transcript::{PartKind, Role};

/// What a plain opening says.
const OPENING: &str = "(The beginning of this conversation is no longer here.)";

pub(super) fn heads(draft: &mut Draft<'_>) {
    let Some(violation) = draft.of(&[Code::HeadRole]).next() else { return };
    let entries = draft.transcript.entries();
    let at = entries.iter().position(|entry| entry.role != Role::System).unwrap_or(entries.len());
    draft.insert_entry(at, None, prompt(draft.transcript.wire(), OPENING));
    let message = "The conversation may not begin like this; a plain user entry was put in front.";
    draft.note(ChangeKind::Opened, violation.code, at, &[], message);
}

/// First the responses, so that every result finds its call in the one before it.
pub(super) fn split_responses(draft: &mut Draft<'_>) {
    merge(draft, |role| role == Role::Assistant);
}

/// By now results are where they belong, and what is still split is what was said.
pub(super) fn split_prompts(draft: &mut Draft<'_>) {
    merge(draft, |role| role != Role::Assistant);
}

/// Entries of one role in a row become one, where the provider wants turns to alternate.
fn merge(draft: &mut Draft<'_>, is_role: fn(Role) -> bool) {
    let transcript = draft.transcript;
    let text = transcript.text();
    let entries = transcript.entries();
    let mut into: Option<usize> = None;
    let mut newest = usize::MAX;
    let split: BTreeSet<usize> =
        draft.of(&[Code::RoleOrder]).map(|violation| violation.entry).collect();
    for violation in draft.of(&[Code::RoleOrder]) {
        let entry = violation.entry;
        if violation.severity != Severity::Error || entry == 0 || entry == newest {
            continue;
        }
        if entries[entry].role == Role::System && is_role(Role::System) {
            let at = entries.iter().take_while(|entry| entry.role == Role::System).count();
            draft.remove_entry(entry);
            draft.insert_entry(at, Some(entry), transcript.entry_text(entry).into());
            let message = "The instruction stood where the provider refuses it; it was moved to the others in front.";
            draft.note(ChangeKind::Moved, violation.code, entry, &[], message);
            continue;
        }
        // Where only the end of a run is refused, what is merged would be refused again, up to the first of it.
        let mut first = entry;
        while first > 1
            && newest != first - 1
            && split.contains(&(first - 1))
            && entries[first - 1].role == entries[entry].role
        {
            first -= 1;
        }
        for entry in first..=entry {
            // A run of one role is merged into its first entry.
            let target = into.filter(|_| newest == entry - 1).unwrap_or(entry - 1);
            let blocks = |entry: usize| places::blocks(text, entries[entry].span);
            let (Some(list), Some(own)) = (blocks(target), blocks(entry)) else { continue };
            if entries[target].role != entries[entry].role || !is_role(entries[entry].role) {
                continue;
            }
            let end = Node::at(text, list).array().len();
            for block in Node::at(text, own).array() {
                draft.insert_block(target, list, end, block.raw().into());
            }
            draft.remove_entry(entry);
            let message = "It has the role of the entry before it, which the provider refuses; the two are one now.";
            draft.note(ChangeKind::Merged, violation.code, entry, &[], message);
            (into, newest) = (Some(target), entry);
        }
    }
}

/// An instruction in the middle moves to the next place where it may stand: behind a user turn.
pub(super) fn system_placement(draft: &mut Draft<'_>) {
    let transcript = draft.transcript;
    let entries = transcript.entries();
    for violation in draft.of(&[Code::SystemPlacement]) {
        let from = violation.entry;
        let fits = |&at: &usize| {
            entries[at - 1].role == Role::User
                && entries.get(at).is_none_or(|entry| entry.role == Role::Assistant)
        };
        let Some(at) = (from + 2..=entries.len()).find(fits) else { continue };
        draft.remove_entry(from);
        draft.insert_entry(at, Some(from), transcript.entry_text(from).into());
        let message = "The instruction stood where the provider refuses it; it was moved behind the next user turn.";
        draft.note(ChangeKind::Moved, violation.code, from, &[], message);
    }
}

/// What a plain ending says.
const ENDING: &str = "Continue.";

pub(super) fn tails(draft: &mut Draft<'_>) {
    let tail = draft.of(&[Code::TailRole]).find(|violation| violation.severity == Severity::Error);
    let Some(violation) = tail else { return };
    let entry = violation.entry;
    if let Some(part) = violation.part
        && draft.transcript.parts(entry)[part].kind == PartKind::Thinking
    {
        draft.remove_part(entry, part);
        let message = "The conversation may not end on thinking; it was taken out.";
        draft.note(ChangeKind::Removed, violation.code, entry, &[], message);
        return;
    }
    let at = draft.transcript.len();
    draft.insert_entry(at, None, prompt(draft.transcript.wire(), ENDING));
    let message =
        "The conversation may not end on the assistant; a plain user entry was put behind it.";
    draft.note(ChangeKind::Closed, violation.code, entry, &[], message);
}
