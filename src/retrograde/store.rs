//! Tables by material: kept in memory, read from a directory, or generated with all that they need.
//!
//! The materials that captures and promotions lead to form a directed graph without cycles; a table is solved after all
//! tables below it. Tables with the same height above the bottom do not need each other: those of few men, whose passes
//! are too short to keep the threads busy, are solved side by side.

use super::conversions::Conversions;
use super::solve::{self, Progress};
use super::table::{Metric, Table};
use crate::error::{Error, ErrorKind, Result};
use crate::position::Material;
use rayon::prelude::*;
use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The most men of tables that are solved side by side: beyond, one table fills threads and memory.
const SIDE_BY_SIDE: usize = 4;

type Reporter = Box<dyn Fn(&Progress) -> ControlFlow<()> + Send + Sync>;

/// A collection of tables of one metric that fills itself on demand.
///
/// `Send` and `Sync`; tables are handed out behind [`Arc`] and stay in memory as long as the store does. Work runs on
/// the current rayon pool, whose number of threads never shows in a table.
pub struct Store {
    directory: Option<PathBuf>,
    metric: Metric,
    generates: bool,
    reporter: Reporter,
    tables: Mutex<HashMap<Material, Arc<Table>>>,
}

impl Store {
    /// Returns a store of outcome tables ([`Metric::Wdl`]) that looks for files in `directory`, if given, and generates
    /// what is not there. Nothing is read or created yet.
    pub fn new(directory: Option<PathBuf>) -> Self {
        Store {
            directory,
            metric: Metric::Wdl,
            generates: true,
            reporter: Box::new(|_| ControlFlow::Continue(())),
            tables: Mutex::default(),
        }
    }

    /// Makes it a store of tables with `metric`, and of files with its extension.
    #[must_use]
    pub fn with_metric(self, metric: Metric) -> Self {
        Store { metric, tables: Mutex::default(), ..self }
    }

    /// Makes it a store that only reads: a table with no file is an error.
    #[must_use]
    pub fn without_generation(self) -> Self {
        Store { generates: false, ..self }
    }

    /// Calls `reporter` from any thread when a table is begun, after each pass, and when it is finished; breaking
    /// cancels the work.
    #[must_use]
    pub fn with_progress(
        self,
        reporter: impl Fn(&Progress) -> ControlFlow<()> + Send + Sync + 'static,
    ) -> Self {
        Store { reporter: Box::new(reporter), ..self }
    }

    /// The metric of its tables.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The file of `material` in the store's directory, existing or not; `None` without a directory.
    pub fn path(&self, material: &Material) -> Option<PathBuf> {
        Some(self.directory.as_ref()?.join(format!("{material}.{}", self.metric)))
    }

    /// Returns the table of `material`: from memory, else from its file, else generated with the sub-tables that are
    /// missing. Generated tables are not written; see [`Store::generate`].
    ///
    /// # Errors
    /// [`ErrorKind::MissingTable`] when there is no file and the store does not generate; those of [`Table::read`],
    /// without falling back to generation when a file is damaged; [`ErrorKind::Cancelled`]. Tables finished
    /// before an error stay in the store.
    pub fn get(&self, material: &Material) -> Result<Arc<Table>> {
        self.obtain(&[*material], false)?;
        self.cached(material)
            .ok_or_else(|| Error::new(ErrorKind::Internal, format!("the table of {material} got lost")))
    }

    /// Sees to it that the tables of `materials` and all their sub-tables are in the store and, with a directory, in
    /// their files. Files that are there are read, checked and kept, so that a cancelled or killed run continues where
    /// it stopped. Creates the directory if need be.
    ///
    /// # Errors
    /// As [`Store::get`], and [`ErrorKind::Io`] when a file cannot be written.
    pub fn generate(&self, materials: &[Material]) -> Result<()> {
        if let Some(directory) = &self.directory {
            std::fs::create_dir_all(directory).map_err(|error| Error::io("create", directory, error))?;
        }
        self.obtain(materials, true)
    }

    /// Brings the tables of `materials` into memory, and all below them that this needs; `files` when the files of all
    /// are to be there.
    fn obtain(&self, materials: &[Material], files: bool) -> Result<()> {
        let mut plan = Plan::default();
        for material in materials {
            plan.add(material, &|material| if files { Ok(false) } else { self.load(material) })?;
        }
        for level in &plan.levels {
            let (few, many): (Vec<_>, Vec<_>) =
                level.iter().partition(|material| material.len() <= SIDE_BY_SIDE);
            let make = |material: &&Material| self.make(material, files);
            few.par_iter().try_for_each(make)?;
            many.iter().try_for_each(make)?;
        }
        Ok(())
    }

    /// Brings one table into memory whose sub-tables are there.
    fn make(&self, material: &Material, files: bool) -> Result<()> {
        if self.load(material)? {
            return match self.path(material).filter(|path| files && !path.exists()) {
                Some(path) => self.cached(material).map_or(Ok(()), |table| table.write(&path)),
                None => Ok(()),
            };
        }
        let sub_tables: Vec<_> =
            Conversions::new(material).materials().iter().filter_map(|below| self.cached(below)).collect();
        let table = solve::solve(material, self.metric, &sub_tables, &self.reporter)?;
        if let Some(path) = self.path(material).filter(|_| files) {
            table.write(&path)?;
        }
        self.keep(table);
        Ok(())
    }

    /// Whether the table of `material` is in memory, after reading its file if there is one.
    fn load(&self, material: &Material) -> Result<bool> {
        if self.cached(material).is_some() {
            return Ok(true);
        }
        if let Some(path) = self.path(material).filter(|path| path.exists()) {
            let table = self.read(material, &path)?;
            self.keep(table);
            return Ok(true);
        }
        if self.generates {
            return Ok(false);
        }
        let place = self.directory.as_ref().map_or("memory".into(), |path| path.display().to_string());
        Err(Error::new(ErrorKind::MissingTable, format!("no {} table of {material} in {place}", self.metric)))
    }

    fn read(&self, material: &Material, path: &Path) -> Result<Table> {
        let table = Table::read(path)?;
        if table.material() == material && table.metric() == self.metric {
            return Ok(table);
        }
        let why = format!("{} holds the {} table of {}", path.display(), table.metric(), table.material());
        Err(Error::corrupt(why))
    }

    fn cached(&self, material: &Material) -> Option<Arc<Table>> {
        // A thread that panicked while holding the lock left the map whole: insertions are all it sees.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).get(material).cloned()
    }

    fn keep(&self, table: Table) {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.insert(*table.material(), Arc::new(table));
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("directory", &self.directory)
            .field("metric", &self.metric)
            .field("generates", &self.generates)
            .finish_non_exhaustive()
    }
}

/// Materials by height: 0 for those without conversions, else one more than the highest that they convert to.
#[derive(Default)]
struct Plan {
    height: HashMap<Material, usize>,
    levels: Vec<Vec<Material>>,
}

impl Plan {
    /// Adds `material` and what is below it, unless it is there or `is_done` says that it is not needed; returns its
    /// height, 0 for what is done.
    fn add(&mut self, material: &Material, is_done: &dyn Fn(&Material) -> Result<bool>) -> Result<usize> {
        if let Some(&height) = self.height.get(material) {
            return Ok(height);
        }
        let mut height = 0;
        if !is_done(material)? {
            for below in Conversions::new(material).materials() {
                height = height.max(1 + self.add(below, is_done)?);
            }
            if self.levels.len() <= height {
                self.levels.resize_with(height + 1, Vec::new);
            }
            self.levels[height].push(*material);
        }
        self.height.insert(*material, height);
        Ok(height)
    }
}
