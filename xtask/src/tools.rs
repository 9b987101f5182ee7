//! The cargo tools that a build or the fuzzer needs, each at exactly one version.
//!
//! They live in a folder of the user's cache, one for each tool and version: a second clone finds them there, and whatever
//! the user has installed for other projects is left alone.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{self, Result};

/// Newer releases need a newer compiler than the pinned one.
const TRUNK: &str = "0.21.14";
const FUZZ: &str = "0.13.2";

/// A program that `cargo install` provides.
#[derive(Debug)]
pub(crate) struct Tool {
    package: &'static str,
    program: &'static str,
    version: String,
    flags: &'static [&'static str],
}

impl Tool {
    /// Trunk, which builds and serves the page.
    pub(crate) fn trunk() -> Self {
        Self {
            package: "trunk",
            program: "trunk",
            version: TRUNK.to_owned(),
            // Without optimisation it is built in half the time, and the time it spends is cargo's anyway.
            flags: &["--locked", "--debug", "--no-default-features", "--features", "rustls"],
        }
    }

    /// wasm-bindgen, which must be of the same version as the library in `Cargo.lock`.
    pub(crate) fn wasm_bindgen() -> Result<Self> {
        let path = run::root().join("Cargo.lock");
        let lock = fs::read_to_string(&path).map_err(|error| format!("Cargo.lock: {error}"))?;
        let version =
            locked_version(&lock, "wasm-bindgen").ok_or("Cargo.lock has no wasm-bindgen")?;
        let (package, program) = ("wasm-bindgen-cli", "wasm-bindgen");
        Ok(Self { package, program, version: version.to_owned(), flags: &[] })
    }

    /// cargo-fuzz, which builds and runs the targets of `core/fuzz`.
    pub(crate) fn cargo_fuzz() -> Self {
        let (package, program) = ("cargo-fuzz", "cargo-fuzz");
        Self { package, program, version: FUZZ.to_owned(), flags: &["--locked", "--debug"] }
    }

    fn is(&self, program: &Path) -> bool {
        run::capture(run::command(program).arg("--version"))
            .is_ok_and(|said| said.split_whitespace().nth(1) == Some(&self.version))
    }
}

/// Finds the tool or installs it.
pub(crate) fn ensure(tool: &Tool) -> Result<PathBuf> {
    let Tool { package, program, version, flags } = tool;
    if let Some(found) = run::on_path(program).filter(|found| tool.is(found)) {
        run::ok(format_args!("{program} {version} on PATH"));
        return Ok(found);
    }
    let folder = cache()?.join(format!("{package}-{version}"));
    let installed = folder.join("bin").join(format!("{program}{}", env::consts::EXE_SUFFIX));
    if tool.is(&installed) {
        run::ok(format_args!("{program} {version}"));
        return Ok(installed);
    }
    run::doing(format_args!(
        "{program} {version}: building it, once for this user (about two minutes)"
    ));
    let mut cargo = run::command("cargo");
    cargo.args(["install", package, "--version", version]).args(*flags).arg("--root").arg(&folder);
    run::run(&mut cargo)?;
    Ok(installed)
}

fn cache() -> Result<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("XDG_CACHE_HOME")
        .or_else(|| set("HOME").map(|home| home.join(".cache")))
        .or_else(|| set("LOCALAPPDATA"))
        .map(|cache| cache.join("pinfold/tools"))
        .ok_or_else(|| {
            "neither HOME nor XDG_CACHE_HOME is set: set one, the tools are kept below it"
                .to_owned()
        })
}

fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::locked_version;

    #[test]
    fn a_version_is_read_by_the_whole_name() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"1.0.0\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked_version(lock, "wasm"), None);
    }
}
