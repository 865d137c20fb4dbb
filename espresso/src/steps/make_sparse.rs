//! MAKE SPARSE: lowers outputs that other cubes already cover, then raises the inputs that this frees.
//!
//! Follows the end of Brayton et al. 1984, section 4.8. For each output by itself, an irredundant selection of the cubes with
//! this output keeps it, and the others lose it. Then inputs, but not outputs, are raised. Both are repeated while the number
//! of literals falls.

use crate::care::cube_index::{BlockingIndex, contained};
use crate::cube::bits::{add, has, remove};
use crate::steps::expand::{Seeds, expand};
use crate::steps::irredundant::{Others, choose, needed};
use crate::steps::parallel_map::parallel_map;
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
            // Unchanged cubes were not expanded, and may be within one whose inputs were raised.
            let is_within = contained(context.calculus, raised.as_words(), |i| context.budget.spend(0, i))?;
            raised.retain(|i, _| !is_within[i]);
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
///
/// The selection is that of IRREDUNDANT for each output, with two departures: what the others leave open of a cube is found for
/// all of its outputs at once, and the sets are asked for only in outputs with partially redundant cubes.
fn lower_outputs(context: &StepContext, on: &Cover) -> Result<(Cover, Vec<bool>)> {
    if context.care_set.is_some() {
        return lower_outputs_by_table(context, on);
    }
    let (space, calculus, n) = (on.space(), context.calculus, on.space().words());
    let others = Others::new(context, on);
    let with_outputs = |cube: &[u64], outputs: &[u64]| {
        let mut piece = cube.to_vec();
        for slot in &space.output().slots {
            piece[slot.word] &= outputs[slot.word] | !slot.mask;
        }
        piece
    };
    // The cubes near cube number `i`, those of the cover with these outputs only.
    let near = |i: usize, outputs: &[u64], near: &mut Vec<u64>| {
        near.clear();
        others.for_each_near(calculus, i, |j, other| {
            if j < on.len() {
                near.extend(with_outputs(other, &outputs[j * n..(j + 1) * n]));
            } else {
                near.extend_from_slice(other);
            }
        });
    };
    // The outputs of cubes with these outputs that D and others with such outputs leave open.
    let open = |ours: &[u64], theirs: &[u64]| {
        let open = parallel_map(
            on.len(),
            on.len() * (on.len() + context.dc.len()),
            || (context.tautology(), Vec::new()),
            |(tautology, list), i| {
                let piece = with_outputs(on.cube(i), &ours[i * n..(i + 1) * n]);
                if space.is_empty(&piece) {
                    return Ok(vec![0; n]);
                }
                near(i, theirs, list);
                let open = tautology.uncovered_parts(&[list], &piece, space.inputs());
                context.budget.pay_for(tautology, 0, i).map(|()| open)
            },
        );
        open.map(|open| open.concat())
    };
    let all = on.as_words();
    let needed = open(all, all)?;
    let rest: Vec<u64> = all.iter().zip(&needed).map(|(all, needed)| all & !needed).collect();
    let partial = open(&rest, &needed)?;
    let mut lowered = on.clone();
    for bit in space.output().bits() {
        let has_output = |outputs: &[u64], i: usize| has(&outputs[i * n..], bit);
        let some: Vec<usize> = (0..on.len()).filter(|&i| has_output(&partial, i)).collect();
        let mut single = vec![0; n];
        add(&mut single, bit);
        let pieces: Vec<u64> = some.iter().flat_map(|&i| with_outputs(on.cube(i), &single)).collect();
        let chosen = choose(context, &pieces, |k, fixed| near(some[k], &needed, fixed))?;
        let mut kept: Vec<bool> = (0..on.len()).map(|i| has_output(&needed, i)).collect();
        chosen.into_iter().for_each(|k| kept[some[k as usize]] = true);
        for i in (0..on.len()).filter(|&i| !kept[i]) {
            remove(lowered.cube_mut(i), bit);
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

/// Like [`lower_outputs`], by a truth table, for all outputs at once, since minterms of different outputs are different.
fn lower_outputs_by_table(context: &StepContext, on: &Cover) -> Result<(Cover, Vec<bool>)> {
    let space = on.space();
    let (mut pieces, mut origins) = (Cover::new(space), Vec::new());
    let mut piece = vec![0; space.words()];
    for (i, cube) in on.iter().enumerate() {
        for bit in space.output().bits_in(cube) {
            piece.copy_from_slice(cube);
            Space::keep_only(space.output(), &mut piece, bit);
            pieces.push(&piece);
            origins.push((i, bit));
        }
    }
    let keep = needed(context, &pieces)?;
    let mut lowered = on.clone();
    for ((i, bit), _) in origins.into_iter().zip(keep).filter(|&(_, keep)| !keep) {
        remove(lowered.cube_mut(i), bit);
    }
    Ok(without_empty(on, lowered))
}
