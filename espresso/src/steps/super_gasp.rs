//! SUPER GASP: as the last gasp, with all primes that cover each maximally reduced cube.
//!
//! The strong form of Brayton et al. 1984, section 4.7, as Berkeley's program has it (Rudell 1989): where the last gasp looks
//! for primes that cover two of the reduced cubes, all primes of every reduced cube join the cover, and IRREDUNDANT
//! chooses. They are found without making those of the function (`exact`).

use crate::care::cube_index::BlockingIndex;
use crate::steps::exact::primes::primes;
use crate::steps::expand::Expander;
use crate::steps::irredundant::irredundant;
use crate::steps::reduce::reduce_each;
use crate::steps::setting::Setting;
use crate::{Cover, Result};
use rayon::prelude::*;

/// Primes of one cube at most. Of more, one is taken.
const MOST_PRIMES: usize = 1000;

/// Returns a cover that together with the don't-cares covers what `on` covers, meets `off` no more than `on` does, and has
/// at most as many cubes.
///
/// Deterministic, whatever the number of threads. The cost of a reduction of every cube and of its primes.
pub(crate) fn super_gasp(setting: &Setting, on: &Cover, off: &BlockingIndex) -> Result<Cover> {
    let Setting { calculus, ref budget, .. } = *setting;
    let mut reduced = reduce_each(setting, on)?;
    reduced.retain(|cube| !calculus.space().is_empty(cube));
    let found = reduced.par_iter().enumerate().map_init(
        || Expander::new(calculus, off, on.space().full()),
        |expander, (i, cube)| {
            expander.begin(cube);
            let all = primes(calculus, expander, MOST_PRIMES, |work| budget.spend(work, 0))?;
            let all = all.unwrap_or_else(|| expander.finish().to_vec());
            budget.spend(std::mem::take(&mut expander.work), i).map(|()| all)
        },
    );
    let mut all = Cover::from_words(on.space(), found.collect::<Result<Vec<_>>>()?.concat());
    all.extend(on);
    all.normalize();
    let kept = irredundant(setting, all)?;
    // With as many cubes the loop could go on for ever between covers of one size.
    Ok(if kept.len() < on.len() { kept } else { on.clone() })
}
