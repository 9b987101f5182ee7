//! Estimates the tokens of a text without a vocabulary.
//!
//! It walks the text as the pre-tokenizers of current models do (words with their leading space, groups of
//! digits, runs of punctuation, white space) and prices each piece by its kind and length. `cargo xtask
//! bench` measures it against a real tokenizer.

/// The estimated tokens of `text`. Each line is priced by itself, so the tokens of two texts joined by a
/// line break are at most one more than the sum.
pub fn estimate(text: &str) -> u32 {
    let mut walk = Walk::default();
    walk.on(text);
    walk.tokens()
}

/// The estimated tokens of a JSON string, given as it stands between its quotes; `None` where it has characters by their
/// numbers. A text that is read for its price alone need not be written out.
pub(crate) fn estimate_escaped(inner: &str) -> Option<u32> {
    let mut walk = Walk::default();
    let mut pieces = inner.split('\\');
    walk.on(pieces.next()?);
    while let Some(piece) = pieces.next() {
        let Some(&escaped) = piece.as_bytes().first() else {
            // A backslash that is escaped: the text goes on behind the second one.
            walk.on("\\");
            walk.on(pieces.next()?);
            continue;
        };
        let (sign, rest) = (&piece[..1], &piece[1..]);
        walk.on(match escaped {
            b'"' | b'/' => sign,
            b'b' => "\u{8}",
            b'f' => "\u{c}",
            b'n' => "\n",
            b'r' => "\r",
            b't' => "\t",
            _ => return None,
        });
        walk.on(rest);
    }
    Some(walk.tokens())
}

/// Costs are counted in hundredths of a token.
const UNIT: u64 = 100;

/// From how many letters and digits on a run may be a key.
const LONG: u64 = 16;

/// What a single sign in front of a word costs.
const JOINED: u64 = 50;

/// What a character is. A piece is a run of one kind, but that words may have letters of either case.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Kind {
    #[default]
    None,
    /// ASCII letters; an upper-case letter after a lower-case one begins a new piece.
    Lower,
    Upper,
    Digit,
    Space,
    Newline,
    Punctuation,
    /// Letters of other alphabets: Cyrillic, Greek, Arabic, Devanagari, accented Latin.
    Letter,
    /// Han characters.
    Han,
    /// Kana and Hangul.
    Syllable,
    /// Thai and its neighbours, written without spaces.
    Abugida,
    /// Everything else: emoji, symbols, box drawing.
    Symbol,
}

/// The kinds of the bytes that are characters by themselves, of which most texts are made; none of the others.
const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::None; 256];
    let mut byte = 0;
    while byte < 128 {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' => Kind::Lower,
            b'A'..=b'Z' => Kind::Upper,
            b'0'..=b'9' => Kind::Digit,
            b'\n' | b'\r' => Kind::Newline,
            b' ' | b'\t' | 0x0B | 0x0C => Kind::Space,
            b'!'..=b'~' => Kind::Punctuation,
            _ => Kind::Symbol,
        };
        byte += 1;
    }
    kinds
};

#[derive(Default)]
struct Walk {
    /// The kind of the piece that is open, of words that of small letters, and its length.
    piece: Kind,
    len: u64,
    last: Kind,
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
    /// Goes on over `text`.
    fn on(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let kind = KINDS[usize::from(byte)];
            if kind == Kind::None {
                let Some(c) = text[at..].chars().next() else { break };
                self.step(kind_of(c), 1);
                at += c.len_utf8();
                continue;
            }
            let start = at;
            at += 1;
            while bytes.get(at).is_some_and(|&byte| KINDS[usize::from(byte)] == kind) {
                at += 1;
            }
            self.step(kind, (at - start) as u64);
        }
    }

    /// The tokens of all of it.
    fn tokens(mut self) -> u32 {
        self.end_run();
        self.close();
        u32::try_from(self.cost.div_ceil(UNIT)).unwrap_or(u32::MAX)
    }

    /// Takes in `len` characters of one kind.
    #[inline]
    fn step(&mut self, kind: Kind, len: u64) {
        if matches!(kind, Kind::Lower | Kind::Upper | Kind::Digit) {
            if self.run.len == 0 {
                self.run.before = self.cost;
            } else {
                self.run.changes += u64::from(kind != self.last);
            }
            self.run.len += len;
        } else {
            self.end_run();
        }
        let piece = if kind == Kind::Upper { Kind::Lower } else { kind };
        let camel = kind == Kind::Upper && self.last == Kind::Lower;
        if piece != self.piece || camel {
            let spaced = self.piece == Kind::Space && self.len == 1;
            let free = spaced && matches!(piece, Kind::Lower | Kind::Punctuation | Kind::Letter);
            let joined = self.piece == Kind::Punctuation && self.len == 1 && piece == Kind::Lower;
            if joined {
                // One sign before a word is part of the word's token: `/src`, `.rs`, `_name`; not every vocabulary has
                // every pair.
                self.cost += JOINED;
            } else if !free {
                // So is one space.
                self.close();
            }
            (self.piece, self.len, self.spaced) = (piece, 0, free);
        }
        self.len += len;
        self.last = kind;
    }

    fn end_run(&mut self) {
        let Run { len, changes, before } = core::mem::take(&mut self.run);
        if len >= LONG && changes * 3 >= len {
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
        self.cost += match self.piece {
            Kind::None => 0,
            Kind::Lower | Kind::Upper => word(len, self.spaced),
            Kind::Digit => len.div_ceil(3) * UNIT,
            Kind::Space => (1 + len / 16) * 70,
            Kind::Newline => 60 + (len - 1) * 20,
            Kind::Punctuation => 75 + (len - 1) * 38,
            Kind::Letter => 60 + len * 26,
            Kind::Han => len * 68,
            Kind::Syllable => len * 62,
            Kind::Abugida => 60 + len * 40,
            Kind::Symbol => len * 160,
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

/// The kind of a character that is no byte by itself.
fn kind_of(c: char) -> Kind {
    match c {
        '\u{0080}'..='\u{024F}'
        | '\u{0300}'..='\u{0DFF}'
        | '\u{10A0}'..='\u{10FF}'
        | '\u{1E00}'..='\u{1FFF}' => Kind::Letter,
        '\u{0E00}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' => Kind::Abugida,
        '\u{1100}'..='\u{11FF}'
        | '\u{3040}'..='\u{30FF}'
        | '\u{3130}'..='\u{318F}'
        | '\u{AC00}'..='\u{D7AF}'
        | '\u{FF00}'..='\u{FFEF}' => Kind::Syllable,
        '\u{2E80}'..='\u{303F}'
        | '\u{3100}'..='\u{312F}'
        | '\u{3190}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}' => Kind::Han,
        c if c.is_whitespace() => Kind::Space,
        _ => Kind::Symbol,
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    /// One character at a time, without a table.
    fn naive(text: &str) -> u32 {
        let mut walk = Walk::default();
        for c in text.chars() {
            let kind = match c {
                'a'..='z' => Kind::Lower,
                'A'..='Z' => Kind::Upper,
                '0'..='9' => Kind::Digit,
                '\n' | '\r' => Kind::Newline,
                ' ' | '\t' => Kind::Space,
                '!'..='~' => Kind::Punctuation,
                c => kind_of(c),
            };
            walk.step(kind, 1);
        }
        walk.tokens()
    }

    /// Texts of all kinds of characters, in an order that nobody chose.
    fn texts() -> impl Iterator<Item = String> {
        let signs: Vec<char> =
            "abXYZ09 \t\n\r.,/_\\\"\u{8}\u{b}\u{c}\u{1f}\u{7f}é漢かก😀".chars().collect();
        let mut state = 4711_usize;
        let mut random = move |below: usize| {
            state = (state * 1_103_515_245 + 12345) % (1 << 31);
            state / 7 % below
        };
        (0..2000).map(move |_| {
            let mut text = String::new();
            for _ in 0..random(40) {
                let sign = signs[random(signs.len())];
                (0..=random(5)).for_each(|_| text.push(sign));
            }
            text
        })
    }

    #[test]
    fn runs_cost_what_their_characters_cost() {
        for text in texts() {
            assert_eq!(estimate(&text), naive(&text), "{text:?}");
        }
    }

    #[test]
    fn a_string_costs_what_it_says() {
        let mut told = 0;
        for text in texts() {
            let quoted = crate::json::quote(&text);
            if let Some(found) = estimate_escaped(&quoted[1..quoted.len() - 1]) {
                assert_eq!(found, estimate(&text), "{quoted}");
                told += 1;
            }
        }
        assert!(told > 500, "{told}");
    }
}
