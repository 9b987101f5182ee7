//! Bytes to [`Transcript`] and back: find the transcripts in a text, tell their format, read them.
//!
//! Reading never fails on a messy transcript: it gives what could be read, and a [`Finding`] for
//! everything that was left aside. An error is for a text in which no transcript was found.

mod anthropic;
mod blocks;
mod builder;
mod claude_code;
mod detect;
mod document;
mod lines;
mod openai_chat;
mod openai_responses;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

pub use detect::Detected;
pub use document::Document;

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
}

/// Reads the transcript in `bytes`.
///
/// # Errors
/// When there is no transcript in it, or `pick` names one that is not there.
pub fn read(bytes: &[u8], options: ReadOptions) -> Result<Transcript, ReadError> {
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
    let document = found.into_iter().nth(index).ok_or(ReadError::Empty)?;
    let aside = number_lines("", document.aside.clone());
    let within = document.place_in(&text);
    let mut transcript = document.read();
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
    Ok(transcript)
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

/// The text of `bytes`; what is not UTF-8 becomes U+FFFD, with a finding.
fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Option<Finding>), ReadError> {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(ReadError::Utf16);
    }
    if bytes.len() > MAX_BYTES {
        return Err(ReadError::TooLarge { bytes: bytes.len() });
    }
    let bytes = bytes.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(bytes);
    match core::str::from_utf8(bytes) {
        Ok(text) => Ok((Cow::Borrowed(text), None)),
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
            Ok((String::from_utf8_lossy(bytes), Some(finding)))
        }
    }
}

/// Offsets are 32 bits wide; half of that leaves room for what is added.
const MAX_BYTES: usize = 1 << 31;

/// Why no transcript could be read.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ReadError {
    /// There is nothing but white space.
    Empty,
    /// The text holds no transcript of that number.
    Pick {
        /// The number asked for.
        asked: usize,
        /// How many there are.
        available: usize,
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
            Self::Empty => "empty-input",
            Self::Pick { .. } => "no-such-transcript",
            Self::TooLarge { .. } => "too-large",
            Self::Unknown { .. } => "unknown-format",
            Self::Utf16 => "utf-16",
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => {
                f.write_str("The input is empty: paste a transcript, as JSON or JSON Lines.")
            }
            Self::Pick { asked, available } => write!(
                f,
                "There is no transcript number {asked}: the input holds {available}, counted from 0."
            ),
            Self::TooLarge { bytes } => {
                write!(f, "The input has {bytes} bytes; at most {MAX_BYTES} can be read at once.")
            }
            Self::Unknown { nearest } => write!(
                f,
                "No transcript was found. Looked for Anthropic Messages (`messages` with content blocks), \
                 OpenAI Chat Completions (`messages` with `tool_calls`), OpenAI Responses (`input` with typed \
                 items) and a Claude Code session log (JSON Lines). {nearest}"
            ),
            Self::Utf16 => f.write_str("The input is UTF-16: save it as UTF-8 and try again."),
        }
    }
}

impl core::error::Error for ReadError {}

impl Document<'_> {
    /// Reads this transcript.
    pub fn read(self) -> Transcript {
        let format = self.detected.format;
        match self.body {
            Body::Log(log) => {
                let list = document::List::of(&log.text);
                let mut builder = Builder::new(&log.text);
                for &node in &list.nodes {
                    anthropic::entry(&mut builder, node);
                }
                let mut transcript = builder.finish(format, &list);
                transcript.usage = log.usage;
                transcript.lines = log.lines;
                transcript.request.tools = true;
                transcript.request.model = log.model;
                transcript.findings.splice(0..0, log.findings);
                transcript
            }
            Body::Text(text, layout) => {
                let list = layout.list(&text);
                let mut builder = Builder::new(&text);
                let entry = match format {
                    Format::Anthropic | Format::ClaudeCode => anthropic::entry,
                    Format::OpenAiChat => openai_chat::entry,
                    Format::OpenAiResponses => openai_responses::entry,
                };
                for &node in &list.nodes {
                    entry(&mut builder, node);
                }
                builder.finish(format, &list)
            }
        }
    }
}
