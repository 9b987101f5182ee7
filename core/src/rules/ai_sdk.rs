//! What the AI SDK checks before it sends anything. Source: `ai` 6.0.326, as run. It catches calls without a result and
//! broken approvals; what it lets pass and every provider refuses is a warning.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use super::{Code, Mode, Rule, Violations, block, names};
use crate::cut::once;
use crate::exchange::Structure;
use crate::transcript::{Id, PartKind, Role, Transcript};

/// The rules.
pub(super) const RULES: &[&Rule] = &[
    &UNANSWERED,
    &UNANSWERED_MORE,
    &UNKNOWN_APPROVAL,
    &APPROVED_CALL_GONE,
    &ORPHAN,
    &DUPLICATE_RESULT,
    &DUPLICATE_CALL,
    &EMPTY_LIST,
];

/// Every violation of them.
pub(super) fn check(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    if transcript.is_empty() && found.mode == Mode::Request {
        found.broke(&EMPTY_LIST, 0, None, [].into(), &[]);
    }
    let approved = approvals(transcript, structure, found);
    let mut open: BTreeSet<(Id, usize)> = BTreeSet::new();
    for entry in 0..transcript.len() {
        let role = transcript.entries()[entry].role;
        if matches!(role, Role::User | Role::System) {
            checkpoint(transcript, found, &mut open);
        }
        for (part, content) in transcript.parts(entry).iter().enumerate() {
            match content.kind {
                PartKind::Call { id, server: false, .. } => {
                    let pending =
                        found.lets_be(structure, id, entry) || approved.contains(transcript.id(id));
                    if !of(&open, id).is_empty() {
                        found.broke(&DUPLICATE_CALL, entry, Some(part), [id].into(), &[]);
                    }
                    if !pending {
                        open.insert((id, entry));
                    }
                }
                PartKind::Result { id, .. } => {
                    for call in of(&open, id) {
                        open.remove(&call);
                    }
                }
                _ => {}
            }
        }
    }
    checkpoint(transcript, found, &mut open);
    for stray in &structure.pairing.strays {
        let (entry, part) = (stray.place.entry as usize, stray.place.part as usize);
        if !is_approval(transcript, entry, part) {
            let rule = if stray.duplicate { DUPLICATE_RESULT.answer() } else { ORPHAN.answer() };
            found.add(rule, entry, Some(part), [stray.id].into(), &[]);
        }
    }
}

/// Where the user goes on, and at the end, no call may be open. The text names all that are, in whichever entries.
fn checkpoint(transcript: &Transcript, found: &mut Violations, open: &mut BTreeSet<(Id, usize)>) {
    // Ids are numbered as they come, so the calls are in their order.
    let open = core::mem::take(open);
    let ids = once(open.iter().map(|&(id, _)| id));
    let rule = if ids.len() == 1 { UNANSWERED.answer() } else { UNANSWERED_MORE.answer() };
    let names = names(transcript, &ids);
    let mut entries: BTreeMap<usize, Vec<Id>> = BTreeMap::new();
    for (id, entry) in open {
        entries.entry(entry).or_default().push(id);
    }
    for (entry, ids) in entries {
        found.add(rule, entry, None, ids, &[("ids", &names)]);
    }
}

/// The calls of `id` among those that are open.
fn of(open: &BTreeSet<(Id, usize)>, id: Id) -> Vec<(Id, usize)> {
    open.range((id, 0)..=(id, usize::MAX)).copied().collect()
}

/// Whether a part asks for or gives an approval.
fn is_approval(transcript: &Transcript, entry: usize, part: usize) -> bool {
    block(transcript, &transcript.parts(entry)[part]).has("approvalId")
}

/// The calls whose approval the last message answers, be it granted or denied: the SDK runs them, or writes that they were
/// denied, before it looks for results. Of answers further up it knows nothing.
fn approvals<'a>(
    transcript: &'a Transcript,
    structure: &Structure,
    found: &mut Violations,
) -> BTreeSet<Cow<'a, str>> {
    let calls = structure.pairing.calls.iter();
    let known: BTreeSet<&str> = calls
        .clone()
        .filter(|call| {
            !is_approval(transcript, call.place.entry as usize, call.place.part as usize)
        })
        .map(|call| transcript.id(call.id))
        .collect();
    let last = transcript.len().saturating_sub(1);
    let mut approved = BTreeSet::new();
    for call in calls {
        let (entry, part) = (call.place.entry as usize, call.place.part as usize);
        let members = block(transcript, &transcript.parts(entry)[part]);
        let Some(tool) = members.string("toolCallId").filter(|_| members.has("approvalId")) else {
            continue;
        };
        if !known.contains(&*tool) {
            let values = [("call", &*tool), ("ids", transcript.id(call.id))];
            found.broke(&APPROVED_CALL_GONE, entry, Some(part), [call.id].into(), &values);
        } else if call.answer.is_some_and(|answer| answer.entry as usize == last) {
            approved.insert(tool);
        }
    }
    for stray in structure.pairing.strays.iter().filter(|stray| !stray.duplicate) {
        let (entry, part) = (stray.place.entry as usize, stray.place.part as usize);
        if is_approval(transcript, entry, part) {
            let values = [("ids", transcript.id(stray.id))];
            found.broke(&UNKNOWN_APPROVAL, entry, Some(part), [stray.id].into(), &values);
        }
    }
    approved
}

const UNANSWERED: Rule = Rule::error(
    Code::UnansweredCall,
    "A call that the provider does not execute has neither a result nor an approval answered in the last message when the \
     user goes on, or at the end.",
    "The SDK, as run; its troubleshooting page prints a colon before the ids.",
)
.says("AI_MissingToolResultsError: Tool result is missing for tool call {ids}.");

const UNANSWERED_MORE: Rule = Rule::error(
    Code::UnansweredCall,
    "The same of several calls.",
    "The SDK, as run; its troubleshooting page prints a colon before the ids.",
)
.says("AI_MissingToolResultsError: Tool results are missing for tool calls {ids}.");

const UNKNOWN_APPROVAL: Rule = Rule::error(
    Code::OrphanResult,
    "An approval is given that nobody asked for.",
    "The SDK, as run.",
)
.says(
    "AI_InvalidToolApprovalError: Tool approval response references unknown approvalId: \"{ids}\". No matching \
     tool-approval-request found in message history.",
);

const APPROVED_CALL_GONE: Rule = Rule::error(
    Code::OrphanResult,
    "An approval is asked for a call that is gone.",
    "The SDK's source.",
)
.says(
    "AI_ToolCallNotFoundForApprovalError: Tool call \"{call}\" not found for approval request \"{ids}\".",
);

const ORPHAN: Rule = Rule::warning(
    Code::OrphanResult,
    "A result answers no call. The SDK lets it pass; a provider does not.",
    "The SDK, as run.",
);

const DUPLICATE_RESULT: Rule = Rule::warning(
    Code::DuplicateResult,
    "Two results answer one call. The SDK lets it pass; most providers do not.",
    "The SDK, as run.",
);

const DUPLICATE_CALL: Rule = Rule::warning(
    Code::DuplicateCallId,
    "Two open calls share an id. The SDK lets it pass; most providers do not.",
    "The SDK, as run.",
);

const EMPTY_LIST: Rule =
    Rule::error(Code::EmptyContent, "A request has no messages.", "The SDK, as run.")
        .says("AI_InvalidPromptError: Invalid prompt: messages must not be empty");
