//! A standard library for wasm32 on machines where rustup can download none.
//!
//! Debian's `rustc-web` follows the newest compilers but ships no library for `wasm32-unknown-unknown`. Its source package
//! has what is needed to build one, which takes a minute or two and then serves every project on the machine.

use std::fs;
use std::path::{Path, PathBuf};

use crate::debian;
use crate::run::{self, Result};
use crate::wasm_toolchain::{LINKED, TARGET, pinned_linker};

const PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "rust-web-clippy"];

/// Debian installs the compiler under this prefix, which is therefore its sysroot.
const PREFIX: &str = "/usr";

/// Beside the library: the compiler that built it. Another one cannot read it.
const STAMP: &str = "built-by";

/// Whether a toolchain has the library.
pub(crate) fn is_in(sysroot: &Path) -> bool {
    fs::read_dir(library(sysroot)).is_ok_and(|entries| {
        entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
    })
}

/// Whether the library that [`install`] makes is there and was built by this very compiler.
pub(crate) fn is_built_for(rustc: &str) -> bool {
    is_in(Path::new(PREFIX))
        && fs::read_to_string(library(Path::new(PREFIX)).join(STAMP)).is_ok_and(|by| by == rustc)
}

/// Installs the system's compiler, builds the library for it, and links it into rustup.
pub(crate) fn install() -> Result {
    debian::install(&PACKAGES)?;
    let rustc = version_of_system_rustc()?;
    run::doing(format_args!("standard library for {TARGET}, built by {rustc} (a minute or two)"));
    let built = build()?;
    copy(&built, &rustc)?;
    run::run(run::command("rustup").args(["toolchain", "link", LINKED, PREFIX]))
}

fn version_of_system_rustc() -> Result<String> {
    let version = run::capture(run::command(Path::new(PREFIX).join("bin/rustc")).arg("--version"))?;
    let needed = env!("CARGO_PKG_RUST_VERSION");
    let minor = |dotted: &str| dotted.split('.').nth(1).and_then(|part| part.parse::<u32>().ok());
    let found = version.split(' ').nth(1).and_then(minor);
    if found < minor(needed) {
        return Err(format!("the system's compiler is {version}, and Pinfold needs {needed}"));
    }
    Ok(version)
}

/// Builds an empty crate together with the library, and returns the folder that then holds the library's parts.
fn build() -> Result<PathBuf> {
    let seed = run::root().join("target/wasm-std");
    let write = |path: &str, text: &str| write(&seed.join(path), text);
    write("src/lib.rs", "#![no_std]\n")?;
    write("Cargo.toml", "[package]\nname = \"seed\"\nedition = \"2024\"\n\n[workspace]\n")?;
    let output = seed.join("target");
    if output.exists() {
        // A part left by an older compiler would be copied along.
        fs::remove_dir_all(&output).map_err(|error| format!("{}: {error}", output.display()))?;
    }
    let bin = Path::new(PREFIX).join("bin");
    let mut cargo = run::command(bin.join("cargo"));
    cargo
        .args(["build", "--release", "--target", TARGET])
        .arg("-Zbuild-std=std,panic_abort,proc_macro,test")
        .current_dir(&seed)
        .env("RUSTC", bin.join("rustc"))
        .env("RUSTC_BOOTSTRAP", "1")
        // Without bitcode in the library, a build with link-time optimisation has nothing to optimise.
        .env("RUSTFLAGS", "-Cembed-bitcode=yes")
        .env("CARGO_TARGET_DIR", &output)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", pinned_linker()?)
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("LD_LIBRARY_PATH");
    run::run(&mut cargo)?;
    Ok(output.join(TARGET).join("release/deps"))
}

/// Copies into a folder beside the final one and renames it, so that an interrupted copy is never taken for a library.
fn copy(built: &Path, rustc: &str) -> Result {
    let library = library(Path::new(PREFIX));
    let partial = library.with_extension("partial");
    let failed = |error: std::io::Error| format!("{}: {error}\nIs this root?", library.display());
    for folder in [&partial, &library] {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(failed)?;
        }
    }
    fs::create_dir_all(&partial).map_err(failed)?;
    for entry in fs::read_dir(built).map_err(failed)?.flatten() {
        let part = entry.path();
        let is_seed = entry.file_name().to_string_lossy().starts_with("libseed-");
        if part.extension().is_some_and(|kind| kind == "rlib") && !is_seed {
            fs::copy(&part, partial.join(entry.file_name())).map_err(failed)?;
        }
    }
    write(&partial.join(STAMP), rustc)?;
    fs::rename(&partial, &library).map_err(failed)
}

fn library(sysroot: &Path) -> PathBuf {
    sysroot.join("lib/rustlib").join(TARGET).join("lib")
}

fn write(path: &Path, text: &str) -> Result {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}
