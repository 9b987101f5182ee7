//! The plan: from a budget to a decision, in O(log n) for each new budget.
//!
//! What a cut at boundary `i` costs is known in advance: the fixed part, the system entries that stay, the
//! entries kept, and the note. Made monotone from the right, that cost is searched by halving.

use alloc::vec::Vec;
use core::ops::Range;

use crate::cost::{Cost, Costs, View};
use crate::cut::{CutMap, Reason};
use crate::digest::Digest;
use crate::exchange::{Grown, Structure};
use crate::ledger::{ClassifyRequest, Ledger, Standing};
use crate::note::Note;
use crate::policy::Bounds;
pub use crate::policy::{Policy, Select};
use crate::tokens::{Counts, Item};
use crate::transcript::Transcript;
use crate::trim::Trim;

/// What to do about a budget.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// Nothing: the transcript is within the trigger.
    Fits {
        /// Its tokens.
        total: u64,
    },
    /// Fold at a legal cut.
    Fold(Fold),
    /// Wait: no legal cut is in reach.
    Defer(Defer),
    /// No fold can ever reach the budget.
    Stuck {
        /// The tokens now.
        total: u64,
        /// The fewest tokens that any fold can reach, item by item.
        floor: Vec<Item>,
    },
}

impl Decision {
    /// The name in kebab-case.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Fits { .. } => "fits",
            Self::Fold(_) => "fold",
            Self::Defer(_) => "defer",
            Self::Stuck { .. } => "stuck",
        }
    }
}

/// A fold that is possible.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The boundary: entries before it go into the note.
    pub cut: usize,
    /// How the boundary was found.
    pub way: Way,
    /// Entries folded, without the system entries that stay.
    pub entries: usize,
    /// Prompts folded.
    pub prompts: usize,
    /// Pairs folded.
    pub pairs: usize,
    /// Tokens now.
    pub before: u64,
    /// Tokens after the fold, at most.
    pub after: u64,
    /// Tokens over the budget now.
    pub deficit: u64,
    /// Digest lines that the note shows, and those that it only counts.
    pub lines: (usize, usize),
    /// Tokens that the note has for excerpts.
    pub excerpts: u64,
    /// Tokens that it may have for all of these and a summary together.
    pub room: u64,
    /// The kept entries of which results are trimmed; [`Planner::plan`] plans none, [`Trimming`](crate::trim::Trimming) does.
    pub trims: Vec<Trim>,
}

impl Fold {
    /// Tokens freed, at least.
    pub fn freed(&self) -> u64 {
        self.before.saturating_sub(self.after)
    }

    /// Tokens freed ÷ deficit: how much more was folded than the budget asked for.
    pub fn overshoot(&self) -> f64 {
        if self.deficit == 0 { 1.0 } else { self.freed() as f64 / self.deficit as f64 }
    }
}

/// How a boundary was found.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Way {
    /// The target itself is a legal cut.
    AtTarget,
    /// Back from the target: more is kept than was aimed at.
    Back,
    /// Forward from the target: there was no legal cut within the lookback.
    Forward,
    /// Nothing is folded: trimming alone is enough.
    InPlace,
}

impl Way {
    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::AtTarget => "at-target",
            Self::Back => "back",
            Self::Forward => "forward",
            Self::InPlace => "in-place",
        }
    }
}

/// Why a fold waits.
#[derive(Clone, Debug, PartialEq)]
pub struct Defer {
    /// Tokens now.
    pub total: u64,
    /// Tokens over the budget.
    pub deficit: u64,
    /// The boundary that the budget asks for.
    pub wanted: usize,
    /// Why it, or the one that had to be taken instead, is illegal.
    pub blocking: Vec<Reason>,
    /// The nearest legal cut before it, and how many tokens more it keeps.
    pub before: Option<Near>,
    /// The nearest legal cut after it, and how many tokens less it keeps.
    pub after: Option<Near>,
}

/// Of what a cut leaves free, one part in so many is for digest lines, the rest for excerpts.
const LINES: u64 = 10;

/// In tokens: fewer lines would not even say what was done last.
const LEAST_LINES: u64 = 300;

/// A legal cut and its distance.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Near {
    /// The boundary.
    pub at: usize,
    /// Tokens between it and the boundary that was wanted.
    pub distance: u64,
}

/// Everything that a plan needs of a transcript, built once in O(n).
#[derive(Clone, Debug)]
pub struct Planner {
    /// Its structure.
    pub structure: Structure,
    /// Its boundaries.
    pub cuts: CutMap,
    /// Its tokens.
    pub counts: Counts,
    /// Its digest.
    pub digest: Digest,
    /// The pins that a fold shows.
    pub standing: Standing,
    pub(crate) costs: Costs,
    /// The tokens of everything, summed once.
    pub(crate) total: u64,
    /// The tokens of the note's marker, rendered once.
    pub(crate) marker: u64,
    /// The boundaries at which an exchange begins, but those that can never be legal, in their order.
    pub(crate) exchange_cuts: Vec<usize>,
}

impl Planner {
    /// Prepares `transcript` for planning. Of the ledger it knows what an earlier fold left in the transcript.
    pub fn new(transcript: &Transcript, counts: Counts) -> Self {
        let structure = Structure::of(transcript);
        let standing = Standing::carried(transcript, &structure);
        Self::of(transcript, structure, counts, standing)
    }

    /// Prepares `transcript` for planning with a ledger, which observes it first. Returns also what is to be classified.
    pub fn with_ledger(
        transcript: &Transcript,
        counts: Counts,
        ledger: &mut Ledger,
    ) -> (Self, Vec<ClassifyRequest>) {
        let structure = Structure::of(transcript);
        let requests = ledger.observe(transcript, &structure);
        (Self::of(transcript, structure, counts, ledger.standing()), requests)
    }

    /// The same with another state of the ledger, which has observed this transcript.
    #[must_use]
    pub fn with_standing(mut self, transcript: &Transcript, standing: Standing) -> Self {
        debug_assert_eq!(self.counts.entries.len(), transcript.len(), "it is this transcript's");
        self.stand(standing);
        self
    }

    /// The same for a transcript whose entries, after some were trimmed, have `counts`.
    pub(crate) fn recounted(&self, transcript: &Transcript, counts: Counts) -> Self {
        // Without its thinking an entry has its other parts in other places.
        let structure = Structure::of(transcript);
        Self::of(transcript, structure, counts, self.standing.clone())
    }

    fn of(
        transcript: &Transcript,
        structure: Structure,
        counts: Counts,
        standing: Standing,
    ) -> Self {
        let grown = Grown { answered: structure.pairing.answered(), ..Grown::default() };
        let mut planner = Self {
            structure,
            cuts: CutMap::default(),
            counts,
            digest: Digest::told(),
            standing: Standing::default(),
            costs: Costs::default(),
            total: 0,
            marker: Note::frame_tokens(),
            exchange_cuts: Vec::new(),
        };
        planner.take_in(transcript, &grown);
        planner.stand(standing);
        planner
    }

    /// Takes in the entries of `transcript` that are new; the ledger stays as it was. The transcript must have grown, and in
    /// no other way have changed.
    pub(crate) fn grow(&mut self, transcript: &Transcript) -> Grown {
        let grown = self.structure.grow(transcript);
        self.counts.grow(transcript);
        self.take_in(transcript, &grown);
        grown
    }

    fn take_in(&mut self, transcript: &Transcript, grown: &Grown) {
        let first = self.cuts.grow(transcript, &self.structure, grown);
        self.digest.grow(transcript, &self.structure, grown.changed);
        let Self { structure, cuts, counts, digest, .. } = self;
        let view = View { counts, structure, cuts, digest };
        self.costs.grow(transcript, view, grown, first);
        self.total = self.counts.fixed_total() + self.costs.total();
        let known = self.exchange_cuts.partition_point(|&at| at < first);
        self.exchange_cuts.truncate(known);
        let exchanges = &self.structure.exchanges;
        let next = exchanges.partition_point(|exchange| exchange.entries.start < first);
        let starts = exchanges[next..].iter().map(|exchange| exchange.entries.start);
        self.exchange_cuts.extend(starts.filter(|&at| self.cuts.is_open(at)));
    }

    /// Takes in what a ledger shows now.
    pub(crate) fn stand(&mut self, standing: Standing) {
        self.standing = standing;
        self.standing.freeze(self.structure.frozen);
        self.costs.pin(self.standing.steps());
    }

    /// Has the digest say its lines, where only their cost is kept.
    pub(crate) fn tell(&mut self, transcript: &Transcript) {
        self.digest.tell(transcript, &self.structure);
    }

    /// Keeps of the digest only what its lines cost.
    pub(crate) fn hush(&mut self) {
        self.digest.hush();
    }

    pub(crate) fn view(&self) -> View<'_> {
        let Self { structure, cuts, counts, digest, .. } = self;
        View { counts, structure, cuts, digest }
    }

    /// What a cut at boundary `at` costs.
    pub(crate) fn cost(&self, at: usize) -> Cost {
        self.costs.at(self.view(), at)
    }

    /// The decision for a policy.
    pub fn plan(&self, policy: &Policy) -> Decision {
        let total = self.total;
        if total <= policy.trigger.unwrap_or(policy.budget) {
            return Decision::Fits { total };
        }
        let last = self.last(policy);
        let floor = self.floor_before(last);
        let lowest: u64 = floor.iter().map(|item| item.tokens).sum();
        let demanded = total > policy.budget;
        let ceiling = if demanded && lowest > policy.ceiling() {
            // What cannot be brought below the trigger can still be brought within the budget, once.
            policy.budget
        } else {
            policy.ceiling()
        };
        if lowest > ceiling {
            return Decision::Stuck { total, floor };
        }
        let worth = total.checked_sub(policy.min_gain.max(1)).filter(|&most| lowest <= most);
        // A fold that saves nothing is not made.
        let Some(most) = worth.or(demanded.then_some(total - 1)) else {
            return Decision::Fits { total };
        };
        if self.structure.head >= last {
            // Nothing stands there but what stays, and it is within the budget.
            return Decision::Fits { total };
        }
        let reach = policy.share(policy.lookback);
        // A fold below the trigger ends the matter.
        let ceiling = ceiling.min(most);
        let aim = policy.target.unwrap_or(ceiling.saturating_sub(reach)).min(ceiling);
        let lines = policy.share(policy.note_share).min(aim.saturating_sub(lowest));
        let target = aim.max(lowest);
        let limit = target.saturating_add(reach).min(ceiling);
        let wanted = match policy.select {
            Select::Recency => self.first(false, |least| least.within(target, lines)),
            Select::Liveness => {
                let reserve = self.reserve(policy, target, lowest).max(lines);
                self.first(false, |least| least.bare.saturating_add(reserve) <= target)
            }
        };
        let wanted = wanted.min(last);
        if policy.quiet && !self.structure.tail.pending.is_empty() {
            let end = self.cuts.len() - 1;
            return Decision::Defer(self.defer(total, policy, wanted, end));
        }
        match self.choose(policy, wanted, Bounds { reach, limit, lines, last }) {
            Some(cut) => {
                // What the cut leaves free up to the target is worth more as lines than as nothing.
                let free = target.saturating_sub(self.cost(cut).bare);
                let excerpts = policy.select == Select::Liveness;
                let shown = if excerpts {
                    (free / LINES).max(LEAST_LINES).min(free)
                } else {
                    lines.max(free)
                };
                let mut fold = self.fold(cut, wanted, total, policy, shown);
                fold.room = lines.max(free).min(limit.saturating_sub(self.cost(cut).bare));
                if excerpts {
                    fold.excerpts = target.saturating_sub(fold.after);
                    fold.after += fold.excerpts;
                }
                Decision::Fold(fold)
            }
            None => Decision::Defer(self.defer(total, policy, wanted, wanted)),
        }
    }

    /// Tokens of the entries at and after boundary `at`.
    pub fn kept_tokens(&self, at: usize) -> u64 {
        self.costs.kept(self.view(), at)
    }

    /// Tokens of a run of entries.
    pub(crate) fn tokens_of(&self, entries: &Range<usize>) -> u64 {
        self.kept_tokens(entries.start) - self.kept_tokens(entries.end)
    }

    /// Tokens of what stays in front of boundary `at`: the fixed part and the system entries before it.
    pub fn frozen_tokens(&self, at: usize) -> u64 {
        self.counts.fixed_total() + self.costs.system_before(at)
    }

    /// The fewest tokens that any fold can reach, item by item: those of the cheapest legal cut.
    pub fn floor(&self) -> Vec<Item> {
        self.floor_before(self.end())
    }

    fn fold(&self, cut: usize, wanted: usize, total: u64, policy: &Policy, lines: u64) -> Fold {
        let cost = self.cost(cut);
        let (unlisted, listed) = self.digest.fitting(cut, lines);
        let shown = self.digest.count_before(cut) - unlisted;
        Fold {
            cut,
            way: match cut.cmp(&wanted) {
                core::cmp::Ordering::Less => Way::Back,
                core::cmp::Ordering::Equal => Way::AtTarget,
                core::cmp::Ordering::Greater => Way::Forward,
            },
            entries: cost.entries as usize,
            prompts: cost.prompts as usize,
            pairs: cost.pairs as usize,
            before: total,
            after: cost.bare + listed,
            deficit: total.saturating_sub(policy.budget),
            lines: (shown, unlisted),
            excerpts: 0,
            room: 0,
            trims: Vec::new(),
        }
    }
}
