//! The ledger: what binds the future is kept word for word.

mod book;
mod directory;
mod git;
mod pair;
pub mod pin;
mod recognisers;
mod shell;
pub mod state;
pub mod trigger;
