//! EXPAND where the OFF-set is too many cubes to list: a cube is raised where what it gains is in F + D.
//!
//! Whether it is, is a tautology, as in the first program of Brayton et al. 1984 (section 4.3 has the blocking matrix in
//! its place, which needs R). Departure: only cubes that are in conflict with the cube in one variable, or in none, are
//! looked at, and a part that none of them has costs nothing. Where there are many outputs, a cube gets those that single
//! cubes around it have.

use crate::care::tautology::Tautology;
use crate::cube::calculus::{Calculus, Meet};
use crate::steps::budget::StageBudget;
use crate::steps::setting::Setting;
use crate::{Cover, Result};

/// Outputs of which each is tried by itself, at most.
pub(crate) const MOST_OUTPUTS: usize = if cfg!(test) { 2 } else { 256 };

/// Returns implicants of F + D that cover what `on`, which is F, covers, at most one for each of its cubes: cubes to which
/// no part can be added, or, where there are many outputs, none but an output.
///
/// Once half of the budget is spent, the cubes left stay as they are. A part whose question is given up is not added.
///
/// Deterministic. A tautology for each part that a cube lacks, at most; (|F| + |D|) words besides for each part that is
/// raised, and |F| for each cube.
pub(crate) fn expand_without_off(setting: &Setting, on: &Cover) -> Result<Cover> {
    let Setting { calculus, dc, ref budget, .. } = *setting;
    let n = calculus.words();
    let all = [on.as_words(), dc.as_words()].concat();
    // Parts that many cubes have are raised first, and large cubes come first.
    let mut shares = vec![0u32; on.space().bits()];
    for cube in all.chunks_exact(n) {
        for_each_bit(cube, |bit| shares[bit] += 1);
    }
    let size = |cube: &[u64]| cube.iter().map(|word| word.count_ones()).sum::<u32>();
    let mut order: Vec<usize> = (0..on.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(size(on.cube(i))));
    let mut expander =
        Expander { calculus, all: &all, shares: &shares, near: Vec::new(), tautology: setting.tautology() };
    let mut expanded = Cover::new(on.space());
    for (done, i) in order.into_iter().enumerate() {
        if budget.ends_at_half() {
            expanded.push(on.cube(i));
            continue;
        }
        budget.spend(expanded.len() as u64, done)?;
        if expanded.iter().any(|prime| calculus.contains(prime, on.cube(i))) {
            continue;
        }
        let mut cube = on.cube(i).to_vec();
        // A part may take long: the monitor is asked for each.
        expander.raise(&mut cube, budget, done & !63)?;
        expanded.retain(|_, other| !calculus.contains(&cube, other));
        expanded.push(&cube);
    }
    Ok(expanded)
}

fn for_each_bit(cube: &[u64], mut found: impl FnMut(usize)) {
    for (i, &word) in cube.iter().enumerate() {
        crate::cube::calculus::ones(word).for_each(|bit| found(64 * i + bit));
    }
}

struct Expander<'a> {
    calculus: &'a Calculus,
    /// F and D.
    all: &'a [u64],
    /// For each part the cubes that have it.
    shares: &'a [u32],
    /// The cubes of F and D that are in conflict with the cube in one variable at most.
    near: Vec<u64>,
    tautology: Tautology<'a>,
}

impl Expander<'_> {
    fn raise(&mut self, cube: &mut [u64], budget: &StageBudget<'_>, done: usize) -> Result<()> {
        let (space, n) = (self.calculus.space().clone(), self.calculus.words());
        let spend = |work: u64| budget.spend(work, done);
        spend((self.all.len() / n) as u64)?;
        self.look_around(cube);
        let output = space.inputs();
        if space.outputs() > MOST_OUTPUTS {
            self.take_outputs(cube);
            // With more outputs, other cubes are near.
            spend((self.all.len() / n) as u64)?;
            self.look_around(cube);
        }
        // The parts that the cube lacks and some cube near it has.
        let mut near = vec![0u64; n];
        for other in self.near.chunks_exact(n) {
            near.iter_mut().zip(other).for_each(|(near, &other)| *near |= other);
        }
        near.iter_mut().zip(&*cube).for_each(|(near, &cube)| *near &= !cube);
        let mut parts = Vec::new();
        for_each_bit(&near, |bit| parts.push(bit));
        parts.sort_by_key(|&bit| std::cmp::Reverse(self.shares[bit]));
        for bit in parts {
            let v = self.calculus.owner(bit);
            if v == output && space.outputs() > MOST_OUTPUTS {
                continue;
            }
            let mut gained = cube.to_vec();
            space.variables()[v].bits().for_each(|other| gained[other / 64] &= !(1 << (other % 64)));
            gained[bit / 64] |= 1 << (bit % 64);
            if self.near.chunks_exact(n).any(|other| self.calculus.intersects(other, &gained)) {
                let is_covered = self.tautology.covers(&[&self.near], &gained);
                budget.pay_for(&mut self.tautology, 0, done)?;
                if is_covered {
                    cube[bit / 64] |= 1 << (bit % 64);
                    spend((self.all.len() / n) as u64)?;
                    self.look_around(cube);
                }
            }
        }
        Ok(())
    }

    fn look_around(&mut self, cube: &[u64]) {
        self.near.clear();
        for other in self.all.chunks_exact(self.calculus.words()) {
            if self.calculus.meet(other, cube) != Meet::Far {
                self.near.extend_from_slice(other);
            }
        }
    }

    /// Adds the outputs of each cube that contains the inputs of `cube`.
    fn take_outputs(&self, cube: &mut [u64]) {
        let space = self.calculus.space();
        let output = space.output();
        let mut inputs = cube.to_vec();
        output.bits().for_each(|bit| inputs[bit / 64] &= !(1 << (bit % 64)));
        for other in self.near.chunks_exact(self.calculus.words()) {
            if self.calculus.contains(other, &inputs) {
                for slot in &output.slots {
                    cube[slot.word] |= other[slot.word] & slot.mask;
                }
            }
        }
    }
}
