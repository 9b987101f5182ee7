//! How xtask starts other programs and says what it is doing.

use core::fmt::Display;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What every step returns. The error is a sentence for a person: what failed, and the way out.
pub(crate) type Result<T = ()> = core::result::Result<T, String>;

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    // Cargo sets the variable for `cargo run`. The path compiled in would be wrong in a second clone that shares the
    // target folder.
    let manifest =
        env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&manifest).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// A command that runs in the workspace and does not inherit what `cargo run` told *this* program about itself.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    for (name, _) in env::vars_os() {
        if told_by_cargo_run(&name) {
            command.env_remove(name);
        }
    }
    command
}

/// Runs a command that prints to the terminal.
pub(crate) fn run(command: &mut Command) -> Result {
    println!("     $ {}", shown(command));
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", shown(command))) }
}

/// Runs a command silently and returns what it printed, without the last line's end.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(|error| not_started(command, &error))?;
    if !output.status.success() {
        return Err(format!("`{}` failed ({})", shown(command), output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

/// Announces a part of the work.
pub(crate) fn heading(what: impl Display) {
    println!("\n=== {what}");
}

/// Says that something needs no work.
pub(crate) fn ok(what: impl Display) {
    println!("  ok {what}");
}

/// Says what is being done now.
pub(crate) fn doing(what: impl Display) {
    println!("  .. {what}");
}

/// The first program of that name on `PATH`.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(&file))
        .find(|program| program.is_file())
}

/// `PATH` with the folders given in front.
pub(crate) fn path_with(folders: &[PathBuf]) -> Result<OsString> {
    let inherited = env::var_os("PATH").unwrap_or_default();
    env::join_paths(folders.iter().cloned().chain(env::split_paths(&inherited)))
        .map_err(|error| format!("a folder cannot be put on PATH: {error}"))
}

fn told_by_cargo_run(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    matches!(name, "CARGO" | "CARGO_MANIFEST_DIR" | "CARGO_MANIFEST_PATH" | "OUT_DIR")
        || name.starts_with("CARGO_PKG_")
}

fn not_started(command: &Command, error: &std::io::Error) -> String {
    format!("`{}` could not be started: {error}", shown(command))
}

/// The command as a person would type it, with paths inside the workspace made relative to it.
fn shown(command: &Command) -> String {
    let root = root();
    core::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| {
            let path = Path::new(word);
            path.strip_prefix(&root).unwrap_or(path).display().to_string()
        })
        .collect::<Vec<_>>()
        .join(" ")
}
