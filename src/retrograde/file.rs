//! Reading and writing whole table files. The layout is in `FORMAT.md`, and only there.
//!
//! A writer holds a few blocks beside the table. A reader takes nothing on trust: every length is compared with the
//! bytes that are there, or with what the material demands, and every block's checksum and declared length are looked at
//! before memory for the table is taken, so that it stays within a small multiple of the file's own length times the
//! greatest ratio of the compression.

use super::header::{self, Entry, Header, Run, cut_short};
use super::table::{Distances, Metric, Side, Table};
use crate::atomic;
use crate::error::{Error, Result};
use crate::position::{Color, Index, Wdl};
use rayon::prelude::*;
use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

/// Compression level of the blocks: beyond it files shrink little and writing slows much.
const LEVEL: i32 = 3;
/// Blocks for each thread that are compressed before they are written.
const BATCH: usize = 4;

impl Table {
    /// Writes the table to the file at `path`, whole or not at all (see [`atomic::write`]). The same table gives
    /// the same bytes. Holds four compressed blocks a thread, of 262144 slots each.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Io`]; what was at `path` before is unchanged then.
    pub fn write(&self, path: &Path) -> Result<()> {
        self.write_with_sources(path, [0; 8])
    }

    /// [`Table::write`], recording [`header::sources`].
    pub(super) fn write_with_sources(&self, path: &Path, sources: [u8; 8]) -> Result<()> {
        let io = |error| Error::io("write", path, error);
        let header = Header::of(self, sources);
        let blocks: Vec<(usize, Run, u64)> = header
            .runs()
            .enumerate()
            .flat_map(|(at, run)| (0..run.blocks()).map(move |i| (at, run, i)))
            .collect();
        atomic::write(path, |out: &mut dyn Write| {
            out.write_all(&header.to_bytes()).map_err(io)?;
            let mut directory = Vec::with_capacity(header::directory_len(blocks.len()));
            for batch in blocks.chunks(BATCH * rayon::current_num_threads()) {
                let payloads = batch
                    .par_iter()
                    .map(|&(at, run, block)| zstd::bulk::compress(&self.block(at, run, block), LEVEL))
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

    /// The bytes of block number `block` of run number `at`, which is `run`.
    fn block(&self, at: usize, run: Run, block: u64) -> Cow<'_, [u8]> {
        let sides = self.sides();
        let bytes = run.place(block);
        if at < sides.len() {
            return Cow::Borrowed(&sides[at].outcomes[bytes]);
        }
        match &sides[at - sides.len()].distances {
            Distances::None => Cow::Borrowed(&[]),
            Distances::Bytes(plies) => Cow::Borrowed(&plies[bytes]),
            Distances::Words(plies) => {
                let plies = &plies[bytes.start / 2..bytes.end / 2];
                Cow::Owned(plies.iter().flat_map(|ply| ply.to_le_bytes()).collect())
            }
        }
    }

    /// Reads the table in the file at `path`, and checks all of it.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Io`]; [`crate::ErrorKind::BadMagic`] when the file is no table;
    /// [`crate::ErrorKind::UnsupportedVersion`] when its version, metric or codec is not known;
    /// [`crate::ErrorKind::Corrupt`] when it is cut short, longer than it should be, or contradicts itself or its
    /// checksums.
    pub fn read(path: &Path) -> Result<Self> {
        let file = std::fs::read(path).map_err(|error| Error::io("read", path, error))?;
        Self::from_bytes(&file).map_err(|error| error.context(path.display()))
    }

    /// Reads the table from the bytes of its file. See [`Table::read`].
    ///
    /// # Errors
    /// As [`Table::read`], but for those of the file system.
    pub fn from_bytes(file: &[u8]) -> Result<Self> {
        let (header, entries) = header::open(file)?;
        let lengths: Vec<usize> = header.runs().flat_map(Run::lengths).collect();
        let payload = |entry: &Entry| file.get(entry.offset..entry.offset + entry.len).ok_or_else(cut_short);
        entries
            .par_iter()
            .zip(lengths)
            .enumerate()
            .try_for_each(|(number, (entry, len))| entry.check(payload(entry)?, number, len))?;
        let mut runs = Vec::new();
        let mut first = 0;
        for run in header.runs() {
            let mut bytes = vec![0; run.bytes as usize];
            let blocks = first..first + run.blocks() as usize;
            first = blocks.end;
            let entries = entries.get(blocks.clone()).ok_or_else(cut_short)?;
            bytes
                .par_chunks_mut(run.block as usize)
                .zip(entries)
                .zip(blocks)
                .try_for_each(|((block, entry), number)| entry.decompress(payload(entry)?, number, block))?;
            runs.push(bytes);
        }
        assemble(&header, runs)
    }
}

/// Makes the table of the decompressed runs, and checks what they say.
fn assemble(header: &Header, runs: Vec<Vec<u8>>) -> Result<Table> {
    let mut runs = runs.into_iter();
    let outcomes: Vec<Vec<u8>> = runs.by_ref().take(header.sides()).collect();
    let mut distances = runs.map(|bytes: Vec<u8>| match header.width {
        1 => Distances::Bytes(bytes),
        _ => Distances::Words(bytes.as_chunks().0.iter().map(|&ply| u16::from_le_bytes(ply)).collect()),
    });
    let sides: Vec<Side> = outcomes
        .into_iter()
        .map(|outcomes| Side { outcomes, distances: distances.next().unwrap_or(Distances::None) })
        .collect();
    for side in &sides {
        if header.width > 0
            && (0..header.slots).into_par_iter().any(|slot| {
                let plies = side.distances.get(slot as usize);
                plies.is_none_or(|plies| !distance_fits(header.metric, side.outcome(slot), plies))
            })
        {
            return Err(Error::corrupt("a distance does not go with its outcome"));
        }
    }
    let table = Table::from_sides(Index::new(&header.material), header.metric, sides);
    if Color::BOTH.map(|turn| table.counts(turn)) != header.counts {
        return Err(Error::corrupt("the counts are not those of the outcomes"));
    }
    if table.hash() != header.hash {
        return Err(Error::corrupt("the hash is not that of the outcomes"));
    }
    Ok(table)
}

/// Whether a position of `outcome` (no position: `None`) can have this distance.
pub(super) fn distance_fits(metric: Metric, outcome: Option<Wdl>, plies: u32) -> bool {
    match outcome {
        Some(Wdl::Win) if metric == Metric::Dtm => plies % 2 == 1,
        Some(Wdl::Loss) if metric == Metric::Dtm => plies.is_multiple_of(2),
        Some(Wdl::Win) => plies > 0,
        Some(Wdl::Loss) => true,
        Some(Wdl::Draw) | None => plies == 0,
    }
}
