//! The variables of a function, and the layout of tables with an element for each part.

use crate::error::{Error, ErrorKind, Result};

/// The variables of a function.
#[derive(Clone, Debug)]
pub(super) struct Variables {
    pub(super) parts: Vec<u8>,
    /// The first element of each variable in a table of all parts.
    pub(super) bases: Vec<usize>,
    /// The number of elements of such a table.
    pub(super) all_parts: usize,
}

impl Variables {
    /// Returns variables with the given numbers of parts.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] if a variable has no parts or more than 64, or there are no variables or more than 65,535.
    pub(super) fn new(parts: &[u8]) -> Result<Self> {
        if let Some(at) = parts.iter().position(|parts| !(1..=64).contains(parts)) {
            let message = format!("variable {at} has {} parts; there may be 1 to 64", parts[at]);
            return Err(Error::new(ErrorKind::Mismatch, message));
        }
        if parts.is_empty() || parts.len() > usize::from(u16::MAX) {
            let message = format!("{} variables; there may be 1 to 65535", parts.len());
            return Err(Error::new(ErrorKind::Mismatch, message));
        }
        let mut all_parts = 0;
        let mut base = |&count: &u8| {
            all_parts += usize::from(count);
            all_parts - usize::from(count)
        };
        Ok(Variables { bases: parts.iter().map(&mut base).collect(), parts: parts.to_vec(), all_parts })
    }

    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    pub(super) fn full(&self, variable: usize) -> u64 {
        u64::MAX >> (64 - u32::from(self.parts[variable]))
    }

    /// Replaces the count of each part by that of all parts up to it.
    pub(super) fn cumulate(&self, counts: &mut [u32]) {
        for (&base, &parts) in self.bases.iter().zip(&self.parts) {
            for at in base + 1..base + usize::from(parts) {
                counts[at] += counts[at - 1];
            }
        }
    }
}
