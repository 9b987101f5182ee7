//! Where the sentences of a prompt begin and end.
//!
//! A sentence is what would be kept as one pin. So a bullet with its wrapped lines is one, a numbered list with the line
//! that introduces it is one, and a line that goes on in lower case on the next is one with it.

use core::ops::Range;

use super::ends::Ends;
use super::markers::Marker;
use super::quoted::OwnLines;

/// A sentence: a range of bytes on character boundaries, without white space around it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Sentence {
    pub(super) bytes: Range<usize>,
    pub(super) kind: Kind,
    /// Whether its writer quotes it.
    pub(super) quoted: bool,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    /// The first of a paragraph.
    First,
    /// One that follows another of the same paragraph, so that "Then …" may go on with it.
    Next,
    /// An item of a list that is not numbered.
    Bullet,
    /// A whole numbered list.
    Steps,
}

/// Shorter lines are no hard-wrapped text: what follows them is another thought, whatever its first letter.
const WRAPPED: usize = 40;

/// Gives the sentences of `text` to `each`, in their order; they do not overlap.
pub(super) fn split(text: &str, each: impl FnMut(Sentence)) {
    let mut splitter =
        Splitter { text, each, newest: None, open: None, number: 0, blank: 0, quoted: false };
    for line in OwnLines::of(text) {
        if line.torn {
            splitter.flush();
            // What is left out in between tears a list apart.
            splitter.blank = 1;
        }
        splitter.quoted = line.quoted;
        splitter.line(line.bytes.start, line.bytes.end);
    }
    splitter.flush();
    splitter.newest.take().into_iter().for_each(splitter.each);
}

struct Splitter<'t, F> {
    text: &'t str,
    each: F,
    /// The newest sentence, which what follows may still go on with.
    newest: Option<Sentence>,
    /// The block that the next line may go on with.
    open: Option<Block>,
    /// The number of the last item, if the newest sentence is a numbered list.
    number: u32,
    /// Empty lines since the last that was not.
    blank: usize,
    /// Whether the line at hand is quoted.
    quoted: bool,
}

#[derive(Clone)]
struct Block {
    bytes: Range<usize>,
    kind: Kind,
    /// White space before its first character.
    indent: usize,
    /// Where its newest line begins.
    line: usize,
}

impl Block {
    /// A block of one line.
    fn of(bytes: Range<usize>, kind: Kind, indent: usize) -> Self {
        Self { line: bytes.start, bytes, kind, indent }
    }

    /// The same with what stands before it.
    fn from(self, start: usize) -> Self {
        Self { bytes: start..self.bytes.end, ..self }
    }
}

impl<F: FnMut(Sentence)> Splitter<'_, F> {
    fn line(&mut self, start: usize, end: usize) {
        let raw = &self.text[start..end];
        let line = trim(raw);
        if line.is_empty() {
            self.flush();
            self.blank += if raw.starts_with("\n\n") { 2 } else { 1 };
            return;
        }
        let indent = raw.len() - raw.trim_ascii_start().trim_start().len();
        let bytes = start + indent..start + indent + line.len();
        let marker = Marker::of(line);
        match marker {
            Marker::Rule => {
                self.flush();
                self.blank += 1;
                return;
            }
            Marker::Number(number) => self.step(bytes, indent, number),
            Marker::Bullet if self.goes_on_in_steps(indent) => self.grow(&bytes),
            Marker::Bullet => self.begin(Block::of(bytes, Kind::Bullet, indent)),
            Marker::None if self.goes_on(line, indent) => self.grow(&bytes),
            Marker::Heading | Marker::None => {
                self.begin(Block::of(bytes, Kind::First, indent));
            }
        }
        self.blank = 0;
        if marker == Marker::Heading {
            self.flush();
        }
    }

    /// An item of a numbered list: the next of the list at hand, or the first of another.
    fn step(&mut self, bytes: Range<usize>, indent: usize, number: u32) {
        if self.goes_on_in_steps(indent) {
            return self.grow(&bytes);
        }
        self.flush();
        let next = self.number.checked_add(1) == Some(number) && self.blank < 2;
        match self.newest.take() {
            Some(list) if next && list.kind == Kind::Steps => {
                self.open = Some(Block::of(bytes, Kind::Steps, indent).from(list.bytes.start));
            }
            Some(lead)
                if self.blank < 2
                    && matches!(lead.kind, Kind::First | Kind::Next)
                    && self.text[lead.bytes.clone()].ends_with([':', '：']) =>
            {
                self.open = Some(Block::of(bytes, Kind::Steps, indent).from(lead.bytes.start));
            }
            other => {
                self.newest = other;
                self.open = Some(Block::of(bytes, Kind::Steps, indent));
            }
        }
        self.number = number;
    }

    /// Whether a bullet belongs to the step above it.
    fn goes_on_in_steps(&self, indent: usize) -> bool {
        self.open.as_ref().is_some_and(|open| open.kind == Kind::Steps && indent > open.indent)
    }

    /// Whether a line without a marker goes on with what is open.
    fn goes_on(&self, line: &str, indent: usize) -> bool {
        let Some(open) = &self.open else { return false };
        let above = &self.text[open.line..open.bytes.end];
        if open.kind != Kind::First && indent > open.indent {
            return true;
        }
        if above.ends_with([',', '，', '、']) {
            return true;
        }
        let low = line.chars().next().is_some_and(|letter| letter.is_lowercase() || letter == '(');
        low && above.len() >= WRAPPED && !is_ended(above)
    }

    fn grow(&mut self, line: &Range<usize>) {
        if let Some(open) = &mut self.open {
            open.line = line.start;
            open.bytes.end = line.end;
        }
    }

    fn begin(&mut self, block: Block) {
        self.flush();
        self.open = Some(block);
    }

    fn flush(&mut self) {
        let Some(block) = self.open.take() else { return };
        if block.kind == Kind::First {
            self.sentences(block.bytes);
        } else {
            self.push(block.bytes, block.kind);
        }
    }

    fn push(&mut self, bytes: Range<usize>, kind: Kind) {
        let newest = Sentence { bytes, kind, quoted: self.quoted };
        if let Some(before) = self.newest.replace(newest) {
            (self.each)(before);
        }
    }

    /// Splits a block of running text.
    fn sentences(&mut self, block: Range<usize>) {
        let above = self.newest.as_ref().is_some_and(|it| {
            matches!(it.kind, Kind::First | Kind::Next)
                && self.text[it.bytes.end..block.start].bytes().filter(|&it| it == b'\n').count()
                    < 2
        });
        let mut kind = if above { Kind::Next } else { Kind::First };
        let mut start = block.start;
        let mut ends = Ends::of(&self.text[..block.end], block.start);
        loop {
            let end = ends.next(start);
            let sentence = &self.text[start..end];
            let skipped = sentence.len() - sentence.trim_ascii_start().trim_start().len();
            let bytes = start + skipped..start + skipped + trim(sentence).len();
            if !bytes.is_empty() {
                self.push(bytes, kind);
                kind = Kind::Next;
            }
            if end >= block.end {
                return;
            }
            start = end;
        }
    }
}

/// Whether a line ends with a sign that ends a sentence or introduces something.
fn is_ended(line: &str) -> bool {
    line.trim_end_matches(['"', '\'', '`', '*', '_', ')', '”', '’', '»', '」', '』', '）'])
        .ends_with(['.', '!', '?', '…', ':', ';', '。', '！', '？', '；', '：', '|'])
}

/// `text` without white space around it. Nearly all of that is ASCII, which is the faster to look for.
fn trim(text: &str) -> &str {
    text.trim_ascii().trim()
}
