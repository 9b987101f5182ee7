//! The words of all languages in one tree of letters, and how text is folded so that it meets them.
//!
//! A lookup begins at the start of a word (or at any letter of a writing without spaces) and goes down the tree as far as
//! it leads, at most the longest phrase: a scan is linear, whatever the text. The tree is a hash table of its edges.

use alloc::vec::Vec;

use super::words::{self, Mark};

/// The words, ready to be looked up.
#[derive(Clone, Debug)]
pub(super) struct Lexicon {
    slots: Vec<Slot>,
    used: usize,
    /// For each node what ends there: a whole word, and the stem of longer ones.
    ends: Vec<[Option<Mark>; 2]>,
}

/// A word or phrase that was found.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Found {
    pub(super) mark: Mark,
    /// The byte after it.
    pub(super) end: usize,
}

/// An edge; `next` is 0 where there is none.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    node: u16,
    letter: u16,
    next: u16,
}

impl Lexicon {
    /// Builds the tree from the tables of [`words`].
    pub(super) fn new() -> Self {
        let mut lexicon = Self { slots: Vec::new(), used: 0, ends: Vec::new() };
        lexicon.slots.resize(1 << 14, Slot::default());
        lexicon.ends.push([None; 2]);
        for (mark, list) in words::all() {
            for phrase in list.split('|') {
                lexicon.add(*mark, phrase.trim());
            }
        }
        lexicon
    }

    /// The longest phrase that begins at byte `at`, with its end on the boundary of a word.
    pub(super) fn longest(&self, text: &str, at: usize) -> Option<Found> {
        let mut found = None;
        let mut node = 0;
        let mut letters = Letters { text, at };
        while let Some(letter) = letters.next() {
            let Some(next) = self.next(node, letter) else { break };
            node = next;
            let [word, stem] = self.ends[node as usize];
            if word.is_none() && stem.is_none() {
                continue;
            }
            let end = letters.at;
            let open = is_spaced(letter) && letters.next().is_some_and(is_spaced);
            letters.at = end;
            if let Some(mark) = if open { stem } else { word.or(stem) } {
                let end = if open { word_end(text, end) } else { end };
                found = Some(Found { mark, end });
            }
        }
        found
    }

    /// Adds a phrase, in the spellings that people give it.
    fn add(&mut self, mark: Mark, phrase: &str) {
        if phrase.is_empty() {
            return;
        }
        self.add_spelling(mark, phrase.chars());
        if phrase.contains('\'') {
            // As typed in haste.
            self.add_spelling(mark, phrase.chars().filter(|&letter| letter != '\''));
        }
        if phrase.contains(['ä', 'ö', 'ü', 'ß']) {
            self.add_spelling(mark, phrase.chars().flat_map(spelt_out));
        }
    }

    fn add_spelling(&mut self, mark: Mark, letters: impl Iterator<Item = char>) {
        let mut node = 0;
        let mut stem = false;
        for letter in letters {
            if letter == '*' {
                stem = true;
                continue;
            }
            let letter = fold(letter);
            node = match self.next(node, letter) {
                Some(next) => next,
                None => self.grow(node, letter),
            };
        }
        if let Some(end) = self.ends.get_mut(node as usize) {
            // The first table that names a word says what it is.
            end[usize::from(stem)].get_or_insert(mark);
        }
    }

    fn grow(&mut self, node: u16, letter: u16) -> u16 {
        if self.used * 2 >= self.slots.len() {
            let old = core::mem::take(&mut self.slots);
            self.slots.resize(old.len() * 2, Slot::default());
            for slot in old {
                if slot.next != 0 {
                    let seat = self.seat(slot.node, slot.letter);
                    self.slots[seat] = slot;
                }
            }
        }
        let next = self.ends.len() as u16;
        self.ends.push([None; 2]);
        let seat = self.seat(node, letter);
        self.slots[seat] = Slot { node, letter, next };
        self.used += 1;
        next
    }

    fn next(&self, node: u16, letter: u16) -> Option<u16> {
        let slot = self.slots[self.seat(node, letter)];
        (slot.next != 0).then_some(slot.next)
    }

    /// Where the edge stands, or would.
    fn seat(&self, node: u16, letter: u16) -> usize {
        let key = u32::from(node) << 16 | u32::from(letter);
        let mask = self.slots.len() - 1;
        let mut seat = (key.wrapping_mul(0x9E37_79B1) >> 12) as usize & mask;
        loop {
            let slot = self.slots[seat];
            if slot.next == 0 || slot.node == node && slot.letter == letter {
                return seat;
            }
            seat = (seat + 1) & mask;
        }
    }
}

/// The letter of white space, dashes and emphasis between two words.
const SPACE: u16 = b' ' as u16;
/// More than that many signs between two words tear them apart.
const WIDEST_GAP: usize = 12;

/// Folded letters of a text, from one byte on.
struct Letters<'t> {
    text: &'t str,
    at: usize,
}

impl Letters<'_> {
    fn next(&mut self) -> Option<u16> {
        let bytes = self.text.as_bytes();
        let &byte = bytes.get(self.at)?;
        if byte < 0x80 {
            self.at += 1;
            let letter = ASCII[byte as usize];
            if letter != SPACE {
                // Accents typed as characters of their own begin with these two bytes.
                if matches!(bytes.get(self.at), Some(0xCC | 0xCD)) {
                    self.skip_accents();
                }
                return Some(letter);
            }
            return Some(self.gap());
        }
        let letter = self.text.get(self.at..)?.chars().next()?;
        self.at += letter.len_utf8();
        match letter {
            '\u{3000}' | '\u{A0}' | '\u{2009}' | '\u{202F}' => return Some(self.gap()),
            '\u{3040}'..='\u{30FF}' => return Some(self.voiced(letter)),
            '\u{1100}'..='\u{1112}' => return Some(self.syllable(letter)),
            _ => {}
        }
        if matches!(bytes.get(self.at), Some(0xCC | 0xCD)) {
            self.skip_accents();
        }
        Some(fold(letter))
    }

    fn gap(&mut self) -> u16 {
        let bytes = self.text.as_bytes();
        let rest = bytes[self.at..].iter().take(WIDEST_GAP);
        self.at += rest.take_while(|&&byte| ASCII[byte as usize] == SPACE).count();
        SPACE
    }

    fn skip_accents(&mut self) {
        while let Some(letter @ '\u{300}'..='\u{36F}') = self.peek() {
            self.at += letter.len_utf8();
        }
    }

    /// A kana with its voicing mark, where that is typed as a character of its own.
    fn voiced(&mut self, letter: char) -> u16 {
        let up = match self.peek() {
            Some('\u{3099}') => 1,
            Some('\u{309A}') => 2,
            _ => return letter as u16,
        };
        self.at += '\u{3099}'.len_utf8();
        letter as u16 + up
    }

    /// A syllable of Hangul whose letters are characters of their own.
    fn syllable(&mut self, lead: char) -> u16 {
        let Some(vowel @ '\u{1161}'..='\u{1175}') = self.peek() else { return lead as u16 };
        self.at += vowel.len_utf8();
        let tail = match self.peek() {
            Some(tail @ '\u{11A8}'..='\u{11C2}') => {
                self.at += tail.len_utf8();
                tail as u32 - 0x11A7
            }
            _ => 0,
        };
        let syllable = (lead as u32 - 0x1100) * 588 + (vowel as u32 - 0x1161) * 28 + tail;
        (0xAC00 + syllable) as u16
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }
}

/// The byte after the word that byte `at` is inside of.
pub(super) fn word_end(text: &str, at: usize) -> usize {
    let mut letters = Letters { text, at };
    loop {
        let at = letters.at;
        if !letters.next().is_some_and(is_spaced) {
            return at;
        }
    }
}

/// Whether a folded letter is of a writing that puts spaces between words, so that a word ends where they end.
fn is_spaced(letter: u16) -> bool {
    match letter {
        0..0x80 => (letter as u8).is_ascii_alphanumeric() || letter == u16::from(b'_'),
        0x80..0xC0 => false,
        _ => letter < 0x2000,
    }
}

/// A letter without capitals, accents and width; what lies outside the first plane is no letter of any word here.
fn fold(letter: char) -> u16 {
    let folded = match letter {
        '\0'..='\x7F' => return ASCII[letter as usize],
        'À'..='ž' => match LATIN.get(letter as usize - 0xC0) {
            Some(&plain) if plain != b'.' => plain as char,
            _ => letter,
        },
        '’' | '‘' | '´' | '＇' => '\'',
        '\u{FF01}'..='\u{FF5E}' => {
            let plain = (letter as u32 - 0xFEE0) as u8;
            return ASCII[plain as usize];
        }
        _ => letter,
    };
    u16::try_from(u32::from(folded)).unwrap_or(0xFFFF)
}

/// `ä` as `ae`, as it is typed where there is no such key.
fn spelt_out(letter: char) -> impl Iterator<Item = char> {
    let (first, second) = match letter {
        'ä' => ('a', Some('e')),
        'ö' => ('o', Some('e')),
        'ü' => ('u', Some('e')),
        'ß' => ('s', Some('s')),
        other => (other, None),
    };
    core::iter::once(first).chain(second)
}

/// ASCII in lower case, with one letter for everything that may stand between the words of a phrase.
const ASCII: [u16; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | b'-' | b'*' => SPACE,
            b'`' => b'\'' as u16,
            other => other.to_ascii_lowercase() as u16,
        };
        byte += 1;
    }
    table
};

/// The letters from U+00C0 to U+017E without their accents; a dot where a letter stays what it is.
const LATIN: &[u8; 191] = b"aaaaaa.ceeeeiiii.nooooo.ouuuuy.saaaaaa.ceeeeiiii.nooooo.ouuuuy.y\
aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkk.llllllllllnnnnnn...oooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzz";
