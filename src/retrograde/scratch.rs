//! The bytes of a table: in memory, or in a scratch file when memory is short.
//!
//! A scratch file has no name and goes with its last user, however the process ends. It is mapped into memory, so that
//! looking a position up is the same in both; the system keeps in memory what is used and takes it back when others
//! need it. Its pages may be counted as resident, but they are no memory that a run needs.

use crate::error::{Error, Result};
use memmap2::{Mmap, MmapMut};
use std::fmt;
use std::ops::Deref;
use std::path::Path;

/// Bytes that do not change.
pub(super) enum Buffer {
    /// In memory.
    Memory(Vec<u8>),
    /// In a scratch file.
    File(Mmap),
}

impl Buffer {
    /// Returns `len` bytes that `fill` has written, in memory, or in a scratch file in the directory `scratch`.
    pub(super) fn filled(
        len: usize,
        scratch: Option<&Path>,
        fill: impl FnOnce(&mut [u8]) -> Result<()>,
    ) -> Result<Self> {
        let Some(directory) = scratch.filter(|_| len > 0) else {
            let mut bytes = vec![0; len];
            fill(&mut bytes)?;
            return Ok(Buffer::Memory(bytes));
        };
        let io = |error| Error::io("write a scratch file in", directory, error);
        let file = tempfile::tempfile_in(directory).map_err(io)?;
        // Taken now: a full disk is an error here, and would end the process later.
        reserve(&file, len).map_err(io)?;
        #[allow(unsafe_code)]
        // SAFETY: the file has no name, and its handle stays here: nothing but this mapping reaches it, so that it
        // neither changes underneath nor is cut short.
        let mut map = unsafe { MmapMut::map_mut(&file) }.map_err(io)?;
        fill(&mut map)?;
        map.make_read_only().map(Buffer::File).map_err(io)
    }
}

/// Writes `len` zeros to `file`, so that its blocks are there.
fn reserve(mut file: &std::fs::File, len: usize) -> std::io::Result<()> {
    std::io::copy(&mut std::io::Read::take(std::io::repeat(0), len as u64), &mut file).map(drop)
}

impl From<Vec<u8>> for Buffer {
    fn from(bytes: Vec<u8>) -> Self {
        Buffer::Memory(bytes)
    }
}

impl Deref for Buffer {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Buffer::Memory(bytes) => bytes,
            Buffer::File(map) => map,
        }
    }
}

/// A copy is in memory.
impl Clone for Buffer {
    fn clone(&self) -> Self {
        Buffer::Memory(self.to_vec())
    }
}

impl PartialEq for Buffer {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Buffer {}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if matches!(self, Buffer::Memory(_)) { "memory" } else { "a scratch file" };
        write!(f, "{} bytes in {place}", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scratch_file_is_like_memory_and_leaves_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let fill = |bytes: &mut [u8]| {
            bytes.iter_mut().zip(0..).for_each(|(byte, at)| *byte = at);
            Ok(())
        };
        let memory = Buffer::filled(200, None, fill).unwrap();
        let file = Buffer::filled(200, Some(directory.path()), fill).unwrap();
        assert!(matches!((&memory, &file), (Buffer::Memory(_), Buffer::File(_))));
        assert_eq!((memory[199], &memory, &file.clone()), (199, &file, &memory));
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        assert!(Buffer::filled(0, Some(directory.path()), fill).unwrap().is_empty());
        let error = Buffer::filled(1, Some(&directory.path().join("none")), fill).unwrap_err();
        assert!(error.to_string().contains("scratch"), "{error}");
    }
}
