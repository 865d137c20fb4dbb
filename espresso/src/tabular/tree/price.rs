//! What the nodes of a tree cost.

/// The coded size, in bits, of what a tree is made of. The caller knows how its trees are coded; growing them asks
/// nothing else.
pub trait Price: Sync {
    /// Bits of a test of `low..=high` in `variable`, without its children.
    fn test(&self, variable: usize, low: u8, high: u8) -> f32;

    /// Bits of a leaf whose rows are divided as `counts` says, a number for each class: that it is a leaf, the class of
    /// most rows, and the others as exceptions. At least one count is not zero.
    fn leaf(&self, counts: &[u32]) -> f32;

    /// A lower bound of [`Price::test`] with two leaves below it.
    fn least_test(&self) -> f32;
}
