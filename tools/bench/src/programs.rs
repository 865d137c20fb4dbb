//! `programs DIR...`: minimizes every PLA with our program as a process, including reading and writing, and with Berkeley's.
//!
//! `--berkeley` names any executable that takes the options of Berkeley's program. Without it, Berkeley's is called as a library,
//! and its result is checked too: its time is that of the call, without a process, reading and writing. For types f and fd the
//! time includes the complement. For types fr and fdr the call gets D and R - D, which are computed before. Times are processor
//! time of one thread. `--markdown` writes the table in `espresso/BENCHMARKS.md`.

use crate::command::{is_right, read};
use crate::process::{self, Cost, cost};
use crate::{Format, berkeley, table};
use anyhow::{Context, Result, ensure};
use espresso::{Cover, Function, Pla};
use std::collections::HashMap;
use std::fmt::Write;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Run our program and Berkeley's on every PLA of directories; check and compare cubes, literals, processor time and memory.
///
/// Exit code 1 when a result is wrong, or ours has more cubes than Berkeley's at the default effort.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: cubebase-bench programs examples --berkeley ./espresso --efforts 1,2,4 --markdown BENCHMARKS.md"
)]
pub struct Arguments {
    /// The directories; every file in them is read as a PLA.
    #[arg(required = true)]
    directories: Vec<PathBuf>,
    /// Berkeley's program; by default it is called as a library.
    #[arg(long, value_name = "PROGRAM")]
    berkeley: Option<PathBuf>,
    /// Our program; by default the one beside this one.
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
    /// Efforts of our program.
    #[arg(long, value_delimiter = ',', default_value = "1,2,4", value_parser = clap::value_parser!(u8).range(1..=4))]
    efforts: Vec<u8>,
    /// A file of known minima: columns `name` and `min_cubes_known`, separated by tabs.
    #[arg(long, value_name = "TSV")]
    known: Option<PathBuf>,
    /// Runs of each, of which the one with the least processor time counts. A run of a second or more is not repeated.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Threads of our program.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Only the PLAs whose names contain this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// File to write the table to, as Markdown.
    #[arg(long, value_name = "FILE", requires = "berkeley")]
    markdown: Option<PathBuf>,
}

/// The result of a program for a PLA.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    cubes: usize,
    literals: usize,
    cpu_seconds: f64,
    /// The peak memory of a process.
    mebibytes: Option<f64>,
}

#[derive(Debug)]
struct Measured {
    name: String,
    minimum: Option<usize>,
    theirs: Option<Outcome>,
    ours: Vec<Outcome>,
    is_right: bool,
}

/// Runs the command. Returns `false` if a result is wrong or too large.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let program = process::program(arguments.program.as_deref(), "espresso")?;
    let known = arguments.known.as_deref().map(known_minima).transpose()?.unwrap_or_default();
    let scratch = tempfile::tempdir()?;
    let mut measured = Vec::new();
    for path in process::files(&arguments.directories, arguments.only.as_deref())? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        eprintln!("{name}");
        let out = scratch.path().join("out.pla");
        let pla = read(&path)?;
        let function = Function::from_pla(&pla).with_context(|| path.display().to_string())?;
        let mut all_right = true;
        let theirs = if let Some(program) = &arguments.berkeley {
            // The program may fail or run out of memory: then there is no comparison.
            outcome(Command::new(program).arg(&path), &out, arguments.runs).ok().map(|(outcome, _)| outcome)
        } else {
            let (theirs, cover) = called(&pla, &function, arguments.runs)?;
            all_right &= is_right(&function, &cover, &format!("{name}: Berkeley's result"));
            Some(theirs)
        };
        let mut ours = Vec::new();
        for effort in &arguments.efforts {
            let mut command = Command::new(&program);
            command
                .arg("--effort")
                .arg(effort.to_string())
                .arg("--threads")
                .arg(arguments.threads.to_string())
                // Berkeley's program does not check either; each result is checked here.
                .arg("--no-check");
            let (outcome, pla) = outcome(command.arg(&path), &out, arguments.runs)
                .with_context(|| path.display().to_string())?;
            all_right &= is_right(&function, &pla.on, &format!("{name}: our result"));
            ours.push(outcome);
        }
        let minimum = known.get(&name).copied();
        measured.push(Measured { name, minimum, theirs, ours, is_right: all_right });
    }
    ensure!(!measured.is_empty(), "no PLA in these directories");
    let table = table(arguments, &measured);
    print!("{}", table::text(&table, Format::Text));
    let summary = summary(arguments, &measured);
    println!("\n{summary}");
    if let Some(path) = &arguments.markdown {
        std::fs::write(path, markdown(&table, &summary))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let default = arguments.efforts.iter().position(|&effort| effort == espresso::minimize::DEFAULT_EFFORT);
    let is_larger = |pla: &Measured| {
        default.zip(pla.theirs).is_some_and(|(at, theirs)| pla.ours[at].cubes > theirs.cubes)
    };
    Ok(measured.iter().all(|pla| pla.is_right && !is_larger(pla)))
}

fn known_minima(path: &Path) -> Result<HashMap<String, usize>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().unwrap_or_default();
    let column = |name: &str| header.iter().position(|&field| field == name);
    let (Some(name), Some(minimum)) = (column("name"), column("min_cubes_known")) else {
        anyhow::bail!("{}: no columns name and min_cubes_known", path.display());
    };
    let known =
        lines.filter_map(|line| Some((line.get(name)?.to_string(), line.get(minimum)?.parse().ok()?)));
    Ok(known.collect())
}

/// Calls Berkeley's program as a library up to `runs` times. Returns the least time, and the cover.
fn called(pla: &Pla, function: &Function, runs: u32) -> Result<(Outcome, Cover)> {
    // If the rows describe R, the program gets R - D; otherwise it computes the complement, as it does on its own.
    let off = pla.kind.has_off().then(|| function.blocking_on());
    let minimize = || berkeley::minimize(&function.on, &function.dc, off.as_ref());
    let (cover, mut best) = minimize()?;
    for _ in 1..runs {
        // A run of more than a second is not repeated.
        if best.as_secs_f64() <= 1.0 {
            best = best.min(minimize()?.1);
        }
    }
    let (cubes, literals) = (cover.len(), cover.literals());
    Ok((Outcome { cubes, literals, cpu_seconds: best.as_secs_f64(), mebibytes: None }, cover))
}

/// Runs a program that writes a PLA to standard output, and reads that.
fn outcome(command: &mut Command, out: &Path, runs: u32) -> Result<(Outcome, Pla)> {
    let mut best: Option<Cost> = None;
    for _ in 0..runs {
        command.stdin(Stdio::null()).stdout(File::create(out)?).stderr(Stdio::null());
        let cost = cost(command)?;
        if best.is_none_or(|best| cost.cpu_seconds < best.cpu_seconds) {
            best = Some(cost);
        }
        if cost.cpu_seconds > 1.0 {
            break;
        }
    }
    let best = best.context("no run")?;
    let pla = Pla::read(BufReader::new(File::open(out)?))?;
    let (cubes, literals) = (pla.on.len(), pla.on.literals());
    let Cost { cpu_seconds, mebibytes, .. } = best;
    Ok((Outcome { cubes, literals, cpu_seconds, mebibytes: Some(mebibytes) }, pla))
}

fn table(arguments: &Arguments, measured: &[Measured]) -> table::Table {
    let mut columns = String::from("pla,minimum,C cubes,C literals,C seconds,C MiB");
    for effort in &arguments.efforts {
        let _ = write!(columns, ",{effort}: cubes,literals,seconds,MiB");
    }
    let mut table = table::with_columns(&columns);
    let cells = |outcome: &Outcome| {
        vec![
            outcome.cubes.to_string(),
            outcome.literals.to_string(),
            format!("{:.3}", outcome.cpu_seconds),
            outcome.mebibytes.map_or("-".into(), |mebibytes| format!("{mebibytes:.1}")),
        ]
    };
    for pla in measured {
        let name = if pla.is_right { pla.name.clone() } else { format!("{} WRONG", pla.name) };
        let mut line = vec![name, pla.minimum.map_or("-".into(), |minimum| minimum.to_string())];
        line.extend(pla.theirs.as_ref().map_or_else(|| vec!["-".into(); 4], cells));
        line.extend(pla.ours.iter().flat_map(cells));
        table.push(line);
    }
    table
}

/// One line for each effort: the sums, the known minima, and the speed compared with Berkeley's program.
fn summary(arguments: &Arguments, measured: &[Measured]) -> String {
    let mut lines = String::new();
    for (at, effort) in arguments.efforts.iter().enumerate() {
        let both: Vec<(&Measured, Outcome, Outcome)> =
            measured.iter().filter_map(|pla| Some((pla, pla.ours[at], pla.theirs?))).collect();
        let sum = |of: &dyn Fn(&Outcome) -> f64| {
            let ours: f64 = both.iter().map(|(_, ours, _)| of(ours)).sum();
            (ours, both.iter().map(|(_, _, theirs)| of(theirs)).sum::<f64>())
        };
        let cubes = sum(&|outcome| outcome.cubes as f64);
        let seconds = sum(&|outcome| outcome.cpu_seconds);
        let count =
            |is: &dyn Fn(usize, usize) -> bool| both.iter().filter(|(_, a, b)| is(a.cubes, b.cubes)).count();
        let slow: Vec<f64> = both
            .iter()
            .filter(|(_, _, theirs)| theirs.cpu_seconds > 0.02)
            .map(|(_, ours, theirs)| (theirs.cpu_seconds / ours.cpu_seconds.max(1e-4)).ln())
            .collect();
        let ties: Vec<_> = both.iter().filter(|(_, a, b)| a.cubes == b.cubes).collect();
        let literals =
            ties.iter().fold((0, 0), |(a, b), (_, ours, theirs)| (a + ours.literals, b + theirs.literals));
        let gap = both.iter().filter_map(|(pla, a, b)| Some((a.cubes, b.cubes, pla.minimum?)));
        let gap = gap.fold([0, 0, 0], |[a, b, c], (x, y, z)| [a + x, b + y, c + z]);
        let _ = write!(
            lines,
            "effort {effort}: {:.0} cubes, C {:.0}; fewer on {} PLAs, more on {}; with equal cubes {} literals, C {}; \
             {:.2} s, C {:.2}; {:.2} times as fast (geometric mean of the {} PLAs that take C more than 20 ms)",
            cubes.0,
            cubes.1,
            count(&|a, b| a < b),
            count(&|a, b| a > b),
            literals.0,
            literals.1,
            seconds.0,
            seconds.1,
            (slow.iter().sum::<f64>() / slow.len().max(1) as f64).exp(),
            slow.len(),
        );
        if gap[2] > 0 {
            let _ = write!(lines, "; with known minima {} cubes, C {}, minimum {}", gap[0], gap[1], gap[2]);
        }
        lines.push('\n');
    }
    lines
}

fn markdown(table: &table::Table, summary: &str) -> String {
    let mut text = String::from(
        "# Benchmarks of the minimizer\n\n\
         Made by `cubebase-bench programs DIR --berkeley PROGRAM --known TSV --markdown espresso/BENCHMARKS.md`. C is\n\
         Berkeley's program with its default options. The columns after it are our program's, by effort, with `--no-check`,\n\
         since C does not check its result. Each run is a process of one thread that reads a file and writes one. Seconds are\n\
         its processor time. MiB is its peak memory, and at least that of the bench when it started the process.\n\n\
         `newxcpla1`: Berkeley's program takes three of its rows for names, as its list of names is too short. The 39 cubes of C and of\n\
         the minimum are those of a smaller function; the function as it is written needs 41.\n\n",
    );
    let _ = writeln!(text, "Measured on: {}.\n", table::cpu().unwrap_or_else(|| "an unknown CPU".to_owned()));
    for line in summary.lines() {
        let _ = writeln!(text, "- {line}");
    }
    text.push('\n');
    for (number, line) in table.iter().enumerate() {
        let _ = writeln!(text, "| {} |", line.join(" | "));
        if number == 0 {
            let _ = writeln!(text, "|---|{}", "---:|".repeat(line.len() - 1));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_called() {
        let pla = Pla::parse(".i 3\n.o 2\n00- 10\n01- 10\n111 11\n110 1-\n.e\n").unwrap();
        let (theirs, cover) = called(&pla, &Function::from_pla(&pla).unwrap(), 2).unwrap();
        assert_eq!((theirs.cubes, theirs.literals, cover.len()), (2, cover.literals(), 2));
        let function = Function::from_pla(&pla).unwrap();
        assert!(is_right(&function, &cover, "theirs") && !is_right(&function, &function.dc, "nothing"));
    }

    #[test]
    fn sums_and_gaps() {
        let outcome = |cubes, cpu_seconds| Outcome { cubes, literals: 10, cpu_seconds, mebibytes: Some(1.0) };
        let pla = |name: &str, ours, theirs, minimum| Measured {
            name: name.into(),
            minimum,
            theirs,
            ours: vec![ours],
            is_right: true,
        };
        let measured = [
            pla("a", outcome(5, 0.01), Some(outcome(7, 0.04)), Some(5)),
            pla("b", outcome(3, 0.01), Some(outcome(3, 0.01)), None),
            pla("c", outcome(9, 0.01), None, None),
        ];
        let arguments = Arguments {
            directories: Vec::new(),
            berkeley: None,
            program: None,
            efforts: vec![2],
            known: None,
            runs: 1,
            threads: 1,
            only: None,
            markdown: None,
        };
        let summary = summary(&arguments, &measured);
        assert!(summary.starts_with(
            "effort 2: 8 cubes, C 10; fewer on 1 PLAs, more on 0; with equal cubes 10 literals"
        ));
        assert!(
            summary.contains("4.00 times as fast") && summary.ends_with("5 cubes, C 7, minimum 5\n"),
            "{summary}"
        );
        let text = markdown(&table(&arguments, &measured), &summary);
        assert!(text.contains("| c | - | - | - | - | - | 9 | 10 | 0.010 | 1.0 |"), "{text}");
    }
}
