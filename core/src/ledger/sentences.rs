//! Where the sentences of a prompt begin and end.
//!
//! A sentence is what would be kept as one pin. So a bullet with its wrapped lines is one, a numbered list with the line
//! that introduces it is one, and a line that goes on in lower case on the next is one with it.

use core::ops::Range;

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
/// A longer quotation is prose of its own, and its sentences end where they end.
const LONGEST_QUOTE: usize = 300;

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
        let mut ends = Ends { text: &self.text[..block.end], at: block.start, closes: [0; QUOTES] };
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

/// Whether `word` is in a sorted list of words without capitals, whatever its own capitals are.
fn is_in(list: &[&str], word: &str) -> bool {
    let mut lower = [0; LONGEST_LISTED];
    let Some(lower) = lower.get_mut(..word.len()) else { return false };
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    list.binary_search_by(|it| it.as_bytes().cmp(lower)).is_ok()
}

/// No word of the lists is longer.
const LONGEST_LISTED: usize = 9;

/// Words whose number comes after them.
const LABELS: [&str; 32] = [
    "aufgabe",
    "chapter",
    "day",
    "etapa",
    "fase",
    "issue",
    "item",
    "java",
    "level",
    "line",
    "milestone",
    "node",
    "opción",
    "option",
    "page",
    "part",
    "parte",
    "partie",
    "paso",
    "passo",
    "phase",
    "php",
    "point",
    "python",
    "schritt",
    "section",
    "step",
    "task",
    "teil",
    "ticket",
    "version",
    "étape",
];

const QUOTES: usize = 5;

/// Finds the ends of sentences in running text, from left to right.
struct Ends<'t> {
    /// Everything up to the end of the block.
    text: &'t str,
    at: usize,
    /// For each kind of quotation, how far it is known that none closes (or where the next does).
    closes: [usize; QUOTES],
}

impl Ends<'_> {
    /// The byte after the sentence that begins at `start`.
    fn next(&mut self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        self.at = start;
        loop {
            let rest = bytes.get(self.at..).unwrap_or_default();
            let Some(length) = stop(rest) else { return self.text.len() };
            self.at += length;
            let mut sign = rest[length];
            if sign == 0x80 {
                // The second byte of `。`, of `“` and of their like; in most other places it is nothing.
                let first = self.at.checked_sub(1).and_then(|at| Some((at, *bytes.get(at)?)));
                let Some((first, byte @ (0xE2 | 0xE3))) = first else {
                    self.at += 1;
                    continue;
                };
                (self.at, sign) = (first, byte);
            }
            let end = if sign.is_ascii() { self.ascii(start) } else { self.wide() };
            if let Some(end) = end {
                return end;
            }
        }
    }

    /// At one of `.!?` or an ASCII quotation mark.
    fn ascii(&mut self, start: usize) -> Option<usize> {
        let at = self.at;
        let bytes = self.text.as_bytes();
        match bytes[at] {
            b'`' => self.quotation(0, '`'),
            b'"' => self.quotation(1, '"'),
            _ => {
                let run = bytes[at..].iter().take_while(|it| matches!(it, b'.' | b'!' | b'?'));
                let end = at + run.count();
                self.at = end;
                self.ends_here(start, at, end).then(|| self.with_closers(end))
            }
        }
    }

    /// Whether the signs at `at..end` end the sentence.
    fn ends_here(&self, start: usize, at: usize, end: usize) -> bool {
        let after = &self.text[self.with_closers(end)..];
        let Some(next) = after.chars().next() else { return true };
        let dot = self.text.as_bytes()[at] == b'.';
        if !next.is_whitespace() {
            // Without a space between: the writing that needs none.
            return is_wide(next);
        }
        if !dot {
            return true;
        }
        let next = after.trim_start().chars().next().unwrap_or_default();
        if end - at > 1 {
            return !next.is_lowercase();
        }
        let word = last_word(&self.text[start..at]);
        if next.is_ascii_digit() && is_in(&NUMBERED, word) {
            return false;
        }
        let is_number = word.len() <= 2 && word.bytes().all(|it| it.is_ascii_digit());
        let is_initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
        let is_name = || {
            // "Please do part 1. Never push": the number belongs to the word before it, and counts no steps.
            let before = self.text[start..at - word.len()].trim_end();
            let named = last_word(before);
            next.is_uppercase() && is_in(&LABELS, named)
        };
        !(is_number && !is_name() || is_initial || is_in(&ABBREVIATIONS, word))
    }

    /// Past quotation marks and brackets that close behind the end of a sentence.
    fn with_closers(&self, end: usize) -> usize {
        let rest = &self.text[end..];
        let trimmed = rest.trim_start_matches([
            '"', '\'', ')', ']', '*', '_', '”', '’', '»', '」', '』', '）', '】',
        ]);
        end + rest.len() - trimmed.len()
    }

    /// At a first byte of `…`, of an ideographic sign, or of a quotation mark that is not ASCII.
    fn wide(&mut self) -> Option<usize> {
        let rest = &self.text[self.at..];
        let letter = rest.chars().next().unwrap_or_default();
        match letter {
            '“' => return self.quotation(2, '”'),
            '«' => return self.quotation(3, '»'),
            '「' => return self.quotation(4, '」'),
            '。' | '！' | '？' | '；' | '｡' | '．' => {
                let trimmed = rest.trim_start_matches([
                    '。', '！', '？', '；', '｡', '．', '!', '?', '”', '"', '」', '』', '）', ')',
                    '’', '】', '笑',
                ]);
                let end = self.at + rest.len() - trimmed.len();
                self.at = end;
                return Some(end);
            }
            '…' => {
                let trimmed = rest.trim_start_matches(['…', '.']);
                let end = self.at + rest.len() - trimmed.len();
                self.at = end;
                let next = trimmed.chars().next();
                let spaced = next.is_some_and(char::is_whitespace);
                let next = trimmed.trim_start().chars().next();
                return (next.is_some_and(|it| spaced && !it.is_lowercase() || is_wide(it)))
                    .then_some(end);
            }
            other => self.at += other.len_utf8().max(1),
        }
        None
    }

    /// Where from byte `at` the next `close` stands, or the end of the line.
    fn closing(&self, at: usize, close: char) -> usize {
        let mut letters = [0; 4];
        let letters = close.encode_utf8(&mut letters).as_bytes();
        let mut at = at;
        loop {
            let rest = self.text.as_bytes().get(at..).unwrap_or_default();
            let next = rest.iter().position(|&it| it == b'\n' || it == letters[0]);
            let Some(length) = next else { return self.text.len() };
            at += length;
            if rest[length] == b'\n' || rest[length..].starts_with(letters) {
                return at;
            }
            at += 1;
        }
    }

    /// Goes past a quotation that is closed on its line and not too long; past its first mark otherwise.
    ///
    /// Gives the end of the sentence if that ended inside the quotation: `He said "stop." Then …`.
    fn quotation(&mut self, kind: usize, close: char) -> Option<usize> {
        let inside = self.at + self.text[self.at..].chars().next().map_or(1, char::len_utf8);
        if self.closes[kind] < inside {
            // The end of the line stands for one that closes nothing, so that the line is not searched again.
            self.closes[kind] = self.closing(inside, close);
        }
        let closing = self.closes[kind];
        if closing - inside > LONGEST_QUOTE || !self.text[closing..].starts_with(close) {
            self.at = inside;
            return None;
        }
        self.at = closing + close.len_utf8();
        let rest = &self.text[self.at..];
        let ended = self.text[inside..closing].ends_with(['.', '!', '?', '…'])
            && rest.starts_with(char::is_whitespace)
            && rest.trim_start().starts_with(char::is_uppercase);
        ended.then_some(self.at)
    }
}

/// Whether a letter belongs to a writing that puts no spaces between sentences.
fn is_wide(letter: char) -> bool {
    matches!(letter, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}')
}

/// `text` without white space around it. Nearly all of that is ASCII, which is the faster to look for.
fn trim(text: &str) -> &str {
    text.trim_ascii().trim()
}

/// The word that `text` ends with.
fn last_word(text: &str) -> &str {
    let word = text.rsplit(|it: char| it.is_whitespace() || matches!(it, '(' | '[' | '"' | ','));
    word.into_iter().next().unwrap_or(text)
}

/// What a dot behind which does not end a sentence. Sorted by bytes, as are the other lists.
const ABBREVIATIONS: [&str; 47] = [
    "abs", "approx", "aprox", "art", "bzw", "ca", "cf", "d.h", "dr", "dra", "e.g", "ed", "eg",
    "ej", "etw", "evtl", "ex", "exkl", "fig", "ggf", "i.e", "ie", "incl", "inkl", "mr", "mrs",
    "ms", "núm", "o.ä", "p.ej", "p.ex", "prof", "pág", "resp", "s.o", "sog", "sr", "sra", "st",
    "tel", "u.a", "v.a", "vgl", "vol", "vs", "z.b", "zzgl",
];

/// Of these the dot belongs to the number behind it.
const NUMBERED: [&str; 12] =
    ["ch", "kap", "max", "min", "no", "nr", "num", "p", "pp", "sec", "v", "ver"];

/// Where the first byte stands that may be, or be of, a sign which ends or quotes something.
fn stop(bytes: &[u8]) -> Option<usize> {
    // Eight at once cost little more than one: only the last of them is searched.
    let (chunks, _) = bytes.as_chunks::<8>();
    let clear = chunks
        .iter()
        .take_while(|chunk| !chunk.iter().fold(false, |any, &it| any | STOP[it as usize]));
    let start = 8 * clear.count();
    let rest = bytes.get(start..).unwrap_or_default();
    Some(start + rest.iter().position(|&byte| STOP[byte as usize])?)
}

const STOP: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b'.' | b'!' | b'?' | b'`' | b'"' | 0x80 | 0xC2 | 0xEF);
        byte += 1;
    }
    table
};
