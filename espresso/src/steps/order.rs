//! The order of cubes by weight.

use crate::cube::bits::numbers;
use crate::cube::cube_algebra::CubeAlgebra;

/// The numbers of the cubes of a flat list, lightest cube first. The weight of a cube is the sum, over its parts, of the
/// number of cubes with the part. Light cubes are unlikely to be covered by others.
pub(crate) fn by_weight(algebra: &CubeAlgebra, cubes: &[u64]) -> Vec<usize> {
    let mut having = vec![0u64; algebra.space().bits()];
    cubes.chunks_exact(algebra.words()).flat_map(numbers).for_each(|part| having[part] += 1);
    let weight = |cube| numbers(cube).map(|part| having[part]).sum();
    let weights: Vec<u64> = cubes.chunks_exact(algebra.words()).map(weight).collect();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|&i| weights[i]);
    order
}
