//! The primes that contain one minterm, or one cube.
//!
//! A prime must avoid each row of the minterm's blocking matrix in one of the variables that keep the row apart. The primes
//! are the maximal cubes within reach that do: the minimal transversals of the rows, computed by adding one row after the
//! other (Berge, *Hypergraphs*, 1989). So only the primes of single minterms are computed, not those of the whole function,
//! which for some tens of inputs can exceed any memory.

use crate::Result;
use crate::cube::calculus::Calculus;
use crate::steps::expand::Expander;

/// Returns as a flat list the primes that contain the cube with which `expander` has begun; `None` if there are ever more
/// than `most` candidates. Calls `spend` with the number of cubes tested.
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

/// Adds to `kept` the cubes of `cut` that are not within another cube of `kept` or `cut`. No cube of `kept` may be within
/// another.
fn keep_maximal(calculus: &Calculus, kept: &mut Vec<u64>, cut: &[u64]) {
    let n = calculus.words();
    let size = |cube: &[u64]| cube.iter().map(|word| word.count_ones()).sum::<u32>();
    // A larger cube cannot be within a smaller one.
    let mut order: Vec<&[u64]> = cut.chunks_exact(n).collect();
    order.sort_by_key(|cube| std::cmp::Reverse(size(cube)));
    for cube in order {
        if !kept.chunks_exact(n).any(|other| calculus.contains(other, cube)) {
            kept.extend_from_slice(cube);
        }
    }
}
