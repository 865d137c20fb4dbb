//! What the program does with its command line.

mod args;
mod output;
mod progress;
mod summary;

use args::{Args, Command};
use clap::Parser;
use espresso::check::{self, Mismatch};
use espresso::minimize::{Options, Report, Step, minimize};
use espresso::{Cover, Error, ErrorKind, Function, Monitor, Pla, PlaType, Progress, tautology};
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use summary::Summary;

/// Bytes read at a time.
const BUFFER: usize = 1 << 16;

/// Why the program does not end well.
enum Failure {
    /// A check found a mismatch: exit code 1.
    Mismatch(Mismatch),
    /// Something is wrong with a file, named first: exit code 3, or 4 when the fault is this program's.
    Error(String, Error),
}

impl Failure {
    fn of(name: &str) -> impl FnOnce(Error) -> Failure + '_ {
        move |error| Failure::Error(name.to_owned(), error)
    }
}

impl From<Mismatch> for Failure {
    fn from(mismatch: Mismatch) -> Self {
        Failure::Mismatch(mismatch)
    }
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    let args = match Args::try_parse().and_then(|args| args.expect_files().map(|()| args)) {
        Ok(args) => args,
        Err(error) => return refuse(&error),
    };
    if let Some(threads) = args.threads {
        // It fails only when the pool exists already, and nothing has used it yet.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    }
    match execute(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => fail(&failure),
    }
}

/// Says on one line what is wrong with the command line; prints help or the version where that was asked for.
fn refuse(error: &clap::Error) -> ExitCode {
    // Nothing can be said where nobody reads.
    let _ = if error.use_stderr() {
        let text = error.render().to_string();
        let mut message = String::new();
        // Behind the message and its tips come the usage and a word about help.
        for line in text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage: ")) {
            if line.is_empty() || line.starts_with("For more information") {
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
        writeln!(io::stderr(), "espresso: {}", message.replace('\r', " "))
    } else {
        error.print()
    };
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Says what is wrong on standard error.
fn fail(failure: &Failure) -> ExitCode {
    let mut err = io::stderr().lock();
    // Nothing can be said when standard error is closed.
    let (_, code) = match failure {
        Failure::Mismatch(mismatch) => (writeln!(err, "espresso: mismatch: {mismatch}"), 1),
        Failure::Error(name, error) => {
            let internal = matches!(error.kind(), ErrorKind::BudgetExhausted | ErrorKind::Cancelled);
            (writeln!(err, "espresso: {name}: {error:#}"), if internal { 4 } else { 3 })
        }
    };
    ExitCode::from(code)
}

fn execute(args: &Args) -> Result<(), Failure> {
    let start = Instant::now();
    let (pla, name) = read(args, 0)?;
    let function = |pla: &Pla, name: &str| Function::from_pla(pla).map_err(Failure::of(name));
    let say = |text: &str| {
        output::write(None, |out| Ok(writeln!(out, "{text}")?)).map_err(Failure::of("standard output"))
    };
    if let Some(steps) = args.steps() {
        return transform(args, &pla, &name, steps, start);
    }
    match args.command() {
        Command::Verify => {
            let (result, _) = read(args, 1)?;
            check::result(&function(&pla, &name)?, &result.on)?;
            say("the ON-set of the second is a result for the first")
        }
        Command::PlaVerify => {
            let (other, other_name) = read(args, 1)?;
            check::same_function(&function(&pla, &name)?, &function(&other, &other_name)?)?;
            say("the two are the same function")
        }
        Command::Check => {
            contradiction(&pla, &name)?;
            say("consistent")
        }
        Command::Taut => {
            let is = if tautology::is_tautology(&pla.on) { "is" } else { "is not" };
            say(&format!("the ON-set {is} a tautology"))
        }
        _ => {
            let seconds = start.elapsed().as_secs_f64();
            let summary = Summary { pla: &pla, name: &name, outcome: None, seconds };
            say(summary.render(args.format).trim_end())
        }
    }
}

/// Whether the PLA is consistent: a contradiction is a mismatch here, not bad input.
fn contradiction(pla: &Pla, name: &str) -> Result<(), Failure> {
    let given = Function::new(pla.on.clone(), pla.dc.clone(), pla.off.clone()).map_err(Failure::of(name))?;
    let given = Function { rest_is_dc: pla.kind == PlaType::Fr, ..given };
    match check::consistent(&given) {
        Err(mismatch) if pla.kind == PlaType::Fdr || mismatch.fault() == check::Fault::Contradiction => {
            Err(mismatch.into())
        }
        // The other types leave minterms to the sets that they do not give.
        _ => Ok(()),
    }
}

/// Runs the steps and writes what comes out.
fn transform(args: &Args, pla: &Pla, name: &str, steps: Vec<Step>, start: Instant) -> Result<(), Failure> {
    let (kind, file) = args.destination();
    let to = file.as_ref().map_or_else(|| "standard output".into(), |path| path.display().to_string());
    if let Some(path) = file.as_deref().filter(|_| !args.silent) {
        output::check(path).map_err(Failure::of(&to))?;
    }
    let mut result = pla.clone();
    let needs_sets = |set: bool, given: bool| set && !given;
    let complete = !steps.is_empty()
        || needs_sets(kind.has_off(), pla.kind.has_off())
        || (needs_sets(kind.has_dc(), pla.kind.has_dc()) && pla.kind == PlaType::Fr);
    let mut report = Report::default();
    if complete {
        let mut function = Function::from_pla(pla).map_err(Failure::of(name))?;
        if kind.has_dc() {
            function = function.with_listed_dc().map_err(|error| {
                let why = format!("{error}: a PLA of type {kind} needs them, one of type f or fr does not");
                Failure::Error(name.to_owned(), Error::new(error.kind(), why))
            })?;
        }
        let (cover, done) = minimized(&function, args.budget, steps).map_err(Failure::of(name))?;
        if args.check {
            check::result(&function, &cover)?;
        }
        report = done;
        result = Pla { on: cover, dc: function.dc, off: function.off, ..result };
    }
    if !args.silent {
        output::write(file.as_deref(), |mut out| result.write(&mut out, kind)).map_err(Failure::of(&to))?;
    }
    if args.wants_stats() {
        let seconds = start.elapsed().as_secs_f64();
        let summary = Summary { pla, name, outcome: Some((&report, &result.on)), seconds };
        // A summary that nobody can read is no reason to fail.
        let _ = io::stderr().lock().write_all(summary.render(args.format).as_bytes());
    }
    Ok(())
}

fn minimized(
    function: &Function,
    budget: Option<u64>,
    steps: Vec<Step>,
) -> espresso::Result<(Cover, Report)> {
    let line = progress::Line::new();
    let show = |now: &Progress| line.show(now);
    minimize(function, &Options { steps, budget, progress: Monitor::new(&show) })
}

/// Reads file number `index` of the command line, or standard input; returns it with its name in messages.
fn read(args: &Args, index: usize) -> Result<(Pla, String), Failure> {
    let path = args.files.get(index).filter(|path| path.as_path() != Path::new("-"));
    let name = path.map_or_else(|| "standard input".into(), |path| path.display().to_string());
    let pla = match path {
        Some(path) => File::open(path)
            .map_err(Error::from)
            .and_then(|file| Pla::read_as(BufReader::with_capacity(BUFFER, file), args.kind)),
        None => Pla::read_as(io::stdin().lock(), args.kind),
    };
    match pla {
        Ok(pla) => Ok((pla, name)),
        Err(error) => Err(Failure::Error(name, error)),
    }
}
