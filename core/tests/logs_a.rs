//! Logs of coding agents: small ones, written down line by line, and what their models saw.

use crate::support::logs::check;

#[test]
fn codex() {
    check(
        r#"
        {"timestamp":"t","type":"session_meta","payload":{"id":"s","cwd":"/w"}}
        {"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}}
        {"timestamp":"t","type":"event_msg","payload":{"type":"user_message","message":"go"}}
        {"timestamp":"t","type":"turn_context","payload":{"model":"gpt-5"}}
        {"timestamp":"t","type":"response_item","payload":{"type":"ghost_snapshot","ghost_commit":{}}}
        {"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":null}}
        {"timestamp":"t","type":"response_item","payload":{"type":"reasoning","summary":[],"encrypted_content":"x"}}
        {"timestamp":"t","type":"response_item","payload":{"type":"function_call","name":"sh","arguments":"{\"c\":1}","call_id":"a"}}
        {"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":9},"last_token_usage":{"input_tokens":9,"cached_input_tokens":4,"output_tokens":2}}}}
        {"timestamp":"t","type":"response_item","payload":{"type":"function_call_output","call_id":"a","output":{"content":"x","success":true}}}
        {"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":9},"last_token_usage":{"input_tokens":9,"cached_input_tokens":4,"output_tokens":2}}}}
        {"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":21},"last_token_usage":{"input_tokens":12,"output_tokens":3}}}}
        {"timestamp":"t","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}}
        {"timestamp":"t","type":"novelty","payload":{}}
        "#,
        r#"
        codex openai-responses openai-responses gpt-5
        [the session] now
        2 user: "go"
        7 assistant: (x)
        8 assistant: sh#a {"c":1}
        10 tool: =a {"content":"x","success":true}
        13 assistant: "done"
        usage 1:9+2 4:12+3
        not-sent@1 not-sent@3 not-sent@4 not-sent@5 not-sent@6 unknown-record@14
        "#,
    );
}

#[test]
fn codex_compactions() {
    let log = r#"
        {"type":"response_item","payload":{"type":"message","role":"user","content":"one"}}
        {"type":"compacted","payload":{"message":"It was one."}}
        {"type":"response_item","payload":{"type":"message","role":"user","content":"two"}}
        {"type":"compacted","payload":{"message":"","replacement_history":[{"type":"message","role":"user","content":"both"},{"type":"ghost_snapshot"}]}}
        {"type":"response_item","payload":{"type":"message","role":"user","content":"three"}}
        not json
    "#;
    let wanted = r#"
        codex openai-responses openai-responses -
        [before the first compaction]
        1 user: "one"
        [after compaction 1]
        2 assistant: "It was one."
        3 user: "two"
        [after compaction 2, what the model sees now] now
        4 user: "both"
        5 user: "three"
        broken-line@6
    "#;
    check(log, wanted);
}

#[test]
fn codex_without_envelopes() {
    check(
        r#"
        {"id":"s","timestamp":"t","instructions":null,"git":{}}
        {"record_type":"state"}
        {"type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"go"}]}
        {"type":"local_shell_call","call_id":"a","action":{"command":["ls"]},"status":"completed"}
        {"type":"local_shell_call_output","call_id":"a","output":"x"}
        "#,
        r#"
        codex openai-responses openai-responses -
        [the session] now
        3 user: "go"
        4 assistant: local_shell_call#a {"command":["ls"]}
        5 tool: =a x
        not-sent@1 not-sent@2
        "#,
    );
}

#[test]
fn copilot_cli() {
    check(
        r#"
        {"type":"session.start","data":{"sessionId":"s"},"id":"1","timestamp":"t","parentId":null}
        {"type":"session.model_change","data":{"newModel":"claude-sonnet-4.6"},"id":"2","timestamp":"t","parentId":"1"}
        {"type":"system.message","data":{"role":"system","content":"Old."},"id":"3","timestamp":"t","parentId":"2"}
        {"type":"system.message","data":{"role":"system","content":"Be kind."},"id":"3","timestamp":"t","parentId":"2"}
        {"type":"user.message","data":{"content":"go","transformedContent":"<now/> go"},"id":"4","timestamp":"t","parentId":"3"}
        {"type":"assistant.message","data":{"messageId":"m","content":"","reasoningText":"hm","toolRequests":[{"toolCallId":"a","name":"view","arguments":{"p":1}},{"toolCallId":"b","name":"bash","arguments":{}}]},"id":"5","timestamp":"t","parentId":"4"}
        {"type":"tool.execution_complete","data":{"toolCallId":"b","success":false,"error":{"message":"no"}},"id":"6","timestamp":"t","parentId":"5"}
        {"type":"assistant.message","data":{"messageId":"n","content":"inside","toolRequests":[],"parentToolCallId":"a"},"id":"7","timestamp":"t","parentId":"5"}
        {"type":"user.message","data":{"content":"and?"},"id":"8","timestamp":"t","parentId":"5"}
        {"type":"tool.execution_complete","data":{"toolCallId":"a","success":true,"result":{"content":"x","detailedContent":"xx"}},"id":"9","timestamp":"t","parentId":"5"}
        {"type":"tool.execution_complete","data":{"toolCallId":"z","success":true,"result":{"content":"lost"}},"id":"10","timestamp":"t","parentId":"5"}
        {"type":"session.compaction_complete","data":{"success":true,"summaryContent":"So far."},"id":"11","timestamp":"t","parentId":"5"}
        {"type":"user.message","data":{"content":"on"},"id":"12","timestamp":"t","parentId":"5"}
        {"type":"telepathy","data":{},"id":"13","timestamp":"t","parentId":"5"}
        "#,
        r#"
        copilot-cli openai-chat openai-chat claude-sonnet-4.6
        [before the first compaction]
        4 system: "Be kind."
        5 user: "<now/> go"
        6 assistant: (hm) view#a {"p":1} bash#b {}
        7 tool: =b no
        7 tool: =a x
        9 user: "and?"
        11 tool: =z lost
        [after compaction 1, what the model sees now] now
        4 system: "Be kind."
        12 user: "So far."
        13 user: "on"
        not-sent@1 not-sent@2 not-sent@4 unknown-record@14
        [sub-agent 1 (a)]
        8 assistant: "inside"
        "#,
    );
}

#[test]
fn gemini_cli() {
    check(
        r#"
        {"sessionId":"s","projectHash":"h","startTime":"t","kind":"main"}
        {"id":"1","timestamp":"t","type":"info","content":"Hello."}
        {"id":"2","timestamp":"t","type":"user","content":[{"text":"go"},"now"],"displayContent":"go"}
        {"id":"3","timestamp":"t","type":"gemini","content":"","model":"gemini-2.5-pro"}
        {"$set":{"lastUpdated":"t"}}
        {"id":"4","timestamp":"t","type":"user","content":"no"}
        {"id":"3","timestamp":"t","type":"gemini","content":"ok","thoughts":[{"subject":"S","description":"D"}],"tokens":{"input":5,"output":2,"thoughts":1},"model":"gemini-3-pro","toolCalls":[{"id":"a","name":"ls","args":{"p":1},"result":[{"functionResponse":{"id":"a","name":"ls","response":{"output":"x"}}}],"status":"success"},{"id":"b","name":"ls","args":{},"result":"said","status":"success"},{"id":"c","name":"rm","args":{},"status":"cancelled"}]}
        {"$rewindTo":"4"}
        {"id":"5","timestamp":"t","type":"user","content":"yes"}
        {"id":"6","timestamp":"t","type":"dream","content":"yes"}
        "#,
        r#"
        gemini-cli gemini gemini gemini-3-pro
        [the session] now
        3 user: "go" "now"
        7 assistant: (**S** D) "ok" ls#a {"p":1} ls#b {} rm#c {}
        7 user: =a x =b said
        9 user: "yes"
        usage 1:5+3
        not-sent@1 not-sent@2 not-sent@5 no-result@7 no-signature@7 rewound@8 unknown-record@10
        "#,
    );
}

#[test]
fn gemini_cli_in_one_document() {
    check(
        r#"
        {"sessionId":"s","projectHash":"h",
        "messages":[
        {"id":"1","timestamp":"t","type":"user","content":"go"},
        {"id":"2","timestamp":"t","type":"error","content":"no"},
        {"id":"3","timestamp":"t","type":"gemini","content":"ok"}]}
        "#,
        r#"
        gemini-cli gemini gemini -
        [the session] now
        1 user: "go"
        3 assistant: "ok"
        not-sent@2
        "#,
    );
}

#[test]
fn google_adk() {
    check(
        r#"
        {"id":"s","events":[
        {"invocation_id":"i","author":"user","timestamp":1.5,"content":{"role":"user","parts":[{"text":"one"}]}},
        {"invocation_id":"i","author":"root","timestamp":2,"partial":true,"content":{"role":"model","parts":[{"text":"o"}]}},
        {"invocation_id":"i","author":"root","timestamp":3,"usage_metadata":{"prompt_token_count":7,"candidates_token_count":2},"content":{"parts":[{"function_call":{"name":"f","args":{}}}]}},
        {"invocation_id":"j","author":"user","timestamp":4,"content":{"role":"user","parts":[{"function_response":{"name":"f","response":{"ok":1}}}]}},
        {"invocation_id":"j","author":"root","timestamp":5,"actions":{"state_delta":{}}},
        {"invocation_id":"k","author":"user","timestamp":6,"actions":{"compaction":{"start_timestamp":1,"end_timestamp":4,"compacted_content":{"role":"model","parts":[{"text":"sum"}]}}}},
        {"invocation_id":"l","author":"user","timestamp":7,"content":{"role":"user","parts":[{"text":"two"}]}},
        {"invocation_id":"m","author":"user","timestamp":8,"actions":{"rewind_before_invocation_id":"l"}},
        {"invocation_id":"n","author":"user","timestamp":9,"content":{"role":"user","parts":[{"text":"three"}]}}]}
        "#,
        r#"
        google-adk gemini gemini -
        [before the first compaction]
        1 user: "one"
        3 assistant: f##0.0 {}
        4 user: =#0.0 1
        usage 1:7+2
        missing-id@3 missing-id@4
        [after compaction 1, what the model sees now] now
        6 assistant: "sum"
        9 user: "three"
        not-sent@2 not-sent@5 rewound@8
        "#,
    );
}

#[test]
fn kimi_cli() {
    check(
        r#"
        {"type":"metadata","protocol_version":"1.4"}
        {"type":"config.update","systemPrompt":"Be kind.","modelAlias":"k","time":1}
        {"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":"one"}],"toolCalls":[],"origin":{"kind":"user"}},"time":1}
        {"type":"llm.request","model":"kimi-k2","time":1}
        {"type":"context.append_loop_event","event":{"type":"step.begin","uuid":"s"},"time":1}
        {"type":"context.append_loop_event","event":{"type":"content.part","stepUuid":"s","part":{"type":"think","think":"hm"}},"time":1}
        {"type":"context.append_loop_event","event":{"type":"tool.call","stepUuid":"s","toolCallId":"Bash_0","name":"Bash","args":{"c":"ls"}},"time":1}
        {"type":"context.append_message","message":{"role":"user","content":"a reminder","origin":{"kind":"injection"}},"time":1}
        {"type":"context.append_loop_event","event":{"type":"tool.result","toolCallId":"Bash_0","result":{"output":"x","note":"one line"}},"time":1}
        {"type":"context.append_loop_event","event":{"type":"step.end","uuid":"s","usage":{"inputOther":1,"inputCacheRead":2,"inputCacheCreation":3,"output":4}},"time":1}
        {"type":"context.append_message","message":{"role":"user","content":"two","origin":{"kind":"user"}},"time":1}
        {"type":"context.append_message","message":{"role":"user","content":"taken back","origin":{"kind":"user"}},"time":1}
        {"type":"context.undo","count":1,"time":1}
        {"type":"context.apply_compaction","summary":"short","contextSummary":"So far.","compactedCount":4,"keptUserMessageCount":1,"time":1}
        {"type":"context.append_message","message":{"role":"user","content":"three","origin":{"kind":"user"}},"time":1}
        {"type":"context.append_message","message":{"role":"assistant","content":[{"type":"text","text":"ok"}],"toolCalls":[{"type":"function","id":"t","function":{"name":"f","arguments":"{}"}}]},"time":1}
        {"type":"context.append_message","message":{"role":"tool","content":"y","toolCallId":"t"},"time":1}
        {"type":"context.apply_compaction","summary":"Again.","compactedCount":4,"time":1}
        {"type":"context.append_loop_event","event":{"type":"step.dream"},"time":1}
        "#,
        r#"
        kimi-cli openai-chat kimi kimi-k2
        [before the first compaction]
        2 system: "Be kind."
        3 user: "one"
        6 assistant: (hm) Bash#Bash_0 {"c":"ls"}
        9 tool: =Bash_0 x\none line
        8 user: "a reminder"
        11 user: "two"
        usage 2:6+4
        [after compaction 1]
        2 system: "Be kind."
        11 user: "two"
        14 user: "So far."
        15 user: "three"
        16 assistant: "ok" f#t {}
        17 tool: =t y
        [after compaction 2, what the model sees now] now
        2 system: "Be kind."
        18 user: "Again."
        not-sent@1 not-sent@4 not-sent@5 not-sent@10 undone@13 unknown-record@19
        "#,
    );
}
