//! Writing results: to standard output, or to a file that appears whole or not at all.

use espresso::atomic;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Bytes gathered before they are passed to the operating system.
const BUFFER: usize = 1 << 16;

/// Writes what `fill` writes to the file, or to standard output when there is none.
///
/// A reader that has gone away from standard output is no error: nobody wants the rest.
pub fn write(
    file: Option<&Path>,
    fill: impl FnOnce(&mut dyn Write) -> espresso::Result<()>,
) -> espresso::Result<()> {
    if let Some(path) = file {
        return atomic::write(path, fill)?;
    }
    let mut out = Standard { out: BufWriter::with_capacity(BUFFER, io::stdout().lock()), closed: false };
    fill(&mut out)?;
    Ok(out.flush()?)
}

/// Standard output, which swallows everything once its reader has gone.
struct Standard<W: Write> {
    out: W,
    closed: bool,
}

impl<W: Write> Standard<W> {
    fn tolerate<T: Default>(&mut self, result: io::Result<T>) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(T::default())
            }
            other => other,
        }
    }
}

impl<W: Write> Write for Standard<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let result = self.out.write_all(bytes);
        self.tolerate(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let result = self.out.flush();
        self.tolerate(result)
    }
}

/// Finds out whether the file could be written now, for whoever works long before writing.
pub fn check(path: &Path) -> espresso::Result<()> {
    Ok(atomic::check(path)?)
}
