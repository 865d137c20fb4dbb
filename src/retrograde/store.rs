//! The store of tables by material: from memory, from a directory, or generated with their sub-tables.
//!
//! The materials and their conversions form a directed acyclic graph, and a table is solved after all tables below it.
//! Tables at the same height in the graph do not need each other. Small ones are solved at the same time, as their passes are
//! too short to keep all threads busy.

use super::estimate::{self, Bytes, Estimate, Location};
use super::game::Game;
use super::header;
use super::mapped::TableFile;
use super::rules::Rules;
use super::solve::{self, Progress};
use super::table::{Metric, Table};
use crate::atomic;
use crate::error::{Error, ErrorKind, Result};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The materials of a plan with the locations of their tables, by level.
type Locations<G> = Vec<Vec<(<G as Game>::Material, Location)>>;
type Reporter<G> = Box<dyn Fn(&Progress<G>) -> ControlFlow<()> + Send + Sync>;
type FinishedReporter<G> = Box<dyn Fn(&Finished<'_, G>) + Send + Sync>;

/// A table that [`Store::generate`] is done with.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Finished<'a, G: Game> {
    /// The table.
    pub table: &'a Table<G>,
    /// The time to make it, or to read and check its file.
    pub time: Duration,
    /// Whether it was made now; otherwise its file existed.
    pub is_new: bool,
}

/// A collection of tables of one metric, read or generated on demand.
///
/// `Send` and `Sync`; tables are returned behind [`Arc`]. A table that [`Store::get`] loads stays in memory until
/// [`Store::forget`] or the end of the store. [`Store::generate`] into a directory keeps only tables that it still needs.
/// Work runs on the current rayon pool; tables do not depend on the number of threads.
pub struct Store<G: Rules> {
    directory: Option<PathBuf>,
    metric: Metric,
    memory: Option<u64>,
    reporter: Reporter<G>,
    finished: FinishedReporter<G>,
    tables: Mutex<HashMap<G::Material, Arc<Table<G>>>>,
    /// The hashes of all tables that have been in memory.
    hashes: Mutex<HashMap<G::Material, [u8; 8]>>,
}

impl<G: Rules> Store<G> {
    /// Returns a store of outcome tables ([`Metric::Wdl`]) without a memory limit. It reads files in `directory`, if given, and
    /// generates missing tables. Nothing is read or created yet.
    pub fn new(directory: Option<PathBuf>) -> Self {
        Store {
            directory,
            metric: Metric::Wdl,
            memory: None,
            reporter: Box::new(|_| ControlFlow::Continue(())),
            finished: Box::new(|_| ()),
            tables: Mutex::default(),
            hashes: Mutex::default(),
        }
    }

    /// Sets the metric of the tables, which is also the extension of their files.
    #[must_use]
    pub fn with_metric(self, metric: Metric) -> Self {
        Store { metric, tables: Mutex::default(), hashes: Mutex::default(), ..self }
    }

    /// Limits memory to `bytes`. Work that needs more by its plan ([`Store::plan`]) is refused before it begins. If the store has
    /// a directory, [`Store::generate`] makes tables over the limit in scratch files there, unless they are
    /// [small](Game::is_small).
    #[must_use]
    pub fn with_memory(self, bytes: Option<u64>) -> Self {
        Store { memory: bytes, ..self }
    }

    /// Calls `reporter` from any thread at the start of a table, after each pass, and at the end. Breaking cancels the work.
    #[must_use]
    pub fn with_progress(
        self,
        reporter: impl Fn(&Progress<G>) -> ControlFlow<()> + Send + Sync + 'static,
    ) -> Self {
        Store { reporter: Box::new(reporter), ..self }
    }

    /// Calls `reporter` from any thread when [`Store::generate`] is done with a table.
    #[must_use]
    pub fn with_finished(self, reporter: impl Fn(&Finished<'_, G>) + Send + Sync + 'static) -> Self {
        Store { finished: Box::new(reporter), ..self }
    }

    /// The metric of the tables.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The file of `material` in the store's directory, existing or not; `None` without a directory.
    pub fn path(&self, material: &G::Material) -> Option<PathBuf> {
        Some(self.directory.as_ref()?.join(format!("{material}.{}", self.metric)))
    }

    /// Returns the table of `material`: from memory, from its file, or generated with its missing sub-tables. Does not write
    /// files; see [`Store::generate`].
    ///
    /// # Errors
    /// Those of [`Table::read`], as a damaged file is not replaced by a generated table; [`ErrorKind::BudgetExhausted`]; those
    /// of [`solve`](solve::solve). Tables finished before an error stay in the store.
    pub fn get(&self, material: &G::Material) -> Result<Arc<Table<G>>> {
        if let Some(table) = self.load(material, false)? {
            return Ok(table);
        }
        let mut plan = BuildOrder::<G>::of(&[]);
        plan.add(material, &|below| self.cached(below).is_some() || self.file(below).is_some());
        self.check_budget(&estimate::plan(&self.locations(&plan)?, self.metric, &|_| true, None))?;
        plan.run(|material| self.load_or_solve(material, false).map(drop))?;
        self.load_or_solve(material, false)
    }

    /// Drops the table of `material` from memory.
    pub fn forget(&self, material: &G::Material) {
        self.in_memory().remove(material);
    }

    /// Generates the missing tables of `materials` and their sub-tables into the store's directory or, without one, into
    /// memory. Creates the directory if it does not exist.
    ///
    /// Existing files are checked and kept, so that a cancelled or killed run continues where it stopped. All headers are checked
    /// before anything is made. The rest of a file is checked in the order of the plan: checksums, counts and hash, and whether
    /// the table was made from the sub-tables beside it. No file is overwritten. Temporary files of killed runs are removed
    /// ([`atomic::remove_stale`]).
    ///
    /// # Errors
    /// Those of [`Store::get`], and [`ErrorKind::Io`] if a file cannot be written. The message for a bad file names it and
    /// says what to do.
    pub fn generate(&self, materials: &[G::Material]) -> Result<()> {
        let plan = self.plan(materials)?;
        self.check_budget(&plan)?;
        let Some(directory) = &self.directory else {
            return materials.iter().try_for_each(|material| self.get(material).map(drop));
        };
        std::fs::create_dir_all(directory).map_err(|error| Error::io("create", directory, error))?;
        atomic::remove_stale(directory)?;
        let mut needs = HashMap::new();
        for made in plan.iter().filter(|table| !table.is_there) {
            self.path(&made.material).map_or(Ok(()), |path| atomic::check(&path))?;
            for below in G::sub_materials(&made.material) {
                *needs.entry(below).or_insert(0) += 1;
            }
        }
        let needs = Mutex::new(needs);
        let short = plan.iter().filter(|table| table.scratch_bytes > 0).map(|table| table.material).collect();
        BuildOrder::<G>::of(materials).run(|material| self.provide(material, &needs, &short))
    }

    /// Returns the plan of [`Store::generate`] for `materials`: all tables in the order of making, with their costs. Reads the
    /// headers of existing files.
    ///
    /// # Errors
    /// Those of [`TableFile::open`]; [`ErrorKind::Corrupt`] if a file has another table than its name says;
    /// [`ErrorKind::UnsupportedPosition`] if the game has no distances to zeroing.
    pub fn plan(&self, materials: &[G::Material]) -> Result<Vec<Estimate<G>>> {
        self.metric.check::<G>()?;
        let levels = self.locations(&BuildOrder::<G>::of(materials))?;
        let is_kept = |material: &G::Material| self.directory.is_none() || G::is_small(material);
        let scratch = self.memory.filter(|_| self.directory.is_some());
        Ok(estimate::plan(&levels, self.metric, &is_kept, scratch))
    }

    /// Returns the cost of [`Store::generate`] for `material` if its sub-tables were in the store's directory.
    pub fn plan_alone(&self, material: &G::Material) -> Estimate<G> {
        let plan = BuildOrder::<G>::of(&[*material]);
        let file = |table: &G::Material| Location::File(estimate::guessed_file::<G>(table, self.metric));
        let location =
            |table: &G::Material| (*table, if table == material { Location::Nowhere } else { file(table) });
        let levels: Vec<Vec<_>> =
            plan.levels.iter().map(|level| level.iter().map(location).collect()).collect();
        let estimates = estimate::plan(&levels, self.metric, &G::is_small, self.memory);
        // The material itself is the last of its plan.
        estimates[estimates.len() - 1]
    }

    /// Checks that a plan keeps to the limit of [`Store::with_memory`], as [`Store::generate`] does first.
    ///
    /// # Errors
    /// [`ErrorKind::BudgetExhausted`] with the figures if it does not.
    pub fn check_budget(&self, plan: &[Estimate<G>]) -> Result<()> {
        let made = plan.iter().filter(|table| !table.is_there);
        let Some((largest, allowed)) = made.max_by_key(|table| table.peak_bytes).zip(self.memory) else {
            return Ok(());
        };
        if largest.peak_bytes <= allowed {
            return Ok(());
        }
        let (needed, allowed) = (Bytes(largest.peak_bytes), Bytes(allowed));
        let why = format!("{}: needs about {needed} of memory, {allowed} are allowed", largest.material);
        Err(Error::new(ErrorKind::BudgetExhausted, why))
    }

    /// Checks the file of a table, or makes the table if there is no file. The sub-tables have been provided.
    fn provide(
        &self,
        material: &G::Material,
        needs: &Mutex<HashMap<G::Material, usize>>,
        short: &HashSet<G::Material>,
    ) -> Result<()> {
        let start = Instant::now();
        if self.file(material).is_some() {
            self.forget(material);
        }
        let table = self.load_or_solve(material, short.contains(material))?;
        // Checked again: the file may have vanished meanwhile.
        let missing = self.path(material).filter(|_| self.file(material).is_none());
        let is_new = missing.is_some();
        if let Some(path) = missing {
            table.write_with_sources(&path, self.sources(material).unwrap_or_default())?;
        }
        (self.finished)(&Finished { table: &table, time: start.elapsed(), is_new });
        let mut needs = needs.lock().unwrap_or_else(PoisonError::into_inner);
        let mut done = Vec::new();
        if is_new {
            for below in &G::sub_materials(material) {
                let left = needs.entry(*below).or_insert(1);
                // The plan did not count the needs of a file that vanished meanwhile.
                *left = left.saturating_sub(1);
                if *left == 0 || !G::is_small(below) {
                    done.push(*below);
                }
            }
        }
        if !G::is_small(material) || needs.get(material).is_none_or(|&left| left == 0) {
            done.push(*material);
        }
        done.iter().for_each(|material| self.forget(material));
        Ok(())
    }

    /// Returns the table of `material` and keeps it: from memory, from its file, or made from its sub-tables, which are in memory
    /// or in files. If `is_short`, memory is short: the table goes to scratch files in the store's directory, and so do its
    /// sub-tables that are not small.
    fn load_or_solve(&self, material: &G::Material, is_short: bool) -> Result<Arc<Table<G>>> {
        if let Some(table) = self.load(material, is_short)? {
            return Ok(table);
        }
        let mut sub_tables = Vec::new();
        for below in &G::sub_materials(material) {
            sub_tables.extend(self.load(below, is_short && !G::is_small(below))?);
        }
        let scratch = self.directory.as_deref().filter(|_| is_short);
        let table = Arc::new(solve::solve::<G>(material, self.metric, &sub_tables, scratch, &self.reporter)?);
        self.keep(&table);
        Ok(table)
    }

    /// Returns the table of `material` from memory or from its file, which is read into scratch files if `scratch`.
    fn load(&self, material: &G::Material, scratch: bool) -> Result<Option<Arc<Table<G>>>> {
        if let Some(table) = self.cached(material) {
            return Ok(Some(table));
        }
        let Some(path) = self.file(material) else { return Ok(None) };
        let table = Arc::new(self.read(material, &path, scratch)?);
        self.keep(&table);
        Ok(Some(table))
    }

    /// The path of the file of `material`, if anything has that name.
    fn file(&self, material: &G::Material) -> Option<PathBuf> {
        self.path(material).filter(|path| path.symlink_metadata().is_ok())
    }

    /// The materials of a plan with their locations, by level.
    fn locations(&self, plan: &BuildOrder<G>) -> Result<Locations<G>> {
        let location = |material: &G::Material| Ok((*material, self.location_of(material)?));
        plan.levels.iter().map(|level| level.iter().map(location).collect()).collect()
    }

    /// The location of the table of `material`. Checks the header of its file.
    fn location_of(&self, material: &G::Material) -> Result<Location> {
        let in_memory = || if self.cached(material).is_some() { Location::Memory } else { Location::Nowhere };
        let Some(path) = self.file(material) else { return Ok(in_memory()) };
        let file = TableFile::<G>::open(&path).map_err(advise)?;
        self.check_name(&path, file.material(), file.metric())?;
        Ok(Location::File(file.bytes()))
    }

    fn read(&self, material: &G::Material, path: &Path, scratch: bool) -> Result<Table<G>> {
        let recorded = TableFile::<G>::open(path).map_err(advise)?.sources();
        let table = Table::read_to(path, self.directory.as_deref().filter(|_| scratch)).map_err(advise)?;
        self.check_name(path, table.material(), table.metric())?;
        // Zeros: nothing is recorded. If a sub-table has not been in memory, its hash is unknown, and nothing is checked.
        if recorded != [0; 8] && self.sources(material).is_some_and(|sources| sources != recorded) {
            let why = "it was made from other sub-tables than those beside it";
            return Err(advise(Error::corrupt(why).in_file(path)));
        }
        Ok(table)
    }

    fn check_name(&self, path: &Path, material: &G::Material, metric: Metric) -> Result<()> {
        if self.path(material).is_some_and(|expected| expected == path) && metric == self.metric {
            return Ok(());
        }
        let why = format!("{} holds the {metric} table of {material}", path.display());
        Err(advise(Error::corrupt(why)))
    }

    /// The record of sub-tables for the table of `material`; `None` if one has not been in memory yet.
    fn sources(&self, material: &G::Material) -> Option<[u8; 8]> {
        let hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut below = G::sub_materials(material);
        below.sort_by_cached_key(ToString::to_string);
        let below: Option<Vec<_>> = below.iter().map(|below| hashes.get(below).copied()).collect();
        below.map(header::sources)
    }

    fn in_memory(&self) -> MutexGuard<'_, HashMap<G::Material, Arc<Table<G>>>> {
        // Under the lock there are only insertions and removals: a panic does not leave the map broken.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn cached(&self, material: &G::Material) -> Option<Arc<Table<G>>> {
        self.in_memory().get(material).cloned()
    }

    fn keep(&self, table: &Arc<Table<G>>) {
        let mut hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
        hashes.insert(*table.material(), table.hash());
        drop(hashes);
        self.in_memory().insert(*table.material(), Arc::clone(table));
    }
}

/// Adds to errors about a bad file that it can be moved or removed. Other errors do not change.
fn advise(error: Error) -> Error {
    match error.kind() {
        ErrorKind::BadMagic | ErrorKind::Corrupt | ErrorKind::UnsupportedVersion => {
            Error::new(error.kind(), format!("{error}; move or remove this file, and it is made again"))
        }
        _ => error,
    }
}

impl<G: Rules> fmt::Debug for Store<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("directory", &self.directory)
            .field("metric", &self.metric)
            .finish_non_exhaustive()
    }
}

/// Materials by height: 0 without conversions, otherwise one more than the greatest height of their children.
struct BuildOrder<G: Rules> {
    height: HashMap<G::Material, usize>,
    levels: Vec<Vec<G::Material>>,
}

impl<G: Rules> BuildOrder<G> {
    fn of(materials: &[G::Material]) -> Self {
        let mut plan = BuildOrder { height: HashMap::new(), levels: Vec::new() };
        for material in materials {
            plan.add(material, &|_| false);
        }
        plan
    }

    /// Adds `material` and the materials below it, but none below a material for which `is_done` holds. Returns the height of
    /// `material`.
    fn add(&mut self, material: &G::Material, is_done: &dyn Fn(&G::Material) -> bool) -> usize {
        if let Some(&height) = self.height.get(material) {
            return height;
        }
        let mut height = 0;
        if !is_done(material) {
            for below in &G::sub_materials(material) {
                height = height.max(1 + self.add(below, is_done));
            }
        }
        if self.levels.len() <= height {
            self.levels.resize_with(height + 1, Vec::new);
        }
        self.levels[height].push(*material);
        self.height.insert(*material, height);
        height
    }

    /// Calls `make` for every material, after all below it. Small ones of one height run in parallel.
    fn run(&self, make: impl Fn(&G::Material) -> Result<()> + Sync) -> Result<()> {
        for level in &self.levels {
            let (few, many): (Vec<_>, Vec<_>) = level.iter().partition(|material| G::is_small(material));
            few.par_iter().try_for_each(&make)?;
            many.iter().try_for_each(&make)?;
        }
        Ok(())
    }
}
