//! The wire log of Kimi CLI: every change of the context, a record a line.
//!
//! A response comes piece by piece (`content.part`, `tool.call`), tied together by the step that it belongs to. Ids are
//! counters of the session, as in `Bash_0`. A compaction keeps the newest of the person's own messages, and its summary
//! follows them.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::lines::Line;
use super::log::{self, Aside, Candidate, Log};
use super::stretches::{self, Step, Steps, arguments, words};
use super::turn::{Piece, Turn};
use crate::json::{Node, Object};
use crate::provider::Provider;
use crate::transcript::{Format, Role, Weight};

/// What begins the types of records, after the header.
const RECORDS: [&str; 12] = [
    "context.",
    "config.",
    "full_compaction.",
    "goal.",
    "llm.",
    "mcp.",
    "permission.",
    "plan_mode.",
    "task.",
    "tools.",
    "turn.",
    "usage.",
];

/// Whether an object is a record of it.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    let kind = candidate.members.string("type").unwrap_or_default();
    kind == "metadata" && candidate.members.has("protocol_version")
        || RECORDS.iter().any(|record| kind.starts_with(record)) && candidate.members.has("time")
}

/// The talk in its lines: each stretch between compactions.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let mut context = Context { talk: Steps::new(lines.len()), step: None, prompts: Vec::new() };
    let mut model: Option<Cow<'_, str>> = None;
    for (line, members) in aside.records(lines) {
        let kind = members.string("type").unwrap_or_default();
        match &*kind {
            "context.append_message" => {
                let message = members.field("message").map(Node::object).unwrap_or_default();
                context.message(&line, &message, &mut aside);
            }
            "context.append_loop_event" => {
                let event = members.field("event").map(Node::object).unwrap_or_default();
                context.event(&line, &event, &mut aside);
            }
            "context.apply_compaction" => context.compact(&line, &members, &mut aside),
            "context.clear" => {
                context.talk.compact([]);
                context.forget();
                aside.tell("cleared", &line, "The context was cleared; a stretch begins there.");
            }
            "context.undo" => context.undo(&line, &members, &mut aside),
            "config.update" => {
                if let Some(prompt) = members.string("systemPrompt")
                    && context.talk.system(line.number, prompt)
                {
                    aside.not_sent("system prompt, replaced by a later one", &line);
                }
                model = members.string("modelAlias").or(model);
            }
            _ => {
                if kind == "llm.request" {
                    model = members.string("model").or(model);
                }
                if kind == "usage.record"
                    && members.string("usageScope").as_deref() != Some("session")
                {
                    context.usage(&members);
                }
                if kind == "metadata" || RECORDS.iter().any(|record| kind.starts_with(record)) {
                    aside.not_sent(&kind, &line);
                } else {
                    aside.unknown(&kind, &line);
                }
            }
        }
    }
    let mut logs = context.talk.logs(Format::OpenAiChat);
    for log in &mut logs {
        log.model = model.clone().map(Cow::into_owned);
        log.provider = Some(Provider::Kimi);
    }
    aside.told_in(logs)
}

struct Context<'a> {
    talk: Steps<'a>,
    /// The step of the response that is being written, and its turn.
    step: Option<(Cow<'a, str>, usize)>,
    /// The turns that the person wrote.
    prompts: Vec<usize>,
}

impl<'a> Context<'a> {
    fn forget(&mut self) {
        self.step = None;
        self.prompts.clear();
    }

    fn message(&mut self, line: &Line<'a>, message: &Object<'a>, aside: &mut Aside<'a>) {
        let role = message.string("role").unwrap_or_default();
        let content = message.field("content");
        if role == "tool" {
            let id = message.string("toolCallId").or_else(|| message.string("tool_call_id"));
            let (id, name, text) = (id.unwrap_or_default(), "".into(), words(content));
            self.talk.result(
                line.number,
                Piece::Result { id, name, text, error: false },
                Vec::new(),
            );
            return;
        }
        let mut turn = Turn::new(
            match &*role {
                "assistant" => Role::Assistant,
                "system" => Role::System,
                _ => Role::User,
            },
            line.number,
        );
        match content {
            Some(node) if node.is_array() => {
                turn.pieces
                    .extend(node.array().into_iter().filter_map(|part| piece(part, line, aside)));
            }
            content => turn.pieces.extend(content.and_then(Node::string).map(Piece::Text)),
        }
        for call in message.field("toolCalls").map(Node::array).unwrap_or_default() {
            let call = call.object();
            let inner = call.field("function").map(Node::object);
            let inner = inner.as_ref().unwrap_or(&call);
            turn.pieces.push(Piece::Call {
                id: call.string("id").unwrap_or_default(),
                name: inner.string("name").unwrap_or_default(),
                arguments: arguments(inner, "arguments").into(),
            });
        }
        let origin = message.field("origin").map(Node::object).unwrap_or_default();
        let own = turn.role == Role::User
            && matches!(origin.string("kind").as_deref(), None | Some("user"));
        let at = self.talk.push(turn);
        if own {
            self.prompts.push(at);
        }
    }

    fn event(&mut self, line: &Line<'a>, event: &Object<'a>, aside: &mut Aside<'a>) {
        let kind = event.string("type").unwrap_or_default();
        match &*kind {
            "content.part" => {
                let part = event.field("part").and_then(|part| piece(part, line, aside));
                let at = self.turn(line, event);
                if let Some(piece) = part {
                    self.talk.add(at, piece);
                }
            }
            "tool.call" => {
                let at = self.turn(line, event);
                let id = event.string("toolCallId").unwrap_or_default();
                let name = event.string("name").unwrap_or_default();
                let arguments = arguments(event, "args").into();
                self.talk.add(at, Piece::Call { id, name, arguments });
            }
            "tool.result" => {
                let id = event.string("toolCallId").unwrap_or_default();
                let result = event.field("result").map(Node::object).unwrap_or_default();
                let mut text = words(result.field("output"));
                // A note is what the tool tells the model beside its output.
                if let Some(note) = result.string("note").filter(|note| !note.is_empty()) {
                    text = alloc::format!("{text}\n{note}").into();
                }
                let error = result.is_true("isError");
                let output = result.field("output").map(Node::array).unwrap_or_default();
                let media = output.into_iter().filter(|part| !part.object().has("text"));
                let media = media.filter_map(|part| piece(part, line, aside)).collect();
                let name = "".into();
                self.talk.result(line.number, Piece::Result { id, name, text, error }, media);
            }
            "step.begin" => aside.not_sent("context.append_loop_event/step.begin", line),
            "step.end" => {
                let uuid = event.string("uuid").unwrap_or_default();
                if self.step.as_ref().is_some_and(|(open, _)| *open == uuid) {
                    self.usage(event);
                }
                aside.not_sent("context.append_loop_event/step.end", line);
            }
            _ => aside.unknown(&alloc::format!("context.append_loop_event/{kind}"), line),
        }
    }

    /// The turn of the step that an event belongs to.
    fn turn(&mut self, line: &Line<'a>, event: &Object<'a>) -> usize {
        let uuid = event.string("stepUuid").unwrap_or_default();
        match &self.step {
            Some((open, at)) if *open == uuid => *at,
            _ => {
                let at = self.talk.push(Turn::new(Role::Assistant, line.number));
                self.step = Some((uuid, at));
                at
            }
        }
    }

    /// Notes the usage of the response that is being written.
    fn usage(&mut self, members: &Object<'a>) {
        let Some(&(_, at)) = self.step.as_ref() else { return };
        let usage = members.field("usage").map(Node::object).unwrap_or_default();
        let input = log::tokens(&usage, &["inputOther", "inputCacheRead", "inputCacheCreation"]);
        if input > 0
            && let Some(step) = self.talk.stretches.open.get_mut(at)
        {
            step.turn.usage = Some((input, log::tokens(&usage, &["output"])));
        }
    }

    fn compact(&mut self, line: &Line<'a>, members: &Object<'a>, aside: &mut Aside<'a>) {
        let summary = members.string("contextSummary").or_else(|| {
            members
                .field("summary")
                .map(|node| node.string().unwrap_or_else(|| words(node.object().field("content"))))
        });
        let count = |key: &str| members.field(key).and_then(Node::integer);
        let open = &self.talk.stretches.open;
        let kept: Vec<usize> = if let Some(kept) = count("keptUserMessageCount") {
            // Which ones are kept is decided by tokens, which the record does not tell: the first ones, if it counts
            // them, and the newest.
            let all = self.prompts.len();
            let kept = usize::try_from(kept).unwrap_or(all).min(all);
            let head = count("keptHeadUserMessageCount").unwrap_or(0);
            let head = usize::try_from(head).unwrap_or(all).min(kept);
            let newest = all - (kept - head);
            (0..head).chain(newest..all).map(|at| self.prompts[at]).collect()
        } else {
            // Before that was recorded, whatever was not compacted stayed. A result is a message of its own.
            let mut gone = count("compactedCount").unwrap_or(0);
            let mut kept = Vec::new();
            for (at, step) in open.iter().enumerate().skip(1) {
                if gone == 0 {
                    kept.push(at);
                }
                gone = gone.saturating_sub(1 + step.answers.pieces.len() as u64);
            }
            kept
        };
        let legacy = count("keptUserMessageCount").is_none();
        let mut steps: Vec<Step<'a>> = kept.iter().map(|&at| open[at].clone()).collect();
        for step in &mut steps {
            // It was counted in a context that is gone.
            step.turn.usage = None;
        }
        let mut turn = Turn::new(Role::User, line.number).unsaid();
        turn.pieces.extend(summary.map(Piece::Text));
        let whole = if legacy {
            self.talk.compact([Step::of(turn)].into_iter().chain(steps))
        } else {
            let whole = self.talk.compact(steps);
            self.talk.push(turn);
            whole
        };
        if !whole {
            let says = String::from("Too much was carried over compactions; a part was left out.");
            aside.note("carried-over", Weight::Warning, line, says);
        }
        self.forget();
        // They may be kept again; the summary is none of them.
        if !legacy {
            self.prompts = (1..self.talk.stretches.open.len().saturating_sub(1)).collect();
        }
    }

    /// Takes back the newest of the person's messages, with all that came after.
    fn undo(&mut self, line: &Line<'a>, members: &Object<'a>, aside: &mut Aside<'a>) {
        let count = members.field("count").and_then(Node::integer).unwrap_or(1);
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let left = self.prompts.len().saturating_sub(count);
        if let Some(&first) = self.prompts.get(left) {
            self.talk.stretches.open.truncate(first);
            self.prompts.truncate(left);
            self.step = None;
        }
        aside.tell("undone", line, "A prompt was taken back; what it led to was left out.");
    }
}

/// A part of a message or a response.
fn piece<'a>(part: Node<'a>, line: &Line<'a>, aside: &mut Aside<'a>) -> Option<Piece<'a>> {
    let members = part.object();
    let kind = members.string("type").unwrap_or_default();
    match &*kind {
        "text" => members.string("text").map(Piece::Text),
        "think" => members
            .string("think")
            .map(|text| Piece::Thinking { text, signature: members.string("encrypted") }),
        "image_url" => {
            let image = members.field("imageUrl").or_else(|| members.field("image_url"));
            let url =
                image.and_then(|image| image.string().or_else(|| image.object().string("url")));
            url.map(|url| stretches::media(url, "image".into()))
        }
        _ => {
            aside.unknown(&alloc::format!("part/{kind}"), line);
            None
        }
    }
}
