//! Reading and writing table files. The layout is in `FORMAT.md`, and only there.
//!
//! A reader takes nothing on trust: every length is compared with the bytes that are there, or with what the material
//! demands, before anything of that length is allocated, so that memory stays within a small multiple of the file's
//! own length times the greatest ratio of the compression.

use super::table::{Distances, Metric, SLOTS_PER_BYTE, Side, Table};
use crate::atomic;
use crate::error::{Error, ErrorKind, Result};
use crate::position::{Color, Index, Material, Wdl};
use rayon::prelude::*;
use std::io::Write;
use std::path::Path;

const MAGIC: [u8; 8] = *b"CUBETAB\x1a";
const VERSION: u16 = 2;
const CODEC_ZSTD: u8 = 1;
const HEADER: usize = 128;
const NAME: usize = 16;
const BLOCK_SLOTS: u64 = 1 << 18;
/// Bytes of a directory entry.
const ENTRY: usize = 8;
/// Compression level of the blocks: beyond it files shrink little and writing slows much.
const LEVEL: i32 = 3;

/// A run of blocks: the outcomes or the distances of one side to move.
#[derive(Clone, Copy)]
struct Run {
    /// Decompressed bytes of the run and of each of its blocks but the last.
    bytes: u64,
    block: u64,
}

impl Run {
    fn outcomes(slots: u64) -> Self {
        let per_byte = SLOTS_PER_BYTE as u64;
        Run { bytes: slots.div_ceil(per_byte), block: BLOCK_SLOTS / per_byte }
    }

    fn distances(slots: u64, width: u8) -> Self {
        Run { bytes: slots * u64::from(width), block: BLOCK_SLOTS * u64::from(width) }
    }

    fn blocks(self) -> u64 {
        self.bytes.div_ceil(self.block)
    }

    /// Decompressed lengths of its blocks.
    fn lengths(self) -> impl Iterator<Item = usize> {
        (0..self.blocks()).map(move |block| (self.bytes - block * self.block).min(self.block) as usize)
    }
}

/// The number of a metric in the header.
const fn metric_number(metric: Metric) -> u8 {
    match metric {
        Metric::Wdl => 0,
        Metric::Dtm => 1,
        Metric::Dtc => 2,
    }
}

/// The header, but for what every file of this version has.
struct Header {
    material: Material,
    metric: Metric,
    /// Bytes of a distance.
    width: u8,
    slots: u64,
    blocks: u32,
    hash: [u8; 8],
    counts: [[u64; 3]; 2],
}

impl Header {
    fn of(table: &Table) -> Self {
        let slots = table.index().len();
        let width = match table.sides().first().map(|side| &side.distances) {
            None | Some(Distances::None) => 0,
            Some(Distances::Bytes(_)) => 1,
            Some(Distances::Words(_)) => 2,
        };
        let mut header = Header {
            material: *table.material(),
            metric: table.metric(),
            width,
            slots,
            blocks: 0,
            hash: table.hash(),
            counts: Color::BOTH.map(|turn| table.counts(turn)),
        };
        header.blocks = header.runs().map(Run::blocks).sum::<u64>() as u32;
        header
    }

    fn sides(&self) -> usize {
        self.material.stored_turns().len()
    }

    fn runs(&self) -> impl Iterator<Item = Run> + use<> {
        let outcomes = std::iter::repeat_n(Run::outcomes(self.slots), self.sides());
        let with_distances = if self.width == 0 { 0 } else { self.sides() };
        outcomes.chain(std::iter::repeat_n(Run::distances(self.slots, self.width), with_distances))
    }

    fn to_bytes(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let mut at = 0;
        let mut put = |field: &[u8]| {
            bytes[at..at + field.len()].copy_from_slice(field);
            at += field.len();
        };
        put(&MAGIC);
        put(&VERSION.to_le_bytes());
        put(&[metric_number(self.metric), self.sides() as u8, self.width, CODEC_ZSTD, 0, 0]);
        let mut name = [0; NAME];
        for (byte, letter) in name.iter_mut().zip(self.material.to_string().bytes()) {
            *byte = letter;
        }
        put(&name);
        put(&self.slots.to_le_bytes());
        put(&(BLOCK_SLOTS as u32).to_le_bytes());
        put(&self.blocks.to_le_bytes());
        put(&self.hash);
        for count in self.counts.as_flattened() {
            put(&count.to_le_bytes());
        }
        let checksum = crc32fast::hash(&bytes[..HEADER - 4]);
        bytes[HEADER - 4..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads and checks the header of a file.
    fn from_bytes(file: &[u8]) -> Result<Self> {
        if !file.starts_with(&MAGIC) {
            return Err(Error::new(ErrorKind::BadMagic, "not a table: it does not begin as one"));
        }
        let mut fields = Fields { bytes: file, at: MAGIC.len() };
        let version = u16::from_le_bytes(fields.take()?);
        if version != VERSION {
            return Err(unsupported("version", version));
        }
        let [metric, sides, width, codec, reserved @ ..] = fields.take::<6>()?;
        let metric = match metric {
            0 => Metric::Wdl,
            1 => Metric::Dtm,
            2 => Metric::Dtc,
            _ => return Err(unsupported("metric", metric)),
        };
        if codec != CODEC_ZSTD {
            return Err(unsupported("codec", codec));
        }
        let name = fields.take::<NAME>()?;
        let slots = u64::from_le_bytes(fields.take()?);
        let block_slots = u32::from_le_bytes(fields.take()?);
        let blocks = u32::from_le_bytes(fields.take()?);
        let hash = fields.take()?;
        let mut counts = [[0; 3]; 2];
        for count in counts.as_flattened_mut() {
            *count = u64::from_le_bytes(fields.take()?);
        }
        let still_reserved = fields.take::<20>()?;
        let checked = fields.at;
        if u32::from_le_bytes(fields.take()?) != crc32fast::hash(&file[..checked]) {
            return Err(Error::corrupt("the header's checksum is wrong"));
        }
        let material = read_name(&name)?;
        let header = Header { material, metric, width, slots, blocks, hash, counts };
        let widths = if metric == Metric::Wdl { 0..=0 } else { 1..=2 };
        let wanted = [
            (widths.contains(&width), "the width of its distances"),
            (reserved == [0; 2] && still_reserved == [0; 20], "a reserved field of the header"),
            (usize::from(sides) == header.sides(), "the number of its sides"),
            (slots == Index::new(&material).len(), "the number of its slots"),
            (u64::from(block_slots) == BLOCK_SLOTS, "the size of its blocks"),
            (u64::from(blocks) == header.runs().map(Run::blocks).sum::<u64>(), "the number of its blocks"),
        ];
        match wanted.iter().find(|(holds, _)| !holds) {
            Some((_, field)) => Err(Error::corrupt(format!("{field} is not what a table of {material} has"))),
            None => Ok(header),
        }
    }
}

/// The fields of a file, one after another.
struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let field = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk);
        self.at += N;
        field.copied().ok_or_else(cut_short)
    }
}

fn cut_short() -> Error {
    Error::corrupt("the file is cut short")
}

fn unsupported(what: &str, number: impl std::fmt::Display) -> Error {
    Error::new(
        ErrorKind::UnsupportedVersion,
        format!("a table file of {what} {number}, which is not known here"),
    )
}

fn read_name(name: &[u8; NAME]) -> Result<Material> {
    let len = name.iter().position(|&byte| byte == 0).unwrap_or(NAME);
    let text = std::str::from_utf8(&name[..len]).unwrap_or_default();
    match text.parse::<Material>() {
        Ok(material) if material.to_string() == text && name[len..].iter().all(|&byte| byte == 0) => {
            Ok(material)
        }
        _ => Err(Error::corrupt("the header names no material")),
    }
}

impl Table {
    /// Writes the table to the file at `path`, whole or not at all (see [`atomic::write`]). The same table gives
    /// the same bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Io`]; what was at `path` before is unchanged then.
    pub fn write(&self, path: &Path) -> Result<()> {
        let io = |error| Error::io("write", path, error);
        let distances = |side: &Side| match &side.distances {
            Distances::None => Vec::new(),
            Distances::Bytes(bytes) => bytes.clone(),
            Distances::Words(words) => words.iter().flat_map(|ply| ply.to_le_bytes()).collect(),
        };
        let header = Header::of(self);
        let mut runs: Vec<Vec<u8>> = self.sides().iter().map(|side| side.outcomes.clone()).collect();
        if self.metric() != Metric::Wdl {
            runs.extend(self.sides().iter().map(distances));
        }
        let blocks: Vec<&[u8]> =
            header.runs().zip(&runs).flat_map(|(run, bytes)| bytes.chunks(run.block as usize)).collect();
        let payloads = blocks
            .into_par_iter()
            .map(|block| zstd::bulk::compress(block, LEVEL))
            .collect::<std::io::Result<Vec<_>>>()
            .map_err(io)?;
        let mut directory = Vec::new();
        for payload in &payloads {
            directory.extend((payload.len() as u32).to_le_bytes());
            directory.extend(crc32fast::hash(payload).to_le_bytes());
        }
        directory.extend(crc32fast::hash(&directory).to_le_bytes());
        atomic::write(path, |out: &mut dyn Write| {
            out.write_all(&header.to_bytes()).map_err(io)?;
            out.write_all(&directory).map_err(io)?;
            payloads.iter().try_for_each(|payload| out.write_all(payload)).map_err(io)
        })
    }

    /// Reads the table in the file at `path`, and checks all of it.
    ///
    /// # Errors
    /// [`ErrorKind::Io`]; [`ErrorKind::BadMagic`] when the file is no table; [`ErrorKind::UnsupportedVersion`] when its
    /// version, metric or codec is not known; [`ErrorKind::Corrupt`] when it is cut short, longer than it should be, or
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
        let header = Header::from_bytes(file)?;
        let entries = usize::try_from(header.blocks).ok().and_then(|blocks| blocks.checked_mul(ENTRY));
        let end = entries.and_then(|len| len.checked_add(HEADER)).ok_or_else(cut_short)?;
        let directory = file.get(HEADER..end).ok_or_else(cut_short)?;
        let mut fields = Fields { bytes: file, at: end };
        if u32::from_le_bytes(fields.take()?) != crc32fast::hash(directory) {
            return Err(Error::corrupt("the directory's checksum is wrong"));
        }
        let mut payloads = Vec::new();
        let mut rest = &file[fields.at..];
        let (entries, _) = directory.as_chunks::<ENTRY>();
        for &[a, b, c, d, checksum @ ..] in entries {
            let len = u32::from_le_bytes([a, b, c, d]) as usize;
            let (payload, after) = rest.split_at_checked(len).ok_or_else(cut_short)?;
            payloads.push((payload, u32::from_le_bytes(checksum)));
            rest = after;
        }
        if !rest.is_empty() {
            return Err(Error::corrupt("the file goes on behind its last block"));
        }
        let lengths = header.runs().flat_map(Run::lengths).collect::<Vec<_>>();
        let blocks = payloads
            .par_iter()
            .zip(lengths)
            .enumerate()
            .map(|(number, (&(payload, checksum), len))| {
                let block = (crc32fast::hash(payload) == checksum)
                    .then(|| zstd::bulk::decompress(payload, len).ok())
                    .flatten();
                block
                    .filter(|block| block.len() == len)
                    .ok_or_else(|| Error::corrupt(format!("block {number} is damaged")))
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
        let fits = |slot| distance_fits(header.metric, side, slot);
        if header.width > 0 && !(0..header.slots).into_par_iter().all(fits) {
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

/// Whether the distance in `slot` is one that its outcome can have.
fn distance_fits(metric: Metric, side: &Side, slot: u64) -> bool {
    let plies = side.distances.get(slot as usize);
    plies.is_some_and(|plies| match side.outcome(slot) {
        Some(Wdl::Win) if metric == Metric::Dtc => plies > 0,
        Some(Wdl::Win) => plies % 2 == 1,
        Some(Wdl::Loss) => plies % 2 == 0 || metric == Metric::Dtc,
        Some(Wdl::Draw) | None => plies == 0,
    })
}
