//! The return values of the functions, as stable numbers.

use cubebase::{ErrorKind, Wdl50};

/// The result of a call: success, or the reason of the failure. The numbers do not change; more may be added.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// A pointer that must not be NULL is NULL.
    NullPointer = 1,
    /// A file or a directory cannot be read.
    Io = 2,
    /// The file does not begin with the magic bytes of a table or a bundle.
    BadMagic = 3,
    /// The file has a newer version of the format.
    UnsupportedVersion = 4,
    /// The file is corrupt: it was cut short or damaged, or its distances are of another table.
    Corrupt = 5,
    /// There is no table for the men on the board.
    MissingTable = 6,
    /// No table can answer: a 50-move counter, too many men.
    UnsupportedPosition = 7,
    /// The position is illegal, as far as that was checked.
    IllegalPosition = 8,
    /// Invalid arguments: a man without exactly one colour and one kind, a side without exactly one king, a
    /// square beyond h8, castling rights above 15.
    BadInput = 9,
    /// A bug in the library: please report it.
    Internal = 10,
    /// The file asks for more memory, or for more decoding at once, than is allowed.
    BudgetExhausted = 11,
    /// The position has castling rights, and the table for its men has none.
    MissingRights = 12,
}

impl Status {
    /// The status for an error of the prober.
    pub(crate) fn of(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Io => Status::Io,
            ErrorKind::BadMagic => Status::BadMagic,
            ErrorKind::UnsupportedVersion => Status::UnsupportedVersion,
            ErrorKind::Corrupt | ErrorKind::Mismatch => Status::Corrupt,
            ErrorKind::MissingTable => Status::MissingTable,
            ErrorKind::UnsupportedPosition => Status::UnsupportedPosition,
            ErrorKind::IllegalPosition => Status::IllegalPosition,
            ErrorKind::BadInput | ErrorKind::BadMaterial => Status::BadInput,
            ErrorKind::BudgetExhausted => Status::BudgetExhausted,
            ErrorKind::MissingRights => Status::MissingRights,
            _ => Status::Internal,
        }
    }
}

/// The outcome of a position with best play, for the side to move. The numbers are those of Fathom. `cubebase_probe` ignores the
/// 50-move rule and writes only loss, draw and win.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move loses.
    Loss = 0,
    /// A loss that the 50-move rule makes a draw.
    BlessedLoss = 1,
    /// The game is drawn.
    Draw = 2,
    /// A win that the 50-move rule makes a draw.
    CursedWin = 3,
    /// The side to move wins.
    Win = 4,
}

impl Outcome {
    /// The number of an outcome under the 50-move rule.
    #[inline]
    pub(crate) fn of(outcome: Wdl50) -> Self {
        match outcome {
            Wdl50::Loss => Outcome::Loss,
            Wdl50::BlessedLoss => Outcome::BlessedLoss,
            Wdl50::Draw => Outcome::Draw,
            Wdl50::CursedWin => Outcome::CursedWin,
            Wdl50::Win => Outcome::Win,
        }
    }
}
