//! `Move`: a legal move, with the outcome and the distance of the position after it.

use crate::board::Board;
use crate::outcome::number;
use cubebase::Wdl50;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A legal move, with the outcome and the distance after it, from the view of the side that moves. `str` gives the move in UCI.
#[pyclass(module = "cubebase", frozen, get_all)]
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "they are attributes in Python")]
pub struct Move {
    /// The move in UCI.
    uci: String,
    /// The move in standard algebraic notation.
    san: String,
    /// The outcome after the move, for the side that moves, without the 50-move rule: 2, 0 or -2, or None if unknown.
    wdl: Option<i8>,
    /// The distance to zeroing after the move, with the sign of `wdl`: 1 also for checkmate, 0 for a draw, None if unknown.
    dtz: Option<i32>,
    /// The outcome after the move under the 50-move rule with the halfmove clock of the board: "win", "cursed-win", "draw",
    /// "blessed-loss", "loss", or "unknown".
    category: &'static str,
    is_capture: bool,
    /// The piece that a pawn is promoted to, such as "q", or None.
    promotion: Option<char>,
    is_castling: bool,
    /// Whether it gives check, checkmate included.
    is_check: bool,
    is_checkmate: bool,
    is_stalemate: bool,
    /// Whether it is a capture or a pawn move.
    is_zeroing: bool,
}

/// Returns the FEN of a position: `board` itself if it is text, or the result of its method `fen`.
///
/// # Errors
/// `TypeError` if it is neither text nor a board, `KeyError` for a board of another game than chess.
pub fn fen_of(board: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = board.cast::<PyString>() {
        return Ok(text.to_str()?.to_owned());
    }
    Board::of(board)?;
    let py = board.py();
    let fen = board.getattr_opt(intern!(py, "fen"))?;
    fen.ok_or_else(|| PyTypeError::new_err("a board without a method fen"))?.call0()?.extract()
}

impl From<cubebase::moves::Move> for Move {
    fn from(played: cubebase::moves::Move) -> Self {
        Move {
            uci: played.uci,
            san: played.san,
            wdl: played.outcome.map(number),
            dtz: played.dtz,
            category: played.category.map_or("unknown", Wdl50::name),
            is_capture: played.capture,
            promotion: played.promotion.map(|role| role.letter().to_ascii_lowercase()),
            is_castling: played.castling,
            is_check: played.check,
            is_checkmate: played.checkmate,
            is_stalemate: played.stalemate,
            is_zeroing: played.zeroing,
        }
    }
}

#[pymethods]
impl Move {
    fn __str__(&self) -> &str {
        &self.uci
    }

    fn __repr__(&self) -> String {
        let outcome = self.wdl.map_or("None".to_owned(), |outcome| outcome.to_string());
        format!("Move('{}', wdl={outcome})", self.uci)
    }
}
