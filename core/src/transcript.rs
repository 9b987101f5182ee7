//! The model: a transcript is a list of entries, an entry a list of parts, and every part knows its bytes.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

pub use crate::format::Format;
use crate::ids::Ids;
use crate::json::Node;
use crate::ledger::pin::Topic;
use crate::provider::{Family, Provider};

/// A transcript that was read: its text, and where each entry and part stands in it.
///
/// For a session log the text is the list of messages rebuilt from the log, because one message may be
/// spread over several lines of it.
#[derive(Clone, Debug)]
pub struct Transcript {
    pub(crate) text: String,
    pub(crate) format: Format,
    pub(crate) wire: Format,
    pub(crate) provider: Provider,
    pub(crate) entries: Vec<Entry>,
    pub(crate) parts: Vec<Part>,
    pub(crate) ids: Ids,
    pub(crate) request: Request,
    pub(crate) usage: Vec<Usage>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) lines: Vec<u32>,
    pub(crate) recorded: Vec<Recorded>,
    pub(crate) tail: Tail,
    pub(crate) compaction: Option<Compaction>,
    pub(crate) frozen: u32,
}

impl Transcript {
    /// The format it was read as.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The format in which its entries stand in its text: for a log that of the messages it was rebuilt into. A fold, a
    /// repair is written in it.
    pub fn wire(&self) -> Format {
        self.wire
    }

    /// Whose rules it is judged by.
    pub fn provider(&self) -> Provider {
        self.provider
    }

    /// The entries in their order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The parts of entry `index`.
    pub fn parts(&self, index: usize) -> &[Part] {
        &self.parts[self.part_range(index)]
    }

    pub(crate) fn part_range(&self, index: usize) -> Range<usize> {
        let next = self.entries.get(index + 1).map(|next| next.first_part as usize);
        self.entries[index].first_part as usize..next.unwrap_or(self.parts.len())
    }

    /// The bytes of entry `index`, exactly as they came in (for a log: as they were rebuilt).
    pub fn entry_text(&self, index: usize) -> &str {
        self.slice(self.entries[index].span)
    }

    /// The whole text. For a message format these are the input's own bytes.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name of an id.
    pub fn id(&self, id: Id) -> &str {
        self.ids.name(id)
    }

    /// What the request holds beside its entries.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// What a reader must know about how it was read, in the order of the text.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The token usage that the provider reported, in entry order.
    pub fn usage(&self) -> &[Usage] {
        &self.usage
    }

    /// The line of the log (1-based) on which entry `index` begins; `None` for message formats.
    pub fn line(&self, index: usize) -> Option<u32> {
        self.lines.get(index).copied()
    }

    /// What the log records beside the messages, in entry order: the first value and each that differs from the one before.
    /// Empty for message formats.
    pub fn recorded(&self) -> &[Recorded] {
        &self.recorded
    }

    /// How many entries in front are never touched: a prefix that the provider has cached.
    pub fn frozen(&self) -> usize {
        self.frozen as usize
    }

    /// Whether entry `index` stays where it is whatever is folded behind it: a frozen one, or a system entry.
    pub(crate) fn stays(&self, index: usize) -> bool {
        index < self.frozen() || self.entries[index].role == Role::System
    }

    /// The newest of the provider's own compactions.
    pub fn compaction(&self) -> Option<&Compaction> {
        self.compaction.as_ref()
    }

    /// The text before the first entry, and how it goes on after the last.
    pub(crate) fn frame(&self) -> (&str, &str) {
        let (Some(first), Some(last)) = (self.entries.first(), self.entries.last()) else {
            return ("", "");
        };
        let after = match self.tail {
            Tail::Kept => &self.text[last.span.range().end..],
            Tail::Mended(close) => close,
        };
        (&self.text[..first.span.range().start], after)
    }

    /// The raw JSON of a span.
    pub(crate) fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    /// The readable text of a part: a string decoded, the text blocks of a list joined by newlines,
    /// any other value as its JSON.
    pub fn part_text(&self, part: &Part) -> Cow<'_, str> {
        text_of(Node::at(&self.text, part.body))
    }

    /// The tool name of a call; empty for any other part.
    pub fn call_name(&self, part: &Part) -> Cow<'_, str> {
        match part.kind {
            PartKind::Call { name, .. } => readable(self.raw_name(name)),
            _ => Cow::Borrowed(""),
        }
    }

    /// The name of a tool as it stands in the text.
    pub(crate) fn raw_name(&self, name: Name) -> &str {
        let at = name.0 as usize;
        if at == 0 {
            return "";
        }
        // What follows a minus is no value but the rest of a string, whose beginning says what it is.
        let piece = self.text[..at].ends_with(Name::BEFORE);
        let start = if piece { at - Name::BEFORE.len() } else { at };
        let value = Node::first(&self.text[start..]).map_or("", Node::raw);
        let inner = Name::BEFORE.len()..value.len().saturating_sub(1);
        if piece { value.get(inner).unwrap_or_default() } else { value }
    }
}

/// The readable text of a JSON value, see [`Transcript::part_text`]; what is none is shown as it is.
pub(crate) fn readable(raw: &str) -> Cow<'_, str> {
    Node::parse(raw).map_or(Cow::Borrowed(raw), text_of)
}

fn text_of(node: Node<'_>) -> Cow<'_, str> {
    let raw = node.raw();
    if let Some(text) = node.string() {
        return text;
    }
    if !node.is_array() {
        return if node.is_null() { Cow::Borrowed("") } else { Cow::Borrowed(raw) };
    }
    let mut joined = String::new();
    for block in node.array() {
        let text = block.string().or_else(|| {
            let members = block.object();
            members.string("text").or_else(|| members.string("refusal"))
        });
        if let Some(text) = text {
            if !joined.is_empty() {
                joined.push('\n');
            }
            joined.push_str(&text);
        }
    }
    if joined.is_empty() && raw.len() > 2 { Cow::Borrowed(raw) } else { Cow::Owned(joined) }
}

/// A range of bytes in the transcript's text.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// The span as a range of bytes.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Who speaks in an entry.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Role {
    /// The model.
    Assistant,
    /// Instructions that stand for the whole request (`system`, `developer`).
    System,
    /// An entry whose role or type says that it answers a call.
    Tool,
    /// The person or program that talks to the model.
    User,
}

impl Role {
    /// The role's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Assistant => "assistant",
            Self::System => "system",
            Self::Tool => "tool",
            Self::User => "user",
        }
    }
}

/// One element of a transcript: a message or an item.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Where it stands in the text.
    pub span: Span,
    /// Who speaks.
    pub role: Role,
    /// Whether its words are nobody's who is heard: a summary that a model wrote, or the output of a tool, where the log marks
    /// an entry of the user as such. The messages themselves do not tell it from a prompt.
    pub(crate) unsaid: bool,
    pub(crate) first_part: u32,
}

/// A call's id; two equal ids are the same string.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Id(pub(crate) u32);

/// Where the name of a tool begins in the text; where it ends can be read there.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Name(pub(crate) u32);

impl Name {
    /// What stands before a name that is a piece of a string, as in a part of the type `"tool-search"`.
    pub(crate) const BEFORE: &str = "\"tool-";
}

/// A piece of an entry.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// Its payload as JSON: a text, a call's arguments, a result's content, a block nobody looks into.
    pub body: Span,
    /// All of it as it stands in its entry: the block, the element of a list of calls, the value of a plain text; the
    /// entry itself where the part is the whole of it.
    pub whole: Span,
}

/// What a part is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum PartKind {
    /// A tool use.
    Call {
        /// The id that its result names.
        id: Id,
        /// The tool's name, see [`Transcript::call_name`].
        name: Name,
        /// Executed by the provider, not by the caller.
        server: bool,
    },
    /// An image, a document, a sound.
    Media,
    /// A block that is carried and not looked into.
    Opaque,
    /// The answer to a call.
    Result {
        /// The id of the call.
        id: Id,
        /// Marked as an error by its writer.
        error: bool,
        /// Written by the provider, not by the caller.
        server: bool,
    },
    /// Words.
    Text,
    /// Reasoning, readable or sealed.
    Thinking,
}

/// What a request holds beside its entries.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one request")]
pub struct Request {
    /// The parts that cost tokens and are never folded: `system`, `tools` and their like.
    pub fixed: Vec<Fixed>,
    /// The model that the request names.
    pub model: Option<String>,
    /// Whether it is a whole request object and not a bare list.
    pub whole: bool,
    /// Whether it defines tools.
    pub tools: bool,
    /// Whether it continues a conversation that the provider stores (`previous_response_id`).
    pub continues: bool,
    /// Whether the request has the provider store what it is sent (`store`); `None` where it does not say.
    pub stored: Option<bool>,
    /// Whether a tool loop must open with thinking (manual extended thinking is on).
    pub thinking_bound: bool,
    /// What is known of the model that it is meant for.
    pub family: Family,
    /// Whether the request turns thinking on (`Some(true)`), off, or says nothing of it.
    pub thinking: Option<bool>,
}

/// A fixed part of a request.
#[derive(Clone, Copy, Debug)]
pub struct Fixed {
    /// The key it stands under.
    pub what: &'static str,
    /// Its JSON.
    pub span: Span,
}

/// The provider's own compaction: what stands before its entry is no longer read, or must be gone.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Compaction {
    /// The entry that holds it.
    pub entry: u32,
    /// The summary, where it can be read; OpenAI seals it.
    pub summary: Option<String>,
}

/// The provider's own count, recorded with one model response.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Usage {
    /// The entry of the response.
    pub entry: u32,
    /// Tokens of everything before it: the fixed part of the request and all earlier entries.
    pub input: u32,
    /// Tokens of the response.
    pub output: u32,
}

/// What a log records of the state around its messages.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Recorded {
    /// The first entry of which it holds. Of a log that records it with each line it is the state at the end of the entry.
    pub entry: u32,
    /// What it is about.
    pub what: Topic,
    /// What the log says: the path of the working directory, the name of the branch.
    pub value: String,
}

/// How the list is closed when it is written back.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Tail {
    /// With what follows the last entry in the text.
    Kept,
    /// The text broke off, so with these characters.
    Mended(&'static str),
}

/// Something a reader must know about how a text was read. Nothing is dropped without one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Finding {
    /// A stable name in kebab-case.
    pub code: &'static str,
    /// Whether something was lost or only left aside.
    pub weight: Weight,
    /// The byte of the input it is about.
    pub offset: u32,
    /// The line of the input, counted from 1.
    pub line: u32,
    /// What was found, and what was done about it.
    pub message: String,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Weight {
    /// Worth knowing; nothing is missing.
    Note,
    /// Something could not be read as it was meant.
    Warning,
}
