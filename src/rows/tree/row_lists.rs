//! Row numbers, sorted by place and class, of functions with too many rows to hold whole.
//!
//! A place of a growing tree has a stretch of the numbers. Sending its rows on to the places below it sorts the stretch by them,
//! from one of two arrays to the other, so that the rows of every place lie together all the way down and no row is looked at
//! but for the tests that it meets.

use super::router::Router;
use super::{Storage, Words};
use crate::error::{Error, ErrorKind, Result};
use crate::rows::{Numbered, Row, Rows};
use rayon::prelude::*;
use std::fmt;

/// Whether the work was cancelled; its result is then thrown away.
pub(super) type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// Rows that a thread sends on at a time.
const CHUNK: usize = 1 << 15;

/// The numbers of all rows, and as much room again.
pub(super) struct RowLists {
    arrays: [Words; 2],
    tally: Vec<u32>,
}

/// The rows of each leaf of a tree, by class.
pub struct LeafRows {
    arrays: [Words; 2],
    /// By leaf, in preorder.
    leaves: Vec<Vec<Run>>,
}

/// Rows of one class whose numbers lie together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    class: u8,
    /// The number of the array.
    array: u8,
    /// The place of the first in it.
    start: usize,
    rows: usize,
}

impl fmt::Debug for LeafRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rows of {} leaves", self.arrays[0].len(), self.leaves.len())
    }
}

impl LeafRows {
    /// The classes and numbers of the rows of leaf number `leaf`, piece by piece, in an order of its own. Slices count from
    /// the first.
    pub fn of(&self, leaf: usize) -> impl Iterator<Item = (u8, &[u32])> {
        let piece = |run: &Run| (run.class, &self.arrays[usize::from(run.array)][run.start..][..run.rows]);
        self.leaves[leaf].iter().map(piece)
    }

    /// Number of leaves.
    pub fn leaves(&self) -> usize {
        self.leaves.len()
    }
}

impl RowLists {
    /// Lists all rows.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when `storage` has no room for them; [`ErrorKind::Mismatch`] when they are not as many of each class
    /// as their tally says.
    pub(super) fn new(rows: &dyn Rows, stop: Stop<'_>, storage: Option<&dyn Storage>) -> Result<Self> {
        let tally: Vec<u32> = rows.tally().into_iter().map(|count| count as u32).collect();
        let count = tally.iter().map(|&count| count as usize).sum();
        let room = || match storage {
            Some(storage) => storage.room(count),
            None => Result::Ok(Box::new(vec![0_u32; count]) as Words),
        };
        let mut arrays = [room()?, room()?];
        let mut left: Vec<&mut [u32]> = Vec::with_capacity(tally.len());
        let mut rest = &mut arrays[0][..];
        for &count in &tally {
            left.push(rest.split_off_mut(..count as usize).unwrap_or_default());
        }
        let slices: Vec<usize> = (0..rows.slices()).collect();
        for batch in slices.chunks(2 * rayon::current_num_threads()) {
            let numbers = |&slice: &usize| {
                let mut numbers = vec![Vec::new(); tally.len()];
                if !stop() {
                    let base = ((slice as u64) << rows.number_bits()) as u32;
                    rows.visit(slice, &mut |row| numbers[usize::from(row.class())].push(base + row.number()));
                }
                numbers
            };
            let listed: Vec<Vec<Vec<u32>>> = batch.par_iter().map(numbers).collect();
            for numbers in listed {
                for (left, numbers) in left.iter_mut().zip(numbers) {
                    left.split_off_mut(..numbers.len()).ok_or_else(miscounted)?.copy_from_slice(&numbers);
                }
            }
        }
        if left.iter().any(|left| !left.is_empty()) && !stop() {
            return Err(miscounted());
        }
        Ok(RowLists { arrays, tally })
    }

    /// The place of all rows.
    pub(super) fn root(&mut self) -> Place<'_> {
        let [here, there] = &mut self.arrays;
        Place { here, there, tally: self.tally.clone(), array: 0, start: 0 }
    }

    /// The rows of leaves that have these runs.
    pub(super) fn into_leaf_rows(self, leaves: Vec<Vec<Run>>) -> LeafRows {
        LeafRows { arrays: self.arrays, leaves }
    }
}

fn miscounted() -> Error {
    Error::new(ErrorKind::Mismatch, "the rows are not as many of each class as their tally says")
}

/// The rows that have come to a place.
pub(super) struct Place<'a> {
    /// Their numbers, those of each class together, in order.
    here: &'a mut [u32],
    /// As much room.
    there: &'a mut [u32],
    tally: Vec<u32>,
    /// The number of the array that `here` is of, and where in it they begin.
    array: u8,
    start: usize,
}

impl<'a> Place<'a> {
    /// How many rows there are of each class.
    pub(super) fn tally(&self) -> &[u32] {
        &self.tally
    }

    pub(super) fn rows(&self) -> usize {
        self.here.len()
    }

    /// The numbers of all rows, by class.
    pub(super) fn lists(&self) -> Vec<&[u32]> {
        let mut rest = &*self.here;
        let list = |&count: &u32| rest.split_off(..count as usize).unwrap_or_default();
        self.tally.iter().map(list).collect()
    }

    /// The runs of all rows, for a place that is one leaf.
    pub(super) fn runs(&self) -> Vec<Run> {
        let mut start = self.start;
        let run = |(class, &rows): (usize, &u32)| {
            let rows = rows as usize;
            start += rows;
            Run { class: class as u8, array: self.array, start: start - rows, rows }
        };
        self.tally.iter().enumerate().map(run).filter(|run| run.rows > 0).collect()
    }

    /// For each class and each of its rows the number of the leaf of `router` that it comes to.
    pub(super) fn leaves(&self, rows: &dyn Rows, router: &Router) -> Vec<Vec<u32>> {
        let of_chunk = |numbers: &[u32]| {
            let mut leaves = vec![0; numbers.len()];
            rows.pick(Numbered { first_slice: 0, numbers }, &mut |at, row| {
                leaves[at] = router.walk(|variable| row.part(variable));
            });
            leaves
        };
        let of_class = |list: &[u32]| list.par_chunks(CHUNK).map(of_chunk).collect::<Vec<_>>().concat();
        self.lists().into_iter().map(of_class).collect()
    }

    /// Sorts the rows by the leaves to which they belong; `leaves` has a number below `count` for each row of each class.
    /// Returns the runs of each leaf.
    pub(super) fn sort(self, leaves: &[Vec<u32>], count: usize) -> Vec<Vec<Run>> {
        let mut runs = vec![Vec::new(); count];
        let (mut rest, mut start) = (self.here, self.start);
        for (class, leaf_of) in leaves.iter().enumerate() {
            let numbers = rest.split_off_mut(..leaf_of.len()).unwrap_or_default();
            for (leaf, rows) in sort_by(numbers, leaf_of, count).into_iter().enumerate() {
                if rows > 0 {
                    let rows = rows as usize;
                    runs[leaf].push(Run { class: class as u8, array: self.array, start, rows });
                    start += rows;
                }
            }
        }
        runs
    }

    /// The numbers of one in so many of the rows of each class, spread over all of them.
    pub(super) fn sample(&self, steps: &[usize]) -> Vec<Vec<u32>> {
        let sample = |(list, &step): (&[u32], &usize)| {
            let pick = |(number, block): (usize, &[u32])| {
                // Not always the same place in a block, so that no part of a variable is favoured.
                let at = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
                block[(at as usize * block.len()) >> 32]
            };
            list.chunks(step).enumerate().map(pick).collect()
        };
        self.lists().into_iter().zip(steps).map(sample).collect()
    }

    /// Sends each row to one of `ends` places below, the one whose number `walk` returns.
    pub(super) fn send(
        self,
        (rows, stop): (&dyn Rows, Stop<'_>),
        ends: usize,
        walk: &(dyn Fn(&dyn Row) -> u32 + Sync),
    ) -> Vec<Place<'a>> {
        let Place { here, there, tally, array, mut start } = self;
        let mut chunks: Vec<(usize, &mut [u32])> = Vec::new();
        let mut rest = &mut *here;
        for (class, &count) in tally.iter().enumerate() {
            let list = rest.split_off_mut(..count as usize).unwrap_or_default();
            chunks.extend(list.chunks_mut(CHUNK).map(|chunk| (class, chunk)));
        }
        let counts: Vec<Vec<u32>> =
            chunks.par_iter_mut().map(|(_, chunk)| sort_by_end((rows, stop), chunk, ends, walk)).collect();
        let mut tallies = vec![vec![0; tally.len()]; ends];
        for ((class, _), counts) in chunks.iter().zip(&counts) {
            for (tally, count) in tallies.iter_mut().zip(counts) {
                tally[*class] += count;
            }
        }
        // In the order of the other array: by place, class and chunk.
        let mut sorted: Vec<(usize, &[u32])> =
            chunks.into_iter().map(|(class, chunk)| (class, &*chunk)).collect();
        let mut pieces: Vec<(&mut [u32], &[u32])> = Vec::new();
        let mut room = &mut *there;
        for end in 0..ends {
            for class in 0..tally.len() {
                let of_class = sorted.iter_mut().zip(&counts).filter(|((of, _), _)| *of == class);
                for ((_, left), counts) in of_class {
                    let count = counts[end] as usize;
                    if count > 0 {
                        let piece = left.split_off(..count).unwrap_or_default();
                        pieces.push((room.split_off_mut(..count).unwrap_or_default(), piece));
                    }
                }
            }
        }
        pieces.into_par_iter().for_each(|(room, piece)| room.copy_from_slice(piece));
        let (mut here, mut there) = (there, here);
        let place = |tally: Vec<u32>| {
            let count = tally.iter().map(|&count| count as usize).sum();
            let [here, there] =
                [&mut here, &mut there].map(|array| array.split_off_mut(..count).unwrap_or_default());
            start += count;
            Place { here, there, tally, array: 1 - array, start: start - count }
        };
        tallies.into_iter().map(place).collect()
    }
}

/// Sorts the numbers by the places to which their rows go, and returns how many go to each.
fn sort_by_end(
    (rows, stop): (&dyn Rows, Stop<'_>),
    numbers: &mut [u32],
    ends: usize,
    walk: &(dyn Fn(&dyn Row) -> u32 + Sync),
) -> Vec<u32> {
    let mut end_of = vec![0; numbers.len()];
    if !stop() {
        rows.pick(Numbered { first_slice: 0, numbers }, &mut |at, row| end_of[at] = walk(row));
    }
    sort_by(numbers, &end_of, ends)
}

/// Sorts the numbers by their keys, all below `count`, equal ones staying in order; returns how many have each key.
fn sort_by(numbers: &mut [u32], keys: &[u32], count: usize) -> Vec<u32> {
    let mut counts = vec![0; count];
    keys.iter().for_each(|&key| counts[key as usize] += 1);
    let mut sum = 0;
    let before = |&count: &u32| {
        sum += count;
        sum - count
    };
    let mut next: Vec<u32> = counts.iter().map(before).collect();
    for (&number, &key) in numbers.to_vec().iter().zip(keys) {
        let next = &mut next[key as usize];
        numbers[*next as usize] = number;
        *next += 1;
    }
    counts
}
