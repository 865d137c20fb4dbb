//! `huge`: very large functions, each minimized in a separate process.
//!
//! The functions have many inputs, outputs, rows or parts; one has a complement of 2^65 cubes. Within bounds of processor
//! time and memory, each run must end with a checked result or with an error of one line. For several numbers of threads,
//! the output shows the time saved.

use crate::Format;
use crate::process::{self, Cost, Ended, ended};
use crate::random::Random;
use crate::table;
use anyhow::{Context, Result};
use espresso::Pla;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Minimize functions with very many inputs, outputs, rows or parts, within bounds of time and memory.
///
/// Exit code 1 when a process does not end within the bounds, or ends with neither a result nor an error message.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: cubebase-bench huge --threads 1,2 --only rows")]
pub struct Arguments {
    /// Only the functions whose names contain this.
    #[arg(long, default_value = "")]
    only: String,
    /// Efforts of the minimizer.
    #[arg(long, default_values = ["2"], value_delimiter = ',', value_parser = clap::value_parser!(u8).range(1..=4))]
    efforts: Vec<u8>,
    /// Numbers of threads.
    #[arg(long, default_values = ["1"], value_delimiter = ',')]
    threads: Vec<u32>,
    /// Seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seconds after which a process is killed.
    #[arg(long, default_value_t = 900)]
    most_seconds: u64,
    /// Largest peak memory of a process, in MiB.
    #[arg(long, default_value_t = 4096)]
    most_mebibytes: u32,
    /// The program; by default the `espresso` beside this one.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A function: its name, and a generator of its rows.
type Kind = (&'static str, fn(&mut Random, &mut dyn Write) -> std::io::Result<()>);

const KINDS: [Kind; 8] = [
    ("pairs", pairs),
    ("inputs", |random, out| inputs(random, out, 2)),
    ("inputs-sparse", |random, out| inputs(random, out, 100)),
    ("outputs", outputs),
    ("parts", parts),
    ("rows", |random, out| rows(random, out, "f", 1)),
    ("rows-fr", |random, out| rows(random, out, "fr", 2)),
    ("rows-of-cubes", cubes),
];

/// Runs the command. Returns `false` if a bound is exceeded.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let program = process::program(arguments.program.as_deref(), "espresso")?;
    let scratch = tempfile::tempdir()?;
    let mut table =
        table::with_columns("function,effort,threads,cubes,literals,seconds,cpu_seconds,mebibytes,verdict");
    let mut good = true;
    for (name, make) in KINDS.iter().filter(|(name, _)| name.contains(&arguments.only)) {
        let path = scratch.path().join(format!("{name}.pla"));
        let mut file = BufWriter::new(File::create(&path)?);
        make(&mut Random(arguments.seed), &mut file)?;
        file.into_inner()?.sync_all()?;
        for effort in &arguments.efforts {
            for threads in &arguments.threads {
                eprintln!("{name}: effort {effort}, threads {threads}");
                let mut command = Command::new(&program);
                command.args(["--effort", &effort.to_string(), "--threads", &threads.to_string()]).arg(&path);
                let (cells, verdict) = measured(&mut command, scratch.path(), arguments)?;
                good &= ["result", "refused"].contains(&verdict);
                let mut line = vec![(*name).to_string(), effort.to_string(), threads.to_string()];
                line.extend(cells);
                line.push(verdict.to_string());
                table.push(line);
            }
        }
        std::fs::remove_file(path)?;
    }
    table::write(&table, arguments.format, &mut std::io::stdout().lock())?;
    Ok(good)
}

/// Cubes, literals, seconds, processor seconds and memory of one run, and its verdict.
fn measured(
    command: &mut Command,
    scratch: &Path,
    arguments: &Arguments,
) -> Result<([String; 5], &'static str)> {
    let (out, errors) = (scratch.join("out.pla"), scratch.join("errors"));
    command.stdin(Stdio::null()).stdout(File::create(&out)?).stderr(File::create(&errors)?);
    let Ended { cost, code } = ended(command, Some(Duration::from_secs(arguments.most_seconds)))?;
    let size = match code {
        Some(0) => {
            let pla = Pla::read(BufReader::new(File::open(&out)?)).context("the program's output")?;
            Some((pla.on.len(), pla.on.literals()))
        }
        _ => None,
    };
    let said = std::fs::read_to_string(&errors)?;
    let verdict = verdict(code, &said, &cost, arguments);
    let figure = |of: fn((usize, usize)) -> usize| size.map_or("-".into(), |size| of(size).to_string());
    let cells = [
        figure(|(cubes, _)| cubes),
        figure(|(_, literals)| literals),
        format!("{:.2}", cost.seconds),
        format!("{:.2}", cost.cpu_seconds),
        format!("{:.0}", cost.mebibytes),
    ];
    Ok((cells, verdict))
}

/// The verdict on a run. A refusal is exit code 3 with an error of one line.
fn verdict(code: Option<i32>, said: &str, cost: &Cost, arguments: &Arguments) -> &'static str {
    let says_why = said.lines().any(|line| line.starts_with("espresso: ") && !line.contains(": warning: "));
    match code {
        _ if cost.mebibytes > f64::from(arguments.most_mebibytes) => "TOO-MUCH-MEMORY",
        Some(0) => "result",
        Some(3) if says_why => "refused",
        Some(_) => "WRONG",
        None if cost.seconds >= arguments.most_seconds as f64 => "TOO-LONG",
        None => "CRASHED",
    }
}

/// A row of one character for each of `count` variables or outputs.
fn row(count: usize, character: impl FnMut(usize) -> u8) -> Vec<u8> {
    (0..count).map(character).collect()
}

/// In each row two of 130 inputs are one. No two rows share an input, so the complement has 2^65 cubes.
fn pairs(_: &mut Random, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, ".i 130\n.o 1")?;
    for pair in 0..65 {
        out.write_all(&row(130, |v| if v / 2 == pair { b'1' } else { b'-' }))?;
        writeln!(out, " 1")?;
    }
    Ok(())
}

/// 50 cubes of 100,000 inputs; about one input in `free_of` is a literal.
fn inputs(random: &mut Random, out: &mut dyn Write, free_of: u64) -> std::io::Result<()> {
    writeln!(out, ".i 100000\n.o 1")?;
    for _ in 0..50 {
        let literal = |random: &mut Random| if random.below(2) == 0 { b'0' } else { b'1' };
        let mut character = |_| if random.below(free_of) == 0 { literal(random) } else { b'-' };
        out.write_all(&row(100_000, &mut character))?;
        writeln!(out, " 1")?;
    }
    Ok(())
}

/// 200 cubes of eight inputs, each with about 40 percent of 60,000 outputs.
fn outputs(random: &mut Random, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, ".i 8\n.o 60000")?;
    for _ in 0..200 {
        out.write_all(&row(8, |_| b"01-"[random.below(3) as usize]))?;
        out.write_all(b" ")?;
        out.write_all(&row(60_000, |_| if random.below(10) < 4 { b'1' } else { b'0' }))?;
        writeln!(out)?;
    }
    Ok(())
}

/// 200 cubes of eight inputs and a variable of 2,000 parts; each cube has about half of the parts.
fn parts(random: &mut Random, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, ".mv 10 8 2000 1")?;
    for _ in 0..200 {
        out.write_all(&row(8, |_| b"01-"[random.below(3) as usize]))?;
        out.write_all(b"|")?;
        out.write_all(&row(2000, |_| if random.below(2) == 0 { b'1' } else { b'0' }))?;
        writeln!(out, "|1")?;
    }
    Ok(())
}

/// A million random minterms of 24 inputs. With `values` 1 all have the value 1; with 2, values are 1 or 0. A minterm that is
/// drawn again has the same value.
fn rows(random: &mut Random, out: &mut dyn Write, kind: &str, values: u64) -> std::io::Result<()> {
    writeln!(out, ".i 24\n.o 1\n.type {kind}")?;
    for _ in 0..1_000_000 {
        let point = random.below(1 << 24);
        let value = 1 - Random(point).below(values);
        writeln!(out, "{point:024b} {value}")?;
    }
    Ok(())
}

/// A million cubes of 64 inputs with twelve literals or less, and four outputs.
fn cubes(random: &mut Random, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, ".i 64\n.o 4")?;
    for _ in 0..1_000_000 {
        let mut cube = [b'-'; 64];
        for _ in 0..12 {
            cube[random.below(64) as usize] = b"01"[random.below(2) as usize];
        }
        out.write_all(&cube)?;
        writeln!(out, " {:04b}", 1 + random.below(15))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_line_with_a_reason_is_a_refusal() {
        use clap::Args as _;
        let command = Arguments::augment_args(clap::Command::new("huge"));
        let arguments = command.get_matches_from(["huge", "--most-seconds", "10", "--most-mebibytes", "50"]);
        let arguments = <Arguments as clap::FromArgMatches>::from_arg_matches(&arguments).unwrap();
        let cost = Cost { seconds: 11.0, cpu_seconds: 1.0, mebibytes: 40.0 };
        let ended_as = |code, said: &str| verdict(code, said, &cost, &arguments);
        assert_eq!(ended_as(Some(0), "espresso: a.pla: warning: odd\n"), "result");
        assert_eq!(ended_as(Some(3), "espresso: a.pla: too many cubes to make\n"), "refused");
        assert_eq!(ended_as(Some(3), "espresso: a.pla: warning: odd\n"), "WRONG");
        assert_eq!(ended_as(Some(1), "espresso: mismatch: 00 1\n"), "WRONG");
        assert_eq!(ended_as(Some(101), "thread 'main' panicked\n"), "WRONG");
        assert_eq!(ended_as(None, ""), "TOO-LONG");
        assert_eq!(verdict(None, "", &Cost { seconds: 1.0, ..cost }, &arguments), "CRASHED");
        assert_eq!(verdict(Some(0), "", &Cost { mebibytes: 51.0, ..cost }, &arguments), "TOO-MUCH-MEMORY");
    }

    #[test]
    fn functions_are_as_wide_as_they_say() {
        for (name, make) in KINDS.iter().filter(|(name, _)| ["pairs", "outputs", "parts"].contains(name)) {
            let mut text = Vec::new();
            make(&mut Random(1), &mut text).unwrap();
            let pla = Pla::read(&text[..]).unwrap();
            let space = pla.on.space();
            let expected = match *name {
                "pairs" => (130, 1, 65),
                "outputs" => (8, 60_000, 200),
                _ => (8, 1, 200),
            };
            assert_eq!((space.binary_inputs(), space.outputs(), pla.on.len()), expected, "{name}");
        }
    }
}
