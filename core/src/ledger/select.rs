//! What a person or a program selects: the texts that can be pinned, and pins by their words or by a selection.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::Ledger;
use super::classify::{Refusal, RefusalCode, find};

impl Ledger {
    /// The texts of an entry of the transcript observed last that can be pinned, each with the number of its part: those of
    /// a prompt or of a system entry. Of any other entry there are none.
    pub fn texts(&self, entry: usize) -> &[(usize, String)] {
        let heard = self.heard.iter().find(|heard| heard.seat.entry() == Some(entry));
        heard.map_or(&[], |heard| &heard.texts)
    }

    /// Pins words of an entry, in one part of it or the first that has them; where they stand twice it is the first time.
    ///
    /// # Errors
    /// A [`Refusal`] if they do not stand there word for word, with the nearest that do.
    pub fn pin_words(
        &mut self,
        entry: usize,
        part: Option<usize>,
        words: &str,
        class: &str,
    ) -> Result<String, Refusal> {
        let texts = self.texts(entry).iter().filter(|(at, _)| part.is_none_or(|part| part == *at));
        let (parts, texts): (Vec<usize>, Vec<String>) = texts.cloned().unzip();
        if texts.is_empty() {
            // Which refuses what is no prompt.
            return self.pin(entry, part.unwrap_or(0), 0..0, class);
        }
        let (text, bytes) = find(&texts, words)?;
        self.pin(entry, parts[text], bytes, class)
    }

    /// Pins a range of an entry in UTF-16 units, as a selection in JavaScript counts, in one part of it or in its first text.
    ///
    /// # Errors
    /// A [`Refusal`] if it is no range of a prompt or a system text, or parts a surrogate pair.
    pub fn pin_units(
        &mut self,
        entry: usize,
        part: Option<usize>,
        units: Range<usize>,
        class: &str,
    ) -> Result<String, Refusal> {
        let mut texts = self.texts(entry).iter();
        let Some((part, text)) = texts.find(|(at, _)| part.is_none_or(|part| part == *at)) else {
            return self.pin(entry, part.unwrap_or(0), 0..0, class);
        };
        let (Some(start), Some(end)) = (byte_at(text, units.start), byte_at(text, units.end))
        else {
            let says = format!(
                "{} to {} is no range of that text, which has {} UTF-16 units: an end lies beyond it or inside a character.",
                units.start,
                units.end,
                text.encode_utf16().count()
            );
            return Err(Refusal::new(RefusalCode::NotVerbatim, says));
        };
        let part = *part;
        self.pin(entry, part, start..end, class)
    }
}

/// The byte at a UTF-16 unit; `None` beyond the end and inside a surrogate pair.
fn byte_at(text: &str, unit: usize) -> Option<usize> {
    let mut units = 0;
    for (byte, c) in text.char_indices() {
        if units >= unit {
            return (units == unit).then_some(byte);
        }
        units += c.len_utf16();
    }
    (units == unit).then_some(text.len())
}
