//! Repair: to a fixed point, symmetric, touching only what is broken. Laws on random talks, and small literal cases.

use std::collections::BTreeMap;

use crate::support::{Shape, Talk, clean_talk, messy_talk};
use pinfold::exchange::Structure;
use pinfold::formats::{self, ReadOptions};
use pinfold::provider::Provider;
use pinfold::repair::{Repaired, repair};
use pinfold::rules::{self, Mode, Severity};
use pinfold::transcript::{Format, PartKind, Transcript};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A log without a single message is no transcript.
fn is_talk(talk: &Talk, format: Format) -> bool {
    !format.is_log() || !talk.entries.is_empty()
}

fn read(text: &str, format: Format) -> Transcript {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    formats::read(text.as_bytes(), options).expect("a talk is read")
}

/// Finished pairs as (name of the call, arguments, result), in the order of the calls, without what repair adds.
fn pairs(transcript: &Transcript) -> BTreeMap<(String, String, String), usize> {
    let structure = Structure::of(transcript);
    let mut counted = BTreeMap::new();
    for (call, answer) in structure.pairing.pairs() {
        let part = &transcript.parts(call.place.entry as usize)[call.place.part as usize];
        let result = &transcript.parts(answer.entry as usize)[answer.part as usize];
        let key = (
            transcript.call_name(part).into_owned(),
            transcript.part_text(part).into_owned(),
            transcript.part_text(result).into_owned(),
        );
        *counted.entry(key).or_insert(0) += 1;
    }
    counted
}

/// What must hold of every repair.
fn holds(before: &Transcript, mode: Mode) -> Result<Repaired, TestCaseError> {
    let mended = repair(before, mode);
    let again = repair(&mended.transcript, mode);
    prop_assert!(again.changes.is_empty(), "it is not a fixed point: {:?}", again.changes);
    prop_assert_eq!(&again.text, &mended.text);
    // A talk of which nothing could be kept is empty, which nobody takes and nobody can mend.
    let nothing = mended.transcript.is_empty();
    let errors = mended.left.iter().filter(|it| it.severity == Severity::Error && !nothing);
    let left: Vec<_> = errors.collect();
    prop_assert!(left.is_empty(), "left: {:?}\n{}\n{}", left, before.text(), mended.text);
    let (were, are) = (pairs(before), pairs(&mended.transcript));
    for (pair, count) in &were {
        prop_assert!(
            are.get(pair).is_some_and(|now| now >= count),
            "lost: {:?}\n{}",
            pair,
            before.text()
        );
    }
    for item in &mended.entries {
        if let Some(origin) = item.origin {
            prop_assert_eq!(
                &item.text,
                before.entry_text(origin),
                "an entry that is kept keeps its bytes"
            );
        }
    }
    let structure = Structure::of(before);
    let found = rules::check(before, &structure, mode);
    if found.iter().all(|it| it.severity == Severity::Warning) && mended.changes.is_empty() {
        prop_assert_eq!(&mended.text, before.text());
    }
    Ok(mended)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_clean_talk_is_left_alone(moves in clean_talk()) {
        for shape in Shape::ALL {
            let before = read(&Talk::of(&moves, shape).write(shape), shape.format());
            let structure = Structure::of(&before);
            // A talk that ends on open calls is clean as a log.
            if rules::check(&before, &structure, Mode::Log).is_empty() {
                let mended = holds(&before, Mode::Log)?;
                prop_assert!(mended.changes.is_empty(), "{:?}: {:?}", shape, mended.changes);
                prop_assert_eq!(&mended.text, before.text());
            }
        }
    }

    #[test]
    fn a_messy_talk_is_mended(moves in messy_talk()) {
        for shape in Shape::ALL {
            let talk = Talk::of(&moves, shape);
            if !is_talk(&talk, shape.format()) {
                continue;
            }
            let before = read(&talk.write(shape), shape.format());
            holds(&before, Mode::Log)?;
            holds(&before, Mode::Request)?;
        }
    }
}

/// Repairs `list` and compares the result and the kinds of change.
fn check(
    format: Format,
    provider: Option<Provider>,
    list: &Value,
    mode: Mode,
    kinds: &[&str],
    wanted: &Value,
) {
    let options = ReadOptions { format: Some(format), provider, ..ReadOptions::default() };
    let before = formats::read(list.to_string().as_bytes(), options).expect("it is read");
    let mended = repair(&before, mode);
    let found: Value = serde_json::from_str(&mended.text).expect("what is written is JSON");
    let done: Vec<&str> = mended.changes.iter().map(|change| change.kind.name()).collect();
    assert_eq!(done, kinds, "{:?}", mended.changes);
    assert_eq!(&found, wanted, "{}", serde_json::to_string_pretty(&found).unwrap_or_default());
}

const UNKNOWN: &str = "No result of this call was recorded, so its outcome is unknown: it may have run as a whole, in part, or not at all.";

fn use_of(id: &str) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "run", "input": { "x": 1 } })
}

fn result_of(id: &str, text: &str) -> Value {
    json!({ "type": "tool_result", "tool_use_id": id, "content": text })
}

#[test]
fn a_dead_call_is_answered_beside_its_sibling() {
    check(
        Format::Anthropic,
        None,
        &json!([
            { "role": "user", "content": "go" },
            { "role": "assistant", "content": [use_of("a"), use_of("b")] },
            { "role": "user", "content": [result_of("b", "ok")] },
            { "role": "user", "content": "on" },
        ]),
        Mode::Log,
        &["answered"],
        &json!([
            { "role": "user", "content": "go" },
            { "role": "assistant", "content": [use_of("a"), use_of("b")] },
            { "role": "user", "content": [
                result_of("b", "ok"),
                { "type": "tool_result", "tool_use_id": "a", "content": UNKNOWN, "is_error": true } ] },
            { "role": "user", "content": "on" },
        ]),
    );
}

#[test]
fn a_misplaced_result_goes_home_and_words_stay() {
    check(
        Format::Anthropic,
        None,
        &json!([
            { "role": "user", "content": "go" },
            { "role": "assistant", "content": [use_of("a")] },
            { "role": "user", "content": [{ "type": "text", "text": "hook" }, result_of("a", "ok")] },
        ]),
        Mode::Log,
        &["moved"],
        &json!([
            { "role": "user", "content": "go" },
            { "role": "assistant", "content": [use_of("a")] },
            { "role": "user", "content": [result_of("a", "ok")] },
            { "role": "user", "content": [{ "type": "text", "text": "hook" }] },
        ]),
    );
}

#[test]
fn a_tool_message_goes_home_in_chat() {
    let call = |ids: &[&str]| {
        let calls: Vec<Value> = ids
            .iter()
            .map(|id| json!({ "id": id, "type": "function", "function": { "name": "f", "arguments": "{}" } }))
            .collect();
        json!({ "role": "assistant", "content": null, "tool_calls": calls })
    };
    let tool =
        |id: &str, text: &str| json!({ "role": "tool", "tool_call_id": id, "content": text });
    check(
        Format::OpenAiChat,
        None,
        &json!([
            tool("x", "lost"),
            { "role": "user", "content": "go" },
            call(&["a", "b", "c"]),
            tool("b", "B"),
            { "role": "user", "content": "wait" },
            tool("a", "A"),
            tool("b", "B again"),
        ]),
        Mode::Request,
        &["moved", "removed", "removed", "answered"],
        &json!([
            { "role": "user", "content": "go" },
            call(&["a", "b", "c"]),
            tool("b", "B"),
            tool("a", "A"),
            tool("c", UNKNOWN),
            { "role": "user", "content": "wait" },
        ]),
    );
}

#[test]
fn an_id_that_comes_back_becomes_two() {
    check(
        Format::Anthropic,
        None,
        &json!([
            { "role": "user", "content": "go" },
            { "role": "assistant", "content": [use_of("a")] },
            { "role": "user", "content": [result_of("a", "1")] },
            { "role": "assistant", "content": [use_of("a")] },
            { "role": "user", "content": [result_of("a", "2")] },
        ]),
        Mode::Log,
        &["renamed"],
        &json!([
            { "role": "user", "content": "go" },
            { "role": "assistant", "content": [use_of("a")] },
            { "role": "user", "content": [result_of("a", "1")] },
            { "role": "assistant", "content": [use_of("a_2")] },
            { "role": "user", "content": [result_of("a_2", "2")] },
        ]),
    );
}

#[test]
fn an_empty_list_of_calls_and_an_empty_text_go() {
    check(
        Format::OpenAiChat,
        None,
        &json!([{ "role": "user", "content": "go" }, { "role": "assistant", "tool_calls": [], "content": "hm" }]),
        Mode::Log,
        &["stripped"],
        &json!([{ "role": "user", "content": "go" }, { "role": "assistant", "content": "hm" }]),
    );
    check(
        Format::Anthropic,
        None,
        &json!([
            { "role": "user", "content": [{ "type": "text", "text": "" }, { "type": "text", "text": "go" }] },
            { "role": "assistant", "content": "hm" },
        ]),
        Mode::Log,
        &["removed"],
        &json!([
            { "role": "user", "content": [{ "type": "text", "text": "go" }] },
            { "role": "assistant", "content": "hm" },
        ]),
    );
}

#[test]
fn what_is_kept_keeps_its_place_in_the_input() {
    let text =
        "[ {\"role\":\"assistant\",\"content\":\"hi\"} , {\"role\":\"user\",\"content\":\"go\"} ]";
    let before = read(text, Format::Anthropic);
    let mended = repair(&before, Mode::Log);
    let origins: Vec<Option<usize>> = mended.entries.iter().map(|item| item.origin).collect();
    assert_eq!(origins, [None, Some(0), Some(1)]);
    assert!(mended.text.ends_with(
        "{\"role\":\"assistant\",\"content\":\"hi\"} , {\"role\":\"user\",\"content\":\"go\"} ]"
    ));
    assert!(before.parts(0).iter().any(|part| part.kind == PartKind::Text));
}

/// A call without an id that is never answered gets one where its format looks for it, and in one place.
#[test]
fn a_call_without_an_id_gets_it_where_its_format_keeps_it() {
    let prompt = json!({ "role": "user", "content": "Look." });
    let with = |mut object: Value, key: &str, id: &Value| {
        if *id != json!(0) {
            object[key] = id.clone();
        }
        object
    };
    for id in [json!(0), Value::Null, json!("")] {
        let item = |kind: &str| {
            with(json!({ "type": kind, "name": "look", "arguments": "{}" }), "call_id", &id)
        };
        let block = json!({ "type": "tool_use", "name": "look", "input": {} });
        let block = with(block, "id", &id);
        let function =
            json!({ "type": "function", "function": { "name": "look", "arguments": "{}" } });
        let function = with(function, "id", &id);
        let tool = json!({ "type": "tool-call", "toolName": "look", "input": {} });
        let tool = with(tool, "toolCallId", &id);
        let ui = json!({ "type": "tool-look", "state": "input-available", "input": {} });
        let ui = with(ui, "toolCallId", &id);
        let use_ = with(json!({ "name": "look", "input": {} }), "toolUseId", &id);
        let call = with(json!({ "name": "look", "args": {}, "type": "tool_call" }), "id", &id);
        let says = |content: Value| json!({ "role": "assistant", "content": [content] });
        let cases = [
            (Format::Anthropic, says(block)),
            (
                Format::OpenAiChat,
                json!({ "role": "assistant", "content": null, "tool_calls": [function] }),
            ),
            (
                Format::OpenAiChat,
                json!({ "role": "assistant", "content": null, "function_call": { "name": "look", "arguments": "{}" } }),
            ),
            (Format::OpenAiResponses, item("function_call")),
            (Format::OpenAiResponses, item("tool_search_call")),
            (Format::AiSdk, says(tool)),
            (Format::AiSdkUi, json!({ "id": "m", "role": "assistant", "parts": [ui] })),
            (Format::Bedrock, says(json!({ "toolUse": use_ }))),
            (Format::LangChain, json!({ "type": "ai", "content": "", "tool_calls": [call] })),
        ];
        for (format, entry) in cases {
            let prompt = match format {
                Format::Bedrock => json!({ "role": "user", "content": [{ "text": "Look." }] }),
                Format::AiSdkUi => {
                    json!({ "id": "p", "role": "user", "parts": [{ "type": "text", "text": "Look." }] })
                }
                Format::LangChain => json!({ "type": "human", "content": "Look." }),
                _ => prompt.clone(),
            };
            let text = json!([prompt, entry, prompt]).to_string();
            let mended = repair(&read(&text, format), Mode::Request);
            let again = repair(&mended.transcript, Mode::Request);
            assert!(
                again.changes.is_empty(),
                "{format:?} {text}: {:?}\n{}",
                again.changes,
                mended.text
            );
            assert!(mended.changes.len() < 6, "{format:?} {text}: {:?}", mended.changes);
            for key in ["id", "call_id", "toolCallId", "toolUseId"] {
                let doubled = format!("\"{key}\":");
                let call = Structure::of(&mended.transcript).pairing.calls.first().copied();
                let Some(call) = call else { continue };
                let entry = mended.transcript.entry_text(call.place.entry as usize);
                assert!(entry.matches(&doubled).count() < 2, "{format:?}: {entry}");
            }
        }
    }
}

/// What has no place for what would mend it comes to an end as well.
#[test]
fn what_is_no_call_and_no_entry_is_left_and_named() {
    let ui = |part: Value| json!([{ "id": "a", "role": "assistant", "parts": [part] }, { "id": "p", "role": "user", "parts": [{ "type": "text", "text": "Go on." }] }]);
    let call = json!({ "toolUse": { "toolUseId": "a", "name": "run", "input": {} } });
    let bedrock = |call: Value, role: Value| json!([{ "role": "user", "content": [{ "text": "Go." }] }, { "role": "assistant", "content": [call] }, { "role": role, "content": [{ "text": "Go on." }] }]);
    let cases = [
        // A call in whose place something else stands; an entry of no role behind one.
        (Format::Bedrock, bedrock(json!({ "toolUse": "" }), json!("user"))),
        (Format::Bedrock, bedrock(json!({ "toolUse": 7 }), json!("user"))),
        (Format::Bedrock, bedrock(call.clone(), Value::Null)),
        // A tool part without a state.
        (
            Format::AiSdkUi,
            ui(json!({ "type": "tool-look", "toolCallId": "a", "input": {}, "output": "ok" })),
        ),
        (
            Format::AiSdkUi,
            ui(
                json!({ "type": "tool-look", "toolCallId": "a", "input": {}, "errorText": null, "state": null }),
            ),
        ),
    ];
    let result = json!({ "toolResult": { "toolUseId": "a", "content": [{ "text": "ok" }] } });
    let astray = json!([
        { "role": "user", "content": [call] },
        { "role": "user", "content": [result] },
        { "role": "assistant", "content": [{ "text": "Done." }] },
        { "role": "user", "content": [{ "text": "Go on." }] },
    ]);
    let unread = json!([{ "role": "user" }, { "content": null, "tool_calls": [] }]);
    for (format, list) in
        cases.into_iter().chain([(Format::OpenAiChat, unread), (Format::Bedrock, astray)])
    {
        let mended = repair(&read(&list.to_string(), format), Mode::Request);
        let again = repair(&mended.transcript, Mode::Request);
        assert!(again.changes.is_empty(), "{list}: {:?}", again.changes);
        assert!(!mended.text.contains("\"errorText\":null"), "{}", mended.text);
    }
}

/// A run of one role is one entry at once, however long it is.
#[test]
fn a_long_run_of_one_role_is_mended() {
    for (format, list, says, part) in [
        (
            Format::Gemini,
            "parts",
            "model",
            json!({ "functionCall": { "id": "a", "name": "run", "args": {} } }),
        ),
        (
            Format::Bedrock,
            "content",
            "assistant",
            json!({ "toolUse": { "toolUseId": "a", "name": "run", "input": {} } }),
        ),
    ] {
        let entry = |role: &str, part: Value| {
            let mut entry = json!({ "role": role });
            entry[list] = json!([part]);
            entry
        };
        let mut entries = vec![entry("user", json!({ "text": "Go." }))];
        entries.extend((0..90).map(|at| entry(says, json!({ "text": format!("Step {at}.") }))));
        entries.push(entry(says, part));
        let mended = repair(&read(&Value::Array(entries).to_string(), format), Mode::Request);
        assert_eq!(mended.transcript.len(), 3, "{}", mended.text);
        assert!(repair(&mended.transcript, Mode::Request).changes.is_empty());
    }
}
