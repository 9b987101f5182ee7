//! What the ledger has heard: prompts and system text, each once, found again however the transcript moved.

pub(super) mod unsaid;

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::ops::Range;

use super::Ledger;
use super::pin::{Said, Seat};
use crate::exchange::Structure;
use crate::json::Node;
use crate::note::hash;
use crate::transcript::{PartKind, Role, Transcript, readable};

/// A prompt or a system text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Heard {
    /// The hash of its words: how it is known again.
    pub(crate) key: String,
    /// The turn's number, see [`super::pin::Said`].
    pub(crate) turn: u32,
    /// Whether it is system text.
    pub(crate) system: bool,
    /// Where it is in the transcript at hand.
    pub(crate) seat: Seat,
    /// Its texts by part; empty once it is folded and nothing is asked about it.
    pub(crate) texts: Vec<(usize, String)>,
    /// Whether its classification is asked for.
    pub(crate) question: Question,
    /// The id of the request about it; empty until it is one of those that were heard.
    pub(crate) request: String,
}

/// Whether a turn's classification is asked for.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) enum Question {
    /// Nobody is asked.
    #[default]
    None,
    /// It is asked and not answered.
    Open,
    /// It was answered; the hash tells the same answer from another.
    Answered(String),
}

impl Heard {
    /// The id of the request about it, of `same` others with the same words in the same turn before it.
    pub(crate) fn request_id(&self, same: usize) -> String {
        let (turn, same) = (self.turn.to_string(), same.to_string());
        let pieces = ["classify", &turn, &self.key, &same];
        // The first of them has the id that it would have alone.
        hash(if same == "0" { &pieces[..3] } else { &pieces })
    }

    /// The text of a part.
    pub(crate) fn text(&self, part: usize) -> Option<&str> {
        let found = self.texts.iter().find(|(index, _)| *index == part);
        found.map(|(_, text)| &**text)
    }

    /// Where words of it stand; `index` is its number among what was heard.
    pub(crate) fn said(&self, index: usize, part: usize, bytes: Range<usize>) -> Said {
        let (mut byte, mut unit) = (0, 0);
        self.place(index, part, bytes, (&mut byte, &mut unit))
    }

    /// The same for several of a part, in their order; one pass over its text.
    pub(crate) fn places(&self, index: usize, part: usize, ranges: &[Range<usize>]) -> Vec<Said> {
        let (mut byte, mut unit) = (0, 0);
        let ranges = ranges.iter().cloned();
        ranges.map(|bytes| self.place(index, part, bytes, (&mut byte, &mut unit))).collect()
    }

    /// `byte` and `unit` are the same place in the text, at or before the words; they move on behind them.
    fn place(
        &self,
        index: usize,
        part: usize,
        bytes: Range<usize>,
        (byte, unit): (&mut usize, &mut usize),
    ) -> Said {
        let text = self.text(part).unwrap_or_default();
        let mut upto = |end: usize| {
            if let Some(piece) = text.get(*byte..end) {
                *unit += piece.encode_utf16().count();
                *byte = end;
            }
            *unit
        };
        let utf16 = upto(bytes.start)..upto(bytes.end);
        Said { turn: self.turn, seat: self.seat, part, bytes, utf16, heard: Some(index as u32) }
    }

    /// Its words as one message.
    pub(crate) fn message(&self) -> String {
        let texts: Vec<&str> = self.texts.iter().map(|(_, text)| &**text).collect();
        texts.join("\n\n")
    }
}

impl Ledger {
    /// Takes in the words of the transcript; gives those that were not known.
    pub(super) fn hear(&mut self, transcript: &Transcript, structure: &Structure) -> Vec<usize> {
        let now = words(transcript, structure);
        let folded = structure.note.as_ref().map_or(0, |(_, note)| note.tally.prompts);
        let folded = u32::try_from(folded).unwrap_or(u32::MAX);
        let known = align(&self.heard, &now, folded);
        for heard in &mut self.heard {
            heard.seat = Seat::Folded;
        }
        let mut fresh = Vec::new();
        // Where a note was put in front of a prompt's parts, or went away with it, they have other numbers now.
        let mut moved: BTreeMap<(u32, usize), usize> = BTreeMap::new();
        for (heard, known) in now.into_iter().zip(known) {
            if let Some(index) = known {
                let parts = self.heard[index].texts.iter().zip(&heard.texts);
                let parts = parts.filter(|((was, _), (is, _))| was != is);
                moved.extend(parts.map(|((was, _), (is, _))| ((index as u32, *was), *is)));
                self.heard[index].seat = heard.seat;
                self.heard[index].texts = heard.texts;
            } else {
                fresh.push(self.heard.len());
                self.heard.push(heard);
            }
        }
        self.number_requests();
        let seats: Vec<Seat> = self.heard.iter().map(|heard| heard.seat).collect();
        let saids = self.pins.iter_mut().flat_map(|pin| &mut pin.said);
        for said in saids.chain(self.candidates.iter_mut().map(|candidate| &mut candidate.said)) {
            let seat = said.heard.and_then(|index| seats.get(index as usize).copied());
            said.seat = seat.unwrap_or(Seat::Folded);
            let part = said.heard.and_then(|index| moved.get(&(index, said.part)));
            said.part = part.copied().unwrap_or(said.part);
        }
        self.placed = true;
        self.forget();
        fresh
    }

    /// Gives every turn that has none the id of its request.
    pub(super) fn number_requests(&mut self) {
        let mut same: BTreeMap<(u32, String), usize> = BTreeMap::new();
        for heard in &mut self.heard {
            let before = same.entry((heard.turn, heard.key.clone())).or_default();
            if heard.request.is_empty() {
                heard.request = heard.request_id(*before);
            }
            *before += 1;
        }
    }
}

/// The words of a transcript that may bind: system text, prompts, and what a user says beside results. Never what a tool
/// returned, never what a model said, never what Pinfold wrote; wherever it stands.
pub(crate) fn words(transcript: &Transcript, structure: &Structure) -> Vec<Heard> {
    let mut found = Vec::new();
    for (index, fixed) in transcript.request().fixed.iter().enumerate() {
        if is_instruction(fixed.what) {
            let raw = transcript.slice(fixed.span);
            // Gemini's system text is a content of parts.
            let parts = Node::parse(raw).ok().and_then(|node| node.object().field("parts"));
            let text = readable(parts.map_or(raw, Node::raw)).into_owned();
            found.push(heard(0, Seat::Fixed(index), [(0, text)].into()));
        }
    }
    found.extend((0..transcript.len()).filter_map(|entry| words_of(transcript, structure, entry)));
    found
}

/// The words of an entry that may bind.
pub(super) fn words_of(
    transcript: &Transcript,
    structure: &Structure,
    entry: usize,
) -> Option<Heard> {
    let content = &transcript.entries()[entry];
    let is_system = content.role == Role::System;
    let speaks = is_system || content.role == Role::User;
    if structure.note_entry() == Some(entry) || content.unsaid || !speaks {
        return None;
    }
    let mut texts = texts(transcript, structure, entry);
    if !is_system {
        unsaid::take_out_reports(&mut texts);
    }
    if texts.iter().all(|(_, text)| text.trim().is_empty()) {
        return None;
    }
    texts.shrink_to_fit();
    Some(if is_system {
        heard(0, Seat::System(entry), texts)
    } else {
        heard(turn_of(structure, entry), Seat::Entry(entry), texts)
    })
}

/// The texts of an entry by part, without those that Pinfold wrote and, in the place of a prompt, the outputs of tools.
pub(super) fn texts(
    transcript: &Transcript,
    structure: &Structure,
    entry: usize,
) -> Vec<(usize, String)> {
    let parts = transcript.parts(entry).iter().enumerate();
    let texts = parts.filter(|(part, content)| {
        content.kind == PartKind::Text && !structure.is_note_part(entry, *part)
    });
    let mut texts: Vec<(usize, String)> =
        texts.map(|(part, content)| (part, transcript.part_text(content).into_owned())).collect();
    if transcript.entries()[entry].role == Role::User {
        unsaid::take_out_outputs(&mut texts);
    }
    texts
}

/// The number of the turn that an entry belongs to, counted from 1 over all folds.
pub(crate) fn turn_of(structure: &Structure, entry: usize) -> u32 {
    let folded = structure.note.as_ref().map_or(0, |(_, note)| note.tally.prompts);
    let Some(exchange) = structure.exchange_of(entry) else { return folded as u32 };
    // The first exchange of a cut talk may go on without its prompt, which the note counts.
    let headless = structure.exchanges.first().is_some_and(|first| first.prompt.is_none());
    let number = (exchange + usize::from(!headless)) as u64;
    u32::try_from(folded.saturating_add(number)).unwrap_or(u32::MAX)
}

/// Whether a fixed part of a request is words that instruct, not tools or settings.
fn is_instruction(what: &str) -> bool {
    matches!(
        what,
        "system" | "instructions" | "systemInstruction" | "system_instruction" | "system_prompt"
    )
}

fn heard(turn: u32, seat: Seat, texts: Vec<(usize, String)>) -> Heard {
    let kind = if seat.is_system() { "system" } else { "prompt" };
    let pieces: Vec<&str> =
        core::iter::once(kind).chain(texts.iter().map(|(_, text)| &**text)).collect();
    Heard {
        key: hash(&pieces),
        turn,
        system: seat.is_system(),
        seat,
        texts,
        question: Question::None,
        request: String::new(),
    }
}

/// Which of `known` each of `now` is: of those with the same words the one of the same turn, else the first that is left.
/// Of the first `folded` turns none stands anywhere but in its place: the same words in a later turn are said anew.
/// In O((n + m) log n).
pub(crate) fn align(known: &[Heard], now: &[Heard], folded: u32) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..known.len()).collect();
    order.sort_by(|&a, &b| {
        (&known[a].key, known[a].turn, a).cmp(&(&known[b].key, known[b].turn, b))
    });
    let mut taken = alloc::vec![false; known.len()];
    let mut found = alloc::vec![None; now.len()];
    // Where the search for a leftover goes on; per run of equal keys it only ever moves forward.
    let mut next: Vec<usize> = (0..order.len()).collect();
    let run = |key: &str| order.partition_point(|&at| known[at].key.as_str() < key);
    for (index, heard) in now.iter().enumerate() {
        let at = order.partition_point(|&at| {
            (known[at].key.as_str(), known[at].turn) < (heard.key.as_str(), heard.turn)
        });
        let same = order
            .get(at)
            .copied()
            .filter(|&at| known[at].key == heard.key && known[at].turn == heard.turn && !taken[at]);
        if let Some(at) = same {
            taken[at] = true;
            found[index] = Some(at);
        }
    }
    for (index, heard) in now.iter().enumerate() {
        if found[index].is_some() {
            continue;
        }
        let start = run(&heard.key);
        let Some(mut at) = next.get(start).copied() else { continue };
        let stays = |of: usize| taken[of] || !known[of].system && known[of].turn <= folded;
        while order.get(at).is_some_and(|&of| known[of].key == heard.key && stays(of)) {
            at += 1;
        }
        next[start] = at;
        if let Some(&of) = order.get(at).filter(|&&of| known[of].key == heard.key) {
            taken[of] = true;
            found[index] = Some(of);
        }
    }
    found
}
