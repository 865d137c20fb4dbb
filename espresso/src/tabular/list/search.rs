//! Large-neighbourhood search over cubes: what covers of samples and of bitmaps have in common (after Shaw 1998; in place
//! of the last gasp of Brayton et al. 1984, section 4.7, which reduces all cubes at once).
//!
//! A move takes a few cubes out, covers anew what only they covered, lets other cubes go that this makes redundant, and
//! stands when the clauses cost no more than before. Moves are tried in batches against the same cover, in parallel, and
//! applied one after the other where they still fit, so that the number of threads does not matter.

use super::sample::Dice;
use rayon::prelude::*;

/// Cubes grown, or moves tried, against the same cover.
pub(super) const BATCH: usize = 16;
/// The most cubes that a move takes out.
pub(super) const MOST_TAKEN: usize = 6;
/// How far growths vary.
pub(super) const TEMPER: f32 = 0.6;

/// A cover to be improved.
pub(super) trait Search: Sync {
    type Move: Send;
    type Scratch: Default;

    /// Number of cubes.
    fn cubes(&self) -> usize;

    /// Looks for a move that does not cost more, or little more: `heat` bits on average.
    fn attempt(
        &self,
        dice: &mut Dice,
        heat: f32,
        scratch: &mut Self::Scratch,
        work: &mut u64,
    ) -> Option<Self::Move>;

    /// Makes a move where it still fits; returns the bits that it saves.
    fn apply(&mut self, found: Self::Move, work: &mut u64) -> Option<f32>;
}

/// Tries moves until `limit` work units are spent or many in a row gain nothing; returns the units spent. `heat` is how
/// many bits a move may cost on average.
pub(super) fn improve<S: Search>(search: &mut S, dice: &mut Dice, (limit, heat): (u64, f32)) -> u64 {
    let mut spent = 0;
    let mut in_vain = 0;
    while spent < limit && in_vain < 300 + 60 * search.cubes() && search.cubes() > 1 {
        let series = dice.next();
        let this = &*search;
        let tried: Vec<(Option<S::Move>, u64)> = (0..BATCH as u64)
            .into_par_iter()
            .map_init(S::Scratch::default, |scratch, i| {
                let (mut dice, mut work) = (Dice::new(series, i), 0);
                (this.attempt(&mut dice, heat, scratch, &mut work), work)
            })
            .collect();
        in_vain += BATCH;
        for (found, work) in tried {
            spent += work + 1;
            if found.and_then(|found| search.apply(found, &mut spent)).is_some_and(|gain| gain > 1e-2) {
                in_vain = 0;
            }
        }
    }
    spent
}
