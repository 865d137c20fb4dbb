//! Writes files whole or not at all.
//!
//! The commands write every file with [`write()`]. The bytes go to a temporary file in the directory of the target. It is
//! synced and atomically renamed over the target (rename(2)), and the directory is synced. The path always leads to the
//! old file or to the complete new one; after an error, a panic or a kill before the renaming, to the old one.
//!
//! A process that handles interrupts calls [`exit`], which removes its temporary files. The files of a killed process
//! are removed by the next [`write()`] into the same directory, or by [`remove_stale`]. A writer locks its temporary file
//! (flock(2)), and the system drops the locks of a dead process.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

/// The temporary files of unfinished writes.
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

/// The beginning and the end of the names of temporary files.
const PREFIX: &str = ".unfinished-";
const SUFFIX: &str = ".tmp";

/// Limit on attempts: [`remove_stale`] of another process may remove a new file before it is locked.
const ATTEMPTS: usize = 8;

/// Makes a temporary file in `directory`, locked and listed in [`UNFINISHED`]. Removes the files of killed processes first.
fn temporary(directory: &Path) -> io::Result<(NamedTempFile, Unfinished)> {
    // A directory may be writable even if it cannot be listed.
    let _ = remove_stale(directory);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // Makes a file with the usual permissions, and errors that do not name the temporary file.
    let make = |path: &Path| File::options().read(true).write(true).create_new(true).open(path);
    // Held until the file is in the list, so that `exit` removes every file.
    let mut list = unfinished();
    for _ in 0..ATTEMPTS {
        let file = builder.make_in(directory, make)?;
        // On a file system without locks, `remove_stale` removes nothing.
        let locked = cfg!(not(unix)) || file.as_file().lock().is_ok();
        if !locked || file.path().exists() {
            list.push(file.path().to_path_buf());
            let entry = Unfinished(file.path().to_path_buf());
            return Ok((file, entry));
        }
    }
    Err(io::Error::other("temporary files disappear"))
}

fn remove_all(list: &mut Vec<PathBuf>, directory: &Path) {
    for path in list.extract_if(.., |path| path.starts_with(directory)) {
        // The process ends, so errors are ignored.
        let _ = fs::remove_file(path);
    }
}

/// Removes the temporary files of all unfinished writes and ends the process with `status`. No write begins in between. Call
/// it from a thread that handles interrupts, not from a signal handler: it takes a lock.
pub fn exit(status: i32) -> ! {
    let mut list = unfinished();
    remove_all(&mut list, Path::new(""));
    std::process::exit(status)
}

/// Removes the temporary files of killed processes from `directory`, and returns their number. Files of running processes,
/// this one included, are kept. Without file locks, all files are kept.
///
/// # Errors
/// When the directory cannot be read. A file that cannot be opened or removed is skipped.
pub fn remove_stale(directory: &Path) -> io::Result<usize> {
    let mut removed = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let is_ours =
            entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if cfg!(unix) && is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // The lock is dropped after the file is removed.
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

const BUFFER: usize = 1 << 16;

/// Writes the output of `fill` to the file at `path`, and returns the result of `fill`.
///
/// The writer is buffered. An existing file is replaced only after `fill` has succeeded and all bytes are synced. On Unix
/// the new file has the permissions of any new file of this process (666 less its umask), not those of the old file.
/// Symbolic links are followed, even to a file that does not exist yet. A pipe or a device is written to directly.
///
/// # Errors
/// The outer error: the directory cannot be written to, or the file cannot be written, synced or renamed. The inner error is
/// that of `fill`. After either, no temporary file is left. The old file is unchanged, unless only syncing the directory
/// failed, after the renaming.
///
/// # Example
/// ```
/// use std::io::Write;
/// let dir = tempfile::tempdir().unwrap();
/// let path = dir.path().join("greeting");
/// espresso::atomic::write(&path, |out| out.write_all(b"hello"))??;
/// assert_eq!(std::fs::read(&path).unwrap(), b"hello");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write<T, E>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> io::Result<Result<T, E>> {
    let Some(target) = target(path)? else {
        return write_into(&File::options().write(true).open(path)?, fill);
    };
    let (file, _entry) = temporary(parent(&target))?;
    let filled = write_into(file.as_file(), fill)?;
    if filled.is_ok() {
        file.as_file().sync_all()?;
        file.persist(&target)?;
        sync_directory(parent(&target))?;
    }
    Ok(filled)
}

/// Syncs `directory`, so that a new name in it survives a power failure. Does nothing if the system cannot open or sync
/// directories.
fn sync_directory(directory: &Path) -> io::Result<()> {
    let Ok(opened) = File::open(directory) else { return Ok(()) };
    match opened.sync_all() {
        Err(error) if !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Err(error)
        }
        _ => Ok(()),
    }
}

/// From now on, a write beyond the file size limit of this process (`ulimit -f`) is an error, like a full disk. Without this
/// call, the signal SIGXFSZ ends the process and leaves temporary files.
pub fn report_size_limit() {
    // A handler that only sets an unused flag. If it cannot be registered, the signal still ends the process.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(rustix::process::Signal::XFSZ.as_raw(), std::sync::Arc::default());
}

/// Writes the output of `fill` to the file.
fn write_into<T, E>(
    file: &File,
    fill: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> io::Result<Result<T, E>> {
    let mut writer = BufWriter::with_capacity(BUFFER, file);
    let filled = fill(&mut writer);
    // After an error, the buffered rest is discarded.
    if filled.is_ok() {
        writer.into_inner()?;
    } else {
        let _ = writer.into_parts();
    }
    Ok(filled)
}

/// Checks that [`write()`] could write the file at `path` now, for use before long work. Makes a temporary file in its
/// directory and removes it; the file at `path` is not touched.
///
/// # Errors
/// When the path is a directory, or its directory does not exist or cannot be written to.
pub fn check(path: &Path) -> io::Result<()> {
    match target(path)? {
        Some(target) => temporary(parent(&target)).map(drop),
        // A pipe or a device. Opening it could affect the process at its other end.
        None => Ok(()),
    }
}

/// Limit on the links followed to a file that does not exist yet.
const LINKS: usize = 40;

/// The file to replace or make, after following links; `None` for a pipe or a device, which cannot be replaced.
fn target(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(metadata) if !metadata.is_file() => return Ok(None),
        Ok(_) => return fs::canonicalize(path).map(Some),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Err(_) => {}
    }
    let mut target = path.to_path_buf();
    for _ in 0..LINKS {
        if !is_file_name(&target) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let Ok(next) = fs::read_link(&target) else { return Ok(Some(target)) };
        target = parent(&target).join(next);
    }
    Err(io::Error::other("too many links"))
}

/// Whether a path can name a file: it ends in a name, without a separator after it.
fn is_file_name(path: &Path) -> bool {
    let last = path.as_os_str().as_encoded_bytes().last();
    path.file_name().is_some() && last.is_some_and(|&byte| !std::path::is_separator(char::from(byte)))
}

fn parent(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn put(text: &str) -> impl FnOnce(&mut dyn Write) -> io::Result<usize> {
        move |out| out.write_all(text.as_bytes()).map(|()| text.len())
    }

    #[test]
    fn an_error_leaves_the_old_file_and_no_temporary_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        fs::write(&path, "old").unwrap();
        let failed = write(&path, |out| {
            out.write_all(b"half").unwrap();
            Err::<(), _>("stop")
        });
        assert_eq!(failed.unwrap(), Err("stop"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(dir.path()), ["a"]);
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed_and_devices_written_through() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("a"), "old").unwrap();
        symlink(at("a"), at("link")).unwrap();
        write(&at("link"), put("new")).unwrap().unwrap();
        assert_eq!(fs::read_to_string(at("a")).unwrap(), "new");
        // A relative link to a link to a missing file: the file is made at the end of the chain.
        symlink("far", at("near")).unwrap();
        symlink("none", at("far")).unwrap();
        check(&at("near")).unwrap();
        write(&at("near"), put("made")).unwrap().unwrap();
        assert_eq!(fs::read_to_string(at("none")).unwrap(), "made");
        assert!(at("link").is_symlink() && at("near").is_symlink() && at("far").is_symlink());
        symlink("round", at("round")).unwrap();
        assert!(write(&at("round"), put("x")).is_err());
        write(Path::new("/dev/null"), put("gone")).unwrap().unwrap();
        assert!(write(dir.path(), put("x")).is_err());
    }

    #[test]
    fn an_interrupt_removes_temporary_files() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        let result = write(&path, |_| {
            assert_eq!(names(dir.path()).len(), 1);
            // The files of tests that run at the same time stay.
            remove_all(&mut unfinished(), dir.path());
            assert!(names(dir.path()).is_empty());
            Ok::<_, io::Error>(())
        });
        assert!(result.is_err() && names(dir.path()).is_empty());
    }

    #[test]
    #[cfg(unix)]
    fn a_write_removes_stale_files_and_keeps_unfinished_ones() {
        let dir = tempfile::tempdir().unwrap();
        let others = [".unfinished-x.txt", "unfinished-x.tmp", "KQvK.wdl"];
        for name in others.iter().chain(&[".unfinished-dead.tmp"]) {
            fs::write(dir.path().join(name), "half").unwrap();
        }
        write(&dir.path().join("a"), |_| {
            assert_eq!(names(dir.path()).len(), 4, "the stale file is gone, the unfinished one is there");
            write(&dir.path().join("b"), put("beside")).unwrap().unwrap();
            Ok::<_, io::Error>(())
        })
        .unwrap()
        .unwrap();
        assert_eq!(names(dir.path()), [".unfinished-x.txt", "KQvK.wdl", "a", "b", "unfinished-x.tmp"]);
    }

    #[test]
    fn paths_that_cannot_be_files_are_found_without_changing_anything() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        check(&path).unwrap();
        assert!(names(dir.path()).is_empty());
        fs::write(&path, "old").unwrap();
        check(&path).unwrap();
        assert_eq!(names(dir.path()), ["a"]);
        let long = "x".repeat(300);
        for wrong in ["none/", "none/a", "", "..", long.as_str()] {
            let path = if wrong.is_empty() { Path::new("").to_path_buf() } else { dir.path().join(wrong) };
            let error = check(&path).expect_err(wrong).to_string();
            assert!(!error.contains(PREFIX), "{error}");
            assert!(write(&path, put("x")).is_err(), "{wrong}");
        }
        assert!(unfinished().iter().all(|path| !path.starts_with(dir.path())));
    }
}
