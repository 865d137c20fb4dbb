//! Union-find with path halving (Tarjan and van Leeuwen 1984).

/// The lowest element of the set of `x`, its root. `parent` gives for each element a lower one of its set, or itself.
pub(super) fn root(parent: &mut [usize], mut x: usize) -> usize {
    while parent[x] != x {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    x
}

/// Unites the sets of `a` and `b`.
pub(super) fn unite(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b)] = a.min(b);
}
