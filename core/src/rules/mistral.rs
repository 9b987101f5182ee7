//! Mistral, over the shape of Chat Completions. Source: `mistral_common` 1.13.1 in serving mode, validators v11 to v15, as
//! run; where the hosted API is known to differ, the rule says so.

use super::chat_shape::{self, Fault, Kind, LEGACY_CALL, LEGACY_RESULT, NO_CALL_ID};
use super::{Answer, Code, Mode, Rule, Violations, made_up, members};
use crate::exchange::Structure;
use crate::transcript::{Role, Transcript};

/// The rules.
pub(super) const RULES: &[&Rule] = &[
    &UNANSWERED,
    &UNANSWERED_APART,
    &FOREIGN,
    &AFTER_USER,
    &STRAY,
    &ORPHAN_FIRST,
    &DUPLICATE_RESULT,
    &DUPLICATE_CALL,
    &BAD_ID,
    &NO_ID,
    &NO_CALL_ID,
    &LEGACY_CALL,
    &LEGACY_RESULT,
    &CALLS_FIRST,
    &ALONE,
    &TAIL_ROLE,
    &USER_AFTER_TOOL,
    &SYSTEM_AFTER_TOOL,
    &SYSTEM_AFTER_ASSISTANT,
    &EMPTY_LIST,
];

/// Every violation of them.
pub(super) fn check(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    chat_shape::check(transcript, structure, found, |fault| pairing(transcript, fault));
    for entry in 0..transcript.len() {
        for (part, id) in super::calls(transcript, entry) {
            let name = transcript.id(id);
            let plain = name.len() == 9 && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if !plain && !made_up(name) {
                found.broke(&BAD_ID, entry, Some(part), [id].into(), &[("ids", name)]);
            }
        }
    }
    for (entry, pair) in transcript.entries().windows(2).enumerate() {
        let rule = match (pair[0].role, pair[1].role) {
            (Role::Tool, Role::User) => USER_AFTER_TOOL.answer(),
            (Role::Tool, Role::System) => SYSTEM_AFTER_TOOL.answer(),
            (Role::Assistant, Role::System) => SYSTEM_AFTER_ASSISTANT.answer(),
            _ => continue,
        };
        found.add(rule, entry + 1, None, [].into(), &[]);
    }
    ends(transcript, structure, found);
}

/// What is said to a breach of the pairing.
fn pairing(transcript: &Transcript, fault: &Fault) -> Answer {
    let entries = transcript.entries();
    match fault.kind {
        Kind::Unanswered => {
            // Results are counted up to the next assistant message, and other roles between them are another fault.
            let until = entries[fault.run.end..].iter();
            let mut until = until.take_while(|entry| entry.role != Role::Assistant);
            let more = until.any(|entry| entry.role == Role::Tool);
            let ends_on_calls = fault.run.start == entries.len();
            if more || ends_on_calls || fault.entry == 0 {
                UNANSWERED_APART.answer()
            } else {
                UNANSWERED.answer()
            }
        }
        Kind::Stray => match fault.run.start.checked_sub(1).map(|before| entries[before].role) {
            None => ORPHAN_FIRST.answer(),
            Some(Role::User) if fault.entry == fault.run.start => AFTER_USER.answer(),
            Some(Role::Assistant) => FOREIGN.answer(),
            Some(_) => STRAY.answer(),
        },
        Kind::Foreign => FOREIGN.answer(),
        Kind::Twice => DUPLICATE_RESULT.answer(),
        Kind::CallTwice => DUPLICATE_CALL.answer(),
        _ => NO_ID.answer(),
    }
}

fn ends(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    let request = found.mode == Mode::Request;
    match transcript.entries() {
        [] if request => found.broke(&EMPTY_LIST, 0, None, [].into(), &[]),
        [only] if only.role == Role::Assistant => found.broke(&ALONE, 0, None, [].into(), &[]),
        [first, second, ..] if first.role == Role::Assistant && second.role == Role::Tool => {
            let result = super::results(transcript, 1).next().map(|(_, id)| transcript.id(id));
            let named = result.filter(|name| !made_up(name));
            if super::calls(transcript, 0).next().is_some() {
                let answer = CALLS_FIRST.answer();
                let answer = if named.is_some() { answer } else { answer.silent() };
                found.add(answer, 0, None, [].into(), &[("ids", named.unwrap_or_default())]);
            }
        }
        _ => {}
    }
    let Some(last) = transcript.len().checked_sub(1) else { return };
    if request
        && last > 0
        && transcript.entries()[last].role == Role::Assistant
        && structure.tail.pending.is_empty()
        && !members(transcript, last).is_true("prefix")
    {
        found.broke(&TAIL_ROLE, last, None, [].into(), &[]);
    }
}

const UNANSWERED: Rule = Rule::error(
    Code::UnansweredCall,
    "Fewer `tool` messages than calls up to the next assistant message.",
    "The library, as run.",
)
.says("Not the same number of function calls and responses");

const UNANSWERED_APART: Rule = Rule::error(
    Code::UnansweredCall,
    "A call is not answered by a `tool` message right after it, and another fault is named instead.",
    "Derived from the library, as run.",
);

const FOREIGN: Rule = Rule::error(
    Code::OrphanResult,
    "A `tool` message names an id that the assistant message before it has not.",
    "The library, as run.",
)
.says("Unexpected tool call id {ids} in tool results");

const AFTER_USER: Rule = Rule::error(
    Code::OrphanResult,
    "A `tool` message follows a user message.",
    "The library, as run.",
)
.says("Unexpected role 'tool' after role 'user'");

const STRAY: Rule = Rule::error(
    Code::OrphanResult,
    "A `tool` message stands elsewhere where nothing was called.",
    "Derived from the library, as run.",
);

const ORPHAN_FIRST: Rule = Rule::warning(
    Code::OrphanResult,
    "A `tool` message comes first. It is not caught, and still answers nothing.",
    "The library, as run.",
);

const DUPLICATE_RESULT: Rule = Rule::error(
    Code::DuplicateResult,
    "Two `tool` messages answer one call.",
    "The library, as run.",
)
.says("Duplicate tool call id {ids} in tool results");

const DUPLICATE_CALL: Rule = Rule::error(
    Code::DuplicateCallId,
    "Two calls of one message share an id; a later exchange may use it again.",
    "The library, as run.",
)
.says("Duplicate tool call id {ids} in assistant message");

const BAD_ID: Rule = Rule::error(
    Code::BadId,
    "The id of a call is not nine letters and digits. The library's newest validators take it, the hosted API does not.",
    "The library, as run, and public issues (code 3280).",
)
.says("Tool call id was {ids} but must be a-z, A-Z, 0-9, with a length of 9.");

const NO_ID: Rule =
    Rule::warning(Code::BadId, "A `tool` message names no id.", "The answer is not known.");

const CALLS_FIRST: Rule = Rule::error(
    Code::HeadRole,
    "An assistant message with calls comes first: it is not counted, so that its results are unexpected.",
    "The library, as run; the end of the text is left out.",
)
.says("Unexpected tool call id {ids}");

const ALONE: Rule =
    Rule::error(Code::HeadRole, "An assistant message is all there is.", "The library, as run.")
        .says("Conversation must start with a user message or system message");

const TAIL_ROLE: Rule = Rule::error(
    Code::TailRole,
    "A request ends on an assistant message that is not marked as a prefix.",
    "The library, as run.",
)
.says("Expected last role User or Tool (or Assistant with prefix) for serving but got assistant");

const USER_AFTER_TOOL: Rule = Rule::warning(
    Code::RoleOrder,
    "A user message follows a `tool` message. The library takes it since April 2026; the hosted API refused it through \
     2025.",
    "The library, as run, and public issues (code 3230).",
)
.says("Unexpected role 'user' after role 'tool'");

const SYSTEM_AFTER_TOOL: Rule = Rule::error(
    Code::RoleOrder,
    "A system message follows a `tool` message.",
    "The library, as run.",
)
.says("Unexpected role 'system' after role 'tool'");

const SYSTEM_AFTER_ASSISTANT: Rule = Rule::error(
    Code::RoleOrder,
    "A system message follows one of the assistant.",
    "The library, as run.",
)
.says("Unexpected role 'system' after role 'assistant'");

const EMPTY_LIST: Rule =
    Rule::error(Code::EmptyContent, "A request has no messages.", "The library, as run.")
        .says("Conversation must have at least one message");
