//! What real transcripts tell of tool state.

#![expect(clippy::print_stdout, reason = "a test says aloud that it was skipped")]

use core::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use pinfold::Structure;
use pinfold::formats;
use pinfold::ledger::state::{Told, told};
use pinfold::transcript::{Finding, Transcript};

use crate::support::tool_state::holds;

fn shown(it: &Told) -> String {
    let place = it.place.map_or("-".into(), |at| format!("{}.{}", at.entry, at.part));
    let mut shown = format!("{place} {} {}", it.topic.name(), known_by(&it.text));
    if let Some((evidence, entry)) = &it.ended {
        let _ = write!(shown, " | {} {entry}", evidence.end.name());
    }
    shown
}

fn of(transcript: &Transcript) -> (Vec<Told>, Vec<Finding>) {
    let found = told(transcript, &Structure::of(transcript), &[], &[]);
    for it in &found.0 {
        holds(transcript, it);
    }
    found
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// The last characters of a text: enough to know it by.
fn known_by(text: &str) -> &str {
    text.char_indices().rev().nth(23).map_or(text, |(at, _)| &text[at..])
}

/// File, number of the transcript in it, and what it tells: the place, the topic, the end of the words, and where it ended.
const FILES: [(&str, usize, &str); 9] = [
    // The first `cd myapp && …` failed, and the record did not move.
    ("claude-code/agtrace-claude_session.jsonl", 0, "9.1 directory myapp"),
    (
        "claude-code/spotter-8463c716.jsonl",
        0,
        "42.0 process fum/tasks/be613ab.output | completed 50
         54.1 branch spotter-fum
         129.1 directory trees/spotter-fum/assets",
    ),
    (
        "claude-code/spotter-8463c716.jsonl",
        1,
        "1.3 directory er-worktrees/spotter-fum | superseded 11
         11.1 directory trees/spotter-fum/assets | superseded 17
         16.0 branch spotter-fum
         17.0 directory er-worktrees/spotter-fum | superseded 53
         53.1 directory trees/spotter-fum/assets | superseded 65
         65.1 directory er-worktrees/spotter-fum",
    ),
    ("claude-code/spotter-tool_heavy.jsonl", 0, "2.0 process ter/tasks/bae407b.output"),
    (
        "codex/agtrace-codex_session.jsonl",
        0,
        "3.0 directory s/test_user/agent-sample | superseded 17
         17.0 directory _user/agent-sample/myapp",
    ),
    (
        "codex/vct-codex.jsonl",
        0,
        "4.0 plan .mod and version strings | completed 26
         4.0 plan Update go.mod to go 1.24 | completed 45
         4.0 plan  .python-version to 3.10 | completed 45
         4.0 plan latest Go version online | completed 45
         4.0 plan and zh-CN markdown notes | completed 53
         4.0 plan Delete TODO.md | completed 53",
    ),
    (
        "openclaw/scout-openclaw-telemetry.jsonl",
        0,
        "10.0 agent c-40bb-85c8-2b681dceaa1f
         10.1 agent b-48a4-8976-d1f9a457399f
         10.2 agent 5-47d2-8b37-6e76b664d3fd",
    ),
    // Each command of pi has a shell of its own; where 200 of them go first is where the work is.
    ("pi/pi-large-session.jsonl", 0, "854.1 directory /USER/workspaces/pi-mono"),
    ("swe-agent/swe-marshmallow-fc.traj", 0, "7.0 directory /testbed"),
];

#[test]
fn of_real_transcripts() {
    let Some(root) = std::env::var_os("PINFOLD_CORPUS") else {
        println!("SKIPPED: PINFOLD_CORPUS names no corpus of real transcripts.");
        return;
    };
    for (file, number, wanted) in FILES {
        let path = Path::new(&root).join(file);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
        let documents = formats::documents(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        let document = documents.into_iter().nth(number).expect("a transcript");
        let (told, _) = of(&document.read());
        let wanted: Vec<&str> = wanted.lines().map(str::trim).collect();
        assert_eq!(told.iter().map(shown).collect::<Vec<String>>(), wanted, "{file}");
    }
}

/// Every file: what is told stands where it is said to, and no log records anything but what its calls imply.
#[test]
fn no_log_differs_from_its_calls() {
    let Some(root) = std::env::var_os("PINFOLD_CORPUS") else {
        println!("SKIPPED: PINFOLD_CORPUS names no corpus of real transcripts.");
        return;
    };
    let mut all = Vec::new();
    files(Path::new(&root), &mut all);
    all.sort();
    let mut count = 0;
    for path in all {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for document in formats::documents(&text).into_iter().flatten() {
            let label = document.label.clone();
            let (told, findings) = of(&document.read());
            count += told.len();
            assert_eq!(findings, [], "{}, {label}", path.display());
            for it in &told {
                println!("{} | {label} | {}", path.display(), shown(it));
            }
        }
    }
    assert!(count >= 75, "{count}");
}
