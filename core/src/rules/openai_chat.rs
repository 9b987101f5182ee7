//! OpenAI Chat Completions. Source: texts quoted in public issues and probes of the live API (2026-08).
//!
//! Of several faults OpenAI names one: a list of calls that is empty before content that is missing.

use alloc::string::ToString as _;

use super::chat_shape::{self, Kind, LEGACY_CALL, LEGACY_RESULT, Lack, NO_CALL_ID};
use super::{Code, Rule, Violations, members};
use crate::exchange::Structure;
use crate::transcript::{PartKind, Role, Transcript};

/// The rules.
pub(super) const RULES: &[&Rule] = &[
    &UNANSWERED,
    &STRAY,
    &FOREIGN,
    &DUPLICATE_RESULT,
    &DUPLICATE_CALL,
    &NO_ID,
    &NO_CALL_ID,
    &LONG_ID,
    &LEGACY_CALL,
    &LEGACY_RESULT,
    &EMPTY_CALLS,
    &NOTHING,
    &NO_DEVELOPER_CONTENT,
    &NO_CONTENT,
    &UNKNOWN_ROLE,
];

/// Every violation of them.
pub(super) fn check(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    chat_shape::check(transcript, structure, found, |fault| match fault.kind {
        Kind::Unanswered => UNANSWERED.answer(),
        Kind::Foreign => FOREIGN.answer(),
        Kind::Stray => STRAY.answer(),
        Kind::Twice => DUPLICATE_RESULT.answer(),
        Kind::CallTwice => DUPLICATE_CALL.answer(),
        _ => NO_ID.answer(),
    });
    for entry in 0..transcript.len() {
        long_ids(transcript, found, entry);
        content(transcript, found, entry);
    }
}

/// An id has 40 characters at most.
fn long_ids(transcript: &Transcript, found: &mut Violations, entry: usize) {
    for (part, id) in super::calls(transcript, entry) {
        let length = transcript.id(id).chars().count();
        if length > 40 {
            let length = length.to_string();
            found.broke(&LONG_ID, entry, Some(part), [id].into(), &[("length", &length)]);
        }
    }
}

const SUBSTITUTES: [&str; 5] = ["content", "tool_calls", "function_call", "refusal", "audio"];

/// A message says something; an assistant's may call, refuse or sound instead.
fn content(transcript: &Transcript, found: &mut Violations, entry: usize) {
    let role = transcript.entries()[entry].role;
    let rule = match (role, transcript.parts(entry)) {
        (Role::Assistant, _) => match chat_shape::lack(transcript, entry, &SUBSTITUTES) {
            Some(Lack::Calls) => EMPTY_CALLS.answer(),
            Some(Lack::Content) => NOTHING.answer(),
            None => return,
        },
        (Role::Tool, _) if chat_shape::tool_content(transcript, entry).is_none() => {
            NO_CONTENT.answer()
        }
        (_, []) => {
            let message = members(transcript, entry);
            match message.string("role").as_deref() {
                _ if message.has("content") => return,
                Some("developer") => NO_DEVELOPER_CONTENT.answer(),
                _ => NO_CONTENT.answer(),
            }
        }
        // An entry of a role that is not known is carried whole.
        (Role::User, [part]) if part.kind == PartKind::Opaque => {
            let role = members(transcript, entry).string("role").unwrap_or_default();
            if !role.is_empty() && role != "user" {
                found.broke(&UNKNOWN_ROLE, entry, None, [].into(), &[("role", &role)]);
            }
            return;
        }
        _ => return,
    };
    found.add(rule, entry, None, [].into(), &[]);
}

const UNANSWERED: Rule = Rule::error(
    Code::UnansweredCall,
    "An assistant message with calls is not followed at once by one `tool` message for each.",
    "Texts quoted in public issues.",
)
.says(
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The \
     following tool_call_ids did not have response messages: {ids}",
);

const STRAY: Rule = Rule::error(
    Code::OrphanResult,
    "A `tool` message does not follow a message with calls.",
    "Texts quoted in public issues.",
)
.says(
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
);

const FOREIGN: Rule = Rule::error(
    Code::OrphanResult,
    "A `tool` message names an id that the message with the calls before it has not.",
    "The text in public code and logs.",
)
.says(
    "Invalid parameter: 'tool_call_id' of '{ids}' not found in 'tool_calls' of previous message.",
);

const DUPLICATE_RESULT: Rule = Rule::warning(
    Code::DuplicateResult,
    "Two `tool` messages answer one call.",
    "What OpenAI itself answers is not verified.",
);

const DUPLICATE_CALL: Rule = Rule::warning(
    Code::DuplicateCallId,
    "Two calls of one message share an id; a later message may use an id again.",
    "What OpenAI itself answers is not verified.",
);

const NO_ID: Rule =
    Rule::warning(Code::BadId, "A `tool` message names no id.", "The answer is not known.");

const LONG_ID: Rule = Rule::error(
    Code::BadId,
    "The id of a call is longer than 40 characters.",
    "The text in public logs; the beginning of it is not known.",
)
.says(
    "string too long. Expected a string with maximum length 40, but got a string with length {length} instead.",
);

pub(super) const EMPTY_CALLS: Rule = Rule::error(
    Code::EmptyContent,
    "The list of calls is there and empty, be there content beside it or not.",
    "Probed on the live API in August 2026.",
)
.says(
    "Invalid 'messages[{entry}].tool_calls': empty array. Expected an array with minimum length 1, but got an empty \
     array instead.",
);

const NOTHING: Rule = Rule::error(
    Code::EmptyContent,
    "An assistant message has neither content nor calls, refusal or audio.",
    "Probed on the live API in August 2026.",
)
.says("Invalid value for 'content': expected a string, got null.");

const NO_DEVELOPER_CONTENT: Rule = Rule::error(
    Code::EmptyContent,
    "A developer message has no content.",
    "Probed on the live API in August 2026.",
)
.says("Missing required parameter: 'messages[{entry}].content'.");

const NO_CONTENT: Rule = Rule::error(
    Code::EmptyContent,
    "Any other message but an assistant's has no content.",
    "Probed on the live API in August 2026; the text was read for developer messages alone.",
);

const UNKNOWN_ROLE: Rule = Rule::error(
    Code::UnknownRole,
    "A message has a role that is none of the known ones.",
    "Probed on the live API in August 2026.",
)
.says(
    "Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and \
     'developer'.",
);
