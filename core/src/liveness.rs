//! Which lines of folded output an agent may still need: those with strings that it is likely to use, and that stand nowhere
//! else in what is kept.
//!
//! It is garbage collection by names. Each string of the transcript has a worth: the more calls used it, the oftener and the
//! later it was seen. A line is worth the strings that it alone would bring, against its tokens; the best is taken, and what
//! it brings is worth nothing in the next. In O(n log n) for n strings.

use alloc::collections::{BTreeMap, BinaryHeap};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

use crate::digest::Source;
use crate::excerpts::{Lines, Told, pieces};
use crate::note::Note;
use crate::strings::{key, strings};

/// A line that is kept of what was folded, and why.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Excerpt {
    /// The entry that it tells about; that of the note for what an earlier fold kept.
    pub entry: usize,
    /// Its text.
    pub text: String,
    /// The string that it is kept for: of those that it alone brings the one that is worth most.
    pub string: String,
    /// The last entry with a call that used that string.
    pub used: Option<usize>,
    /// What it costs, in tokens.
    pub tokens: u64,
}

/// What is kept, by the number of the line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chosen {
    /// A line by itself has what stands for it, and nothing under that.
    lines: BTreeMap<usize, Vec<Taken>>,
}

/// A piece that was taken.
#[derive(Clone, Debug)]
struct Taken {
    index: usize,
    /// What stands between it and the piece before it, where that is of the same line of the text.
    gap: Option<String>,
    /// What its string was worth.
    worth: u32,
    excerpt: Option<Excerpt>,
}

impl Chosen {
    /// The excerpts of a line, in the order in which they stand in what it tells about.
    pub(crate) fn of_line(&self, line: usize) -> Vec<String> {
        let taken = self.lines.get(&line).map_or(&[][..], |taken| taken);
        joined(taken).into_iter().map(|excerpt| excerpt.text).collect()
    }

    /// The lines among `range` that are kept.
    pub(crate) fn lines(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        self.lines.range(range).map(|(&line, _)| line)
    }

    /// All of them, in the order of the note.
    pub(crate) fn into_excerpts(self) -> Vec<Excerpt> {
        self.lines.values().flat_map(|taken| joined(taken)).collect()
    }
}

/// Pieces that follow each other in a text, as one excerpt each.
fn joined(taken: &[Taken]) -> Vec<Excerpt> {
    let mut all: Vec<(usize, u32, Excerpt)> = Vec::new();
    for Taken { index, gap, worth, excerpt } in taken {
        let Some(excerpt) = excerpt else { continue };
        let before = all.last_mut().filter(|(last, ..)| last + 1 == *index);
        let (Some(gap), Some((last, most, before))) = (gap, before) else {
            all.push((*index, *worth, excerpt.clone()));
            continue;
        };
        *last = *index;
        before.text.push_str(gap);
        before.text.push_str(&excerpt.text);
        before.tokens += excerpt.tokens;
        if worth > most {
            *most = *worth;
            before.string.clone_from(&excerpt.string);
            before.used = excerpt.used;
        }
    }
    all.into_iter().map(|(.., excerpt)| excerpt).collect()
}

/// Chooses excerpts for a note at boundary `cut`, of which the lines from `shown` on are shown and of `records` the beginnings,
/// for at most `allowance` tokens. `note` is the note without excerpts; `left` tells what the note with them leaves, `None` if
/// it has too many tokens.
pub(crate) fn choose(
    lines: Lines<'_>,
    cut: usize,
    (shown, records): (usize, &[usize]),
    note: &Note,
    allowance: u64,
    left: impl Fn(&Chosen) -> Option<u64>,
) -> Chosen {
    let count = lines.count(cut);
    if allowance < LEAST_TOKENS || count == 0 {
        return Chosen::default();
    }
    let dead = superseded(lines);
    let texts: Vec<(usize, Told<'_>)> = (0..count)
        .flat_map(|line| lines.texts(line).into_iter().map(move |it| (line, it)))
        .collect();
    let mut seen = Seen::default();
    let mut found: Vec<Piece<'_>> = Vec::new();
    let mut before = None;
    let mut heading = None;
    for (line, told) in &texts {
        if before.replace(*line) != Some(*line) {
            let stands = *line >= shown || records.binary_search(line).is_ok();
            heading = (!stands).then_some(found.len());
            if !stands {
                let (text, gap, strings) = (None, None, 0..0);
                found.push(Piece { line: *line, text, gap, heading, strings });
            }
        }
        seen.enter(lines.entry(*line), told.argument);
        if dead.get(*line).copied().unwrap_or_default() && !told.argument {
            continue;
        }
        let mut follows = false;
        for (gap, text) in pieces(&told.text) {
            let gap = gap.filter(|_| follows);
            let start = seen.keys.len();
            seen.add(text);
            follows = seen.keys.len() > start;
            if follows {
                let strings = start..seen.keys.len();
                found.push(Piece { line: *line, text: Some(text), gap, heading, strings });
            }
        }
    }
    seen.told = seen.keys.len();
    seen.enter(0, false);
    for piece in found.iter_mut().filter(|piece| piece.text.is_none()) {
        let start = seen.keys.len();
        seen.add(lines.short(piece.line));
        piece.strings = start..seen.keys.len();
    }
    seen.keep(lines, cut, note);
    let Worth { ids, values, last_use } = seen.weigh(lines.transcript.len());
    let mut pick = Pick {
        lines,
        title: if records.is_empty() { Note::older_tokens() } else { 0 },
        shown,
        pieces: &found,
        ids: &ids,
        values,
        last_use,
        left: allowance,
        tokens: alloc::vec![0; found.len()],
        heap: BinaryHeap::new(),
        passed: Vec::new(),
        begun: alloc::vec![false; count],
        chosen: Chosen::default(),
        taken: Vec::new(),
    };
    pick.begin();
    pick.all();
    // Each piece was counted at its most; what that left is filled as well.
    for _ in 0..REFILLS {
        let Some(more) = left(&pick.chosen) else { break };
        if more < 4 * LEAST_TOKENS {
            return pick.chosen;
        }
        pick.left = more;
        pick.all();
    }
    while left(&pick.chosen).is_none() && pick.put_back() {}
    pick.chosen
}

/// Fewer are worth no search.
const LEAST_TOKENS: u64 = 8;
const REFILLS: usize = 3;

/// For each line whether a later call with the same arguments made its result stale.
fn superseded(lines: Lines<'_>) -> Vec<bool> {
    let calls = &lines.structure.pairing.calls;
    let mut newest: BTreeMap<(u64, u64), usize> = BTreeMap::new();
    let keys: Vec<(u64, u64)> = calls
        .iter()
        .map(|call| {
            let part = &lines.transcript.parts(call.place.entry as usize)[call.place.part as usize];
            let name = lines.transcript.call_name(part);
            (key(&name), key(lines.transcript.slice(part.body)))
        })
        .collect();
    newest.extend(keys.iter().enumerate().map(|(call, &key)| (key, call)));
    let inherited = lines.inherited();
    let count = lines.count(lines.transcript.len());
    let stale = |line: usize| match lines.digest.source(line.checked_sub(inherited)?) {
        Source::Call(call) => {
            let call = call as usize;
            Some(newest.get(&keys[call]).is_some_and(|&newest| newest != call))
        }
        _ => None,
    };
    (0..count).map(|line| stale(line).unwrap_or_default()).collect()
}

/// A line of text that may be kept.
struct Piece<'t> {
    line: usize,
    /// `None` for what stands for a line of the note that is not there yet: the first piece of such a line.
    text: Option<&'t str>,
    /// What stands between it and the piece before it, where that is of the same line of the text.
    gap: Option<&'t str>,
    /// The number of that piece, in such a line.
    heading: Option<usize>,
    /// The occurrences of strings in it.
    strings: Range<usize>,
}

/// Every occurrence of a string.
#[derive(Default)]
struct Seen {
    keys: Vec<u64>,
    /// For each occurrence the text that it is in.
    texts: Vec<u32>,
    /// For each text its entry, and whether it is of a call's arguments.
    places: Vec<(usize, bool)>,
    /// Up to this occurrence they are of what is folded; then come those of what would stand for a line.
    told: usize,
    /// From this occurrence on they stand in what is kept, and from the second on they are not the agent's.
    kept: (usize, usize),
}

/// What each string is worth.
struct Worth {
    /// For each occurrence the number of its string.
    ids: Vec<u32>,
    /// For each string; nothing if it stands in what is kept.
    values: Vec<u32>,
    /// For each string the last entry with a call that used it.
    last_use: Vec<Option<usize>>,
}

impl Seen {
    fn enter(&mut self, entry: usize, argument: bool) {
        self.places.push((entry, argument));
    }

    fn add(&mut self, text: &str) {
        let place = self.places.len().saturating_sub(1) as u32;
        for string in strings(text) {
            self.keys.push(key(string));
            self.texts.push(place);
        }
    }

    /// Takes in what is kept: the entries from `cut` on, the rest of the note, and what stands around the entries.
    fn keep(&mut self, lines: Lines<'_>, cut: usize, note: &Note) {
        let start = self.keys.len();
        for line in lines.count(cut)..lines.count(lines.transcript.len()) {
            for told in lines.texts(line) {
                self.enter(lines.entry(line), told.argument);
                self.add(&told.text);
            }
        }
        let own = self.keys.len();
        self.enter(0, false);
        self.add(&note.render());
        let (front, back) = lines.transcript.frame();
        self.add(front);
        self.add(back);
        for entry in (0..lines.transcript.len()).filter(|&entry| lines.transcript.stays(entry)) {
            self.add(lines.transcript.entry_text(entry));
        }
        self.kept = (start, own);
    }

    /// Numbers the strings and tells what each is worth, at the end of a transcript of `len` entries.
    fn weigh(&self, len: usize) -> Worth {
        let mut order: Vec<(u64, u32)> =
            self.keys.iter().enumerate().map(|(at, &key)| (key, at as u32)).collect();
        order.sort_unstable();
        let mut ids = alloc::vec![0; order.len()];
        let (mut values, mut last_uses) = (Vec::new(), Vec::new());
        for same in order.chunk_by(|one, other| one.0 == other.0) {
            let mut calls = 0;
            let mut texts = 0;
            let mut last = 0;
            let mut last_use = None;
            let mut kept = false;
            let mut before = None;
            for &(_, at) in same {
                let at = at as usize;
                ids[at] = values.len() as u32;
                kept |= at >= self.kept.0;
                let text = self.texts[at];
                let is_own = at < self.told || (self.kept.0..self.kept.1).contains(&at);
                if !is_own || before == Some(text) {
                    continue;
                }
                before = Some(text);
                let (entry, argument) = self.places[text as usize];
                texts += 1;
                last = last.max(entry);
                if argument {
                    calls += 1;
                    last_use = last_use.max(Some(entry));
                }
            }
            let age = len.saturating_sub(last);
            let use_age = last_use.map(|entry| len.saturating_sub(entry));
            values.push(if kept { 0 } else { value(calls, texts, age, use_age) });
            last_uses.push(last_use);
        }
        Worth { ids, values, last_use: last_uses }
    }
}

/// What a string is worth that `calls` calls used and that stands in `texts` texts: about how many in ten thousand of such
/// strings one of the next ten calls uses. Ages are in entries.
///
/// Measured on real sessions cut off at many points: of what was only read one in twenty is used soon, of what a call used
/// one in eight; both fall with the square of the age, to a rest that hardly falls any more.
fn value(calls: u64, texts: u64, age: usize, use_age: Option<usize>) -> u32 {
    let seen = 20 + fading(600, 30, age);
    let used = use_age.map_or(0, |age| 100 + fading(1200, 45, age));
    let often = 100 + 30 * calls.clamp(1, 6).saturating_sub(1);
    let spread = 100 + 35 * texts.saturating_sub(1).min(4);
    ((seen + used * often / 100) * spread / 100) as u32
}

/// `worth` for what is new, half of it at the age `half`.
fn fading(worth: u64, half: u64, age: usize) -> u64 {
    let age = (age as u64).min(1 << 20);
    worth * half * half / (half * half + age * age)
}

/// Takes the pieces that bring most for their tokens.
struct Pick<'p, 't> {
    lines: Lines<'t>,
    /// The tokens of the title over older lines, if it does not stand in the note yet.
    title: u64,
    /// The first line that the note shows anyway.
    shown: usize,
    pieces: &'p [Piece<'t>],
    ids: &'p [u32],
    values: Vec<u32>,
    last_use: Vec<Option<usize>>,
    left: u64,
    /// What each piece costs by itself, once that was asked for.
    tokens: Vec<u32>,
    /// What may still be taken, the best first, each with what it would have brought when it was last looked at.
    heap: BinaryHeap<(u64, Reverse<usize>)>,
    /// What had no room.
    passed: Vec<usize>,
    /// For each line whether something of it was taken.
    begun: Vec<bool>,
    chosen: Chosen,
    /// The pieces that were taken, in that order.
    taken: Vec<usize>,
}

impl Pick<'_, '_> {
    /// Looks at every piece once. What brings nothing now never will.
    fn begin(&mut self) {
        let mut offers = Vec::new();
        for index in 0..self.pieces.len() {
            offers.extend(self.offer(index));
        }
        self.heap = offers.into();
    }

    fn all(&mut self) {
        for index in core::mem::take(&mut self.passed) {
            let offer = self.offer(index);
            self.heap.extend(offer);
        }
        while self.left >= LEAST_TOKENS
            && let Some((told, Reverse(index))) = self.heap.pop()
        {
            let Some((now, _)) = self.offer(index) else { continue };
            if now < told && self.heap.peek().is_some_and(|&(next, _)| next > now) {
                self.heap.push((now, Reverse(index)));
                continue;
            }
            let heading = self.heading(index);
            if !self.take(index) {
                self.passed.push(index);
                continue;
            }
            if let Some(heading) = heading {
                // What stands beside it costs less now.
                let siblings = self.pieces[heading..].iter();
                let siblings = siblings.take_while(|it| it.heading == Some(heading)).count();
                for index in heading..heading + siblings {
                    let offer = self.offer(index);
                    self.heap.extend(offer);
                }
            }
        }
    }

    /// What must stand over a piece and does not yet.
    fn heading(&self, index: usize) -> Option<usize> {
        let piece = &self.pieces[index];
        piece.heading.filter(|_| !self.begun[piece.line])
    }

    /// The tokens of a piece by itself.
    fn tokens(&mut self, index: usize) -> u64 {
        if self.tokens[index] == 0 {
            let piece = &self.pieces[index];
            let tokens = match piece.text {
                Some(text) => Note::excerpt_tokens(text),
                None => Note::line_tokens(self.lines.short(piece.line)),
            };
            self.tokens[index] = tokens as u32;
        }
        u64::from(self.tokens[index])
    }

    /// What a piece costs, with what must stand over it.
    fn cost(&mut self, index: usize, heading: Option<usize>) -> u64 {
        let Some(heading) = heading else { return self.tokens(index) };
        let first = self.chosen.lines.range(..self.shown).next().is_none();
        let title = if first { self.title } else { 0 };
        let own = if heading == index { 0 } else { self.tokens(index) };
        own + self.tokens(heading) + title
    }

    /// What a piece would bring for 1024 tokens; `None` if nothing.
    fn offer(&mut self, index: usize) -> Option<(u64, Reverse<usize>)> {
        let piece = &self.pieces[index];
        let heading = self.heading(index);
        if piece.text.is_none() && heading.is_none() {
            return None;
        }
        let own = &self.ids[piece.strings.clone()];
        let mut gain = self.sum(own, &[]);
        if gain == 0 {
            return None;
        }
        if let Some(heading) = heading.filter(|&heading| heading != index) {
            gain += self.sum(&self.ids[self.pieces[heading].strings.clone()], own);
        }
        Some((gain * 1024 / self.cost(index, heading), Reverse(index)))
    }

    /// What strings are worth, each once, without those of `known`.
    fn sum(&self, ids: &[u32], known: &[u32]) -> u64 {
        let fresh = (0..ids.len()).filter(|&at| !ids[..at].contains(&ids[at]));
        let fresh = fresh.filter(|&at| !known.contains(&ids[at]));
        fresh.map(|at| u64::from(self.values[ids[at] as usize])).sum()
    }

    /// Keeps a piece, if there is room.
    fn take(&mut self, index: usize) -> bool {
        let heading = self.heading(index);
        let cost = self.cost(index, heading);
        if cost > self.left {
            return false;
        }
        self.left -= cost;
        let tokens = self.tokens(index);
        let piece = &self.pieces[index];
        let own = &self.ids[piece.strings.clone()];
        let best = (0..own.len()).rev().max_by_key(|&at| self.values[own[at] as usize]);
        let best = best.unwrap_or_default();
        let worth = own.get(best).map_or(0, |&id| self.values[id as usize]);
        let excerpt = piece.text.map(|text| {
            let string = strings(text).nth(best).map(ToString::to_string);
            Excerpt {
                entry: self.lines.entry(piece.line),
                text: text.to_string(),
                string: string.unwrap_or_default(),
                used: self.last_use[own[best] as usize],
                tokens,
            }
        });
        let over = heading.map_or(0..0, |heading| self.pieces[heading].strings.clone());
        for &id in own.iter().chain(&self.ids[over]) {
            self.values[id as usize] = 0;
        }
        // In their final order at once: a seal follows from the bytes, and so do its tokens.
        let excerpts = self.chosen.lines.entry(piece.line).or_default();
        let at = excerpts.partition_point(|kept| kept.index < index);
        let gap = piece.gap.map(ToString::to_string);
        excerpts.insert(at, Taken { index, gap, worth, excerpt });
        self.begun[piece.line] = true;
        self.taken.push(index);
        true
    }

    /// Lets go of the piece that was taken last; tells whether there was one.
    fn put_back(&mut self) -> bool {
        let Some(index) = self.taken.pop() else { return false };
        let line = self.pieces[index].line;
        if let Some(excerpts) = self.chosen.lines.get_mut(&line) {
            excerpts.retain(|kept| kept.index != index);
            if excerpts.is_empty() {
                self.chosen.lines.remove(&line);
                self.begun[line] = false;
            }
        }
        true
    }
}
