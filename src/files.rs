//! Reading files that may be anything.

use crate::bytes::Bytes;
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

/// Returns the bytes of the regular file at `path`: mapped where feature `mmap` is on, read where it is not. The file must
/// not be written to or cut while they are used; that another file takes its name does no harm.
pub(crate) fn bytes_of(path: &Path) -> Result<Bytes> {
    #[cfg(feature = "mmap")]
    {
        let file = open_regular(path)?;
        let io = |error| Error::io("read", path, error);
        // Nothing to map.
        if file.metadata().map_err(io)?.len() == 0 {
            return Ok(Bytes::new([]));
        }
        #[allow(unsafe_code, reason = "a map changes when its file is written to")]
        // SAFETY: tables are replaced by renaming, never written to; the documentation of `Tables` asks for no less.
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(io)?;
        Ok(Bytes::new(map))
    }
    #[cfg(not(feature = "mmap"))]
    read_regular(path).map(Bytes::new)
}
