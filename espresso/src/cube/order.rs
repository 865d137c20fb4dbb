//! The order of cubes by weight.

use crate::cube::bits::numbers;
use crate::cube::cube_algebra::CubeAlgebra;

/// The cubes sorted by weight, lightest first. The weight is the sum, over the cube's parts, of the number of cubes of the
/// flat list with the part. Light cubes are unlikely to be covered by others.
pub(crate) fn by_weight(algebra: &CubeAlgebra, cubes: &[u64]) -> Vec<usize> {
    let mut having = vec![0u64; algebra.space().bits()];
    cubes.chunks_exact(algebra.words()).flat_map(numbers).for_each(|part| having[part] += 1);
    let weight = |cube| numbers(cube).map(|part| having[part]).sum();
    let weights: Vec<u64> = cubes.chunks_exact(algebra.words()).map(weight).collect();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|&i| weights[i]);
    order
}
