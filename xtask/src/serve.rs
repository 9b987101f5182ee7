//! `cargo xtask serve`: the page on this machine.

use crate::build;
use crate::run::{self, Result};
use crate::setup::{self, Scope};

/// Where the page is served unless the command line names another port.
pub(crate) const DEFAULT_PORT: u16 = 8080;

/// Builds the page, serves it, and builds it again when a source changes, until interrupted.
pub(crate) fn serve(port: u16) -> Result {
    let kit = setup::setup(Scope::Build)?;
    run::heading(format_args!(
        "serve: http://127.0.0.1:{port} once the page is built (Ctrl-C ends it)"
    ));
    build::fetch(&kit)?;
    let port = port.to_string();
    run::run(kit.command("trunk")?.args(["serve", "--release", "--port", &port]))
}

/// Reads the value of `--port`.
pub(crate) fn parse_port(text: &str) -> Result<u16> {
    text.parse().map_err(|_| format!("`{text}` is not a port: it must be a number from 0 to 65535"))
}
