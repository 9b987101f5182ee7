//! Random policies: every field of one, as a caller may set it, sensible or not.

use pinfold::plan::{Policy, Select};
use pinfold::thinking::Thinking;
use proptest::prelude::*;

/// A policy whose tokens are thousandths of the transcript's, unless they are of no transcript at all.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent wishes, as in the policy")]
pub(crate) struct Asked {
    budget: Amount,
    trigger: Option<Amount>,
    target: Option<Amount>,
    min_gain: Amount,
    lookback: f64,
    note_share: f64,
    recent: Option<f64>,
    keep_recent: usize,
    overshoot: bool,
    quiet: bool,
    lively: bool,
    hard: bool,
    thinking: Option<Thinking>,
}

/// A number of tokens.
#[derive(Clone, Copy, Debug)]
enum Amount {
    Share(u64),
    Tokens(u64),
}

impl Amount {
    fn of(self, total: u64) -> u64 {
        match self {
            Self::Share(thousandths) => total * thousandths / 1000,
            Self::Tokens(tokens) => tokens,
        }
    }
}

impl Asked {
    /// The policy for a transcript of so many tokens.
    pub(crate) fn of(&self, total: u64) -> Policy {
        Policy {
            trigger: self.trigger.map(|amount| amount.of(total)),
            target: self.target.map(|amount| amount.of(total)),
            min_gain: self.min_gain.of(total),
            lookback: self.lookback,
            note_share: self.note_share,
            recent: self.recent,
            keep_recent: self.keep_recent,
            overshoot: self.overshoot,
            quiet: self.quiet,
            hard: self.hard,
            thinking: self.thinking,
            select: if self.lively { Select::Liveness } else { Select::Recency },
            ..Policy::new(self.budget.of(total))
        }
    }

    /// The same with the newest rounds alone, and nothing changed in them.
    pub(crate) fn of_recency(&self, total: u64) -> Policy {
        let bare = Policy { hard: false, thinking: Some(Thinking::Keep), ..self.of(total) };
        Policy { select: Select::Recency, ..bare }
    }
}

fn amount() -> impl Strategy<Value = Amount> {
    prop_oneof![
        12 => (0..1100_u64).prop_map(Amount::Share),
        1 => prop_oneof![Just(0), Just(1), Just(u64::MAX - 1), Just(u64::MAX)].prop_map(Amount::Tokens),
    ]
}

fn share(usual: f64) -> impl Strategy<Value = f64> {
    let odd = [0.0, 1.0, -1.0, 7.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-300];
    prop_oneof![3 => Just(usual), 4 => 0.0..1.0, 1 => prop::sample::select(odd.to_vec())]
}

/// Policies of every kind; most of them leave most fields as they are.
pub(crate) fn policies() -> impl Strategy<Value = Asked> {
    let budget = prop_oneof![8 => (50..1000_u64).prop_map(Amount::Share), 1 => amount()];
    let rarely = || prop_oneof![2 => Just(None), 1 => amount().prop_map(Some)];
    let gain = prop_oneof![3 => Just(Amount::Tokens(0)), 1 => (0..600_u64).prop_map(Amount::Share), 1 => amount()];
    let recent = prop_oneof![2 => Just(None), 1 => share(0.5).prop_map(Some)];
    let keep = prop_oneof![4 => Just(0), 3 => 1..4_usize, 1 => Just(usize::MAX)];
    let handling = vec![None, None, Some(Thinking::Strip), Some(Thinking::DropBlock)];
    let thinking = prop::sample::select(handling);
    let switches = (
        prop::bool::weighted(0.7),
        prop::bool::weighted(0.2),
        any::<bool>(),
        any::<bool>(),
        thinking,
    );
    (budget, rarely(), rarely(), gain, share(0.15), share(0.1), recent, keep, switches).prop_map(
        |(
            budget,
            trigger,
            target,
            min_gain,
            lookback,
            note_share,
            recent,
            keep_recent,
            switches,
        )| {
            let (overshoot, quiet, lively, hard, thinking) = switches;
            Asked {
                budget,
                trigger,
                target,
                min_gain,
                lookback,
                note_share,
                recent,
                keep_recent,
                overshoot,
                quiet,
                lively,
                hard,
                thinking,
            }
        },
    )
}
