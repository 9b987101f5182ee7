//! Sessions of Google's Agent Development Kit: Gemini contents in events.
//!
//! Contents are carried byte for byte. A compaction stands among the events and replaces those of a span of time.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::lines::Line;
use super::log::{self, Aside, Candidate, Log};
use super::stretches::Stretches;
use crate::json::{Node, Object};
use crate::transcript::{Format, Usage, Weight};

/// Whether an object is a record of it.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    let events = candidate.members.field("events").map(Node::array).unwrap_or_default();
    is_event(candidate.members)
        || !events.is_empty() && events.iter().take(8).all(|event| is_event(&event.object()))
}

fn is_event(members: &Object<'_>) -> bool {
    members.has("author")
        && ["invocation_id", "invocationId"].iter().any(|key| members.field(key).is_some())
}

/// The talk in a session: each stretch between compactions.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let mut events = Vec::new();
    for (line, members) in aside.records(lines) {
        match members.field("events").filter(|list| list.is_array()) {
            Some(list) => events.extend(log::elements(&line, list)),
            None => events.push((line, members)),
        }
    }
    let mut talk: Stretches<Item<'_>> = Stretches::new(events.len());
    // The first content of each invocation.
    let mut firsts: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
    let mut model = None;
    for (line, event) in &events {
        let actions = event.field("actions").map(Node::object).unwrap_or_default();
        let compaction = actions.field("compaction").filter(|node| node.is_object());
        let content = event.field("content").filter(|node| node.object().has("parts"));
        let rewind = either(&actions, ["rewind_before_invocation_id", "rewindBeforeInvocationId"]);
        if let Some(compaction) = compaction {
            compact(&mut talk, line, &compaction.object(), &mut aside);
            let kept = talk.open.iter().enumerate().rev();
            firsts = kept.map(|(at, item)| (item.invocation.clone(), at)).collect();
        } else if let Some(invocation) = rewind.and_then(Node::string) {
            let first = firsts.remove(&invocation).filter(|&first| {
                talk.open.get(first).is_some_and(|item| item.invocation == invocation)
            });
            talk.open.truncate(first.unwrap_or(talk.open.len()));
            aside.tell("rewound", line, "The session was taken back to before an invocation.");
        } else if event.is_true("partial") {
            aside.not_sent("partial event", line);
        } else if let Some(content) = content {
            let model_version = either(event, ["model_version", "modelVersion"]);
            model = model_version.and_then(Node::string).or(model);
            let item = item(line, event, content);
            firsts.entry(item.invocation.clone()).or_insert(talk.open.len());
            talk.open.push(item);
        } else {
            aside.not_sent("event without content", line);
        }
    }
    let logs = talk.logs(|label, items| {
        let mut usage = Vec::new();
        let mut entries = Vec::new();
        let unsaid = (0..).zip(&items).filter(|(_, item)| item.unsaid);
        let unsaid = unsaid.map(|(entry, _)| entry).collect();
        for (entry, item) in items.into_iter().enumerate() {
            if let Some((input, output)) = item.usage {
                usage.push(Usage { entry: entry as u32, input, output });
            }
            entries.push((item.line, item.text.into_owned()));
        }
        let model = model.clone().map(Cow::into_owned);
        Log { usage, model, unsaid, ..Log::of_entries(label, Format::Gemini, &entries) }
    });
    aside.told_in(logs)
}

#[derive(Clone)]
struct Item<'a> {
    line: u32,
    text: Cow<'a, str>,
    invocation: Cow<'a, str>,
    time: f64,
    usage: Option<(u32, u32)>,
    /// Whether it is what a compaction says.
    unsaid: bool,
}

/// A content as an item. One without a role gets that of its author.
fn item<'a>(line: &Line<'a>, event: &Object<'a>, content: Node<'a>) -> Item<'a> {
    let members = content.object();
    let text = if members.has("role") {
        Cow::Borrowed(content.raw())
    } else {
        let user = event.string("author").as_deref() == Some("user");
        let role = if user { "user" } else { "model" };
        let parts = members.field("parts").map_or("[]", Node::raw);
        Cow::Owned(format!("{{\"role\":\"{role}\",\"parts\":{parts}}}"))
    };
    let counts = either(event, ["usage_metadata", "usageMetadata"]);
    let counts = counts.map(Node::object).unwrap_or_default();
    let input = log::tokens(&counts, &["prompt_token_count", "promptTokenCount"]);
    let output = [
        "candidates_token_count",
        "candidatesTokenCount",
        "thoughts_token_count",
        "thoughtsTokenCount",
    ];
    let invocation = either(event, ["invocation_id", "invocationId"]).and_then(Node::string);
    Item {
        line: line.number,
        text,
        invocation: invocation.unwrap_or_default(),
        time: time(event.field("timestamp")),
        usage: (input > 0).then(|| (input, log::tokens(&counts, &output))),
        unsaid: false,
    }
}

/// Puts what a compaction says in the place of the events of its time.
fn compact<'a>(
    talk: &mut Stretches<Item<'a>>,
    line: &Line<'a>,
    compaction: &Object<'a>,
    aside: &mut Aside<'a>,
) {
    let from = time(either(compaction, ["start_timestamp", "startTimestamp"]));
    let to = time(either(compaction, ["end_timestamp", "endTimestamp"]));
    let is_gone = |item: &Item<'a>| from <= item.time && item.time <= to;
    let place = talk.open.iter().position(is_gone).unwrap_or(talk.open.len());
    let mut kept: Vec<Item<'a>> = Vec::new();
    for (at, item) in talk.open.iter().enumerate() {
        if !is_gone(item) {
            // It was counted in a context that is gone.
            let usage = item.usage.filter(|_| at < place);
            kept.push(Item { usage, ..item.clone() });
        }
    }
    let content = either(compaction, ["compacted_content", "compactedContent"]);
    if let Some(content) = content.filter(|content| content.is_object()) {
        let summary = item(line, &Object::default(), content);
        let summary = Item { time: to, usage: None, unsaid: true, ..summary };
        kept.insert(place.min(kept.len()), summary);
    }
    if !talk.compact(kept) {
        let says = String::from("Too much was carried over compactions; a part was left out.");
        aside.note("carried-over", Weight::Warning, line, says);
    }
}

/// A member that is written in snake case or in camel case.
fn either<'a>(members: &Object<'a>, keys: [&str; 2]) -> Option<Node<'a>> {
    keys.iter().find_map(|key| members.field(key)).filter(|node| !node.is_null())
}

/// Seconds; zero where none are told.
fn time(node: Option<Node<'_>>) -> f64 {
    node.and_then(|node| node.raw().parse().ok()).unwrap_or(0.0)
}
