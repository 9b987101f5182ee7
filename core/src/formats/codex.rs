//! Codex rollouts: a Responses item in an envelope each.
//!
//! Items are carried byte for byte. What else a rollout holds is told to the person at the terminal, not to the model; of
//! it only the model's name and the token counts are used. Rollouts until September 2025 have no envelopes.

use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;

use super::lines::Line;
use super::log::{self, Aside, Candidate, Log};
use super::recorded::Stamps;
use super::stretches::Stretches;
use crate::json::{Node, Object, quote};
use crate::provider::Provider;
use crate::transcript::{Format, Usage};

/// The records of a rollout that hold no item.
const UNSENT: [&str; 6] = [
    "event_msg",
    "inter_agent_communication_metadata",
    "security_risk_score",
    "session_meta",
    "turn_context",
    "world_state",
];

/// Whether an object is a record of it.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    let members = candidate.members;
    let kind = members.string("type").unwrap_or_default();
    let enveloped = UNSENT.contains(&&*kind) || matches!(&*kind, "response_item" | "compacted");
    enveloped && members.field("payload").is_some_and(Node::is_object) || is_header(members)
}

/// Whether it is the first line of a rollout without envelopes.
fn is_header(members: &Object<'_>) -> bool {
    ["id", "timestamp"].iter().all(|key| members.has(key))
        && members.field("instructions").is_some()
        && !members.has("type")
}

/// The talk in its lines: each stretch between compactions.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let mut talk = Talk { items: Stretches::new(lines.len()), run: None, early: None, total: "" };
    let mut model = None;
    let mut stamps = Stamps::default();
    for (line, members) in aside.records(lines) {
        let kind = members.string("type").unwrap_or_default();
        let payload = members.field("payload").filter(|node| node.is_object());
        let inner = payload.map(Node::object).unwrap_or_default();
        if matches!(&*kind, "session_meta" | "turn_context") {
            let git = inner.field("git").map(Node::object).unwrap_or_default();
            stamps.note(line.number, inner.string("cwd"), git.string("branch"));
        }
        match (&*kind, payload) {
            ("response_item", Some(item)) => {
                if is_sent(&inner) {
                    talk.push(line.number, item.raw().into(), is_of_model(&inner));
                } else {
                    let of = inner.string("type").unwrap_or_default();
                    aside.not_sent(&format!("response_item/{of}"), &line);
                }
            }
            ("compacted", Some(_)) => {
                talk.compact(&line, &inner);
            }
            ("turn_context", Some(_)) => {
                model = inner.string("model").or(model);
                aside.not_sent(&kind, &line);
            }
            ("event_msg", Some(_)) => {
                let of = inner.string("type").unwrap_or_default();
                if of == "token_count" {
                    talk.count(&inner);
                }
                aside.not_sent(&format!("event_msg/{of}"), &line);
            }
            (_, Some(_)) if UNSENT.contains(&&*kind) => aside.not_sent(&kind, &line),
            ("", _) if is_header(&members) => aside.not_sent("header", &line),
            ("", _) if members.has("record_type") => aside.not_sent("record_type", &line),
            (_, None) if is_item(&kind) => {
                let node = line.node.map_or("", Node::raw);
                talk.push(line.number, node.into(), is_of_model(&members));
            }
            _ => aside.unknown(&kind, &line),
        }
    }
    let mut logs = talk.items.logs(|label, items| {
        let mut usage = Vec::new();
        let mut entries = Vec::new();
        for (entry, item) in items.into_iter().enumerate() {
            if let Some((input, output)) = item.usage {
                usage.push(Usage { entry: entry as u32, input, output });
            }
            entries.push((item.line, item.text.into_owned()));
        }
        Log {
            usage,
            model: model.clone().map(Cow::into_owned),
            provider: Some(Provider::OpenAiResponses),
            ..Log::of_entries(label, Format::OpenAiResponses, &entries)
        }
    });
    for log in &mut logs {
        stamps.tell_in(log);
    }
    aside.told_in(logs)
}

/// Whether a line without an envelope is an item by its type.
fn is_item(kind: &str) -> bool {
    matches!(kind, "message" | "reasoning" | "compaction")
        || kind.ends_with("_call")
        || kind.ends_with("_output")
}

/// Whether an item is sent: snapshots for taking changes back are written as items, but are none of the model's business.
fn is_sent(item: &Object<'_>) -> bool {
    !matches!(item.string("type").as_deref(), Some("ghost_snapshot" | "other"))
}

/// Whether the model wrote an item.
fn is_of_model(item: &Object<'_>) -> bool {
    let kind = item.string("type").unwrap_or_default();
    kind == "reasoning"
        || kind.ends_with("_call")
        || matches!(&*kind, "" | "message") && item.string("role").as_deref() == Some("assistant")
}

struct Item<'a> {
    line: u32,
    text: Cow<'a, str>,
    usage: Option<(u32, u32)>,
}

struct Talk<'a> {
    items: Stretches<Item<'a>>,
    /// The first item of the response that is being written.
    run: Option<usize>,
    /// The usage of a response whose items come after it, as they did until autumn 2025.
    early: Option<(u32, u32)>,
    /// The newest count, which is repeated when only the rate limits change.
    total: &'a str,
}

impl<'a> Talk<'a> {
    fn push(&mut self, line: u32, text: Cow<'a, str>, of_model: bool) {
        let usage = self.early.take().filter(|_| of_model && self.run.is_none());
        self.run = of_model.then(|| self.run.unwrap_or(self.items.open.len()));
        self.items.open.push(Item { line, text, usage });
    }

    /// A compaction replaces all that was before it.
    fn compact(&mut self, line: &Line<'a>, payload: &Object<'a>) {
        let item = |text| Item { line: line.number, text, usage: None };
        let history = payload.field("replacement_history").filter(|node| node.is_array());
        let summary = || {
            let text = quote(&payload.string("message").unwrap_or_default());
            let content = format!("[{{\"type\":\"output_text\",\"text\":{text}}}]");
            format!("{{\"type\":\"message\",\"role\":\"assistant\",\"content\":{content}}}")
        };
        let items: Vec<Item<'a>> = match history {
            Some(history) => {
                let sent = history.array().into_iter().filter(|node| is_sent(&node.object()));
                sent.map(|node| item(Cow::Borrowed(node.raw()))).collect()
            }
            None => [item(Cow::Owned(summary()))].into(),
        };
        // The history stands in the line itself, so there is always room for it.
        self.items.compact([]);
        self.items.open = items;
        (self.run, self.early) = (None, None);
    }

    /// A token count belongs to the response that it follows, or that follows it. Cached tokens are part of the input.
    fn count(&mut self, payload: &Object<'a>) {
        let info = payload.field("info").map(Node::object).unwrap_or_default();
        let total = info.field("total_token_usage").map_or("", Node::raw);
        let Some(last) = info.field("last_token_usage").filter(|_| total != self.total) else {
            return;
        };
        self.total = total;
        let last = last.object();
        let input = log::tokens(&last, &["input_tokens"]);
        let usage = (input > 0).then(|| (input, log::tokens(&last, &["output_tokens"])));
        match self.run {
            Some(first) => self.items.open[first].usage = usage,
            None => self.early = usage,
        }
    }
}
