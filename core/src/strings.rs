//! The strings that an agent uses again: ids, paths, symbols, numbers with a sign in them, addresses.
//!
//! What is still needed of an old result is mostly a few of these. A word of plain prose is none: it can be said anew.

/// A shorter one says too little to be missed, a longer one is data.
const LENGTH: core::ops::RangeInclusive<usize> = 4..=120;

/// The strings of `text` that may be needed again, in its order.
pub(crate) fn strings(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    core::iter::from_fn(move || {
        loop {
            let start = at + bytes.get(at..)?.iter().position(|&it| KINDS[it as usize] != 0)?;
            let mut kinds = 0;
            let mut humps = false;
            let mut before = 0;
            let rest = bytes.get(start..)?;
            let length = rest.iter().position(|&byte| {
                let kind = KINDS[byte as usize];
                humps |= kind == UPPER && before == LOWER;
                before = kind;
                kinds |= kind;
                kind == 0
            });
            at = start + length.unwrap_or(rest.len());
            // Most words end here.
            if !humps && kinds & (DIGIT | INNER) == 0 {
                continue;
            }
            // What closes a tag is known from what opened it.
            if bytes[start] == b'/' && start.checked_sub(1).is_some_and(|at| bytes[at] == b'<') {
                continue;
            }
            let string = trim(text.get(start..at)?);
            if LENGTH.contains(&string.len()) && (humps || is_marked(string)) {
                return Some(string);
            }
        }
    })
}

/// A number for a string, which stands for it where strings are compared. FNV-1a.
pub(crate) fn key(string: &str) -> u64 {
    string.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

const LOWER: u8 = 1;
const UPPER: u8 = 2;
const DIGIT: u8 = 4;
/// Signs that join the pieces of a name.
const INNER: u8 = 8;
/// Signs that may stand in one.
const OTHER: u8 = 16;

const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' => LOWER,
            b'A'..=b'Z' => UPPER,
            b'0'..=b'9' => DIGIT,
            b'.' | b'/' | b':' | b'_' | b'-' => INNER,
            b'@' | b'#' | b'~' | b'$' | b'%' | b'+' => OTHER,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

/// Without the signs that end a sentence or begin a list.
fn trim(string: &str) -> &str {
    let string = string.trim_start_matches(['.', ':', '-', '#', '%', '+']);
    string.trim_end_matches(['.', ':', '-', '#', '%', '+', '@', '~', '$'])
}

fn is_marked(string: &str) -> bool {
    string.bytes().any(|byte| KINDS[byte as usize] & (DIGIT | INNER) != 0)
}
