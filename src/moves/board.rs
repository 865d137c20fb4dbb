//! A FEN as a board of the rules library.

use super::notation::{self, Notation, Uci};
use super::outcome::has_castling;
use crate::chess::position::rules_library::{self, PIECES, theirs};
use crate::chess::position::{
    Bitboard, Color as Side, DoublePush, Fen, MAX_MEN, Man, Position, Role, Square, attacks,
};
use crate::error::{Error, ErrorKind, Result};
use cozy_chess::{Board, BoardBuilder, BoardBuilderError, Color, File};

/// A legal position of any number of men.
#[derive(Clone)]
pub(super) struct Root {
    pub(super) board: Board,
    /// Whether a castling right is not that of ordinary chess.
    pub(super) is_chess960: bool,
    /// Halfmove clock and move number.
    numbers: [u64; 2],
}

fn illegal(reason: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::IllegalPosition, format!("illegal position: {reason}"))
}

impl Root {
    pub(super) fn read(text: &str) -> Result<Self> {
        let fen = Fen::parse(text)?;
        let turn = fen.turn;
        // More than 64 bits are cut to the largest number; without numbers a game begins.
        let numbers = fen.numbers.map(|number| number.map(|digits| digits.parse().unwrap_or(u64::MAX)));
        let numbers = [numbers[0].unwrap_or(0), numbers[1].unwrap_or(1)];
        let mut builder = BoardBuilder::empty();
        builder.side_to_move = theirs(fen.turn);
        let occupied = place(&fen, &mut builder)?;
        let is_chess960 = fen.castling.ordinary().is_none();
        add_castling(&fen, &mut builder);
        let (passed, is_for_tables) = (fen.passed, occupied.len() <= MAX_MEN && !is_chess960);
        let may_capture = passed.map_or(Ok(false), |passed| may_capture(&fen, occupied, passed));
        // A position for tables is checked by their rules of legality.
        let position = if is_for_tables { Some(fen.position()?) } else { None };
        let is_passed = match position {
            Some(position) => position.en_passant().is_some(),
            None => may_capture?,
        };
        builder.en_passant =
            passed.filter(|_| is_passed).map(|passed| cozy_chess::Square::index(passed.index()));
        let board = builder.build().map_err(|error| refusal(error, turn))?;
        Ok(Root { board, is_chess960, numbers })
    }

    /// The halfmove clock.
    pub(super) fn clock(&self) -> u32 {
        self.numbers[0].try_into().unwrap_or(u32::MAX)
    }

    /// Makes the legal move with this name in UCI notation.
    pub(super) fn play(&mut self, uci: &str) -> Result<()> {
        let notation = Notation::new(&self.board, self.is_chess960);
        let asked = Uci::read(uci)?;
        let legal = notation::legal_moves(&self.board);
        let found = legal.into_iter().find(|&played| notation.is_named(played, &asked));
        let played = found.ok_or_else(|| asked.not_legal())?;
        let [halfmoves, moves] = self.numbers;
        let halfmoves = if notation.is_zeroing(played) { 0 } else { halfmoves.saturating_add(1) };
        self.numbers =
            [halfmoves, moves.saturating_add(u64::from(self.board.side_to_move() == Color::Black))];
        self.board.play_unchecked(played);
        Ok(())
    }

    pub(super) fn to_fen(&self) -> String {
        let is_by_file = self.is_chess960 && has_castling(&self.board);
        let text = if is_by_file { format!("{:#}", self.board) } else { self.board.to_string() };
        let fields: Vec<&str> = text.split(' ').collect();
        let &[men, turn, castling, passed, ..] = fields.as_slice() else { return text };
        let passed = if notation::has_en_passant(&self.board) { passed } else { "-" };
        let [halfmoves, moves] = self.numbers;
        format!("{men} {turn} {castling} {passed} {halfmoves} {moves}")
    }
}

/// The board of a legal position.
pub(super) fn board(position: &Position) -> Result<Board> {
    rules_library::board(position).map_err(|error| refusal(error, position.turn()))
}

/// Puts the men of a FEN on the builder's board, and returns their squares; an error for kings, pawns or checks that no
/// legal position has.
fn place(fen: &Fen<'_>, builder: &mut BoardBuilder) -> Result<Bitboard> {
    let mut occupied = Bitboard::EMPTY;
    for color in Side::BOTH {
        let mut counts = [0; Role::ALL.len()];
        for role in Role::ALL {
            let squares = fen.men.of(Man::new(color, role));
            occupied |= squares;
            counts[role as usize] = squares.len();
            for square in squares {
                if !role.squares().contains(square) {
                    return Err(illegal(format_args!("a pawn on {square}")));
                }
                builder.board[square.index()] = Some((PIECES[role as usize], theirs(color)));
            }
        }
        let (kings, pawns) = (counts[Role::King as usize], counts[Role::Pawn as usize]);
        let (name, all) = (color.name(), counts.iter().sum::<usize>());
        if kings != 1 {
            let why = format!("bad FEN: {name} has {kings} kings, not one");
            return Err(Error::new(ErrorKind::BadInput, why));
        }
        if pawns > 8 {
            return Err(illegal(format_args!("{name} has {pawns} pawns, more than 8")));
        }
        if all > 16 {
            return Err(illegal(format_args!("{name} has {all} men, more than 16")));
        }
    }
    let waiting = fen.turn.other();
    let king = fen.men.of(Man::new(waiting, Role::King));
    for role in Role::ALL {
        let man = Man::new(fen.turn, role);
        let attacks_king = |from| !(attacks::attacks(man, from, occupied) & king).is_empty();
        if fen.men.of(man).into_iter().any(attacks_king) {
            return Err(illegal(if role == Role::King {
                "the kings are adjacent".to_owned()
            } else {
                format!("{} is in check, and {} is to move", waiting.name(), fen.turn.name())
            }));
        }
    }
    Ok(occupied)
}

/// The error for a board that the rules library refuses although [`place`] accepted its men.
fn refusal(error: BoardBuilderError, turn: Side) -> Error {
    let turn = turn.name();
    match error {
        BoardBuilderError::InvalidEnPassant => {
            illegal(format_args!("en passant although {turn} would have been in check before the push"))
        }
        error => Error::new(ErrorKind::Internal, error.to_string()),
    }
}

fn add_castling(fen: &Fen<'_>, builder: &mut BoardBuilder) {
    for (bit, files) in fen.castling.0.into_iter().enumerate() {
        let rights = builder.castle_rights_mut(theirs(Side::BOTH[bit / 2]));
        let right = if bit % 2 == 0 { &mut rights.short } else { &mut rights.long };
        *right = files.map(|[_, rook]| File::index(rook.into()));
    }
}

/// Whether a pawn attacks the square `passed` of a double push; an error if no double push can have passed it.
fn may_capture(fen: &Fen<'_>, occupied: Bitboard, passed: Square) -> Result<bool> {
    let pusher = fen.turn.other();
    let push = DoublePush::new(pusher, passed.file());
    if push.passed != passed {
        return Err(illegal(format_args!(
            "en passant on {passed}, which no double push of the opponent passes"
        )));
    }
    if !fen.men.of(Man::new(pusher, Role::Pawn)).contains(push.target) {
        return Err(illegal(format_args!("en passant without a pawn on {} to capture", push.target)));
    }
    if let Some(square) = [push.passed, push.origin].into_iter().find(|&square| occupied.contains(square)) {
        return Err(illegal(format_args!("en passant although {square}, behind the pawn, is not empty")));
    }
    let beside = attacks::pawn(pusher, passed);
    Ok(!(beside & fen.men.of(Man::new(fen.turn, Role::Pawn))).is_empty())
}
