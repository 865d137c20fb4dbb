//! Writing a file whole or not at all.
//!
//! Every file this crate makes goes through [`write()`]: the bytes are put into a temporary file in the directory of
//! the target, synced, and renamed over the target, which rename(2) and its equivalents do in one step. Whoever opens
//! the path sees the old file or the complete new one; an error, a panic or a kill in between leaves the old file.

use crate::error::{Error, Result};
use std::io::{BufWriter, Write};
use std::path::Path;

/// Bytes gathered before they are passed to the operating system.
const BUFFER: usize = 1 << 16;

/// Writes the file at `path` with what `fill` puts into the writer that it is given, and returns what `fill` returns.
///
/// The writer is buffered. An existing file at `path` is replaced only when everything has been written and synced.
/// On Unix the new file has the permissions of any file newly created by this process (666 less its umask), not those
/// of a private temporary file and not those of the file replaced.
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
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let io = |error| Error::io("write", path, error);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".cubebase-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(directory).map_err(io)?;
    let mut writer = BufWriter::with_capacity(BUFFER, file);
    let filled = fill(&mut writer)?;
    let file = writer.into_inner().map_err(|error| io(error.into_error()))?;
    file.as_file().sync_all().map_err(io)?;
    file.persist(path).map_err(|error| io(error.error))?;
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
    fn a_missing_directory_is_an_io_error_that_names_the_path() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("none").join("a");
        let error = write(&path, |_| Ok(())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.to_string().contains("none"), "{error}");
    }
}
