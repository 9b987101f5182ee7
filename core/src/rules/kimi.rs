//! Kimi (Moonshot), over the shape of Chat Completions. Source: texts in public code and logs.

use super::chat_shape::{self, Kind, LEGACY_CALL, LEGACY_RESULT, NO_CALL_ID};
use super::{Code, Rule, Violations};
use crate::exchange::Structure;
use crate::transcript::Transcript;

/// The rules.
pub(super) const RULES: &[&Rule] = &[
    &UNANSWERED,
    &ORPHAN,
    &NO_ID,
    &DUPLICATE_RESULT,
    &DUPLICATE_CALL,
    &NO_CALL_ID,
    &LEGACY_CALL,
    &LEGACY_RESULT,
    &REASONING,
];

/// Every violation of them.
pub(super) fn check(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    chat_shape::check(transcript, structure, found, |fault| match fault.kind {
        Kind::Unanswered => UNANSWERED.answer(),
        Kind::Foreign | Kind::Stray => ORPHAN.answer(),
        Kind::Twice => DUPLICATE_RESULT.answer(),
        Kind::CallTwice => DUPLICATE_CALL.answer(),
        _ => NO_ID.answer(),
    });
    if transcript.request().thinking != Some(true) {
        return;
    }
    for entry in 0..transcript.len() {
        let calls = super::calls(transcript, entry).next().is_some();
        if calls && chat_shape::lacks_reasoning(transcript, entry) {
            found.broke(&REASONING, entry, None, [].into(), &[]);
        }
    }
}

const UNANSWERED: Rule = Rule::error(
    Code::UnansweredCall,
    "An assistant message with calls is not followed at once by one `tool` message for each.",
    "The text in a public log, where the middle of it is left out.",
)
.says(
    "an assistant message with 'tool_calls' must be followed by … did not have response messages: {ids}",
);

const ORPHAN: Rule = Rule::error(
    Code::OrphanResult,
    "A `tool` message names an id that the message with the calls before it has not.",
    "Derived from the text for an empty id.",
);

const NO_ID: Rule = Rule::error(
    Code::OrphanResult,
    "A `tool` message names no id.",
    "The text in a public log; its two spaces are where the id would be.",
)
.says("Invalid request: tool_call_id  is not found");

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

const REASONING: Rule = Rule::error(
    Code::ReasoningPair,
    "Thinking is on, and an assistant message with calls has no `reasoning_content`; an empty string is one.",
    "The text in public code.",
)
.says(
    "thinking is enabled but reasoning_content is missing in assistant tool call message at index {entry}",
);
