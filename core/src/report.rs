//! The report: what a fold did, counted again on the result, and what became of each exchange, and why.

use alloc::vec::Vec;
use core::ops::Range;

use crate::fold::after_tokens;
use crate::ledger::Share;
use crate::liveness::Excerpt;
use crate::plan::{Fold, Planner};
use crate::telling::{Earlier, Told};
use crate::thinking::Thinking;
use crate::tokens::CountKind;
use crate::trim::Trim;

/// What a fold did.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Tokens before.
    pub before: u64,
    /// Tokens after, counted on the result.
    pub after: u64,
    /// Tokens over the budget before.
    pub deficit: u64,
    /// Tokens freed.
    pub freed: u64,
    /// Tokens freed ÷ deficit.
    pub overshoot: f64,
    /// Tokens of an exchange on average ÷ deficit: above 1, leaving out whole exchanges frees more than is asked for.
    pub coarseness: f64,
    /// Tokens that a provider has to read anew, at most: what it may have cached ends where the note begins.
    pub cache_lost: u64,
    /// Where the counts come from, and how far estimates were off where that could be measured.
    pub counted: (CountKind, Option<f64>),
    /// Entries folded and kept.
    pub entries: (usize, usize),
    /// Pairs folded and kept.
    pub pairs: (usize, usize),
    /// What became of each exchange.
    pub exchanges: Vec<Became>,
    /// The lines of folded output that the note keeps, and why.
    pub excerpts: Vec<Excerpt>,
    /// What became of thinking in what is kept.
    pub thinking: Thinking,
    /// What the ledger takes of the budget.
    pub ledger: Share,
    /// What came of the summary by a model of the host's.
    pub summary: Told,
    /// What became of the summary that an earlier fold left.
    pub earlier: Earlier,
}

/// What became of an exchange, and why.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Became {
    /// How it is represented now.
    pub representation: Representation,
    /// Why it is not represented otherwise.
    pub why: Why,
    /// Its entries in the input.
    pub entries: Range<usize>,
    /// Their tokens.
    pub tokens: u64,
    /// How many of its lines the note shows as the newest, and how many it has.
    pub lines: (usize, usize),
}

/// Why an exchange is represented as it is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Why {
    /// It holds what the model has not consumed yet.
    LiveTail,
    /// It is among the newest that the budget holds.
    Newest,
    /// No exchange boundary was near enough to the target, so it is cut between two rounds.
    CutInside,
    /// It is older, and its lines have room in the note.
    Older,
    /// A model's summary tells of it, and its lines have no room beside that.
    Summarised,
    /// Its lines have no room in the note.
    NoRoom,
    /// Without its largest results in full it is among what the budget holds.
    TooLarge,
}

impl Why {
    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::LiveTail => "live-tail",
            Self::Newest => "newest",
            Self::CutInside => "cut-inside",
            Self::Older => "older",
            Self::Summarised => "summarised",
            Self::NoRoom => "no-room",
            Self::TooLarge => "too-large",
        }
    }
}

/// How an exchange is represented in a folded transcript.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Representation {
    /// Every entry as it was.
    Raw,
    /// Every entry as it was, but for results that are cut down in place.
    Trimmed,
    /// Its end as it was, its beginning as lines of the note.
    Part,
    /// As lines of the note.
    Digest,
    /// As a part of what the summary tells of.
    Summary,
    /// Only counted by the marker.
    Counted,
}

impl Representation {
    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Trimmed => "trimmed",
            Self::Part => "part",
            Self::Digest => "digest",
            Self::Summary => "summary",
            Self::Counted => "counted",
        }
    }
}

impl Report {
    /// Takes in that a summary tells of what would only be counted.
    pub(crate) fn summarise(&mut self) {
        let counted = |it: &&mut Became| it.representation == Representation::Counted;
        self.exchanges.iter_mut().filter(counted).for_each(|it| {
            (it.representation, it.why) = (Representation::Summary, Why::Summarised);
        });
    }

    /// Takes in which entries were trimmed.
    pub(crate) fn trim(&mut self, trims: &[Trim]) {
        for became in &mut self.exchanges {
            let inside = trims.iter().filter(|trim| became.entries.contains(&trim.entry));
            let cut: u64 = inside.clone().map(|trim| trim.before - trim.after).sum();
            became.tokens += cut;
            if cut > 0 && became.representation == Representation::Raw {
                (became.representation, became.why) = (Representation::Trimmed, Why::TooLarge);
            }
        }
    }
}

/// What `fold` does, with `note` as it was written.
pub(crate) fn report(planner: &Planner, fold: &Fold, note: &str, budget: u64) -> Report {
    let counts = &planner.counts;
    let after = after_tokens(planner, fold.cut, note);
    let freed = fold.before.saturating_sub(after);
    let all_pairs = planner.structure.pairing.pairs().count();
    let kept = counts.entries.len() - fold.cut;
    let structure = &planner.structure;
    let spoken: u64 = structure.exchanges.iter().map(|it| planner.tokens_of(&it.entries)).sum();
    let average = spoken as f64 / structure.exchanges.len().max(1) as f64;
    // Everything is sent in order, so a cache ends at the first byte that changed.
    let same = planner.frozen_tokens(structure.head);
    Report {
        before: fold.before,
        after,
        deficit: fold.deficit,
        freed,
        overshoot: if fold.deficit == 0 { 1.0 } else { freed as f64 / fold.deficit as f64 },
        coarseness: if fold.deficit == 0 { 1.0 } else { average / fold.deficit as f64 },
        cache_lost: fold.before.saturating_sub(same),
        counted: (counts.kind, counts.error),
        entries: (fold.entries, kept),
        pairs: (fold.pairs, all_pairs - fold.pairs),
        exchanges: exchanges(planner, fold),
        excerpts: Vec::new(),
        thinking: Thinking::Keep,
        ledger: planner.standing.share(fold.cut, budget),
        summary: Told::None,
        earlier: Earlier::None,
    }
}

/// What becomes of each exchange, and why.
fn exchanges(planner: &Planner, fold: &Fold) -> Vec<Became> {
    let structure = &planner.structure;
    let live = structure.tail.start(planner.counts.entries.len());
    let (_, unlisted) = fold.lines;
    let lines = |entries: &Range<usize>| {
        let end = planner.digest.count_before(entries.end.min(fold.cut));
        let start = planner.digest.count_before(entries.start.min(fold.cut));
        (end.saturating_sub(start.max(unlisted)), end - start)
    };
    let all = structure.exchanges.iter().zip(representations(planner, fold));
    all.map(|(exchange, representation)| {
        let entries = exchange.entries.clone();
        let why = match representation {
            Representation::Raw if entries.end > live => Why::LiveTail,
            Representation::Raw => Why::Newest,
            Representation::Trimmed => Why::TooLarge,
            Representation::Part => Why::CutInside,
            Representation::Digest => Why::Older,
            Representation::Summary => Why::Summarised,
            Representation::Counted => Why::NoRoom,
        };
        let tokens = planner.tokens_of(&entries);
        Became { representation, why, lines: lines(&entries), entries, tokens }
    })
    .collect()
}

/// How each exchange is represented after `fold`.
pub fn representations(planner: &Planner, fold: &Fold) -> Vec<Representation> {
    let (_, unlisted) = fold.lines;
    let exchanges = planner.structure.exchanges.iter();
    exchanges
        .map(|exchange| {
            if exchange.entries.start >= fold.cut {
                Representation::Raw
            } else if exchange.entries.end > fold.cut {
                Representation::Part
            } else if planner.digest.count_before(exchange.entries.end) > unlisted {
                Representation::Digest
            } else {
                Representation::Counted
            }
        })
        .collect()
}
