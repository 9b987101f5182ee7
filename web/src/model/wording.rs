//! The decision in plain words.

use pinfold::plan::{Decision, Fold, Near, Way};

use super::boundary::{Boundary, Why};
use super::loaded::Loaded;
use super::number::{counted, grouped, percent};

/// A decision as the page says it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Verdict {
    /// The decision's name in kebab-case.
    pub(crate) name: &'static str,
    /// The decision in one line.
    pub(crate) headline: String,
    /// What it means, in one or two sentences.
    pub(crate) sentence: String,
    /// Its numbers, each with its name.
    pub(crate) facts: Vec<Fact>,
    /// For a decision to wait: what blocks.
    pub(crate) blocking: Vec<Why>,
    /// For a decision to wait: legal cuts, and how they differ from what was wanted.
    pub(crate) near: Vec<(usize, String)>,
    /// For a transcript that is stuck: its floor, item by item.
    pub(crate) floor: Vec<(String, u64)>,
}

/// A number and its name.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Fact {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    /// What is said about it when asked.
    pub(crate) about: &'static str,
}

fn fact(name: &'static str, value: String, about: &'static str) -> Fact {
    Fact { name, value, about }
}

impl Verdict {
    /// The words for a decision at a budget.
    pub(crate) fn of(loaded: &Loaded, budget: u64, decision: &Decision) -> Self {
        let name = decision.name();
        match decision {
            Decision::Fits { total } => Self {
                name,
                headline: "Fits".into(),
                sentence: format!(
                    "{} tokens are within the budget of {}. Nothing is folded.",
                    grouped(*total),
                    grouped(budget)
                ),
                facts: vec![fact("room", grouped(budget - total), "Tokens left in the budget")],
                ..Self::default()
            },
            Decision::Fold(fold) => Self {
                name,
                headline: match fold.way {
                    Way::InPlace => "Trim in place".into(),
                    _ => format!("Fold at boundary {}", fold.cut),
                },
                sentence: fold_sentence(loaded, fold),
                facts: fold_facts(loaded, fold),
                ..Self::default()
            },
            Decision::Defer(defer) => {
                let calls = !loaded.planner.structure.tail.pending.is_empty();
                let blocking: Vec<Why> = if defer.blocking.is_empty() {
                    Boundary::of(loaded, defer.wanted).why
                } else {
                    reasons(loaded, &defer.blocking)
                };
                let pending = calls && blocking.iter().any(|why| why.name == "pending-call");
                let sentence = if pending {
                    "A call is still being executed. Waiting is always safe: fold when its result is there."
                } else {
                    "No legal cut is in reach of this budget. Waiting is always safe; an illegal cut never is."
                };
                let near = near(defer.before, "keeps", "more").into_iter().chain(near(
                    defer.after,
                    "keeps",
                    "less",
                ));
                Self {
                    name,
                    headline: format!("Defer: boundary {} is wanted", defer.wanted),
                    sentence: sentence.into(),
                    facts: vec![fact(
                        "deficit",
                        grouped(defer.deficit),
                        "Tokens over the budget now",
                    )],
                    blocking,
                    near: near.collect(),
                    ..Self::default()
                }
            }
            Decision::Stuck { total, floor } => {
                let least: u64 = floor.iter().map(|item| item.tokens).sum();
                Self {
                    name,
                    headline: "Stuck".into(),
                    sentence: format!(
                        "No fold can reach {}: at least {} tokens must stay, unless results are cut down.",
                        grouped(budget),
                        grouped(least)
                    ),
                    facts: vec![
                        fact("floor", grouped(least), "The fewest tokens that any fold can reach"),
                        fact("missing", grouped(least - budget), "Floor less budget"),
                        fact("now", grouped(*total), "Tokens now"),
                    ],
                    floor: floor.iter().map(|item| (item.what.clone(), item.tokens)).collect(),
                    ..Self::default()
                }
            }
        }
    }
}

fn reasons(loaded: &Loaded, reasons: &[pinfold::cut::Reason]) -> Vec<Why> {
    let name = |&id| super::visible::one_line(loaded.transcript.id(id), 64);
    let why = reasons.iter().map(|reason| Why {
        name: reason.kind.name(),
        sentence: reason.kind.explanation(),
        ids: reason.ids.iter().take(6).map(name).collect(),
        more: reason.ids.len().saturating_sub(6),
    });
    why.collect()
}

fn near(near: Option<Near>, verb: &str, side: &str) -> Option<(usize, String)> {
    near.map(|near| (near.at, format!("{verb} {} tokens {side}", grouped(near.distance))))
}

fn fold_sentence(loaded: &Loaded, fold: &Fold) -> String {
    if fold.way == Way::InPlace {
        let trimmed = counted(fold.trims.len(), "entry has its", "entries have their");
        return format!("{trimmed} largest results cut down; nothing is folded.");
    }
    let kept = loaded.len() - fold.cut;
    let folded = counted(fold.entries, "entry becomes", "entries become");
    let pairs = match fold.pairs {
        0 => String::new(),
        pairs => format!(", with {} whole", counted(pairs, "pair", "pairs")),
    };
    let rest = match kept {
        0 => "nothing stands behind it".into(),
        kept => counted(kept, "entry stays byte for byte", "entries stay byte for byte"),
    };
    format!("{folded} one note{pairs}; {rest}.")
}

fn fold_facts(loaded: &Loaded, fold: &Fold) -> Vec<Fact> {
    let structure = &loaded.planner.structure;
    let pairs = loaded.pairs - fold.pairs;
    let exchanges = &structure.exchanges;
    let whole = exchanges.partition_point(|exchange| exchange.entries.end <= fold.cut);
    let cut_through =
        exchanges.get(whole).is_some_and(|exchange| exchange.entries.start < fold.cut);
    let part = usize::from(cut_through);
    let split = if cut_through { " + 1 in part" } else { "" };
    let way = match fold.way {
        Way::AtTarget => "at the target",
        Way::Back => "back from it",
        Way::Forward => "forward of it",
        Way::InPlace => "nowhere",
    };
    let of = |folded: usize, kept: usize| {
        format!("{} folded, {} kept", grouped(folded as u64), grouped(kept as u64))
    };
    let cut: u64 = fold.trims.iter().map(|trim| trim.before - trim.after).sum();
    let entries = counted(fold.trims.len(), "entry", "entries");
    let trimmed = fact(
        "trimmed",
        format!("{entries}, −{}", grouped(cut)),
        "Entries that stay with their largest results cut down, and the tokens that are gone",
    );
    let mut facts = vec![
        fact("deficit", grouped(fold.deficit), "Tokens over the budget now"),
        fact("freed", grouped(fold.freed()), "Tokens freed, at least"),
        fact("overshoot", format!("{:.2} ×", fold.overshoot()), "Tokens freed ÷ deficit"),
        fact("found", way.into(), "Where the legal cut lies, seen from the budget's target"),
        fact(
            "entries",
            of(fold.entries, loaded.len() - fold.entries),
            "Entries that become the note, and entries that stay",
        ),
        fact("pairs", of(fold.pairs, pairs), "Calls with their results; a pair is never parted"),
        fact(
            "exchanges",
            format!("{whole} folded{split}, {} kept", exchanges.len() - whole - part),
            "Prompts with everything up to the next",
        ),
        fact(
            "note",
            format!(
                "{} shown, {} counted",
                counted(fold.lines.0, "line", "lines"),
                grouped(fold.lines.1 as u64)
            ),
            "Digest lines in the note; older ones are only counted",
        ),
    ];
    if fold.way == Way::InPlace {
        facts.truncate(3);
        facts.push(trimmed);
    } else if cut > 0 {
        facts[3] = trimmed;
    }
    facts
}

/// The budget as the slider says it aloud.
pub(crate) fn spoken_budget(budget: u64, total: u64) -> String {
    format!("{} tokens, {} of {}", grouped(budget), percent(budget, total), grouped(total))
}

#[cfg(test)]
mod tests {
    use super::Verdict;
    use crate::model::budget::Choice;
    use crate::model::intake::{SAMPLES, Wish, load};

    fn verdict(choice: Choice, share: u64) -> Verdict {
        let loaded = load(SAMPLES[2].source(), Wish::default()).expect("it is readable");
        let budget = loaded.total * share / 100;
        Verdict::of(&loaded, budget, &loaded.planner.plan(&choice.policy(budget)))
    }

    #[test]
    fn every_decision_is_put_into_words() {
        let fits = verdict(Choice::default(), 100);
        assert_eq!(fits.headline, "Fits");
        let fold = verdict(Choice::default(), 50);
        assert!(fold.headline.starts_with("Fold at boundary "));
        assert!(fold.sentence.contains("one note"), "{}", fold.sentence);
        assert_eq!(fold.facts.len(), 8);
        let quiet = verdict(Choice { quiet: true, ..Choice::default() }, 50);
        assert!(quiet.headline.starts_with("Defer"));
        assert_eq!(quiet.blocking[0].name, "pending-call");
        assert!(!quiet.near.is_empty());
        let stuck = verdict(Choice::default(), 1);
        assert!(stuck.sentence.contains("cut down"), "{}", stuck.sentence);
        assert_eq!(stuck.headline, "Stuck");
        assert!(stuck.floor.iter().any(|(what, _)| what == "live tail"));
    }
}
