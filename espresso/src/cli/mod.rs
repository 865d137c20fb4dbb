//! What the program does with its command line.

mod args;
mod failure;
mod input;
mod minimizing;
mod output;
mod progress;
mod proof;
mod summary;

use args::{Args, Command};
use clap::Parser;
use espresso::minimize::{Phased, Report, Step};
use espresso::{Error, Pla, PlaType, atomic, check, memory, tautology};
use failure::{Failure, fail, shown};
use input::Input;
use progress::{end_when_interrupted, watch};
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;
use summary::Summary;

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    let args = match Args::try_parse().and_then(Args::checked) {
        Ok(args) => args,
        Err(error) if error.use_stderr() => return refuse(&error),
        Err(help) => return ended(say(help.render().to_string().trim_end())),
    };
    end_when_interrupted();
    if let Some(threads) = args.threads {
        // It fails only when the pool exists already, and nothing has used it yet.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    }
    ended(execute(&args))
}

fn ended(result: Result<(), Failure>) -> ExitCode {
    result.map_or_else(|failure| fail(&failure), |()| ExitCode::SUCCESS)
}

/// Says on one line what is wrong with the command line.
fn refuse(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    let mut message = String::new();
    // Behind the message and its tips come the usage and a word about help.
    for line in text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage: ")) {
        if line.is_empty() || line.starts_with("For more information") {
            continue;
        }
        message.push_str(match line {
            _ if message.is_empty() => "",
            _ if line.starts_with("tip: ") => "; ",
            _ => " ",
        });
        message.push_str(line.strip_prefix("error: ").unwrap_or(line));
    }
    // Nothing can be said where nobody reads.
    let _ = writeln!(io::stderr(), "espresso: {}", message.replace('\r', " "));
    ExitCode::from(2)
}

fn say(text: &str) -> Result<(), Failure> {
    output::write(None, |out| Ok(writeln!(out, "{text}")?)).map_err(Failure::of("standard output"))
}

fn execute(args: &Args) -> Result<(), Failure> {
    let start = Instant::now();
    let input = Input::read(args, 0)?;
    if let Some(steps) = args.steps() {
        return transform(args, &input, steps, start);
    }
    match args.command() {
        Command::Verify => {
            let result = Input::read(args, 1)?;
            input.check(&input.function()?, &result.pla.on)?;
            say("the ON-set of the second is a result for the first")
        }
        Command::PlaVerify => {
            let other = Input::read(args, 1)?;
            check::same_function(&input.function()?, &other.function()?)?;
            say("the two are the same function")
        }
        Command::Check => match input.inconsistency()? {
            // The other types leave minterms to the sets that they do not give.
            Some(mismatch)
                if input.pla.kind == PlaType::Fdr || mismatch.fault() == check::Fault::Contradiction =>
            {
                Err(Failure::Mismatch(input.with_lines(&mismatch)))
            }
            _ => say("consistent"),
        },
        Command::Taut => {
            let is = if tautology::is_tautology(&input.pla.on) { "is" } else { "is not" };
            say(&format!("the ON-set {is} a tautology"))
        }
        _ => {
            let summary = Summary::new(&input.pla, &input.name, start.elapsed().as_secs_f64());
            say(&summary.render(args.format))
        }
    }
}

/// Runs the steps and writes what comes out.
fn transform(args: &Args, input: &Input, steps: Vec<Step>, start: Instant) -> Result<(), Failure> {
    let Input { pla, name, .. } = input;
    let (kind, file) = args.destination();
    let to = file.as_deref().map_or_else(|| "standard output".into(), shown);
    if let Some(path) = file.as_deref().filter(|_| !args.silent) {
        atomic::check(path).map_err(|error| Failure::of(&to)(error.into()))?;
    }
    let mut result = pla.clone();
    // What is written may need sets that the PLA does not give, or R without D.
    let complete = !steps.is_empty()
        || args.check
        || kind.has_off() && !pla.kind.has_off()
        || kind.has_dc() && pla.kind == PlaType::Fr
        || (kind, pla.kind) == (PlaType::Fr, PlaType::Fdr);
    let mut report = Report::default();
    if complete {
        let mut function = input.function()?;
        if kind.has_dc() {
            function = function.with_listed_dc().map_err(|error| {
                let why = format!("{error}: a PLA of type {kind} needs them, one of type f or fr does not");
                Failure::Error(name.clone(), Error::new(error.kind(), why))
            })?;
        }
        memory::expect(&function, &steps).map_err(Failure::of(name))?;
        let phased = minimizing::minimized(args, name, &function, steps)?;
        if phased.phases.contains(&false) {
            let phase: String = phased.phases.iter().map(|&phase| if phase { '1' } else { '0' }).collect();
            // A message that nobody can read is no reason to fail.
            let _ = writeln!(
                io::stderr(),
                "espresso: {name}: .phase {phase}: a 0 is an output made as its complement"
            );
            function = function.in_phases(&phased.phases).map_err(Failure::of(name))?;
        }
        let Phased { cover, report: done, .. } = phased;
        if args.check {
            input.check(&function, &cover)?;
        }
        report = done;
        if kind == PlaType::Fr {
            // The cover may have minterms of D that are in R too, and D is not written.
            function.off = watch(|monitor| function.blocking_on_with(monitor)).map_err(Failure::of(name))?;
        }
        result = Pla { on: cover, dc: function.dc, off: function.off, ..result };
    }
    if !args.silent {
        output::write(file.as_deref(), |mut out| result.write(&mut out, kind)).map_err(Failure::of(&to))?;
    }
    if args.wants_stats() {
        let seconds = start.elapsed().as_secs_f64();
        let summary = Summary::new(pla, name, seconds).with_outcome(&report, &result.on);
        // A summary that nobody can read is no reason to fail.
        let _ = writeln!(io::stderr().lock(), "{}", summary.render(args.format));
    }
    Ok(())
}
