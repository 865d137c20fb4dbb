//! The definition of the command line: options and their help texts.

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{ArgAction, CommandFactory, Parser, ValueEnum};
use espresso::minimize::{DEFAULT_EFFORT, Step};
use espresso::{Format, PlaType, check};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  espresso adder.pla                       the minimized ON-set on standard output
  espresso adder.pla -o adder.min.pla --check --stats
  espresso adder.pla --out-type verilog --output adder.v
  espresso --steps compact,expand table.pla > table.min.pla
  espresso -Dverify adder.pla adder.min.pla
  espresso --completions bash > ~/.local/share/bash-completion/completions/espresso
  espresso --man > ~/.local/share/man/man1/espresso.1

A command line with one of Berkeley's single-letter options (-D, -d, -e, -r, -S, -s, -t, -v, -x,
or -o with one of its formats) and without a '--' option is in Berkeley's style: summaries are
comments on standard output, verdicts are in the same words, -Dcheck succeeds whatever it finds,
and the exit code is 0 or 1. The older -do, -out, -fast, -fdr and so on are accepted. To write to
a file named like a format, give a path, as in -o ./eqntott.

Exit codes: 0 fine, 1 a check found a mismatch, 2 usage, 3 bad input or I/O, 4 internal,
130 interrupted.";

/// Two-level logic minimization: reads a function, writes an equivalent cover with fewer cubes and literals.
#[derive(Debug, Parser)]
#[expect(clippy::struct_excessive_bools, reason = "one for each switch")]
#[command(name = "espresso", version, after_help = EXAMPLES, args_override_self = true)]
pub struct Args {
    /// The PLA; `-` or nothing means standard input. A command on two PLAs reads the second from standard input if only
    /// one is named
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Output file, written whole or not at all; `-` is standard output, the default. Also takes a format, like
    /// --out-type
    #[arg(short, long, value_name = "FILE", action = ArgAction::Append)]
    #[arg(value_parser = OsStringValueParser::new().try_map(Output::parse))]
    pub output: Vec<Output>,

    /// Output format: a PLA of the minimized ON-set f, the DC-set d, the OFF-set r or several of them (fd, fr, dr,
    /// fdr), eqntott, kiss, verilog, blif or json [default: f]
    #[arg(long, value_name = "FORMAT")]
    pub out_type: Option<Format>,

    /// Type of a PLA without `.type`
    #[arg(long = "type", value_name = "TYPE", default_value = "fd")]
    pub kind: PlaType,

    /// Read truth tables: for each output a line of 0, 1 and -, the first input the highest bit
    #[arg(long, conflicts_with_all = ["csv", "equations", "kiss2", "blif"])]
    pub truth_table: bool,

    /// Read a truth table in CSV: a line of names, then rows of 0, 1 and x. The outputs are the columns after a column without a
    /// name, otherwise the last column alone. The default for files *.csv
    #[arg(long, conflicts_with_all = ["equations", "kiss2", "blif"])]
    pub csv: bool,

    /// Read Boolean equations: `f = a & !b | c;`. The default for files *.eqn
    #[arg(long, conflicts_with_all = ["kiss2", "blif"])]
    pub equations: bool,

    /// Read a state table in KISS2. The default for files *.kiss2
    #[arg(long, conflicts_with = "blif")]
    pub kiss2: bool,

    /// Read a model of tables in BLIF. The default for files *.blif
    #[arg(long)]
    pub blif: bool,

    /// Steps to run, in order: compact, expand, essential, irredundant, reduce, gasp, supergasp, lns (large
    /// neighbourhood search), exact, sparse, or full for the whole loop [default: compact,full]
    #[arg(long, value_name = "STEP,...", value_parser = parse_steps)]
    pub steps: Option<Steps>,

    /// Command to run instead of minimizing
    #[arg(short = 'D', long = "do", value_name = "COMMAND", conflicts_with = "steps")]
    pub command: Option<Command>,

    /// Options for reading and for minimizing
    #[arg(short = 'e', long = "with", value_name = "OPTION", action = ArgAction::Append)]
    pub tuning: Vec<Tuning>,

    /// Variables for d1merge and minterms, counted from zero, the output last [default: all]
    #[arg(short, long, value_name = "FROM-TO", value_parser = parse_range)]
    pub range: Option<(usize, usize)>,

    /// Strategy: 1 finds the minimum in so, `so_both` and opoall; for other commands accepted without effect
    #[arg(short = 'S', long, value_name = "N", allow_hyphen_values = true)]
    pub strategy: Option<i32>,

    /// Write the PLA as read, the same as --do echo
    #[arg(long, conflicts_with_all = ["command", "steps"])]
    pub echo: bool,

    /// Minimize as a product of sums: the OFF-set, for all outputs. Equations and Verilog are then products of sums; a PLA has
    /// `.phase`
    #[arg(long)]
    pub pos: bool,

    /// Check the result with an independent oracle, however long that takes; write nothing if it is wrong. By default
    /// the check of a minimized result is given up after some seconds, with a warning
    #[arg(long)]
    pub check: bool,

    /// Do not check the result
    #[arg(long, conflicts_with = "check")]
    pub no_check: bool,

    /// Write no PLA
    #[arg(short = 'x', long = "no-solution")]
    pub silent: bool,

    /// Summarize sizes, steps and times on standard error
    #[arg(short, long)]
    pub stats: bool,

    /// Format of the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: SummaryFormat,

    /// Threads to use [default: that of the variable `RAYON_NUM_THREADS`, or one for each processor]
    #[arg(long, value_name = "N", value_parser = espresso::limits::parse_threads)]
    pub threads: Option<u16>,

    /// How hard to try, 1 (quickest) to 4 (fewest cubes)
    #[arg(long, value_name = "LEVEL", default_value_t = DEFAULT_EFFORT)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=4))]
    pub effort: u8,

    /// Find the minimum and prove it, the same as -D exact; with so and `so_both`, the minimum of each output. If a budget ends
    /// the search, the result is the best cover so far, and the summary has a lower bound
    #[arg(long, conflicts_with_all = ["steps", "echo"])]
    pub exact: bool,

    /// Write all minimum covers of a small function, or N of them if there are more, one after the other
    #[arg(long, value_name = "N", conflicts_with_all = ["command", "steps", "echo", "exact", "check", "stats"])]
    pub all: Option<usize>,

    /// Work limit in cubes tested; the result is then the best cover so far [default: no limit if the OFF-set can be
    /// listed]
    #[arg(long, value_name = "N")]
    pub budget: Option<u64>,

    /// Print a shell's completion script for this command, and do nothing else
    #[arg(long, value_name = "SHELL", exclusive = true)]
    pub completions: Option<clap_complete::Shell>,

    /// Print the manual page, and do nothing else
    #[arg(long, exclusive = true)]
    pub man: bool,

    /// Summarize each step
    #[arg(short, long)]
    pub trace: bool,

    #[arg(short = 'd', hide = true)]
    debug: bool,

    #[arg(short = 'v', hide = true, value_name = "TYPE")]
    verbose: Option<String>,

    /// Whether the command line is in Berkeley's style.
    #[arg(skip)]
    pub is_berkeley: bool,
}

/// A value of `--output`: a file, or a format as in Berkeley's program.
#[derive(Clone, Debug)]
pub enum Output {
    Format(Format),
    File(PathBuf),
}

/// Berkeley's output formats with symbolic constraints: not supported.
const REFUSED: [&str; 9] = ["cons", "scons", "fc", "rc", "dc", "fdc", "frc", "drc", "fdrc"];

impl Output {
    pub fn parse(value: OsString) -> Result<Self, String> {
        let text = value.to_string_lossy();
        if let Ok(format) = text.parse() {
            return Ok(Output::Format(format));
        }
        let what = match text.as_ref() {
            // The beginning of a format's name is a misspelt format, not a file.
            other if other.len() > 2 && Format::NAMED.iter().any(|(name, _)| name.starts_with(other)) => {
                "misspelt"
            }
            "pleasure" => "for the folding of PLAs",
            other if REFUSED.contains(&other) => "symbolic constraints",
            _ => return Ok(Output::File(value.into())),
        };
        Err(format!(
            "the output format `{text}` ({what}) is not supported; a file of this name is `./{text}`"
        ))
    }
}

/// The steps that find the minimum.
const EXACT: [Step; 4] = [Step::Compact, Step::Loop, Step::Exact, Step::MakeSparse];

#[derive(Clone, Debug)]
pub struct Steps(pub Vec<Step>);

fn parse_steps(text: &str) -> espresso::Result<Steps> {
    Step::parse_list(text).map(Steps)
}

fn parse_range(text: &str) -> Result<(usize, usize), String> {
    let range = text.split_once('-').and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    range.ok_or_else(|| "a range is two numbers with a hyphen between them, as 0-3".into())
}

/// The commands, with the names of Berkeley's program if it has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Command {
    /// Minimize by the whole loop
    #[value(name = "ESPRESSO", alias = "espresso")]
    Espresso,
    /// Minimize one PLA after the other, up to the end of the file
    Many,
    /// Write the PLA as read
    Echo,
    /// Merge cubes at distance one: until nothing merges, or once in each variable of --range
    #[value(name = "d1merge", alias = "compact")]
    Merge,
    /// Merge cubes at distance one, once in each binary input
    #[value(name = "d1merge_in")]
    MergeInputs,
    /// Expand cubes into primes
    Expand,
    /// Drop redundant cubes
    #[value(alias = "irredundant")]
    Irred,
    /// Reduce cubes
    Reduce,
    /// Move essential primes to the don't-cares
    #[value(name = "essen", alias = "essential")]
    Essential,
    /// Try the last gasp
    Gasp,
    /// Try all primes of reduced cubes
    #[value(name = "super_gasp")]
    SuperGasp,
    /// Find the minimum and prove it
    #[value(aliases = ["signature", "qm"])]
    Exact,
    /// Minimize each output by itself
    #[value(alias = "single_output")]
    So,
    /// Minimize each output by itself, or its complement if that takes fewer cubes
    #[value(name = "so_both")]
    SoBoth,
    /// Minimize all outputs together, some of them as complements if that takes fewer cubes
    Opo,
    /// Minimize all outputs together in every choice of complements, for up to twelve outputs
    #[value(name = "opoall")]
    OpoAll,
    /// Lower outputs and raise inputs
    #[value(name = "make_sparse", alias = "sparse")]
    MakeSparse,
    /// Minimize the ON-set quickly, without don't-cares
    Simplify,
    /// All primes
    Primes,
    /// Drop cubes that are in others
    Contain,
    /// The ON-set as cubes without a common minterm
    Disjoint,
    /// The ON-set by minterms, in the variables of --range
    Minterms,
    /// Sort the cubes
    Lexsort,
    /// The ON-set without the DC-set
    Separate,
    /// Remove the input named `DONT_CARE`; minterms for which it makes a difference become don't-cares. The default output is
    /// of type fd
    Mapdc,
    /// The minterms of the first ON-set that are in the second
    Intersect,
    /// The minterms of both ON-sets
    Union,
    /// The minterms of the first ON-set that are not in the second
    Sharp,
    /// The same, as cubes of which no two have a common minterm
    Dsharp,
    /// The minterms in the ON-set of one PLA and the OFF-set of the other
    Xor,
    /// Test whether the ON-set is a tautology
    Taut,
    /// Print the sizes
    Stats,
    /// Draw Karnaugh maps
    Map,
    /// List all primes of a small function with their minterms, and which primes are essential; --format json for programs
    #[value(name = "prime_table")]
    PrimeTable,
    /// List outputs that are equal, or each other's complement
    Equiv,
    /// Check that the PLA is consistent and specifies every minterm
    Check,
    /// Check that the ON-set of the second PLA is right for the first
    Verify,
    /// The same, with inputs and outputs matched by their names
    #[value(name = "PLAverify", alias = "plaverify")]
    PlaVerify,
    /// Check that two PLAs describe the same function: ON-set, DC-set and OFF-set
    Same,
    /// Commands of Berkeley's program that are refused
    #[value(hide = true, name = "pair", aliases = ["pairall", "fsm", "test"])]
    Unsupported,
}

impl Command {
    /// Whether the command runs the loop of ESPRESSO.
    fn has_loop(self) -> bool {
        matches!(self, Command::Espresso | Command::Many) || self.chooses_outputs()
    }

    /// The steps of the command, if it is a minimization.
    pub fn steps(self) -> Option<Vec<Step>> {
        match self {
            _ if self.has_loop() => Some(vec![Step::Compact, Step::Loop]),
            Command::Echo => Some(vec![]),
            Command::Expand => Some(vec![Step::Expand]),
            Command::Irred => Some(vec![Step::Irredundant]),
            Command::Reduce => Some(vec![Step::Reduce]),
            Command::Gasp => Some(vec![Step::LastGasp]),
            Command::SuperGasp => Some(vec![Step::SuperGasp]),
            Command::Exact => Some(EXACT.to_vec()),
            Command::MakeSparse => Some(vec![Step::MakeSparse]),
            _ => None,
        }
    }

    /// Whether the command minimizes outputs one by one, or some of them as complements.
    fn chooses_outputs(self) -> bool {
        matches!(self, Command::So | Command::SoBoth | Command::Opo | Command::OpoAll)
    }

    /// Whether the command outputs a PLA.
    pub fn makes_pla(self) -> bool {
        use Command::{Check, Equiv, Map, PlaVerify, PrimeTable, Same, Stats, Taut, Verify};
        !matches!(self, Check | Equiv | Map | PlaVerify | PrimeTable | Same | Stats | Taut | Verify)
    }

    /// Whether the command takes two PLAs.
    pub fn takes_two(self) -> bool {
        use Command::{Dsharp, Intersect, PlaVerify, Same, Sharp, Union, Verify, Xor};
        matches!(self, Dsharp | Intersect | PlaVerify | Same | Sharp | Union | Verify | Xor)
    }

    /// The name of the command.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// Values of `-e`: Berkeley's options for minimization and reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Tuning {
    /// Compact, expand, irredundant and sparse once
    Fast,
    /// Read every PLA as the rows of a state machine, as with .kiss
    Kiss,
    /// Minimize the OFF-set, for all outputs
    Pos,
    /// Recompute the ON-set before minimizing
    Onset,
    /// Drop comments
    Eat,
    /// Drop unknown keywords
    Eatdots,
    /// Accepted without effect: essential primes are set aside only to save work
    Ness,
    /// Accepted without effect: the result is irredundant all the same
    Nirr,
    /// Accepted without effect: outputs are unwrapped if that leads to fewer cubes
    Nunwrap,
    /// Accepted without effect
    Random,
    /// Try all primes of reduced cubes
    Strong,
}

/// The format of the summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SummaryFormat {
    /// Lines for people
    Text,
    /// One object, units in the names of its fields
    Json,
}

impl Args {
    /// The command to run.
    pub fn command(&self) -> Command {
        match self.command {
            None | Some(Command::Espresso) if self.exact => Command::Exact,
            None if self.echo => Command::Echo,
            command => command.unwrap_or(Command::Espresso),
        }
    }

    /// Whether each minimization of the command finds the minimum.
    fn is_exact(&self) -> bool {
        self.exact
            || self.strategy == Some(1)
                && matches!(self.command(), Command::So | Command::SoBoth | Command::OpoAll)
    }

    /// The steps to run, if the command is a minimization.
    pub fn steps(&self) -> Option<Vec<Step>> {
        match &self.steps {
            Some(steps) => Some(steps.0.clone()),
            None if !self.is_exact() && self.command().has_loop() && self.tuning.contains(&Tuning::Fast) => {
                Some(vec![Step::Compact, Step::Expand, Step::Irredundant, Step::MakeSparse])
            }
            None if self.is_exact() => Some(EXACT.to_vec()),
            None => self.command().steps(),
        }
    }

    /// The work limit of the check of the result; `None` if the result is not checked.
    pub fn check_work(&self) -> Option<u64> {
        if self.check { Some(u64::MAX) } else { (!self.no_check).then_some(check::SHORT) }
    }

    /// Whether a summary is requested, by any option.
    pub fn wants_stats(&self) -> bool {
        self.stats || self.trace || self.debug || self.verbose.is_some()
    }

    /// Whether to summarize each step, in Berkeley's style.
    pub fn is_step_wanted(&self) -> bool {
        self.trace || self.debug
    }

    /// The format and the file of the output; `-o` may give either, as in Berkeley's program.
    pub fn destination(&self) -> (Format, Option<PathBuf>) {
        let sets = if self.command() == Command::Mapdc { PlaType::Fd } else { PlaType::F };
        let (mut format, mut file) = (Format::Pla(sets), None);
        for output in &self.output {
            match output {
                Output::Format(output) => format = *output,
                Output::File(path) => {
                    file = Some(path.clone()).filter(|path| path.as_path() != Path::new("-"));
                }
            }
        }
        (self.out_type.unwrap_or(format), file)
    }

    /// Returns the arguments if the number of files and the other options fit the command.
    pub fn checked(self) -> Result<Self, clap::Error> {
        let refuse = |kind, message: String| Err(<Args as CommandFactory>::command().error(kind, message));
        let command = self.command();
        let name = command.name();
        if command == Command::Unsupported {
            let message = "Berkeley's commands pair, pairall, fsm and test are not supported".to_owned();
            return refuse(ErrorKind::InvalidValue, message);
        }
        if self.exact && command != Command::Exact && !command.chooses_outputs() {
            let message = format!("'--exact' cannot be used with '-D {name}'");
            return refuse(ErrorKind::ArgumentConflict, message);
        }
        let [least, most] = if command.takes_two() { [1, 2] } else { [0, 1] };
        if self.files.len() > most || self.files.len() < least {
            let message = format!("this takes {most} FILE{}, not {}", &"s"[..most - 1], self.files.len());
            return refuse(ErrorKind::WrongNumberOfValues, message);
        }
        let makes_none = !command.makes_pla();
        let checks_none = self.steps().is_none() && command != Command::Simplify;
        let unused = [
            ("--output <FILE>", makes_none && self.destination().1.is_some()),
            ("--check", checks_none && self.check),
            ("--no-check", checks_none && self.no_check),
        ];
        if let Some((option, _)) = unused.iter().find(|(_, is_given)| *is_given) {
            let why = if makes_none { "makes no PLA" } else { "minimizes nothing" };
            let message = format!("'-D {name}' {why}: '{option}' cannot be used with it");
            return refuse(ErrorKind::ArgumentConflict, message);
        }
        Ok(self)
    }
}
