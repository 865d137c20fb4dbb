//! A local search for a minterm that no cube of a list contains: the search of `WalkSAT` for a satisfying assignment.
//!
//! Follows Selman, Kautz and Cohen, *Noise Strategies for Improving Local Search* (1994). From a minterm, one of the cubes
//! that contain it is drawn, and one variable is changed so that the minterm leaves this cube and is in as few others as
//! possible; now and then at random. Departure: variables may have several parts, and the minterm stays within a cube.
//! It is for lists of cubes with few literals in many variables. They leave so few minterms open that random draws miss them,
//! but enough for this search to find one soon, where a recursion would take exponential time.

use crate::cube::bits::{has, ones};
use crate::cube::calculus::{Calculus, Distance};
use crate::cube::space::Space;
use crate::random::draw;

/// One change in this many is at random.
const NOISE: u64 = 4;

/// The cubes of the flat list for [`open_minterm`], each once.
pub(super) fn distinct(words: usize, list: &[u64]) -> Vec<&[u64]> {
    let mut cubes: Vec<&[u64]> = list.chunks_exact(words).collect();
    cubes.sort_unstable();
    cubes.dedup();
    cubes
}

/// Looks for a minterm within `cube` that none of the [`distinct`] cubes contains, starting from `minterm`, until `work` cubes
/// are tested. Variable `fixed`, if any, keeps its part. Returns the minterm, if one was found, and the number of cubes
/// tested. If none was found, there may still be one.
///
/// Deterministic.
pub(super) fn open_minterm(
    calculus: &Calculus,
    cubes: &[&[u64]],
    cube: &[u64],
    mut minterm: Vec<u64>,
    fixed: Option<usize>,
    work: u64,
) -> (Option<Vec<u64>>, u64) {
    // The cubes that contain the minterm, and those that one variable keeps apart from it.
    let (mut around, mut apart) = (Vec::new(), Vec::new());
    let mut tested = 0;
    for number in 0.. {
        around.clear();
        apart.clear();
        for &other in cubes {
            match calculus.distance(other, &minterm) {
                Distance::Zero => around.push(other),
                Distance::One(v) => apart.push((v, other)),
                Distance::More => {}
            }
        }
        tested += cubes.len() as u64;
        if around.is_empty() {
            return (Some(minterm), tested);
        }
        if tested >= work {
            break;
        }
        let left = around[(draw(number, 0) % around.len() as u64) as usize];
        let lacked =
            (0..calculus.words()).flat_map(|i| ones(cube[i] & !left[i]).map(move |bit| i * 64 + bit));
        let changes: Vec<usize> = lacked.filter(|&bit| Some(calculus.owner(bit)) != fixed).collect();
        let around_after = |bit: usize| {
            let entered = apart.iter().filter(|&&(v, other)| v == calculus.owner(bit) && has(other, bit));
            around.iter().filter(|other| has(other, bit)).count() + entered.count()
        };
        // Of equally good changes, the first from a random one on.
        let first = (draw(number, 2) % changes.len().max(1) as u64) as usize;
        let mut turned = changes.iter().cycle().skip(first).take(changes.len()).copied();
        let change = if draw(number, 1).is_multiple_of(NOISE) {
            turned.next()
        } else {
            tested += (changes.len() * (around.len() + apart.len())) as u64;
            turned.min_by_key(|&bit| around_after(bit))
        };
        let Some(bit) = change else { break };
        Space::keep_only(&calculus.space().variables()[calculus.owner(bit)], &mut minterm, bit);
    }
    (None, tested)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;

    proptest! {
        /// A minterm that is found is within the cube and in no cube of the list, and keeps the fixed part; in a small space
        /// the search finds one if there is one.
        #[test]
        fn finds_what_is_open([list, cubes] in testing::covers([12, 3]), v in any::<prop::sample::Index>()) {
            let (space, calculus) = (list.space(), Calculus::new(list.space()));
            for cube in cubes.iter().filter(|cube| !space.is_empty(cube)) {
                let points = testing::points(space);
                let start = points.iter().find(|point| space.contains(cube, point)).unwrap().clone();
                let fixed = v.index(space.variables().len());
                let keeps = |point: &[u64]| {
                    space.variables()[fixed].bits().all(|bit| (point[bit / 64] ^ start[bit / 64]) >> (bit % 64) & 1 == 0)
                };
                let is_open = |point: &[u64]| space.contains(cube, point) && !testing::holds(&list, point);
                let cubes = distinct(space.words(), list.as_words());
                let (free, _) = open_minterm(&calculus, &cubes, cube, start.clone(), None, 1 << 20);
                let (bound, _) = open_minterm(&calculus, &cubes, cube, start.clone(), Some(fixed), 1 << 20);
                prop_assert_eq!(free.is_some(), points.iter().any(|point| is_open(point)));
                prop_assert_eq!(bound.is_some(), points.iter().any(|point| is_open(point) && keeps(point)));
                prop_assert!(free.is_none_or(|point| is_open(&point)));
                prop_assert!(bound.is_none_or(|point| is_open(&point) && keeps(&point)));
            }
        }
    }
}
