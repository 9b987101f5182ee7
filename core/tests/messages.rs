//! The formats of messages, entry by entry: what each part is read as, what it pairs with, and what is found on the way.

#![expect(clippy::needless_pass_by_value, reason = "a table of literals reads better by value")]

use pinfold::cut::CutMap;
use pinfold::exchange::Structure;
use pinfold::formats::{self, ReadOptions};
use pinfold::tokens::Counts;
use pinfold::transcript::{Format, Part, PartKind, Span, Transcript};
use serde_json::{Value, json};

fn read(format: Format, input: &Value) -> Transcript {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    formats::read(input.to_string().as_bytes(), options).expect("a transcript")
}

/// Reads `input` and compares each entry, and at the end the codes of the findings:
/// text is `"…"`, thinking `(…)`, a call `id=name…`, a result `id>…`, with `!` for an error and `*` for a server's.
fn check(format: Format, input: Value, wanted: &[&str]) {
    let transcript = read(format, &input);
    let mut found: Vec<String> = (0..transcript.len()).map(|at| entry(&transcript, at)).collect();
    found.extend(transcript.findings().iter().map(|finding| finding.code.to_string()));
    assert_eq!(found, wanted, "{input}");
}

fn entry(transcript: &Transcript, at: usize) -> String {
    let span = transcript.entries()[at].span;
    let parts = transcript.parts(at).iter().map(|part| {
        let inside = |inner: Span, outer: Span| {
            inner.start == inner.end || outer.start <= inner.start && inner.end <= outer.end
        };
        assert!(inside(part.whole, span) && part.whole.end > part.whole.start);
        assert!(inside(part.body, part.whole), "{part:?}");
        format!(" {}", shown(transcript, part))
    });
    let role = transcript.entries()[at].role.name();
    format!("{role}:{}", parts.collect::<String>())
}

fn shown(transcript: &Transcript, part: &Part) -> String {
    let text = transcript.part_text(part);
    let mark = |mark: bool, sign: &'static str| if mark { sign } else { "" };
    match part.kind {
        PartKind::Text => format!("{text:?}"),
        PartKind::Thinking => format!("({text})"),
        PartKind::Media => "media".into(),
        PartKind::Opaque => "opaque".into(),
        PartKind::Call { id, server, .. } => {
            let name = transcript.call_name(part);
            format!("{}{}={name}{text}", transcript.id(id), mark(server, "*"))
        }
        PartKind::Result { id, error, server } => {
            let id = transcript.id(id);
            format!("{id}{}{}>{text}", mark(server, "*"), mark(error, "!"))
        }
    }
}

#[test]
fn gemini() {
    let check = |input: Value, wanted: &[&str]| check(Format::Gemini, input, wanted);
    check(
        json!({ "contents": [
            { "parts": [{ "text": "Go." }] },
            { "role": "model", "parts": [
                { "text": "hm", "thought": true, "thoughtSignature": "c2ln" },
                { "functionCall": { "id": "a", "name": "run", "args": { "x": 1 } }, "thoughtSignature": "c2ln" },
                { "thoughtSignature": "c2ln" } ] },
            { "role": "function", "parts": [{ "functionResponse": { "id": "a", "name": "run", "response": { "error": "no" } } }] },
            { "role": "user", "parts": [
                { "inlineData": { "mimeType": "image/png", "data": "aGk=" } },
                { "fileData": { "mimeType": "video/mp4", "fileUri": "gs://b/v" } } ] } ] }),
        &[
            "user: \"Go.\"",
            "assistant: (hm) a=run{\"x\":1} (c2ln)",
            "tool: a!>no",
            "user: media media",
        ],
    );
    // As Python dumps it, with every key of a part.
    check(
        json!([
            { "role": "model", "parts": [
                { "text": null, "function_call": { "id": "a", "name": "run", "args": {} }, "thought": null } ] },
            { "role": "user", "parts": [{ "text": null, "function_response": { "id": "a", "name": "run", "response": { "x": 1, "y": 2 } } }] },
        ]),
        &["assistant: a=run{}", "user: a>{\"x\":1,\"y\":2}"],
    );
    check(
        json!([{ "role": "model", "parts": [
            { "executableCode": { "language": "PYTHON", "code": "1/0" } },
            { "codeExecutionResult": { "outcome": "OUTCOME_FAILED", "output": "no" } },
            { "toolCall": { "id": "s", "toolType": "GOOGLE_SEARCH", "args": {} } },
            { "toolResponse": { "id": "s", "toolType": "GOOGLE_SEARCH", "response": {} } },
            { "later": {} }, "plain" ] }]),
        &[
            "assistant: #0.0*=PYTHON1/0 #0.0*!>no s*=GOOGLE_SEARCH{} s*>{} opaque \"plain\"",
            "unknown-block",
        ],
    );
    check(
        json!([{ "role": "wizard", "parts": [] }, { "role": "user" }]),
        &["user: opaque", "user:", "unknown-role", "missing-content"],
    );
}

/// Calls and results without ids, in two formats that allow it.
#[test]
fn results_without_ids() {
    // A letter is a call of that name, in capitals a result; each word an entry, `-` a prompt.
    let check = |talk: &str, wanted: &[&str]| {
        let named = |letter: char| letter.to_ascii_lowercase().to_string();
        let gemini = talk.split(' ').map(|word| {
            let parts: Vec<Value> = word
                .chars()
                .map(|letter| match letter {
                    '-' => json!({ "text": "-" }),
                    'a'..='z' => json!({ "functionCall": { "name": named(letter), "args": 0 } }),
                    _ => json!({ "functionResponse": { "name": named(letter), "response": { "r": 0 } } }),
                })
                .collect();
            let model = word.starts_with(|letter: char| letter.is_ascii_lowercase());
            json!({ "role": if model { "model" } else { "user" }, "parts": parts })
        });
        let telemetry = talk.split(' ').map(|word| {
            let parts: Vec<Value> = word
                .chars()
                .map(|letter| match letter {
                    '-' => json!({ "type": "text", "content": "-" }),
                    'a'..='z' => json!({ "type": "tool_call", "id": null, "name": named(letter), "arguments": 0 }),
                    _ => json!({ "type": "tool_call_response", "name": named(letter), "response": 0 }),
                })
                .collect();
            let model = word.starts_with(|letter: char| letter.is_ascii_lowercase());
            json!({ "role": if model { "assistant" } else { "user" }, "parts": parts })
        });
        let inputs: [(Format, Value); 2] =
            [(Format::Gemini, gemini.collect()), (Format::OpenTelemetry, telemetry.collect())];
        for (format, input) in inputs {
            let transcript = read(format, &input);
            let results = (0..transcript.len()).flat_map(|at| transcript.parts(at));
            let found: Vec<&str> = results
                .filter_map(|part| match part.kind {
                    PartKind::Result { id, .. } => Some(transcript.id(id)),
                    _ => None,
                })
                .collect();
            assert_eq!(found, wanted, "{talk} in {}", format.name());
            let missing = transcript.findings().iter().filter(|it| it.code == "missing-id").count();
            assert_eq!(missing, talk.chars().filter(char::is_ascii_alphabetic).count());
        }
    };
    check("- a A", &["#0.0"]);
    check("- aa AA", &["#0.0", "#0.1"]);
    check("- ab BA", &["#0.1", "#0.0"]);
    // A name that was not called: the oldest that is open.
    check("- ab XA", &["#0.0", "#0.1"]);
    check("- ab XXX", &["#0.0", "#0.1", "#?2.2"]);
    // One response in two entries is one turn, a new one forgets what was not answered.
    check("- a a AA", &["#0.0", "#0.1"]);
    check("- a - a A A", &["#1.0", "#?5.0"]);
    check("A - a A", &["#?0.0", "#0.0"]);
}

#[test]
fn a_result_without_an_id_may_answer_a_call_that_has_one() {
    let call = |id: &str, name: &str| json!({ "functionCall": { "id": id, "name": name } });
    let result = |more: Value| json!({ "functionResponse": more });
    check(
        Format::Gemini,
        json!([
            { "role": "model", "parts": [call("a", "f"), call("b", "f"), call("c", "g")] },
            { "role": "user", "parts": [
                result(json!({ "id": "a", "name": "f" })), result(json!({ "name": "f" })), result(json!({ "name": "x" })) ] },
        ]),
        &["assistant: a=f b=f c=g", "user: a> b> #?1.2>", "missing-id", "missing-id"],
    );
}

#[test]
fn bedrock() {
    let check = |input: Value, wanted: &[&str]| check(Format::Bedrock, input, wanted);
    check(
        json!({ "modelId": "m", "messages": [
            { "role": "user", "content": [
                { "text": "Go." }, { "cachePoint": { "type": "default" } },
                { "image": { "format": "png", "source": { "bytes": "aGk=" } } },
                { "document": { "format": "pdf", "name": "d", "source": { "bytes": "aGk=" } } },
                { "guardContent": { "text": { "text": "safe?" } } } ] },
            { "role": "assistant", "content": [
                { "reasoningContent": { "reasoningText": { "text": "hm", "signature": "s" } } },
                { "reasoningContent": { "redactedContent": "c2ln" } },
                { "citationsContent": { "content": [{ "text": "As they say." }], "citations": [] } },
                { "toolUse": { "toolUseId": "a", "name": "run", "input": { "x": 1 } } },
                { "toolUse": { "toolUseId": "b", "name": "run", "input": {} } } ] },
            { "role": "user", "content": [
                { "toolResult": { "toolUseId": "a", "content": [{ "text": "no" }], "status": "error" } },
                { "toolResult": { "toolUseId": "b", "content": [{ "json": { "y": 2 } }] } },
                { "later": {} } ] } ] }),
        &[
            "user: \"Go.\" opaque media media \"safe?\"",
            "assistant: (hm) (c2ln) \"As they say.\" a=run{\"x\":1} b=run{}",
            "user: a!>no b>{\"y\":2} opaque",
            "unknown-block",
        ],
    );
    // What the provider executes stands in the model's own entry.
    check(
        json!([{ "role": "assistant", "content": [
            { "toolUse": { "toolUseId": "a", "name": "code", "input": {}, "type": "server_tool_use" } },
            { "toolResult": { "toolUseId": "a", "content": [{ "text": "4" }], "type": "code_result" } } ] }]),
        &["assistant: a*=code{} a*>4"],
    );
}

#[test]
fn ai_sdk() {
    let check = |input: Value, wanted: &[&str]| check(Format::AiSdk, input, wanted);
    let output = |kind: &str, value: Value| json!({ "type": kind, "value": value });
    let result = |id: &str, output: Value| json!({ "type": "tool-result", "toolCallId": id, "toolName": "run", "output": output });
    check(
        json!([
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": [
                { "type": "text", "text": "Go." }, { "type": "image", "image": "aGk=" },
                { "type": "file", "mediaType": "text/plain", "data": "aGk=" } ] },
            { "role": "assistant", "content": [
                { "type": "reasoning", "text": "hm" },
                { "type": "tool-call", "toolCallId": "a", "toolName": "run", "input": { "x": 1 } },
                { "type": "tool-call", "toolCallId": "b", "toolName": "run", "args": "old" },
                { "type": "tool-call", "toolCallId": "c", "toolName": "web", "input": {}, "providerExecuted": true },
                result("c", output("json", json!([1]))) ] },
            { "role": "tool", "content": [
                result("a", output("error-text", json!("no"))),
                { "type": "tool-result", "toolCallId": "b", "toolName": "run", "result": "ok", "isError": false },
                result("x", json!({ "type": "execution-denied", "reason": "never" })),
                result("y", output("content", json!([{ "type": "text", "text": "words" }]))) ] },
            { "role": "assistant", "content": "Done." },
        ]),
        &[
            "system: \"Be brief.\"",
            "user: \"Go.\" media media",
            "assistant: (hm) a=run{\"x\":1} b=runold c*=web{} c*>[1]",
            "tool: a!>no b>ok x!>never y>words",
            "assistant: \"Done.\"",
        ],
    );
    // An approval is a pair of its own, even where it goes by the name of its call.
    let input = json!([
        { "role": "user", "content": "Go." },
        { "role": "assistant", "content": [
            { "type": "tool-call", "toolCallId": "a", "toolName": "run", "input": {} },
            { "type": "tool-approval-request", "approvalId": "a", "toolCallId": "a" } ] },
        { "role": "tool", "content": [{ "type": "tool-approval-response", "approvalId": "a", "approved": true }] },
        { "role": "tool", "content": [result("a", output("text", json!("ok")))] },
        { "role": "assistant", "content": [{ "type": "custom" }] },
    ]);
    check(
        input.clone(),
        &[
            "user: \"Go.\"",
            "assistant: a=run{} a*=tool-approval-requesta",
            "tool: a*>true",
            "tool: a>ok",
            "assistant: opaque",
            "unknown-block",
        ],
    );
    assert_eq!(legal(Format::AiSdk, &input), [0, 1, 4, 5]);
}

fn legal(format: Format, input: &Value) -> Vec<usize> {
    let transcript = read(format, input);
    let cuts = CutMap::of(&transcript, &Structure::of(&transcript));
    (0..cuts.len()).filter(|&at| cuts.legal(at)).collect()
}

#[test]
fn ai_sdk_ui() {
    let check = |input: Value, wanted: &[&str]| check(Format::AiSdkUi, input, wanted);
    let tool = |id: &str, state: &str, more: Value| {
        let mut part = json!({ "type": "tool-run", "toolCallId": id, "state": state, "input": {} });
        part.as_object_mut()
            .expect("an object")
            .extend(more.as_object().cloned().unwrap_or_default());
        part
    };
    check(
        json!([
            { "id": "1", "role": "user", "parts": [
                { "type": "text", "text": "Go." }, { "type": "file", "mediaType": "image/png", "url": "data:image/png;base64,aGk=" } ] },
            { "id": "2", "role": "assistant", "parts": [
                { "type": "step-start" }, { "type": "reasoning", "text": "hm" }, { "type": "data-weather", "data": 1 },
                { "type": "source-url", "url": "u" },
                { "type": "dynamic-tool", "toolName": "mcp", "toolCallId": "a", "state": "output-available", "input": { "x": 1 }, "output": { "y": 2 } },
                tool("b", "output-error", json!({ "errorText": "no" })),
                tool("c", "output-denied", json!({ "approval": { "id": "p", "approved": false, "reason": "never" } })),
                tool("d", "output-available", json!({ "output": "ok", "providerExecuted": true })),
                tool("e", "input-streaming", json!({})),
                tool("f", "approval-requested", json!({ "approval": { "id": "p" } })),
                tool("g", "approval-responded", json!({})),
                { "type": "hologram" } ] },
        ]),
        &[
            "user: \"Go.\" media",
            "assistant: opaque (hm) opaque opaque a=mcp{\"x\":1} a>{\"y\":2} b=run{} b!>no c=run{} c!>never d*=run{} d*>ok \
             e=run{} f=run{} g=run{} opaque",
            "unknown-block",
        ],
    );
    // Version 4, where calls stand in the parts, beside them, or both.
    let call = |id: &str, state: &str| json!({ "state": state, "toolCallId": id, "toolName": "run", "args": {}, "result": "ok" });
    check(
        json!([
            { "role": "user", "content": "Go." },
            { "role": "assistant", "content": "Done.", "toolInvocations": [call("a", "result"), call("b", "call")] },
            { "role": "assistant", "content": "Done.", "toolInvocations": [call("c", "result")], "parts": [
                { "type": "tool-invocation", "toolInvocation": call("c", "result") }, { "type": "text", "text": "Done." } ] },
        ]),
        &[
            "user: \"Go.\"",
            "assistant: \"Done.\" a=run{} a>ok b=run{}",
            "assistant: c=run{} c>ok \"Done.\"",
        ],
    );
    check(
        json!([{ "role": "assistant", "parts": [{ "type": "tool-run", "state": "output-available", "output": "ok" }] }]),
        &["assistant: #0.0=run #0.0>ok", "missing-id"],
    );
}

/// Where a call and its result are one part, a result after which the model said nothing is not consumed.
#[test]
fn the_live_tail_of_a_message_that_holds_its_results() {
    let talk = |more: &[&str]| {
        let parts: Vec<Value> = more
            .iter()
            .map(|kind| match *kind {
                "text" => json!({ "type": "text", "text": "Done." }),
                "step" => json!({ "type": "step-start" }),
                "server" => json!({ "type": "tool-web", "toolCallId": "s", "state": "output-available", "input": {}, "output": 1, "providerExecuted": true }),
                "open" => json!({ "type": "tool-run", "toolCallId": "b", "state": "input-available", "input": {} }),
                _ => json!({ "type": "tool-run", "toolCallId": "a", "state": "output-available", "input": {}, "output": 1 }),
            })
            .collect();
        let user = json!({ "role": "user", "parts": [{ "type": "text", "text": "Go." }] });
        json!([user, { "role": "assistant", "parts": parts }])
    };
    let reasons = |more: &[&str]| -> Vec<String> {
        let transcript = read(Format::AiSdkUi, &talk(more));
        let structure = Structure::of(&transcript);
        let why = CutMap::of(&transcript, &structure).why(2, &structure);
        let names = why.iter().map(|why| {
            let ids: Vec<&str> = why.ids.iter().map(|&id| transcript.id(id)).collect();
            format!("{} {}", why.kind.name(), ids.join(" "))
        });
        names.collect()
    };
    assert_eq!(reasons(&["tool"]), ["unconsumed-result a"]);
    assert_eq!(reasons(&["tool", "step"]), ["unconsumed-result a"]);
    assert_eq!(reasons(&["tool", "step", "text"]), [""; 0]);
    assert_eq!(reasons(&["server"]), [""; 0]);
    assert_eq!(reasons(&["tool", "server"]), [""; 0]);
    assert_eq!(reasons(&["tool", "open"]), ["pending-call b"]);
    assert_eq!(reasons(&["open", "tool"]), ["pending-call b", "unconsumed-result a"]);
}

#[test]
fn langchain() {
    let check = |input: Value, wanted: &[&str]| check(Format::LangChain, input, wanted);
    let call = json!({ "name": "run", "args": { "x": 1 }, "id": "a", "type": "tool_call" });
    let raw = |id: &str| json!({ "id": id, "type": "function", "function": { "name": "run", "arguments": "{\"x\":1}" } });
    let dump = |class: &str, kwargs: Value| json!({ "lc": 1, "type": "constructor", "id": ["langchain_core", "messages", class], "kwargs": kwargs });
    check(
        json!([
            dump("SystemMessage", json!({ "content": "Be brief." })),
            dump(
                "HumanMessage",
                json!({ "content": [{ "type": "text", "text": "Go." }, { "type": "image_url", "image_url": { "url": "u" } }] })
            ),
            dump(
                "AIMessageChunk",
                json!({ "content": "", "tool_calls": [call],
                "invalid_tool_calls": [{ "name": "run", "args": "{x", "id": "b", "error": null }],
                "additional_kwargs": { "reasoning": { "summary": [{ "type": "summary_text", "text": "hm" }] }, "tool_calls": [raw("a"), raw("b"), raw("c")] } })
            ),
            dump(
                "ToolMessage",
                json!({ "content": "no", "tool_call_id": "a", "name": "run", "status": "error" })
            ),
        ]),
        &[
            "system: \"Be brief.\"",
            "user: \"Go.\" media",
            "assistant: (hm) a=run{\"x\":1} b=run{x c=run{\"x\":1}",
            "tool: a!>no",
        ],
    );
    check(
        json!([
            { "type": "human", "data": { "content": "Go." } },
            { "type": "ai", "data": { "content": [
                { "type": "thinking", "thinking": "hm" }, { "type": "text", "text": "So." },
                { "type": "tool_use", "id": "a", "name": "run", "input": {} }, { "type": "input_json_delta" } ], "tool_calls": [call] } },
            { "type": "tool", "data": { "content": [{ "type": "text", "text": "ok" }], "tool_call_id": "a" } },
        ]),
        &["user: \"Go.\"", "assistant: (hm) \"So.\" a=run{} opaque", "tool: a>ok"],
    );
    check(
        json!([
            { "role": "user", "content": "Go." },
            { "type": "AIMessageChunk", "content": [
                { "type": "reasoning", "summary": [{ "type": "summary_text", "text": "hm" }] },
                { "type": "function_call", "call_id": "a", "name": "run", "arguments": "{}" },
                { "type": "server_tool_call", "id": "s", "name": "web", "args": {} },
                { "type": "server_tool_result", "tool_call_id": "s", "status": "error", "output": "no" } ] },
            { "type": "chat", "role": "assistant", "content": "", "additional_kwargs": { "function_call": { "name": "old", "arguments": "{}" } } },
            { "type": "function", "name": "old", "content": "ok" },
            { "type": "remove", "id": "x", "content": "" },
        ]),
        &[
            "user: \"Go.\"",
            "assistant: (hm) a=run{} s*=web{} s*!>no",
            "assistant: #0.2=old{}",
            "tool: #0.2>ok",
            "user: opaque",
            "missing-id",
            "missing-id",
            "unknown-role",
        ],
    );
}

#[test]
fn opentelemetry() {
    check(
        Format::OpenTelemetry,
        json!([
            { "role": "system", "parts": [{ "type": "text", "content": "Be brief." }] },
            { "role": "user", "parts": [
                { "type": "text", "content": "Go." }, { "type": "blob", "modality": "image", "mime_type": "image/png", "content": "aGk=" },
                { "type": "uri", "modality": "image", "uri": "u" }, { "type": "file", "modality": "image", "file_id": "f" } ] },
            { "role": "assistant", "finish_reason": "tool_call", "parts": [
                { "type": "reasoning", "content": "hm" },
                { "type": "tool_call", "id": "a", "name": "run", "arguments": { "x": 1 } },
                { "type": "server_tool_call", "id": "s", "name": "web", "server_tool_call": { "type": "web" } },
                { "type": "server_tool_call_response", "id": "s", "server_tool_call_response": { "type": "web" } },
                { "type": "generic", "x": 1 }, { "type": "hologram" } ] },
            { "role": "tool", "parts": [{ "type": "tool_call_response", "id": "a", "response": "ok" }] },
            { "role": "tool", "parts": [{ "type": "tool_call_response", "id": "a", "result": "old" }] },
            { "role": "tool", "parts": [{ "type": "tool_call_response", "id": "a", "content": "older" }] },
        ]),
        &[
            "system: \"Be brief.\"",
            "user: \"Go.\" media media media",
            "assistant: (hm) a=run{\"x\":1} s*=web{\"type\":\"web\"} s*>{\"type\":\"web\"} opaque opaque",
            "tool: a>ok",
            "tool: a>old",
            "tool: a>older",
            "unknown-block",
        ],
    );
}

/// The messages of one span, in three ways of writing the same attributes.
#[test]
fn openinference() {
    let flat = json!({
        "llm.model_name": "gpt-5",
        "llm.token_count.prompt": 120, "llm.token_count.completion": 7,
        "llm.input_messages.0.message.role": "system", "llm.input_messages.0.message.content": "Be brief.",
        "llm.input_messages.1.message.role": "user",
        "llm.input_messages.1.message.contents.0.message_content.type": "text",
        "llm.input_messages.1.message.contents.0.message_content.text": "Go.",
        "llm.input_messages.1.message.contents.1.message_content.type": "image",
        "llm.input_messages.1.message.contents.1.message_content.image.image.url": "data:image/png;base64,aGk=",
        "llm.input_messages.2.message.role": "assistant",
        "llm.input_messages.2.message.contents.0.message_content.type": "reasoning",
        "llm.input_messages.2.message.contents.0.message_content.text": "hm",
        "llm.input_messages.2.message.contents.0.message_content.signature": "c2ln",
        "llm.input_messages.2.message.contents.1.message_content.type": "tool_use",
        "llm.input_messages.2.message.contents.1.message_content.tool_call.id": "a",
        "llm.input_messages.2.message.contents.1.message_content.tool_call.function.name": "run",
        "llm.input_messages.2.message.contents.1.message_content.tool_call.function.arguments": "{\"x\":1}",
        "llm.input_messages.2.message.tool_calls.0.tool_call.id": "a",
        "llm.input_messages.2.message.tool_calls.0.tool_call.function.name": "run",
        "llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments": "{\"x\":1}",
        "llm.input_messages.2.message.tool_calls.1.tool_call.id": "b",
        "llm.input_messages.2.message.tool_calls.1.tool_call.function.name": "run",
        "llm.input_messages.2.message.tool_calls.1.tool_call.function.arguments": "{}",
        "llm.input_messages.3.message.role": "tool", "llm.input_messages.3.message.tool_call_id": "a",
        "llm.input_messages.3.message.content": "one",
        "llm.input_messages.10.message.role": "tool", "llm.input_messages.10.message.tool_call_id": "b",
        "llm.input_messages.10.message.content": "two",
        "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "Done.",
    });
    let call = |id: &str, arguments: &str| json!({ "tool_call": { "id": id, "function": { "name": "run", "arguments": arguments } } });
    let message = |role: &str, more: Value| {
        let mut message = json!({ "role": role });
        message
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().cloned().unwrap_or_default());
        json!({ "message": message })
    };
    let nested = json!({ "llm": {
        "model_name": "gpt-5", "token_count": { "prompt": 120, "completion": 7 },
        "input_messages": [
            message("system", json!({ "content": "Be brief." })),
            message("user", json!({ "contents": [
                { "message_content": { "type": "text", "text": "Go." } },
                { "message_content": { "type": "image", "image": { "image": { "url": "data:image/png;base64,aGk=" } } } } ] })),
            message("assistant", json!({
                "contents": [{ "message_content": { "type": "reasoning", "text": "hm", "signature": "c2ln" } }],
                "tool_calls": [call("a", "{\"x\":1}"), call("b", "{}")] })),
            message("tool", json!({ "tool_call_id": "a", "content": "one" })),
            message("tool", json!({ "tool_call_id": "b", "content": "two" })),
        ],
        "output_messages": [message("assistant", json!({ "content": "Done." }))],
    } });
    let lines = format!("{}\n{}\n", json!({ "attributes": flat }), json!({ "attributes": nested }));
    for text in [
        flat.to_string(),
        nested.to_string(),
        json!({ "name": "chat", "attributes": nested }).to_string(),
        serde_json::to_string_pretty(&json!([{ "attributes": flat }])).expect("JSON"),
        lines,
    ] {
        let transcript = formats::read(text.as_bytes(), ReadOptions::default()).expect("a span");
        assert_eq!(transcript.format(), Format::OpenInference);
        let found: Vec<String> = (0..transcript.len()).map(|at| entry(&transcript, at)).collect();
        assert_eq!(
            found,
            [
                "system: \"Be brief.\"",
                "user: \"Go.\" media",
                "assistant: (hm) a=run{\"x\":1} b=run{}",
                "tool: a>one",
                "tool: b>two",
                "assistant: \"Done.\"",
            ],
            "{text}"
        );
        assert_eq!(transcript.request().model.as_deref(), Some("gpt-5"));
        assert_eq!(
            transcript.usage().iter().map(|usage| (usage.entry, usage.input)).collect::<Vec<_>>(),
            [(5, 120)]
        );
        assert!(
            transcript
                .findings()
                .iter()
                .any(|it| it.code == "left-out" && it.message.starts_with("1 "))
        );
    }
}

#[test]
fn openinference_without_ids() {
    let text = json!({
        "llm.input_messages.0.message.role": "assistant",
        "llm.input_messages.0.message.tool_calls.0.tool_call.function.name": "f",
        "llm.input_messages.0.message.tool_calls.1.tool_call.function.name": "g",
        "llm.input_messages.1.message.role": "tool", "llm.input_messages.1.message.name": "g",
        "llm.input_messages.1.message.content": "of g",
        "llm.input_messages.2.message.role": "tool", "llm.input_messages.2.message.content": "of f",
        "llm.input_messages.3.message.role": "assistant",
        "llm.input_messages.3.message.function_call_name": "old",
        "llm.input_messages.3.message.function_call_arguments_json": "{}",
    })
    .to_string();
    let transcript = formats::read(text.as_bytes(), ReadOptions::default()).expect("a span");
    let found: Vec<String> = (0..transcript.len()).map(|at| entry(&transcript, at)).collect();
    assert_eq!(
        found,
        [
            "assistant: #0.0=f{} #0.1=g{}",
            "tool: #0.1>of g",
            "tool: #0.0>of f",
            "assistant: #3.0=old{}"
        ]
    );
}

/// What stands around the list of a request: it costs tokens, and tells the model and whether there are tools.
#[test]
fn requests() {
    let parts = json!([{ "role": "user", "parts": [{ "text": "Go." }] }]);
    let blocks = json!([{ "role": "user", "content": [{ "text": "Go." }] }]);
    for (input, fixed) in [
        (
            json!({ "contents": parts, "systemInstruction": { "parts": [] }, "tools": [] }),
            vec!["systemInstruction", "tools"],
        ),
        (
            json!({ "contents": parts, "system_instruction": { "parts": [] } }),
            vec!["system_instruction"],
        ),
        (
            json!({ "messages": blocks, "system": [{ "text": "s" }], "toolConfig": {} }),
            vec!["system", "toolConfig"],
        ),
    ] {
        let transcript =
            formats::read(input.to_string().as_bytes(), ReadOptions::default()).expect("a request");
        let found: Vec<&str> = transcript.request().fixed.iter().map(|it| it.what).collect();
        assert_eq!(found, fixed);
    }
}

/// An image costs what its size on screen costs, wherever a format keeps it: here a PNG of 1,024 by 1,024.
#[test]
fn media_are_priced_by_their_size() {
    let png = "iVBORw0KGgoAAAANSUhEUgAABAAAAAQACAYAAAB/HSuD";
    let uri = format!("data:image/png;base64,{png}");
    let user = |key: &str, part: Value| json!([{ "role": "user", key: [part] }]);
    let tokens = |format: Format, input: Value| Counts::of(&read(format, &input)).entries[0] - 4;
    for (format, input, wanted) in [
        (
            Format::Gemini,
            user("parts", json!({ "inlineData": { "mimeType": "image/png", "data": png } })),
            1032,
        ),
        (
            Format::Gemini,
            user(
                "parts",
                json!({ "file_data": { "mime_type": "application/pdf", "file_uri": "u" } }),
            ),
            258,
        ),
        (
            Format::Gemini,
            user("parts", json!({ "inlineData": { "mimeType": "audio/wav", "data": png } })),
            600,
        ),
        (
            Format::Bedrock,
            user("content", json!({ "image": { "format": "png", "source": { "bytes": png } } })),
            1398,
        ),
        (
            Format::Bedrock,
            user("content", json!({ "document": { "name": "d", "source": { "bytes": png } } })),
            2000,
        ),
        (
            Format::Bedrock,
            user(
                "content",
                json!({ "document": { "name": "d", "source": { "text": "four words of text" } } }),
            ),
            4,
        ),
        (Format::AiSdk, user("content", json!({ "type": "image", "image": png })), 765),
        (
            Format::AiSdk,
            user("content", json!({ "type": "file", "mediaType": "image/png", "data": uri })),
            765,
        ),
        (
            Format::AiSdkUi,
            user("parts", json!({ "type": "file", "mediaType": "image/png", "url": uri })),
            765,
        ),
        (
            Format::AiSdkUi,
            user("parts", json!({ "type": "file", "mediaType": "application/pdf", "url": uri })),
            2000,
        ),
        (
            Format::LangChain,
            json!([{ "type": "human", "content": [{ "type": "image", "source_type": "base64", "mime_type": "image/png", "data": png }] }]),
            765,
        ),
        (
            Format::OpenTelemetry,
            user("parts", json!({ "type": "blob", "mime_type": "image/png", "content": png })),
            765,
        ),
        (
            Format::OpenTelemetry,
            user(
                "parts",
                json!({ "type": "uri", "modality": "image", "uri": "https://example.com/a.png" }),
            ),
            765,
        ),
    ] {
        assert_eq!(tokens(format, input.clone()), wanted, "{} {input}", format.name());
    }
}
