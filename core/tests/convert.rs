//! Converting: every pair arrives, results stand behind their calls, and what is lost is named.

use pinfold::convert::convert;
use pinfold::exchange::Structure;
use pinfold::formats::{self, ReadOptions};
use pinfold::provider::Provider;
use pinfold::transcript::Format;
use serde_json::{Value, json};

/// Converts `transcript` from `from` to `to` and compares entries and the names of what was dropped.
fn check(
    from: Format,
    transcript: &Value,
    to: Format,
    provider: Option<Provider>,
    wanted: &Value,
    lost: &[&str],
) {
    let options = ReadOptions { format: Some(from), ..ReadOptions::default() };
    let read =
        formats::read(transcript.to_string().as_bytes(), options).expect("it is a transcript");
    let converted = convert(&read, to, provider).expect("the format can be written");
    let found: Value = serde_json::from_str(&converted.text).expect("what is written is JSON");
    assert_eq!(&found, wanted, "{}", serde_json::to_string_pretty(&found).unwrap_or_default());
    let dropped: Vec<&str> = converted.dropped.iter().map(|it| it.what).collect();
    assert_eq!(dropped, lost);
    let options = ReadOptions { format: Some(to), ..ReadOptions::default() };
    let back = formats::read(converted.text.as_bytes(), options).expect("it is read back");
    let pairs = |transcript| Structure::of(transcript).pairing.pairs().count();
    assert_eq!(pairs(&back), pairs(&read));
}

#[test]
fn an_anthropic_talk_for_chat() {
    check(
        Format::Anthropic,
        &json!({ "model": "claude-sonnet-4-5", "max_tokens": 100, "system": "Be brief.", "messages": [
            { "role": "user", "content": "weather?" },
            { "role": "assistant", "content": [
                { "type": "thinking", "thinking": "two calls", "signature": "c2ln" },
                { "type": "text", "text": "Checking." },
                { "type": "tool_use", "id": "a", "name": "weather", "input": { "city": "SF" } },
                { "type": "tool_use", "id": "b", "name": "weather", "input": { "city": "NYC" } } ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "b", "content": "18C" },
                { "type": "tool_result", "tool_use_id": "a", "content": [{ "type": "text", "text": "15C" }], "is_error": true },
                { "type": "text", "text": "And now?" } ] } ] }),
        Format::OpenAiChat,
        None,
        &json!([
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "weather?" },
            { "role": "assistant", "content": "Checking.", "tool_calls": [
                { "id": "a", "type": "function", "function": { "name": "weather", "arguments": "{\"city\":\"SF\"}" } },
                { "id": "b", "type": "function", "function": { "name": "weather", "arguments": "{\"city\":\"NYC\"}" } } ] },
            { "role": "tool", "tool_call_id": "a", "content": "15C" },
            { "role": "tool", "tool_call_id": "b", "content": "18C" },
            { "role": "user", "content": "And now?" },
        ]),
        &["thinking", "error-mark", "settings"],
    );
}

#[test]
fn responses_items_are_grouped_for_anthropic() {
    check(
        Format::OpenAiResponses,
        &json!([
            { "role": "developer", "content": "Be brief." },
            { "role": "user", "content": "weather?" },
            { "type": "function_call", "id": "fc_1", "call_id": "call|1", "name": "weather", "arguments": "{\"city\":\"SF\"}" },
            { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "One more." }] },
            { "type": "function_call", "id": "fc_2", "call_id": "call_2", "name": "weather", "arguments": "NYC" },
            { "type": "function_call_output", "call_id": "call|1", "output": "15C" },
            { "type": "function_call_output", "call_id": "call_2", "output": "18C" },
        ]),
        Format::Anthropic,
        None,
        &json!({ "system": "Be brief.", "messages": [
            { "role": "user", "content": "weather?" },
            { "role": "assistant", "content": [
                { "type": "tool_use", "id": "call_1", "name": "weather", "input": { "city": "SF" } },
                { "type": "text", "text": "One more." },
                { "type": "tool_use", "id": "call_2", "name": "weather", "input": { "input": "NYC" } } ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "call_1", "content": "15C" },
                { "type": "tool_result", "tool_use_id": "call_2", "content": "18C" } ] } ] }),
        &["arguments"],
    );
}

#[test]
fn a_fallback_within_one_format_changes_ids_alone() {
    let chat = |id: &str| {
        json!([
            { "role": "user", "content": "go", "name": "ann" },
            { "role": "assistant", "content": null, "tool_calls": [
                { "id": id, "type": "function", "function": { "name": "f", "arguments": "{}" } } ] },
            { "role": "tool", "tool_call_id": id, "content": "ok" },
        ])
    };
    let options = ReadOptions { format: Some(Format::OpenAiChat), ..ReadOptions::default() };
    let read =
        formats::read(chat("call_005AK").to_string().as_bytes(), options).expect("a transcript");
    let converted = convert(&read, Format::OpenAiChat, Some(Provider::Mistral)).expect("written");
    let found: Value = serde_json::from_str(&converted.text).expect("JSON");
    let id = found[2]["tool_call_id"].as_str().expect("the result has an id").to_string();
    assert!(id.len() == 9 && id.chars().all(|c| c.is_ascii_alphanumeric()), "{id}");
    assert_eq!(found, chat(&id));
    assert_eq!(convert(&read, Format::OpenAiChat, None).expect("written").text, read.text());
}

#[test]
fn a_log_is_not_written() {
    let read = formats::read(b"[{\"role\":\"user\",\"content\":\"a\"}]", ReadOptions::default())
        .expect("a transcript");
    let error = convert(&read, Format::Codex, None).expect_err("a log");
    assert_eq!(error.code(), "not-a-message-format");
    assert!(error.to_string().contains("\"anthropic\""), "{error}");
}
