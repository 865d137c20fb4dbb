//! The traits of a function given by rows.

/// A care minterm: a part for each variable, and its class.
pub trait Row {
    /// Returns the part of variable number `variable`, which may have to be computed.
    fn part(&self, variable: usize) -> u8;

    /// Writes the parts of all variables into `parts`, one element each. Override it if they are at hand.
    fn parts(&self, parts: &mut [u8]) {
        parts.iter_mut().enumerate().for_each(|(variable, part)| *part = self.part(variable));
    }

    /// The class: a number below [`Rows::classes`].
    fn class(&self) -> u8;

    /// The row's number in its slice.
    fn number(&self) -> u32;
}

/// Row numbers relative to a slice. A row of slice `first_slice + i` has the number `i << number_bits` plus its number in the
/// slice.
#[derive(Clone, Copy, Debug)]
pub struct RowIds<'a> {
    /// The slice from which numbers count.
    pub first_slice: usize,
    /// The numbers, in any order.
    pub numbers: &'a [u32],
}

/// The rows of a function, divided into slices that can be visited independently. Rows need not be in memory: visiting a
/// slice may compute them.
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

    /// Calls `visit` for each row of slice number `slice`: always the same rows in the same order.
    fn visit(&self, slice: usize, visit: &mut dyn FnMut(&dyn Row));

    /// Calls `visit` with each of `rows` and its index in them. All of them were visited before. `visit` does not ask for the
    /// class.
    fn for_rows(&self, rows: RowIds<'_>, visit: &mut dyn FnMut(usize, &dyn Row));

    /// Writes the part of variable v in the row with index i in `rows` to `columns[v * stride + i]`. Override it if many rows at
    /// once take less time.
    fn columns(&self, rows: RowIds<'_>, columns: &mut [u8], stride: usize) {
        let mut parts = vec![0; self.parts().len()];
        self.for_rows(rows, &mut |number, row| {
            row.parts(&mut parts);
            parts.iter().enumerate().for_each(|(variable, &part)| columns[variable * stride + number] = part);
        });
    }

    /// Returns the number of rows of each class. Override it if that is known.
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
