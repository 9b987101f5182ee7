//! The ledger: what binds the future is kept word for word.

mod fold;
mod lexicon;
mod literals;
pub mod pin;
mod quoted;
mod reading;
mod sentences;
pub mod state;
pub mod trigger;
mod words;
