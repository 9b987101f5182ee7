//! `cargo xtask fuzz [target] [--seconds N]`: lets libFuzzer look for bytes that break what `core/fuzz` says must hold.
//!
//! It begins with the transcripts of all test cases, and keeps what it finds below `target/fuzz`, so that the next run goes
//! on from there. Without the sanitizers, which look for faults of memory: the core has no unsafe code.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::run::{self, Result};
use crate::tools::{self, Tool};

/// The targets, and the bytes that each wants in front of a text: shares and switches of a policy, then that a text follows
/// whose format is told by itself.
const TARGETS: [(&str, &[u8]); 5] = [
    ("read", &[TEXT]),
    ("repair", &[TEXT]),
    ("fold", &[120, 0, TEXT]),
    ("ledger", &[120, TEXT]),
    ("session", &[90, 0, TEXT]),
];
const TEXT: u8 = 254;

const CASES: [&str; 11] = [
    "cases.json",
    "cases/bugs-a.json",
    "cases/bugs-b.json",
    "cases/bugs-c.json",
    "cases/bugs-d.json",
    "cases/bugs-e.json",
    "cases/bugs-f.json",
    "cases/bugs-l.json",
    "cases/bugs-m.json",
    "cases/ledger.json",
    "cases/rules.json",
];

/// Runs one target or all, each for so many seconds; `args` are the command line after `fuzz`.
pub(crate) fn fuzz(args: &[&str]) -> Result {
    let (only, seconds) = match args {
        [] => (None, "60"),
        ["--seconds", seconds] => (None, *seconds),
        [target] => (Some(*target), "60"),
        [target, "--seconds", seconds] => (Some(*target), *seconds),
        other => {
            return Err(format!("`fuzz {}`: say fuzz [target] [--seconds N]", other.join(" ")));
        }
    };
    let names = || TARGETS.map(|(name, _)| name).join(", ");
    if let Some(asked) = only.filter(|asked| TARGETS.iter().all(|(name, _)| name != asked)) {
        return Err(format!("`{asked}` is no target: they are {}", names()));
    }
    if seconds.parse::<u32>().is_err() {
        return Err(format!("`--seconds {seconds}`: give a whole number"));
    }
    let program = tools::ensure(&Tool::cargo_fuzz())?;
    for (target, front) in TARGETS.iter().filter(|(name, _)| only.is_none_or(|it| it == *name)) {
        run::heading(format_args!("{target}, {seconds} s"));
        let found = run::root().join("target/fuzz").join(target);
        let seeds = run::root().join("target/fuzz-seeds").join(target);
        fs::create_dir_all(&found).map_err(|error| format!("{}: {error}", found.display()))?;
        plant(&seeds, front)?;
        let mut command = run::command(&program);
        command
            .args(["run", "--fuzz-dir", "core/fuzz", "--sanitizer", "none", target])
            .args([&found, &seeds])
            .args(["--", "-max_len=16384", "-timeout=20"])
            .arg(format!("-max_total_time={seconds}"))
            // libFuzzer's counters are a flag that the compiler has not made stable.
            .env("RUSTC_BOOTSTRAP", "1");
        run::run(&mut command)?;
    }
    Ok(())
}

/// Writes the transcript of each test case as a file of its own.
fn plant(folder: &Path, front: &[u8]) -> Result {
    let write = |path: PathBuf, bytes: Vec<u8>| {
        fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))
    };
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for (file, name) in CASES.iter().enumerate() {
        let path = run::root().join("core/tests").join(name);
        let text = fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        let cases: Vec<Value> =
            serde_json::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
        for (index, case) in cases.iter().enumerate() {
            let transcript = &case["transcript"];
            let text = transcript.as_str().map_or_else(|| transcript.to_string(), str::to_owned);
            write(folder.join(format!("{file}-{index}")), [front, text.as_bytes()].concat())?;
        }
    }
    Ok(())
}
