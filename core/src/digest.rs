//! Digests: one line for each prompt, answer and pair of what may be folded.
//!
//! A pair is recorded as a unit, its call with the arguments and its result with the outcome, so that no
//! result is ever read without the call that produced it. Everything is derived from the text alone.

mod line;

use alloc::string::String;
use alloc::vec::Vec;

use crate::exchange::Structure;
use crate::note::Note;
use crate::spare;
use crate::transcript::{Role, Transcript};
pub(crate) use line::{beginning, clip};
use line::{pair_line, spoken, stray_line};

/// The digest lines of a transcript, in its order.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    lines: Vec<Line>,
    /// For every sixteenth boundary the number of lines before it.
    until: Vec<u32>,
    /// For every eighth line the tokens of all lines before it.
    cost: Vec<u64>,
    /// The tokens of all lines.
    total: u64,
    /// What the lines say; nothing where only their cost is kept.
    texts: Option<Texts>,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    entry: u32,
    tokens: u32,
    /// What it tells about: the kind in the two upper bits, the number in the others.
    source: u32,
}

/// The texts of lines, one after the other.
#[derive(Clone, Debug, Default)]
struct Texts {
    all: String,
    /// For each line where its text ends.
    ends: Vec<usize>,
}

/// What a line tells about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// What an earlier note told, by the number of its line.
    Note(u32),
    /// The words of an entry.
    Said(u32),
    /// A call and its result, by the number of the call in the pairing.
    Call(u32),
    /// A result without its call, by its number among such.
    Stray(u32),
}

impl Source {
    const NUMBER: u32 = (1 << 30) - 1;

    /// A text of at most 2 GiB has fewer entries, calls and results than there are numbers.
    fn packed(self) -> u32 {
        let (kind, number) = match self {
            Self::Note(number) => (0, number),
            Self::Said(number) => (1, number),
            Self::Call(number) => (2, number),
            Self::Stray(number) => (3, number),
        };
        kind << 30 | number & Self::NUMBER
    }

    fn open(packed: u32) -> Self {
        let number = packed & Self::NUMBER;
        match packed >> 30 {
            0 => Self::Note(number),
            1 => Self::Said(number),
            2 => Self::Call(number),
            _ => Self::Stray(number),
        }
    }
}

/// Of how many boundaries the number of lines before one is kept, and of how many lines the sum of the tokens.
const BOUNDARIES: usize = 16;
const SAMPLE: usize = 8;

impl Digest {
    /// The digest of every entry of `transcript`. The lines of an earlier note come first, at its entry.
    pub fn of(transcript: &Transcript, structure: &Structure) -> Self {
        let mut digest = Self::told();
        digest.grow(transcript, structure, 0);
        digest
    }

    /// One without a line that keeps what its lines say.
    pub(crate) fn told() -> Self {
        Self { texts: Some(Texts::default()), ..Self::default() }
    }

    /// Makes the lines of entry `from` and all after it anew, of which there may be more now.
    pub(crate) fn grow(&mut self, transcript: &Transcript, structure: &Structure, from: usize) {
        let known = self.count_before(from);
        self.total = self.sum(known);
        self.lines.truncate(known);
        self.cost.truncate(known.div_ceil(SAMPLE));
        self.until.truncate(from / BOUNDARIES + 1);
        if let Some(texts) = &mut self.texts {
            texts.truncate(known);
        }
        for (entry, source) in lines_from(transcript, structure, from) {
            let text = source.text(transcript, structure);
            // Who says nothing has no line.
            if matches!(source, Source::Said(_)) && text.is_empty() {
                continue;
            }
            let tokens = u32::try_from(Note::line_tokens(&text)).unwrap_or(u32::MAX);
            self.fill(entry as usize);
            if self.lines.len().is_multiple_of(SAMPLE) {
                spare::push(&mut self.cost, self.total);
            }
            self.total += u64::from(tokens);
            spare::push(&mut self.lines, Line { entry, tokens, source: source.packed() });
            if let Some(texts) = &mut self.texts {
                texts.push(&text);
            }
        }
        self.fill(transcript.len());
    }

    /// Says of the boundaries up to `at` that all lines so far stand before them.
    fn fill(&mut self, at: usize) {
        while self.until.len() * BOUNDARIES <= at {
            spare::push(&mut self.until, self.lines.len() as u32);
        }
    }

    /// Has the lines say again what they were made of, where only their cost was kept.
    pub(crate) fn tell(&mut self, transcript: &Transcript, structure: &Structure) {
        if self.texts.is_none() {
            let mut texts = Texts::default();
            for line in &self.lines {
                texts.push(&Source::open(line.source).text(transcript, structure));
            }
            self.texts = Some(texts);
        }
    }

    /// Keeps of the lines only what they cost.
    pub(crate) fn hush(&mut self) {
        self.texts = None;
    }

    /// The tokens of all lines before boundary `at`.
    pub fn tokens_before(&self, at: usize) -> u64 {
        self.sum(self.count_before(at))
    }

    /// The newest lines before boundary `at` that cost at most `allowance` tokens: how many older ones are
    /// left out, and the tokens of those shown.
    pub fn fitting(&self, at: usize, allowance: u64) -> (usize, u64) {
        let end = self.count_before(at);
        let all = self.sum(end);
        // From the first of the sums that are kept on, line by line.
        let known = &self.cost[..end.div_ceil(SAMPLE)];
        let known = known.partition_point(|&before| all - before > allowance);
        let mut first = known.saturating_sub(1) * SAMPLE;
        let mut left = all - self.sum(first);
        while left > allowance {
            left -= u64::from(self.lines[first].tokens);
            first += 1;
        }
        (first, left)
    }

    /// The lines before boundary `at`, without the first `skip`.
    pub fn lines(&self, at: usize, skip: usize) -> impl Iterator<Item = &str> {
        (skip..self.count_before(at)).map(|line| self.text(line))
    }

    /// The text of line `line`.
    pub(crate) fn text(&self, line: usize) -> &str {
        self.texts.as_ref().map_or("", |texts| texts.of(line))
    }

    /// The entry after which line `line` stands.
    pub(crate) fn entry(&self, line: usize) -> usize {
        self.lines[line].entry as usize
    }

    /// What line `line` tells about.
    pub(crate) fn source(&self, line: usize) -> Source {
        Source::open(self.lines[line].source)
    }

    /// How many lines stand before boundary `at`.
    pub fn count_before(&self, at: usize) -> usize {
        let kept = |index: usize| self.until.get(index).map(|&lines| lines as usize);
        let first = kept(at / BOUNDARIES).unwrap_or(self.lines.len());
        let end = kept(at / BOUNDARIES + 1).unwrap_or(self.lines.len());
        first + self.lines[first..end].partition_point(|line| (line.entry as usize) < at)
    }

    /// The tokens of the first `lines` lines.
    fn sum(&self, lines: usize) -> u64 {
        let start = lines - lines % SAMPLE;
        let Some(&known) = self.cost.get(lines / SAMPLE) else { return self.total };
        let rest = self.lines[start..lines].iter();
        known + rest.map(|line| u64::from(line.tokens)).sum::<u64>()
    }
}

impl Texts {
    fn push(&mut self, text: &str) {
        self.all.push_str(text);
        self.ends.push(self.all.len());
    }

    fn truncate(&mut self, lines: usize) {
        self.ends.truncate(lines);
        self.all.truncate(self.ends.last().copied().unwrap_or(0));
    }

    fn of(&self, line: usize) -> &str {
        let start = line.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start..self.ends[line]]
    }
}

/// What lines there may be of entry `from` and all after it, in their order: after which entry, about what.
fn lines_from(transcript: &Transcript, structure: &Structure, from: usize) -> Vec<(u32, Source)> {
    let mut lines = Vec::new();
    let mut add = |entry: u32, source: Source| {
        if entry as usize >= from {
            lines.push((entry, source));
        }
    };
    if let Some((seat, note)) = &structure.note {
        (0..note.lines.len() as u32).for_each(|line| add(*seat as u32, Source::Note(line)));
    }
    let exchanges = &structure.exchanges[structure.exchange_of(from).unwrap_or(0)..];
    for entry in exchanges.iter().flat_map(|exchange| exchange.entries.clone()) {
        if matches!(transcript.entries[entry].role, Role::User | Role::Assistant) {
            add(entry as u32, Source::Said(entry as u32));
        }
    }
    let pairing = &structure.pairing;
    for (index, call) in pairing.calls.iter().enumerate().skip(pairing.reaching(from)) {
        let answer = call.answer.map_or(0, |answer| answer.entry);
        add(answer.max(call.place.entry), Source::Call(index as u32));
    }
    let strays = &pairing.strays;
    let first = strays.partition_point(|stray| (stray.place.entry as usize) < from);
    for (index, stray) in strays.iter().enumerate().skip(first) {
        add(stray.place.entry, Source::Stray(index as u32));
    }
    // Stable: within an entry what was said stands before what was done, and calls keep their order.
    lines.sort_by_key(|&(entry, _)| entry);
    lines
}

impl Source {
    fn text(self, transcript: &Transcript, structure: &Structure) -> String {
        match self {
            Self::Note(line) => structure
                .note
                .as_ref()
                .and_then(|(_, note)| note.lines.get(line as usize))
                .map_or_else(String::new, |line| line.text.clone()),
            Self::Said(entry) => spoken(transcript, structure, entry as usize),
            Self::Call(call) => pair_line(transcript, &structure.pairing.calls[call as usize]),
            Self::Stray(stray) => {
                stray_line(transcript, structure.pairing.strays[stray as usize].place)
            }
        }
    }
}
