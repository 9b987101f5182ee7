//! Sessions of pi: a message a line, from its second version on in a tree.
//!
//! The newest response says by which API it was given; the messages are written for that one. An answer that failed or
//! was aborted stays in the file with its calls, which nothing answers. Compactions name the first entry they keep: by its
//! number at first, by its id since. Source: `docs/session.md` of pi-mono.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::lines::Line;
use super::log::{self, Aside, Candidate, Log};
use super::recorded::Stamps;
use super::stretches::{Stretches, arguments, image, joined, wire_of, words};
use super::turn::{Piece, Turn};
use crate::json::{Node, Object};
use crate::transcript::{Format, Role, Weight};

/// The entries that are no message and no compaction, but known.
const UNSENT: [&str; 9] = [
    "custom",
    "ephemeral",
    "label",
    "leaf",
    "mode_change",
    "model_change",
    "session",
    "session_info",
    "thinking_level_change",
];

/// Whether an object is a record of it.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    let members = candidate.members;
    match members.string("type").as_deref() {
        Some("session") => ["id", "cwd"].iter().all(|key| members.has(key)),
        Some("message") => {
            members.has("timestamp")
                && members.field("message").is_some_and(|message| message.object().has("role"))
        }
        Some("model_change") => members.has("modelId"),
        Some("thinking_level_change") => members.has("thinkingLevel"),
        Some("compaction") => members.has("summary") && members.has("tokensBefore"),
        _ => false,
    }
}

/// The talk in its lines: each stretch between compactions.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let records = aside.records(lines);
    let path = path(&records, &mut aside);
    let ids = path.iter().filter_map(|&at| Some((records[at].1.string("id")?, at)));
    let ids: BTreeMap<Cow<'_, str>, usize> = ids.collect();
    let mut speaker = Speaker::default();
    let mut talk: Stretches<Turn<'_>> = Stretches::new(records.len());
    for (step, &at) in path.iter().enumerate() {
        let (line, members) = &records[at];
        let kind = members.string("type").unwrap_or_default();
        if kind == "compaction" {
            let first = if let Some(id) = members.string("firstKeptEntryId") {
                ids.get(&id).copied()
            } else {
                let index = members.field("firstKeptEntryIndex").and_then(Node::integer);
                index.and_then(|index| usize::try_from(index).ok())
            };
            let place = first.and_then(|first| path.binary_search(&first).ok());
            let kept = place.filter(|&place| place < step).unwrap_or(step);
            let mut unheard = Speaker::default();
            let mut ignored = Aside::default();
            let turns = path[kept..step].iter().filter_map(|&at| {
                // It was counted in a context that is gone.
                let turn = turn(&records[at], &mut unheard, &mut ignored)?;
                Some(Turn { usage: None, ..turn })
            });
            let summary = said(Role::User, line.number, members.string("summary")).unsaid();
            if !talk.compact([summary].into_iter().chain(turns)) {
                let says =
                    String::from("Too much was carried over compactions; a part was left out.");
                aside.note("carried-over", Weight::Warning, line, says);
            }
        } else if let Some(turn) = turn(&records[at], &mut speaker, &mut aside) {
            talk.open.push(turn);
        } else if UNSENT.contains(&&*kind) {
            aside.not_sent(&kind, line);
        } else if !matches!(&*kind, "message" | "custom_message" | "branch_summary") {
            aside.unknown(&kind, line);
        }
    }
    let wire = speaker.wire();
    let mut logs = talk.logs(|label, turns| speaker.log(label, wire, turns));
    let mut stamps = Stamps::default();
    for (line, members) in &records {
        if members.string("type").as_deref() == Some("session") {
            stamps.note(line.number, members.string("cwd"), None);
        }
    }
    for log in &mut logs {
        stamps.tell_in(log);
    }
    aside.told_in(logs)
}

/// The entries that lead to the last one; all of them where they name no parent.
fn path<'a>(records: &[(Line<'a>, Object<'a>)], aside: &mut Aside<'a>) -> Vec<usize> {
    let mut places: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
    let mut parents = Vec::new();
    let mut leaf = None;
    for (at, (_, members)) in records.iter().enumerate() {
        // A parent stands before its child, so no circle can be.
        let parent = members.string("parentId").and_then(|id| places.get(&id).copied());
        parents.push(parent);
        if members.field("parentId").is_some()
            && let Some(id) = members.string("id")
        {
            places.insert(id, at);
            leaf = Some(at);
        }
    }
    let Some(leaf) = leaf else { return (0..records.len()).collect() };
    let mut path: Vec<usize> = core::iter::successors(Some(leaf), |&at| parents[at]).collect();
    path.reverse();
    let mut on_path = path.iter().copied().peekable();
    for (at, (line, members)) in records.iter().enumerate() {
        if on_path.next_if_eq(&at).is_none() {
            let kind = members.string("type").unwrap_or_default();
            let place = if kind == "session" { "" } else { " on another branch" };
            aside.not_sent(&format!("{kind}{place}"), line);
        }
    }
    path
}

/// What a message or another entry that is sent says; `None` if it is neither, or says nothing.
fn turn<'a>(
    (line, members): &(Line<'a>, Object<'a>),
    speaker: &mut Speaker<'a>,
    aside: &mut Aside<'a>,
) -> Option<Turn<'a>> {
    match members.string("type").as_deref() {
        Some("message") => {
            let message = members.field("message").map(Node::object).unwrap_or_default();
            speaker.turn(&message, line, aside)
        }
        Some("custom_message") => {
            let mut turn = Turn::new(Role::User, line.number);
            blocks(&mut turn, members.field("content"), line, aside);
            Some(turn)
        }
        Some("branch_summary") => {
            Some(said(Role::User, line.number, members.string("summary")).unsaid())
        }
        _ => None,
    }
}

fn said(role: Role, line: u32, text: Option<Cow<'_, str>>) -> Turn<'_> {
    let mut turn = Turn::new(role, line);
    turn.pieces.extend(text.map(Piece::Text));
    turn
}

/// Who answers, by what the newest response says of itself.
#[derive(Default)]
pub(super) struct Speaker<'a> {
    api: Option<Cow<'a, str>>,
    model: Option<Cow<'a, str>>,
}

impl<'a> Speaker<'a> {
    pub(super) fn wire(&self) -> Format {
        self.api.as_deref().map_or(Format::Anthropic, wire_of)
    }

    pub(super) fn log(&self, label: String, wire: Format, turns: Vec<Turn<'a>>) -> Log {
        let mut turns = joined(turns);
        if wire == Format::OpenAiResponses {
            // The id of the item stands behind that of the call.
            for piece in turns.iter_mut().flat_map(|turn| &mut turn.pieces) {
                if let Piece::Call { id, .. } | Piece::Result { id, .. } = piece
                    && let Some((call, _)) = id.split_once('|')
                {
                    *id = String::from(call).into();
                }
            }
        }
        let model = self.model.clone().map(Cow::into_owned);
        Log { model, ..Log::of_turns(label, wire, &turns) }
    }

    /// A message as a turn; `None` if it is not sent.
    pub(super) fn turn(
        &mut self,
        message: &Object<'a>,
        line: &Line<'a>,
        aside: &mut Aside<'a>,
    ) -> Option<Turn<'a>> {
        let role = message.string("role").unwrap_or_default();
        let content = message.field("content");
        let mut turn = Turn::new(Role::User, line.number);
        match &*role {
            "user" | "custom" | "hookMessage" => blocks(&mut turn, content, line, aside),
            "compactionSummary" | "branchSummary" => {
                turn.pieces.extend(message.string("summary").map(Piece::Text));
                turn.unsaid = true;
            }
            "bashExecution" if message.is_true("excludeFromContext") => {
                aside.not_sent("message/bashExecution", line);
                return None;
            }
            "bashExecution" => {
                let word = |key: &str| message.string(key).unwrap_or_default();
                let text = format!("Ran `{}`\n```\n{}\n```", word("command"), word("output"));
                turn.pieces.push(Piece::Text(text.into()));
                turn.unsaid = true;
            }
            "toolResult" => {
                turn.pieces.push(Piece::Result {
                    id: message.string("toolCallId").unwrap_or_default(),
                    name: message.string("toolName").unwrap_or_default(),
                    text: words(content),
                    error: message.is_true("isError"),
                });
                let images = content.map(Node::array).unwrap_or_default();
                turn.pieces.extend(images.into_iter().filter_map(|block| picture(&block.object())));
            }
            "assistant" => return self.response(message, line, aside),
            _ => {
                aside.unknown(&format!("message/{role}"), line);
                return None;
            }
        }
        Some(turn)
    }

    fn response(
        &mut self,
        message: &Object<'a>,
        line: &Line<'a>,
        aside: &mut Aside<'a>,
    ) -> Option<Turn<'a>> {
        let mut turn = Turn::new(Role::Assistant, line.number);
        blocks(&mut turn, message.field("content"), line, aside);
        let failed = matches!(message.string("stopReason").as_deref(), Some("error" | "aborted"));
        if turn.pieces.is_empty() {
            let kind = if failed { ", failed or aborted" } else { "" };
            aside.not_sent(&format!("message/assistant without content{kind}"), line);
            return None;
        }
        if failed {
            let says = "A response failed or was aborted; pi leaves such out when it sends, here it stands with its calls.";
            aside.tell("aborted-response", line, says);
        }
        self.api = message.string("api").or_else(|| message.string("provider")).or(self.api.take());
        self.model = message.string("model").or(self.model.take());
        let usage = message.field("usage").map(Node::object).unwrap_or_default();
        let input = log::tokens(&usage, &["input", "cacheRead", "cacheWrite"]);
        turn.usage = (input > 0).then(|| (input, log::tokens(&usage, &["output"])));
        Some(turn)
    }
}

/// Adds what stands in the content of a message.
fn blocks<'a>(
    turn: &mut Turn<'a>,
    content: Option<Node<'a>>,
    line: &Line<'a>,
    aside: &mut Aside<'a>,
) {
    turn.pieces.extend(content.and_then(Node::string).map(Piece::Text));
    for block in content.map(Node::array).unwrap_or_default() {
        let block = block.object();
        let kind = block.string("type").unwrap_or_default();
        let piece = match &*kind {
            "text" => block.string("text").map(Piece::Text),
            "thinking" => block
                .string("thinking")
                .map(|text| Piece::Thinking { text, signature: block.string("thinkingSignature") }),
            "toolCall" => Some(Piece::Call {
                id: block.string("id").unwrap_or_default(),
                name: block.string("name").unwrap_or_default(),
                arguments: arguments(&block, "arguments").into(),
            }),
            "image" => picture(&block),
            _ => {
                aside.unknown(&format!("block/{kind}"), line);
                None
            }
        };
        turn.pieces.extend(piece);
    }
}

fn picture<'a>(block: &Object<'a>) -> Option<Piece<'a>> {
    Some(image(block.string("data")?, block.string("mimeType").unwrap_or_default()))
}
