//! Bytes to [`Transcript`] and back: find the transcripts in a text, tell their format, read them.
//!
//! Reading never fails on a messy transcript: it gives what could be read, and a [`Finding`] for
//! everything that was left aside. An error is for a text in which no transcript was found.

mod ai_sdk;
mod ai_sdk_stream;
mod ai_sdk_ui;
mod anthropic;
mod archive;
mod atif;
mod bedrock;
mod blocks;
mod builder;
mod claude_code;
mod claude_messages;
mod claude_stream;
mod claude_tree;
mod codex;
mod copilot_cli;
mod detect;
mod document;
mod fast_agent;
mod gemini;
mod gemini_cli;
mod google_adk;
mod growth;
mod inspect;
mod kimi_cli;
mod known;
mod langchain;
mod langgraph_stream;
mod lines;
mod log;
mod openai_chat;
mod openai_responses;
mod openclaw;
mod opencode;
mod openhands;
mod openinference;
mod opentelemetry;
mod pi;
mod recorded;
mod stretches;
mod swe_agent;
mod talk;
pub(crate) mod turn;
mod waiting;
#[cfg(test)]
mod written;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

pub use detect::Detected;
pub use document::Document;
pub use growth::PushError;
pub(crate) use growth::{Growth, settled};
pub use turn::prompt;

use crate::frozen::freeze;
use crate::provider::{Family, Provider};
use crate::transcript::{Finding, Format, Transcript};
use builder::{Builder, number_lines};
use document::Body;

/// What a caller knows about a text that the text does not say.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// The format, where detection would guess wrong.
    pub format: Option<Format>,
    /// Which transcript of a text that holds several (counted from 0, see [`documents`]).
    pub pick: Option<usize>,
    /// Whose rules it is judged by, where that is not told by its format and model.
    pub provider: Option<Provider>,
    /// What is known of the model it is meant for, where the text does not name it.
    pub family: Option<Family>,
    /// Whether it continues a conversation that the provider stores (`previous_response_id` is sent beside it).
    pub continues: bool,
    /// Whether thinking is turned on, where the text does not say.
    pub thinking: Option<bool>,
    /// How many entries in front are a prefix that the provider has cached, and are never touched: as many, and those up to the
    /// next boundary behind which a note may stand.
    pub frozen: usize,
}

impl ReadOptions {
    /// The options with which a text made from `transcript` is read as it was.
    pub(crate) fn like(transcript: &Transcript) -> Self {
        let request = transcript.request();
        Self {
            format: Some(transcript.wire()),
            pick: None,
            provider: Some(transcript.provider()),
            family: Some(request.family),
            continues: request.continues,
            thinking: request.thinking,
            frozen: transcript.frozen(),
        }
    }

    /// Lays what the caller knows over what the text says.
    fn lay_over(self, transcript: &mut Transcript) -> Result<(), ReadError> {
        if let Some(provider) = self.provider {
            let fits = Provider::of_wire(transcript.wire);
            if !fits.contains(&provider) {
                return Err(ReadError::Provider { asked: provider, wire: transcript.wire });
            }
            transcript.provider = provider;
        }
        let request = &mut transcript.request;
        request.family = self.family.unwrap_or(request.family);
        request.continues |= self.continues;
        request.thinking = self.thinking.or(request.thinking);
        let manual = matches!(request.family, Family::ClaudeManual | Family::Unknown);
        request.thinking_bound = request.thinking_bound && manual
            || request.thinking == Some(true) && request.family == Family::ClaudeManual;
        Ok(())
    }
}

/// A transcript, and what its text tells beside it.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The transcript.
    pub transcript: Transcript,
    /// Its format, and how sure that is; the told one, if one was told.
    pub detected: Detected,
    /// Every transcript in the text: what tells it from its neighbours, and the number of its entries.
    pub all: Vec<(String, usize)>,
    /// Which of them this is.
    pub index: usize,
}

/// Reads the transcript in `bytes`.
///
/// # Errors
/// When there is no transcript in it, or `pick` names one that is not there.
pub fn read(bytes: &[u8], options: ReadOptions) -> Result<Transcript, ReadError> {
    open(bytes, options).map(|opened| opened.transcript)
}

/// Reads the transcript in `bytes`, and says which others there are: for a person who may choose another.
///
/// # Errors
/// Those of [`read`].
pub fn open(bytes: &[u8], options: ReadOptions) -> Result<Opened, ReadError> {
    let (text, damage) = decode(bytes)?;
    let found = documents_as(&text, options.format)?;
    let index = match options.pick {
        Some(pick) if pick >= found.len() => {
            return Err(ReadError::Pick { asked: pick, available: found.len() });
        }
        Some(pick) => pick,
        None => preferred(&found),
    };
    let several = (found.len() > 1).then(|| several_finding(&found, index, options.pick.is_some()));
    let all = found.iter().map(|document| (document.label.clone(), document.entries)).collect();
    let document = found.into_iter().nth(index).ok_or(ReadError::Empty)?;
    let detected = document.detected.clone();
    let aside = number_lines("", document.aside.clone());
    let within = document.place_in(&text);
    let mut transcript = document.read();
    options.lay_over(&mut transcript)?;
    freeze(&mut transcript, options.frozen);
    if let Some(start) = within.filter(|&start| start > 0) {
        // A reader counts within its transcript; a person counts within the text.
        let lines = text[..start].split('\n').count() as u32 - 1;
        for finding in &mut transcript.findings {
            finding.offset += start as u32;
            finding.line += lines;
        }
    }
    let extra: Vec<Finding> = damage.into_iter().chain(several).chain(aside).collect();
    transcript.findings.splice(0..0, extra);
    Ok(Opened { transcript, detected, all, index })
}

/// Tells the format of `bytes` without reading the whole; `None` if no transcript is recognised.
pub fn detect(bytes: &[u8]) -> Option<Detected> {
    let (text, _) = decode(bytes).ok()?;
    let found = document::find(&text, None).ok()?;
    found.get(preferred(&found)).map(|document| document.detected.clone())
}

/// Every transcript in `text`: one for a plain list or request, several for a data set, a recorded
/// cassette, or a log with compactions and sub-agents.
///
/// # Errors
/// When there is none.
pub fn documents(text: &str) -> Result<Vec<Document<'_>>, ReadError> {
    documents_as(text, None)
}

fn documents_as(text: &str, format: Option<Format>) -> Result<Vec<Document<'_>>, ReadError> {
    if text.trim().is_empty() {
        return Err(ReadError::Empty);
    }
    document::find(text, format)
}

/// The document to read when nobody picks: what a log's model sees now, else the longest, of equals the last.
pub fn preferred(found: &[Document<'_>]) -> usize {
    let current = found.iter().position(|document| document.current);
    current.unwrap_or_else(|| {
        let longest = found.iter().enumerate().max_by_key(|(_, document)| document.entries);
        longest.map_or(0, |(index, _)| index)
    })
}

fn several_finding(found: &[Document<'_>], index: usize, picked: bool) -> Finding {
    let label = &found[index].label;
    let how = if picked { "as picked" } else { "pick another by its number" };
    Finding {
        code: "several-transcripts",
        weight: crate::transcript::Weight::Note,
        offset: 0,
        line: 1,
        message: alloc::format!(
            "The text holds {} transcripts; number {index} ({label}) was read, {how}.",
            found.len()
        ),
    }
}

/// The text in `bytes`, in which [`documents`] finds transcripts, and what was left aside on the way to it. What is not UTF-8
/// becomes U+FFFD; a zip archive (an Inspect log, `.eval`) becomes the JSON document of what it holds.
///
/// # Errors
/// When it is UTF-16, too large, or an archive without anything to read.
pub fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Vec<Finding>), ReadError> {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(ReadError::Utf16);
    }
    if bytes.len() > MAX_BYTES {
        return Err(ReadError::TooLarge { bytes: bytes.len() });
    }
    if bytes.starts_with(archive::MAGIC) {
        return archive::document(bytes).map(|(text, findings)| (Cow::Owned(text), findings));
    }
    let bytes = bytes.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(bytes);
    match core::str::from_utf8(bytes) {
        Ok(text) => Ok((Cow::Borrowed(text), Vec::new())),
        Err(error) => {
            let at = error.valid_up_to();
            let line = bytes[..at].split(|&byte| byte == b'\n').count();
            let finding = Finding {
                code: "not-utf-8",
                weight: crate::transcript::Weight::Warning,
                offset: at as u32,
                line: line as u32,
                message: alloc::format!(
                    "Byte {at} is not UTF-8; such bytes are shown and written back as U+FFFD."
                ),
            };
            Ok((String::from_utf8_lossy(bytes), Vec::from([finding])))
        }
    }
}

/// Offsets are 32 bits wide; half of that leaves room for what is added.
const MAX_BYTES: usize = 1 << 31;

/// Why no transcript could be read.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ReadError {
    /// It is a zip archive in which nothing can be read.
    Archive {
        /// What is wrong with it.
        why: String,
    },
    /// There is nothing but white space.
    Empty,
    /// The text holds no transcript of that number.
    Pick {
        /// The number asked for.
        asked: usize,
        /// How many there are.
        available: usize,
    },
    /// The rules of that provider are not for entries written like these.
    Provider {
        /// The provider asked for.
        asked: Provider,
        /// The format of the entries.
        wire: Format,
    },
    /// The text is larger than 2 GiB.
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// No known shape.
    Unknown {
        /// What the text looks like.
        nearest: String,
    },
    /// The text is UTF-16.
    Utf16,
}

impl ReadError {
    /// A stable name in kebab-case.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Archive { .. } => "bad-archive",
            Self::Empty => "empty-input",
            Self::Pick { .. } => "no-such-transcript",
            Self::Provider { .. } => "wrong-provider",
            Self::TooLarge { .. } => "too-large",
            Self::Unknown { .. } => "unknown-format",
            Self::Utf16 => "utf-16",
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Archive { why } => {
                write!(
                    f,
                    "The input is a zip archive, but {why}: unpack it, and read what it holds."
                )
            }
            Self::Empty => {
                f.write_str("The input is empty: paste a transcript, as JSON or JSON Lines.")
            }
            Self::Pick { asked, available } => write!(
                f,
                "There is no transcript number {asked}: the input holds {available}, counted from 0."
            ),
            Self::Provider { asked, wire } => {
                let fits: Vec<&str> =
                    Provider::of_wire(*wire).iter().map(|provider| provider.name()).collect();
                write!(
                    f,
                    "The provider {:?} does not take {}: ask one of {fits:?}, or convert the transcript first.",
                    asked.name(),
                    wire.title()
                )
            }
            Self::TooLarge { bytes } => {
                write!(f, "The input has {bytes} bytes; at most {MAX_BYTES} can be read at once.")
            }
            Self::Unknown { nearest } => {
                f.write_str("No transcript was found. Looked for")?;
                for (index, format) in Format::ALL.into_iter().enumerate() {
                    write!(f, "{} {}", if index == 0 { "" } else { "," }, format.title())?;
                }
                write!(f, ". {nearest}")
            }
            Self::Utf16 => f.write_str("The input is UTF-16: save it as UTF-8 and try again."),
        }
    }
}

impl core::error::Error for ReadError {}

impl Document<'_> {
    /// Reads this transcript.
    pub fn read(self) -> Transcript {
        let format = self.detected.format;
        let mut transcript = match self.body {
            Body::Log(log) => {
                let list = document::List::of(&log.text);
                let mut transcript = entries(format, log.wire, &log.text, &list);
                transcript.usage = log.usage;
                transcript.lines = log.lines;
                transcript.recorded = log.recorded;
                for entry in log.unsaid {
                    if let Some(entry) = transcript.entries.get_mut(entry) {
                        entry.unsaid = true;
                    }
                }
                transcript.request.tools = true;
                transcript.request.family =
                    log.model.as_deref().map(Family::of).unwrap_or_default();
                transcript.request.model = log.model;
                transcript.findings.splice(0..0, log.findings);
                transcript.provider = log.provider.unwrap_or(transcript.provider);
                transcript
            }
            Body::Text(text, layout) => {
                // Cline keeps Anthropic's messages in an envelope of its own.
                let wire = if format == Format::Cline { Format::Anthropic } else { format };
                entries(format, wire, &text, &layout.list(&text))
            }
        };
        if transcript.provider == Provider::of_wire(transcript.wire)[0] {
            transcript.provider =
                Provider::guess(transcript.wire, transcript.request.model.as_deref());
        }
        transcript
    }
}

/// Reads the entries of `list`, which stands in `text` and is written in `wire`.
fn entries<'a>(
    format: Format,
    wire: Format,
    text: &'a str,
    list: &document::List<'a>,
) -> Transcript {
    let mut builder = Builder::new(text);
    for &node in &list.nodes {
        entry(&mut builder, wire, node);
    }
    builder.finish(format, wire, list)
}

/// Reads the entry that `node` is, written in `wire`.
fn entry<'a>(builder: &mut Builder<'a>, wire: Format, node: crate::json::Node<'a>) {
    match wire {
        Format::AiSdk => ai_sdk::entry(builder, node),
        Format::AiSdkUi => ai_sdk_ui::entry(builder, node),
        Format::Bedrock => bedrock::entry(builder, node),
        Format::Gemini => gemini::entry(builder, node),
        Format::LangChain => langchain::entry(builder, node),
        Format::OpenAiChat => openai_chat::entry(builder, node),
        Format::OpenAiResponses => openai_responses::entry(builder, node),
        Format::OpenTelemetry => opentelemetry::entry(builder, node),
        _ => anthropic::entry(builder, node),
    }
}
