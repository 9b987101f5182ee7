//! Exports of opencode: messages of parts, a call and its result being one.
//!
//! A response holds several steps, each with its calls and then their results. Outputs that were cleared, and messages that
//! a compaction replaced, are still in the file: here they stand as the model sees them. Source: `message-v2.ts` of
//! opencode.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::lines::Line;
use super::log::{self, Aside, Candidate, Log};
use super::recorded::Stamps;
use super::stretches::{Stretches, arguments, media, wire_of};
use super::turn::{Piece, Turn};
use crate::json::{Node, Object};
use crate::transcript::{Format, Role, Weight};

/// What the model is told in place of an output that was cleared.
const CLEARED: &str = "[Old tool result content cleared]";

/// What the model is asked in place of a compaction.
const ASKED: &str = "What did we do so far?";

/// Whether an object is a record of it.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    candidate.members.field("info").is_some_and(Node::is_object)
        && (candidate.any(is_message) || is_message(candidate.members))
}

fn is_message(members: &Object<'_>) -> bool {
    let info = members.field("info").map(Node::object).unwrap_or_default();
    info.has("role") && info.has("id") && members.field("parts").is_some_and(Node::is_array)
}

/// The talk in an export: each stretch between compactions.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let mut messages: Vec<Message<'_>> = Vec::new();
    let mut stamps = Stamps::default();
    for (line, members) in aside.records(lines) {
        if is_message(&members) {
            messages.push(Message::of(line, &members));
            continue;
        }
        let info = members.field("info").map(Node::object).unwrap_or_default();
        stamps.note(0, info.string("directory"), None);
        let Some(list) = members.field("messages") else {
            aside.unknown("record", &line);
            continue;
        };
        for (line, members) in log::elements(&line, list) {
            if is_message(&members) {
                messages.push(Message::of(line, &members));
            } else {
                aside.unknown("message", &line);
            }
        }
    }
    let ids = messages.iter().enumerate().filter_map(|(at, message)| Some((message.id()?, at)));
    let places: BTreeMap<Cow<'_, str>, usize> = ids.collect();
    let mut told: BTreeSet<Cow<'_, str>> = BTreeSet::new();
    for message in &messages {
        let info = &message.info;
        if info.is_true("summary") && info.has("finish") && !info.has("error") {
            told.extend(info.string("parentID"));
        }
    }
    let (mut model, mut provider) = (None, None);
    let mut talk: Stretches<Turn<'_>> = Stretches::new(messages.len());
    for at in 0..messages.len() {
        let message = &messages[at];
        if message.role == Role::Assistant {
            let used = message.info.field("model").map(Node::object).unwrap_or_default();
            model = message.info.string("modelID").or_else(|| used.string("modelID")).or(model);
            provider = message
                .info
                .string("providerID")
                .or_else(|| used.string("providerID"))
                .or(provider);
        }
        let is_done = message.id().is_some_and(|id| told.contains(&id));
        if let Some(part) = message.compaction().filter(|_| is_done) {
            // The first message that stays.
            let kept = part.string("tail_start_id").and_then(|id| places.get(&id).copied());
            let kept = kept.filter(|&kept| kept < at).unwrap_or(at);
            let mut ignored = Aside::default();
            let turns = messages[kept..at].iter().flat_map(|message| message.turns(&mut ignored));
            // It was counted in a context that is gone.
            if !talk.compact(turns.map(|turn| Turn { usage: None, ..turn })) {
                let says =
                    String::from("Too much was carried over compactions; a part was left out.");
                aside.note("carried-over", Weight::Warning, &message.line, says);
            }
        }
        talk.open.extend(message.turns(&mut aside));
    }
    let wire = provider.as_deref().map_or(Format::Anthropic, wire_of);
    let mut logs = talk.logs(|label, turns| Log {
        model: model.clone().map(Cow::into_owned),
        ..Log::of_turns(label, wire, &turns)
    });
    for message in &messages {
        let path = message.info.field("path").map(Node::object).unwrap_or_default();
        stamps.note(message.line.number, path.string("cwd"), None);
    }
    for log in &mut logs {
        stamps.tell_in(log);
    }
    aside.told_in(logs)
}

struct Message<'a> {
    line: Line<'a>,
    role: Role,
    info: Object<'a>,
    parts: Vec<Object<'a>>,
}

impl<'a> Message<'a> {
    fn of(line: Line<'a>, members: &Object<'a>) -> Self {
        let info = members.field("info").map(Node::object).unwrap_or_default();
        let parts = members.field("parts").map(Node::array).unwrap_or_default();
        let user = info.string("role").as_deref() != Some("assistant");
        let role = if user { Role::User } else { Role::Assistant };
        Self { line, role, info, parts: parts.into_iter().map(Node::object).collect() }
    }

    fn id(&self) -> Option<Cow<'a, str>> {
        self.info.string("id")
    }

    /// The part by which it asks for a compaction.
    fn compaction(&self) -> Option<&Object<'a>> {
        let is_it = |part: &&Object<'a>| part.string("type").as_deref() == Some("compaction");
        self.parts.iter().filter(|_| self.role == Role::User).find(is_it)
    }

    /// The message as the model sees it.
    fn turns(&self, aside: &mut Aside<'a>) -> Vec<Turn<'a>> {
        if self.role == Role::User { self.prompt(aside) } else { self.steps(aside) }
    }

    fn prompt(&self, aside: &mut Aside<'a>) -> Vec<Turn<'a>> {
        let mut turn = Turn::new(Role::User, self.line.number);
        for part in &self.parts {
            let kind = part.string("type").unwrap_or_default();
            let mime = part.string("mime").unwrap_or_default();
            let piece = match &*kind {
                "text" if !part.is_true("ignored") => part.string("text").map(Piece::Text),
                // What a text file or a folder holds stands in a text part beside it.
                "file" if !matches!(&*mime, "text/plain" | "application/x-directory") => {
                    part.string("url").map(|url| media(url, mime))
                }
                "compaction" => Some(Piece::Text(ASKED.into())),
                "subtask" => {
                    Some(Piece::Text("The following tool was executed by the user".into()))
                }
                _ => {
                    aside.not_sent(&format!("part/{kind} of a prompt"), &self.line);
                    None
                }
            };
            turn.pieces.extend(piece);
        }
        if turn.pieces.is_empty() { Vec::new() } else { [turn].into() }
    }

    /// A response, step by step: what is said and called, then the results.
    fn steps(&self, aside: &mut Aside<'a>) -> Vec<Turn<'a>> {
        let is_empty = |part: &Object<'a>| {
            matches!(part.string("type").as_deref(), Some("step-start" | "reasoning"))
        };
        let error = self.info.field("error").map(Node::object).unwrap_or_default();
        if let Some(name) = error.string("name") {
            if name != "MessageAbortedError" || self.parts.iter().all(is_empty) {
                aside.not_sent(&format!("response that ended in {name}"), &self.line);
                return Vec::new();
            }
            aside.tell(
                "aborted-response",
                &self.line,
                "A response was aborted; what it holds is sent.",
            );
        }
        let mut turns: Vec<Turn<'a>> = Vec::new();
        let mut said = Turn::new(Role::Assistant, self.line.number);
        let mut results = Turn::new(Role::User, self.line.number);
        let mut counted = None;
        let mut whole = usage(&self.info);
        for part in &self.parts {
            let kind = part.string("type").unwrap_or_default();
            match &*kind {
                "text" => said.pieces.extend(part.string("text").map(Piece::Text)),
                "reasoning" => said.pieces.extend(
                    part.string("text")
                        .map(|text| Piece::Thinking { text, signature: signature(part) }),
                ),
                "tool" => self.tool(part, &mut said, &mut results, aside),
                "step-start" => {
                    end_step(&mut turns, &mut said, &mut results, counted.take());
                    aside.not_sent("part/step-start", &self.line);
                }
                "step-finish" => {
                    counted = usage(part).or(counted);
                    whole = whole.filter(|_| counted.is_none());
                    aside.not_sent("part/step-finish", &self.line);
                }
                _ => aside.not_sent(&format!("part/{kind} of a response"), &self.line),
            }
        }
        // The message repeats the tokens of its last step.
        let counted = counted.or(whole.filter(|_| turns.is_empty()));
        end_step(&mut turns, &mut said, &mut results, counted);
        turns
    }

    fn tool(
        &self,
        part: &Object<'a>,
        said: &mut Turn<'a>,
        results: &mut Turn<'a>,
        aside: &mut Aside<'a>,
    ) {
        let state = part.field("state").map(Node::object).unwrap_or_default();
        let id = part.string("callID").unwrap_or_default();
        let name = part.string("tool").unwrap_or_default();
        let arguments = arguments(&state, "input").into();
        said.pieces.push(Piece::Call { id: id.clone(), name: name.clone(), arguments });
        let time = state.field("time").map(Node::object).unwrap_or_default();
        let metadata = state.field("metadata").map(Node::object).unwrap_or_default();
        let interrupted = metadata.string("output").filter(|_| metadata.is_true("interrupted"));
        let cleared = time.has("compacted");
        let (text, error) = match (state.string("status").as_deref(), interrupted) {
            (Some("completed"), _) if cleared => {
                aside.tell(
                    "cleared-result",
                    &self.line,
                    "A result was cleared; the model is told so in its place.",
                );
                (Cow::Borrowed(CLEARED), false)
            }
            (Some("completed"), _) => (state.string("output").unwrap_or_default(), false),
            (Some("error"), Some(output)) => (output, false),
            (Some("error"), None) => (state.string("error").unwrap_or_default(), true),
            (status, _) => {
                let message = format!(
                    "The call {id:?} is {}: it has no result.",
                    status.unwrap_or("of no status")
                );
                aside.note("no-result", Weight::Note, &self.line, message);
                return;
            }
        };
        results.pieces.push(Piece::Result { id, name, text, error });
        let attachments = state.field("attachments").map(Node::array).unwrap_or_default();
        for file in attachments.into_iter().map(Node::object).filter(|_| !cleared) {
            let mime = file.string("mime").unwrap_or_default();
            results.pieces.extend(file.string("url").map(|url| media(url, mime)));
        }
    }
}

/// Closes a step, if it holds anything.
fn end_step<'a>(
    turns: &mut Vec<Turn<'a>>,
    said: &mut Turn<'a>,
    results: &mut Turn<'a>,
    usage: Option<(u32, u32)>,
) {
    if said.pieces.is_empty() {
        return;
    }
    let line = said.line;
    let said = core::mem::replace(said, Turn::new(Role::Assistant, line));
    turns.push(Turn { usage, ..said });
    if !results.pieces.is_empty() {
        turns.push(core::mem::replace(results, Turn::new(Role::User, line)));
    }
}

/// Anthropic's signature of a thought, as the AI SDK keeps it.
fn signature<'a>(part: &Object<'a>) -> Option<Cow<'a, str>> {
    let anthropic = part.field("metadata")?.object().field("anthropic")?.object();
    anthropic.string("signature")
}

/// Tokens before a response and of it: what was cached is counted apart.
fn usage(members: &Object<'_>) -> Option<(u32, u32)> {
    let tokens = members.field("tokens")?.object();
    let cache = tokens.field("cache").map(Node::object).unwrap_or_default();
    let input =
        log::tokens(&tokens, &["input"]).saturating_add(log::tokens(&cache, &["read", "write"]));
    (input > 0).then(|| (input, log::tokens(&tokens, &["output", "reasoning"])))
}
