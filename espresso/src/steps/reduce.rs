//! REDUCE: shrinks each cube, one after the other, to the smallest cube with all its minterms that no other cube covers.
//!
//! Follows Brayton et al. 1984, section 4.4: a cube is intersected with the smallest cube that contains the complement of
//! the cofactor of the others and D (`uncovered_by`). The result depends on
//! the order. The loop alternates two orders; after searches it uses random orders.

use crate::coverage::coverage_table::UpTo;
use crate::cube::bits::count;
use crate::cube::cube_algebra::CubeAlgebra;
use crate::random::draw;
use crate::steps::order::by_weight;
use crate::steps::step_context::StepContext;
use crate::steps::uncovered_by::UncoveredBy;
use crate::{Cover, Result};

/// The order in which cubes are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The cube with the most parts first, then the others by their distance from it, at equal distance by descending number of
    /// parts. So cubes close together shrink away from each other.
    NearLargest,
    /// Cubes whose parts are most frequent in the cover first.
    HeaviestFirst,
    /// A random order with this seed.
    Shuffled(u64),
}

impl Order {
    pub(crate) fn other(self) -> Self {
        match self {
            Order::NearLargest => Order::HeaviestFirst,
            Order::HeaviestFirst | Order::Shuffled(_) => Order::NearLargest,
        }
    }

    /// The numbers of the cubes in this order.
    fn sorted(self, algebra: &CubeAlgebra, on: &Cover) -> Vec<usize> {
        let mut order: Vec<usize> = (0..on.len()).collect();
        match self {
            Order::Shuffled(seed) => order.sort_by_cached_key(|&i| draw(seed, i as u64)),
            Order::HeaviestFirst => order = by_weight(algebra, on.as_words()).into_iter().rev().collect(),
            Order::NearLargest => {
                let parts = |i: usize| count(on.cube(i));
                if let Some(&largest) = order.iter().rev().max_by_key(|&&i| parts(i)) {
                    let distance = |i: usize| on.space().distance(on.cube(i), on.cube(largest));
                    order.sort_by_cached_key(|&i| (distance(i), std::cmp::Reverse(parts(i))));
                }
            }
        }
        order
    }
}

/// Reduces the cubes of `on`, one after the other in `order`, each to the smallest cube such that the cover together with
/// the don't-cares keeps all minterms. Cubes that become empty are dropped. Returns the cubes in this order, and for each
/// whether it is unchanged.
///
/// Deterministic. O(|F| · (|F| + |D|)) words, and an SCCC for each cube.
pub(crate) fn reduce(context: &StepContext, on: &Cover, order: Order) -> Result<(Cover, Vec<bool>)> {
    let order = order.sorted(context.algebra, on).into_iter().map(|i| on.cube(i));
    let cubes = order.filter(|cube| !on.space().is_empty(cube)).collect::<Vec<_>>().concat();
    let before = Cover::from_words(on.space(), cubes);
    let mut rest = UncoveredBy::new(context, before.as_words(), UpTo::All);
    let mut query = rest.query();
    for (i, cube) in before.iter().enumerate() {
        let reduced = rest.supercube(&mut query, i)?;
        if reduced != cube {
            rest.shrink(&mut query, i, &reduced);
        }
    }
    Ok(without_empty(&before, Cover::from_words(on.space(), rest.cubes)))
}

/// The nonempty cubes of `reduced`, and for each whether it is the same as in `on`.
pub(crate) fn without_empty(on: &Cover, mut reduced: Cover) -> (Cover, Vec<bool>) {
    let space = on.space();
    let left = |i: &usize| !space.is_empty(reduced.cube(*i));
    let same = (0..on.len()).filter(left).map(|i| reduced.cube(i) == on.cube(i)).collect();
    reduced.retain(|_, cube| !space.is_empty(cube));
    (reduced, same)
}

/// Each cube of `on` reduced as far as possible while all the others stay unchanged, in order.
pub(crate) fn reduce_each(context: &StepContext, on: &Cover) -> Result<Vec<Vec<u64>>> {
    let rest = UncoveredBy::new(context, on.as_words(), UpTo::Two);
    rest.each(on.len(), |query, i| rest.supercube(query, i))
}
