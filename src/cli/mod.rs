//! The command line: arguments in, one command run, an exit status out.
//!
//! Data goes to standard output, progress and errors to standard error, one line an error. Exit status: 0 fine, 1 a
//! check found a mismatch, 2 usage or unknown material, 3 bad input or corrupt file, 4 internal error, 130 an interrupt.
//! Free: tests hold what scripts read.

mod aligned;
mod args;
pub mod baselines;
mod castle;
mod compare;
mod comparison;
mod doctor;
mod explain;
mod explain_plan;
mod games;
mod generate;
mod info;
mod make;
mod minimizing;
mod paint;
mod pla;
mod plan;
mod progress;
mod query;
mod report;
mod shell;
mod sources;
mod stats;
mod stream;
mod summary;
mod values;
mod verify;
mod xiangqi_query;

use crate::chess::model::Model;
use crate::chess::position::{MAX_MEN, Material};
use crate::error::{Error, ErrorKind, Result};
pub use aligned::aligned;
use aligned::grouped;
use args::{Cli, Command};
use clap::Parser;
use espresso::limits::available_memory;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the command that the process's arguments name and returns its exit status.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(arguments(std::env::args_os().collect())) {
        Ok(cli) => cli,
        Err(error) => {
            let written = match usage_message(&error) {
                Some(message) => writeln!(io::stderr(), "cubebase: {message}"),
                None => error.print(),
            };
            return match written {
                Err(why) if !error.use_stderr() && why.kind() != io::ErrorKind::BrokenPipe => {
                    complain(&not_written(why));
                    ExitCode::from(status_of(ErrorKind::Io))
                }
                // Nobody reads the message, so the exit status must suffice.
                _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
            };
        }
    };
    paint::choose(cli.color);
    if let Err(why) = crate::learner::check_vector_level() {
        let _ = writeln!(io::stderr(), "cubebase: {why}");
        return ExitCode::from(2);
    }
    match run(&cli) {
        Ok(status) => status,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::from(status_of(error.kind()))
        }
    }
}

struct Resources {
    quiet: bool,
    /// Memory limit in bytes; `None` when unknown.
    memory: Option<u64>,
}

fn run(cli: &Cli) -> Result<ExitCode> {
    progress::end_when_interrupted();
    crate::atomic::report_size_limit();
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let chosen = espresso::limits::threads(cli.threads).map_err(usage)?;
    let threads = chosen.map_or_else(cores, usize::from);
    let memory = cli.memory.or_else(|| available_memory(threads));
    let makes_tables = matches!(
        cli.command,
        Command::Generate(_)
            | Command::Export(_)
            | Command::Pack(_)
            | Command::Minimize(_)
            | Command::Build(_)
            | Command::Castle(_)
    );
    if makes_tables && cli.memory.is_none() && memory == Some(0) {
        let why = format!(
            "the limits of this process (ulimit -v, ulimit -d) leave no memory beside {threads} threads: \
             raise them or use fewer threads"
        );
        return Err(Error::new(ErrorKind::BudgetExhausted, why));
    }
    if let Some(threads) = chosen {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads as usize)
            .build_global()
            .map_err(|error| Error::with_source(ErrorKind::BudgetExhausted, "cannot start threads", error))?;
    }
    // Tables that are missing in a directory are generated, but a wrong name is no directory without tables.
    let directory = match &cli.command {
        Command::Export(args) => args.tables.as_deref(),
        Command::Pack(args) => args.tables.as_deref(),
        Command::Minimize(args) => args.tables.as_deref(),
        Command::Castle(args) => args.tables.as_deref(),
        Command::Verify(args) => args.tables.as_deref(),
        _ => None,
    };
    if let Some(directory) = directory.filter(|directory| !directory.is_dir()) {
        return Err(Error::new(ErrorKind::Io, format!("{} is not a directory", directory.display())));
    }
    let resources = Resources { quiet: cli.quiet, memory };
    match &cli.command {
        Command::Generate(args) => generate::generate(args, &resources),
        Command::Export(args) => pla::export(args, &resources),
        Command::Pack(args) => pla::pack(args, &resources),
        Command::Minimize(args) => make::minimize(args, &resources),
        Command::Build(args) => make::build(args, &resources),
        Command::Castle(args) => castle::castle(args, &resources),
        Command::Plan(args) => plan::plan(args, &resources),
        Command::Bundle(args) => sources::bundle(args),
        Command::Lookup(args) => query::lookup(args),
        Command::Probe(args) => query::probe(args),
        Command::Moves(args) => query::moves(args),
        Command::Line(args) => query::line(args),
        Command::Explain(args) => explain::explain(args, &resources),
        Command::Doctor(args) => doctor::doctor(args),
        Command::Verify(args) => verify::verify(args, &resources),
        Command::Info(args) => info::info(args),
        Command::Stats(args) => stats::stats(args, &resources),
        Command::Compare(args) => compare::compare(args),
        Command::Completions(args) => shell::completions(args),
        Command::Man(args) => shell::man(args),
    }
}

/// Drops `--help` and `-h` after the command `help`, which takes only names of commands.
fn arguments(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1).is_some_and(|command| command == "help") {
        arguments.retain(|argument| argument != "--help" && argument != "-h");
    }
    arguments
}

/// The usage error on one line; `None` if the "error" is a request for help or the version.
fn usage_message(error: &clap::Error) -> Option<String> {
    use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    if matches!(error.kind(), DisplayHelp | DisplayHelpOnMissingArgumentOrSubcommand | DisplayVersion) {
        return None;
    }
    let text = error.render().to_string();
    let mut message = String::new();
    // After the message and its tips, clap prints the usage and a pointer to `--help`. For any unknown option it has a tip on
    // passing the option as a value, which no command takes.
    for line in text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage: ")) {
        if line.is_empty() || line.starts_with("For more information") || line.starts_with("tip: to pass '") {
            continue;
        }
        message.push_str(if message.is_empty() {
            ""
        } else if line.starts_with("tip: ") {
            "; "
        } else {
            " "
        });
        message.push_str(line.strip_prefix("error: ").unwrap_or(line));
    }
    Some(message.replace('\r', " "))
}

/// Prints the error to standard error, on one line.
fn complain(error: &Error) {
    // If standard error cannot be written to, the exit status must suffice.
    let _ = writeln!(io::stderr(), "{} {}", paint::err(paint::BAD, "cubebase:"), one_line(error));
}

/// The message of an error on one line, even if it quotes text with line breaks.
fn one_line(error: &Error) -> String {
    error.to_string().replace(['\n', '\r'], " ")
}

fn status_of(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::Mismatch => 1,
        ErrorKind::BadMaterial => 2,
        ErrorKind::Internal => 4,
        _ => 3,
    }
}

/// Whether the error is a closed pipe: the reader of standard output has gone, which is not a failure.
fn is_closed_pipe(error: &Error) -> bool {
    io_error(error).is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// The system error that caused `error`, if any.
fn io_error(error: &Error) -> Option<&io::Error> {
    let mut causes = std::iter::successors(std::error::Error::source(error), |error| error.source());
    causes.find_map(|error| error.downcast_ref())
}

fn to_standard_output(write: impl FnOnce(&mut dyn io::Write) -> Result<()>) -> Result<ExitCode> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    write(&mut out).map_err(|error| match io_error(&error) {
        // The only output here is standard output.
        Some(cause) => not_written(io::Error::new(cause.kind(), cause.to_string())),
        None => error,
    })?;
    out.flush().map_err(not_written)?;
    Ok(ExitCode::SUCCESS)
}

/// The error of standard output.
fn not_written(error: io::Error) -> Error {
    Error::with_source(ErrorKind::Io, "cannot write to standard output", error)
}

fn print(text: impl AsRef<[u8]>) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_ref()).and_then(|()| out.flush()) {
        // The reader has gone. The command goes on: it makes its files, and its exit status is that of its work.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(not_written),
    }
}

fn print_json(value: &serde_json::Value) -> Result<()> {
    print(format!("{value:#}\n"))
}

/// Parses a material, also in lower case or without the `v` between the sides.
fn material(text: &str) -> Result<Material> {
    Material::parse(text).map(|(material, _)| material).or_else(|error| {
        if let Some(error) = games::other_game(text) {
            return Err(error);
        }
        let upper = text.to_ascii_uppercase();
        // The second king begins the other side.
        let sides = upper.strip_prefix('K').and_then(|rest| rest.split_once('K'));
        let Some((one, other)) = sides else { return Err(error) };
        let one = one.strip_suffix('V').unwrap_or(one);
        Material::parse(&format!("K{one}vK{other}")).map(|(material, _)| material).map_err(|_| error)
    })
}

fn directory_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(directory) if directory != Path::new("") => directory.into(),
        _ => ".".into(),
    }
}

/// A usage error, exit status 2.
fn usage(why: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadMaterial, why)
}

/// A number with its noun, singular or plural: `1 table`, `2 tables`.
fn counted(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number as u64), if number == 1 { "" } else { "s" })
}

/// Parses targets: materials in the order given, or N for all tables of up to N men, sub-tables first. Drops repeats.
fn materials(targets: &[String]) -> Result<Vec<Material>> {
    let mut found: Vec<Material> = Vec::new();
    for target in targets {
        match target.parse::<usize>() {
            Ok(men @ 2..=MAX_MEN) => found.extend((2..=men).flat_map(Material::all)),
            Ok(_) => return Err(usage(format!("'{target}' is not a number of men: 2 to {MAX_MEN}"))),
            Err(_) => found.push(games::chess_material(target)?),
        }
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|material| seen.insert(*material));
    Ok(found)
}

/// Files that a directory may have in place of .pcn files: the extension, and what to do.
const OTHER_FILES: [(&str, &str); 4] = [
    ("pcb", "a bundle: name the file itself"),
    ("wdl", "an outcome table: use `cubebase lookup`"),
    ("rtbw", "a Syzygy file: `cubebase verify --syzygy` compares it"),
    ("rtbz", "a Syzygy file of distances, which cubebase does not read"),
];

/// Returns the file itself, or the files of a directory with one of the extensions, sorted by name.
fn files(path: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let failed = |error| Error::io("read", path, error);
    let entries = std::fs::read_dir(path).map_err(failed)?;
    let mut all = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()
        .map_err(failed)?;
    all.sort();
    let is_of = |file: &Path, extensions: &[&str]| {
        file.extension().is_some_and(|extension| extensions.iter().any(|wanted| extension == *wanted))
    };
    let other = OTHER_FILES.iter().find_map(|(extension, what)| {
        let file = all.iter().find(|file| is_of(file, &[extension]))?;
        Some(format!("; {} is {what}", file.display()))
    });
    all.retain(|file| is_of(file, extensions));
    if all.is_empty() {
        let (wanted, other) = (extensions.join(" or ."), other.unwrap_or_default());
        let message = format!("{}: no .{wanted} file in it{other}", path.display());
        return Err(Error::new(ErrorKind::MissingTable, message));
    }
    Ok(all)
}

/// Parses the name of an input model; an unknown one is a usage error.
fn model(name: &str) -> Result<Model> {
    name.parse().map_err(|error: Error| usage(error.to_string()))
}
