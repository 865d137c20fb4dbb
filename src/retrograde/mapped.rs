//! A table file that answers positions without being read as a whole: it is mapped into memory, and a lookup
//! decompresses the one block that it needs, or two for a distance.
//!
//! Header and directory are checked when the file is opened, a block whenever it is decompressed. What only the whole
//! table can show (its counts and its hash) is left to [`Table::read`](super::Table::read). The last few blocks are
//! kept, so that neighbouring positions (the children of a king's move, a list sorted by an engine) cost one
//! decompression together.

use super::file::distance_fits;
use super::header::{self, BLOCK_SLOTS, Entry, Header};
use super::index::Index;
use super::table::{Metric, distance_in, outcome_in};
use crate::error::{Error, ErrorKind, Result};
use crate::files::open_regular;
use crate::position::{Color, Material, Position, Wdl};
use memmap2::Mmap;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Blocks kept decompressed: at most 512 KiB each, of outcomes 64 KiB.
const KEPT: usize = 16;

/// An outcome table in its file, mapped into memory. `Send` and `Sync`; lookups take `&self` and wait for each other
/// only to look at the list of kept blocks.
///
/// # The file underneath
/// The mapping stays what it was when a file is *replaced*, as this crate does ([`crate::atomic`]): the old file lives
/// until it is dropped. A file *changed in place* by another program is noticed block by block, by its checksums, and
/// gives errors. A file that is *cut short in place* ends the process when a lookup reaches behind its new end (SIGBUS
/// on Unix), as with every memory-mapped file; so do read errors of the disk. Where that may happen, [`Table::read`]
/// is the way.
///
/// [`Table::read`]: super::Table::read
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    map: Mmap,
    header: Header,
    index: Index,
    entries: Vec<Entry>,
    /// The last used blocks with their numbers, the newest last.
    kept: Mutex<VecDeque<(usize, Arc<[u8]>)>>,
}

impl TableFile {
    /// Opens the file at `path` and checks its header and directory. Costs the reading of those, 8 bytes for 262144
    /// slots.
    ///
    /// # Errors
    /// Those of [`Table::read`](super::Table::read), as far as header and directory show them.
    pub fn open(path: &Path) -> Result<Self> {
        let file = open_regular(path)?;
        #[allow(unsafe_code)]
        // SAFETY: nothing in this process writes to the file or keeps a view of its bytes: header and directory are
        // parsed into values of their own here, and a payload is copied before it is looked at, so that a change by
        // another process can at worst give bytes that the checksums refuse. What truncation does is documented above.
        let map = unsafe { Mmap::map(&file) }.map_err(|error| Error::io("read", path, error))?;
        let (header, entries) = header::open(&map).map_err(|error| error.in_file(path))?;
        let index = Index::new(&header.material);
        Ok(TableFile { path: path.to_path_buf(), map, header, index, entries, kept: Mutex::default() })
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.header.material
    }

    /// The distances stored beside the outcomes.
    pub fn metric(&self) -> Metric {
        self.header.metric
    }

    /// Number of slots for each stored side to move.
    pub fn slots(&self) -> u64 {
        self.header.slots
    }

    /// Length of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// The hash that the file gives: [`Table::hash`](super::Table::hash) of the whole table.
    pub fn hash(&self) -> [u8; 8] {
        self.header.hash
    }

    /// Number of losses, draws and wins with `turn` to move that the file gives; zeros for a turn that is not stored.
    pub fn counts(&self, turn: Color) -> [u64; 3] {
        self.header.counts[turn.index()]
    }

    /// The file's record of the tables it was made from; zeros for none.
    pub(super) fn sources(&self) -> [u8; 8] {
        self.header.sources
    }

    /// Returns the outcome of `position`, canonical or not, for its side to move. Decompresses one block, unless it is
    /// among those kept.
    ///
    /// # Errors
    /// [`ErrorKind::MissingTable`] when the position is of another material, [`ErrorKind::IllegalPosition`] when it is
    /// illegal, [`ErrorKind::Corrupt`] when the block is damaged.
    pub fn wdl(&self, position: &Position) -> Result<Wdl> {
        let (side, slot) = self.place(position)?;
        self.outcome(side, slot)
    }

    /// Returns the distance of `position` in plies, of the kind that [`TableFile::metric`] names; `None` when it is
    /// drawn. Decompresses at most two blocks.
    ///
    /// # Errors
    /// As [`TableFile::wdl`], and [`ErrorKind::MissingTable`] when this file stores no distances.
    pub fn distance(&self, position: &Position) -> Result<Option<u32>> {
        let (side, slot) = self.place(position)?;
        if self.header.width == 0 {
            let why = format!("{} stores no distances", self.path.display());
            return Err(Error::new(ErrorKind::MissingTable, why));
        }
        let outcome = self.outcome(side, slot)?;
        let block = self.block(self.number(self.header.sides() + side, slot))?;
        let plies = distance_in(&block, self.header.width, (slot % BLOCK_SLOTS) as usize);
        match plies.filter(|&plies| distance_fits(self.metric(), Some(outcome), plies)) {
            Some(plies) => Ok((outcome != Wdl::Draw).then_some(plies)),
            None => Err(self.corrupt("a distance does not go with its outcome")),
        }
    }

    /// Returns the longest distance in plies and the first position that has it, White to move before Black; `None`
    /// when no distances are stored or all is drawn. Reads and checks every block, in parallel, and holds one or two
    /// of them a thread.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] when a block is damaged.
    pub fn longest(&self) -> Result<Option<(u32, Position)>> {
        if self.header.width == 0 {
            return Ok(None);
        }
        let per_run = self.per_run();
        let best = (0..self.header.sides() * per_run)
            .into_par_iter()
            .map(|block| self.longest_of_block(block / per_run, (block % per_run) as u64 * BLOCK_SLOTS))
            .try_reduce(|| None, |a, b| Ok(longer(a, b)))?;
        let Some((plies, side, slot)) = best else { return Ok(None) };
        let turn = self.material().stored_turns()[side];
        let position = self.index.unrank(turn, slot);
        position
            .map(|position| Some((plies, position)))
            .ok_or_else(|| self.corrupt("a distance in a slot that holds no position"))
    }

    /// The longest distance in the block of `side` that begins at slot `first`, with its side and slot.
    fn longest_of_block(&self, side: usize, first: u64) -> Result<Option<(u32, usize, u64)>> {
        let outcomes = self.decompress(self.number(side, first))?;
        let distances = self.decompress(self.number(self.header.sides() + side, first))?;
        let mut best = None;
        for at in 0..BLOCK_SLOTS.min(self.header.slots - first) {
            let outcome = outcome_in(&outcomes, at);
            if matches!(outcome, Some(Wdl::Win | Wdl::Loss)) {
                let plies = distance_in(&distances, self.header.width, at as usize).unwrap_or(0);
                best = longer(best, Some((plies, side, first + at)));
            }
        }
        Ok(best)
    }

    /// The number of the position's side among the stored ones, and its slot.
    fn place(&self, position: &Position) -> Result<(usize, u64)> {
        self.index.check(position).map_err(|error| match error.kind() {
            ErrorKind::MissingTable => error.in_file(&self.path),
            _ => error,
        })?;
        let (turn, slot) = self.index.rank_any(position);
        Ok((turn.index(), slot))
    }

    fn outcome(&self, side: usize, slot: u64) -> Result<Wdl> {
        let block = self.block(self.number(side, slot))?;
        outcome_in(&block, slot % BLOCK_SLOTS).ok_or_else(|| self.corrupt("no value for a legal position"))
    }

    /// Blocks of a run, the same for outcomes and distances: blocks are counted in slots.
    fn per_run(&self) -> usize {
        self.header.slots.div_ceil(BLOCK_SLOTS) as usize
    }

    /// The number of the block that holds `slot` of run number `run`.
    fn number(&self, run: usize, slot: u64) -> usize {
        run * self.per_run() + (slot / BLOCK_SLOTS) as usize
    }

    fn block(&self, number: usize) -> Result<Arc<[u8]>> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut kept = kept();
            if let Some(at) = kept.iter().position(|(other, _)| *other == number)
                && let Some(found) = kept.remove(at)
            {
                let block = Arc::clone(&found.1);
                kept.push_back(found);
                return Ok(block);
            }
        }
        // Without the lock: two threads may do the same work, but none waits for it.
        let block: Arc<[u8]> = self.decompress(number)?.into();
        let mut kept = kept();
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back((number, Arc::clone(&block)));
        Ok(block)
    }

    fn decompress(&self, number: usize) -> Result<Vec<u8>> {
        let entry = self.entries.get(number).ok_or_else(|| self.corrupt("a block is missing"))?;
        let decompressed = || {
            // Copied, so that what is checked is what is decompressed.
            let payload = entry.payload(&self.map)?.to_vec();
            entry.check(&payload)?;
            let mut block = vec![0; entry.block];
            entry.decompress(&payload, &mut block).map(|()| block)
        };
        decompressed().map_err(|error: Error| error.in_file(&self.path))
    }

    fn corrupt(&self, why: &str) -> Error {
        Error::corrupt(why).in_file(&self.path)
    }
}

/// The longer of two distances; of equal ones the first in the order of sides and slots.
fn longer(a: Option<(u32, usize, u64)>, b: Option<(u32, usize, u64)>) -> Option<(u32, usize, u64)> {
    match (a, b) {
        (Some(a), Some(b)) if b.0 > a.0 || b.0 == a.0 && (b.1, b.2) < (a.1, a.2) => Some(b),
        (a, b) => a.or(b),
    }
}
