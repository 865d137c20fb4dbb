//! MAKE SPARSE: lowers outputs that other cubes already cover, then raises the inputs that this frees.
//!
//! Follows the end of Brayton et al. 1984, section 4.8. For each output by itself, an irredundant selection of the cubes with
//! this output keeps it, and the others lose it. Then inputs, but not outputs, are raised. Both are repeated while the number
//! of literals falls.

use crate::care::cube_index::{BlockingIndex, ContainmentIndex};
use crate::steps::expand::{Seeds, expand};
use crate::steps::irredundant::needed;
use crate::steps::step_context::StepContext;
use crate::{Cover, Result, Space};

/// Returns a cover that together with the don't-cares covers `on`, with at most as many cubes, fewer outputs in them, and
/// inputs raised as far as `off` allows. If `are_primes`, all cubes of `on` are primes, and inputs are raised only in cubes
/// with lowered outputs.
///
/// Deterministic for any number of threads. Costs a few rounds of IRREDUNDANT for each output, and of EXPAND.
pub(crate) fn make_sparse(
    context: &StepContext,
    on: &Cover,
    off: &BlockingIndex,
    are_primes: bool,
) -> Result<Cover> {
    let space = on.space();
    let mut inputs = space.full().to_vec();
    Space::clear(space.output(), &mut inputs);
    let mut best = on.clone();
    let mut are_raised = are_primes;
    loop {
        let (lowered, same) = lower_outputs(context, &best)?;
        if lowered.literals() == best.literals() {
            return Ok(best);
        }
        let primes = are_raised.then_some(&same[..]);
        let seeds = Seeds { primes, raisable: Some(&inputs), ..Seeds::default() };
        let mut raised = expand(context, &lowered, seeds, off)?;
        if are_raised {
            drop_contained(context, &mut raised);
        }
        are_raised = true;
        if raised.len() > best.len() || raised.literals() >= best.literals() {
            return Ok(best);
        }
        best = raised;
    }
}

/// Removes outputs of cubes that other cubes and `dc` cover; drops cubes without outputs. Also returns for each remaining cube
/// whether it is unchanged.
fn lower_outputs(context: &StepContext, on: &Cover) -> Result<(Cover, Vec<bool>)> {
    if context.care_set.is_some() {
        return lower_outputs_by_table(context, on);
    }
    let (space, calculus, n) = (on.space(), context.calculus, on.space().words());
    let risked = risked_outputs(context, on);
    let mut lowered = on.clone();
    for bit in space.output().bits() {
        let (word, mask) = (bit / 64, 1u64 << (bit % 64));
        let has: Vec<usize> = (0..on.len()).filter(|&i| risked[i * n + word] & mask != 0).collect();
        if has.is_empty() {
            continue;
        }
        let alone = |cubes: &mut dyn Iterator<Item = &[u64]>| {
            let mut words: Vec<u64> =
                cubes.filter(|cube| cube[word] & mask != 0).flatten().copied().collect();
            for cube in words.chunks_exact_mut(n) {
                Space::keep_only(space.output(), cube, bit);
            }
            Cover::from_words(space, words)
        };
        let mine = alone(&mut has.iter().map(|&i| on.cube(i)));
        let dc = alone(&mut context.dc.iter());
        let keep = needed(&StepContext { calculus, dc: &dc, ..*context }, &mine)?;
        for (&i, _) in has.iter().zip(&keep).filter(|&(_, &keep)| !keep) {
            lowered.cube_mut(i)[word] &= !mask;
        }
    }
    Ok(without_empty(on, lowered))
}

/// The nonempty cubes of `lowered`, and for each whether it is the same as in `on`.
fn without_empty(on: &Cover, mut lowered: Cover) -> (Cover, Vec<bool>) {
    let space = on.space();
    let left = |i: &usize| !space.is_empty(lowered.cube(*i));
    let same = (0..on.len()).filter(left).map(|i| lowered.cube(i) == on.cube(i)).collect();
    lowered.retain(|_, cube| !space.is_empty(cube));
    (lowered, same)
}

/// Drops cubes within others, which may occur after inputs were raised; of equal cubes the first stays.
fn drop_contained(context: &StepContext, cover: &mut Cover) {
    let mut index = ContainmentIndex::new(context.calculus, cover.as_words());
    let (mut is_within, mut within) = (vec![false; cover.len()], Vec::new());
    for (i, cube) in cover.iter().enumerate() {
        if is_within[i] {
            continue;
        }
        index.within(cube, &mut within);
        for j in within.iter().map(|&j| j as usize).filter(|&j| j != i) {
            is_within[j] = true;
            index.take_out(j);
        }
    }
    cover.retain(|i, _| !is_within[i]);
}

/// For each cube of `on`, as a flat list: the outputs in which it meets another cube or a don't-care. In its other outputs
/// it is needed, and irrelevant to other cubes.
fn risked_outputs(context: &StepContext, on: &Cover) -> Vec<u64> {
    let (space, n) = (on.space(), on.space().words());
    let all = [on.as_words(), context.dc.as_words()].concat();
    let index = BlockingIndex::new(context.calculus, &all);
    let mut risked = vec![0; on.as_words().len()];
    for (i, cube) in on.iter().enumerate() {
        index.for_each_intersecting_number(context.calculus, cube, |j| {
            if j != i {
                for slot in &space.output().slots {
                    risked[i * n + slot.word] |= cube[slot.word] & all[j * n + slot.word] & slot.mask;
                }
            }
        });
    }
    risked
}

/// Like [`lower_outputs`], by a truth table, for all outputs at once, since minterms of different outputs are different.
fn lower_outputs_by_table(context: &StepContext, on: &Cover) -> Result<(Cover, Vec<bool>)> {
    let space = on.space();
    let (mut pieces, mut origins) = (Cover::new(space), Vec::new());
    let mut piece = vec![0; space.words()];
    for (i, cube) in on.iter().enumerate() {
        for bit in space.output().bits().filter(|bit| cube[bit / 64] >> (bit % 64) & 1 != 0) {
            piece.copy_from_slice(cube);
            Space::keep_only(space.output(), &mut piece, bit);
            pieces.push(&piece);
            origins.push((i, bit));
        }
    }
    let keep = needed(context, &pieces)?;
    let mut lowered = on.clone();
    for ((i, bit), _) in origins.into_iter().zip(keep).filter(|&(_, keep)| !keep) {
        lowered.cube_mut(i)[bit / 64] &= !(1 << (bit % 64));
    }
    Ok(without_empty(on, lowered))
}
