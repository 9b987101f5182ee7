//! A prefix that the provider has cached: not a byte of it is touched, and all else is as if it were not there.

use crate::support::{Shape, Talk, cases, clean_talk, messy_talk};
use pinfold::fold::{Folded, Outcome, fold};
use pinfold::formats::{self, ReadOptions};
use pinfold::ledger::{Ledger, Options};
use pinfold::note::Note;
use pinfold::plan::{Decision, Planner, Policy, Select};
use pinfold::session::Session;
use pinfold::tokens::Counts;
use pinfold::transcript::{Format, Transcript};
use pinfold::undo::Undo;
use pinfold::verify::{Check, verify};
use proptest::prelude::*;
use serde_json::{Value, json};

fn read(text: &str, format: Format, frozen: usize) -> Option<Transcript> {
    let options = ReadOptions { format: Some(format), frozen, ..ReadOptions::default() };
    formats::read(text.as_bytes(), options).ok()
}

/// `count` exchanges of a prompt, a call with its result, and an answer, four entries each.
fn talk(count: usize) -> Value {
    let exchange = |at: usize| {
        let id = format!("c{at}");
        let words = "one of many words ".repeat(20);
        [
            json!({ "role": "user", "content": format!("Never touch /data{at}. Look at part {at}.") }),
            json!({ "role": "assistant", "content": [{ "type": "tool_use", "id": id, "name": "read", "input": { "at": at } }] }),
            json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": id, "content": words }] }),
            json!({ "role": "assistant", "content": format!("Part {at} is well.") }),
        ]
    };
    (0..count).flat_map(exchange).collect()
}

/// How many entries are frozen if so many shall be.
fn check(frozen: usize, wanted: usize) {
    let text = talk(5).to_string();
    assert_eq!(
        read(&text, Format::Anthropic, frozen).map(|it| it.frozen()),
        Some(wanted),
        "{frozen}"
    );
}

#[test]
fn a_prefix_ends_where_a_note_may_stand() {
    check(0, 0);
    check(1, 1);
    // Not between a call and its result.
    check(2, 3);
    check(3, 3);
    check(4, 4);
    check(20, 20);
    check(usize::MAX, 20);
}

fn folded(before: &Transcript, ledger: Option<&mut Ledger>, policy: &Policy) -> Box<Folded> {
    let counts = Counts::of(before);
    let planner = match ledger {
        Some(ledger) => Planner::with_ledger(before, counts, ledger).0,
        None => Planner::new(before, counts),
    };
    match fold(before, &planner, policy) {
        Outcome::Folded(folded) => folded,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_note_stands_behind_the_prefix_and_tells_nothing_of_it() {
    let text = format!("{:#}", talk(12));
    let before = read(&text, Format::Anthropic, 8).expect("a transcript");
    let total = Counts::of(&before).total();
    let mut ledger = Ledger::new(Options::default());
    let is = folded(&before, Some(&mut ledger), &Policy::new(total / 2));
    assert_eq!(is.system, [0, 1, 2, 3, 4, 5, 6, 7]);
    // Not a byte is another up to the end of the prefix.
    let end = text.find("Never touch /data2.").expect("the third prompt");
    let end = text[..end].rfind('{').expect("its entry");
    assert_eq!(is.text[..end], text[..end]);
    let note = Note::parse(&is.note).expect("a note");
    assert_eq!(note.tally.entries as usize, is.fold.cut - 8);
    assert_eq!(note.tally.pairs as usize, (is.fold.cut - 8) / 4);
    // What was said in the prefix still stands there.
    assert!(
        !is.note.contains("/data0.")
            && !is.note.contains("/data1.")
            && is.note.contains("> Never touch /data2."),
        "{}",
        is.note
    );
    let prefix: u64 = Counts::of(&before).entries[..8].iter().map(|&it| u64::from(it)).sum();
    assert_eq!(is.report.cache_lost, total - prefix);

    // Again, and the same.
    let after = read(&is.text, Format::Anthropic, 8).expect("a transcript");
    let planner = Planner::new(&after, Counts::of(&after));
    assert_eq!(planner.plan(&Policy::new(total / 2)).name(), "fits");
    // Whoever does not say that it is frozen sees a note that is none.
    assert!(
        read(&is.text, Format::Anthropic, 0).is_some_and(|it| pinfold::note::find(&it).is_none())
    );
}

#[test]
fn where_all_is_frozen_nothing_can_be_done() {
    let before = read(&talk(5).to_string(), Format::Anthropic, usize::MAX).expect("a transcript");
    let planner = Planner::new(&before, Counts::of(&before));
    let total = planner.counts.total();
    let decision = planner.plan(&Policy::new(total / 2));
    assert!(matches!(decision, Decision::Stuck { .. }), "{decision:?}");
    assert_eq!(planner.plan(&Policy::new(total)).name(), "fits");
}

#[test]
fn a_proof_finds_a_prefix_that_was_touched() {
    let before = read(&talk(12).to_string(), Format::Anthropic, 8).expect("a transcript");
    let planner = Planner::new(&before, Counts::of(&before));
    let policy = Policy::new(planner.counts.total() / 2);
    let is = folded(&before, None, &policy);
    for (from, to) in
        [("Look at part 0.", "Look at part 9."), ("Part 1 is well.", "Part 1 is ill.")]
    {
        let forged = is.text.replacen(from, to, 1);
        let proof = verify(&before, &planner, &forged, &Check::default());
        assert!(proof.broken.iter().any(|broken| broken.law == 8), "{:?}", proof.broken);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(40), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_fold_touches_the_prefix(
        moves in prop_oneof![clean_talk(), messy_talk()],
        least in 0..12_usize,
        share in 20..95_u64,
        lively in any::<bool>(),
    ) {
        for shape in Shape::ALL {
            let text = Talk::of(&moves, shape).write(shape);
            let Some(before) = read(&text, shape.format(), least) else { continue };
            let frozen = before.frozen();
            prop_assert!(frozen >= least.min(before.len()));
            let mut ledger = Ledger::new(Options::default());
            let (planner, _) = Planner::with_ledger(&before, Counts::of(&before), &mut ledger);
            let select = if lively { Select::Liveness } else { Select::Recency };
            let policy = Policy { select, ..Policy::new(planner.counts.total() * share / 100) };
            let is = match fold(&before, &planner, &policy) {
                Outcome::Folded(is) => is,
                Outcome::Left(_) => continue,
                Outcome::Refused(broken) => {
                    return Err(TestCaseError::fail(format!("{shape:?} {least}: {broken:?} by {policy:?} of {text}")));
                }
            };
            let after = read(&is.text, before.wire(), least).expect("what was written is read");
            prop_assert_eq!(after.frozen(), frozen, "{:?} {}", shape, is.text);
            for entry in 0..frozen {
                prop_assert_eq!(after.entry_text(entry), before.entry_text(entry));
            }
            let check = Check { policy: Some(policy), ..Check::default() };
            let proof = verify(&before, &planner, &is.text, &check);
            prop_assert!(proof.holds(), "{:?}", proof.broken);
            let back = Undo::of(&before, &is).restore(&is.text);
            prop_assert_eq!(back.as_deref(), Ok(before.text()));

            // A session does the same, and knows of it when it comes back.
            let (session, _) = Session::of(before.clone(), Ledger::new(Options::default()));
            let mut session = Session::from_json(&session.to_json(), Options::default()).expect("a session");
            prop_assert_eq!(session.transcript().frozen(), frozen);
            if let Outcome::Folded(its) = session.fold(&policy) {
                prop_assert_eq!(&its.text, &is.text);
                prop_assert_eq!(session.transcript().frozen(), frozen);
            }
        }
    }
}
