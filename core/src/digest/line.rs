//! What a line of a digest says of a prompt, an answer or a pair.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use crate::exchange::Structure;
use crate::json::Node;
use crate::pairing::{Call, Place};
use crate::transcript::{Part, PartKind, Role, Transcript};

/// What a prompt asks, and what a response says; empty if that is nothing.
pub(super) fn spoken(transcript: &Transcript, structure: &Structure, entry: usize) -> String {
    let (who, width) = match transcript.entries()[entry].role {
        Role::User => ("user", 200),
        Role::Assistant => ("assistant", 160),
        Role::System | Role::Tool => return String::new(),
    };
    let mut said = String::new();
    for (index, part) in transcript.parts(entry).iter().enumerate() {
        let text = match part.kind {
            _ if structure.is_note_part(entry, index) => continue,
            PartKind::Text => transcript.part_text(part),
            PartKind::Media => Cow::Borrowed("[an image or document that is no longer here]"),
            _ => continue,
        };
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(head(&text, 4 * width));
    }
    let said = clip(&said, width);
    if said.is_empty() { said } else { format!("{who}: {said}") }
}

/// A result whose call is nowhere.
pub(super) fn stray_line(transcript: &Transcript, place: Place) -> String {
    let part = &transcript.parts(place.entry as usize)[place.part as usize];
    let PartKind::Result { id, .. } = part.kind else { return String::new() };
    let outcome = outcome(transcript, place);
    format!("a result for {} without its call → {outcome}", clip(transcript.id(id), 60))
}

/// A call and its result as one line.
pub(super) fn pair_line(transcript: &Transcript, call: &Call) -> String {
    let part = &transcript.parts(call.place.entry as usize)[call.place.part as usize];
    let name = clip(&transcript.call_name(part), 60);
    let arguments = arguments(transcript, part);
    let outcome = match call.answer {
        Some(answer) => outcome(transcript, answer),
        None => "no result was recorded".into(),
    };
    format!("{name} {arguments} → {outcome}")
}

/// Arguments that say by themselves what a call does, in this order.
const TELLING: [&str; 12] = [
    "command",
    "cmd",
    "pattern",
    "query",
    "file_path",
    "path",
    "notebook_path",
    "url",
    "code",
    "script",
    "input",
    "prompt",
];

fn arguments(transcript: &Transcript, part: &Part) -> String {
    let raw = transcript.slice(part.body);
    let text = Node::parse(raw).ok().and_then(Node::string);
    // OpenAI writes the arguments as JSON inside a string.
    let inner = text.as_deref().unwrap_or(raw);
    let members = Node::parse(inner).map(Node::object).unwrap_or_default();
    let mut shown = String::new();
    for key in TELLING {
        if let Some(value) = members.field(key) {
            shown = format!("`{}`", clip(&plain(value), 160));
            break;
        }
    }
    let told = TELLING.iter().find(|key| members.field(key).is_some());
    for (key, value) in members.iter() {
        if told.is_some_and(|&told| told == key) {
            continue;
        }
        if shown.len() > 240 {
            shown.push_str(" …");
            break;
        }
        if !shown.is_empty() {
            shown.push(' ');
        }
        let _ = write!(shown, "{}={}", clip(key, 40), clip(&plain(value), 60));
    }
    if shown.is_empty() { format!("`{}`", clip(inner, 160)) } else { shown }
}

/// A value as one reads it: a string without quotes, a list of words joined by spaces.
fn plain(value: Node<'_>) -> Cow<'_, str> {
    if let Some(text) = value.string() {
        return text;
    }
    let words: Option<Vec<Cow<'_, str>>> = value.array().into_iter().map(Node::string).collect();
    match words {
        Some(words) if !words.is_empty() => Cow::Owned(words.join(" ")),
        _ => Cow::Borrowed(value.raw()),
    }
}

/// What came of a call: error, exit code, and the first and last line of what it returned.
fn outcome(transcript: &Transcript, answer: Place) -> String {
    let part = &transcript.parts(answer.entry as usize)[answer.part as usize];
    let text = transcript.part_text(part);
    let mut told = String::new();
    if let PartKind::Result { error: true, .. } = part.kind {
        told.push_str("error, ");
    }
    if let Some(code) = exit_code(&text) {
        let _ = write!(told, "exit {code}, ");
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    match (lines.next(), lines.next_back()) {
        (None, _) => told.push_str("no output"),
        (Some(only), None) => told.push_str(&clip(only, 140)),
        (Some(first), Some(last)) => {
            let count = lines.count() + 2;
            let _ = write!(told, "{count} lines: {} … {}", clip(first, 80), clip(last, 80));
        }
    }
    told
}

/// The exit code that a result names near its beginning or its end: `exit code 1`, `"exit_code":1`.
fn exit_code(text: &str) -> Option<i64> {
    let (start, end) = (head(text, 400), tail(text, 200));
    [start, end].into_iter().find_map(|piece| {
        let lower = piece.to_ascii_lowercase();
        // All of the names begin so, and most results have none.
        let start = lower.find("exit")?;
        let lower = &lower[start..];
        let at = ["exit code", "exit_code", "exit status", "exitcode"]
            .iter()
            .find_map(|name| lower.find(name).map(|at| at + name.len()))?;
        let rest = lower[at..].trim_start_matches(['"', ':', '=', ' ', '\\']);
        let digits = rest.split(|c: char| !c.is_ascii_digit() && c != '-').next()?;
        digits.parse().ok()
    })
}

/// The first `bytes` of `text`, or a little less.
fn head(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The last `bytes` of `text`, or a little less.
fn tail(text: &str, bytes: usize) -> &str {
    let mut start = text.len().saturating_sub(bytes);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

/// `text` on one line, at most `width` characters: white space and control characters become one space,
/// and what is cut off is counted.
pub(crate) fn clip(text: &str, width: usize) -> String {
    let mut line = String::new();
    let mut taken = 0;
    let mut gap = false;
    let mut chars = text.trim().chars();
    while let Some(c) = chars.next() {
        if c.is_whitespace()
            || c.is_control()
            || ('\u{202A}'..='\u{202E}').contains(&c)
            || ('\u{2066}'..='\u{2069}').contains(&c)
        {
            gap = !line.is_empty();
            continue;
        }
        if taken >= width {
            let rest = chars.count() + 1;
            let _ = write!(line, "… ({rest} more characters)");
            break;
        }
        if gap {
            line.push(' ');
            taken += 1;
            gap = false;
        }
        line.push(c);
        taken += 1;
    }
    line
}

/// The beginning of a line, which stands for it where it is no longer shown: the call without its outcome.
pub(crate) fn beginning(line: &str) -> &str {
    let call = line.split(" → ").next().unwrap_or(line);
    // The argument that says what the call does stands in backticks.
    let mut ticks = call.match_indices('`').map(|(at, _)| at + 1);
    if let Some(end) = ticks.nth(1).filter(|&end| end <= BEGINNING) {
        return &call[..end];
    }
    let head = head(call, BEGINNING / 2);
    let space = head.rfind(char::is_whitespace).filter(|&at| at > BEGINNING / 4);
    let end = space.filter(|_| head.len() < call.len()).unwrap_or(head.len());
    head[..end].trim_end()
}

/// Its length in bytes, at most.
const BEGINNING: usize = 140;
