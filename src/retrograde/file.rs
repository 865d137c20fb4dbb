//! Reading and writing whole table files. `FORMAT.md` has the layout.
//!
//! A writer holds a few blocks besides the table. A reader trusts nothing. It compares every length with the length of the file
//! or with the length that the material requires, and checks the checksums and declared lengths of all blocks before it allocates
//! the table. So its memory is at most a small multiple of the file's length times the greatest compression ratio.

use super::game::{Game, Numbering};
use super::header::{self, BlockRun, TableHeader};
use super::table::{Distances, Metric, Side, Table};
use crate::atomic;
use crate::error::{Error, Result};
use crate::files::read_regular;
use crate::outcome::{Color, Wdl};
use crate::scratch::Buffer;
use rayon::prelude::*;
use std::io::Write;
use std::path::Path;

/// The compression level of the blocks. Higher levels save little and take much time. New bytes.
const LEVEL: i32 = 3;
/// Blocks for each thread that are compressed before they are written.
const BATCH: usize = 4;

impl<G: Game> Table<G> {
    /// Writes the table to the file at `path`, whole or not at all (see [`atomic::write`]). The same table gives the same
    /// bytes. Holds four compressed blocks of 262144 slots for each thread.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Io`]; a file that was at `path` is then unchanged.
    pub fn write(&self, path: &Path) -> Result<()> {
        self.write_with_sources(path, [0; 8])
    }

    /// As [`Table::write`]; records `sources`, made by [`header::sources`].
    pub(super) fn write_with_sources(&self, path: &Path, sources: [u8; 8]) -> Result<()> {
        let io = |error| Error::io("write", path, error);
        let header = TableHeader::of(self, sources);
        let blocks: Vec<(usize, BlockRun, u64)> = header
            .runs()
            .enumerate()
            .flat_map(|(at, run)| (0..run.blocks()).map(move |i| (at, run, i)))
            .collect();
        atomic::write(path, |out: &mut dyn Write| {
            out.write_all(&header.to_bytes()).map_err(io)?;
            let mut directory = Vec::new();
            for batch in blocks.chunks(BATCH * rayon::current_num_threads()) {
                let payloads = batch
                    .par_iter()
                    .map(|&(at, run, block)| zstd::bulk::compress(self.block(at, run, block), LEVEL))
                    .collect::<std::io::Result<Vec<_>>>()
                    .map_err(io)?;
                for payload in payloads {
                    header::push_entry(&mut directory, &payload);
                    out.write_all(&payload).map_err(io)?;
                }
            }
            header::seal(&mut directory);
            out.write_all(&directory).map_err(io)
        })
    }

    /// The bytes of block number `block` of `run`, which is run number `at`.
    fn block(&self, at: usize, run: BlockRun, block: u64) -> &[u8] {
        let sides = self.sides();
        let bytes = run.place(block);
        if at < sides.len() {
            return &sides[at].outcomes[bytes];
        }
        &sides[at - sides.len()].distances.bytes[bytes]
    }

    /// Reads the table in the file at `path`, and checks all of it.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Io`], also if it is not a regular file; [`crate::ErrorKind::BadMagic`] if it is not a table;
    /// [`crate::ErrorKind::UnsupportedVersion`] if its version, metric or codec is unknown; [`crate::ErrorKind::Corrupt`] if
    /// its length or a checksum is wrong, or if it contradicts itself.
    pub fn read(path: &Path) -> Result<Self> {
        Self::read_to(path, None)
    }

    /// As [`Table::read`]; into scratch files in the directory `scratch` if given, else into memory.
    pub(super) fn read_to(path: &Path, scratch: Option<&Path>) -> Result<Self> {
        let file = read_regular(path)?;
        Self::from_bytes_to(&file, scratch).map_err(|error| error.in_file(path))
    }

    /// Reads the table from the bytes of its file. See [`Table::read`].
    ///
    /// # Errors
    /// Those of [`Table::read`], except for the file system's.
    pub fn from_bytes(file: &[u8]) -> Result<Self> {
        Self::from_bytes_to(file, None)
    }

    fn from_bytes_to(file: &[u8], scratch: Option<&Path>) -> Result<Self> {
        let (header, entries) = header::open(file)?;
        entries.par_iter().try_for_each(|entry| entry.check(entry.payload(file)?))?;
        let mut runs = Vec::new();
        let mut rest = &entries[..];
        for run in header.runs() {
            // There are enough entries: the length of the directory was checked against the header.
            let (entries, others) = rest.split_at(run.blocks() as usize);
            rest = others;
            let mut bytes = Buffer::new(run.bytes as usize, scratch)?;
            let blocks = bytes.par_chunks_mut(run.block as usize).zip(entries);
            blocks.try_for_each(|(block, entry)| entry.decompress(entry.payload(file)?, block))?;
            runs.push(bytes);
        }
        assemble(&header, runs)
    }
}

/// Makes the table from the decompressed runs, and checks distances, counts and hash.
fn assemble<G: Game>(header: &TableHeader<G>, runs: Vec<Buffer>) -> Result<Table<G>> {
    let mut runs = runs.into_iter();
    let outcomes: Vec<Buffer> = runs.by_ref().take(header.sides()).collect();
    let mut side = |outcomes| {
        let distances = Distances { width: header.width, bytes: runs.next().unwrap_or_default() };
        Side { outcomes, distances }
    };
    let sides: Vec<Side> = outcomes.into_iter().map(&mut side).collect();
    for side in &sides {
        if header.width > 0
            && (0..header.slots).into_par_iter().any(|slot| {
                let plies = side.distances.get(slot as usize);
                plies.is_none_or(|plies| !distance_fits(header.metric, side.outcome(slot), plies))
            })
        {
            return Err(Error::corrupt("a distance does not fit its outcome"));
        }
    }
    let table = Table::from_sides(G::Index::new(&header.material), header.metric, sides);
    if Color::BOTH.map(|turn| table.counts(turn)) != header.counts {
        return Err(Error::corrupt("the counts are not those of the outcomes"));
    }
    if table.hash() != header.hash {
        return Err(Error::corrupt("the hash is not that of the outcomes"));
    }
    Ok(table)
}

/// Whether a slot with this outcome (`None`: no position) can have this distance.
pub(super) fn distance_fits(metric: Metric, outcome: Option<Wdl>, plies: u32) -> bool {
    match outcome {
        Some(Wdl::Win) if metric == Metric::Dtm => plies % 2 == 1,
        Some(Wdl::Loss) if metric == Metric::Dtm => plies.is_multiple_of(2),
        Some(Wdl::Win) => plies > 0,
        Some(Wdl::Loss) => true,
        Some(Wdl::Draw) | None => plies == 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::retrograde::{Chess, Store};

    #[test]
    fn tables_in_scratch_files_are_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("KPvK.dtm");
        let table = Store::new(None).with_metric(Metric::Dtm).get(&"KPvK".parse().unwrap()).unwrap();
        table.write(&path).unwrap();
        let scratch = Table::read_to(&path, Some(directory.path())).unwrap();
        assert_eq!(scratch, *table);
        assert_eq!((scratch.hash(), scratch.longest()), (table.hash(), table.longest()));
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
        // The same with distances of two bytes.
        let wide = |side: &Side| {
            let plies = (0..table.index().len()).filter_map(|slot| side.distances.get(slot as usize));
            let plies: Vec<u8> = plies.flat_map(|plies| (plies as u16).to_le_bytes()).collect();
            Side { outcomes: side.outcomes.clone(), distances: Distances { width: 2, bytes: plies.into() } }
        };
        let wide: Table<Chess> =
            Table::from_sides(table.index().clone(), Metric::Dtm, table.sides().iter().map(wide).collect());
        wide.write(&path).unwrap();
        let again = Table::read_to(&path, Some(directory.path())).unwrap();
        assert_eq!((&again, again.longest()), (&wide, table.longest()));
    }
}
