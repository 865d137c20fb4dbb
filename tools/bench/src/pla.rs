//! `pla DIR`: minimizes every PLA of a directory with ours and with Berkeley's program, in the same run.
//!
//! Ours starts from the covers as read: its time includes completing and checking the function. For types f and fd,
//! Berkeley's program computes the complement, within its time; for types fr and fdr it gets D and R - D, which are computed
//! before. Reading and printing are excluded. Times are processor time, so that other load on the machine matters little.
//! Both use one thread unless more are requested.

use crate::command::{is_right, read};
use crate::stats::Spread;
use crate::table::{self, Table};
use crate::{Format, berkeley, process};
use anyhow::{Context, Result, ensure};
use espresso::minimize::{DEFAULT_EFFORT, Options, minimize};
use espresso::{Cover, Function, Pla};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Minimize every PLA of a directory with ours and with Berkeley's program; check and compare the results.
///
/// Exit code 1 when a result is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: cubebase-bench pla examples --format csv")]
pub struct Arguments {
    /// The directory; every file in it is read as a PLA.
    directory: PathBuf,
    /// Only the PLAs whose names contain this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Number of runs, of which the best counts; a run of a second or more is not repeated.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Effort of our program.
    #[arg(long, default_value_t = DEFAULT_EFFORT, value_parser = clap::value_parser!(u8).range(1..=9))]
    effort: u8,
    /// Threads of our program.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The result of one minimizer for one PLA.
#[derive(Debug)]
struct Side {
    cover: Cover,
    time: Duration,
    right: bool,
}

#[derive(Debug)]
struct Measured {
    name: String,
    ours: Side,
    theirs: Side,
}

/// Runs the command. Returns `false` if a result is wrong.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let files = process::files(std::slice::from_ref(&arguments.directory), arguments.only.as_deref())?;
    ensure!(!files.is_empty(), "no PLA in {}", arguments.directory.display());
    rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build_global()?;
    let mut measured = Vec::with_capacity(files.len());
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        eprintln!("{name}");
        let done = measure(name, &read(&path)?, arguments);
        measured.push(done.with_context(|| path.display().to_string())?);
    }
    let mut out = std::io::stdout().lock();
    table::write(&table(&measured), arguments.format, &mut out)?;
    if arguments.format == Format::Text {
        summary(&measured, &mut out)?;
    }
    let right = measured.iter().all(|pla| pla.ours.right && pla.theirs.right);
    Ok(right)
}

fn measure(name: String, pla: &Pla, arguments: &Arguments) -> Result<Measured> {
    let Arguments { runs, effort, .. } = *arguments;
    let function = Function::from_pla(pla)?;
    let side = |(cover, time), whose: &str| {
        let right = is_right(&function, &cover, &format!("{name}: {whose}"));
        Side { cover, time, right }
    };
    let ours = best(runs, || {
        let start = process::cpu_time();
        let function = Function::from_pla(pla)?;
        let (cover, _) = minimize(&function, &Options { effort, ..Options::default() })?;
        Ok((cover, process::cpu_time().saturating_sub(start)))
    })?;
    let ours = side(ours, "our result");
    // If the rows describe R, the program gets R - D; otherwise it computes the complement, as it does on its own.
    let off = pla.kind.has_off().then(|| function.blocking_on());
    let theirs = best(runs, || berkeley::minimize(&function.on, &function.dc, off.as_ref()))?;
    let theirs = side(theirs, "Berkeley's result");
    Ok(Measured { name, ours, theirs })
}

/// Runs `run` up to `runs` times and returns the last cover and the shortest time.
fn best(runs: u32, run: impl Fn() -> Result<(Cover, Duration)>) -> Result<(Cover, Duration)> {
    let (mut cover, mut time) = run()?;
    for _ in 1..runs {
        if time >= Duration::from_secs(1) {
            break;
        }
        let (again, took) = run()?;
        cover = again;
        time = time.min(took);
    }
    Ok((cover, time))
}

fn table(measured: &[Measured]) -> Table {
    let mut table = table::with_columns(
        "pla,inputs,outputs,cubes,berkeley_cubes,\
         literals,berkeley_literals,seconds,berkeley_seconds,checked",
    );
    for pla in measured {
        let space = pla.ours.cover.space();
        table.push(vec![
            pla.name.clone(),
            space.inputs().to_string(),
            space.outputs().to_string(),
            pla.ours.cover.len().to_string(),
            pla.theirs.cover.len().to_string(),
            pla.ours.cover.literals().to_string(),
            pla.theirs.cover.literals().to_string(),
            format!("{:.6}", pla.ours.time.as_secs_f64()),
            format!("{:.6}", pla.theirs.time.as_secs_f64()),
            match (pla.ours.right, pla.theirs.right) {
                (true, true) => "right",
                (false, true) => "OURS-WRONG",
                (true, false) => "BERKELEY-WRONG",
                (false, false) => "BOTH-WRONG",
            }
            .into(),
        ]);
    }
    table
}

/// Only PLAs that take Berkeley's program longer than this count in the mean of speeds.
const SLOW: Duration = Duration::from_millis(20);

type Figure = fn(&Side) -> f64;

fn summary(measured: &[Measured], out: &mut impl Write) -> std::io::Result<()> {
    let figures: [(&str, Figure); 3] = [
        ("cubes", |side| side.cover.len() as f64),
        ("literals", |side| side.cover.literals() as f64),
        ("seconds", |side| side.time.as_secs_f64()),
    ];
    writeln!(out, "\n{} PLAs; ratios are ours / Berkeley's, min / median / max", measured.len())?;
    for (name, figure) in figures {
        let total = |side: fn(&Measured) -> &Side| measured.iter().map(|pla| figure(side(pla))).sum::<f64>();
        let (ours, theirs) = (total(|pla| &pla.ours), total(|pla| &pla.theirs));
        let ratios = measured
            .iter()
            .filter(|pla| figure(&pla.theirs) > 0.0)
            .map(|pla| figure(&pla.ours) / figure(&pla.theirs));
        let digits = if name == "seconds" { 3 } else { 0 };
        write!(out, "{name}: {ours:.digits$} against {theirs:.digits$}, {:.4} in all", ours / theirs)?;
        match Spread::of(ratios) {
            Some(spread) => writeln!(out, ", {spread} each")?,
            None => writeln!(out)?,
        }
    }
    let more = measured.iter().filter(|pla| pla.ours.cover.len() > pla.theirs.cover.len()).count();
    let fewer = measured.iter().filter(|pla| pla.ours.cover.len() < pla.theirs.cover.len()).count();
    let wrong = measured.iter().filter(|pla| !(pla.ours.right && pla.theirs.right)).count();
    let slow = measured.iter().filter(|pla| pla.theirs.time > SLOW);
    let speeds: Vec<f64> =
        slow.map(|pla| (pla.theirs.time.as_secs_f64() / pla.ours.time.as_secs_f64()).ln()).collect();
    let mean = (speeds.iter().sum::<f64>() / speeds.len().max(1) as f64).exp();
    writeln!(
        out,
        "{mean:.2} times as fast (geometric mean of the {} PLAs that take Berkeley's more than {} ms)",
        speeds.len(),
        SLOW.as_millis()
    )?;
    writeln!(out, "fewer cubes on {fewer}, more on {more}, wrong on {wrong}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pla_is_measured_by_both_and_checked() {
        let pla = Pla::parse(".i 3\n.o 2\n00- 10\n01- 10\n111 11\n110 1-\n.e\n").unwrap();
        let arguments = Arguments {
            directory: PathBuf::new(),
            only: None,
            runs: 2,
            effort: 5,
            threads: 1,
            format: Format::Text,
        };
        let measured = measure("tiny".into(), &pla, &arguments).unwrap();
        assert!(measured.ours.right && measured.theirs.right);
        assert_eq!(measured.theirs.cover.len(), 2);
        let mut out = Vec::new();
        summary(&[measured], &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.starts_with("\n1 PLAs; "), "{out}");
        assert!(out.ends_with("fewer cubes on 0, more on 0, wrong on 0\n"), "{out}");
    }
}
