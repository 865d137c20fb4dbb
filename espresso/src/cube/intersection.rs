//! Which cubes of one cover meet another cover.
//!
//! Both covers are split on one variable at a time, the one that leaves the fewest pairs, into the cubes that allow
//! each part; pairs are compared one by one where no split pays. So covers of minterms and large blocks, as the
//! relaxed rule of Gomboc & Shelton (section 2.5) meets them, need far fewer comparisons than there are pairs.

use crate::cube::cover::Cover;
use crate::cube::space::Space;

/// Below this many pairs they are compared one by one.
const FEW_PAIRS: usize = 1 << 10;

/// Returns for each cube of `a` whether it has a minterm in common with some cube of `b`; both are over one space.
///
/// Never more than |a| |b| comparisons, and as many cubes looked at again for each level of splits.
pub(crate) fn intersecting(a: &Cover, b: &Cover) -> Vec<bool> {
    let mut search = Search { space: a.space(), a, b, meets: vec![false; a.len()] };
    let all = |cover: &Cover| (0..cover.len()).collect::<Vec<_>>();
    let variables: Vec<usize> = (0..a.space().variables().len()).collect();
    search.run(&all(a), &all(b), &variables);
    search.meets
}

struct Search<'a> {
    space: &'a Space,
    a: &'a Cover,
    b: &'a Cover,
    meets: Vec<bool>,
}

impl Search<'_> {
    /// Marks the cubes of `a` that meet a cube of `b`, both given by number; `variables` may still be split on.
    fn run(&mut self, a: &[usize], b: &[usize], variables: &[usize]) {
        let a: Vec<usize> = a.iter().copied().filter(|&cube| !self.meets[cube]).collect();
        let pairs = a.len() * b.len();
        if pairs == 0 {
            return;
        }
        let best = variables.iter().map(|&v| (self.pairs_after(&a, b, v), v)).min();
        // A split that saves less than a quarter of the pairs costs more than it saves.
        let Some((_, v)) = best.filter(|&(left, _)| pairs > FEW_PAIRS && left < pairs / 4 * 3) else {
            for cube in a {
                self.meets[cube] =
                    b.iter().any(|&other| self.space.intersects(self.a.cube(cube), self.b.cube(other)));
            }
            return;
        };
        let rest: Vec<usize> = variables.iter().copied().filter(|&other| other != v).collect();
        for part in 0..self.space.variables()[v].parts {
            let allowing = |cover: &Cover, cubes: &[usize]| -> Vec<usize> {
                cubes.iter().copied().filter(|&cube| self.space.get(cover.cube(cube), v, part)).collect()
            };
            let (a, b) = (allowing(self.a, &a), allowing(self.b, b));
            self.run(&a, &b, &rest);
        }
    }

    /// The number of pairs that are left when both covers are split on variable `v`.
    fn pairs_after(&self, a: &[usize], b: &[usize], v: usize) -> usize {
        let count = |cover: &Cover, cubes: &[usize], part| {
            cubes.iter().filter(|&&cube| self.space.get(cover.cube(cube), v, part)).count()
        };
        (0..self.space.variables()[v].parts)
            .map(|part| count(self.a, a, part).saturating_mul(count(self.b, b, part)))
            .fold(0, usize::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cover(space: &Space, seeds: &[u64]) -> Cover {
        let mut cover = Cover::new(space);
        for seed in seeds {
            let mut cube = vec![seed & space.full()[0]];
            // An empty literal is made full, so that cubes meet often.
            for variable in space.variables() {
                if Space::literal_is_empty(variable, &cube) {
                    variable.slots.iter().for_each(|slot| cube[slot.word] |= slot.mask);
                }
            }
            cover.push(&cube);
        }
        cover
    }

    proptest! {
        #[test]
        fn as_pair_by_pair(
            a in proptest::collection::vec(any::<u64>(), 0..150),
            b in proptest::collection::vec(any::<u64>(), 0..150),
        ) {
            let space = Space::new(12, &[3, 5], 2).unwrap();
            let (a, b) = (cover(&space, &a), cover(&space, &b));
            let expected: Vec<bool> =
                a.iter().map(|cube| b.iter().any(|other| space.intersects(cube, other))).collect();
            prop_assert_eq!(intersecting(&a, &b), expected);
        }
    }
}
