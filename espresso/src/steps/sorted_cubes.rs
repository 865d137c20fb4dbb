//! A cover sorted once, in which every variable can be merged in one pass.
//!
//! Departure from Gomboc and Shelton, section 2.5, where each merging sorts the cover by all other variables: here
//! cubes stay sorted as numbers, their last words highest. Cubes that agree in all bits above a variable then form a
//! run; within the run those with the same literal stand together, sorted by the bits below. So two cubes that differ
//! in nothing but the variable meet when these pieces of a run are merged, as sorted lists are: a pass costs one
//! comparison for each cube and piece.

use crate::cube::cover::Cover;
use crate::cube::space::{Space, Variable};
use crate::steps::compact::Merging;
use rayon::slice::ParallelSliceMut;
use std::cmp::Ordering;

/// Cubes from which sorting in parallel pays.
pub(crate) const PARALLEL: usize = 1 << 15;
/// Pieces of a run merged as sorted lists; more are sorted.
const MOST_PIECES: usize = 8;

/// The bits above a variable, its own, and those below, in each word.
#[derive(Clone, Debug)]
pub(crate) struct Bits<const N: usize> {
    above: [u64; N],
    own: [u64; N],
    below: [u64; N],
}

impl<const N: usize> Bits<N> {
    /// Those of `variable`, in cubes of `N` words.
    pub(crate) fn new(variable: &Variable) -> Self {
        // The bits from number `first` of the cube on.
        let from = |first: usize| {
            std::array::from_fn(|word| match first.saturating_sub(word * 64) {
                0 => u64::MAX,
                shift if shift < 64 => u64::MAX << shift,
                _ => 0,
            })
        };
        let (own, above): ([u64; N], [u64; N]) = (from(variable.first), from(variable.bits().end));
        Bits {
            above,
            own: std::array::from_fn(|word| own[word] & !above[word]),
            below: std::array::from_fn(|word| !own[word]),
        }
    }
}

/// How two cubes compare as numbers, by their bits in `mask`.
#[inline]
fn compare<const N: usize>(a: &[u64; N], b: &[u64; N], mask: &[u64; N]) -> Ordering {
    for word in (0..N).rev() {
        let order = (a[word] & mask[word]).cmp(&(b[word] & mask[word]));
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

/// Whether two cubes have the same bits in `mask`.
#[inline]
fn same<const N: usize>(a: &[u64; N], b: &[u64; N], mask: &[u64; N]) -> bool {
    (0..N).all(|word| (a[word] ^ b[word]) & mask[word] == 0)
}

/// The smallest cube that contains all of them.
#[inline]
fn supercube<'c, const N: usize>(cubes: impl Iterator<Item = &'c [u64; N]>) -> [u64; N] {
    cubes.fold([0; N], |joined, cube| std::array::from_fn(|word| joined[word] | cube[word]))
}

/// Different cubes of `N` words, sorted as numbers.
#[derive(Clone, Debug)]
pub(crate) struct SortedCubes<const N: usize> {
    cubes: Vec<[u64; N]>,
    /// Of the run at work, where its pieces begin and end.
    pieces: Vec<(usize, usize)>,
    spare: Vec<[u64; N]>,
}

impl<const N: usize> SortedCubes<N> {
    /// Sorts the cubes of `cover` that are not empty.
    pub(crate) fn new(cover: &Cover) -> Self {
        let (words, _) = cover.as_words().as_chunks::<N>();
        let space = cover.space();
        let mut cubes = words.to_vec();
        cubes.retain(|cube| !space.is_empty(cube));
        let all = [u64::MAX; N];
        if cubes.len() >= PARALLEL && rayon::current_num_threads() > 1 {
            cubes.par_sort_unstable_by(|a, b| compare(a, b, &all));
        } else {
            cubes.sort_unstable_by(|a, b| compare(a, b, &all));
        }
        cubes.dedup();
        SortedCubes { cubes, pieces: Vec::new(), spare: Vec::new() }
    }

    /// The cubes as a cover over `space`.
    pub(crate) fn into_cover(self, space: &Space) -> Cover {
        Cover::from_words(space, self.cubes.into_flattened())
    }

    /// The end of the run that begins at `start`; makes its pieces known.
    #[inline]
    fn run(cubes: &[[u64; N]], start: usize, bits: &Bits<N>, pieces: &mut Vec<(usize, usize)>) -> usize {
        pieces.clear();
        let (mut begin, mut end) = (start, start + 1);
        while end < cubes.len() && same(&cubes[end], &cubes[start], &bits.above) {
            if !same(&cubes[end], &cubes[begin], &bits.own) {
                pieces.push((begin, end));
                begin = end;
            }
            end += 1;
        }
        pieces.push((begin, end));
        end
    }

    /// Joins the cubes of a run that have the same bits below the variable; calls `found` with each that comes of it,
    /// by these bits ascending.
    #[inline]
    fn join(
        cubes: &[[u64; N]],
        pieces: &mut Vec<(usize, usize)>,
        bits: &Bits<N>,
        mut found: impl FnMut([u64; N]),
    ) {
        if let (true, Some(&(first, _)), Some(&(_, end))) =
            (pieces.len() > MOST_PIECES, pieces.first(), pieces.last())
        {
            let mut run = cubes[first..end].to_vec();
            run.sort_unstable_by(|a, b| compare(a, b, &bits.below));
            run.chunk_by(|a, b| same(a, b, &bits.below)).for_each(|like| found(supercube(like.iter())));
            return;
        }
        while let Some(&(first, _)) = pieces.first() {
            let mut least = &cubes[first];
            for &(at, _) in &pieces[1..] {
                if compare(&cubes[at], least, &bits.below).is_lt() {
                    least = &cubes[at];
                }
            }
            let (mut joined, mut ended) = ([0; N], false);
            for (at, end) in pieces.iter_mut() {
                if same(&cubes[*at], least, &bits.below) {
                    joined = supercube([&joined, &cubes[*at]].into_iter());
                    *at += 1;
                    ended |= at == end;
                }
            }
            if ended {
                pieces.retain(|(at, end)| at < end);
            }
            found(joined);
        }
    }
}

impl<const N: usize> Merging for SortedCubes<N> {
    type Bits = Bits<N>;

    fn len(&self) -> usize {
        self.cubes.len()
    }

    /// O(cubes · pieces of a run).
    fn count(&self, bits: &Bits<N>) -> usize {
        let (mut saved, mut start) = (0, 0);
        let mut pieces = Vec::new();
        while start < self.cubes.len() {
            let end = Self::run(&self.cubes, start, bits, &mut pieces);
            if pieces.len() > 1 {
                let mut left = 0;
                Self::join(&self.cubes, &mut pieces, bits, |_| left += 1);
                saved += end - start - left;
            }
            start = end;
        }
        saved
    }

    /// Costs what counting does, and a stable sort by the literal of each run in which something merges.
    fn merge(&mut self, bits: &Bits<N>) {
        let (mut start, mut to) = (0, 0);
        let SortedCubes { cubes, pieces, spare } = self;
        while start < cubes.len() {
            let end = Self::run(cubes, start, bits, pieces);
            spare.clear();
            if pieces.len() > 1 {
                Self::join(cubes, pieces, bits, |cube| spare.push(cube));
            }
            if spare.is_empty() || spare.len() == end - start {
                cubes.copy_within(start..end, to);
                to += end - start;
            } else {
                // Sorted by the bits below; now by the literal first.
                spare.sort_by(|a, b| compare(a, b, &bits.own));
                cubes[to..to + spare.len()].copy_from_slice(spare);
                to += spare.len();
            }
            start = end;
        }
        cubes.truncate(to);
    }
}
