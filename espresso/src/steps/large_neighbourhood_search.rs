//! Large neighbourhood search: drops half of the cubes, covers anew what only they covered, and keeps the better of
//! old and new.
//!
//! The loop of Brayton et al. 1984 ends where no reduction of single cubes leads to fewer; this leaves such places,
//! after Shaw, *Using Constraint Programming and Local Search Methods to Solve Vehicle Routing Problems* (1998).
//! Cubes drawn at random are set aside; the minterms that the others leave open are given back as the cubes of F that
//! have them, and expanded in an order drawn at random, a cube only while it has a minterm still open; of the cubes
//! that stayed, the new primes and those set aside, IRREDUNDANT chooses. As the old cover is among them, the choice
//! is seldom worse, and then it is not taken.

use crate::care::care_set::Uncovered;
use crate::care::cube_index::BlockingIndex;
use crate::random::draw;
use crate::steps::expand::{FEW_GUIDES, Seeds, expand};
use crate::steps::irredundant::irredundant;
use crate::steps::setting::Setting;
use crate::{Cover, Result};

/// Returns a cover, of no more cubes than `on`, that with the don't-cares covers the same; `on` itself when it finds
/// none; nothing where there is no truth table. The cubes of `seeds` cover what `on` and the don't-cares do. What is
/// drawn depends on `number` only.
pub(crate) fn large_neighbourhood_search(
    setting: &Setting,
    on: &Cover,
    seeds: &Cover,
    off: &BlockingIndex,
    number: u64,
) -> Result<Option<Cover>> {
    let Some(care_set) = setting.care_set else { return Ok(None) };
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
    setting.budget.spend(seeds.len() as u64, 0)?;
    let seeds = Seeds {
        primes: Some(&primes),
        raisable: None,
        shuffle: Some(number),
        open: Some(Uncovered::new(care_set)),
        guides: care_set.points().is_none().then_some(FEW_GUIDES),
    };
    let mut all = expand(setting, &cubes, seeds, off)?;
    all.extend(&dropped);
    all.normalize();
    let kept = irredundant(setting, all)?;
    Ok(Some(if kept.len() <= on.len() { kept } else { on.clone() }))
}
