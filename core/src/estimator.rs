//! Estimates the tokens of a text without a vocabulary.
//!
//! It walks the text as the pre-tokenizers of current models do (words with their leading space, groups of
//! digits, runs of punctuation, white space) and prices each piece by its kind and length. `cargo xtask
//! bench` measures it against a real tokenizer.

/// The estimated tokens of `text`. Each line is priced by itself, so the tokens of two texts joined by a
/// line break are at most one more than the sum.
pub fn estimate(text: &str) -> u32 {
    let mut walk = Walk::default();
    for c in text.chars() {
        walk.step(c);
    }
    walk.close();
    u32::try_from(walk.cost.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

/// Costs are counted in hundredths of a token.
const UNIT: u64 = 100;

/// The kinds of piece.
#[derive(Clone, Copy, Default, Eq, PartialEq)]
enum Class {
    #[default]
    None,
    /// ASCII letters; an upper-case letter after a lower-case one begins a new piece.
    Word,
    Digits,
    Space,
    Newline,
    Punctuation,
    /// Letters of other alphabets: Cyrillic, Greek, Arabic, accented Latin.
    Letters,
    /// Scripts without spaces, and syllables.
    Ideographs,
    /// Everything else: emoji, symbols, box drawing.
    Symbols,
}

#[derive(Default)]
struct Walk {
    class: Class,
    len: u64,
    last: char,
    spaced: bool,
    cost: u64,
}

impl Walk {
    fn step(&mut self, c: char) {
        let class = class_of(c);
        let camel =
            class == Class::Word && c.is_ascii_uppercase() && self.last.is_ascii_lowercase();
        if class != self.class || camel {
            let spaced = self.class == Class::Space && self.len == 1;
            let free = spaced && matches!(class, Class::Word | Class::Punctuation | Class::Letters);
            if free {
                // One space before a word is part of the word's token.
                self.len = 0;
            }
            self.close();
            self.class = class;
            self.spaced = free;
        }
        self.len += 1;
        self.last = c;
    }

    /// Prices the piece that is open.
    fn close(&mut self) {
        let len = self.len;
        self.len = 0;
        if len == 0 {
            return;
        }
        self.cost += match self.class {
            Class::None => 0,
            Class::Word => word(len, self.spaced),
            Class::Digits => len.div_ceil(3) * UNIT,
            Class::Space => (1 + len / 16) * 70,
            Class::Newline => 60 + (len - 1) * 20,
            Class::Punctuation => 75 + (len - 1) * 38,
            Class::Letters => 60 + len * 26,
            Class::Ideographs => len * 82,
            Class::Symbols => len * 160,
        };
    }
}

/// Short words are one token, with their space; long ones are cut into pieces of four to five letters.
/// Without a space before it a piece is more often part of an identifier, which costs a little more.
fn word(len: u64, spaced: bool) -> u64 {
    let base = if spaced { 100 } else { 95 };
    match len {
        0..=5 => base,
        6..=9 => base + (len - 5) * if spaced { 6 } else { 10 },
        _ => base + 30 + (len - 9) * 22,
    }
}

fn class_of(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' => Class::Word,
        '0'..='9' => Class::Digits,
        '\n' | '\r' => Class::Newline,
        ' ' | '\t' => Class::Space,
        '!'..='~' => Class::Punctuation,
        '\u{0080}'..='\u{024F}'
        | '\u{0300}'..='\u{08FF}'
        | '\u{10A0}'..='\u{10FF}'
        | '\u{1E00}'..='\u{1FFF}' => Class::Letters,
        '\u{0900}'..='\u{0E7F}'
        | '\u{0E80}'..='\u{109F}'
        | '\u{1100}'..='\u{11FF}'
        | '\u{2E80}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FFEF}'
        | '\u{20000}'..='\u{3FFFF}' => Class::Ideographs,
        c if c.is_whitespace() => Class::Space,
        _ => Class::Symbols,
    }
}
