//! JSON Lines: tell them from a document, and read each line by itself.

use alloc::vec::Vec;

use crate::json::Node;

/// A line of the text that is not blank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// Its first byte in the text.
    pub(super) offset: usize,
    /// Its number, counted from 1.
    pub(super) number: u32,
    /// What it holds; `None` if it is not JSON.
    pub(super) node: Option<Node<'a>>,
    /// The line itself.
    pub(super) text: &'a str,
}

/// How many lines are looked at to tell JSON Lines from a document.
const SAMPLE: usize = 40;

/// The lines of `text`, if it is JSON Lines: at least half of a sample are objects, or lists, by themselves.
pub(super) fn of(text: &str) -> Option<Vec<Line<'_>>> {
    let sample: Vec<_> = split(text).take(SAMPLE).collect();
    if sample.len() < 2 {
        return None;
    }
    let records = sample.iter().filter(|line| is_record(line.text)).count();
    (records * 2 >= sample.len()).then(|| {
        split(text).map(|line| Line { node: Node::parse(line.text).ok(), ..line }).collect()
    })
}

/// A text that is one value, as the one line that it is; else its lines.
pub(super) fn single(text: &str) -> Vec<Line<'_>> {
    let whole = text.trim();
    let offset = text.len() - text.trim_start().len();
    match Node::parse(whole) {
        Ok(node) => alloc::vec![Line { offset, number: 1, node: Some(node), text: whole }],
        Err(_) => {
            split(text).map(|line| Line { node: Node::parse(line.text).ok(), ..line }).collect()
        }
    }
}

/// Whether a line is a record: an object, or a list (`LangGraph` streams those).
fn is_record(line: &str) -> bool {
    let ends = (line.as_bytes().first(), line.as_bytes().last());
    matches!(ends, (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']'))) && Node::parse(line).is_ok()
}

fn split(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut offset = 0;
    let mut number = 0;
    text.split('\n').filter_map(move |raw| {
        let start = offset;
        offset += raw.len() + 1;
        number += 1;
        // A recorded stream of events has its JSON after `data:`, and ends with a word that is none.
        let line = raw.trim_start();
        let line = line.strip_prefix("data:").unwrap_or(line).trim_start();
        let lead = raw.len() - line.len();
        let line = line.trim_end();
        (!matches!(line, "" | "[DONE]")).then_some(Line {
            offset: start + lead,
            number,
            node: None,
            text: line,
        })
    })
}
