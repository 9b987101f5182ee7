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
use pinfold::plan::{Planner, Policy};
use pinfold::rules::{self, Mode, Severity};
use pinfold::tokens::Counts;
use pinfold::transcript::Format;
use pinfold::verify::{Check, verify};

const FOLDERS: [(&str, Format); 4] = [
    ("anthropic-messages", Format::Anthropic),
    ("openai-chat", Format::OpenAiChat),
    ("openai-responses", Format::OpenAiResponses),
    ("claude-code", Format::ClaudeCode),
];

#[test]
fn every_file_is_read_as_its_format_and_folds_lawfully() {
    let Some(files) = corpus() else { return };
    let (mut transcripts, mut folds, mut left) = (0, 0, 0);
    for (path, format) in &files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = fs::read(path).expect("a file of the corpus is readable");
        let text = String::from_utf8(bytes).expect("a file of the corpus is UTF-8");
        let documents = formats::documents(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        for document in documents {
            transcripts += 1;
            let label = format!("{name}, {}", document.label);
            assert_eq!(document.detected.format, *format, "{label}");
            let (folded, not) = fold_at_20_budgets(&label, document);
            folds += folded;
            left += not;
        }
    }
    println!(
        "{} files, {transcripts} transcripts, {folds} folds proved, {left} left with a reason",
        files.len()
    );
    assert!(folds > 300, "the corpus is too small to prove anything: {folds} folds");
}

fn fold_at_20_budgets(label: &str, document: formats::Document<'_>) -> (usize, usize) {
    let transcript = document.read();
    let planner = Planner::new(&transcript, Counts::of(&transcript));
    let total = planner.counts.total();
    let (mut folded, mut left) = (0, 0);
    for step in 1..=20_u64 {
        let policy = Policy::new(total * step / 21);
        match fold(&transcript, &planner, &policy) {
            Outcome::Folded(result) => {
                folded += 1;
                assert!(result.report.after <= policy.budget, "{label}: {:?}", result.report);
                let check = Check { policy: Some(policy), read: ReadOptions::default() };
                let proof = verify(&transcript, &planner, &result.text, &check);
                assert!(proof.holds(), "{label} at {}: {:?}", policy.budget, proof.broken);
            }
            Outcome::Left(_) => left += 1,
            Outcome::Refused(broken) => panic!("{label} at {}: {broken:?}", policy.budget),
        }
    }
    (folded, left)
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

/// The files with their formats; `None`, said aloud, when no corpus is named.
fn corpus() -> Option<Vec<(PathBuf, Format)>> {
    let Some(root) = std::env::var_os("PINFOLD_CORPUS") else {
        println!("SKIPPED: PINFOLD_CORPUS names no corpus of real transcripts.");
        return None;
    };
    let root = Path::new(&root);
    let mut files = Vec::new();
    for (folder, format) in FOLDERS {
        let folder = root.join(folder);
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| {
            panic!("PINFOLD_CORPUS has no folder {}: {error}", folder.display())
        });
        for entry in entries {
            files.push((entry.expect("a folder of the corpus is readable").path(), format));
        }
    }
    files.sort();
    Some(files)
}
