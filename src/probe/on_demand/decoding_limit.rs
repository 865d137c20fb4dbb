//! The limit on the bytes of code decoded at once. It bounds the time for which a hostile file can hold a thread.

use crate::error::{Error, ErrorKind, Result};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The default: fifty times the need of the trees of outcomes that this crate makes, seven times that of trees of distances.
const DEFAULT: usize = 1 << 20;

/// The limit for all tables of a set.
#[derive(Debug)]
pub(in crate::probe) struct DecodingLimit(AtomicUsize);

impl Default for DecodingLimit {
    fn default() -> Self {
        DecodingLimit(AtomicUsize::new(DEFAULT))
    }
}

impl DecodingLimit {
    pub(super) fn bytes(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    pub(in crate::probe) fn set(&self, bytes: usize) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    /// Checks that `bytes` of code may be decoded at once.
    ///
    /// # Errors
    /// [`ErrorKind::BudgetExhausted`] if they may not.
    pub(in crate::probe) fn check(&self, bytes: usize) -> Result<()> {
        let limit = self.bytes();
        if bytes <= limit {
            return Ok(());
        }
        let why = format!("{bytes} bytes are to be decoded at once, {limit} are allowed");
        Err(Error::new(ErrorKind::BudgetExhausted, why))
    }
}
