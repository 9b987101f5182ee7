//! Events of the `OpenHands` SDK, told from its source: `ActionEvent` is a call, the observations are results.
//!
//! Parallel calls share one `llm_response_id` and are one response. A `Condensation` takes events out of what the model sees,
//! and puts a summary where they stood; each one begins a new stretch. A result is told without what the SDK
//! adds from its own templates when it is sent.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::lines::Line;
use super::log::{self, Aside, Candidate, Log};
use super::recorded::Stamps;
use super::swe_agent;
use super::talk::{Talk, pieces};
use super::turn::Piece;
use crate::json::{Node, Object};
use crate::transcript::{Format, Role, Weight};

/// Whether an object is an event.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    let members = candidate.members;
    let kind = members.string("kind").unwrap_or_default();
    let own = kind.ends_with("Event")
        || kind.ends_with("Observation")
        || kind.starts_with("Condensation");
    own && ["id", "timestamp", "source"].iter().all(|key| members.has(key))
}

/// The stretches of a session that are told; of a longer one the newest.
const STRETCHES: usize = 64;

/// The talk, cut at its condensations.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let mut session = Session::default();
    let records = aside.records(lines);
    let is_cut = |members: &Object<'_>| members.string("kind").as_deref() == Some("Condensation");
    let last = records.iter().filter(|(_, members)| is_cut(members)).count();
    let (mut logs, mut index) = (Vec::new(), 0);
    for (line, members) in records {
        if is_cut(&members) {
            if index + STRETCHES > last {
                logs.push(session.log(log::stretch(index, last)));
            } else {
                aside.not_sent("stretch before the newest 64", &line);
            }
            index += 1;
            session.condense(&line, &members);
        } else {
            session.take(line, members, &mut aside);
        }
    }
    let mut now = session.log(log::stretch(last, last));
    now.current = true;
    logs.push(now);
    for log in &mut logs {
        log.model = session.model.as_deref().map(Into::into);
    }
    if let Some(line) = session.signed {
        let message = "The thinking is signed, for which a message of Chat has no place; the signatures were left out.";
        aside.note("left-out", Weight::Note, &line, message.into());
    }
    aside.told_in(logs)
}

/// What the model sees, as events go by.
#[derive(Default)]
struct Session<'a> {
    events: Vec<Event<'a>>,
    place: BTreeMap<Cow<'a, str>, usize>,
    model: Option<Cow<'a, str>>,
    /// The first line with a signature.
    signed: Option<Line<'a>>,
}

struct Event<'a> {
    line: Line<'a>,
    members: Object<'a>,
    /// Whether it was taken out.
    forgotten: bool,
    /// The summary that stands before it.
    summary: Option<(u32, Cow<'a, str>)>,
}

impl<'a> Session<'a> {
    fn take(&mut self, line: Line<'a>, members: Object<'a>, aside: &mut Aside<'a>) {
        let kind = members.string("kind").unwrap_or_default();
        match &*kind {
            "ActionEvent"
            | "ObservationEvent"
            | "MessageEvent"
            | "SystemPromptEvent"
            | "UserRejectObservation"
            | "AgentErrorEvent"
            | "CondensationSummaryEvent" => {
                if members.field("thinking_blocks").is_some_and(|node| node.raw().len() > 2) {
                    self.signed.get_or_insert(line);
                }
                if let Some(id) = members.string("id") {
                    self.place.insert(id, self.events.len());
                }
                self.events.push(Event { line, members, forgotten: false, summary: None });
            }
            _ => {
                let known = kind.ends_with("Event") || kind == "CondensationRequest";
                if kind == "ConversationStateUpdateEvent" {
                    self.model = model(&members).or(self.model.take());
                }
                if known {
                    aside.not_sent(&kind, &line);
                } else {
                    aside.unknown(&kind, &line);
                }
            }
        }
    }

    /// Takes out the events that a condensation names. Its summary stands where the first of them stood.
    fn condense(&mut self, line: &Line<'a>, members: &Object<'a>) {
        let ids = members.field("forgotten_event_ids").map(Node::array).unwrap_or_default();
        let mut first = self.events.len();
        for id in ids.iter().filter_map(|id| id.string()) {
            // A summary is named by the condensation that it is of.
            let of_summary = || id.strip_suffix("-summary").and_then(|id| self.place.get(id));
            if let Some(&at) = self.place.get(&*id).or_else(of_summary) {
                self.events[at].forgotten = true;
                self.events[at].summary = None;
                first = first.min(at);
            }
        }
        let summary = members.string("summary").filter(|text| !text.is_empty());
        if let (Some(event), Some(summary)) = (self.events.get_mut(first), summary) {
            event.summary = Some((line.number, summary));
            if let Some(id) = members.string("id") {
                self.place.insert(id, first);
            }
        }
    }

    fn log(&self, label: String) -> Log {
        let mut talk = Talk::default();
        let mut response = None;
        for event in &self.events {
            if let Some((line, summary)) = &event.summary {
                let pieces = Vec::from([Piece::Text(summary.clone())]);
                talk.say(Role::User, *line, pieces).unsaid = true;
                response = None;
            }
            if !event.forgotten {
                event.tell(&mut talk, &mut response);
            }
        }
        let mut log = talk.log(label, Format::OpenAiChat);
        let mut stamps = Stamps::default();
        for event in self.events.iter().filter(|event| !event.forgotten) {
            let observation = event.members.field("observation").map(Node::object);
            let metadata = observation.unwrap_or_default().field("metadata").map(Node::object);
            let directory = metadata.unwrap_or_default().string("working_dir");
            stamps.note(event.line.number, directory, None);
        }
        stamps.tell_in(&mut log);
        log
    }
}

impl<'a> Event<'a> {
    /// `response` is the id and the turn of the newest response.
    fn tell(&self, talk: &mut Talk<'a>, response: &mut Option<(Cow<'a, str>, usize)>) {
        let members = &self.members;
        let line = self.line.number;
        let list = |key: &str| members.field(key).map(pieces).unwrap_or_default();
        let text = |key: &str| members.string(key).unwrap_or_default();
        let id = || text("tool_call_id");
        match &*text("kind") {
            "ActionEvent" => {
                let call = members.field("tool_call").map(call);
                let own = members.string("llm_response_id");
                let known = response.as_ref().filter(|(known, _)| own.as_ref() == Some(known));
                let pieces = reasoning(members).into_iter().chain(list("thought")).chain(call);
                if let Some(turn) = known.and_then(|(_, at)| talk.turns.get_mut(*at)) {
                    turn.pieces.extend(pieces);
                    return;
                }
                let pieces = pieces.collect();
                talk.say(Role::Assistant, line, pieces);
                *response = own.map(|own| (own, talk.turns.len() - 1));
            }
            "ObservationEvent" => {
                let (mut content, error) = observed(members);
                content.extend(list("extended_content"));
                talk.answer(line, id(), content, error);
            }
            "UserRejectObservation" => {
                let why = format!("Action rejected: {}", text("rejection_reason"));
                talk.answer(line, id(), Vec::from([Piece::Text(why.into())]), true);
            }
            "AgentErrorEvent" => talk.answer(line, id(), list("error"), true),
            "SystemPromptEvent" => {
                let block =
                    |key: &str| members.field(key).and_then(|node| node.object().string("text"));
                let prompts = ["system_prompt", "dynamic_context"].into_iter().filter_map(block);
                talk.say(Role::System, line, prompts.map(Piece::Text).collect());
            }
            "CondensationSummaryEvent" => {
                talk.say(Role::User, line, list("summary")).unsaid = true;
            }
            _ => {
                let message = members.field("llm_message").map(Node::object).unwrap_or_default();
                let role = match &*message.string("role").unwrap_or_default() {
                    "assistant" => Role::Assistant,
                    "system" => Role::System,
                    _ => Role::User,
                };
                let mut content = reasoning(&message);
                content.extend(message.field("content").map(pieces).unwrap_or_default());
                content.extend(list("extended_content"));
                let calls = message.field("tool_calls").map(Node::array).unwrap_or_default();
                content.extend(calls.into_iter().map(call));
                talk.say(role, line, content);
                *response = None;
            }
        }
    }
}

fn reasoning<'a>(members: &Object<'a>) -> Vec<Piece<'a>> {
    let text = members.string("reasoning_content").filter(|text| !text.is_empty());
    match text {
        Some(text) => Vec::from([Piece::Thinking { text, signature: None }]),
        None => members.field("thinking_blocks").map(pieces).unwrap_or_default(),
    }
}

/// A call in the SDK's own shape, or in that of Chat Completions.
fn call(node: Node<'_>) -> Piece<'_> {
    let members = node.object();
    if members.has("function") {
        return swe_agent::call(node);
    }
    Piece::Call {
        id: members.string("id").unwrap_or_default(),
        name: members.string("name").unwrap_or_default(),
        arguments: members.string("arguments").unwrap_or_default(),
    }
}

/// What a tool observed, and whether that is an error. A terminal's output is sent with what stands before and after it.
fn observed<'a>(members: &Object<'a>) -> (Vec<Piece<'a>>, bool) {
    let Some(node) = members.field("observation") else { return (Vec::new(), false) };
    let observation = node.object();
    let mut content = observation.field("content").map_or_else(|| pieces(node), pieces);
    let metadata = observation.field("metadata").map(Node::object).unwrap_or_default();
    let around = |key: &str| metadata.string(key).unwrap_or_default();
    if let Some(Piece::Text(text)) = content.first_mut() {
        let (before, after) = (around("prefix"), around("suffix"));
        if !before.is_empty() || !after.is_empty() {
            *text = format!("{before}{text}{after}").into();
        }
    }
    (content, observation.is_true("is_error"))
}

/// The model that the statistics name first, which is the agent's.
fn model<'a>(members: &Object<'a>) -> Option<Cow<'a, str>> {
    let usage = members.field("value")?.object().field("usage_to_metrics")?.object();
    let (_, first) = usage.iter().next()?;
    first.object().string("model_name")
}
