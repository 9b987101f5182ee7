//! What a line of a note tells about, word for word: the texts from which excerpts are taken, and against which they are
//! proved.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::digest::{Digest, Source, beginning};
use crate::exchange::Structure;
use crate::json::Node;
use crate::note::Kept;
use crate::pairing::Place;
use crate::transcript::{PartKind, Transcript};

/// The lines that a note may show or keep excerpts of: first those of which an earlier note only kept excerpts, then the
/// digest.
#[derive(Clone, Copy)]
pub(crate) struct Lines<'a> {
    pub(crate) transcript: &'a Transcript,
    pub(crate) structure: &'a Structure,
    pub(crate) digest: &'a Digest,
}

/// A text that a line tells about.
pub(crate) struct Told<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Whether it is of the arguments of a call.
    pub(crate) argument: bool,
}

/// The longest line that is kept or left as a whole, in bytes. Of a longer one, mostly one value is needed and not all that
/// stands beside it.
const WIDTH: usize = 60;

/// The longest piece of such a line, if it has an end there, and if it has none.
const PIECE: usize = 40;
const LONGEST: usize = 200;

impl<'a> Lines<'a> {
    /// How many lines an earlier note kept only excerpts of.
    pub(crate) fn inherited(&self) -> usize {
        self.older().len()
    }

    /// How many there are before boundary `cut`.
    pub(crate) fn count(&self, cut: usize) -> usize {
        self.inherited() + self.digest.count_before(cut)
    }

    /// What stands for a line that is no longer shown.
    pub(crate) fn short(&self, line: usize) -> &'a str {
        match line.checked_sub(self.inherited()) {
            None => &self.older()[line].text,
            Some(line) => beginning(self.digest.text(line)),
        }
    }

    /// A line as the digest has it; `None` for one of which only its beginning is known.
    pub(crate) fn full(&self, line: usize) -> Option<&'a str> {
        Some(self.digest.text(line.checked_sub(self.inherited())?))
    }

    /// The entry that a line tells about.
    pub(crate) fn entry(&self, line: usize) -> usize {
        match line.checked_sub(self.inherited()) {
            None => self.structure.note.as_ref().map_or(0, |(seat, _)| *seat),
            Some(line) => self.digest.entry(line),
        }
    }

    /// What a line tells about; for a line that was inherited, the excerpts that it had.
    pub(crate) fn texts(&self, line: usize) -> Vec<Told<'a>> {
        let Some(line) = line.checked_sub(self.inherited()) else {
            return kept(&self.older()[line]);
        };
        match self.digest.source(line) {
            Source::Note(index) => {
                let note = self.structure.note.as_ref();
                note.and_then(|(_, note)| note.lines.get(index as usize))
                    .map(kept)
                    .unwrap_or_default()
            }
            Source::Said(entry) => {
                let entry = entry as usize;
                let parts = self.transcript.parts(entry).iter().enumerate();
                let texts = parts.filter(|(part, content)| {
                    content.kind == PartKind::Text && !self.structure.is_note_part(entry, *part)
                });
                let texts = texts.map(|(_, part)| self.transcript.part_text(part));
                texts.map(|text| Told { text, argument: false }).collect()
            }
            Source::Call(call) => {
                let call = &self.structure.pairing.calls[call as usize];
                let mut told = Vec::new();
                let mut found = Vec::new();
                strings_of(self.slice(call.place), &mut found);
                told.extend(found.into_iter().map(|text| Told { text, argument: true }));
                if let Some(answer) = call.answer {
                    told.push(Told { text: self.result(answer), argument: false });
                }
                told
            }
            Source::Stray(stray) => {
                let place = self.structure.pairing.strays[stray as usize].place;
                [Told { text: self.result(place), argument: false }].into()
            }
        }
    }

    /// Whether an excerpt stands word for word in what a line tells about.
    pub(crate) fn proves(&self, line: usize, excerpts: &[String]) -> bool {
        if excerpts.is_empty() {
            return true;
        }
        let texts = self.texts(line);
        let stands = |words: &String| texts.iter().any(|told| told.text.contains(&**words));
        excerpts.iter().all(|words| !words.is_empty() && stands(words))
    }

    fn older(&self) -> &'a [Kept] {
        self.structure.note.as_ref().map_or(&[], |(_, note)| &note.older)
    }

    fn slice(&self, place: Place) -> &'a str {
        let part = &self.transcript.parts(place.entry as usize)[place.part as usize];
        self.transcript.slice(part.body)
    }

    fn result(&self, place: Place) -> Cow<'a, str> {
        let part = &self.transcript.parts(place.entry as usize)[place.part as usize];
        self.transcript.part_text(part)
    }
}

fn kept(line: &Kept) -> Vec<Told<'_>> {
    let texts = line.excerpts.iter().map(|text| Cow::Borrowed(&**text));
    texts.map(|text| Told { text, argument: false }).collect()
}

/// Every string in a JSON value, and every long number with its name, as a digest shows it. What is nested deeper than
/// anybody writes arguments is left out.
fn strings_of<'a>(json: &'a str, found: &mut Vec<Cow<'a, str>>) {
    let mut open = Vec::new();
    open.extend(Node::parse(json).map(|node| (node, 0)));
    while let Some((node, depth)) = open.pop() {
        if let Some(text) = node.string() {
            found.push(text);
        } else if depth < DEEPEST {
            open.extend(node.array().into_iter().rev().map(|item| (item, depth + 1)));
            let members = node.object();
            let numbers = members.iter().filter(|(_, value)| is_long_number(value.raw()));
            found
                .extend(numbers.map(|(name, value)| Cow::Owned(format!("{name}={}", value.raw()))));
            open.extend(members.iter().map(|(_, value)| (value, depth + 1)));
        }
    }
}

const DEEPEST: usize = 12;

/// Whether a value is a number that nobody counts to by chance: a port, a time limit, an id.
fn is_long_number(json: &str) -> bool {
    json.len() >= 4 && json.bytes().all(|byte| byte.is_ascii_digit())
}

/// The pieces of `text` that may become excerpts: its lines without white space around them, long ones in several, each of these
/// with what stands between it and the one before. Lines with control characters are none: they would not stay in their place.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    let mut number = None;
    text.split(['\n', '\r']).flat_map(written_lines).flat_map(move |line| {
        let line = if is_plain(line) { without_number(line.trim(), &mut number) } else { "" };
        let mut rest = line;
        let mut gap = None;
        core::iter::from_fn(move || {
            let end = if line.len() <= WIDTH { rest.len() } else { end_of_piece(rest) };
            let piece = rest[..end].trim_end();
            let next = rest[end..].trim_start();
            let between = &rest[piece.len()..rest.len() - next.len()];
            rest = next;
            (!piece.is_empty()).then(|| (gap.replace(between), piece))
        })
    })
}

/// The lines within a line that is a text once more, as JSON writes it, without the signs for space before them.
fn written_lines(line: &str) -> impl Iterator<Item = &str> {
    let is_text = line.len() > WIDTH && line.matches(NEW_LINE).count() >= 3;
    // No plain line holds a zero byte.
    let lines = line.split(if is_text { NEW_LINE } else { "\0" });
    lines.map(move |line| if is_text { line.trim_start_matches("\\t") } else { line })
}

const NEW_LINE: &str = "\\n";

/// A line of a file without the number that a tool wrote before it: it costs a fifth of the line, and the next edit makes it
/// wrong. `last` is the number of the line before, if it had one.
fn without_number<'t>(line: &'t str, last: &mut Option<u64>) -> &'t str {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = line[..line.len() - rest.len()].parse::<u64>().ok();
    let before = core::mem::replace(last, number);
    let Some(number) = number else { return line };
    // What else begins with a number and a colon may be a time or a code, unless the lines are counted.
    let is_counted = before.is_some_and(|before| before.checked_add(1) == Some(number));
    let text = rest.strip_prefix(['→', '\t']);
    text.or_else(|| rest.strip_prefix(':').filter(|_| is_counted)).map_or(line, str::trim_start)
}

/// Where the first piece of a long line ends: between two values, or else two words; a name and its value are not parted.
fn end_of_piece(line: &str) -> usize {
    if line.len() <= PIECE {
        return line.len();
    }
    let (mut value, mut word) = (None, None);
    for (at, c) in line.char_indices() {
        if at >= PIECE && (value.is_some() || word.is_some()) || at >= LONGEST {
            return value.or(word).unwrap_or(at);
        }
        let end = at + c.len_utf8();
        let Some(next) = line[end..].chars().next().filter(|_| end > PIECE / 3) else { continue };
        if matches!(c, ',' | ';' | '{' | '}' | '>') && !next.is_alphanumeric() {
            value = Some(end);
        } else if next.is_whitespace() && !matches!(c, ':' | '=') {
            word = Some(end);
        }
    }
    line.len()
}

fn is_plain(line: &str) -> bool {
    if line.is_ascii() {
        return line.bytes().all(|byte| byte == b'\t' || !byte.is_ascii_control());
    }
    let is_odd = |c: char| {
        c.is_control() && c != '\t'
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    !line.contains(is_odd)
}
