//! OpenAI Responses. Pairing is over the whole input, not adjacency. Source: openai-agents-python's own
//! checks, and the texts quoted in public issues and code.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::{Code, Mode, Rule, Violations, made_up, members};
use crate::cut::is_reasoning;
use crate::exchange::Structure;
use crate::json::{Node, Object};
use crate::provider::Family;
use crate::transcript::{Id, PartKind, Role, Transcript};

/// The rules.
pub(super) const RULES: &[&Rule] = &[
    &UNANSWERED,
    &UNANSWERED_OTHER,
    &UNANSWERED_SHELL,
    &UNANSWERED_EARLY,
    &ORPHAN,
    &ORPHAN_OTHER,
    &ORPHAN_EARLY,
    &DUPLICATE_RESULT,
    &PROGRAM_GONE,
    &REASONING_ALONE,
    &REASONING_ALONE_NAMELESS,
    &REASONING_GONE,
    &REASONING_UNSTORED,
    &DUPLICATE_ITEM,
    &BAD_PREFIX,
    &BAD_MESSAGE_PREFIX,
    &BAD_ITEM_ID,
    &UNSTORED_REFERENCE,
];

/// Every violation of them.
pub(super) fn check(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    let items: Vec<Item<'_>> = (0..transcript.len()).map(|at| Item::of(transcript, at)).collect();
    unanswered(transcript, structure, &items, found);
    strays(transcript, structure, &items, found);
    programs(transcript, &items, found);
    reasoning(transcript, &items, found);
    if !transcript.request().continues && transcript.request().stored != Some(false) {
        reasoning_gone(transcript, structure, &items, found);
    }
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for (entry, item) in items.iter().enumerate() {
        item_id(transcript, item, entry, &mut seen, found);
        unstored(transcript, item, entry, found);
    }
}

/// What tells an item apart.
struct Item<'a> {
    members: Object<'a>,
    kind: Cow<'a, str>,
    id: Option<Cow<'a, str>>,
}

impl<'a> Item<'a> {
    fn of(transcript: &'a Transcript, entry: usize) -> Self {
        let members = members(transcript, entry);
        let kind = members.string("type").unwrap_or_default();
        let id = members.string("id").filter(|id| !id.is_empty());
        Self { members, kind, id }
    }
}

/// What the provider calls each kind of call in its error texts; only these wordings are verified.
const SPOKEN: [(&str, &str); 7] = [
    ("function_call", "function call"),
    ("custom_tool_call", "custom tool call"),
    ("apply_patch_call", "apply patch call"),
    ("tool_search_call", "tool search call"),
    ("mcp_call", "MCP tool call"),
    ("local_shell_call", "local shell call"),
    ("computer_call", "computer call"),
];

fn unanswered(
    transcript: &Transcript,
    structure: &Structure,
    items: &[Item<'_>],
    found: &mut Violations,
) {
    let answered: BTreeSet<_> = structure.pairing.pairs().map(|(call, _)| call.id).collect();
    let outputs: BTreeSet<_> = structure.pairing.strays.iter().map(|stray| stray.id).collect();
    for call in structure.pairing.calls.iter().filter(|call| call.answer.is_none()) {
        let entry = call.place.entry as usize;
        // With a stored conversation behind it the other half may be on the server.
        if found.lets_be(structure, call.id, entry) || call.server || transcript.request().continues
        {
            continue;
        }
        let item = &items[entry];
        let name = transcript.id(call.id);
        let spoken = SPOKEN.iter().find(|(kind, _)| *kind == item.kind && !made_up(name));
        let early = answered.contains(&call.id) || outputs.contains(&call.id);
        let ids = [call.id].into();
        if early {
            found.broke(&UNANSWERED_EARLY, entry, None, ids, &[]);
        } else if let Some((_, spoken)) = spoken {
            found.broke(&UNANSWERED, entry, None, ids, &[("kind", spoken), ("ids", name)]);
        } else if item.kind == "shell_call"
            && item.members.string("status").is_none_or(|status| status == "in_progress")
        {
            found.broke(&UNANSWERED_SHELL, entry, None, ids, &[]);
        } else {
            found.broke(&UNANSWERED_OTHER, entry, None, ids, &[]);
        }
    }
}

fn strays(
    transcript: &Transcript,
    structure: &Structure,
    items: &[Item<'_>],
    found: &mut Violations,
) {
    // A reference is resolved by the provider, and may be to the call.
    let refers = items.iter().any(|item| item.kind == "item_reference");
    let called: BTreeSet<_> = structure.pairing.calls.iter().map(|call| call.id).collect();
    for stray in &structure.pairing.strays {
        let entry = stray.place.entry as usize;
        let ids: Vec<Id> = [stray.id].into();
        if stray.duplicate {
            found.broke(&DUPLICATE_RESULT, entry, None, ids, &[]);
            continue;
        }
        if transcript.request().continues || refers {
            continue;
        }
        let name = transcript.id(stray.id);
        let spoken = match &*items[entry].kind {
            "function_call_output" => "function call",
            "custom_tool_call_output" => "custom tool call",
            _ => "",
        };
        if called.contains(&stray.id) {
            found.broke(&ORPHAN_EARLY, entry, None, ids, &[]);
        } else if spoken.is_empty() || made_up(name) {
            found.broke(&ORPHAN_OTHER, entry, None, ids, &[]);
        } else {
            found.broke(&ORPHAN, entry, None, ids, &[("kind", spoken), ("ids", name)]);
        }
    }
}

/// Items that a program made live and die with it.
fn programs(transcript: &Transcript, items: &[Item<'_>], found: &mut Violations) {
    let mut known: BTreeSet<Cow<'_, str>> = BTreeSet::new();
    for item in items.iter().filter(|item| item.kind == "program") {
        known.extend(["id", "call_id"].iter().filter_map(|key| item.members.string(key)));
    }
    for (entry, item) in items.iter().enumerate() {
        let caller = item.members.field("caller").map(Node::object).unwrap_or_default();
        let parent = caller.string("caller_id").filter(|id| !known.contains(id));
        if parent.is_some() && !transcript.request().continues {
            found.broke(&PROGRAM_GONE, entry, None, call_ids(transcript, entry), &[]);
        }
    }
}

/// A reasoning item is followed by the item it produced: the next item of the model.
fn reasoning(transcript: &Transcript, items: &[Item<'_>], found: &mut Violations) {
    let mut follower: Option<Role> = None;
    for (entry, content) in transcript.entries().iter().enumerate().rev() {
        let role = content.role;
        if role == Role::Tool {
            continue;
        }
        if role != Role::Assistant || !is_reasoning(transcript, entry) {
            follower = Some(role);
            continue;
        }
        // At the very end of a log the item may still be on its way.
        let on_its_way = follower.is_none() && found.mode == Mode::Log;
        if follower == Some(Role::Assistant) || on_its_way {
            continue;
        }
        match &items[entry].id {
            Some(id) => found.broke(&REASONING_ALONE, entry, None, [].into(), &[("id", id)]),
            None => found.broke(&REASONING_ALONE_NAMELESS, entry, None, [].into(), &[]),
        }
    }
}

/// An item that is sent with its server id needs the reasoning that it came of, if it came of any. That is known to the
/// provider alone: here it is suspected of the models that reason, and of a transcript whose other responses did. A
/// response is looked at by itself, since a cut between responses must not put one under suspicion.
fn reasoning_gone(
    transcript: &Transcript,
    structure: &Structure,
    items: &[Item<'_>],
    found: &mut Violations,
) {
    let reasons = transcript.request().family == Family::GptReasoning
        || items.iter().any(|item| item.kind == "reasoning" && item.id.is_some());
    for response in structure.responses().filter(|_| reasons) {
        for entry in response {
            let item = &items[entry];
            if item.kind == "reasoning" {
                break;
            }
            let (Some(id), "function_call" | "message") = (&item.id, &*item.kind) else {
                continue;
            };
            if is_typed(id, &item.kind) {
                let ids = call_ids(transcript, entry);
                found.broke(&REASONING_GONE, entry, None, ids, &[("id", id), ("type", &item.kind)]);
            }
        }
    }
}

/// The ids of calls in an entry.
fn call_ids(transcript: &Transcript, entry: usize) -> Vec<Id> {
    let ids = transcript.parts(entry).iter().filter_map(|part| match part.kind {
        PartKind::Call { id, .. } => Some(id),
        _ => None,
    });
    ids.collect()
}

/// How the ids of items begin, by type.
const PREFIXES: [(&str, &str); 4] = [
    ("function_call", "fc"),
    ("custom_tool_call", "ctc"),
    ("reasoning", "rs_"),
    ("message", "msg"),
];

fn is_typed(id: &str, kind: &str) -> bool {
    PREFIXES.iter().any(|(name, prefix)| *name == kind && id.starts_with(prefix))
}

/// Item ids are unique, and each has the form of its type.
fn item_id<'a>(
    transcript: &Transcript,
    item: &'a Item<'_>,
    entry: usize,
    seen: &mut BTreeSet<&'a str>,
    found: &mut Violations,
) {
    let is_user = transcript.entries()[entry].role == Role::User;
    let Some(id) = item.id.as_deref().filter(|_| !is_user && item.kind != "item_reference") else {
        return;
    };
    let calls = || call_ids(transcript, entry);
    if !seen.insert(id) {
        found.broke(&DUPLICATE_ITEM, entry, None, calls(), &[("id", id)]);
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let prefix = PREFIXES.iter().find(|(kind, _)| *kind == item.kind).map(|(_, prefix)| *prefix);
    match prefix.filter(|prefix| !id.starts_with(prefix)) {
        Some("msg") => found.broke(&BAD_MESSAGE_PREFIX, entry, None, calls(), &[]),
        Some(prefix) => {
            found.broke(&BAD_PREFIX, entry, None, calls(), &[("prefix", prefix)]);
        }
        None if prefix.is_some() && (id.len() > 64 || !id.chars().all(plain)) => {
            found.broke(&BAD_ITEM_ID, entry, None, calls(), &[]);
        }
        None => {}
    }
}

/// What is not stored cannot be referred to, and reasoning must then travel with its content.
fn unstored(transcript: &Transcript, item: &Item<'_>, entry: usize, found: &mut Violations) {
    let Some(id) = item.id.as_deref().filter(|_| transcript.request().stored == Some(false)) else {
        return;
    };
    if item.kind == "item_reference" {
        found.broke(&UNSTORED_REFERENCE, entry, None, [].into(), &[("id", id)]);
    } else if item.kind == "reasoning" && !item.members.has("encrypted_content") {
        found.broke(&REASONING_UNSTORED, entry, None, [].into(), &[("id", id)]);
    }
}

const UNANSWERED: Rule = Rule::error(
    Code::UnansweredCall,
    "A call has no output anywhere in the input: function, custom tool, apply patch, tool search, local shell, computer.",
    "Texts quoted in public issues and code.",
)
.says("No tool output found for {kind} {ids}.");

const UNANSWERED_OTHER: Rule = Rule::error(
    Code::UnansweredCall,
    "The same of any other call, approvals of MCP calls and programs among them.",
    "The pair table of openai-agents-python; the text is not known.",
);

const UNANSWERED_SHELL: Rule = Rule::warning(
    Code::UnansweredCall,
    "A shell call without an output that has no status yet, or is in progress: a hosted one may be.",
    "The pair table of openai-agents-python.",
);

const UNANSWERED_EARLY: Rule = Rule::warning(
    Code::UnansweredCall,
    "A call whose output stands before it, or that comes again after it was answered.",
    "Whether an output may precede its call is not verified.",
);

const ORPHAN: Rule = Rule::error(
    Code::OrphanResult,
    "An output has no call anywhere in the input, and nothing is continued or referred to.",
    "Texts quoted in public issues and code.",
)
.says("No tool call found for {kind} output with call_id {ids}.");

const ORPHAN_OTHER: Rule = Rule::error(
    Code::OrphanResult,
    "The same of any other output.",
    "The pair table of openai-agents-python; the text is not known.",
);

const ORPHAN_EARLY: Rule = Rule::warning(
    Code::OrphanResult,
    "An output stands before its call.",
    "Whether an output may precede its call is not verified.",
);

const DUPLICATE_RESULT: Rule = Rule::warning(
    Code::DuplicateResult,
    "Two outputs answer one call.",
    "The answer is not verified.",
);

const PROGRAM_GONE: Rule = Rule::warning(
    Code::ServerPair,
    "An item names the program that made it, and that program is gone.",
    "openai-agents-python; the answer is not known.",
);

const REASONING_ALONE: Rule = Rule::error(
    Code::ReasoningPair,
    "A reasoning item is not followed by the item it produced.",
    "Texts quoted in public issues.",
)
.says("Item '{id}' of type 'reasoning' was provided without its required following item.");

const REASONING_ALONE_NAMELESS: Rule = Rule::warning(
    Code::ReasoningPair,
    "The same of a reasoning item without an id.",
    "The text names the id; the answer is not known.",
);

const REASONING_GONE: Rule = Rule::warning(
    Code::ReasoningPair,
    "An item with a server id (`fc_…`, `msg_…`) has no reasoning item before it in its response. Whether it came of any \
     is known to the provider alone: this is reported of models that reason and where other items of the transcript are \
     reasoning, and not where `store` is false or a conversation is continued.",
    "The text in public code; the end of it, the id of the reasoning, is not known.",
)
.says("Item '{id}' of type '{type}' was provided without its required 'reasoning' item");

const REASONING_UNSTORED: Rule = Rule::error(
    Code::ReasoningPair,
    "`store` is false, and a reasoning item has no `encrypted_content` (404).",
    "The text in public code and logs.",
)
.says(
    "Item with id '{id}' not found. Items are not persisted when `store` is set to false. Try again with `store` set to \
     true, or remove this item from your input.",
);

const DUPLICATE_ITEM: Rule = Rule::error(
    Code::DuplicateCallId,
    "Two items share an item id.",
    "The text in public code and logs; the end of it is not known.",
)
.says("Duplicate item found with id {id}");

const BAD_PREFIX: Rule = Rule::error(
    Code::BadId,
    "The item id of a function call, a custom tool call or reasoning does not begin as its type has it.",
    "The text in public code and logs; the beginning of it is not known.",
)
.says("Expected an ID that begins with '{prefix}'");

const BAD_MESSAGE_PREFIX: Rule = Rule::error(
    Code::BadId,
    "The item id of a message of the assistant does not begin with `msg`.",
    "Public code; the text is verified for other items alone.",
);

const BAD_ITEM_ID: Rule = Rule::error(
    Code::BadId,
    "An item id is longer than 64 characters, or holds something else than letters, digits, `_` and `-`.",
    "Public code; the text is not known.",
);

const UNSTORED_REFERENCE: Rule = Rule::error(
    Code::MissingItem,
    "`store` is false, and an item is referred to by its id (404).",
    "The text in public code and logs.",
)
.says(
    "Item with id '{id}' not found. Items are not persisted when `store` is set to false. Try again with `store` set to \
     true, or remove this item from your input.",
);
