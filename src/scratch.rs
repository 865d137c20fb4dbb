//! Long arrays in memory, or in a scratch file if memory is short: bytes of tables, sets of the solver, rows of the minimizer.
//!
//! Wu & Beal (section 2.2) keep data that is read in order on disk, and the rest in memory. Here the operating system
//! decides: a scratch file is mapped, and its pages stay in memory as long as there is room. They count as resident memory,
//! though a run does not need them. The file has no name, so that it vanishes with its last user, however the process ends.

use crate::error::{Error, ErrorKind, Result};
use memmap2::{MmapOptions, MmapRaw};
use std::fmt;
use std::io::Read;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use zerocopy::FromBytes;

/// An array whose length is fixed.
pub(crate) enum Array<T> {
    Memory(Vec<T>),
    File(Mapped<T>),
}

pub(crate) type Buffer = Array<u8>;

pub(crate) struct Mapped<T> {
    map: MmapRaw,
    len: usize,
    elements: PhantomData<T>,
}

impl<T: FromBytes + Default> Array<T> {
    /// Returns `len` zeros, in memory, or in a scratch file in the directory `scratch`.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the file cannot be made, for instance on a full disk; [`ErrorKind::BudgetExhausted`] if there is
    /// not enough memory: a short table file may name a large material.
    pub(crate) fn new(len: usize, scratch: Option<&Path>) -> Result<Self> {
        let Some(directory) = scratch.filter(|_| len > 0) else {
            let mut elements = Vec::new();
            elements.try_reserve_exact(len).map_err(|_| {
                let bytes = len.saturating_mul(size_of::<T>());
                Error::new(ErrorKind::BudgetExhausted, format!("there is no memory for {bytes} bytes"))
            })?;
            elements.resize_with(len, T::default);
            return Ok(Array::Memory(elements));
        };
        let io = |error| Error::io("write a scratch file in", directory, error);
        let file = tempfile::tempfile_in(directory).map_err(io)?;
        // Writing zeros allocates the blocks now. A full disk is an error here; later it would end the process.
        let bytes = len * size_of::<T>();
        std::io::copy(&mut std::io::repeat(0).take(bytes as u64), &mut &file).map_err(io)?;
        let map = MmapOptions::new().len(bytes).map_raw(&file).map_err(io)?;
        Ok(Array::File(Mapped { map, len, elements: PhantomData }))
    }
}

impl<T> From<Vec<T>> for Array<T> {
    fn from(elements: Vec<T>) -> Self {
        Array::Memory(elements)
    }
}

impl<T> Default for Array<T> {
    fn default() -> Self {
        Array::Memory(Vec::new())
    }
}

#[allow(unsafe_code)]
impl<T: FromBytes> Deref for Array<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Array::Memory(elements) => elements,
            // SAFETY: the mapping begins at a page and is as long as `len` elements, and any bytes are valid elements. The
            // file has no name, and its handle is closed: nothing but this mapping reaches it, so that nothing else changes
            // or truncates it.
            Array::File(file) => unsafe {
                std::slice::from_raw_parts(file.map.as_ptr().cast::<T>(), file.len)
            },
        }
    }
}

#[allow(unsafe_code)]
impl<T: FromBytes> DerefMut for Array<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Array::Memory(elements) => elements,
            // SAFETY: as for `deref`; and `self`, which owns the mapping, is borrowed exclusively.
            Array::File(file) => unsafe {
                std::slice::from_raw_parts_mut(file.map.as_mut_ptr().cast::<T>(), file.len)
            },
        }
    }
}

/// A copy is in memory.
impl<T: FromBytes + Clone> Clone for Array<T> {
    fn clone(&self) -> Self {
        Array::Memory(self.to_vec())
    }
}

impl<T: FromBytes + PartialEq> PartialEq for Array<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: FromBytes + Eq> Eq for Array<T> {}

impl<T: FromBytes> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if matches!(self, Array::Memory(_)) { "memory" } else { "a scratch file" };
        write!(f, "{} elements in {place}", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_memory_is_an_error() {
        let error = Array::<u64>::new(usize::MAX / 8, None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BudgetExhausted);
    }
}
