//! Writing results: to standard output, or to a file that appears whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

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
        return write_file(path, fill);
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

/// Writes to a temporary file beside `path`, syncs it and renames it to `path`.
///
/// A symbolic link is followed; what is no regular file, such as a device, is written to as it is.
fn write_file(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> espresso::Result<()>,
) -> espresso::Result<()> {
    let Some(target) = target(path)? else {
        let mut out = BufWriter::with_capacity(BUFFER, File::options().write(true).open(path)?);
        fill(&mut out)?;
        return Ok(out.flush()?);
    };
    let temporary = temporary(&target)?;
    let mut out = BufWriter::with_capacity(BUFFER, temporary);
    fill(&mut out)?;
    let temporary = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    temporary.as_file().sync_all()?;
    temporary.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// Finds out whether the file could be written now, for whoever works long before writing: a temporary file is made and
/// removed.
pub fn check(path: &Path) -> espresso::Result<()> {
    match target(path)? {
        Some(target) => Ok(temporary(&target).map(drop)?),
        // A pipe or a device: opening it would be seen at its other end.
        None => Ok(()),
    }
}

/// The file that is to be replaced or made; `None` for what cannot be replaced: a pipe, a device.
fn target(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(metadata) if !metadata.is_file() => Ok(None),
        Ok(_) => fs::canonicalize(path).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_file_name(path) => {
            Ok(Some(path.to_path_buf()))
        }
        Err(error) => Err(error),
    }
}

/// Whether a path may name a file: it ends in a name, without a separator behind it.
fn is_file_name(path: &Path) -> bool {
    let last = path.as_os_str().as_encoded_bytes().last();
    path.file_name().is_some() && last.is_some_and(|&byte| !std::path::is_separator(char::from(byte)))
}

/// A temporary file beside `target`, with the permissions that any new file has.
fn temporary(target: &Path) -> io::Result<tempfile::NamedTempFile> {
    let directory = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The system's error alone, without a name that only we know.
    let make = |path: &Path| File::options().read(true).write(true).create_new(true).open(path);
    tempfile::Builder::new().prefix(".espresso-").make_in(directory, make)
}
