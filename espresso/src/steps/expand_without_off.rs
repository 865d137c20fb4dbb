//! EXPAND without a listed OFF-set, which has too many cubes: a part is raised if the gained minterms are in F + D.
//!
//! This is a tautology test, as in the first program of Brayton et al. 1984 (section 4.3 replaces it by the blocking matrix,
//! which needs R). Departure: only cubes at distance one or less are tested, and a part that none of them has costs nothing.
//! If there are many outputs, a cube only gets outputs of single cubes that contain its inputs.

use crate::coverage::tautology::Tautology;
use crate::cube::bits::{add, count, numbers};
use crate::cube::cube_algebra::{CubeAlgebra, Distance};
use crate::steps::budget::StageBudget;
use crate::steps::step_context::StepContext;
use crate::{Cover, Result, Space};

/// Up to this many outputs, each is tried by itself.
pub(crate) const MOST_OUTPUTS: usize = if cfg!(test) { 2 } else { 256 };

/// Expands the cubes of `on`, which is F, to primes of F + D. With many outputs, outputs may be missing. Covered cubes are
/// dropped.
///
/// After half of the budget is spent, the remaining cubes stay as they are. A part whose query is given up is not raised.
///
/// Deterministic. At most one tautology for each part that a cube lacks; in addition |F| + |D| words for each raised part,
/// and |F| words for each cube.
pub(crate) fn expand_without_off(context: &StepContext, on: &Cover) -> Result<Cover> {
    let StepContext { algebra, dc, ref budget, .. } = *context;
    let n = algebra.words();
    let all = [on.as_words(), dc.as_words()].concat();
    // Frequent parts are raised first, and large cubes are expanded first.
    let mut shares = vec![0u32; on.space().bits()];
    for cube in all.chunks_exact(n) {
        numbers(cube).for_each(|bit| shares[bit] += 1);
    }
    let mut order: Vec<usize> = (0..on.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(count(on.cube(i))));
    let mut expander =
        Raiser { algebra, all: &all, shares: &shares, near: Vec::new(), tautology: context.tautology() };
    let mut expanded = Cover::new(on.space());
    for (done, i) in order.into_iter().enumerate() {
        if budget.ends_at_half() {
            expanded.push(on.cube(i));
            continue;
        }
        budget.spend(expanded.len() as u64, done)?;
        if expanded.iter().any(|prime| algebra.contains(prime, on.cube(i))) {
            continue;
        }
        let mut cube = on.cube(i).to_vec();
        // A part may take long, so the monitor is called for each part.
        expander.raise(&mut cube, budget, done & !63)?;
        expanded.retain(|_, other| !algebra.contains(&cube, other));
        expanded.push(&cube);
    }
    Ok(expanded)
}

struct Raiser<'a> {
    algebra: &'a CubeAlgebra,
    /// F and D.
    all: &'a [u64],
    /// For each part the number of cubes that have it.
    shares: &'a [u32],
    /// The cubes of F and D at distance one or less from the cube.
    near: Vec<u64>,
    tautology: Tautology<'a>,
}

impl Raiser<'_> {
    fn raise(&mut self, cube: &mut [u64], budget: &StageBudget<'_>, done: usize) -> Result<()> {
        let (space, n) = (self.algebra.space().clone(), self.algebra.words());
        let spend = |work: u64| budget.spend(work, done);
        spend((self.all.len() / n) as u64)?;
        self.look_around(cube);
        let output = space.inputs();
        if space.outputs() > MOST_OUTPUTS {
            self.take_outputs(cube);
            // With more outputs, more cubes are near.
            spend((self.all.len() / n) as u64)?;
            self.look_around(cube);
        }
        // The parts that the cube lacks and some near cube has.
        let mut near = vec![0u64; n];
        self.near.chunks_exact(n).for_each(|other| Space::join(&mut near, other));
        near.iter_mut().zip(&*cube).for_each(|(near, &cube)| *near &= !cube);
        let mut parts: Vec<usize> = numbers(&near).collect();
        parts.sort_by_key(|&bit| std::cmp::Reverse(self.shares[bit]));
        for bit in parts {
            let v = self.algebra.owner(bit);
            if v == output && space.outputs() > MOST_OUTPUTS {
                continue;
            }
            let mut gained = cube.to_vec();
            Space::keep_only(&space.variables()[v], &mut gained, bit);
            if self.near.chunks_exact(n).any(|other| self.algebra.intersects(other, &gained)) {
                let is_covered = self.tautology.covers(&[&self.near], &gained);
                budget.pay_for(&mut self.tautology.search, 0, done)?;
                if is_covered {
                    add(cube, bit);
                    spend((self.all.len() / n) as u64)?;
                    self.look_around(cube);
                }
            }
        }
        Ok(())
    }

    fn look_around(&mut self, cube: &[u64]) {
        self.near.clear();
        for other in self.all.chunks_exact(self.algebra.words()) {
            if self.algebra.distance(other, cube) != Distance::More {
                self.near.extend_from_slice(other);
            }
        }
    }

    /// Adds the outputs of each cube that contains the inputs of `cube`.
    fn take_outputs(&self, cube: &mut [u64]) {
        let space = self.algebra.space();
        let mut inputs = cube.to_vec();
        Space::clear(space.output(), &mut inputs);
        for other in self.near.chunks_exact(self.algebra.words()) {
            if self.algebra.contains(other, &inputs) {
                self.algebra.copy_literal(space.inputs(), other, cube);
            }
        }
    }
}
