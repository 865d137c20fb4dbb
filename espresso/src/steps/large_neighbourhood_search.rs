//! Large neighbourhood search: drops half of the cubes, covers anew what only they covered, and keeps the better of
//! old and new.
//!
//! The loop of Brayton et al. 1984 ends where no reduction of single cubes leads to fewer; this leaves such places,
//! after Shaw, *Using Constraint Programming and Local Search Methods to Solve Vehicle Routing Problems* (1998).
//! Cubes drawn at random are set aside; the minterms that the others leave open are given back as the cubes of F that
//! have them, and expanded in an order drawn at random, a cube only while it has a minterm still open; of the cubes
//! that stayed, the new primes and those set aside, IRREDUNDANT chooses. As the old cover is among them, the choice
//! is seldom worse, and then it is not taken.

use crate::care::care_set::{DontCares, Uncovered};
use crate::care::cube_index::BlockingIndex;
use crate::cube::cover::Cover;
use crate::error::Result;
use crate::random::draw;
use crate::steps::budget::StageBudget;
use crate::steps::expand::{FEW_GUIDES, Seeds, expand};
use crate::steps::irredundant::irredundant;

/// Returns a cover, of no more cubes than `on`, that with the don't-cares covers the same; `on` itself when it finds
/// none; nothing where there is no truth table. The cubes of `seeds` cover what `on` and the don't-cares do. What is
/// drawn depends on `number` only.
pub(crate) fn large_neighbourhood_search(
    on: &Cover,
    dc: DontCares,
    seeds: &Cover,
    off: &BlockingIndex,
    number: u64,
    budget: &StageBudget,
) -> Result<Option<Cover>> {
    let Some(care_set) = dc.care_set else { return Ok(None) };
    let aside: Vec<bool> = (0..on.len()).map(|i| draw(number, i as u64) & 1 == 0).collect();
    let (mut cubes, mut dropped) = (on.clone(), on.clone());
    cubes.retain(|i, _| !aside[i]);
    dropped.retain(|i, _| aside[i]);
    let mut open = Uncovered::new(care_set);
    cubes.iter().for_each(|cube| open.close(cube));
    let mut primes = vec![true; cubes.len()];
    cubes.extend(seeds);
    let stayed = primes.len();
    cubes.retain(|i, cube| i < stayed || open.has(cube));
    primes.resize(cubes.len(), false);
    budget.spend(seeds.len() as u64, 0)?;
    let guides = if care_set.points().is_some() { usize::MAX } else { FEW_GUIDES };
    let seeds =
        Seeds { primes: &primes, shuffle: Some(number), open: Some(Uncovered::new(care_set)), guides };
    let mut all = expand(&cubes, seeds, off, on.space().full(), budget)?;
    all.extend(&dropped);
    all.normalize();
    let kept = irredundant(&all, dc, budget)?;
    Ok(Some(if kept.len() <= on.len() { kept } else { on.clone() }))
}
