//! How the lines of Claude Code become messages: lines with one `message.id` are one response, and all its results stand in
//! one message right after it, in the order of its calls.
//!
//! A session log writes the lines of a response and the results of parallel calls in turns, and repeats the usage on each.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::log::{self, Log};
use super::recorded::{self, State};
use crate::json::{self, Node, Object};
use crate::transcript::{Format, Usage};

/// A line that says something.
pub(super) struct Said<'r, 'a> {
    pub(super) line: u32,
    pub(super) assistant: bool,
    pub(super) message: &'r Object<'a>,
    pub(super) state: State<'a>,
    /// Whether a compaction kept it alive: its usage was counted in a context that is gone.
    pub(super) kept: bool,
    /// Whether it is the summary of a compaction, which a model wrote.
    pub(super) summary: bool,
}

/// The messages that the lines of a talk are, in Anthropic's form.
pub(super) fn assemble<'r, 'a: 'r>(
    label: String,
    lines: impl IntoIterator<Item = Said<'r, 'a>>,
) -> Log {
    let mut messages: Vec<Message<'_>> = Vec::new();
    let mut model = None;
    let mut newest = None;
    for said in lines {
        let Some(content) = said.message.field("content") else { continue };
        if said.assistant {
            model = said.message.string("model").or(model);
            add_response(&mut messages, &mut newest, &said, content);
            if said.kept {
                messages[newest.unwrap_or_default()].usage = None;
            }
        } else {
            add_user(&mut messages, newest, &said, content);
        }
    }
    for at in 1..messages.len() {
        let (before, after) = messages.split_at_mut(at);
        sort_results(&before[at - 1], &mut after[0]);
    }
    let mut usage = Vec::new();
    for (entry, message) in messages.iter().enumerate() {
        if let Some((input, output)) = message.usage {
            usage.push(Usage { entry: entry as u32, input, output });
        }
    }
    let recorded = recorded::changes(messages.iter().map(|message| &message.state));
    let unsaid = (0..).zip(&messages).filter(|(_, message)| message.summary);
    let unsaid = unsaid.map(|(entry, _)| entry).collect();
    let entries: Vec<(u32, String)> =
        messages.iter().map(|message| (message.line, write(message))).collect();
    Log {
        usage,
        model: model.map(Cow::into_owned),
        recorded,
        unsaid,
        ..Log::of_entries(label, Format::Anthropic, &entries)
    }
}

/// A message in the making.
struct Message<'a> {
    assistant: bool,
    line: u32,
    /// `message.id` of a response.
    id: Option<Cow<'a, str>>,
    content: Content<'a>,
    usage: Option<(u32, u32)>,
    /// What its lines say of the directory and the branch, the last one in the end.
    state: State<'a>,
    /// The calls of a response by their ids, with their order.
    calls: BTreeMap<Cow<'a, str>, usize>,
    /// Whether it holds the results of the response before it and nothing else.
    results_only: bool,
    /// Whether it is the summary of a compaction.
    summary: bool,
}

enum Content<'a> {
    Blocks(Vec<Node<'a>>),
    Whole(Node<'a>),
}

/// Adds a response, or what belongs to the one that is open; `newest` is its place.
fn add_response<'a>(
    messages: &mut Vec<Message<'a>>,
    newest: &mut Option<usize>,
    said: &Said<'_, 'a>,
    content: Node<'a>,
) {
    let id = said.message.string("id");
    let blocks = content.array();
    let uses = blocks.iter().map(|block| block.object());
    let calls = uses
        .filter(|block| block.string("type").as_deref() == Some("tool_use"))
        .filter_map(|block| block.string("id"));
    let calls: Vec<Cow<'a, str>> = calls.collect();
    if let Some(open) = newest.and_then(|at| messages.get_mut(at))
        && id.is_some()
        && open.id == id
        && content.is_array()
        && let Content::Blocks(so_far) = &mut open.content
    {
        so_far.extend(blocks);
        open.add_calls(calls);
        open.usage = usage_of(said.message).or(open.usage);
        open.state.update(said.state.clone());
        return;
    }
    let content =
        if content.is_array() { Content::Blocks(blocks) } else { Content::Whole(content) };
    let mut response = Message::user(said.line, content);
    response.assistant = true;
    response.id = id;
    response.usage = usage_of(said.message);
    response.state = said.state.clone();
    response.add_calls(calls);
    *newest = Some(messages.len());
    messages.push(response);
}

/// A user line: results go home, into the message right after their response; anything else stands by itself.
fn add_user<'a>(
    messages: &mut Vec<Message<'a>>,
    response: Option<usize>,
    said: &Said<'_, 'a>,
    content: Node<'a>,
) {
    let (line, state) = (said.line, &said.state);
    let blocks = content.array();
    let answered: Vec<_> = blocks
        .iter()
        .map(|block| block.object())
        .filter(|block| block.string("type").as_deref() == Some("tool_result"))
        .filter_map(|block| block.string("tool_use_id"))
        .collect();
    let home = response.filter(|&at| {
        !answered.is_empty() && answered.iter().all(|id| messages[at].calls.contains_key(id))
    });
    if let Some(at) = home {
        let pure = answered.len() == blocks.len();
        let waiting = messages.get_mut(at + 1).filter(|next| next.results_only);
        if let Some(Message {
            content: Content::Blocks(results),
            results_only,
            state: so_far,
            ..
        }) = waiting
        {
            results.extend(blocks);
            *results_only = pure;
            so_far.update(state.clone());
            return;
        }
        let mut results = Message::user(line, Content::Blocks(blocks));
        results.results_only = pure;
        results.state = state.clone();
        messages.insert(at + 1, results);
        return;
    }
    let content =
        if content.is_array() { Content::Blocks(blocks) } else { Content::Whole(content) };
    let user = Message::user(line, content);
    messages.push(Message { state: state.clone(), summary: said.summary, ..user });
}

impl<'a> Message<'a> {
    fn user(line: u32, content: Content<'a>) -> Self {
        Self {
            assistant: false,
            line,
            id: None,
            content,
            usage: None,
            state: State::default(),
            calls: BTreeMap::new(),
            results_only: false,
            summary: false,
        }
    }

    fn add_calls(&mut self, calls: Vec<Cow<'a, str>>) {
        for call in calls {
            let at = self.calls.len();
            self.calls.entry(call).or_insert(at);
        }
    }
}

/// Puts the results of a response into the order of its calls; what else the message holds follows.
fn sort_results(response: &Message<'_>, results: &mut Message<'_>) {
    if !response.assistant || response.calls.len() < 2 || results.assistant {
        return;
    }
    if let Content::Blocks(blocks) = &mut results.content {
        blocks.sort_by_cached_key(|block| {
            let id = block.object().string("tool_use_id");
            id.and_then(|id| response.calls.get(&id).copied()).unwrap_or(usize::MAX)
        });
    }
}

/// Tokens before the response and of it. The input side is the sum of fresh and cached tokens.
fn usage_of(message: &Object<'_>) -> Option<(u32, u32)> {
    let usage = message.field("usage")?.object();
    let keys = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    let input = log::tokens(&usage, &keys);
    (input > 0).then(|| (input, log::tokens(&usage, &["output_tokens"])))
}

fn write(message: &Message<'_>) -> String {
    let role = if message.assistant { "assistant" } else { "user" };
    let content = match &message.content {
        Content::Whole(node) => Cow::Borrowed(node.raw()),
        Content::Blocks(blocks) => {
            let blocks: Vec<&str> = blocks.iter().map(|block| block.raw()).collect();
            Cow::Owned(format!("[{}]", blocks.join(",")))
        }
    };
    format!("{{\"role\":{},\"content\":{content}}}", json::quote(role))
}
