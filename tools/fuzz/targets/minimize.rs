#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| cubebase_fuzz::minimize(bytes));
