//! Reading and writing whole table files. The layout is in `FORMAT.md`, and only there.
//!
//! A reader takes nothing on trust: every length is compared with the bytes that are there, or with what the material
//! demands, before anything of that length is allocated, so that memory stays within a small multiple of the file's
//! own length times the greatest ratio of the compression.

use super::header::{self, Header, Run, cut_short};
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

impl Table {
    /// Writes the table to the file at `path`, whole or not at all (see [`atomic::write`]). The same table gives
    /// the same bytes.
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
        let outcomes = self.sides().iter().map(|side| Cow::Borrowed(&side.outcomes[..]));
        let distances = self.sides().iter().map(|side| match &side.distances {
            Distances::None => Cow::Borrowed(&[][..]),
            Distances::Bytes(bytes) => Cow::Borrowed(&bytes[..]),
            Distances::Words(words) => Cow::Owned(words.iter().flat_map(|ply| ply.to_le_bytes()).collect()),
        });
        let runs: Vec<Cow<'_, [u8]>> = outcomes.chain(distances).collect();
        let blocks: Vec<&[u8]> =
            header.runs().zip(&runs).flat_map(|(run, bytes)| bytes.chunks(run.block as usize)).collect();
        let payloads = blocks
            .into_par_iter()
            .map(|block| zstd::bulk::compress(block, LEVEL))
            .collect::<std::io::Result<Vec<_>>>()
            .map_err(io)?;
        atomic::write(path, |out: &mut dyn Write| {
            out.write_all(&header.to_bytes()).map_err(io)?;
            out.write_all(&header::directory(&payloads)).map_err(io)?;
            payloads.iter().try_for_each(|payload| out.write_all(payload)).map_err(io)
        })
    }

    /// Reads the table in the file at `path`, and checks all of it.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Io`]; [`crate::ErrorKind::BadMagic`] when the file is no table; [`crate::ErrorKind::UnsupportedVersion`] when its
    /// version, metric or codec is not known; [`crate::ErrorKind::Corrupt`] when it is cut short, longer than it should be, or
    /// contradicts itself or its checksums.
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
        let blocks = entries
            .par_iter()
            .zip(lengths)
            .enumerate()
            .map(|(number, (entry, len))| {
                let payload = file.get(entry.offset..entry.offset + entry.len).ok_or_else(cut_short)?;
                entry.decompress(payload, number, len)
            })
            .collect::<Result<Vec<_>>>()?;
        assemble(&header, blocks)
    }
}

/// Puts the decompressed blocks together and checks what they say.
fn assemble(header: &Header, blocks: Vec<Vec<u8>>) -> Result<Table> {
    let mut blocks = blocks.into_iter();
    let mut runs =
        header.runs().map(|run| blocks.by_ref().take(run.blocks() as usize).collect::<Vec<_>>().concat());
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
