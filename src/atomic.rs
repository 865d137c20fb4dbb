//! Writing a file whole or not at all: [`espresso::atomic`] with this crate's errors, which name the path.

use crate::error::{Error, Result};
use std::io::Write;
use std::path::Path;

pub use espresso::atomic::{exit, report_size_limit};

/// Writes the bytes that `fill` writes to the file at `path`, and returns its result; see [`espresso::atomic::write()`].
///
/// # Errors
/// Those of `fill`, and [`crate::ErrorKind::Io`] when the file cannot be written. No temporary file is left, and an
/// old file at `path` is unchanged.
pub fn write<T>(path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<T>) -> Result<T> {
    espresso::atomic::write(path, fill).map_err(|error| Error::io("write", path, error))?
}

/// Writes `bytes` to the file at `path`.
///
/// # Errors
/// [`crate::ErrorKind::Io`], as [`write()`].
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<()> {
    write(path, |out| out.write_all(bytes).map_err(|error| Error::io("write", path, error)))
}

/// Checks that [`write()`] could write the file at `path` now; see [`espresso::atomic::check`].
///
/// # Errors
/// [`crate::ErrorKind::Io`] when it could not.
pub fn check(path: &Path) -> Result<()> {
    espresso::atomic::check(path).map_err(|error| Error::io("write", path, error))
}

/// Removes the temporary files that killed processes left in `directory`; see [`espresso::atomic::remove_stale`].
///
/// # Errors
/// [`crate::ErrorKind::Io`] when the directory cannot be read.
pub fn remove_stale(directory: &Path) -> Result<usize> {
    espresso::atomic::remove_stale(directory).map_err(|error| Error::io("read", directory, error))
}
