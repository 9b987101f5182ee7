//! Logs of coding agents whose provider is told by the log: small ones, and what their models saw.

use crate::support::logs::{check, shown};

#[test]
fn pi() {
    check(
        r#"
        {"type":"session","id":"s","timestamp":"t","cwd":"/w","provider":"anthropic","modelId":"claude-x"}
        {"type":"message","timestamp":"t","message":{"role":"user","content":"go"}}
        {"type":"message","timestamp":"t","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm","thinkingSignature":"z"},{"type":"toolCall","id":"a","name":"ls","arguments":{"p":1}},{"type":"toolCall","id":"b","name":"ls","arguments":{}}],"api":"anthropic-messages","provider":"anthropic","model":"claude-sonnet-4-5","usage":{"input":1,"cacheRead":2,"cacheWrite":3,"output":4},"stopReason":"toolUse"}}
        {"type":"message","timestamp":"t","message":{"role":"toolResult","toolCallId":"a","toolName":"ls","content":[{"type":"text","text":"x"}],"isError":false}}
        {"type":"message","timestamp":"t","message":{"role":"toolResult","toolCallId":"b","toolName":"ls","content":[{"type":"text","text":"y"},{"type":"image","data":"AAAA","mimeType":"image/png"}],"isError":true}}
        {"type":"message","timestamp":"t","message":{"role":"assistant","content":[],"stopReason":"aborted"}}
        {"type":"message","timestamp":"t","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"ls","arguments":{}}],"api":"anthropic-messages","stopReason":"error"}}
        {"type":"message","timestamp":"t","message":{"role":"bashExecution","command":"pwd","output":"/w"}}
        {"type":"thinking_level_change","timestamp":"t","thinkingLevel":"off"}
        {"type":"message","timestamp":"t","message":{"role":"bard","content":"la"}}
        "#,
        r#"
        pi anthropic anthropic claude-sonnet-4-5
        [the session] now
        2 user: "go"
        3 assistant: (hm) ls#a {"p":1} ls#b {}
        4 user: =a x !b y media
        7 assistant: ls#c {}
        8 user: "Ran `pwd`\n```\n/w\n```"
        usage 1:6+4
        not-sent@1 not-sent@6 aborted-response@7 not-sent@9 unknown-record@10
        "#,
    );
}

#[test]
fn pi_compactions() {
    let message = |text: &str| {
        format!(
            r#"{{"type":"message","timestamp":"t","message":{{"role":"user","content":"{text}"}}}}"#
        )
    };
    let session = r#"{"type":"session","id":"s","timestamp":"t","cwd":"/w"}"#;
    let compaction = |first: usize| {
        format!(
            r#"{{"type":"compaction","timestamp":"t","summary":"to {first}","firstKeptEntryIndex":{first},"tokensBefore":9}}"#
        )
    };
    // Line 4 is entry 3.
    let log = [
        session.into(),
        message("one"),
        message("two"),
        message("three"),
        compaction(3),
        message("four"),
        compaction(99),
        message("five"),
    ];
    check(
        &log.join("\n"),
        r#"
        pi anthropic anthropic -
        [before the first compaction]
        2 user: "one"
        3 user: "two"
        4 user: "three"
        [after compaction 1]
        5 user: "to 3"
        4 user: "three"
        6 user: "four"
        [after compaction 2, what the model sees now] now
        7 user: "to 99"
        8 user: "five"
        not-sent@1
        "#,
    );
}

/// What is carried over compactions may not grow beyond the log.
#[test]
fn a_thousand_compactions_that_keep_everything() {
    let session = r#"{"type":"session","id":"s","timestamp":"t","cwd":"/w"}"#;
    let prompt = r#"{"type":"message","timestamp":"t","message":{"role":"user","content":"go"}}"#;
    let compaction = r#"{"type":"compaction","timestamp":"t","summary":"sum","firstKeptEntryIndex":1,"tokensBefore":9}"#;
    let mut log = vec![session];
    for _ in 0..1000 {
        log.extend([prompt, compaction]);
    }
    let log = log.join("\n");
    let documents = pinfold::formats::documents(&log).expect("a log");
    let entries: usize = documents.iter().map(|document| document.entries).sum();
    assert!(entries < 12_000, "{entries}");
    let newest = documents.into_iter().last().expect("a stretch").read();
    assert!(newest.findings().iter().any(|finding| finding.code == "carried-over"));
}

#[test]
fn pi_branches() {
    check(
        r#"
        {"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/w"}
        {"type":"message","id":"1","parentId":null,"timestamp":"t","message":{"role":"user","content":"one"}}
        {"type":"message","id":"2","parentId":"1","timestamp":"t","message":{"role":"assistant","content":[{"type":"text","text":"left"}]}}
        {"type":"message","id":"3","parentId":"1","timestamp":"t","message":{"role":"assistant","content":[{"type":"toolCall","id":"c|fc_1","name":"ls","arguments":{}}],"api":"openai-responses","provider":"openai","model":"gpt-5"}}
        {"type":"message","id":"4","parentId":"3","timestamp":"t","message":{"role":"toolResult","toolCallId":"c|fc_1","toolName":"ls","content":[{"type":"text","text":"x"}],"isError":false}}
        {"type":"compaction","id":"5","parentId":"4","timestamp":"t","summary":"sum","firstKeptEntryId":"3","tokensBefore":9}
        {"type":"branch_summary","id":"6","parentId":"5","timestamp":"t","fromId":"2","summary":"elsewhere"}
        {"type":"custom_message","id":"7","parentId":"6","timestamp":"t","customType":"x","content":"hook","display":true}
        {"type":"custom","id":"8","parentId":"7","timestamp":"t","customType":"x","data":{}}
        "#,
        r#"
        pi openai-responses openai-responses gpt-5
        [before the first compaction]
        2 user: "one"
        4 assistant: ls#c {}
        5 tool: =c x
        [after compaction 1, what the model sees now] now
        6 user: "sum"
        4 assistant: ls#c {}
        5 tool: =c x
        7 user: "elsewhere"
        8 user: "hook"
        not-sent@1 not-sent@3 not-sent@9
        "#,
    );
}

#[test]
fn the_newest_response_tells_how_pi_spoke() {
    let log = |api: &str| {
        let session = r#"{"type":"session","id":"s","timestamp":"t","cwd":"/w"}"#;
        let answer = r#"{"type":"message","timestamp":"t","message":{"role":"assistant","content":[{"type":"text","text":"ok"}],"api":"API"}}"#;
        shown(&format!("{session}\n{}", answer.replace("API", api)))
    };
    for (api, wire) in [
        ("anthropic-messages", "anthropic"),
        ("openai-responses", "openai-responses"),
        ("openai-codex-responses", "openai-responses"),
        ("google-generative-ai", "gemini"),
        ("bedrock-converse-stream", "bedrock"),
        ("openai-completions", "openai-chat"),
    ] {
        assert!(log(api).starts_with(&format!("pi {wire} ")), "{api}: {}", log(api));
    }
}

#[test]
fn openclaw() {
    check(
        r#"
        {"type":"message.in","channel":"telegram","content":"go"}
        {"type":"agent.start","sessionKey":"main","agentId":"m","prompt":"go"}
        {"type":"agent.start","sessionKey":"main","agentId":"m","prompt":"go","messages":[]}
        {"type":"tool.start","toolName":"exec","params":{},"sessionKey":"main"}
        {"type":"agent.start","sessionKey":"sub","agentId":"m","prompt":"look"}
        {"type":"agent.start","sessionKey":"main","agentId":"m","prompt":"and?","messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"exec","arguments":{}}],"api":"anthropic-messages","model":"claude-opus-4-8","usage":{"input":5,"output":1}},{"role":"toolResult","toolCallId":"a","toolName":"exec","content":[{"type":"text","text":"x"}]},{"role":"custom","customType":"y","content":"note","display":false}]}
        {"type":"agent.start","sessionKey":"main","agentId":"m","prompt":"and?"}
        "#,
        r#"
        openclaw anthropic anthropic claude-opus-4-8
        [session main] now
        6 user: "go"
        6 assistant: exec#a {}
        6 user: =a x
        6 user: "note"
        6 user: "and?"
        usage 1:5+1
        not-sent@1 not-sent@2 not-sent@4 not-sent@7
        [session sub]
        5 user: "look"
        "#,
    );
}

#[test]
fn opencode() {
    check(
        r#"
        {"info":{"id":"s"},"messages":[
        {"info":{"id":"1","role":"user"},"parts":[{"type":"text","text":"go"},{"type":"text","text":"hidden","ignored":true},{"type":"file","mime":"image/png","url":"data:image/png;base64,AAAA"},{"type":"file","mime":"text/plain","url":"file:///a"}]},
        {"info":{"id":"2","role":"assistant","providerID":"anthropic","modelID":"claude-sonnet-4-5","tokens":{"input":9,"output":9}},"parts":[
          {"type":"step-start"},{"type":"reasoning","text":"hm","metadata":{"anthropic":{"signature":"z"}}},
          {"type":"tool","callID":"a","tool":"bash","state":{"status":"completed","input":{"c":1},"output":"x","time":{"compacted":5}}},
          {"type":"tool","callID":"b","tool":"bash","state":{"status":"error","input":{},"error":"no"}},
          {"type":"step-finish","tokens":{"input":1,"output":4,"cache":{"read":2,"write":3}}},
          {"type":"step-start"},{"type":"text","text":"more"},
          {"type":"tool","callID":"c","tool":"bash","state":{"status":"running","input":{}}},
          {"type":"step-finish","tokens":{"input":8,"output":1,"cache":{"read":0,"write":0}}}]},
        {"info":{"id":"3","role":"assistant","error":{"name":"APIError"}},"parts":[{"type":"text","text":"half"}]},
        {"info":{"id":"4","role":"assistant","error":{"name":"MessageAbortedError"}},"parts":[{"type":"text","text":"cut"}]}]}
        "#,
        r#"
        opencode anthropic anthropic claude-sonnet-4-5
        [the session] now
        1 user: "go" media
        2 assistant: (hm) bash#a {"c":1} bash#b {}
        2 user: =a [Old tool result content cleared] !b no
        2 assistant: "more" bash#c {}
        4 assistant: "cut"
        usage 1:6+4 3:8+1
        not-sent@1 not-sent@1 no-result@2 not-sent@2 not-sent@2 cleared-result@2 not-sent@3 aborted-response@4
        "#,
    );
}

#[test]
fn opencode_compactions() {
    check(
        r#"
        {"info":{"id":"s"},"messages":[
        {"info":{"id":"1","role":"user"},"parts":[{"type":"text","text":"one"}]},
        {"info":{"id":"2","role":"assistant","providerID":"openai","modelID":"gpt-5"},"parts":[{"type":"reasoning","text":"hm"},{"type":"text","text":"ok"}]},
        {"info":{"id":"3","role":"user"},"parts":[{"type":"compaction","auto":true,"tail_start_id":"2"}]},
        {"info":{"id":"4","role":"assistant","summary":true,"finish":"stop","parentID":"3","providerID":"openai","modelID":"gpt-5"},"parts":[{"type":"text","text":"sum"}]},
        {"info":{"id":"5","role":"user"},"parts":[{"type":"text","text":"two"}]}]}
        "#,
        r#"
        opencode openai-responses openai-responses gpt-5
        [before the first compaction]
        1 user: "one"
        2 assistant: "ok"
        thinking-left-out@2
        [after compaction 1, what the model sees now] now
        2 assistant: "ok"
        3 user: "What did we do so far?"
        4 assistant: "sum"
        5 user: "two"
        thinking-left-out@2
        "#,
    );
}
