//! The plan: from a budget to a decision, in O(log n) for each new budget.
//!
//! What a cut at boundary `i` costs is known in advance: the fixed part, the system entries that stay, the
//! entries kept, and the note. Made monotone from the right, that cost is searched by halving.

use alloc::vec::Vec;

use crate::cost::{Cost, costs};
use crate::cut::{CutMap, Reason};
use crate::digest::Digest;
use crate::exchange::Structure;
use crate::ledger::{ClassifyRequest, Ledger, Standing};
use crate::note::Note;
use crate::policy::Bounds;
pub use crate::policy::{Policy, Select};
use crate::tokens::{Counts, Item};
use crate::transcript::Transcript;

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
}

impl Way {
    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::AtTarget => "at-target",
            Self::Back => "back",
            Self::Forward => "forward",
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

/// In tokens: fewer lines would not even say what was done.
const LEAST_LINES: u64 = 800;

/// The share of the newest rounds in a small budget. A larger one gives them more.
const LEAST_RECENT: f64 = 0.15;

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
    costs: Vec<Cost>,
    /// The tokens of everything, summed once.
    total: u64,
    /// The tokens of the note's marker, rendered once.
    marker: u64,
    /// The legal boundaries at which an exchange begins or the last one ends, in their order.
    exchange_cuts: Vec<usize>,
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
    pub fn with_standing(self, transcript: &Transcript, standing: Standing) -> Self {
        Self::of(transcript, self.structure, self.counts, standing)
    }

    fn of(
        transcript: &Transcript,
        structure: Structure,
        counts: Counts,
        standing: Standing,
    ) -> Self {
        let cuts = CutMap::of(transcript, &structure);
        let digest = Digest::of(transcript, &structure);
        let pins = standing.tokens(transcript.len());
        let costs = costs(transcript, &structure, &cuts, &counts, &digest, &pins);
        let starts = structure.exchanges.iter().map(|exchange| exchange.entries.start);
        let exchange_cuts = starts.chain([transcript.len()]).filter(|&at| cuts.legal(at)).collect();
        let total = counts.total();
        let marker = Note::frame_tokens();
        Self { structure, cuts, counts, digest, standing, costs, total, marker, exchange_cuts }
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
            Select::Recency => self.first(|cost| cost.least.within(target, lines)),
            Select::Liveness => {
                let reserve = self.reserve(policy, target, lowest).max(lines);
                self.first(|cost| cost.least.bare.saturating_add(reserve) <= target)
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
                let free = target.saturating_sub(self.costs[cut].bare);
                let excerpts = policy.select == Select::Liveness;
                let shown = if excerpts {
                    lines.max(free / LINES).max(LEAST_LINES).min(free)
                } else {
                    lines.max(free)
                };
                let mut fold = self.fold(cut, wanted, total, policy, shown);
                fold.room = lines.max(free).min(limit.saturating_sub(self.costs[cut].bare));
                if excerpts {
                    fold.excerpts = target.saturating_sub(fold.after);
                    fold.after += fold.excerpts;
                }
                Decision::Fold(fold)
            }
            None => Decision::Defer(self.defer(total, policy, wanted, wanted)),
        }
    }

    /// The last boundary at which the policy lets a fold cut.
    fn last(&self, policy: &Policy) -> usize {
        let rounds = &self.structure.rounds;
        match (policy.keep_recent, rounds.len().checked_sub(policy.keep_recent)) {
            (0, _) => self.cuts.len() - 1,
            (_, Some(first)) => rounds[first].response.start,
            (_, None) => self.structure.head,
        }
    }

    /// What the newest rounds leave to excerpts of older ones, in tokens.
    fn reserve(&self, policy: &Policy, target: u64, lowest: u64) -> u64 {
        let room = target.saturating_sub(lowest) as f64;
        let all = self.total.saturating_sub(lowest).max(1) as f64;
        let recent = policy.recent.unwrap_or(LEAST_RECENT + (1.0 - LEAST_RECENT) * room / all);
        (room * (1.0 - recent.clamp(0.0, 1.0))) as u64
    }

    /// The cut to take: back from `wanted`, or forward. An exchange boundary is preferred, and worth a third
    /// of the lookback in the forward direction.
    fn choose(&self, policy: &Policy, wanted: usize, bounds: Bounds) -> Option<usize> {
        let Bounds { reach, limit, lines, last } = bounds;
        let fits = |&at: &usize| {
            let cost = self.costs[at];
            at > self.structure.head
                && at <= last
                && cost.full.min(cost.bare.saturating_add(lines)) <= limit
        };
        let forward = |_: &usize| policy.overshoot;
        // A prompt that is carried or a pin can make a cut dearer than one before it: then the walk goes on, as far as what is
        // kept alone would fit.
        let stays = |cost: Cost| cost.bare - cost.carried - cost.pins;
        let within = |&at: &usize| stays(self.costs[at]) <= limit;
        let near = |&at: &usize| self.costs[wanted].kept.abs_diff(self.costs[at].kept) <= reach / 3;
        // Excerpts are worth more than an exchange that is kept whole far behind the target.
        let worth = |at: &usize| policy.select == Select::Recency || near(at);
        let next = self.exchange_cuts.partition_point(|&at| at <= wanted);
        let (back, on) = self.exchange_cuts.split_at(next);
        let before = |&at: &usize| at.checked_sub(1).and_then(|at| self.cuts.at_or_before(at));
        let legal = core::iter::successors(self.cuts.at_or_before(wanted), before);
        // The first legal cut that fits at all: there is none before it.
        let first = self.first(|cost| cost.least_legal.within(limit, lines));
        back.iter()
            .rev()
            .copied()
            .take_while(within)
            .find(fits)
            .filter(worth)
            .or_else(|| on.iter().copied().filter(forward).take_while(near).find(fits))
            .or_else(|| legal.take_while(within).find(fits))
            .or_else(|| Some(first).filter(|&at| at < self.cuts.len()).filter(forward).filter(fits))
    }

    /// The first boundary of which `holds`, a property that stays true from there on; beyond the last if none.
    fn first(&self, holds: impl Fn(&Cost) -> bool) -> usize {
        self.costs.partition_point(|cost| !holds(cost))
    }

    /// Tokens of the entries at and after boundary `at`.
    pub fn kept_tokens(&self, at: usize) -> u64 {
        self.costs[at].kept
    }

    /// Tokens of what stays in front of boundary `at`: the fixed part and the system entries before it.
    pub fn frozen_tokens(&self, at: usize) -> u64 {
        self.counts.fixed_total() + self.costs[at].system
    }

    /// The fewest tokens that any fold can reach, item by item: those of the cheapest legal cut.
    pub fn floor(&self) -> Vec<Item> {
        self.floor_before(self.costs.len() - 1)
    }

    /// The same of the cuts up to boundary `last`.
    fn floor_before(&self, last: usize) -> Vec<Item> {
        let mut items = self.counts.fixed.clone();
        let tail = self.structure.tail.start(self.costs.len() - 1);
        let cheapest = self.costs[last].least_legal.bare;
        let found = self.first(|cost| cost.least_legal.bare <= cheapest);
        let at = if cheapest == u64::MAX { tail.min(last) } else { found };
        let cost = self.costs[at];
        items.push(Item::new("system entries", cost.system));
        if at <= self.structure.head {
            let note = self.costs[0].kept - cost.kept - cost.system;
            items.push(Item::new("the note of an earlier fold", note));
        } else {
            items.push(Item::new("the marker of the note", self.marker));
            items.push(Item::new("what the note carries word for word", cost.carried));
            items.push(Item::new("the ledger", cost.pins));
        }
        let live = self.costs[tail].kept.min(cost.kept);
        let recent = self.costs[last].kept.clamp(live, cost.kept);
        items.push(Item::new("entries that no legal cut reaches", cost.kept - recent));
        items.push(Item::new("rounds that the policy keeps", recent - live));
        items.push(Item::new("live tail", live));
        items.retain(|item| item.tokens > 0);
        items
    }

    fn fold(&self, cut: usize, wanted: usize, total: u64, policy: &Policy, lines: u64) -> Fold {
        let cost = self.costs[cut];
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
        }
    }

    fn defer(&self, total: u64, policy: &Policy, wanted: usize, blocked: usize) -> Defer {
        let near = |at: usize| Near {
            at,
            distance: self.costs[at].kept.abs_diff(self.costs[wanted].kept),
        };
        Defer {
            total,
            deficit: total.saturating_sub(policy.budget),
            wanted,
            blocking: self.cuts.why(blocked, &self.structure),
            before: self.cuts.at_or_before(wanted).map(near),
            after: self.cuts.at_or_after(wanted).map(near),
        }
    }
}
