//! What a boundary says of itself: in its name, in its tooltip, in the details.

use super::loaded::Loaded;
use super::number::{counted, grouped};
use super::visible::one_line;

/// Ids that are named one by one.
const NAMED: usize = 6;

/// A boundary.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Boundary {
    pub(crate) at: usize,
    /// Why it is illegal; empty if it is legal.
    pub(crate) why: Vec<Why>,
    /// Tokens of the entries at and after it.
    pub(crate) kept: u64,
}

/// A reason in words.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Why {
    /// The name in kebab-case.
    pub(crate) name: &'static str,
    /// One sentence.
    pub(crate) sentence: &'static str,
    /// The ids it is about, as many as can be shown.
    pub(crate) ids: Vec<String>,
    /// How many more there are.
    pub(crate) more: usize,
}

impl Boundary {
    /// Boundary `at` of a transcript.
    pub(crate) fn of(loaded: &Loaded, at: usize) -> Self {
        let planner = &loaded.planner;
        let why = planner.cuts.why(at, &planner.structure).into_iter();
        let why = why
            .map(|reason| Why {
                name: reason.kind.name(),
                sentence: reason.kind.explanation(),
                ids: reason
                    .ids
                    .iter()
                    .take(NAMED)
                    .map(|&id| one_line(loaded.transcript.id(id), 64))
                    .collect(),
                more: reason.ids.len().saturating_sub(NAMED),
            })
            .collect();
        Self { at, why, kept: planner.kept_tokens(at) }
    }

    /// Whether it may be cut.
    pub(crate) fn is_legal(&self) -> bool {
        self.why.is_empty()
    }

    /// The accessible name, with every reason.
    pub(crate) fn name(&self) -> String {
        let at = self.at;
        if self.is_legal() {
            let kept = grouped(self.kept);
            return format!("Boundary {at}, legal cut, keeps {kept} tokens");
        }
        let reasons: Vec<String> = self.why.iter().map(Why::said).collect();
        format!("Boundary {at}, illegal: {}", reasons.join("; "))
    }
}

impl Why {
    fn said(&self) -> String {
        if self.ids.is_empty() {
            return self.name.into();
        }
        format!("{} {}", self.name, self.listed())
    }

    /// The ids, and how many are not named.
    pub(crate) fn listed(&self) -> String {
        let mut text = self.ids.join(", ");
        if self.more > 0 {
            text.push_str(" and ");
            text.push_str(&counted(self.more, "more", "more"));
        }
        text
    }
}

/// The next or previous legal cut from boundary `at`, without itself.
pub(crate) fn legal_from(loaded: &Loaded, at: Option<usize>, forward: bool) -> Option<usize> {
    let cuts = &loaded.planner.cuts;
    match (at, forward) {
        (None, true) => cuts.at_or_after(0),
        (None, false) => cuts.at_or_before(cuts.len() - 1),
        (Some(at), true) => cuts.at_or_after(at + 1),
        (Some(at), false) => at.checked_sub(1).and_then(|at| cuts.at_or_before(at)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Boundary, legal_from};
    use crate::model::intake::{SAMPLES, Wish, load};

    #[test]
    fn the_name_carries_the_reasons_and_ids() {
        let loaded = load(SAMPLES[0].source(), Wish::default()).expect("it is readable");
        let illegal = Boundary::of(&loaded, 2);
        assert_eq!(
            illegal.name(),
            "Boundary 2, illegal: severs-pair toolu_01A7, toolu_01B2, toolu_01C9"
        );
        assert!(Boundary::of(&loaded, 3).name().starts_with("Boundary 3, legal cut, keeps "));
    }

    #[test]
    fn legal_cuts_are_stepped_through() {
        let loaded = load(SAMPLES[0].source(), Wish::default()).expect("it is readable");
        let first = legal_from(&loaded, None, true).expect("a legal cut");
        let second = legal_from(&loaded, Some(first), true).expect("another");
        assert!(first < second && loaded.planner.cuts.legal(second));
        assert_eq!(legal_from(&loaded, Some(second), false), Some(first));
        assert_eq!(legal_from(&loaded, Some(loaded.len()), true), None);
    }
}
