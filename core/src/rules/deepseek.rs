//! DeepSeek, over the shape of Chat Completions. Source: public code that carries the production texts, and texts seen in
//! production.

use super::chat_shape::{self, Kind, LEGACY_CALL, LEGACY_RESULT, Lack, NO_CALL_ID};
use super::openai_chat::EMPTY_CALLS;
use super::{Code, Rule, Violations};
use crate::exchange::Structure;
use crate::transcript::{Role, Transcript};

/// The rules.
pub(super) const RULES: &[&Rule] = &[
    &UNANSWERED,
    &STRAY,
    &FOREIGN,
    &DUPLICATE_RESULT,
    &DUPLICATE_CALL,
    &NO_ID,
    &NO_CALL_ID,
    &LEGACY_CALL,
    &LEGACY_RESULT,
    &EMPTY_CALLS,
    &NOTHING,
    &REASONING,
    &REASONING_LATER,
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
    let thinks = transcript.request().thinking == Some(true);
    let mut called = false;
    for (entry, content) in transcript.entries().iter().enumerate() {
        match chat_shape::lack(transcript, entry, &["content"]) {
            Some(Lack::Calls) => found.broke(&EMPTY_CALLS, entry, None, [].into(), &[]),
            Some(Lack::Content) => found.broke(&NOTHING, entry, None, [].into(), &[]),
            None => {}
        }
        let calls = super::calls(transcript, entry).next().is_some();
        called |= calls;
        let assistant = thinks && called && content.role == Role::Assistant;
        if assistant && chat_shape::lacks_reasoning(transcript, entry) {
            let rule = if calls { REASONING.answer() } else { REASONING_LATER.answer() };
            found.add(rule, entry, None, [].into(), &[]);
        }
    }
}

const UNANSWERED: Rule = Rule::error(
    Code::UnansweredCall,
    "An assistant message with n calls is not followed by n `tool` messages.",
    "Public code with the production texts; seen in production.",
)
.says(
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. \
     (insufficient tool messages following tool_calls message)",
);

const STRAY: Rule = Rule::error(
    Code::OrphanResult,
    "A `tool` message stands elsewhere than behind a message with calls.",
    "Public code with the production texts.",
)
.says("Messages with role 'tool' must be a response to a preceding message with 'tool_calls'");

const FOREIGN: Rule = Rule::error(
    Code::OrphanResult,
    "A `tool` message names an id that the message with the calls before it has not.",
    "Public code with the production texts; the beginning of it is left out there.",
)
.says("responding to each 'tool_call_id'. Unexpected tool_call_id: {ids}");

const DUPLICATE_RESULT: Rule = Rule::error(
    Code::DuplicateResult,
    "Two `tool` messages answer one call.",
    "Public code with the production texts.",
)
.says("Duplicate value for 'tool_call_id' of {ids} in message[{entry}]");

const DUPLICATE_CALL: Rule = Rule::error(
    Code::DuplicateCallId,
    "Two calls of one message share an id.",
    "Public code with the production texts.",
)
.says("Duplicate value for 'tool_call_id' of {ids} in message[{entry}]");

const NO_ID: Rule =
    Rule::warning(Code::BadId, "A `tool` message names no id.", "The answer is not known.");

const NOTHING: Rule = Rule::error(
    Code::EmptyContent,
    "An assistant message has neither content nor calls.",
    "Public code with the production texts.",
)
.says("Invalid assistant message: content or tool_calls must be set");

const REASONING: Rule = Rule::error(
    Code::ReasoningPair,
    "Thinking is on, and an assistant message with calls has no `reasoning_content`; an empty string is one.",
    "Public code and a log of September 2026.",
)
.says("The `reasoning_content` in the thinking mode must be passed back to the API.");

const REASONING_LATER: Rule = Rule::warning(
    Code::ReasoningPair,
    "Thinking is on, and an assistant message after the first call has no `reasoning_content`.",
    "One source alone has it so.",
);
