//! The header and the directory of a table file. `FORMAT.md` has the layout.

use super::bits::Bits;
use super::game::{Game, Numbering};
use super::table::{Metric, SLOTS_PER_BYTE, Table};
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::Color;
use sha2::{Digest, Sha256};
use std::iter::repeat_n;
use std::ops::Range;

const MAGIC: [u8; 8] = *b"CUBETAB\x1a";
const VERSION: u16 = 2;
const CODEC_ZSTD: u8 = 1;
pub(super) const HEADER: usize = 128;
const NAME: usize = 16;
/// The offset of the material's name: after the magic bytes, the version and six other bytes.
const NAME_AT: usize = MAGIC.len() + 2 + 6;
pub(super) const BLOCK_SLOTS: u64 = 1 << 18;
const ENTRY: usize = 8;

/// A run of blocks: the outcomes or the distances of one side to move.
#[derive(Clone, Copy)]
pub(super) struct BlockRun {
    /// The decompressed bytes of the run.
    pub(super) bytes: u64,
    /// The decompressed bytes of each block but the last.
    pub(super) block: u64,
}

impl BlockRun {
    pub(super) fn blocks(self) -> u64 {
        self.bytes.div_ceil(self.block)
    }

    /// The range of block number `block` in the decompressed bytes of the run.
    pub(super) fn place(self, block: u64) -> Range<usize> {
        let start = block * self.block;
        start as usize..(start + self.block).min(self.bytes) as usize
    }
}

/// The header, without the fields that are the same in all files of this version.
#[derive(Clone, Debug)]
pub(super) struct TableHeader<G: Game> {
    pub(super) material: G::Material,
    pub(super) metric: Metric,
    pub(super) width: u8,
    pub(super) slots: u64,
    blocks: u32,
    pub(super) hash: [u8; 8],
    pub(super) counts: [[u64; 3]; 2],
    /// [`sources`] of the sub-tables; zeros if not recorded.
    pub(super) sources: [u8; 8],
}

impl<G: Game> TableHeader<G> {
    pub(super) fn of(table: &Table<G>, sources: [u8; 8]) -> Self {
        let slots = table.slots();
        let width = table.sides().first().map_or(0, |side| side.distances.width);
        let mut header = TableHeader {
            material: *table.material(),
            metric: table.metric(),
            width,
            slots,
            blocks: 0,
            hash: table.hash(),
            counts: Color::BOTH.map(|turn| table.counts(turn)),
            sources,
        };
        header.blocks = header.runs().map(BlockRun::blocks).sum::<u64>() as u32;
        header
    }

    pub(super) fn sides(&self) -> usize {
        G::stored_turns(&self.material).len()
    }

    pub(super) fn runs(&self) -> impl Iterator<Item = BlockRun> + use<G> {
        let (per_byte, width) = (SLOTS_PER_BYTE as u64, u64::from(self.width));
        let outcomes = BlockRun { bytes: self.slots.div_ceil(per_byte), block: BLOCK_SLOTS / per_byte };
        let distances = BlockRun { bytes: self.slots * width, block: BLOCK_SLOTS * width };
        let with_distances = if width == 0 { 0 } else { self.sides() };
        repeat_n(outcomes, self.sides()).chain(repeat_n(distances, with_distances))
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = [
            &MAGIC[..],
            &VERSION.to_le_bytes(),
            // Two reserved bytes at the end.
            &[self.metric as u8, self.sides() as u8, self.width, CODEC_ZSTD, 0, 0],
            &name(&self.material),
            &self.slots.to_le_bytes(),
            &(BLOCK_SLOTS as u32).to_le_bytes(),
            &self.blocks.to_le_bytes(),
            &self.hash,
            self.counts.map(|counts| counts.map(u64::to_le_bytes)).as_flattened().as_flattened(),
            &self.sources,
        ]
        .concat();
        bytes.resize(HEADER - 4, 0);
        seal(&mut bytes);
        bytes
    }

    pub(super) fn from_bytes(file: &[u8]) -> Result<Self> {
        check_magic(file)?;
        let mut fields = Fields { bytes: file, at: MAGIC.len() };
        let version = u16::from_le_bytes(fields.take()?);
        if version != VERSION {
            return Err(unsupported("version", version));
        }
        let [metric, sides, width, codec, reserved @ ..] = fields.take::<6>()?;
        let Some(&metric) = Metric::ALL.get(usize::from(metric)) else {
            return Err(unsupported("metric", metric));
        };
        if codec != CODEC_ZSTD {
            return Err(unsupported("codec", codec));
        }
        let given_name = fields.take::<NAME>()?;
        let slots = u64::from_le_bytes(fields.take()?);
        let block_slots = u32::from_le_bytes(fields.take()?);
        let blocks = u32::from_le_bytes(fields.take()?);
        let hash = fields.take()?;
        let mut counts = [[0; 3]; 2];
        for count in counts.as_flattened_mut() {
            *count = u64::from_le_bytes(fields.take()?);
        }
        let sources = fields.take()?;
        let still_reserved = fields.take::<12>()?;
        let checked = fields.at;
        if u32::from_le_bytes(fields.take()?) != crc32fast::hash(&file[..checked]) {
            return Err(Error::corrupt("the header's checksum is wrong"));
        }
        let text = String::from_utf8_lossy(&given_name);
        let material =
            text.trim_end_matches('\0').parse().ok().filter(|material| name(material) == given_name);
        let material: G::Material = material.ok_or_else(|| {
            let name = text.trim_end_matches('\0').escape_debug().to_string();
            Error::corrupt(format!("the header's material is invalid: '{name}' is not one of this game"))
        })?;
        let wrong = |field| Err(Error::corrupt(format!("{field} is wrong for a table of {material}")));
        if metric.check::<G>().is_err() {
            return wrong("the metric");
        }
        let widths = if metric == Metric::Wdl { 0..=0 } else { 1..=2 };
        // Checked first: the number of blocks is computed from the width.
        if !widths.contains(&width) {
            return wrong("the width of distances");
        }
        let header = TableHeader {
            material,
            metric,
            width,
            slots: G::Index::words_of(&material) * G::Bits::SLOTS as u64,
            blocks,
            hash,
            counts,
            sources,
        };
        let wanted = [
            (reserved == [0; 2] && still_reserved == [0; 12], "a reserved field of the header"),
            (usize::from(sides) == header.sides(), "the number of sides to move"),
            (slots == header.slots, "the number of slots"),
            (u64::from(block_slots) == BLOCK_SLOTS, "the size of blocks"),
            (u64::from(blocks) == header.runs().map(BlockRun::blocks).sum::<u64>(), "the number of blocks"),
        ];
        match wanted.iter().find(|(holds, _)| !holds) {
            Some((_, field)) => wrong(*field),
            None => Ok(header),
        }
    }
}

fn check_magic(file: &[u8]) -> Result<()> {
    if file.starts_with(&MAGIC) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::BadMagic, "not a table file: the magic bytes are missing"))
}

/// The name of the material in the header of a table of any game.
pub(super) fn material_name(head: &[u8; HEADER]) -> Result<String> {
    check_magic(head)?;
    let mut fields = Fields { bytes: head, at: NAME_AT };
    Ok(String::from_utf8_lossy(&fields.take::<NAME>()?).trim_end_matches('\0').into())
}

pub(super) struct Fields<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl Fields<'_> {
    pub(super) fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let field = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk);
        self.at += N;
        field.copied().ok_or_else(cut_short)
    }
}

pub(super) fn cut_short() -> Error {
    Error::corrupt("the file is cut short")
}

fn unsupported(what: &str, number: impl std::fmt::Display) -> Error {
    let why = format!("a table file of the unsupported {what} {number}");
    Error::new(ErrorKind::UnsupportedVersion, why)
}

fn name(material: &impl ToString) -> [u8; NAME] {
    let mut name = [0; NAME];
    name.iter_mut().zip(material.to_string().bytes()).for_each(|(byte, letter)| *byte = letter);
    name
}

/// The place of one block in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockEntry {
    number: usize,
    /// The payload in the file.
    offset: usize,
    len: usize,
    checksum: u32,
    /// The decompressed length of the block.
    pub(super) block: usize,
}

impl BlockEntry {
    pub(super) fn payload<'a>(&self, file: &'a [u8]) -> Result<&'a [u8]> {
        file.get(self.offset..self.offset + self.len).ok_or_else(cut_short)
    }

    /// Checks the checksum of the payload and the decompressed length that the payload declares.
    pub(super) fn check(&self, payload: &[u8]) -> Result<()> {
        let declared = zstd::zstd_safe::get_frame_content_size(payload).ok().flatten();
        let is_right = crc32fast::hash(payload) == self.checksum && declared == Some(self.block as u64);
        if is_right { Ok(()) } else { Err(self.damaged()) }
    }

    /// Decompresses the payload into `block`. Call [`BlockEntry::check`] first.
    pub(super) fn decompress(&self, payload: &[u8], block: &mut [u8]) -> Result<()> {
        match zstd::bulk::decompress_to_buffer(payload, block) {
            Ok(len) if len == block.len() => Ok(()),
            _ => Err(self.damaged()),
        }
    }

    fn damaged(&self) -> Error {
        Error::corrupt(format!("block {} is damaged", self.number))
    }
}

pub(super) fn push_entry(directory: &mut Vec<u8>, payload: &[u8]) {
    directory.extend((payload.len() as u32).to_le_bytes());
    directory.extend(crc32fast::hash(payload).to_le_bytes());
}

pub(super) fn seal(bytes: &mut Vec<u8>) {
    bytes.extend(crc32fast::hash(bytes).to_le_bytes());
}

/// Reads and checks the header and the directory of a file. The payloads fill the space between them.
pub(super) fn open<G: Game>(file: &[u8]) -> Result<(TableHeader<G>, Vec<BlockEntry>)> {
    let header = TableHeader::from_bytes(file)?;
    let mut lengths =
        header.runs().flat_map(|run| (0..run.blocks()).map(move |block| run.place(block).len()));
    let entries = entries(file, header.blocks, &mut lengths)?;
    Ok((header, entries))
}

/// Reads and checks the directory of `blocks` blocks of these decompressed lengths.
fn entries(file: &[u8], blocks: u32, lengths: &mut dyn Iterator<Item = usize>) -> Result<Vec<BlockEntry>> {
    let len = usize::try_from(blocks).ok().and_then(|blocks| blocks.checked_mul(ENTRY));
    let end = file.len().checked_sub(4).ok_or_else(cut_short)?;
    let start = len.and_then(|len| end.checked_sub(len)).filter(|&start| start >= HEADER);
    let start = start.ok_or_else(cut_short)?;
    let directory = &file[start..end];
    let checksum = Fields { bytes: file, at: end }.take()?;
    if u32::from_le_bytes(checksum) != crc32fast::hash(directory) {
        return Err(Error::corrupt("the directory's checksum is wrong: the file is damaged or cut short"));
    }
    let mut offset = HEADER;
    let mut entries = Vec::with_capacity(directory.len() / ENTRY);
    let given = directory.as_chunks::<ENTRY>().0.iter();
    for (number, (&[a, b, c, d, checksum @ ..], block)) in given.zip(lengths).enumerate() {
        let len = u32::from_le_bytes([a, b, c, d]) as usize;
        if start - offset < len {
            return Err(cut_short());
        }
        entries.push(BlockEntry { number, offset, len, checksum: u32::from_le_bytes(checksum), block });
        offset += len;
    }
    if offset < start {
        return Err(Error::corrupt("unused bytes between the last block and the directory"));
    }
    Ok(entries)
}

/// Returns a table's record of its sub-tables: the first eight bytes of SHA-256 over `hashes`, the hashes of the sub-tables in
/// the order of their signatures.
pub(super) fn sources(hashes: impl IntoIterator<Item = [u8; 8]>) -> [u8; 8] {
    let mut hasher = Sha256::new();
    hashes.into_iter().for_each(|hash| hasher.update(hash));
    let mut sources = [0; 8];
    sources.copy_from_slice(&hasher.finalize()[..8]);
    sources
}
