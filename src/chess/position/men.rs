//! Makes positions from the men on a board, for FEN and for bitboards.
//!
//! A position gets the orientation of its material: when Black is the stronger side, the colours are exchanged
//! (ranks mirrored, the other side to move), which keeps its value for the side to move. The en-passant square is dropped
//! when there is no legal en-passant capture.

use super::bitboard::Bitboard;
use super::castling::CastlingRights;
use super::legal::oriented;
use super::man::{Man, Role};
use super::material::{MAX_MEN, Material};
use super::placement::Position;
use super::square::Square;
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::Color;

/// The men on a board, each on a square of its own.
#[derive(Clone, Copy, Default)]
pub(crate) struct BoardMen {
    colors: [Bitboard; 2],
    roles: [Bitboard; Role::ALL.len()],
}

impl BoardMen {
    pub(super) fn add(&mut self, man: Man, square: Square) {
        self.colors[man.color.index()] |= square;
        self.roles[man.role as usize] |= square;
    }

    /// The squares of the men with the colour and role of `man`.
    pub(crate) fn of(&self, man: Man) -> Bitboard {
        self.colors[man.color.index()] & self.roles[man.role as usize]
    }
}

impl Position {
    /// Returns the position of the men on the bitboards, in the orientation of its material, identical men sorted, as
    /// [`Position::from_fen`] does. It need not be canonical.
    ///
    /// The arguments are what engines hand to table probing code:
    /// - `colors`: all white men, all black men;
    /// - `roles`: all kings, queens, rooks, bishops, knights, pawns, of both colours;
    /// - `en_passant`: the square between both ends of the double push just made, or `None`. It may be given after every double
    ///   push: without a legal en-passant capture it is dropped;
    /// - `turn`: the side to move;
    /// - `castling`: the castling rights.
    ///
    /// Allocates only for an error's message. Deterministic; some hundred nanoseconds.
    ///
    /// # Errors
    /// - [`ErrorKind::BadInput`]: a man without exactly one colour and one role, or a side without exactly one king;
    /// - [`ErrorKind::UnsupportedPosition`]: more than [`MAX_MEN`] men;
    /// - [`ErrorKind::IllegalPosition`]: see [`Position::check_legal`]; or an en-passant square that no double push can
    ///   have passed.
    ///
    /// # Example
    /// ```
    /// use cubebase::position::{CastlingRights, Color, Position, Square};
    ///
    /// // White: Ka1, e4; Black: Kh8, d4; White has just played e2-e4.
    /// let [a1, h8, e4, d4] = [1 << 0, 1 << 63, 1 << 28, 1 << 27];
    /// let position = Position::from_bitboards(
    ///     [a1 | e4, h8 | d4],
    ///     [a1 | h8, 0, 0, 0, 0, e4 | d4],
    ///     Square::parse("e3"),
    ///     Color::Black,
    ///     CastlingRights::NONE,
    /// )?;
    /// assert_eq!(position, Position::from_fen("7k/8/8/8/3pP3/8/8/K7 b - e3 0 1")?);
    /// assert_eq!(position.bitboards().0, [a1 | e4, h8 | d4]);
    /// # Ok::<(), cubebase::Error>(())
    /// ```
    #[inline]
    pub fn from_bitboards(
        colors: [impl Into<Bitboard>; 2],
        roles: [impl Into<Bitboard>; 6],
        en_passant: Option<Square>,
        turn: Color,
        castling: CastlingRights,
    ) -> Result<Self> {
        let men = BoardMen { colors: colors.map(Into::into), roles: roles.map(Into::into) };
        let [white, black] = men.colors;
        let all = men.roles.into_iter().fold(Bitboard::EMPTY, |all, of_role| all | of_role);
        let has_one_role = men.roles.iter().map(|of_role| of_role.len()).sum::<usize>() == all.len();
        if !has_one_role || !(white & black).is_empty() || white | black != all {
            let why = "bitboards that do not give each man one colour and one role";
            return Err(Error::new(ErrorKind::BadInput, why));
        }
        Self::of_men(men, turn, en_passant, castling)
    }

    /// The men of each colour and of each role as bitboards, the inverse of [`Position::from_bitboards`].
    pub fn bitboards(&self) -> ([u64; 2], [u64; 6]) {
        let (mut colors, mut roles) = ([0; 2], [0; 6]);
        for (man, square) in self.placed() {
            colors[man.color.index()] |= 1 << square.index();
            roles[man.role as usize] |= 1 << square.index();
        }
        (colors, roles)
    }

    /// The legal position of `men` with `turn` to move; `passed` is the square that a double push has just passed.
    pub(super) fn of_men(
        men: BoardMen,
        turn: Color,
        passed: Option<Square>,
        castling: CastlingRights,
    ) -> Result<Self> {
        let counts = Color::BOTH.map(|color| Role::ALL.map(|role| men.of(Man::new(color, role)).len()));
        let all = counts.as_flattened().iter().sum::<usize>();
        if all > MAX_MEN {
            let message = format!("{all} men, more than {MAX_MEN}");
            return Err(Error::new(ErrorKind::UnsupportedPosition, message));
        }
        for (color, [kings, ..]) in Color::BOTH.iter().zip(counts) {
            if kings != 1 {
                let message = format!("{} has {kings} kings, not one", color.name());
                return Err(Error::new(ErrorKind::BadInput, message));
            }
        }
        let (material, exchanged) = Material::of_counts(counts)?;
        let mut squares = [Square::default(); MAX_MEN];
        let mut group = 0..0;
        while let Some(next) = material.group(group.end) {
            group = next;
            let man = material.men()[group.start];
            let color = if exchanged { man.color.other() } else { man.color };
            for (square, on) in squares[group.clone()].iter_mut().zip(men.of(Man::new(color, man.role))) {
                *square = oriented(on, exchanged);
            }
        }
        let turn = if exchanged { turn.other() } else { turn };
        let castling = if exchanged { castling.exchanged() } else { castling };
        let mut position =
            Position::new(material, &squares[..material.len()], turn, None).with_castling(castling);
        position.sort();
        position.check(exchanged)?;
        match passed {
            None => Ok(position),
            Some(passed) => position.after_passing(oriented(passed, exchanged), exchanged),
        }
    }
}
