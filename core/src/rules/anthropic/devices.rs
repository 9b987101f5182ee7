//! The provider's own devices in a transcript: marks for the cache, compactions, system messages on the way.

use alloc::string::ToString as _;

use super::{
    CACHE_BREAKPOINTS, COMPACTION_EMPTY, COMPACTION_MISPLACED, SYSTEM_PLACEMENT,
    SYSTEM_PLACEMENT_UNKNOWN, SYSTEM_UNSUPPORTED,
};
use crate::json::{Node, Object};
use crate::provider::Family;
use crate::rules::{Violations, block};
use crate::transcript::{PartKind, Role, Transcript};

pub(super) fn check(transcript: &Transcript, found: &mut Violations) {
    cache(transcript, found);
    if transcript.compaction().is_some() {
        compaction(transcript, found);
    }
    system(transcript, found);
}

const MARK: &str = "cache_control";
const MARKS: usize = 4;

/// Marks are counted over the whole request; the newest one shows the fault.
fn cache(transcript: &Transcript, found: &mut Violations) {
    let marked = |members: &Object<'_>| usize::from(members.has(MARK));
    let list = |node: Node<'_>| -> usize {
        node.array().into_iter().map(|element| marked(&element.object())).sum()
    };
    let fixed = transcript.request().fixed.iter();
    let fixed = fixed.filter(|fixed| matches!(fixed.what, "system" | "tools"));
    let mut count: usize = fixed.map(|fixed| list(Node::at(transcript.text(), fixed.span))).sum();
    let mut newest = 0;
    for entry in 0..transcript.len() {
        if !transcript.entry_text(entry).contains(MARK) {
            continue;
        }
        let before = count;
        for part in transcript.parts(entry) {
            let members = block(transcript, part);
            let nested = matches!(part.kind, PartKind::Result { .. });
            let content = members.field("content").filter(|_| nested);
            count += marked(&members) + content.map_or(0, list);
        }
        newest = if count > before { entry } else { newest };
    }
    if count > MARKS {
        let count = count.to_string();
        found.broke(&CACHE_BREAKPOINTS, newest, None, [].into(), &[("count", &count)]);
    }
}

/// A compaction on demand is signed and stands for all before it; one by threshold stands behind what it summarises.
fn compaction(transcript: &Transcript, found: &mut Violations) {
    for entry in 0..transcript.len() {
        for (part, content) in transcript.parts(entry).iter().enumerate() {
            if content.kind != PartKind::Opaque {
                continue;
            }
            let members = block(transcript, content);
            if members.string("type").as_deref() != Some("compaction") {
                continue;
            }
            if !members.has("signature") {
                if members.string("content").is_some_and(|content| content.is_empty()) {
                    found.broke(&COMPACTION_EMPTY, entry, Some(part), [].into(), &[]);
                }
            } else if (entry, part) != (0, 0) {
                found.broke(&COMPACTION_MISPLACED, entry, Some(part), [].into(), &[]);
            }
        }
    }
}

/// System messages in a row are judged as one: behind a user turn or a server's result, before the assistant or the end.
fn system(transcript: &Transcript, found: &mut Violations) {
    let entries = transcript.entries();
    let request = transcript.request();
    let sonnet = request.model.as_deref().is_some_and(|model| model.contains("sonnet"));
    let is_system = |entry: usize| entries[entry].role == Role::System;
    let mut start = 0;
    while let Some(found_at) = (start..entries.len()).find(|&entry| is_system(entry)) {
        let end = (found_at..entries.len()).find(|&entry| !is_system(entry));
        let end = end.unwrap_or(entries.len());
        start = end;
        let follows = found_at.checked_sub(1).is_some_and(|before| match entries[before].role {
            Role::Assistant => {
                let last = transcript.parts(before).last();
                last.is_some_and(|part| matches!(part.kind, PartKind::Result { server: true, .. }))
            }
            _ => true,
        });
        let precedes = entries.get(end).is_none_or(|next| next.role == Role::Assistant);
        let rule = match request.family {
            Family::ClaudeManual => SYSTEM_UNSUPPORTED.answer(),
            Family::ClaudeAdaptive if sonnet => SYSTEM_UNSUPPORTED.answer(),
            _ if follows && precedes => continue,
            Family::Unknown => SYSTEM_PLACEMENT_UNKNOWN.answer(),
            _ => SYSTEM_PLACEMENT.answer(),
        };
        found.add(rule, found_at, None, [].into(), &[]);
    }
}
