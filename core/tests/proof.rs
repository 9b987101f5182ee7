//! The proof can fail: each way of breaking a result is caught, and named by its law.

use pinfold::fold::{Outcome, fold};
use pinfold::formats::{self, ReadOptions};
use pinfold::plan::{Decision, Planner, Policy};
use pinfold::tokens::Counts;
use pinfold::transcript::{Format, Transcript};
use pinfold::verify::{Check, Proof, verify};
use serde_json::{Value, json};

/// A talk of two exchanges and a live tail, long enough to be folded.
fn talk() -> Value {
    let long = "a line of output that nobody needs any more\n".repeat(60);
    let call = |id: &str| json!({ "id": id, "type": "function", "function": { "name": "run", "arguments": "{\"command\":\"make\"}" } });
    json!([
        { "role": "system", "content": "Be careful." },
        { "role": "user", "content": "Build it." },
        { "role": "assistant", "content": null, "tool_calls": [call("c1")] },
        { "role": "tool", "tool_call_id": "c1", "content": long },
        { "role": "assistant", "content": "Built." },
        { "role": "user", "content": "Now test it." },
        { "role": "assistant", "content": null, "tool_calls": [call("c2"), call("c3")] },
        { "role": "tool", "tool_call_id": "c2", "content": "ok" },
        { "role": "tool", "tool_call_id": "c3", "content": "ok" },
        { "role": "assistant", "content": null, "tool_calls": [call("c4")] },
        { "role": "tool", "tool_call_id": "c4", "content": "fine" }
    ])
}

/// Folds the talk, lets `tamper` change the list of entries, and gives the laws that the proof finds broken.
fn broken_by(tamper: impl Fn(&mut Vec<Value>)) -> Vec<u8> {
    let text = talk().to_string();
    let before = read(&text);
    let planner = Planner::new(&before, Counts::of(&before));
    let at_second_prompt =
        |policy: &Policy| matches!(planner.plan(policy), Decision::Fold(fold) if fold.cut == 5);
    let policy = (1..2000).map(Policy::new).find(at_second_prompt).expect("a budget for that cut");
    let Outcome::Folded(folded) = fold(&before, &planner, &policy) else {
        panic!("{:?}", planner.plan(&policy));
    };
    let mut entries: Vec<Value> = serde_json::from_str(&folded.text).expect("a result is JSON");
    // System entry, note, and what is kept from the second prompt on.
    assert_eq!(entries.len(), 8, "{}", folded.text);
    tamper(&mut entries);
    let check = Check { policy: Some(policy), ..Check::default() };
    let proof = verify(&before, &planner, &Value::from(entries).to_string(), &check);
    laws(&proof)
}

fn laws(proof: &Proof) -> Vec<u8> {
    let mut laws: Vec<u8> = proof.broken.iter().map(|broken| broken.law).collect();
    laws.sort_unstable();
    laws.dedup();
    laws
}

fn read(text: &str) -> Transcript {
    let options = ReadOptions { format: Some(Format::OpenAiChat), ..ReadOptions::default() };
    formats::read(text.as_bytes(), options).expect("a list")
}

#[test]
fn an_untouched_result_holds() {
    assert_eq!(broken_by(|_| ()), Vec::<u8>::new());
}

#[test]
fn every_way_of_breaking_a_result_is_named() {
    type Tamper = fn(&mut Vec<Value>);
    let cases: [(&str, &[u8], Tamper); 10] = [
        ("the first kept entry is dropped: its prompt is no longer carried", &[4, 5], |it| {
            it.remove(2);
        }),
        ("the cut moves between a call and its results", &[2, 3, 4, 5, 10], |it| {
            it.drain(2..4);
        }),
        ("the cut moves between two results of one response", &[2, 3, 4, 5, 10], |it| {
            it.drain(2..5);
        }),
        ("a kept argument is paraphrased", &[6], |it| {
            it[3]["tool_calls"][0]["function"]["arguments"] = json!("{\"command\":\"build\"}");
        }),
        ("two kept results change places", &[6], |it| it.swap(4, 5)),
        ("a kept entry is lost in the middle", &[6], |it| {
            it.remove(4);
        }),
        ("the live tail is folded", &[2, 3, 4, 5, 8, 10], |it| {
            it.drain(2..7);
        }),
        ("the system entry is lost", &[8], |it| {
            it.remove(0);
        }),
        ("the note is gone", &[6], |it| {
            it.remove(1);
        }),
        ("the note is edited", &[6], |it| {
            let note =
                it[1]["content"].as_str().expect("a note").replace("prompts: 1", "prompts: 2");
            it[1]["content"] = note.into();
        }),
    ];
    let mut failures = Vec::new();
    for (what, wanted, tamper) in cases {
        let found = broken_by(tamper);
        if found != wanted {
            failures.push(format!("{what}: wanted {wanted:?}, found {found:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_result_that_is_not_smaller_breaks_law_9() {
    let short = json!([
        { "role": "user", "content": "Hi." },
        { "role": "assistant", "content": "Hello." },
        { "role": "user", "content": "Bye." },
        { "role": "assistant", "content": "Bye." }
    ])
    .to_string();
    let before = read(&short);
    // Counts that a caller makes up lead to a fold that the real counts would not allow.
    let inflated = Counts::given(&before, vec![900, 900, 10, 10], None).expect("four counts");
    let planner = Planner::new(&before, inflated);
    let Outcome::Folded(folded) = fold(&before, &planner, &Policy::new(700)) else {
        panic!("{:?}", planner.plan(&Policy::new(700)));
    };
    let honest = Planner::new(&before, Counts::of(&before));
    let proof = verify(&before, &honest, &folded.text, &Check::default());
    assert_eq!(laws(&proof), [9]);
}

#[test]
fn the_same_list_is_no_fold_and_holds() {
    let before = read(&talk().to_string());
    let planner = Planner::new(&before, Counts::of(&before));
    let proof = verify(&before, &planner, before.text(), &Check::default());
    assert!(proof.holds() && proof.cut.is_none());
}

#[test]
fn what_is_no_transcript_breaks_law_10() {
    let before = read(&talk().to_string());
    let planner = Planner::new(&before, Counts::of(&before));
    assert_eq!(laws(&verify(&before, &planner, "nothing", &Check::default())), [10]);
}
