//! The budget: from the slider to a policy, and from a decision to what the list draws.

use pinfold::note::Note;
use pinfold::plan::{Decision, Near, Planner, Policy, Select, Way};

use super::loaded::Loaded;

/// The slider's steps: thousandths of the transcript's tokens.
pub(crate) const STEPS: u64 = 1000;

/// The budget at a step of the slider.
pub(crate) fn budget_at(step: u64, total: u64) -> u64 {
    (total * step.min(STEPS)).div_ceil(STEPS).max(1)
}

/// The step of the slider that is nearest to a budget.
pub(crate) fn step_of(budget: u64, total: u64) -> u64 {
    (budget * STEPS + total / 2).checked_div(total).map_or(STEPS, |step| step.min(STEPS))
}

/// What the person may choose beside the budget.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent wishes, as in the policy")]
pub(crate) struct Choice {
    /// How far the walk back may go, in percent of the budget.
    pub(crate) lookback: u8,
    /// Whether a fold may go forward and free more than asked.
    pub(crate) overshoot: bool,
    /// Whether a pending call defers the fold.
    pub(crate) quiet: bool,
    /// Whether lines of what is folded are kept that may be needed again.
    pub(crate) excerpts: bool,
    /// Whether results are cut down where no cut is enough.
    pub(crate) trims: bool,
}

impl Default for Choice {
    fn default() -> Self {
        Self { lookback: 15, overshoot: true, quiet: false, excerpts: true, trims: false }
    }
}

impl Choice {
    /// The policy for a budget.
    pub(crate) fn policy(self, budget: u64) -> Policy {
        Policy {
            lookback: f64::from(self.lookback) / 100.0,
            overshoot: self.overshoot,
            quiet: self.quiet,
            hard: self.trims,
            select: if self.excerpts { Select::Liveness } else { Select::Recency },
            ..Policy::new(budget)
        }
    }
}

/// What the list draws of a decision.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Shape {
    /// The chosen cut.
    pub(crate) cut: Option<usize>,
    /// Digest lines that the note only counts.
    pub(crate) skipped: usize,
    /// The boundary that the budget asks for.
    pub(crate) target: Option<usize>,
    /// The legal cuts on either side of it, where none was chosen.
    pub(crate) before: Option<usize>,
    pub(crate) after: Option<usize>,
}

impl Shape {
    /// The shape of a decision.
    pub(crate) fn of(planner: &Planner, policy: &Policy, decision: &Decision) -> Self {
        let at = |near: Option<Near>| near.map(|near| near.at);
        match decision {
            Decision::Fold(fold) if fold.way == Way::InPlace => Self::default(),
            Decision::Fold(fold) => Self {
                cut: Some(fold.cut),
                skipped: fold.lines.1,
                target: target(planner, policy),
                ..Self::default()
            },
            Decision::Defer(defer) => Self {
                target: Some(defer.wanted),
                before: at(defer.before),
                after: at(defer.after),
                ..Self::default()
            },
            Decision::Fits { .. } | Decision::Stuck { .. } => Self::default(),
        }
    }
}

/// The boundary that a budget asks for, before the search for a legal one: what a plan without any freedom wants.
fn target(planner: &Planner, policy: &Policy) -> Option<usize> {
    let reach = (policy.budget as f64 * policy.lookback) as u64;
    let rigid = Policy {
        target: policy.target.or(Some(policy.budget - reach)),
        lookback: 0.0,
        overshoot: false,
        quiet: false,
        ..*policy
    };
    match planner.plan(&rigid) {
        Decision::Fold(fold) => Some(fold.cut),
        Decision::Defer(defer) => Some(defer.wanted),
        Decision::Fits { .. } | Decision::Stuck { .. } => None,
    }
}

/// How a boundary stands out in the list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Line {
    Cut,
    Target,
    Near,
}

impl Shape {
    /// How boundary `at` stands out, if it does.
    pub(crate) fn line(&self, at: usize) -> Option<Line> {
        let at = Some(at);
        if self.cut == at {
            Some(Line::Cut)
        } else if self.target == at {
            Some(Line::Target)
        } else {
            (self.before == at || self.after == at).then_some(Line::Near)
        }
    }
}

/// A stretch of the slider with one decision.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Stretch {
    /// The decision's name.
    pub(crate) name: &'static str,
    /// Its first step, and the step after its last.
    pub(crate) steps: (u64, u64),
}

/// What the slider leads to at each of its steps, for a transcript of `total` tokens.
pub(crate) fn stretches(planner: &Planner, total: u64, choice: Choice) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    for step in 0..=STEPS {
        let policy = choice.policy(budget_at(step, total));
        let name = planner.plan(&policy).name();
        match found.last_mut() {
            Some(open) if open.name == name => open.steps.1 = step + 1,
            _ => found.push(Stretch { name, steps: (step, step + 1) }),
        }
    }
    found
}

/// The tokens of a request by what they are spent on, in the order in which they stand.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Bar {
    /// System and tools, and the system entries.
    pub(crate) fixed: u64,
    /// The note.
    pub(crate) note: u64,
    /// What is kept, or could be folded.
    pub(crate) kept: u64,
    /// The live tail.
    pub(crate) live: u64,
}

impl Bar {
    /// The transcript as it is.
    pub(crate) fn before(loaded: &Loaded) -> Self {
        let planner = &loaded.planner;
        let live = planner.kept_tokens(loaded.live);
        let fixed = planner.frozen_tokens(loaded.live);
        Self { fixed, note: 0, kept: loaded.total.saturating_sub(fixed + live), live }
    }

    /// The transcript after a decision; for a transcript that cannot be folded enough, its floor.
    pub(crate) fn after(loaded: &Loaded, decision: &Decision) -> Option<Self> {
        let planner = &loaded.planner;
        match decision {
            Decision::Fold(fold) => {
                let trimmed = |from: usize| -> u64 {
                    let trims = fold.trims.iter().filter(|trim| trim.entry >= from);
                    trims.map(|trim| trim.before - trim.after).sum()
                };
                let kept = planner.kept_tokens(fold.cut) - trimmed(fold.cut);
                let tail = loaded.live.max(fold.cut);
                let live = planner.kept_tokens(tail) - trimmed(tail);
                let fixed = planner.frozen_tokens(fold.cut);
                let note = fold.after.saturating_sub(fixed + kept);
                Some(Self { fixed, note, kept: kept - live, live })
            }
            Decision::Stuck { floor, .. } => {
                let whole: u64 = floor.iter().map(|item| item.tokens).sum();
                let live = planner.kept_tokens(loaded.live);
                let fixed = planner.frozen_tokens(loaded.live);
                Some(Self { fixed, note: whole.saturating_sub(fixed + live), kept: 0, live })
            }
            Decision::Fits { .. } | Decision::Defer(_) => None,
        }
    }

    /// All of it.
    pub(crate) fn total(&self) -> u64 {
        self.fixed + self.note + self.kept + self.live
    }
}

/// The tokens that any note costs before it says anything.
pub(crate) fn note_frame() -> u64 {
    Note::frame_tokens()
}

#[cfg(test)]
mod tests {
    use pinfold::plan::Decision;
    use pinfold::trim::Trimming;

    use super::{Bar, Choice, STEPS, Shape, budget_at, step_of, stretches};
    use crate::model::intake::{SAMPLES, Wish, load};

    #[test]
    fn slider_and_budget_agree() {
        for total in [1, 7, 999, 12_345, 9_000_000] {
            assert_eq!(budget_at(STEPS, total), total);
            assert!(budget_at(0, total) >= 1);
            for step in [1, 100, 250, 500, 999] {
                if total > STEPS {
                    assert_eq!(step_of(budget_at(step, total), total), step);
                }
            }
        }
        assert_eq!(step_of(u64::from(u32::MAX), 10), STEPS);
    }

    #[test]
    fn bars_add_up_at_every_budget() {
        for sample in SAMPLES {
            let loaded = load(sample.source(), Wish::default()).expect("it is readable");
            assert_eq!(Bar::before(&loaded).total(), loaded.total);
            for step in 0..=STEPS {
                let policy = Choice::default().policy(budget_at(step, loaded.total));
                let decision = loaded.planner.plan(&policy);
                let bar = Bar::after(&loaded, &decision);
                match &decision {
                    Decision::Fold(fold) => assert_eq!(bar.map(|it| it.total()), Some(fold.after)),
                    Decision::Stuck { floor, .. } => assert_eq!(
                        bar.map(|it| it.total()),
                        Some(floor.iter().map(|item| item.tokens).sum())
                    ),
                    _ => assert!(bar.is_none()),
                }
            }
        }
    }

    #[test]
    fn stretches_cover_the_slider_and_end_with_what_fits() {
        for sample in SAMPLES {
            let loaded = load(sample.source(), Wish::default()).expect("it is readable");
            let found = stretches(&loaded.planner, loaded.total, Choice::default());
            assert_eq!(found[0].steps.0, 0);
            assert!(found.windows(2).all(|pair| pair[0].steps.1 == pair[1].steps.0));
            let last = found.last().expect("at least one");
            assert_eq!((last.name, last.steps.1), ("fits", STEPS + 1));
        }
    }

    #[test]
    fn where_results_may_be_trimmed_the_bar_shows_what_is_left() {
        let loaded = load(SAMPLES[2].source(), Wish::default()).expect("it is readable");
        let policy = Choice { trims: true, quiet: true, ..Choice::default() };
        let policy = policy.policy(loaded.total * 9 / 10);
        let decision = Trimming::of(&loaded.transcript, &loaded.planner, &policy).decision;
        let Decision::Fold(fold) = &decision else { panic!("{decision:?}") };
        assert!(!fold.trims.is_empty());
        let bar = Bar::after(&loaded, &decision).expect("a bar");
        assert_eq!(bar.total(), fold.after);
        assert_eq!(Shape::of(&loaded.planner, &policy, &decision).cut, None);
    }

    #[test]
    fn a_pending_call_defers_when_asked_for_quiet() {
        let loaded = load(SAMPLES[2].source(), Wish::default()).expect("it is readable");
        let quiet = Choice { quiet: true, ..Choice::default() };
        let policy = quiet.policy(loaded.total / 2);
        let decision = loaded.planner.plan(&policy);
        assert_eq!(decision.name(), "defer");
        let shape = Shape::of(&loaded.planner, &policy, &decision);
        assert!(shape.cut.is_none() && shape.target.is_some() && shape.before.is_some());
    }
}
