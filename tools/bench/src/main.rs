//! Benches and slow differential checks against peers: Berkeley's minimizer, the figures of the established generator of
//! Syzygy files, and Fathom.
//!
//! Exit codes: 0 fine, 1 a check found a mismatch or a bound is exceeded, 2 usage, 3 any other error.

mod berkeley;
mod bitboards;
mod build;
mod c_interface;
mod command;
mod distances;
mod fathom;
mod functions;
mod generate;
mod huge;
mod plans;
mod probe;
mod process;
mod programs;
mod random;
mod stats;
mod table;

use clap::{Parser, Subcommand, ValueEnum};
use std::process::ExitCode;

/// Benches against peers.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Berkeley(command::Arguments),
    Build(build::Arguments),
    CInterface(c_interface::Arguments),
    Distances(distances::Arguments),
    Plans(plans::Arguments),
    Functions(functions::Arguments),
    Generate(generate::Arguments),
    Huge(huge::Arguments),
    Probe(probe::Arguments),
    Programs(programs::Arguments),
}

/// The output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Aligned columns.
    #[default]
    Text,
    /// Comma-separated values.
    Csv,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Berkeley(arguments) => command::run(&arguments),
        Command::Build(arguments) => build::run(&arguments),
        Command::CInterface(arguments) => c_interface::run(&arguments),
        Command::Distances(arguments) => distances::run(&arguments),
        Command::Plans(arguments) => plans::run(&arguments),
        Command::Functions(arguments) => functions::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Huge(arguments) => huge::run(&arguments),
        Command::Probe(arguments) => probe::run(&arguments),
        Command::Programs(arguments) => programs::run(&arguments),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(3)
        }
    }
}
