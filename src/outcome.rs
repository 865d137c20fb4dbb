//! The two sides of a game, and outcomes as the side to move sees them.

use core::fmt;

/// White or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// White, the stronger side of a material signature.
    White,
    /// Black.
    Black,
}

impl Color {
    /// Both colours, White first.
    pub const BOTH: [Color; 2] = [Color::White, Color::Black];

    /// The other colour.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// 0 for White, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `white` or `black`.
    pub const fn name(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }
}

/// The outcome of a position with best play, for the side to move, without the 50-move rule.
///
/// Under the 50-move rule there are five outcomes: [`Wdl50`]. [`Wdl::ALL`] and [`Wdl::index`] will stay as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Wdl {
    /// The side to move loses.
    Loss = 0,
    /// Drawn.
    Draw = 1,
    /// The side to move wins.
    Win = 2,
}

impl Wdl {
    /// The outcomes without the 50-move rule: loss, draw, win.
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

    /// The two other outcomes, the worse first.
    pub(crate) const fn others(self) -> [Self; 2] {
        match self {
            Wdl::Loss => [Wdl::Draw, Wdl::Win],
            Wdl::Draw => [Wdl::Loss, Wdl::Win],
            Wdl::Win => [Wdl::Loss, Wdl::Draw],
        }
    }

    /// 0 for a loss, 1 for a draw, 2 for a win.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `loss`, `draw` or `win`.
    pub const fn name(self) -> &'static str {
        Wdl50::new(self, 0).name()
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The plies without a capture or pawn move after which a game is drawn under the 50-move rule.
pub const FIFTY_MOVES: u32 = 100;

/// The outcome of a position with best play, for the side to move, under the 50-move rule and with its counter at zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl50 {
    /// The side to move loses.
    Loss = 0,
    /// Lost without the rule, drawn with it.
    BlessedLoss = 1,
    /// Drawn.
    Draw = 2,
    /// Won without the rule, drawn with it.
    CursedWin = 3,
    /// The side to move wins.
    Win = 4,
}

impl Wdl50 {
    /// All outcomes, ascending.
    pub const ALL: [Wdl50; 5] = [Wdl50::Loss, Wdl50::BlessedLoss, Wdl50::Draw, Wdl50::CursedWin, Wdl50::Win];

    /// The outcome under the rule, from the outcome without it and the distance to zeroing in plies.
    pub const fn new(wdl: Wdl, dtz: u32) -> Self {
        match wdl {
            Wdl::Loss if dtz > FIFTY_MOVES => Wdl50::BlessedLoss,
            Wdl::Loss => Wdl50::Loss,
            Wdl::Draw => Wdl50::Draw,
            Wdl::Win if dtz > FIFTY_MOVES => Wdl50::CursedWin,
            Wdl::Win => Wdl50::Win,
        }
    }

    /// The outcome for the other side.
    #[must_use]
    pub const fn other(self) -> Self {
        Self::ALL[4 - self.index()]
    }

    /// 0 for a loss to 4 for a win.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `loss`, `blessed-loss`, `draw`, `cursed-win` or `win`.
    pub const fn name(self) -> &'static str {
        match self {
            Wdl50::Loss => "loss",
            Wdl50::BlessedLoss => "blessed-loss",
            Wdl50::Draw => "draw",
            Wdl50::CursedWin => "cursed-win",
            Wdl50::Win => "win",
        }
    }
}

impl fmt::Display for Wdl50 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
