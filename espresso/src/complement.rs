//! Complement and sharp of covers, cube by cube.

use crate::cover::Cover;

/// Returns a cover of all minterms that are not in `cover`.
pub fn complement(cover: &Cover) -> Cover {
    sharp(&Cover::universe(cover.space()), cover)
}

/// Returns a cover of the minterms of `a` that are not in `b`; its cubes are disjoint when those of `a` are.
pub fn sharp(a: &Cover, b: &Cover) -> Cover {
    let space = a.space();
    let mut left = a.clone();
    for by in b {
        let mut next = Cover::new(space);
        for cube in &left {
            if !space.intersects(cube, by) {
                next.push(cube);
                continue;
            }
            let mut rest = cube.to_vec();
            for variable in space.variables() {
                let mut piece = rest.clone();
                for slot in &variable.slots {
                    piece[slot.word] &= !(by[slot.word] & slot.mask);
                    rest[slot.word] &= by[slot.word] | !slot.mask;
                }
                if !space.is_empty(&piece) {
                    next.push(&piece);
                }
            }
        }
        left = next;
    }
    left
}
