//! Whether a cover has all minterms, of the space or of a cube.

use crate::complement::sharp;
use crate::cover::Cover;

/// Whether every minterm of `cube` is in `cover`.
pub fn covers(cover: &Cover, cube: &[u64]) -> bool {
    sharp(&Cover::from_words(cover.space(), cube.to_vec()), cover).is_empty()
}

/// Whether `cover` has every minterm of its space.
pub fn is_tautology(cover: &Cover) -> bool {
    covers(cover, cover.space().full())
}
