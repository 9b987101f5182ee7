//! What a fold takes away as text for a model that summarises it, in pieces that the model can read.
//!
//! A piece begins and ends at legal cuts, so no pair is severed. Every line of the transcript stands behind a mark: it is
//! data, and cannot pass for a line of the request. What is too long for a piece is shortened visibly, the longest first.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;
use core::ops::Range;

use crate::digest::clip;
use crate::estimator::estimate;
use crate::note::Note;
use crate::plan::Planner;
use crate::transcript::{Part, PartKind, Transcript};

/// Entries of the transcript as text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Piece {
    /// The entries that it tells of.
    pub(crate) entries: Range<usize>,
    /// The text, with a line break at its end.
    pub(crate) text: String,
}

impl Piece {
    /// Its tokens, at most, also among others.
    pub(crate) fn tokens(&self) -> u64 {
        u64::from(estimate(&self.text)) + 1
    }
}

/// What stands before boundary `cut`, in at most `most` pieces of at most `capacity` tokens each; `None` if that cannot be.
pub(crate) fn pieces(
    transcript: &Transcript,
    planner: &Planner,
    cut: usize,
    capacity: u64,
    most: usize,
) -> Option<Vec<Piece>> {
    let units = units(transcript, planner, cut);
    let fits = |&limit: &u64| {
        let pieces = pack(planner, &units, capacity, limit)?;
        (pieces.len() <= most).then_some(pieces)
    };
    LIMITS.iter().find_map(fits)
}

/// To how many tokens each text is shortened: as little as it takes.
const LIMITS: [u64; 7] = [u64::MAX, 8192, 2048, 512, 128, 32, 8];

/// What cannot be parted: what lies between two legal cuts.
struct Unit<'t> {
    entries: Range<usize>,
    texts: Vec<Text<'t>>,
}

/// A part of an entry.
struct Text<'t> {
    heading: String,
    words: Cow<'t, str>,
    /// The line that tells of the pair, for a result that is shortened.
    digest: Option<&'t str>,
}

fn units<'t>(transcript: &'t Transcript, planner: &'t Planner, cut: usize) -> Vec<Unit<'t>> {
    let mut units = Vec::new();
    // What stands before the provider's own compaction is told by its summary, which the note carries word for word.
    let compaction = transcript.compaction.as_ref().map_or(0, |it| it.entry as usize);
    let mut start = if compaction < cut { compaction } else { 0 };
    for end in start + 1..=cut {
        if end < cut && !planner.cuts.legal(end) {
            continue;
        }
        let mut texts = Vec::new();
        for entry in start..end {
            note(planner, entry, &mut texts);
            parts(transcript, planner, entry, &mut texts);
        }
        units.push(Unit { entries: start..end, texts });
        start = end;
    }
    units
}

/// What the note of an earlier fold told, if it stands at `entry`.
fn note<'t>(planner: &'t Planner, entry: usize, texts: &mut Vec<Text<'t>>) {
    let Some((_, note)) = planner.structure.note.as_ref().filter(|(seat, _)| *seat == entry) else {
        return;
    };
    let mut tell = |heading: String, words: Cow<'t, str>| {
        if !words.is_empty() {
            texts.push(Text { heading, words, digest: None });
        }
    };
    if let Some(host) = &note.host {
        let heading =
            format!("Your earlier summary of the first {} entries of the session", host.entries);
        tell(heading, Cow::Borrowed(&host.text));
    }
    let lines = note.older.iter().chain(&note.lines).map(|line| &*line.text);
    let lines = lines.collect::<Vec<_>>().join("\n");
    tell("What else is on record of entries before these, one line each".into(), Cow::Owned(lines));
}

fn parts<'t>(
    transcript: &'t Transcript,
    planner: &'t Planner,
    entry: usize,
    texts: &mut Vec<Text<'t>>,
) {
    let structure = &planner.structure;
    let role = transcript.entries()[entry].role;
    if transcript.stays(entry) || Some(entry) == structure.note_entry() {
        return;
    }
    let who = role.name();
    for (index, part) in transcript.parts(entry).iter().enumerate() {
        if structure.is_note_part(entry, index) {
            continue;
        }
        let id = |id| clip(transcript.id(id), 60);
        let (heading, words) = match part.kind {
            PartKind::Text => (format!("[{entry}] {who}"), transcript.part_text(part)),
            PartKind::Call { id: call, .. } => {
                let name = clip(&transcript.call_name(part), 60);
                (format!("[{entry}] call of {name}, {}", id(call)), arguments(transcript, part))
            }
            PartKind::Result { id: call, error, .. } => {
                let failed = if error { ", an error" } else { "" };
                (format!("[{entry}] result of {}{failed}", id(call)), transcript.part_text(part))
            }
            // What was thought is not what happened, and sealed thoughts and pictures are no text.
            PartKind::Thinking | PartKind::Opaque => continue,
            PartKind::Media => (format!("[{entry}] {who}"), "[an image or document]".into()),
        };
        let is_result = matches!(part.kind, PartKind::Result { .. });
        let digest = is_result.then(|| digest(planner, entry, index)).flatten();
        texts.push(Text { heading, words, digest });
    }
}

fn arguments<'t>(transcript: &'t Transcript, part: &Part) -> Cow<'t, str> {
    let raw = transcript.slice(part.body);
    // OpenAI writes them as JSON inside a string.
    let inner = crate::json::Node::parse(raw).ok().and_then(crate::json::Node::string);
    inner.unwrap_or(Cow::Borrowed(raw))
}

/// The line that tells of the pair whose result is part `part` of `entry`.
fn digest(planner: &Planner, entry: usize, part: usize) -> Option<&str> {
    let is_it = |answer: crate::pairing::Place| {
        answer.entry as usize == entry && answer.part as usize == part
    };
    let digest = &planner.digest;
    let calls = &planner.structure.pairing.calls;
    let lines = digest.count_before(entry)..digest.count_before(entry + 1);
    lines.clone().find_map(|line| match digest.source(line) {
        crate::digest::Source::Call(call) => {
            calls[call as usize].answer.is_some_and(is_it).then(|| digest.text(line))
        }
        _ => None,
    })
}

/// Puts units together as long as they fit.
fn pack(planner: &Planner, units: &[Unit<'_>], capacity: u64, limit: u64) -> Option<Vec<Piece>> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut left = 0;
    for unit in units {
        let next = shortened(planner, unit, capacity, limit)?;
        let tokens = next.tokens();
        if let Some(last) = pieces.last_mut().filter(|_| tokens <= left) {
            last.entries.end = next.entries.end;
            last.text.push_str(&next.text);
        } else {
            pieces.push(next);
            left = capacity;
        }
        left = left.saturating_sub(tokens);
    }
    Some(pieces)
}

/// A unit as text of at most `capacity` tokens: with its texts shortened to `limit` tokens or fewer, else as lines of the
/// digest, else as their number.
fn shortened(planner: &Planner, unit: &Unit<'_>, capacity: u64, limit: u64) -> Option<Piece> {
    let fits = |text: String| {
        let piece = Piece { entries: unit.entries.clone(), text };
        (piece.tokens() <= capacity).then_some(piece)
    };
    let limits = LIMITS.iter().copied().filter(|&shorter| shorter <= limit);
    limits
        .map(|limit| written(unit, limit))
        .find_map(fits)
        .or_else(|| fits(as_lines(planner, &unit.entries, capacity)))
}

fn written(unit: &Unit<'_>, limit: u64) -> String {
    let mut text = String::new();
    for Text { heading, words, digest } in &unit.texts {
        let short = cut(words, limit);
        text.push_str(heading);
        match digest.filter(|_| matches!(short, Cow::Owned(_))) {
            Some(digest) => {
                let _ = writeln!(text, ", shortened; in one line: {digest}");
            }
            None => text.push_str(":\n"),
        }
        for line in short.lines().flat_map(|line| line.split(BREAKS)) {
            text.push_str("> ");
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// What some readers take for the end of a line.
const BREAKS: [char; 6] = ['\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];

/// A text of at most about `limit` tokens: its beginning and its end, and between them how much was left out.
fn cut(words: &str, limit: u64) -> Cow<'_, str> {
    let all = u64::from(estimate(words));
    if all <= limit {
        return Cow::Borrowed(words);
    }
    // About three bytes are a token; where they are more, less is kept.
    let mut bytes = usize::try_from(limit.saturating_mul(3)).unwrap_or(usize::MAX).min(words.len());
    loop {
        let (mut head, mut tail) = (bytes * 2 / 3, words.len().saturating_sub(bytes / 3));
        while !words.is_char_boundary(head) {
            head -= 1;
        }
        while !words.is_char_boundary(tail) {
            tail += 1;
        }
        let tail = tail.max(head);
        let kept = estimate(&words[..head]) + estimate(&words[tail..]);
        if u64::from(kept) <= limit || bytes < 2 {
            let gone = all.saturating_sub(u64::from(kept));
            let text = format!("{}\n[… {gone} tokens cut]\n{}", &words[..head], &words[tail..]);
            return Cow::Owned(text);
        }
        bytes = bytes * 3 / 4;
    }
}

/// The newest lines of the digest that fit, and how many do not.
fn as_lines(planner: &Planner, entries: &Range<usize>, capacity: u64) -> String {
    let digest = &planner.digest;
    let (first, end) = (digest.count_before(entries.start), digest.count_before(entries.end));
    let mut left = capacity.saturating_sub(FRAME);
    let mut shown = end;
    while shown > first {
        let Some(rest) = left.checked_sub(Note::line_tokens(digest.text(shown - 1)) + 1) else {
            break;
        };
        left = rest;
        shown -= 1;
    }
    let mut text = format!("[{} to {}] too long to be shown", entries.start, entries.end - 1);
    let _ = writeln!(text, "; lines left out: {}, and the others:", shown - first);
    for line in shown..end {
        let _ = writeln!(text, "> {}", digest.text(line));
    }
    text
}

/// What the first line of a unit that is too long costs, in tokens, at most.
const FRAME: u64 = 32;
