//! The `espresso` command: parses its arguments and runs it.
//! Free, except for `berkeley` and `spelling`: scripts for Berkeley's program fix them.

mod args;
mod berkeley;
mod checks;
mod failure;
mod input;
mod operations;
mod output;
mod prime_table;
mod progress;
mod spelling;
mod summary;

use args::{Args, Command, Tuning};
use clap::CommandFactory;
use clap_mangen::roff::{Roff, roman};
use espresso::minimize::{Options, Outputs, Report, Step};
use espresso::{Error, ErrorKind, Format, Pla, PlaType, Rest, algebra, atomic};
use failure::{Failure, fail, shown};
use input::Input;
use output::say;
use progress::end_when_interrupted;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use summary::Summary;

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    let (args, is_berkeley) = spelling::parse(std::env::args_os());
    let args = match args {
        Ok(args) => args,
        Err(error) if error.use_stderr() => return refuse(&error, is_berkeley),
        Err(help) => return ended(say(help.render().to_string().trim_end()), is_berkeley),
    };
    if args.man || args.completions.is_some() {
        return ended(say_of_arguments(&args), is_berkeley);
    }
    // Without an output file there is nothing to remove, so the handler can wait for `watch`, which starts it in longer work.
    if !args.output.is_empty() {
        end_when_interrupted();
    }
    atomic::report_size_limit();
    let threads = match espresso::limits::threads(args.threads) {
        Ok(threads) => threads,
        Err(why) => return refused(&why, is_berkeley),
    };
    if let Some(threads) = threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
        // A pool of one thread uses this thread.
        let pool = if threads == 1 { pool.use_current_thread() } else { pool };
        // This fails only if the pool already exists, and nothing has used it yet.
        let _ = pool.build_global();
    }
    ended(execute(&args), is_berkeley)
}

fn ended(result: Result<(), Failure>, is_berkeley: bool) -> ExitCode {
    result.map_or_else(|failure| fail(&failure, is_berkeley), |()| ExitCode::SUCCESS)
}

/// Prints a usage error on one line.
fn refuse(error: &clap::Error, is_berkeley: bool) -> ExitCode {
    let text = error.render().to_string();
    let mut message = String::new();
    // After the message and its tips, clap prints the usage and a pointer to `--help`.
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
    refused(&message.replace('\r', " "), is_berkeley)
}

fn refused(message: &str, is_berkeley: bool) -> ExitCode {
    // If standard error is closed, there is no message.
    let _ = writeln!(io::stderr(), "espresso: {message}");
    ExitCode::from(if is_berkeley { 1 } else { 2 })
}

/// Prints a completion script or the manual page, from the definition of the arguments.
fn say_of_arguments(args: &Args) -> Result<(), Failure> {
    let mut command = <Args as CommandFactory>::command();
    let mut text = Vec::new();
    if let Some(shell) = args.completions {
        clap_complete::generate(shell, &mut command, "espresso", &mut text);
    } else {
        text = manual_page(command).map_err(|error| Failure::of("the manual page")(error.into()))?;
    }
    output::write(None, |out| Ok(out.write_all(&text)?)).map_err(Failure::of("standard output"))
}

/// The manual page; the examples at the end of the help keep their line breaks.
fn manual_page(command: clap::Command) -> io::Result<Vec<u8>> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (examples, notes) = help.split_once("\n\n").unwrap_or((help.as_str(), ""));
    let mut text = Vec::new();
    clap_mangen::Man::new(command.after_help(None::<&str>)).render(&mut text)?;
    let mut end = Roff::new();
    end.control("SH", ["NOTES"]);
    for note in notes.split("\n\n") {
        end.control("PP", []).text([roman(note.replace('\n', " "))]);
    }
    end.control("SH", ["EXAMPLES"]).control("nf", []);
    for example in examples.lines().skip(1) {
        end.text([roman(example.trim())]);
    }
    end.control("fi", []);
    end.to_writer(&mut text)?;
    Ok(text)
}

fn execute(args: &Args) -> Result<(), Failure> {
    let start = Instant::now();
    if is_traced(args) {
        let shown = |word: OsString| word.to_string_lossy().replace(char::is_control, "?");
        let line: Vec<String> = std::env::args_os().map(shown).collect();
        say(&format!("# {}\n# cubebase-espresso {}", line.join(" "), env!("CARGO_PKG_VERSION")))?;
    }
    if args.command() == Command::Many {
        return minimize_many(args, start);
    }
    let input = Input::read(args, 0)?;
    let second = args.command().takes_two().then(|| Input::read(args, 1)).transpose()?;
    for input in [Some(&input), second.as_ref()].into_iter().flatten().filter(|_| is_traced(args)) {
        let mut pla = input.given()?;
        if pla.kind == PlaType::Fr {
            // D stays empty if it has too many cubes to list.
            pla.dc = input.function()?.with_listed_dc().map_or(pla.dc, |function| function.dc);
        }
        say(&berkeley::sizes(&input.berkeley_name(), [&pla.on, &pla.dc, &pla.off]))?;
    }
    if !args.command().makes_pla() {
        return checks::run(args, &input, second.as_ref(), start);
    }
    let destination = Destination::new(args, &input.name)?;
    if let Some(most) = args.all {
        let covers = prime_table::minimum_covers(&input, most)?;
        return destination.write_all(&covers);
    }
    if let Some(steps) = args.steps() {
        let (pla, report) = transform(args, &input, steps)?;
        return destination.write(&input, &pla, &report, start);
    }
    let mut pla = operations::operate(args, &input, second.as_ref())?;
    // An operation changes only F (`essen` also D), so the other sets of the output are computed from the input. But `mapdc`
    // makes another function: then they are computed from its result.
    let mapped = (args.command() == Command::Mapdc).then(|| input.with(pla.clone()));
    let described = mapped.as_ref().unwrap_or(&input);
    let sets = destination.format.sets();
    let made_dc = args.command() == Command::Essential;
    let lacks = sets.has_off() && !pla.kind.has_off() || sets.has_dc() && pla.kind == PlaType::Fr && !made_dc;
    if lacks && (pla.space() == described.pla.space() || described.pla.has_other_outputs()) {
        let mut function = described.function()?;
        if sets.has_dc() {
            function = function.with_listed_dc().map_err(Failure::of(&input.name))?;
        }
        pla.off = function.off;
        pla.dc = if made_dc { pla.dc } else { function.dc };
    }
    if sets == PlaType::Fr {
        // F and R may share minterms of D, and D is not written.
        pla.off = input.watched(|monitor| algebra::sharp(&pla.off, &pla.dc, monitor))?;
    }
    destination.write(&input, &pla, &Report::default(), start)
}

/// Whether a summary in Berkeley's style is requested.
fn is_traced(args: &Args) -> bool {
    // Verilog and JSON have no comments that begin with #.
    let has_comments = !matches!(args.destination().0, Format::Verilog | Format::Json);
    args.is_berkeley && args.wants_stats() && has_comments
}

/// Minimizes each PLA of the input, and writes it before reading the next. A file is written as a whole, after the last PLA.
fn minimize_many(args: &Args, start: Instant) -> Result<(), Failure> {
    let (text, name, _) = input::open(args, 0)?;
    let mut reader = input::reader(args, text);
    let destination = Destination::new(args, &name)?;
    let (mut results, mut count) = (Vec::new(), 0);
    while let Some((pla, notes)) = reader.next_pla().map_err(Failure::of(&name))? {
        count += 1;
        // A PLA without `.type` has the type of the PLA before it.
        reader = reader.with_type(pla.kind);
        let input = Input::of(args, pla, notes, name.clone());
        let (pla, report) = transform(args, &input, args.steps().unwrap_or_default())?;
        if destination.file.is_none() {
            destination.write(&input, &pla, &report, start)?;
        } else {
            destination.summarize(&input, &pla, &report, start)?;
            results.push(pla);
        }
    }
    if count == 0 {
        return Err(Failure::Error(name, Error::new(ErrorKind::Syntax, "there is no PLA")));
    }
    destination.write_all(&results)
}

/// The destination and the format of a result.
struct Destination<'a> {
    args: &'a Args,
    format: Format,
    file: Option<PathBuf>,
    /// The name of the destination in messages.
    name: String,
    /// The name of a module or model: that of the input.
    model: String,
}

impl<'a> Destination<'a> {
    /// Fails, before any work, if the file could not be written.
    fn new(args: &'a Args, input: &str) -> Result<Self, Failure> {
        let (format, file) = args.destination();
        let name = file.as_deref().map_or_else(|| "standard output".into(), shown);
        if let Some(path) = file.as_deref().filter(|_| !args.silent) {
            atomic::check(path).map_err(|error| Failure::of(&name)(error.into()))?;
        }
        let path = Path::new(input);
        let stem = args.files.first().and(path.file_stem()).map(|stem| stem.to_string_lossy().into_owned());
        let model =
            stem.filter(|stem| stem != "-" && input != "standard input").unwrap_or_else(|| "pla".into());
        Ok(Destination { args, format, file, name, model })
    }

    /// Writes the result and the summary, if requested.
    fn write(&self, input: &Input, pla: &Pla, report: &Report, start: Instant) -> Result<(), Failure> {
        if self.args.is_berkeley {
            self.summarize(input, pla, report, start)?;
        }
        self.write_all(std::slice::from_ref(pla))?;
        if self.args.is_berkeley { Ok(()) } else { self.summarize(input, pla, report, start) }
    }

    /// Writes PLAs one after the other.
    fn write_all(&self, plas: &[Pla]) -> Result<(), Failure> {
        if self.args.silent {
            return Ok(());
        }
        let written = output::write(self.file.as_deref(), |mut out| {
            plas.iter().try_for_each(|pla| pla.write_format(&mut out, self.format, &self.model))
        });
        written.map_err(Failure::of(&self.name))
    }

    fn summarize(&self, input: &Input, pla: &Pla, report: &Report, start: Instant) -> Result<(), Failure> {
        let seconds = start.elapsed().as_secs_f64();
        if is_traced(self.args) {
            let steps = report.steps.iter().filter(|_| self.args.is_step_wanted()).map(berkeley::step);
            let name = self.args.command().name();
            let strategy = report.strategy.map(|strategy| format!("# {strategy}"));
            let end = [berkeley::trace(&name, seconds, &pla.on)];
            let lines: Vec<String> = strategy.into_iter().chain(steps).chain(end).collect();
            return say(&lines.join("\n"));
        }
        if self.args.wants_stats() {
            let summary = Summary::new(&input.pla, &input.name, seconds).with_outcome(report, &pla.on);
            // A summary that cannot be written is no reason to fail.
            let _ = writeln!(io::stderr().lock(), "{}", summary.render(self.args.format));
        }
        Ok(())
    }
}

/// Runs the steps. The result has the sets to be written.
fn transform(args: &Args, input: &Input, steps: Vec<Step>) -> Result<(Pla, Report), Failure> {
    let Input { pla, name, .. } = input;
    let kind = args.destination().0.sets();
    // The output may need sets that the PLA does not describe, or R without D.
    let complete = !steps.is_empty()
        || args.check
        || pla.has_other_outputs()
        || kind.has_on() && matches!(pla.kind, PlaType::R | PlaType::Dr)
        || kind.has_off() && !pla.kind.has_off()
        || kind.has_dc() && pla.kind == PlaType::Fr
        || (kind, pla.kind) == (PlaType::Fr, PlaType::Fdr);
    if !complete {
        return Ok((pla.clone(), Report::default()));
    }
    let outputs = match args.command() {
        Command::So => Outputs::Each,
        Command::SoBoth => Outputs::EachInBestPhase,
        Command::Opo => Outputs::InBestPhases,
        Command::OpoAll => Outputs::InAllPhases,
        _ => Outputs::Together,
    };
    let (is_minimized, is_exact) = (!steps.is_empty(), steps.contains(&Step::Exact));
    let check = args.check_work().filter(|_| args.check || is_minimized);
    let options = Options {
        steps,
        effort: args.effort,
        is_strong: args.tuning.contains(&Tuning::Strong),
        budget: args.budget,
        outputs,
        sets: kind,
        renews_on: is_minimized && args.tuning.contains(&Tuning::Onset),
        check,
        ..Options::default()
    };
    let made = input.described(|progress| espresso::run(pla, &Options { progress, ..options }))?;
    let has_off = made.function.rest != Rest::Off;
    if !has_off {
        input.warn("the OFF-set has too many cubes: minimized without it, by fewer steps");
    }
    if made.report.exhausted && args.budget.is_none() {
        input.warn(if has_off {
            "a step reached its work limit: there may be more cubes than usual"
        } else {
            "minimized up to a work limit; --budget sets another limit"
        });
    }
    if is_exact && args.budget.is_none() && made.report.lower_bound != Some(made.pla.on.len()) {
        input.warn("it is not proven that there are no fewer cubes");
    }
    if made.phases.contains(&false) {
        let phase: String = made.phases.iter().map(|&phase| if phase { '1' } else { '0' }).collect();
        // A message that cannot be written is no reason to fail.
        let _ = writeln!(io::stderr(), "espresso: {name}: .phase {phase}: 0 marks a complemented output");
    }
    if check.is_some() && !made.is_checked {
        input.warn_of_unfinished_check();
    }
    Ok((made.pla, made.report))
}
