//! Leaves: their class is that of most rows, and the other rows are exceptions.

use super::Node;

pub(super) fn is_pure(counts: &[u64]) -> bool {
    counts.iter().filter(|&&count| count > 0).count() < 2
}

/// Returns the leaf of rows with the given counts. Of several most frequent classes it takes the first.
pub(super) fn leaf(counts: &[u64]) -> Node {
    let class = (0..counts.len()).max_by_key(|&class| (counts[class], std::cmp::Reverse(class))).unwrap_or(0);
    Node::Leaf { class: class as u8, counts: counts.to_vec() }
}
