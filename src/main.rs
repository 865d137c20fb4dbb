//! The `cubebase` command; see [`cubebase::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    cubebase::cli::main()
}
