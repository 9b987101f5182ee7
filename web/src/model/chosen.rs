//! Words that a person selected: from what the page shows of a text back to the text itself.

use core::ops::Range;

use super::marks::Home;
use super::visible::visible;

/// Words that are selected, and where on the screen they end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chosen {
    pub(crate) home: Home,
    pub(crate) part: usize,
    pub(crate) bytes: Range<usize>,
    /// Pixels from the left and the top of the window.
    pub(crate) at: (f64, f64),
}

/// The bytes of `text` that are shown as the UTF-16 units `shown`. What is shown is the text with its invisible characters
/// written out; a selection that ends within one of those takes it whole. White space at either end is left out.
pub(crate) fn bytes_of(text: &str, shown: Range<usize>) -> Range<usize> {
    let mut unit = 0;
    let (mut start, mut end) = (None, 0);
    let mut buffer = [0; 4];
    for (at, c) in text.char_indices() {
        let next = unit + visible(c.encode_utf8(&mut buffer)).encode_utf16().count();
        if next > shown.start && unit < shown.end && !c.is_whitespace() {
            start = start.or(Some(at));
            end = at + c.len_utf8();
        }
        if next >= shown.end {
            break;
        }
        unit = next;
    }
    start.map_or(0..0, |start| start..end)
}

#[cfg(test)]
mod tests {
    use super::bytes_of;
    use crate::model::visible::visible;

    fn check(text: &str, shown: &str, words: &str) {
        let seen = visible(text);
        let at = seen.find(shown).expect("it is shown");
        let start = seen[..at].encode_utf16().count();
        let range = bytes_of(text, start..start + shown.encode_utf16().count());
        assert_eq!(&text[range], words, "{text:?} {shown:?}");
    }

    #[test]
    fn what_is_selected_is_found_in_the_text() {
        check("Never touch it.", "touch", "touch");
        check("a 👩‍💻 日本語 b", "日本", "日本");
        check("a 👩‍💻 b", "👩‍💻 b", "👩‍💻 b");
        check("line one\r\nline two", "one\r\nline", "one\r\nline");
    }

    #[test]
    fn white_space_around_the_words_is_not_selected() {
        check("Do it.\n\nNever ask.", "\n\nNever ask.", "Never ask.");
        check("one two", " ", "");
    }

    #[test]
    fn what_is_written_out_is_taken_whole() {
        check("a\u{202E}b c", "⟨U+202E⟩b", "\u{202E}b");
        check("a\u{202E}b c", "2E⟩b", "\u{202E}b");
        check("a\u{202E}b c", "b c", "b c");
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(bytes_of("abc", 2..2), 0..0);
        assert_eq!(bytes_of("abc", 7..9), 0..0);
    }
}
