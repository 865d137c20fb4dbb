//! Positions from Python: a board of python-chess, any object with its attributes, or FEN text.

use crate::outcome::{number, ruled_number};
use cubebase::position::{Bitboard, attacks};
use cubebase::{CastlingRights, Color, ErrorKind, Position, Square, Tables, Wdl};
use pyo3::exceptions::{PyException, PyKeyError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString, PyType};

/// Squares where no pawn stands.
const PAWNLESS_RANKS: u64 = 0xff00_0000_0000_00ff;

/// No position of up to so many men is a cursed win or a blessed loss.
pub const MEN_WITHOUT_CURSED: u32 = 4;

/// A position as bitboards, which may be invalid.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// The men of White and of Black.
    pub colors: [u64; 2],
    /// The kings, queens, rooks, bishops, knights and pawns.
    pub roles: [u64; 6],
    pub en_passant: Option<u8>,
    pub turn: Color,
    /// The squares of the rooks that may castle.
    pub castling: u64,
}

impl Board {
    /// Reads the attributes of a board.
    ///
    /// # Errors
    /// `TypeError` if it lacks these attributes, `KeyError` if it is a board of another game than chess.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        check_game(object)?;
        let read = || {
            let word = |name| object.getattr(name)?.extract::<u64>();
            // python-chess counts Black as 0 and White as 1.
            let [black, white] = pair(&object.getattr(intern!(py, "occupied_co"))?)?;
            let ep_square = object.getattr(intern!(py, "ep_square"))?;
            let [queens, rooks, bishops, knights, pawns] = [
                word(intern!(py, "queens"))?,
                word(intern!(py, "rooks"))?,
                word(intern!(py, "bishops"))?,
                word(intern!(py, "knights"))?,
                word(intern!(py, "pawns"))?,
            ];
            // Reading attributes is slow, so kings are the men without another role. Boards with two kings a side have no answer.
            let kings = (white | black) & !(queens | rooks | bishops | knights | pawns);
            PyResult::Ok(Board {
                colors: [white, black],
                roles: [kings, queens, rooks, bishops, knights, pawns],
                en_passant: if ep_square.is_none() { None } else { Some(ep_square.extract()?) },
                turn: if object.getattr(intern!(py, "turn"))?.is_truthy()? {
                    Color::White
                } else {
                    Color::Black
                },
                castling: word(intern!(py, "castling_rights"))?,
            })
        };
        read().map_err(|cause: PyErr| {
            // For example an interrupt.
            if !cause.is_instance_of::<PyException>(py) {
                return cause;
            }
            // Only the message is kept: the type of the exception is of no use to the caller.
            let (name, cause) = (type_name(object), cause.value(py));
            PyTypeError::new_err(format!("{name} is neither a board nor FEN text: {cause}"))
        })
    }

    /// The number of the outcome for the side to move; with `can_be_cursed` under the 50-move rule.
    #[inline]
    pub fn probe(&self, tables: &Tables, can_be_cursed: bool) -> cubebase::Result<i8> {
        let is_plain = self.en_passant.is_none() && self.castling == 0 && self.is_legal();
        let outcome = if is_plain {
            tables.probe_bitboards(self.colors, self.roles, None, self.turn, CastlingRights::NONE)?
        } else {
            tables.probe_unchecked(&self.position()?)?
        };
        let has_many_men = (self.colors[0] | self.colors[1]).count_ones() > MEN_WITHOUT_CURSED;
        if can_be_cursed && has_many_men && outcome != Wdl::Draw {
            let rights = CastlingRights::NONE;
            if is_plain
                && let Ok(ruled) =
                    tables.probe_wdl50_bitboards(self.colors, self.roles, None, self.turn, rights)
            {
                return Ok(ruled.index() as i8 - 2);
            }
            return ruled_number(outcome, &self.position()?, tables);
        }
        Ok(number(outcome))
    }

    /// The position, which is legal.
    ///
    /// # Errors
    /// Those of [`Position::from_bitboards`]; but a board without one king a side is an illegal position here.
    #[cold]
    pub fn position(&self) -> cubebase::Result<Position> {
        let &Board { colors, roles, en_passant, turn, castling } = self;
        let illegal = |message| cubebase::Error::new(ErrorKind::IllegalPosition, message);
        let en_passant = match en_passant {
            Some(square @ 64..) => return Err(illegal(format!("en passant on square {square} of 64"))),
            square => square.map(Square::new),
        };
        let castling = rights(castling)?;
        Position::from_bitboards(colors, roles, en_passant, turn, castling).map_err(|error| {
            match error.kind() {
                ErrorKind::BadInput => illegal(format!("illegal position: {error}")),
                _ => error,
            }
        })
    }

    /// Whether it is a legal position, ignoring en passant and castling.
    #[inline]
    fn is_legal(&self) -> bool {
        let ([white, black], [kings, queens, rooks, bishops, knights, pawns]) = (self.colors, self.roles);
        let (mut all, mut twice) = (0, white & black);
        for of_role in self.roles {
            twice |= all & of_role;
            all |= of_role;
        }
        if twice != 0 || all != white | black || pawns & PAWNLESS_RANKS != 0 {
            return false;
        }
        let waiting = self.turn.other();
        let king = kings & self.colors[waiting.index()];
        if !king.is_power_of_two() || !(kings ^ king).is_power_of_two() {
            return false;
        }
        let (king, occupied) = (Square::new(king.trailing_zeros() as u8), Bitboard(all));
        let attackers = attacks::king(king).0 & kings
            | attacks::knight(king).0 & knights
            | attacks::pawn(waiting, king).0 & pawns
            | attacks::rook(king, occupied).0 & (rooks | queens)
            | attacks::bishop(king, occupied).0 & (bishops | queens);
        attackers & self.colors[self.turn.index()] == 0
    }
}

fn rights(rooks: u64) -> cubebase::Result<CastlingRights> {
    let corners = [7, 0, 63, 56];
    if rooks & !corners.iter().fold(0, |all, corner| all | 1 << corner) != 0 {
        let why = "castling rights of Chess960: the tables have those of ordinary chess";
        return Err(cubebase::Error::new(ErrorKind::UnsupportedPosition, why));
    }
    let bits = (0..4).fold(0, |bits, bit| bits | ((rooks >> corners[bit] & 1) as u8) << bit);
    Ok(CastlingRights::from_bits(bits).unwrap_or_default())
}

/// The first two numbers of a sequence.
fn pair(object: &Bound<'_, PyAny>) -> PyResult<[u64; 2]> {
    match object.cast::<PyList>() {
        Ok(list) => Ok([list.get_item(0)?.extract()?, list.get_item(1)?.extract()?]),
        Err(_) => Ok([object.get_item(0)?.extract()?, object.get_item(1)?.extract()?]),
    }
}

/// Checks by an attribute of python-chess's boards that a board is of chess and not of a variant.
fn check_game(object: &Bound<'_, PyAny>) -> PyResult<()> {
    /// The first type met whose boards are all of chess, such as that of python-chess.
    static CHESS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let (py, of) = (object.py(), object.get_type());
    let remembered = CHESS.get(py);
    if remembered.is_some_and(|chess| chess.is(&of)) {
        return Ok(());
    }
    let (name, chess) = (intern!(py, "uci_variant"), intern!(py, "chess"));
    if let Some(game) = object.getattr_opt(name)?
        && !game.eq(chess)?
    {
        return Err(PyKeyError::new_err(format!("the tables are for chess, and the board is of {game}")));
    }
    if remembered.is_none()
        && let Some(game) = of.getattr_opt(name)?
        && game.eq(chess)?
    {
        // Another thread may have been first.
        let _ = CHESS.set(py, of.unbind());
    }
    Ok(())
}

/// A position as given by the caller.
pub enum Given<'py> {
    Board(Board),
    Fen(Bound<'py, PyString>),
}

impl<'py> Given<'py> {
    /// Takes FEN text or reads a board.
    pub fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyString>() {
            Ok(text) => Ok(Given::Fen(text.clone())),
            Err(_) => Board::of(object).map(Given::Board),
        }
    }
}

fn type_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string())
}
