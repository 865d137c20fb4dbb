//! Tests of the C libraries: the headers, C programs compiled and run with them, and invalid arguments.

mod compiled;
mod espresso;
mod fathom;
mod header;
mod hostile;
mod positions;
mod programs;
#[path = "../../bench/src/random.rs"]
mod random;
#[path = "../../../tests/skip.rs"]
mod skip;
