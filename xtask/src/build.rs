//! `cargo xtask build`: the npm package into `pkg/dist`, the page into `dist`.

use crate::node;
use crate::run::{self, Result};
use crate::setup::{self, Kit, Scope};
use crate::wasm_toolchain::{PROFILE, TARGET, target_dir};

/// What the optimiser may use, by name: its `--all-features` makes modules that Node 20 cannot load.
///
/// `index.html` repeats the list for the page; a test compares the two.
pub(crate) const WASM_FEATURES: [&str; 8] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Builds everything that can be built.
pub(crate) fn build() -> Result {
    let kit = setup::setup(Scope::Build)?;
    package(&kit)?;
    page(&kit)
}

/// Builds the npm package: the wasm and its glue into `pkg/wasm`, then everything for users into `pkg/dist`.
pub(crate) fn package(kit: &Kit) -> Result {
    run::heading("npm package");
    run::run(
        kit.command("cargo")?
            .args(["build", "--locked", "--profile", PROFILE, "--target", TARGET])
            .args(["--package", "pinfold-wasm"]),
    )?;
    let output = run::root().join("pkg/wasm");
    run::run(
        kit.command("wasm-bindgen")?
            .args(["--target", "web", "--out-name", "pinfold", "--omit-default-module-path"])
            .arg("--out-dir")
            .arg(&output)
            .arg(target_dir().join(TARGET).join(PROFILE).join("pinfold_wasm.wasm")),
    )?;
    let module = output.join("pinfold_bg.wasm");
    run::run(
        run::command(node::bin("pkg", "wasm-opt"))
            .arg("-Os")
            .args(WASM_FEATURES)
            .arg(&module)
            .arg("-o")
            .arg(&module),
    )?;
    run::run(run::command("node").arg(run::root().join("pkg/build.mjs")))
}

/// Builds the page as it is published.
pub(crate) fn page(kit: &Kit) -> Result {
    run::heading("page");
    fetch(kit)?;
    run::run(kit.command("trunk")?.args(["build", "--release"]))
}

/// Downloads the crates, which Trunk does not: it runs offline, so as never to fetch a tool of its own.
pub(crate) fn fetch(kit: &Kit) -> Result {
    run::run(kit.command("cargo")?.args(["fetch", "--locked", "--target", TARGET]))
}

#[cfg(test)]
mod tests {
    use super::WASM_FEATURES;

    #[test]
    fn the_page_is_optimised_with_the_same_features() {
        let html = include_str!("../../index.html");
        assert!(html.contains(&format!("data-wasm-opt-params=\"{}\"", WASM_FEATURES.join(" "))));
    }
}
