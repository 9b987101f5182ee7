//! What a fold does with the thinking in what it keeps.
//!
//! Some models sign their thinking over everything that stands before it. Behind a note it is no longer valid, and the provider
//! refuses the request: it must be taken out of every entry that is kept, or the request must say that it may be dropped.

use alloc::string::String;
use alloc::vec::Vec;

use crate::edited::Edit;
use crate::json::Node;
use crate::places::{self, Seat};
use crate::provider::Family;
use crate::transcript::{PartKind, Span, Transcript};

/// What becomes of thinking in the entries that a fold keeps.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Thinking {
    /// It stays as it is.
    Keep,
    /// It is taken out of every entry that holds something else as well.
    Strip,
    /// It stays, and the caller has the provider drop it: Anthropic does with
    /// `thinking.block_binding.prefix_mismatch_behavior: "drop_block"` and the beta
    /// `thinking-binding-controls-2026-08-01`.
    DropBlock,
}

impl Thinking {
    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Strip => "strip",
            Self::DropBlock => "drop-block",
        }
    }

    /// What suits a family: thinking that is bound to what stands before it is taken out.
    pub fn suits(family: Family) -> Self {
        match family {
            Family::ClaudePreserved => Self::Strip,
            _ => Self::Keep,
        }
    }
}

/// Whether a part of entry `entry` is thinking that can be taken out.
pub(crate) fn is_there(transcript: &Transcript, entry: usize) -> bool {
    !stripped(transcript, entry).is_empty()
}

/// What takes the thinking out of entry `entry`; nothing where nothing else would be left.
pub(crate) fn stripped(transcript: &Transcript, entry: usize) -> Vec<Edit> {
    let parts = transcript.parts(entry);
    let is_thinking = |kind: &PartKind| *kind == PartKind::Thinking;
    if parts.iter().all(|part| is_thinking(&part.kind)) {
        return Vec::new();
    }
    let text = transcript.text();
    let mut spans: Vec<Span> = Vec::new();
    for part in parts.iter().filter(|part| is_thinking(&part.kind)) {
        match places::seat(text, transcript.entries()[entry].span, part.whole) {
            Some(Seat::Element { list, index }) => {
                let elements = Node::at(text, list).array();
                let span = |index: usize| elements[index].span_in(text);
                // The first ones take the comma behind them along, the others the one in front.
                let leads =
                    index == 0 || spans.last().is_some_and(|last| last.end == part.whole.start);
                let range = match elements.get(index + 1) {
                    Some(_) if leads => span(index).start..span(index + 1).start,
                    _ if index > 0 => span(index - 1).end..span(index).end,
                    // A list of nothing would be left.
                    _ => continue,
                };
                spans.push(Span { start: range.start, end: range.end });
            }
            Some(Seat::Member { object, index }) => {
                let range = places::member_range(text, object, index);
                spans.push(Span::new(range.start, range.end));
            }
            Some(Seat::Entry) | None => {}
        }
    }
    spans.into_iter().map(|span| Edit { span, with: String::new() }).collect()
}
