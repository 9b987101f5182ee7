//! What of a prompt is quoted tool output, and so never scanned: whatever stands there was not asked by anybody.

use core::ops::Range;

/// The tags in which harnesses put output into a prompt. `<system-reminder>` is none of them: it holds rules.
const OUTPUT: [&str; 11] = [
    "local-command-stdout",
    "local-command-stderr",
    "bash-stdout",
    "bash-stderr",
    "command-output",
    "tool_result",
    "tool_output",
    "function_results",
    "stdout",
    "stderr",
    "task-notification",
];

/// What a code fence may call itself and still hold words rather than code.
const WORDS: [&str; 7] = ["md", "markdown", "text", "txt", "plaintext", "prompt", "rules"];

/// The lines of a text that are its writer's own words, in their order.
///
/// Left out are code fences (unless they call themselves text), lines quoted by `>`, and blocks in the tags of
/// harnesses. What is not closed goes on to the end of the text.
pub(super) struct OwnLines<'t> {
    text: &'t str,
    at: usize,
    /// The open fence that holds code.
    code: Option<Fence>,
    /// The open fence that holds words; code may be fenced inside it.
    words: Option<Fence>,
    /// Something was left out before the next line.
    torn: bool,
    /// The first `<` that was not looked at; the text's end if there is none.
    tag: usize,
}

/// A line with its end, what an output tag leaves of one, or a run of empty lines.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Line {
    pub(super) bytes: Range<usize>,
    /// Whether something was left out right before it.
    pub(super) torn: bool,
}

impl<'t> OwnLines<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let tag = text.find('<').unwrap_or(text.len());
        Self { text, at: 0, code: None, words: None, torn: false, tag }
    }

    /// Whether the line is no line of words: it is in a fence, opens or closes one, or is quoted.
    fn leaves_out(&mut self, line: &str) -> bool {
        let line = line.trim_ascii();
        // Nearly every line begins with something else.
        if self.code.is_none() && !line.starts_with(['`', '~', '>']) {
            return false;
        }
        if let Some(fence) = self.code {
            if fence.is_closed_by(line) {
                self.code = None;
            }
        } else if self.words.is_some_and(|fence| fence.is_closed_by(line)) {
            self.words = None;
        } else if let Some((fence, holds_words)) = Fence::opened_by(line) {
            if holds_words && self.words.is_none() {
                self.words = Some(fence);
            } else {
                self.code = Some(fence);
            }
        } else {
            // `>=` and its like begin other things.
            return line.starts_with('>') && !line.starts_with(">=");
        }
        true
    }

    /// Where the next output tag begins before byte `end`, and where what it tags ends.
    fn tagged(&mut self, end: usize) -> Option<Range<usize>> {
        let mut from = self.at;
        loop {
            if self.tag < from {
                self.tag = self.text[from..].find('<').map_or(self.text.len(), |it| from + it);
            }
            let open = self.tag;
            if open >= end {
                return None;
            }
            from = open + 1;
            // A tag in backticks is spoken about, not used.
            if !self.text[..open].ends_with('`')
                && let Some(tag) = opened(&self.text[open..])
            {
                let close = closed(self.text, open + tag.len(), tag).unwrap_or(self.text.len());
                return Some(open..close);
            }
        }
    }
}

impl Iterator for OwnLines<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        while self.at < self.text.len() {
            let start = self.at;
            let rest = &self.text[start..];
            let empty = rest.bytes().take_while(|&byte| byte == b'\n').count();
            if empty > 0 && self.code.is_none() {
                // A run of empty lines at once.
                self.at = start + empty;
                let torn = core::mem::take(&mut self.torn);
                return Some(Line { bytes: start..self.at, torn });
            }
            let end = rest.find('\n').map_or(self.text.len(), |length| start + length + 1);
            if self.leaves_out(&self.text[start..end]) {
                self.at = end;
                self.torn = true;
                continue;
            }
            let torn = self.torn;
            let Some(tagged) = self.tagged(end) else {
                self.at = end;
                self.torn = false;
                return Some(Line { bytes: start..end, torn });
            };
            self.at = tagged.end;
            self.torn = true;
            if tagged.start > start {
                return Some(Line { bytes: start..tagged.start, torn });
            }
        }
        None
    }
}

/// A code fence: three or more of one character.
#[derive(Clone, Copy)]
pub(super) struct Fence {
    mark: u8,
    length: usize,
}

impl Fence {
    /// The fence that a line opens, and whether it holds words.
    fn opened_by(line: &str) -> Option<(Self, bool)> {
        let fence = Self::at_start_of(line)?;
        let info = line.get(fence.length..)?;
        // Three backticks with more of them later are code inside a line.
        if fence.mark == b'`' && info.contains('`') {
            return None;
        }
        let name = info.split_whitespace().next().unwrap_or_default();
        Some((fence, WORDS.iter().any(|word| name.eq_ignore_ascii_case(word))))
    }

    fn is_closed_by(self, line: &str) -> bool {
        Self::at_start_of(line).is_some_and(|other| {
            other.mark == self.mark && other.length >= self.length && other.length == line.len()
        })
    }

    fn at_start_of(line: &str) -> Option<Self> {
        let mark = *line.as_bytes().first()?;
        let length = line.bytes().take_while(|&byte| byte == mark).count();
        (matches!(mark, b'`' | b'~') && length >= 3).then_some(Self { mark, length })
    }
}

/// The output tag that `text` begins with, as `<name`.
fn opened(text: &str) -> Option<&str> {
    let name = text.get(1..)?;
    // Nearly everything in angle brackets begins otherwise.
    if !name.starts_with(['l', 'b', 'c', 't', 'f', 's']) {
        return None;
    }
    let tag = OUTPUT.into_iter().find(|tag| {
        name.starts_with(tag)
            && matches!(name.as_bytes().get(tag.len()), Some(b'>' | b' ' | b'\n' | b'\t'))
    })?;
    text.get(..=tag.len())
}

/// The byte after the tag that closes `tag`.
fn closed(text: &str, from: usize, tag: &str) -> Option<usize> {
    let mut at = from;
    while let Some(close) = text[at..].find("</").map(|length| at + length) {
        at = close + 2;
        if text[at..].starts_with(&tag[1..]) {
            return text[at..].find('>').map(|length| at + length + 1);
        }
    }
    None
}
