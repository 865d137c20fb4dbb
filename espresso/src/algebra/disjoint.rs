//! The disjoint sharp: a difference whose cubes have no minterm in common.
//!
//! Follows Brayton et al. 1984, section 3.1. Cube a without cube b has one piece for each variable v in which b lacks parts
//! of a. The piece has these parts in v, the parts of both cubes in the variables before v, and the parts of a after v.

use super::one_space;
use crate::steps::budget::Budget;
use crate::{Cover, Monitor, Result, Space};

/// Returns a cover of the same minterms as `cover` in which no two cubes have a common minterm.
///
/// Deterministic. Exponential in the worst case: each earlier cube can split a piece into as many pieces as there are
/// variables.
///
/// # Errors
/// [`Cancelled`](crate::ErrorKind::Cancelled) if the callback breaks; [`Unsupported`](crate::ErrorKind::Unsupported)
/// if the cubes do not fit into memory.
///
/// # Example
/// ```
/// use espresso::{Monitor, Pla, algebra};
/// let pla = Pla::parse(".i 2\n.o 1\n1- 1\n-1 1\n")?;
/// let disjoint = algebra::disjoint(&pla.on, Monitor::default())?;
/// assert_eq!(disjoint, Pla::parse(".i 2\n.o 1\n1- 1\n01 1\n")?.on);
/// # Ok::<(), espresso::Error>(())
/// ```
pub fn disjoint(cover: &Cover, monitor: Monitor<'_>) -> Result<Cover> {
    let budget = Budget::in_memory(None, monitor);
    let mut result = Cover::new(cover.space());
    for cube in cover.iter().filter(|cube| !cover.space().is_empty(cube)) {
        let pieces = without(cover.space(), cube, &result, &budget)?;
        result.extend(&Cover::from_words(cover.space(), pieces));
    }
    Ok(result)
}

/// Returns a cover of the minterms of `a` that are not in `b`, in which no two cubes have a common minterm.
///
/// # Errors
/// [`Mismatch`](crate::ErrorKind::Mismatch) for covers over different spaces; otherwise as [`disjoint`].
pub fn disjoint_sharp(a: &Cover, b: &Cover, monitor: Monitor<'_>) -> Result<Cover> {
    one_space(a, b)?;
    let budget = Budget::in_memory(None, monitor);
    let mut words = Vec::new();
    for cube in a.iter().filter(|cube| !a.space().is_empty(cube)) {
        words.extend(without(a.space(), cube, b, &budget)?);
        budget.of_cubes("sharp", a.len()).expect_room(words.len())?;
    }
    disjoint(&super::contain(&Cover::from_words(a.space(), words), monitor)?, monitor)
}

/// The minterms of `cube` outside `cover`, as disjoint pieces.
fn without(space: &Space, cube: &[u64], cover: &Cover, budget: &Budget<'_>) -> Result<Vec<u64>> {
    let stage = budget.of_cubes("disjoint", cover.len());
    let mut pieces = cube.to_vec();
    for (i, other) in cover.iter().enumerate() {
        if !space.intersects(cube, other) {
            continue;
        }
        let mut next = Vec::new();
        for piece in pieces.chunks_exact(space.words()) {
            sharp_cube(space, piece, other, &mut next);
        }
        pieces = next;
        stage.expect_room(pieces.len())?;
        stage.report(i)?;
        stage.spend((pieces.len() / space.words()) as u64, i)?;
    }
    Ok(pieces)
}

/// Appends the pieces of cube `a` without cube `b`.
fn sharp_cube(space: &Space, a: &[u64], b: &[u64], pieces: &mut Vec<u64>) {
    if !space.intersects(a, b) {
        pieces.extend_from_slice(a);
        return;
    }
    let mut rest = a.to_vec();
    for variable in space.variables() {
        if variable.exceeds(a, b) {
            let from = pieces.len();
            pieces.extend_from_slice(&rest);
            for slot in &variable.slots {
                pieces[from + slot.word] &= !(b[slot.word] & slot.mask);
                rest[slot.word] &= b[slot.word] | !slot.mask;
            }
        }
    }
}
