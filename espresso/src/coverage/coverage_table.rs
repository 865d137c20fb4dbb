//! The care set as a truth table, for functions with few enough points: the minterms that are not don't-cares, and for
//! each of them the number of cubes of a cover that contain it.
//!
//! Departure from Brayton et al. 1984: IRREDUNDANT, ESSENTIAL and REDUCE need, for each cube, the minterms that neither
//! another cube nor D covers. The paper computes them by a tautology or an SCCC over the cofactors of all other cubes. A
//! table of counts gives the same answer in one pass over the cube's own minterms, 64 at a time. The counts are vertical:
//! one word, a plane, holds one bit of the counts of 64 minterms.
//!
//! If D is the complement of F and R (`on_cubes`), the elements of the table are the cubes of F instead of minterms.

use crate::coverage::on_cubes::OnCubes;
use crate::coverage::truth_table::{OccurringParts, PointLayout};
use crate::cube::cover::Cover;
use crate::cube::space::{Space, Variable};

/// Largest table in words: 256 MiB.
pub(crate) const MOST_WORDS: usize = 1 << 25;
/// Up to this many words, a table is made for any cover.
pub(crate) const FEW_WORDS: usize = 256;

#[derive(Clone, Debug)]
pub(crate) struct CoverageTable {
    elements: Elements,
    care: Vec<u64>,
}

/// The meaning of the bits of a table.
#[derive(Clone, Debug)]
enum Elements {
    /// The points of the space.
    Points(PointLayout),
    /// The cubes of F, which must be covered. Everything else is don't-care.
    OnCubes(OnCubes),
}

/// Buffers for a pass over one cube, reusable for the next.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    offsets: Vec<u32>,
    occurring: OccurringParts,
    found: Vec<(u32, u64)>,
    /// The work of the last pass: in words, or in cubes tested.
    pub(crate) work: u64,
}

impl CoverageTable {
    /// Whether a table for covers like `on` with the don't-cares `dc` is cheaper than lists.
    pub(crate) fn is_worthwhile(on: &Cover, dc: &Cover) -> bool {
        let Some(points) = PointLayout::new(&variables(on), MOST_WORDS) else { return false };
        let lists = on.len().saturating_mul(on.len() + dc.len()).max(FEW_WORDS);
        let mut tables = points.words;
        points.words <= FEW_WORDS
            || on.iter().chain(dc).all(|cube| {
                tables += points.count(cube);
                tables <= lists
            })
    }

    /// Returns the table for covers like `on` with the don't-cares `dc`; `None` if the space is too large.
    pub(crate) fn new(on: &Cover, dc: &Cover) -> Option<Self> {
        let points = PointLayout::new(&variables(on), MOST_WORDS)?;
        let care = vec![points.used; points.words];
        let mut coverage = CoverageTable { elements: Elements::Points(points), care };
        coverage.add_dont_cares(dc);
        Some(coverage)
    }

    /// Returns the table whose elements are the cubes of `on`, instead of points: each must lie within one cube of a cover.
    pub(crate) fn of_on_cubes(on: &Cover) -> Self {
        let on_cubes = OnCubes::new(on);
        CoverageTable { care: on_cubes.all(), elements: Elements::OnCubes(on_cubes) }
    }

    /// Whether the elements are minterms, and not cubes of F.
    pub(crate) fn has_minterms(&self) -> bool {
        matches!(self.elements, Elements::Points(_))
    }

    pub(crate) fn words(&self) -> usize {
        self.care.len()
    }

    /// Calls `visit` with the number of each word in which `cube` has minterms, and with these minterms.
    #[inline]
    pub(crate) fn for_each(&self, cube: &[u64], buffers: &mut Buffers, mut visit: impl FnMut(u32, u64)) {
        self.any(cube, buffers, |at, minterms| {
            visit(at, minterms);
            false
        });
    }

    /// Like [`CoverageTable::for_each`], but stops when `is` holds, and returns whether it did.
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
            Elements::OnCubes(on_cubes) => {
                buffers.work = on_cubes.contained(cube, &mut buffers.found);
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

    /// The lowest minterm of `cube` in a set, as a cube. `set` returns the word of the set with a given number.
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
            Elements::OnCubes(on_cubes) => on_cubes.add_parts(at, lowest, &mut parts),
        }
        Some(parts)
    }

    /// Whether some minterm of `cube` is not a don't-care.
    pub(crate) fn has(&self, cube: &[u64], buffers: &mut Buffers) -> bool {
        self.any(cube, buffers, |at, minterms| self.care(at) & minterms != 0)
    }
}

/// The variables in the order of the layout: binary inputs come first, sorted by the number of cubes of `cover` that depend on
/// them, so that cubes have few words.
fn variables(cover: &Cover) -> Vec<&Variable> {
    let (binary, others) = cover.space().variables().split_at(cover.space().binary_inputs());
    let full = |v: &Variable| cover.iter().filter(|cube| Space::literal_is_full(v, cube)).count();
    let mut order: Vec<&Variable> = binary.iter().collect();
    order.sort_by_cached_key(|variable| std::cmp::Reverse(full(variable)));
    order.extend(others);
    order
}

/// How far the cubes that contain a minterm are counted.
#[derive(Clone, Copy)]
pub(crate) enum UpTo {
    One = 1,
    Two,
    /// All are counted, and can be removed. There are three planes at first.
    All,
}

/// For each minterm the number of cubes that contain it.
#[derive(Clone, Debug)]
pub(crate) struct CoverageCounts<'g> {
    pub(crate) coverage: &'g CoverageTable,
    /// Planes of a word: the digits of binary numbers; if one or two, the marks of a first and a second cube.
    height: usize,
    /// The planes of all words, one word after the other.
    planes: Vec<u64>,
}

impl<'g> CoverageCounts<'g> {
    /// Returns the counts for the flat list `cubes`, of `n` words a cube.
    pub(crate) fn new(coverage: &'g CoverageTable, cubes: &[u64], n: usize, up_to: UpTo) -> Self {
        let height = up_to as usize;
        let mut counts = CoverageCounts { coverage, height, planes: vec![0; coverage.words() * height] };
        let mut buffers = Buffers::default();
        cubes.chunks_exact(n).for_each(|cube| counts.add(cube, &mut buffers));
        counts
    }

    pub(crate) fn add(&mut self, cube: &[u64], buffers: &mut Buffers) {
        let coverage = self.coverage;
        match self.height {
            1 => coverage.for_each(cube, buffers, |at, minterms| self.planes[at as usize] |= minterms),
            2 => coverage.for_each(cube, buffers, |at, minterms| {
                let planes = &mut self.planes[2 * at as usize..][..2];
                planes[1] |= planes[0] & minterms;
                planes[0] |= minterms;
            }),
            _ => coverage.for_each(cube, buffers, |at, minterms| {
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
            }),
        }
    }

    /// Adds a plane, with `carry` in word number `at`.
    fn grow(&mut self, at: usize, carry: u64) {
        let higher = self.height + 1;
        let mut planes = Vec::with_capacity(self.coverage.words() * higher);
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
        let CoverageCounts { coverage, height, planes } = self;
        coverage.for_each(cube, buffers, |at, minterms| {
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

    /// The minterms of word number `at` that are not don't-cares and that no counted cube contains; with `own`, one cube only.
    #[inline]
    pub(crate) fn open(&self, at: u32, own: bool) -> u64 {
        let planes = &self.planes[at as usize * self.height..][..self.height];
        let low = if own { planes[0] } else { !planes[0] };
        self.coverage.care(at) & low & !planes[1..].iter().fold(0, |more, plane| more | plane)
    }

    /// Whether a minterm of `cube` is open.
    pub(crate) fn any(&self, cube: &[u64], own: bool, buffers: &mut Buffers) -> bool {
        self.coverage.any(cube, buffers, |at, minterms| self.open(at, own) & minterms != 0)
    }

    /// The lowest open minterm of `cube`, as a cube.
    pub(crate) fn minterm(&self, cube: &[u64], own: bool, buffers: &mut Buffers) -> Option<Vec<u64>> {
        self.coverage.lowest(cube, buffers, |at| self.open(at, own))
    }

    /// The supercube of the minterms of the counted `cube` that no other cube and no don't-care contains; empty if none.
    pub(crate) fn supercube(&self, cube: &[u64], buffers: &mut Buffers) -> Vec<u64> {
        let mut parts = vec![0; cube.len()];
        match &self.coverage.elements {
            Elements::Points(points) => {
                let pattern = points.pattern(cube);
                let offsets = points.offsets(cube, &mut buffers.offsets);
                buffers.work = offsets.len() as u64;
                buffers.occurring.clear(cube.len());
                for &at in offsets {
                    let open = self.open(at, true) & pattern;
                    if open != 0 {
                        points.collect_parts(at, open, &mut buffers.occurring);
                    }
                }
                points.add_parts(&buffers.occurring, &mut parts);
            }
            Elements::OnCubes(on_cubes) => self.coverage.for_each(cube, buffers, |at, minterms| {
                on_cubes.add_parts(at, self.open(at, true) & minterms, &mut parts);
            }),
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::cube_algebra::CubeAlgebra;
    use crate::steps::budget::Budget;
    use crate::steps::irredundant::needed;
    use crate::steps::reduce::{Order, reduce, reduce_each};
    use crate::steps::step_context::StepContext;
    use crate::testing;
    use proptest::prelude::*;

    /// Spaces of binary and other variables, some of which select a bit of a table's word and some the word.
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
            let Some(coverage) = CoverageTable::new(&on, &dc) else { return Ok(()) };
            let algebra = CubeAlgebra::new(on.space());
            let budget = Budget::default();
            let context = |coverage| StepContext {
                algebra: &algebra, dc: &dc, coverage, off: None, budget: budget.of_cubes("test", 0), query_limit: u64::MAX,
            };
            let (table, list) = (context(Some(&coverage)), context(None));
            prop_assert_eq!(needed(&table, &on).unwrap(), needed(&list, &on).unwrap());
            prop_assert_eq!(reduce_each(&table, &on).unwrap(), reduce_each(&list, &on).unwrap());
            for order in [Order::NearLargest, Order::HeaviestFirst] {
                prop_assert_eq!(reduce(&table, &on, order).unwrap(), reduce(&list, &on, order).unwrap());
            }
        }
    }
}
