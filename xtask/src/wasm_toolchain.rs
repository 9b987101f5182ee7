//! Which compiler builds for wasm32, and how a command is told to use it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{self, Result};
use crate::wasm_std;

/// The target of the package and the page.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The profile of `Cargo.toml` for it. The checks use it too: most of their work is then done when the build begins.
pub(crate) const PROFILE: &str = "wasm";

/// The rustup name of the fallback compiler.
pub(crate) const LINKED: &str = "pinfold-wasm";

/// A compiler that has the standard library of wasm32.
#[derive(Clone, Debug)]
pub(crate) enum WasmToolchain {
    /// The pinned toolchain itself, with the target that rustup adds to it.
    Pinned,
    /// The system's compiler, linked into rustup as [`LINKED`]. It comes without a linker for wasm32 and borrows the
    /// pinned toolchain's.
    Linked { linker: PathBuf },
}

impl WasmToolchain {
    /// Finds the compiler, or installs one: the ordinary way first.
    pub(crate) fn ensure() -> Result<Self> {
        if let Some(found) = Self::find() {
            run::ok(format_args!("wasm compiler: {}", found.says()));
            return Ok(found);
        }
        run::doing(format_args!("wasm target: rustup target add {TARGET}"));
        let ordinary = run::run(run::command("rustup").args(["target", "add", TARGET]));
        if ordinary.is_ok()
            && let Some(found) = Self::find()
        {
            return Ok(found);
        }
        run::doing(
            "wasm target: rustup could not; trying the system's compiler with a standard library built here",
        );
        wasm_std::install().map_err(|why| format!("{why}\n\n{WAY_OUT}"))?;
        Self::find()
            .ok_or_else(|| format!("no compiler for {TARGET} after installing one\n\n{WAY_OUT}"))
    }

    /// Tells a command (cargo, or one that calls cargo) to use this compiler.
    ///
    /// It also gets a target folder of its own: two compilers in one folder would throw away each other's work.
    pub(crate) fn configure(&self, command: &mut Command) {
        command.env("CARGO_TARGET_DIR", target_dir());
        if let Self::Linked { linker } = self {
            command
                .env("RUSTUP_TOOLCHAIN", LINKED)
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
                // `cargo run` put the libraries of the pinned compiler here.
                .env_remove("LD_LIBRARY_PATH");
        }
    }

    fn find() -> Option<Self> {
        let sysroot = pinned_sysroot().ok()?;
        if wasm_std::is_in(&sysroot) {
            return Some(Self::Pinned);
        }
        let linker = pinned_linker().ok().filter(|linker| linker.is_file())?;
        let rustc =
            run::capture(run::command("rustup").args(["run", LINKED, "rustc", "--version"]))
                .ok()?;
        wasm_std::is_built_for(&rustc).then_some(Self::Linked { linker })
    }

    fn says(&self) -> String {
        match self {
            Self::Pinned => format!("the pinned toolchain has {TARGET}"),
            Self::Linked { .. } => format!("toolchain {LINKED} (the system's), linked by rust-lld"),
        }
    }
}

/// The target folder of everything built for wasm32.
pub(crate) fn target_dir() -> PathBuf {
    run::root().join("target/wasm")
}

/// The pinned toolchain's linker for wasm32.
pub(crate) fn pinned_linker() -> Result<PathBuf> {
    let about = run::capture(run::command("rustc").arg("-vV"))?;
    let host = about
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .ok_or("`rustc -vV` names no host")?;
    let linker = format!("lib/rustlib/{host}/bin/rust-lld{}", std::env::consts::EXE_SUFFIX);
    Ok(pinned_sysroot()?.join(linker))
}

fn pinned_sysroot() -> Result<PathBuf> {
    run::capture(run::command("rustc").args(["--print", "sysroot"]))
        .map(|sysroot| Path::new(&sysroot).to_path_buf())
        .map_err(|why| format!("{why}\nInstall Rust with rustup first."))
}

const WAY_OUT: &str = "\
There is no compiler for wasm32-unknown-unknown. Any one of these gives one:
  rustup target add wasm32-unknown-unknown       (needs the network that rustup downloads from)
  sudo apt-get install rustc-web cargo-web rust-web-src, then, as root: cargo xtask setup";
