//! What of a prompt is quoted tool output, and so never scanned: whatever stands there was not asked by anybody.

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

/// The pieces of `text` that are its writer's own words, in their order.
///
/// Left out are code fences (unless they call themselves text), lines quoted by `>`, and blocks in the tags of
/// harnesses. What is not closed goes on to the end of the text.
pub(super) fn own(text: &str) -> Vec<Range<usize>> {
    let mut own = Own { pieces: Vec::new(), words: None };
    let mut at = 0;
    let mut code: Option<Fence> = None;
    while at < text.len() {
        let end = text[at..].find('\n').map_or(text.len(), |length| at + length + 1);
        let line = &text[at..end];
        if let Some(fence) = code {
            code = (!fence.is_closed_by(line)).then_some(fence);
            at = end;
        } else if own.words.is_some_and(|fence| fence.is_closed_by(line)) {
            own.words = None;
            at = end;
        } else if let Some((fence, holds_words)) = Fence::opened_by(line) {
            if holds_words && own.words.is_none() {
                own.words = Some(fence);
            } else {
                code = Some(fence);
            }
            at = end;
        } else if is_quote(line) {
            at = end;
        } else {
            at = own.line(text, at, end);
        }
    }
    own.pieces
}

struct Own {
    pieces: Vec<Range<usize>>,
    /// The open fence that holds words; code may be fenced inside it.
    words: Option<Fence>,
}

impl Own {
    /// Takes a line without what is tagged as output in it, and says where to go on.
    fn line(&mut self, text: &str, start: usize, end: usize) -> usize {
        let mut from = start;
        let mut at = start;
        while let Some(open) = text[at..end].find('<').map(|length| at + length) {
            at = open + 1;
            // A tag in backticks is spoken about, not used.
            if text[..open].ends_with('`') {
                continue;
            }
            let Some(tag) = opened(&text[open..]) else { continue };
            self.push(from, open);
            let Some(close) = closed(text, open + tag.len(), tag) else { return text.len() };
            if close > end {
                // The rest of that line is a line of its own.
                return close;
            }
            (from, at) = (close, close);
        }
        self.push(from, end);
        end
    }

    fn push(&mut self, start: usize, end: usize) {
        match self.pieces.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ if start < end => self.pieces.push(start..end),
            _ => {}
        }
    }
}

/// A code fence: three or more of one character.
#[derive(Clone, Copy)]
struct Fence {
    mark: u8,
    length: usize,
}

impl Fence {
    /// The fence that a line opens, and whether it holds words.
    fn opened_by(line: &str) -> Option<(Self, bool)> {
        let line = line.trim();
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
        let line = line.trim();
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

/// Whether a line is quoted by `>`; `>=` and `>>` begin other things.
fn is_quote(line: &str) -> bool {
    let mut bytes = line.trim_start().bytes();
    bytes.next() == Some(b'>') && bytes.next() != Some(b'=')
}

/// The output tag that `text` begins with, as `<name`.
fn opened(text: &str) -> Option<&str> {
    let name = text.get(1..)?;
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
