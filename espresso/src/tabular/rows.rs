//! Where the rows of a function come from.

/// One care minterm: a part for each variable, and the class that it belongs to.
pub trait Row {
    /// Returns the part of variable number `variable`. May be computed when it is asked for.
    fn part(&self, variable: usize) -> u8;

    /// Writes the parts of all variables into `parts`, one element each.
    fn parts(&self, parts: &mut [u8]);

    /// The class: a number below [`Rows::classes`].
    fn class(&self) -> u8;
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

    /// Calls `visit` for each row of slice number `slice`, in order. Always the same rows.
    fn visit(&self, slice: usize, visit: &mut dyn FnMut(&dyn Row));

    /// Calls `visit` with the number in the slice of each row of slice number `slice` that `wanted` wants of that number,
    /// and the row, in order. `wanted` is asked about every row, in order, once. Overridden where a row costs much and its
    /// number little.
    fn pick(
        &self,
        slice: usize,
        wanted: &mut dyn FnMut(usize) -> bool,
        visit: &mut dyn FnMut(usize, &dyn Row),
    ) {
        let mut number = 0;
        self.visit(slice, &mut |row| {
            if wanted(number) {
                visit(number, row);
            }
            number += 1;
        });
    }

    /// Returns the number of rows. Overridden where it is known.
    fn count(&self) -> u64 {
        let mut count = 0;
        (0..self.slices()).for_each(|slice| self.visit(slice, &mut |_| count += 1));
        count
    }
}
