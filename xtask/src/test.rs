//! `cargo xtask test`: everything that must hold before a change lands.

use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::run::{self, Result};
use crate::setup::{self, Kit, Scope};
use crate::wasm_toolchain::{PROFILE, TARGET};
use crate::{browser, build};

/// One thing that must hold.
type Step = fn(&Kit) -> Result;

/// The steps, in the order in which they run: cheap ones and those that fail often come first.
const STEPS: [(&str, Step); 8] = [
    ("format", format),
    ("lints of the native crates", native_lints),
    ("lints of the wasm crates", wasm_lints),
    ("tests of the native crates", native_tests),
    ("documentation", documentation),
    ("core builds for wasm32", core_for_wasm),
    ("builds", builds),
    ("tests of the npm package and the page", node_tests),
];

/// Runs every check; the first that fails ends it.
pub(crate) fn test() -> Result {
    let kit = setup::setup(Scope::Everything)?;
    let mut times = Vec::new();
    for (name, step) in STEPS {
        run::heading(format_args!("test: {name}"));
        let start = Instant::now();
        step(&kit).map_err(|why| format!("the step \"{name}\" failed: {why}"))?;
        times.push((name, start.elapsed()));
    }
    summarise(&times);
    Ok(())
}

fn format(_: &Kit) -> Result {
    run::run(run::command("cargo").args(["fmt", "--all", "--check"]))
}

fn native_lints(_: &Kit) -> Result {
    run::run(run::command("cargo").args([
        "clippy",
        "--locked",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]))
}

fn wasm_lints(kit: &Kit) -> Result {
    if run::capture(kit.command("cargo")?.args(["clippy", "--version"])).is_err() {
        run::doing("skipped: the compiler for wasm32 on this machine has no clippy");
        return Ok(());
    }
    run::run(
        kit.command("cargo")?
            .args(["clippy", "--locked", "--profile", PROFILE, "--target", TARGET])
            .args(["--package", "pinfold-wasm", "--package", "pinfold-web"])
            .args(["--", "-D", "warnings"]),
    )
}

fn native_tests(_: &Kit) -> Result {
    run::run(run::command("cargo").args(["test", "--locked"]))?;
    // What the page thinks is plain Rust; without what shows it, it is built in seconds.
    run::run(
        run::command("cargo")
            .args(["test", "--locked", "--package", "pinfold-web", "--lib"])
            .arg("--no-default-features"),
    )
}

fn documentation(_: &Kit) -> Result {
    run::run(
        run::command("cargo")
            .args(["doc", "--locked", "--no-deps", "--package", "pinfold"])
            .env("RUSTDOCFLAGS", "-Dwarnings"),
    )
}

fn core_for_wasm(kit: &Kit) -> Result {
    run::run(kit.command("cargo")?.args([
        "build",
        "--locked",
        "--package",
        "pinfold",
        "--target",
        TARGET,
    ]))
}

fn builds(kit: &Kit) -> Result {
    build::package(kit)?;
    build::page(kit)
}

fn node_tests(kit: &Kit) -> Result {
    let mut node = run::command("node");
    node.arg("--test").args(test_files("pkg/tests")?).args(test_files("web/tests")?);
    if let Some(browser) = &kit.browser {
        node.env(browser::VARIABLE, browser);
    }
    run::run(&mut node)
}

/// The test files of a folder, by name: the oldest Node that we support has no patterns.
fn test_files(folder: &str) -> Result<Vec<PathBuf>> {
    let entries =
        fs::read_dir(run::root().join(folder)).map_err(|error| format!("{folder}: {error}"))?;
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| is_test(path)).collect();
    files.sort();
    Ok(files)
}

fn is_test(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".test.mjs")
}

fn summarise(times: &[(&str, Duration)]) {
    run::heading("summary");
    for (name, time) in times {
        run::ok(format_args!("{name} ({:.1} s)", time.as_secs_f32()));
    }
}
