//! The search for a minterm that is in all covers of one list and in no cover of another, by splitting the space.
//!
//! A region of the space, itself a cube, is split until the answer is obvious. Before a split, variables are fixed to safe
//! parts. A part is safe if all cubes of `inside` allow it, and each cube of `outside` either forbids it or does not depend
//! on the variable within the region. A solution moved to a safe part stays a solution. For a tautology check, this is the
//! reduction of weakly unate variables (Brayton et al. 1984, chapter 3), which also fixes variables on which no cube depends.

use super::truth_table::{self, Cubes};
use super::work::Work;
use crate::cube::bits::remove;
use crate::cube::space::{Slot, Space, Variable};
use crate::{Cover, Monitor, Result};

/// The limits at which splitting ends, and at which the search is given up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Limit for a truth table: on its points for each cube, and on the average number of points of a cube.
    pub points_a_cube: usize,
    /// Limit on pairs of cubes up to which the cubes of a cover are tested one by one.
    pub one_by_one: usize,
    /// Work limit in words of cubes and truth tables, approximately.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { points_a_cube: 1 << 12, one_by_one: 1 << 22, work: u64::MAX }
    }
}

/// Returns a minterm, as a cube, that is in every cover of `inside` and in no cover of `outside`. Fails as [`Work::spend`].
pub(super) fn witness(
    space: &Space,
    inside: &[&Cover],
    outside: &[&Cover],
    limits: Limits,
    monitor: Monitor<'_>,
) -> Result<Option<Vec<u64>>> {
    let inside = inside.iter().map(|cover| cover.iter().collect()).collect();
    let outside = outside.iter().flat_map(|cover| cover.iter()).collect();
    let cube = space.full().to_vec();
    let mut open = vec![Region { space, limits, cube, inside, outside, apart: None }];
    let mut work = Work::new(limits.work, monitor);
    while let Some(region) = open.pop() {
        if let Some(minterm) = region.search(&mut open, &mut work)? {
            return Ok(Some(minterm));
        }
        work.region_searched()?;
    }
    Ok(None)
}

/// A region of the space, and the cubes that matter there.
#[derive(Clone)]
struct Region<'a> {
    space: &'a Space,
    limits: Limits,
    /// The region as a cube.
    cube: Vec<u64>,
    /// Covers that the minterm must be in.
    inside: Vec<Cubes<'a>>,
    /// Cubes that the minterm must not be in.
    outside: Cubes<'a>,
    /// The index in `inside` of the cover whose cubes are tested one by one.
    apart: Option<usize>,
}

/// Statistics of the cubes in a region.
struct Survey {
    /// For each variable, the number of cubes whose literal is narrower than the region's.
    narrower: Vec<usize>,
    /// The safe parts: see the head of the file.
    safe: Vec<u64>,
}

impl Region<'_> {
    /// Searches one piece of the region, and pushes the other pieces onto `open`.
    fn search(mut self, open: &mut Vec<Self>, work: &mut Work<'_>) -> Result<Option<Vec<u64>>> {
        if let Some(family) = self.apart.take() {
            let Some(cube) = self.inside[family].pop() else { return Ok(None) };
            let left = std::mem::replace(&mut self.inside[family], vec![cube]);
            let one = self.clone();
            self.inside[family] = left;
            self.apart = Some(family);
            open.push(self);
            self = one;
        }
        loop {
            work.spend(self.cubes().saturating_mul(self.space.words()))?;
            if !self.simplify() {
                return Ok(None);
            }
            if self.outside.is_empty() && self.inside.is_empty() {
                return Ok(Some(self.first_minterm()));
            }
            let survey = self.survey();
            if self.fix_safe_variables(&survey) {
                continue;
            }
            // Filling a table with large cubes is slow; such cubes soon cover the pieces of a split region.
            let points = self.cubes().saturating_mul(self.limits.points_a_cube);
            let fields = truth_table::fields(self.space, &self.cube, &survey.narrower, points);
            if let Some(fields) = fields.filter(|_| self.points() <= points as f64) {
                return truth_table::witness(&fields, &self.cube, &self.inside, &self.outside, work);
            }
            self.apart = self.family_to_take_apart();
            if self.apart.is_some() {
                open.push(self);
                return Ok(None);
            }
            let mut rest = self.clone();
            (self.cube, rest.cube) = self.halves(&survey);
            open.push(rest);
        }
    }

    fn cubes(&self) -> usize {
        self.outside.len() + self.inside.iter().map(Vec::len).sum::<usize>()
    }

    /// Drops cubes that do not matter in the region. Returns `false` if the region has no solution.
    fn simplify(&mut self) -> bool {
        loop {
            let Region { space, cube: region, inside, outside, .. } = self;
            while let Some(single) = inside.iter().position(|cubes| cubes.len() == 1) {
                let cube = inside.swap_remove(single)[0];
                if !space.intersects(cube, region) {
                    return false;
                }
                Space::meet(region, cube);
            }
            for cubes in inside.iter_mut() {
                cubes.retain(|cube| space.intersects(cube, region));
                if cubes.is_empty() {
                    return false;
                }
            }
            inside.retain(|cubes| !cubes.iter().any(|cube| space.contains(cube, region)));
            outside.retain(|cube| space.intersects(cube, region));
            if outside.iter().any(|cube| space.contains(cube, region)) {
                return false;
            }
            if inside.iter().all(|cubes| cubes.len() > 1) {
                return true;
            }
        }
    }

    /// The sum, over all cubes, of their points in the region.
    fn points(&self) -> f64 {
        let variables = self.space.variables();
        let open = variables.iter().filter(|variable| Space::literal_len(variable, &self.cube) > 1);
        let open: Vec<&Variable> = open.collect();
        let points = |cube: &&[u64]| {
            let parts = |slot: &Slot| (self.cube[slot.word] & cube[slot.word] & slot.mask).count_ones();
            let literal = |variable: &&Variable| f64::from(variable.slots.iter().map(parts).sum::<u32>());
            open.iter().map(literal).product::<f64>()
        };
        self.outside.iter().chain(self.inside.iter().flatten()).map(points).sum()
    }

    fn survey(&self) -> Survey {
        let space = self.space;
        let mut survey = Survey { narrower: vec![0; space.variables().len()], safe: self.cube.clone() };
        let mut unsafe_parts = vec![0; space.words()];
        let mut spread = vec![0; space.words()];
        for (inside, cube) in (self.inside.iter().flatten().map(|cube| (true, cube)))
            .chain(self.outside.iter().map(|cube| (false, cube)))
        {
            spread.fill(0);
            for (w, &low) in space.binary_low().iter().enumerate() {
                let missing = self.cube[w] & !cube[w];
                let mut narrower = (missing | missing >> 1) & low;
                spread[w] = narrower | narrower << 1;
                while narrower != 0 {
                    survey.narrower[w * 32 + narrower.trailing_zeros() as usize / 2] += 1;
                    narrower &= narrower - 1;
                }
            }
            for (v, variable) in space.variables().iter().enumerate().skip(space.binary_inputs()) {
                if variable.exceeds(&self.cube, cube) {
                    survey.narrower[v] += 1;
                    variable.slots.iter().for_each(|s| spread[s.word] |= s.mask);
                }
            }
            for (w, &word) in cube.iter().enumerate() {
                if inside {
                    survey.safe[w] &= word;
                } else {
                    unsafe_parts[w] |= word & spread[w];
                }
            }
        }
        survey.safe.iter_mut().zip(&unsafe_parts).for_each(|(safe, other)| *safe &= !other);
        survey
    }

    /// Fixes every variable that has safe parts to the first of them. Returns whether it fixed any.
    fn fix_safe_variables(&mut self, survey: &Survey) -> bool {
        let mut is_fixed = false;
        for variable in self.space.variables() {
            if Space::literal_len(variable, &self.cube) < 2 {
                continue;
            }
            if let Some(bit) = variable.bits_in(&survey.safe).next() {
                Space::keep_only(variable, &mut self.cube, bit);
                is_fixed = true;
            }
        }
        is_fixed
    }

    /// The smallest cover of `inside`, if it is small enough to test its cubes one by one.
    fn family_to_take_apart(&self) -> Option<usize> {
        let smallest = (0..self.inside.len()).min_by_key(|&i| self.inside[i].len())?;
        let pairs = self.inside[smallest].len().saturating_mul(self.cubes());
        (pairs <= self.limits.one_by_one).then_some(smallest)
    }

    /// The halves of the region, split at the variable in which most cubes are narrower than the region.
    fn halves(&self, survey: &Survey) -> (Vec<u64>, Vec<u64>) {
        let variables = self.space.variables();
        let open = (0..variables.len()).filter(|&v| Space::literal_len(&variables[v], &self.cube) > 1);
        let widest = open.max_by_key(|&v| (survey.narrower[v], usize::MAX - v)).unwrap_or(0);
        let bits: Vec<usize> = variables[widest].bits_in(&self.cube).collect();
        let (low, high) = bits.split_at(bits.len() / 2);
        let without = |bits: &[usize]| {
            let mut cube = self.cube.clone();
            bits.iter().for_each(|&bit| remove(&mut cube, bit));
            cube
        };
        (without(high), without(low))
    }

    fn first_minterm(mut self) -> Vec<u64> {
        for variable in self.space.variables() {
            let first = variable.bits_in(&self.cube).next();
            if let Some(bit) = first {
                Space::keep_only(variable, &mut self.cube, bit);
            }
        }
        self.cube
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::testing;
    use proptest::prelude::*;

    /// Far more large cubes than needed to cover the space are not all written into one large table.
    #[test]
    fn many_wide_cubes_are_little_work() {
        let space = Space::new(25, &[], 1).unwrap();
        let wide = |seed: u64, count: u64| {
            let mut cover = Cover::new(&space);
            for number in 0..count {
                let mut cube = space.full().to_vec();
                for literal in 0..4 {
                    let drawn = crate::random::draw(seed, 4 * number + literal);
                    let bit = (drawn % 50) as usize;
                    cube[bit / 64] &= !(1 << (bit % 64));
                }
                cover.push(&cube);
            }
            cover
        };
        let (cover, given) = (wide(1, 9000), wide(2, 9000));
        let limits = Limits { work: 4_000_000, ..Limits::default() };
        for (inside, outside) in [(vec![], vec![&cover]), (vec![&given], vec![&cover])] {
            assert_eq!(witness(&space, &inside, &outside, limits, Monitor::default()).unwrap(), None);
        }
    }

    /// Work within a table counts, and the search can be given up in the middle of a table.
    #[test]
    fn a_table_that_takes_too_much_is_given_up() {
        let space = Space::new(16, &[], 1).unwrap();
        let points = testing::points(&space);
        let all = Cover::from_words(&space, points.concat());
        // Each minterm is one word of a table of 2^10 words.
        let find = |work: usize, monitor| {
            let limits = Limits { work: work as u64, ..Limits::default() };
            witness(&space, &[], &[&all], limits, monitor)
        };
        let enough = 2 * all.len() + 3000;
        assert_eq!(find(enough, Monitor::default()).unwrap(), None);
        let too_little = find(enough - all.len() / 2, Monitor::default()).unwrap_err();
        assert_eq!(too_little.kind(), ErrorKind::BudgetExhausted);
    }

    proptest! {
        /// A minterm is found if and only if there is one, wherever splitting ends.
        #[test]
        fn finds_a_minterm_when_there_is_one(
            covers in testing::covers([9; 4]),
            (inside, all) in (0usize..4, 1usize..5),
            points_a_cube in prop_oneof![Just(1usize), Just(4), Just(1 << 12)],
            one_by_one in prop_oneof![Just(0usize), Just(20), Just(1 << 22)],
        ) {
            let space = covers[0].space().clone();
            let (inside, outside) = covers[..all].split_at(inside.min(all));
            let sought = |point: &[u64]| {
                inside.iter().all(|cover| testing::holds(cover, point))
                    && !outside.iter().any(|cover| testing::holds(cover, point))
            };
            let limits = Limits { points_a_cube, one_by_one, ..Limits::default() };
            let (a, b): (Vec<&Cover>, Vec<&Cover>) = (inside.iter().collect(), outside.iter().collect());
            match witness(&space, &a, &b, limits, Monitor::default()).unwrap() {
                Some(minterm) => {
                    prop_assert!(testing::points(&space).contains(&minterm));
                    prop_assert!(sought(&minterm));
                }
                None => prop_assert!(!testing::points(&space).iter().any(|point| sought(point))),
            }
        }

        /// A cover lies inside the cover of its minterms, but not if one of them is missing.
        #[test]
        fn one_missing_minterm_is_found(
            [cover] in testing::covers([9]),
            missing in any::<prop::sample::Index>(),
            points_a_cube in prop_oneof![Just(1usize), Just(1 << 12)],
            one_by_one in prop_oneof![Just(0usize), Just(1 << 22)],
        ) {
            let space = cover.space().clone();
            let limits = Limits { points_a_cube, one_by_one, ..Limits::default() };
            let mut minterms = testing::points(&space);
            minterms.retain(|point| testing::holds(&cover, point));
            let all = Cover::from_words(&space, minterms.concat());
            let find = |outside: &Cover| witness(&space, &[&cover], &[outside], limits, Monitor::default()).unwrap();
            prop_assert_eq!(find(&all), None);
            if !minterms.is_empty() {
                let missing = minterms.swap_remove(missing.index(minterms.len()));
                let most = Cover::from_words(&space, minterms.concat());
                prop_assert_eq!(find(&most), Some(missing));
            }
        }
    }
}
