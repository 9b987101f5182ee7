//! Results that are trimmed in place: what is left of a text, when it is done at all, and that nothing else is changed.

use crate::support::naive::trimmed;
use crate::support::{Shape, Talk, cases, clean_talk, messy_talk};
use pinfold::estimator::estimate;
use pinfold::fold::{Folded, Outcome, Representation, Why, fold};
use pinfold::formats::{self, ReadOptions};
use pinfold::plan::{Decision, Planner, Policy, Select, Way};
use pinfold::tokens::Counts;
use pinfold::transcript::{Format, Transcript};
use pinfold::trim::{Trim, is_shortened, shortened};
use pinfold::undo::Undo;
use pinfold::verify::{Check, verify};
use proptest::prelude::*;
use serde_json::{Value, json};

/// What a text is cut down to.
fn check(text: &str, most: u64, wanted: &str) {
    let is = shortened(text, most);
    assert_eq!(is, wanted);
    assert!(u64::from(estimate(&is)) <= most, "{} tokens: {is}", estimate(&is));
    assert!(is_shortened(text, &is) && trimmed(text, &is), "{is}");
}

fn lines(range: core::ops::Range<usize>) -> String {
    range.map(|at| format!("line {at} of the output\n")).collect::<Vec<_>>().concat()
}

#[test]
fn a_text_keeps_its_beginning_and_its_end() {
    check(
        &lines(0..100),
        60,
        "line 0 of the output\nline 1 of the output\nline 2 of the output\n\
         [… 593 tokens cut]\nline 97 of the output\n\
         line 98 of the output\nline 99 of the output\n",
    );
    let long = "word ".repeat(400);
    check(
        &long,
        40,
        "word word word word word word word word word word word word[… 377 tokens cut]ord word word word word word word word word word word word ",
    );
    let short = "A few words.";
    assert_eq!(shortened(short, 12), short);
    assert!(!is_shortened(short, short));
}

#[test]
fn a_test_run_keeps_its_failures() {
    let run = format!(
        "collected 200 items\n{}FAILED tests/test_a.py::test_b - assert 1 == 2\n{}3 failed, 197 passed in 4.2s",
        lines(0..90),
        lines(90..200)
    );
    let is = shortened(&run, 120);
    for kept in [
        "collected 200 items\n",
        "FAILED tests/test_a.py::test_b - assert 1 == 2\n",
        "3 failed, 197 passed in 4.2s",
    ] {
        assert!(is.contains(kept), "{is}");
    }
    assert!(is_shortened(&run, &is) && estimate(&is) <= 120, "{is}");
}

#[test]
fn json_stays_json() {
    let rows: Vec<Value> =
        (0..300).map(|at| json!({ "id": at, "name": format!("user {at}") })).collect();
    let members: serde_json::Map<String, Value> =
        (0..300).map(|at| (format!("key{at}"), json!(at))).collect();
    let escaped = "a \"quoted\" line\nand \\ 🙂 another ".repeat(60);
    for value in [
        json!({ "rows": rows, "total": 300 }),
        json!(rows),
        json!(members),
        json!({ "text": escaped, "ok": true }),
    ] {
        for text in [value.to_string(), format!("{value:#}")] {
            let most = 200;
            let is = shortened(&text, most);
            let read: Value = serde_json::from_str(&is).expect("JSON");
            assert_eq!(read.is_array(), value.is_array());
            if let Some(total) = value.get("total") {
                assert_eq!(read.get("total"), Some(total));
            }
            assert!(u64::from(estimate(&is)) <= most && is.contains(" tokens cut]"), "{is}");
            assert!(is_shortened(&text, &is) && trimmed(&text, &is), "{is}");
        }
    }
}

#[test]
fn what_was_cut_before_is_counted_with_what_is_cut_now() {
    let text = lines(0..400);
    let once = shortened(&text, 200);
    let twice = shortened(&once, 60);
    let told = |text: &str| -> u64 {
        let found = text.split("[… ").nth(1).and_then(|rest| rest.split(' ').next());
        found.and_then(|digits| digits.parse().ok()).expect("a gap")
    };
    assert_eq!(twice.matches("tokens cut]").count(), 1, "{twice}");
    let all = u64::from(estimate(&text));
    for is in [&once, &twice] {
        let left = u64::from(estimate(is));
        // Each piece is counted by itself, so the sum is that of the whole but for what is rounded.
        assert!((told(is) + left).abs_diff(all) * 50 <= all, "{all}: {is}");
    }
    assert!(is_shortened(&once, &twice) && trimmed(&text, &twice), "{twice}");
}

#[test]
fn what_was_not_made_by_cutting_is_found_out() {
    let text = lines(0..100);
    let is = shortened(&text, 60);
    let other = |from: &str, to: &str| is.replacen(from, to, 1);
    for wrong in [
        other("593", "592"),
        other("line 97", "line 96"),
        other("line 1 ", "line 11 "),
        other("[… 593 tokens cut]\n", ""),
        other("line 0 of the output\n", ""),
        format!("{is}More."),
        text.clone(),
    ] {
        assert!(!is_shortened(&text, &wrong), "{wrong}");
    }
}

/// A prompt, one round for each of `results`, and the answer.
fn session(results: &[&str], answer: Option<&str>) -> Transcript {
    let mut list = vec![json!({ "role": "user", "content": "Find the leak." })];
    for (at, result) in results.iter().enumerate() {
        let id = format!("c{at}");
        let call = json!({ "type": "tool_use", "id": id, "name": "read", "input": { "at": at } });
        let result = json!({ "type": "tool_result", "tool_use_id": id, "content": result });
        list.push(json!({ "role": "assistant", "content": [call] }));
        list.push(json!({ "role": "user", "content": [result] }));
    }
    list.extend(answer.map(|answer| json!({ "role": "assistant", "content": answer })));
    read(&Value::Array(list).to_string(), Format::Anthropic)
}

fn read(text: &str, format: Format) -> Transcript {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    formats::read(text.as_bytes(), options).expect("a transcript")
}

fn planner(transcript: &Transcript) -> Planner {
    Planner::new(transcript, Counts::of(transcript))
}

fn folded(transcript: &Transcript, policy: &Policy) -> Box<Folded> {
    match fold(transcript, &planner(transcript), policy) {
        Outcome::Folded(folded) => folded,
        other => panic!("{policy:?}: {other:?}"),
    }
}

#[test]
fn a_result_that_is_too_large_for_any_fold_is_trimmed() {
    // The model has not read it yet, so no fold takes it away.
    let before = session(&["small", &lines(0..900)], None);
    let policy = Policy::new(800);
    let planner = planner(&before);
    assert_eq!(planner.plan(&policy).name(), "stuck");
    let folded = folded(&before, &policy);
    assert_eq!(folded.fold.trims.iter().map(|trim| trim.entry).collect::<Vec<_>>(), [4]);
    assert!(folded.report.after <= 800, "{:?}", folded.report);
    assert_eq!(folded.report.before, planner.counts.total());
    assert!(folded.text.contains("[… ") && folded.text.contains("line 899 of the output"));

    // Whoever does not want that waits.
    let soft = fold(&before, &planner, &Policy { hard: false, ..policy });
    assert!(matches!(soft, Outcome::Left(Decision::Stuck { .. })), "{soft:?}");
    // The newest rounds stay as they are, whatever that costs.
    let kept = fold(&before, &planner, &Policy { keep_recent: 1, ..policy });
    assert!(matches!(kept, Outcome::Left(Decision::Stuck { .. })), "{kept:?}");
    // Below the budget nobody is in need.
    let due = Policy { trigger: Some(800), ..Policy::new(100_000) };
    let due = fold(&before, &planner, &due);
    assert!(matches!(due, Outcome::Left(Decision::Stuck { .. })), "{due:?}");
}

#[test]
fn the_largest_are_trimmed_first_and_what_was_read_before_what_was_not() {
    let (large, small) = (lines(0..900), lines(0..30));
    // Both are kept, since their calls were made in one response.
    let list = json!([
        { "role": "user", "content": "Find the leak." },
        { "role": "assistant", "tool_calls": [
            { "id": "a", "type": "function", "function": { "name": "read", "arguments": "{}" } },
            { "id": "b", "type": "function", "function": { "name": "read", "arguments": "{}" } },
        ] },
        { "role": "tool", "tool_call_id": "a", "content": small },
        { "role": "tool", "tool_call_id": "b", "content": large },
    ]);
    let before = read(&list.to_string(), Format::OpenAiChat);
    let is = folded(&before, &Policy::new(900));
    assert_eq!(is.fold.trims.iter().map(|trim| trim.entry).collect::<Vec<_>>(), [3]);
    assert_eq!(is.fold.way, Way::InPlace);
    assert_eq!(is.note, "");
    let became = &is.report.exchanges[0];
    assert_eq!((became.representation, became.why), (Representation::Trimmed, Why::TooLarge));

    // A call in flight defers a quiet fold; over the budget what was read is trimmed instead.
    let mut list = list.as_array().cloned().expect("a list");
    list.push(json!({ "role": "assistant", "content": "One more.", "tool_calls": [
        { "id": "c", "type": "function", "function": { "name": "read", "arguments": "{}" } },
    ] }));
    let before = read(&Value::from(list).to_string(), Format::OpenAiChat);
    let is = folded(&before, &Policy { quiet: true, ..Policy::new(900) });
    assert_eq!((is.fold.way, is.fold.trims[0].entry), (Way::InPlace, 3));
}

#[test]
fn trims_are_told_entry_by_entry() {
    let before = session(&[&lines(0..900)], None);
    let is = folded(&before, &Policy::new(600));
    let Trim { entry, before: was, after, ref text } = is.fold.trims[0];
    assert!(is.text.contains(text) && text.contains(" tokens cut]"));
    assert_eq!((entry, is.fold.trims.len()), (2, 1));
    assert_eq!(was - after, is.report.before - is.report.after);
    assert_eq!(is.report.freed, was - after);
}

#[test]
fn what_is_no_text_is_not_cut() {
    let image = json!({ "type": "base64", "media_type": "image/png", "data": "A".repeat(4000) });
    let content = json!([
        { "type": "image", "source": image },
        { "type": "text", "text": lines(0..900) },
    ]);
    let list = json!([
        { "role": "user", "content": "Find the leak." },
        { "role": "assistant", "content": [{ "type": "tool_use", "id": "a", "name": "read", "input": {} }] },
        { "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "a", "content": content }] },
    ]);
    let before = read(&list.to_string(), Format::Anthropic);
    let is = folded(&before, &Policy::new(2500));
    assert!(is.text.contains(&"A".repeat(4000)) && is.text.contains(" tokens cut]"));
}

#[test]
fn kept_bytes_stay_as_they_were_written() {
    // Escapes that need not be, a surrogate pair, a line break as a character.
    let odd = r"\u0041\/ caf\u00e9 \ud83d\ude42\n";
    let content = [odd, &lines(0..900).replace('\n', "\\n"), odd].concat();
    let text = format!(
        r#"[ {{"role":"user","content":"Look."}},
        {{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"read","input":{{}}}}]}},
        {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"a","content":"{content}"}}]}} ]"#
    );
    let before = read(&text, Format::Anthropic);
    let is = folded(&before, &Policy::new(500));
    assert_eq!(is.text.matches(odd).count(), 2, "{}", is.text);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(40), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_cut_down_and_the_cuts_are_found(
        pieces in prop::collection::vec(pieces(), 0..60),
        most in 0..300_u64,
    ) {
        let text = pieces.concat();
        let is = shortened(&text, most);
        prop_assert!(is == text || is_shortened(&text, &is) && trimmed(&text, &is), "{is}\nof {text}");
        prop_assert!(is.len() <= text.len());
        let again = shortened(&is, most);
        prop_assert!(again == is || is_shortened(&text, &again), "{again}\nof {is}");
    }

    #[test]
    fn a_hard_budget_is_kept_to_by_lawful_folds(
        moves in prop_oneof![clean_talk(), messy_talk()],
        share in 5..100_u64,
        lively in any::<bool>(),
    ) {
        for shape in Shape::ALL {
            let text = Talk::of(&moves, shape).write(shape);
            let options = ReadOptions { format: Some(shape.format()), ..ReadOptions::default() };
            let Ok(before) = formats::read(text.as_bytes(), options) else { continue };
            let planner = planner(&before);
            let total = planner.counts.total();
            let select = if lively { Select::Liveness } else { Select::Recency };
            let policy = Policy { select, ..Policy::new(total * share / 100) };
            let folded = match fold(&before, &planner, &policy) {
                Outcome::Folded(folded) => folded,
                Outcome::Left(_) => continue,
                Outcome::Refused(broken) => {
                    return Err(TestCaseError::fail(format!("{shape:?}: {broken:?} by {policy:?} of {text}")));
                }
            };
            prop_assert!(folded.report.after <= policy.budget && folded.report.after < total);
            let check = Check { policy: Some(policy), ..Check::default() };
            let proof = verify(&before, &planner, &folded.text, &check);
            prop_assert!(proof.holds(), "{:?}", proof.broken);
            let back = Undo::of(&before, &folded).restore(&folded.text);
            prop_assert_eq!(back.as_deref(), Ok(before.text()));
            if let Some(forged) = forged(&folded.text) {
                let proof = verify(&before, &planner, &forged, &check);
                prop_assert!(!proof.holds(), "{forged}");
            }
        }
    }
}

/// The same with another number of tokens at the first gap.
fn forged(text: &str) -> Option<String> {
    let at = text.find("[… ")? + "[… ".len();
    let digit = text[at..].bytes().next().filter(u8::is_ascii_digit)?;
    let other = if digit == b'9' { "8" } else { "9" };
    Some([&text[..at], other, &text[at + 1..]].concat())
}

/// Pieces of texts that are hard to cut.
fn pieces() -> impl Strategy<Value = String> {
    let fixed = [
        "\n",
        "\"",
        "\\",
        "[… 12 tokens cut]",
        "\"[… 12 tokens cut]\"",
        "[… ",
        " tokens cut]",
        "\":null",
        "error: it failed\n",
        "FAILED tests/a.py\n",
        "🙂🙂🙂",
        "数据数据数据 ",
        "one of many words\n",
        "x".repeat(90).leak(),
        "{\"a\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]}",
        "[",
        "{\"k\":",
        "]",
        "}",
        "\\ud83d",
        ",",
    ];
    prop_oneof![
        6 => prop::sample::select(fixed.to_vec()).prop_map(String::from),
        2 => "[ -~]{0,40}\n?".prop_map(String::from),
        1 => (1..60_usize).prop_map(|count| "many words of it ".repeat(count)),
        1 => prop::collection::vec(any::<u32>(), 0..200).prop_map(|list| json!(list).to_string()),
        1 => prop::collection::btree_map("[a-z\"\\\\]{1,6}", ".{0,80}", 0..40).prop_map(|map| json!(map).to_string()),
    ]
}
