//! Arrays of two bits a position: by the squares of all men, by the generator's index, and by the index in compressed blocks.
//!
//! A byte has four slots, the first in the lowest bits. A slot without a position repeats the slot before, which compresses best.
//! The array by squares has all positions of the board, White to move first. Positions with an en-passant capture follow, by
//! index.

use crate::cells::{self, Answer, DONT_CARE, Made, SQUARE_BITS};
use anyhow::{Context, Result, ensure};
use cubebase::chess::retrograde::{Index, Table};
use cubebase::position::Symmetry;
use cubebase::{Color, Error, Material, Position, Wdl};
use std::sync::Mutex;

/// Bytes of a block before compression.
const BLOCK: usize = 1 << 16;

/// Packs values of two bits; a don't-care repeats the value before.
fn pack(values: impl IntoIterator<Item = u8>) -> Vec<u8> {
    let (mut bytes, mut last) = (Vec::new(), 0);
    for (at, value) in values.into_iter().enumerate() {
        last = if value == DONT_CARE { last } else { value };
        if at % 4 == 0 {
            bytes.push(0);
        }
        if let Some(byte) = bytes.last_mut() {
            *byte |= last << (at % 4 * 2);
        }
    }
    bytes
}

fn value(bytes: &[u8], at: u64) -> cubebase::Result<Wdl> {
    let value = bytes.get((at / 4) as usize).map_or(DONT_CARE, |byte| byte >> (at % 4 * 2) & 3);
    cells::outcome(value).ok_or_else(|| Error::corrupt("an array without the slot of a position"))
}

fn slots(table: &Table, turn: Color, first: u64) -> impl Iterator<Item = u8> + '_ {
    (first..table.index().len())
        .map(move |slot| table.outcome(turn, slot).map_or(DONT_CARE, |wdl| wdl.index() as u8))
}

/// An array by the generator's index.
pub struct ByIndex<B> {
    index: Index,
    bytes: B,
}

/// Two bits a slot of the index, side to move by side to move.
pub fn by_index(table: &Table) -> Made {
    Made::new(pack(table.material().stored_turns().iter().flat_map(|&turn| slots(table, turn, 0))))
}

impl<B> ByIndex<B> {
    pub fn new(bytes: B, material: &Material) -> Self {
        ByIndex { index: Index::new(material), bytes }
    }

    fn slot(&self, position: &Position) -> u64 {
        let (turn, slot) = self.index.rank_any(position);
        turn.index() as u64 * self.index.len() + slot
    }
}

impl Answer for ByIndex<Vec<u8>> {
    fn answer(&self, position: &Position) -> cubebase::Result<Wdl> {
        value(&self.bytes, self.slot(position))
    }
}

/// Blocks that are decompressed one at a time; the last one is kept.
pub struct Blocks {
    /// The ends of the blocks in `bytes`.
    ends: Vec<usize>,
    bytes: Vec<u8>,
    last: Mutex<(usize, Vec<u8>)>,
}

/// The array by index in blocks compressed by zstd at level 19. The number of blocks and the end of each, four bytes each, come
/// before the blocks.
pub fn in_blocks(table: &Table) -> Result<Made> {
    let array = by_index(table).bytes;
    let blocks: Vec<Vec<u8>> =
        array.chunks(BLOCK).map(|block| zstd::bulk::compress(block, 19)).collect::<std::io::Result<_>>()?;
    let mut bytes = (blocks.len() as u32).to_le_bytes().to_vec();
    let mut end = 0;
    for block in &blocks {
        end += block.len() as u32;
        bytes.extend(end.to_le_bytes());
    }
    Ok(Made { elements: Some(blocks.len() as u64), ..Made::new([bytes, blocks.concat()].concat()) })
}

impl Blocks {
    pub fn open(bytes: &[u8]) -> Result<Self> {
        let (count, rest) = bytes.split_first_chunk().context("an array without blocks")?;
        let (ends, bytes) =
            rest.split_at_checked(4 * u32::from_le_bytes(*count) as usize).context("a cut list of blocks")?;
        let ends: Vec<usize> =
            ends.as_chunks().0.iter().map(|&end| u32::from_le_bytes(end) as usize).collect();
        ensure!(
            ends.is_sorted() && ends.last() == Some(&bytes.len()),
            "blocks that do not end with the file"
        );
        Ok(Blocks { ends, bytes: bytes.to_vec(), last: Mutex::new((usize::MAX, Vec::new())) })
    }
}

impl Answer for ByIndex<Blocks> {
    fn answer(&self, position: &Position) -> cubebase::Result<Wdl> {
        let Blocks { ends, bytes, last } = &self.bytes;
        let slot = self.slot(position);
        let (block, at) = (slot as usize / (4 * BLOCK), slot % (4 * BLOCK as u64));
        let damaged = || Error::corrupt("a damaged block");
        let mut last = last.lock().map_err(|_| damaged())?;
        if last.0 != block {
            let start = block.checked_sub(1).map_or(0, |before| ends[before]);
            let end = *ends.get(block).ok_or_else(damaged)?;
            *last = (block, zstd::bulk::decompress(&bytes[start..end], BLOCK).map_err(|_| damaged())?);
        }
        value(&last.1, at)
    }
}

/// An array by the squares of all men.
pub struct BySquares {
    index: Index,
    men: usize,
    bytes: Vec<u8>,
}

/// Two bits for each side to move and placement of the men, legal or not; then the positions with en passant, by index.
pub fn by_squares(table: &Table) -> Made {
    let material = table.material();
    let size = 1_usize << (SQUARE_BITS * material.len());
    let mut values = vec![DONT_CARE; 2 * size];
    let symmetries = if material.has_pawns() { &Symmetry::WITH_PAWNS[..] } else { &Symmetry::ALL };
    for &turn in material.stored_turns() {
        for (position, outcome) in
            table.positions(turn).filter(|(position, _)| position.en_passant().is_none())
        {
            for &symmetry in symmetries {
                let image = position.transformed(symmetry);
                let exchanged = material.is_symmetric().then(|| image.colors_exchanged());
                for mut image in std::iter::once(image).chain(exchanged) {
                    image.sort();
                    values[image.turn().index() * size + cells::key(&image) as usize] = outcome.index() as u8;
                }
            }
        }
    }
    let turns = material.stored_turns().iter();
    Made::new(pack(
        values.into_iter().chain(turns.flat_map(|&turn| slots(table, turn, table.index().main_len()))),
    ))
}

impl BySquares {
    pub fn new(bytes: Vec<u8>, material: &Material) -> Self {
        BySquares { index: Index::new(material), men: material.len(), bytes }
    }
}

impl Answer for BySquares {
    fn answer(&self, position: &Position) -> cubebase::Result<Wdl> {
        let size = 1_u64 << (SQUARE_BITS * self.men);
        if position.en_passant().is_none() {
            return value(&self.bytes, position.turn().index() as u64 * size + cells::key(position));
        }
        let (turn, slot) = self.index.rank_any(position);
        let (main, len) = (self.index.main_len(), self.index.len());
        value(&self.bytes, 2 * size + turn.index() as u64 * (len - main) + slot - main)
    }
}
