//! The laws of a fold over random transcripts and every budget, and the cut map against a naive reference.

use crate::support::naive::{naive_cuts, plain};
use crate::support::{Piece, Plain, Shape, Talk, clean_talk, messy_talk};
use pinfold::cut::CutMap;
use pinfold::exchange::Structure;
use pinfold::fold::{Outcome, fold};
use pinfold::formats::{self, ReadOptions};
use pinfold::note::{Kept, Note};
use pinfold::plan::{Decision, Planner, Policy, Select};
use pinfold::rules::{self, Mode, Severity};
use pinfold::tokens::Counts;
use pinfold::transcript::{Format, Role, Transcript};
use pinfold::verify::{Check, verify};
use proptest::prelude::*;

/// A line of a note with its excerpts.
fn kept() -> impl Strategy<Value = Kept> {
    let line = "[^\n]{0,40}";
    (line, prop::collection::vec(line, 0..3)).prop_map(|(text, excerpts)| Kept { text, excerpts })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_cut_map_is_that_of_the_naive_reference(moves in messy_talk()) {
        // A log is rearranged while it is read; it has a test of its own.
        for shape in Shape::lists() {
            let talk = Talk::of(&moves, shape);
            let transcript = read(&talk.write(shape), shape.format());
            let structure = Structure::of(&transcript);
            let cuts = CutMap::of(&transcript, &structure);
            let entries = talk.named(shape);
            let naive = naive_cuts(&entries, shape.format());
            prop_assert_eq!(cuts.len(), naive.len());
            for (at, wanted) in naive.iter().enumerate() {
                let found: Vec<(&str, Vec<String>)> = cuts
                    .why(at, &structure)
                    .iter()
                    .map(|why| (why.kind.name(), why.ids.iter().map(|&id| transcript.id(id).into()).collect()))
                    .collect();
                prop_assert_eq!(&found, wanted, "{:?} at {}: {:?}", shape, at, &entries);
                prop_assert_eq!(cuts.legal(at), wanted.is_empty());
                let before = (0..=at).rev().find(|&at| naive[at].is_empty());
                prop_assert_eq!(cuts.at_or_before(at), before);
                let after = (at..naive.len()).find(|&at| naive[at].is_empty());
                prop_assert_eq!(cuts.at_or_after(at), after);
            }
        }
    }

    #[test]
    fn a_log_is_rebuilt_into_the_messages_that_were_sent(moves in clean_talk()) {
        // Results are put into the order of their calls, so here they come in it.
        let ordered = moves.into_iter().map(|step| match step {
            crate::support::Move::Answer { words, skip, .. } => crate::support::Move::Answer { words, skip, turn: 0 },
            other => other,
        });
        let talk = Talk::of(&ordered.collect::<Vec<_>>(), Shape::ClaudeCode);
        let log = read(&talk.write(Shape::ClaudeCode), Format::ClaudeCode);
        let messages = read(&talk.write(Shape::Anthropic), Format::Anthropic);
        prop_assert_eq!(log.len(), messages.len());
        for entry in 0..log.len() {
            let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
            prop_assert_eq!(value(log.entry_text(entry)), value(messages.entry_text(entry)));
        }
    }

    #[test]
    fn what_is_read_is_what_was_written(moves in messy_talk()) {
        for shape in Shape::lists() {
            let talk = Talk::of(&moves, shape);
            let text = talk.write(shape);
            let transcript = read(&text, shape.format());
            prop_assert_eq!(transcript.text(), &text);
            let texts: Vec<String> = talk.texts(shape).collect();
            let found: Vec<&str> = (0..transcript.len()).map(|at| transcript.entry_text(at)).collect();
            prop_assert_eq!(&found, &texts);
            let entries: Vec<Plain> = (0..transcript.len()).map(|at| plain(&transcript, at)).collect();
            prop_assert_eq!(entries, talk.named(shape), "{:?}", shape);
        }
    }

    #[test]
    fn a_talk_with_calls_is_told_by_itself(moves in clean_talk()) {
        for shape in Shape::ALL {
            let talk = Talk::of(&moves, shape);
            let calls = talk.entries.iter().flat_map(|entry| &entry.pieces);
            if calls.into_iter().any(|piece| matches!(piece, Piece::Call(_))) {
                let found = formats::detect(talk.write(shape).as_bytes()).expect("a format");
                prop_assert_eq!(found.format, shape.format());
                prop_assert!(found.confidence > 0.5, "{:?}: {}", shape, found.confidence);
            }
        }
    }

    #[test]
    fn a_clean_talk_breaks_no_rule(moves in clean_talk()) {
        for shape in Shape::ALL {
            let talk = Talk::of(&moves, shape);
            let talk = if shape.alternates() { talk.alternating() } else { talk };
            let transcript = read(&talk.write(shape), shape.format());
            let found = rules::check(&transcript, &Structure::of(&transcript), Mode::Log);
            prop_assert!(found.is_empty(), "{:?}: {:?}", shape, found);
        }
    }

    #[test]
    fn a_note_is_read_back_as_it_was_written(
        carried in prop::collection::vec("(?s).{0,80}", 0..3),
        older in prop::collection::vec(kept(), 0..3),
        lines in prop::collection::vec(kept(), 0..4),
        unlisted in 0..9_u32,
    ) {
        let note = Note { carried, older, lines, unlisted, hash: "0123456789abcdef".into(), ..Note::default() };
        let text = note.render();
        prop_assert_eq!(Note::parse(&text), Some(note));
        prop_assert_eq!(Note::parse(&format!("{text} ")), None);
        prop_assert_eq!(Note::parse(&text.replacen("prompts: 0", "prompts: 1", 1)), None);
    }
}

proptest! {
    // Each case is a talk in every shape, folded wherever the decision changes.
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_fold_of_a_clean_talk_is_lawful_at_every_budget(moves in clean_talk()) {
        for shape in Shape::ALL {
            every_budget(&Talk::of(&moves, shape).write(shape), shape.format(), Select::Recency)?;
        }
    }

    #[test]
    fn every_fold_of_a_messy_talk_is_lawful_at_every_budget(moves in messy_talk()) {
        for shape in Shape::ALL {
            let talk = Talk::of(&moves, shape);
            // A log without a message is no transcript.
            if shape != Shape::ClaudeCode || !talk.entries.is_empty() {
                every_budget(&talk.write(shape), shape.format(), Select::Liveness)?;
            }
        }
    }

    #[test]
    fn folding_again_and_again_never_doubles_anything(
        talks in prop::collection::vec(clean_talk(), 2..6),
        share in 2..8_u64,
    ) {
        for shape in Shape::lists() {
            grow_and_fold(&talks, share, shape)?;
        }
    }
}

/// Plans at every budget from nothing to more than all, and folds wherever the decision changes.
fn every_budget(text: &str, format: Format, select: Select) -> Result<(), TestCaseError> {
    let transcript = read(text, format);
    let planner = Planner::new(&transcript, Counts::of(&transcript));
    let total = planner.counts.total();
    let mut last = None;
    for budget in (0..=total + 2).rev() {
        let policy = Policy { select, hard: false, ..Policy::new(budget) };
        let decision = planner.plan(&policy);
        let shape = match &decision {
            Decision::Fold(fold) => (fold.cut, fold.lines.1),
            other => (usize::MAX, other.name().len()),
        };
        if last.replace(shape) == Some(shape) {
            continue;
        }
        match (decision, fold(&transcript, &planner, &policy)) {
            (Decision::Fold(plan), Outcome::Folded(folded)) => {
                prop_assert!(planner.cuts.legal(plan.cut));
                prop_assert!(plan.after <= budget, "planned {} for {budget}", plan.after);
                prop_assert!(
                    folded.report.after <= plan.after,
                    "{} over {}",
                    folded.report.after,
                    plan.after
                );
                let check = Check { policy: Some(policy), ..Check::default() };
                let proof = verify(&transcript, &planner, &folded.text, &check);
                prop_assert!(proof.holds(), "{:?}", proof.broken);
                prop_assert_eq!(proof.cut, Some(plan.cut));
            }
            (Decision::Fits { total }, Outcome::Left(_)) => prop_assert!(total <= budget),
            (Decision::Defer(defer), Outcome::Left(_)) => prop_assert!(defer.total > budget),
            (Decision::Stuck { floor, .. }, Outcome::Left(_)) => {
                prop_assert!(floor.iter().map(|item| item.tokens).sum::<u64>() > budget);
            }
            (decision, outcome) => {
                prop_assert!(false, "{decision:?} gave {outcome:?} for {text}");
            }
        }
    }
    Ok(())
}

/// Appends talk after talk to what was folded before; in the end every pair is kept once or counted once.
fn grow_and_fold(
    talks: &[Vec<crate::support::Move>],
    budget_share: u64,
    shape: Shape,
) -> Result<(), TestCaseError> {
    let format = shape.format();
    let mut talk = Talk::default();
    let mut held: Vec<String> = Vec::new();
    let mut known = 0;
    let mut prompts = 0;
    for moves in talks {
        // What was left open by the last talk is answered before the next one begins.
        let answer = [crate::support::Move::Answer { words: 3, skip: 0, turn: 0 }];
        talk.go_on(&answer, shape);
        talk.go_on(moves, shape);
        if shape == Shape::AiSdkUi {
            // A result that comes later would change the entry of its call, which may be folded by then.
            talk.go_on(&answer, shape);
        }
        let whole = read(&talk.write(shape), format);
        held.extend((known..whole.len()).map(|entry| whole.entry_text(entry).to_string()));
        known = whole.len();
        prompts +=
            moves.iter().filter(|step| matches!(step, crate::support::Move::Prompt(_))).count();
        let text = format!("[{}]", held.join(","));
        let transcript = read(&text, format);
        let planner = Planner::new(&transcript, Counts::of(&transcript));
        // By turns, so that one kind of note is folded into the other.
        let select = [Select::Recency, Select::Liveness][known % 2];
        let policy = Policy { select, ..Policy::new(planner.counts.total() * budget_share / 9) };
        if let Outcome::Folded(folded) = fold(&transcript, &planner, &policy) {
            let after = read(&folded.text, format);
            held = (0..after.len()).map(|entry| after.entry_text(entry).to_string()).collect();
        }
    }
    let text = format!("[{}]", held.join(","));
    let end = Structure::of(&read(&text, format));
    let all = Structure::of(&read(&talk.write(shape), format));
    let tally = end.note.as_ref().map(|(_, note)| note.tally).unwrap_or_default();
    prop_assert_eq!(
        tally.pairs as usize + end.pairing.pairs().count(),
        all.pairing.pairs().count()
    );
    let kept = end.exchanges.iter().filter(|exchange| exchange.prompt.is_some()).count();
    prop_assert_eq!(tally.prompts as usize + kept, prompts);
    prop_assert_eq!(
        text.matches("[Pinfold note, version 1]").count(),
        usize::from(end.note.is_some())
    );
    let listed = end.note.map_or(0, |(_, note)| note.lines.len() + note.unlisted as usize);
    prop_assert!(listed <= talk.entries.len() * 4);
    Ok(())
}

fn read(text: &str, format: Format) -> Transcript {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    formats::read(text.as_bytes(), options).expect("a written talk is read")
}

#[test]
fn system_entries_are_never_folded() {
    let text = r#"[{"role":"system","content":"Rules."},{"role":"user","content":"Go."},
        {"role":"assistant","content":"LONG"},{"role":"system","content":"More rules."},
        {"role":"user","content":"Next."},{"role":"assistant","content":"LONG"},{"role":"user","content":"And?"}]"#;
    let text = text.replace("LONG", &"words and more words ".repeat(200));
    let transcript = read(&text, Format::OpenAiChat);
    let planner = Planner::new(&transcript, Counts::of(&transcript));
    let Outcome::Folded(folded) = fold(&transcript, &planner, &Policy::new(600)) else {
        panic!("{:?}", planner.plan(&Policy::new(600)));
    };
    let after = read(&folded.text, Format::OpenAiChat);
    let system: Vec<&str> = (0..after.len())
        .filter(|&entry| after.entries()[entry].role == Role::System)
        .map(|entry| after.entry_text(entry))
        .collect();
    assert_eq!(system, [transcript.entry_text(0), transcript.entry_text(3)]);
    assert_eq!(after.entry_text(after.len() - 1), r#"{"role":"user","content":"And?"}"#);
}

#[test]
fn a_forged_note_is_ordinary_text() {
    let note = Note {
        hash: "0123456789abcdef".into(),
        lines: vec![Kept::from("nothing")],
        ..Note::default()
    }
    .render();
    let quoted = serde_json::to_string(&note).expect("a string is JSON");
    let in_prompt =
        format!(r#"[{{"role":"user","content":"Hi."}},{{"role":"user","content":{quoted}}}]"#);
    let broken_seal = quoted.replace("nothing", "something");
    let at_seat = format!(r#"[{{"role":"user","content":{broken_seal}}}]"#);
    for text in [in_prompt, at_seat] {
        let transcript = read(&text, Format::Anthropic);
        assert!(Structure::of(&transcript).note.is_none(), "{text}");
    }
    let found = rules::check(
        &read(&format!(r#"[{{"role":"user","content":{quoted}}}]"#), Format::Anthropic),
        &Structure::of(&read("[]", Format::Anthropic)),
        Mode::Log,
    );
    assert!(found.iter().all(|violation| violation.severity != Severity::Error));
}
