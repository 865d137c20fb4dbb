//! Opening and reading regular files only.

use crate::error::{Error, ErrorKind, Result};
use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::Path;

/// `O_NONBLOCK` of open(2), where it is known: std alone has no name for it.
const NONBLOCK: Option<i32> = if cfg!(all(
    any(target_os = "linux", target_os = "android"),
    any(
        target_arch = "x86_64",
        target_arch = "x86",
        target_arch = "aarch64",
        target_arch = "arm",
        target_arch = "riscv64"
    )
)) {
    Some(0o4000)
} else if cfg!(any(
    target_vendor = "apple",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "openbsd"
)) {
    Some(4)
} else {
    None
};

/// Opens the regular file at `path`. Anything else is refused: a pipe may block, and a device may have no end. The file is
/// checked after it is opened, since another could take its name in between.
pub(crate) fn open_regular(path: &Path) -> Result<File> {
    let io = |error| Error::io("read", path, error);
    let check = |metadata: Metadata| {
        let refused = || Error::new(ErrorKind::Io, "not a regular file").in_file(path);
        if metadata.is_file() { Ok(()) } else { Err(refused()) }
    };
    let mut options = File::options();
    options.read(true);
    match NONBLOCK {
        #[cfg(unix)]
        Some(flag) => _ = std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flag),
        // Opening a pipe would block here, so the path is checked before too.
        _ => check(fs::metadata(path).map_err(io)?)?,
    }
    let file = options.open(path).map_err(io)?;
    check(file.metadata().map_err(io)?)?;
    Ok(file)
}

/// Returns the bytes of the regular file at `path`.
pub(crate) fn read_regular(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes).map_err(|error| Error::io("read", path, error))?;
    Ok(bytes)
}
