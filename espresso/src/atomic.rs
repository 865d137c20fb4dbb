//! Writing a file whole or not at all.
//!
//! Every file that the commands make goes through [`write()`]: the bytes are put into a temporary file in the directory
//! of the target, synced, and renamed over the target, which rename(2) and its equivalents do in one step; then the
//! directory is synced. Whoever opens
//! the path sees the old file or the complete new one; an error, a panic or a kill in between leaves the old file.
//! A process that handles interrupts ends with [`exit`] so that no temporary file stays either. What a killed process
//! left is removed by the next [`write()`] into the same directory, or by [`remove_stale`]: a temporary file is locked by
//! its writer (flock(2) and its equivalents) for as long as it exists, and the system drops the locks of a process that is
//! gone.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
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
const PREFIX: &str = ".unfinished-";
const SUFFIX: &str = ".tmp";

/// Attempts to make a temporary file that [`remove_stale`] of another process does not take away before it is locked.
const ATTEMPTS: usize = 8;

/// Makes a temporary file in `directory`, locked and entered in [`UNFINISHED`]; removes those of killed processes first.
fn temporary(directory: &Path) -> io::Result<(NamedTempFile, Unfinished)> {
    // A directory that cannot be listed may be written to all the same.
    let _ = remove_stale(directory);
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
    Err(io::Error::other("temporary files disappear"))
}

fn remove_all(list: &mut Vec<PathBuf>, directory: &Path) {
    for path in list.extract_if(.., |path| path.starts_with(directory)) {
        // Gone already, or out of reach: there is nothing better to do while ending.
        let _ = fs::remove_file(path);
    }
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
/// When the directory cannot be read. A file that cannot be opened or removed is passed over.
pub fn remove_stale(directory: &Path) -> io::Result<usize> {
    let mut removed = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
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

const BUFFER: usize = 1 << 16;

/// Writes the file at `path` with what `fill` puts into the writer that it is given, and returns what `fill` returns.
///
/// The writer is buffered. An existing file at `path` is replaced only when `fill` returned no error and everything has
/// been written and synced. On Unix the new file has the permissions of any file newly created by this process (666 less
/// its umask), not those of a private temporary file and not those of the file replaced. A symbolic link is followed,
/// also one that leads to no file yet, and what is not a regular file (a pipe, a device) is written to as it is.
///
/// # Errors
/// When the directory cannot be written to, or the file not be written, synced or renamed. The inner error is that of
/// `fill`. After either no temporary file is left, and what was at `path` is unchanged, unless the file was renamed and
/// syncing its directory failed.
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

/// Makes a new name in `directory` outlast a power failure. A directory that may not be read, or that the file system does not
/// sync, is left as it is, and so are all where they are no files.
fn sync_directory(directory: &Path) -> io::Result<()> {
    let Ok(opened) = File::open(directory) else { return Ok(()) };
    match opened.sync_all() {
        Err(error) if !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Err(error)
        }
        _ => Ok(()),
    }
}

/// Makes growing a file beyond the limit of this process (`ulimit -f`) an error of the write, as a full disk is, for the rest
/// of the process; the signal for it, SIGXFSZ, would end it and leave temporary files.
pub fn report_size_limit() {
    // A signal that does nothing; where it cannot be registered everything is as it was.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(rustix::process::Signal::XFSZ.as_raw(), std::sync::Arc::default());
}

/// Puts what `fill` writes into the file.
fn write_into<T, E>(
    file: &File,
    fill: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> io::Result<Result<T, E>> {
    let mut writer = BufWriter::with_capacity(BUFFER, file);
    let filled = fill(&mut writer);
    // What an error leaves in the buffer is of no use to anybody.
    if filled.is_ok() {
        writer.into_inner()?;
    } else {
        let _ = writer.into_parts();
    }
    Ok(filled)
}

/// Finds out whether [`write()`] could write the file at `path` now, for whoever works long before writing. A temporary
/// file is made in its directory and removed; what was at `path` is not touched.
///
/// # Errors
/// When the path is a directory, or its directory is not there or cannot be written to.
pub fn check(path: &Path) -> io::Result<()> {
    match target(path)? {
        Some(target) => temporary(parent(&target)).map(drop),
        // A pipe or a device: opening it would be seen at its other end.
        None => Ok(()),
    }
}

/// Links that are followed to a file that is not there yet.
const LINKS: usize = 40;

/// The file that is to be replaced or made, links followed; `None` for what cannot be replaced: a pipe, a device.
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

/// Whether a path may name a file: it ends in a name, without a separator behind it.
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
        // A link to a link to no file, relative: the file is made where they lead.
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
            // Those of the tests beside this one stay.
            remove_all(&mut unfinished(), dir.path());
            assert!(names(dir.path()).is_empty());
            Ok::<_, io::Error>(())
        });
        assert!(result.is_err() && names(dir.path()).is_empty());
    }

    #[test]
    #[cfg(unix)]
    fn stale_files_go_with_the_next_write_and_those_being_written_stay() {
        let dir = tempfile::tempdir().unwrap();
        let others = [".unfinished-x.txt", "unfinished-x.tmp", "KQvK.wdl"];
        for name in others.iter().chain(&[".unfinished-dead.tmp"]) {
            fs::write(dir.path().join(name), "half").unwrap();
        }
        write(&dir.path().join("a"), |_| {
            assert_eq!(names(dir.path()).len(), 4, "the dead one is gone, the one being written is there");
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
