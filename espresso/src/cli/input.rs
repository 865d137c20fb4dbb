//! Reads the PLAs of a command, and prints warnings about them.

use super::args::{Args, Tuning};
use super::failure::{Failure, shown};
use super::progress::watch;
use espresso::check::{self, Mismatch};
use espresso::pla::{Phase, Reader};
use espresso::{Cover, Error, ErrorKind, Function, Monitor, Notes, Pla, PlaType, Rest};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

const BUFFER: usize = 1 << 16;

/// A PLA that was read.
pub struct Input {
    pub pla: Pla,
    /// Its name in messages.
    pub name: String,
    notes: Notes,
}

/// Opens file number `index` of the command line, or standard input. Returns the text, its name in messages, and the ending of
/// the file's name.
pub fn open(args: &Args, index: usize) -> Result<(Box<dyn BufRead>, String, &str), Failure> {
    let Some(path) = args.files.get(index).filter(|path| path.as_path() != Path::new("-")) else {
        return Ok((Box::new(io::stdin().lock()), "standard input".into(), ""));
    };
    let name = shown(path);
    let file = File::open(path).map_err(|error| Failure::of(&name)(error.into()))?;
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    Ok((Box::new(BufReader::with_capacity(BUFFER, file)), name, ending))
}

/// The reader of the PLAs in a text, with the options of the command line.
pub fn reader(args: &Args, text: Box<dyn BufRead>) -> Reader<Box<dyn BufRead>> {
    Reader::new(text).with_type(args.kind).with_kiss(args.tuning.contains(&Tuning::Kiss))
}

impl Input {
    /// Reads file number `index` of the command line, or standard input. Warnings go to standard error.
    pub fn read(args: &Args, index: usize) -> Result<Self, Failure> {
        let (text, name, ending) = open(args, index)?;
        let chosen = [(args.csv, "csv"), (args.equations, "eqn"), (args.kiss2, "kiss2"), (args.blif, "blif")];
        let chosen = chosen.into_iter().find(|(is_chosen, _)| *is_chosen);
        let without_notes = |pla| (pla, Notes::default());
        let read = match chosen.map_or(ending, |(_, language)| language) {
            _ if args.truth_table => Pla::read_truth_tables(text).map(without_notes),
            "csv" => Pla::read_csv(text, args.kind).map(without_notes),
            "eqn" => watch(|monitor| Pla::read_equations(text, monitor)),
            "kiss2" => watch(|monitor| Pla::read_kiss2(text, args.kind, monitor)).map(without_notes),
            "blif" => watch(|monitor| Pla::read_blif(text, monitor)).map(without_notes),
            _ => reader(args, text).only_pla(),
        };
        let (pla, notes) = read.map_err(Failure::of(&name))?;
        Ok(Self::of(args, pla, notes, name))
    }

    /// Makes an input from a PLA as read, with the changes that options request.
    pub fn of(args: &Args, mut pla: Pla, notes: Notes, name: String) -> Self {
        let drops = |tuning| args.tuning.contains(&tuning);
        pla.comments
            .retain(|comment| !drops(if comment.starts_with('#') { Tuning::Eat } else { Tuning::Eatdots }));
        if args.pos || drops(Tuning::Pos) {
            pla.phase = Some(Phase { outputs: vec![false; pla.space().outputs()], is_applied: false });
        }
        let input = Input { pla, name, notes };
        input.notes.warnings.iter().for_each(|warning| input.warn(warning));
        input
    }

    /// Prints a warning on standard error.
    pub fn warn(&self, warning: &str) {
        // A warning that cannot be written is no reason to fail.
        let _ = writeln!(io::stderr(), "espresso: {}: warning: {warning}", self.name);
    }

    /// The input with another PLA in place of the one read.
    pub fn with(&self, pla: Pla) -> Self {
        Input { pla, name: self.name.clone(), notes: Notes::default() }
    }

    /// The name of the input in Berkeley's program.
    pub fn berkeley_name(&self) -> String {
        if self.name == "standard input" { "(stdin)".into() } else { self.name.clone() }
    }

    /// The PLA as read; with all its sets if its type leaves F to be computed or its outputs are to be replaced.
    pub fn given(&self) -> Result<Pla, Failure> {
        let lacks_on = matches!(self.pla.kind, PlaType::R | PlaType::Dr);
        if lacks_on || self.pla.has_other_outputs() { self.completed() } else { Ok(self.pla.clone()) }
    }

    /// The PLA with all its sets.
    pub fn completed(&self) -> Result<Pla, Failure> {
        Ok(self.pla.completed(&self.function()?))
    }

    /// All sets of the PLA, without a check for contradictions. Missing sets are computed.
    pub fn unchecked_function(&self) -> Result<Function, Failure> {
        if matches!(self.pla.kind, PlaType::Fdr | PlaType::Fr) { self.given_sets() } else { self.function() }
    }

    /// The sets of the rows as a function.
    fn given_sets(&self) -> Result<Function, Failure> {
        let Pla { kind, on, dc, off, .. } = self.pla.clone();
        let given = Function::new(on, dc, off).map_err(Failure::of(&self.name))?;
        Ok(Function { rest: if kind == PlaType::Fr { Rest::Dc } else { Rest::Empty }, ..given })
    }

    /// The function that the PLA describes.
    pub fn function(&self) -> Result<Function, Failure> {
        self.described(|monitor| Function::from_pla_with(&self.pla, monitor))
    }

    /// The result of `make` for the PLA; an error about contradicting rows has their lines.
    pub fn described<T>(&self, make: impl FnOnce(Monitor<'_>) -> espresso::Result<T>) -> Result<T, Failure> {
        watch(make).map_err(|error| match error.kind() {
            ErrorKind::Inconsistent => {
                let inconsistency = self.inconsistency().ok().flatten();
                let located =
                    inconsistency.map(|mismatch| Error::new(error.kind(), self.with_lines(&mismatch)));
                Failure::Error(self.name.clone(), located.unwrap_or(error))
            }
            ErrorKind::Mismatch => Failure::Mismatch(error.to_string()),
            _ => Failure::Error(self.name.clone(), error),
        })
    }

    /// The result of long work on the PLA.
    pub fn watched<T>(&self, work: impl FnOnce(Monitor<'_>) -> espresso::Result<T>) -> Result<T, Failure> {
        watch(work).map_err(Failure::of(&self.name))
    }

    /// The mismatch if the sets of the rows contradict each other or, except in type fr, leave a minterm unspecified.
    pub fn inconsistency(&self) -> Result<Option<Mismatch>, Failure> {
        let given = self.given_sets()?;
        Ok(self.watched(|monitor| check::consistent_with(&given, monitor))?.err())
    }

    /// Checks that the ON-set of `second` is a result for this PLA. If the rows list F and D, no complement is computed.
    pub fn check(&self, second: &Input) -> Result<(), Failure> {
        let function = match self.pla.kind {
            PlaType::F | PlaType::D | PlaType::Fd if !self.pla.has_other_outputs() => {
                Function { rest: Rest::Off, ..self.given_sets()? }
            }
            _ => self.function()?,
        };
        let cover = second.given()?.on;
        Ok(self.watched(|monitor| check::result_with(&function, &cover, monitor))??)
    }

    /// Checks that two covers have the same minterms. Warns if this takes more than `work`.
    pub fn check_same(&self, given: &Cover, made: &Cover, work: u64) -> Result<(), Failure> {
        let none = Cover::new(given.space());
        let function = Function::new(given.clone(), none.clone(), none).map_err(Failure::of(&self.name))?;
        let function = Function { rest: Rest::Off, ..function };
        match self.watched(|monitor| check::result_within(&function, made, work, monitor))? {
            Some(verdict) => verdict?,
            None => self.warn_of_unfinished_check(),
        }
        Ok(())
    }

    pub fn warn_of_unfinished_check(&self) {
        self.warn("the check of the result was given up, since it takes long: use --check to finish it");
    }

    /// The message of a contradiction, with the lines of the rows that contradict each other.
    pub fn with_lines(&self, mismatch: &Mismatch) -> String {
        mismatch.located(&self.pla, &self.notes)
    }
}
