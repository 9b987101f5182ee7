//! The ledger: what binds the future is kept word for word.

pub mod pin;
pub mod state;
pub mod trigger;
