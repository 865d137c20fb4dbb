//! Leaves: the class of most rows, the others being exceptions.

use super::Node;

pub(super) fn is_pure(counts: &[u64]) -> bool {
    counts.iter().filter(|&&count| count > 0).count() < 2
}

/// Returns the leaf of rows with the given counts: of the class of most of them, the first of several.
pub(super) fn leaf(counts: &[u64]) -> Node {
    let class = (0..counts.len()).max_by_key(|&class| (counts[class], std::cmp::Reverse(class))).unwrap_or(0);
    Node::Leaf { class: class as u8, counts: counts.to_vec() }
}
