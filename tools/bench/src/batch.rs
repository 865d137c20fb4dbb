//! `batch`: the speed of the command as a whole process, with many positions on standard input.

use crate::Format;
use crate::process::{self, Cost, cost};
use crate::random::Random;
use crate::stats::Spread;
use crate::table;
use anyhow::{Context, Result};
use cubebase::Material;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Probe many random positions from a file with `cubebase probe -` and the built-in tables.
///
/// Exit code 1 when fewer than 1.5 million positions a second are answered on two threads.
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
    /// The command; by default the one beside this program.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The least positions a second on two threads.
const BOUND: f64 = 1.5e6;

pub fn run(arguments: &Arguments) -> Result<bool> {
    let program = process::program(arguments.program.as_deref(), "cubebase")?;
    let materials: Vec<Material> = (3..=4).flat_map(Material::all).collect();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("positions.txt");
    let (mut random, mut file) = (Random(1), BufWriter::new(File::create(&path)?));
    for number in 0..arguments.positions as usize {
        let position = random.bitboards(materials[number % materials.len()]).position()?;
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
    let positions = f64::from(arguments.positions);
    let figures_of = |cost: &Cost| [cost.seconds, cost.cpu_seconds, cost.mebibytes];
    let mut lines = table::with_columns("of,min,median,max");
    for (number, name) in ["seconds", "processor_seconds", "mebibytes"].into_iter().enumerate() {
        let of_runs = costs.iter().map(|cost| figures_of(cost)[number]);
        let Spread { min, median, max } = Spread::of(of_runs).context("no run")?;
        let figures = [min, median, max].map(|figure| format!("{figure:.3}"));
        lines.push([&[name.to_owned()][..], &figures].concat());
    }
    let rates = Spread::of(costs.iter().map(|cost| positions / cost.seconds)).context("no run")?;
    let figures = [rates.min, rates.median, rates.max].map(|figure| format!("{figure:.0}"));
    lines.push([&["positions_a_second".to_owned()][..], &figures].concat());
    table::write(&lines, arguments.format, &mut std::io::stdout().lock())?;
    Ok(arguments.threads != 2 || rates.max >= BOUND)
}
