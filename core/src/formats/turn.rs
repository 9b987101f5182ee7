//! A turn in no format: what a log says happened, or a transcript on its way from one format to another.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{
    ai_sdk, ai_sdk_ui, anthropic, bedrock, gemini, langchain, openai_chat, openai_responses,
    opentelemetry,
};
use crate::transcript::{Format, Role};

/// What one side says in one go. Results are pieces of a user turn, right after the turn of their calls.
#[derive(Clone, Debug)]
pub(crate) struct Turn<'a> {
    /// Assistant, system or user.
    pub(crate) role: Role,
    pub(crate) pieces: Vec<Piece<'a>>,
    /// The line of the log, or the number of the record, that it begins with; counted from 1.
    pub(crate) line: u32,
    /// The provider's own count: tokens before it, tokens of it.
    pub(crate) usage: Option<(u32, u32)>,
    /// Whether a log marks it as written by a model or a tool, although it stands in the user's place.
    pub(crate) unsaid: bool,
}

/// A part of a turn.
#[derive(Clone, Debug)]
pub(crate) enum Piece<'a> {
    Text(Cow<'a, str>),
    /// Reasoning, with the signature under which its provider takes it back.
    Thinking {
        text: Cow<'a, str>,
        signature: Option<Cow<'a, str>>,
    },
    /// `arguments` is JSON, an object where the tool has named arguments.
    Call {
        id: Cow<'a, str>,
        name: Cow<'a, str>,
        arguments: Cow<'a, str>,
    },
    /// `text` is what the tool returned, in words.
    Result {
        id: Cow<'a, str>,
        name: Cow<'a, str>,
        text: Cow<'a, str>,
        error: bool,
    },
    /// An image or a document.
    Media(Media<'a>),
}

/// An image or a document: its type and its bytes in base64, or where to find it.
#[derive(Clone, Debug)]
pub(crate) struct Media<'a> {
    /// For example `image/png`; empty if not known.
    pub(crate) mime: Cow<'a, str>,
    pub(crate) data: Cow<'a, str>,
    /// Whether `data` is an address and not base64.
    pub(crate) address: bool,
}

impl<'a> Turn<'a> {
    pub(crate) fn new(role: Role, line: u32) -> Self {
        Self { role, pieces: Vec::new(), line, usage: None, unsaid: false }
    }

    pub(crate) fn of(role: Role, pieces: Vec<Piece<'a>>) -> Self {
        Self { role, pieces, line: 0, usage: None, unsaid: false }
    }

    /// It, as a model or a tool wrote it in the user's place.
    pub(crate) fn unsaid(self) -> Self {
        Self { unsaid: true, ..self }
    }

    /// Whether it holds results and nothing else.
    pub(crate) fn only_results(&self) -> bool {
        self.pieces.iter().all(|piece| matches!(piece, Piece::Result { .. }))
    }
}

/// The entries in which `turns` are written in `wire`, each with the number of its (first) turn. One turn may take several
/// entries, and where a call and its result are one part, two turns one entry.
pub(crate) fn write(wire: Format, turns: &[Turn<'_>]) -> Vec<(usize, String)> {
    let write = match wire {
        Format::AiSdk => ai_sdk::write,
        Format::AiSdkUi => ai_sdk_ui::write,
        Format::Bedrock => bedrock::write,
        Format::Gemini => gemini::write,
        Format::LangChain => langchain::write,
        Format::OpenAiChat => openai_chat::write,
        Format::OpenAiResponses => openai_responses::write,
        Format::OpenTelemetry => opentelemetry::write,
        _ => anthropic::write,
    };
    write(turns)
}

/// The names of the tools that were called, by the ids of the calls.
pub(super) struct Names<'t>(BTreeMap<&'t str, &'t str>);

impl<'t> Names<'t> {
    /// The name of the tool that a result is of, where the result does not tell it itself.
    pub(super) fn of(&self, id: &str, told: &'t str) -> &'t str {
        if told.is_empty() { self.0.get(id).copied().unwrap_or_default() } else { told }
    }
}

/// The names of the tools that `turns` call.
pub(super) fn names<'t>(turns: &'t [Turn<'_>]) -> Names<'t> {
    let pieces = turns.iter().flat_map(|turn| &turn.pieces);
    let called = pieces.filter_map(|piece| match piece {
        Piece::Call { id, name, .. } => Some((&**id, &**name)),
        _ => None,
    });
    Names(called.collect())
}

/// Arguments where only an object is allowed: anything else becomes the one member `input`.
pub(super) fn as_object(arguments: &str) -> Cow<'_, str> {
    let trimmed = arguments.trim();
    if trimmed.starts_with('{') {
        Cow::Borrowed(trimmed)
    } else {
        let value = if trimmed.is_empty() { "null" } else { trimmed };
        Cow::Owned(format!("{{\"input\":{value}}}"))
    }
}

/// The one entry that is a prompt saying `text`, as `wire` writes it: how a note is written, for one.
pub fn prompt(wire: Format, text: &str) -> String {
    let turn = Turn::of(Role::User, [Piece::Text(text.into())].into());
    write(wire, &[turn]).pop().map(|(_, entry)| entry).unwrap_or_default()
}
