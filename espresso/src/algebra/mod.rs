//! Covers as sets of minterms: union, intersection, difference, containment, and equivalent forms of one set.
//!
//! Functions that may take long take a [`Monitor`] for progress and cancellation. Results can be as large as the product of
//! the arguments, or exponential; a result that does not fit into the available memory is an error.
//!
//! # Source
//! The subcommands of Berkeley's program; Brayton et al. 1984, chapter 3.
//! New bytes (see ARCHITECTURE.md): any cover of the same minterms is right.

mod disjoint;
mod equivalent_outputs;
mod free_variable;
mod karnaugh;
mod minterms;
mod prime_table;
mod primes;
mod single_steps;

pub use disjoint::{disjoint, disjoint_sharp};
pub use equivalent_outputs::{Equivalence, equivalent_outputs};
pub use free_variable::free_variable;
pub use karnaugh::{MOST_MAPPED, karnaugh_maps};
pub use minterms::minterms;
pub use prime_table::PrimeTable;
pub use primes::primes;
pub use single_steps::{essential_primes, merge_variables};

use crate::coverage::cube_index::contained;
use crate::cube::bits::count;
use crate::cube::cube_algebra::CubeAlgebra;
use crate::steps::budget::Budget;
use crate::steps::complement::{complement_limited, sharp_limited};
use crate::{Cover, Error, ErrorKind, Monitor, Result, Space};

/// Fails with [`ErrorKind::Mismatch`] unless both covers are over the same space.
fn one_space(a: &Cover, b: &Cover) -> Result<()> {
    if a.space() == b.space() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Mismatch, "the two covers are over different spaces"))
}

/// Returns the cubes of `cover` that are not within another cube (single-cube containment), the largest first. Of equal
/// cubes one remains; empty ones are dropped.
///
/// Deterministic. O(|F|) words for each cube in the worst case; usually far less, because of an index.
///
/// # Errors
/// [`ErrorKind::Cancelled`] when the callback breaks.
///
/// # Example
/// ```
/// use espresso::{Monitor, Pla, algebra};
/// let pla = Pla::parse(".i 2\n.o 1\n11 1\n1- 1\n01 1\n")?;
/// let kept = algebra::contain(&pla.on, Monitor::default())?;
/// assert_eq!(kept, Pla::parse(".i 2\n.o 1\n1- 1\n01 1\n")?.on);
/// # Ok::<(), espresso::Error>(())
/// ```
pub fn contain(cover: &Cover, monitor: Monitor<'_>) -> Result<Cover> {
    let budget = Budget::new(None, monitor);
    let mut sorted: Vec<&[u64]> = cover.iter().filter(|cube| !cover.space().is_empty(cube)).collect();
    sorted.sort_by_key(|cube| std::cmp::Reverse(count(cube)));
    let stage = budget.of_cubes("contain", sorted.len());
    let cubes = sorted.concat();
    let is_within = contained(&CubeAlgebra::new(cover.space()), &cubes, |i| stage.spend(0, i))?;
    let mut kept = Cover::from_words(cover.space(), cubes);
    kept.retain(|i, _| !is_within[i]);
    Ok(kept)
}

/// Returns the cubes of both covers, without cubes within another one.
///
/// # Errors
/// [`ErrorKind::Mismatch`] for covers over different spaces; [`ErrorKind::Cancelled`] when the callback breaks.
pub fn union(a: &Cover, b: &Cover, monitor: Monitor<'_>) -> Result<Cover> {
    one_space(a, b)?;
    contain(&a.with(b), monitor)
}

/// Returns the intersections of each cube of `a` with each cube of `b`, without cubes within another one.
///
/// Deterministic. O(|A| · |B|) words.
///
/// # Errors
/// [`ErrorKind::Mismatch`] for covers over different spaces; [`ErrorKind::Cancelled`] when the callback breaks;
/// [`ErrorKind::Unsupported`] when the cubes do not fit into memory.
///
/// # Example
/// ```
/// use espresso::{Monitor, Pla, algebra};
/// let [a, b] = ["1-", "-1"].map(|inputs| Pla::parse(&format!(".i 2\n.o 1\n{inputs} 1\n")));
/// let both = algebra::intersect(&a?.on, &b?.on, Monitor::default())?;
/// assert_eq!(both, Pla::parse(".i 2\n.o 1\n11 1\n")?.on);
/// # Ok::<(), espresso::Error>(())
/// ```
pub fn intersect(a: &Cover, b: &Cover, monitor: Monitor<'_>) -> Result<Cover> {
    one_space(a, b)?;
    let budget = Budget::in_memory(None, monitor);
    let stage = budget.of_cubes("intersect", a.len());
    let mut words = Vec::new();
    let mut contained_at = 1 << 16;
    for (i, cube) in a.iter().enumerate() {
        for other in b {
            if a.space().intersects(cube, other) {
                let from = words.len();
                words.extend_from_slice(cube);
                Space::meet(&mut words[from..], other);
            }
        }
        stage.expect_room(words.len())?;
        stage.spend(b.len() as u64, i)?;
        stage.report(i)?;
        if words.len() / a.space().words() > contained_at {
            words = contain(&Cover::from_words(a.space(), words), monitor)?.into_words();
            contained_at = contained_at.max(2 * words.len() / a.space().words());
        }
    }
    contain(&Cover::from_words(a.space(), words), monitor)
}

/// Returns a cover of the minterms of `a` that are not in `b`, without cubes within another one.
///
/// # Errors
/// [`ErrorKind::Mismatch`] for covers over different spaces; [`ErrorKind::Cancelled`] when the callback breaks;
/// [`ErrorKind::Unsupported`] when it does not fit into memory.
pub fn sharp(a: &Cover, b: &Cover, monitor: Monitor<'_>) -> Result<Cover> {
    one_space(a, b)?;
    contain(&sharp_limited(a, b, &Budget::in_memory(None, monitor))?, monitor)
}

/// Returns a cover of the minterms in exactly one of the two covers.
///
/// # Errors
/// As [`sharp`].
pub fn xor(a: &Cover, b: &Cover, monitor: Monitor<'_>) -> Result<Cover> {
    union(&sharp(a, b, monitor)?, &sharp(b, a, monitor)?, monitor)
}

/// Returns a cover of all minterms of the space, outputs included, that are not in `cover`.
///
/// # Errors
/// [`ErrorKind::Cancelled`] when the callback breaks; [`ErrorKind::Unsupported`] when it does not fit into memory.
///
/// # Source
/// Brayton et al. 1984, section 4.2.
pub fn complement(cover: &Cover, monitor: Monitor<'_>) -> Result<Cover> {
    complement_limited(cover, &Budget::in_memory(None, monitor))
}

/// Returns the cubes in the order of Berkeley's program: as numbers whose highest bit is the last part, the greatest first.
pub fn lexical_sort(cover: &Cover) -> Cover {
    let mut cubes: Vec<&[u64]> = cover.iter().collect();
    cubes.sort_by(|a, b| b.iter().rev().cmp(a.iter().rev()));
    Cover::from_words(cover.space(), cubes.concat())
}

#[cfg(test)]
mod laws;
