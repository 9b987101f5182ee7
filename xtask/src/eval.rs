//! `cargo xtask eval`: how much of what an agent needs next a fold leaves it, by several policies, on real transcripts.
//!
//! A session is cut off at twenty points and folded there. What its next ten calls then used is known: the strings in their
//! arguments that had occurred before, and the calls among them that had been made before. A good fold leaves them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use pinfold::exchange::Structure;
use pinfold::fold::{Outcome, fold};
use pinfold::formats::{self, ReadOptions};
use pinfold::plan::{Decision, Planner, Policy, Select};
use pinfold::rules::{self, Code, Mode, Severity};
use pinfold::tokens::Counts;
use pinfold::transcript::{PartKind, Role, Transcript};
use serde_json::Value;

use crate::corpus;
use crate::run::{self, Result};

/// Shorter sessions say little.
const LEAST_CALLS: usize = 30;
/// Sessions from so many rounds on are counted as large.
const LARGE: usize = 80;
const POINTS: usize = 20;
const AHEAD: usize = 10;
const BUDGETS: [u64; 3] = [10, 25, 50];

/// The policies, simplest first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Way {
    KeepLast,
    Exchanges,
    ClearResults,
    Recency,
    Liveness,
}

impl Way {
    const ALL: [Self; 5] =
        [Self::KeepLast, Self::Exchanges, Self::ClearResults, Self::Recency, Self::Liveness];

    fn name(self) -> &'static str {
        match self {
            Self::KeepLast => "keep the last N entries",
            Self::Exchanges => "whole exchanges only",
            Self::ClearResults => "clear old results",
            Self::Recency => "Pinfold, recency",
            Self::Liveness => "Pinfold, liveness",
        }
    }
}

/// What a policy left.
#[derive(Default)]
struct Left {
    strings: BTreeSet<String>,
    /// The results that are still there to be read.
    results: BTreeSet<String>,
    tokens: u64,
    refused: bool,
    /// Tokens of the note.
    note: u64,
}

/// Sums over many points.
#[derive(Clone, Copy, Default)]
struct Sums {
    points: usize,
    recall: f64,
    repeated: usize,
    repeated_there: usize,
    full: f64,
    overshoot: f64,
    refused: usize,
    over: usize,
    note: f64,
    /// Points at which the policy did nothing, for what reason ever.
    left: usize,
}

type Table = BTreeMap<(u64, Way), Sums>;

/// Prints the tables; `args` are the command line after `eval`.
pub(crate) fn eval(args: &[&str]) -> Result {
    let each = match args {
        [] => false,
        ["--sessions"] => true,
        other => {
            return Err(format!("`eval {}`: the only option is --sessions", other.join(" ")));
        }
    };
    let root = std::env::var_os("PINFOLD_CORPUS")
        .ok_or("set PINFOLD_CORPUS to a folder of transcripts")?;
    let (mut large, mut roomy, mut all) = (Table::new(), Table::new(), Table::new());
    for path in corpus::files(Path::new(&root))? {
        let text = corpus::load(&path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for document in formats::documents(&text).map_err(|error| format!("{name}: {error}"))? {
            let label = document.label.clone();
            let transcript = document.read();
            let structure = Structure::of(&transcript);
            if structure.pairing.calls.len() < LEAST_CALLS {
                continue;
            }
            let Tables { table, free } = session(&transcript, &structure);
            if each {
                print(&format!("{name}, {label}: {} calls", structure.pairing.calls.len()), &table);
            }
            let is_large = transcript.format().name() == "claude-code"
                && structure.pairing.calls.len() >= LARGE;
            for (key, sums) in table {
                all.entry(key).or_default().add(sums);
                if is_large {
                    large.entry(key).or_default().add(sums);
                }
            }
            for (key, sums) in free.into_iter().filter(|_| is_large) {
                roomy.entry(key).or_default().add(sums);
            }
        }
    }
    print(&format!("Claude Code sessions of {LARGE} calls and more"), &large);
    print("of these, points at which the floor is at most half of the budget", &roomy);
    print("all sessions", &all);
    Ok(())
}

fn print(title: &str, table: &Table) {
    run::heading(title);
    println!(
        "  {:<6} {:<24} {:>7} {:>12} {:>7} {:>10} {:>8} {:>6} {:>6} {:>6}",
        "budget",
        "policy",
        "recall",
        "repeats",
        "full",
        "overshoot",
        "refused",
        "over",
        "left",
        "note"
    );
    for (&(budget, way), sums) in table {
        let points = sums.points.max(1) as f64;
        println!(
            "  {:<6} {:<24} {:>7.3} {:>5} of {:>3} {:>6.0} % {:>10.2} {:>6.0} % {:>6} {:>6} {:>5.0} %",
            format!("{budget} %"),
            way.name(),
            sums.recall / points,
            sums.repeated_there,
            sums.repeated,
            100.0 * sums.full / points,
            sums.overshoot / points,
            100.0 * sums.refused as f64 / points,
            sums.over,
            sums.left,
            100.0 * sums.note / points,
        );
    }
}

impl Sums {
    fn add(&mut self, other: Self) {
        self.points += other.points;
        self.recall += other.recall;
        self.repeated += other.repeated;
        self.repeated_there += other.repeated_there;
        self.full += other.full;
        self.overshoot += other.overshoot;
        self.refused += other.refused;
        self.over += other.over;
        self.note += other.note;
        self.left += other.left;
    }
}

/// What a session gives.
#[derive(Default)]
struct Tables {
    /// At all its points.
    table: Table,
    /// At those at which there is something to choose: what no fold may take away is at most half of the budget.
    free: Table,
}

/// Folds a session at each point by each policy.
fn session(transcript: &Transcript, structure: &Structure) -> Tables {
    let mut tables = Tables::default();
    let rounds = structure.round_count();
    for point in 0..POINTS {
        // From a quarter of the session on, so that there is something to fold.
        let round = rounds * (POINTS + 3 * point) / (4 * POINTS);
        let Some(response) = structure.response(round) else { continue };
        let at = response.start;
        let Some(needs) = Needs::of(transcript, structure, at) else { continue };
        let texts: Vec<&str> = (0..at).map(|entry| transcript.entry_text(entry)).collect();
        let Some(before) = corpus::read_like(transcript, &texts) else { continue };
        let planner = Planner::new(&before, Counts::of(&before));
        let known = faults(&before, &planner.structure);
        let total = planner.counts.total();
        for budget in BUDGETS {
            if matches!(planner.plan(&Policy::new(total * budget / 100)), Decision::Stuck { .. }) {
                // What no fold may take away is more than the budget.
                continue;
            }
            let tokens = total * budget / 100;
            let floor: u64 = planner.floor().iter().map(|item| item.tokens).sum();
            for way in Way::ALL {
                let (left, idle) = leave(way, &before, &planner, &known, tokens);
                let there =
                    |strings: &BTreeSet<String>| needs.strings.intersection(strings).count();
                let read = needs.repeated.iter().filter(|&it| left.results.contains(it)).count();
                let sums = Sums {
                    points: 1,
                    // What is over the budget is no request.
                    recall: if left.tokens > tokens {
                        0.0
                    } else {
                        there(&left.strings) as f64 / needs.strings.len() as f64
                    },
                    repeated: needs.repeated.len(),
                    repeated_there: read,
                    full: left.tokens as f64 / tokens.max(1) as f64,
                    overshoot: total.saturating_sub(left.tokens) as f64
                        / total.saturating_sub(tokens).max(1) as f64,
                    refused: usize::from(left.refused),
                    over: usize::from(left.tokens > tokens),
                    note: left.note as f64 / tokens.max(1) as f64,
                    left: usize::from(idle),
                };
                tables.table.entry((budget, way)).or_default().add(sums);
                if floor <= tokens / 2 {
                    tables.free.entry((budget, way)).or_default().add(sums);
                }
            }
        }
    }
    tables
}

/// What the calls after a point used of what stands before it.
struct Needs {
    strings: BTreeSet<String>,
    /// The earlier results of calls that are made once more.
    repeated: Vec<String>,
}

impl Needs {
    fn of(transcript: &Transcript, structure: &Structure, at: usize) -> Option<Self> {
        let calls = &structure.pairing.calls;
        let next: Vec<usize> = (0..calls.len())
            .filter(|&call| calls[call].place.entry as usize >= at)
            .take(AHEAD)
            .collect();
        if next.len() < AHEAD / 2 {
            return None;
        }
        let mut entries: BTreeMap<String, usize> = BTreeMap::new();
        for entry in 0..at {
            for string in strings_in(transcript, entry..entry + 1) {
                *entries.entry(string).or_default() += 1;
            }
        }
        let place = |call: usize| calls[call].place;
        let part =
            |call: usize| &transcript.parts(place(call).entry as usize)[place(call).part as usize];
        let is_rare = |count: usize| count <= (at / 5).max(3);
        let mut strings = BTreeSet::new();
        let mut repeated = Vec::new();
        for &call in &next {
            let mut found = BTreeSet::new();
            arguments(&transcript.part_text(part(call)), &mut found);
            let rare = found.into_iter().filter(|it| entries.get(it).is_some_and(|&n| is_rare(n)));
            strings.extend(rare);
            let same = |earlier: usize| {
                transcript.part_text(part(earlier)) == transcript.part_text(part(call))
                    && transcript.call_name(part(earlier)) == transcript.call_name(part(call))
            };
            let earlier = (0..next[0]).rev().find(|&earlier| same(earlier));
            let answer = earlier.and_then(|earlier| calls[earlier].answer);
            repeated.extend(answer.map(|it| {
                let parts = transcript.parts(it.entry as usize);
                transcript.part_text(&parts[it.part as usize]).into_owned()
            }));
        }
        (!strings.is_empty()).then_some(Self { strings, repeated })
    }
}

/// What a policy leaves of `before` within `budget` tokens, and whether it did nothing.
fn leave(
    way: Way,
    before: &Transcript,
    planner: &Planner,
    known: &BTreeSet<(Code, String)>,
    budget: u64,
) -> (Left, bool) {
    let counts = &planner.counts;
    let len = before.len();
    let from = |start: usize| {
        let kept: Vec<usize> = (0..len)
            .filter(|&entry| entry >= start || before.entries()[entry].role == Role::System)
            .collect();
        let tokens = kept.iter().map(|&entry| u64::from(counts.entries[entry])).sum();
        let texts: Vec<&str> = kept.iter().map(|&entry| before.entry_text(entry)).collect();
        let mut left = Left { tokens, ..Left::default() };
        match corpus::read_like(before, &texts) {
            Some(after) => left.take(&after, known),
            None => left.refused = true,
        }
        left
    };
    match way {
        Way::KeepLast => {
            let mut tokens = 0;
            let fitting = (0..len).rev().take_while(|&entry| {
                tokens += u64::from(counts.entries[entry]);
                tokens <= budget
            });
            (from(fitting.last().unwrap_or(len)), false)
        }
        Way::Exchanges => {
            let starts = planner.structure.exchanges.iter().map(|it| it.entries.start);
            let fits = |&start: &usize| {
                counts.entries[start..].iter().map(|&it| u64::from(it)).sum::<u64>() <= budget
            };
            let newest = starts.clone().next_back().unwrap_or(0);
            (from(starts.clone().find(fits).unwrap_or(newest)), false)
        }
        Way::ClearResults => (cleared(before, planner, budget), false),
        Way::Recency | Way::Liveness => {
            let select = if way == Way::Recency { Select::Recency } else { Select::Liveness };
            // All of the budget, as the others do; a host leaves room to go on.
            let policy = Policy { select, target: Some(budget), ..Policy::new(budget) };
            match fold(before, planner, &policy) {
                Outcome::Folded(folded) => {
                    let note = u64::from(pinfold::estimator::estimate(&folded.note));
                    let mut left = Left { tokens: folded.report.after, note, ..Left::default() };
                    match formats::read(folded.text.as_bytes(), options(before)) {
                        Ok(after) => left.take(&after, known),
                        Err(_) => left.refused = true,
                    }
                    (left, false)
                }
                Outcome::Refused(broken) => {
                    println!("  withheld at a budget of {budget}: {broken:?}");
                    (from(0), true)
                }
                Outcome::Left(_) => (from(0), true),
            }
        }
    }
}

/// Replaces results, oldest first, until the rest fits; nothing else is touched.
fn cleared(before: &Transcript, planner: &Planner, budget: u64) -> Left {
    const CLEARED: u64 = 6;
    let mut tokens = planner.counts.total();
    let mut gone = BTreeSet::new();
    for (_, answer) in planner.structure.pairing.pairs() {
        if tokens <= budget {
            break;
        }
        let part = &before.parts(answer.entry as usize)[answer.part as usize];
        let cost = u64::from(pinfold::tokens::part_tokens(before, part));
        tokens = tokens.saturating_sub(cost.saturating_sub(CLEARED));
        gone.insert((answer.entry as usize, answer.part as usize));
    }
    let mut left = Left { tokens, ..Left::default() };
    for entry in 0..before.len() {
        for part in 0..before.parts(entry).len() {
            if !gone.contains(&(entry, part)) {
                left.part(before, entry, part);
            }
        }
    }
    left
}

impl Left {
    fn take(&mut self, after: &Transcript, known: &BTreeSet<(Code, String)>) {
        for entry in 0..after.len() {
            for part in 0..after.parts(entry).len() {
                self.part(after, entry, part);
            }
        }
        let found = faults(after, &Structure::of(after));
        self.refused = after.is_empty() || found.iter().any(|fault| !known.contains(fault));
    }

    fn part(&mut self, transcript: &Transcript, entry: usize, part: usize) {
        let part = &transcript.parts(entry)[part];
        let text = transcript.part_text(part);
        match part.kind {
            PartKind::Call { .. } => arguments(&text, &mut self.strings),
            PartKind::Text => strings(&text, &mut self.strings),
            PartKind::Result { .. } => {
                strings(&text, &mut self.strings);
                self.results.insert(text.into_owned());
            }
            _ => {}
        }
    }
}

/// What a provider refuses, by code and id.
fn faults(transcript: &Transcript, structure: &Structure) -> BTreeSet<(Code, String)> {
    let violations = rules::check(transcript, structure, Mode::Log).into_iter();
    let errors = violations.filter(|it| it.severity == Severity::Error);
    errors
        .map(|it| {
            let ids: Vec<&str> = it.ids.iter().map(|&id| transcript.id(id)).collect();
            (it.code, ids.join(" "))
        })
        .collect()
}

fn options(transcript: &Transcript) -> ReadOptions {
    ReadOptions {
        format: Some(transcript.wire()),
        provider: Some(transcript.provider()),
        ..ReadOptions::default()
    }
}

fn strings_in(transcript: &Transcript, entries: core::ops::Range<usize>) -> BTreeSet<String> {
    let mut left = Left::default();
    for entry in entries {
        for part in 0..transcript.parts(entry).len() {
            left.part(transcript, entry, part);
        }
    }
    left.strings
}

/// The strings in the arguments of a call.
fn arguments(json: &str, found: &mut BTreeSet<String>) {
    match serde_json::from_str(json) {
        Ok(Value::String(text)) => arguments(&text, found),
        Ok(value) => values(&value, found),
        Err(_) => strings(json, found),
    }
}

fn values(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => strings(text, found),
        Value::Array(items) => items.iter().for_each(|item| values(item, found)),
        Value::Object(members) => members.values().for_each(|value| values(value, found)),
        Value::Number(number) => strings(&number.to_string(), found),
        Value::Bool(_) | Value::Null => {}
    }
}

/// Ids, paths, symbols and numbers: runs of four and more characters with a digit, an inner sign or a hump. Written anew here,
/// so that the engine is not measured by its own ruler.
fn strings(text: &str, found: &mut BTreeSet<String>) {
    let is_inner =
        |c: char| matches!(c, '_' | '-' | '.' | '/' | ':' | '@' | '#' | '~' | '$' | '%' | '+');
    for run in text.split(|c: char| !(c.is_ascii_alphanumeric() || is_inner(c))) {
        let run = run.trim_matches(|c: char| matches!(c, '.' | ':' | '-' | '#' | '%' | '+'));
        let run = run.trim_end_matches(['@', '~', '$']);
        let humps = run.as_bytes().windows(2);
        let has_hump =
            humps.clone().any(|it| it[0].is_ascii_lowercase() && it[1].is_ascii_uppercase());
        let is_marked =
            run.chars().any(|c| c.is_ascii_digit() || matches!(c, '_' | '-' | '.' | '/' | ':'));
        if (4..=120).contains(&run.len()) && (has_hump || is_marked) {
            found.insert(run.to_string());
        }
    }
}
