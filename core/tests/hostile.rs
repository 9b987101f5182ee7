//! Any bytes at all: a finding or an error that says what and where, never a panic, never silence, and what
//! could be read is there.

use crate::support::{Shape, Talk, messy_talk};
use pinfold::fold::{Outcome, fold};
use pinfold::formats::{self, ReadOptions};
use pinfold::plan::{Planner, Policy};
use pinfold::rules::{self, Mode};
use pinfold::tokens::Counts;
use pinfold::transcript::Format;
use proptest::prelude::*;

/// Reads `text`, runs everything over it, and gives the number of entries with the codes of the findings,
/// or the code of the error.
fn survive(
    bytes: &[u8],
    format: Option<Format>,
) -> Result<(usize, Vec<&'static str>), &'static str> {
    let options = ReadOptions { format, ..ReadOptions::default() };
    let transcript = formats::read(bytes, options).map_err(|error| {
        assert!(!error.to_string().is_empty());
        error.code()
    })?;
    let planner = Planner::new(&transcript, Counts::of(&transcript));
    let _ = rules::check(&transcript, &planner.structure, Mode::Request);
    for at in 0..planner.cuts.len() {
        assert_eq!(planner.cuts.legal(at), planner.cuts.why(at, &planner.structure).is_empty());
    }
    let total = planner.counts.total();
    for budget in [0, 1, total / 3, total / 2, total.saturating_sub(1), total, u64::MAX] {
        let outcome = fold(&transcript, &planner, &Policy::new(budget));
        assert!(
            !matches!(outcome, Outcome::Refused(_)),
            "{outcome:?} of {}",
            String::from_utf8_lossy(bytes)
        );
    }
    let codes = transcript.findings().iter().map(|finding| finding.code).collect();
    Ok((transcript.len(), codes))
}

fn check(text: &str, wanted: Result<(usize, &[&str]), &str>) {
    let found = survive(text.as_bytes(), None);
    let found = found.as_ref().map(|(entries, codes)| (*entries, &codes[..])).map_err(|code| *code);
    let shown: String = text.chars().take(120).collect();
    assert_eq!(found, wanted, "{shown}");
}

const TURN: &str = r#"{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"text","text":"ok"}]}"#;

#[test]
fn small_inputs() {
    check("", Err("empty-input"));
    check(" \n\t", Err("empty-input"));
    check("\u{FEFF}[]", Ok((0, &[])));
    check("[]", Ok((0, &[])));
    check("{}", Err("unknown-format"));
    check("null", Err("unknown-format"));
    check("hello", Err("unknown-format"));
    check("[1,2,3]", Err("unknown-format"));
    check(r#"{"messages":[]}"#, Ok((0, &[])));
    check(r#"{"messages":{}}"#, Err("unknown-format"));
    check(r#"{"model":"gpt-5","input":"Only a string."}"#, Ok((1, &[])));
    check("[{", Err("unknown-format"));
    check(r#"[{"role":"user","content":"a"}"#, Ok((1, &["broken-json"])));
    check(r#"[{"role":"user","content":"a"}] trailing"#, Ok((1, &["broken-json"])));
    check(r#"{"messages":[{"role":"user","content":"a"},{"ro"#, Ok((1, &["broken-json"])));
    check(
        r#"[{"role":"user","content":5},{"role":"assistant","content":"b"}]"#,
        Ok((2, &["odd-content"])),
    );
    check(r#"[{"role":"user","content":"a"},7]"#, Ok((2, &["unknown-role"])));
    check(r#"[{"role":"user","content":"a"},{"role":"wizard"}]"#, Ok((2, &["unknown-role"])));
    check(r#"[{"parts":[{"text":"a"}],"role":"user"}]"#, Ok((1, &[])));
    check(r#"[{"role":"user","content":[{"text":"a"}]}]"#, Ok((1, &[])));
    check(r#"[{"role":"user","parts":[]}]"#, Ok((1, &[])));
    check(r#"{"contents":[{"role":"user","parts":[{}]}]}"#, Ok((1, &["unknown-block"])));
    check(r#"{"llm":{"input_messages":[]}}"#, Err("unknown-format"));
    check(r#"{"llm.input_messages.x.message.role":"user"}"#, Err("unknown-format"));
}

#[test]
fn errors_say_what_was_found() {
    let say = |text: &str| {
        formats::read(text.as_bytes(), ReadOptions::default()).unwrap_err().to_string()
    };
    let rest = r#"{"a":1},{"a":2},{"a":3}"#;
    for (odd, nearest) in [
        (r#"{"content":[{"toolUse":{}}]}"#, "Nearest: Bedrock Converse"),
        (r#"{"parts":[{"type":"text","content":"a"}]}"#, "Nearest: OpenTelemetry GenAI"),
        (r#"{"parts":[{"functionCall":{}}]}"#, "Nearest: Gemini contents"),
        (r#"{"type":"human","content":"a"}"#, "Nearest: LangChain messages"),
    ] {
        let text = say(&format!("[{rest},{odd}]"));
        assert!(text.contains(nearest), "{text}");
        assert!(text.contains(r#"has the keys ["a"]"#), "{text}");
    }
    assert!(say("hello").contains("begins with 'h'"));
    assert!(say("{\"a\": tru").contains("stops being JSON at byte 8"), "{}", say("{\"a\": tru"));
    let none = ReadOptions { pick: Some(3), ..ReadOptions::default() };
    let error = formats::read(b"[]", none).unwrap_err().to_string();
    assert_eq!(error, "There is no transcript number 3: the input holds 1, counted from 0.");
}

#[test]
fn a_break_names_its_place_and_keeps_what_stands_before() {
    let text = format!("{{\"model\":\"m\",\n\"messages\":[{TURN},\n{{\"role\":\"user\",\"con");
    let transcript =
        formats::read(text.as_bytes(), ReadOptions::default()).expect("two entries are whole");
    assert_eq!(transcript.len(), 2);
    let finding = &transcript.findings()[0];
    assert_eq!((finding.code, finding.line), ("broken-json", 3));
    assert!(finding.message.contains("the 2 entries before it were read"), "{}", finding.message);
}

#[test]
fn a_log_with_broken_lines_is_read_around_them() {
    let line = |uuid: &str, kind: &str, content: &str| {
        format!(
            r#"{{"type":"{kind}","uuid":"{uuid}","sessionId":"s","message":{{"role":"{kind}","content":{content}}}}}"#
        )
    };
    let log = [
        line("1", "user", "\"Go.\""),
        r#"{"type":"user","uuid":"2","mess"#.into(),
        "\"a bare string\"".into(),
        line("3", "assistant", r#"[{"type":"text","text":"ok"}]"#),
        line("3", "assistant", r#"[{"type":"text","text":"ok"}]"#),
        r#"{"type":"user","uuid":"4","message":"a string"}"#.into(),
        r#"{"type":"progress","uuid":"5"}"#.into(),
    ];
    let transcript =
        formats::read(log.join("\n").as_bytes(), ReadOptions::default()).expect("a log");
    assert_eq!((transcript.format(), transcript.len()), (Format::ClaudeCode, 2));
    let found: Vec<_> = transcript.findings().iter().map(|it| (it.code, it.line)).collect();
    assert_eq!(
        found,
        [
            ("broken-line", 2),
            ("broken-line", 3),
            ("repeated-line", 5),
            ("broken-line", 6),
            ("not-sent", 7)
        ]
    );
}

#[test]
fn deep_nesting_costs_no_stack() {
    for depth in [200, 100_000] {
        let deep = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        let call = format!(
            r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"f","input":{{"x":{deep}}}}}]}}"#
        );
        let result = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"ok"}]}"#;
        check(
            &format!("[{TURN},{{\"role\":\"user\",\"content\":\"x\"}},{call},{result}]"),
            Ok((5, &[])),
        );
    }
}

#[test]
fn odd_strings_and_numbers_keep_their_bytes() {
    let call = |input: &str| {
        format!(
            r#"[{{"role":"user","content":"LONG"}},{{"role":"assistant","content":[{{"type":"text","text":"LONG"}}]}},{{"role":"user","content":"\ud800 alone \u0000"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"a\ud83d","name":"f","input":{input}}}]}}]"#
        )
        .replace("LONG", &"many words ".repeat(300))
    };
    for input in [
        r#"{"n":12345678901234567890123}"#,
        r#"{"n":-0.0,"m":1e400}"#,
        r#"{"s":"\udfff\ud83d","a":1,"a":2}"#,
    ] {
        let text = call(input);
        let transcript = formats::read(text.as_bytes(), ReadOptions::default()).expect("JSON");
        assert!(transcript.part_text(&transcript.parts(2)[0]).starts_with('\u{FFFD}'));
        let planner = Planner::new(&transcript, Counts::of(&transcript));
        let Outcome::Folded(folded) = fold(&transcript, &planner, &Policy::new(400)) else {
            panic!("{:?}", planner.plan(&Policy::new(400)));
        };
        assert!(folded.text.contains(input), "{}", folded.text);
        assert!(
            folded
                .text
                .ends_with(&text[text.find(r#"{"role":"user","content":"\ud800"#).unwrap()..])
        );
    }
}

#[test]
fn bytes_that_are_no_text_are_found() {
    let mut bytes = format!("[{TURN}]").into_bytes();
    let go = bytes.iter().position(|&byte| byte == b'G').expect("the prompt");
    bytes[go] = 0xFF;
    let found = survive(&bytes, None).expect("the rest is readable");
    assert_eq!(found.1, ["not-utf-8"]);
    assert_eq!(survive(b"\xFF\xFE[\0]\0", None), Err("utf-16"));
}

/// Hostile on purpose: each of these is quadratic in a careless reader.
#[test]
fn large_inputs_are_read_in_linear_time() {
    let users = vec![r#"{"role":"user","content":"x"}"#; 200_000].join(",");
    let nameless =
        vec![r#"{"type":"function_call","name":"f","arguments":"{}"}"#; 100_000].join(",");
    let same_id = vec![
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}"#;
        50_000
    ];
    let strays = vec![r#"{"role":"tool","tool_call_id":"a","content":"x"}"#; 100_000].join(",");
    let blocks = vec![r#"{"type":"tool_use","id":"i","name":"f","input":{}}"#; 100_000].join(",");
    let many = |part: &str| vec![part; 100_000].join(",");
    let (calls, results) =
        (many(r#"{"functionCall":{"name":"f"}}"#), many(r#"{"functionResponse":{"name":"x"}}"#));
    let named = (0..100_000).map(|id| format!(r#"{{"id":"{id}","name":"f","args":{{}}}}"#));
    let named = named.collect::<Vec<_>>().join(",");
    let tools = many(
        r#"{"type":"tool-f","toolCallId":"a","state":"output-available","input":{},"output":1}"#,
    );
    for (list, entries) in [
        (users, 200_000),
        (nameless, 100_000),
        (same_id.join(","), 50_000),
        (strays, 100_000),
        (format!(r#"{{"role":"assistant","content":[{blocks}]}}"#), 1),
        (
            format!(
                r#"{{"role":"model","parts":[{calls}]}},{{"role":"user","parts":[{results}]}}"#
            ),
            2,
        ),
        (
            format!(
                r#"{{"type":"ai","content":"","tool_calls":[{named}],"additional_kwargs":{{"tool_calls":[{named}]}}}}"#
            ),
            1,
        ),
        (format!(r#"{{"role":"assistant","parts":[{tools}]}}"#), 1),
    ] {
        let transcript =
            formats::read(format!("[{list}]").as_bytes(), ReadOptions::default()).expect("a list");
        assert_eq!(transcript.len(), entries);
        let planner = Planner::new(&transcript, Counts::of(&transcript));
        let _ = rules::check(&transcript, &planner.structure, Mode::Request);
        let _ = fold(&transcript, &planner, &Policy::new(planner.counts.total() / 2));
    }
}

#[test]
fn fifty_megabytes_are_read_and_folded() {
    let result = format!("{}\\n", "line of output 数据 ".repeat(60)).repeat(400);
    let mut entries = vec![r#"{"role":"user","content":"Go."}"#.to_string()];
    let mut bytes = 0;
    while bytes < 50_000_000 {
        let id = entries.len();
        entries.push(format!(
            r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"t{id}","name":"f","input":{{"command":"{id}"}}}}]}}"#
        ));
        entries.push(format!(
            r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{id}","content":"{result}"}}]}}"#
        ));
        bytes += result.len();
    }
    entries.push(r#"{"role":"assistant","content":"Done."}"#.into());
    let text = format!("[{}]", entries.join(","));
    let transcript = formats::read(text.as_bytes(), ReadOptions::default()).expect("a list");
    let planner = Planner::new(&transcript, Counts::of(&transcript));
    let policy = Policy::new(planner.counts.total() / 4);
    let outcome = fold(&transcript, &planner, &policy);
    let Outcome::Folded(folded) = outcome else { panic!("not folded") };
    assert!(folded.report.after <= policy.budget);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = survive(&bytes, None);
    }

    #[test]
    fn random_json_of_familiar_keys(text in familiar_json(), format in 0..=Format::ALL.len()) {
        let format = Format::ALL.get(format).copied();
        let _ = survive(text.as_bytes(), format);
    }

    #[test]
    fn damaged_talks(moves in messy_talk(), cut in 0.0..1.0_f64, hole in 0.0..1.0_f64, shape in 0..Shape::ALL.len()) {
        let shape = Shape::ALL[shape];
        let text = Talk::of(&moves, shape).write(shape).into_bytes();
        let at = (text.len() as f64 * cut) as usize;
        let _ = survive(&text[..at], None);
        let mut holed = text.clone();
        if !holed.is_empty() {
            holed.remove((text.len() as f64 * hole) as usize % text.len());
        }
        let _ = survive(&holed, None);
    }
}

/// JSON made of the words that readers look for, in places where they do not expect them.
fn familiar_json() -> impl Strategy<Value = String> {
    const KEYS: [&str; 43] = [
        "role",
        "content",
        "type",
        "id",
        "tool_use_id",
        "tool_calls",
        "tool_call_id",
        "function",
        "name",
        "input",
        "messages",
        "text",
        "call_id",
        "arguments",
        "message",
        "uuid",
        "parentUuid",
        "isSidechain",
        "thinking",
        "subtype",
        "compactMetadata",
        "output",
        "parts",
        "contents",
        "functionCall",
        "function_response",
        "thought",
        "toolUse",
        "toolResult",
        "toolUseId",
        "toolCallId",
        "toolInvocations",
        "approvalId",
        "state",
        "response",
        "data",
        "kwargs",
        "additional_kwargs",
        "attributes",
        "llm",
        "input_messages",
        "llm.output_messages.0.message.role",
        "executableCode",
    ];
    const WORDS: [&str; 34] = [
        "user",
        "assistant",
        "tool",
        "system",
        "tool_use",
        "tool_result",
        "text",
        "thinking",
        "function_call",
        "function_call_output",
        "reasoning",
        "compact_boundary",
        "a",
        "b",
        "",
        "image",
        "web_search_tool_result",
        "message",
        "model",
        "ai",
        "human",
        "constructor",
        "tool-call",
        "tool-result",
        "tool-approval-request",
        "tool-approval-response",
        "tool-",
        "dynamic-tool",
        "output-available",
        "step-start",
        "tool_call",
        "tool_call_response",
        "server_tool_call",
        "server_tool_call_response",
    ];
    let leaf = prop_oneof![
        4 => (0..WORDS.len()).prop_map(|at| serde_json::json!(WORDS[at])),
        1 => Just(serde_json::json!(null)),
        1 => any::<bool>().prop_map(serde_json::Value::from),
        1 => any::<i64>().prop_map(serde_json::Value::from),
    ];
    let tree = leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(serde_json::Value::from),
            prop::collection::vec(((0..KEYS.len()), inner), 0..6).prop_map(|members| {
                members.into_iter().map(|(at, value)| (KEYS[at].to_string(), value)).collect()
            }),
        ]
    });
    prop::collection::vec(tree, 0..6).prop_map(|list| serde_json::Value::from(list).to_string())
}
