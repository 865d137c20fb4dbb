//! `generate`: the cost of generating outcome tables, as a whole process, and its growth with the number of men.
//!
//! Each row summarizes the runs of one target, by default on two threads, in its own directory. The sub-tables of a single
//! material are made before. The peer is the established generator of Syzygy files; its figures, from a similar machine, are in
//! this file. It does more: it writes compressed outcomes and distances to zeroing.

use crate::Format;
use crate::process::{self, Cost, cost};
use crate::stats::Spread;
use crate::table;
use anyhow::{Context, Result, ensure};
use cubebase::Material;
use cubebase::chess::retrograde::{Conversions, Index};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Generate outcome tables in a separate process and print time, processor time and memory.
///
/// Exit code 1 when a target exceeds its bounds.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: cubebase-bench generate 3 4 KQRvKR --runs 5")]
pub struct Arguments {
    /// N for all tables of up to N men, or a material, whose sub-tables are generated beforehand.
    #[arg(default_values = ["3", "4", "KQRvKR"])]
    targets: Vec<String>,
    /// Contents of the tables: wdl, dtm, dtc or dtz.
    #[arg(long, default_value = "wdl")]
    metric: String,
    /// Runs of each target; the output has the median, smallest and largest processor time.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// The command; by default the one beside this program.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The bounds of a run, and the cost of the peer.
struct Bound {
    target: &'static str,
    seconds: f64,
    cpu_seconds: f64,
    /// Processor time of the peer, for outcomes and distances to zeroing.
    peer_cpu_seconds: f64,
    peer_mebibytes: f64,
}

const MEBIBYTES: f64 = 1024.0;
const BOUNDS: [Bound; 2] = [
    Bound { target: "4", seconds: 60.0, cpu_seconds: 100.0, peer_cpu_seconds: 167.0, peer_mebibytes: 210.0 },
    Bound {
        target: "KQRvKR",
        seconds: f64::INFINITY,
        cpu_seconds: 80.0,
        peer_cpu_seconds: 80.0,
        peer_mebibytes: 666.0,
    },
];

/// Runs the command. Returns `false` if a bound is exceeded.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let program = process::program(arguments.program.as_deref(), "cubebase")?;
    let mut table = table::with_columns(
        "target,tables,slots,seconds,cpu_seconds,cpu_min,\
         cpu_max,mebibytes,cpu_ns_a_slot,peer_cpu_seconds,peer_mebibytes,cpu_ratio,verdict",
    );
    let mut good = true;
    for target in &arguments.targets {
        let made = Target::new(target)?;
        let directory = tempfile::tempdir()?;
        let run = |targets: &[String]| {
            let mut command = Command::new(&program);
            command.arg("generate").args(targets).arg("--out").arg(directory.path());
            command.args(["--quiet", "--metric", &arguments.metric]);
            command.args(["--threads", &arguments.threads.to_string()]);
            cost(command.stdin(Stdio::null()).stdout(Stdio::null()))
        };
        if !made.below.is_empty() {
            eprintln!("{target}: sub-tables");
            run(&made.below)?;
        }
        let mut costs = Vec::new();
        for number in 1..=arguments.runs {
            eprintln!("{target}: run {number} of {}", arguments.runs);
            for material in &made.tables {
                let file = directory.path().join(format!("{material}.{}", arguments.metric));
                if file.exists() {
                    std::fs::remove_file(file)?;
                }
            }
            costs.push(run(std::slice::from_ref(target))?);
        }
        let spread =
            |value: fn(&Cost) -> f64| Spread::of(costs.iter().map(value)).context("a target without a run");
        let (seconds, cpu, memory) =
            (spread(|cost| cost.seconds)?, spread(|cost| cost.cpu_seconds)?, spread(|cost| cost.mebibytes)?);
        let bound = BOUNDS.iter().find(|bound| bound.target == target && arguments.metric == "wdl");
        let fine = bound.is_none_or(|bound| {
            seconds.median <= bound.seconds && cpu.median <= bound.cpu_seconds && memory.max <= MEBIBYTES
        });
        good &= fine;
        let of_peer = |digits: usize, figure: &dyn Fn(&Bound) -> f64| {
            bound.map_or("-".into(), |bound| format!("{:.digits$}", figure(bound)))
        };
        table.push(vec![
            target.clone(),
            made.tables.len().to_string(),
            made.slots.to_string(),
            format!("{:.2}", seconds.median),
            format!("{:.2}", cpu.median),
            format!("{:.2}", cpu.min),
            format!("{:.2}", cpu.max),
            format!("{:.0}", memory.max),
            format!("{:.1}", 1e9 * cpu.median / made.slots as f64),
            of_peer(0, &|bound| bound.peer_cpu_seconds),
            of_peer(0, &|bound| bound.peer_mebibytes),
            of_peer(3, &|bound| cpu.median / bound.peer_cpu_seconds),
            if fine { "fine" } else { "TOO-MUCH" }.into(),
        ]);
    }
    table::write(&table, arguments.format, &mut std::io::stdout().lock())?;
    Ok(good)
}

struct Target {
    tables: Vec<Material>,
    /// Slots of all tables, for each stored side to move.
    slots: u64,
    /// Names of the tables generated beforehand.
    below: Vec<String>,
}

impl Target {
    fn new(name: &str) -> Result<Self> {
        let (tables, below) = if let Ok(men) = name.parse::<usize>() {
            ensure!((2..=5).contains(&men), "{men} men: use 2 to 5");
            ((2..=men).flat_map(Material::all).collect(), Vec::new())
        } else {
            let (material, _) = Material::parse(name)?;
            let below = Conversions::new(&material).materials().iter().map(ToString::to_string).collect();
            (vec![material], below)
        };
        let slots = |material: &Material| Index::new(material).len() * material.stored_turns().len() as u64;
        Ok(Target { slots: tables.iter().map(slots).sum(), tables, below })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets() {
        let three = Target::new("3").unwrap();
        assert_eq!((three.tables.len(), three.below.len()), (6, 0));
        let both = Target::new("KQvKR").unwrap();
        assert_eq!((both.tables.len(), both.slots), (1, 2 * 10 * 64 * 64 * 64));
        assert_eq!(both.below.len(), 2);
        assert!(Target::new("KQvX").is_err() && Target::new("9").is_err());
    }
}
