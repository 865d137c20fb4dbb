//! The counters of contexts, all in one vector.
//!
//! A context has a block of cells. For a single decision this is one cell, its counter. For a symbol it is a binary tree of
//! counters for the first few decisions, whose leaves are links to the blocks of the next few. So a context is looked up
//! once for each symbol and not for each decision. Blocks of small contexts are found by number, the others in a hash table
//! with whole keys: no two contexts share a counter.

use crate::error::{Error, Result};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The greatest number of contexts of a decision.
pub(in crate::pcn) const MAX_INPUTS: usize = 7;

/// Kinds of decisions.
pub(in crate::pcn) const KINDS: usize = 16;

/// The greatest size of an area: blocks within it are found by number.
const AREA_CELLS: u64 = 1 << 11;

/// The most cells before the next node: links have 32 bits, and the bytes of all cells must not exceed the address space.
const MAX_CELLS: usize = if usize::BITS < 64 { 1 << 27 } else { u32::MAX as usize - (1 << 24) };

/// The counters of contexts.
#[derive(Debug)]
pub(in crate::pcn) struct Counters {
    /// Counters and links. A counter of zero is of a context that was not met yet, a link of zero of a block that does not exist
    /// yet.
    pub(in crate::pcn) cells: Vec<u32>,
    /// The number of cells taken for blocks and areas, from the first on; the others are zero.
    taken: usize,
    /// The blocks that are found by number, for each kind of decision and each place in the list of contexts.
    areas: [[Area; MAX_INPUTS]; KINDS],
    /// The other blocks, a hash table with open addressing, at most about three fifths full. A slot has the key and the start of
    /// a block; in an empty slot the start is zero. The number of slots is a power of two.
    slots: Vec<(u64, u32)>,
    /// Slots that are not empty.
    used: usize,
}

/// The blocks of the contexts 0 to `contexts` - 1, one after the other.
#[derive(Clone, Copy, Debug)]
struct Area {
    start: usize,
    contexts: u64,
}

/// The average numbers of contexts found by key, and of cells, for a byte of a tree's code.
const CONTEXTS_PER_BYTE: usize = 2;
const CELLS_PER_BYTE: usize = 48;

/// Cells for a code without bytes.
const FIRST_CELLS: usize = 1 << 13;

/// The most bytes of code for which room is made at the start, since a length may be forged. More is made when needed.
const FORESEEN_BYTES: usize = 1 << 16;

/// The number of slots for so many contexts.
fn slots_for(contexts: usize) -> usize {
    (contexts * 5 / 3).next_power_of_two().max(64)
}

impl Counters {
    /// Returns new counters, with room for a typical payload of `bytes` bytes.
    pub(in crate::pcn) fn for_bytes(bytes: usize) -> Self {
        let bytes = bytes.min(FORESEEN_BYTES);
        Counters {
            cells: vec![0; FIRST_CELLS + CELLS_PER_BYTE * bytes],
            // No block begins at zero, so that no link is zero.
            taken: 1,
            areas: [[Area { start: 0, contexts: 0 }; MAX_INPUTS]; KINDS],
            slots: vec![(0, 0); slots_for(CONTEXTS_PER_BYTE * bytes)],
            used: 0,
        }
    }

    /// Returns what is to be kept of the counters until a page is decoded from them.
    pub(in crate::pcn) fn kept(&self) -> KeptCounters {
        let taken = &self.cells[..self.taken];
        let bits = |cells: &[u32]| {
            cells.iter().enumerate().fold(0, |bits, (at, &cell)| bits | u64::from(cell != 0) << at)
        };
        let met: Box<[u64]> = taken.chunks(64).map(bits).collect();
        let count = met.iter().map(|bits| bits.count_ones() as usize).sum();
        // Without branches, since none could be predicted: a zero is written over by the next cell.
        let (mut cells, mut at) = (vec![0; count + 1], 0);
        for &cell in taken {
            cells[at] = cell;
            at += usize::from(cell != 0);
        }
        cells.truncate(count);
        let (mut keys, mut blocks, mut at) = (vec![0; self.used + 1], vec![0; self.used + 1], 0);
        for &(key, block) in &self.slots {
            (keys[at], blocks[at]) = (key, block);
            at += usize::from(block != 0);
        }
        KeptCounters { met, cells, taken: self.taken, areas: self.areas, keys, blocks }
    }

    /// Checks that the counters are few enough to be copied for each page. Fewer than 2^18 always pass.
    pub(in crate::pcn) fn check_small(&self) -> Result<()> {
        // At most 48 cells are taken for each counter in use.
        let is_small = self.taken < 1 << 24 && self.used < 1 << 18;
        Error::corrupt_unless(is_small, || "the top of a tree with too many contexts".into())
    }

    /// Bytes of memory.
    pub(in crate::pcn) fn memory(&self) -> usize {
        size_of_val(&self.cells[..]) + size_of_val(&self.slots[..])
    }

    /// Checks that there is room for the next node, whose decisions together take less than 2^22 cells.
    pub(in crate::pcn) fn check_room(&self) -> Result<()> {
        Error::corrupt_unless(self.taken <= MAX_CELLS, || "a code with too many contexts".into())
    }

    /// Returns the start of the block of each context of kind `kind`. A block has 2^`bits` cells, always the same for a kind.
    #[inline]
    pub(in crate::pcn) fn blocks<const N: usize>(
        &mut self,
        kind: usize,
        contexts: &[u64; N],
        bits: u32,
    ) -> [usize; N] {
        const { assert!(N <= MAX_INPUTS) };
        let mut blocks = [0; N];
        for input in 0..N {
            let context = contexts[input];
            let Area { start, contexts } = self.areas[kind][input];
            blocks[input] = if context < contexts {
                start + ((context as usize) << bits)
            } else if context < AREA_CELLS >> bits {
                self.area(kind, input, context, bits) + ((context as usize) << bits)
            } else {
                self.find((kind as u64) << 59 | (input as u64) << 56 | context, bits)
            };
        }
        blocks
    }

    /// Enlarges an area, so that it has a block for `context`; returns its new start.
    #[cold]
    fn area(&mut self, kind: usize, input: usize, context: u64, bits: u32) -> usize {
        let Area { start: before, contexts } = self.areas[kind][input];
        let larger = (context + 1).next_power_of_two();
        let start = self.take((larger as usize) << bits);
        let before = before..before + ((contexts as usize) << bits);
        self.cells.copy_within(before.clone(), start);
        self.cells[before].fill(0);
        self.areas[kind][input] = Area { start, contexts: larger };
        start
    }

    /// Returns the start of the block of a key. No key is zero, since context zero is found by number.
    #[inline]
    fn find(&mut self, key: u64, bits: u32) -> usize {
        let slot = self.home(key);
        if self.slots[slot].0 == key { self.slots[slot].1 as usize } else { self.search(key, slot, bits) }
    }

    /// Returns the first slot of the search for a key.
    #[inline]
    fn home(&self, key: u64) -> usize {
        let product = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (product ^ product >> 29) as usize & (self.slots.len() - 1)
    }

    /// Returns the slot of a key, or the empty slot where the search for it ends.
    #[inline]
    fn slot(&self, key: u64, home: usize) -> usize {
        let mut slot = home;
        while self.slots[slot].0 != key && self.slots[slot].1 != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    /// Returns the start of the block of a key. Makes the block if it does not exist yet.
    #[inline(never)]
    fn search(&mut self, key: u64, home: usize, bits: u32) -> usize {
        let mut slot = self.slot(key, home);
        if self.slots[slot].1 == 0 {
            if slots_for(self.used + 1) > self.slots.len() {
                self.grow();
                slot = self.slot(key, self.home(key));
            }
            self.used += 1;
            self.slots[slot] = (key, self.take(1 << bits) as u32);
        }
        self.slots[slot].1 as usize
    }

    #[cold]
    fn grow(&mut self) {
        let slots = vec![(0, 0); 2 * self.slots.len()];
        let slots = core::mem::replace(&mut self.slots, slots);
        self.put(slots.into_iter().filter(|slot| slot.1 != 0));
    }

    /// Puts entries into empty slots.
    fn put(&mut self, entries: impl Iterator<Item = (u64, u32)>) {
        for entry in entries {
            let slot = self.slot(entry.0, self.home(entry.0));
            self.slots[slot] = entry;
        }
    }

    /// Takes so many new cells; returns their start.
    #[inline]
    fn take(&mut self, cells: usize) -> usize {
        let start = self.taken;
        self.taken += cells;
        if self.taken > self.cells.len() {
            self.cells.resize(self.taken + self.taken / 2, 0);
        }
        start
    }

    /// Returns the starts of the blocks to which the cells at `links` lead. Missing blocks are made, of 2^`bits` cells.
    #[inline]
    pub(in crate::pcn) fn follow<const N: usize>(&mut self, links: [usize; N], bits: u32) -> [usize; N] {
        links.map(|link| match self.cells[link] {
            0 => self.make_block(link, bits),
            block => block as usize,
        })
    }

    /// Makes the block to which the cell at `link` leads.
    #[inline(never)]
    fn make_block(&mut self, link: usize, bits: u32) -> usize {
        let block = self.take(1 << bits);
        self.cells[link] = block as u32;
        block
    }
}

/// Counters to be kept, without the cells and slots that are zero: a third of the memory.
#[derive(Debug)]
pub(in crate::pcn) struct KeptCounters {
    /// For each cell taken a bit, whether it is in `cells`.
    met: Box<[u64]>,
    /// The cells that are not zero.
    cells: Vec<u32>,
    taken: usize,
    areas: [[Area; MAX_INPUTS]; KINDS],
    /// The keys and blocks of the slots that are not empty, and one more.
    keys: Vec<u64>,
    blocks: Vec<u32>,
}

impl KeptCounters {
    /// Returns the counters again, with room for a typical payload of `bytes` more bytes.
    pub(in crate::pcn) fn with_room(&self, bytes: usize) -> Counters {
        let (bytes, used) = (bytes.min(FORESEEN_BYTES), self.keys.len() - 1);
        // Zeros that are never written take no memory.
        let mut cells = vec![0; self.taken + CELLS_PER_BYTE * bytes];
        let mut kept = self.cells.iter();
        for (cells, &met) in cells.chunks_mut(64).zip(&self.met) {
            let mut met = met;
            while met != 0 {
                cells[met.trailing_zeros() as usize] = *kept.next().expect("as many as bits");
                met &= met - 1;
            }
        }
        let slots = vec![(0, 0); slots_for(used + CONTEXTS_PER_BYTE * bytes)];
        let mut counters = Counters { cells, taken: self.taken, areas: self.areas, slots, used };
        counters.put(self.keys[..used].iter().copied().zip(self.blocks.iter().copied()));
        counters
    }

    /// Bytes of memory.
    pub(in crate::pcn) fn memory(&self) -> usize {
        let slots = size_of_val(&self.keys[..]) + size_of_val(&self.blocks[..]);
        size_of_val(&self.met[..]) + size_of_val(&self.cells[..]) + slots
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        /// No two contexts share a cell, a cell keeps its value, and a new one is zero.
        #[test]
        fn blocks_belong_to_one_context(
            asked in prop::collection::vec((0..4_usize, prop_oneof![0..40_u64, 0..3000_u64, any::<u64>()]), 0..400),
        ) {
            let mut counters = Counters::for_bytes(0);
            let mut written: HashMap<(usize, usize, u64), u32> = HashMap::new();
            for (number, &(kind, context)) in asked.iter().enumerate() {
                let contexts = [context >> 8, context & 0xfff];
                let blocks = counters.blocks(kind, &contexts, kind as u32);
                for (input, block) in blocks.into_iter().enumerate() {
                    let last = written.insert((kind, input, contexts[input]), number as u32 + 1).unwrap_or(0);
                    let cells = &mut counters.cells[block..][..1 << kind];
                    prop_assert!(cells.iter().all(|&cell| cell == last));
                    cells.fill(number as u32 + 1);
                }
            }
        }

        /// Counters that were kept go on as they would have done.
        #[test]
        fn kept_counters_are_the_same(
            asked in prop::collection::vec((0..4_usize, prop_oneof![0..40_u64, 0..3000_u64, any::<u64>()]), 0..400),
            split in 0..400_usize,
        ) {
            let mut whole = Counters::for_bytes(0);
            let mut kept = None;
            for (number, &(kind, context)) in asked.iter().enumerate() {
                if number == split {
                    kept = Some(whole.kept().with_room(number));
                }
                let contexts = [context >> 8, context & 0xfff];
                let cells = |counters: &mut Counters| {
                    let blocks = counters.blocks(kind, &contexts, kind as u32);
                    blocks.map(|block| {
                        counters.cells[block] += 1;
                        counters.cells[block]
                    })
                };
                let expected = cells(&mut whole);
                if let Some(kept) = &mut kept {
                    prop_assert_eq!(cells(kept), expected);
                }
            }
        }

        #[test]
        fn a_link_always_leads_to_the_same_block(asked in prop::collection::vec(0..2000_u64, 0..300)) {
            let mut counters = Counters::for_bytes(0);
            let mut children: HashMap<u64, usize> = HashMap::new();
            for context in asked {
                let links = counters.blocks(0, &[context], 1);
                let [child] = counters.follow(links, 3);
                let is_first = !children.contains_key(&context);
                prop_assert_eq!(*children.entry(context).or_insert(child), child);
                prop_assert_eq!(counters.cells[child..][..8].iter().all(|&cell| cell == 0), is_first);
                counters.cells[child..][..8].fill(1);
            }
        }
    }
}
