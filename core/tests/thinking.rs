//! What becomes of thinking in what a fold keeps: by the model's family, or as the policy says.

use pinfold::fold::{Folded, Outcome, fold};
use pinfold::formats::{self, ReadOptions};
use pinfold::plan::{Planner, Policy, Way};
use pinfold::thinking::Thinking;
use pinfold::tokens::Counts;
use pinfold::transcript::{Format, Transcript};
use pinfold::undo::Undo;
use pinfold::verify::{Check, verify};
use serde_json::{Value, json};

/// A prompt and rounds with thinking in front of each call.
fn session(rounds: usize) -> Vec<Value> {
    let mut list = vec![json!({ "role": "user", "content": "Find the leak." })];
    for at in 0..rounds {
        let id = format!("c{at}");
        let thinking = json!({ "type": "thinking", "thinking": format!("Thought {at}. {}", "And more. ".repeat(20)), "signature": "c2ln" });
        let redacted = json!({ "type": "redacted_thinking", "data": "AAAA" });
        let call = json!({ "type": "tool_use", "id": id, "name": "read", "input": { "at": at } });
        let words = format!("Result {at}. {}", "one of many words ".repeat(20));
        list.push(json!({ "role": "assistant", "content": [thinking, redacted, { "type": "text", "text": "I look." }, call] }));
        list.push(json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": id, "content": words }] }));
    }
    list.push(json!({ "role": "assistant", "content": "It is in part 3." }));
    list
}

fn read(value: &Value, format: Format) -> Transcript {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    formats::read(value.to_string().as_bytes(), options).expect("a transcript")
}

fn request(model: &str) -> Transcript {
    read(&json!({ "model": model, "messages": session(20) }), Format::Anthropic)
}

fn folded(before: &Transcript, policy: &Policy) -> Box<Folded> {
    let planner = Planner::new(before, Counts::of(before));
    match fold(before, &planner, policy) {
        Outcome::Folded(folded) => {
            let check = Check { policy: Some(*policy), ..Check::default() };
            let proof = verify(before, &planner, &folded.text, &check);
            assert!(proof.holds(), "{:?}", proof.broken);
            assert_eq!(
                Undo::of(before, &folded).restore(&folded.text).as_deref(),
                Ok(before.text())
            );
            folded
        }
        other => panic!("{other:?}"),
    }
}

/// How many blocks of thinking a fold by half leaves, of those of the rounds that it keeps.
fn check(model: &str, thinking: Option<Thinking>, wanted: bool) {
    let before = request(model);
    let budget = Counts::of(&before).total() / 2;
    let is = folded(&before, &Policy { thinking, ..Policy::new(budget) });
    let left =
        is.text.matches("thinking\",").count() + is.text.matches("\"redacted_thinking\"").count();
    assert_eq!(left > 0, wanted, "{model} {thinking:?}: {}", is.text);
    assert_eq!(is.fold.trims.is_empty(), wanted);
    assert!(is.text.contains("I look.") && is.text.contains("Result 19."));
    assert!(is.report.after <= budget);
    assert_eq!(is.report.thinking == Thinking::Strip, !wanted);
}

#[test]
fn thinking_that_would_be_refused_is_taken_out() {
    check("claude-opus-5-5", None, false);
    check("claude-fable-5-1", None, false);
    check("claude-sonnet-4-5", None, true);
    check("claude-sonnet-5", None, true);
    check("claude-opus-5-5", Some(Thinking::Keep), true);
    check("claude-opus-5-5", Some(Thinking::DropBlock), true);
    check("claude-sonnet-5", Some(Thinking::Strip), false);
}

#[test]
fn what_stands_around_thinking_stays_byte_for_byte() {
    let text = r#"[ {"role":"user","content":"Go."},
      {"role":"assistant","content":[ {"type":"thinking","thinking":"LONG","signature":"s"} , {"type":"text","text":"\u0041"} ,{"type":"thinking","thinking":"LONG","signature":"s"}, {"type":"redacted_thinking","data":"x"} ] } ,
      {"role":"user","content":"On."}, {"role":"assistant","content":[{"type":"thinking","thinking":"alone","signature":"s"}]}, {"role":"user","content":"Now."} ]"#;
    let text = text.replace("LONG", &"many words ".repeat(90));
    let before = formats::read(text.as_bytes(), ReadOptions::default()).expect("a transcript");
    let strip = Policy { thinking: Some(Thinking::Strip), ..Policy::new(200) };
    let is = folded(&before, &strip);
    // Taking it out is enough. An entry of nothing else stays: without it there would be none.
    assert_eq!(is.fold.way, Way::InPlace);
    let wanted = r#"[ {"role":"user","content":"Go."},
      {"role":"assistant","content":[ {"type":"text","text":"\u0041"} ] } ,
      {"role":"user","content":"On."}, {"role":"assistant","content":[{"type":"thinking","thinking":"alone","signature":"s"}]}, {"role":"user","content":"Now."} ]"#;
    assert_eq!(is.text, wanted);
}

#[test]
fn thinking_is_taken_out_of_all_that_is_kept_or_of_nothing() {
    let before = request("claude-opus-5-5");
    let planner = Planner::new(&before, Counts::of(&before));
    let is = folded(&before, &Policy::new(planner.counts.total() / 2));
    // One of them put back: a gap, which the provider refuses.
    let trim = is.fold.trims.last().expect("a trim");
    let forged = is.text.replacen(&trim.text, before.entry_text(trim.entry), 1);
    let proof = verify(&before, &planner, &forged, &Check::default());
    assert!(!proof.holds());
}

#[test]
fn a_member_is_taken_out_as_a_block_is() {
    let mut list = vec![json!({ "role": "user", "content": "Go." })];
    for at in 0..12 {
        let call = json!({ "id": format!("c{at}"), "type": "function", "function": { "name": "read", "arguments": "{}" } });
        list.push(json!({ "role": "assistant", "content": null, "reasoning_content": "I think. ".repeat(40), "tool_calls": [call] }));
        list.push(json!({ "role": "tool", "tool_call_id": format!("c{at}"), "content": "many words ".repeat(20) }));
    }
    list.push(json!({ "role": "assistant", "content": "Done." }));
    let before = read(&Value::from(list), Format::OpenAiChat);
    let budget = Counts::of(&before).total() / 3;
    let is = folded(&before, &Policy { thinking: Some(Thinking::Strip), ..Policy::new(budget) });
    assert!(!is.text.contains("reasoning_content"), "{}", is.text);
    let after: Value = serde_json::from_str(&is.text).expect("JSON");
    assert_eq!(
        after.as_array().and_then(|it| it.last()),
        Some(&json!({ "role": "assistant", "content": "Done." }))
    );
}
