//! What a policy asks for beside a budget: a trigger, a gain that is worth it, newest rounds that stay.

use crate::support::{Shape, Talk, clean_talk, messy_talk};
use pinfold::fold::{Outcome, fold};
use pinfold::formats::{self, ReadOptions};
use pinfold::plan::{Decision, Planner, Policy, Select};
use pinfold::tokens::Counts;
use pinfold::transcript::Transcript;
use proptest::prelude::*;
use serde_json::{Value, json};

/// One prompt and `rounds` rounds of about 110 tokens, then an answer.
fn session(rounds: usize) -> Transcript {
    let mut entries = vec![json!({ "role": "user", "content": "Find the leak." })];
    for round in 0..rounds {
        let id = format!("c{round}");
        let input = json!({ "path": format!("src/part{round}.rs") });
        let call = json!({ "type": "tool_use", "id": id, "name": "read", "input": input });
        let words = "one of many words ".repeat(20);
        let result = json!({ "type": "tool_result", "tool_use_id": id, "content": words });
        entries.push(json!({ "role": "assistant", "content": [call] }));
        entries.push(json!({ "role": "user", "content": [result] }));
    }
    entries.push(json!({ "role": "assistant", "content": "It is in part 3." }));
    read(&Value::Array(entries).to_string())
}

fn read(text: &str) -> Transcript {
    formats::read(text.as_bytes(), ReadOptions::default()).expect("a transcript")
}

/// The decision in short: its name, and where it cuts.
fn check(policy: &Policy, wanted: (&str, usize)) {
    let transcript = session(20);
    let planner = Planner::new(&transcript, Counts::of(&transcript));
    let decision = planner.plan(policy);
    let cut = if let Decision::Fold(fold) = &decision { fold.cut } else { 0 };
    assert_eq!((decision.name(), cut), wanted, "{policy:?}: {decision:?}");
}

/// All the room for the newest rounds, so that a cut follows from the tokens alone.
fn recency(budget: u64) -> Policy {
    Policy { select: Select::Recency, ..Policy::new(budget) }
}

/// The tokens of that session.
fn total() -> u64 {
    Counts::of(&session(20)).total()
}

#[test]
fn the_newest_rounds_stay_if_the_policy_says_so() {
    // Entry 0 is the prompt, 41 the answer: the newest round. The call of round i stands at 2 i + 1.
    let policy = |budget, keep_recent| Policy { keep_recent, ..recency(budget) };
    let half = total() / 2;
    check(&policy(half, 0), ("fold", 29));
    check(&policy(half, 7), ("fold", 29));
    // More than the target, and still within the budget.
    check(&policy(half, 8), ("fold", 27));
    check(&policy(half, 12), ("stuck", 0));
    check(&policy(half, 21), ("stuck", 0));
    check(&policy(half, usize::MAX), ("stuck", 0));
    check(&policy(total(), usize::MAX), ("fits", 0));
}

#[test]
fn what_the_policy_keeps_is_named_in_the_floor() {
    let transcript = session(20);
    let planner = Planner::new(&transcript, Counts::of(&transcript));
    let policy = Policy { keep_recent: 12, ..Policy::new(total() / 2) };
    let Decision::Stuck { floor, .. } = planner.plan(&policy) else { panic!("it fits") };
    let names: Vec<&str> = floor.iter().map(|item| &*item.what).collect();
    assert_eq!(
        names,
        [
            "the marker of the note",
            "what the note carries word for word",
            "rounds that the policy keeps"
        ]
    );
}

#[test]
fn a_fold_that_is_not_worth_it_waits_until_the_budget_demands_it() {
    let total = total();
    let policy = |budget, trigger, min_gain| Policy { trigger, min_gain, ..recency(budget) };
    // Due, and the budget has room: worth it only if enough is freed.
    check(&policy(total, Some(total - 200), 0), ("fold", 17));
    check(&policy(total, Some(total - 200), total / 2), ("fold", 35));
    check(&policy(total, Some(total - 200), total), ("fits", 0));
    check(&policy(total, Some(total - 200), u64::MAX), ("fits", 0));
    // Over the budget it is made, whatever it frees.
    check(&policy(total - 200, None, total), ("fold", 17));
    check(&policy(total - 200, None, total / 2), ("fold", 33));
}

#[test]
fn a_trigger_that_no_fold_can_meet_is_told_and_not_tried_again() {
    let total = total();
    let policy = |budget, trigger| Policy { trigger: Some(trigger), ..recency(budget) };
    check(&policy(total, 10), ("stuck", 0));
    // The budget is over as well: that can be mended, once.
    check(&policy(total - 200, 10), ("fold", 17));
    check(&policy(20, 10), ("stuck", 0));
}

#[test]
fn a_window_is_shared_with_what_the_model_will_write() {
    assert_eq!(Policy::of_window(200_000, 64_000), Policy::new(136_000));
    // More than the window is reserved: nothing is left, and nothing fits.
    assert_eq!(Policy::of_window(32_000, 64_000), Policy::new(0));
}

fn policies() -> impl Strategy<Value = (u64, Option<u64>, u64, usize, bool, bool)> {
    let trigger = prop::option::of(0..12_u64);
    (1..10_u64, trigger, 0..4_u64, 0..4_usize, any::<bool>(), any::<bool>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_fold_does_what_its_policy_asks(
        clean in any::<bool>(), one in clean_talk(), other in messy_talk(), asked in policies(),
    ) {
        let moves = if clean { one } else { other };
        for shape in Shape::lists() {
            let text = Talk::of(&moves, shape).write(shape);
            as_asked(&text, shape, asked)?;
        }
    }
}

/// Folds by a policy whose tokens are tenths of the transcript's.
fn as_asked(
    text: &str,
    shape: Shape,
    (budget, trigger, gain, keep_recent, overshoot, lively): (
        u64,
        Option<u64>,
        u64,
        usize,
        bool,
        bool,
    ),
) -> Result<(), TestCaseError> {
    let options = ReadOptions { format: Some(shape.format()), ..ReadOptions::default() };
    let read = |text: &str| formats::read(text.as_bytes(), options).expect("a transcript");
    let transcript = read(text);
    let planner = Planner::new(&transcript, Counts::of(&transcript));
    let total = planner.counts.total();
    let tenths = |count: u64| total * count / 10;
    let select = if lively { Select::Liveness } else { Select::Recency };
    let policy = Policy {
        trigger: trigger.map(tenths),
        min_gain: tenths(gain),
        keep_recent,
        overshoot,
        select,
        ..Policy::new(tenths(budget))
    };
    let folded = match fold(&transcript, &planner, &policy) {
        Outcome::Folded(folded) => folded,
        Outcome::Left(_) => return Ok(()),
        Outcome::Refused(broken) => {
            return Err(TestCaseError::fail(format!("{broken:?} in {text}")));
        }
    };
    let freed = total - folded.report.after;
    prop_assert!(freed >= policy.min_gain || total > policy.budget, "{freed} by {policy:?}");
    prop_assert!(folded.report.after <= policy.budget);
    let responses = planner.structure.responses();
    let kept = responses.filter(|response| response.start >= folded.fold.cut).count();
    prop_assert!(
        kept >= keep_recent.min(planner.structure.round_count()),
        "{kept} rounds by {policy:?}"
    );
    // What was just folded is not folded again.
    let after = read(&folded.text);
    let mut counts = Counts::of(&after);
    // The counts that the fold was planned with, where reading the result would count otherwise.
    let note = counts.entries[folded.system.len()];
    let kept =
        planner.counts.entries[folded.fold.cut + usize::from(folded.merged)..].iter().copied();
    let system = folded.system.iter().map(|&entry| planner.counts.entries[entry]);
    counts.entries = system.chain([note]).chain(kept).collect();
    let again = Planner::new(&after, counts).plan(&policy);
    prop_assert!(
        !matches!(again, Decision::Fold(_)),
        "{policy:?}: {again:?} after {:?}",
        folded.fold
    );
    Ok(())
}
