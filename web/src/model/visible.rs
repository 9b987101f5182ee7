//! Text from a transcript as a person can trust it: what would be invisible, or would turn the line around, is shown.

use core::fmt::Write as _;
use std::borrow::Cow;

/// `text` with control characters and direction marks written as what they are.
///
/// The page never gives such text to a parser of markup; this is about what a reader sees.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_hidden(c) {
            let _ = write!(shown, "⟨U+{:04X}⟩", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

fn is_hidden(c: char) -> bool {
    let control = c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    let direction = matches!(c,
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    // Invisible, and used to hide instructions from a person: zero-width, and the tag characters.
    let zero = matches!(c, '\u{200B}' | '\u{2060}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}');
    control || direction || zero
}

/// The first `width` characters of `text` on one line, white space being one space.
pub(crate) fn one_line(text: &str, width: usize) -> String {
    let mut line = String::new();
    let mut taken = 0;
    let mut gap = false;
    for c in text.chars() {
        if c.is_whitespace() {
            gap = !line.is_empty();
            continue;
        }
        if taken >= width {
            line.push('…');
            break;
        }
        if gap {
            line.push(' ');
            taken += 1;
            gap = false;
        }
        line.push(c);
        taken += 1;
    }
    visible(&line).into_owned()
}

/// The first `limit` characters of `text`, and how many more there are.
pub(crate) fn capped(text: &str, limit: usize) -> (&str, usize) {
    match text.char_indices().nth(limit) {
        Some((at, _)) => (&text[..at], text[at..].chars().count()),
        None => (text, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::{capped, one_line, visible};

    #[test]
    fn direction_marks_are_written_out() {
        assert_eq!(visible("a\u{202E}b"), "a⟨U+202E⟩b");
        assert_eq!(visible("a\u{200B}\u{1b}[31m"), "a⟨U+200B⟩⟨U+001B⟩[31m");
        assert_eq!(visible("Grüße\n\t日本 👩‍💻"), "Grüße\n\t日本 👩‍💻");
    }

    #[test]
    fn one_line_is_one_line() {
        assert_eq!(one_line("  a\n\n b\tc ", 20), "a b c");
        assert_eq!(one_line("abcdef", 3), "abc…");
        assert_eq!(one_line("äöü", 3), "äöü");
    }

    #[test]
    fn a_cap_counts_what_it_hides() {
        assert_eq!(capped("äöüß", 2), ("äö", 2));
        assert_eq!(capped("ab", 2), ("ab", 0));
    }
}
