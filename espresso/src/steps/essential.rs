//! ESSENTIAL: finds the essential primes of a cover of primes.
//!
//! Follows Brayton et al. 1984, section 4.6: a prime is essential when some minterm of it is in no other prime, and
//! that is so when D and the consensus of the prime with the other cubes of F and D do not cover it. The part of
//! such a consensus that lies within the prime p is, for a cube q at distance one or less and each variable in which
//! q has a part that p lacks, the cube that agrees with p there and with the intersection of both elsewhere.
//!
//! Departure: a minterm of a prime is in no other prime when all its neighbours outside the prime are in R: an implicant with
//! the minterm and another part has the neighbour with that part. Where there is a truth table (`care_set`), that is looked up.
//! With R listed, each part that the prime lacks takes a cube of R that has it and that this one variable keeps apart from
//! the minterm. Parts of which one cube only can take care tell where in the prime the minterm must be: often nowhere. The
//! consensus is asked for what is left.
//!
//! Where the don't-cares are what F and R leave (`on_index`), the step finds none: setting primes aside saves work,
//! and to know those of the space takes R. The steps that follow treat all cubes alike.

use crate::care::care_set::{Buffers, CareSet};
use crate::care::cube_index::BlockingIndex;
use crate::care::part_columns::Apart;
use crate::care::truth_table::PointLayout;
use crate::cube::calculus::{Calculus, Meet};
use crate::steps::budget::StageBudget;
use crate::steps::of_each::of_each;
use crate::steps::setting::Setting;
use crate::{Cover, Result};

/// Returns for each cube of `on` whether it is an essential prime. The cubes are primes of the function with ON-set
/// `on` and these don't-cares.
///
/// `off` is the blocking cover, R - D, where it is listed. Deterministic, whatever the number of threads.
/// O(|F| · (|F| + |D| + |R|)) words, and a tautology for some cubes.
pub(crate) fn essential(setting: &Setting, on: &Cover, off: Option<&BlockingIndex>) -> Result<Vec<bool>> {
    let Setting { calculus, dc, care_set, ref budget, .. } = *setting;
    if let Some(care_set) = care_set {
        let table = |points| essential_by_table(on, care_set, points, budget);
        return care_set.points().map_or_else(|| Ok(vec![false; on.len()]), table);
    }
    let (n, all) = (calculus.words(), [on.as_words(), dc.as_words()].concat());
    let index = BlockingIndex::new(calculus, &all);
    of_each(
        on.len(),
        on.len() * (on.len() + dc.len()),
        || (setting.tautology(), Vec::new(), Apart::default()),
        |(tautology, near, apart), i| {
            let (prime, mut within) = (on.cube(i), on.cube(i).to_vec());
            let looked = off.map_or(0, |off| off.narrow(calculus, apart, &mut within));
            if calculus.space().is_empty(&within) {
                return budget.spend(looked, i).map(|()| false);
            }
            near.clear();
            let mut free = Vec::new();
            index.for_each_near(calculus, prime, |j| {
                if j != i {
                    let cube = &all[j * n..(j + 1) * n];
                    near.extend_from_slice(cube);
                    if j >= on.len() {
                        free.extend_from_slice(cube);
                    }
                }
            });
            let neighbours = consensus(calculus, prime, near);
            let essential = !tautology.covers(&[&neighbours, &free], &within) && !tautology.has_given_up();
            budget.pay_for(tautology, looked, i).map(|()| essential)
        },
    )
}

fn essential_by_table(
    on: &Cover,
    care_set: &CareSet,
    points: &PointLayout,
    budget: &StageBudget,
) -> Result<Vec<bool>> {
    let table = care_set.with(points, on);
    of_each(on.len(), care_set.work(on), Buffers::default, |buffers, i| {
        let cube = on.cube(i);
        let essential = care_set.any(cube, buffers, |at, minterms| {
            let own = care_set.care(at) & minterms;
            own != 0 && points.without_neighbours(&table, cube, at, own) != 0
        });
        budget.spend(buffers.work(), i).map(|()| essential)
    })
}

/// The parts, within a prime, of its consensus with the cubes of the flat list `others`.
fn consensus(calculus: &Calculus, prime: &[u64], others: &[u64]) -> Vec<u64> {
    let mut result = Vec::new();
    let mut add = |v: usize, cube: &[u64]| {
        let to = result.len();
        result.extend(prime.iter().zip(cube).map(|(&p, &q)| p & q));
        calculus.copy_literal(v, prime, &mut result[to..]);
    };
    for cube in others.chunks_exact(calculus.words()) {
        match calculus.meet(cube, prime) {
            Meet::Far => {}
            Meet::Apart(v) => add(v, cube),
            Meet::Intersect => calculus.for_each_excess(cube, prime, |v| add(v, cube)),
        }
    }
    result
}
