//! What stands in an entry: compactions, reasoning, emptiness, marks for the cache.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::calls::calls_in;
use crate::json::Node;
use crate::places::{self};
use crate::repair::ChangeKind;
use crate::repair::draft::Draft;
use crate::rules::{Code, Violation};
use crate::transcript::{Format, PartKind, Role};

/// What the provider compacted must be gone from in front of its signed block.
pub(super) fn compactions(draft: &mut Draft<'_>) {
    let newest = draft.of(&[Code::CompactionBlock]).map(|violation| violation.entry).max();
    let Some(newest) = newest.filter(|&newest| newest > 0) else { return };
    for entry in 0..newest {
        if draft.transcript.entries()[entry].role != Role::System {
            draft.remove_entry(entry);
        }
    }
    let message =
        "What stands in front of the provider's compaction was taken out: the block stands for it.";
    draft.note(ChangeKind::Removed, Code::CompactionBlock, newest, &[], message);
}

/// Reasoning that may not stand alone goes; an item that must have its own forgets that it had any.
pub(super) fn reasoning(draft: &mut Draft<'_>) {
    for violation in draft.of(&[Code::ReasoningPair]) {
        let entry = violation.entry;
        match draft.transcript.wire() {
            Format::OpenAiResponses => responses_reasoning(draft, entry),
            Format::Gemini => sign(draft, violation),
            Format::OpenAiChat => {
                let object = draft.transcript.entries()[entry].span;
                if places::member(draft.transcript.text(), object, "reasoning_content").is_some() {
                    draft.strip(entry, "reasoning_content");
                }
                draft.add_member(entry, object, "reasoning_content", "\"\"");
                let message =
                    "An empty `reasoning_content` was put in, which the provider accepts.";
                draft.note(ChangeKind::Added, violation.code, entry, &[], message);
            }
            _ => {
                let Some(part) = violation.part else { continue };
                let is_thinking = draft.transcript.parts(entry)[part].kind == PartKind::Thinking;
                if is_thinking && draft.remove_part(entry, part) {
                    let message = "Thinking that the provider would refuse here was taken out.";
                    draft.note(ChangeKind::Removed, violation.code, entry, &[], message);
                }
            }
        }
    }
}

fn responses_reasoning(draft: &mut Draft<'_>, entry: usize) {
    if crate::cut::is_reasoning(draft.transcript, entry) {
        draft.remove_entry(entry);
        let message = "The reasoning lost the item that it led to; it was taken out.";
        draft.note(ChangeKind::Removed, Code::ReasoningPair, entry, &[], message);
    } else if draft.strip(entry, "id") {
        let ids = calls_in(draft.transcript, entry);
        let message = "The item lost its reasoning; without its own id it needs none.";
        draft.note(ChangeKind::Stripped, Code::ReasoningPair, entry, &ids, message);
    }
}

fn sign(draft: &mut Draft<'_>, violation: &Violation) {
    let Some(part) = violation.part else { return };
    let object = draft.transcript.parts(violation.entry)[part].whole;
    let value = "\"skip_thought_signature_validator\"";
    draft.add_member(violation.entry, object, "thoughtSignature", value);
    let message = "The signature that Gemini documents for calls of another origin was put in.";
    draft.note(ChangeKind::Signed, violation.code, violation.entry, &violation.ids, message);
}

/// Text without words goes; an entry that had nothing else goes with it.
pub(super) fn emptiness(draft: &mut Draft<'_>) {
    let transcript = draft.transcript;
    for violation in draft.of(&[Code::EmptyContent]) {
        let entry = violation.entry;
        if entry >= transcript.len() {
            continue;
        }
        let text = transcript.text();
        let span = transcript.entries()[entry].span;
        let calls = places::member(text, span, "tool_calls");
        if calls.is_some_and(|(_, calls)| Node::at(text, calls).array().is_empty())
            && calls.is_some_and(|(_, calls)| Node::at(text, calls).is_array())
            && draft.strip(entry, "tool_calls")
        {
            let message = "An empty list of calls was taken out.";
            draft.note(ChangeKind::Stripped, violation.code, entry, &[], message);
            continue;
        }
        let parts = transcript.parts(entry);
        let blank: Vec<usize> = (0..parts.len())
            .filter(|&part| {
                parts[part].kind == PartKind::Text
                    && transcript.part_text(&parts[part]).trim().is_empty()
            })
            .collect();
        let mut any = parts.is_empty();
        for part in blank {
            any |= draft.remove_part(entry, part);
        }
        if parts.is_empty() {
            draft.remove_entry(entry);
        }
        if any {
            let message = "Content without words was taken out.";
            draft.note(ChangeKind::Removed, violation.code, entry, &[], message);
        }
    }
}

/// The most marks for the prompt cache that Anthropic takes.
const MARKS: usize = 4;

/// The oldest marks for the prompt cache go.
pub(super) fn cache_marks(draft: &mut Draft<'_>) {
    let Some(violation) = draft.of(&[Code::CacheBreakpoints]).next() else { return };
    let transcript = draft.transcript;
    let text = transcript.text();
    let fixed = transcript.request().fixed.iter();
    let fixed: usize =
        fixed.map(|it| text[it.span.range()].matches("\"cache_control\"").count()).sum();
    let mut marks = Vec::new();
    for (entry, content) in transcript.entries().iter().enumerate() {
        let Some(list) = places::blocks(text, content.span) else { continue };
        for block in Node::at(text, list).array() {
            let object = block.span_in(text);
            marks.extend(
                places::member(text, object, "cache_control").map(|(at, _)| (entry, object, at)),
            );
        }
    }
    let surplus = (marks.len() + fixed).saturating_sub(MARKS).min(marks.len());
    for &(entry, object, index) in &marks[..surplus] {
        draft.splice(entry, places::member_range(text, object, index), String::new());
    }
    if surplus > 0 {
        let message = format!("The {surplus} oldest marks for the prompt cache were taken out.");
        draft.note(ChangeKind::Stripped, violation.code, marks[0].0, &[], &message);
    }
}
