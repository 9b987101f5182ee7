//! AWS Bedrock Converse. Each message is a turn, and turns alternate strictly. Source: texts quoted in public issues.

use alloc::collections::BTreeSet;
use alloc::string::ToString as _;
use alloc::vec::Vec;

use super::anthropic::{content::no_tools, thinking::opens_without};
use super::{Code, Rule, Violations, calls, made_up, names, repeated, results};
use crate::exchange::Structure;
use crate::provider::Family;
use crate::transcript::{Id, PartKind, Role, Transcript};

/// The rules.
pub(super) const RULES: &[&Rule] = &[
    &UNANSWERED,
    &UNANSWERED_LAST,
    &ORPHAN,
    &ORPHAN_OTHER,
    &DUPLICATE_RESULT,
    &DUPLICATE_CALL,
    &NO_TOOLS,
    &ROLE_ORDER,
    &HEAD_ROLE,
    &TEXT_BESIDE,
    &BAD_ID,
    &PART_ROLE,
    &EMPTY_CONTENT,
    &BLANK_TEXT,
    &THINKING_FIRST,
];

/// Every violation of them.
pub(super) fn check(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    for (entry, content) in transcript.entries().iter().enumerate() {
        let before = entry.checked_sub(1).map(|before| transcript.entries()[before].role);
        if before == Some(content.role) {
            found.broke(&ROLE_ORDER, entry, None, [].into(), &[]);
        } else if before.is_none() && content.role == Role::Assistant {
            found.broke(&HEAD_ROLE, entry, None, [].into(), &[]);
        }
        if content.role == Role::Assistant {
            answers(transcript, structure, found, entry);
        } else {
            answered(transcript, found, entry);
        }
        parts(transcript, found, entry);
    }
    no_tools(transcript, structure, found, &NO_TOOLS);
    let request = transcript.request();
    if request.thinking_bound
        && request.family == Family::ClaudeManual
        && let Some((entry, block)) = opens_without(transcript)
    {
        found.broke(&THINKING_FIRST, entry, None, [].into(), &[("found", block)]);
    }
}

/// The calls of a message are answered in the next one, all of them.
fn answers(transcript: &Transcript, structure: &Structure, found: &mut Violations, entry: usize) {
    let twice = repeated(calls(transcript, entry).map(|(_, id)| id));
    if !twice.is_empty() {
        let ids = names(transcript, &twice);
        found.broke(&DUPLICATE_CALL, entry, None, twice, &[("ids", &ids)]);
    }
    let next = entry + 1;
    let follows = transcript.entries().get(next).is_some_and(|next| next.role == Role::User);
    let answered: BTreeSet<Id> = (next..next + usize::from(follows))
        .flat_map(|next| results(transcript, next))
        .map(|(_, id)| id)
        .collect();
    let missing = calls(transcript, entry).map(|(_, id)| id);
    let missing = missing.filter(|id| !answered.contains(id));
    let missing: Vec<Id> =
        crate::cut::once(missing.filter(|&id| !found.lets_be(structure, id, entry)));
    if missing.is_empty() {
        return;
    }
    let unnamed = missing.iter().any(|&id| made_up(transcript.id(id)));
    if follows && !unnamed {
        let (ids, next) = (names(transcript, &missing), next.to_string());
        found.broke(&UNANSWERED, entry, None, missing, &[("ids", &ids), ("next", &next)]);
    } else {
        found.broke(&UNANSWERED_LAST, entry, None, missing, &[]);
    }
}

/// The results of a message answer the calls of the one before it, each once, and stand by themselves.
fn answered(transcript: &Transcript, found: &mut Violations, entry: usize) {
    let list: Vec<(usize, Id)> = results(transcript, entry).collect();
    if list.is_empty() {
        return;
    }
    let before = entry.checked_sub(1);
    let wanted: BTreeSet<Id> =
        before.into_iter().flat_map(|before| calls(transcript, before)).map(|(_, id)| id).collect();
    let different: BTreeSet<Id> = list.iter().map(|&(_, id)| id).collect();
    let more = different.len() > wanted.len();
    for &(part, id) in list.iter().filter(|(_, id)| !wanted.contains(id)) {
        let rule = if more { ORPHAN.answer() } else { ORPHAN_OTHER.answer() };
        found.add(rule, entry, Some(part), [id].into(), &[]);
    }
    let twice = repeated(list.iter().map(|&(_, id)| id).filter(|id| wanted.contains(id)));
    if !twice.is_empty() {
        let ids = names(transcript, &twice);
        found.broke(&DUPLICATE_RESULT, entry, None, twice, &[("ids", &ids)]);
    }
    let says = |kind: PartKind| matches!(kind, PartKind::Text | PartKind::Media);
    if transcript.parts(entry).iter().any(|part| says(part.kind)) {
        let ids = crate::cut::once(list.into_iter().map(|(_, id)| id));
        found.broke(&TEXT_BESIDE, entry, None, ids, &[]);
    }
}

/// What each part may be, and what may not be empty.
fn parts(transcript: &Transcript, found: &mut Violations, entry: usize) {
    if transcript.parts(entry).is_empty() {
        found.broke(&EMPTY_CONTENT, entry, None, [].into(), &[]);
    }
    let assistant = transcript.entries()[entry].role == Role::Assistant;
    for (part, content) in transcript.parts(entry).iter().enumerate() {
        let at = Some(part);
        match content.kind {
            PartKind::Text if transcript.part_text(content).trim().is_empty() => {
                found.broke(&BLANK_TEXT, entry, at, [].into(), &[]);
            }
            PartKind::Call { id, server: false, .. } => {
                let name = transcript.id(id);
                let plain = |c: char| c.is_ascii_alphanumeric() || "_.:-".contains(c);
                if made_up(name) || name.len() > 64 || !name.chars().all(plain) {
                    found.broke(&BAD_ID, entry, at, [id].into(), &[]);
                }
                if !assistant {
                    found.broke(&PART_ROLE, entry, at, [id].into(), &[]);
                }
            }
            PartKind::Result { id, server: false, .. } if assistant => {
                found.broke(&PART_ROLE, entry, at, [id].into(), &[]);
            }
            _ => {}
        }
    }
}

const UNANSWERED: Rule = Rule::error(
    Code::UnansweredCall,
    "A call has no result in the next message, or only in a later one; the text names that next message.",
    "Texts quoted in public issues.",
)
.says("Expected toolResult blocks at messages.{next}.content for the following Ids: {ids}");

const UNANSWERED_LAST: Rule = Rule::error(
    Code::UnansweredCall,
    "The same where no user message follows that the text could name.",
    "Derived from the text above.",
);

const ORPHAN: Rule = Rule::error(
    Code::OrphanResult,
    "A message holds more results than the one before it has calls, and this one answers none.",
    "Texts quoted in public issues.",
)
.says(
    "The number of toolResult blocks at messages.{entry}.content exceeds the number of toolUse blocks of previous turn.",
);

const ORPHAN_OTHER: Rule = Rule::error(
    Code::OrphanResult,
    "As many results as calls, and this one answers none of them.",
    "The other half of an unanswered call, whose text is given.",
);

const DUPLICATE_RESULT: Rule = Rule::error(
    Code::DuplicateResult,
    "Two results of one message answer one call.",
    "Texts quoted in public issues.",
)
.says("The toolResult blocks at messages.{entry}.content contain duplicate Ids: {ids}");

const DUPLICATE_CALL: Rule = Rule::error(
    Code::DuplicateCallId,
    "Two calls of one message share an id.",
    "The text in public code and logs.",
)
.says("The toolUse blocks at messages.{entry}.content contain duplicate Ids: {ids}");

const NO_TOOLS: Rule = Rule::error(
    Code::NoTools,
    "A request that names a model holds calls or results and has no `toolConfig`.",
    "The text in public code and logs.",
)
.says("The toolConfig field must be defined when using toolUse and toolResult content blocks.");

const ROLE_ORDER: Rule = Rule::error(
    Code::RoleOrder,
    "Two messages of one role follow each other.",
    "The text in public code and logs.",
)
.says(
    "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user \
     and assistant roles and try again.",
);

const HEAD_ROLE: Rule = Rule::error(
    Code::HeadRole,
    "The assistant speaks first.",
    "The text quoted in a public issue, where the end of it is left out.",
)
.says("A conversation must start with a user message");

const TEXT_BESIDE: Rule = Rule::warning(
    Code::ResultOrder,
    "Text or media stand beside results in one message. Some models refuse it; which is not known.",
    "The text in public code and logs.",
)
.says("Conversation blocks and tool result blocks cannot be provided in the same turn.");

const BAD_ID: Rule = Rule::error(
    Code::BadId,
    "The id of a call is missing, longer than 64 characters, or holds something else than letters, digits and `_.:-`.",
    "The contract of the API, quoted in a public issue; the text is not known.",
);

const PART_ROLE: Rule = Rule::warning(
    Code::PartRole,
    "A call of the user's, or a result of the assistant's.",
    "The answer is not known.",
);

const EMPTY_CONTENT: Rule =
    Rule::error(Code::EmptyContent, "A message has no content.", "The exact text is not verified.");

const BLANK_TEXT: Rule =
    Rule::error(Code::EmptyContent, "A text block is blank.", "The exact text is not verified.");

const THINKING_FIRST: Rule = Rule::error(
    Code::ReasoningPair,
    "Manual thinking is on (Claude 4.5 and earlier), and the tool loop being worked on does not start with thinking.",
    "The text of Anthropic's rule, quoted through Bedrock in a public issue; the end of it is left out.",
)
.says(
    "The model returned the following errors: messages.{entry}.content.0.type: Expected `thinking` or \
     `redacted_thinking`, but found `{found}`. When `thinking` is enabled, a final `assistant` message must start with a \
     thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include \
     thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our documentation \
     at",
);
