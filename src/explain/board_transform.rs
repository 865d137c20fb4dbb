//! The transform from the canonical position to the user's board.
//!
//! A table is probed with the canonical position: mirrored or turned, and with the colours exchanged if Black is the stronger
//! side or if Black is to move in a symmetric material. Explanations describe the user's board. If several symmetries lead
//! from the canonical position to it, as with all men on a diagonal, each gives the same sets of squares.

use crate::chess::position::{Color, Man, Position, Square, Symmetry};
use crate::error::{Error, ErrorKind, Result};

/// The transform from the canonical position to the user's: a symmetry, then possibly an exchange of the colours.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardTransform {
    symmetry: Symmetry,
    exchanged: bool,
}

/// A file or a rank of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    File(u8),
    Rank(u8),
}

impl BoardTransform {
    /// Returns the transform from `canonical` to `asked`, or, if `exchanged`, to `asked` with its colours exchanged.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if `canonical` is not an image of `asked`.
    pub(super) fn find(asked: &Position, exchanged: bool, canonical: &Position) -> Result<Self> {
        let colors = BoardTransform { symmetry: Symmetry::IDENTITY, exchanged };
        let mut men: Vec<_> =
            asked.placed().map(|(man, square)| (colors.man(man), colors.square(square))).collect();
        men.sort_unstable();
        let exchanged = exchanged != (asked.turn() != canonical.turn());
        let anchors = |transform: &BoardTransform| {
            let mut images: Vec<_> = canonical
                .placed()
                .map(|(man, square)| (transform.man(man), transform.square(square)))
                .collect();
            images.sort_unstable();
            let file = canonical.en_passant().map(|file| transform.square(Square::at(file, 0)).file());
            images == men && file == asked.en_passant()
        };
        let mut transforms = Symmetry::ALL.iter().map(|&symmetry| BoardTransform { symmetry, exchanged });
        transforms.find(anchors).ok_or_else(|| {
            Error::new(ErrorKind::Internal, "no symmetry leads from the canonical position to the board")
        })
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

    /// The image of a file of the canonical board.
    pub(super) fn file(self, file: u8) -> Line {
        let (a, b) = (self.square(Square::at(file, 0)), self.square(Square::at(file, 1)));
        if a.file() == b.file() { Line::File(a.file()) } else { Line::Rank(a.rank()) }
    }

    /// The image of a rank of the canonical board.
    pub(super) fn rank(self, rank: u8) -> Line {
        let (a, b) = (self.square(Square::at(0, rank)), self.square(Square::at(1, rank)));
        if a.file() == b.file() { Line::File(a.file()) } else { Line::Rank(a.rank()) }
    }

    /// Whether left and right are exchanged, if files stay files.
    pub(super) fn mirrors_files(self) -> bool {
        self.square(Square::at(0, 0)).file() != 0
    }

    /// Whether up and down are exchanged, if ranks stay ranks.
    pub(super) fn mirrors_ranks(self) -> bool {
        self.square(Square::at(0, 0)).rank() != 0
    }
}
