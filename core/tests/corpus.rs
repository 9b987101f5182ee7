//! Every real transcript of the formats that are read: read without loss, folded at 20 budgets, proved.
//!
//! `PINFOLD_CORPUS` names the folder. Without it the test says that it was skipped; a folder that is
//! missing is a failure.

#![expect(
    clippy::print_stdout,
    reason = "a test says aloud what it skipped and how much it proved"
)]

use std::fs;
use std::path::{Path, PathBuf};

use pinfold::fold::{Outcome, fold};
use pinfold::formats::{self, ReadOptions};
use pinfold::ledger::Ledger;
use pinfold::plan::{Planner, Policy, Select};
use pinfold::repair::repair;
use pinfold::rules::{self, Code, Mode, Severity};
use pinfold::tokens::Counts;
use pinfold::transcript::{Format, Transcript};
use pinfold::verify::{Check, verify};

/// The format of each folder's files.
const FOLDERS: [(&str, Format); 24] = [
    ("anthropic-messages", Format::Anthropic),
    ("atif", Format::Atif),
    ("bedrock-converse", Format::Bedrock),
    ("claude-code", Format::ClaudeCode),
    ("claude-stream-json", Format::ClaudeStream),
    ("cline", Format::Cline),
    ("codex", Format::Codex),
    ("copilot-cli", Format::CopilotCli),
    ("fast-agent", Format::FastAgent),
    ("gemini-cli", Format::GeminiCli),
    ("gemini-contents", Format::Gemini),
    ("google-adk", Format::GoogleAdk),
    ("inspect", Format::Inspect),
    ("kimi", Format::KimiCli),
    ("langchain", Format::LangChain),
    ("openai-chat", Format::OpenAiChat),
    ("openai-responses", Format::OpenAiResponses),
    ("openclaw", Format::OpenClaw),
    ("opencode", Format::OpenCode),
    // What OpenHands sends to a model, as it sends it.
    ("openhands", Format::OpenAiChat),
    ("pi", Format::Pi),
    ("swe-agent", Format::SweAgent),
    // Chats in an envelope each.
    ("tau-bench", Format::OpenAiChat),
    ("vercel-ui-stream", Format::AiSdkStream),
];

/// The files that are of another format than their neighbours.
const OTHERS: [(&str, Format); 6] = [
    ("openhands-goal-events.jsonl", Format::OpenHands),
    ("vercel-langgraph-hitl-request-1.modelmessages.json", Format::AiSdk),
    ("vercel-langgraph-hitl-request-1.uimessages.json", Format::AiSdkUi),
    ("vercel-react-agent-tool-calling.modelmessages.json", Format::AiSdk),
    ("vercel-react-agent-tool-calling.uimessages.json", Format::AiSdkUi),
    ("vercel-react_agent.langgraph-stream.json", Format::LangGraphStream),
];

#[test]
fn every_file_is_read_as_its_format_and_folds_lawfully() {
    let Some(files) = corpus() else { return };
    let (mut transcripts, mut folds, mut left) = (0, 0, 0);
    for (path, format) in &files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = fs::read(path).expect("a file of the corpus is readable");
        let (text, _) = formats::decode(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let documents = formats::documents(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let detected = formats::detect(&bytes).map(|detected| detected.format);
        assert_eq!(detected, Some(*format), "{name}");
        for document in documents {
            transcripts += 1;
            let label = format!("{name}, {}", document.label);
            assert_eq!(document.detected.format, *format, "{label}");
            // Every byte of a list is still there; a log's own test counts what became of its records.
            let own = document.text().to_owned();
            let transcript = document.read();
            assert_eq!(transcript.text(), own, "{label}");
            assert!(!transcript.is_empty(), "{label} is empty");
            let (folded, not) = fold_at_20_budgets(&label, &transcript);
            folds += folded;
            left += not;
        }
    }
    println!(
        "{} files, {transcripts} transcripts, {folds} folds proved, {left} left with a reason",
        files.len()
    );
    assert_eq!(files.len(), 84);
    assert!(folds > 2000, "the corpus is too small to prove anything: {folds} folds");
}

fn fold_at_20_budgets(label: &str, transcript: &Transcript) -> (usize, usize) {
    let mut ledger = Ledger::default();
    let (planner, _) = Planner::with_ledger(transcript, Counts::of(transcript), &mut ledger);
    // One who knows of no ledger must find the result lawful, too.
    let stranger = Planner::new(transcript, Counts::of(transcript));
    let total = planner.counts.total();
    let (mut folded, mut left) = (0, 0);
    for step in 1..=20_u64 {
        let select = if step % 4 == 0 { Select::Liveness } else { Select::Recency };
        let policy = Policy { select, ..Policy::new(total * step / 21) };
        match fold(transcript, &planner, &policy) {
            Outcome::Folded(result) => {
                folded += 1;
                assert!(result.report.after <= policy.budget, "{label}: {:?}", result.report);
                let check = Check { policy: Some(policy), read: ReadOptions::default() };
                let proof = verify(transcript, &planner, &result.text, &check);
                assert!(proof.holds(), "{label} at {}: {:?}", policy.budget, proof.broken);
                let proof = verify(transcript, &stranger, &result.text, &check);
                assert!(proof.holds(), "{label} at {}: {:?}", policy.budget, proof.broken);
            }
            Outcome::Left(_) => left += 1,
            Outcome::Refused(broken) => panic!("{label} at {}: {broken:?}", policy.budget),
        }
    }
    (folded, left)
}

#[test]
fn every_file_is_mended_to_a_fixed_point() {
    let Some(files) = corpus() else { return };
    let (mut changes, mut failures) = (0, Vec::new());
    each_transcript(&files, |label, transcript| {
        for mode in [Mode::Log, Mode::Request] {
            let mended = repair(transcript, mode);
            changes += mended.changes.len();
            let again = repair(&mended.transcript, mode);
            // Tool definitions are the caller's to give.
            let left: Vec<_> = mended
                .left
                .iter()
                .filter(|it| it.severity == Severity::Error && it.code != Code::NoTools)
                .map(|it| (it.code.name(), it.entry))
                .collect();
            let emptied = mended.transcript.is_empty();
            if !(left.is_empty() || emptied) || !again.changes.is_empty() {
                failures.push(format!("{label}, {mode:?}: {left:?}, again {:?}", again.changes));
            }
        }
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{changes} changes, after which nothing is left and nothing changes");
}

#[test]
fn real_claude_code_sessions_are_clean() {
    let Some(files) = corpus() else { return };
    // Two of the files are not sessions: a sample of every record type, and hand-written garbage lines.
    let not_sessions = ["agentsessions-claude-schema.jsonl", "cclog-edge_cases.jsonl"];
    let sessions = files.iter().filter(|(path, format)| {
        *format == Format::ClaudeCode
            && !not_sessions.contains(&&*path.file_name().unwrap_or_default().to_string_lossy())
    });
    let mut count = 0;
    for (path, _) in sessions {
        count += 1;
        let text = fs::read_to_string(path).expect("a file of the corpus is readable");
        for document in formats::documents(&text).expect("a session is found") {
            let label = format!("{}, {}", path.display(), document.label);
            let transcript = document.read();
            let planner = Planner::new(&transcript, Counts::of(&transcript));
            let found = rules::check(&transcript, &planner.structure, Mode::Log);
            let errors: Vec<_> = found
                .iter()
                .filter(|violation| violation.severity == Severity::Error)
                .map(|violation| (violation.code.name(), violation.entry, &violation.says))
                .collect();
            assert!(errors.is_empty(), "{label}: {errors:?}");
        }
    }
    assert_eq!(count, 16);
}

/// Reads every transcript of the files, each with a label that says where it stands.
pub(crate) fn each_transcript(
    files: &[(PathBuf, Format)],
    mut each: impl FnMut(&str, &Transcript),
) {
    for (path, _) in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = fs::read(path).expect("a file of the corpus is readable");
        let (text, _) = formats::decode(&bytes).expect("a file of the corpus is text");
        for document in formats::documents(&text).expect("a file of the corpus is read") {
            each(&format!("{name}, {}", document.label), &document.read());
        }
    }
}

/// The files with their formats; `None`, said aloud, when no corpus is named.
pub(crate) fn corpus() -> Option<Vec<(PathBuf, Format)>> {
    let Some(root) = std::env::var_os("PINFOLD_CORPUS") else {
        println!("SKIPPED: PINFOLD_CORPUS names no corpus of real transcripts.");
        return None;
    };
    let root = Path::new(&root);
    let mut files = Vec::new();
    let vercel = ("vercel-uimessage", Format::AiSdkUi);
    for (folder, format) in FOLDERS.into_iter().chain([vercel]) {
        let folder = root.join(folder);
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| {
            panic!("PINFOLD_CORPUS has no folder {}: {error}", folder.display())
        });
        for entry in entries {
            let path = entry.expect("a folder of the corpus is readable").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let other = OTHERS.into_iter().find(|(file, _)| *file == name);
            files.push((path, other.map_or(format, |(_, format)| format)));
        }
    }
    files.sort();
    Some(files)
}
