//! Characters that are of no word: what begins a clause, quotes, or tags.

use super::{Reader, told};
use crate::ledger::bytes::{ODD, TRAITS};

impl Reader<'_> {
    /// A character that is of no word.
    pub(super) fn no_word(&mut self, byte: u8) {
        let bytes = self.text.as_bytes();
        match byte {
            0xE2 => self.dash(),
            b'<' => {
                if !(self.begins_tag() && self.tag()) {
                    self.seen.odd += 1;
                    self.at += 1;
                }
            }
            b'"' => self.quote(0, '"'),
            // Of `«` and its like.
            0xC2 if bytes.get(self.at + 1) == Some(&0xAB) => self.quote(1, '»'),
            b',' | b';' | b':' | b'(' => {
                self.told.sentence |= byte == b':' && told::is_said(self.text, self.at);
                self.at += 1;
                // `10:30`, `a,b`: no clause begins in the middle of a word.
                if byte == b'(' || bytes.get(self.at).is_none_or(|&it| !it.is_ascii_alphanumeric())
                {
                    self.clause();
                }
            }
            _ => {
                self.seen.odd += usize::from(TRAITS[byte as usize] & ODD != 0);
                self.at += 1;
            }
        }
    }

    /// A sign of three bytes: a dash begins a clause.
    fn dash(&mut self) {
        let letter = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        match letter {
            Some('“') => return self.quote(2, '”'),
            Some('„') => return self.quote(2, '“'),
            _ => {}
        }
        self.at += letter.map_or(1, char::len_utf8);
        if letter.is_some_and(|it| matches!(it, '–' | '—' | '→' | '•' | '…')) {
            self.clause();
        }
    }
}
