//! Qwen (DashScope), over the shape of Chat Completions. Source: a public log.
//!
//! One report has a `tool` message without a `name` refused as well; nobody else does, so it is no rule here.

use super::chat_shape::{self, Kind, LEGACY_CALL, LEGACY_RESULT, NO_CALL_ID};
use super::{Code, Rule, Violations};
use crate::exchange::Structure;
use crate::transcript::Transcript;

/// The rules.
pub(super) const RULES: &[&Rule] = &[
    &UNANSWERED,
    &UNANSWERED_LAST,
    &STRAY,
    &FOREIGN,
    &DUPLICATE_RESULT,
    &DUPLICATE_CALL,
    &NO_ID,
    &NO_CALL_ID,
    &LEGACY_CALL,
    &LEGACY_RESULT,
];

/// Every violation of them.
pub(super) fn check(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    chat_shape::check(transcript, structure, found, |fault| match fault.kind {
        Kind::Unanswered if fault.run.end == transcript.len() => UNANSWERED_LAST.answer(),
        Kind::Unanswered => UNANSWERED.answer(),
        Kind::Foreign => FOREIGN.answer(),
        Kind::Stray => STRAY.answer(),
        Kind::Twice => DUPLICATE_RESULT.answer(),
        Kind::CallTwice => DUPLICATE_CALL.answer(),
        _ => NO_ID.answer(),
    });
}

const UNANSWERED: Rule = Rule::error(
    Code::UnansweredCall,
    "An assistant message with calls is not followed at once by one `tool` message for each; the text names the message \
     that stands where one is missing.",
    "The text in a public log; the beginning of it is left out there.",
)
.says(
    "An assistant message with \"tool_calls\" must be followed by tool messages responding to each \"tool_call_id\". \
     The following tool_call_ids did not have response messages: message[{next}].role",
);

const UNANSWERED_LAST: Rule = Rule::error(
    Code::UnansweredCall,
    "The same at the end, where no message stands that the text could name.",
    "Derived from the text above.",
);

const STRAY: Rule = Rule::error(
    Code::OrphanResult,
    "A `tool` message does not follow a message with calls.",
    "The text in a public log.",
)
.says(
    "<400> InternalError.Algo.InvalidParameter: messages with role \"tool\" must be a response to a preceeding message \
     with \"tool_calls\".",
);

const FOREIGN: Rule = Rule::warning(
    Code::OrphanResult,
    "A `tool` message names an id that the message with the calls before it has not.",
    "The answer is not known.",
);

const DUPLICATE_RESULT: Rule = Rule::warning(
    Code::DuplicateResult,
    "Two `tool` messages answer one call.",
    "The answer is not known.",
);

const DUPLICATE_CALL: Rule = Rule::warning(
    Code::DuplicateCallId,
    "Two calls of one message share an id.",
    "The answer is not known.",
);

const NO_ID: Rule =
    Rule::warning(Code::BadId, "A `tool` message names no id.", "The answer is not known.");
