//! What the functions return, as numbers that stay.

use cubebase::{ErrorKind, Wdl};

/// Whether a call did what it was asked, and if not, why. The numbers stay as they are; more may be added.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It did.
    Ok = 0,
    /// A pointer is NULL that must not be.
    NullPointer = 1,
    /// A file or a directory cannot be read.
    Io = 2,
    /// The file does not begin as a table or a bundle does.
    BadMagic = 3,
    /// The file is of a newer version of the format.
    UnsupportedVersion = 4,
    /// The file contradicts itself: it was cut short or damaged.
    Corrupt = 5,
    /// There is no table for the men on the board.
    MissingTable = 6,
    /// No table can answer: castling rights, a 50-move counter, too many men.
    UnsupportedPosition = 7,
    /// The position cannot be, as far as this was looked at.
    IllegalPosition = 8,
    /// Arguments that make no sense: a man of two colours, a side without its king, a square beyond h8.
    BadInput = 9,
    /// An error of the library itself: please report it.
    Internal = 10,
    /// The file asks for more memory, or for more decoding at once, than is allowed.
    BudgetExhausted = 11,
}

impl Status {
    /// The status of an error of the prober.
    pub(crate) fn of(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Io => Status::Io,
            ErrorKind::BadMagic => Status::BadMagic,
            ErrorKind::UnsupportedVersion => Status::UnsupportedVersion,
            ErrorKind::Corrupt => Status::Corrupt,
            ErrorKind::MissingTable => Status::MissingTable,
            ErrorKind::UnsupportedPosition => Status::UnsupportedPosition,
            ErrorKind::IllegalPosition => Status::IllegalPosition,
            ErrorKind::BadInput | ErrorKind::BadMaterial => Status::BadInput,
            ErrorKind::BudgetExhausted => Status::BudgetExhausted,
            _ => Status::Internal,
        }
    }
}

/// The outcome of a position with best play, for the side to move, without the 50-move rule. The numbers are those of
/// Fathom; 1 and 3 are left free for outcomes that the 50-move rule changes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move loses.
    Loss = 0,
    /// Drawn.
    Draw = 2,
    /// The side to move wins.
    Win = 4,
}

impl Outcome {
    /// `None` for an outcome that there is no number for yet.
    #[inline]
    pub(crate) fn of(wdl: Wdl) -> Option<Self> {
        match wdl {
            Wdl::Loss => Some(Outcome::Loss),
            Wdl::Draw => Some(Outcome::Draw),
            Wdl::Win => Some(Outcome::Win),
            _ => None,
        }
    }
}
