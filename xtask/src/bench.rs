//! `cargo xtask bench`: measures what Pinfold costs, as ratios in one run. Nothing here fails for being slow.

use core::hint::black_box;
use core::time::Duration;
use std::time::Instant;

use pinfold::{Counts, Planner, Policy, ReadOptions};

use crate::build;
use crate::run::{self, Result};
use crate::setup::{self, Scope};
use crate::{bench_ledger, bench_session};

/// Runs the benchmarks; `args` are the command line after `bench`.
pub(crate) fn bench(args: &[&str]) -> Result {
    match args {
        [] => {}
        // A debug build would measure the debugger's comfort.
        ["replan"] => return replan(),
        ["ledger"] if cfg!(debug_assertions) => return released("ledger"),
        ["ledger"] => return bench_ledger::ledger(),
        ["session"] if cfg!(debug_assertions) => return released("session"),
        ["session"] => return bench_session::session(),
        other => {
            return Err(format!(
                "`bench {}`: the only options are ledger and session",
                other.join(" ")
            ));
        }
    }
    let kit = setup::setup(Scope::Build)?;
    build::package(&kit)?;
    run::heading("on Node, in wasm");
    for measured in ["costs", "session"] {
        let script = run::root().join(format!("pkg/bench/{measured}.mjs"));
        run::run(run::command("node").arg(script))?;
    }
    run::heading("native, one core");
    released("replan")?;
    released("session")
}

/// Runs one of the native benchmarks in a release build.
fn released(what: &str) -> Result {
    run::run(run::command("cargo").args([
        "run",
        "--release",
        "--package",
        "xtask",
        "--",
        "bench",
        what,
    ]))
}

/// Times a new plan for a new budget at 1,000 and at 100,000 entries.
fn replan() -> Result {
    const BUDGETS: u64 = 10_000;
    let mut times = Vec::new();
    for entries in [1_000, 100_000] {
        let text = long_talk(entries);
        let (reading, transcript) =
            timed(|| pinfold::read(text.as_bytes(), ReadOptions::default()));
        let transcript = transcript.map_err(|error| error.to_string())?;
        let (preparing, planner) = timed(|| Planner::new(&transcript, Counts::of(&transcript)));
        let total = planner.counts.total();
        let (planning, folds) = timed(|| {
            let policies = (0..BUDGETS).map(|step| Policy::new(total * step / BUDGETS));
            policies.filter(|policy| black_box(planner.plan(policy)).name() == "fold").count()
        });
        let each = planning / BUDGETS as u32;
        println!(
            "  {entries:>7} entries, {:>5.1} MB: read {:>7.1} ms, prepare {:>7.1} ms, replan {:>6.2} µs ({folds} of {BUDGETS} fold)",
            text.len() as f64 / 1e6,
            millis(reading),
            millis(preparing),
            millis(each) * 1e3,
        );
        times.push(millis(each));
    }
    println!("  replan at 100,000 entries ÷ at 1,000: {:.2}", times[1] / times[0]);
    Ok(())
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let value = work();
    (start.elapsed(), value)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A session of that many entries: a prompt for every twenty rounds, results of every size up to 2 kB.
fn long_talk(entries: usize) -> String {
    let mut list: Vec<String> = Vec::with_capacity(entries);
    while list.len() < entries {
        let at = list.len();
        if at.is_multiple_of(41) {
            list.push(format!(
                r#"{{"role":"user","content":"Please look at part {at} of the work."}}"#
            ));
            continue;
        }
        let output = "a line of output with a path src/lib.rs\\n".repeat(1 + at * 7 % 50);
        list.push(format!(
            r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"t{at}","name":"bash","input":{{"command":"step {at}"}}}}]}}"#
        ));
        list.push(format!(
            r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{at}","content":"{output}"}}]}}"#
        ));
    }
    format!("[{}]", list.join(","))
}
