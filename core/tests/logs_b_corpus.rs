//! Real logs of Claude Code's stream, Cline, `OpenHands`, SWE-agent, Inspect, tau-bench, ATIF, fast-agent, `LangGraph` and the
//! AI SDK's UI stream: each file's format, calls, results and errors, and folds at 20 budgets.

#![expect(clippy::print_stdout, reason = "a test says aloud what it skipped")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use pinfold::fold::{Outcome, fold};
use pinfold::formats;
use pinfold::plan::{Planner, Policy};
use pinfold::rules::{self, Mode, Severity};
use pinfold::tokens::Counts;
use pinfold::transcript::{PartKind, Transcript};
use serde_json::Value;

/// Every file with its format, its transcripts, calls and results, and the codes of its errors with their number.
///
/// Calls and results are as many as the corpus's index counts, except in the `LangGraph` stream, for which it counts none: the
/// two of the newest state are those of the list that was made from it. Its errors are in the files: the stream of Claude
/// Code tells no prompt, and two of the logs are cut out of longer ones, so that results have no call.
const FILES: [(&str, &str); 23] = [
    (
        "claude-stream-json/cc-action-sample-turns.json",
        "claude-stream: 1 with 3 calls, 3 results, head-role x1",
    ),
    ("cline/cline-agentic.compaction.json", "cline: 1 with 0 calls, 0 results"),
    ("cline/cline-basic.compaction.json", "cline: 1 with 0 calls, 0 results"),
    ("cline/cline-session.messages.json", "cline: 1 with 11 calls, 11 results"),
    ("openhands/openhands-fncall-llm-message.json", "openai-chat: 1 with 6 calls, 6 results"),
    (
        "openhands/openhands-goal-events.jsonl",
        "openhands: 1 with 2 calls, 3 results, orphan-result x1",
    ),
    ("openhands/openhands-llmlog-claude.json", "openai-chat: 1 with 5 calls, 5 results"),
    (
        "openhands/openhands-llmlog-deepseek-nonfncall.json",
        "openai-chat: 1 with 0 calls, 0 results",
    ),
    ("swe-agent/swe-function_calling_simple.traj", "swe-agent: 1 with 5 calls, 5 results"),
    ("swe-agent/swe-marshmallow-fc.traj", "swe-agent: 1 with 11 calls, 11 results"),
    ("swe-agent/swe-pydicom-text-actions.traj", "swe-agent: 1 with 0 calls, 0 results"),
    ("inspect/docent-ctf.json", "inspect: 2 with 11 calls, 11 results"),
    ("inspect/docent-log.eval", "inspect: 15 with 121 calls, 120 results"),
    ("inspect/inspect-browser.json", "inspect: 1 with 4 calls, 4 results"),
    (
        "inspect/inspect-tool_call_error.json",
        "inspect: 1 with 0 calls, 11 results, orphan-result x11",
    ),
    ("tau-bench/docent-tb_airline.json", "openai-chat: 1 with 12 calls, 12 results"),
    ("tau-bench/tau-gpt-4o-airline.json", "openai-chat: 200 with 1164 calls, 1164 results"),
    ("atif/atif-harbor_multiagent_v1_7.json", "atif: 2 with 2 calls, 2 results"),
    ("atif/atif-openhands-hello-world.json", "atif: 1 with 2 calls, 1 results"),
    ("fast-agent/fastagent-conv1.json", "fast-agent: 1 with 3 calls, 3 results"),
    (
        "langchain/vercel-react_agent.langgraph-stream.json",
        "langgraph-stream: 1 with 2 calls, 2 results",
    ),
    (
        "vercel-ui-stream/vercel-langgraph-hitl-request-1.uistream.json",
        "ai-sdk-stream: 1 with 1 calls, 0 results",
    ),
    (
        "vercel-ui-stream/vercel-react-agent-tool-calling.uistream.json",
        "ai-sdk-stream: 1 with 2 calls, 2 results",
    ),
];

#[test]
fn every_file_is_what_the_index_says() {
    let Some(root) = std::env::var_os("PINFOLD_CORPUS") else {
        println!("SKIPPED: PINFOLD_CORPUS names no corpus of real transcripts.");
        return;
    };
    let mut wrong = Vec::new();
    for (file, wanted) in FILES {
        let bytes = fs::read(Path::new(&root).join(file))
            .unwrap_or_else(|error| panic!("PINFOLD_CORPUS has no file {file}: {error}"));
        let found = told(file, &bytes);
        if found != wanted {
            wrong.push(format!("(\"{file}\", \"{found}\")"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join(",\n"));
}

/// What the SDK's own reader (`readUIMessageStream` of `ai` 6) made of the same streams.
#[test]
fn a_stream_is_put_together_as_the_sdk_does_it() {
    let Some(root) = std::env::var_os("PINFOLD_CORPUS") else {
        println!("SKIPPED: PINFOLD_CORPUS names no corpus of real transcripts.");
        return;
    };
    let read = |folder: &str, name: &str| {
        let path = Path::new(&root).join(folder).join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    for name in ["vercel-langgraph-hitl-request-1", "vercel-react-agent-tool-calling"] {
        let stream = read("vercel-ui-stream", &format!("{name}.uistream.json"));
        let documents = formats::documents(&stream).expect("a stream");
        let found: Value = serde_json::from_str(documents[0].text()).expect("a list");
        let list = read("vercel-uimessage", &format!("{name}.uimessages.json"));
        let mut wanted: Value = serde_json::from_str(&list).expect("a list");
        for part in wanted[1]["parts"].as_array_mut().expect("parts") {
            // The id of a part in the stream, and an input before it was parsed.
            let members = part.as_object_mut().expect("a part");
            members.retain(|key, _| key != "id" && key != "rawInput");
        }
        assert_eq!(found[0]["parts"], wanted[1]["parts"], "{name}");
    }
}

/// What is found in a file, in a line.
fn told(file: &str, bytes: &[u8]) -> String {
    let (text, _) = formats::decode(bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
    let documents = match formats::documents(&text) {
        Ok(documents) => documents,
        Err(error) => return error.code().into(),
    };
    let count = documents.len();
    let (mut name, mut calls, mut results) = ("", 0, 0);
    let mut errors: BTreeMap<&str, usize> = BTreeMap::new();
    for document in documents {
        let label = format!("{file}, {}", document.label);
        let transcript = document.read();
        if transcript.is_empty() {
            return format!("{label}: empty");
        }
        let format = transcript.format().name();
        assert!(name.is_empty() || name == format, "{label}: {name} and {format}");
        name = format;
        for part in (0..transcript.len()).flat_map(|at| transcript.parts(at)) {
            calls += usize::from(matches!(part.kind, PartKind::Call { .. }));
            results += usize::from(matches!(part.kind, PartKind::Result { .. }));
        }
        let planner = Planner::new(&transcript, Counts::of(&transcript));
        let found = rules::check(&transcript, &planner.structure, Mode::Log);
        for violation in found.iter().filter(|it| it.severity == Severity::Error) {
            *errors.entry(violation.code.name()).or_default() += 1;
        }
        fold_at_20_budgets(&label, &transcript, &planner);
    }
    let mut found =
        vec![format!("{name}: {count} with {calls} calls"), format!("{results} results")];
    found.extend(errors.iter().map(|(code, count)| format!("{code} x{count}")));
    found.join(", ")
}

/// No fold is withheld: what is planned is lawful.
fn fold_at_20_budgets(label: &str, transcript: &Transcript, planner: &Planner) {
    let total = planner.counts.total();
    for step in 1..=20_u64 {
        let policy = Policy::new(total * step / 21);
        if let Outcome::Refused(broken) = fold(transcript, planner, &policy) {
            panic!("{label} at {}: {broken:?}", policy.budget);
        }
    }
}
