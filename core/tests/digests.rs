//! Digest lines and notes: what a model reads in place of what was folded.

#![expect(clippy::needless_pass_by_value, reason = "a table of literals reads better by value")]

use pinfold::fold::{Outcome, fold};
use pinfold::formats::{self, ReadOptions};
use pinfold::plan::{Planner, Policy};
use pinfold::tokens::Counts;
use pinfold::transcript::Format;
use serde_json::{Value, json};

/// The digest lines of a transcript in which one tool was called and answered.
fn check(name: &str, input: Value, result: Value, wanted: &str) {
    let list = json!([
        { "role": "user", "content": "Go." },
        { "role": "assistant", "content": [{ "type": "tool_use", "id": "a", "name": name, "input": input }] },
        { "role": "user", "content": [result] },
        { "role": "assistant", "content": "ok" }
    ]);
    let options = ReadOptions { format: Some(Format::Anthropic), ..ReadOptions::default() };
    let transcript = formats::read(list.to_string().as_bytes(), options).expect("a list");
    let planner = Planner::new(&transcript, Counts::of(&transcript));
    let lines: Vec<&str> = planner.digest.lines(4, 0).collect();
    assert_eq!(lines, ["user: Go.", wanted, "assistant: ok"]);
}

fn result(content: impl Into<Value>) -> Value {
    json!({ "type": "tool_result", "tool_use_id": "a", "content": content.into() })
}

#[test]
fn a_pair_is_one_line_with_what_was_asked_and_what_came() {
    check(
        "bash",
        json!({ "command": "pytest -x" }),
        result("3 failed"),
        "bash `pytest -x` → 3 failed",
    );
    check(
        "bash",
        json!({ "command": "make", "timeout": 60 }),
        result("cc a.c\ncc b.c\nmake: *** [all] Error 2\nExit code: 2"),
        "bash `make` timeout=60 → exit 2, 4 lines: cc a.c … Exit code: 2",
    );
    check(
        "shell",
        json!({ "command": ["bash", "-lc", "ls"] }),
        result("{\"output\":\"a\",\"metadata\":{\"exit_code\":0}}"),
        "shell `bash -lc ls` → exit 0, {\"output\":\"a\",\"metadata\":{\"exit_code\":0}}",
    );
    check("read", json!({ "path": "src/a.rs" }), result(""), "read `src/a.rs` → no output");
    let mut failed = result("no such file");
    failed["is_error"] = json!(true);
    check("read", json!({ "path": "src/a.rs" }), failed, "read `src/a.rs` → error, no such file");
    check("now", json!({}), result("12:00"), "now `{}` → 12:00");
    check("edit", json!({ "a": 1, "b": [1, 2] }), result("ok"), "edit a=1 b=[1,2] → ok");
    check(
        "f",
        json!({ "query": "two\nlines\u{202E} and\tmore" }),
        result("ok"),
        "f `two lines and more` → ok",
    );
    let long = "x".repeat(500);
    check(
        "f",
        json!({ "query": long }),
        result("ok"),
        &format!("f `{}… (340 more characters)` → ok", "x".repeat(160)),
    );
    check(
        "look",
        json!({ "path": "a.png" }),
        result(json!([{ "type": "text", "text": "one" }, { "type": "text", "text": "two" }])),
        "look `a.png` → 2 lines: one … two",
    );
}

#[test]
fn the_note_of_a_cut_exchange_carries_its_prompts_word_for_word() {
    let prompt = "Fix the tests.\n\n> do not quote me\nNever touch `migrations/`.";
    let call = |id: &str| json!({ "role": "assistant", "content": [{ "type": "tool_use", "id": id, "name": "bash", "input": { "command": id } }] });
    let answer = |id: &str, text: &str| json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": id, "content": text }] });
    let long = "out\n".repeat(400);
    let list = json!([
        { "role": "user", "content": "By the way." },
        { "role": "user", "content": prompt },
        call("one"), answer("one", &long), call("two"), answer("two", "fine")
    ]);
    let transcript =
        formats::read(list.to_string().as_bytes(), ReadOptions::default()).expect("a list");
    let planner = Planner::new(&transcript, Counts::of(&transcript));
    let Outcome::Folded(folded) = fold(&transcript, &planner, &Policy::new(400)) else {
        panic!("{:?}", planner.plan(&Policy::new(400)));
    };
    assert_eq!(folded.fold.cut, 4);
    let wanted = "\
The request being worked on, word for word:
> By the way.

The request being worked on, word for word:
> Fix the tests.
> 
> > do not quote me
> Never touch `migrations/`.

What happened, oldest first:
- user: By the way.
- user: Fix the tests. > do not quote me Never touch `migrations/`.
- bash `one` → 400 lines: out … out
[End of the Pinfold note]";
    assert!(folded.note.ends_with(wanted), "{}", folded.note);
}
