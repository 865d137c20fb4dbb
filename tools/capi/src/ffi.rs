// The shared parts of the three C interfaces, each of which includes this file: panics, the version, texts and paths.

use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// The version of the library that is compiled, as "1.2.3".
pub(crate) const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(text) => text,
        Err(_) => c"",
    };

/// The result of `work`; `None` if it panics.
#[inline]
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    // Dropping the payload would run unknown code.
    catch_unwind(AssertUnwindSafe(work)).map_err(std::mem::forget).ok()
}

/// Copies `text` and a zero to `buffer`, cut to `size` bytes at the end of a character.
///
/// # Safety
/// `buffer` is NULL or valid for writing `size` bytes.
pub(crate) unsafe fn copy_text(text: &str, buffer: *mut c_char, size: usize) {
    if !buffer.is_null() && size > 0 {
        let mut end = text.len().min(size - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        // SAFETY: the caller guarantees that `size` bytes, of which `end + 1` are used, are valid for writing; the text does
        // not overlap them.
        unsafe {
            buffer.copy_from_nonoverlapping(text.as_ptr().cast(), end);
            buffer.add(end).write(0);
        }
    }
}

/// A path in the system's encoding, on Windows in UTF-8; `None` for other text.
#[cfg_attr(unix, allow(clippy::unnecessary_wraps, reason = "other systems refuse some"))]
pub(crate) fn path_of(bytes: &[u8]) -> Option<&Path> {
    #[cfg(unix)]
    return Some(Path::new(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes)));
    #[cfg(not(unix))]
    std::str::from_utf8(bytes).ok().map(Path::new)
}
