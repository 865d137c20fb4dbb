//! The cover of a layer on bitmaps: its cubes, the number of cubes that match each minterm, and IRREDUNDANT.

use super::Clause;
use super::block::{Block, Chunk, Minterm, both, common, has, is_empty, without};
use super::expand::{LayerFunction, PricedCube};
use super::price::Tariff;
use std::sync::Arc;

/// The cubes of a layer, and for each minterm the number of them that match it.
pub(super) struct LayerCover<'a> {
    pub(super) function: LayerFunction<'a>,
    pub(super) cubes: Vec<PricedCube>,
    /// A unique id of each cube, never used again.
    pub(super) ids: Vec<u64>,
    /// The counts of matching cubes in binary: plane n has bit n of all counts.
    planes: Vec<Vec<Block>>,
    next: u64,
}

/// The most cubes in `taken` of [`LayerCover::exposed`]: the local counts have four bits.
pub(super) const MOST_TOGETHER: usize = 15;

impl<'a> LayerCover<'a> {
    pub(super) fn new(function: LayerFunction<'a>) -> Self {
        LayerCover { function, cubes: Vec::new(), ids: Vec::new(), planes: Vec::new(), next: 0 }
    }

    pub(super) fn find(&self, id: u64) -> Option<usize> {
        // The ids ascend: cubes are only appended and removed.
        self.ids.binary_search(&id).ok()
    }

    pub(super) fn add(&mut self, cube: PricedCube, work: &mut u64) {
        let layout = self.function.layout;
        let mask = layout.mask(&cube.parts);
        let planes = &mut self.planes;
        *work += 2 * layout.walk(&cube.parts, |block| {
            let mut carry = mask;
            let mut weight = 0;
            while !is_empty(&carry) {
                if planes.len() == weight {
                    planes.push(vec![Block::default(); layout.blocks()]);
                }
                let plane = &mut planes[weight][block as usize];
                let old = *plane;
                *plane = std::array::from_fn(|word| old[word] ^ carry[word]);
                carry = both(&old, &carry);
                weight += 1;
            }
            true
        });
        self.cubes.push(cube);
        self.ids.push(self.next);
        self.next += 1;
    }

    pub(super) fn remove(&mut self, number: usize, work: &mut u64) {
        let cube = self.cubes.remove(number);
        self.ids.remove(number);
        let layout = self.function.layout;
        let mask = layout.mask(&cube.parts);
        let planes = &mut self.planes;
        *work += 2 * layout.walk(&cube.parts, |block| {
            let mut borrow = mask;
            for plane in &mut *planes {
                if is_empty(&borrow) {
                    break;
                }
                let plane = &mut plane[block as usize];
                let old = *plane;
                *plane = std::array::from_fn(|word| old[word] ^ borrow[word]);
                borrow = std::array::from_fn(|word| !old[word] & borrow[word]);
            }
            true
        });
    }

    /// The minterms of a block that exactly one cube matches.
    fn matched_once(&self, block: u32) -> Block {
        let mut planes = self.planes.iter().map(|plane| &plane[block as usize]);
        let once = planes.next().copied().unwrap_or_default();
        planes.fold(once, |once, plane| without(&once, plane))
    }

    /// The ON minterms of each block that no cube matches.
    pub(super) fn uncovered(&self) -> Vec<Block> {
        let open = |(block, on): (usize, &Block)| {
            self.planes.iter().fold(*on, |open, plane| without(&open, &plane[block]))
        };
        self.function.on.iter().enumerate().map(open).collect()
    }

    /// Returns the ON minterms that only cubes of `taken` match, block by block. `taken` has at most [`MOST_TOGETHER`] cubes.
    pub(super) fn exposed(&self, taken: &[usize], work: &mut u64) -> Vec<Chunk> {
        let layout = self.function.layout;
        let parts = taken.iter().map(|&number| self.cubes[number].parts.as_slice());
        let cubes: Vec<(&[u64], Block)> = parts.map(|parts| (parts, layout.mask(parts))).collect();
        let mut chunks = Vec::new();
        for (i, (cube, mask)) in cubes.iter().enumerate() {
            *work += 2 * layout.walk(cube, |block| {
                let mut bits = both(mask, &self.function.on[block as usize]);
                if is_empty(&bits) {
                    return true;
                }
                // Minterms that an earlier cube of `taken` matches were handled with it.
                let mut local = [*mask, Block::default(), Block::default(), Block::default()];
                for (j, (other, other_mask)) in cubes.iter().enumerate() {
                    if j == i || !layout.is_in(other, block) {
                        continue;
                    }
                    if j < i {
                        bits = without(&bits, other_mask);
                    }
                    let mut carry = *other_mask;
                    for plane in &mut local {
                        let old = *plane;
                        *plane = std::array::from_fn(|word| old[word] ^ carry[word]);
                        carry = both(&old, &carry);
                    }
                }
                for (weight, plane) in self.planes.iter().enumerate() {
                    let all = &plane[block as usize];
                    let local = local.get(weight).copied().unwrap_or_default();
                    for word in 0..bits.len() {
                        bits[word] &= !(all[word] ^ local[word]);
                    }
                }
                if !is_empty(&bits) {
                    chunks.push(Chunk { block, bits });
                }
                true
            });
        }
        // A block can occur several times, with different minterms.
        chunks.sort_unstable_by_key(|chunk| chunk.block);
        chunks
    }

    /// Removes all cubes and sets the prices of `tariff`.
    pub(super) fn clear(&mut self, tariff: &Arc<Tariff>) {
        self.cubes.clear();
        self.ids.clear();
        self.planes.clear();
        self.reprice(tariff);
    }

    /// Prices all cubes by `tariff`.
    pub(super) fn reprice(&mut self, tariff: &Arc<Tariff>) {
        self.function.tariff = Arc::clone(tariff);
        for cube in &mut self.cubes {
            cube.bits = self.function.price(&cube.parts);
        }
    }

    /// Returns an ON minterm that this cube alone matches.
    fn witness(&self, cube: &PricedCube, work: &mut u64) -> Option<Minterm> {
        let LayerFunction { layout, on, .. } = self.function;
        let is_single = |minterm: &Minterm| has(&self.matched_once(minterm.block), minterm.bit);
        if let Some(minterm) = cube.witness.filter(is_single) {
            return Some(minterm);
        }
        let mask = layout.mask(&cube.parts);
        let mut found = None;
        *work += layout.walk(&cube.parts, |block| {
            let single = both(&both(&mask, &on[block as usize]), &self.matched_once(block));
            if let Some(word) = single.iter().position(|&word| word != 0) {
                found = Some(Minterm { block, bit: word as u32 * 64 + single[word].trailing_zeros() });
            }
            found.is_none()
        });
        found
    }

    /// Finds a new witness of a cube; removes the cube if there is none.
    pub(super) fn refresh_witness(&mut self, id: u64, work: &mut u64) {
        let Some(number) = self.find(id) else { return };
        match self.witness(&self.cubes[number], work) {
            Some(minterm) => self.cubes[number].witness = Some(minterm),
            None => self.remove(number, work),
        }
    }

    /// Removes redundant cubes. Cubes that cost most for each minterm that they alone match are tried first.
    pub(super) fn irredundant(&mut self) {
        let alone = |cube: &PricedCube| {
            let LayerFunction { layout, on, .. } = self.function;
            let mask = layout.mask(&cube.parts);
            let mut count = 0;
            layout.walk(&cube.parts, |block| {
                count += common(&both(&mask, &on[block as usize]), &self.matched_once(block));
                true
            });
            count
        };
        let cubes = self.cubes.iter().zip(&self.ids);
        let mut order: Vec<(f32, u64)> =
            cubes.map(|(cube, &id)| (alone(cube) as f32 / cube.bits, id)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, id) in order {
            self.refresh_witness(id, &mut 0);
        }
    }

    /// Whether `added` match all ON minterms that only cubes of `taken` match.
    pub(super) fn can_replace(&self, taken: &[usize], added: &[PricedCube], work: &mut u64) -> bool {
        let mut open = self.exposed(taken, work);
        added.iter().for_each(|cube| self.function.subtract(&cube.parts, &mut open));
        open.is_empty()
    }

    /// Replaces the literals of all cubes by the cheapest that keep the cover right.
    pub(super) fn cheapen(&mut self) {
        for id in self.ids.clone() {
            let Some(number) = self.find(id) else { continue };
            let needed = self.exposed(&[number], &mut 0);
            if needed.is_empty() {
                self.remove(number, &mut 0);
                continue;
            }
            let mut parts = self.cubes[number].parts.clone();
            self.function.cheapen(&mut parts, &needed);
            let new = self.function.cube(parts);
            let old = &self.cubes[number];
            if new.parts != old.parts && new.bits < old.bits + 1e-3 {
                self.remove(number, &mut 0);
                self.add(new, &mut 0);
            }
        }
        self.irredundant();
    }

    /// The clauses, in ascending order.
    pub(super) fn clauses(&self) -> Vec<Clause> {
        let clause = |cube: &PricedCube| self.function.layout.clause(&cube.parts);
        let mut clauses: Vec<Clause> = self.cubes.iter().map(clause).collect();
        clauses.sort_unstable();
        clauses
    }

    /// Whether the cover matches all ON minterms and no OFF minterm.
    pub(super) fn is_right(&self) -> bool {
        let none = |cube: &PricedCube| self.function.common(&cube.parts, &self.function.off) == 0;
        self.uncovered().iter().all(is_empty) && self.cubes.iter().all(none)
    }
}
