//! Random transcripts: a format-neutral talk, shaped into each format, and written as JSON.

pub(crate) mod case;
pub(crate) mod logs;
pub(crate) mod naive;
pub(crate) mod policies;
pub(crate) mod told;
pub(crate) mod tool_state;
pub(crate) mod whole;

use pinfold::transcript::Format;
use proptest::prelude::*;
use serde_json::{Value, json};

/// How many cases a property test tries: as many as usual, or as `PROPTEST_CASES` says.
pub(crate) fn cases(usual: u32) -> u32 {
    let asked = std::env::var("PROPTEST_CASES").ok();
    asked.and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}

/// A way in which random talks are written: a format, and where it has several forms, one of them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Shape {
    Anthropic,
    Chat,
    Responses,
    ClaudeCode,
    AiSdk,
    AiSdkUi,
    Bedrock,
    Gemini,
    /// Without ids, which are optional there.
    GeminiNameless,
    /// What `dumpd` writes; the raw calls of OpenAI beside the parsed ones.
    LangChainDump,
    /// What `messages_to_dict` writes; the blocks of Anthropic beside the parsed calls.
    LangChainDict,
    LangChainPlain,
    OpenTelemetry,
    /// Without ids, which may be null there.
    OpenTelemetryNameless,
}

impl Shape {
    pub(crate) const ALL: [Self; 14] = [
        Self::Anthropic,
        Self::Chat,
        Self::Responses,
        Self::ClaudeCode,
        Self::AiSdk,
        Self::AiSdkUi,
        Self::Bedrock,
        Self::Gemini,
        Self::GeminiNameless,
        Self::LangChainDump,
        Self::LangChainDict,
        Self::LangChainPlain,
        Self::OpenTelemetry,
        Self::OpenTelemetryNameless,
    ];

    /// The shapes whose text is the list of entries: a log is rebuilt while it is read.
    pub(crate) fn lists() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|&shape| shape != Self::ClaudeCode)
    }

    pub(crate) fn format(self) -> Format {
        match self {
            Self::Anthropic => Format::Anthropic,
            Self::Chat => Format::OpenAiChat,
            Self::Responses => Format::OpenAiResponses,
            Self::ClaudeCode => Format::ClaudeCode,
            Self::AiSdk => Format::AiSdk,
            Self::AiSdkUi => Format::AiSdkUi,
            Self::Bedrock => Format::Bedrock,
            Self::Gemini | Self::GeminiNameless => Format::Gemini,
            Self::LangChainDump | Self::LangChainDict | Self::LangChainPlain => Format::LangChain,
            Self::OpenTelemetry | Self::OpenTelemetryNameless => Format::OpenTelemetry,
        }
    }

    /// Whether ids are left out.
    fn is_nameless(self) -> bool {
        matches!(self, Self::GeminiNameless | Self::OpenTelemetryNameless)
    }

    /// Whether the roles of entries must alternate.
    pub(crate) fn alternates(self) -> bool {
        matches!(self, Self::Bedrock | Self::Gemini | Self::GeminiNameless)
    }

    /// Whether the list may hold system entries anywhere.
    fn has_system(self) -> bool {
        !matches!(
            self,
            Self::Anthropic
                | Self::ClaudeCode
                | Self::Bedrock
                | Self::Gemini
                | Self::GeminiNameless
        )
    }

    /// The role of an entry that holds the results of a whole response; `None` where each has one of its own.
    fn role_of_results(self) -> Option<&'static str> {
        match self {
            Self::Anthropic
            | Self::ClaudeCode
            | Self::Bedrock
            | Self::Gemini
            | Self::GeminiNameless => Some("user"),
            Self::AiSdk | Self::OpenTelemetry | Self::OpenTelemetryNameless => Some("tool"),
            _ => None,
        }
    }
}

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

/// The entries of a talk in its shape, and how far the ids and words have got.
#[derive(Clone, Debug, Default)]
pub(crate) struct Talk {
    pub(crate) entries: Vec<Plain>,
    open: Vec<String>,
    last: Option<(String, String)>,
    ids: usize,
    words: usize,
}

impl Talk {
    pub(crate) fn of(moves: &[Move], shape: Shape) -> Self {
        let mut talk = Self::default();
        talk.go_on(moves, shape);
        talk
    }

    pub(crate) fn go_on(&mut self, moves: &[Move], shape: Shape) {
        for step in moves {
            self.step(step, shape);
        }
    }

    fn step(&mut self, step: &Move, shape: Shape) {
        match *step {
            Move::Prompt(words) => {
                let text = self.text(words);
                self.entry("user", vec![Piece::Text(text)]);
            }
            Move::Say(words) => {
                let text = self.text(words);
                self.entry("assistant", vec![Piece::Text(text)]);
            }
            Move::Call { thinks, says, calls } => self.calls(thinks, says, calls, shape),
            Move::Answer { words, skip, turn } => {
                let mut ids = core::mem::take(&mut self.open);
                let turn = turn % ids.len().max(1);
                ids.rotate_left(turn);
                ids.truncate(ids.len().saturating_sub(skip));
                let results = ids.into_iter().map(|id| (id, self.text(words))).collect();
                self.results(results, shape);
            }
            Move::System if shape.has_system() => {
                let text = self.text(5);
                self.entry("system", vec![Piece::Text(text)]);
            }
            Move::System => {}
            Move::Orphan => {
                let id = self.id();
                self.results(vec![(id, "lost".into())], shape);
            }
            Move::Again => {
                if let Some(last) = self.last.clone() {
                    self.results(vec![last], shape);
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

    fn calls(&mut self, thinks: bool, says: bool, calls: usize, shape: Shape) {
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
        if shape == Shape::Responses {
            for piece in pieces {
                self.entry("assistant", vec![piece]);
            }
        } else {
            self.entry("assistant", pieces);
        }
    }

    fn results(&mut self, results: Vec<(String, String)>, shape: Shape) {
        self.last = results.last().cloned().or(self.last.take());
        let pieces: Vec<Piece> =
            results.into_iter().map(|(id, text)| Piece::Result(id, text)).collect();
        if pieces.is_empty() {
            return;
        }
        if shape == Shape::AiSdkUi {
            for piece in pieces {
                self.put_home(piece);
            }
        } else if let Some(role) = shape.role_of_results() {
            self.entry(role, pieces);
        } else {
            for piece in pieces {
                self.entry("tool", vec![piece]);
            }
        }
    }

    /// Puts a result right behind its call, where both are one part; one without an open call has no place there.
    fn put_home(&mut self, result: Piece) {
        let Piece::Result(id, _) = &result else { unreachable!("only results have a home") };
        let is_call = |piece: &Piece| matches!(piece, Piece::Call(call) if call == id);
        for entry in self.entries.iter_mut().rev() {
            let open = (0..entry.pieces.len()).rev().find(|&at| {
                let next = entry.pieces.get(at + 1);
                is_call(&entry.pieces[at]) && !matches!(next, Some(Piece::Result(..)))
            });
            if let Some(call) = open {
                entry.pieces.insert(call + 1, result);
                return;
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

    /// The entries under the ids that a reader gives them: where there are none, a call is called by its round and number, and
    /// a result answers the oldest call of its name in the response before it, or the oldest one at all.
    pub(crate) fn named(&self, shape: Shape) -> Vec<Plain> {
        let mut entries = self.entries.clone();
        if !shape.is_nameless() {
            return entries;
        }
        let mut open: Vec<(&str, String)> = Vec::new();
        let (mut rounds, mut calls) = (0, 0);
        for at in 0..entries.len() {
            if entries[at].role == "assistant" && (at == 0 || entries[at - 1].role != "assistant") {
                open.clear();
                (rounds, calls) = (rounds + 1, 0);
            }
            for (part, piece) in entries[at].pieces.iter_mut().enumerate() {
                let place = format!("#?{at}.{part}");
                match piece {
                    Piece::Call(id) => {
                        let name = format!("#{}.{calls}", rounds - 1);
                        calls += 1;
                        open.push((tool(id), name.clone()));
                        *id = name;
                    }
                    Piece::Result(id, _) => {
                        let named = open.iter().position(|(name, _)| *name == tool(id));
                        let found = named.or((!open.is_empty()).then_some(0));
                        *id = found.map_or(place, |found| open.remove(found).1);
                    }
                    Piece::Text(_) | Piece::Thinking(_) => {}
                }
            }
        }
        entries
    }

    /// The talk as a provider wants it where roles must alternate: neighbours of one role are one entry, and between
    /// results and a prompt the model says something.
    pub(crate) fn alternating(mut self) -> Self {
        let carries = |entry: &Plain| matches!(entry.pieces[0], Piece::Result(..));
        let mut merged: Vec<Plain> = Vec::new();
        for entry in self.entries {
            match merged.last_mut() {
                Some(last) if last.role == entry.role && carries(last) == carries(&entry) => {
                    last.pieces.extend(entry.pieces);
                }
                Some(last) if last.role == entry.role => {
                    let words = vec![Piece::Text("So much for that.".into())];
                    merged.extend([Plain { role: "assistant", pieces: words }, entry]);
                }
                _ => merged.push(entry),
            }
        }
        self.entries = merged;
        self
    }

    /// The talk as text in `shape`.
    pub(crate) fn write(&self, shape: Shape) -> String {
        if shape == Shape::ClaudeCode { log(&self.entries) } else { list(self.texts(shape)) }
    }

    /// The text of each entry.
    pub(crate) fn texts(&self, shape: Shape) -> impl Iterator<Item = String> {
        self.entries.iter().map(move |entry| written(entry, shape).to_string())
    }
}

fn written(entry: &Plain, shape: Shape) -> Value {
    match shape {
        Shape::Anthropic | Shape::ClaudeCode => anthropic(entry),
        Shape::Chat => chat(entry),
        Shape::Responses => responses(entry),
        Shape::AiSdk => ai_sdk(entry),
        Shape::AiSdkUi => ai_sdk_ui(entry),
        Shape::Bedrock => bedrock(entry),
        Shape::Gemini | Shape::GeminiNameless => gemini(entry, shape.is_nameless()),
        Shape::LangChainDump | Shape::LangChainDict | Shape::LangChainPlain => {
            langchain(entry, shape)
        }
        Shape::OpenTelemetry | Shape::OpenTelemetryNameless => {
            opentelemetry(entry, shape.is_nameless())
        }
    }
}

/// The tool that a call calls: its id tells.
pub(crate) fn tool(id: &str) -> &'static str {
    if id.ends_with(['1', '4', '7']) { "look" } else { "run" }
}

fn arguments(id: &str) -> Value {
    json!({ "command": format!("step {id}") })
}

fn list(entries: impl Iterator<Item = String>) -> String {
    let entries: Vec<String> = entries.collect();
    format!("[{}]", entries.join(",\n "))
}

fn block(piece: &Piece) -> Value {
    match piece {
        Piece::Text(text) => json!({ "type": "text", "text": text }),
        Piece::Thinking(text) => {
            json!({ "type": "thinking", "thinking": text, "signature": "c2ln" })
        }
        Piece::Call(id) => {
            json!({ "type": "tool_use", "id": id, "name": tool(id), "input": arguments(id) })
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
                let function = json!({ "name": tool(id), "arguments": arguments(id).to_string() });
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
            "type": "function_call", "call_id": id, "name": tool(id),
            "arguments": arguments(id).to_string(),
        }),
        Piece::Result(id, text) => {
            json!({ "type": "function_call_output", "call_id": id, "output": text })
        }
    }
}

fn ai_sdk(entry: &Plain) -> Value {
    let part = |piece: &Piece| match piece {
        Piece::Text(text) => json!({ "type": "text", "text": text }),
        Piece::Thinking(text) => json!({ "type": "reasoning", "text": text }),
        Piece::Call(id) => {
            json!({ "type": "tool-call", "toolCallId": id, "toolName": tool(id), "input": arguments(id) })
        }
        Piece::Result(id, text) => json!({
            "type": "tool-result", "toolCallId": id, "toolName": tool(id),
            "output": { "type": "text", "value": text },
        }),
    };
    let content = match &entry.pieces[..] {
        [Piece::Text(text)] if entry.role != "assistant" => json!(text),
        pieces => pieces.iter().map(part).collect(),
    };
    json!({ "role": entry.role, "content": content })
}

fn ai_sdk_ui(entry: &Plain) -> Value {
    let mut parts: Vec<Value> = Vec::new();
    for piece in &entry.pieces {
        match piece {
            Piece::Text(text) => parts.push(json!({ "type": "text", "text": text })),
            Piece::Thinking(text) => parts.push(json!({ "type": "reasoning", "text": text })),
            Piece::Call(id) => parts.push(json!({
                "type": format!("tool-{}", tool(id)), "toolCallId": id, "state": "input-available",
                "input": arguments(id),
            })),
            Piece::Result(_, text) => {
                let part = parts.last_mut().expect("a result stands behind its call");
                part["state"] = json!("output-available");
                part["output"] = json!(text);
            }
        }
    }
    json!({ "id": "m", "role": entry.role, "parts": parts })
}

fn bedrock(entry: &Plain) -> Value {
    let block = |piece: &Piece| match piece {
        Piece::Text(text) => json!({ "text": text }),
        Piece::Thinking(text) => {
            json!({ "reasoningContent": { "reasoningText": { "text": text, "signature": "c2ln" } } })
        }
        Piece::Call(id) => {
            json!({ "toolUse": { "toolUseId": id, "name": tool(id), "input": arguments(id) } })
        }
        Piece::Result(id, text) => {
            json!({ "toolResult": { "toolUseId": id, "content": [{ "text": text }], "status": "success" } })
        }
    };
    json!({ "role": entry.role, "content": entry.pieces.iter().map(block).collect::<Vec<_>>() })
}

fn gemini(entry: &Plain, nameless: bool) -> Value {
    let with_id = |id: &str, mut body: Value| {
        if !nameless {
            body["id"] = json!(id);
        }
        body
    };
    let part = |piece: &Piece| match piece {
        Piece::Text(text) => json!({ "text": text }),
        Piece::Thinking(text) => json!({ "text": text, "thought": true }),
        Piece::Call(id) => json!({
            "functionCall": with_id(id, json!({ "name": tool(id), "args": arguments(id) })),
            "thoughtSignature": "c2ln",
        }),
        Piece::Result(id, text) => {
            let response = json!({ "name": tool(id), "response": { "output": text } });
            json!({ "functionResponse": with_id(id, response) })
        }
    };
    let role = if entry.role == "assistant" { "model" } else { entry.role };
    json!({ "role": role, "parts": entry.pieces.iter().map(part).collect::<Vec<_>>() })
}

fn langchain(entry: &Plain, shape: Shape) -> Value {
    let (kind, class, inner) = match (entry.role, &entry.pieces[..]) {
        ("tool", [Piece::Result(id, text)]) => (
            "tool",
            "ToolMessage",
            json!({ "content": text, "tool_call_id": id, "name": tool(id), "status": "success" }),
        ),
        ("assistant", pieces) => ("ai", "AIMessageChunk", langchain_answer(pieces, shape)),
        (role, [Piece::Text(text)]) => {
            let (kind, class) = match role {
                "user" => ("human", "HumanMessage"),
                _ => ("system", "SystemMessage"),
            };
            (kind, class, json!({ "content": text, "additional_kwargs": {} }))
        }
        _ => unreachable!("LangChain gives each result a message of its own"),
    };
    match shape {
        Shape::LangChainDump => json!({
            "lc": 1, "type": "constructor", "id": ["langchain_core", "messages", class], "kwargs": inner,
        }),
        Shape::LangChainDict => json!({ "type": kind, "data": inner }),
        _ => {
            let mut plain = inner;
            plain["type"] = json!(kind);
            plain
        }
    }
}

/// An answer, with its calls in the several places where LangChain keeps them.
fn langchain_answer(pieces: &[Piece], shape: Shape) -> Value {
    let mut blocks = Vec::new();
    let mut words = String::new();
    let (mut calls, mut raw) = (Vec::new(), Vec::new());
    let mut more = json!({});
    for piece in pieces {
        match piece {
            Piece::Text(text) => {
                words.clone_from(text);
                blocks.push(json!({ "type": "text", "text": text }));
            }
            Piece::Thinking(text) if shape == Shape::LangChainDump => {
                more["reasoning_content"] = json!(text);
            }
            Piece::Thinking(text) => blocks.push(json!({ "type": "reasoning", "reasoning": text })),
            Piece::Call(id) => {
                calls.push(json!({ "name": tool(id), "args": arguments(id), "id": id, "type": "tool_call" }));
                let function = json!({ "name": tool(id), "arguments": arguments(id).to_string() });
                raw.push(json!({ "id": id, "type": "function", "function": function }));
                if shape == Shape::LangChainDict {
                    blocks.push(block(piece));
                }
            }
            Piece::Result(..) => unreachable!("a result has a message of its own in LangChain"),
        }
    }
    if shape == Shape::LangChainDump && !raw.is_empty() {
        more["tool_calls"] = raw.into();
    }
    let content = if shape == Shape::LangChainDump { json!(words) } else { json!(blocks) };
    json!({ "content": content, "tool_calls": calls, "invalid_tool_calls": [], "additional_kwargs": more })
}

fn opentelemetry(entry: &Plain, nameless: bool) -> Value {
    let name = |id: &str| if nameless { Value::Null } else { json!(id) };
    let part = |piece: &Piece| match piece {
        Piece::Text(text) => json!({ "type": "text", "content": text }),
        Piece::Thinking(text) => json!({ "type": "reasoning", "content": text }),
        Piece::Call(id) => {
            json!({ "type": "tool_call", "id": name(id), "name": tool(id), "arguments": arguments(id) })
        }
        Piece::Result(id, text) => json!({
            "type": "tool_call_response", "id": name(id), "name": tool(id), "response": text,
        }),
    };
    json!({ "role": entry.role, "parts": entry.pieces.iter().map(part).collect::<Vec<_>>() })
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
