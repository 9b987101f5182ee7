//! What a fold shows of a ledger at each boundary, and what that costs.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use super::block::{Block, Gone, Row};
use super::classify::place_of;
use super::pin::{Class, Pin, Said, Seat, State};
use super::{Ledger, Repeat, heard};
use crate::exchange::Structure;
use crate::json::Node;
use crate::transcript::{PartKind, Transcript};

/// The pins of a ledger as they would stand in a fold, for every boundary at once.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// In the order of the block.
    rows: Vec<Shown>,
    gone: Vec<(Gone, usize)>,
    share: f64,
    /// Whether a ledger tells it, and not only what an earlier fold left of one.
    whole: bool,
}

/// A row and the boundaries at which it is shown.
#[derive(Clone, Debug)]
struct Shown {
    row: Row,
    id: String,
    tokens: u64,
    /// The first boundary at which its words are folded; beyond the last where they never are.
    from: usize,
}

/// How much of a budget the ledger takes.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Share {
    /// The pins that are shown.
    pub pins: usize,
    /// What they cost, in tokens.
    pub tokens: u64,
    /// What they may cost.
    pub allowed: u64,
    /// The ids of the oldest pins that can be retired without anybody's revoking them, as many as it takes to get within
    /// what is allowed. Proposed only: nothing is left out.
    pub proposals: Vec<String>,
}

impl Standing {
    /// What a ledger shows, as of the transcript that it observed last.
    pub(super) fn of(ledger: &Ledger) -> Self {
        let repeat = ledger.options.repeat;
        let mut rows: Vec<Shown> = Vec::new();
        for pin in ledger.pins.iter().filter(|pin| pin.is_live()) {
            rows.push(Shown::new(Row::of(pin), pin.id.clone(), from(pin, repeat)));
        }
        for candidate in ledger.unanswered() {
            let said = &candidate.said;
            let row = Row {
                class: Class::Constraint,
                topic: None,
                text: candidate.text.clone(),
                turns: (said.turn, said.turn),
                times: 1,
                system: false,
                confirmed: false,
            };
            let known = rows.iter().any(|shown| shown.id == candidate.id);
            if !known && !said.seat.is_system() {
                rows.push(Shown::new(row, candidate.id.clone(), first_without(said.seat)));
            }
        }
        // Stable, so that pins of one turn stay in the order in which they were said.
        rows.sort_by_key(|shown| (shown.row.class, shown.row.topic, shown.row.turns.0));
        let retired =
            ledger.pins.iter().filter(|pin| pin.state == State::Retired && pin.topic.is_none());
        let gone = retired.filter_map(|pin| {
            let last = pin.said.iter().filter_map(kept).max()?;
            let ended = pin.evidence.as_ref().and_then(|evidence| evidence.turn);
            let turn = ended.unwrap_or(0).max(pin.turns().1);
            Some((Gone { id: pin.id.clone(), turn }, last))
        });
        let mut gone: Vec<(Gone, usize)> = gone.collect();
        // What an earlier fold told of stays told as long as its words are kept.
        let known: BTreeSet<String> = gone.iter().map(|(gone, _)| gone.id.clone()).collect();
        let mut told: BTreeMap<&String, usize> = BTreeMap::new();
        for candidate in &ledger.candidates {
            if let Some(last) = kept(&candidate.said)
                && ledger.gone.contains_key(&candidate.id)
                && !known.contains(&candidate.id)
            {
                let entry = told.entry(&candidate.id).or_default();
                *entry = last.max(*entry);
            }
        }
        gone.extend(told.into_iter().map(|(id, last)| {
            let turn = ledger.gone.get(id).copied().unwrap_or_default();
            (Gone { id: id.clone(), turn }, last)
        }));
        Self { rows, gone, share: ledger.options.share, whole: true }
    }

    /// What the ledger of an earlier fold shows where nobody keeps one: the same pins, unchanged but for tool state, in which
    /// newer calls supersede older ones.
    pub fn carried(transcript: &Transcript, structure: &Structure) -> Self {
        let Some((_, note)) = structure.note.as_ref().filter(|(_, note)| !note.ledger.is_empty())
        else {
            let share = super::Options::default().share;
            return Self { share, ..Self::default() };
        };
        let options = super::Options {
            accept: super::Accept::Nothing,
            tools: note.ledger.rows.iter().any(|row| row.topic.is_some()),
            ..super::Options::default()
        };
        let ledger = Ledger::carried(options, transcript, structure, &note.ledger);
        Self { whole: false, ..Self::of(&ledger) }
    }

    /// Whether a ledger tells it: then what else stands in a block is not of this session.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole
    }

    /// The block that stands in a fold at boundary `cut`.
    pub fn block(&self, cut: usize) -> Block {
        Block {
            rows: self.shown(cut).map(|shown| shown.row.clone()).collect(),
            gone: self
                .gone
                .iter()
                .filter(|(_, last)| *last >= cut)
                .map(|(gone, _)| gone.clone())
                .collect(),
        }
    }

    /// The share of `budget` that the ledger takes in a fold at boundary `cut`.
    pub fn share(&self, cut: usize, budget: u64) -> Share {
        let mut share = Share {
            allowed: (budget as f64 * self.share.clamp(0.0, 1.0)) as u64,
            ..Share::default()
        };
        let mut retirable: Vec<&Shown> = Vec::new();
        for shown in self.shown(cut) {
            share.pins += 1;
            share.tokens += shown.tokens;
            if shown.row.class != Class::Constraint {
                retirable.push(shown);
            }
        }
        share.tokens += if share.pins > 0 { Block::frame_tokens() } else { 0 };
        retirable.sort_by_key(|shown| shown.row.turns.1);
        let mut over = share.tokens.saturating_sub(share.allowed);
        for shown in retirable {
            if over == 0 {
                break;
            }
            over = over.saturating_sub(shown.tokens);
            share.proposals.push(shown.id.clone());
        }
        share
    }

    /// The tokens that the ledger takes in a fold, at most: each with the boundary from which on it does.
    pub(crate) fn steps(&self) -> Vec<(usize, u64)> {
        let mut more: BTreeMap<usize, u64> = BTreeMap::new();
        let mut less: BTreeMap<usize, u64> = BTreeMap::new();
        let mut first = usize::MAX;
        for shown in &self.rows {
            *more.entry(shown.from).or_default() += shown.tokens;
            first = first.min(shown.from);
        }
        for (gone, last) in &self.gone {
            *more.entry(0).or_default() += gone.tokens();
            *less.entry(last + 1).or_default() += gone.tokens();
            first = 0;
        }
        *more.entry(first).or_default() += Block::frame_tokens();
        let steps: BTreeSet<usize> = more.keys().chain(less.keys()).copied().collect();
        let mut tokens = 0;
        let at = |changes: &BTreeMap<usize, u64>, at: usize| changes.get(&at).copied().unwrap_or(0);
        let sum = steps.into_iter().map(|from| {
            tokens = tokens + at(&more, from) - at(&less, from);
            (from, tokens)
        });
        sum.collect()
    }

    fn shown(&self, cut: usize) -> impl Iterator<Item = &Shown> {
        self.rows.iter().filter(move |shown| shown.from <= cut)
    }
}

impl Standing {
    /// The same for a transcript whose first `frozen` entries are never folded: what was said there stays in sight.
    pub(crate) fn freeze(&mut self, frozen: usize) {
        for shown in self.rows.iter_mut().filter(|shown| (1..=frozen).contains(&shown.from)) {
            shown.from = usize::MAX;
        }
    }
}

impl Shown {
    fn new(row: Row, id: String, from: usize) -> Self {
        Self { tokens: row.tokens(), row, id, from }
    }
}

/// The entry that a fold may take away.
fn kept(said: &Said) -> Option<usize> {
    match said.seat {
        Seat::Entry(entry) => Some(entry),
        Seat::Folded | Seat::Fixed(_) | Seat::System(_) => None,
    }
}

/// The first boundary at which what sits there is folded.
fn first_without(seat: Seat) -> usize {
    match seat {
        Seat::Folded => 0,
        Seat::Fixed(_) | Seat::System(_) => usize::MAX,
        Seat::Entry(entry) => entry + 1,
    }
}

fn from(pin: &Pin, repeat: Repeat) -> usize {
    let seats = pin.said.iter().map(|said| first_without(said.seat));
    match repeat {
        Repeat::All => 0,
        Repeat::System if pin.is_system() => 0,
        Repeat::Folded | Repeat::System => seats.max().unwrap_or(0),
    }
}

/// Whether a row of a ledger quotes what stands in the transcript: words of a prompt or of system text, the arguments or output
/// of a tool for a tool state, or a pin of the ledger that an earlier fold left there.
pub(crate) fn verbatim(transcript: &Transcript, structure: &Structure, row: &Row) -> bool {
    let inherited = structure.note.as_ref().map_or(&[][..], |(_, note)| &note.ledger.rows);
    if inherited.iter().any(|known| (known.topic, &known.text) == (row.topic, &row.text)) {
        return true;
    }
    if row.topic.is_none() {
        let said = heard::words(transcript, structure);
        let mut texts = said.iter().flat_map(|heard| &heard.texts);
        return texts.any(|(_, text)| place_of(text, &row.text).is_some());
    }
    transcript.parts.iter().any(|part| {
        let told = matches!(part.kind, PartKind::Call { .. } | PartKind::Result { .. });
        told && quotes(transcript.slice(part.body), &row.text)
    })
}

/// Whether some string in a JSON value holds the words.
fn quotes(json: &str, words: &str) -> bool {
    let Ok(node) = Node::parse(json) else { return json.contains(words) };
    if let Some(text) = node.string() {
        // Arguments are often JSON in a string.
        return text.contains(words) || text.starts_with(['{', '[']) && quotes(&text, words);
    }
    if node.is_array() {
        return node.array().into_iter().any(|item| quotes(item.raw(), words));
    }
    if node.is_object() {
        return node.object().iter().any(|(_, value)| quotes(value.raw(), words));
    }
    json.trim() == words
}
