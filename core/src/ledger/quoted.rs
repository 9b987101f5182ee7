//! What of a prompt its writer may not have said: code and tool output, which are never scanned, and quotations, whose
//! words nobody has to mean.

use alloc::vec::Vec;
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
/// Left out are code fences that name another language than text, and blocks in the tags of harnesses. Lines quoted by
/// `>`, and those in a fence without a name, are told apart: somebody else may have said them, or the writer may just
/// have pasted his own rules. What is not closed goes on to the end of the text.
pub(super) struct OwnLines<'t> {
    text: &'t str,
    at: usize,
    /// The open fence that holds code.
    code: Option<Fence>,
    /// The open fence that holds words, and whether it has no name; code may be fenced inside it.
    words: Option<(Fence, bool)>,
    /// Whether the line before was quoted.
    quoted: bool,
    /// Something was left out before the next line.
    torn: bool,
    /// The first `<` that was not looked at; the text's end if there is none.
    tag: usize,
}

/// A line with its end, what an output tag leaves of one, or a run of empty lines.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Line {
    pub(super) bytes: Range<usize>,
    /// Whether something was left out right before it, or a quotation begins or ends here.
    pub(super) torn: bool,
    /// Whether it is quoted.
    pub(super) quoted: bool,
}

impl<'t> OwnLines<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let tag = text.find('<').unwrap_or(text.len());
        Self { text, at: 0, code: None, words: None, quoted: false, torn: false, tag }
    }

    /// What a line is where it stands.
    fn place(&mut self, line: &str) -> Place {
        let line = line.trim_ascii();
        let unnamed = self.words.is_some_and(|(_, unnamed)| unnamed);
        // Nearly every line begins with something else.
        if self.code.is_none() && !line.starts_with(['`', '~', '>']) {
            return if unnamed { Place::Quoted } else { Place::Own };
        }
        if let Some(fence) = self.code {
            if fence.is_closed_by(line) {
                self.code = None;
            }
        } else if self.words.is_some_and(|(fence, _)| fence.is_closed_by(line)) {
            self.words = None;
        } else if let Some((fence, name)) = Fence::opened_by(line) {
            if self.words.is_none()
                && (name.is_empty() || WORDS.iter().any(|word| name.eq_ignore_ascii_case(word)))
            {
                self.words = Some((fence, name.is_empty()));
            } else {
                self.code = Some(fence);
            }
        } else {
            // `>=` and its like begin other things.
            let quoted = unnamed || line.starts_with('>') && !line.starts_with(">=");
            return if quoted { Place::Quoted } else { Place::Own };
        }
        Place::Outside
    }

    /// Where the next output tag begins before byte `end`, and where what it tags ends.
    fn tagged(&mut self, end: usize) -> Option<Range<usize>> {
        let mut from = self.at;
        loop {
            if self.tag < from {
                self.tag = match self.text.as_bytes().get(from) {
                    // One right behind another is no reason to begin a search.
                    Some(b'<') => from,
                    _ => self.text[from..].find('<').map_or(self.text.len(), |it| from + it),
                };
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

/// What harnesses put into a text between their tags.
pub(super) fn outputs(text: &str) -> Vec<Range<usize>> {
    let mut lines = OwnLines::of(text);
    let mut found = Vec::new();
    while let Some(tagged) = lines.tagged(text.len()) {
        lines.at = tagged.end;
        found.push(tagged);
    }
    found
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
                return Some(Line { bytes: start..self.at, torn, quoted: self.quoted });
            }
            let end = rest.find('\n').map_or(self.text.len(), |length| start + length + 1);
            let line = &self.text[start..end];
            let place = self.place(line);
            if place == Place::Outside {
                self.at = end;
                self.torn = true;
                continue;
            }
            let quoted = place == Place::Quoted;
            let torn = self.torn || quoted != self.quoted;
            self.quoted = quoted;
            // Past the marks of a quotation.
            let start = start
                + if quoted {
                    line.len() - line.trim_start_matches(['>', ' ', '\t']).len()
                } else {
                    0
                };
            let Some(tagged) = self.tagged(end) else {
                self.at = end;
                self.torn = false;
                return Some(Line { bytes: start..end, torn, quoted });
            };
            self.at = tagged.end;
            self.torn = true;
            if tagged.start > start {
                return Some(Line { bytes: start..tagged.start, torn, quoted });
            }
        }
        None
    }
}

/// What a line is.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Place {
    Own,
    Quoted,
    /// In a fence that holds code, or the mark of a fence.
    Outside,
}

/// A code fence: three or more of one character.
#[derive(Clone, Copy)]
pub(super) struct Fence {
    mark: u8,
    length: usize,
}

impl Fence {
    /// The fence that a line opens, and what it calls itself.
    fn opened_by(line: &str) -> Option<(Self, &str)> {
        let fence = Self::at_start_of(line)?;
        let info = line.get(fence.length..)?;
        // Three backticks with more of them later are code inside a line.
        if fence.mark == b'`' && info.contains('`') {
            return None;
        }
        Some((fence, info.split_whitespace().next().unwrap_or_default()))
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
