#![no_std]
#![forbid(unsafe_code)]
//! Pinfold.
extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod cut;
pub mod digest;
pub mod estimator;
pub mod exchange;
pub mod fold;
pub mod formats;
mod json;
mod media;
pub mod note;
pub mod pairing;
pub mod plan;
pub mod rules;
pub mod tokens;
pub mod transcript;
pub mod verify;
