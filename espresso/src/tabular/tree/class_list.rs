//! The class list (Mehta, Agrawal and Rissanen 1996, *SLIQ*): what is held of all rows of a function that are too many to be
//! held whole. Of each row it has the class and how far down a tree it has come, in four bytes. A row itself is computed
//! when it is asked for. A function that goes over all rows asks before each slice whether to go on; if not, it leaves the
//! other slices out, and its result is of no use.

use super::node_rows::ClassRows;
use super::{Storage, Words};
use crate::tabular::{Row, Rows};
use rayon::prelude::*;
use std::cell::Cell;
use std::io;
use std::ops::Range;

/// Whether what is done is not wanted any more.
pub(super) type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// A place in a tree: its number among those that were ever made.
pub(super) type Place = usize;

/// Rows of a sample, at most.
const SAMPLE: u64 = 1 << 20;
/// Of so many rows a sample has one, at least where the place has many.
const STEP: u64 = 16;
/// Stretches of slices, so that threads finish together.
const STRETCHES: usize = 512;
/// Bits of a class in what is held of a row.
const CLASS_BITS: u32 = 3;

/// Which rows of a place are taken.
pub(super) struct Sample {
    /// One of so many, by class.
    pub(super) steps: Vec<u64>,
    /// About how many that are.
    pub(super) rows: u64,
}

impl Sample {
    pub(super) fn all(tally: &[u32]) -> Self {
        Self::new(tally, u64::MAX)
    }

    /// One row in [`STEP`], at most `most`.
    pub(super) fn of(tally: &[u32], most: u64) -> Self {
        let rows: u64 = tally.iter().map(|&count| u64::from(count)).sum();
        Self::new(tally, (rows / STEP).min(SAMPLE).min(most) / tally.len() as u64)
    }

    /// A sample of up to `room` rows of each class.
    fn new(tally: &[u32], room: u64) -> Self {
        let step = |&count: &u32| u64::from(count).div_ceil(room.max(1)).max(1);
        let steps: Vec<u64> = tally.iter().map(step).collect();
        let rows = tally.iter().zip(&steps).map(|(&count, step)| u64::from(count) / step).sum();
        Sample { steps, rows }
    }

    /// Whether row number `row`, of `class`, is in it.
    fn takes(&self, class: usize, row: u64) -> bool {
        let step = self.steps[class];
        // Spread by multiplication, so that no part of a variable is favoured.
        step == 1 || (row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32).is_multiple_of(step)
    }
}

/// The class and the place of every row.
pub(super) struct ClassList {
    stretches: Vec<Stretch>,
}

/// The rows of some slices that follow each other.
struct Stretch {
    slices: Range<usize>,
    lengths: Vec<u32>,
    /// Rows of the stretches before.
    before: u64,
    /// Of each row the class, below [`CLASS_BITS`], and the place that it has come to, above them.
    entries: Words,
}

fn class_of(entry: u32) -> usize {
    (entry & ((1 << CLASS_BITS) - 1)) as usize
}

fn place_of(entry: u32) -> Place {
    (entry >> CLASS_BITS) as usize
}

impl Stretch {
    /// Calls `visit` with each row that `wanted` wants of its number in the stretch and its entry. What `visit` returns
    /// is the place to which the row goes on.
    fn pick(
        &mut self,
        (rows, stop): (&dyn Rows, Stop<'_>),
        wanted: impl Fn(u64, u32) -> bool,
        mut visit: impl FnMut(u64, u32, &dyn Row) -> Place,
    ) {
        let mut start = 0;
        for (slice, &length) in self.slices.clone().zip(&self.lengths) {
            if stop() {
                return;
            }
            let entries = Cell::from_mut(&mut self.entries[start..][..length as usize]).as_slice_of_cells();
            let first = self.before + start as u64;
            let is_wanted = |number: usize| wanted(first + number as u64, entries[number].get());
            if (0..entries.len()).any(is_wanted) {
                rows.pick(slice, &mut |number| is_wanted(number), &mut |number, row| {
                    let entry = entries[number].get();
                    let place = visit(first + number as u64, entry, row);
                    entries[number].set((place as u32) << CLASS_BITS | class_of(entry) as u32);
                });
            }
            start += length as usize;
        }
    }
}

impl ClassList {
    /// Looks at the class of every row.
    ///
    /// # Errors
    /// When `storage`, memory if there is none, has no room for them.
    pub(super) fn new(rows: &dyn Rows, stop: Stop<'_>, storage: Option<&dyn Storage>) -> io::Result<Self> {
        let slices = rows.slices();
        let count = slices.clamp(1, STRETCHES);
        let stretch = |number: usize| {
            let slices = slices * number / count..slices * (number + 1) / count;
            let (mut lengths, mut entries) = (Vec::with_capacity(slices.len()), Vec::new());
            for slice in slices.clone() {
                let before = entries.len();
                if !stop() {
                    rows.visit(slice, &mut |row| entries.push(row.class().into()));
                }
                lengths.push((entries.len() - before) as u32);
            }
            entries.shrink_to_fit();
            let entries = match storage {
                Some(storage) => storage.keep(entries)?,
                None => Box::new(entries),
            };
            Ok(Stretch { slices, lengths, before: 0, entries })
        };
        let mut stretches: Vec<Stretch> =
            (0..count).into_par_iter().map(stretch).collect::<io::Result<_>>()?;
        let mut rows = 0;
        for stretch in &mut stretches {
            stretch.before = rows;
            rows += stretch.entries.len() as u64;
        }
        Ok(ClassList { stretches })
    }

    pub(super) fn tally(&self, classes: usize) -> Vec<u32> {
        let mut tally = vec![0; classes];
        for stretch in &self.stretches {
            stretch.entries.iter().for_each(|&entry| tally[class_of(entry)] += 1);
        }
        tally
    }

    /// Sends each row at a place of which `goes_on` says so to the place that `walk` gives; returns how many rows of each
    /// class stand at each of the `places` places then.
    pub(super) fn route(
        &mut self,
        (rows, stop): (&dyn Rows, Stop<'_>),
        places: usize,
        goes_on: impl Fn(Place) -> bool + Sync,
        walk: impl Fn(Place, &dyn Row) -> Place + Sync,
    ) -> Vec<u32> {
        let classes = rows.classes();
        let goes_on: Vec<bool> = (0..places).map(goes_on).collect();
        let none = || vec![0_u32; places * classes];
        let counts = self.stretches.par_iter_mut().fold(none, |mut counts, stretch| {
            stretch.pick(
                (rows, stop),
                |_, entry| goes_on[place_of(entry)],
                |_, entry, row| walk(place_of(entry), row),
            );
            for &entry in stretch.entries.iter() {
                counts[place_of(entry) * classes + class_of(entry)] += 1;
            }
            counts
        });
        counts.reduce(none, |mut all, some| {
            all.iter_mut().zip(some).for_each(|(all, some)| *all += some);
            all
        })
    }

    /// Gathers the rows of each place of `batch` that its sample takes, by stretch, and by place and class where the
    /// stretch has any; there are `places` places.
    pub(super) fn gather(
        &mut self,
        (rows, stop): (&dyn Rows, Stop<'_>),
        batch: &[(Place, Sample)],
        places: usize,
    ) -> Vec<Vec<ClassRows>> {
        let (variables, classes) = (rows.parts().len(), rows.classes());
        let mut groups = vec![None; places];
        batch.iter().enumerate().for_each(|(group, (place, _))| groups[*place] = Some(group));
        let group = |row, entry| {
            let (place, class) = (place_of(entry), class_of(entry));
            let group = groups[place].filter(|&group: &usize| batch[group].1.takes(class, row));
            group.map(|group| group * classes + class)
        };
        let gather = |stretch: &mut Stretch| {
            let mut sizes = vec![0; batch.len() * classes];
            for (row, &entry) in (stretch.before..).zip(stretch.entries.iter()) {
                if let Some(kind) = group(row, entry) {
                    sizes[kind] += 1;
                }
            }
            if sizes.iter().all(|&size| size == 0) {
                return Vec::new();
            }
            let mut kinds: Vec<ClassRows> =
                sizes.into_iter().map(|size| ClassRows::with_capacity(size, variables)).collect();
            stretch.pick(
                (rows, stop),
                |row, entry| group(row, entry).is_some(),
                |number, entry, row| {
                    if let Some(kind) = group(number, entry) {
                        kinds[kind].push(row, variables);
                    }
                    place_of(entry)
                },
            );
            kinds
        };
        self.stretches.par_iter_mut().map(gather).collect()
    }
}
