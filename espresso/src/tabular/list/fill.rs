//! The choice among cubes grown together, to cover what is uncovered: the same for covers of samples and of bitmaps.

use std::cmp::Ordering;

/// A cube grown together with others is taken when it still covers this part of what it did.
const WORTH: f32 = 0.7;

/// What is uncovered, as far as cubes are chosen for it.
pub(super) trait Open {
    type Cube;

    /// What the cube covers of it for a bit.
    fn value(&mut self, cube: &Self::Cube) -> f32;

    /// Any order that does not depend on how the cubes came about.
    fn order(a: &Self::Cube, b: &Self::Cube) -> Ordering;

    /// Makes the cube one of the cover.
    fn take(&mut self, cube: Self::Cube);
}

/// Takes the cubes of `pool` that are worth most and overlap little. Leaves those that cover something and were not
/// taken, at most `most` of them.
pub(super) fn take_worthy<O: Open>(pool: &mut Vec<O::Cube>, open: &mut O, most: usize) {
    let mut ranked: Vec<(f32, O::Cube)> = pool.drain(..).map(|cube| (open.value(&cube), cube)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| O::order(&a.1, &b.1)));
    let least = ranked.first().map_or(0.0, |(value, _)| value * 0.5);
    for (before, cube) in ranked {
        let now = open.value(&cube);
        if now > 0.0 && now >= before * WORTH && now >= least {
            open.take(cube);
        } else if now > 0.0 {
            pool.push(cube);
        }
    }
    pool.truncate(most);
}
