//! Random transcripts: a format-neutral talk, shaped into each format, and written as JSON.

#![allow(dead_code, reason = "each test binary uses its own part of this module")]

pub(crate) mod case;

use pinfold::transcript::Format;
use proptest::prelude::*;
use serde_json::{Value, json};

/// The formats in which random talks are written.
pub(crate) const FORMATS: [Format; 4] =
    [Format::Anthropic, Format::OpenAiChat, Format::OpenAiResponses, Format::ClaudeCode];

/// One thing that happens in a talk.
#[derive(Clone, Debug)]
pub(crate) enum Move {
    /// The user asks something of that many words.
    Prompt(usize),
    /// The model says something of that many words.
    Say(usize),
    /// The model thinks, and calls that many tools.
    Call { thinks: bool, says: bool, calls: usize },
    /// The results of the open calls come in, each of that many words; `skip` of them are lost, `turn`
    /// rotates their order.
    Answer { words: usize, skip: usize, turn: usize },
    /// A system entry in the middle, where the format has such.
    System,
    /// A result for a call that never was.
    Orphan,
    /// The newest result once more.
    Again,
    /// A call whose id was used before.
    Reuse,
}

/// Talks that a provider accepts: every call is answered at once and in place.
pub(crate) fn clean_talk() -> impl Strategy<Value = Vec<Move>> {
    let round = (any::<bool>(), any::<bool>(), 1..4_usize, 1..120_usize, 0..3_usize);
    let step = prop_oneof![
        2 => (1..60_usize).prop_map(|words| vec![Move::Prompt(words)]),
        2 => (1..60_usize).prop_map(|words| vec![Move::Say(words)]),
        6 => round.prop_map(|(thinks, says, calls, words, turn)| vec![
            Move::Call { thinks, says, calls },
            Move::Answer { words, skip: 0, turn },
        ]),
    ];
    let open_end = prop_oneof![
        3 => Just(None),
        1 => (1..3_usize).prop_map(|calls| Some(Move::Call { thinks: false, says: true, calls })),
    ];
    (1..80_usize, prop::collection::vec(step, 0..24), open_end).prop_map(|(first, steps, end)| {
        let mut talk = vec![Move::Prompt(first)];
        talk.extend(steps.into_iter().flatten());
        talk.extend(end);
        talk
    })
}

/// Talks with every fault that the bug reports know.
pub(crate) fn messy_talk() -> impl Strategy<Value = Vec<Move>> {
    let step = prop_oneof![
        3 => (1..30_usize).prop_map(Move::Prompt),
        2 => (1..30_usize).prop_map(Move::Say),
        5 => (any::<bool>(), any::<bool>(), 1..4_usize)
            .prop_map(|(thinks, says, calls)| Move::Call { thinks, says, calls }),
        6 => (1..60_usize, 0..3_usize, 0..3_usize)
            .prop_map(|(words, skip, turn)| Move::Answer { words, skip, turn }),
        1 => Just(Move::System),
        1 => Just(Move::Orphan),
        1 => Just(Move::Again),
        1 => Just(Move::Reuse),
    ];
    prop::collection::vec(step, 0..30)
}

/// A part of an entry, as the naive reference sees it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    Text(String),
    Thinking(String),
    Call(String),
    Result(String, String),
}

/// An entry, as the naive reference sees it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plain {
    pub(crate) role: &'static str,
    pub(crate) pieces: Vec<Piece>,
}

/// The entries of a talk in `format`, and how far the ids and words have got.
#[derive(Clone, Debug, Default)]
pub(crate) struct Talk {
    pub(crate) entries: Vec<Plain>,
    open: Vec<String>,
    last: Option<(String, String)>,
    ids: usize,
    words: usize,
}

impl Talk {
    pub(crate) fn of(moves: &[Move], format: Format) -> Self {
        let mut talk = Self::default();
        talk.go_on(moves, format);
        talk
    }

    pub(crate) fn go_on(&mut self, moves: &[Move], format: Format) {
        for step in moves {
            self.step(step, format);
        }
    }

    fn step(&mut self, step: &Move, format: Format) {
        match *step {
            Move::Prompt(words) => {
                let text = self.text(words);
                self.entry("user", vec![Piece::Text(text)]);
            }
            Move::Say(words) => {
                let text = self.text(words);
                self.entry("assistant", vec![Piece::Text(text)]);
            }
            Move::Call { thinks, says, calls } => self.calls(thinks, says, calls, format),
            Move::Answer { words, skip, turn } => {
                let mut ids = core::mem::take(&mut self.open);
                let turn = turn % ids.len().max(1);
                ids.rotate_left(turn);
                ids.truncate(ids.len().saturating_sub(skip));
                let results = ids.into_iter().map(|id| (id, self.text(words))).collect();
                self.results(results, format);
            }
            Move::System if has_system(format) => {
                let text = self.text(5);
                self.entry("system", vec![Piece::Text(text)]);
            }
            Move::System => {}
            Move::Orphan => {
                let id = self.id();
                self.results(vec![(id, "lost".into())], format);
            }
            Move::Again => {
                if let Some(last) = self.last.clone() {
                    self.results(vec![last], format);
                }
            }
            Move::Reuse => {
                if self.ids > 0 {
                    self.open = vec![format!("call_{}", self.ids / 2)];
                    let call = Piece::Call(self.open[0].clone());
                    self.entry("assistant", vec![call]);
                }
            }
        }
    }

    fn calls(&mut self, thinks: bool, says: bool, calls: usize, format: Format) {
        let mut pieces = Vec::new();
        if thinks {
            pieces.push(Piece::Thinking(self.text(8)));
        }
        if says {
            pieces.push(Piece::Text(self.text(8)));
        }
        let ids: Vec<String> = (0..calls).map(|_| self.id()).collect();
        pieces.extend(ids.iter().cloned().map(Piece::Call));
        self.open.extend(ids);
        if format == Format::OpenAiResponses {
            for piece in pieces {
                self.entry("assistant", vec![piece]);
            }
        } else {
            self.entry("assistant", pieces);
        }
    }

    fn results(&mut self, results: Vec<(String, String)>, format: Format) {
        self.last = results.last().cloned().or(self.last.take());
        let pieces: Vec<Piece> =
            results.into_iter().map(|(id, text)| Piece::Result(id, text)).collect();
        if pieces.is_empty() {
            return;
        }
        if matches!(format, Format::Anthropic | Format::ClaudeCode) {
            self.entry("user", pieces);
        } else {
            for piece in pieces {
                self.entry("tool", vec![piece]);
            }
        }
    }

    fn entry(&mut self, role: &'static str, pieces: Vec<Piece>) {
        self.entries.push(Plain { role, pieces });
    }

    fn id(&mut self) -> String {
        self.ids += 1;
        format!("call_{}", self.ids)
    }

    fn text(&mut self, words: usize) -> String {
        self.words += 1;
        let seed = self.words;
        let word = |at: usize| {
            [
                "src/lib.rs",
                "the",
                "test",
                "finds",
                "4711",
                "数据",
                "never",
                "\"quoted\"",
                "\\",
                "\n",
            ][at % 10]
        };
        let words: Vec<&str> = (0..words).map(|at| word(at * 7 + seed * 3 + at / 3)).collect();
        format!("#{seed} {}", words.join(" "))
    }

    /// The talk as text in `format`.
    pub(crate) fn write(&self, format: Format) -> String {
        match format {
            Format::Anthropic => list(self.entries.iter().map(anthropic)),
            Format::OpenAiChat => list(self.entries.iter().map(chat)),
            Format::OpenAiResponses => list(self.entries.iter().map(responses)),
            Format::ClaudeCode => log(&self.entries),
            other => panic!("no random talks are written in {}", other.name()),
        }
    }
}

fn has_system(format: Format) -> bool {
    matches!(format, Format::OpenAiChat | Format::OpenAiResponses)
}

fn list(entries: impl Iterator<Item = Value>) -> String {
    let entries: Vec<String> = entries.map(|entry| entry.to_string()).collect();
    format!("[{}]", entries.join(",\n "))
}

fn block(piece: &Piece) -> Value {
    match piece {
        Piece::Text(text) => json!({ "type": "text", "text": text }),
        Piece::Thinking(text) => {
            json!({ "type": "thinking", "thinking": text, "signature": "c2ln" })
        }
        Piece::Call(id) => {
            json!({ "type": "tool_use", "id": id, "name": "run", "input": { "command": format!("step {id}") } })
        }
        Piece::Result(id, text) => {
            json!({ "type": "tool_result", "tool_use_id": id, "content": text })
        }
    }
}

pub(crate) fn anthropic(entry: &Plain) -> Value {
    let content = match &entry.pieces[..] {
        [Piece::Text(text)] if entry.role == "user" => json!(text),
        pieces => pieces.iter().map(block).collect(),
    };
    json!({ "role": entry.role, "content": content })
}

fn chat(entry: &Plain) -> Value {
    if let [Piece::Result(id, text)] = &entry.pieces[..] {
        return json!({ "role": "tool", "tool_call_id": id, "content": text });
    }
    let mut message = json!({ "role": entry.role, "content": null });
    let mut calls = Vec::new();
    for piece in &entry.pieces {
        match piece {
            Piece::Text(text) => message["content"] = json!(text),
            Piece::Thinking(text) => message["reasoning_content"] = json!(text),
            Piece::Call(id) => {
                let arguments = json!({ "command": format!("step {id}") }).to_string();
                let function = json!({ "name": "run", "arguments": arguments });
                calls.push(json!({ "id": id, "type": "function", "function": function }));
            }
            Piece::Result(..) => unreachable!("a result has an entry of its own in Chat"),
        }
    }
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    message
}

fn responses(entry: &Plain) -> Value {
    match &entry.pieces[0] {
        Piece::Text(text) => json!({ "type": "message", "role": entry.role, "content": text }),
        Piece::Thinking(text) => {
            json!({ "type": "reasoning", "summary": [{ "type": "summary_text", "text": text }] })
        }
        Piece::Call(id) => json!({
            "type": "function_call", "call_id": id, "name": "run",
            "arguments": json!({ "command": format!("step {id}") }).to_string(),
        }),
        Piece::Result(id, text) => {
            json!({ "type": "function_call_output", "call_id": id, "output": text })
        }
    }
}

/// A session log: one block of a response a line, noise between, usage on every line.
fn log(entries: &[Plain]) -> String {
    let mut lines = vec![json!({ "type": "file-history-snapshot", "messageId": "x" }).to_string()];
    let mut record = |kind: &str, message: Value| {
        let uuid = format!("u{}", lines.len());
        let line = json!({
            "type": kind, "uuid": uuid, "parentUuid": null, "sessionId": "s", "isSidechain": false, "message": message,
        });
        lines.push(line.to_string());
        if lines.len() % 3 == 0 {
            lines.push(
                json!({ "type": "progress", "uuid": format!("p{}", lines.len()) }).to_string(),
            );
        }
    };
    for (index, entry) in entries.iter().enumerate() {
        if entry.role == "user" {
            record("user", anthropic(entry));
            continue;
        }
        for piece in &entry.pieces {
            record(
                "assistant",
                json!({ "id": format!("msg_{index}"), "role": "assistant", "content": [block(piece)] }),
            );
        }
    }
    lines.join("\n")
}
