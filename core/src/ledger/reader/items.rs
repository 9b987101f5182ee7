//! The items of a list, each of which begins with its marker.

use super::Reader;
use crate::ledger::markers;

impl Reader<'_> {
    /// The marker of an item, where a line begins: it is no word, and behind it a clause begins.
    pub(super) fn marker(&mut self) {
        let bytes = self.text.as_bytes();
        let gap = bytes.get(self.at..).unwrap_or_default();
        self.at += gap.iter().take_while(|&&it| it == b' ' || it == b'\t').count();
        // Nearly every line begins with a word.
        let begins = match *bytes.get(self.at..).unwrap_or_default() {
            [b'a'..=b'z' | b'A'..=b'Z', next, ..] => next == b')',
            // `一、`
            [0xE4 | 0xE5, _, _, next, ..] => next == 0xE3,
            // `・`
            [0xE3, 0x83, 0xBB, ..] => true,
            [first, ..] => matches!(first, b'!'..=b'@' | 0xC2 | 0xE2 | 0xEF),
            [] => false,
        };
        if begins {
            self.item();
        }
    }

    #[cold]
    fn item(&mut self) {
        let line = self.text.get(self.at..).unwrap_or_default();
        let length = markers::length(line);
        if length > 0 {
            self.at += length;
            if self.seen.words > 0 {
                self.clause();
                self.item = true;
            }
        }
    }
}
