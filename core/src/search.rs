//! The search of a planner: which boundary a budget asks for, which legal cut is taken instead, what no cut can go below.
//!
//! Each is a search by halving; none goes through the transcript.

use alloc::vec::Vec;
use core::iter::successors;

use crate::cost::Cheapest;
use crate::plan::{Defer, Near, Planner, Policy, Select};
use crate::policy::Bounds;
use crate::tokens::Item;

impl Planner {
    /// The last boundary at which the policy lets a fold cut.
    pub(crate) fn last(&self, policy: &Policy) -> usize {
        let rounds = self.structure.round_count();
        match (policy.keep_recent, rounds.checked_sub(policy.keep_recent)) {
            (0, _) => self.end(),
            (_, Some(first)) => {
                let response = self.structure.response(first);
                response.map_or(self.cuts.len() - 1, |response| response.start)
            }
            (_, None) => self.structure.head,
        }
    }

    /// The last boundary at which any fold may cut. Where roles must alternate, a note at the very end would be refused together
    /// with the next prompt.
    pub(crate) fn end(&self) -> usize {
        (self.cuts.len() - 1).saturating_sub(usize::from(self.structure.alternates))
    }

    /// What the newest rounds leave to excerpts of older ones, in tokens.
    pub(crate) fn reserve(&self, policy: &Policy, target: u64, lowest: u64) -> u64 {
        let room = target.saturating_sub(lowest) as f64;
        let all = self.total.saturating_sub(lowest).max(1) as f64;
        let recent = policy.recent.unwrap_or(LEAST_RECENT + (1.0 - LEAST_RECENT) * room / all);
        (room * (1.0 - recent.clamp(0.0, 1.0))) as u64
    }

    /// The cut to take: back from `wanted`, or forward. An exchange boundary is preferred, and worth a third
    /// of the lookback in the forward direction.
    pub(crate) fn choose(&self, policy: &Policy, wanted: usize, bounds: Bounds) -> Option<usize> {
        let Bounds { reach, limit, lines, last } = bounds;
        let fits = |&at: &usize| {
            let cost = self.cost(at);
            at > self.structure.head
                && at <= last
                && cost.full.min(cost.bare.saturating_add(lines)) <= limit
        };
        let forward = |_: &usize| policy.overshoot;
        // A prompt that is carried or a pin can make a cut dearer than one before it: then the walk goes on, as far as what is
        // kept alone would fit.
        let within = |&at: &usize| {
            let cost = self.cost(at);
            cost.bare - cost.carried - cost.pins <= limit
        };
        let near =
            |&at: &usize| self.kept_tokens(wanted).abs_diff(self.kept_tokens(at)) <= reach / 3;
        // Excerpts are worth more than an exchange that is kept whole far behind the target.
        let worth = |at: &usize| policy.select == Select::Recency || near(at);
        let before = |at: &usize| at.checked_sub(1);
        let back = successors(self.exchange_before(wanted), |at| self.exchange_before(before(at)?));
        let on = successors(self.exchange_after(wanted), |&at| self.exchange_after(at));
        let legal =
            successors(self.cuts.at_or_before(wanted), |at| self.cuts.at_or_before(before(at)?));
        // The first legal cut that fits at all: there is none before it.
        let first = self.first(true, |least| least.within(limit, lines));
        back.take_while(within)
            .find(fits)
            .filter(worth)
            .or_else(|| on.filter(forward).take_while(near).find(fits))
            .or_else(|| legal.take_while(within).find(fits))
            .or_else(|| Some(first).filter(|&at| at < self.cuts.len()).filter(forward).filter(fits))
    }

    /// The last legal boundary up to `at` at which an exchange begins or the last one ends.
    fn exchange_before(&self, at: usize) -> Option<usize> {
        let end = self.cuts.len() - 1;
        if at >= end && self.cuts.legal(end) {
            return Some(end);
        }
        let last = at.min(self.cuts.range().end.saturating_sub(1));
        let next = self.exchange_cuts.partition_point(|&at| at <= last);
        let found = next.checked_sub(1).map(|before| self.exchange_cuts[before]);
        found.filter(|&at| self.cuts.legal(at))
    }

    /// The first legal boundary after `at` at which an exchange begins or the last one ends.
    fn exchange_after(&self, at: usize) -> Option<usize> {
        let end = self.cuts.len() - 1;
        let from = self.cuts.range().start.max(at + 1);
        let next = self.exchange_cuts.partition_point(|&at| at < from);
        let found = self.exchange_cuts.get(next).copied().or((at < end).then_some(end));
        found.filter(|&at| self.cuts.legal(at))
    }

    /// The first boundary of which `holds`, with `legal` of those that are legal alone; beyond the last if there is none. It
    /// must hold of what is cheaper, too.
    pub(crate) fn first(&self, legal: bool, holds: impl Fn(Cheapest) -> bool) -> usize {
        let end = self.costs.len();
        self.costs.first(self.view(), 0..end, legal, holds).unwrap_or(end)
    }

    /// The legal cut that costs least of those that the policy allows; `None` if there is none.
    pub(crate) fn lowest_cut(&self, policy: &Policy) -> Option<usize> {
        let range = 0..self.last(policy) + 1;
        let cheapest = self.costs.least(self.view(), range, true).bare;
        (cheapest < u64::MAX).then(|| self.first(true, |least| least.bare <= cheapest))
    }

    /// The same of the cuts up to boundary `last`.
    pub(crate) fn floor_before(&self, last: usize) -> Vec<Item> {
        let mut items = self.counts.fixed.clone();
        let tail = self.structure.tail.start(self.costs.len() - 1);
        let cheapest = self.costs.least(self.view(), 0..last + 1, true).bare;
        let found = self.first(true, |least| least.bare <= cheapest);
        let at = if cheapest == u64::MAX { tail.min(last) } else { found };
        let cost = self.cost(at);
        items.push(Item::new("system entries", cost.system));
        if at <= self.structure.head {
            let note = self.kept_tokens(0) - cost.kept - cost.system;
            items.push(Item::new("the note of an earlier fold", note));
        } else {
            items.push(Item::new("the marker of the note", self.marker));
            items.push(Item::new("what the note carries word for word", cost.carried));
            items.push(Item::new("the ledger", cost.pins));
        }
        let live = self.kept_tokens(tail).min(cost.kept);
        let recent = self.kept_tokens(last).clamp(live, cost.kept);
        items.push(Item::new("entries that no legal cut reaches", cost.kept - recent));
        items.push(Item::new("rounds that the policy keeps", recent - live));
        items.push(Item::new("live tail", live));
        items.retain(|item| item.tokens > 0);
        items
    }

    /// What to say of a wait.
    pub(crate) fn defer(
        &self,
        total: u64,
        policy: &Policy,
        wanted: usize,
        blocked: usize,
    ) -> Defer {
        let near = |at: usize| Near {
            at,
            distance: self.kept_tokens(at).abs_diff(self.kept_tokens(wanted)),
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

/// The share of the newest rounds in a small budget. A larger one gives them more.
const LEAST_RECENT: f64 = 0.08;
