//! A cover sorted once, in which any variable can be merged in one pass.
//!
//! Departure from Gomboc and Shelton, section 2.5, where each merging sorts the cover by all other variables. Here cubes
//! stay sorted as numbers, the last word highest. Cubes that agree in all bits above a variable form a run. Within a run,
//! cubes with the same literal form a piece, sorted by the bits below. The pieces of a run are merged like sorted lists, and
//! two cubes that differ only in the variable meet there. A pass costs one comparison for each cube and piece.

use crate::cube::cover::Cover;
use crate::cube::space::{Space, Variable};
use rayon::slice::ParallelSliceMut;
use std::cmp::Ordering;

/// The number of cubes from which parallel sorting pays.
pub(crate) const PARALLEL: usize = 1 << 15;
/// Up to this many pieces of a run are merged as sorted lists; more are sorted.
const MOST_PIECES: usize = 8;

/// The words of one cube: an array if they are few, so that loops over them are unrolled; otherwise boxed.
pub(crate) trait Words: AsRef<[u64]> + AsMut<[u64]> + Clone + Send + Sync {
    fn of(words: &[u64]) -> Self;
}

impl<const N: usize> Words for [u64; N] {
    fn of(words: &[u64]) -> Self {
        std::array::from_fn(|word| words[word])
    }
}

impl Words for Box<[u64]> {
    fn of(words: &[u64]) -> Self {
        words.into()
    }
}

/// Masks of the bits above a variable, of its own bits, and of the bits below.
#[derive(Clone, Debug)]
pub(crate) struct VariableBits<C> {
    above: C,
    own: C,
    below: C,
}

impl<C: Words> VariableBits<C> {
    /// Returns the masks of `variable` in the cubes of `space`.
    pub(crate) fn new(space: &Space, variable: &Variable) -> Self {
        let words = |word: &dyn Fn(usize) -> u64| C::of(&(0..space.words()).map(word).collect::<Vec<_>>());
        // The mask of a word's bits whose number in the cube is `first` or higher.
        let from = |first: usize, word: usize| match first.saturating_sub(word * 64) {
            shift @ 0..64 => u64::MAX << shift,
            _ => 0,
        };
        let (first, end) = (variable.first, variable.bits().end);
        VariableBits {
            above: words(&|word| from(end, word)),
            own: words(&|word| from(first, word) & !from(end, word)),
            below: words(&|word| !from(first, word)),
        }
    }
}

/// Compares two cubes as numbers, by their bits in `mask`.
#[inline]
fn compare<C: Words>(a: &C, b: &C, mask: &C) -> Ordering {
    let (a, b, mask) = (a.as_ref(), b.as_ref(), mask.as_ref());
    for word in (0..mask.len()).rev() {
        let order = (a[word] & mask[word]).cmp(&(b[word] & mask[word]));
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

#[inline]
fn same<C: Words>(a: &C, b: &C, mask: &C) -> bool {
    let (a, b, mask) = (a.as_ref(), b.as_ref(), mask.as_ref());
    (0..mask.len()).all(|word| (a[word] ^ b[word]) & mask[word] == 0)
}

/// Different cubes, sorted as numbers.
#[derive(Clone, Debug)]
pub(crate) struct SortedCubes<C> {
    cubes: Vec<C>,
    /// The starts and ends of the pieces of the current run.
    pieces: Vec<(usize, usize)>,
    spare: Vec<C>,
}

impl<C: Words> SortedCubes<C> {
    /// Sorts the cubes of `cover` that are not empty.
    pub(crate) fn new(cover: &Cover) -> Self {
        let space = cover.space();
        let mut cubes: Vec<C> = cover.iter().filter(|cube| !space.is_empty(cube)).map(C::of).collect();
        let by_words = |a: &C, b: &C| a.as_ref().iter().rev().cmp(b.as_ref().iter().rev());
        if cubes.len() >= PARALLEL && rayon::current_num_threads() > 1 {
            cubes.par_sort_unstable_by(by_words);
        } else {
            cubes.sort_unstable_by(by_words);
        }
        cubes.dedup_by(|a, b| a.as_ref() == b.as_ref());
        SortedCubes { cubes, pieces: Vec::new(), spare: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.cubes.len()
    }

    pub(crate) fn into_cover(self, space: &Space) -> Cover {
        let words = self.cubes.iter().flat_map(AsRef::as_ref).copied();
        Cover::from_words(space, words.collect())
    }

    /// Returns the end of the run that begins at `start`, and sets `pieces` to its pieces.
    #[inline]
    fn run(cubes: &[C], start: usize, bits: &VariableBits<C>, pieces: &mut Vec<(usize, usize)>) -> usize {
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

    /// Joins the cubes of a run that have the same bits below the variable. Calls `found` with each resulting cube, in ascending
    /// order of these bits.
    #[inline]
    fn join(cubes: &[C], pieces: &mut Vec<(usize, usize)>, bits: &VariableBits<C>, mut found: impl FnMut(C)) {
        if let (true, Some(&(first, _)), Some(&(_, end))) =
            (pieces.len() > MOST_PIECES, pieces.first(), pieces.last())
        {
            let mut run = cubes[first..end].to_vec();
            run.sort_unstable_by(|a, b| compare(a, b, &bits.below));
            for like in run.chunk_by(|a, b| same(a, b, &bits.below)) {
                let mut joined = like[0].clone();
                like[1..].iter().for_each(|cube| Space::join(joined.as_mut(), cube.as_ref()));
                found(joined);
            }
            return;
        }
        while let Some(&(first, _)) = pieces.first() {
            let mut least = &cubes[first];
            for &(at, _) in &pieces[1..] {
                if compare(&cubes[at], least, &bits.below).is_lt() {
                    least = &cubes[at];
                }
            }
            let (mut joined, mut ended) = (least.clone(), false);
            for (at, end) in pieces.iter_mut() {
                if same(&cubes[*at], least, &bits.below) {
                    Space::join(joined.as_mut(), cubes[*at].as_ref());
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

    /// The number of cubes that merging in the variable would save. O(cubes · pieces of a run).
    pub(crate) fn count(&self, bits: &VariableBits<C>) -> usize {
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

    /// Merges all cubes that differ only in the variable. Costs as much as counting, plus a stable sort by the literal for each
    /// run in which cubes merge.
    pub(crate) fn merge_distance_one(&mut self, bits: &VariableBits<C>) {
        let (mut start, mut to) = (0, 0);
        let SortedCubes { cubes, pieces, spare } = self;
        while start < cubes.len() {
            let end = Self::run(cubes, start, bits, pieces);
            spare.clear();
            if pieces.len() > 1 {
                Self::join(cubes, pieces, bits, |cube| spare.push(cube));
            }
            if spare.is_empty() || spare.len() == end - start {
                (start..end).for_each(|at| {
                    cubes.swap(to, at);
                    to += 1;
                });
            } else {
                // The cubes are sorted by the bits below; a stable sort by the literal completes the order.
                spare.sort_by(|a, b| compare(a, b, &bits.own));
                for cube in spare.drain(..) {
                    cubes[to] = cube;
                    to += 1;
                }
            }
            start = end;
        }
        cubes.truncate(to);
    }
}
