//! A decision diagram as bytes and laid out for walking. Its nodes have two children, or 64, one for each square.
//!
//! The bytes: the numbers of bits that a node tests, of levels and of roots, one byte each. For each level from the bottom up:
//! the lowest bit of the key that its nodes test, one byte; the set of values of the tested bits for which some child is no
//! don't-care, 8 bytes; the number of nodes, 4 bytes. Then bits without gaps, the lowest first: for each root its function in 5
//! bits and its node; for each node, level by level, the child for each value in that set. A child is a number: 0 to 2 an
//! outcome, 3 a don't-care, from 4 on a node in the order of the file. It takes as many bits as the numbers below its level need.

use crate::cells::{self, Answer, FUNCTIONS, Made};
use anyhow::{Result, ensure};
use bitvec::prelude::*;
use cubebase::{Error, Position, Wdl};

/// Numbers below this are outcomes and the don't-care.
pub const TERMINALS: u32 = 4;

/// The nodes that test the same bits of the key: for each its children, by number.
#[derive(Clone, Debug, Default)]
pub struct Level {
    pub shift: u8,
    pub children: Vec<u32>,
}

/// A diagram as it is built.
#[derive(Clone, Debug, Default)]
pub struct Nodes {
    /// Bits that a node tests: 1 or 6.
    pub bits: u8,
    /// From the bottom up.
    pub levels: Vec<Level>,
    /// Functions with the number of their root.
    pub roots: Vec<(usize, u32)>,
}

fn width(numbers: u32) -> u32 {
    (numbers - 1).checked_ilog2().map_or(1, |bits| bits + 1)
}

impl Nodes {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.levels.iter().map(|level| level.children.len() >> self.bits).sum()
    }

    pub fn encode(&self) -> Made {
        let arity = 1_usize << self.bits;
        let mut bytes = vec![self.bits, self.levels.len() as u8, self.roots.len() as u8];
        let mut bits = BitVec::<u8, Lsb0>::new();
        let mut push = |value: u32, width: u32| {
            let at = bits.len();
            bits.resize(at + width as usize, false);
            bits[at..].store_le(value);
        };
        let numbers = TERMINALS + self.len() as u32;
        for &(function, node) in &self.roots {
            push(function as u32, 5);
            push(node, width(numbers));
        }
        let mut below = TERMINALS;
        for Level { shift, children } in &self.levels {
            let occurs = |value: &usize| children.chunks(arity).any(|node| node[*value] != 3);
            let values: Vec<usize> = (0..arity).filter(occurs).collect();
            bytes.push(*shift);
            bytes.extend(values.iter().fold(0_u64, |mask, value| mask | 1 << value).to_le_bytes());
            bytes.extend(((children.len() / arity) as u32).to_le_bytes());
            for node in children.chunks(arity) {
                values.iter().for_each(|&value| push(node[value], width(below)));
            }
            below += (children.len() / arity) as u32;
        }
        bits.set_uninitialized(false);
        bytes.extend(bits.into_vec());
        Made { elements: Some(self.len() as u64), ..Made::new(bytes) }
    }
}

/// In memory a node is an index in `places`, and terminal t is `LAST - t`.
const LAST: u32 = u32::MAX;

/// A diagram laid out for walking.
pub struct Diagram {
    /// By function; a don't-care for a function without a root.
    roots: [u32; FUNCTIONS],
    /// For each node the lowest bit that it tests, and its children.
    places: Vec<u32>,
    mask: u64,
}

impl Diagram {
    /// Opens the bytes of [`Nodes::encode`].
    pub fn open(bytes: &[u8]) -> Result<Self> {
        let cut = || anyhow::anyhow!("a diagram that is cut short");
        let (&[bits, levels, roots], rest) = bytes.split_first_chunk::<3>().ok_or_else(cut)?;
        ensure!(bits == 1 || bits == 6, "nodes of {bits} bits");
        let (heads, rest) = rest.split_at_checked(13 * usize::from(levels)).ok_or_else(cut)?;
        let heads: Vec<(u8, u64, u32)> = heads
            .as_chunks::<13>()
            .0
            .iter()
            .map(|head| {
                let mut numbers = [[0; 8]; 2];
                numbers[0].copy_from_slice(&head[1..9]);
                numbers[1][..4].copy_from_slice(&head[9..]);
                (head[0], u64::from_le_bytes(numbers[0]), u64::from_le_bytes(numbers[1]) as u32)
            })
            .collect();
        let nodes: u64 = heads.iter().map(|head| u64::from(head.2)).sum();
        ensure!(nodes * 2 <= 8 * rest.len() as u64, "more nodes than bytes");
        let (bits_left, mut at) = (rest.view_bits::<Lsb0>(), 0);
        let mut take = |width: u32| {
            let start = at;
            at += width as usize;
            bits_left.get(start..at).map(bitvec::field::BitField::load_le::<u32>).ok_or_else(cut)
        };
        let mut places: Vec<u32> = Vec::new();
        // The place of each number.
        let mut place: Vec<u32> = (0..TERMINALS).map(|terminal| LAST - terminal).collect();
        let mut numbered = Vec::new();
        for _ in 0..roots {
            numbered.push((take(5)? as usize, take(width(TERMINALS + nodes as u32))? as usize));
        }
        for (shift, occurring, count) in heads {
            let below = place.len();
            for _ in 0..count {
                place.push(places.len() as u32);
                places.push(shift.into());
                for value in 0..1 << bits {
                    let child =
                        if occurring >> value & 1 == 0 { 3 } else { take(width(below as u32))? as usize };
                    ensure!(child < below, "a child that does not stand below its node");
                    places.push(place[child]);
                }
            }
        }
        let mut roots = [LAST - 3; FUNCTIONS];
        for (function, node) in numbered {
            ensure!(function < FUNCTIONS && node < place.len(), "a root that does not exist");
            roots[function] = place[node];
        }
        Ok(Diagram { roots, places, mask: (1 << bits) - 1 })
    }
}

impl Answer for Diagram {
    fn answer(&self, position: &Position) -> cubebase::Result<Wdl> {
        let (function, key) = cells::canonical_key(position);
        let mut at = self.roots[function];
        while at <= LAST - TERMINALS {
            let node = at as usize;
            at = self.places[node + 1 + (key >> self.places[node] & self.mask) as usize];
        }
        cells::outcome((LAST - at) as u8)
            .ok_or_else(|| Error::corrupt("no position leads here in the diagram"))
    }
}
