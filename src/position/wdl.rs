//! Outcomes, seen by the side to move.

use std::fmt;

/// The outcome of a position with best play, for the side to move, without the 50-move rule.
///
/// From five men on the 50-move rule makes five classes; the file formats reserve the other two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Drawn.
    Draw,
    /// The side to move wins.
    Win,
}

impl Wdl {
    /// All outcomes: loss, draw, win.
    pub const ALL: [Wdl; 3] = [Wdl::Loss, Wdl::Draw, Wdl::Win];

    /// The outcome for the other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }

    /// 0 for a loss, 1 for a draw, 2 for a win.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `loss`, `draw` or `win`.
    pub const fn name(self) -> &'static str {
        match self {
            Wdl::Loss => "loss",
            Wdl::Draw => "draw",
            Wdl::Win => "win",
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
