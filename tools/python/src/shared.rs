//! Tables that several Python threads can probe and change.

use cubebase::Tables;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// Tables behind a lock.
#[derive(Debug)]
pub struct SharedTables {
    // A thread that holds this lock never waits for the interpreter's lock.
    tables: RwLock<Tables>,
    /// The number of calls that work without the interpreter's lock. Only these can hold another lock for long.
    detached: AtomicUsize,
}

/// Counts a call as detached until it is dropped.
struct Detached<'a>(&'a AtomicUsize);

impl<'a> Detached<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Detached(count)
    }
}

impl Drop for Detached<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl SharedTables {
    pub fn new(tables: Tables) -> Self {
        SharedTables { tables: RwLock::new(tables), detached: AtomicUsize::new(0) }
    }

    fn read(&self) -> RwLockReadGuard<'_, Tables> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `work` with the tables, without the interpreter's lock.
    pub fn ask_detached<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&Tables) -> T + Send) -> T {
        let _detached = Detached::new(&self.detached);
        py.detach(|| work(&self.read()))
    }

    /// Calls `work`, which must be short. Releasing the interpreter's lock would cost more than the work itself, so it is released
    /// only if another call could make this one wait. Such a call is counted in `detached` before it releases the lock.
    pub fn ask<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&Tables) -> T + Send) -> T {
        if self.detached.load(Ordering::Relaxed) > 0 {
            self.ask_detached(py, work)
        } else {
            work(&self.read())
        }
    }

    /// Changes the tables without the interpreter's lock.
    pub fn change(&self, py: Python<'_>, change: impl FnOnce(&mut Tables) + Send) {
        let _detached = Detached::new(&self.detached);
        py.detach(|| change(&mut self.tables.write().unwrap_or_else(PoisonError::into_inner)));
    }
}
