//! `cargo xtask setup`: brings a machine that has Rust and Node to where everything else works.
//!
//! Every step looks before it acts, so that a second run costs a second and every other command can begin with this one.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use crate::run::{self, Result};
use crate::tools::{self, Tool};
use crate::wasm_toolchain::WasmToolchain;
use crate::{browser, node};

/// How much a command needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// To build the package and the page.
    Build,
    /// To test them too: the page's test packages and a browser.
    Everything,
}

/// What the set-up machine offers, for the commands that use it.
#[derive(Debug)]
pub(crate) struct Kit {
    /// The compiler for wasm32.
    pub(crate) wasm: WasmToolchain,
    /// `trunk` at the version that is known to work.
    pub(crate) trunk: PathBuf,
    /// `wasm-bindgen` at the version of `Cargo.lock`.
    pub(crate) wasm_bindgen: PathBuf,
    /// The browser of the page's tests; only with [`Scope::Everything`].
    pub(crate) browser: Option<PathBuf>,
}

/// Checks each thing that `scope` needs and installs what is missing.
pub(crate) fn setup(scope: Scope) -> Result<Kit> {
    run::heading("setup");
    node::require()?;
    let wasm = WasmToolchain::ensure()?;
    let trunk = tools::ensure(&Tool::trunk())?;
    let wasm_bindgen = tools::ensure(&Tool::wasm_bindgen()?)?;
    node::install("pkg")?;
    let browser = match scope {
        Scope::Build => None,
        Scope::Everything => {
            node::install("web")?;
            Some(browser::ensure()?)
        }
    };
    Ok(Kit { wasm, trunk, wasm_bindgen, browser })
}

impl Kit {
    /// A command that sees this kit's compiler for wasm32, and its tools before all others.
    pub(crate) fn command(&self, program: &str) -> Result<Command> {
        let mut command = run::command(program);
        self.wasm.configure(&mut command);
        command.env("PATH", self.path()?);
        Ok(command)
    }

    fn path(&self) -> Result<OsString> {
        let folders: Vec<PathBuf> =
            [&self.trunk, &self.wasm_bindgen, &node::bin("pkg", "wasm-opt")]
                .iter()
                .filter_map(|program| program.parent().map(PathBuf::from))
                .collect();
        run::path_with(&folders)
    }
}
