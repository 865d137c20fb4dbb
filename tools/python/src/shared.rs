//! Tables that several Python threads can probe and change.

use crate::board::MEN_WITHOUT_CURSED;
use cubebase::{Error, ErrorKind, Material, Tables};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// Tables behind a lock.
#[derive(Debug)]
pub struct SharedTables {
    // A thread that holds this lock never waits for the interpreter's lock.
    tables: RwLock<Tables>,
    /// The number of calls that work without the interpreter's lock. Only these calls can make another one wait for long.
    detached: AtomicUsize,
    /// Whether the tables were closed and none were added since.
    closed: AtomicBool,
    /// The answer of [`SharedTables::can_be_cursed()`].
    can_be_cursed: AtomicBool,
}

/// Counts a call as detached, until this value is dropped.
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

/// No tables, with the decoding limit of `tables`.
pub fn empty_like(tables: &Tables) -> Tables {
    let empty = Tables::empty();
    empty.set_decoding_limit(tables.decoding_limit());
    empty
}

impl SharedTables {
    pub fn new(tables: Tables) -> Self {
        SharedTables {
            tables: RwLock::new(tables),
            detached: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            can_be_cursed: AtomicBool::new(false),
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Tables> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `work` with the tables, without the interpreter's lock.
    pub fn ask_detached<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&Tables) -> T + Send) -> T {
        let _detached = Detached::new(&self.detached);
        py.detach(|| work(&self.read()))
    }

    /// Calls `work`, which must be short. Releasing the interpreter's lock would cost more than the work itself, so it is
    /// released only if another call could make this one wait. Such a call is counted in `detached` before it releases the lock.
    pub fn ask<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&Tables) -> T + Send) -> T {
        if self.detached.load(Ordering::Relaxed) > 0 {
            self.ask_detached(py, work)
        } else {
            work(&self.read())
        }
    }

    pub fn add(&self, py: Python<'_>, added: Tables) {
        self.change(py, false, |tables| tables.add_tables(added));
    }

    /// Closes all tables.
    pub fn close(&self, py: Python<'_>) {
        self.change(py, true, |tables| *tables = empty_like(tables));
    }

    /// Changes the tables without the interpreter's lock.
    fn change(&self, py: Python<'_>, closed: bool, change: impl FnOnce(&mut Tables) + Send) {
        let _detached = Detached::new(&self.detached);
        py.detach(|| {
            let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
            change(&mut tables);
            self.closed.store(closed, Ordering::Relaxed);
            let most = tables.materials().last().map_or(0, Material::len);
            self.can_be_cursed.store(most > MEN_WITHOUT_CURSED as usize, Ordering::Relaxed);
        });
    }

    /// Whether a table has so many men that it may have cursed wins.
    pub fn can_be_cursed(&self) -> bool {
        self.can_be_cursed.load(Ordering::Relaxed)
    }

    /// Changes the error of a probe for a missing table if all tables are closed.
    pub fn name_closed(&self, error: Error) -> Error {
        let (kind, closed) = (error.kind(), self.closed.load(Ordering::Relaxed));
        match error.material() {
            Some(material) if kind == ErrorKind::MissingTable && closed => {
                Error::new(kind, format!("no table of {material}: the tablebase is closed"))
            }
            _ => error,
        }
    }
}
