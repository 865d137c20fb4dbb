//! Spaces, cubes and covers for the tests of all modules, and functions evaluated point by point.

use crate::coverage::coverage_table::CoverageTable;
use crate::coverage::cube_index::BlockingIndex;
use crate::cube::bits::{add, has};
use crate::cube::cube_algebra::CubeAlgebra;
use crate::random::draw;
use crate::steps::budget::Budget;
use crate::steps::step_context::StepContext;
use crate::{Cover, Function, Rest, Result, Space};
use proptest::prelude::*;

/// A nonempty cube determined by `seed`. Its literals are full, of one part, or arbitrary, about equally often.
pub(crate) fn cube(space: &Space, seed: u64) -> Vec<u64> {
    let mut drawn = 0;
    let mut next = || {
        drawn += 1;
        draw(seed, drawn)
    };
    let mut cube = vec![0; space.words()];
    for (v, variable) in space.variables().iter().enumerate() {
        match next() % 3 {
            0 => (0..variable.parts).for_each(|part| space.set(&mut cube, v, part)),
            1 => {}
            _ => {
                (0..variable.parts)
                    .filter(|_| next() & 1 == 0)
                    .for_each(|part| space.set(&mut cube, v, part));
            }
        }
        if Space::literal_is_empty(variable, &cube) {
            space.set(&mut cube, v, (next() % variable.parts as u64) as usize);
        }
    }
    cube
}

/// Spaces of 1200 points at most, with binary and multi-valued inputs.
pub(crate) fn small_space() -> impl Strategy<Value = Space> {
    (0usize..5, proptest::collection::vec(1usize..6, 0..3), 1usize..4)
        .prop_map(|(binary, multi, outputs)| Space::new(binary, &multi, outputs).unwrap())
}

/// Covers over `space` of fewer than `cubes` cubes.
pub(crate) fn cover(space: Space, cubes: usize) -> impl Strategy<Value = Cover> {
    proptest::collection::vec(any::<u64>(), 0..cubes).prop_map(move |seeds| {
        let mut cover = Cover::new(&space);
        for seed in seeds {
            cover.push(&cube(&space, seed));
        }
        cover
    })
}

/// Covers over one small space, each of fewer cubes than its number in `cubes`.
pub(crate) fn covers<const N: usize>(cubes: [usize; N]) -> impl Strategy<Value = [Cover; N]> {
    small_space().prop_flat_map(move |space| cubes.map(|cubes| cover(space.clone(), cubes)))
}

/// Every minterm of the space, as a cube.
pub(crate) fn points(space: &Space) -> Vec<Vec<u64>> {
    let mut points = vec![vec![0; space.words()]];
    for (v, variable) in space.variables().iter().enumerate() {
        points = points
            .iter()
            .flat_map(|point| {
                (0..variable.parts).map(|part| {
                    let mut point = point.clone();
                    space.set(&mut point, v, part);
                    point
                })
            })
            .collect();
    }
    points
}

/// The result of `work` with a cover on a small stack. Cubes leave a minterm uncovered if the three variables of each of
/// `groups` groups are equal, so recursions have a level for each group.
pub(crate) fn on_small_stack<T: Send + 'static>(groups: usize, work: fn(&Cover) -> T) -> T {
    let row = |group: usize, literals: &str| {
        format!("{}{literals}{} 1\n", "---".repeat(group), "---".repeat(groups - 1 - group))
    };
    let rows = (0..groups).flat_map(|group| ["10-", "-10", "0-1"].map(|literals| row(group, literals)));
    let on: Cover = rows.collect::<String>().parse().unwrap();
    let small = std::thread::Builder::new().stack_size(256 << 10);
    small.spawn(move || work(&on)).unwrap().join().unwrap()
}

/// Functions with random cubes of F and D, which may overlap; R has all other minterms.
pub(crate) fn function() -> impl Strategy<Value = Function> {
    covers([10, 4]).prop_map(|[on, dc]| {
        let mut off = Cover::new(on.space());
        let left = points(on.space()).into_iter().filter(|point| !holds(&on, point) && !holds(&dc, point));
        left.for_each(|point| off.push(&point));
        Function { on, dc, off, rest: Rest::Empty }
    })
}

/// The cube with one more of the first `bits` parts, for each part that it lacks.
pub(crate) fn raised(cube: &[u64], bits: usize) -> impl Iterator<Item = Vec<u64>> {
    (0..bits).filter(|&bit| !has(cube, bit)).map(|bit| {
        let mut raised = cube.to_vec();
        add(&mut raised, bit);
        raised
    })
}

pub(crate) fn holds(cover: &Cover, point: &[u64]) -> bool {
    cover.iter().any(|cube| cover.space().contains(cube, point))
}

/// Runs `step` with these sets, with a truth table of the care set if one is worthwhile, and without a work limit.
pub(crate) fn run<T>(on: &Cover, dc: &Cover, off: &Cover, step: impl FnOnce(&StepContext) -> Result<T>) -> T {
    let (algebra, budget) = (CubeAlgebra::new(on.space()), Budget::default());
    let off = BlockingIndex::new(&algebra, off.as_words());
    let coverage = CoverageTable::is_worthwhile(on, dc).then(|| CoverageTable::new(on, dc)).flatten();
    let (coverage, budget) = (coverage.as_ref(), budget.of_cubes("test", on.len()));
    step(&StepContext { algebra: &algebra, dc, coverage, off: Some(&off), budget, query_limit: u64::MAX })
        .unwrap()
}
