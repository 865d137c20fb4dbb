//! Row numbers sorted by node of the tree and class, for functions with too many rows for memory.
//!
//! A partition has the rows that reach a node of the growing tree. Its row numbers are contiguous in one of two arrays. When the
//! node is split, they are sorted by subtree into the same range of the other array. Only those variables of a row are computed
//! that the tests on its path need.

use crate::error::{Error, ErrorKind, Result};
use crate::learner::{RowIds, Rows};
use crate::nodes::Router;
use crate::scratch::Array;
use rayon::prelude::*;
use std::path::Path;

/// Whether the work was cancelled; its result is then discarded.
pub(super) type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// The rows that a thread sorts at a time.
const CHUNK: usize = 1 << 15;

/// The numbers of all rows, and a second array of the same size.
#[derive(Debug)]
pub(super) struct RowLists {
    arrays: [Array<u32>; 2],
    groups: Vec<u64>,
    shards: IdShards,
}

/// The shards of a function: groups of slices, so small that 32 bits number the rows of each.
#[derive(Clone, Copy, Debug)]
struct IdShards {
    count: usize,
    slices: usize,
}

impl IdShards {
    fn of(rows: &dyn Rows) -> Self {
        let slices = 1_usize.checked_shl(32 - rows.number_bits()).unwrap_or(usize::MAX);
        IdShards { count: rows.slices().div_ceil(slices).max(1), slices }
    }

    fn numbered(self, shard: usize, numbers: &[u32]) -> RowIds<'_> {
        RowIds { first_slice: shard * self.slices, numbers }
    }
}

/// The rows of each leaf of a tree, by class.
#[derive(Debug)]
pub struct RowsOfLeaves {
    lists: RowLists,
    /// By leaf, in preorder.
    leaves: Vec<Vec<RowRange>>,
}

/// Rows of one class and one shard whose numbers lie together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowRange {
    class: u8,
    array: u8,
    shard: u32,
    /// The index of the first row in the array.
    start: usize,
    rows: usize,
}

impl RowsOfLeaves {
    /// Returns the rows of a tree with a single leaf, which are all rows.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] if the tally is wrong.
    pub fn of_one(rows: &dyn Rows) -> Result<Self> {
        let mut lists = RowLists::new(rows, &|| false, None)?;
        let leaf = lists.root().runs();
        Ok(lists.into_leaf_rows(vec![leaf]))
    }

    /// Returns the rows of leaf number `leaf` with their classes. Their order is unspecified.
    pub fn of(&self, leaf: usize) -> impl Iterator<Item = (u8, RowIds<'_>)> {
        let piece = |run: &RowRange| {
            let numbers = &self.lists.arrays[usize::from(run.array)][run.start..][..run.rows];
            (run.class, self.lists.shards.numbered(run.shard as usize, numbers))
        };
        self.leaves[leaf].iter().map(piece)
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        self.leaves.len()
    }
}

impl RowLists {
    /// Lists all rows.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if `scratch` has no room for them; [`ErrorKind::Mismatch`] if the tally is wrong.
    pub(super) fn new(rows: &dyn Rows, stop: Stop<'_>, scratch: Option<&Path>) -> Result<Self> {
        let tally = rows.tally();
        let shards = IdShards::of(rows);
        let count = tally.iter().sum::<u64>() as usize;
        let mut arrays = [Array::new(count, scratch)?, Array::new(count, scratch)?];
        let mut left: Vec<&mut [u32]> = Vec::with_capacity(tally.len());
        let mut rest = &mut arrays[0][..];
        for &count in &tally {
            left.push(rest.split_off_mut(..count as usize).unwrap_or_default());
        }
        let mut groups = vec![0; tally.len() * shards.count];
        let slices: Vec<usize> = (0..rows.slices()).collect();
        for batch in slices.chunks(2 * rayon::current_num_threads()) {
            let numbers = |&slice: &usize| {
                let mut numbers = vec![Vec::new(); tally.len()];
                if !stop() {
                    let base = (((slice % shards.slices) as u64) << rows.number_bits()) as u32;
                    rows.visit(slice, &mut |number| {
                        numbers[usize::from(rows.class(slice, number))].push(base + number);
                    });
                }
                numbers
            };
            let listed: Vec<Vec<Vec<u32>>> = batch.par_iter().map(numbers).collect();
            for (slice, numbers) in batch.iter().zip(listed) {
                for (class, (left, numbers)) in left.iter_mut().zip(numbers).enumerate() {
                    left.split_off_mut(..numbers.len()).ok_or_else(miscounted)?.copy_from_slice(&numbers);
                    groups[class * shards.count + slice / shards.slices] += numbers.len() as u64;
                }
            }
        }
        if left.iter().any(|left| !left.is_empty()) && !stop() {
            return Err(miscounted());
        }
        Ok(RowLists { arrays, groups, shards })
    }

    /// The partition of all rows.
    pub(super) fn root(&mut self) -> RowPartition<'_> {
        let [here, there] = &mut self.arrays;
        RowPartition { here, there, groups: self.groups.clone(), shards: self.shards, array: 0, start: 0 }
    }

    /// Returns the rows of leaves; `leaves` has the runs of each leaf, in preorder.
    pub(super) fn into_leaf_rows(self, leaves: Vec<Vec<RowRange>>) -> RowsOfLeaves {
        RowsOfLeaves { lists: self, leaves }
    }
}

fn miscounted() -> Error {
    Error::new(ErrorKind::Mismatch, "the number of rows of a class is not that of the tally")
}

/// A node of the growing tree with the rows that reach it.
pub(super) struct RowPartition<'a> {
    /// The row numbers, sorted by class and shard.
    here: &'a mut [u32],
    /// The same range of the other array.
    there: &'a mut [u32],
    /// The number of rows of each class and shard, class by class.
    groups: Vec<u64>,
    shards: IdShards,
    /// The number of the array that has `here`, and the index in this array at which `here` starts.
    array: u8,
    start: usize,
}

/// A sample of the rows of one class and shard.
pub(super) struct Sample {
    first_slice: usize,
    numbers: Vec<u32>,
}

impl Sample {
    pub(super) fn numbered(&self) -> RowIds<'_> {
        RowIds { first_slice: self.first_slice, numbers: &self.numbers }
    }
}

impl<'a> RowPartition<'a> {
    /// The number of rows of each class.
    pub(super) fn tally(&self) -> Vec<u64> {
        self.groups.chunks(self.shards.count).map(|of_class| of_class.iter().sum()).collect()
    }

    pub(super) fn rows(&self) -> usize {
        self.here.len()
    }

    /// Returns all rows, by class and shard.
    pub(super) fn lists(&self) -> Vec<Vec<RowIds<'_>>> {
        let mut rest = &*self.here;
        let mut list = |(shard, &count): (usize, &u64)| {
            self.shards.numbered(shard, rest.split_off(..count as usize).unwrap_or_default())
        };
        let of_class = |groups: &[u64]| groups.iter().enumerate().map(&mut list).collect();
        self.groups.chunks(self.shards.count).map(of_class).collect()
    }

    /// The class and the shard of a group.
    fn group(&self, group: usize) -> (u8, u32) {
        ((group / self.shards.count) as u8, (group % self.shards.count) as u32)
    }

    /// Returns the runs of all rows, for a node that becomes a leaf.
    pub(super) fn runs(&self) -> Vec<RowRange> {
        let mut start = self.start;
        let run = |(group, &rows): (usize, &u64)| {
            let (rows, (class, shard)) = (rows as usize, self.group(group));
            start += rows;
            RowRange { class, array: self.array, shard, start: start - rows, rows }
        };
        self.groups.iter().enumerate().map(run).filter(|run| run.rows > 0).collect()
    }

    /// Sorts the rows by leaf and returns the runs of each of the `count` leaves. `leaves` has the leaf of each row, by class.
    pub(super) fn sort(mut self, leaves: &[Vec<u32>], count: usize) -> Vec<Vec<RowRange>> {
        let mut runs = vec![Vec::new(); count];
        let (mut rest, mut start) = (std::mem::take(&mut self.here), self.start);
        let mut left: Vec<&[u32]> = leaves.iter().map(Vec::as_slice).collect();
        for (group, &rows) in self.groups.iter().enumerate() {
            let (class, shard) = self.group(group);
            let numbers = rest.split_off_mut(..rows as usize).unwrap_or_default();
            let leaf_of = left[usize::from(class)].split_off(..rows as usize).unwrap_or_default();
            for (leaf, rows) in sort_by(numbers, leaf_of, count).into_iter().enumerate() {
                if rows > 0 {
                    let rows = rows as usize;
                    runs[leaf].push(RowRange { class, array: self.array, shard, start, rows });
                    start += rows;
                }
            }
        }
        runs
    }

    /// Returns a sample: one in `steps[c]` of the rows of class c, evenly spread.
    pub(super) fn sample(&self, steps: &[usize]) -> Vec<Vec<Sample>> {
        let pick = |(number, block): (usize, &[u32])| {
            // A varying index in the block, so that no part of a variable is favoured.
            let at = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            block[(at as usize * block.len()) >> 32]
        };
        let sample = |(pieces, &step): (Vec<RowIds<'_>>, &usize)| {
            let of_piece = |piece: &RowIds<'_>| {
                let numbers = piece.numbers.chunks(step).enumerate().map(pick).collect();
                Sample { first_slice: piece.first_slice, numbers }
            };
            pieces.iter().map(of_piece).collect()
        };
        self.lists().into_iter().zip(steps).map(sample).collect()
    }

    /// Returns the partitions of the `ends` leaves of `router`, each with the rows that reach it.
    pub(super) fn partition_by(
        self,
        (rows, stop): (&dyn Rows, Stop<'_>),
        ends: usize,
        router: &Router,
    ) -> Vec<RowPartition<'a>> {
        let RowPartition { here, there, groups, shards, array, mut start } = self;
        let mut chunks: Vec<(usize, &mut [u32])> = Vec::new();
        // The first chunk of each group, and the end of the last.
        let mut starts = vec![0];
        let mut rest = &mut *here;
        for (group, &count) in groups.iter().enumerate() {
            let list = rest.split_off_mut(..count as usize).unwrap_or_default();
            chunks.extend(list.chunks_mut(CHUNK).map(|chunk| (group % shards.count * shards.slices, chunk)));
            starts.push(chunks.len());
        }
        let sort = |(first_slice, chunk): &mut (usize, &mut [u32])| {
            sort_by_end((rows, stop), (*first_slice, chunk), ends, router)
        };
        let counts: Vec<Vec<u32>> = chunks.par_iter_mut().map(sort).collect();
        // The pieces in the order of the other array: by end, group and chunk.
        let mut sorted: Vec<&[u32]> = chunks.into_iter().map(|(_, chunk)| &*chunk).collect();
        let mut pieces: Vec<(&mut [u32], &[u32])> = Vec::new();
        let mut room = &mut *there;
        let mut groups_of_ends = vec![vec![0; groups.len()]; ends];
        for (end, groups) in groups_of_ends.iter_mut().enumerate() {
            for (group, sum) in groups.iter_mut().enumerate() {
                for chunk in starts[group]..starts[group + 1] {
                    let count = counts[chunk][end] as usize;
                    if count > 0 {
                        let piece = sorted[chunk].split_off(..count).unwrap_or_default();
                        pieces.push((room.split_off_mut(..count).unwrap_or_default(), piece));
                        *sum += count as u64;
                    }
                }
            }
        }
        pieces.into_par_iter().for_each(|(room, piece)| room.copy_from_slice(piece));
        let (mut here, mut there) = (there, here);
        let partition = |groups: Vec<u64>| {
            let count = groups.iter().sum::<u64>() as usize;
            let [here, there] =
                [&mut here, &mut there].map(|array| array.split_off_mut(..count).unwrap_or_default());
            start += count;
            RowPartition { here, there, groups, shards, array: 1 - array, start: start - count }
        };
        groups_of_ends.into_iter().map(partition).collect()
    }
}

/// Sorts row numbers by the leaf of `router` that each row reaches, and returns the number of rows of each leaf.
fn sort_by_end(
    (rows, stop): (&dyn Rows, Stop<'_>),
    (first_slice, numbers): (usize, &mut [u32]),
    ends: usize,
    router: &Router,
) -> Vec<u32> {
    let mut keys = vec![0; numbers.len()];
    if !stop() {
        rows.for_rows(RowIds { first_slice, numbers }, &mut |at, part| keys[at] = router.leaf(part));
    }
    sort_by(numbers, &keys, ends)
}

/// Sorts the numbers by their keys, which are below `count`, and returns how often each key occurs. The sort is stable.
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
