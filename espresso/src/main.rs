//! The `espresso` program: minimizes a function from the command line, and can replace Berkeley's program.
//!
//! Data goes to standard output, everything else to standard error. Exit codes: 0 fine, 1 a check found a mismatch, 2 usage,
//! 3 bad input or I/O, 4 internal, 130 interrupted.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    std::panic::catch_unwind(cli::run).unwrap_or(ExitCode::from(4))
}
