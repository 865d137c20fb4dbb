//! The cover of one layer on bitmaps: its cubes, how many of them match each minterm, and IRREDUNDANT.

use super::super::Clause;
use super::grow::{Cube, Ground};
use super::space::{Block, Point, Space, Spot, both, common, has, is_empty};

/// Cubes with a count for each minterm of how many match it.
#[derive(Debug, Default)]
pub(super) struct Cover {
    pub(super) cubes: Vec<Cube>,
    /// A name for each cube that no other cube has ever had.
    pub(super) names: Vec<u64>,
    /// The counts as binary numbers: bit n of all of them in plane n.
    planes: Vec<Vec<Block>>,
    next: u64,
}

/// Cubes that may be looked at together: as many as local counts can tell apart.
pub(super) const MOST_TOGETHER: usize = 15;

impl Cover {
    /// The number of the cube called `name`.
    pub(super) fn find(&self, name: u64) -> Option<usize> {
        // Cubes are only ever appended and taken out.
        self.names.binary_search(&name).ok()
    }

    pub(super) fn add(&mut self, ground: &Ground<'_>, cube: Cube, work: &mut u64) {
        let space = ground.space;
        let mask = space.mask(&cube.parts);
        let planes = &mut self.planes;
        *work += 2 * space.walk(&cube.parts, |slot| {
            let mut carry = mask;
            let mut weight = 0;
            while !is_empty(&carry) {
                if planes.len() == weight {
                    planes.push(vec![Block::default(); space.blocks()]);
                }
                let plane = &mut planes[weight][slot as usize];
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

    pub(super) fn remove(&mut self, ground: &Ground<'_>, number: usize, work: &mut u64) -> Cube {
        let cube = self.cubes.remove(number);
        self.names.remove(number);
        let mask = ground.space.mask(&cube.parts);
        let planes = &mut self.planes;
        *work += 2 * ground.space.walk(&cube.parts, |slot| {
            let mut borrow = mask;
            for plane in &mut *planes {
                if is_empty(&borrow) {
                    break;
                }
                let plane = &mut plane[slot as usize];
                let old = *plane;
                *plane = std::array::from_fn(|word| old[word] ^ borrow[word]);
                borrow = std::array::from_fn(|word| !old[word] & borrow[word]);
            }
            true
        });
        cube
    }

    /// Those minterms of a block that just one cube matches.
    fn once(&self, slot: u32) -> Block {
        let mut planes = self.planes.iter().map(|plane| &plane[slot as usize]);
        let mut once = planes.next().copied().unwrap_or_default();
        for plane in planes {
            once.iter_mut().zip(plane).for_each(|(once, plane)| *once &= !plane);
        }
        once
    }

    /// The ON minterms of each block that no cube matches.
    pub(super) fn uncovered(&self, ground: &Ground<'_>) -> Vec<Block> {
        let open = |(slot, on): (usize, &Block)| {
            let mut open = *on;
            for plane in &self.planes {
                open.iter_mut().zip(&plane[slot]).for_each(|(open, plane)| *open &= !plane);
            }
            open
        };
        ground.on.iter().enumerate().map(open).collect()
    }

    /// The ON minterms that only cubes of `taken` match, at most [`MOST_TOGETHER`] of them, block by block.
    pub(super) fn exposed(&self, ground: &Ground<'_>, taken: &[usize], work: &mut u64) -> Vec<Spot> {
        let space = ground.space;
        let cubes: Vec<(&[u64], Block)> = taken
            .iter()
            .map(|&number| {
                let parts = self.cubes[number].parts.as_slice();
                (parts, space.mask(parts))
            })
            .collect();
        let mut spots = Vec::new();
        for (i, (cube, mask)) in cubes.iter().enumerate() {
            *work += 2 * space.walk(cube, |slot| {
                let mut bits = both(mask, &ground.on[slot as usize]);
                if is_empty(&bits) {
                    return true;
                }
                // What earlier ones of `taken` match has been looked at.
                let mut local = [*mask, Block::default(), Block::default(), Block::default()];
                for (j, (other, other_mask)) in cubes.iter().enumerate() {
                    if j == i || !space.is_in(other, slot) {
                        continue;
                    }
                    if j < i {
                        bits.iter_mut().zip(other_mask).for_each(|(bits, mask)| *bits &= !mask);
                    }
                    let mut carry = *other_mask;
                    for plane in &mut local {
                        let old = *plane;
                        *plane = std::array::from_fn(|word| old[word] ^ carry[word]);
                        carry = both(&old, &carry);
                    }
                }
                for (weight, plane) in self.planes.iter().enumerate() {
                    let all = &plane[slot as usize];
                    let local = local.get(weight).copied().unwrap_or_default();
                    for word in 0..bits.len() {
                        bits[word] &= !(all[word] ^ local[word]);
                    }
                }
                if !is_empty(&bits) {
                    spots.push(Spot { slot, bits });
                }
                true
            });
        }
        // A block may come several times, with different minterms.
        spots.sort_unstable_by_key(|spot| spot.slot);
        spots
    }

    /// Prices of all cubes anew.
    pub(super) fn renew(&mut self, ground: &Ground<'_>) {
        for cube in &mut self.cubes {
            cube.bits = ground.tariff.clause(&ground.space.clause(&cube.parts).literals);
        }
    }

    /// A minterm that just this cube matches.
    fn witness(&self, ground: &Ground<'_>, cube: &Cube, work: &mut u64) -> Option<Point> {
        let is_single = |point: &Point| has(&self.once(point.slot), point.bit);
        if let Some(point) = cube.witness.filter(is_single) {
            return Some(point);
        }
        let mask = ground.space.mask(&cube.parts);
        let mut found = None;
        *work += ground.space.walk(&cube.parts, |slot| {
            let single = both(&both(&mask, &ground.on[slot as usize]), &self.once(slot));
            if let Some(word) = single.iter().position(|&word| word != 0) {
                found = Some(Point { slot, bit: word as u32 * 64 + single[word].trailing_zeros() });
            }
            found.is_none()
        });
        found
    }

    /// Finds the witness of a cube anew; takes the cube out when there is none.
    pub(super) fn settle(&mut self, ground: &Ground<'_>, name: u64, work: &mut u64) {
        let Some(number) = self.find(name) else { return };
        match self.witness(ground, &self.cubes[number], work) {
            Some(point) => self.cubes[number].witness = Some(point),
            None => _ = self.remove(ground, number, work),
        }
    }

    /// Takes out cubes that match nothing but what others match, those first that cost much for what they alone match.
    pub(super) fn irredundant(&mut self, ground: &Ground<'_>, work: &mut u64) {
        let alone = |cube: &Cube, work: &mut u64| {
            let mask = ground.space.mask(&cube.parts);
            let mut count = 0;
            *work += ground.space.walk(&cube.parts, |slot| {
                count += common(&both(&mask, &ground.on[slot as usize]), &self.once(slot));
                true
            });
            count
        };
        let cubes = self.cubes.iter().zip(&self.names);
        let mut order: Vec<(f32, u64)> =
            cubes.map(|(cube, &name)| (alone(cube, work) as f32 / cube.bits, name)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, name) in order {
            self.settle(ground, name, work);
        }
    }

    /// Whether no ON minterm that only cubes of `taken` match is left out by `added`.
    pub(super) fn is_exchange(
        &self,
        ground: &Ground<'_>,
        taken: &[usize],
        added: &[Cube],
        work: &mut u64,
    ) -> bool {
        let mut open = self.exposed(ground, taken, work);
        for cube in added {
            ground.subtract(&cube.parts, &mut open);
        }
        open.is_empty()
    }

    /// Gives the literals of all cubes their cheapest symbols.
    pub(super) fn cheapen(&mut self, ground: &Ground<'_>, work: &mut u64) {
        for name in self.names.clone() {
            let Some(number) = self.find(name) else { continue };
            let needed = self.exposed(ground, &[number], work);
            if needed.is_empty() {
                self.remove(ground, number, work);
                continue;
            }
            let mut parts = self.cubes[number].parts.clone();
            ground.cheapen(&mut parts, &needed, work);
            let new = ground.cube(parts);
            let old = &self.cubes[number];
            if new.parts != old.parts && new.bits < old.bits + 1e-3 {
                self.remove(ground, number, work);
                self.add(ground, new, work);
            }
        }
        self.irredundant(ground, work);
    }

    /// The clauses, in ascending order.
    pub(super) fn clauses(&self, space: &Space) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = self.cubes.iter().map(|cube| space.clause(&cube.parts)).collect();
        clauses.sort_unstable();
        clauses
    }

    /// Whether all ON minterms are matched and no OFF minterm is.
    pub(super) fn is_right(&self, ground: &Ground<'_>) -> bool {
        let none = |cube: &Cube| ground.common(&cube.parts, ground.off, &mut 0) == 0;
        self.uncovered(ground).iter().all(is_empty) && self.cubes.iter().all(none)
    }
}
