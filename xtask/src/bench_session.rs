//! `cargo xtask bench session`: what a session costs while it grows, in time and in memory.

use core::hint::black_box;
use std::alloc::System;
use std::time::Instant;

use pinfold::fold::Outcome;
use pinfold::ledger::{Ledger, Options};
use pinfold::plan::Select;
use pinfold::transcript::Format;
use pinfold::{Policy, Session};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

use crate::run::{self, Result};

/// Counts what a session holds. The other commands of this tool do not notice.
#[global_allocator]
static HEAP: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How many entries are pushed at each length to tell what one costs.
const PUSHED: usize = 4_000;

/// Prints the cost of a push, of a new plan, of a fold, and the memory of a session.
pub(crate) fn session() -> Result {
    for (what, scale) in [("about 0.6 kB an entry", 1), ("about 1.6 kB an entry", 3)] {
        run::heading(format_args!("a session, {what}"));
        let mut each = Vec::new();
        for length in [1_000, 100_000] {
            each.push(grown(length, scale)?);
        }
        println!("  push at 100,000 entries ÷ at 1,000: {:.2}", each[1] / each[0]);
        folded(10_000, scale)?;
    }
    Ok(())
}

/// Grows a session to `length` entries; gives what the push of one more costs, in µs.
fn grown(length: usize, scale: usize) -> Result<f64> {
    let entries: Vec<String> = (0..length + PUSHED).map(|at| entry(at, scale)).collect();
    let heap = Region::new(HEAP);
    let mut session = session_of(&entries[..length])?;
    let held = heap.change();
    let held = held.bytes_allocated as f64 - held.bytes_deallocated as f64;
    let size = session.transcript().text().len();
    let mut times = Vec::new();
    let mut plans = Vec::new();
    for (at, entry) in entries[length..].iter().enumerate() {
        let start = Instant::now();
        session.push(entry).map_err(|error| error.to_string())?;
        times.push(start.elapsed().as_secs_f64() * 1e6);
        if at.is_multiple_of(20) {
            let total = session.planner().counts.total();
            let start = Instant::now();
            black_box(session.plan(&Policy::new(total * (at as u64 + 1) / PUSHED as u64)));
            plans.push(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    // Of the means of many a hundred, so that a slow moment of the machine counts for one.
    let means = times.chunks(100).map(|some| some.iter().sum::<f64>() / some.len() as f64);
    let (push, replan) = (median(means.collect()), median(plans));
    println!(
        "  {length:>7} entries, {:>5.1} MB of text: push {push:>6.2} µs, replan {replan:>6.2} µs, memory ÷ text {:.2}",
        size as f64 / 1e6,
        held / size as f64,
    );
    Ok(push)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Times the fold of a session of `length` entries, without excerpts and with them.
fn folded(length: usize, scale: usize) -> Result {
    let entries: Vec<String> = (0..length).map(|at| entry(at, scale)).collect();
    let mut times = Vec::new();
    for select in [Select::Recency, Select::Liveness] {
        let mut each = Vec::new();
        let mut what = (0, 0);
        for _ in 0..3 {
            let mut session = session_of(&entries)?;
            let total = session.planner().counts.total();
            let policy = Policy { select, ..Policy::new(total / 4) };
            let start = Instant::now();
            let outcome = session.fold(&policy);
            each.push(start.elapsed().as_secs_f64() * 1e3);
            let Outcome::Folded(folded) = outcome else { return Err("it was not folded".into()) };
            what = (folded.fold.entries, folded.report.excerpts.len());
        }
        times.push(median(each));
        println!(
            "  fold of {} of {length} entries by {}, {} excerpts, with its proof: {:.0} ms",
            what.0,
            select.name(),
            what.1,
            times[times.len() - 1]
        );
    }
    println!("  liveness ÷ recency: {:.2}", times[1] / times[0]);
    Ok(())
}

fn session_of(entries: &[String]) -> Result<Session> {
    let ledger = Ledger::new(Options::default());
    let session = Session::new(Format::Anthropic, ledger);
    let mut session = session.map_err(|error| error.to_string())?;
    for entry in entries {
        session.push(entry).map_err(|error| error.to_string())?;
    }
    Ok(session)
}

/// Entry `at` of a session: a prompt for every twenty rounds, results of every size.
fn entry(at: usize, scale: usize) -> String {
    let within = at % 41;
    if within == 0 {
        let rule = if at.is_multiple_of(4100) { " Never push to main." } else { "" };
        return format!(
            r#"{{"role":"user","content":"Please look at part {at} of the work.{rule}"}}"#
        );
    }
    if within % 2 == 1 {
        return format!(
            r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"toolu_{at}","name":"bash","input":{{"command":"step {at}"}}}}]}}"#
        );
    }
    let line = |line| match line % 5 {
        // As in real output, some lines have a name that stands nowhere else.
        0 => format!("a line of output with a path src/part_{at}_{line}.rs\\n"),
        _ => "a line of output with a path src/lib.rs\\n".into(),
    };
    let output: String = (0..scale * (1 + at * 7 % 50)).map(line).collect();
    let call = at - 1;
    format!(
        r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"toolu_{call}","content":"{output}"}}]}}"#
    )
}
