//! What public bug reports say of when a fold is due and what it can reach, by their numbers: folds that can free nothing,
//! folds that follow each other, pictures that are counted as text or as nothing.

use pinfold::exchange::Structure;
use pinfold::fold::{Outcome, fold};
use pinfold::formats::{self, ReadOptions};
use pinfold::plan::{Decision, Planner, Policy, Select};
use pinfold::rules::{self, Code, Mode, Severity};
use pinfold::tokens::{CountKind, Counts};
use pinfold::transcript::{Format, Transcript};
use serde_json::{Value, json};

fn read(value: &Value, format: Format) -> Transcript {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    formats::read(value.to_string().as_bytes(), options).expect("a transcript")
}

fn planner(transcript: &Transcript) -> Planner {
    Planner::new(transcript, Counts::of(transcript))
}

fn text(role: &str, words: &str) -> Value {
    json!({ "role": role, "content": [{ "type": "text", "text": words }] })
}

fn words(tokens: usize) -> String {
    "leak ".repeat(tokens)
}

/// A round of Anthropic's: a call and its result of so many words.
fn round(id: &str, length: usize) -> [Value; 2] {
    let call = json!({ "type": "tool_use", "id": id, "name": "read", "input": { "path": id } });
    let result = json!({ "type": "tool_result", "tool_use_id": id, "content": words(length) });
    [
        json!({ "role": "assistant", "content": [call] }),
        json!({ "role": "user", "content": [result] }),
    ]
}

/// A picture of 1024 × 768, with `padding` bytes of base64 behind its header.
fn picture(padding: usize) -> Value {
    let header = "iVBORw0KGgoAAAANSUhEUgAABAAAAAMACAYAAAA";
    let data = format!("{header}{}", "A".repeat(padding / 4 * 4 + 1));
    json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": data } })
}

/// I1 adk-python#7236: one call that is never answered freezes cutting forever.
#[test]
fn a_dead_call_freezes_no_cut() {
    let call = |id: &str| json!({ "role": "model", "parts": [{ "functionCall": { "id": id, "name": "run", "args": {} } }] });
    let answer = |id: &str| {
        let response = json!({ "output": words(200) });
        json!({ "role": "user", "parts": [{ "functionResponse": { "id": id, "name": "run", "response": response } }] })
    };
    let says = |role: &str, words: &str| json!({ "role": role, "parts": [{ "text": words }] });
    let mut entries = vec![says("user", "Deploy."), call("dead"), says("user", "And now?")];
    for id in ["b", "c", "d", "e"] {
        entries.extend([call(id), answer(id), says("model", "Done."), says("user", "Go on.")]);
    }
    let transcript = read(&json!({ "contents": entries }), Format::Gemini);
    let planner = planner(&transcript);
    let found = rules::check(&transcript, &planner.structure, Mode::Log);
    let dead = found.iter().filter(|it| it.code == Code::UnansweredCall);
    assert_eq!(dead.map(|it| it.entry).collect::<Vec<_>>(), [1]);
    // Where each prompt stands.
    for at in [2, 6, 10, 14] {
        assert!(planner.cuts.legal(at), "boundary {at}");
    }
    let policy = Policy { select: Select::Recency, ..Policy::new(planner.counts.total() / 2) };
    let Outcome::Folded(folded) = fold(&transcript, &planner, &policy) else { panic!("no fold") };
    assert_eq!(folded.fold.cut, 14);
    let after =
        formats::read(folded.text.as_bytes(), ReadOptions::default()).expect("a transcript");
    let left = rules::check(&after, &Structure::of(&after), Mode::Log);
    assert!(
        left.iter().all(|it| it.severity != Severity::Error),
        "the dead call is folded: {left:?}"
    );
}

/// I2 kimi-code#2498, I3 opencode#48828: system and tools alone are above the trigger.
#[test]
fn overhead_above_the_trigger_is_told_at_once_and_never_tried() {
    let mut messages = vec![text("user", "Fix it.")];
    for id in ["a", "b", "c"] {
        messages.extend(round(id, 1000));
    }
    messages.push(text("assistant", "Fixed."));
    let tool = json!({ "name": "read", "description": words(21_000), "input_schema": { "type": "object" } });
    let request = json!({ "model": "claude-sonnet-4-5", "max_tokens": 9, "system": words(8_000), "tools": [tool], "messages": messages });
    let transcript = read(&request, Format::Anthropic);
    let planner = planner(&transcript);
    let window = 32_768;
    for policy in [
        Policy { trigger: Some(window * 85 / 100), ..Policy::new(window) },
        Policy::of_window(window, 8_192),
    ] {
        for _ in 0..2 {
            let Outcome::Left(Decision::Stuck { floor, .. }) = fold(&transcript, &planner, &policy)
            else {
                panic!("it is stuck: {policy:?}")
            };
            let large: Vec<&str> =
                floor.iter().filter(|item| item.tokens > 5_000).map(|item| &*item.what).collect();
            assert_eq!(large, ["system", "tools"]);
        }
    }
}

/// I6 kilocode#10888: 250k become 80k, and 80k at once 5k, because what stays is still above the trigger.
#[test]
fn a_fold_is_not_followed_by_another_without_new_rounds() {
    let mut messages = vec![text("user", "Fix it.")];
    for id in 0..25 {
        messages.extend(round(&format!("c{id}"), 10_000));
    }
    messages.push(text("user", &words(60_000)));
    let transcript = read(&json!(messages), Format::Anthropic);
    let planner = planner(&transcript);
    for trigger in [50_000, 80_000, 160_000] {
        let policy = Policy { trigger: Some(trigger), ..Policy::new(200_000) };
        let Outcome::Folded(folded) = fold(&transcript, &planner, &policy) else {
            panic!("it is over the budget")
        };
        let after = read(&serde_json::from_str(&folded.text).expect("JSON"), Format::Anthropic);
        let again = Planner::new(&after, Counts::of(&after)).plan(&policy);
        let name = if trigger == 50_000 { "stuck" } else { "fits" };
        assert_eq!(again.name(), name, "{trigger}: {again:?}");
        assert!(folded.text.contains(&words(60_000)), "the prompt that waits is kept");
    }
}

/// K1 codegraff#260: a first message with a picture of 1.2 MB is 398,000 tokens of text, is folded, and the picture is gone.
#[test]
fn a_prompt_with_a_picture_is_neither_text_nor_folded() {
    let prompt = json!({ "role": "user", "content": [{ "type": "text", "text": "What is this?" }, picture(1_200_000)] });
    let transcript = read(&json!([prompt]), Format::Anthropic);
    let planner = planner(&transcript);
    let total = planner.counts.total();
    assert!((1_000..1_600).contains(&total), "{total} tokens");
    assert_eq!(planner.plan(&Policy::new(100_000)).name(), "fits");
    assert_eq!(planner.plan(&Policy::new(100)).name(), "stuck");
}

/// K2 senpi#1455: the bytes of a picture of 1.4 MB make what stands at the end too large to be kept.
#[test]
fn a_result_with_a_picture_is_kept_at_what_it_costs() {
    let mut messages = vec![text("user", "Look at it.")];
    for id in ["a", "b", "c"] {
        messages.extend(round(id, 3_000));
    }
    let [call, _] = round("shot", 0);
    let result =
        json!({ "type": "tool_result", "tool_use_id": "shot", "content": [picture(1_400_000)] });
    messages.extend([call, json!({ "role": "user", "content": [result] })]);
    let transcript = read(&json!(messages), Format::Anthropic);
    let planner = planner(&transcript);
    let Outcome::Folded(folded) = fold(&transcript, &planner, &Policy::new(6_000)) else {
        panic!("what is kept fits")
    };
    assert!(folded.fold.cut <= 7, "the picture is kept");
    assert!(folded.report.after < 6_000);
}

/// K3 cohub#122: 45 pictures at a flat price, and a proxy that bills their bytes: no fold is ever due.
#[test]
fn a_caller_who_is_billed_otherwise_says_so_and_both_counts_are_there() {
    let mut messages = vec![text("user", "Look at all of them.")];
    for shot in 0..45 {
        let id = format!("s{shot}");
        let [call, _] = round(&id, 0);
        let result =
            json!({ "type": "tool_result", "tool_use_id": id, "content": [picture(100_000)] });
        messages.extend([call, json!({ "role": "user", "content": [result] })]);
    }
    messages.push(text("assistant", "Seen."));
    let transcript = read(&json!(messages), Format::Anthropic);
    let estimated = Counts::of(&transcript);
    assert!((45_000..70_000).contains(&estimated.total()), "{}", estimated.total());
    let policy = Policy::new(200_000);
    assert_eq!(Planner::new(&transcript, estimated.clone()).plan(&policy).name(), "fits");
    let billed: Vec<u32> =
        transcript.entries().iter().map(|entry| entry.span.range().len() as u32).collect();
    let counts = Counts::given(&transcript, billed, None).expect("a count for each entry");
    assert_eq!(counts.kind, CountKind::Given);
    let Outcome::Folded(folded) = fold(&transcript, &Planner::new(&transcript, counts), &policy)
    else {
        panic!("it is due")
    };
    assert!(folded.report.after <= 200_000 && folded.report.before > 4_000_000);
}

/// K5 codex#24388, K6 #33493: pictures that are kept cost nothing in the count, so that each fold leaves more.
#[test]
fn pictures_that_stay_are_in_the_floor_and_those_that_are_folded_are_gone() {
    let mut held: Vec<Value> = Vec::new();
    let mut highest = 0;
    for turn in 0..29 {
        let prompt = json!({ "role": "user", "content": [{ "type": "text", "text": format!("Look at shot {turn}.") }, picture(4_000), picture(4_000)] });
        held.push(prompt);
        held.extend(round(&format!("t{turn}"), 500));
        held.push(text("assistant", "Seen."));
        let transcript = read(&json!(held), Format::Anthropic);
        let planner = planner(&transcript);
        match fold(&transcript, &planner, &Policy::new(8_000)) {
            Outcome::Folded(folded) => {
                held = serde_json::from_str(&folded.text).expect("a list");
                highest = highest.max(folded.report.after);
                let again = read(&json!(held), Format::Anthropic);
                assert_eq!(Counts::of(&again).total(), folded.report.after, "nothing is free");
            }
            Outcome::Left(Decision::Fits { .. }) => {}
            other => panic!("turn {turn}: {other:?}"),
        }
    }
    assert!((1..=8_000).contains(&highest), "{highest}");
    // A picture in the prompt that waits stays, and is counted.
    held.push(json!({ "role": "user", "content": [picture(4_000)] }));
    let transcript = read(&json!(held), Format::Anthropic);
    let Decision::Stuck { floor, .. } = planner(&transcript).plan(&Policy::new(900)) else {
        panic!("a picture alone is more")
    };
    let tail = floor.iter().find(|item| item.what == "live tail").expect("a live tail");
    assert!(tail.tokens > 1_000, "{tail:?}");
}
