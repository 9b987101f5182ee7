//! Small logs of every kind, and the messages that their models saw.

use crate::support::told::{check, check_document, told};
use serde_json::{Value, json};

#[test]
fn swe_agent() {
    let call = json!({ "id": "c", "type": "function", "function": { "name": "open", "arguments": "{\"p\":1}" } });
    check_document(
        &json!({
            "trajectory": [{ "action": "open 1" }, { "action": "ls" }], "info": {},
            "history": [
                { "role": "system", "content": "S", "agent": "main", "message_type": "system_prompt" },
                { "role": "user", "content": [{ "type": "text", "text": "Fix." }], "agent": "main" },
                { "role": "assistant", "content": "Look.", "thought": "Look.", "action": "open 1", "agent": "main", "tool_calls": [call] },
                { "role": "tool", "content": "lines", "agent": "main", "tool_call_ids": ["c"] },
                { "role": "assistant", "content": "Now.\n```\nls\n```", "action": "ls", "agent": "main" },
                { "role": "user", "content": "a.py", "agent": "main" },
            ],
            "replay_config": "{\"agent\":{\"model\":{\"name\":\"gpt-4o\"}}}",
        }),
        "# the trajectory | swe-agent as openai-chat | gpt-4o
         1 system, S
         2 user, Fix.
         3 assistant, Look., calls c open {\"p\":1}
         4 tool, result c lines
         5 assistant, Now.
         ```
         ls
         ```
         6 user, a.py
         ! not-sent at 1: 2 records of type trajectory step are not sent to the model, left out.",
    );
}

#[test]
fn atif() {
    let inner = json!({
        "schema_version": "ATIF-v1.7", "agent": { "name": "worker" },
        "steps": [{ "step_id": 1, "source": "user", "message": "inspect" }, { "step_id": 2, "source": "agent", "message": "done" }],
    });
    check_document(
        &json!({
            "schema_version": "ATIF-v1.7", "agent": { "name": "root", "model_name": "gpt-5.4" },
            "steps": [
                { "step_id": 1, "source": "system", "message": "S" },
                { "step_id": 2, "source": "user", "message": [{ "type": "text", "text": "Look." }, { "type": "image", "source": { "media_type": "image/png", "path": "a.png" } }] },
                {
                    "step_id": 3, "source": "agent", "message": "I do.", "reasoning_content": "hm",
                    "tool_calls": [
                        { "tool_call_id": "a", "function_name": "worker", "arguments": { "task": 1 } },
                        { "tool_call_id": "b", "function_name": "shell", "arguments": {} },
                    ],
                    "observation": { "results": [
                        { "source_call_id": "b", "content": "/w" },
                        { "source_call_id": "a", "content": null, "subagent_trajectory_ref": [] },
                        { "content": "a note" },
                    ] },
                    "metrics": { "prompt_tokens": 100, "completion_tokens": 25, "cached_tokens": 40 },
                },
                { "step_id": 4, "source": "robot", "message": "?" },
            ],
            "subagent_trajectories": [inner],
        }),
        "# the trajectory | atif as openai-chat | gpt-5.4
         1 system, S
         2 user, Look., media
         3 assistant, thinks hm, I do., calls a worker {\"task\":1}, calls b shell {}
         3 tool, result b /w
         3 tool, result a 
         3 user, a note
         usage of 2: 100 + 25
         ! unknown-record at 1: 1 record of the unknown type step of \"robot\" left out.
         # sub-agent 1 (worker) | atif as openai-chat | 
         1 user, inspect
         2 assistant, done",
    );
}

#[test]
fn fast_agent() {
    let call =
        json!({ "method": "tools/call", "params": { "name": "get", "arguments": { "q": 1 } } });
    let picture = json!({ "type": "image", "data": "aGk=", "mimeType": "image/png" });
    check_document(
        &json!({ "messages": [
            { "role": "user", "content": [{ "type": "text", "text": "Who?" }] },
            { "role": "assistant", "content": [], "tool_calls": { "a": call, "b": call },
              "channels": { "reasoning": [{ "type": "text", "text": "hm" }], "fast-agent-timing": [] } },
            { "role": "user", "content": [{ "type": "text", "text": "And go on." }], "tool_results": {
                "a": { "content": [{ "type": "text", "text": "one" }, picture], "isError": false },
                "b": { "content": [{ "type": "text", "text": "no" }], "isError": true },
            } },
        ] }),
        "# the history | fast-agent as openai-chat | 
         1 user, Who?
         2 assistant, thinks hm, calls a get {\"q\":1}, calls b get {\"q\":1}
         3 tool, result a one
         3 tool, result b no
         3 user, media
         3 user, And go on.
         ! not-sent at 1: 1 record of type channel fast-agent-timing is not sent to the model, left out.",
    );
}

#[test]
fn inspect() {
    let call = |id: &str| json!({ "id": id, "function": "bash", "arguments": { "cmd": "ls" }, "type": "function" });
    let sample = |id: Value, messages: Value| {
        json!({ "id": id, "epoch": 2, "target": "x", "events": [], "messages": messages,
        "attachments": { "h": "a long text" }, "scores": {}, "input": "Go." })
    };
    let long = json!([
        { "role": "system", "content": "S" },
        { "role": "user", "content": "attachment://h", "source": "input" },
        { "role": "assistant", "content": [{ "type": "reasoning", "reasoning": "hm" }, { "type": "text", "text": "I look." }], "tool_calls": [call("a"), call("b")] },
        { "role": "tool", "content": "files", "tool_call_id": "a", "function": "bash" },
        { "role": "tool", "content": "half", "tool_call_id": "b", "function": "bash", "error": { "type": "timeout", "message": "Command timed out." } },
    ]);
    let short = json!([{ "role": "user", "content": [{ "type": "image", "image": "data:image/png;base64,aGk=" }] }]);
    check_document(
        &json!({ "version": 2, "eval": { "model": "anthropic/claude-sonnet-4-5" }, "samples": [sample(json!(7), long), sample(json!("s"), short.clone())] }),
        "# sample 7, epoch 2 | inspect as openai-chat | anthropic/claude-sonnet-4-5
         1 system, S
         2 user, a long text
         3 assistant, thinks hm, I look., calls a bash {\"cmd\":\"ls\"}, calls b bash {\"cmd\":\"ls\"}
         4 tool, result a files
         5 tool, result b Error: Command timed out.
         ! not-sent at 1: 1 record of type content beside a tool's error is not sent to the model, left out.
         ! not-sent at 1: 2 records of type events of a sample are not sent to the model, left out.
         # sample s, epoch 2 | inspect as openai-chat | anthropic/claude-sonnet-4-5
         1 user, media",
    );
    // A sample by itself, as it stands in an archive.
    check_document(
        &sample(json!(1), short),
        "# sample 1, epoch 2 | inspect as openai-chat | 
         1 user, media
         ! not-sent at 1: 1 record of type events of a sample is not sent to the model, left out.",
    );
}

#[test]
fn openhands() {
    let event = |id: &str, kind: &str, more: Value| {
        let mut event = json!({ "id": id, "timestamp": "t", "source": "agent", "kind": kind });
        for (key, value) in more.as_object().cloned().unwrap_or_default() {
            event[key] = value;
        }
        event
    };
    let text = |text: &str| json!([{ "type": "text", "text": text }]);
    let action = |id: &str, thought: &str, response: &str| {
        let call = json!({ "id": format!("call_{id}"), "name": "terminal", "arguments": "{}" });
        let thought = if thought.is_empty() { json!([]) } else { text(thought) };
        event(
            id,
            "ActionEvent",
            json!({ "thought": thought, "tool_call": call, "llm_response_id": response, "reasoning_content": null }),
        )
    };
    let observed = |id: &str, what: &str| {
        event(
            &format!("o{id}"),
            "ObservationEvent",
            json!({ "tool_call_id": format!("call_{id}"), "observation": { "content": text(what), "metadata": { "suffix": " [exit 0]" } } }),
        )
    };
    let records = [
        event(
            "s",
            "SystemPromptEvent",
            json!({ "system_prompt": { "type": "text", "text": "S" }, "dynamic_context": { "type": "text", "text": "D" }, "tools": [] }),
        ),
        event(
            "m",
            "MessageEvent",
            json!({ "llm_message": { "role": "user", "content": text("Go.") }, "extended_content": text("A rule.") }),
        ),
        action("1", "Both.", "r1"),
        action("2", "", "r1"),
        observed("1", "one"),
        event(
            "o2",
            "UserRejectObservation",
            json!({ "tool_call_id": "call_2", "rejection_reason": "no" }),
        ),
        event(
            "st",
            "ConversationStateUpdateEvent",
            json!({ "key": "stats", "value": { "usage_to_metrics": { "default": { "model_name": "litellm_proxy/deepseek-chat" } } } }),
        ),
        action("3", "Again.", "r2"),
        event("o3", "AgentErrorEvent", json!({ "tool_call_id": "call_3", "error": "broke" })),
        event(
            "c",
            "Condensation",
            json!({ "forgotten_event_ids": ["1", "2", "o1", "o2"], "summary": "Two were tried." }),
        ),
        action("4", "Last.", "r3"),
        event("x", "NovelThing", json!({})),
    ];
    check(
        &records,
        "# before the first compaction | openhands as openai-chat | litellm_proxy/deepseek-chat
         1 system, S

         D
         2 user, Go.

         A rule.
         3 assistant, Both., calls call_1 terminal {}, calls call_2 terminal {}
         5 tool, result call_1 one [exit 0]
         6 tool, result call_2 Action rejected: no
         8 assistant, Again., calls call_3 terminal {}
         9 tool, result call_3 broke
         # after compaction 1, what the model sees now | openhands as openai-chat | litellm_proxy/deepseek-chat
         1 system, S

         D
         2 user, Go.

         A rule.
         10 user, Two were tried.
         8 assistant, Again., calls call_3 terminal {}
         9 tool, result call_3 broke
         11 assistant, Last., calls call_4 terminal {}
         ! not-sent at 7: 1 record of type ConversationStateUpdateEvent is not sent to the model, left out.
         ! unknown-record at 12: 1 record of the unknown type NovelThing left out.",
    );
}

#[test]
fn langgraph_stream() {
    let message = |kind: &str, text: &str| json!({ "lc": 1, "type": "constructor", "id": ["langchain_core", "messages", kind], "kwargs": { "content": text } });
    let (user, answer) = (message("HumanMessage", "Go."), message("AIMessage", "ok"));
    let events = json!([
        ["values", { "messages": [user] }],
        ["messages", [message("AIMessageChunk", "o"), {}]],
        [["ns:1"], "updates", { "agent": {} }],
        ["values", { "messages": [user, answer] }],
    ]);
    let wanted = "# the newest state | langgraph-stream as langchain | 
         4 user, Go.
         4 assistant, ok
         ! not-sent at 1: 1 record of type values, replaced by a newer one is not sent to the model, left out.
         ! not-sent at 2: 1 record of type messages is not sent to the model, left out.
         ! not-sent at 3: 1 record of type updates is not sent to the model, left out.";
    check_document(&events, wanted);
    check(events.as_array().expect("a list"), wanted);
}

#[test]
fn ai_sdk_stream() {
    let chunks = [
        json!({ "type": "start", "messageId": "m" }),
        json!({ "type": "start-step" }),
        json!({ "type": "reasoning-start", "id": "r" }),
        json!({ "type": "reasoning-delta", "id": "r", "delta": "h" }),
        json!({ "type": "reasoning-delta", "id": "r", "delta": "m" }),
        json!({ "type": "tool-input-start", "toolCallId": "a", "toolName": "get", "dynamic": true }),
        json!({ "type": "tool-input-delta", "toolCallId": "a", "inputTextDelta": "{\"q\"" }),
        json!({ "type": "tool-input-delta", "toolCallId": "a", "inputTextDelta": ":1}" }),
        json!({ "type": "tool-input-available", "toolCallId": "b", "toolName": "put", "input": {} }),
        json!({ "type": "reasoning-end", "id": "r" }),
        json!({ "type": "finish-step" }),
        json!({ "type": "tool-output-available", "toolCallId": "a", "output": "one" }),
        json!({ "type": "tool-output-error", "toolCallId": "b", "errorText": "no" }),
        json!({ "type": "start-step" }),
        json!({ "type": "text-delta", "id": "t", "delta": "ok" }),
        json!({ "type": "finish-step" }),
        json!({ "type": "novel" }),
        json!({ "type": "finish" }),
    ];
    let wanted = "# the streamed messages | ai-sdk-stream as ai-sdk-ui | 
         1 assistant, opaque {\"type\":\"step-start\"}, thinks hm, calls a get {\"q\":1}, result a one, calls b put {}, error b no, opaque {\"type\":\"step-start\"}, ok
         ! unknown-record at 17: 1 record of the unknown type novel left out.
         ! not-sent at 18: 1 record of type finish is not sent to the model, left out.";
    check(&chunks, wanted);
    check_document(&json!(chunks), wanted);
    // As it comes over the wire.
    let events: Vec<String> = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    assert!(told(&events.concat()).contains("calls a get {\"q\":1}, result a one"));
}

#[test]
fn claude_stream() {
    let said = |kind: &str, id: &str, agent: Value, block: Value| {
        let usage =
            json!({ "input_tokens": 100, "cache_read_input_tokens": 50, "output_tokens": 7 });
        let mut message = json!({ "content": [block] });
        if kind == "assistant" {
            message["id"] = id.into();
            message["usage"] = usage;
            message["model"] = "claude-sonnet-5".into();
        }
        json!({ "type": kind, "message": message, "parent_tool_use_id": agent, "session_id": "s", "uuid": "u" })
    };
    let call = |id: &str| json!({ "type": "tool_use", "id": id, "name": "Task", "input": {} });
    let result =
        |id: &str, text: &str| json!({ "type": "tool_result", "tool_use_id": id, "content": text });
    let text = |text: &str| json!({ "type": "text", "text": text });
    let none = Value::Null;
    let records = [
        json!({ "type": "system", "subtype": "init", "session_id": "s", "model": "claude-sonnet-5" }),
        said("assistant", "m1", none.clone(), text("Both.")),
        said("assistant", "m1", none.clone(), call("a")),
        said("user", "", json!("a"), text("Look.")),
        said("assistant", "m2", json!("a"), text("Looked.")),
        said("user", "", none.clone(), result("a", "one")),
        said("assistant", "m1", none.clone(), call("b")),
        said("user", "", none.clone(), result("b", "two")),
        json!({ "type": "system", "subtype": "compact_boundary", "session_id": "s", "compact_metadata": {} }),
        said("user", "", none.clone(), text("A summary.")),
        json!({ "type": "result", "total_cost_usd": 1, "session_id": "s" }),
    ];
    let wanted = "# before the first compaction | claude-stream as anthropic | claude-sonnet-5
         2 assistant, Both., calls a Task {}, calls b Task {}
         6 user, result a one, result b two
         usage of 0: 150 + 7
         # after compaction 1, what the model sees now | claude-stream as anthropic | claude-sonnet-5
         10 user, A summary.
         ! not-sent at 1: 1 record of type system/init is not sent to the model, left out.
         ! not-sent at 11: 1 record of type result is not sent to the model, left out.
         # sub-agent 1 (a) | claude-stream as anthropic | claude-sonnet-5
         4 user, Look.
         5 assistant, Looked.
         usage of 1: 150 + 7";
    check(&records, wanted);
    check_document(&json!(records), wanted);
}
