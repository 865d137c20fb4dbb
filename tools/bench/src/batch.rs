//! `batch`: what the command takes for many positions on standard input, as a whole process.

use crate::probe::Random;
use crate::process::{self, Cost, cost};
use crate::stats::Spread;
use anyhow::{Context, Result};
use cubebase::Material;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Probes many random positions with `cubebase probe -`, from a file, with the built-in tables.
///
/// Exit code 1 when less than 1.5 million positions a second are answered on two threads.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: cubebase-bench batch --threads 2 --runs 5")]
pub struct Arguments {
    /// Positions of all tables together.
    #[arg(long, default_value_t = 2_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Runs.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// The command; the one beside this program by default.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// Positions a second that two threads answer at least.
const BOUND: f64 = 1.5e6;

pub fn run(arguments: &Arguments) -> Result<bool> {
    let program = process::program(arguments.program.as_deref())?;
    let materials: Vec<Material> = (3..=4).flat_map(Material::all).collect();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("positions.txt");
    let (mut random, mut file) = (Random(1), BufWriter::new(File::create(&path)?));
    for number in 0..arguments.positions as usize {
        let position = random.board(materials[number % materials.len()]).position()?;
        writeln!(file, "{}", position.to_fen())?;
    }
    file.into_inner()?.sync_all()?;
    let costs: Vec<Cost> = (0..arguments.runs)
        .map(|_| {
            let mut command = Command::new(&program);
            command.args(["probe", "-", "--threads", &arguments.threads.to_string()]);
            cost(command.stdin(File::open(&path)?).stdout(Stdio::null()))
        })
        .collect::<Result<_>>()?;
    let spread = |of: fn(&Cost) -> f64| Spread::of(costs.iter().map(of)).context("no run");
    let (seconds, cpu, memory) =
        (spread(|cost| cost.seconds)?, spread(|cost| cost.cpu_seconds)?, spread(|cost| cost.mebibytes)?);
    let millions = f64::from(arguments.positions) / 1e6;
    println!(
        "{} positions, {} threads, {} runs, min / median / max",
        arguments.positions, arguments.threads, arguments.runs
    );
    println!("seconds            {seconds}: {:.2} million a second at best", millions / seconds.min);
    println!("processor seconds  {cpu}: {:.2} million a processor second", millions / cpu.median);
    println!("mebibytes at most  {memory}");
    Ok(arguments.threads != 2 || millions * 1e6 / seconds.min >= BOUND)
}
