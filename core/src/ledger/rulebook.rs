//! Rule files that a client puts into prompts (`CLAUDE.md`, `AGENTS.md`), known by their path, so that other rules under the same
//! name are noticed: a refresh that reads the file of another directory replaces the right rules without a trace.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use crate::note::hash;
use crate::transcript::{Finding, Weight};

/// A rule file as a turn showed it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Rulebook {
    /// Its path as it was shown.
    pub(crate) path: String,
    /// The hash of its text.
    pub(crate) hash: String,
    /// The turn that showed it.
    pub(crate) turn: u32,
}

/// The names of files in which projects keep rules for agents.
const NAMES: [&str; 8] = [
    "agents.md",
    "claude.md",
    "claude.local.md",
    "conventions.md",
    "copilot-instructions.md",
    "gemini.md",
    "rules.md",
    "soul.md",
];

/// The rule files that a text shows: a heading that names one, and what follows it up to the next.
pub(super) fn rulebooks(text: &str, turn: u32) -> Vec<Rulebook> {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        if let Some(path) = heading(line) {
            found.push((path, Vec::new()));
        } else if let Some((_, body)) = found.last_mut() {
            body.push(line.trim());
        }
    }
    let books = found.into_iter().filter(|(_, body)| body.iter().any(|line| !line.is_empty()));
    books.map(|(path, body)| Rulebook { path, hash: hash(&body), turn }).collect()
}

/// Where a rule file was shown again with other text, or another one of the same name in its place.
pub(super) fn differing(books: &[Rulebook]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, book) in books.iter().enumerate() {
        let before = books[..index].iter().rev().filter(|known| known.turn < book.turn);
        // The same file if it was shown, else another of its name; one further down in the tree adds to it.
        let same = before.clone().find(|known| known.path == book.path);
        let other = before.clone().find(|known| {
            name(&known.path) == name(&book.path) && !book.path.starts_with(folder(&known.path))
        });
        let Some(known) = same.or(other).filter(|known| known.hash != book.hash) else { continue };
        let message = format!(
            "Turn {} shows rules of {:?} that differ from those of {:?} in turn {}.",
            book.turn, book.path, known.path, known.turn
        );
        findings.push(Finding {
            code: "rules-differ",
            weight: Weight::Warning,
            offset: 0,
            line: 0,
            message,
        });
    }
    findings
}

/// The path of the rule file that a line is the heading of.
fn heading(line: &str) -> Option<String> {
    let line = line.trim();
    if line.len() > 300 || !(line.starts_with('#') || line.starts_with("Contents of ")) {
        return None;
    }
    let edges = |c: char| matches!(c, '`' | '"' | '\'' | ',' | ':' | '(' | ')' | '<' | '>');
    let mut words = line.split_whitespace().map(|word| word.trim_matches(edges));
    let path = words.clone().find(|word| NAMES.contains(&&*name(word)))?;
    if path.contains(['/', '\\']) {
        return Some(path.to_string());
    }
    // "# AGENTS.md instructions for /the/directory"
    let folder = words.find(|word| word.starts_with(['/', '~']) || word.contains(":\\"));
    Some(folder.map_or_else(
        || path.to_string(),
        |folder| format!("{}/{path}", folder.trim_end_matches('/')),
    ))
}

fn name(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase()
}

/// The directory of a path, with the slash at its end; a bare name is a path of its own.
fn folder(path: &str) -> &str {
    path.rfind(['/', '\\']).and_then(|at| path.get(..=at)).unwrap_or(path)
}
