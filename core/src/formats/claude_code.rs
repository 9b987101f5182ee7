//! Claude Code session logs: JSON Lines in which one model response is spread over several lines.
//!
//! A log is rebuilt into the messages that the model saw, as a list in Anthropic's form: lines with one
//! `message.id` are one message, and all results of a response stand in one message right after it. The
//! log's own form cannot express a fold, so a fold of it is written as that list. There is no published
//! specification; the record types are those seen in real logs of versions 1.0 to 2.1.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::iter;

use super::lines::Line;
use super::log::{self, Aside, Candidate, Log};
use crate::json::{self, Node, Object};
use crate::transcript::{Format, Usage, Weight};

/// Whether an object is a record of a session log.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    let members = candidate.members;
    let kind = members.string("type").unwrap_or_default();
    let kinds = ["user", "assistant", "system", "summary", "progress", "attachment"];
    let talk = matches!(&*kind, "user" | "assistant") && members.has("message");
    kinds.contains(&&*kind)
        && (["uuid", "parentUuid", "leafUuid"].iter().any(|key| members.field(key).is_some())
            && !members.has("session_id")
            || talk && members.has("sessionId"))
}

/// The talks of a log: each stretch between compactions, then each sub-agent's.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let mut skipped = BTreeMap::new();
    let records = records(lines, &mut aside, &mut skipped);
    let main: Vec<&Record<'_>> = records.iter().filter(|record| !record.side).collect();
    let has_main = main.iter().any(|record| record.kind != Kind::Boundary);
    let mut logs = Vec::new();
    if has_main {
        let stretches = stretches(&main);
        let last = stretches.len() - 1;
        for (index, stretch) in stretches.iter().enumerate() {
            logs.push(assemble(log::stretch(index, last), index == last, stretch));
        }
    }
    for (index, (agent, thread)) in threads(&records, &skipped).into_iter().enumerate() {
        let label = format!("sub-agent {} ({agent})", index + 1);
        logs.push(assemble(label, !has_main && index == 0, &thread));
    }
    aside.told_in(logs)
}

/// A line that the model saw, or a compaction.
struct Record<'a> {
    kind: Kind,
    line: Line<'a>,
    uuid: Option<Cow<'a, str>>,
    parent: Option<Cow<'a, str>>,
    agent: Option<Cow<'a, str>>,
    side: bool,
    message: Object<'a>,
    /// The records before a compaction that were kept alive across it.
    preserved: Vec<String>,
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Kind {
    Assistant,
    Boundary,
    User,
}

fn records<'a>(
    lines: &[Line<'a>],
    aside: &mut Aside<'a>,
    skipped: &mut BTreeMap<String, String>,
) -> Vec<Record<'a>> {
    let mut records: Vec<Record<'a>> = Vec::new();
    let mut seen = BTreeSet::new();
    for (line, members) in aside.records(lines) {
        let kind = members.string("type").unwrap_or_default();
        let subtype = members.string("subtype").unwrap_or_default();
        let is_talk = matches!(&*kind, "user" | "assistant");
        let message = members.field("message");
        let says = |node: Node<'_>| node.object().has("content");
        if is_talk && !message.is_some_and(says) {
            aside.broken(&line, &format!("is of type {kind:?} but holds no message with content"));
            continue;
        }
        let unsent = members.is_true("isApiErrorMessage")
            || members.is_true("isVisibleInTranscriptOnly") && !members.is_true("isCompactSummary");
        let boundary = kind == "system" && subtype == "compact_boundary";
        if !is_talk && !boundary || unsent {
            if let (Some(uuid), Some(parent)) =
                (members.string("uuid"), members.string("parentUuid"))
            {
                skipped.insert(uuid.into_owned(), parent.into_owned());
            }
            let name =
                if unsent { String::from("client-side message") } else { name_of(&kind, &subtype) };
            aside.not_sent(&name, &line);
            continue;
        }
        let uuid = members.string("uuid");
        if let Some(uuid) = &uuid
            && !seen.insert(uuid.clone().into_owned())
        {
            let message =
                format!("Line {} repeats the record {uuid}; the first one counts.", line.number);
            aside.note("repeated-line", Weight::Warning, &line, message);
            continue;
        }
        let meta = members.field("compactMetadata").map(Node::object).unwrap_or_default();
        let preserved = meta.field("preservedMessages").map(Node::object).unwrap_or_default();
        let uuids = preserved.field("uuids").map(Node::array).unwrap_or_default();
        records.push(Record {
            kind: match (&*kind, boundary) {
                (_, true) => Kind::Boundary,
                ("user", _) => Kind::User,
                _ => Kind::Assistant,
            },
            line,
            parent: members.string("parentUuid"),
            agent: members.string("agentId"),
            side: members.is_true("isSidechain"),
            message: message.map(Node::object).unwrap_or_default(),
            preserved: uuids.iter().filter_map(|node| node.string()).map(Cow::into_owned).collect(),
            uuid,
        });
    }
    records
}

fn name_of(kind: &str, subtype: &str) -> String {
    match (kind, subtype) {
        ("", _) => String::from("(none)"),
        (kind, "") => kind.into(),
        (kind, subtype) => format!("{kind}/{subtype}"),
    }
}

/// The main talk, cut at its compactions. What a compaction preserved stands after its summary.
fn stretches<'r, 'a>(main: &[&'r Record<'a>]) -> Vec<Vec<&'r Record<'a>>> {
    let mut stretches: Vec<Vec<&Record<'_>>> = alloc::vec![Vec::new()];
    let mut waiting: Vec<&Record<'_>> = Vec::new();
    for &record in main {
        if record.kind == Kind::Boundary {
            let kept = |other: &&&Record<'_>| {
                other
                    .uuid
                    .as_ref()
                    .is_some_and(|uuid| record.preserved.iter().any(|kept| kept == uuid))
            };
            let before = main.iter().take_while(|other| other.line.number < record.line.number);
            waiting = before.filter(kept).copied().collect();
            stretches.push(Vec::new());
            continue;
        }
        if let Some(stretch) = stretches.last_mut() {
            stretch.push(record);
            stretch.append(&mut waiting);
        }
    }
    stretches
}

/// Sub-agents' talks: by the agent's id where it is recorded, else by the root of the chain of parents.
fn threads<'r, 'a>(
    records: &'r [Record<'a>],
    skipped: &BTreeMap<String, String>,
) -> Vec<(String, Vec<&'r Record<'a>>)> {
    let mut of_uuid: BTreeMap<&str, usize> = BTreeMap::new();
    let mut of_agent: BTreeMap<&str, usize> = BTreeMap::new();
    let mut threads: Vec<(String, Vec<&Record<'_>>)> = Vec::new();
    for record in records.iter().filter(|record| record.side && record.kind != Kind::Boundary) {
        let known = match (record.agent.as_deref(), record.parent.as_deref()) {
            (Some(agent), _) => of_agent.get(agent).copied(),
            // A parent may be a record that was left out: its own parent counts. Sixteen in a row are enough.
            (None, Some(parent)) => {
                iter::successors(Some(parent), |&at| skipped.get(at).map(|it| &**it))
                    .take(16)
                    .find_map(|at| of_uuid.get(at).copied())
            }
            (None, None) => None,
        };
        let thread = known.unwrap_or_else(|| {
            let name = record.agent.as_deref().or(record.uuid.as_deref()).unwrap_or("unnamed");
            threads.push((name.into(), Vec::new()));
            threads.len() - 1
        });
        if let Some(agent) = record.agent.as_deref() {
            of_agent.insert(agent, thread);
        }
        if let Some(uuid) = record.uuid.as_deref() {
            of_uuid.insert(uuid, thread);
        }
        threads[thread].1.push(record);
    }
    threads
}

/// A message in the making.
struct Message<'a> {
    assistant: bool,
    line: u32,
    /// `message.id` of a response.
    id: Option<Cow<'a, str>>,
    content: Content<'a>,
    usage: Option<(u32, u32)>,
    /// The calls of a response by their ids, with their order.
    calls: BTreeMap<Cow<'a, str>, usize>,
    /// Whether it holds the results of the response before it and nothing else.
    results_only: bool,
}

enum Content<'a> {
    Blocks(Vec<Node<'a>>),
    Whole(Node<'a>),
}

fn assemble(label: String, current: bool, records: &[&Record<'_>]) -> Log {
    let mut messages: Vec<Message<'_>> = Vec::new();
    let mut model = None;
    let mut newest = None;
    let first = records.first().map_or(0, |record| record.line.number);
    for record in records {
        let Some(content) = record.message.field("content") else { continue };
        if record.kind == Kind::Assistant {
            model = record.message.string("model").or(model);
            add_response(&mut messages, &mut newest, record, content);
            // What a compaction kept alive was counted in a context that is gone.
            if record.line.number < first {
                messages[newest.unwrap_or_default()].usage = None;
            }
        } else {
            add_user(&mut messages, newest, record, content);
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
    let entries: Vec<(u32, String)> =
        messages.iter().map(|message| (message.line, write(message))).collect();
    Log {
        current,
        usage,
        model: model.map(Cow::into_owned),
        ..Log::of_entries(label, Format::Anthropic, &entries)
    }
}

/// Adds a response, or what belongs to the one that is open; `newest` is its place.
fn add_response<'a>(
    messages: &mut Vec<Message<'a>>,
    newest: &mut Option<usize>,
    record: &Record<'a>,
    content: Node<'a>,
) {
    let id = record.message.string("id");
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
        open.usage = usage_of(&record.message).or(open.usage);
        return;
    }
    let content =
        if content.is_array() { Content::Blocks(blocks) } else { Content::Whole(content) };
    let mut response = Message::user(record.line.number, content);
    response.assistant = true;
    response.id = id;
    response.usage = usage_of(&record.message);
    response.add_calls(calls);
    *newest = Some(messages.len());
    messages.push(response);
}

/// A user line: results go home, into the message right after their response; anything else stands by itself.
fn add_user<'a>(
    messages: &mut Vec<Message<'a>>,
    response: Option<usize>,
    record: &Record<'a>,
    content: Node<'a>,
) {
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
        if let Some(Message { content: Content::Blocks(results), results_only, .. }) = waiting {
            results.extend(blocks);
            *results_only = pure;
            return;
        }
        let mut results = Message::user(record.line.number, Content::Blocks(blocks));
        results.results_only = pure;
        messages.insert(at + 1, results);
        return;
    }
    let content =
        if content.is_array() { Content::Blocks(blocks) } else { Content::Whole(content) };
    messages.push(Message::user(record.line.number, content));
}

impl<'a> Message<'a> {
    fn user(line: u32, content: Content<'a>) -> Self {
        Self {
            assistant: false,
            line,
            id: None,
            content,
            usage: None,
            calls: BTreeMap::new(),
            results_only: false,
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
