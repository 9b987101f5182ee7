//! Groq, over the shape of Chat Completions. Source: a text in public code and logs; on pairing nothing is known, so that
//! what breaks it is a warning.

use super::chat_shape::{self, Kind, LEGACY_CALL, LEGACY_RESULT, NO_CALL_ID};
use super::{Code, Rule, Violations, members};
use crate::exchange::Structure;
use crate::json::Node;
use crate::transcript::{Role, Transcript};

/// The rules.
pub(super) const RULES: &[&Rule] = &[
    &UNANSWERED,
    &ORPHAN,
    &DUPLICATE_RESULT,
    &DUPLICATE_CALL,
    &NO_ID,
    &EMPTY_ID,
    &NO_CONTENT,
    &NO_CALL_ID,
    &LEGACY_CALL,
    &LEGACY_RESULT,
];

/// Every violation of them.
pub(super) fn check(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    let has_key = |entry: usize| members(transcript, entry).field("tool_call_id").is_some();
    chat_shape::check(transcript, structure, found, |fault| match fault.kind {
        Kind::Unanswered => UNANSWERED.answer(),
        Kind::Foreign | Kind::Stray => ORPHAN.answer(),
        Kind::Twice => DUPLICATE_RESULT.answer(),
        Kind::CallTwice => DUPLICATE_CALL.answer(),
        _ if has_key(fault.entry) => EMPTY_ID.answer(),
        _ => NO_ID.answer(),
    });
    for (entry, content) in transcript.entries().iter().enumerate() {
        let spoken = |content: &Node<'_>| !content.is_array() || !content.array().is_empty();
        if content.role == Role::Tool
            && !chat_shape::tool_content(transcript, entry).as_ref().is_some_and(spoken)
        {
            let ids = super::results(transcript, entry).map(|(_, id)| id);
            found.broke(&NO_CONTENT, entry, None, ids.collect(), &[]);
        }
    }
}

const UNANSWERED: Rule = Rule::warning(
    Code::UnansweredCall,
    "An assistant message with calls is not followed at once by one `tool` message for each.",
    "The answer is not known.",
);

const ORPHAN: Rule = Rule::warning(
    Code::OrphanResult,
    "A `tool` message answers no call of a message right before it.",
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

const NO_ID: Rule = Rule::error(
    Code::BadId,
    "A `tool` message has no `tool_call_id`.",
    "The text in public code and logs.",
)
.says(
    "'messages.{entry}' : for 'role:tool' the following must be satisfied[('messages.{entry}.tool_call_id' : property \
     'tool_call_id' is missing)]",
);

const EMPTY_ID: Rule =
    Rule::warning(Code::BadId, "The `tool_call_id` is empty.", "The answer is not known.");

const NO_CONTENT: Rule = Rule::error(
    Code::EmptyContent,
    "The content of a `tool` message is neither a string nor a list with something in it.",
    "Public code; the text is not known.",
);
