//! The text of a result cut down in place: its beginning, its end, and in between what says that something failed. What is
//! missing is counted where it stood: `[… 1204 tokens cut]`.
//!
//! JSON stays JSON: its strings and lists are cut, not the text around them. Every byte that is left stood there before, so
//! that a verifier can tell what was cut from the two texts alone.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::iter::once;
use core::ops::Range;

use crate::estimator::estimate;
use crate::json::Node;

/// What is cut out of a text, and what stands there instead.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Gap {
    /// The bytes that are cut.
    pub(crate) range: Range<usize>,
    form: Form,
}

/// How a gap says that it is one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Form {
    /// As it is.
    Bare,
    /// As a string in a JSON list.
    Element,
    /// As a member of a JSON object.
    Member,
}

/// In tokens: no gap is worth less than what it says of itself.
const LEAST_GAP: u64 = 16;

/// How many times its length a text is gone through, at most, to find out what was cut.
const MOST_LOOKS: usize = 16;

/// One part in so many of a text is for the lines in its middle that say what failed.
const FAILURES: u64 = 3;

impl Gap {
    /// What stands in place of the gap.
    pub(crate) fn says(&self, text: &str) -> String {
        let tokens = tokens_cut(&text[self.range.clone()]);
        match self.form {
            Form::Bare => alloc::format!("{OPEN}{tokens}{CLOSE}"),
            Form::Element => alloc::format!("\"{OPEN}{tokens}{CLOSE}\""),
            Form::Member => alloc::format!("\"{OPEN}{tokens}{CLOSE}\":null"),
        }
    }
}

const OPEN: &str = "[… ";
const CLOSE: &str = " tokens cut]";

/// What to cut out of `text` so that at most `most` tokens are left, or about that many where its pieces allow no better.
/// Nothing where it is short enough.
pub(crate) fn gaps(text: &str, most: u64) -> Vec<Gap> {
    if u64::from(estimate(text)) <= most {
        return Vec::new();
    }
    let json = Node::parse(text).ok().filter(|node| node.is_object() || node.is_array());
    let tries: Box<dyn Iterator<Item = Vec<Gap>> + '_> = match json {
        None => Box::new((0..5).map(|step| cut_lines(text, most - most * step / 6))),
        Some(node) => Box::new(json_tries(text, node, most)),
    };
    let left = |gaps: &[Gap]| u64::from(estimate(&without(text, gaps)));
    let mut tries = tries.filter(|gaps| is_told(text, gaps)).peekable();
    while let Some(gaps) = tries.next() {
        if left(&gaps) <= most || tries.peek().is_none() {
            return gaps;
        }
    }
    Vec::new()
}

/// Whether what is left of `text` tells what was cut.
fn is_told(text: &str, gaps: &[Gap]) -> bool {
    let left = without(text, gaps);
    !gaps.is_empty()
        && left.len() < text.len()
        && gaps_between(text, &left).as_deref() == Some(gaps)
}

/// `text` with `gaps` cut out.
pub(crate) fn without(text: &str, gaps: &[Gap]) -> String {
    let mut left = String::new();
    let mut from = 0;
    for gap in gaps {
        left.push_str(&text[from..gap.range.start]);
        left.push_str(&gap.says(text));
        from = gap.range.end;
    }
    left.push_str(&text[from..]);
    left
}

/// What was cut out of `was` to make `is` of it; `None` if it was not made by cutting.
pub(crate) fn gaps_between(was: &str, is: &str) -> Option<Vec<Gap>> {
    let (first, rest) = pieces(is);
    let mut at = was.starts_with(first).then_some(first.len())?;
    let mut gaps = Vec::new();
    let mut looked = 0;
    for (index, &Piece { form, tokens, text }) in rest.iter().enumerate() {
        let end = if index + 1 == rest.len() {
            let end = was.len().checked_sub(text.len()).filter(|&end| end >= at)?;
            (was.ends_with(text) && tokens_cut(&was[at..end]) == tokens).then_some(end)?
        } else {
            let found = was[at..].match_indices(text).map(|(offset, _)| at + offset);
            // A text that repeats one piece without end is no reason to look for it without end.
            let mut within = found.take_while(|&end| {
                looked += end - at;
                looked <= was.len().saturating_mul(MOST_LOOKS)
            });
            within.find(|&end| tokens_cut(&was[at..end]) == tokens)?
        };
        gaps.push(Gap { range: at..end, form });
        at = end + text.len();
    }
    (at == was.len() && without(was, &gaps) == is).then_some(gaps)
}

/// The tokens of what is cut, with those that were cut out of it before.
fn tokens_cut(text: &str) -> u64 {
    let (first, rest) = pieces(text);
    let cut: u64 = rest.iter().map(|piece| piece.tokens).fold(0, u64::saturating_add);
    let left = once(first).chain(rest.iter().map(|piece| piece.text));
    cut.saturating_add(left.map(|piece| u64::from(estimate(piece))).sum())
}

/// A gap as it stands in a text, and what follows it.
struct Piece<'t> {
    form: Form,
    tokens: u64,
    text: &'t str,
}

/// What stands in front of the first gap of a text, and the gaps with what follows each.
fn pieces(text: &str) -> (&str, Vec<Piece<'_>>) {
    let mut found = Vec::new();
    let mut marks = text.match_indices(OPEN).filter_map(|(start, _)| mark(text, start));
    let mut next = marks.next();
    let first = next.as_ref().map_or(text, |(range, ..)| &text[..range.start]);
    while let Some((range, form, tokens)) = next {
        next = marks.next();
        let end = next.as_ref().map_or(text.len(), |(range, ..)| range.start);
        found.push(Piece { form, tokens, text: &text[range.end.min(end)..end] });
    }
    (first, found)
}

/// The gap that says so at byte `start` of `text`.
fn mark(text: &str, start: usize) -> Option<(Range<usize>, Form, u64)> {
    let rest = &text[start + OPEN.len()..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let tokens = rest[..digits].parse().ok()?;
    let end = start + OPEN.len() + digits + CLOSE.len();
    rest[digits..].strip_prefix(CLOSE)?;
    let quoted = text[..start].ends_with('"') && text[end..].starts_with('"');
    Some(match quoted {
        true if text[end..].starts_with("\":null") => (start - 1..end + 6, Form::Member, tokens),
        true => (start - 1..end + 1, Form::Element, tokens),
        false => (start..end, Form::Bare, tokens),
    })
}

/// What to cut out of plain text: whole lines where there are some, so that each gap stands on a line of its own.
fn cut_lines(text: &str, most: u64) -> Vec<Gap> {
    let room = most.saturating_sub(LEAST_GAP);
    let fails = text.lines().any(|line| says_failure(line.trim_start()));
    let for_failures = if fails { room / FAILURES } else { 0 };
    let half = (room - for_failures) / 2;
    let head = beginning(text, half);
    let tail = head + end(&text[head..], half);
    let mut kept = Vec::new();
    kept.push(0..head);
    let mut room = for_failures;
    let mut start = head;
    for line in text[head..tail].split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        let is_whole =
            (range.start == 0 || text[..range.start].ends_with('\n')) && line.ends_with('\n');
        if !is_whole || !says_failure(line.trim_start()) {
            continue;
        }
        let Some(left) = room.checked_sub(u64::from(estimate(line)) + LEAST_GAP / 2) else { break };
        room = left;
        kept.push(range);
    }
    kept.push(tail..text.len());
    kept.windows(2).filter_map(|pair| line_gap(text, pair[0].end, pair[1].start)).collect()
}

/// The gap from `start` to `end`. Of whole lines the last break stays, so that what is said of the gap is a line.
fn line_gap(text: &str, start: usize, end: usize) -> Option<Gap> {
    let Range { mut start, mut end } = around_marks(text, start..end);
    let whole_lines = start == 0 || text[..start].ends_with('\n');
    if whole_lines && text[start..end].ends_with('\n') {
        end -= 1;
    }
    // Between two quotes it would read as an element of a list.
    start -= text[..start].len() - text[..start].trim_end_matches('"').len();
    worth(text, Gap { range: start..end, form: Form::Bare })
}

/// A range that takes in what earlier gaps say of themselves, where it would split it.
fn around_marks(text: &str, range: Range<usize>) -> Range<usize> {
    let around = |at: usize| {
        let from = text[..at].rfind(OPEN)?;
        let (mark, ..) = mark(text, from)?;
        (mark.start < at && at < mark.end).then_some(mark)
    };
    let start = around(range.start).map_or(range.start, |mark| mark.start);
    let end = around(range.end).map_or(range.end, |mark| mark.end);
    start..end.max(start)
}

fn worth(text: &str, gap: Gap) -> Option<Gap> {
    let tokens = u64::from(estimate(&text[gap.range.clone()]));
    Some(gap).filter(|_| tokens >= LEAST_GAP)
}

/// Where the beginning of `text` ends that has about `tokens`: after a line, or inside one that is too long for what is left.
fn beginning(text: &str, tokens: u64) -> usize {
    let (mut at, mut left) = (0, tokens);
    for line in text.split_inclusive('\n') {
        match left.checked_sub(u64::from(estimate(line))) {
            Some(rest) => (at, left) = (at + line.len(), rest),
            None if left > tokens / 2 => return at + prefix(line, left),
            None => break,
        }
    }
    at
}

/// Where its end begins that has about `tokens`.
fn end(text: &str, tokens: u64) -> usize {
    let (mut at, mut left) = (text.len(), tokens);
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    while let Some(line) = lines.pop() {
        match left.checked_sub(u64::from(estimate(line))) {
            Some(rest) => (at, left) = (at - line.len(), rest),
            None if left > tokens / 2 => return at - suffix(line, left),
            None => break,
        }
    }
    at
}

/// How many bytes of the beginning of `text` have about `tokens`.
fn prefix(text: &str, tokens: u64) -> usize {
    text.floor_char_boundary(share_of(text, tokens))
}

/// How many bytes of the end of `text` have about `tokens`.
fn suffix(text: &str, tokens: u64) -> usize {
    text.len() - text.ceil_char_boundary(text.len() - share_of(text, tokens))
}

fn share_of(text: &str, tokens: u64) -> usize {
    let all = u64::from(estimate(text)).max(1);
    (text.len() as u64 * tokens.min(all) / all) as usize
}

/// Whether a line says that something failed, as compilers, test runners and shells do.
fn says_failure(line: &str) -> bool {
    let begins = ["E ", "FAIL", "✗", "✕", "×", "not ok", "Traceback", "panicked", "thread '"];
    let holds = ["error", "Error", "ERROR", "FAILED", "failed", "Exception", "panicked at"];
    begins.iter().any(|word| line.starts_with(word)) || holds.iter().any(|word| line.contains(word))
}

/// Ways to cut down JSON, from what leaves the most.
fn json_tries<'t>(text: &'t str, node: Node<'t>, most: u64) -> impl Iterator<Item = Vec<Gap>> + 't {
    let ways = (0..8)
        .map(move |step| cut_json(text, node, (most >> (step + 1)).max(LEAST_GAP), 64 >> step));
    let all = Gap { range: 0..text.len(), form: Form::Element };
    ways.chain(once([all].into()))
}

/// What to cut out of JSON if no string may have more than `most` tokens, and no list or object more than about twice `count`
/// elements.
fn cut_json(text: &str, root: Node<'_>, most: u64, count: usize) -> Vec<Gap> {
    let count = count.max(1);
    let mut gaps = Vec::new();
    let mut open = Vec::from([root]);
    while let Some(node) = open.pop() {
        if node.is_array() || node.is_object() {
            let values = values(node);
            let (first, last) = (count, values.len().saturating_sub(count));
            if last <= first + 1 {
                open.extend(values);
                continue;
            }
            let start = if node.is_array() {
                values[first].span_in(text).range().start
            } else {
                key_after(text, values[first - 1].span_in(text).range().end)
            };
            let range = start..values[last - 1].span_in(text).range().end;
            let form = if node.is_array() { Form::Element } else { Form::Member };
            if let Some(gap) = worth(text, Gap { range, form }) {
                gaps.push(gap);
                open.extend(values[..first].iter().chain(&values[last..]).copied());
            } else {
                open.extend(values);
            }
        } else if node.raw().len() as u64 > most && u64::from(estimate(node.raw())) > most {
            gaps.extend(cut_string(text, node, most));
        }
    }
    gaps.sort_unstable_by_key(|gap| gap.range.start);
    gaps
}

fn values(node: Node<'_>) -> Vec<Node<'_>> {
    if node.is_array() {
        node.array()
    } else {
        node.object().iter().map(|(_, value)| value).collect()
    }
}

/// Where the next key of an object begins, after the value that ends at `at`.
fn key_after(text: &str, at: usize) -> usize {
    text[at..].find('"').map_or(at, |offset| at + offset)
}

/// Cuts the middle out of a JSON string, never inside an escape.
fn cut_string(text: &str, node: Node<'_>, most: u64) -> Option<Gap> {
    let raw = node.raw().strip_prefix('"')?.strip_suffix('"')?;
    let offset = node.span_in(text).range().start + 1;
    let half = most.saturating_sub(LEAST_GAP) / 2;
    let (from, until) = (prefix(raw, half), raw.len() - suffix(raw, half));
    let mut places = whole_characters(raw);
    // Behind a quote it would read as an element of a list.
    let begins = |&at: &usize| !raw[..at].ends_with('"');
    let start = places.clone().take_while(|&at| at <= from).filter(begins).last()?;
    let end = places.find(|&at| at >= until)?;
    let whole = start == 0 && end == raw.len();
    let range = around_marks(text, offset + start..offset + end.max(start));
    worth(
        text,
        if whole {
            Gap { range: range.start - 1..range.end + 1, form: Form::Element }
        } else {
            Gap { range, form: Form::Bare }
        },
    )
}

/// Where in the inside of a JSON string it can be cut: between two characters, be they written as escapes or not.
pub(crate) fn whole_characters(raw: &str) -> impl Iterator<Item = usize> + Clone {
    let bytes = raw.as_bytes();
    let len = move |at: usize| -> usize {
        let is_unit = |at: usize| raw.get(at..at + 2) == Some("\\u");
        match bytes[at] {
            // A surrogate goes with the one that follows it.
            b'\\' if is_unit(at) && is_unit(at + 6) => {
                let high = raw.get(at + 2..at + 4).unwrap_or_default().to_ascii_lowercase();
                if matches!(&*high, "d8" | "d9" | "da" | "db") { 12 } else { 6 }
            }
            b'\\' if is_unit(at) => 6,
            b'\\' => 2,
            byte if byte.is_ascii() => 1,
            _ => raw[at..].chars().next().map_or(1, char::len_utf8),
        }
    };
    core::iter::successors(Some(0), move |&at| {
        (at < raw.len()).then(|| (at + len(at)).min(raw.len()))
    })
}
