//! Which positions can be: legality, check, and the rule of en passant.
//!
//! A position is illegal when two men share a square, a pawn stands on the first or last rank, the kings are adjacent,
//! the side not to move is in check, or its en-passant file breaks the rule below. Whether a game from the initial
//! position could lead here is not asked.
//!
//! An en-passant file belongs to a position only when a legal en-passant capture exists, and only when the double push
//! can have happened: the two squares behind the pawn are empty, and the position before the push was legal, that is,
//! the side that is to move now was not in check then.

use super::attacks;
use super::man::{Color, Man, Role};
use super::placement::Position;
use super::square::Square;
use crate::error::{Error, ErrorKind, Result};
use std::fmt;

/// The squares that a double push touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoublePush {
    /// Where the pawn came from.
    pub origin: Square,
    /// The square passed over, where a capturing pawn lands.
    pub passed: Square,
    /// Where the pawn stands now.
    pub target: Square,
}

impl DoublePush {
    /// Returns the squares of a double push of `pusher`'s pawn on `file` (0 to 7).
    pub const fn new(pusher: Color, file: u8) -> Self {
        let [origin, passed, target] = match pusher {
            Color::White => [1, 2, 3],
            Color::Black => [6, 5, 4],
        };
        DoublePush {
            origin: Square::at(file, origin),
            passed: Square::at(file, passed),
            target: Square::at(file, target),
        }
    }
}

/// Why a position is illegal.
#[derive(Clone, Copy)]
enum Illegality {
    SharedSquare(Square),
    PawnRank(Square),
    KingsAdjacent,
    OpponentInCheck(Color),
    EnPassantNoPawn(Square),
    EnPassantBlocked(Square),
    EnPassantNoCapture,
    EnPassantCheckBefore(Color),
}

impl fmt::Display for Illegality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SharedSquare(square) => write!(f, "two men on {square}"),
            Self::PawnRank(square) => write!(f, "a pawn on {square}"),
            Self::KingsAdjacent => f.write_str("the kings are adjacent"),
            Self::OpponentInCheck(color) => {
                write!(f, "{} is in check, and {} is to move", color.name(), color.other().name())
            }
            Self::EnPassantNoPawn(square) => write!(f, "en passant without a pawn on {square} to capture"),
            Self::EnPassantBlocked(square) => {
                write!(f, "en passant although {square}, behind the pawn, is not empty")
            }
            Self::EnPassantNoCapture => f.write_str("an en-passant file without a legal en-passant capture"),
            Self::EnPassantCheckBefore(color) => {
                write!(f, "en passant although {} would have been in check before the push", color.name())
            }
        }
    }
}

impl Position {
    /// The bitboard of all men.
    #[inline]
    pub fn occupied(&self) -> u64 {
        self.squares().iter().fold(0, |all, square| all | square.bit())
    }

    /// The square of `color`'s king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.squares()[color.index()]
    }

    /// The men with their squares, in the material's numbering.
    #[inline]
    pub fn placed(&self) -> impl Iterator<Item = (Man, Square)> + '_ {
        self.material().men().iter().copied().zip(self.squares().iter().copied())
    }

    /// Whether a man of `by` attacks `square` when `occupied` holds the men that are on the board: one whose square is
    /// not in `occupied` counts as lifted, and neither blocks nor attacks.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: u64) -> bool {
        self.placed().any(|(man, from)| {
            man.color == by
                && from.bit() & occupied != 0
                && attacks::attacks(man, from, occupied) & square.bit() != 0
        })
    }

    /// Whether `color`'s king is attacked, whoever is to move.
    #[inline]
    pub fn in_check(&self, color: Color) -> bool {
        self.is_attacked(self.king(color), color.other(), self.occupied())
    }

    /// Whether the position is legal: [`Position::check_legal`] without the reason.
    #[inline]
    pub fn is_legal(&self) -> bool {
        self.illegality().is_none()
    }

    /// Checks that the position is legal, canonical or not.
    ///
    /// # Errors
    /// [`ErrorKind::IllegalPosition`] with the first reason found: two men on one square, a pawn on the first or last
    /// rank, kings adjacent, the side not to move in check, an en-passant file that cannot be.
    pub fn check_legal(&self) -> Result<()> {
        match self.illegality() {
            None => Ok(()),
            Some(reason) => {
                Err(Error::new(ErrorKind::IllegalPosition, format!("illegal position: {reason}")))
            }
        }
    }

    /// The numbers of the pawns of the side to move that may legally capture en passant the pawn on `file` (0 to 7),
    /// ascending, taking for granted that this pawn has just advanced two ranks; at most two.
    pub fn en_passant_capturers(&self, file: u8) -> impl Iterator<Item = usize> + '_ {
        let color = self.turn();
        let push = DoublePush::new(color.other(), file);
        let beside = attacks::pawn(color.other(), push.passed);
        let left = self.occupied() & !push.target.bit() | push.passed.bit();
        self.placed()
            .enumerate()
            .filter(move |&(_, (man, from))| {
                man == Man::new(color, Role::Pawn)
                    && from.bit() & beside != 0
                    && !self.is_attacked(self.king(color), color.other(), left & !from.bit())
            })
            .map(|(number, _)| number)
    }

    /// Returns this position, reached by a double push on `file` (0 to 7) from a legal position, with that file as its
    /// en-passant file if a legal en-passant capture exists, else with none.
    #[must_use]
    pub fn with_double_push(self, file: u8) -> Self {
        let file = self.en_passant_capturers(file).next().map(|_| file);
        self.with_en_passant(file)
    }

    #[inline]
    fn illegality(&self) -> Option<Illegality> {
        let mut occupied = 0;
        for (man, square) in self.placed() {
            if occupied & square.bit() != 0 {
                return Some(Illegality::SharedSquare(square));
            }
            occupied |= square.bit();
            if man.role == Role::Pawn && matches!(square.rank(), 0 | 7) {
                return Some(Illegality::PawnRank(square));
            }
        }
        if attacks::king(self.king(Color::White)) & self.king(Color::Black).bit() != 0 {
            return Some(Illegality::KingsAdjacent);
        }
        let waiting = self.turn().other();
        if self.is_attacked(self.king(waiting), self.turn(), occupied) {
            return Some(Illegality::OpponentInCheck(waiting));
        }
        self.en_passant().and_then(|file| {
            self.en_passant_impossible(file).or_else(|| {
                let captured = self.en_passant_capturers(file).next().is_some();
                (!captured).then_some(Illegality::EnPassantNoCapture)
            })
        })
    }

    /// Why the pawn on `file` cannot have arrived by a double push; `None` when it can. Captures are not looked at.
    fn en_passant_impossible(&self, file: u8) -> Option<Illegality> {
        let color = self.turn();
        let push = DoublePush::new(color.other(), file);
        let pawn = Man::new(color.other(), Role::Pawn);
        let pushed = self.placed().position(|placed| placed == (pawn, push.target));
        let Some(pushed) = pushed.filter(|_| file < 8) else {
            return Some(Illegality::EnPassantNoPawn(push.target));
        };
        let occupied = self.occupied();
        if let Some(&square) = [push.passed, push.origin].iter().find(|square| square.bit() & occupied != 0) {
            return Some(Illegality::EnPassantBlocked(square));
        }
        let mut before = *self;
        before.squares_mut()[pushed] = push.origin;
        before.in_check(color).then_some(Illegality::EnPassantCheckBefore(color))
    }
}
