//! The `espresso` program: minimizes a PLA from the command line, and can stand in for Berkeley's.
//!
//! Data goes to standard output, everything else to standard error. Exit codes: 0 fine, 1 a check found a
//! mismatch, 2 usage, 3 bad input or I/O, 4 internal.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    std::panic::catch_unwind(cli::run).unwrap_or(ExitCode::from(4))
}
