//! What LangGraph's prebuilt agents check: a set difference of calls and results. Source: langgraph-prebuilt 1.1.3, as
//! run. What it lets pass and every provider refuses is a warning.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::{Code, Rule, Violations, block, made_up};
use crate::exchange::Structure;
use crate::json::Node;
use crate::transcript::{Id, Part, PartKind, Transcript};

/// The rules.
pub(super) const RULES: &[&Rule] = &[
    &UNANSWERED,
    &UNANSWERED_MANY,
    &UNANSWERED_INVALID,
    &UNANSWERED_ELSEWHERE,
    &ORPHAN,
    &DUPLICATE_RESULT,
];

/// How many calls are sure to be among "the first few" that the text lists.
const FEW: usize = 3;

/// Every violation of them.
pub(super) fn check(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    let parts = (0..transcript.len()).flat_map(|entry| transcript.parts(entry));
    let answered: BTreeSet<Id> = parts
        .filter_map(|part| match part.kind {
            PartKind::Result { id, .. } => Some(id),
            _ => None,
        })
        .collect();
    let mut missing: Vec<(usize, usize, Id)> = Vec::new();
    for call in structure.pairing.calls.iter().filter(|call| call.answer.is_none()) {
        let (id, entry, part) = (call.id, call.place.entry as usize, call.place.part as usize);
        let kind = block(transcript, &transcript.parts(entry)[part]).string("type");
        if call.server || found.lets_be(structure, id, entry) {
            continue;
        } else if kind.as_deref() == Some("invalid_tool_call") {
            found.broke(&UNANSWERED_INVALID, entry, Some(part), [id].into(), &[]);
        } else if answered.contains(&id) {
            found.broke(&UNANSWERED_ELSEWHERE, entry, Some(part), [id].into(), &[]);
        } else {
            missing.push((entry, part, id));
        }
    }
    let few = missing.iter().take(FEW);
    let listed: Option<Vec<String>> = few
        .map(|&(entry, part, id)| written(transcript, &transcript.parts(entry)[part], id))
        .collect();
    let listed = listed.filter(|_| missing.len() <= FEW);
    let listed = listed.map(|listed| format!("[{}]", listed.join(", ")));
    for (entry, part, id) in missing {
        let (at, ids) = (Some(part), [id].into());
        match &listed {
            Some(listed) => found.broke(&UNANSWERED, entry, at, ids, &[("calls", listed)]),
            None => found.broke(&UNANSWERED_MANY, entry, at, ids, &[]),
        }
    }
    for stray in &structure.pairing.strays {
        let (entry, part) = (stray.place.entry as usize, stray.place.part as usize);
        let rule = if stray.duplicate { DUPLICATE_RESULT.answer() } else { ORPHAN.answer() };
        found.add(rule, entry, Some(part), [stray.id].into(), &[]);
    }
}

/// A call as the text lists it: the Python of a dict.
fn written(transcript: &Transcript, part: &Part, id: Id) -> Option<String> {
    let id = Some(transcript.id(id)).filter(|id| !made_up(id))?;
    let name = python_string(&transcript.call_name(part))?;
    let arguments = transcript.slice(part.body);
    // Raw calls of OpenAI's shape hold their arguments as a string of JSON.
    let decoded = Node::parse(arguments).ok()?.string();
    let arguments = python(decoded.as_deref().unwrap_or(arguments))?;
    let id = python_string(id)?;
    Some(format!("{{'name': {name}, 'args': {arguments}, 'id': {id}, 'type': 'tool_call'}}"))
}

/// JSON as Python prints it; `None` for what the two may print in different ways.
fn python(json: &str) -> Option<String> {
    let mut written = String::new();
    let mut rest = Node::parse(json).ok()?.raw();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => string_length(rest)?,
            ',' | ':' | '[' | ']' | '{' | '}' => 1,
            _ if first.is_ascii_whitespace() => 1,
            _ => rest.find([',', ']', '}', ' ', '\n', '\r', '\t']).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        match token {
            "true" => written.push_str("True"),
            "false" => written.push_str("False"),
            "null" => written.push_str("None"),
            "," => written.push_str(", "),
            ":" => written.push_str(": "),
            _ if first == '"' => {
                written.push_str(&python_string(&Node::parse(token).ok()?.string()?)?)
            }
            _ if first.is_ascii_whitespace() => {}
            _ if length == 1 => written.push_str(token),
            // A whole number is printed alike; of others Python has a form of its own.
            _ => {
                written.push_str(&token.parse::<i64>().ok().filter(|_| token != "-0")?.to_string())
            }
        }
    }
    Some(written)
}

/// The length of the JSON string that `text` begins with.
fn string_length(text: &str) -> Option<usize> {
    let mut escaped = true;
    text.char_indices().find_map(|(at, c)| {
        let ends = c == '"' && !escaped && at > 0;
        escaped = c == '\\' && !escaped;
        ends.then_some(at + 1)
    })
}

/// A string as Python prints it, of what is printable for sure.
fn python_string(text: &str) -> Option<String> {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut written = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\t' => written.push_str("\\t"),
            '\\' => written.push_str("\\\\"),
            _ if c == quote => written.extend(['\\', c]),
            ' ' => written.push(c),
            _ if c.is_ascii_graphic() || c.is_alphanumeric() => written.push(c),
            _ => return None,
        }
    }
    written.push(quote);
    Some(written)
}

const UNANSWERED: Rule = Rule::error(
    Code::UnansweredCall,
    "A call has no result anywhere.",
    "LangGraph, as run; the end of the text, an address, is left out.",
)
.says(
    "Found AIMessages with tool_calls that do not have a corresponding ToolMessage. Here are the first few of those tool \
     calls: {calls}.\n\nEvery tool call (LLM requesting to call a tool) in the message history MUST have a corresponding \
     ToolMessage (result of a tool invocation to return to the LLM) - this is required by most LLM providers.\nFor \
     troubleshooting, visit:",
);

const UNANSWERED_MANY: Rule = Rule::error(
    Code::UnansweredCall,
    "The same of so many calls, or of such arguments, that how they are listed is not known.",
    "LangGraph, as run; the text up to the list.",
)
.says(
    "Found AIMessages with tool_calls that do not have a corresponding ToolMessage. Here are the first few of those tool \
     calls:",
);

const UNANSWERED_INVALID: Rule = Rule::warning(
    Code::UnansweredCall,
    "A call whose arguments could not be parsed has no result: LangGraph does not look at it, a provider does.",
    "LangGraph, as run.",
);

const UNANSWERED_ELSEWHERE: Rule = Rule::warning(
    Code::UnansweredCall,
    "A call has no result of its own, but another of its id has: LangGraph compares ids alone, a provider does not.",
    "LangGraph, as run.",
);

const ORPHAN: Rule = Rule::warning(
    Code::OrphanResult,
    "A result answers no call before it. LangGraph lets it pass; a provider does not.",
    "LangGraph, as run.",
);

const DUPLICATE_RESULT: Rule = Rule::warning(
    Code::DuplicateResult,
    "Two results answer one call. LangGraph lets it pass; most providers do not.",
    "LangGraph, as run.",
);
