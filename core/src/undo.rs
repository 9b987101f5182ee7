//! What takes a fold back: what it wrote, and what stood there before.
//!
//! A fold changes one stretch of the text: the front, up to the first entry behind which all are kept as they were. So the way back is that
//! stretch as it was, and it stays open while the transcript grows behind it. Several folds are taken back newest first.

use alloc::string::{String, ToString as _};
use core::fmt::{self, Display, Formatter};

use crate::fold::Folded;
use crate::plan::Way;
use crate::transcript::Transcript;

/// The one stretch of the text that a fold changed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Undo {
    /// Where it begins in both texts, in bytes.
    pub at: usize,
    /// What the fold wrote there: system entries that stay, the note and the entry that it shares, if it does, and entries up to
    /// the last one that is trimmed.
    pub written: String,
    /// What stood there: the entries that were folded or trimmed, and those among them.
    pub removed: String,
}

impl Undo {
    /// What takes `folded`, a fold of `transcript`, back.
    pub fn of(transcript: &Transcript, folded: &Folded) -> Self {
        let source = transcript.text();
        let span = |entry: usize| transcript.entries()[entry].span.range();
        let trims = &folded.fold.trims;
        let trimmed = trims.last().map_or(0, |trim| trim.entry + 1);
        let from = trimmed.max(folded.fold.cut + usize::from(folded.merged));
        let first = trims.first().filter(|_| folded.fold.way == Way::InPlace);
        let at = span(first.map_or(transcript.frozen(), |trim| trim.entry)).start;
        let end =
            if from < transcript.len() { span(from).start } else { span(transcript.len() - 1).end };
        let written = &folded.text[at..folded.text.len() - (source.len() - end)];
        Self { at, written: written.to_string(), removed: source[at..end].to_string() }
    }

    /// The text as it was before the fold, and behind it whatever came since.
    ///
    /// # Errors
    /// When `text` does not begin as the fold left it.
    pub fn restore(&self, text: &str) -> Result<String, OtherText> {
        let tail = text.get(self.at..).and_then(|rest| rest.strip_prefix(&*self.written));
        let tail = tail.ok_or(OtherText { at: self.at })?;
        Ok([&text[..self.at], &self.removed, tail].concat())
    }
}

/// A text that a fold did not leave, or that was changed where it stood.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct OtherText {
    /// Where the fold would stand, in bytes.
    pub at: usize,
}

impl Display for OtherText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "What this fold wrote does not stand at byte {} of the text: give the text that the fold gave, grown or not; of \
             several folds the newest is taken back first.",
            self.at
        )
    }
}

impl core::error::Error for OtherText {}
