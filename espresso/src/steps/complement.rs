//! The complement of a cover, and the sharp of two covers.
//!
//! Follows the unate recursive paradigm of Brayton et al. 1984, section 4.2 (`complement_recursion`).
//!
//! Departure: the output variable is split first, in halves. Often each output depends on few inputs, and all outputs
//! together depend on all inputs; a common complement can then be exponentially larger than one complement for each output.

use crate::coverage::part_columns::PartColumns;
use crate::cube::cofactor::cofactor_by_cube;
use crate::cube::cube_algebra::CubeAlgebra;
use crate::steps::budget::Budget;
use crate::steps::complement_recursion::Complement;
use crate::steps::parallel_map::parallel_map;
use crate::{Cover, Result};

/// Up to this many cubes are compared with others one by one.
const FEW: usize = 32;

/// Returns a cover of all minterms of the space, outputs included, that `cover` does not cover. Its cubes may overlap.
///
/// Deterministic. Exponential in the worst case, for example for some unate covers of many variables.
///
/// # Source
/// Brayton et al. 1984, section 4.2.
pub fn complement(cover: &Cover) -> Cover {
    unlimited(complement_limited(cover, &Budget::default()))
}

/// The result of a computation without limit and callback.
fn unlimited<T>(made: Result<T>) -> T {
    made.expect("nothing stops it")
}

/// Like [`complement`], within a budget of memory and of work: cubes tested, where 64 compared pairs count as one cube.
pub(crate) fn complement_limited(cover: &Cover, budget: &Budget<'_>) -> Result<Cover> {
    let mut cubes = cover.clone();
    cubes.normalize();
    let words = Complement::new(&CubeAlgebra::new(cover.space()), budget).of(cubes.as_words())?;
    Ok(Cover::from_words(cover.space(), words))
}

/// Returns a cover of the minterms of `a` that are not in `b`: first the cubes of `a` that do not meet `b`, unchanged and in
/// order, then pieces of the others.
///
/// Deterministic for any number of threads. Each cube of `a` that meets `b` costs |b| words and the complement of the part
/// of `b` within it, which is exponential in the worst case.
///
/// # Panics
/// When the covers are over different spaces.
///
/// # Source
/// Brayton et al. 1984, section 3.1.
pub fn sharp(a: &Cover, b: &Cover) -> Cover {
    unlimited(sharp_limited(a, b, &Budget::default()))
}

/// Like [`sharp`], within a budget as in [`complement_limited`]; cubes that do not meet `b` cost nothing.
pub(crate) fn sharp_limited(a: &Cover, b: &Cover, budget: &Budget<'_>) -> Result<Cover> {
    assert_eq!(a.space(), b.space(), "covers over one space");
    let stage = budget.of_cubes("sharp", a.len());
    if b.is_empty() {
        return Ok(a.clone());
    }
    let algebra = &CubeAlgebra::new(a.space());
    let columns = (b.len() > FEW).then(|| PartColumns::new(algebra, b.as_words()));
    let is_shared = parallel_map(
        a.len(),
        a.len(),
        || (),
        |(), i| {
            let is_shared = match &columns {
                Some(columns) => columns.meets(algebra, a.cube(i)),
                None => b.iter().any(|other| algebra.intersects(a.cube(i), other)),
            };
            stage.spend(0, i).map(|()| is_shared)
        },
    )?;
    let shared: Vec<usize> = (0..a.len()).filter(|&i| is_shared[i]).collect();
    let pieces = parallel_map(
        shared.len(),
        shared.len() * b.len(),
        || (),
        |(), k| {
            let piece = sharp_cube(algebra, a.cube(shared[k]), b.as_words(), budget)?;
            stage.hold(piece.len());
            Ok(piece)
        },
    )?;
    let mut result = a.chosen(|i| !is_shared[i]);
    let pieces = pieces.concat();
    stage.release(pieces.len());
    result.extend(&Cover::from_words(a.space(), pieces));
    Ok(result)
}

/// A cover of the minterms of `cube` that are not in the flat list `others`.
fn sharp_cube(algebra: &CubeAlgebra, cube: &[u64], others: &[u64], budget: &Budget<'_>) -> Result<Vec<u64>> {
    let mut within = Vec::new();
    cofactor_by_cube(algebra, others, cube, &mut within);
    let mut rest = Complement::new(algebra, budget).of(&within)?;
    for piece in rest.chunks_exact_mut(algebra.words()) {
        piece.iter_mut().zip(cube).for_each(|(piece, &cube)| *piece &= cube);
    }
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, Monitor, Pla};

    fn cover(text: &str) -> Cover {
        Pla::parse(text).unwrap().on
    }

    #[test]
    fn outputs_with_inputs_of_their_own_do_not_multiply() {
        // Twelve outputs, each the product of three inputs: the complement has three cubes for each, not 3^12.
        let mut text = String::from(".i 36\n.o 12\n");
        for output in 0..12 {
            let spread = |block: &str, other: &str| {
                (0..12).map(|k| if k == output { block } else { other }).collect::<String>()
            };
            text = format!("{text}{} {}\n", spread("111", "---"), spread("1", "0"));
        }
        assert_eq!(complement(&cover(&text)).len(), 36);
    }

    #[test]
    fn work_is_limited_and_changes_nothing() {
        let on = cover(".i 6\n.o 1\n1-0-1- 1\n-01-0- 1\n0-1--1 1\n");
        let within = |limit| complement_limited(&on, &Budget::new(Some(limit), Monitor::default()));
        assert_eq!(within(3).unwrap_err().kind(), ErrorKind::BudgetExhausted);
        assert_eq!(within(1000).unwrap(), complement(&on));
    }

    /// In merging, each cube of a branch is tested against all rows in all variables of several parts.
    #[test]
    fn merging_many_wide_rows_is_work() {
        let space = crate::Space::new(0, &[8; 6], 1).unwrap();
        let mut on = Cover::new(&space);
        for i in 0..3000 {
            let mut cube = space.full().to_vec();
            for (v, variable) in space.variables()[..6].iter().enumerate() {
                let part = crate::random::draw(v as u64, i) as usize % 8;
                crate::Space::keep_only(variable, &mut cube, variable.first + part);
            }
            on.push(&cube);
        }
        let within = |limit| complement_limited(&on, &Budget::new(Some(limit), Monitor::default()));
        assert_eq!(within(800_000).unwrap_err().kind(), ErrorKind::BudgetExhausted);
        assert_eq!(within(1 << 24).unwrap(), complement(&on));
    }

    #[test]
    fn lists_of_many_variables_go_as_deep_as_memory_allows() {
        // Two cubes without a common variable: the complement has a cube for each pair of their literals.
        let two = |literals: usize| {
            let [ones, dashes] = ["1", "-"].map(|c| c.repeat(literals));
            cover(&format!(".i {}\n.o 1\n{ones}{dashes} 1\n{dashes}{ones} 1\n", 2 * literals))
        };
        let within = |cover: &Cover, bytes| {
            let budget = Budget::default().with_memory(bytes);
            complement_limited(cover, &budget).map(|made| made.len())
        };
        assert_eq!(within(&two(30), 1 << 20).unwrap(), 900);
        let error = within(&two(10_000), 256 << 20).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert_eq!(error.to_string(), "complement: the result does not fit into the memory that is left");
        // The error comes before the cubes of one list are made.
        assert!(within(&cover(&format!(".i 9999\n.o 1\n{} 1\n", "1".repeat(9999))), 1 << 20).is_err());
    }

    #[test]
    fn held_memory_is_released() {
        let on = cover(".i 6\n.o 1\n1-0-1- 1\n-01-0- 1\n0-1--1 1\n");
        let (all, budget) = (Cover::universe(on.space()), Budget::default().with_memory(1 << 10));
        let wide = cover(&format!(".i 9999\n.o 1\n{} 1\n", "1".repeat(9999)));
        for _ in 0..100 {
            assert!(complement_limited(&wide, &budget).is_err());
            let made = [complement_limited(&on, &budget), sharp_limited(&all, &on, &budget)];
            let [complement, sharp] = made.map(|made| {
                let mut made = made.unwrap();
                made.normalize();
                made
            });
            assert_eq!(complement, sharp);
        }
    }

    #[test]
    fn sharp_leaves_disjoint_cubes_unchanged() {
        let a = cover(".i 2\n.o 1\n1- 1\n0- 1\n");
        let b = cover(".i 2\n.o 1\n11 1\n");
        assert_eq!(sharp(&a, &b), cover(".i 2\n.o 1\n0- 1\n10 1\n"));
    }
}
