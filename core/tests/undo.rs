//! The way back: a fold can be taken back whatever its format, also after the transcript has grown, and by nothing else.

use crate::support::{Shape, Talk, messy_talk};
use pinfold::fold::{Folded, Outcome, Representation, Why, fold};
use pinfold::formats::{self, ReadOptions};
use pinfold::plan::{Planner, Policy};
use pinfold::tokens::Counts;
use pinfold::transcript::{Format, Transcript};
use pinfold::undo::{OtherText, Undo};
use proptest::prelude::*;

fn read(text: &str, format: Format) -> Transcript {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    formats::read(text.as_bytes(), options).expect("a transcript")
}

fn folded(transcript: &Transcript, share: u64) -> Option<Box<Folded>> {
    let planner = Planner::new(transcript, Counts::of(transcript));
    let policy = Policy::new(planner.counts.total() * share / 100);
    match fold(transcript, &planner, &policy) {
        Outcome::Folded(folded) => Some(folded),
        Outcome::Left(_) => None,
        Outcome::Refused(broken) => panic!("withheld: {broken:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_fold_is_taken_back_to_the_byte(moves in messy_talk(), share in 20_u64..95) {
        for shape in Shape::ALL {
            let text = Talk::of(&moves, shape).write(shape);
            let options = ReadOptions { format: Some(shape.format()), ..ReadOptions::default() };
            // A log of which nothing was ever sent holds no transcript.
            let Ok(before) = formats::read(text.as_bytes(), options) else { continue };
            let Some(first) = folded(&before, share) else { continue };
            let undo = Undo::of(&before, &first);
            let back = undo.restore(&first.text);
            prop_assert_eq!(back.as_deref(), Ok(before.text()), "{:?}", shape);
            // Folded once more: the newest is taken back first.
            let again = read(&first.text, before.wire());
            if let Some(second) = folded(&again, share) {
                let newer = Undo::of(&again, &second);
                let back = newer.restore(&second.text).expect("its own text");
                prop_assert_eq!(&back, &first.text);
                let back = undo.restore(&back);
                prop_assert_eq!(back.as_deref(), Ok(before.text()));
            }
        }
    }
}

const TALK: &str = r#"[
  {"role":"system","content":"Be brief."},
  {"role":"user","content":"Look, and look again. LONG"},
  {"role":"assistant","content":"I looked. LONG"},
  {"role":"user","content":"Once more."},
  {"role":"assistant","content":"I looked again. LONG"},
  {"role":"user","content":"Thanks. What did you see?"}
]"#;

fn talk() -> Transcript {
    read(&TALK.replace("LONG", &"many words follow here ".repeat(40)), Format::OpenAiChat)
}

#[test]
fn what_came_since_stays_behind_what_comes_back() {
    let before = talk();
    let folded = folded(&before, 60).expect("a fold");
    let undo = Undo::of(&before, &folded);
    let grow = |text: &str| {
        let list = text.trim_end().strip_suffix(']').expect("a list").trim_end();
        format!("{list},\n  {{\"role\":\"assistant\",\"content\":\"A cat, 猫.\"}}\n]")
    };
    assert_eq!(undo.restore(&grow(&folded.text)), Ok(grow(before.text())));
}

#[test]
fn what_the_fold_did_not_write_is_not_taken_back() {
    let before = talk();
    let folded = folded(&before, 60).expect("a fold");
    let undo = Undo::of(&before, &folded);
    let changed = folded.text.replacen("Folded here", "Folded there", 1);
    let other = Err(OtherText { at: undo.at });
    for text in [before.text(), &changed, "", "[]", "猫猫猫"] {
        assert_eq!(undo.restore(text), other, "{text}");
    }
    let said = OtherText { at: undo.at }.to_string();
    assert!(
        said.starts_with("What this fold wrote does not stand at byte 4 of the text"),
        "{said}"
    );
}

#[test]
fn the_report_says_what_became_of_each_exchange_and_what_it_costs() {
    let before = talk();
    let folded = folded(&before, 95).expect("a fold");
    let report = &folded.report;
    let told: Vec<_> = report
        .exchanges
        .iter()
        .map(|it| (it.representation, it.why, it.entries.clone(), it.lines))
        .collect();
    assert_eq!(
        told,
        [
            (Representation::Digest, Why::Older, 1..3, (2, 2)),
            (Representation::Raw, Why::Newest, 3..5, (0, 0)),
            (Representation::Raw, Why::LiveTail, 5..6, (0, 0)),
        ]
    );
    let counts = Counts::of(&before);
    let spoken: u64 = counts.entries[1..].iter().map(|&tokens| u64::from(tokens)).sum();
    assert_eq!(report.exchanges.iter().map(|it| it.tokens).sum::<u64>(), spoken);
    assert_eq!(report.cache_lost, spoken, "the system entry alone stays where it was");
    let coarseness = spoken as f64 / 3.0 / report.deficit as f64;
    assert!((report.coarseness - coarseness).abs() < 1e-9, "{} {coarseness}", report.coarseness);
    assert_eq!(report.counted.1, None, "nothing was measured");
}

#[test]
fn where_usage_is_recorded_the_error_of_estimates_is_known() {
    let line = |id: usize, input: usize, words: usize| {
        let said = "many words follow here ".repeat(words);
        format!(
            r#"{{"type":"user","uuid":"u{id}","parentUuid":{parent},"message":{{"role":"user","content":"{said}"}}}}
{{"type":"assistant","uuid":"a{id}","parentUuid":"u{id}","message":{{"id":"m{id}","role":"assistant","content":[{{"type":"text","text":"ok"}}],"usage":{{"input_tokens":{input},"output_tokens":2}}}}}}
"#,
            parent = if id == 0 { "null".into() } else { format!("\"a{}\"", id - 1) },
        )
    };
    let log = line(0, 1_000, 25) + &line(1, 1_150, 25) + &line(2, 1_300, 25);
    let counts = Counts::of(&read(&log, Format::ClaudeCode));
    let error = counts.error.expect("it was measured");
    assert!(error > 0.0 && error < 1.0, "{error}");
    // Two stretches of 150 tokens each, estimated alike.
    let guess = 150.0 * (1.0 - error);
    assert!((guess - guess.round()).abs() < 1e-9, "{guess}");
}
