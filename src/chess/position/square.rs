//! Squares, files and ranks, numbered a1 = 0, b1 = 1, ... h8 = 63, and the eight symmetries of the board.

use core::fmt;

/// A square of the board: rank times eight plus file, a1 = 0 and h8 = 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Square(u8);

impl Square {
    /// Returns the square numbered `index`, which is below 64; higher bits are dropped.
    pub const fn new(index: u8) -> Self {
        Square(index & 63)
    }

    /// Returns the square on `file` and `rank`, both 0 to 7.
    pub const fn at(file: u8, rank: u8) -> Self {
        Square((rank & 7) << 3 | file & 7)
    }

    /// The number of the square, 0 to 63.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, a = 0 to h = 7.
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank, first = 0 to eighth = 7.
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The bitboard of this square alone: bit [`Square::index`].
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Reads a square in algebraic notation, `a1` to `h8`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.as_bytes() {
            &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Self::at(file - b'a', rank - b'1')),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

/// One of the eight symmetries of the board: optional transposition along a1-h8, then optional mirrors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry(pub(super) u8);

impl Symmetry {
    /// The identity.
    pub const IDENTITY: Symmetry = Symmetry(0);
    /// Top and bottom exchanged (first rank to eighth).
    pub const MIRROR_RANKS: Symmetry = Symmetry(2);
    /// All eight symmetries; the first two, the identity and the mirror of files, keep ranks.
    pub const ALL: [Symmetry; 8] = [
        Symmetry(0),
        Symmetry(1),
        Symmetry(2),
        Symmetry(3),
        Symmetry(4),
        Symmetry(5),
        Symmetry(6),
        Symmetry(7),
    ];

    /// The symmetries of a board with pawns: the identity and the mirror of files.
    pub const WITH_PAWNS: [Symmetry; 2] = [Symmetry(0), Symmetry(1)];

    /// Returns the image of `square`.
    #[inline]
    pub const fn apply(self, square: Square) -> Square {
        // Without branches: the processor cannot predict the symmetry.
        let s = square.0;
        let transposed = s >> 3 | (s & 7) << 3;
        let transposes = (self.0 >> 2).wrapping_neg();
        let mirrors = ((self.0 & 1) * 0o07) | ((self.0 >> 1 & 1) * 0o70);
        Square((s ^ (s ^ transposed) & transposes) ^ mirrors)
    }

    /// The file of the image of a square of the first rank on `file`.
    #[inline]
    pub(super) const fn file(self, file: u8) -> u8 {
        self.apply(Square::at(file, 0)).file()
    }
}
