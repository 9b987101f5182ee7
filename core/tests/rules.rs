//! Violations and the providers' own words, one small transcript each.

#![expect(clippy::needless_pass_by_value, reason = "a table of literals reads better by value")]

use pinfold::exchange::Structure;
use pinfold::formats::{self, ReadOptions};
use pinfold::rules::{self, Mode};
use pinfold::transcript::Format;
use serde_json::{Value, json};

/// Judges `list` as `format` and gives `code entry: says` of every violation.
fn check(format: Format, mode: Mode, list: Value) -> Vec<String> {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    let transcript = formats::read(list.to_string().as_bytes(), options).expect("a list");
    let found = rules::check(&transcript, &Structure::of(&transcript), mode);
    found
        .iter()
        .map(|violation| {
            let says = violation.says.as_deref().unwrap_or("-");
            format!("{} {}: {says}", violation.code.name(), violation.entry)
        })
        .collect()
}

fn user(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}

fn says(text: &str) -> Value {
    json!({ "role": "assistant", "content": text })
}

mod anthropic {
    use super::*;

    fn uses(ids: &[&str]) -> Value {
        let blocks = ids
            .iter()
            .map(|id| json!({ "type": "tool_use", "id": id, "name": "run", "input": {} }));
        json!({ "role": "assistant", "content": blocks.collect::<Vec<_>>() })
    }

    fn results(ids: &[&str]) -> Value {
        let blocks = ids
            .iter()
            .map(|id| json!({ "type": "tool_result", "tool_use_id": id, "content": "ok" }));
        json!({ "role": "user", "content": blocks.collect::<Vec<_>>() })
    }

    fn log(list: Value) -> Vec<String> {
        check(Format::Anthropic, Mode::Log, list)
    }

    #[test]
    fn pairing() {
        assert_eq!(
            log(json!([user("Go."), uses(&["a", "b", "c"]), results(&["b"]), says("ok")])),
            [
                "unanswered-call 1: messages.1: `tool_use` ids were found without `tool_result` blocks immediately \
              after: a, c. Each `tool_use` block must have a corresponding `tool_result` block in the next message."
            ]
        );
        assert_eq!(
            log(json!([user("Go."), says("ok"), results(&["x"]), says("ok")])),
            [
                "orphan-result 2: messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: x. \
              Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
            ]
        );
        assert_eq!(
            log(json!([user("Go."), uses(&["a"]), results(&["a", "a"]), says("ok")])),
            [
                "duplicate-result 2: messages.2.content.1: each tool_use must have a single result. Found multiple \
              `tool_result` blocks with id: a"
            ]
        );
        assert_eq!(
            log(json!([user("Go."), uses(&["a", "a"]), results(&["a"]), says("ok")])),
            ["duplicate-call-id 1: messages.1.content.1: `tool_use` ids must be unique"]
        );
    }

    #[test]
    fn an_answer_too_late_is_two_faults() {
        let found = log(json!([
            user("Go."),
            uses(&["a"]),
            user("wait"),
            says("ok"),
            results(&["a"]),
            says("ok")
        ]));
        let codes: Vec<&str> =
            found.iter().map(|it| it.split(':').next().unwrap_or_default()).collect();
        assert_eq!(codes, ["unanswered-call 1", "orphan-result 4"]);
    }

    #[test]
    fn the_live_tail_is_a_fault_only_in_a_request() {
        let open = json!([user("Go."), uses(&["a"])]);
        assert_eq!(log(open.clone()), Vec::<String>::new());
        let found = check(Format::Anthropic, Mode::Request, open);
        assert!(found[0].starts_with("unanswered-call 1: messages.1:"), "{found:?}");
        let ends = json!([user("Go."), says("ok")]);
        assert_eq!(log(ends.clone()), Vec::<String>::new());
        assert_eq!(check(Format::Anthropic, Mode::Request, ends), ["tail-role 1: -"]);
    }

    #[test]
    fn ends_ids_and_roles() {
        assert_eq!(
            log(json!([says("Hi."), user("Go.")])),
            ["head-role 0: messages: first message must use the \"user\" role"]
        );
        assert_eq!(
            log(json!([user("Go."), uses(&["a.b"]), results(&["a.b"]), says("ok")])),
            [
                "bad-id 1: messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
            ]
        );
        let mut swapped = results(&["a"]);
        swapped["role"] = json!("assistant");
        let found = log(json!([user("Go."), swapped]));
        assert!(found.contains(&"part-role 1: -".to_string()), "{found:?}");
    }

    #[test]
    fn server_pairs() {
        let search = |id: &str| json!({ "type": "server_tool_use", "id": id, "name": "web_search", "input": {} });
        let found =
            json!({ "type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [] });
        let with = |blocks: Value| json!({ "role": "assistant", "content": blocks });
        let whole = json!([user("Go."), with(json!([search("srvtoolu_1"), found])), user("And?")]);
        assert_eq!(log(whole), Vec::<String>::new());
        assert_eq!(
            log(json!([user("Go."), with(json!([search("srvtoolu_1")])), user("And?")])),
            [
                "server-pair 1: messages.1: `web_search` tool use with id `srvtoolu_1` was found without a \
              corresponding `web_search_tool_result` block"
            ]
        );
        // `pause_turn`: as the last message it is resent as it is.
        assert_eq!(
            log(json!([user("Go."), with(json!([search("srvtoolu_1")]))])),
            Vec::<String>::new()
        );
        assert_eq!(
            log(json!([user("Go."), with(json!([search("ws1")]))])),
            [
                "bad-id 1: messages.1.content.0.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'"
            ]
        );
    }

    #[test]
    fn emptiness_as_measured() {
        let text = |text: &str| json!({ "type": "text", "text": text });
        let of = |role: &str, content: Value| json!([user("Go."), { "role": role, "content": content }, user("x")]);
        let none: Vec<String> = Vec::new();
        assert_eq!(
            log(of("user", json!(""))),
            ["empty-content 1: messages.1: user messages must have non-empty content"]
        );
        assert_eq!(
            log(of("user", json!([]))),
            ["empty-content 1: messages.1: user messages must have non-empty content"]
        );
        assert_eq!(
            log(of("user", json!([text("")]))),
            ["empty-content 1: messages: text content blocks must be non-empty"]
        );
        assert_eq!(
            log(of("assistant", json!([text("")]))),
            ["empty-content 1: messages: text content blocks must be non-empty"]
        );
        assert_eq!(
            log(of("user", json!([text(" \n")]))),
            ["empty-content 1: messages: text content blocks must contain non-whitespace text"]
        );
        assert_eq!(log(of("user", json!([text(" "), text("ok")]))), none);
        assert_eq!(log(of("assistant", json!([]))), none);
        assert_eq!(log(of("assistant", json!(""))), none);
    }

    #[test]
    fn a_request_with_calls_defines_tools() {
        let messages = json!([user("Go."), uses(&["a"]), results(&["a"]), says("ok")]);
        assert_eq!(
            log(json!({ "model": "m", "messages": messages })),
            [
                "no-tools 1: Requests which include `tool_use` or `tool_result` blocks must define tools."
            ]
        );
        assert_eq!(
            log(json!({ "tools": [{ "name": "run" }], "messages": messages })),
            Vec::<String>::new()
        );
        assert_eq!(log(messages), Vec::<String>::new());
    }
}

mod chat {
    use super::*;

    fn calls(ids: &[&str]) -> Value {
        let function = json!({ "name": "run", "arguments": "{}" });
        let calls =
            ids.iter().map(|id| json!({ "id": id, "type": "function", "function": function }));
        json!({ "role": "assistant", "content": null, "tool_calls": calls.collect::<Vec<_>>() })
    }

    fn tool(id: &str) -> Value {
        json!({ "role": "tool", "tool_call_id": id, "content": "ok" })
    }

    fn log(list: Value) -> Vec<String> {
        check(Format::OpenAiChat, Mode::Log, list)
    }

    #[test]
    fn pairing() {
        assert_eq!(
            log(json!([user("Go."), calls(&["a", "b"]), tool("b"), user("x"), says("ok")])),
            [
                "unanswered-call 1: An assistant message with 'tool_calls' must be followed by tool messages responding \
              to each 'tool_call_id'. The following tool_call_ids did not have response messages: a"
            ]
        );
        assert_eq!(
            log(json!([user("Go."), tool("a"), says("ok")])),
            [
                "orphan-result 1: Invalid parameter: messages with role 'tool' must be a response to a preceeding message \
              with 'tool_calls'."
            ]
        );
        assert_eq!(
            log(json!([user("Go."), calls(&["a"]), tool("z"), tool("a"), says("ok")])),
            [
                "orphan-result 2: Invalid parameter: 'tool_call_id' of 'z' not found in 'tool_calls' of previous message."
            ]
        );
        // Not verified of OpenAI itself, so no words are put into its mouth.
        assert_eq!(
            log(json!([user("Go."), calls(&["a"]), tool("a"), tool("a")])),
            ["duplicate-result 3: -"]
        );
        assert_eq!(
            log(json!([user("Go."), calls(&["a", "a"]), tool("a"), says("x")])),
            ["duplicate-call-id 1: -"]
        );
        // An id may be used again in a later message: tau-bench transcripts do.
        let twice =
            json!([user("Go."), calls(&["0"]), tool("0"), calls(&["0"]), tool("0"), says("ok")]);
        assert_eq!(log(twice), Vec::<String>::new());
    }

    #[test]
    fn content() {
        assert_eq!(
            log(json!([user("Go."), { "role": "assistant", "content": "x", "tool_calls": [] }])),
            [
                "empty-content 1: Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, \
              but got an empty array instead."
            ]
        );
        assert_eq!(
            log(json!([user("Go."), { "role": "assistant", "content": null }])),
            ["empty-content 1: Invalid value for 'content': expected a string, got null."]
        );
        assert_eq!(
            log(json!([user("Go."), { "role": "assistant", "content": null, "refusal": "No." }])),
            Vec::<String>::new()
        );
    }

    #[test]
    fn the_legacy_form_pairs_by_name() {
        let call = json!({ "role": "assistant", "content": null, "function_call": { "name": "f", "arguments": "{}" } });
        let answer = json!({ "role": "function", "name": "f", "content": "ok" });
        assert_eq!(log(json!([user("Go."), call, answer, says("ok")])), Vec::<String>::new());
    }
}

mod responses {
    use super::*;

    fn call(kind: &str, id: &str) -> Value {
        json!({ "type": kind, "call_id": id, "name": "run", "arguments": "{}" })
    }

    fn output(kind: &str, id: &str) -> Value {
        json!({ "type": kind, "call_id": id, "output": "ok" })
    }

    fn log(list: Value) -> Vec<String> {
        check(Format::OpenAiResponses, Mode::Log, list)
    }

    #[test]
    fn every_kind_of_call_has_its_words() {
        for (kind, words) in [
            ("function_call", "No tool output found for function call c."),
            ("custom_tool_call", "No tool output found for custom tool call c."),
            ("apply_patch_call", "No tool output found for apply patch call c."),
            ("local_shell_call", "No tool output found for local shell call c."),
            ("computer_call", "No tool output found for computer call c."),
            // A shell call's words are not known.
            ("shell_call", "-"),
        ] {
            assert_eq!(
                log(json!([user("Go."), call(kind, "c"), user("x")])),
                [format!("unanswered-call 1: {words}")]
            );
            let paired =
                json!([user("Go."), call(kind, "c"), output(&format!("{kind}_output"), "c")]);
            assert_eq!(log(paired), Vec::<String>::new());
        }
        assert_eq!(
            log(json!([user("Go."), output("function_call_output", "c")])),
            ["orphan-result 1: No tool call found for function call output with call_id c."]
        );
        assert_eq!(
            log(json!([user("Go."), output("custom_tool_call_output", "c")])),
            ["orphan-result 1: No tool call found for custom tool call output with call_id c."]
        );
    }

    #[test]
    fn the_other_half_may_be_stored_by_the_provider() {
        let input = json!([output("function_call_output", "c"), user("x")]);
        assert_eq!(
            log(json!({ "model": "m", "previous_response_id": "resp_1", "input": input })),
            Vec::<String>::new()
        );
        assert_eq!(log(json!({ "model": "m", "input": input })).len(), 1);
    }

    #[test]
    fn a_tool_search_by_the_server_pairs_without_an_id() {
        let call = json!({ "type": "tool_search_call", "call_id": null, "execution": "server", "arguments": {} });
        let found = json!({ "type": "tool_search_output", "call_id": null, "execution": "server", "tools": [] });
        assert_eq!(log(json!([user("Go."), call, found, says("ok")])), Vec::<String>::new());
    }

    #[test]
    fn reasoning_and_item_ids() {
        let thought =
            json!({ "type": "reasoning", "id": "rs_1", "summary": [] , "encrypted_content": "x" });
        assert_eq!(
            log(json!([user("Go."), thought, user("x")])),
            [
                "reasoning-pair 1: Item 'rs_1' of type 'reasoning' was provided without its required following item."
            ]
        );
        assert_eq!(log(json!([user("Go."), thought, says("ok")])), Vec::<String>::new());
        // At the end of a log the item may still be on its way; in a request it is missing.
        assert_eq!(log(json!([user("Go."), thought])), Vec::<String>::new());
        assert_eq!(
            check(Format::OpenAiResponses, Mode::Request, json!([user("Go."), thought])).len(),
            1
        );
        let twice =
            json!({ "type": "message", "id": "msg_1", "role": "assistant", "content": "x" });
        assert_eq!(
            log(json!([user("Go."), twice, user("y"), twice])),
            ["duplicate-call-id 3: Duplicate item found with id msg_1"]
        );
    }
}
