//! `cargo xtask bench`: measures what Pinfold costs.

use crate::run::Result;

/// Runs the benchmarks; `args` are the command line after `bench`.
pub(crate) fn bench(_args: &[&str]) -> Result {
    Err("bench is not built yet".to_owned())
}
