//! The positions in the care set of a function.

use crate::chess::position::{BLACK_KING, Color, Material};

/// The care set of a function: a set of positions of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Whether acanonical positions are don't-cares. Otherwise the care set has all legal positions of the full board, for both
    /// sides to move.
    pub canonical: bool,
    /// The number of the anchor, for White and for Black to move; see [`Position::canonical`](crate::Position::canonical).
    pub anchors: [usize; 2],
}

impl Default for Scope {
    /// Canonical positions with the black king as the anchor for both sides to move. The outcome depends most on the weaker
    /// side's king: with it as the anchor, the covers of `KQvK` and `KRvK` have a third fewer clauses than with the white king.
    fn default() -> Self {
        Scope { canonical: true, anchors: [BLACK_KING; 2] }
    }
}

impl Scope {
    /// Returns the scope of every legal position of the full board.
    pub fn full_board() -> Self {
        Scope { canonical: false, ..Scope::default() }
    }

    /// The sides to move with positions in the care set.
    pub(super) fn turns(&self, material: &Material) -> &'static [Color] {
        if self.canonical { material.stored_turns() } else { &Color::BOTH }
    }
}
