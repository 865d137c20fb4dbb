//! MAKE SPARSE: lowers outputs that other cubes already provide, then raises the inputs that this sets free.
//!
//! Follows the end of Brayton et al. 1984, section 4.8. Each output is taken by itself: of the cubes that have it,
//! an irredundant choice keeps it. Then inputs, but no outputs, are raised, and both are repeated while literals
//! fall.

use crate::care::care_set::DontCares;
use crate::care::cube_index::BlockingIndex;
use crate::cube::calculus::{Calculus, with_calculus};
use crate::cube::cover::Cover;
use crate::cube::space::Space;
use crate::error::Result;
use crate::steps::budget::StageBudget;
use crate::steps::expand::{Seeds, expand};
use crate::steps::irredundant::needed;

/// Returns a cover that together with the don't-cares covers what `on` covers, with as many cubes or fewer, fewer
/// outputs in them, and inputs raised as far as `off` allows.
///
/// Deterministic, whatever the number of threads. A few rounds of the cost of IRREDUNDANT for each output and of
/// EXPAND.
pub(crate) fn make_sparse(
    on: &Cover,
    dc: DontCares,
    off: &BlockingIndex,
    budget: &StageBudget,
) -> Result<Cover> {
    assert_eq!(on.space(), dc.cover.space(), "covers over one space");
    let space = on.space();
    let mut inputs = space.full().to_vec();
    Space::clear(space.output(), &mut inputs);
    let mut best = on.clone();
    loop {
        let lowered = with_calculus!(space, calculus => lower_outputs(calculus, &best, dc, budget)?);
        if lowered.literals() == best.literals() {
            return Ok(best);
        }
        let seeds =
            Seeds { primes: &vec![false; lowered.len()], shuffle: None, open: None, guides: usize::MAX };
        let raised = expand(&lowered, seeds, off, &inputs, budget)?;
        let gained = raised.literals() < best.literals();
        if raised.len() > best.len() || !gained {
            return Ok(best);
        }
        best = raised;
    }
}

/// Takes from cubes the outputs that other cubes and `dc` cover for them; a cube left without output is dropped.
fn lower_outputs<const W: usize>(
    calculus: &Calculus<W>,
    on: &Cover,
    dc: DontCares,
    budget: &StageBudget,
) -> Result<Cover> {
    let space = calculus.space();
    let mut lowered = on.clone();
    for bit in space.output().bits() {
        let (word, mask) = (bit / 64, 1u64 << (bit % 64));
        let alone = |cover: &Cover| -> (Vec<usize>, Vec<u64>) {
            let has: Vec<usize> = (0..cover.len()).filter(|&i| cover.cube(i)[word] & mask != 0).collect();
            let mut words: Vec<u64> = has.iter().flat_map(|&i| cover.cube(i)).copied().collect();
            for cube in words.chunks_exact_mut(space.words()) {
                Space::clear(space.output(), cube);
                cube[word] |= mask;
            }
            (has, words)
        };
        let (has, mine) = alone(&lowered);
        // A truth table need not be cut down to the output.
        let (_, words) = if dc.care_set.is_some() { Default::default() } else { alone(dc.cover) };
        let list = Cover::from_words(space, words);
        let keep = needed(calculus, &mine, DontCares { cover: &list, ..dc }, budget)?;
        for (&i, _) in has.iter().zip(&keep).filter(|&(_, &keep)| !keep) {
            lowered.cube_mut(i)[word] &= !mask;
        }
    }
    lowered.retain(|_, cube| !space.is_empty(cube));
    Ok(lowered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::complement::complement;
    use crate::steps::expand::index;
    use crate::{Pla, testing};

    #[test]
    fn an_output_provided_twice_is_lowered() {
        let on = Pla::parse(".i 2\n.o 2\n11 11\n1- 10\n").unwrap().on;
        let off = index(&complement(&on));
        let none = Cover::new(on.space());
        let sparse = testing::run(&on, &none, |dc, budget| make_sparse(&on, dc, &off, budget));
        assert_eq!(sparse.literals(), on.literals() - 1);
    }
}
