//! REDUCE: shrinks each cube, one after the other, to the smallest cube that still covers what only it covers.
//!
//! Follows Brayton et al. 1984, section 4.4: a cube is replaced by its intersection with the smallest cube that
//! contains the complement of the others' and D's cofactor (`sccc`, or counts of a truth table: `care_set`). The
//! order decides what shrinks; the loop alternates two.

use crate::care::care_set::{Buffers, CoverageCounts, DontCares};
use crate::care::tautology::Tautology;
use crate::cube::calculus::{Calculus, with_calculus};
use crate::cube::column_counts::by_weight;
use crate::cube::cover::Cover;
use crate::error::Result;
use crate::random::draw;
use crate::steps::budget::StageBudget;

/// The order in which cubes are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The cube with the most parts first, then the others by their distance from it, the ones with more parts
    /// first: cubes close together shrink away from each other.
    NearLargest,
    /// Those whose parts are most frequent in the cover first.
    HeaviestFirst,
    /// In an order drawn at random, the same for the same number.
    Shuffled(u64),
}

impl Order {
    pub(crate) fn other(self) -> Self {
        match self {
            Order::NearLargest => Order::HeaviestFirst,
            Order::HeaviestFirst | Order::Shuffled(_) => Order::NearLargest,
        }
    }

    /// The numbers of the cubes of a flat list in this order.
    fn arrange<const W: usize>(self, calculus: &Calculus<W>, cubes: &[u64]) -> Vec<usize> {
        let all: Vec<&[u64]> = cubes.chunks_exact(calculus.words()).collect();
        let mut order: Vec<usize> = (0..all.len()).collect();
        match self {
            Order::Shuffled(seed) => order.sort_by_cached_key(|&i| draw(seed, i as u64)),
            Order::HeaviestFirst => order = by_weight(calculus, cubes).into_iter().rev().collect(),
            Order::NearLargest => {
                let parts = |i: usize| all[i].iter().map(|word| word.count_ones()).sum::<u32>();
                if let Some(&largest) = order.iter().rev().max_by_key(|&&i| parts(i)) {
                    let distance = |i: usize| calculus.space().distance(all[i], all[largest]);
                    order.sort_by_cached_key(|&i| (distance(i), std::cmp::Reverse(parts(i))));
                }
            }
        }
        order
    }
}

/// Returns the cubes of `on`, in the given order, each reduced in turn to the smallest cube such that the cover
/// together with the don't-cares keeps all minterms, and tells for each whether it is as it was; cubes of which
/// nothing is left are dropped.
///
/// Deterministic. O(|F| · (|F| + |D|)) words, and an SCCC for each cube.
pub(crate) fn reduce(
    on: &Cover,
    dc: DontCares,
    order: Order,
    budget: &StageBudget,
) -> Result<(Cover, Vec<bool>)> {
    assert_eq!(on.space(), dc.cover.space(), "covers over one space");
    with_calculus!(on.space(), calculus => reduce_list(calculus, on, dc, order, budget))
}

fn reduce_list<const W: usize>(
    calculus: &Calculus<W>,
    on: &Cover,
    dc: DontCares,
    order: Order,
    budget: &StageBudget,
) -> Result<(Cover, Vec<bool>)> {
    let n = calculus.words();
    let mut cubes: Vec<u64> = Vec::with_capacity(on.as_words().len());
    for i in order.arrange(calculus, on.as_words()) {
        if !calculus.space().is_empty(on.cube(i)) {
            cubes.extend_from_slice(on.cube(i));
        }
    }
    let mut sccc = Tautology::new(calculus);
    let mut buffers = Buffers::default();
    let mut counts = dc.care_set.map(|care_set| CoverageCounts::new(care_set, &cubes, n));
    let mut kept = Vec::with_capacity(on.len());
    let mut same = Vec::with_capacity(on.len());
    for i in 0..cubes.len() / n {
        let range = i * n..(i + 1) * n;
        let cube = &cubes[range.clone()];
        let reduced = match &counts {
            Some(counts) => counts.uncovered(cube, &mut buffers),
            None => sccc.uncovered(&[&cubes[..range.start], &cubes[range.end..], dc.cover.as_words()], cube),
        };
        kept.push(!calculus.space().is_empty(&reduced));
        same.push(reduced == cube);
        budget.spend(buffers.work() + sccc.take_work(), i)?;
        if reduced != cube {
            if let Some(counts) = &mut counts {
                counts.remove(cube, &mut buffers);
                counts.add(&reduced, &mut buffers);
            }
            cubes[range].copy_from_slice(&reduced);
        }
    }
    let mut reduced = Cover::from_words(on.space(), cubes);
    reduced.retain(|i, _| kept[i]);
    let same = same.into_iter().zip(kept).filter(|&(_, kept)| kept).map(|(same, _)| same).collect();
    Ok((reduced, same))
}

/// Each cube of `on` reduced as far as possible while all the others stay as they are, with its number.
pub(crate) fn reduce_each<const W: usize>(
    calculus: &Calculus<W>,
    on: &[u64],
    dc: DontCares,
    budget: &StageBudget,
) -> Result<Vec<Vec<u64>>> {
    use rayon::prelude::*;
    let n = calculus.words();
    let counts = dc.care_set.map(|care_set| CoverageCounts::new(care_set, on, n));
    (0..on.len() / n)
        .into_par_iter()
        .map_init(
            || (Tautology::new(calculus), Buffers::default()),
            |(sccc, buffers), i| {
                let cube = &on[i * n..(i + 1) * n];
                let reduced = match &counts {
                    Some(counts) => counts.uncovered(cube, buffers),
                    None => sccc.uncovered(&[&on[..i * n], &on[(i + 1) * n..], dc.cover.as_words()], cube),
                };
                budget.spend(buffers.work() + sccc.take_work(), i).map(|()| reduced)
            },
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pla, testing};

    fn reduced(on: &Cover, dc: &Cover, order: Order) -> Cover {
        testing::run(on, dc, |dc, budget| reduce(on, dc, order, budget)).0
    }

    #[test]
    fn a_cube_gives_up_what_another_has() {
        let on = Pla::parse(".i 2\n.o 1\n1- 1\n-1 1\n").unwrap().on;
        let reduced = reduced(&on, &Cover::new(on.space()), Order::NearLargest);
        assert_eq!(reduced, Pla::parse(".i 2\n.o 1\n10 1\n-1 1\n").unwrap().on);
    }

    #[test]
    fn covered_cubes_vanish() {
        let on = Pla::parse(".i 2\n.o 1\n11 1\n1- 1\n").unwrap().on;
        assert_eq!(reduced(&on, &Cover::new(on.space()), Order::HeaviestFirst).len(), 2);
        assert!(reduced(&on, &on, Order::HeaviestFirst).is_empty());
    }
}
