//! Reading a PLA for a command, and what is said about it.

use super::args::Args;
use super::failure::{Failure, shown};
use super::progress::watch;
use espresso::check::{self, Mismatch};
use espresso::{Cover, Error, ErrorKind, Function, Notes, Pla, PlaType};
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

const BUFFER: usize = 1 << 16;

/// A PLA that was read.
pub struct Input {
    pub pla: Pla,
    /// What messages call it.
    pub name: String,
    notes: Notes,
}

impl Input {
    /// Reads file number `index` of the command line, or standard input. Warnings go to standard error.
    pub fn read(args: &Args, index: usize) -> Result<Self, Failure> {
        let path = args.files.get(index).filter(|path| path.as_path() != Path::new("-"));
        let name = path.map_or_else(|| "standard input".into(), |path| shown(path));
        let read = match path {
            Some(path) => File::open(path)
                .map_err(Error::from)
                .and_then(|file| Pla::read_with_notes(BufReader::with_capacity(BUFFER, file), args.kind)),
            None => Pla::read_with_notes(io::stdin().lock(), args.kind),
        };
        let (pla, notes) = read.map_err(Failure::of(&name))?;
        for warning in &notes.warnings {
            // A warning that nobody can read is no reason to fail.
            let _ = writeln!(io::stderr(), "espresso: {name}: warning: {warning}");
        }
        Ok(Input { pla, name, notes })
    }

    /// The function that the PLA describes.
    pub fn function(&self) -> Result<Function, Failure> {
        watch(|monitor| Function::from_pla_with(&self.pla, monitor)).map_err(|error| {
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

    /// The message of a contradiction, with the lines of the rows that contradict each other.
    pub fn with_lines(&self, mismatch: &Mismatch) -> String {
        let minterm = mismatch.inputs().zip(mismatch.output());
        match minterm.and_then(|(inputs, output)| self.notes.lines(&self.pla, inputs, output)) {
            Some([on, off]) => format!("{mismatch}: lines {on} and {off}"),
            None => mismatch.to_string(),
        }
    }
}
