#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pinfold_fuzz::session(bytes));
