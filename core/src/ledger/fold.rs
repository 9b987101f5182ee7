//! Letters as the words of the lexicon have them: without capitals, accents and width, however they were typed.

/// What white space, dashes and emphasis between two words are folded to.
pub(super) const SPACE: u8 = b' ';

/// More than that many signs between two words tear them apart.
const WIDEST_GAP: usize = 12;

/// ASCII in lower case; one space for everything that may stand between the words of a phrase.
pub(super) const ASCII: [u8; 128] = {
    let mut table = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | b'-' | b'*' => SPACE,
            b'`' => b'\'',
            other => other.to_ascii_lowercase(),
        };
        byte += 1;
    }
    table
};

/// Whether a byte goes on with a word of a writing that puts spaces between words: a letter, a digit, an underscore, or the
/// first byte of a letter beyond ASCII.
pub(super) const IN_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(
            byte as u8,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | 0xC3..=0xDF
        );
        byte += 1;
    }
    table
};

/// A folded character: up to three bytes, none for an accent that was typed as a character of its own.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Letter {
    bytes: [u8; 3],
    length: u8,
}

impl Letter {
    const NONE: Self = Self { bytes: [0; 3], length: 0 };

    const fn plain(byte: u8) -> Self {
        Self { bytes: [byte, 0, 0], length: 1 }
    }

    /// Itself, in UTF-8. What lies outside the first plane is no letter of any word here.
    fn of(letter: char) -> Self {
        let mut bytes = [0; 4];
        let length = letter.encode_utf8(&mut bytes).len();
        let [first, second, third, _] = bytes;
        if length > 3 {
            return Self::plain(0);
        }
        Self { bytes: [first, second, third], length: length as u8 }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length as usize).unwrap_or_default()
    }
}

/// The folded character at byte `at` of `text`, and the byte behind it; `None` at its end.
pub(super) fn letter(text: &str, at: usize) -> Option<(Letter, usize)> {
    let letter = text.get(at..)?.chars().next()?;
    let next = at + letter.len_utf8();
    let folded = match letter {
        '\0'..='\x7F' => Letter::plain(ASCII[letter as usize]),
        'À'..='ž' => match LATIN.get(letter as usize - 0xC0) {
            Some(&plain) if plain != b'.' => Letter::plain(plain),
            _ => Letter::of(letter),
        },
        '\u{300}'..='\u{36F}' => Letter::NONE,
        '’' | '‘' | '´' => Letter::plain(b'\''),
        '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{3000}' => Letter::plain(SPACE),
        '\u{FF01}'..='\u{FF5E}' => Letter::plain(ASCII[letter as usize - 0xFEE0]),
        '\u{3040}'..='\u{30FF}' => return Some(voiced(text, letter, next)),
        '\u{1100}'..='\u{1112}' => return Some(syllable(text, letter, next)),
        _ => Letter::of(letter),
    };
    Some((folded, next))
}

/// The three bytes of an ideograph, a syllable or a kana at byte `at`, which nothing folds; `None` if something might.
pub(super) fn unfolded(bytes: &[u8], at: usize) -> Option<&[u8; 3]> {
    let letter: &[u8; 3] = bytes.get(at..)?.first_chunk()?;
    match letter {
        [0xE4..=0xED, ..] => Some(letter),
        // Kana, unless a voicing mark follows.
        [0xE3, 0x81..=0x83, _]
            if !matches!(bytes.get(at + 3..at + 6), Some([0xE3, 0x82, 0x99 | 0x9A])) =>
        {
            Some(letter)
        }
        _ => None,
    }
}

/// The byte behind the space, dashes and emphasis that go on at byte `at`.
pub(super) fn gap(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default().iter().take(WIDEST_GAP);
    at + rest.take_while(|&&byte| byte < 0x80 && ASCII[byte as usize & 0x7F] == SPACE).count()
}

/// The byte behind the word that goes on at byte `at`.
pub(super) fn word_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(&byte) = bytes.get(at)
        && IN_WORD[byte as usize]
    {
        at += if byte < 0x80 { 1 } else { 2 };
    }
    at
}

/// A kana with its voicing mark, where that was typed as a character of its own.
fn voiced(text: &str, letter: char, next: usize) -> (Letter, usize) {
    let up = match following(text, next) {
        Some('\u{3099}') => 1,
        Some('\u{309A}') => 2,
        _ => return (Letter::of(letter), next),
    };
    let voiced = char::from_u32(letter as u32 + up).unwrap_or(letter);
    (Letter::of(voiced), next + '\u{3099}'.len_utf8())
}

/// A syllable of Hangul whose letters were typed as characters of their own.
fn syllable(text: &str, lead: char, next: usize) -> (Letter, usize) {
    let Some(vowel @ '\u{1161}'..='\u{1175}') = following(text, next) else {
        return (Letter::of(lead), next);
    };
    let mut next = next + vowel.len_utf8();
    let mut tail = 0;
    if let Some(last @ '\u{11A8}'..='\u{11C2}') = following(text, next) {
        tail = last as u32 - 0x11A7;
        next += last.len_utf8();
    }
    let syllable = 0xAC00 + (lead as u32 - 0x1100) * 588 + (vowel as u32 - 0x1161) * 28 + tail;
    (Letter::of(char::from_u32(syllable).unwrap_or(lead)), next)
}

fn following(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

/// The letters from U+00C0 to U+017E without their accents; a dot where a letter stays what it is.
const LATIN: &[u8; 191] = b"aaaaaa.ceeeeiiii.nooooo.ouuuuy.saaaaaa.ceeeeiiii.nooooo.ouuuuy.y\
aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkk.llllllllllnnnnnn...oooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzz";
