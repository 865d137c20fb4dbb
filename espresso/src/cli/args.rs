//! The command line: the one place where options and their help are described.

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{ArgAction, CommandFactory, Parser, ValueEnum};
use espresso::minimize::{DEFAULT_EFFORT, Step};
use espresso::{PlaType, check_vector_level};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  espresso adder.pla                       the minimized ON-set on standard output
  espresso adder.pla -o adder.min.pla --check --stats
  espresso --steps compact,expand table.pla > table.min.pla
  espresso -D verify adder.pla adder.min.pla

Berkeley's options: -s, -t, -d and -v give the summary of --stats; -o f, fd,
fr or fdr is --out-type; -x, -D and -e are as above. Berkeley's other formats
(-o eqntott, pleasure, kiss, ...) are refused. A file that is called like a
format is written by -o ./eqntott. Comments are not passed on.

The environment variable ESPRESSO_KERNEL (portable, avx2, avx512, avx512icl) asks for no more
vector instructions than that; --stats tells which are used.

Exit codes: 0 fine, 1 a check found a mismatch, 2 usage, 3 bad input or I/O, 4 internal.";

/// Two-level logic minimization: reads a PLA, writes an equivalent cover with fewer cubes and literals.
#[derive(Debug, Parser)]
#[expect(clippy::struct_excessive_bools, reason = "one for each switch")]
#[command(name = "espresso", version, after_help = EXAMPLES)]
pub struct Args {
    /// The PLA, `-` or nothing for standard input; `-D verify` and `-D PLAverify` take two
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Write to this file, whole or not at all, instead of standard output; `-` is standard output
    #[arg(short, long, value_name = "FILE", action = ArgAction::Append)]
    #[arg(value_parser = OsStringValueParser::new().try_map(Output::parse))]
    pub output: Vec<Output>,

    /// Sets to write: the minimized ON-set f, with the DC-set d, with the OFF-set r [default: f]
    #[arg(long, value_name = "TYPE")]
    pub out_type: Option<PlaType>,

    /// What a PLA without `.type` is
    #[arg(long = "type", value_name = "TYPE", default_value = "fd")]
    pub kind: PlaType,

    /// Steps to run, in order: compact, expand, essential, irredundant, reduce, gasp, supergasp, lns (large
    /// neighbourhood search), exact, sparse, or full for the whole loop [default: compact,full]
    #[arg(long, value_name = "STEP,...", value_parser = parse_steps)]
    pub steps: Option<Steps>,

    /// Do something else than minimize
    #[arg(short = 'D', long = "do", value_name = "COMMAND", conflicts_with = "steps")]
    pub command: Option<Command>,

    /// Berkeley's options: fast is compact,expand,irredundant, strong tries all primes of reduced cubes; others that only tune the search have no effect
    #[arg(short = 'e', value_name = "OPTION", action = ArgAction::Append)]
    pub tuning: Vec<Tuning>,

    /// Write the PLA as read, the same as -D echo
    #[arg(long, conflicts_with_all = ["command", "steps"])]
    pub echo: bool,

    /// Check the result by an independent oracle; write nothing when it is wrong
    #[arg(long)]
    pub check: bool,

    /// Write no PLA
    #[arg(short = 'x', long = "no-solution")]
    pub silent: bool,

    /// Summarize sizes, steps and times on standard error
    #[arg(short, long)]
    pub stats: bool,

    /// How the summary is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,

    /// Threads to use [default: one for each processor]
    #[arg(long, value_name = "N", env = "RAYON_NUM_THREADS", hide_env_values = true)]
    #[arg(value_parser = espresso::limits::parse_threads)]
    pub threads: Option<u16>,

    /// How hard to try, 1 (quickest) to 9 (fewest cubes)
    #[arg(long, value_name = "LEVEL", default_value_t = DEFAULT_EFFORT)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=9))]
    pub effort: u8,

    /// Find the minimum and prove it, the same as -D exact; with a budget, the fewest cubes so far and a lower bound
    #[arg(long, conflicts_with_all = ["command", "steps", "echo"])]
    pub exact: bool,

    /// With --exact: tell on standard error the lower bound and what proves it, which is checked before
    #[arg(long)]
    pub proof: bool,

    /// Cubes to look at before the best cover so far is taken [default: no limit]
    #[arg(long, value_name = "N")]
    pub budget: Option<u64>,

    #[arg(short = 't', hide = true)]
    trace: bool,

    #[arg(short = 'd', hide = true)]
    debug: bool,

    #[arg(short = 'v', hide = true, value_name = "TYPE")]
    verbose: Option<String>,
}

/// A value of `--output`: a file, or what Berkeley's program takes there.
#[derive(Clone, Debug)]
pub enum Output {
    Type(PlaType),
    File(PathBuf),
}

const FORMATS: [&str; 9] = ["d", "r", "dr", "eqn", "eqntott", "pleasure", "kiss", "cons", "scons"];

impl Output {
    fn parse(value: OsString) -> Result<Self, String> {
        let text = value.to_string_lossy();
        if let Ok(kind) = text.parse() {
            return Ok(Output::Type(kind));
        }
        if FORMATS.contains(&text.as_ref()) {
            return Err(format!(
                "the output format `{text}` is not supported; a file of this name is `./{text}`"
            ));
        }
        Ok(Output::File(value.into()))
    }
}

#[derive(Clone, Debug)]
pub struct Steps(pub Vec<Step>);

fn parse_steps(text: &str) -> espresso::Result<Steps> {
    Step::parse_list(text).map(Steps)
}

/// What to do; names are Berkeley's where it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Command {
    /// Minimize by the whole loop
    #[value(name = "ESPRESSO", alias = "espresso")]
    Espresso,
    /// Write the PLA as read
    Echo,
    /// Merge cubes at distance one until nothing merges
    #[value(name = "d1merge", alias = "compact")]
    Merge,
    /// Expand cubes into primes
    Expand,
    /// Drop redundant cubes
    #[value(alias = "irredundant")]
    Irred,
    /// Reduce cubes
    Reduce,
    /// Try the last gasp
    Gasp,
    /// Find the minimum and prove it
    #[value(alias = "signature")]
    Exact,
    /// Minimize each output by itself
    So,
    /// Minimize each output by itself, or its complement where that takes fewer cubes
    #[value(name = "so_both")]
    SoBoth,
    /// Minimize all outputs together, some of them as their complements where that takes fewer cubes
    Opo,
    /// Lower outputs and raise inputs
    #[value(name = "make_sparse", alias = "sparse")]
    MakeSparse,
    /// Tell whether the ON-set is everything
    Taut,
    /// Tell the sizes
    Stats,
    /// Check that the PLA does not contradict itself and leaves nothing open
    Check,
    /// Check that the ON-set of the second PLA is a result for the first
    Verify,
    /// Check that two PLAs are the same function: ON-set, DC-set and OFF-set
    #[value(name = "PLAverify", alias = "plaverify")]
    PlaVerify,
}

impl Command {
    /// The steps of minimization that the command stands for, if it is one.
    pub fn steps(self) -> Option<Vec<Step>> {
        match self {
            Command::Espresso | Command::So | Command::SoBoth | Command::Opo => {
                Some(vec![Step::Compact, Step::Loop])
            }
            Command::Echo => Some(vec![]),
            Command::Merge => Some(vec![Step::Compact]),
            Command::Expand => Some(vec![Step::Expand]),
            Command::Irred => Some(vec![Step::Irredundant]),
            Command::Reduce => Some(vec![Step::Reduce]),
            Command::Gasp => Some(vec![Step::LastGasp]),
            Command::Exact => Some(vec![Step::Compact, Step::Loop, Step::Exact, Step::MakeSparse]),
            Command::MakeSparse => Some(vec![Step::MakeSparse]),
            _ => None,
        }
    }
}

/// Berkeley's `-e` options that this program accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Tuning {
    Fast,
    Eat,
    Eatdots,
    Ness,
    Nirr,
    Nunwrap,
    Onset,
    Random,
    Strong,
}

/// How the summary is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Lines for people
    Text,
    /// One object, units in the names of its fields
    Json,
}

impl Args {
    /// What is to be done.
    pub fn command(&self) -> Command {
        if self.exact {
            return Command::Exact;
        }
        if self.echo { Command::Echo } else { self.command.unwrap_or(Command::Espresso) }
    }

    /// The steps to run, when the command is to minimize.
    pub fn steps(&self) -> Option<Vec<Step>> {
        match &self.steps {
            Some(steps) => Some(steps.0.clone()),
            None if self.command() == Command::Espresso && self.tuning.contains(&Tuning::Fast) => {
                Some(vec![Step::Compact, Step::Expand, Step::Irredundant])
            }
            None => self.command().steps(),
        }
    }

    /// Whether a summary is wanted, by any name.
    pub fn wants_stats(&self) -> bool {
        self.stats || self.trace || self.debug || self.verbose.is_some()
    }

    /// The type and the file of the output, with Berkeley's use of `-o` told apart.
    pub fn destination(&self) -> (PlaType, Option<PathBuf>) {
        let (mut kind, mut file) = (PlaType::F, None);
        for output in &self.output {
            match output {
                Output::Type(output) => kind = *output,
                Output::File(path) => {
                    file = Some(path.clone()).filter(|path| path.as_path() != Path::new("-"));
                }
            }
        }
        (self.out_type.unwrap_or(kind), file)
    }

    /// Returns the arguments if the number of files and the other options fit the command, and the environment is
    /// one that is understood.
    pub fn checked(self) -> Result<Self, clap::Error> {
        let refuse = |kind, message: String| Err(<Args as CommandFactory>::command().error(kind, message));
        let most = if matches!(self.command(), Command::Verify | Command::PlaVerify) { 2 } else { 1 };
        if self.files.len() > most || (most == 2 && self.files.len() < 2) {
            let message = format!("this takes {most} FILE{}, not {}", &"s"[..most - 1], self.files.len());
            return refuse(ErrorKind::WrongNumberOfValues, message);
        }
        let name = self.command().to_possible_value();
        if let Some(name) = name.filter(|_| self.steps().is_none()) {
            let unused = [("--output <FILE>", self.destination().1.is_some()), ("--check", self.check)];
            if let Some((option, _)) = unused.iter().find(|(_, is_given)| *is_given) {
                let message =
                    format!("'-D {}' makes no PLA: '{option}' cannot be used with it", name.get_name());
                return refuse(ErrorKind::ArgumentConflict, message);
            }
        }
        check_vector_level()
            .map_err(|why| <Args as CommandFactory>::command().error(ErrorKind::InvalidValue, why))?;
        Ok(self)
    }
}
