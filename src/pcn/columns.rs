//! Clauses turned into columns of bytes, which compress better than rows of words: a column holds the same few
//! literals of every clause, so a few of its values are frequent, and the first columns of sorted clauses run.
//!
//! Neighbouring two-part variables share a column, up to three of them: a literal is one of three, so a byte counts
//! in base 3. A variable with more parts has a column for each eight of its parts.

use super::{Clauses, Layout};
use crate::error::{Error, Result};

/// The two-part variables that share a column. Three measured best: more make rare values, fewer lose what
/// neighbouring bits of a square know of each other.
const SHARED: usize = 3;

/// What a column holds of each clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    /// The literals of `count` two-part variables from number `first` on, less 1 each, as digits in base 3, the
    /// first variable's the most significant.
    Digits { first: usize, count: usize },
    /// Eight bits of the literal of a variable, from bit `shift` on.
    Bits { variable: usize, shift: usize },
}

/// Returns the columns of clauses of `layout`, in order.
fn columns(layout: &Layout) -> Vec<Column> {
    let mut columns = Vec::new();
    for (number, variable) in layout.variables().iter().enumerate() {
        if variable.parts > 2 {
            let shifts = (0..variable.parts).step_by(8);
            columns.extend(shifts.map(|shift| Column::Bits { variable: number, shift }));
        } else if let Some(Column::Digits { count, .. }) = columns.last_mut()
            && *count < SHARED
        {
            *count += 1;
        } else {
            columns.push(Column::Digits { first: number, count: 1 });
        }
    }
    columns
}

/// Returns the number of columns of clauses of `layout`.
pub(super) fn count(layout: &Layout) -> usize {
    columns(layout).len()
}

/// Returns the columns of `clauses` one after the other, a byte for each clause in each.
pub(super) fn write(layout: &Layout, clauses: &Clauses) -> Vec<u8> {
    let columns = columns(layout);
    let mut bytes = Vec::with_capacity(columns.len() * clauses.len());
    for column in columns {
        bytes.extend(clauses.iter().map(|clause| {
            match column {
                Column::Digits { first, count } => (first..first + count)
                    .fold(0, |byte, variable| 3 * byte + (layout.literal(clause, variable) as u8 - 1)),
                Column::Bits { variable, shift } => (layout.literal(clause, variable) >> shift) as u8,
            }
        }));
    }
    bytes
}

/// Returns the words of the clauses whose columns stand in `bytes`, a whole number of clauses. The result may have
/// empty literals of variables with more than two parts; [`Pcn::new`](super::Pcn::new) finds those.
///
/// # Errors
/// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when a column has a value that it cannot have.
pub(super) fn read(layout: &Layout, bytes: &[u8]) -> Result<Vec<u64>> {
    let columns = columns(layout);
    let (width, clauses) = (layout.words(), bytes.len() / columns.len());
    let mut words = vec![0; clauses * width];
    for (number, (&column, bytes)) in columns.iter().zip(bytes.chunks_exact(clauses)).enumerate() {
        let bad = |byte| Error::corrupt(format!("column {number} has the value {byte}"));
        for (clause, &byte) in words.chunks_exact_mut(width).zip(bytes) {
            match column {
                Column::Digits { first, count } => {
                    let mut rest = byte;
                    for variable in (first..first + count).rev() {
                        layout.set_literal(clause, variable, u64::from(rest % 3 + 1));
                        rest /= 3;
                    }
                    if rest != 0 {
                        return Err(bad(byte));
                    }
                }
                Column::Bits { variable, shift } => {
                    if u64::from(byte) & !(layout.full(variable) >> shift) != 0 {
                        return Err(bad(byte));
                    }
                    let literal = layout.literal(clause, variable);
                    layout.set_literal(clause, variable, literal | u64::from(byte) << shift);
                }
            }
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::super::layout::tests::layout;
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn columns_share_three_pairs_at_most_and_none_across_a_wide_variable() {
        let digits = |first, count| Column::Digits { first, count };
        let bits = |variable, shift| Column::Bits { variable, shift };
        assert_eq!(columns(&layout(&[2; 7])), [digits(0, 3), digits(3, 3), digits(6, 1)]);
        assert_eq!(columns(&layout(&[2, 2, 9, 2])), [digits(0, 2), bits(2, 0), bits(2, 8), digits(3, 1)]);
    }

    #[test]
    fn values_that_a_column_cannot_have_are_refused() {
        let layout = layout(&[2, 2, 2, 2, 10]);
        let refused = |bytes: [u8; 4]| read(&layout, &bytes).unwrap_err().kind() == ErrorKind::Corrupt;
        assert!(read(&layout, &[26, 2, 255, 3]).is_ok());
        assert!(refused([27, 2, 255, 3]) && refused([26, 3, 255, 3]) && refused([26, 2, 255, 4]));
    }
}
