//! One line of an entry, for its row. A long entry is looked at only as far as the line reaches.

use std::borrow::Cow;

use pinfold::transcript::{Part, PartKind, Transcript};

use super::json;
use super::marks::{Home, Mark, Piece, Words, line};
use super::visible::visible;

/// The characters of a preview. The row cuts off what does not fit.
const WIDTH: usize = 220;
/// Payloads up to this many bytes are decoded whole.
const SMALL: usize = 8 * 1024;

/// What an entry says, in one line: its words if it has any, else what it calls or returns. What is marked in it is told
/// apart; where words of it were asked for, the line begins just before them.
pub(crate) fn preview(
    transcript: &Transcript,
    entry: usize,
    marks: &[Mark],
    aim: Option<&Words>,
) -> Vec<Piece> {
    let parts = transcript.parts(entry);
    let aim = aim.filter(|words| words.home == Home::Entry(entry) && words.part < parts.len());
    let first = |wanted: fn(PartKind) -> bool| parts.iter().position(|part| wanted(part.kind));
    let telling = aim
        .map(|words| words.part)
        .or_else(|| first(|kind| kind == PartKind::Text))
        .or_else(|| first(|kind| matches!(kind, PartKind::Call { .. })))
        .or_else(|| first(|kind| matches!(kind, PartKind::Result { .. })))
        .unwrap_or(0);
    let Some(part) = parts.get(telling) else { return Vec::new() };
    let text = match (aim, part.kind) {
        (None, _) => beginning(transcript, part),
        (_, PartKind::Call { .. }) => {
            Cow::Owned(arguments(&transcript.part_text(part), usize::MAX))
        }
        _ => transcript.part_text(part),
    };
    let here = marks.iter().filter(|mark| mark.words.part == telling);
    let here: Vec<Mark> = here.cloned().collect();
    line(&text, &here, aim, WIDTH, |text| visible(text).into_owned())
}

/// The beginning of a part's readable text.
fn beginning<'a>(transcript: &'a Transcript, part: &Part) -> Cow<'a, str> {
    let range = part.body.range();
    if range.len() <= SMALL {
        return match part.kind {
            PartKind::Call { .. } => Cow::Owned(arguments(&transcript.part_text(part), WIDTH * 4)),
            _ => transcript.part_text(part),
        };
    }
    let raw = &transcript.text()[range];
    let head = &raw[..floor(raw, SMALL)];
    // In a list of blocks the words begin after the first `text` key; a plain string begins with its quote.
    let from = match head.strip_prefix('"') {
        Some(inner) => inner,
        None => text_block(head).unwrap_or(head),
    };
    Cow::Owned(json::string(from, WIDTH * 4))
}

/// What follows the first key `text`; a value `"text"` is not a key.
fn text_block(head: &str) -> Option<&str> {
    let keys = head.match_indices("\"text\"");
    let mut values = keys.filter_map(|(at, key)| {
        let rest = head[at + key.len()..].trim_start().strip_prefix(':')?;
        rest.trim_start().strip_prefix('"')
    });
    values.next()
}

/// Arguments as `name: value`, strings without their quotes.
fn arguments(text: &str, limit: usize) -> String {
    let Some(members) = json::members(text) else { return text.to_owned() };
    let told = members.into_iter().map(|(name, value)| {
        let value = match value.strip_prefix('"') {
            Some(inner) => Cow::Owned(json::string(inner, limit)),
            None => Cow::Borrowed(value),
        };
        format!("{name}: {value}")
    });
    told.collect::<Vec<String>>().join(", ")
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use pinfold::formats::{ReadOptions, read};

    use super::preview;

    fn of(entry: &str) -> String {
        let text = format!(r#"[{entry},{{"role":"user","content":"x"}}]"#);
        let transcript = read(text.as_bytes(), ReadOptions::default()).expect("a transcript");
        preview(&transcript, 0, &[], None).into_iter().map(|piece| piece.text).collect()
    }

    #[test]
    fn words_come_before_calls() {
        let call = r#"{"type":"tool_use","id":"t1","name":"run","input":{"command":"ls \"a\"\n-l","n":2}}"#;
        assert_eq!(
            of(&format!(
                r#"{{"role":"assistant","content":[{call},{{"type":"text","text":"I look."}}]}}"#
            )),
            "I look."
        );
        assert_eq!(
            of(&format!(r#"{{"role":"assistant","content":[{call}]}}"#)),
            "command: ls \"a\" -l, n: 2"
        );
    }

    #[test]
    fn a_long_result_is_read_as_far_as_needed() {
        let long = "äb\\n\\u00e9 ".repeat(20_000);
        let line = of(&format!(
            r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t","content":[{{"type":"text","text":"{long}"}}]}}]}}"#
        ));
        assert!(line.starts_with("äb é äb é"), "{line}");
        assert!(line.chars().count() <= 222);
        assert!(of(&format!(r#"{{"role":"user","content":"{long}"}}"#)).starts_with("äb é äb"));
    }
}
