//! Node, npm, and the packages of `pkg/` and `web/`.

use std::fs;
use std::path::PathBuf;

use crate::run::{self, Result};

/// The oldest Node that Pinfold supports, and so the oldest it is built and tested with.
const OLDEST: u32 = 20;

/// Beside the installed packages: the lock file that they were installed from.
const STAMP: &str = ".installed-from";

/// Fails unless a Node is there that is new enough.
pub(crate) fn require() -> Result {
    let way_out = format!("Install Node {OLDEST} or newer (with npm) and run this again.");
    let version = run::capture(run::command("node").arg("--version"))
        .map_err(|why| format!("{why}\n{way_out}"))?;
    let major =
        version.trim_start_matches('v').split('.').next().and_then(|major| major.parse().ok());
    if major < Some(OLDEST) {
        return Err(format!("this Node is {version}. {way_out}"));
    }
    run::ok(format_args!("node {version}"));
    Ok(())
}

/// Installs the packages of a folder, unless they were installed from the very lock file that is there now.
pub(crate) fn install(folder: &str) -> Result {
    let path = run::root().join(folder);
    let stamp = path.join("node_modules").join(STAMP);
    let lock = fs::read(path.join("package-lock.json"))
        .map_err(|error| format!("{folder}/package-lock.json: {error}"))?;
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        run::ok(format_args!("npm packages of {folder}/"));
        return Ok(());
    }
    run::doing(format_args!("npm packages of {folder}/"));
    run::run(
        run::command(script("npm")).args(["ci", "--no-audit", "--no-fund"]).current_dir(&path),
    )?;
    fs::write(&stamp, lock).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// A program of a folder's packages.
pub(crate) fn bin(folder: &str, name: &str) -> PathBuf {
    run::root().join(folder).join("node_modules/.bin").join(script(name))
}

/// On Windows the programs that npm installs, and npm itself, are scripts with an extension.
fn script(name: &str) -> String {
    if cfg!(windows) { format!("{name}.cmd") } else { name.to_owned() }
}
