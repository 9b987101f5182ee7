//! The only tool a contributor must know: `cargo xtask setup | serve | build | test | bench | corpus | eval | fuzz | peers | rules`.
//!
//! Each command first does what it needs, so `cargo xtask serve` and `cargo xtask test` are right on a machine that has
//! nothing but Rust and Node. Whatever takes time says so: children print to the terminal as they go.

#![expect(clippy::print_stdout, reason = "a command-line tool talks to its terminal")]

mod bench;
mod bench_ledger;
mod bench_session;
mod browser;
mod build;
mod corpus;
mod debian;
mod eval;
mod fuzz;
#[path = "../../core/tests/ledger/labelled.rs"]
mod labelled;
mod node;
mod peers;
mod rules;
mod run;
mod serve;
mod setup;
mod test;
mod tidy;
mod tools;
mod wasm_std;
mod wasm_toolchain;

use std::process::ExitCode;

use run::Result;
use setup::Scope;

const USAGE: &str = "\
usage: cargo xtask <command>

  setup            install what is missing: wasm target, trunk, wasm-bindgen, npm packages, a browser
  serve [--port N] build the page and serve it at http://127.0.0.1:8080
  build            build the npm package into pkg/dist and the page into dist
  test             format, lints, tests, docs, both builds, and the tests of both
  bench            measure what Pinfold costs
  bench ledger     measure what the trigger of the ledger finds, flags and costs
  bench session    measure what a session costs while it grows, in time and in memory
  corpus           measure Pinfold on a folder of real transcripts
  eval             measure what folds leave of what an agent needs next, on the same
  fuzz [target] [--seconds N]
                   look for bytes that break what must hold of any
  peers            put what Pinfold writes to other libraries' own checks
  rules            write docs/rules.md from the tables of the rules

Rust (rustup) and Node 20 or newer must be there; each command sets up the rest first.";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("\nxtask: {why}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[&str]) -> Result {
    match args {
        ["setup"] => setup::setup(Scope::Everything).map(drop),
        ["serve"] => serve::serve(serve::DEFAULT_PORT),
        ["serve", "--port", port] => serve::serve(serve::parse_port(port)?),
        ["build"] => build::build(),
        ["test"] => test::test(),
        ["bench", rest @ ..] => bench::bench(rest),
        ["corpus", rest @ ..] => corpus::corpus(rest),
        ["eval", rest @ ..] => eval::eval(rest),
        ["fuzz", rest @ ..] => fuzz::fuzz(rest),
        ["peers"] => peers::peers(),
        ["rules"] => std::fs::write(run::root().join(rules::PATH), rules::page())
            .map_err(|error| format!("{}: {error}", rules::PATH)),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        [] => Err(format!("which command?\n\n{USAGE}")),
        other => Err(format!("`{}` is not a command\n\n{USAGE}", other.join(" "))),
    }
}
