//! The C libraries from outside: their header, C programs that are compiled and run with them, and hostile arguments.

mod compiled;
mod fathom;
mod header;
mod hostile;
mod positions;
mod programs;
#[path = "../../../tests/skip.rs"]
mod skip;
