//! The trait of a function given by rows.

use rayon::prelude::*;

/// Row numbers relative to a slice. A row of slice `first_slice + i` has the number `i << number_bits` plus its number in the
/// slice.
#[derive(Clone, Copy, Debug)]
pub struct RowIds<'a> {
    /// The slice from which numbers count.
    pub first_slice: usize,
    /// The numbers, in any order.
    pub numbers: &'a [u32],
}

/// Returns the part of a variable in a row.
pub type Parts<'a> = &'a dyn Fn(usize) -> u8;

/// The rows of a function: care minterms with their classes. They are divided into slices that can be visited independently. Rows
/// need not be in memory: each call may compute them.
///
/// Two rows may have the same parts and different classes. No cube separates them, so one of them is an exception.
pub trait Rows: Sync {
    /// The number of parts of each variable: 1 to 64, ordered.
    fn parts(&self) -> &[u8];

    /// The number of classes, 1 to 255.
    fn classes(&self) -> usize;

    /// The number of slices.
    fn slices(&self) -> usize;

    /// The bits of a row's number in its slice, at most 32. Some numbers may be unused.
    fn number_bits(&self) -> u32;

    /// Calls `visit` with the number of each row of slice number `slice`: always the same rows in the same order.
    fn visit(&self, slice: usize, visit: &mut dyn FnMut(u32));

    /// Returns the class of row number `number` in slice number `slice`: a number below [`Rows::classes`].
    ///
    /// # Panics
    /// May panic for a number that [`Rows::visit`] does not visit.
    fn class(&self, slice: usize, number: u32) -> u8;

    /// Calls `visit` with the index of each row in `rows` and its parts.
    fn for_rows(&self, rows: RowIds<'_>, visit: &mut dyn FnMut(usize, Parts<'_>));

    /// Writes the part of variable v in the row with index i in `rows` to `columns[v * stride + i]`. Override it if many rows at
    /// once take less time.
    fn columns(&self, rows: RowIds<'_>, columns: &mut [u8], stride: usize) {
        let variables = self.parts().len();
        self.for_rows(rows, &mut |at, part| {
            (0..variables).for_each(|variable| columns[variable * stride + at] = part(variable));
        });
    }

    /// Returns the number of rows of each class. Override it if that is known.
    fn tally(&self) -> Vec<u64> {
        tally(self)
    }

    /// Returns the number of rows.
    fn count(&self) -> u64 {
        self.tally().iter().sum()
    }
}

/// Counts the rows of each class in several threads.
pub fn tally(rows: &(impl Rows + ?Sized)) -> Vec<u64> {
    let in_slice = |slice| {
        let mut tally = vec![0; rows.classes()];
        rows.visit(slice, &mut |number| tally[usize::from(rows.class(slice, number))] += 1);
        tally
    };
    let sum = |a: Vec<u64>, b: Vec<u64>| a.iter().zip(b).map(|(a, b)| a + b).collect();
    (0..rows.slices()).into_par_iter().map(in_slice).reduce(|| vec![0; rows.classes()], sum)
}
