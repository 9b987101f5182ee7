//! The ledger: what binds the future is kept word for word.

mod bytes;
mod fold;
mod lexicon;
mod literals;
mod markers;
pub mod pin;
mod quoted;
mod reader;
mod reading;
mod sentences;
pub mod state;
pub mod trigger;
mod words;
