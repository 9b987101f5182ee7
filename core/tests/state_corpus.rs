//! What real transcripts tell of tool state.

#![expect(clippy::print_stdout, reason = "a test says aloud that it was skipped")]

use core::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use pinfold::Structure;
use pinfold::formats;
use pinfold::ledger::state::{Told, told};
use pinfold::transcript::Transcript;

use crate::support::tool_state::holds;

fn shown(it: &Told) -> String {
    let place = it.place.map_or("-".into(), |at| format!("{}.{}", at.entry, at.part));
    let mut shown = format!("{place} {} {}", it.topic.name(), it.text);
    if let Some((evidence, entry)) = &it.ended {
        let _ = write!(shown, " | {} {entry} {}", evidence.end.name(), evidence.quote);
    }
    shown
}

fn of(transcript: &Transcript) -> Vec<String> {
    let (told, findings) = told(transcript, &Structure::of(transcript), &[], &[]);
    for it in &told {
        holds(transcript, it);
    }
    let mut lines: Vec<String> = told.iter().map(shown).collect();
    lines.extend(findings.iter().map(|it| format!("! {} at {}: {}", it.code, it.line, it.message)));
    lines
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

#[test]
fn of_real_transcripts() {
    let Some(root) = std::env::var_os("PINFOLD_CORPUS") else {
        println!("SKIPPED: PINFOLD_CORPUS names no corpus of real transcripts.");
        return;
    };
    let mut all = Vec::new();
    files(Path::new(&root), &mut all);
    all.sort();
    for path in all {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let name = path.strip_prefix(&root).expect("in the corpus").display().to_string();
        for document in formats::documents(&text).into_iter().flatten() {
            let label = document.label.clone();
            let lines = of(&document.read());
            if !lines.is_empty() {
                println!("## {name} | {label}");
                lines.iter().for_each(|line| println!("{line}"));
            }
        }
    }
}
