//! From the canonical position back to the board that was asked about.
//!
//! A table is asked about the canonical position: mirrored, turned, with the colours exchanged where Black is the stronger side
//! or a symmetric material has Black to move. A reader wants to hear of the board that was shown. Where several symmetries lead
//! there, as on a diagonal, each gives the same sets of squares.

use crate::error::{Error, ErrorKind, Result};
use crate::position::{Color, Man, Position, Square, Symmetry};

/// How the canonical position becomes the one asked: a symmetry, then perhaps an exchange of the colours.
#[derive(Clone, Copy, Debug)]
pub(super) struct WayBack {
    symmetry: Symmetry,
    exchanged: bool,
}

/// A file or a rank of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    File(u8),
    Rank(u8),
}

impl WayBack {
    /// Returns the way from `canonical` to `asked`, or where `exchanged` to `asked` with its colours exchanged.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] when there is none, which is so of no canonical image.
    pub(super) fn find(asked: &Position, exchanged: bool, canonical: &Position) -> Result<Self> {
        let colors = WayBack { symmetry: Symmetry::IDENTITY, exchanged };
        let mut men: Vec<_> =
            asked.placed().map(|(man, square)| (colors.man(man), colors.square(square))).collect();
        men.sort_unstable();
        let exchanged = exchanged != (asked.turn() != canonical.turn());
        let leads = |way: &WayBack| {
            let mut images: Vec<_> =
                canonical.placed().map(|(man, square)| (way.man(man), way.square(square))).collect();
            images.sort_unstable();
            let file = canonical.en_passant().map(|file| way.square(Square::at(file, 0)).file());
            images == men && file == asked.en_passant()
        };
        let mut ways = Symmetry::ALL.iter().map(|&symmetry| WayBack { symmetry, exchanged });
        ways.find(leads).ok_or_else(|| Error::new(ErrorKind::Internal, "no symmetry leads back"))
    }

    pub(super) fn square(self, square: Square) -> Square {
        let square = self.symmetry.apply(square);
        if self.exchanged { Symmetry::MIRROR_RANKS.apply(square) } else { square }
    }

    pub(super) fn color(self, color: Color) -> Color {
        if self.exchanged { color.other() } else { color }
    }

    pub(super) fn man(self, man: Man) -> Man {
        Man::new(self.color(man.color), man.role)
    }

    /// What a file of the canonical board becomes.
    pub(super) fn file(self, file: u8) -> Line {
        let (a, b) = (self.square(Square::at(file, 0)), self.square(Square::at(file, 1)));
        if a.file() == b.file() { Line::File(a.file()) } else { Line::Rank(a.rank()) }
    }

    /// What a rank of the canonical board becomes.
    pub(super) fn rank(self, rank: u8) -> Line {
        let (a, b) = (self.square(Square::at(0, rank)), self.square(Square::at(1, rank)));
        if a.file() == b.file() { Line::File(a.file()) } else { Line::Rank(a.rank()) }
    }

    /// Whether left and right are exchanged, where files stay files.
    pub(super) fn mirrors_files(self) -> bool {
        self.square(Square::at(0, 0)).file() != 0
    }

    /// Whether up and down are exchanged, where ranks stay ranks.
    pub(super) fn mirrors_ranks(self) -> bool {
        self.square(Square::at(0, 0)).rank() != 0
    }
}
