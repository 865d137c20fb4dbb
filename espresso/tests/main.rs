//! Tests of the crate from outside: the program, and the example PLAs of the Berkeley distribution.

mod berkeley;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod faults;
#[cfg(feature = "cli")]
mod oracle;
#[path = "../../tests/skip.rs"]
mod skip;
