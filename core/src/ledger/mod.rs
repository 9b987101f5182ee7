//! The ledger: what binds the future is kept word for word.

mod book;
mod directory;
mod git;
mod handles;
mod pages;
mod pair;
pub mod pin;
mod recognisers;
mod recorded;
mod shell;
pub mod state;
mod steps;
pub mod trigger;
