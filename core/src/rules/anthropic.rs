//! Anthropic Messages. Source: probes of the live API recorded in 2026, its documentation, and the texts
//! quoted in public issues; where only a reimplementation quotes a text, the rule has none.

pub(super) mod content;
mod devices;
mod pairs;
mod server;
pub(super) mod thinking;

use super::{Code, Rule, Violations};
use crate::exchange::Structure;
use crate::transcript::Transcript;

/// The rules.
pub(super) const RULES: &[&Rule] = &[
    &UNANSWERED,
    &UNANSWERED_LAST,
    &RESULT_ORDER,
    &ORPHAN,
    &DUPLICATE_RESULT,
    &DUPLICATE_CALL,
    &BAD_ID,
    &BAD_SERVER_ID,
    &NO_ID,
    &CALL_OF_USER,
    &RESULT_OF_ASSISTANT,
    &SERVER_RESULT_OF_USER,
    &NO_TOOLS,
    &EMPTY_LIST,
    &HEAD_ROLE,
    &TAIL_ROLE,
    &TAIL_ROLE_UNKNOWN,
    &TAIL_THINKING,
    &TRAILING_SPACE,
    &EMPTY_USER,
    &EMPTY_TEXT,
    &BLANK_TEXT,
    &CACHE_BREAKPOINTS,
    &THINKING_FIRST,
    &THINKING_FIRST_UNKNOWN,
    &THINKING_OFF,
    &THINKING_MERGED,
    &SERVER_UNANSWERED,
    &SERVER_UNANSWERED_OTHER,
    &SERVER_ORPHAN,
    &SERVER_LATE,
    &SERVER_TOOL_GONE,
    &CALLER_GONE,
    &COMPACTION_MISPLACED,
    &COMPACTION_EMPTY,
    &SYSTEM_PLACEMENT,
    &SYSTEM_PLACEMENT_UNKNOWN,
    &SYSTEM_UNSUPPORTED,
];

/// Every violation of them.
pub(super) fn check(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    pairs::check(transcript, structure, found);
    server::check(transcript, structure, found);
    content::check(transcript, structure, found);
    thinking::check(transcript, found);
    devices::check(transcript, found);
}

const UNANSWERED: Rule = Rule::error(
    Code::UnansweredCall,
    "A call has no result in the leading run of results of the user turn after it.",
    "Texts quoted in public issues; the rule measured on the live API in July 2026.",
)
.says(
    "messages.{entry}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. Each \
     `tool_use` block must have a corresponding `tool_result` block in the next message.",
);

const UNANSWERED_LAST: Rule = Rule::error(
    Code::UnansweredCall,
    "A request ends on a call, and the model takes no prefill: which of the two texts is given is not known.",
    "As above, and the documentation of prefill.",
);

const RESULT_ORDER: Rule = Rule::error(
    Code::ResultOrder,
    "A result is in the user turn after its call, but behind something that is no result.",
    "Measured on the live API in July 2026.",
)
.says(
    "messages.{entry}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. Each \
     `tool_use` block must have a corresponding `tool_result` block in the next message.",
);

const ORPHAN: Rule = Rule::error(
    Code::OrphanResult,
    "A result answers no call of the assistant turn before it.",
    "Texts quoted in public issues.",
)
.says(
    "messages.{entry}.content.{part}: unexpected `tool_use_id` found in `tool_result` blocks: {ids}. Each \
     `tool_result` block must have a corresponding `tool_use` block in the previous message.",
);

const DUPLICATE_RESULT: Rule = Rule::error(
    Code::DuplicateResult,
    "Two results of one turn answer one call.",
    "The text in public code and logs; not probed.",
)
.says(
    "messages.{entry}.content.{part}: each tool_use must have a single result. Found multiple `tool_result` blocks \
     with id: {ids}",
);

const DUPLICATE_CALL: Rule = Rule::error(
    Code::DuplicateCallId,
    "Two calls of the request share an id.",
    "Texts quoted in public issues.",
)
.says("messages.{entry}.content.{part}: `tool_use` ids must be unique");

const BAD_ID: Rule = Rule::error(
    Code::BadId,
    "The id of a call holds something else than letters, digits, `_` and `-`.",
    "The text in public code and logs.",
)
.says(
    "messages.{entry}.content.{part}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
);

const BAD_SERVER_ID: Rule = Rule::error(
    Code::BadId,
    "The id of a call that the provider executes does not begin with `srvtoolu_`.",
    "The text in a public log of July 2026.",
)
.says(
    "messages.{entry}.content.{part}.server_tool_use.id: String should match pattern \
     '^srvtoolu_[a-zA-Z0-9_]+$'",
);

const NO_ID: Rule =
    Rule::error(Code::BadId, "A call has no id.", "The SDK's types; the text is not known.");

const CALL_OF_USER: Rule = Rule::error(
    Code::PartRole,
    "A call stands in a user message.",
    "Only a reimplementation quotes a text.",
);

const RESULT_OF_ASSISTANT: Rule = Rule::error(
    Code::PartRole,
    "A result stands in an assistant message.",
    "Only a reimplementation quotes a text.",
);

const SERVER_RESULT_OF_USER: Rule = Rule::warning(
    Code::PartRole,
    "A result that the provider wrote stands in a user message.",
    "The documentation has it in assistant messages; the answer is not known.",
);

const NO_TOOLS: Rule = Rule::error(
    Code::NoTools,
    "A request that names a model holds calls or results and defines no tools.",
    "The text in public code and logs.",
)
.says("Requests which include `tool_use` or `tool_result` blocks must define tools.");

const EMPTY_LIST: Rule = Rule::error(
    Code::EmptyContent,
    "A request has no messages.",
    "Only reimplementations quote a text.",
);

const HEAD_ROLE: Rule = Rule::error(
    Code::HeadRole,
    "The assistant speaks first, and not with a compaction.",
    "Probed on the live API in July 2026.",
)
.says("messages: first message must use the \"user\" role");

const TAIL_ROLE: Rule = Rule::error(
    Code::TailRole,
    "A request ends on the assistant, and the model takes no prefill (Claude 4.6 and later).",
    "The documentation of errors.",
)
.says(
    "This model does not support assistant message prefill. The conversation must end with a user message.",
);

const TAIL_ROLE_UNKNOWN: Rule = Rule::warning(
    Code::TailRole,
    "A request ends on the assistant, and whether the model takes a prefill is not known.",
    "The documentation of errors.",
);

const TAIL_THINKING: Rule = Rule::error(
    Code::TailRole,
    "A request ends on an assistant message whose final block is thinking.",
    "Probed on the live API in July 2026.",
)
.says("The final block in an assistant message cannot be `thinking`");

const TRAILING_SPACE: Rule = Rule::error(
    Code::EmptyContent,
    "A prefill ends in white space (models that take one).",
    "The text in public code and logs.",
)
.says("messages: final assistant content cannot end with trailing whitespace");

const EMPTY_USER: Rule = Rule::error(
    Code::EmptyContent,
    "A user message is empty.",
    "Probed on the live API, recorded in a public issue.",
)
.says("messages.{entry}: user messages must have non-empty content");

const EMPTY_TEXT: Rule = Rule::error(
    Code::EmptyContent,
    "A text block is empty. An assistant message that is empty as a whole is legal, and so is an empty result.",
    "Probed on the live API, recorded in public issues.",
)
.says("messages: text content blocks must be non-empty");

const BLANK_TEXT: Rule = Rule::error(
    Code::EmptyContent,
    "A user message holds nothing but white space.",
    "Probed on the live API, recorded in public issues.",
)
.says("messages: text content blocks must contain non-whitespace text");

const CACHE_BREAKPOINTS: Rule = Rule::error(
    Code::CacheBreakpoints,
    "More than four blocks of system, tools and messages carry `cache_control`.",
    "Texts quoted in public issues.",
)
.says("A maximum of 4 blocks with cache_control may be provided. Found {count}.");

const THINKING_FIRST: Rule = Rule::error(
    Code::ReasoningPair,
    "Manual thinking is on (Claude 4.5 and earlier), and the tool loop being worked on does not start with thinking.",
    "Texts quoted in public issues; the end of it, an address, is left out.",
)
.says(
    "messages.{entry}.content.0.type: Expected `thinking` or `redacted_thinking`, but found `{found}`. When \
     `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost \
     set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To \
     avoid this requirement, disable `thinking`. Please consult our documentation at",
);

const THINKING_FIRST_UNKNOWN: Rule = Rule::warning(
    Code::ReasoningPair,
    "The same, where the model is not known.",
    "Newer models were measured to accept it (September 2026).",
);

const THINKING_OFF: Rule = Rule::error(
    Code::ReasoningPair,
    "Thinking is off, and a request ends on an assistant message that holds thinking.",
    "The text quoted in a public issue.",
)
.says(
    "messages.{entry}.content.{part}: When thinking is disabled, an `assistant` message in the final position cannot \
     contain `thinking`. To use thinking blocks, enable `thinking` in your request.",
);

const THINKING_MERGED: Rule = Rule::warning(
    Code::ReasoningPair,
    "The newest assistant message has thinking behind a call: several responses were put into one, which is how its \
     thinking comes to be refused as modified.",
    "The documentation of errors and public issues; the original would have to be compared.",
);

const SERVER_UNANSWERED: Rule = Rule::error(
    Code::ServerPair,
    "A web search or fetch that the provider executes has no result block, and the turn went on with something else \
     than results.",
    "Texts quoted in public issues and code.",
)
.says(
    "messages.{entry}: `{tool}` tool use with id `{ids}` was found without a corresponding `{tool}_tool_result` block",
);

const SERVER_UNANSWERED_OTHER: Rule = Rule::error(
    Code::ServerPair,
    "The same of any other call that the provider executes, MCP calls among them.",
    "The documentation; the text for these tools is not verified.",
);

const SERVER_ORPHAN: Rule = Rule::error(
    Code::ServerPair,
    "A result that the provider wrote answers no call of its own.",
    "Asserted of MCP results in a public issue; the text is not known.",
);

const SERVER_LATE: Rule = Rule::warning(
    Code::ServerPair,
    "The result of a call that the provider executes stands neither in the same turn, nor at the start of the next \
     assistant message of a mixed turn, nor behind the calls that its code made.",
    "The documentation; the answer is not known.",
);

const SERVER_TOOL_GONE: Rule = Rule::error(
    Code::NoTools,
    "A web search or fetch is still to be executed, and the request no longer defines its tool.",
    "The documentation of stop reasons; the beginning of the text is not known.",
)
.says("but no `{tool}` tool was provided");

const CALLER_GONE: Rule = Rule::warning(
    Code::ServerPair,
    "A call names the block of code that made it, and that block is gone.",
    "The documentation of programmatic calling; the answer is not known.",
);

const COMPACTION_MISPLACED: Rule = Rule::error(
    Code::CompactionBlock,
    "A signed compaction is not the first block of the first message, or not the only one.",
    "Probed on the live API in October 2026; the beginning of the text is not known.",
)
.says(
    "`compaction` block must be sent first, in place of the messages it summarizes; remove those messages",
);

const COMPACTION_EMPTY: Rule = Rule::error(
    Code::EmptyContent,
    "The content of a compaction by threshold is an empty string; `null` is legal.",
    "The documentation of compaction; the text is not known.",
);

const SYSTEM_PLACEMENT: Rule = Rule::error(
    Code::SystemPlacement,
    "System messages in a row follow neither a user turn nor a server's result, or are followed by something else \
     than the assistant.",
    "The documentation; the text is not verified.",
);

const SYSTEM_PLACEMENT_UNKNOWN: Rule = Rule::warning(
    Code::SystemPlacement,
    "The same, where the model is not known.",
    "The documentation; the text is not verified.",
);

const SYSTEM_UNSUPPORTED: Rule = Rule::error(
    Code::SystemPlacement,
    "A system message among the messages, and the model takes none (Claude 4.5 and earlier, Sonnet 5).",
    "The documentation; the text is not verified.",
);
