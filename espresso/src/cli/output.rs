//! Writing results: to standard output, or to a file that appears whole or not at all.

use super::failure::Failure;
use espresso::{Error, atomic};
use std::error::Error as _;
use std::io::{self, BufWriter, Write};
use std::path::Path;

const BUFFER: usize = 1 << 16;

/// Writes the output of `fill` to the file, or to standard output if there is none.
///
/// A closed pipe at standard output is not an error.
pub fn write(
    file: Option<&Path>,
    fill: impl FnOnce(&mut dyn Write) -> espresso::Result<()>,
) -> espresso::Result<()> {
    if let Some(path) = file {
        return atomic::write(path, fill)?;
    }
    let mut out = BufWriter::with_capacity(BUFFER, io::stdout().lock());
    match fill(&mut out).and_then(|()| Ok(out.flush()?)) {
        Err(error) if is_closed(&error) => Ok(()),
        written => written,
    }
}

/// Writes a line to standard output.
pub fn say(text: &str) -> Result<(), Failure> {
    write(None, |out| Ok(writeln!(out, "{text}")?)).map_err(Failure::of("standard output"))
}

fn is_closed(error: &Error) -> bool {
    let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    source.is_some_and(|source| source.kind() == io::ErrorKind::BrokenPipe)
}
