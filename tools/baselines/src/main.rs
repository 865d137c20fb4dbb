//! A harness for representations of tables: arrays, static functions, decision diagrams, two-level logic, our trees, and
//! Syzygy's files. All are made from the same outcome tables, except Syzygy's, checked on every legal position, and measured.
//!
//! Exit status: 0 fine, 1 lines of a record disagree, 2 usage, 3 a wrong answer or any other error.

mod arrays;
#[path = "../../bench/src/bitboards.rs"]
mod bitboards;
mod cells;
mod check;
mod clauses;
mod dag;
mod diagram;
mod measure;
mod mtbdd;
mod page;
#[path = "../../bench/src/random.rs"]
mod random;
mod representation;
mod run;

use anyhow::{Context, Result, ensure};
use clap::{Args, Parser, Subcommand};
use cubebase::Material;
use cubebase::cli::baselines;
use representation::{Kind, Settings};
use run::{Limits, Run};
use std::path::PathBuf;
use std::process::ExitCode;

/// Store tables in every representation and measure each.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measure the missing lines of a record and append them.
    #[command(
        after_help = "Example: cubebase-baselines run --tables wdl --record baselines.csv --syzygy syzygy --jobs 2"
    )]
    Run(RunArguments),
    /// Measure one table in one representation, and print its line.
    One {
        representation: Kind,
        material: String,
        #[command(flatten)]
        source: Source,
    },
    /// Check that all lines of a record agree about the positions of a table.
    Check { record: PathBuf },
    /// Write the figures of a record between the marks of a page.
    Page { record: PathBuf, page: PathBuf },
}

#[derive(Debug, Args)]
struct Source {
    /// Directory of outcome tables.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Directories of Syzygy files.
    #[arg(long, value_name = "DIR")]
    syzygy: Vec<PathBuf>,
    /// Effort of our minimizers.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=4))]
    effort: u8,
    /// Random positions of a warm pass.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
}

impl Source {
    fn settings(&self) -> Settings {
        Settings { syzygy: self.syzygy.clone(), effort: self.effort, positions: self.positions }
    }
}

#[derive(Debug, Args)]
struct RunArguments {
    /// Materials; all of up to four men by default.
    #[arg(value_name = "MATERIAL")]
    materials: Vec<String>,
    /// All tables of up to N men.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=4))]
    #[arg(conflicts_with = "materials")]
    men: u8,
    #[command(flatten)]
    source: Source,
    /// CSV file of the figures, created if missing.
    #[arg(long, value_name = "FILE")]
    record: PathBuf,
    /// Representations; all by default, Syzygy if there are files.
    #[arg(long, value_name = "NAME")]
    only: Vec<Kind>,
    /// Seconds that a table may take in a representation, its check and timing included.
    #[arg(long, default_value_t = 300)]
    seconds: u64,
    /// Mebibytes that it may take.
    #[arg(long, default_value_t = 5_000)]
    memory: u64,
    /// Processes at a time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    jobs: u8,
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(3)
        }
    }
}

fn run(command: Command) -> Result<bool> {
    match command {
        Command::Run(arguments) => {
            let settings = arguments.source.settings();
            for directory in &settings.syzygy {
                ensure!(directory.is_dir(), "{}: no directory", directory.display());
            }
            let materials: Vec<Material> = match &arguments.materials[..] {
                [] => (2..=arguments.men.into()).flat_map(Material::all).collect(),
                names => names.iter().map(|name| material(name)).collect::<Result<_>>()?,
            };
            let mut kinds = arguments.only;
            if kinds.is_empty() {
                kinds = clap::ValueEnum::value_variants().to_vec();
                kinds.retain(|kind| *kind != Kind::Syzygy || !settings.syzygy.is_empty());
            }
            let run = Run {
                materials: &materials,
                kinds: &kinds,
                tables: &arguments.source.tables.context("--tables names the directory of outcome tables")?,
                record: &arguments.record,
                settings: &settings,
                limits: Limits { seconds: arguments.seconds, mebibytes: arguments.memory },
                jobs: arguments.jobs.into(),
            };
            run.make()?;
            Ok(true)
        }
        Command::One { representation, material: name, source } => {
            let line = measure::measure(
                representation,
                &material(&name)?,
                source.tables.clone(),
                &source.settings(),
            )?;
            print!("{}", baselines::to_csv(&[line], true)?);
            Ok(true)
        }
        Command::Page { record, page } => {
            let text = std::fs::read_to_string(&page).with_context(|| page.display().to_string())?;
            let text = page::with_figures(&text, &baselines::read(&record)?)?;
            cubebase::atomic::write_bytes(&page, text.as_bytes())?;
            Ok(true)
        }
        Command::Check { record } => Ok(check::check(&baselines::read(&record)?)),
    }
}

fn material(name: &str) -> Result<Material> {
    Ok(Material::parse(name).with_context(|| name.to_owned())?.0)
}
