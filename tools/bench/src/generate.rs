//! `generate`: what making outcome tables costs as a whole process, and how that grows with the number of men.
//!
//! Each row is a run of the `cubebase` command on two threads into a directory of its own; a table of five men finds its
//! sub-tables there. The peer is the established generator of Syzygy files, whose figures on a like machine stand here: it
//! makes outcomes and distances to zeroing, compressed and written, so that half its processor time is the goal for
//! outcomes alone.

use crate::process::{self, Cost, cost};
use crate::stats::Spread;
use crate::table::Table;
use crate::{Format, Verdict, record};
use anyhow::{Context, Result, bail, ensure};
use cubebase::Material;
use cubebase::retrograde::{Conversions, Index};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Makes outcome tables in a process of its own and prints time, processor time and memory.
///
/// Exit code 1 when a target that has bounds exceeds one.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: cubebase-bench generate 3 4 KQRvKR --runs 5")]
pub struct Arguments {
    /// N for all tables of up to N men, or a material, whose sub-tables are made beforehand.
    #[arg(default_values = ["3", "4", "KQRvKR"])]
    targets: Vec<String>,
    /// What the tables store: wdl, dtm or dtc.
    #[arg(long, default_value = "wdl")]
    metric: String,
    /// Runs of each; the table has the median, the smallest and the largest processor time.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Counts instructions too, in one more run under valgrind, and prints the functions that take most.
    #[arg(long)]
    instructions: bool,
    /// The command; the one beside this program by default.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// How to print the results.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What a run may take, and what the peer took.
struct Bound {
    target: &'static str,
    seconds: f64,
    cpu_seconds: f64,
    /// Of the peer, for outcomes and distances to zeroing.
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

/// Runs the command; wrong when a bound is exceeded.
pub fn run(arguments: &Arguments) -> Result<Verdict> {
    let program = process::program(arguments.program.as_deref())?;
    let mut table = Table::new(&[
        "target",
        "tables",
        "slots",
        "seconds",
        "cpu_seconds",
        "cpu_min",
        "cpu_max",
        "mebibytes",
        "cpu_ns_a_slot",
        "instructions_a_slot",
        "peer_cpu_seconds",
        "peer_mebibytes",
        "cpu_ratio",
        "verdict",
    ]);
    let mut good = true;
    let mut profiles = Vec::new();
    for target in &arguments.targets {
        let made = Target::new(target)?;
        let directory = tempfile::tempdir()?;
        let start = |threads: usize, targets: &[String]| {
            let mut command = Command::new(&program);
            command.arg("generate").args(targets).arg("--out").arg(directory.path());
            command.args(["--metric", &arguments.metric, "--quiet", "--threads", &threads.to_string()]);
            command.stdin(Stdio::null()).stdout(Stdio::null());
            command
        };
        if !made.below.is_empty() {
            eprintln!("{target}: sub-tables");
            cost(&mut start(arguments.threads, &made.below))?;
        }
        let own = [target.clone()];
        let mut costs = Vec::new();
        for run in 1..=arguments.runs {
            eprintln!("{target}: run {run} of {}", arguments.runs);
            made.remove(directory.path(), &arguments.metric)?;
            costs.push(cost(&mut start(arguments.threads, &own))?);
        }
        let instructions = if arguments.instructions {
            eprintln!("{target}: counting instructions");
            made.remove(directory.path(), &arguments.metric)?;
            // One thread: valgrind runs one at a time.
            let (count, profile) = instructions(&start(1, &own), directory.path())?;
            profiles.push(format!("{target}: {count} instructions\n{profile}"));
            format!("{:.1}", count as f64 / made.slots as f64)
        } else {
            "-".into()
        };
        let spread =
            |value: fn(&Cost) -> f64| Spread::of(costs.iter().map(value)).context("a target without a run");
        let (seconds, cpu, memory) =
            (spread(|cost| cost.seconds)?, spread(|cost| cost.cpu_seconds)?, spread(|cost| cost.mebibytes)?);
        let bound = BOUNDS.iter().find(|bound| bound.target == target && arguments.metric == "wdl");
        let fine = bound.is_none_or(|bound| {
            seconds.median <= bound.seconds && cpu.median <= bound.cpu_seconds && memory.max <= MEBIBYTES
        });
        good &= fine;
        let or_none = |figure: Option<String>| figure.unwrap_or("-".into());
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
            instructions,
            or_none(bound.map(|bound| format!("{:.0}", bound.peer_cpu_seconds))),
            or_none(bound.map(|bound| format!("{:.0}", bound.peer_mebibytes))),
            or_none(bound.map(|bound| format!("{:.3}", cpu.median / bound.peer_cpu_seconds))),
            if fine { "fine" } else { "TOO-MUCH" }.into(),
        ]);
    }
    let mut out = std::io::stdout().lock();
    record::head(arguments.format, &mut out)?;
    table.write(&mut out, arguments.format)?;
    for profile in profiles {
        let mark = if arguments.format == Format::Csv { "# " } else { "" };
        profile.lines().try_for_each(|line| writeln!(out, "{mark}{line}"))?;
    }
    Ok(if good { Verdict::Right } else { Verdict::Wrong })
}

/// What one row makes.
struct Target {
    /// The tables made.
    tables: Vec<Material>,
    /// Slots of their stored sides.
    slots: u64,
    /// Names of the tables that are made beforehand.
    below: Vec<String>,
}

impl Target {
    fn new(name: &str) -> Result<Self> {
        let (tables, below) = if let Ok(men) = name.parse::<usize>() {
            ensure!((2..=5).contains(&men), "{men} men: 2 to 5 are wanted");
            ((2..=men).flat_map(Material::all).collect(), Vec::new())
        } else {
            let (material, _) = Material::parse(name)?;
            let below = Conversions::new(&material).materials().iter().map(ToString::to_string).collect();
            (vec![material], below)
        };
        let slots = |material: &Material| Index::new(material).len() * material.stored_turns().len() as u64;
        Ok(Target { slots: tables.iter().map(slots).sum(), tables, below })
    }

    /// Removes the tables made from `directory`.
    fn remove(&self, directory: &Path, metric: &str) -> Result<()> {
        for material in &self.tables {
            let file = directory.join(format!("{material}.{metric}"));
            if file.exists() {
                std::fs::remove_file(file)?;
            }
        }
        Ok(())
    }
}

/// Instructions that `command` takes, and the functions that take most of them.
fn instructions(command: &Command, directory: &Path) -> Result<(u64, String)> {
    const SHOWN: usize = 12;
    let file = directory.join("callgrind.out");
    let mut valgrind = Command::new("valgrind");
    valgrind.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", file.display()));
    valgrind.arg(command.get_program()).args(command.get_args());
    let run = valgrind.stdin(Stdio::null()).output().context("cannot run valgrind")?;
    ensure!(run.status.success(), "valgrind failed: {}", String::from_utf8_lossy(&run.stderr));
    let annotate =
        Command::new("callgrind_annotate").arg(&file).output().context("cannot run callgrind_annotate")?;
    ensure!(annotate.status.success(), "callgrind_annotate failed");
    let text = String::from_utf8_lossy(&annotate.stdout);
    profile(&text, SHOWN)
}

/// The total and the first `shown` functions of what `callgrind_annotate` prints.
fn profile(text: &str, shown: usize) -> Result<(u64, String)> {
    let Some(total) = text.lines().find_map(|line| line.split_once("PROGRAM TOTALS")) else {
        bail!("callgrind_annotate printed no totals");
    };
    let figure = total.0.split_whitespace().next().unwrap_or_default().replace(',', "");
    let count = figure.parse().with_context(|| format!("no number of instructions: {figure:?}"))?;
    let share = |line: &str| {
        let (_, rest) = line.split_once('(')?;
        let (share, rest) = rest.split_once(')')?;
        // A file, a colon, the function, and the program in brackets.
        let function = rest.trim().split(" [").next()?;
        let function = function.split_once(':').map_or(function, |(_, function)| function);
        Some(format!("{share:>6}  {function}"))
    };
    let lines = text.lines().skip_while(|line| !line.contains("file:function")).skip(2);
    Ok((count, lines.filter_map(share).take(shown).collect::<Vec<_>>().join("\n")))
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

    #[test]
    fn a_profile_is_read() {
        let text = "\
--------------------------------------------------------------------------------
Ir
--------------------------------------------------------------------------------
1,234,567 (100.0%)  PROGRAM TOTALS

--------------------------------------------------------------------------------
Ir                  file:function
--------------------------------------------------------------------------------
900,000 (72.90%)  ???:crate::hot::one [/bin/program]
300,000 (24.30%)  src/a.rs:crate::cold [/bin/program]
";
        let (count, profile) = profile(text, 2).unwrap();
        assert_eq!((count, profile.as_str()), (1_234_567, "72.90%  crate::hot::one\n24.30%  crate::cold"));
        assert!(super::profile("nothing", 2).is_err());
    }
}
