//! `cargo xtask corpus`: measures Pinfold on a folder of real transcripts.

use crate::run::Result;

/// Runs over the corpus; `args` are the command line after `corpus`.
pub(crate) fn corpus(_args: &[&str]) -> Result {
    Err("corpus is not built yet".to_owned())
}
