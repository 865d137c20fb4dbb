//! Groups of numbers that are united step by step: union-find, by path halving (Tarjan and van Leeuwen 1984).

/// The lowest element of the group that `x` belongs to, where each element points to one of its group.
pub(super) fn root(parent: &mut [usize], mut x: usize) -> usize {
    while parent[x] != x {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    x
}

/// Makes one group of those that `a` and `b` belong to.
pub(super) fn unite(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b)] = a.min(b);
}
