//! The talks in a Claude Code session: rewinds, compactions, sub-agents.

#![expect(clippy::needless_pass_by_value, reason = "literals read better by value")]

use crate::support::told::{check, told};
use serde_json::{Value, json};

/// A record of a session: its name, what it follows, what it says, and what else it has.
fn record(kind: &str, uuid: &str, parent: &str, content: Value, more: Value) -> Value {
    let parent = if parent.is_empty() { Value::Null } else { json!(parent) };
    let mut record = json!({
        "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "isSidechain": false,
        "message": { "role": kind, "content": content },
    });
    for (key, value) in more.as_object().cloned().unwrap_or_default() {
        record[key] = value;
    }
    record
}

fn user(uuid: &str, parent: &str, text: &str) -> Value {
    record("user", uuid, parent, json!(text), json!({}))
}

fn answer(uuid: &str, parent: &str, text: &str) -> Value {
    record("assistant", uuid, parent, json!([{ "type": "text", "text": text }]), json!({}))
}

/// A line of the response `id`, with one call.
fn call(uuid: &str, parent: &str, id: &str) -> Value {
    let block = json!({ "type": "tool_use", "id": uuid, "name": "run", "input": {} });
    let mut record = record("assistant", uuid, parent, json!([block]), json!({}));
    record["message"]["id"] = id.into();
    record
}

fn result(uuid: &str, parent: &str) -> Value {
    let block = json!({ "type": "tool_result", "tool_use_id": parent, "content": uuid });
    record("user", uuid, parent, json!([block]), json!({}))
}

fn boundary(uuid: &str, parent: &str, meta: Value, more: Value) -> Value {
    let mut record = record("system", uuid, "", json!(""), more);
    record["subtype"] = "compact_boundary".into();
    record["logicalParentUuid"] = parent.into();
    record["compactMetadata"] = meta;
    record
}

#[test]
fn a_prompt_beside_a_prompt_is_a_rewind_and_a_result_beside_a_result_is_none() {
    let mut records = [
        user("p1", "", "Start."),
        call("a", "p1", "m1"),
        result("ra", "a"),
        call("b", "a", "m1"),
        result("rb", "b"),
        answer("x", "rb", "Done."),
        user("p2", "x", "Wrong way."),
        answer("y", "p2", "Lost."),
        user("p3", "x", "Right way."),
        answer("z", "p3", "Found."),
    ]
    .to_vec();
    let main = "1 user, Start.
         2 assistant, calls a run {}, calls b run {}
         3 user, result a ra, result b rb
         6 assistant, Done.";
    check(
        &records,
        &format!(
            "# the session | claude-code as anthropic |
             {main}
             9 user, Right way.
             10 assistant, Found.
             ! rewound at 7: The talk was rewound to before line 7; what was left there is a transcript of its own.
             # branch 1, left at line 7 by a rewind | claude-code as anthropic |
             7 user, Wrong way.
             8 assistant, Lost."
        ),
    );
    // It went on in the other branch after all.
    records.push(user("p4", "y", "Back again."));
    check(
        &records,
        &format!(
            "# the session | claude-code as anthropic |
             {main}
             7 user, Wrong way.
             8 assistant, Lost.
             11 user, Back again.
             ! rewound at 9: The talk was rewound to before line 9; what was left there is a transcript of its own.
             # branch 1, left at line 9 by a rewind | claude-code as anthropic |
             9 user, Right way.
             10 assistant, Found."
        ),
    );
    // What the client says is no prompt, and an interruption is none.
    let meta = record("user", "p5", "x", json!("A caveat."), json!({ "isMeta": true }));
    let stop = user("p6", "x", "[Request interrupted by user]");
    let rewound = told(&format!("{}\n{meta}\n{stop}\n{}", records[0], records[5]));
    assert!(!rewound.contains("rewound"), "{rewound}");
}

#[test]
fn a_compaction_keeps_what_it_names() {
    let before = [
        user("p", "", "Start."),
        answer("w", "p", "First."),
        call("a", "w", "m1"),
        result("ra", "a"),
        call("b", "a", "m1"),
        result("rb", "b"),
    ];
    let after = [user("s", "c", "A summary."), answer("z", "s", "On.")];
    let told_of = |meta: Value| {
        let middle = [boundary("c", "rb", meta, json!({}))];
        let lines = before.iter().chain(&middle).chain(&after).map(Value::to_string);
        let told = told(&lines.collect::<Vec<_>>().join("\n"));
        told.split("# ")
            .nth(2)
            .unwrap_or_default()
            .lines()
            .skip(1)
            .map(str::trim)
            .collect::<Vec<_>>()
            .join("; ")
    };
    let calls = "3 assistant, calls a run {}, calls b run {}; 4 user, result a ra, result b rb";
    // By a range, whose ends the chain of parents joins without the first result.
    for (anchor, wanted) in [
        ("s", format!("8 user, A summary.; {calls}; 9 assistant, On.")),
        ("c", format!("{calls}; 8 user, A summary.; 9 assistant, On.")),
        ("unknown", format!("8 user, A summary.; {calls}; 9 assistant, On.")),
    ] {
        let meta = json!({ "preservedSegment": { "headUuid": "a", "anchorUuid": anchor, "tailUuid": "rb" } });
        assert_eq!(told_of(meta), wanted, "{anchor}");
    }
    // By name; names that are not there keep nothing.
    let meta = json!({ "preservedMessages": { "anchorUuid": "s", "uuids": ["w", "gone", "z"] } });
    assert_eq!(told_of(meta), "8 user, A summary.; 2 assistant, First.; 9 assistant, On.");
    let meta =
        json!({ "preservedSegment": { "headUuid": "gone", "anchorUuid": "s", "tailUuid": "rb" } });
    assert_eq!(told_of(meta), "8 user, A summary.; 9 assistant, On.");
}

#[test]
fn a_sub_agent_compacts_by_itself() {
    let side = json!({ "isSidechain": true, "agentId": "bee" });
    let with = |mut record: Value| {
        for (key, value) in side.as_object().cloned().unwrap_or_default() {
            record[key] = value;
        }
        record
    };
    check(
        &[
            user("p", "", "Start."),
            with(user("q", "", "Look.")),
            with(answer("r", "q", "Looked.")),
            with(boundary("c", "r", json!({}), json!({}))),
            with(user("s", "c", "A summary.")),
            answer("z", "p", "Done."),
        ],
        "# the session | claude-code as anthropic |
         1 user, Start.
         6 assistant, Done.
         # sub-agent 1 (bee), before the first compaction | claude-code as anthropic |
         2 user, Look.
         3 assistant, Looked.
         # sub-agent 1 (bee), after compaction 1, what the model sees now | claude-code as anthropic |
         5 user, A summary.",
    );
}

#[test]
fn what_is_said_while_the_model_works_is_sent_with_the_results() {
    let queued = |uuid: &str, parent: &str, prompt: Value| {
        json!({ "type": "attachment", "uuid": uuid, "parentUuid": parent, "sessionId": "s",
            "attachment": { "type": "queued_command", "prompt": prompt, "commandMode": "prompt" } })
    };
    check(
        &[
            user("p", "", "Start."),
            call("a", "p", "m1"),
            queued("q", "a", json!("And hurry.")),
            result("ra", "q"),
            call("b", "a", "m1"),
            json!({ "type": "attachment", "uuid": "f", "parentUuid": "b", "attachment": { "type": "file" } }),
            result("rb", "f"),
            queued("t", "rb", json!([{ "type": "text", "text": "Twice." }])),
            record("user", "u", "t", json!([{ "type": "text", "text": "Twice." }]), json!({})),
            answer("z", "u", "Done."),
        ]
        .map(|mut record| {
            // The result names its call, whatever it follows.
            for (uuid, id) in [("ra", "a"), ("rb", "b")] {
                if record["uuid"] == uuid {
                    record["message"]["content"][0]["tool_use_id"] = id.into();
                }
            }
            record
        }),
        "# the session | claude-code as anthropic |
         1 user, Start.
         2 assistant, calls a run {}, calls b run {}
         4 user, result a ra, result b rb
         3 user, And hurry.
         9 user, Twice.
         10 assistant, Done.
         ! not-sent at 6: 1 record of type attachment is not sent to the model, left out.",
    );
}
