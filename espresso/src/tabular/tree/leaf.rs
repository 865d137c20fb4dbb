//! Leaves: the class of most rows, the others being exceptions.

use super::{Exception, Node};

pub(super) fn is_pure(counts: &[u32]) -> bool {
    counts.iter().filter(|&&count| count > 0).count() < 2
}

/// The class of most rows, the first of several.
pub(super) fn majority(counts: &[u32]) -> usize {
    (0..counts.len()).max_by_key(|&class| (counts[class], std::cmp::Reverse(class))).unwrap_or(0)
}

/// Returns the leaf of the given rows, by class: that of most rows, the others being exceptions.
pub(super) fn leaf(counts: &[u32], ids: &[Vec<u32>]) -> Node {
    let class = majority(counts);
    let others = ids.iter().enumerate().filter(|&(other, _)| other != class);
    let mut exceptions: Vec<(u32, u8)> =
        others.flat_map(|(other, ids)| ids.iter().map(move |&id| (id, other as u8))).collect();
    exceptions.sort_unstable();
    let mut own = 0;
    let exceptions = exceptions.into_iter().enumerate().map(|(before, (id, other))| {
        own += ids[class][own..].partition_point(|&own| own < id);
        Exception { rank: (own + before) as u64, class: other }
    });
    leaf_with(counts, class, exceptions.collect())
}

/// Returns the leaf of `class` with `exceptions`, of rows with the given counts.
pub(super) fn leaf_with(counts: &[u32], class: usize, exceptions: Vec<Exception>) -> Node {
    Node::Leaf { class: class as u8, rows: counts.iter().map(|&count| u64::from(count)).sum(), exceptions }
}
