//! Writing a file whole or not at all.
//!
//! Every file this crate makes goes through [`write()`]: the bytes are put into a temporary file in the directory of
//! the target, synced, and renamed over the target, which rename(2) and its equivalents do in one step. Whoever opens
//! the path sees the old file or the complete new one; an error, a panic or a kill in between leaves the old file.
//! A process that handles interrupts ends with [`exit`] so that no temporary file stays either. What a killed process
//! left is removed by [`remove_stale`]: a temporary file is locked by its writer (flock(2) and its equivalents) for as
//! long as it exists, and the system drops the locks of a process that is gone.

use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

/// The temporary files of the writes going on now.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file's entry in [`UNFINISHED`], for as long as it exists.
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().retain(|path| *path != self.0);
    }
}

/// How the names of temporary files begin and end.
const PREFIX: &str = ".cubebase-";
const SUFFIX: &str = ".tmp";

/// Attempts to make a temporary file that [`remove_stale`] of another process does not take away before it is locked.
const ATTEMPTS: usize = 8;

/// Makes a temporary file in `directory`, locked and entered in [`UNFINISHED`].
fn temporary(directory: &Path) -> std::io::Result<(NamedTempFile, Unfinished)> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // With the permissions of any new file; and the system's error alone, without a name that only we know.
    let make = |path: &Path| File::options().read(true).write(true).create_new(true).open(path);
    // Held until the file is in the list: `exit` finds all files, and none comes after it.
    let mut list = unfinished();
    for _ in 0..ATTEMPTS {
        let file = builder.make_in(directory, make)?;
        // A file system without locks has no stale files removed either.
        let locked = cfg!(not(unix)) || file.as_file().lock().is_ok();
        if !locked || file.path().exists() {
            list.push(file.path().to_path_buf());
            let entry = Unfinished(file.path().to_path_buf());
            return Ok((file, entry));
        }
    }
    Err(std::io::Error::other("temporary files disappear"))
}

fn remove_all(list: &mut Vec<PathBuf>, directory: &Path) {
    for path in list.extract_if(.., |path| path.starts_with(directory)) {
        // Gone already, or out of reach: there is nothing better to do while ending.
        let _ = fs::remove_file(path);
    }
}

/// Removes the temporary files of all writes going on in this process, which then fail. Another thread may begin a new
/// one at once: a process that is about to end calls [`exit`].
pub fn remove_unfinished() {
    remove_unfinished_under(Path::new(""));
}

/// Removes those whose path begins with `directory`; every path begins with the empty one.
fn remove_unfinished_under(directory: &Path) {
    remove_all(&mut unfinished(), directory);
}

/// Removes the temporary files of all writes going on and ends the process with `status`; no write begins in between.
/// For handlers of interrupts; unlike a signal handler proper it needs a thread of its own.
pub fn exit(status: i32) -> ! {
    let mut list = unfinished();
    remove_all(&mut list, Path::new(""));
    std::process::exit(status)
}

/// Removes the temporary files that killed processes left in `directory`, and returns how many. Files of processes that
/// live, this one included, are kept, and so is everything where the file system has no locks.
///
/// # Errors
/// [`crate::ErrorKind::Io`] when the directory cannot be read. A file that cannot be opened or removed is passed over.
pub fn remove_stale(directory: &Path) -> Result<usize> {
    let io = |error| Error::io("read", directory, error);
    let mut removed = 0;
    for entry in fs::read_dir(directory).map_err(io)? {
        let entry = entry.map_err(io)?;
        let is_ours =
            entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if cfg!(unix) && is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // The lock is dropped with the file, after its name is gone.
            if let Ok(file) = File::open(entry.path())
                && file.try_lock().is_ok()
                && fs::remove_file(entry.path()).is_ok()
            {
                removed += 1;
            }
        }
    }
    Ok(removed)
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
    let Some(target) = target(path).map_err(io)? else { return write_through(path, fill) };
    let (file, _entry) = temporary(parent(&target)).map_err(io)?;
    let mut writer = BufWriter::with_capacity(BUFFER, file);
    let filled = fill(&mut writer)?;
    let file = writer.into_inner().map_err(|error| io(error.into_error()))?;
    file.as_file().sync_all().map_err(io)?;
    file.persist(&target).map_err(|error| io(error.error))?;
    Ok(filled)
}

/// Finds out whether [`write()`] could write the file at `path` now, for whoever works long before writing. A temporary
/// file is made in its directory and removed; what was at `path` is not touched.
///
/// # Errors
/// [`crate::ErrorKind::Io`] when the path is a directory, or its directory is not there or cannot be written to.
pub fn check(path: &Path) -> Result<()> {
    let io = |error| Error::io("write", path, error);
    match target(path).map_err(io)? {
        Some(target) => temporary(parent(&target)).map(drop).map_err(io),
        // A pipe or a device: opening it would be seen at its other end.
        None => Ok(()),
    }
}

/// The file that is to be replaced or made, links followed; `None` for what cannot be replaced: a pipe, a device.
fn target(path: &Path) -> std::io::Result<Option<PathBuf>> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(std::io::ErrorKind::IsADirectory.into()),
        Ok(metadata) if !metadata.is_file() => Ok(None),
        Ok(_) => fs::canonicalize(path).map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && is_file_name(path) => {
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

/// The directory that `target` is in.
fn parent(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
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
    #[cfg(unix)]
    fn stale_files_go_and_those_being_written_stay() {
        let dir = tempfile::tempdir().unwrap();
        let others = [".cubebase-x.txt", "cubebase-x.tmp", "KQvK.wdl"];
        for name in others.iter().chain(&[".cubebase-dead.tmp"]) {
            std::fs::write(dir.path().join(name), "half").unwrap();
        }
        let path = dir.path().join("a");
        write(&path, |_| {
            assert_eq!(names(dir.path()).len(), 5);
            assert_eq!(remove_stale(dir.path())?, 1);
            assert_eq!(names(dir.path()).len(), 4);
            Ok(())
        })
        .unwrap();
        assert_eq!(names(dir.path()), [".cubebase-x.txt", "KQvK.wdl", "a", "cubebase-x.tmp"]);
    }

    #[test]
    fn a_missing_directory_is_an_io_error_that_names_the_path() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("none").join("a");
        for error in [write(&path, |_| Ok(())).unwrap_err(), check(&path).unwrap_err()] {
            assert_eq!(error.kind(), ErrorKind::Io);
            let text = error.to_string();
            assert!(text.starts_with(&format!("cannot write {}: ", path.display())), "{text}");
            assert!(!text.contains(PREFIX), "{text}");
        }
    }

    #[test]
    fn a_check_leaves_everything_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        check(&path).unwrap();
        assert!(names(dir.path()).is_empty());
        std::fs::write(&path, "old").unwrap();
        check(&path).unwrap();
        assert_eq!(names(dir.path()), ["a"]);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(check(dir.path()).unwrap_err().kind(), ErrorKind::Io);
        let long = "x".repeat(300);
        for wrong in ["none/", "", "..", long.as_str()] {
            let path = if wrong.is_empty() { Path::new("").to_path_buf() } else { dir.path().join(wrong) };
            assert_eq!(check(&path).unwrap_err().kind(), ErrorKind::Io, "{wrong}");
        }
        assert!(unfinished().iter().all(|path| !path.starts_with(dir.path())));
    }
}
