//! The ground to be covered as a truth table, for functions of few enough points: the minterms that are not
//! don't-cares, and how many cubes of a cover each of them lies in.
//!
//! Departure from Brayton et al. 1984: IRREDUNDANT, ESSENTIAL and REDUCE ask, cube by cube, which of its minterms the
//! other cubes and D leave to it. There it takes a tautology or an SCCC over the cofactors of all other cubes; a table
//! of counts answers it in the time that it takes to go over the cube's own minterms, 64 at a time. The answers are the
//! same. The counts are vertical: one bit of the counts of 64 minterms is one word, a plane.
//!
//! Where the don't-cares are what F and R leave (`given`), the cubes of F take the place of the minterms.

use crate::cover::Cover;
use crate::given::Given;
use crate::points::{Points, Seen};
use crate::space::Space;

/// Words of a table at most: 256 MiB.
pub(crate) const MOST_WORDS: usize = 1 << 25;
/// A table of this many words is always worth it.
const FEW_WORDS: usize = 256;
/// Planes that a table of counts begins with.
const PLANES: usize = 3;

/// What need not be covered: a cover, and its complement as a truth table where that is worth it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Free<'a> {
    pub(crate) list: &'a Cover,
    pub(crate) ground: Option<&'a Ground>,
}

/// The minterms that are not don't-cares.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    layout: Layout,
    care: Vec<u64>,
}

/// What the bits of a table are.
#[derive(Clone, Debug)]
enum Layout {
    /// The points of the space.
    Points(Points),
    /// The cubes of F, which are to be covered; all else is free.
    Given(Given),
}

/// The buffers of going over one cube; reusable for the next.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    offsets: Vec<u32>,
    seen: Seen,
    lacked: Vec<usize>,
    found: Vec<(u32, u64)>,
    /// Words of cubes of F looked at for these.
    looked: u64,
}

impl Walk {
    /// Number of the words gone over last.
    pub(crate) fn work(&self) -> u64 {
        self.offsets.len() as u64 + self.looked
    }
}

impl Ground {
    /// Returns the table for covers like `on` with the don't-cares `dc`, unless going over lists is cheaper or the
    /// space is too large.
    pub(crate) fn new(on: &Cover, dc: &Cover) -> Option<Self> {
        let space = on.space();
        let mut points = Points::default();
        if !points.lay(variables(on).into_iter().map(|v| &space.variables()[v]), MOST_WORDS) {
            return None;
        }
        let lists = on.len().saturating_mul(on.len() + dc.len()).max(FEW_WORDS);
        let mut tables = points.words();
        for cube in on.iter().chain(dc) {
            tables += points.count(cube);
            if tables > lists && points.words() > FEW_WORDS {
                return None;
            }
        }
        let care = vec![points.used(); points.words()];
        let mut ground = Ground { layout: Layout::Points(points), care };
        ground.forget(dc);
        Some(ground)
    }

    /// Returns the table of the cubes of `on`, each of which is to be within one cube of a cover, and nothing else.
    pub(crate) fn given(on: &Cover) -> Self {
        let given = Given::new(on);
        Ground { care: given.all(), layout: Layout::Given(given) }
    }

    /// The layout of the points of the space, unless the bits are cubes of F.
    pub(crate) fn points(&self) -> Option<&Points> {
        match &self.layout {
            Layout::Points(points) => Some(points),
            Layout::Given(_) => None,
        }
    }

    /// Number of words of a table.
    pub(crate) fn words(&self) -> usize {
        self.care.len()
    }

    /// Calls `visit` with the number of each word that `cube` has minterms in, and those.
    #[inline]
    pub(crate) fn for_each(&self, cube: &[u64], walk: &mut Walk, mut visit: impl FnMut(u32, u64)) {
        match &self.layout {
            Layout::Points(points) => {
                let pattern = points.pattern(cube);
                points.offsets(cube, &mut walk.offsets);
                walk.offsets.iter().for_each(|&at| visit(at, pattern));
            }
            Layout::Given(given) => {
                walk.looked = given.within(cube, &mut walk.lacked, &mut walk.found);
                walk.found.iter().for_each(|&(at, set)| visit(at, set));
            }
        }
    }

    /// As [`Ground::for_each`], until `is` holds; whether it ever does.
    #[inline]
    pub(crate) fn any(&self, cube: &[u64], walk: &mut Walk, mut is: impl FnMut(u32, u64) -> bool) -> bool {
        match &self.layout {
            Layout::Points(points) => {
                let pattern = points.pattern(cube);
                points.offsets(cube, &mut walk.offsets);
                walk.offsets.iter().any(|&at| is(at, pattern))
            }
            Layout::Given(given) => {
                walk.looked = given.within(cube, &mut walk.lacked, &mut walk.found);
                walk.found.iter().any(|&(at, set)| is(at, set))
            }
        }
    }

    /// Makes the minterms of `cover` don't-cares.
    pub(crate) fn forget(&mut self, cover: &Cover) {
        let mut care = std::mem::take(&mut self.care);
        let mut walk = Walk::default();
        for cube in cover {
            self.for_each(cube, &mut walk, |at, minterms| care[at as usize] &= !minterms);
        }
        self.care = care;
    }

    /// The minterms of word number `at` that are not don't-cares.
    #[inline]
    pub(crate) fn care(&self, at: u32) -> u64 {
        self.care[at as usize]
    }

    /// The truth table, over `points`, of what the flat list, of cubes of `n` words, and the don't-cares cover.
    pub(crate) fn with(&self, points: &Points, cubes: &[u64], n: usize) -> Vec<u64> {
        let mut table: Vec<u64> = self.care.iter().map(|care| points.used() & !care).collect();
        let mut walk = Walk::default();
        for cube in cubes.chunks_exact(n) {
            self.for_each(cube, &mut walk, |at, minterms| table[at as usize] |= minterms);
        }
        table
    }
}

/// The variables with those first that cubes of `cover` depend on least, so that cubes have few words; multi-valued
/// ones behind.
fn variables(cover: &Cover) -> Vec<usize> {
    let space = cover.space();
    let full = |v: usize| {
        let variable = &space.variables()[v];
        cover.iter().filter(|cube| Space::literal_is_full(variable, cube)).count()
    };
    let mut order: Vec<usize> = (0..space.binary_inputs()).collect();
    order.sort_by_cached_key(|&v| std::cmp::Reverse(full(v)));
    order.extend(space.binary_inputs()..space.variables().len());
    order
}

/// The minterms that are not don't-cares and not covered yet.
#[derive(Debug)]
pub(crate) struct Open<'g> {
    ground: &'g Ground,
    table: Vec<u64>,
    walk: Walk,
}

impl<'g> Open<'g> {
    /// Begins with all that are not don't-cares.
    pub(crate) fn new(ground: &'g Ground) -> Self {
        Open { ground, table: ground.care.clone(), walk: Walk::default() }
    }

    /// Whether `cube` has such a minterm.
    pub(crate) fn has(&mut self, cube: &[u64]) -> bool {
        let Open { ground, table, walk } = self;
        ground.any(cube, walk, |at, minterms| table[at as usize] & minterms != 0)
    }

    /// Covers the minterms of `cube`.
    pub(crate) fn close(&mut self, cube: &[u64]) {
        let Open { ground, table, walk } = self;
        ground.for_each(cube, walk, |at, minterms| table[at as usize] &= !minterms);
    }
}

/// For each minterm the number of cubes that it lies in.
#[derive(Clone, Debug)]
pub(crate) struct Counts<'g> {
    ground: &'g Ground,
    /// Planes of a word, and the planes of all words, one word after the other.
    height: usize,
    planes: Vec<u64>,
}

impl<'g> Counts<'g> {
    /// Counts the cubes of the flat list, of `n` words each.
    pub(crate) fn new(ground: &'g Ground, cubes: &[u64], n: usize) -> Self {
        let mut counts = Counts { ground, height: PLANES, planes: vec![0; ground.words() * PLANES] };
        let mut walk = Walk::default();
        cubes.chunks_exact(n).for_each(|cube| counts.add(cube, &mut walk));
        counts
    }

    /// Counts one cube more.
    pub(crate) fn add(&mut self, cube: &[u64], walk: &mut Walk) {
        let ground = self.ground;
        ground.for_each(cube, walk, |at, minterms| {
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
        let mut planes = Vec::with_capacity(self.ground.words() * higher);
        for word in self.planes.chunks_exact(self.height) {
            planes.extend_from_slice(word);
            planes.push(0);
        }
        planes[at * higher + self.height] = carry;
        self.height = higher;
        self.planes = planes;
    }

    /// Takes back one cube that was counted.
    pub(crate) fn remove(&mut self, cube: &[u64], walk: &mut Walk) {
        let Counts { ground, height, planes } = self;
        ground.for_each(cube, walk, |at, minterms| {
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
        self.ground.care(at) & planes[0] & !planes[1..].iter().fold(0, |more, plane| more | plane)
    }

    /// The smallest cube that contains the minterms of `cube`, which is counted, that no other cube has and that
    /// are not don't-cares; empty when there are none.
    pub(crate) fn uncovered(&self, cube: &[u64], walk: &mut Walk) -> Vec<u64> {
        let mut parts = vec![0; cube.len()];
        match &self.ground.layout {
            Layout::Points(points) => {
                let pattern = points.pattern(cube);
                points.offsets(cube, &mut walk.offsets);
                walk.seen.clear(cube.len());
                for &at in &walk.offsets {
                    let alone = self.alone(at) & pattern;
                    if alone != 0 {
                        points.see(at, alone, &mut walk.seen);
                    }
                }
                points.seen(&walk.seen, &mut parts);
            }
            Layout::Given(given) => self.ground.for_each(cube, walk, |at, minterms| {
                given.see(at, self.alone(at) & minterms, &mut parts);
            }),
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Kernel;
    use crate::meter::Meter;
    use crate::minimize::Step;
    use crate::{essential, irredundant, reduce, testing};
    use proptest::prelude::*;

    /// Spaces whose variables fill words and number words, binary and not.
    fn space() -> impl Strategy<Value = Space> {
        (0usize..9, proptest::collection::vec(1usize..6, 0..3), 1usize..4)
            .prop_map(|(binary, multi, outputs)| Space::new(binary, &multi, outputs).unwrap())
    }

    proptest! {
        /// The steps give the same by tables as by lists.
        #[test]
        fn tables_answer_as_lists_do(
            (on, dc) in space().prop_flat_map(|space| (
                testing::cover(space.clone(), 30), testing::cover(space, 5),
            )),
        ) {
            // Over a large space a few cubes are not worth a table.
            let Some(ground) = Ground::new(&on, &dc) else { return Ok(()) };
            let (table, list) = (Free { list: &dc, ground: Some(&ground) }, Free { list: &dc, ground: None });
            let kernel = Kernel::<0>::new(on.space());
            let meter = Meter::unlimited();
            let meter = meter.step(Step::Loop, on.len());
            prop_assert_eq!(
                irredundant::needed(&kernel, on.as_words(), table, &meter).unwrap(),
                irredundant::needed(&kernel, on.as_words(), list, &meter).unwrap()
            );
            prop_assert_eq!(
                reduce::reduce_each(&kernel, on.as_words(), table, &meter).unwrap(),
                reduce::reduce_each(&kernel, on.as_words(), list, &meter).unwrap()
            );
            for order in [reduce::Order::NearLargest, reduce::Order::HeaviestFirst] {
                prop_assert_eq!(
                    reduce::reduce_marked(&on, table, order, &meter).unwrap(),
                    reduce::reduce_marked(&on, list, order, &meter).unwrap()
                );
            }
            let mut all = on.clone();
            all.extend(&dc);
            let primes = crate::expand::expand(&on, &crate::complement::complement(&all));
            prop_assert_eq!(
                essential::essential_marked(&primes, table, &meter).unwrap(),
                essential::essential_marked(&primes, list, &meter).unwrap()
            );
        }

        /// Counts that many cubes raise and lower end where they began.
        #[test]
        fn counts_go_up_and_down(cover in space().prop_flat_map(|space| testing::cover(space, 40))) {
            let none = Cover::new(cover.space());
            let Some(ground) = Ground::new(&cover, &none) else { return Ok(()) };
            let n = cover.space().words();
            let mut counts = Counts::new(&ground, cover.as_words(), n);
            let mut walk = Walk::default();
            let begin = counts.clone();
            cover.iter().for_each(|cube| counts.add(cube, &mut walk));
            cover.iter().for_each(|cube| counts.remove(cube, &mut walk));
            let words = 0..ground.words() as u32;
            prop_assert!(words.clone().all(|at| counts.alone(at) == begin.alone(at)));
            cover.iter().for_each(|cube| counts.remove(cube, &mut walk));
            prop_assert!(counts.planes.iter().all(|&plane| plane == 0));
        }
    }
}
