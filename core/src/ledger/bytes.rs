//! What each byte of a sentence may be part of, so that a reader knows a token by one look at each.

/// What each byte is: several of the following.
pub(super) const TRAITS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            0..=b' ' | b'`' | 0xE0 | 0xE1 | 0xE3..=0xEF => END,
            // It may be emphasis, which needs a second look.
            b'_' => WORD | OTHER,
            // The last are of `é` and its like, first byte and second.
            b'a'..=b'z' | b'A'..=b'Z' | 0xC3..=0xDF | 0x80..=0xBF => WORD,
            b'0'..=b'9' => WORD | DIGIT | SHAPED,
            b'.' => DOT,
            b'/' => SHAPED,
            b'*' | b'\\' => SHAPED | ODD,
            // `£` and `€` begin with the last two.
            b'$' | 0xC2 | 0xE2 => MONEY,
            b'{' | b'}' | b'<' | b'>' | b'=' | b'|' | b'[' | b']' | b'%' | b'&' => ODD,
            _ => OTHER,
        };
        byte += 1;
    }
    table
};

/// Ends a token: white space, a backtick, a letter of a writing without spaces.
pub(super) const END: u8 = 1;
/// Of a word.
pub(super) const WORD: u8 = 2;
/// A token with such a byte may be a literal.
pub(super) const SHAPED: u8 = 4;
pub(super) const DOT: u8 = 8;
pub(super) const DIGIT: u8 = 16;
pub(super) const MONEY: u8 = 32;
/// Prose has few of them.
pub(super) const ODD: u8 = 64;
pub(super) const OTHER: u8 = 128;
