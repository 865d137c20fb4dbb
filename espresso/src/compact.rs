//! COMPACT: distance-one merging until nothing merges.
//!
//! The compaction of Gomboc and Shelton, section 2.5: two cubes that differ in one variable only become one, first
//! for one variable, then for the next, and all over again while something merges.

use crate::cover::Cover;
use std::cmp::Ordering;

/// Merges cubes of `cover` that differ in one variable only, until there are none.
pub fn compact(cover: &mut Cover) {
    cover.normalize();
    loop {
        let before = cover.len();
        for v in 0..cover.space().variables().len() {
            merge(cover, v);
        }
        if cover.len() == before {
            cover.normalize();
            return;
        }
    }
}

fn merge(cover: &mut Cover, v: usize) {
    let space = cover.space().clone();
    let mut mask = vec![0u64; space.words()];
    space.variables()[v].slots.iter().for_each(|slot| mask[slot.word] |= slot.mask);
    let rest = |a: &[u64], b: &[u64]| -> Ordering {
        let words = (0..mask.len()).map(|i| (a[i] & !mask[i]).cmp(&(b[i] & !mask[i])));
        words.fold(Ordering::Equal, Ordering::then)
    };
    let mut order: Vec<&[u64]> = cover.iter().collect();
    order.sort_by(|a, b| rest(a, b));
    let mut merged = Cover::new(&space);
    for cube in order {
        let last = merged.len().wrapping_sub(1);
        if last < merged.len() && rest(merged.cube(last), cube).is_eq() {
            crate::Space::join(merged.cube_mut(last), cube);
        } else {
            merged.push(cube);
        }
    }
    *cover = merged;
}
