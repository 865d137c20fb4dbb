//! Large neighbourhood search: drops half of the cubes, covers their minterms anew, and keeps the better cover.
//!
//! The loop of Brayton et al. 1984 ends in a local minimum, where no reduction of single cubes leads to fewer cubes. This
//! search leaves it, after Shaw, *Using Constraint Programming and Local Search Methods to Solve Vehicle Routing Problems*
//! (1998). Random cubes are set aside. The cubes of F with minterms that the remaining cubes do not cover are expanded in
//! random order, each only if it still has an uncovered minterm. IRREDUNDANT then chooses from the remaining cubes, the new
//! primes and the cubes set aside. Since the old cover is among them, the choice is seldom worse; a worse one is discarded.

use crate::coverage::coverage_table::{Buffers, CoverageCounts, UpTo};
use crate::random::draw;
use crate::steps::expand::{FEW_GUIDES, Seeds, expand};
use crate::steps::irredundant::irredundant;
use crate::steps::step_context::StepContext;
use crate::{Cover, Result};

/// Returns a cover with no more cubes than `on` that together with the don't-cares covers the same; `on` itself if none is
/// found; `None` without a coverage table. The cubes of `seeds` must cover the same as `on` and the don't-cares. The random
/// choices depend only on `number`.
pub(crate) fn large_neighbourhood_search(
    context: &StepContext,
    on: &Cover,
    seeds: &Cover,
    number: u64,
) -> Result<Option<Cover>> {
    let Some(coverage) = context.coverage else { return Ok(None) };
    let aside: Vec<bool> = (0..on.len()).map(|i| draw(number, i as u64) & 1 == 0).collect();
    let (mut cubes, dropped) = (on.chosen(|i| !aside[i]), on.chosen(|i| aside[i]));
    let counts = CoverageCounts::new(coverage, cubes.as_words(), on.space().words(), UpTo::One);
    let mut buffers = Buffers::default();
    let mut primes = vec![true; cubes.len()];
    cubes.extend(seeds);
    let stayed = primes.len();
    cubes.retain(|i, cube| i < stayed || counts.any(cube, false, &mut buffers));
    primes.resize(cubes.len(), false);
    context.budget.spend(seeds.len() as u64, 0)?;
    let seeds = Seeds {
        primes: Some(&primes),
        raisable: None,
        shuffle: Some(number),
        coverage: Some(coverage),
        guides: (!context.covers_minterms()).then_some(FEW_GUIDES),
    };
    let mut all = expand(context, &cubes, seeds)?;
    all.extend(&dropped);
    all.normalize();
    let kept = irredundant(context, all)?;
    Ok(Some(if kept.len() <= on.len() { kept } else { on.clone() }))
}
