//! Formats told apart by what only one of them has, and the transcripts inside larger files.

#![expect(clippy::needless_pass_by_value, reason = "a table of literals reads better by value")]

use pinfold::formats;
use serde_json::{Value, json};

/// Detects `input`; a confidence of at least 0.9 is shown as `sure`.
fn check(input: Value, wanted: &str) {
    let found = formats::detect(input.to_string().as_bytes());
    let found = found.map_or("none".to_string(), |detected| {
        let sure = if detected.confidence >= 0.9 { " sure" } else { "" };
        format!("{}{sure}", detected.format.name())
    });
    assert_eq!(found, wanted, "{input}");
}

#[test]
fn formats() {
    let user = json!({ "role": "user", "content": "Go." });
    check(
        json!([user, { "role": "assistant", "content": [{ "type": "tool_use", "id": "a" }] }]),
        "anthropic sure",
    );
    check(
        json!([user, { "role": "assistant", "content": [{ "type": "thinking", "thinking": "" }] }]),
        "anthropic sure",
    );
    check(
        json!({ "model": "claude-x", "max_tokens": 9, "system": "s", "messages": [user] }),
        "anthropic sure",
    );
    check(
        json!([user, { "role": "assistant", "tool_calls": [] }, { "role": "tool", "content": "" }]),
        "openai-chat sure",
    );
    check(
        json!({ "messages": [user], "tools": [{ "type": "function", "function": { "name": "f" } }] }),
        "openai-chat sure",
    );
    check(json!([user, { "type": "function_call", "call_id": "a" }]), "openai-responses sure");
    check(json!({ "model": "gpt", "input": [user] }), "openai-responses sure");
    check(json!({ "model": "gpt", "input": "Just this." }), "openai-responses sure");
    check(
        json!({ "input": "a label", "messages": [user, { "role": "tool", "content": "" }] }),
        "openai-chat sure",
    );
    // A plain talk is the same in all three; no certainty is claimed.
    check(json!([user]), "openai-chat");
    check(json!([{ "role": "system", "content": "s" }, user]), "openai-chat");
    check(
        json!([user, { "role": "assistant", "content": [{ "type": "text", "text": "x" }] }]),
        "anthropic",
    );
    check(json!({ "answer": 42 }), "none");
}

#[test]
fn formats_with_parts() {
    let says = |part: Value| json!([{ "role": "user", "parts": [part] }]);
    check(json!({ "contents": [{ "role": "user", "parts": [] }] }), "gemini sure");
    check(says(json!({ "text": "Go." })), "gemini sure");
    check(
        json!([{ "parts": [{ "function_call": { "name": "f" } }], "role": "model" }]),
        "gemini sure",
    );
    check(says(json!({ "type": "text", "text": "Go." })), "ai-sdk-ui sure");
    check(says(json!({ "type": "tool-f", "state": "input-available" })), "ai-sdk-ui sure");
    check(
        json!([{ "role": "assistant", "content": "Done.", "toolInvocations": [{ "toolCallId": "a" }] }]),
        "ai-sdk-ui sure",
    );
    check(says(json!({ "type": "file", "mediaType": "image/png", "url": "u" })), "ai-sdk-ui sure");
    check(says(json!({ "type": "text", "content": "Go." })), "opentelemetry sure");
    check(
        json!([{ "role": "tool", "parts": [{ "type": "tool_call_response", "id": "a", "response": 1 }] }]),
        "opentelemetry sure",
    );
    check(
        says(json!({ "type": "file", "modality": "image", "file_id": "f" })),
        "opentelemetry sure",
    );
    // Parts of a kind that nobody knows: messages, but whose is not certain.
    check(says(json!({ "kind": "text", "text": "Go." })), "openai-chat");
}

#[test]
fn formats_with_content() {
    let user = json!({ "role": "user", "content": "Go." });
    let with = |role: &str, block: Value| json!([user, { "role": role, "content": [block] }]);
    check(with("assistant", json!({ "toolUse": { "toolUseId": "a" } })), "bedrock sure");
    check(with("user", json!({ "cachePoint": {} })), "bedrock sure");
    check(json!({ "modelId": "m", "messages": [user] }), "bedrock sure");
    check(
        json!({ "system": [{ "text": "s" }], "messages": [{ "role": "user", "content": [{ "text": "Go." }] }] }),
        "bedrock sure",
    );
    check(
        json!({ "system": [{ "type": "text", "text": "s" }], "messages": [user] }),
        "anthropic sure",
    );
    check(with("user", json!({ "text": "Go." })), "bedrock");
    check(with("assistant", json!({ "type": "tool-call", "toolCallId": "a" })), "ai-sdk sure");
    check(with("tool", json!({ "type": "tool-result", "toolCallId": "a" })), "ai-sdk sure");
    check(with("user", json!({ "type": "image", "image": "aGk=" })), "ai-sdk sure");
    check(
        with("user", json!({ "type": "image", "source": { "type": "url", "url": "u" } })),
        "anthropic sure",
    );
    check(with("user", json!({ "type": "file", "mediaType": "a/b", "data": "" })), "ai-sdk sure");
    check(with("user", json!({ "type": "file", "file": { "file_id": "f" } })), "openai-chat");
}

#[test]
fn formats_of_langchain() {
    let dump = |class: &str| json!([{ "lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", class], "kwargs": { "content": "Go." } }]);
    check(dump("HumanMessage"), "langchain sure");
    check(dump("AIMessageChunk"), "langchain sure");
    check(dump("PromptTemplate"), "none");
    check(json!([{ "type": "human", "data": { "content": "Go." } }]), "langchain sure");
    check(json!([{ "type": "human", "content": "Go." }]), "langchain sure");
    check(
        json!({ "messages": [{ "type": "ai", "content": "", "tool_calls": [{ "name": "f", "args": {}, "id": "a" }] }] }),
        "langchain sure",
    );
    check(json!([{ "type": "tool", "content": "ok", "tool_call_id": "a" }]), "langchain sure");
    check(json!([{ "type": "system", "content": "Be brief." }]), "langchain");
    check(json!([{ "type": "user", "content": "Whose line is this?" }]), "none");
}

#[test]
fn formats_of_telemetry() {
    let messages = json!([{ "role": "user", "parts": [{ "type": "text", "content": "Go." }] }]);
    for attributes in [
        json!({ "gen_ai.input.messages": messages.to_string() }),
        json!({ "gen_ai.input.messages": messages }),
        json!({ "gen_ai": { "input": { "messages": messages } } }),
    ] {
        check(attributes.clone(), "opentelemetry sure");
        check(json!({ "name": "chat", "attributes": attributes }), "opentelemetry sure");
    }
    let flat = json!({ "llm.input_messages.0.message.role": "user" });
    check(flat.clone(), "openinference sure");
    check(json!({ "attributes": flat }), "openinference sure");
}

/// One foreign entry among many tells nothing about the others; the majority does.
#[test]
fn mixtures() {
    let call = json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": "a", "type": "function", "function": { "name": "f", "arguments": "{}" } }] });
    let result = json!({ "role": "tool", "tool_call_id": "a", "content": "ok" });
    let odd = json!({ "role": "assistant", "content": [{ "type": "tool-call", "toolCallId": "b", "toolName": "f", "input": {} }] });
    check(json!([call, result, odd]), "openai-chat");
    check(json!([odd, odd, odd, result]), "ai-sdk");
    let gemini = json!({ "role": "model", "parts": [{ "functionCall": { "name": "f" } }] });
    check(json!([gemini, gemini, { "role": "user", "content": "Go." }]), "gemini sure");
}

fn labels(text: &str) -> Vec<(String, usize)> {
    let found = formats::documents(text).expect("transcripts");
    found.into_iter().map(|document| (document.label, document.entries)).collect()
}

#[test]
fn transcripts_inside_larger_files() {
    let talk = json!({ "messages": [{ "role": "user", "content": "Go." }, { "role": "assistant", "content": "ok" }] });
    let lines = format!("{talk}\n{talk}\n");
    assert_eq!(labels(&lines), [("line 1".into(), 2), ("line 2".into(), 2)]);
    let set = json!([{ "name": "intro" }, { "name": "x", "input": talk["messages"].to_string() }])
        .to_string();
    assert_eq!(labels(&set), [("element 1".into(), 2)]);
    let request = |body: Value| json!({ "request": { "method": "POST", "body": body }, "response": { "body": {} } });
    let tape = json!({ "interactions": [request(talk.clone()), request(talk.to_string().into())] })
        .to_string();
    assert_eq!(labels(&tape), [("interaction 0".into(), 2), ("interaction 1".into(), 2)]);
    let entries =
        "{\"role\":\"user\",\"content\":\"Go.\"}\n{\"role\":\"assistant\",\"content\":\"ok\"}\n";
    assert_eq!(labels(entries), [(String::new(), 2)]);
}

/// A log with a compaction that kept one message alive, and two sub-agents.
#[test]
fn a_log_holds_its_stretches_and_its_sub_agents() {
    let mut lines = Vec::new();
    let mut line = |uuid: &str, parent: Option<&str>, side: bool, role: &str, more: Value| {
        let mut record = json!({
            "type": role, "uuid": uuid, "parentUuid": parent, "isSidechain": side, "sessionId": "s",
            "message": { "role": role, "content": format!("text of {uuid}") },
        });
        for (key, value) in more.as_object().cloned().unwrap_or_default() {
            record[key] = value;
        }
        lines.push(record.to_string());
    };
    line("1", None, false, "user", json!({}));
    line("2", Some("1"), false, "assistant", json!({}));
    line("a1", None, true, "user", json!({}));
    line("b1", None, true, "user", json!({ "agentId": "bee" }));
    line("a2", Some("a1"), true, "assistant", json!({}));
    line("b2", None, true, "assistant", json!({ "agentId": "bee" }));
    line(
        "c",
        None,
        false,
        "system",
        json!({
            "subtype": "compact_boundary", "message": null,
            "compactMetadata": { "preservedMessages": { "uuids": ["2"] } },
        }),
    );
    line(
        "3",
        Some("c"),
        false,
        "user",
        json!({ "isCompactSummary": true, "isVisibleInTranscriptOnly": true }),
    );
    line("4", Some("3"), false, "user", json!({ "isVisibleInTranscriptOnly": true }));
    let text = lines.join("\n");
    let wanted = [
        ("before the first compaction".into(), 2),
        ("after compaction 1, what the model sees now".into(), 2),
        ("sub-agent 1 (a1)".into(), 2),
        ("sub-agent 2 (bee)".into(), 2),
    ];
    assert_eq!(labels(&text), wanted);
    let now = formats::read(text.as_bytes(), formats::ReadOptions::default()).expect("a log");
    let texts: Vec<String> =
        (0..now.len()).map(|at| now.part_text(&now.parts(at)[0]).into_owned()).collect();
    assert_eq!(texts, ["text of 3", "text of 2"]);
    assert_eq!((now.line(0), now.line(1)), (Some(8), Some(2)));
}
