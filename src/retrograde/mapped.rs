//! A table file mapped into memory: a look-up decompresses only the block that it needs, or two for a distance.
//!
//! The header and the directory are checked when the file is opened, and a block whenever it is decompressed. The
//! counts and the hash need the whole table: only [`Table::read`](super::table::Table::read) checks them. The last few
//! blocks are kept, so that look-ups of positions in the same block decompress it once.

use super::file::distance_fits;
use super::game::{Game, Numbering};
use super::header::{self, BLOCK_SLOTS, BlockEntry, TableHeader};
use super::table::{Metric, distance_in, outcome_in, position_in};
use crate::error::{Error, ErrorKind, Result};
use crate::files::open_regular;
use crate::outcome::{Color, Wdl, Wdl50};
use memmap2::Mmap;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Decompressed blocks that are kept: 64 KiB each for outcomes, at most 512 KiB for distances.
const KEPT: usize = 16;

/// An outcome table in its file, mapped into memory. `Send` and `Sync`; a look-up holds a lock only while it searches the
/// list of kept blocks.
///
/// # Changes of the file
/// If the file is *replaced*, as this crate does ([`crate::atomic`]), the mapping keeps the old file. If another program
/// *changes it in place*, the checksums of the blocks show it, and look-ups return errors. If it is *truncated in place*, a
/// look-up beyond its new end ends the process (SIGBUS on Unix), as with every memory-mapped file; so do read errors of the
/// disk. Use [`Table::read`] where that can happen.
///
/// [`Table::read`]: super::table::Table::read
#[derive(Debug)]
pub struct TableFile<G: Game> {
    path: PathBuf,
    map: Mmap,
    header: TableHeader<G>,
    index: G::Index,
    entries: Vec<BlockEntry>,
    /// The last used blocks with their numbers, the latest last.
    kept: Mutex<VecDeque<(usize, Arc<[u8]>)>>,
}

impl<G: Game> TableFile<G> {
    /// Opens the file at `path` and checks its header and directory, which has 8 bytes for 262144 slots.
    ///
    /// # Errors
    /// Those of [`Table::read`](super::table::Table::read) that the header and the directory show.
    pub fn open(path: &Path) -> Result<Self> {
        let file = open_regular(path)?;
        #[allow(unsafe_code)]
        // SAFETY: nothing in this process writes to the file or keeps a view of its bytes: the header and the directory are
        // parsed into values here, and a payload is copied before it is read. So a change by another process can at worst
        // give bytes that the checksums refuse. The effect of truncation is documented above.
        let map = unsafe { Mmap::map(&file) }.map_err(|error| Error::io("read", path, error))?;
        let (header, entries) = header::open::<G>(&map).map_err(|error| error.in_file(path))?;
        let index = G::Index::new(&header.material);
        Ok(TableFile { path: path.to_path_buf(), map, header, index, entries, kept: Mutex::default() })
    }

    /// The material.
    pub fn material(&self) -> &G::Material {
        &self.header.material
    }

    /// The distances stored beside the outcomes.
    pub fn metric(&self) -> Metric {
        self.header.metric
    }

    /// The number of slots for each stored side to move.
    pub fn slots(&self) -> u64 {
        self.header.slots
    }

    /// The length of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// The hash in the header: [`Table::hash`](super::table::Table::hash) of the whole table.
    pub fn hash(&self) -> [u8; 8] {
        self.header.hash
    }

    /// The numbers of losses, draws and wins with `turn` to move in the header; zeros for a turn that is not stored.
    pub fn counts(&self, turn: Color) -> [u64; 3] {
        self.header.counts[turn.index()]
    }

    /// The file's record of its sub-tables; zeros if not recorded.
    pub(super) fn sources(&self) -> [u8; 8] {
        self.header.sources
    }

    /// Returns the outcome of `position`, canonical or not, for its side to move. Decompresses a block unless it is kept.
    ///
    /// # Errors
    /// [`ErrorKind::MissingTable`] if the position is of another material, [`ErrorKind::IllegalPosition`] if it is illegal,
    /// [`ErrorKind::Corrupt`] if the block is damaged.
    pub fn wdl(&self, position: &G::Position) -> Result<Wdl> {
        let (side, slot) = self.place(position)?;
        self.outcome(side, slot)
    }

    /// Returns the distance of `position` in plies, by [`TableFile::metric`]; `None` for a draw. Decompresses at most two
    /// blocks.
    ///
    /// # Errors
    /// Those of [`TableFile::wdl`], and [`ErrorKind::MissingTable`] if this file stores no distances.
    pub fn distance(&self, position: &G::Position) -> Result<Option<u32>> {
        let (side, slot) = self.place(position)?;
        if self.header.width == 0 {
            let why = format!("{} stores no distances", self.path.display());
            return Err(Error::new(ErrorKind::MissingTable, why));
        }
        let outcome = self.outcome(side, slot)?;
        let block = self.block(self.number(self.header.sides() + side, slot))?;
        let plies = self.fitting(&block, slot % BLOCK_SLOTS, outcome)?;
        Ok((outcome != Wdl::Draw).then_some(plies))
    }

    /// The distance of slot `at` of a block, which a position with this outcome can have.
    fn fitting(&self, block: &[u8], at: u64, outcome: Wdl) -> Result<u32> {
        let plies = distance_in(block, self.header.width, at as usize);
        let fitting = plies.filter(|&plies| distance_fits(self.metric(), Some(outcome), plies));
        fitting.ok_or_else(|| self.corrupt("a distance does not fit its outcome"))
    }

    /// Returns the longest distance in plies and the first position that has it, White to move before Black. `None` if no
    /// distances are stored or every position is a draw. Reads and checks all blocks in parallel, two at a time for each
    /// thread.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] if a block is damaged.
    pub fn longest(&self) -> Result<Option<(u32, G::Position)>> {
        self.longest_and_counts_50().map(|(longest, _)| longest)
    }

    /// Returns [`TableFile::longest`], and the numbers of stored positions by side to move and by outcome under the 50-move rule, in
    /// the order of [`Wdl50::ALL`]; `None` for the numbers if no distances to zeroing are stored. Reads each block once.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] if a block is damaged.
    #[allow(clippy::type_complexity, reason = "each part is a type of its own")]
    pub fn longest_and_counts_50(&self) -> Result<(Option<(u32, G::Position)>, Option<[[u64; 5]; 2]>)> {
        if self.header.width == 0 {
            return Ok((None, None));
        }
        let per_run = self.per_run();
        let of_block = |number: usize| {
            let (side, first) = (number / per_run, (number % per_run) as u64 * BLOCK_SLOTS);
            let (mut best, mut counts) = (None, [[0; 5]; 2]);
            self.visit_block(side, first, |slot, outcome, plies| {
                counts[side][Wdl50::new(outcome, plies).index()] += 1;
                if outcome != Wdl::Draw {
                    best = longer(best, Some((plies, side, slot)));
                }
            })?;
            Result::Ok((best, counts))
        };
        let sum = |a: [[u64; 5]; 2], b: [[u64; 5]; 2]| {
            [0, 1].map(|side| [0, 1, 2, 3, 4].map(|at| a[side][at] + b[side][at]))
        };
        let (best, counts) = (0..self.header.sides() * per_run)
            .into_par_iter()
            .map(of_block)
            .try_reduce(|| (None, [[0; 5]; 2]), |a, b| Ok((longer(a.0, b.0), sum(a.1, b.1))))?;
        let counts = (self.metric() == Metric::Dtz).then_some(counts);
        let Some((plies, side, slot)) = best else { return Ok((None, counts)) };
        let turn = G::stored_turns(self.material())[side];
        let position = position_in::<G>(&self.index, turn, slot);
        let is_one = self.index.check(&position).is_ok() && self.index.rank_any(&position) == (turn, slot);
        Error::corrupt_unless(is_one, || "a distance in a slot that holds no position".into())
            .map_err(|error| error.in_file(&self.path))?;
        Ok((Some((plies, position)), counts))
    }

    /// Calls `visit` with each slot that holds a position, its outcome and its distance, in the block of `side` that starts at
    /// slot `first`.
    fn visit_block(&self, side: usize, first: u64, mut visit: impl FnMut(u64, Wdl, u32)) -> Result<()> {
        let outcomes = self.decompress(self.number(side, first))?;
        let distances = self.decompress(self.number(self.header.sides() + side, first))?;
        for at in 0..BLOCK_SLOTS.min(self.header.slots - first) {
            if let Some(outcome) = outcome_in(&outcomes, at) {
                visit(first + at, outcome, self.fitting(&distances, at, outcome)?);
            }
        }
        Ok(())
    }

    /// The number of the position's side among the stored ones, and its slot.
    fn place(&self, position: &G::Position) -> Result<(usize, u64)> {
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

    /// The number of blocks of a run, the same for outcomes and distances: all blocks have the same number of slots.
    fn per_run(&self) -> usize {
        self.header.slots.div_ceil(BLOCK_SLOTS) as usize
    }

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
        // Without the lock: two threads may decompress the same block, but none waits.
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
            // Copied, so that the bytes cannot change between the check and the decompression.
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

/// The name of the material in the header of a table file of any game.
///
/// # Errors
/// [`ErrorKind::Io`]; [`ErrorKind::BadMagic`] or [`ErrorKind::Corrupt`] if it has no whole header.
pub fn material_name(path: &Path) -> Result<String> {
    let mut file = open_regular(path)?;
    let mut head = [0; header::HEADER];
    file.read_exact(&mut head).map_err(|_| header::cut_short().in_file(path))?;
    header::material_name(&head).map_err(|error| error.in_file(path))
}

/// The longer of two distances; of equal ones the first in the order of sides and slots.
fn longer(a: Option<(u32, usize, u64)>, b: Option<(u32, usize, u64)>) -> Option<(u32, usize, u64)> {
    match (a, b) {
        (Some(a), Some(b)) if b.0 > a.0 || b.0 == a.0 && (b.1, b.2) < (a.1, a.2) => Some(b),
        (a, b) => a.or(b),
    }
}
