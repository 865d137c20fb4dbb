//! The cover of one layer on bitmaps: its cubes, how many of them match each minterm, and IRREDUNDANT.

use super::Clause;
use super::block::{Block, Chunk, Minterm, both, common, has, is_empty, without};
use super::expand::{LayerFunction, PricedCube};
use super::price::Tariff;
use std::sync::Arc;

/// Cubes of a layer with a count for each minterm of how many match it.
pub(super) struct LayerCover<'a> {
    pub(super) function: LayerFunction<'a>,
    pub(super) cubes: Vec<PricedCube>,
    /// A name for each cube that no other cube has ever had.
    pub(super) names: Vec<u64>,
    /// The counts as binary numbers: bit n of all of them in plane n.
    planes: Vec<Vec<Block>>,
    next: u64,
}

/// Cubes that may be looked at together: as many as local counts can tell apart.
pub(super) const MOST_TOGETHER: usize = 15;

impl<'a> LayerCover<'a> {
    pub(super) fn new(function: LayerFunction<'a>) -> Self {
        LayerCover { function, cubes: Vec::new(), names: Vec::new(), planes: Vec::new(), next: 0 }
    }

    pub(super) fn find(&self, name: u64) -> Option<usize> {
        // Cubes are only ever appended and taken out.
        self.names.binary_search(&name).ok()
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
        self.names.push(self.next);
        self.next += 1;
    }

    pub(super) fn remove(&mut self, number: usize, work: &mut u64) {
        let cube = self.cubes.remove(number);
        self.names.remove(number);
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

    /// Those minterms of a block that just one cube matches.
    fn once(&self, block: u32) -> Block {
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

    /// The ON minterms that only cubes of `taken` match, at most [`MOST_TOGETHER`] of them, block by block.
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
                // Rows matched by earlier ones of `taken` have been looked at.
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
        // A block may come several times, with different minterms.
        chunks.sort_unstable_by_key(|chunk| chunk.block);
        chunks
    }

    /// Takes all cubes out, for cubes at the prices of `tariff`.
    pub(super) fn clear(&mut self, tariff: &Arc<Tariff>) {
        self.cubes.clear();
        self.names.clear();
        self.planes.clear();
        self.renew(tariff);
    }

    /// Makes prices what they are by `tariff`.
    pub(super) fn renew(&mut self, tariff: &Arc<Tariff>) {
        self.function.tariff = Arc::clone(tariff);
        for cube in &mut self.cubes {
            cube.bits = self.function.price(&cube.parts);
        }
    }

    /// A minterm that just this cube matches.
    fn witness(&self, cube: &PricedCube, work: &mut u64) -> Option<Minterm> {
        let LayerFunction { layout, on, .. } = self.function;
        let is_single = |minterm: &Minterm| has(&self.once(minterm.block), minterm.bit);
        if let Some(minterm) = cube.witness.filter(is_single) {
            return Some(minterm);
        }
        let mask = layout.mask(&cube.parts);
        let mut found = None;
        *work += layout.walk(&cube.parts, |block| {
            let single = both(&both(&mask, &on[block as usize]), &self.once(block));
            if let Some(word) = single.iter().position(|&word| word != 0) {
                found = Some(Minterm { block, bit: word as u32 * 64 + single[word].trailing_zeros() });
            }
            found.is_none()
        });
        found
    }

    /// Finds the witness of a cube anew; takes the cube out when there is none.
    pub(super) fn settle(&mut self, name: u64, work: &mut u64) {
        let Some(number) = self.find(name) else { return };
        match self.witness(&self.cubes[number], work) {
            Some(minterm) => self.cubes[number].witness = Some(minterm),
            None => self.remove(number, work),
        }
    }

    /// Takes out cubes that match nothing but what others match, those first that cost much for what they alone match.
    pub(super) fn irredundant(&mut self) {
        let alone = |cube: &PricedCube| {
            let LayerFunction { layout, on, .. } = self.function;
            let mask = layout.mask(&cube.parts);
            let mut count = 0;
            layout.walk(&cube.parts, |block| {
                count += common(&both(&mask, &on[block as usize]), &self.once(block));
                true
            });
            count
        };
        let cubes = self.cubes.iter().zip(&self.names);
        let mut order: Vec<(f32, u64)> =
            cubes.map(|(cube, &name)| (alone(cube) as f32 / cube.bits, name)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, name) in order {
            self.settle(name, &mut 0);
        }
    }

    /// Whether no ON minterm that only cubes of `taken` match is left out by `added`.
    pub(super) fn is_exchange(&self, taken: &[usize], added: &[PricedCube], work: &mut u64) -> bool {
        let mut open = self.exposed(taken, work);
        added.iter().for_each(|cube| self.function.subtract(&cube.parts, &mut open));
        open.is_empty()
    }

    /// Gives the literals of all cubes their cheapest symbols.
    pub(super) fn cheapen(&mut self) {
        for name in self.names.clone() {
            let Some(number) = self.find(name) else { continue };
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

    /// Whether all ON minterms are matched and no OFF minterm is.
    pub(super) fn is_right(&self) -> bool {
        let none = |cube: &PricedCube| self.function.common(&cube.parts, &self.function.off) == 0;
        self.uncovered().iter().all(is_empty) && self.cubes.iter().all(none)
    }
}
