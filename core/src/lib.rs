#![no_std]
#![forbid(unsafe_code)]
//! Pinfold.
extern crate alloc;
