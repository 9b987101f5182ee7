//! Real logs of coding agents: what each holds, what its provider would refuse in it, and that it folds at 20 budgets.

#![expect(clippy::print_stdout, reason = "a test says aloud that it was skipped")]

use std::fs;
use std::path::Path;

use pinfold::fold::{Outcome, fold};
use pinfold::formats::{self, Document};
use pinfold::plan::{Planner, Policy};
use pinfold::rules::{self, Mode, Severity};
use pinfold::tokens::Counts;
use pinfold::transcript::PartKind;

/// The file, and for each of its transcripts: label, wire, entries, calls, results, and the errors with their numbers.
const FILES: [(&str, &str); 12] = [
    // Every record type once, with its values trimmed: ids that are all the same, or none of the
    // provider's, are no fault of the reader. Two of the
    // eight calls are hosted and have no output.
    (
        "codex/agentsessions-codex-schema.jsonl",
        "before the first compaction: openai-responses 10 3 3 bad-id×3
         after compaction 1: openai-responses 5 1 1 duplicate-call-id×2
         after compaction 2: openai-responses 9 0 0 duplicate-call-id×1
         after compaction 3: openai-responses 21 0 0
         after compaction 4: openai-responses 27 0 0
         after compaction 5: openai-responses 68 1 1 duplicate-call-id×17 bad-id×5
         after compaction 6, what the model sees now: openai-responses 16 1 1 bad-id×4 duplicate-call-id×6",
    ),
    // Two of the 23 items are snapshots.
    ("codex/agtrace-codex_session.jsonl", "the session: openai-responses 21 5 5"),
    ("codex/vct-codex.jsonl", "the session: openai-responses 59 19 19"),
    // Two executions that no message requests.
    ("copilot-cli/vct-copilot.jsonl", "the session: openai-chat 22 11 13 orphan-result×2"),
    // A session does not record the thought signatures that Gemini 3 demands in the newest turn.
    ("gemini-cli/agentsessions-gemini-jsonl_v040.jsonl", "the session: gemini 4 1 1"),
    ("gemini-cli/agtrace-gemini_session.json", "the session: gemini 14 5 5"),
    ("gemini-cli/vct-gemini.jsonl", "the session: gemini 14 12 12"),
    // Several agents speak in turn; none of them sees the session just so.
    ("google-adk/adk-sample.session.json", "the session: gemini 9 2 2 role-order×1"),
    (
        "kimi/agentsessions-kimi-assistant_tools.jsonl",
        "before the first compaction: openai-chat 55 19 19
         after compaction 1, what the model sees now: openai-chat 10 0 0",
    ),
    // The agents of the other sessions were started, and no list repeats what they did. The file has 14 executions; six
    // of them are in the newest list.
    (
        "openclaw/scout-openclaw-telemetry.jsonl",
        "session agent:main:main: anthropic 15 6 6
         session agent:main:subagent:ee85499e-eb7c-40bb-85c8-2b681dceaa1f: anthropic 1 0 0
         session agent:main:subagent:976997f1-716b-48a4-8976-d1f9a457399f: anthropic 1 0 0
         session agent:main:subagent:0d5f7c22-6d05-47d2-8b37-6e76b664d3fd: anthropic 1 0 0",
    ),
    ("opencode/agentsessions-storage_v2-large.export.json", "the session: openai-responses 6 1 1"),
    // The 18 unanswered calls stand in three responses that failed or were aborted.
    ("pi/pi-large-session.jsonl", "the session: anthropic 893 391 373 unanswered-call×18"),
];

#[test]
fn real_logs() {
    let Some(root) = std::env::var_os("PINFOLD_CORPUS") else {
        println!("SKIPPED: PINFOLD_CORPUS names no corpus of real transcripts.");
        return;
    };
    for (file, wanted) in FILES {
        let path = Path::new(&root).join(file);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
        let documents = formats::documents(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        let folder = file.split('/').next().unwrap_or_default();
        let mut found = Vec::new();
        for document in documents {
            let format = document.detected.format.name();
            assert!(format.starts_with(folder), "{file} was read as {format}");
            found.push(told(file, document));
        }
        let wanted: Vec<&str> = wanted.lines().map(str::trim).collect();
        assert_eq!(found, wanted, "{file}");
    }
}

fn told(file: &str, document: Document<'_>) -> String {
    let label = document.label.clone();
    let transcript = document.read();
    assert!(!transcript.is_empty(), "{file}, {label}");
    let parts = (0..transcript.len()).flat_map(|at| transcript.parts(at));
    let (mut calls, mut results) = (0, 0);
    for part in parts {
        calls += usize::from(matches!(part.kind, PartKind::Call { .. }));
        results += usize::from(matches!(part.kind, PartKind::Result { .. }));
    }
    let (wire, entries) = (transcript.wire().name(), transcript.len());
    let mut told = vec![format!("{label}: {wire} {entries} {calls} {results}")];
    let planner = Planner::new(&transcript, Counts::of(&transcript));
    let mut errors: Vec<(&str, usize)> = Vec::new();
    for violation in rules::check(&transcript, &planner.structure, Mode::Log) {
        if violation.severity == Severity::Error {
            let (name, number) = (violation.code.name(), violation.ids.len().max(1));
            match errors.iter_mut().find(|(code, _)| *code == name) {
                Some((_, count)) => *count += number,
                None => errors.push((name, number)),
            }
        }
    }
    told.extend(errors.into_iter().map(|(code, count)| format!("{code}×{count}")));
    let total = planner.counts.total();
    for step in 1..=20_u64 {
        let outcome = fold(&transcript, &planner, &Policy::new(total * step / 21));
        assert!(!matches!(outcome, Outcome::Refused(_)), "{file}, {label} at {step}: {outcome:?}");
    }
    told.join(" ")
}
