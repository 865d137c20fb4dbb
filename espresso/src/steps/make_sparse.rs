//! MAKE SPARSE: lowers outputs that other cubes already provide, then raises the inputs that this sets free.
//!
//! Follows the end of Brayton et al. 1984, section 4.8. Each output is taken by itself: of the cubes that have it,
//! an irredundant choice keeps it. Then inputs, but no outputs, are raised, and both are repeated while literals
//! fall.

use crate::care::care_set::{CareSet, DontCares};
use crate::care::cube_index::BlockingIndex;
use crate::cube::calculus::{Calculus, with_calculus};
use crate::cube::cover::Cover;
use crate::error::Result;
use crate::minimize::Step;
use crate::steps::budget::{Budget, StepBudget};
use crate::steps::expand::{Seeds, expand_marked, index};
use crate::steps::irredundant::needed;

/// Returns a cover that together with `dc` covers what `on` covers, with as many cubes or fewer, fewer outputs in
/// them, and inputs raised as far as `off` allows.
///
/// Deterministic, whatever the number of threads. A few rounds of the cost of [`crate::irredundant`] for each
/// output and of [`crate::expand`].
///
/// # Panics
/// When the covers are over different spaces.
///
/// # Source
/// Brayton et al. 1984, section 4.8.
pub fn make_sparse(on: &Cover, dc: &Cover, off: &Cover) -> Cover {
    let budget = Budget::unlimited();
    assert_eq!(on.space(), off.space(), "covers over one space");
    let care_set = CareSet::new(on, dc);
    let free = DontCares { list: dc, care_set: care_set.as_ref() };
    make_sparse_metered(on, free, &index(off), &budget.step(Step::MakeSparse, on.len()))
        .unwrap_or_else(|_| on.clone())
}

/// As [`make_sparse`], spending from `budget`.
pub(crate) fn make_sparse_metered(
    on: &Cover,
    free: DontCares,
    off: &BlockingIndex,
    budget: &StepBudget,
) -> Result<Cover> {
    assert_eq!(on.space(), free.list.space(), "covers over one space");
    let space = on.space();
    let mut inputs = space.full().to_vec();
    for slot in &space.output().slots {
        inputs[slot.word] &= !slot.mask;
    }
    let mut best = on.clone();
    loop {
        let lowered = with_calculus!(space, calculus => lower_outputs(calculus, &best, free, budget)?);
        if lowered.literals() == best.literals() {
            return Ok(best);
        }
        let seeds =
            Seeds { primes: &vec![false; lowered.len()], shuffle: None, open: None, guides: usize::MAX };
        let raised = expand_marked(&lowered, seeds, off, &inputs, budget)?;
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
    free: DontCares,
    budget: &StepBudget,
) -> Result<Cover> {
    let space = calculus.space();
    let mut lowered = on.clone();
    for bit in space.output().bits() {
        let (word, mask) = (bit / 64, 1u64 << (bit % 64));
        let alone = |cover: &Cover| -> (Vec<usize>, Vec<u64>) {
            let has: Vec<usize> = (0..cover.len()).filter(|&i| cover.cube(i)[word] & mask != 0).collect();
            let mut words: Vec<u64> = has.iter().flat_map(|&i| cover.cube(i)).copied().collect();
            for cube in words.chunks_exact_mut(space.words()) {
                space.output().slots.iter().for_each(|slot| cube[slot.word] &= !slot.mask);
                cube[word] |= mask;
            }
            (has, words)
        };
        let (has, mine) = alone(&lowered);
        // A truth table need not be cut down to the output.
        let (_, words) = if free.care_set.is_some() { Default::default() } else { alone(free.list) };
        let list = Cover::from_words(space, words);
        let keep = needed(calculus, &mine, DontCares { list: &list, ..free }, budget)?;
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
    use crate::Pla;

    #[test]
    fn an_output_provided_twice_is_lowered() {
        let on = Pla::parse(".i 2\n.o 2\n11 11\n1- 10\n").unwrap().on;
        let off = crate::steps::complement::complement(&on);
        let sparse = make_sparse(&on, &Cover::new(on.space()), &off);
        assert_eq!(sparse.literals(), on.literals() - 1);
    }
}
