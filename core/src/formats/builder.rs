//! Collects entries, parts and ids while a format is read.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::document::List;
use super::known::Known;
use super::waiting::Waiting;
use crate::ids::Ids;
use crate::json::Node;
use crate::provider::{Family, Provider};
use crate::spare;
use crate::transcript::{
    Compaction, Entry, Finding, Fixed, Format, Id, Name, Part, PartKind, Request, Role, Span, Tail,
    Transcript, Weight,
};

/// Findings of one code that are listed one by one; the rest is counted.
pub(super) const LISTED: usize = 50;

/// A transcript in the making.
pub(super) struct Builder<'a> {
    text: &'a str,
    entries: Vec<Entry>,
    parts: Vec<Part>,
    ids: Ids,
    known: Known,
    /// Calls that a result without an id may answer.
    waiting: Waiting,
    /// The calls of the entry that is open.
    called: BTreeSet<Id>,
    findings: Vec<Finding>,
    compaction: Option<Compaction>,
    /// What the parts that come next are the whole of.
    whole: Span,
    /// Responses so far, and the calls of the newest one.
    rounds: usize,
    calls: usize,
}

impl<'a> Builder<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            entries: Vec::new(),
            parts: Vec::new(),
            ids: Ids::default(),
            known: Known::default(),
            waiting: Waiting::default(),
            called: BTreeSet::new(),
            findings: Vec::new(),
            compaction: None,
            whole: Span::default(),
            rounds: 0,
            calls: 0,
        }
    }

    /// Opens the entry that `node` is; the parts that follow belong to it.
    pub(super) fn open(&mut self, node: Node<'a>, role: Role) {
        let first_part = self.parts.len() as u32;
        let span = node.span_in(self.text);
        let goes_on = self.entries.last().is_some_and(|last| last.role == Role::Assistant);
        if role == Role::Assistant && !goes_on {
            self.rounds += 1;
            self.calls = 0;
        }
        self.entries.push(Entry { span, role, unsaid: false, first_part });
        self.whole = span;
        self.called.clear();
    }

    /// Opens an entry of a format whose ids may be missing. A new response forgets the calls before it that were not
    /// answered: without an id, a result belongs to the turn right before it.
    pub(super) fn open_turn(&mut self, node: Node<'a>, role: Role) {
        let goes_on = self.entries.last().is_some_and(|entry| entry.role == Role::Assistant);
        if role == Role::Assistant && !goes_on {
            self.waiting.clear();
        }
        self.open(node, role);
    }

    /// Opens an entry of a role that its format, called `title`, does not know; it is carried unread.
    pub(super) fn unknown_role(&mut self, node: Node<'a>, role: &str, title: &str) {
        self.open(node, Role::User);
        let message =
            alloc::format!("An entry has the role {role:?}, which {title} does not know.");
        self.here("unknown-role", &message);
        self.part(PartKind::Opaque, Some(node));
    }

    /// Says that the parts that follow stand in `node`: a block, an element of a list of calls, a plain text.
    pub(super) fn within(&mut self, node: Node<'a>) {
        self.whole = node.span_in(self.text);
    }

    /// Adds a part to the entry that is open.
    pub(super) fn part(&mut self, kind: PartKind, body: Option<Node<'a>>) {
        let body = body.map_or(Span::default(), |node| node.span_in(self.text));
        spare::push(&mut self.parts, Part { kind, body, whole: self.whole });
    }

    /// Notes that the entry that is open holds the provider's own compaction, with its summary where that can be read.
    pub(super) fn compaction(&mut self, summary: Option<String>) {
        let entry = self.entries.len().saturating_sub(1) as u32;
        self.compaction = Some(Compaction { entry, summary });
    }

    /// Notes that the entry that is open says what a model or a tool wrote, though it has the role of the user.
    pub(super) fn unsaid(&mut self) {
        if let Some(entry) = self.entries.last_mut() {
            entry.unsaid = true;
        }
    }

    /// The id of that name.
    pub(super) fn id(&mut self, name: &str) -> Id {
        self.named(name, name)
    }

    /// The id of the approval of that name, which is not the call of that name: some clients name both alike.
    pub(super) fn approval(&mut self, name: &str) -> Id {
        self.named(&alloc::format!("\0approval {name}"), name)
    }

    fn named(&mut self, key: &str, name: &str) -> Id {
        let (hash, known) = self.known.find(&self.ids, key, name);
        known.unwrap_or_else(|| {
            let id = self.ids.add(name);
            self.known.insert(hash, id);
            id
        })
    }

    /// The id of a call that has none: it is called by its round and its number in it, `#round.call`, both counted from 0,
    /// and pairs by `kind` and order.
    pub(super) fn nameless_call(&mut self, kind: &str) -> Id {
        let round = self.rounds.saturating_sub(1);
        let mut name = alloc::format!("#{round}.{}", self.calls);
        while self.known.find(&self.ids, &name, &name).1.is_some() {
            self.calls += 1;
            name = alloc::format!("#{round}.{}", self.calls);
        }
        let id = self.id(&name);
        self.waiting.add(id, kind.to_string(), false);
        id
    }

    /// The id that a result without one answers: the oldest waiting call of that kind, else its own place.
    pub(super) fn nameless_result(&mut self, kind: &str) -> Id {
        self.waiting.take(kind).unwrap_or_else(|| self.place())
    }

    fn place(&mut self) -> Id {
        let entry = self.entries.len().saturating_sub(1);
        let part =
            self.parts.len() - self.entries.last().map_or(0, |open| open.first_part as usize);
        self.id(&alloc::format!("#?{entry}.{part}"))
    }

    /// Adds a call; one without an id is named by its place.
    pub(super) fn call(
        &mut self,
        id: Option<&str>,
        name: Option<Node<'a>>,
        body: Option<Node<'a>>,
        server: bool,
    ) {
        let id = if let Some(id) = id.filter(|id| !id.is_empty()) {
            self.id(id)
        } else {
            self.here(
                "missing-id",
                "A call has no id; it is named by its place and pairs by name and order.",
            );
            let kind = name.and_then(Node::string).unwrap_or_default().into_owned();
            self.nameless_call(&kind)
        };
        self.call_of(id, name, body, server);
    }

    /// Adds a call of a format whose ids may be missing on either side of a pair.
    pub(super) fn call_in_turn(
        &mut self,
        id: Option<&str>,
        name: Option<Node<'a>>,
        body: Option<Node<'a>>,
    ) {
        if let Some(id) = id.filter(|id| !id.is_empty()) {
            let id = self.id(id);
            let kind = name.and_then(Node::string).unwrap_or_default().into_owned();
            self.waiting.add(id, kind, true);
            self.call_of(id, name, body, false);
        } else {
            self.call(None, name, body, false);
        }
    }

    /// Adds a result of a format whose ids may be missing: without one it answers the oldest waiting call of its name
    /// in its turn, and where the names do not agree either, the oldest one without an id.
    pub(super) fn result_in_turn(
        &mut self,
        id: Option<&str>,
        name: &str,
        body: Option<Node<'a>>,
        error: bool,
    ) {
        let id = if let Some(id) = id.filter(|id| !id.is_empty()) {
            let id = self.id(id);
            self.waiting.answered(id);
            id
        } else {
            self.here(
                "missing-id",
                "A result has no id; it answers the oldest call of its name in the turn before it.",
            );
            let waiting = self.waiting.take(name).or_else(|| self.waiting.take_nameless());
            waiting.unwrap_or_else(|| self.place())
        };
        self.part(PartKind::Result { id, error, server: false }, body);
    }

    /// Adds the call of an id that is known.
    pub(super) fn call_of(
        &mut self,
        id: Id,
        name: Option<Node<'a>>,
        body: Option<Node<'a>>,
        server: bool,
    ) {
        let name = name.map_or(Name::default(), |node| Name(node.span_in(self.text).start));
        self.called.insert(id);
        self.calls += 1;
        self.part(PartKind::Call { id, name, server }, body);
    }

    /// Adds the result of an id that is known.
    pub(super) fn result_of(&mut self, id: Id, body: Option<Node<'a>>, server: bool) {
        self.part(PartKind::Result { id, error: false, server }, body);
    }

    /// Adds a result; one without an id answers the oldest nameless call of `kind`.
    pub(super) fn result(
        &mut self,
        id: Option<&str>,
        kind: &str,
        body: Option<Node<'a>>,
        error: bool,
        server: bool,
    ) {
        let id = if let Some(id) = id.filter(|id| !id.is_empty()) {
            self.id(id)
        } else {
            self.here(
                "missing-id",
                "A result has no id; it answers the oldest nameless call of its name.",
            );
            self.nameless_result(kind)
        };
        self.part(PartKind::Result { id, error, server }, body);
    }

    /// Notes a finding about the entry that is open.
    pub(super) fn here(&mut self, code: &'static str, message: &str) {
        let offset = self.entries.last().map_or(0, |entry| entry.span.start as usize);
        self.finding(code, Weight::Warning, offset, message.to_string());
    }

    /// Notes a finding about the value `node`.
    pub(super) fn at(&mut self, node: Node<'a>, code: &'static str, message: String) {
        let offset = node.span_in(self.text).start as usize;
        self.finding(code, Weight::Warning, offset, message);
    }

    fn finding(&mut self, code: &'static str, weight: Weight, offset: usize, message: String) {
        self.findings.push(Finding { code, weight, offset: offset as u32, line: 0, message });
    }

    /// Carries a block or part that is not known.
    pub(super) fn unknown_block(&mut self, node: Node<'a>, kind: &str) {
        let message = alloc::format!("A block of type {kind:?} is carried unread.");
        self.at(node, "unknown-block", message);
        self.part(PartKind::Opaque, Some(node));
    }

    /// Whether the entry that is open has a call of that id already.
    pub(super) fn called(&self, id: &str) -> bool {
        self.known.find(&self.ids, id, id).1.is_some_and(|known| self.called.contains(&known))
    }

    /// The transcript, whose entries are written in `wire`.
    pub(super) fn finish(mut self, format: Format, wire: Format, list: &List<'a>) -> Transcript {
        if let Some(at) = list.broken {
            let message = alloc::format!(
                "The text stops being JSON at byte {at}; the {} entries before it were read.",
                self.entries.len()
            );
            self.finding("broken-json", Weight::Warning, at, message);
        }
        Transcript {
            text: self.text.to_string(),
            format,
            wire,
            provider: Provider::of_wire(wire)[0],
            request: request(self.text, list),
            findings: number_lines(self.text, self.findings),
            entries: self.entries,
            parts: self.parts,
            ids: self.ids,
            usage: Vec::new(),
            lines: Vec::new(),
            recorded: Vec::new(),
            compaction: self.compaction,
            frozen: 0,
            tail: match (list.broken, list.whole) {
                (None, _) => Tail::Kept,
                (Some(_), false) => Tail::Mended("]"),
                (Some(_), true) => Tail::Mended("]}"),
            },
        }
    }
}

/// What is remembered of a text that was read, so that reading can go on behind it.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    known: Known,
    waiting: Waiting,
    rounds: usize,
    calls: usize,
}

impl<'a> Builder<'a> {
    /// Goes on in `text` behind what `transcript` holds, which gets it back from [`Builder::suspend`].
    pub(super) fn resume(text: &'a str, transcript: &mut Held<'_>, memory: &mut Memory) -> Self {
        let Memory { known, waiting, rounds, calls } = core::mem::take(memory);
        Self {
            entries: core::mem::take(transcript.entries),
            parts: core::mem::take(transcript.parts),
            ids: core::mem::take(transcript.ids),
            compaction: transcript.compaction.take(),
            known,
            waiting,
            rounds,
            calls,
            ..Self::new(text)
        }
    }

    /// Gives back what was read, and what a reader must remember; returns the findings.
    pub(super) fn suspend(self, transcript: &mut Held<'_>, memory: &mut Memory) -> Vec<Finding> {
        *transcript.entries = self.entries;
        *transcript.parts = self.parts;
        *transcript.ids = self.ids;
        *transcript.compaction = self.compaction;
        let Self { known, waiting, rounds, calls, .. } = self;
        *memory = Memory { known, waiting, rounds, calls };
        self.findings
    }
}

/// What of a transcript grows while it is read.
pub(super) struct Held<'t> {
    pub(super) entries: &'t mut Vec<Entry>,
    pub(super) parts: &'t mut Vec<Part>,
    pub(super) ids: &'t mut Ids,
    pub(super) compaction: &'t mut Option<Compaction>,
}

/// The keys of a request that cost tokens and are never folded.
const FIXED: [&str; 10] = [
    "system",
    "instructions",
    "systemInstruction",
    "system_instruction",
    "system_prompt",
    "tools",
    "functions",
    "toolConfig",
    "tool_config",
    "response_format",
];

fn request(text: &str, list: &List<'_>) -> Request {
    let members = &list.members;
    let fixed = FIXED.iter().filter(|&&key| members.has(key)).filter_map(|&what| {
        members.field(what).map(|node| Fixed { what, span: node.span_in(text) })
    });
    // Through Bedrock it stands among what is passed on to the model.
    let passed = members.field("additionalModelRequestFields").map(Node::object);
    let thinking =
        members.field("thinking").or_else(|| passed.unwrap_or_default().field("thinking"));
    let thinking = thinking.map(Node::object).unwrap_or_default();
    let thinking = thinking.string("type");
    let model = members.string("model").or_else(|| members.string("modelId"));
    let tools = ["tools", "functions", "toolConfig", "tool_config"];
    Request {
        fixed: fixed.collect(),
        family: model.as_deref().map(Family::of).unwrap_or_default(),
        model: model.map(alloc::borrow::Cow::into_owned),
        whole: list.whole,
        tools: tools.iter().any(|key| members.has(key)),
        continues: members.has("previous_response_id") || members.has("conversation"),
        stored: members.field("store").filter(|node| !node.is_null()).map(Node::is_true),
        thinking_bound: thinking.as_deref() == Some("enabled"),
        thinking: thinking.map(|kind| kind != "disabled"),
    }
}

/// Fills in the lines, in one pass over the text, and folds a flood of one code into a count.
pub(super) fn number_lines(text: &str, mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|finding| finding.offset);
    let bytes = text.as_bytes();
    let (mut at, mut line) = (0, 1);
    let mut seen: BTreeMap<&'static str, (usize, Finding)> = BTreeMap::new();
    let mut kept = Vec::new();
    for mut finding in findings {
        let offset = (finding.offset as usize).min(bytes.len());
        if finding.line == 0 {
            line += bytes[at..offset].split(|&byte| byte == b'\n').count() as u32 - 1;
            at = offset;
            finding.line = line;
        }
        let (count, _) = seen
            .entry(finding.code)
            .and_modify(|(count, last)| {
                *count += 1;
                last.clone_from(&finding);
            })
            .or_insert_with(|| (1, finding.clone()));
        if *count <= LISTED {
            kept.push(finding);
        }
    }
    for (count, last) in seen.into_values() {
        if count > LISTED {
            kept.push(flood(&last, count - LISTED));
        }
    }
    kept
}

/// What is said of `more` findings of a code of which `last` is the last.
pub(super) fn flood(last: &Finding, more: usize) -> Finding {
    let message = alloc::format!("{more} more findings of this kind, not listed.");
    Finding { message, ..last.clone() }
}
