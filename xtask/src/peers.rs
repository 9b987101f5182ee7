//! `cargo xtask peers`: other libraries' own checks, run over what Pinfold writes.
//!
//! Every transcript of the cases, and of the corpus if one is named, is repaired, and what can be folded is folded at
//! three budgets. Each result is converted for each peer, mended for it, and put to the peer's own validator.

use std::fs;
use std::path::{Path, PathBuf};

use pinfold::fold::{Outcome, fold};
use pinfold::formats::{self, ReadOptions};
use pinfold::plan::{Planner, Policy};
use pinfold::provider::{Family, Provider};
use pinfold::rules::{Mode, Severity};
use pinfold::tokens::Counts;
use pinfold::transcript::{Format, Transcript};
use pinfold::{convert, repair};
use serde_json::{Value, json};

use crate::node;
use crate::run::{self, Result};

const FOLDER: &str = "xtask/peers";

/// A peer: the provider whose rules it checks, and the program that runs its validator.
const PEERS: [(&str, Provider, &str); 3] = [
    ("ai-sdk", Provider::AiSdk, "check_ai_sdk.mjs"),
    ("langgraph", Provider::LangGraph, "check_langgraph.py"),
    ("mistral", Provider::Mistral, "check_mistral.py"),
];

/// A transcript that Pinfold wrote.
struct Written {
    name: String,
    transcript: Transcript,
}

/// Writes the transcripts and runs the peers over them.
pub(crate) fn peers() -> Result {
    let mut written = Vec::new();
    cases(&mut written)?;
    match std::env::var_os("PINFOLD_CORPUS") {
        Some(root) => corpus(Path::new(&root), &mut written)?,
        None => println!(
            "  PINFOLD_CORPUS names no corpus of real transcripts: the cases alone are tried."
        ),
    }
    node::require()?;
    node::install(FOLDER)?;
    let python = python()?;
    let mut objecting = Vec::new();
    for (name, provider, program) in PEERS {
        run::heading(name);
        let path = run::root().join("target/peers").join(format!("{name}.jsonl"));
        write(&path, provider, &written)?;
        let program = run::root().join(FOLDER).join(program);
        let is_script = program.extension().is_some_and(|extension| extension == "mjs");
        let interpreter = if is_script { Path::new("node") } else { &python };
        if run::run(run::command(interpreter).arg(program).arg(&path)).is_err() {
            objecting.push(name);
        }
    }
    if objecting.is_empty() {
        Ok(())
    } else {
        Err(format!("objections of {}", objecting.join(", ")))
    }
}

/// The cases of the tests.
fn cases(written: &mut Vec<Written>) -> Result {
    let folder = run::root().join("core/tests");
    let mut paths = vec![folder.join("cases.json")];
    let entries = fs::read_dir(folder.join("cases")).map_err(|error| error.to_string())?;
    paths.extend(entries.filter_map(|entry| entry.ok().map(|entry| entry.path())));
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let list: Vec<Value> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        for case in &list {
            let options = ReadOptions {
                format: case["format"].as_str().and_then(Format::from_name),
                provider: case["provider"].as_str().and_then(Provider::from_name),
                family: case["model"].as_str().map(Family::of),
                ..ReadOptions::default()
            };
            let name = format!("case {}", case["id"].as_str().unwrap_or_default());
            let text = case["transcript"].to_string();
            let transcript = formats::read(text.as_bytes(), options)
                .map_err(|error| format!("{name}: {error}"))?;
            outputs(&name, &transcript, written);
        }
    }
    Ok(())
}

/// The transcripts of the corpus.
fn corpus(root: &Path, written: &mut Vec<Written>) -> Result {
    for path in crate::corpus::files(root)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = fs::read(&path).map_err(|error| format!("{name}: {error}"))?;
        let (text, _) = formats::decode(&bytes).map_err(|error| format!("{name}: {error}"))?;
        for document in formats::documents(&text).map_err(|error| format!("{name}: {error}"))? {
            let label = format!("{name}, {}", document.label);
            outputs(&label, &document.read(), written);
        }
    }
    Ok(())
}

/// What Pinfold makes of a transcript: it repaired, and that folded.
fn outputs(name: &str, transcript: &Transcript, written: &mut Vec<Written>) {
    let repaired = repair(transcript, Mode::Request).transcript;
    let planner = Planner::new(&repaired, Counts::of(&repaired));
    let total = planner.counts.total();
    for quarter in 1..=3 {
        let policy = Policy::new(total * quarter / 4);
        if let Outcome::Folded(folded) = fold(&repaired, &planner, &policy) {
            let options = ReadOptions {
                format: Some(repaired.wire()),
                provider: Some(repaired.provider()),
                ..ReadOptions::default()
            };
            if let Ok(transcript) = formats::read(folded.text.as_bytes(), options) {
                written
                    .push(Written { name: format!("{name}, folded to {quarter}/4"), transcript });
            }
        }
    }
    written.push(Written { name: format!("{name}, repaired"), transcript: repaired });
}

/// Writes what a peer is to check, one transcript a line.
fn write(path: &Path, provider: Provider, written: &[Written]) -> Result {
    let mut lines = String::new();
    let (mut count, mut empty) = (0, 0);
    for Written { name, transcript } in written {
        let converted = convert(transcript, provider.wire(), Some(provider))
            .map_err(|error| format!("{name}: {error}"))?;
        let options = ReadOptions {
            format: Some(provider.wire()),
            provider: Some(provider),
            ..ReadOptions::default()
        };
        let read = formats::read(converted.text.as_bytes(), options)
            .map_err(|error| format!("{name}: {error}"))?;
        let mended = repair(&read, Mode::Request);
        if mended.transcript.is_empty() {
            empty += 1;
            continue;
        }
        for violation in mended.left.iter().filter(|it| it.severity == Severity::Error) {
            println!("  {name}: {} is left at entry {}", violation.code.name(), violation.entry);
        }
        let entries = (0..mended.transcript.len()).map(|entry| mended.transcript.entry_text(entry));
        let list: Vec<Value> =
            entries.map(|text| serde_json::from_str(text).unwrap_or_default()).collect();
        lines.push_str(&json!({ "name": name, "messages": list }).to_string());
        lines.push('\n');
        count += 1;
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    }
    println!("  {count} transcripts ({empty} more are empty once repaired)");
    fs::write(path, lines).map_err(|error| format!("{}: {error}", path.display()))
}

/// A Python with the packages of the peers, in a folder of its own.
fn python() -> Result<PathBuf> {
    let folder = run::root().join("target/peers/venv");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let wanted = run::root().join(FOLDER).join("requirements.txt");
    let stamp = folder.join("installed");
    let same = fs::read(&wanted).ok().filter(|text| fs::read(&stamp).is_ok_and(|it| it == *text));
    if same.is_some() {
        run::ok("Python packages of the peers");
        return Ok(python);
    }
    run::doing("Python packages of the peers");
    run::run(run::command("python3").args(["-m", "venv"]).arg(&folder))?;
    run::run(run::command(&python).args(["-m", "pip", "install", "--quiet", "-r"]).arg(&wanted))?;
    fs::copy(&wanted, &stamp).map_err(|error| error.to_string())?;
    Ok(python)
}
