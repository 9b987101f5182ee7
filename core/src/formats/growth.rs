//! A transcript that grows: the bytes of an entry are written behind its last one, and nothing else is read again.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::builder::{Builder, Held, LISTED, Memory};
use super::document::List;
use super::{MAX_BYTES, ReadOptions, entry, read};
use crate::ids::Ids;
use crate::json::Node;
use crate::spare;
use crate::transcript::{Finding, Span, Tail, Transcript};

/// What is remembered of a transcript so that it can grow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Growth {
    memory: Memory,
    /// The line of the end of the last entry, counted from 1.
    line: u32,
    /// The findings of each code so far, with the newest.
    findings: BTreeMap<&'static str, (usize, Finding)>,
}

/// Why nothing was pushed.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum PushError {
    /// The text is not JSON.
    NotJson {
        /// The byte at which it stops being JSON.
        at: usize,
    },
    /// It is neither an entry nor a list of entries.
    NotAnEntry {
        /// The number of the value in the list, counted from 0.
        index: usize,
    },
    /// The request has no list in which an entry could stand.
    NoList,
    /// The transcript would be larger than can be read.
    TooLarge,
}

impl PushError {
    /// A stable name in kebab-case.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotJson { .. } => "not-json",
            Self::NotAnEntry { .. } => "not-an-entry",
            Self::NoList => "no-list",
            Self::TooLarge => "too-large",
        }
    }
}

impl fmt::Display for PushError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson { at } => {
                write!(
                    f,
                    "What was pushed stops being JSON at byte {at}: push an entry, or a list."
                )
            }
            Self::NotAnEntry { index } => {
                write!(
                    f,
                    "Value {index} of what was pushed is no entry: one is an object of the session's format."
                )
            }
            Self::NoList => f.write_str(
                "The request holds no list of entries: open the session with one, if an empty one.",
            ),
            Self::TooLarge => {
                write!(f, "The transcript would have more than {MAX_BYTES} bytes: fold it first.")
            }
        }
    }
}

impl core::error::Error for PushError {}

/// The entries in `json`: an entry, or a list of entries.
pub(super) fn entries_in(json: &str) -> Result<Vec<&str>, PushError> {
    let node = Node::parse(json).map_err(|at| PushError::NotJson { at })?;
    let nodes = if node.is_array() { node.array() } else { [node].into() };
    match nodes.iter().position(|node| !node.is_object()) {
        Some(index) => Err(PushError::NotAnEntry { index }),
        None => Ok(nodes.into_iter().map(Node::raw).collect()),
    }
}

/// `transcript` in a form that can grow: a log as the list of the messages that it was rebuilt into, a text that broke off
/// with its end, a prompt that stands by itself in a list.
pub(crate) fn settled(transcript: Transcript) -> Transcript {
    if let Some(text) = listed(&transcript) {
        return read(text.as_bytes(), ReadOptions::like(&transcript)).unwrap_or(transcript);
    }
    if transcript.format == transcript.wire && transcript.tail == Tail::Kept {
        return transcript;
    }
    let Some(last) = transcript.entries.last() else { return transcript };
    let end = last.span.range().end;
    let text = [&transcript.text[..end], transcript.frame().1].concat();
    let Ok(mut settled) = read(text.as_bytes(), ReadOptions::like(&transcript)) else {
        return transcript;
    };
    for (entry, was) in settled.entries.iter_mut().zip(&transcript.entries) {
        entry.unsaid = was.unsaid;
    }
    settled
}

/// The text of a request whose one entry is no element of a list: with it as the prompt that it is, in a list.
fn listed(transcript: &Transcript) -> Option<String> {
    let [only] = transcript.entries[..] else { return None };
    let (text, span) = (transcript.text(), only.span.range());
    let bare = text[span.clone()].starts_with('"') && text[..span.start].trim_end().ends_with(':');
    let prompt = [r#"[{"role":"user","content":"#, &text[span.clone()], "}]"].concat();
    bare.then(|| [&text[..span.start], &prompt, &text[span.end..]].concat())
}

impl Growth {
    /// What must be remembered of `transcript`.
    pub(crate) fn of(transcript: &Transcript) -> Self {
        let text = &*transcript.text;
        let mut builder = Builder::new(text);
        for it in &transcript.entries {
            entry(&mut builder, transcript.wire, Node::at(text, it.span));
        }
        let mut growth = Self { line: 1, ..Self::default() };
        let (mut entries, mut parts, mut ids) = (Vec::new(), Vec::new(), Ids::default());
        let mut held =
            Held { entries: &mut entries, parts: &mut parts, ids: &mut ids, compaction: &mut None };
        for finding in builder.suspend(&mut held, &mut growth.memory) {
            growth.count(finding);
        }
        let end = transcript.entries.last().map_or(0, |last| last.span.range().end);
        growth.line += breaks(&text[..end]);
        growth
    }

    /// Adds the entries in `json` to `transcript`. Gives their numbers.
    pub(crate) fn push(
        &mut self,
        transcript: &mut Transcript,
        json: &str,
    ) -> Result<Range<usize>, PushError> {
        let pushed = entries_in(json)?;
        let from = transcript.len();
        let room: usize = pushed.iter().map(|entry| entry.len()).sum();
        if transcript.text.len() + room + pushed.len() * BETWEEN > MAX_BYTES {
            return Err(PushError::TooLarge);
        }
        let mut rest = &pushed[..];
        if let (true, Some((first, others))) = (transcript.is_empty(), pushed.split_first()) {
            *transcript = begun(transcript, first)?;
            *self = Self::of(transcript);
            rest = others;
        }
        if !rest.is_empty() {
            self.append(transcript, rest);
        }
        Ok(from..transcript.len())
    }

    fn append(&mut self, transcript: &mut Transcript, pushed: &[&str]) {
        let end = transcript.entries.last().map_or(0, |last| last.span.range().end);
        let spans = write(transcript, pushed, end);
        let Transcript { text, wire, entries, parts, ids, compaction, .. } = &mut *transcript;
        let text = &**text;
        spare::reserve(entries, spans.len());
        let mut held = Held { entries, parts, ids, compaction };
        let mut builder = Builder::resume(text, &mut held, &mut self.memory);
        for span in spans {
            entry(&mut builder, *wire, Node::at(text, span));
        }
        let found = builder.suspend(&mut held, &mut self.memory);
        self.note(transcript, found, end);
    }

    /// Takes in the findings about what stands behind byte `end`.
    fn note(&mut self, transcript: &mut Transcript, mut found: Vec<Finding>, end: usize) {
        let Transcript { text, entries, findings, .. } = transcript;
        let any = !found.is_empty();
        if any {
            findings.truncate(findings.len().saturating_sub(self.floods().count()));
        }
        found.sort_by_key(|finding| finding.offset);
        let mut at = end;
        for mut finding in found {
            let offset = finding.offset as usize;
            self.line += breaks(&text[at..offset]);
            at = offset;
            finding.line = self.line;
            if self.count(finding.clone()) <= LISTED {
                findings.push(finding);
            }
        }
        let last = entries.last().map_or(at, |last| last.span.range().end);
        self.line += breaks(&text[at..last]);
        if any {
            findings.extend(self.floods());
        }
    }

    /// Counts a finding; gives how many there are of its code.
    fn count(&mut self, finding: Finding) -> usize {
        let (count, last) =
            self.findings.entry(finding.code).or_insert_with(|| (0, finding.clone()));
        *count += 1;
        *last = finding;
        *count
    }

    /// What is said of the findings that are not listed.
    fn floods(&self) -> impl Iterator<Item = Finding> {
        let floods = self.findings.values().filter(|(count, _)| *count > LISTED);
        floods.map(|(count, last)| super::builder::flood(last, count - LISTED))
    }
}

/// Writes entries behind the last one, which ends at byte `end`. Gives where they stand.
fn write(transcript: &mut Transcript, pushed: &[&str], end: usize) -> Vec<Span> {
    // Separated as the first two entries are, so that a pretty list stays one.
    let between = match &transcript.entries[..] {
        [first, second, ..] => &transcript.text[first.span.range().end..second.span.range().start],
        _ => ",",
    };
    let between = String::from(if between.len() <= BETWEEN { between } else { "," });
    let text = &mut transcript.text;
    let tail = text.split_off(end);
    let room = pushed.iter().map(|entry| entry.len() + between.len()).sum::<usize>() + tail.len();
    if text.len() + room > text.capacity() {
        text.reserve_exact(room.max(text.len() / spare::PART));
    }
    let mut spans = Vec::with_capacity(pushed.len());
    for entry in pushed {
        text.push_str(&between);
        spans.push(Span::new(text.len(), text.len() + entry.len()));
        text.push_str(entry);
    }
    let moved = (text.len() - end) as u32;
    text.push_str(&tail);
    for fixed in &mut transcript.request.fixed {
        if fixed.span.range().start >= end {
            fixed.span.start += moved;
            fixed.span.end += moved;
        }
    }
    spans
}

/// The longest separator between two entries that is repeated, in bytes.
const BETWEEN: usize = 64;

fn breaks(text: &str) -> u32 {
    text.bytes().filter(|&byte| byte == b'\n').count() as u32
}

/// `transcript`, which has no entry, with its first one.
fn begun(transcript: &Transcript, first: &str) -> Result<Transcript, PushError> {
    let text = transcript.text();
    let options = ReadOptions::like(transcript);
    let starts = text.match_indices('[').map(|(at, _)| at + 1);
    let mut empty = starts.filter(|&at| text[at..].trim_start().starts_with(']'));
    let text = empty.find_map(|at| {
        let text = [&text[..at], first, &text[at..]].concat();
        let found = List::of(&text).nodes;
        let is_it =
            matches!(&found[..], [only] if only.span_in(&text).range() == (at..at + first.len()));
        is_it.then_some(text)
    });
    let text = text.ok_or(PushError::NoList)?;
    // What holds a transcript of its own, as a recorded request does, is none of its entries.
    let read = read(text.as_bytes(), options).ok();
    let whole = read.filter(|read| read.len() == 1 && read.text() == text);
    whole.ok_or(PushError::NotAnEntry { index: 0 })
}
