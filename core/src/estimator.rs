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
    walk.end_run();
    walk.close();
    u32::try_from(walk.cost.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

/// Costs are counted in hundredths of a token.
const UNIT: u64 = 100;

/// What a single sign in front of a word costs.
const JOINED: u64 = 50;

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
    /// Letters of other alphabets: Cyrillic, Greek, Arabic, Devanagari, accented Latin.
    Letters,
    /// Han characters.
    Han,
    /// Kana and Hangul.
    Syllables,
    /// Thai and its neighbours, written without spaces.
    Abugida,
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
    run: Run,
}

/// A run of letters and digits without a gap. Long ones that keep changing case are keys and base64, of
/// which no vocabulary has the pieces.
#[derive(Default)]
struct Run {
    len: u64,
    changes: u64,
    /// What the text cost before the run.
    before: u64,
}

impl Walk {
    fn step(&mut self, c: char) {
        let class = class_of(c);
        self.run_on(c);
        let camel =
            class == Class::Word && c.is_ascii_uppercase() && self.last.is_ascii_lowercase();
        if class != self.class || camel {
            let spaced = self.class == Class::Space && self.len == 1;
            let free = spaced && matches!(class, Class::Word | Class::Punctuation | Class::Letters);
            if free {
                // One space before a word is part of the word's token.
                self.len = 0;
            }
            let joined = self.class == Class::Punctuation && self.len == 1 && class == Class::Word;
            if joined {
                // So is one sign: `/src`, `.rs`, `_name`; not every vocabulary has every pair.
                self.len = 0;
                self.cost += JOINED;
            }
            self.close();
            self.class = class;
            self.spaced = free;
        }
        self.len += 1;
        self.last = c;
    }

    fn run_on(&mut self, c: char) {
        if !c.is_ascii_alphanumeric() {
            self.end_run();
            return;
        }
        if self.run.len == 0 {
            self.run.before = self.cost;
        }
        let kind = |c: char| (c.is_ascii_lowercase(), c.is_ascii_uppercase(), c.is_ascii_digit());
        self.run.changes += u64::from(self.run.len > 0 && kind(c) != kind(self.last));
        self.run.len += 1;
    }

    fn end_run(&mut self) {
        let Run { len, changes, before } = core::mem::take(&mut self.run);
        if len >= 16 && changes * 3 >= len {
            self.close();
            self.cost = self.cost.max(before + len * 65);
        }
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
            Class::Han => len * 68,
            Class::Syllables => len * 62,
            Class::Abugida => 60 + len * 40,
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
        | '\u{0300}'..='\u{0DFF}'
        | '\u{10A0}'..='\u{10FF}'
        | '\u{1E00}'..='\u{1FFF}' => Class::Letters,
        '\u{0E00}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' => Class::Abugida,
        '\u{1100}'..='\u{11FF}'
        | '\u{3040}'..='\u{30FF}'
        | '\u{3130}'..='\u{318F}'
        | '\u{AC00}'..='\u{D7AF}'
        | '\u{FF00}'..='\u{FFEF}' => Class::Syllables,
        '\u{2E80}'..='\u{303F}'
        | '\u{3100}'..='\u{312F}'
        | '\u{3190}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}' => Class::Han,
        c if c.is_whitespace() => Class::Space,
        _ => Class::Symbols,
    }
}
