//! `cargo xtask corpus [--transcripts]`: measures Pinfold on a folder of real transcripts.
//!
//! One row a file (with `--transcripts` one row for each transcript in it). The last columns answer the
//! question why any of this is needed: of the cuts that "keep the last N entries" makes, how many would a
//! provider refuse?

use core::fmt::Write as _;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pinfold::fold::{Outcome, fold};
use pinfold::formats::{self, Document, ReadOptions};
use pinfold::plan::{Planner, Policy};
use pinfold::rules::{self, Code, Mode, Severity};
use pinfold::tokens::Counts;
use pinfold::transcript::{Role, Transcript};

use crate::run::Result;

/// Budgets tried for each transcript, as parts of its tokens.
const BUDGETS: u64 = 20;

/// Prints the table; `args` are the command line after `corpus`.
pub(crate) fn corpus(args: &[&str]) -> Result {
    let each = match args {
        [] => false,
        ["--transcripts"] => true,
        other => {
            return Err(format!("`corpus {}`: the only option is --transcripts", other.join(" ")));
        }
    };
    let root = std::env::var_os("PINFOLD_CORPUS")
        .ok_or("set PINFOLD_CORPUS to a folder of transcripts")?;
    let mut table = String::new();
    let mut total = Row::default();
    let mut formats: BTreeMap<String, Row> = BTreeMap::new();
    header(&mut table);
    for path in files(Path::new(&root))? {
        let text = load(&path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut file = Row { name: name.clone(), ..Row::default() };
        for document in formats::documents(&text).map_err(|error| format!("{name}: {error}"))? {
            let row = measure(&name, document);
            if each {
                row.write(&mut table);
            }
            file.add(&row);
        }
        if !each {
            file.write(&mut table);
        }
        total.add(&file);
        let sum = formats.entry(file.format.clone()).or_default();
        sum.name = format!("all of {}", file.format);
        sum.add(&file);
    }
    for row in formats.values() {
        row.write(&mut table);
    }
    total.name = "all".into();
    total.format = "-".into();
    total.write(&mut table);
    println!("{table}");
    println!(
        "refused: of every cut \"keep the last N entries\", 0 < N < all, the share that the provider's rules refuse:\n\
         bare, and with a summary put in front as a user entry. folds: budgets of 1/21 to 20/21 of the tokens at\n\
         which Pinfold folded (each proved by `verify`), or left it with a reason (fits, defer, stuck)."
    );
    if total.refused_folds > 0 {
        return Err(format!("{} folds were withheld by the proof", total.refused_folds));
    }
    Ok(())
}

/// Every transcript in the folders of `root`, in their order. What lies in `root` itself is about them.
pub(crate) fn files(root: &Path) -> Result<Vec<PathBuf>> {
    let list = |folder: &Path| {
        let entries =
            fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut inside: Vec<PathBuf> =
            entries.filter_map(|entry| entry.ok().map(|it| it.path())).collect();
        inside.sort();
        Ok::<_, String>(inside)
    };
    let mut found = Vec::new();
    for folder in list(root)?.into_iter().filter(|path| path.is_dir()) {
        found.append(&mut list(&folder)?);
    }
    if found.is_empty() {
        return Err(format!("{} holds no folder with transcripts", root.display()));
    }
    Ok(found)
}

/// The text of a file, in whatever encoding it is.
pub(crate) fn load(path: &Path) -> Result<String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (text, _) =
        formats::decode(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text.into_owned())
}

/// The transcript that consists of these entries, read as `whole` was.
pub(crate) fn read_like(whole: &Transcript, texts: &[&str]) -> Option<Transcript> {
    let list = format!("[{}]", texts.join(","));
    let options = ReadOptions {
        format: Some(whole.wire()),
        provider: Some(whole.provider()),
        ..ReadOptions::default()
    };
    formats::read(list.as_bytes(), options).ok()
}

#[derive(Default)]
struct Row {
    name: String,
    format: String,
    transcripts: usize,
    entries: usize,
    exchanges: usize,
    rounds: usize,
    boundaries: usize,
    illegal: usize,
    violations: usize,
    naive: usize,
    refused: usize,
    refused_with_summary: usize,
    folds: usize,
    left: [usize; 3],
    refused_folds: usize,
}

fn header(table: &mut String) {
    let _ = writeln!(
        table,
        "{:<52} {:<17} {:>5} {:>7} {:>9} {:>6} {:>8} {:>6} {:>8} {:>8} {:>6} {:>14}",
        "file",
        "format",
        "talks",
        "entries",
        "exchanges",
        "rounds",
        "illegal",
        "faults",
        "refused",
        "+summary",
        "folds",
        "fits/def/stuck"
    );
}

impl Row {
    fn write(&self, table: &mut String) {
        let percent = |part: usize, whole: usize| {
            if whole == 0 {
                "-".into()
            } else {
                format!("{:.0} %", 100.0 * part as f64 / whole as f64)
            }
        };
        let [fits, defer, stuck] = self.left;
        let _ = writeln!(
            table,
            "{:<52} {:<17} {:>5} {:>7} {:>9} {:>6} {:>8} {:>6} {:>8} {:>8} {:>6} {:>14}",
            self.name,
            self.format,
            self.transcripts,
            self.entries,
            self.exchanges,
            self.rounds,
            percent(self.illegal, self.boundaries),
            self.violations,
            percent(self.refused, self.naive),
            percent(self.refused_with_summary, self.naive),
            self.folds,
            format!("{fits}/{defer}/{stuck}"),
        );
    }

    fn add(&mut self, other: &Self) {
        if self.format.is_empty() {
            self.format.clone_from(&other.format);
        }
        self.transcripts += other.transcripts;
        self.entries += other.entries;
        self.exchanges += other.exchanges;
        self.rounds += other.rounds;
        self.boundaries += other.boundaries;
        self.illegal += other.illegal;
        self.violations += other.violations;
        self.naive += other.naive;
        self.refused += other.refused;
        self.refused_with_summary += other.refused_with_summary;
        self.folds += other.folds;
        self.refused_folds += other.refused_folds;
        for (mine, theirs) in self.left.iter_mut().zip(other.left) {
            *mine += theirs;
        }
    }
}

fn measure(name: &str, document: Document<'_>) -> Row {
    let label = format!("{name}, {}", document.label);
    let transcript = document.read();
    let planner = Planner::new(&transcript, Counts::of(&transcript));
    let mut row = Row {
        name: label,
        format: transcript.format().name().into(),
        transcripts: 1,
        entries: transcript.len(),
        exchanges: planner.structure.exchanges.len(),
        rounds: planner.structure.round_count(),
        boundaries: planner.cuts.len(),
        illegal: planner.cuts.illegal(),
        violations: rules::check(&transcript, &planner.structure, Mode::Log).len(),
        ..Row::default()
    };
    naive(&transcript, &mut row);
    let total = planner.counts.total();
    for step in 1..=BUDGETS {
        let policy = Policy::new(total * step / (BUDGETS + 1));
        match fold(&transcript, &planner, &policy) {
            Outcome::Folded(_) => row.folds += 1,
            Outcome::Left(decision) => match decision.name() {
                "fits" => row.left[0] += 1,
                "defer" => row.left[1] += 1,
                _ => row.left[2] += 1,
            },
            Outcome::Refused(_) => row.refused_folds += 1,
        }
    }
    row
}

/// Tries every "keep the last N entries", system entries kept, as the simplest trimming does.
fn naive(transcript: &Transcript, row: &mut Row) {
    let system = |entry: &usize| transcript.entries()[*entry].role == Role::System;
    let structure = pinfold::exchange::Structure::of(transcript);
    let known: BTreeSet<(Code, usize)> = rules::check(transcript, &structure, Mode::Log)
        .iter()
        .map(|it| (it.code, it.entry))
        .collect();
    let summary = formats::prompt(transcript.wire(), "Summary of what came before.");
    for cut in 1..transcript.len() {
        let kept: Vec<usize> = (0..cut).filter(system).chain(cut..transcript.len()).collect();
        let texts: Vec<&str> = kept.iter().map(|&entry| transcript.entry_text(entry)).collect();
        row.naive += 1;
        row.refused += usize::from(refuses(transcript, &texts, &kept, &known));
        let (front, back) = texts.split_at((0..cut).filter(system).count());
        let texts = [front, &[&*summary], back].concat();
        let kept: Vec<usize> = kept[..front.len()]
            .iter()
            .copied()
            .chain([usize::MAX])
            .chain(cut..transcript.len())
            .collect();
        row.refused_with_summary += usize::from(refuses(transcript, &texts, &kept, &known));
    }
}

/// Whether the list has a fault, known to be refused, that its entries had not in the whole transcript.
fn refuses(
    whole: &Transcript,
    texts: &[&str],
    kept: &[usize],
    known: &BTreeSet<(Code, usize)>,
) -> bool {
    let Some(cut) = read_like(whole, texts) else { return true };
    let structure = pinfold::exchange::Structure::of(&cut);
    rules::check(&cut, &structure, Mode::Log).iter().any(|violation| {
        violation.severity == Severity::Error
            && !known.contains(&(violation.code, kept[violation.entry]))
    })
}
