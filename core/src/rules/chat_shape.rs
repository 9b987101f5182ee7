//! What the providers over the shape of Chat Completions have in common: an assistant message with calls is followed at
//! once by one `tool` message for each, in any order. Each has texts of its own for a breach, and rules beside.

use alloc::collections::BTreeSet;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::ops::Range;

use super::{Answer, Code, Rule, Violations, block, made_up, members, names};
use crate::cut::once;
use crate::exchange::Structure;
use crate::json::Node;
use crate::transcript::{Id, PartKind, Role, Transcript};

/// A breach of the pairing, before a provider has a word for it.
pub(super) struct Fault {
    pub(super) kind: Kind,
    pub(super) entry: usize,
    pub(super) part: Option<usize>,
    pub(super) ids: Vec<Id>,
    /// The `tool` messages right after the message with the calls.
    pub(super) run: Range<usize>,
}

/// What is wrong.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Kind {
    /// Calls without a `tool` message each right after them.
    Unanswered,
    /// A result among those of a message, and none of its calls has that id.
    Foreign,
    /// A result right after something that calls nothing.
    Stray,
    /// A second result for one call.
    Twice,
    /// Two calls of one message share an id.
    CallTwice,
    /// A result without an id.
    NoId,
    /// A call without an id.
    NoCallId,
    /// The form before `tool_calls`: a `function_call` without its `function` message.
    LegacyCall,
    /// The form before `tool_calls`: a `function` message without its call.
    LegacyResult,
}

pub(super) const NO_CALL_ID: Rule = Rule::warning(
    Code::BadId,
    "A call has no id.",
    "No result can name it; the answer is not known.",
);

pub(super) const LEGACY_CALL: Rule = Rule::warning(
    Code::UnansweredCall,
    "A `function_call` is not followed by a `function` message of its name.",
    "The form before `tool_calls`; its texts are not verified.",
);

pub(super) const LEGACY_RESULT: Rule = Rule::warning(
    Code::OrphanResult,
    "A `function` message does not follow a `function_call` of its name.",
    "The form before `tool_calls`; its texts are not verified.",
);

/// The answer to a breach that every provider of this shape is given alike; of the others, what `own` says.
pub(super) fn check(
    transcript: &Transcript,
    structure: &Structure,
    found: &mut Violations,
    own: impl Fn(&Fault) -> Answer,
) {
    for fault in faults(transcript, structure, found) {
        let answer = match fault.kind {
            Kind::NoCallId => NO_CALL_ID.answer(),
            Kind::LegacyCall => LEGACY_CALL.answer(),
            Kind::LegacyResult => LEGACY_RESULT.answer(),
            _ => own(&fault),
        };
        let unnamed = |answer: Answer| {
            let says = answer.says.unwrap_or_default();
            says.contains("{ids}") && fault.ids.iter().any(|&id| made_up(transcript.id(id)))
        };
        let answer = if unnamed(answer) { answer.silent() } else { answer };
        let (ids, next) = (names(transcript, &fault.ids), fault.run.end.to_string());
        found.add(answer, fault.entry, fault.part, fault.ids, &[("ids", &ids), ("next", &next)]);
    }
}

fn faults(transcript: &Transcript, structure: &Structure, found: &Violations) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut entry = 0;
    while entry < transcript.len() {
        let calls: Vec<(usize, Id)> = super::calls(transcript, entry).collect();
        let is_tool = transcript.entries()[entry].role == Role::Tool;
        let first = if is_tool { entry } else { entry + 1 };
        let after = transcript.entries()[first..].iter();
        let run = first..first + after.take_while(|entry| entry.role == Role::Tool).count();
        let mut add = |kind: Kind, entry: usize, part: Option<usize>, ids: Vec<Id>| {
            faults.push(Fault { kind, entry, part, ids, run: run.clone() });
        };
        twice(transcript, entry, &calls, &mut add);
        let wanted: BTreeSet<Id> = calls.iter().map(|&(_, id)| id).collect();
        let mut answered = BTreeSet::new();
        for result in run.clone() {
            for (part, id) in super::results(transcript, result) {
                let kind = if made_up(transcript.id(id)) && !wanted.contains(&id) {
                    let legacy = members(transcript, result).string("role");
                    let legacy = legacy.as_deref() == Some("function");
                    if legacy { Kind::LegacyResult } else { Kind::NoId }
                } else if calls.is_empty() {
                    Kind::Stray
                } else if !wanted.contains(&id) {
                    Kind::Foreign
                } else if answered.insert(id) {
                    continue;
                } else {
                    Kind::Twice
                };
                add(kind, result, Some(part), [id].into());
            }
        }
        let open = calls.iter().filter(|(_, id)| !answered.contains(id));
        let open = open.filter(|&&(_, id)| !found.lets_be(structure, id, entry));
        let (legacy, open): (Vec<_>, Vec<_>) =
            open.partition(|&&(part, _)| is_legacy(transcript, entry, part));
        for (kind, open) in [(Kind::LegacyCall, legacy), (Kind::Unanswered, open)] {
            let open = once(open.into_iter().map(|&(_, id)| id));
            if !open.is_empty() {
                add(kind, entry, None, open);
            }
        }
        entry = run.end.max(entry + 1);
    }
    faults
}

/// Ids within one message: what has none, or another's, cannot be told apart by any result. A later message may use an id
/// again.
fn twice(
    transcript: &Transcript,
    entry: usize,
    calls: &[(usize, Id)],
    add: &mut impl FnMut(Kind, usize, Option<usize>, Vec<Id>),
) {
    let mut seen = BTreeSet::new();
    for &(part, id) in calls {
        if made_up(transcript.id(id)) && !is_legacy(transcript, entry, part) {
            add(Kind::NoCallId, entry, Some(part), [id].into());
        }
        if !seen.insert(id) {
            add(Kind::CallTwice, entry, Some(part), [id].into());
        }
    }
}

/// Whether a call stands in `function_call`, which holds no more than name and arguments.
fn is_legacy(transcript: &Transcript, entry: usize, part: usize) -> bool {
    let part = &transcript.parts(entry)[part];
    let PartKind::Call { id, .. } = part.kind else { return false };
    let keys = ["id", "type", "function", "custom"];
    made_up(transcript.id(id))
        && keys.iter().all(|key| block(transcript, part).field(key).is_none())
}

/// What an assistant message without calls lacks.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Lack {
    /// Its list of calls is there and empty.
    Calls,
    /// It has none of what may stand for content.
    Content,
}

/// What the assistant message `entry` lacks, if anything; `substitutes` may stand for its content.
pub(super) fn lack(transcript: &Transcript, entry: usize, substitutes: &[&str]) -> Option<Lack> {
    let is_call = |kind: PartKind| matches!(kind, PartKind::Call { .. });
    let called = transcript.parts(entry).iter().any(|part| is_call(part.kind));
    if transcript.entries()[entry].role != Role::Assistant || called {
        return None;
    }
    let members = members(transcript, entry);
    let calls = members.field("tool_calls");
    if calls.is_some_and(|calls| calls.is_array() && calls.array().is_empty()) {
        return Some(Lack::Calls);
    }
    let nothing = members.has("role") && !substitutes.iter().any(|key| members.has(key));
    nothing.then_some(Lack::Content)
}

/// The content of a `tool` message, if it has any.
pub(super) fn tool_content(transcript: &Transcript, entry: usize) -> Option<Node<'_>> {
    members(transcript, entry).field("content").filter(|content| !content.is_null())
}

/// Whether the assistant message `entry` has no reasoning to pass back; an empty string is one.
pub(super) fn lacks_reasoning(transcript: &Transcript, entry: usize) -> bool {
    let is_one = |kind: PartKind, raw: &str| kind == PartKind::Thinking && raw.starts_with('"');
    let mut parts = transcript.parts(entry).iter();
    !parts.any(|part| is_one(part.kind, transcript.slice(part.body)))
}
