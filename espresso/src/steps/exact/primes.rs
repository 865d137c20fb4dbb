//! The primes that contain one minterm, or one cube.
//!
//! They are what is left of all within reach when each row of the minterm's blocking matrix has been missed in one of the
//! variables that keep it apart, each time as little as possible lowered: the minimal transversals of the rows, found by
//! taking up one row after the other (Berge, *Hypergraphs*, 1989). So the primes of the whole function are never made,
//! which in functions of some tens of inputs are more than any memory holds, but those of single minterms only.

use crate::Result;
use crate::cube::calculus::Calculus;
use crate::steps::expand::Expander;

/// Returns the primes, one after the other, that contain the cube with which `expander` has begun; nothing when on the
/// way there are more than `most`. `spend` is told of the cubes looked at.
pub(crate) fn primes(
    calculus: &Calculus,
    expander: &Expander,
    most: usize,
    mut spend: impl FnMut(u64) -> Result<()>,
) -> Result<Option<Vec<u64>>> {
    let n = calculus.words();
    let minterm = expander.common();
    let mut primes = expander.reach().to_vec();
    let (mut kept, mut cut) = (Vec::new(), Vec::new());
    for row in expander.rows().chunks_exact(n) {
        kept.clear();
        cut.clear();
        for cube in primes.chunks_exact(n) {
            if !calculus.intersects(cube, row) {
                kept.extend_from_slice(cube);
                continue;
            }
            calculus.for_each_conflict(row, minterm, |v| {
                let to = cut.len();
                cut.extend_from_slice(cube);
                for slot in &calculus.space().variables()[v].slots {
                    cut[to + slot.word] &= !(row[slot.word] & slot.mask);
                }
            });
        }
        spend(((cut.len() / n) * ((kept.len() + cut.len()) / n + 1)) as u64 / 8)?;
        keep_maximal(calculus, &mut kept, &cut);
        if kept.len() > most * n {
            return Ok(None);
        }
        std::mem::swap(&mut primes, &mut kept);
    }
    Ok(Some(primes))
}

/// Adds to `kept`, none of which lies within another, the cubes of `cut` that lie within none of them and of one another.
fn keep_maximal(calculus: &Calculus, kept: &mut Vec<u64>, cut: &[u64]) {
    let n = calculus.words();
    let size = |cube: &[u64]| cube.iter().map(|word| word.count_ones()).sum::<u32>();
    // A larger cube is none of those that lie within a smaller one.
    let mut order: Vec<&[u64]> = cut.chunks_exact(n).collect();
    order.sort_by_key(|cube| std::cmp::Reverse(size(cube)));
    for cube in order {
        if !kept.chunks_exact(n).any(|other| calculus.contains(other, cube)) {
            kept.extend_from_slice(cube);
        }
    }
}
