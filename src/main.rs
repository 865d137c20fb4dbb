//! The `cubebase` command; see [`cubebase::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    // The panic has been reported on standard error; it counts as an internal error.
    std::panic::catch_unwind(cubebase::cli::main).unwrap_or(ExitCode::from(4))
}
