//! Converts a binary input that encodes don't-cares into a DC-set.

use super::{contain, sharp, xor};
use crate::cube::cofactor::LiteralMask;
use crate::{Cover, Monitor, Result};

/// Removes binary input `v` from a cover. Returns F and D over the space without the input: F has the minterms that the cover
/// contains for both values of the input, D the minterms that it contains for one value only.
///
/// # Errors
/// [`Cancelled`](crate::ErrorKind::Cancelled) when the callback breaks; [`Unsupported`](crate::ErrorKind::Unsupported)
/// when the result does not fit into memory.
///
/// # Panics
/// When there is no such input.
///
/// # Source
/// Berkeley's subcommand `mapdc`.
pub fn free_variable(cover: &Cover, v: usize, monitor: Monitor<'_>) -> Result<[Cover; 2]> {
    let space = cover.space();
    assert!(v < space.binary_inputs(), "a binary input");
    let first = space.variables()[v].first;
    let side = |part: usize| {
        let mask = LiteralMask::single(space, v, first + part);
        Cover::from_words(space, mask.cofactor_of(cover.as_words(), space.words()))
    };
    let [zero, one] = [side(0), side(1)];
    let dc = xor(&zero, &one, monitor)?;
    let on = sharp(&contain(&zero, monitor)?, &dc, monitor)?;
    let smaller = space.resized(space.binary_inputs() - 1, space.outputs())?;
    let without = |cover: &Cover| {
        let left = || (0..v).chain(v + 1..space.variables().len()).zip(0..);
        Cover::from_words(
            &smaller,
            cover.iter().flat_map(|cube| space.moved(cube, &smaller, left())).collect(),
        )
    };
    Ok([without(&on), without(&dc)])
}
