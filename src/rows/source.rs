//! Where the rows of a function come from.

/// One care minterm: a part for each variable, and the class that it belongs to.
pub trait Row {
    /// Returns the part of variable number `variable`. May compute it.
    fn part(&self, variable: usize) -> u8;

    /// Writes the parts of all variables into `parts`, one element each.
    fn parts(&self, parts: &mut [u8]);

    /// The class: a number below [`Rows::classes`].
    fn class(&self) -> u8;

    /// The row's number in its slice.
    fn number(&self) -> u32;
}

/// Rows by number, from a slice on: the number of a row of slice `first_slice + i` is `i << number_bits` and its number
/// in the slice.
#[derive(Clone, Copy, Debug)]
pub struct Numbered<'a> {
    /// The slice from which numbers count.
    pub first_slice: usize,
    /// The numbers, in any order.
    pub numbers: &'a [u32],
}

/// The rows of a function, in an order of their own, cut into slices that may be visited independently. They need not be
/// held anywhere: visiting a slice may compute its rows.
///
/// Two rows may have the same part in every variable and yet different classes: then no cube tells them apart, and one
/// of them is an exception.
pub trait Rows: Sync {
    /// The number of parts of each variable: 1 to 64, ordered.
    fn parts(&self) -> &[u8];

    /// The number of classes, 1 to 255.
    fn classes(&self) -> usize;

    /// The number of slices.
    fn slices(&self) -> usize;

    /// Bits of a row's number in its slice, at most 32. Not every number need be a row's.
    fn number_bits(&self) -> u32;

    /// Calls `visit` for each row of slice number `slice`, in order. Always the same rows.
    fn visit(&self, slice: usize, visit: &mut dyn FnMut(&dyn Row));

    /// Calls `visit` with each of the rows, which were visited before, and its place among `rows`. Its class is not asked
    /// for.
    fn pick(&self, rows: Numbered<'_>, visit: &mut dyn FnMut(usize, &dyn Row));

    /// Writes the parts of the rows: that of the variable v of row number i in `rows` to `columns[v * stride + i]`.
    /// Overridden where many rows at once take less.
    fn columns(&self, rows: Numbered<'_>, columns: &mut [u8], stride: usize) {
        let mut parts = vec![0; self.parts().len()];
        self.pick(rows, &mut |number, row| {
            row.parts(&mut parts);
            parts.iter().enumerate().for_each(|(variable, &part)| columns[variable * stride + number] = part);
        });
    }

    /// Returns how many rows there are of each class. Overridden where it is known.
    fn tally(&self) -> Vec<u64> {
        let mut tally = vec![0; self.classes()];
        (0..self.slices())
            .for_each(|slice| self.visit(slice, &mut |row| tally[usize::from(row.class())] += 1));
        tally
    }

    /// Returns the number of rows.
    fn count(&self) -> u64 {
        self.tally().iter().sum()
    }
}
