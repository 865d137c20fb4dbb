//! Writing a file whole or not at all.
//!
//! Every file this crate makes goes through [`write()`]: the bytes are put into a temporary file in the directory of
//! the target, synced, and renamed over the target, which rename(2) and its equivalents do in one step. Whoever opens
//! the path sees the old file or the complete new one; an error, a panic or a kill in between leaves the old file.
//! A process that handles interrupts calls [`remove_unfinished`] so that no temporary file stays either.

use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary files of the writes going on now.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file's entry in [`UNFINISHED`], for as long as it exists.
struct Unfinished(PathBuf);

impl Unfinished {
    fn new(path: &Path) -> Self {
        unfinished().push(path.to_path_buf());
        Unfinished(path.to_path_buf())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().retain(|path| *path != self.0);
    }
}

/// Removes the temporary files of all writes going on in this process, which then fail. For handlers of interrupts,
/// just before the process ends; unlike a signal handler proper it needs a thread of its own.
pub fn remove_unfinished() {
    remove_unfinished_under(Path::new(""));
}

/// Removes those whose path begins with `directory`; every path begins with the empty one.
fn remove_unfinished_under(directory: &Path) {
    for path in unfinished().extract_if(.., |path| path.starts_with(directory)) {
        // Gone already, or out of reach: there is nothing better to do while ending.
        let _ = fs::remove_file(path);
    }
}

/// Bytes gathered before they are passed to the operating system.
const BUFFER: usize = 1 << 16;

/// Writes the file at `path` with what `fill` puts into the writer that it is given, and returns what `fill` returns.
///
/// The writer is buffered. An existing file at `path` is replaced only when everything has been written and synced.
/// On Unix the new file has the permissions of any file newly created by this process (666 less its umask), not those
/// of a private temporary file and not those of the file replaced. A symbolic link is followed, and what is not a
/// regular file (a pipe, a device) is written to as it is.
///
/// # Errors
/// Those of `fill`, and [`crate::ErrorKind::Io`] when the directory cannot be written to, or the file not be written,
/// synced or renamed. No temporary file is left, and what was at `path` is unchanged.
///
/// # Example
/// ```
/// use std::io::Write;
/// let dir = tempfile::tempdir().unwrap();
/// let path = dir.path().join("greeting");
/// cubebase::atomic::write(&path, |out| {
///     out.write_all(b"hello").map_err(|e| cubebase::Error::io("write", &path, e))
/// })?;
/// assert_eq!(std::fs::read(&path).unwrap(), b"hello");
/// # Ok::<(), cubebase::Error>(())
/// ```
pub fn write<T>(path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<T>) -> Result<T> {
    let io = |error| Error::io("write", path, error);
    let target = match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(io(std::io::ErrorKind::IsADirectory.into())),
        Ok(metadata) if !metadata.is_file() => return write_through(path, fill),
        Ok(_) => fs::canonicalize(path).map_err(io)?,
        Err(_) => path.to_path_buf(),
    };
    let directory = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".cubebase-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(directory).map_err(io)?;
    let _entry = Unfinished::new(file.path());
    let mut writer = BufWriter::with_capacity(BUFFER, file);
    let filled = fill(&mut writer)?;
    let file = writer.into_inner().map_err(|error| io(error.into_error()))?;
    file.as_file().sync_all().map_err(io)?;
    file.persist(&target).map_err(|error| io(error.error))?;
    Ok(filled)
}

/// Writes to what is not a regular file and cannot be replaced.
fn write_through<T>(path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<T>) -> Result<T> {
    let io = |error| Error::io("write", path, error);
    let mut writer = BufWriter::with_capacity(BUFFER, File::options().write(true).open(path).map_err(io)?);
    let filled = fill(&mut writer)?;
    writer.flush().map_err(io)?;
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn replaces_the_file_and_returns_what_the_filler_returns() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        for text in ["one", "the other"] {
            let len = write(&path, |out| {
                out.write_all(text.as_bytes()).map_err(|error| Error::io("write", &path, error))?;
                Ok(text.len())
            });
            assert_eq!(len.unwrap(), text.len());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(names(dir.path()), ["a"]);
    }

    #[test]
    fn an_error_leaves_the_old_file_and_no_temporary_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::write(&path, "old").unwrap();
        let failed = write(&path, |out| {
            out.write_all(b"half").map_err(|error| Error::io("write", &path, error))?;
            Err::<(), _>(Error::new(ErrorKind::Cancelled, "stop"))
        });
        assert_eq!(failed.unwrap_err().kind(), ErrorKind::Cancelled);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(dir.path()), ["a"]);
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed_and_devices_written_through() {
        let dir = tempfile::tempdir().unwrap();
        let (path, link) = (dir.path().join("a"), dir.path().join("b"));
        std::fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let text = |text: &'static str| {
            move |out: &mut dyn Write| {
                out.write_all(text.as_bytes()).map_err(|error| Error::io("write", Path::new("x"), error))
            }
        };
        write(&link, text("new")).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert!(link.is_symlink());
        write(Path::new("/dev/null"), text("gone")).unwrap();
        assert_eq!(write(dir.path(), text("x")).unwrap_err().kind(), ErrorKind::Io);
    }

    #[test]
    fn an_interrupt_removes_temporary_files() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        let result = write(&path, |_| {
            assert_eq!(names(dir.path()).len(), 1);
            // Those of the tests beside this one stay.
            remove_unfinished_under(dir.path());
            assert!(names(dir.path()).is_empty());
            Ok(())
        });
        assert_eq!(result.unwrap_err().kind(), ErrorKind::Io);
        assert!(names(dir.path()).is_empty());
    }

    #[test]
    fn a_missing_directory_is_an_io_error_that_names_the_path() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("none").join("a");
        let error = write(&path, |_| Ok(())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.to_string().contains("none"), "{error}");
    }
}
