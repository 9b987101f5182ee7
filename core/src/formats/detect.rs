//! Tells formats apart by the keys and types that only one of them has.
//!
//! Each format's own file says what speaks for it ([`Evidence`]); here the votes are counted.

use alloc::format;
use alloc::string::String;

use super::document::List;
use super::{
    ai_sdk, ai_sdk_ui, anthropic, bedrock, gemini, langchain, openai_chat, openai_responses,
    opentelemetry,
};
use crate::json::{Node, Object};
use crate::transcript::Format;

/// A format, and how sure its detection is.
#[derive(Clone, Debug, PartialEq)]
pub struct Detected {
    /// The format.
    pub format: Format,
    /// 0 to 1: 1 when something stands there that only this format has, about 0.3 when a plain talk would be
    /// the same in several.
    pub confidence: f32,
}

/// How many entries are asked for evidence.
const SAMPLE: usize = 200;

/// What speaks for a format.
pub(super) struct Evidence {
    format: Format,
    /// Votes of an entry: [`ONLY`] for what only this format has, 1 for what it prefers.
    entry: fn(&Object<'_>) -> u32,
    /// Votes of the request around the list.
    request: fn(&List<'_>) -> u32,
}

/// The votes of something that only one format has.
pub(super) const ONLY: u32 = 10;

/// The formats of lists. Of equal votes the first wins: a plain talk is the same in several, and Chat has the fewest
/// rules to break.
const LISTS: [Evidence; 9] = [
    Evidence {
        format: Format::OpenAiChat,
        entry: openai_chat::evidence,
        request: openai_chat::request,
    },
    Evidence { format: Format::Anthropic, entry: anthropic::evidence, request: anthropic::request },
    Evidence {
        format: Format::OpenAiResponses,
        entry: openai_responses::evidence,
        request: openai_responses::request,
    },
    Evidence { format: Format::Gemini, entry: gemini::evidence, request: gemini::request },
    Evidence { format: Format::Bedrock, entry: bedrock::evidence, request: bedrock::request },
    Evidence { format: Format::AiSdk, entry: ai_sdk::evidence, request: nothing },
    Evidence { format: Format::AiSdkUi, entry: ai_sdk_ui::evidence, request: nothing },
    Evidence { format: Format::LangChain, entry: langchain::evidence, request: nothing },
    Evidence { format: Format::OpenTelemetry, entry: opentelemetry::evidence, request: nothing },
];

fn nothing(_: &List<'_>) -> u32 {
    0
}

/// The format of a list; `told` wins, unless it is that of a log, which no list is. `None` if nothing in it looks like an
/// entry.
pub(super) fn detect(list: &List<'_>, told: Option<Format>) -> Option<Detected> {
    if told.is_some_and(Format::is_log) {
        return None;
    }
    if let Some(format) = told {
        return Some(Detected { format, confidence: 1.0 });
    }
    if !list.nodes.is_empty() && !looks_like_entries(&list.nodes) {
        return None;
    }
    if is_cline(list) {
        return Some(Detected { format: Format::Cline, confidence: 1.0 });
    }
    let mut votes = LISTS.map(|evidence| (evidence.request)(list));
    for node in list.nodes.iter().take(SAMPLE) {
        let members = node.object();
        for (votes, evidence) in votes.iter_mut().zip(&LISTS) {
            *votes += (evidence.entry)(&members);
        }
    }
    // A list of text blocks is rarer in Chat than in Anthropic, but no evidence by its number.
    votes[1] += u32::from(in_text_blocks(list));
    Some(winner(&votes))
}

/// The envelope in which Cline keeps its messages, which are Anthropic's.
fn is_cline(list: &List<'_>) -> bool {
    list.key == Some("messages")
        && ["version", "sessionId"].iter().all(|key| list.members.has(key))
        && (list.members.has("agent") || list.members.has("system_prompt"))
}

fn winner(votes: &[u32; LISTS.len()]) -> Detected {
    let total: u32 = votes.iter().sum();
    let (mut best, mut most) = (0, votes[0]);
    for (index, &count) in votes.iter().enumerate().skip(1) {
        if count > most {
            (best, most) = (index, count);
        }
    }
    let share = if total == 0 { 0.0 } else { most as f32 / total as f32 };
    let confidence = if most >= ONLY { share } else { 0.3 + 0.05 * most.min(4) as f32 };
    Detected { format: LISTS[best].format, confidence }
}

fn in_text_blocks(list: &List<'_>) -> bool {
    let is_text = |block: &Node<'_>| block.object().string("type").as_deref() == Some("text");
    list.nodes.iter().take(SAMPLE).any(|node| {
        let members = node.object();
        let content = members.field("content").map(Node::array).unwrap_or_default();
        members.has("role") && content.iter().take(8).any(is_text)
    })
}

/// Whether a list holds entries.
pub(super) fn looks_like_entries(nodes: &[Node<'_>]) -> bool {
    let sample = nodes.iter().take(SAMPLE);
    let entries = sample.clone().filter(|node| is_entry(&node.object())).count();
    entries * 2 >= sample.count().max(1)
        || nodes.first().is_some_and(|node| node.string().is_some())
}

/// Whether a list holds any entry.
pub(super) fn has_entry(nodes: &[Node<'_>]) -> bool {
    nodes.iter().take(SAMPLE).any(|node| is_entry(&node.object()))
}

fn is_entry(members: &Object<'_>) -> bool {
    let message = members.field("role").is_some_and(|role| role.string().is_some());
    message
        || members.has("function")
        || openai_responses::is_item(members)
        || langchain::evidence(members) > 0
        || gemini::evidence(members) > 0
}

/// What an unknown document looks most like.
pub(super) fn nearest(node: Node<'_>) -> String {
    let members = node.object();
    let list = if node.is_array() { node.array() } else { members.first_list() };
    if list.is_empty() {
        let keys = members.keys();
        return format!("The text is JSON, but holds no list of entries; its keys are {keys}.");
    }
    let mut best = ("", 0);
    for evidence in &LISTS {
        let votes = list.iter().take(SAMPLE).map(|node| (evidence.entry)(&node.object())).sum();
        if votes > best.1 {
            best = (evidence.format.title(), votes);
        }
    }
    let keys = list[0].object().keys();
    let first = format!(
        "The first element of its list has the keys {keys}, and no `role` or known `type`."
    );
    match best {
        (_, 0) => first,
        (title, _) => format!("Nearest: {title}, by a part of its entries. {first}"),
    }
}
