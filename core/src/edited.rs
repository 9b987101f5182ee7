//! A transcript of which some bytes are replaced inside its entries: every other byte, and what is known of it, moves along.

use alloc::string::String;
use alloc::vec::Vec;

use crate::transcript::{Part, PartKind, Span, Transcript};

/// Bytes that are replaced. They lie inside the body of one part, or take all of it and nothing else away.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Edit {
    /// The bytes as they were.
    pub(crate) span: Span,
    /// What stands there instead.
    pub(crate) with: String,
}

/// The bytes at `span` with those of `edits` replaced that lie in it.
pub(crate) fn slice(transcript: &Transcript, span: Span, edits: &[Edit]) -> String {
    let first = edits.partition_point(|edit| edit.span.start < span.start);
    let inside = edits[first..].iter().take_while(|edit| edit.span.end <= span.end);
    let mut text = String::new();
    let mut from = span.range().start;
    for edit in inside {
        text.push_str(&transcript.text[from..edit.span.range().start]);
        text.push_str(&edit.with);
        from = edit.span.range().end;
    }
    text.push_str(&transcript.text[from..span.range().end]);
    text
}

/// `transcript` with `edits`, which stand in the order of the text and do not overlap.
pub(crate) fn edited(transcript: &Transcript, edits: &[Edit]) -> Transcript {
    let mut after = transcript.clone();
    after.text = slice(transcript, Span::new(0, transcript.text.len()), edits);
    let moves = Moves::of(edits);
    let gone = |part: &Part| {
        let before = edits.partition_point(|edit| edit.span.start <= part.whole.start);
        let edit = before.checked_sub(1).map(|last| &edits[last]);
        edit.is_some_and(|edit| edit.with.is_empty() && part.whole.end <= edit.span.end)
    };
    let mut parts = Vec::new();
    for (index, entry) in after.entries.iter_mut().enumerate() {
        entry.first_part = parts.len() as u32;
        parts.extend(transcript.parts(index).iter().filter(|part| !gone(part)));
        entry.span = moves.span(entry.span);
    }
    after.parts = parts;
    for part in &mut after.parts {
        (part.body, part.whole) = (moves.span(part.body), moves.span(part.whole));
        if let PartKind::Call { name, .. } = &mut part.kind {
            name.0 = moves.place(name.0);
        }
    }
    for fixed in &mut after.request.fixed {
        fixed.span = moves.span(fixed.span);
    }
    after
}

/// How far what stands behind each edit moves.
struct Moves(Vec<(u32, isize)>);

impl Moves {
    fn of(edits: &[Edit]) -> Self {
        let mut moved = 0;
        let ends = edits.iter().map(|edit| {
            moved += edit.with.len().cast_signed() - edit.span.range().len().cast_signed();
            (edit.span.end, moved)
        });
        Self(ends.collect())
    }

    fn span(&self, span: Span) -> Span {
        Span { start: self.place(span.start), end: self.place(span.end) }
    }

    fn place(&self, at: u32) -> u32 {
        let before = self.0.partition_point(|&(end, _)| end <= at);
        let moved = before.checked_sub(1).map_or(0, |last| self.0[last].1);
        (at as usize).saturating_add_signed(moved) as u32
    }
}
