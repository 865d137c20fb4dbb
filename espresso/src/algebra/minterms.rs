//! Splits cubes into minterms, in all or some variables.

use crate::steps::budget::Budget;
use crate::{Cover, Error, ErrorKind, Monitor, Result, Space};
use std::ops::Range;

/// Returns the cubes of `cover`, split so that each cube has just one part of each of these variables. The result is sorted by
/// words and has no repeats. The output variable is the last one.
///
/// Deterministic. The pieces of a cube are as many as the product of the sizes of its literals in these variables.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if the cubes, repeats included, do not fit into memory, which is checked in advance;
/// [`ErrorKind::Cancelled`] if the callback breaks.
///
/// # Panics
/// When there is no such variable.
///
/// # Example
/// ```
/// use espresso::{Monitor, Pla, algebra};
/// let pla = Pla::parse(".i 2\n.o 1\n1- 1\n-1 1\n")?;
/// assert_eq!(algebra::minterms(&pla.on, 0..3, Monitor::default())?.len(), 3);
/// # Ok::<(), espresso::Error>(())
/// ```
pub fn minterms(cover: &Cover, variables: Range<usize>, monitor: Monitor<'_>) -> Result<Cover> {
    let space = cover.space();
    let budget = Budget::in_memory(None, monitor);
    let stage = budget.of_cubes("minterms", cover.len());
    let chosen = &space.variables()[variables];
    let cubes = || cover.iter().filter(|cube| !space.is_empty(cube));
    let count = |cube: &[u64]| {
        chosen.iter().try_fold(space.words(), |count, v| count.checked_mul(Space::literal_len(v, cube)))
    };
    let words = cubes().try_fold(0usize, |sum, cube| sum.checked_add(count(cube)?));
    let words = words.ok_or_else(|| Error::new(ErrorKind::Unsupported, "minterms: too many to count"))?;
    stage.expect_room(words)?;
    let mut result = Vec::with_capacity(words);
    for (i, cube) in cubes().enumerate() {
        stage.report(i)?;
        let mut pieces = cube.to_vec();
        for variable in chosen {
            let mut next = Vec::with_capacity(pieces.len());
            for piece in pieces.chunks_exact(space.words()) {
                for bit in variable.bits_in(piece) {
                    let from = next.len();
                    next.extend_from_slice(piece);
                    Space::keep_only(variable, &mut next[from..], bit);
                }
            }
            pieces = next;
            stage.report(i)?;
        }
        result.extend_from_slice(&pieces);
    }
    let mut result = Cover::from_words(space, result);
    result.normalize();
    Ok(result)
}
