//! MAKE SPARSE: lowers outputs that other cubes already provide, then raises the inputs that this sets free.
//!
//! Follows the end of Brayton et al. 1984, section 4.8. Each output is taken by itself: of the cubes that have it,
//! an irredundant choice keeps it. Then inputs, but no outputs, are raised, and both are repeated while literals
//! fall.

use crate::care::cube_index::BlockingIndex;
use crate::steps::expand::{Seeds, expand};
use crate::steps::irredundant::needed;
use crate::steps::setting::Setting;
use crate::{Cover, Result, Space};

/// Returns a cover that together with the don't-cares covers what `on` covers, with as many cubes or fewer, fewer
/// outputs in them, and inputs raised as far as `off` allows.
///
/// Deterministic, whatever the number of threads. A few rounds of the cost of IRREDUNDANT for each output and of
/// EXPAND.
pub(crate) fn make_sparse<const W: usize>(
    setting: &Setting<W>,
    on: &Cover,
    off: &BlockingIndex,
) -> Result<Cover> {
    let space = on.space();
    let mut inputs = space.full().to_vec();
    Space::clear(space.output(), &mut inputs);
    let mut best = on.clone();
    loop {
        let lowered = lower_outputs(setting, &best)?;
        if lowered.literals() == best.literals() {
            return Ok(best);
        }
        let seeds = Seeds { raisable: Some(&inputs), ..Seeds::default() };
        let raised = expand(setting, &lowered, seeds, off)?;
        if raised.len() > best.len() || raised.literals() >= best.literals() {
            return Ok(best);
        }
        best = raised;
    }
}

/// Takes from cubes the outputs that other cubes and `dc` cover for them; a cube left without output is dropped.
fn lower_outputs<const W: usize>(setting: &Setting<W>, on: &Cover) -> Result<Cover> {
    if setting.care_set.is_some() {
        return lower_outputs_by_table(setting, on);
    }
    let space = on.space();
    let mut lowered = on.clone();
    for bit in space.output().bits() {
        let (word, mask) = (bit / 64, 1u64 << (bit % 64));
        let alone = |cover: &Cover| -> (Vec<usize>, Cover) {
            let has: Vec<usize> = (0..cover.len()).filter(|&i| cover.cube(i)[word] & mask != 0).collect();
            let mut words: Vec<u64> = has.iter().flat_map(|&i| cover.cube(i)).copied().collect();
            for cube in words.chunks_exact_mut(space.words()) {
                Space::clear(space.output(), cube);
                cube[word] |= mask;
            }
            (has, Cover::from_words(space, words))
        };
        let (has, mine) = alone(&lowered);
        let dc = alone(setting.dc).1;
        let keep = needed(&Setting { dc: &dc, ..*setting }, &mine)?;
        for (&i, _) in has.iter().zip(&keep).filter(|&(_, &keep)| !keep) {
            lowered.cube_mut(i)[word] &= !mask;
        }
    }
    lowered.retain(|_, cube| !space.is_empty(cube));
    Ok(lowered)
}

/// As [`lower_outputs`], where a truth table answers: minterms of different outputs are different, so that all outputs
/// are chosen for at once.
fn lower_outputs_by_table<const W: usize>(setting: &Setting<W>, on: &Cover) -> Result<Cover> {
    let space = on.space();
    let (mut pieces, mut origins) = (Cover::new(space), Vec::new());
    let mut piece = vec![0; space.words()];
    for (i, cube) in on.iter().enumerate() {
        for bit in space.output().bits().filter(|bit| cube[bit / 64] >> (bit % 64) & 1 != 0) {
            piece.copy_from_slice(cube);
            Space::clear(space.output(), &mut piece);
            piece[bit / 64] |= 1 << (bit % 64);
            pieces.push(&piece);
            origins.push((i, bit));
        }
    }
    let keep = needed(setting, &pieces)?;
    let mut lowered = on.clone();
    for ((i, bit), _) in origins.into_iter().zip(keep).filter(|&(_, keep)| !keep) {
        lowered.cube_mut(i)[bit / 64] &= !(1 << (bit % 64));
    }
    lowered.retain(|_, cube| !space.is_empty(cube));
    Ok(lowered)
}
