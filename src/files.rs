//! Reading files that may be anything.

use crate::error::{Error, ErrorKind, Result};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// Opens the regular file at `path`. Anything else is refused unopened: a pipe would be waited for, and a device may
/// have no end.
pub(crate) fn open_regular(path: &Path) -> Result<File> {
    let io = |error| Error::io("read", path, error);
    if !fs::metadata(path).map_err(io)?.is_file() {
        return Err(Error::new(ErrorKind::Io, "not a regular file").in_file(path));
    }
    File::open(path).map_err(io)
}

/// Returns the bytes of the regular file at `path`.
pub(crate) fn read_regular(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes).map_err(|error| Error::io("read", path, error))?;
    Ok(bytes)
}
