//! Cubes of one output in place of cubes of several. EXPAND then finds which outputs can share cubes.

use crate::{Cover, Space};

/// Limit on the outputs of all cubes together, for splitting them and for keeping a cover beside its compaction.
pub(super) const MOST_OUTPUTS_SPLIT: usize = 5000;

/// Each cube as one cube for each of its outputs; `None` if there is nothing to split, or too much.
pub(super) fn split_outputs(cover: &Cover) -> Option<Cover> {
    let (space, outputs) = (cover.space(), cover.output_literals());
    if outputs == cover.len() || outputs > MOST_OUTPUTS_SPLIT {
        return None;
    }
    let (output, mut split) = (space.output(), Cover::new(space));
    for (cube, bit) in cover.iter().flat_map(|cube| output.bits_in(cube).map(move |bit| (cube, bit))) {
        let mut single = cube.to_vec();
        Space::keep_only(output, &mut single, bit);
        split.push(&single);
    }
    split.normalize();
    Some(split)
}
