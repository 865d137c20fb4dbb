//! Reading a PLA for a command, and what is said about it.

use super::args::{Args, Tuning};
use super::failure::{Failure, shown};
use super::progress::watch;
use espresso::check::{self, Mismatch};
use espresso::pla::{Phase, Reader};
use espresso::{Cover, Error, ErrorKind, Function, Monitor, Notes, Pla, PlaType};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

const BUFFER: usize = 1 << 16;

/// A PLA that was read.
pub struct Input {
    pub pla: Pla,
    /// What messages call it.
    pub name: String,
    notes: Notes,
}

/// Where PLAs are read from.
pub struct Source {
    reader: Box<dyn BufRead>,
    name: String,
    has_equations: bool,
}

impl Source {
    /// Opens file number `index` of the command line, or standard input.
    pub fn open(args: &Args, index: usize) -> Result<Self, Failure> {
        let path = args.files.get(index).filter(|path| path.as_path() != Path::new("-"));
        let name = path.map_or_else(|| "standard input".into(), |path| shown(path));
        let reader: Box<dyn BufRead> = match path {
            Some(path) => {
                let file = File::open(path).map_err(|error| Failure::of(&name)(error.into()))?;
                Box::new(BufReader::with_capacity(BUFFER, file))
            }
            None => Box::new(io::stdin().lock()),
        };
        let is_named = path.is_some_and(|path| path.extension().is_some_and(|extension| extension == "eqn"));
        Ok(Source { reader, name, has_equations: args.equations || is_named })
    }
}

/// The reader of the PLAs of a source, one after the other.
pub struct Inputs {
    reader: Reader<Box<dyn BufRead>>,
    name: String,
}

impl Inputs {
    /// The reader of file number 0 of the command line, or of standard input.
    pub fn open(args: &Args) -> Result<Self, Failure> {
        let Source { reader, name, .. } = Source::open(args, 0)?;
        let is_kiss = args.tuning.contains(&Tuning::Kiss);
        Ok(Inputs { reader: Reader::new(reader).with_type(args.kind).with_kiss(is_kiss), name })
    }

    /// What messages call them.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The next PLA; one without `.type` is of the type of the one before.
    pub fn next(&mut self, args: &Args) -> Result<Option<Input>, Failure> {
        let Some((pla, notes)) = self.reader.next_pla().map_err(Failure::of(&self.name))? else {
            return Ok(None);
        };
        self.reader.set_type(pla.kind);
        Ok(Some(Input::of(args, pla, notes, self.name.clone())))
    }
}

impl Input {
    /// Reads file number `index` of the command line, or standard input. Warnings go to standard error.
    pub fn read(args: &Args, index: usize) -> Result<Self, Failure> {
        let Source { reader, name, has_equations } = Source::open(args, index)?;
        let read = if args.truth_table {
            Pla::read_truth_tables(reader).map(|pla| (pla, Notes::default()))
        } else if has_equations {
            watch(|monitor| Pla::read_equations(reader, monitor)).map(|pla| (pla, Notes::default()))
        } else {
            let reader = Reader::new(reader).with_type(args.kind);
            reader.with_kiss(args.tuning.contains(&Tuning::Kiss)).only_pla()
        };
        let (pla, notes) = read.map_err(Failure::of(&name))?;
        Ok(Self::of(args, pla, notes, name))
    }

    /// What was read, as the options change it.
    fn of(args: &Args, mut pla: Pla, notes: Notes, name: String) -> Self {
        let drops = |tuning| args.tuning.contains(&tuning);
        pla.comments
            .retain(|comment| !drops(if comment.starts_with('#') { Tuning::Eat } else { Tuning::Eatdots }));
        if drops(Tuning::Pos) {
            pla.phase = Some(Phase { outputs: vec![false; pla.space().outputs()], is_applied: false });
        }
        let input = Input { pla, name, notes };
        input.notes.warnings.iter().for_each(|warning| input.warn(warning));
        input
    }

    /// Says something odd on standard error.
    pub fn warn(&self, warning: &str) {
        // A warning that nobody can read is no reason to fail.
        let _ = writeln!(io::stderr(), "espresso: {}: warning: {warning}", self.name);
    }

    /// The input with another PLA in the place of what was read.
    pub fn with(&self, pla: Pla) -> Self {
        Input { pla, name: self.name.clone(), notes: Notes::default() }
    }

    /// What Berkeley's program calls it.
    pub fn berkeley_name(&self) -> String {
        if self.name == "standard input" { "(stdin)".into() } else { self.name.clone() }
    }

    /// The PLA with its F, where its type does not give it or outputs are exchanged, and its other sets as given.
    pub fn given(&self) -> Result<Pla, Failure> {
        let lacks_on = matches!(self.pla.kind, PlaType::R | PlaType::Dr);
        if lacks_on || self.pla.has_other_outputs() { self.completed() } else { Ok(self.pla.clone()) }
    }

    /// The PLA with all its sets.
    pub fn completed(&self) -> Result<Pla, Failure> {
        Ok(self.pla.completed(&self.function()?))
    }

    /// The sets of the PLA, those that follow from others made, whether or not they contradict each other.
    pub fn unchecked_function(&self) -> Result<Function, Failure> {
        let Pla { kind, on, dc, off, .. } = self.pla.clone();
        match kind {
            PlaType::Fdr => Function::new(on, dc, off).map_err(Failure::of(&self.name)),
            PlaType::Fr => {
                let given = Function::new(on, dc, off).map_err(Failure::of(&self.name))?;
                Ok(Function { rest_is_dc: true, ..given })
            }
            _ => self.function(),
        }
    }

    /// The function that the PLA describes.
    pub fn function(&self) -> Result<Function, Failure> {
        self.described(|monitor| Function::from_pla_with(&self.pla, monitor))
    }

    /// The same; where R would be too many cubes, it is none of its lists.
    pub fn function_without_off(&self) -> Result<Function, Failure> {
        self.described(|monitor| Function::from_pla_without_off(&self.pla, monitor))
    }

    fn described(
        &self,
        make: impl FnOnce(Monitor<'_>) -> espresso::Result<Function>,
    ) -> Result<Function, Failure> {
        watch(make).map_err(|error| {
            let inconsistency = match error.kind() {
                ErrorKind::Inconsistent => self.inconsistency().ok().flatten(),
                _ => None,
            };
            let located = inconsistency.map(|mismatch| Error::new(error.kind(), self.with_lines(&mismatch)));
            Failure::Error(self.name.clone(), located.unwrap_or(error))
        })
    }

    /// What shows that the sets as given contradict each other, or do not make up the space where they have to.
    pub fn inconsistency(&self) -> Result<Option<Mismatch>, Failure> {
        let Pla { kind, on, dc, off, .. } = self.pla.clone();
        let given = Function::new(on, dc, off).map_err(Failure::of(&self.name))?;
        let given = Function { rest_is_dc: kind == PlaType::Fr, ..given };
        let verdict = watch(|monitor| check::consistent_with(&given, monitor));
        Ok(verdict.map_err(Failure::of(&self.name))?.err())
    }

    /// Checks that `cover` is a result for `function`, which is that of this PLA.
    pub fn check(&self, function: &Function, cover: &Cover) -> Result<(), Failure> {
        let verdict = watch(|monitor| check::result_with(function, cover, monitor));
        Ok(verdict.map_err(Failure::of(&self.name))??)
    }

    /// Checks that `cover` is a result for `function`, which was made of this PLA. Warns when a search takes more than
    /// `work` words and is given up.
    pub fn check_made(&self, function: &Function, cover: &Cover, work: u64) -> Result<(), Failure> {
        self.judge(watch(|monitor| check::made_of_pla(&self.pla, function, cover, work, monitor)))
    }

    /// Checks that two covers have the same minterms, with the same limit.
    pub fn check_same(&self, given: &Cover, made: &Cover, work: u64) -> Result<(), Failure> {
        let none = Cover::new(given.space());
        let function = Function::new(given.clone(), none.clone(), none).map_err(Failure::of(&self.name))?;
        let function = Function { rest_is_off: true, ..function };
        self.judge(watch(|monitor| check::result_within(&function, made, work, monitor)))
    }

    fn judge(&self, verdict: espresso::Result<Option<check::Verdict>>) -> Result<(), Failure> {
        match verdict.map_err(Failure::of(&self.name))? {
            Some(verdict) => verdict?,
            None => self.warn("the result was not checked to the end, which takes long: --check does it"),
        }
        Ok(())
    }

    /// The message of a contradiction, with the lines of the rows that contradict each other.
    pub fn with_lines(&self, mismatch: &Mismatch) -> String {
        let minterm = mismatch.inputs().zip(mismatch.output());
        match minterm.and_then(|(inputs, output)| self.notes.lines(&self.pla, inputs, output)) {
            Some([on, off]) => format!("{mismatch}: lines {on} and {off}"),
            None => mismatch.to_string(),
        }
    }
}
