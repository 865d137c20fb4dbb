//! Legality of positions, check, and the rule of en passant.
//!
//! A position is illegal when two men share a square, a pawn stands on the first or last rank, the kings are adjacent,
//! the side not to move is in check, a castling right lacks its king or its rook, or its en-passant file breaks the rule
//! below. A legal position need not be reachable from the initial one.
//!
//! An en-passant file belongs to a position only when a legal en-passant capture exists, and only when the double push can have
//! happened: the two squares behind the pawn are empty, and the position before the push was legal, that is, the side that is to
//! move now was not in check.

use super::attacks;
use super::bitboard::Bitboard;
use super::castling::{CastlingRights, KINGS};
use super::man::{Man, Role};
use super::placement::Position;
use super::square::{Square, Symmetry};
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::Color;
use alloc::borrow::ToOwned;

/// The squares that a double push touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoublePush {
    /// The pawn's square before the push.
    pub origin: Square,
    /// The square passed over, where a capturing pawn lands.
    pub passed: Square,
    /// The pawn's square after the push.
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

#[derive(Clone, Copy)]
enum Illegality {
    SharedSquare(Square),
    PawnRank(Square),
    KingsAdjacent,
    OpponentInCheck(Color),
    Castling(Color, Square),
    EnPassantElsewhere(Square),
    EnPassantNoPawn(Square),
    EnPassantBlocked(Square),
    EnPassantNoCapture,
    EnPassantCheckBefore(Color),
}

impl Illegality {
    /// The error. With `exchanged`, its message is about the position with the colours exchanged.
    fn error(self, exchanged: bool) -> Error {
        let on = |square| oriented(square, exchanged);
        let side = |color: Color| if exchanged { color.other().name() } else { color.name() };
        let reason = match self {
            Self::SharedSquare(square) => format!("two men on {}", on(square)),
            Self::PawnRank(square) => format!("a pawn on {}", on(square)),
            Self::KingsAdjacent => "the kings are adjacent".to_owned(),
            Self::OpponentInCheck(color) => {
                format!("{} is in check, and {} is to move", side(color), side(color.other()))
            }
            Self::Castling(color, rook) => {
                let right = CastlingRights::of(color, rook.file());
                let right = if exchanged { right.exchanged() } else { right };
                format!("castling right '{right}' without the king and the rook for it")
            }
            Self::EnPassantElsewhere(square) => {
                format!("en passant on {}, which no double push of the opponent passes", on(square))
            }
            Self::EnPassantNoPawn(square) => {
                format!("en passant without a pawn on {} to capture", on(square))
            }
            Self::EnPassantBlocked(square) => {
                format!("en passant although {}, behind the pawn, is not empty", on(square))
            }
            Self::EnPassantNoCapture => "an en-passant file without a legal en-passant capture".to_owned(),
            Self::EnPassantCheckBefore(color) => {
                format!("en passant although {} would have been in check before the push", side(color))
            }
        };
        Error::new(ErrorKind::IllegalPosition, format!("illegal position: {reason}"))
    }
}

impl Position {
    /// The squares of all men.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.squares().iter().copied().collect()
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

    /// Whether a man of `by` attacks `square`. Men whose squares are not in `occupied` neither block nor attack.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        self.placed().any(|(man, from)| {
            man.color == by
                && occupied.contains(from)
                && attacks::attacks(man, from, occupied).contains(square)
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
    /// rank, kings adjacent, the side not to move in check, a castling right without its king or rook, an
    /// impossible en-passant file.
    pub fn check_legal(&self) -> Result<()> {
        self.check(false)
    }

    /// [`Position::check_legal`]; with `exchanged`, the message is about the position with the colours exchanged.
    pub(super) fn check(&self, exchanged: bool) -> Result<()> {
        self.illegality().map_or(Ok(()), |reason| Err(reason.error(exchanged)))
    }

    /// Returns this position after a double push over `passed`, with the en-passant file if a legal capture exists. Errors
    /// are those of [`Position::check`].
    pub(super) fn after_passing(self, passed: Square, exchanged: bool) -> Result<Self> {
        let file = passed.file();
        let illegality = if DoublePush::new(self.turn().other(), file).passed == passed {
            self.double_push_impossible(file)
        } else {
            Some(Illegality::EnPassantElsewhere(passed))
        };
        if let Some(reason) = illegality {
            return Err(reason.error(exchanged));
        }
        let position = self.with_double_push(file);
        position.check(exchanged)?;
        Ok(position)
    }

    /// The numbers of the pawns of the side to move, ascending, that can legally capture the pawn on `file` (0 to 7) en passant:
    /// at most two. This pawn is assumed to have just advanced two ranks.
    pub fn en_passant_capturers(&self, file: u8) -> impl Iterator<Item = usize> + '_ {
        let color = self.turn();
        let push = DoublePush::new(color.other(), file);
        let beside = attacks::pawn(color.other(), push.passed);
        let left = self.occupied() & !Bitboard::from(push.target) | push.passed;
        self.placed()
            .enumerate()
            .filter(move |&(_, (man, from))| {
                man == Man::new(color, Role::Pawn)
                    && beside.contains(from)
                    && !self.is_attacked(self.king(color), color.other(), left & !Bitboard::from(from))
            })
            .map(|(number, _)| number)
    }

    /// Returns this position with en-passant file `file` (0 to 7) if a legal en-passant capture exists, else with none. A double
    /// push on this file from a legal position must have led here.
    #[must_use]
    pub fn with_double_push(self, file: u8) -> Self {
        let file = self.en_passant_capturers(file).next().map(|_| file);
        self.with_en_passant(file)
    }

    #[inline]
    fn illegality(&self) -> Option<Illegality> {
        let mut occupied = Bitboard::EMPTY;
        for (man, square) in self.placed() {
            if occupied.contains(square) {
                return Some(Illegality::SharedSquare(square));
            }
            occupied |= square;
            if !man.role.squares().contains(square) {
                return Some(Illegality::PawnRank(square));
            }
        }
        if attacks::king(self.king(Color::White)).contains(self.king(Color::Black)) {
            return Some(Illegality::KingsAdjacent);
        }
        let waiting = self.turn().other();
        if self.is_attacked(self.king(waiting), self.turn(), occupied) {
            return Some(Illegality::OpponentInCheck(waiting));
        }
        let lacks = |&(color, rook): &(Color, Square)| {
            let man = (Man::new(color, Role::Rook), rook);
            self.king(color) != KINGS[color.index()] || !self.placed().any(|placed| placed == man)
        };
        if !self.castling().is_empty()
            && let Some((color, rook)) = self.castling().rooks().find(lacks)
        {
            return Some(Illegality::Castling(color, rook));
        }
        self.en_passant().and_then(|file| self.en_passant_illegality(file))
    }

    fn en_passant_illegality(&self, file: u8) -> Option<Illegality> {
        let color = self.turn();
        self.double_push_impossible(file).or_else(|| {
            let push = DoublePush::new(color.other(), file);
            let mut before = *self;
            for square in before.squares_mut().iter_mut().filter(|square| **square == push.target) {
                *square = push.origin;
            }
            if before.in_check(color) {
                return Some(Illegality::EnPassantCheckBefore(color));
            }
            let is_capturable = self.en_passant_capturers(file).next().is_some();
            (!is_capturable).then_some(Illegality::EnPassantNoCapture)
        })
    }

    /// Returns the reason if the squares show that no pawn on `file` has just advanced two ranks.
    #[inline]
    fn double_push_impossible(&self, file: u8) -> Option<Illegality> {
        let color = self.turn().other();
        let push = DoublePush::new(color, file);
        let pushed = (Man::new(color, Role::Pawn), push.target);
        if file > 7 || !self.placed().any(|placed| placed == pushed) {
            return Some(Illegality::EnPassantNoPawn(push.target));
        }
        let occupied = self.occupied();
        let blocked = [push.passed, push.origin].into_iter().find(|&square| occupied.contains(square));
        blocked.map(Illegality::EnPassantBlocked)
    }
}

/// The square, with the ranks mirrored if `exchanged`.
pub(super) fn oriented(square: Square, exchanged: bool) -> Square {
    if exchanged { Symmetry::MIRROR_RANKS.apply(square) } else { square }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(signature: &str, squares: &str, turn: Color, en_passant: Option<u8>) -> Position {
        let squares: Vec<Square> = squares.split(' ').map(|name| Square::parse(name).unwrap()).collect();
        Position::new(signature.parse().unwrap(), &squares, turn, en_passant)
    }

    fn reason(position: &Position) -> String {
        assert!(!position.is_legal());
        let error = position.check_legal().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::IllegalPosition);
        error.to_string().strip_prefix("illegal position: ").unwrap().to_owned()
    }

    /// The tests of FEN cover the other reasons.
    #[test]
    fn reasons_that_no_fen_has() {
        assert_eq!(reason(&position("KQvK", "a1 c3 c3", Color::White, None)), "two men on c3");
        let illegal = |squares, file| reason(&position("KPvKP", squares, Color::Black, Some(file)));
        assert_eq!(illegal("a1 h8 e4 c4", 4), "an en-passant file without a legal en-passant capture");
        assert_eq!(illegal("a1 h8 e4 d4", 12), "en passant without a pawn on e4 to capture");
        // A push that gives check itself can be answered en passant; a push that uncovers a check cannot.
        assert!(position("KPvKP", "a1 d5 e4 f4", Color::Black, Some(4)).is_legal());
        assert!(!position("KBPvKP", "a8 h5 d1 e4 f4", Color::Black, Some(4)).is_legal());
    }
}
