//! The care set as a truth table, for functions with few enough points: the minterms that are not don't-cares, and for
//! each of them the number of cubes of a cover that contain it.
//!
//! Departure from Brayton et al. 1984: IRREDUNDANT, ESSENTIAL and REDUCE need, for each cube, the minterms that neither
//! another cube nor D covers. The paper computes them by a tautology or an SCCC over the cofactors of all other cubes. A
//! table of counts gives the same answer in one pass over the cube's own minterms, 64 at a time. The counts are vertical:
//! one word, a plane, holds one bit of the counts of 64 minterms.
//!
//! If D is the complement of F and R (`on_index`), the elements of the table are the cubes of F instead of minterms.

use crate::care::on_index::OnIndex;
use crate::care::truth_table::{OccurringParts, PointLayout};
use crate::cube::cover::Cover;
use crate::cube::space::{Space, Variable};

/// Largest table in words: 256 MiB.
pub(crate) const MOST_WORDS: usize = 1 << 25;
/// Up to this many words, a table is made for any cover.
pub(crate) const FEW_WORDS: usize = 256;
/// Planes of a new table of counts.
const PLANES: usize = 3;

#[derive(Clone, Debug)]
pub(crate) struct CareSet {
    elements: Elements,
    care: Vec<u64>,
}

/// The meaning of the bits of a table.
#[derive(Clone, Debug)]
enum Elements {
    /// The points of the space.
    Points(PointLayout),
    /// The cubes of F, which must be covered. Everything else is don't-care.
    OnCubes(OnIndex),
}

/// Buffers for a pass over one cube, reusable for the next.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    offsets: Vec<u32>,
    occurring: OccurringParts,
    found: Vec<(u32, u64)>,
    /// The work of the last pass: number of words, or of cubes of F.
    pub(crate) work: u64,
}

impl CareSet {
    /// Returns the table for covers like `on` with the don't-cares `dc`; `None` if lists are cheaper or the space is too
    /// large.
    pub(crate) fn new(on: &Cover, dc: &Cover) -> Option<Self> {
        let points = PointLayout::new(&variables(on), MOST_WORDS)?;
        let lists = on.len().saturating_mul(on.len() + dc.len()).max(FEW_WORDS);
        let mut tables = points.words();
        for cube in on.iter().chain(dc) {
            tables += points.count(cube);
            if tables > lists && points.words() > FEW_WORDS {
                return None;
            }
        }
        let care = vec![points.used(); points.words()];
        let mut care_set = CareSet { elements: Elements::Points(points), care };
        care_set.add_dont_cares(dc);
        Some(care_set)
    }

    /// Returns the table whose elements are the cubes of `on`, instead of points: each must lie within one cube of a cover.
    pub(crate) fn of_on_cubes(on: &Cover) -> Self {
        let on_index = OnIndex::new(on);
        CareSet { care: on_index.all(), elements: Elements::OnCubes(on_index) }
    }

    /// The layout of the points of the space, unless the bits are cubes of F.
    pub(crate) fn points(&self) -> Option<&PointLayout> {
        match &self.elements {
            Elements::Points(points) => Some(points),
            Elements::OnCubes(_) => None,
        }
    }

    pub(crate) fn words(&self) -> usize {
        self.care.len()
    }

    /// Approximate number of words of all cubes of `cover`.
    pub(crate) fn work(&self, cover: &Cover) -> usize {
        match &self.elements {
            Elements::Points(points) => cover.iter().map(|cube| points.count(cube)).sum(),
            Elements::OnCubes(_) => cover.len() * self.care.len(),
        }
    }

    /// Calls `visit` with the number of each word in which `cube` has minterms, and with these minterms.
    #[inline]
    pub(crate) fn for_each(&self, cube: &[u64], buffers: &mut Buffers, mut visit: impl FnMut(u32, u64)) {
        self.any(cube, buffers, |at, minterms| {
            visit(at, minterms);
            false
        });
    }

    /// Like [`CareSet::for_each`], but stops when `is` holds, and returns whether it did.
    #[inline]
    pub(crate) fn any(
        &self,
        cube: &[u64],
        buffers: &mut Buffers,
        mut is: impl FnMut(u32, u64) -> bool,
    ) -> bool {
        match &self.elements {
            Elements::Points(points) => {
                let pattern = points.pattern(cube);
                let offsets = points.offsets(cube, &mut buffers.offsets);
                buffers.work = offsets.len() as u64;
                offsets.iter().any(|&at| is(at, pattern))
            }
            Elements::OnCubes(on_index) => {
                buffers.work = on_index.within(cube, &mut buffers.found);
                buffers.found.iter().any(|&(at, set)| is(at, set))
            }
        }
    }

    /// Makes the minterms of `cover` don't-cares.
    pub(crate) fn add_dont_cares(&mut self, cover: &Cover) {
        let mut care = std::mem::take(&mut self.care);
        let mut buffers = Buffers::default();
        for cube in cover {
            self.for_each(cube, &mut buffers, |at, minterms| care[at as usize] &= !minterms);
        }
        self.care = care;
    }

    /// The minterms of word number `at` that are not don't-cares.
    #[inline]
    pub(crate) fn care(&self, at: u32) -> u64 {
        self.care[at as usize]
    }

    /// The lowest minterm of `cube` in one of the sets, given by the number of their words, as a cube.
    fn lowest(&self, cube: &[u64], buffers: &mut Buffers, set: impl Fn(u32) -> u64) -> Option<Vec<u64>> {
        let mut found = None;
        self.any(cube, buffers, |at, minterms| {
            let some = set(at) & minterms;
            found = (some != 0).then_some((at, some & some.wrapping_neg()));
            found.is_some()
        });
        let (at, lowest) = found?;
        let mut parts = vec![0; cube.len()];
        match &self.elements {
            Elements::Points(points) => {
                buffers.occurring.clear(cube.len());
                points.collect_parts(at, lowest, &mut buffers.occurring);
                points.add_parts(&buffers.occurring, &mut parts);
            }
            Elements::OnCubes(on_index) => on_index.add_parts(at, lowest, &mut parts),
        }
        Some(parts)
    }

    /// Whether some minterm of `cube` is not a don't-care.
    pub(crate) fn has(&self, cube: &[u64], buffers: &mut Buffers) -> bool {
        self.any(cube, buffers, |at, minterms| self.care(at) & minterms != 0)
    }

    /// The truth table, over `points`, of the union of `cubes` and the don't-cares.
    pub(crate) fn with(&self, points: &PointLayout, cubes: &Cover) -> Vec<u64> {
        let mut table: Vec<u64> = self.care.iter().map(|care| points.used() & !care).collect();
        let mut buffers = Buffers::default();
        for cube in cubes {
            self.for_each(cube, &mut buffers, |at, minterms| table[at as usize] |= minterms);
        }
        table
    }
}

/// The variables: binary inputs first, and of these the ones first on which the fewest cubes of `cover` depend, so that cubes
/// have few words.
fn variables(cover: &Cover) -> Vec<&Variable> {
    let (binary, others) = cover.space().variables().split_at(cover.space().binary_inputs());
    let full = |v: &Variable| cover.iter().filter(|cube| Space::literal_is_full(v, cube)).count();
    let mut order: Vec<&Variable> = binary.iter().collect();
    order.sort_by_cached_key(|variable| std::cmp::Reverse(full(variable)));
    order.extend(others);
    order
}

/// The minterms that are not don't-cares and not covered yet.
#[derive(Debug)]
pub(crate) struct Uncovered<'g> {
    care_set: &'g CareSet,
    table: Vec<u64>,
    buffers: Buffers,
}

impl<'g> Uncovered<'g> {
    pub(crate) fn new(care_set: &'g CareSet) -> Self {
        Uncovered { care_set, table: care_set.care.clone(), buffers: Buffers::default() }
    }

    /// Whether `cube` has such a minterm.
    pub(crate) fn has(&mut self, cube: &[u64]) -> bool {
        let Uncovered { care_set, table, buffers } = self;
        care_set.any(cube, buffers, |at, minterms| table[at as usize] & minterms != 0)
    }

    /// One such minterm, as a cube.
    pub(crate) fn minterm(&mut self, cube: &[u64]) -> Option<Vec<u64>> {
        let Uncovered { care_set, table, buffers } = self;
        care_set.lowest(cube, buffers, |at| table[at as usize])
    }

    pub(crate) fn close(&mut self, cube: &[u64]) {
        let Uncovered { care_set, table, buffers } = self;
        care_set.for_each(cube, buffers, |at, minterms| table[at as usize] &= !minterms);
    }
}

/// For each minterm the number of cubes that it lies in.
#[derive(Clone, Debug)]
pub(crate) struct CoverageCounts<'g> {
    care_set: &'g CareSet,
    /// Planes of a word, and the planes of all words, one word after the other.
    height: usize,
    planes: Vec<u64>,
}

impl<'g> CoverageCounts<'g> {
    /// Returns the counts for the flat list `cubes`, of `n` words a cube.
    pub(crate) fn new(care_set: &'g CareSet, cubes: &[u64], n: usize) -> Self {
        let mut counts =
            CoverageCounts { care_set, height: PLANES, planes: vec![0; care_set.words() * PLANES] };
        let mut buffers = Buffers::default();
        cubes.chunks_exact(n).for_each(|cube| counts.add(cube, &mut buffers));
        counts
    }

    pub(crate) fn add(&mut self, cube: &[u64], buffers: &mut Buffers) {
        let care_set = self.care_set;
        care_set.for_each(cube, buffers, |at, minterms| {
            let mut carry = minterms;
            for plane in &mut self.planes[at as usize * self.height..][..self.height] {
                let both = *plane & carry;
                *plane ^= carry;
                carry = both;
                if carry == 0 {
                    break;
                }
            }
            if carry != 0 {
                self.grow(at as usize, carry);
            }
        });
    }

    /// Adds a plane, with `carry` in word number `at`.
    fn grow(&mut self, at: usize, carry: u64) {
        let higher = self.height + 1;
        let mut planes = Vec::with_capacity(self.care_set.words() * higher);
        for word in self.planes.chunks_exact(self.height) {
            planes.extend_from_slice(word);
            planes.push(0);
        }
        planes[at * higher + self.height] = carry;
        self.height = higher;
        self.planes = planes;
    }

    /// Subtracts one counted cube.
    pub(crate) fn remove(&mut self, cube: &[u64], buffers: &mut Buffers) {
        let CoverageCounts { care_set, height, planes } = self;
        care_set.for_each(cube, buffers, |at, minterms| {
            let mut borrow = minterms;
            for plane in &mut planes[at as usize * *height..][..*height] {
                *plane ^= borrow;
                borrow &= *plane;
                if borrow == 0 {
                    break;
                }
            }
        });
    }

    /// The minterms of word number `at` that are not don't-cares and lie in one cube only.
    #[inline]
    pub(crate) fn alone(&self, at: u32) -> u64 {
        let planes = &self.planes[at as usize * self.height..][..self.height];
        self.care_set.care(at) & planes[0] & !planes[1..].iter().fold(0, |more, plane| more | plane)
    }

    /// A minterm of the counted `cube` that no other cube contains and that is not a don't-care.
    pub(crate) fn minterm_alone(&self, cube: &[u64], buffers: &mut Buffers) -> Option<Vec<u64>> {
        self.care_set.lowest(cube, buffers, |at| self.alone(at))
    }

    /// The smallest cube that contains those minterms of the counted `cube` that no other cube contains and that are not
    /// don't-cares; empty if there are none.
    pub(crate) fn uncovered(&self, cube: &[u64], buffers: &mut Buffers) -> Vec<u64> {
        let mut parts = vec![0; cube.len()];
        match &self.care_set.elements {
            Elements::Points(points) => {
                let pattern = points.pattern(cube);
                let offsets = points.offsets(cube, &mut buffers.offsets);
                buffers.work = offsets.len() as u64;
                buffers.occurring.clear(cube.len());
                for &at in offsets {
                    let alone = self.alone(at) & pattern;
                    if alone != 0 {
                        points.collect_parts(at, alone, &mut buffers.occurring);
                    }
                }
                points.add_parts(&buffers.occurring, &mut parts);
            }
            Elements::OnCubes(on_index) => self.care_set.for_each(cube, buffers, |at, minterms| {
                on_index.add_parts(at, self.alone(at) & minterms, &mut parts);
            }),
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::calculus::Calculus;
    use crate::steps::budget::Budget;
    use crate::steps::irredundant::needed;
    use crate::steps::reduce::{Order, reduce, reduce_each};
    use crate::steps::step_context::StepContext;
    use crate::testing;
    use proptest::prelude::*;

    /// Spaces whose variables fill words and number words, binary and not.
    fn space() -> impl Strategy<Value = Space> {
        (0usize..9, proptest::collection::vec(1usize..6, 0..3), 1usize..4)
            .prop_map(|(binary, multi, outputs)| Space::new(binary, &multi, outputs).unwrap())
    }

    proptest! {
        /// Tables and lists give the same results.
        #[test]
        fn tables_answer_as_lists_do(
            (on, dc) in space().prop_flat_map(|space| (
                testing::cover(space.clone(), 30), testing::cover(space, 5),
            )),
        ) {
            // For a few cubes in a large space, no table is made.
            let Some(care_set) = CareSet::new(&on, &dc) else { return Ok(()) };
            let calculus = Calculus::new(on.space());
            let budget = Budget::default();
            let context = |care_set| StepContext { calculus: &calculus, dc: &dc, care_set, budget: budget.of_cubes("test", 0), query_limit: u64::MAX };
            let (table, list) = (context(Some(&care_set)), context(None));
            prop_assert_eq!(needed(&table, &on).unwrap(), needed(&list, &on).unwrap());
            prop_assert_eq!(reduce_each(&table, &on).unwrap(), reduce_each(&list, &on).unwrap());
            for order in [Order::NearLargest, Order::HeaviestFirst] {
                prop_assert_eq!(reduce(&table, &on, order).unwrap(), reduce(&list, &on, order).unwrap());
            }
        }
    }
}
