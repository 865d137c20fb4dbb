//! `Move`: a legal move and what is known of the position after it.

use crate::board::Board;
use crate::outcome::number;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A legal move and the outcome after it, seen from the side that moves. `str` gives the move as UCI writes it.
#[pyclass(module = "cubebase", frozen)]
#[derive(Debug)]
pub struct Move {
    played: cubebase::moves::Move,
}

/// Returns the text of a position in Forsyth-Edwards Notation: `board` itself, or what its method `fen` gives.
///
/// # Errors
/// `TypeError` for what is neither text nor a board, `KeyError` for a board of another game than chess.
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
        Move { played }
    }
}

#[pymethods]
impl Move {
    /// The move as UCI writes it.
    #[getter]
    fn uci(&self) -> &str {
        &self.played.uci
    }

    /// The move in standard algebraic notation.
    #[getter]
    fn san(&self) -> &str {
        &self.played.san
    }

    /// The outcome after it for the side that moves: 2, 0 or -2, or None where it is unknown.
    #[getter]
    fn wdl(&self) -> Option<i8> {
        self.played.outcome.map(number)
    }

    #[getter]
    fn is_capture(&self) -> bool {
        self.played.capture
    }

    /// What a pawn becomes, as "q", or None.
    #[getter]
    fn promotion(&self) -> Option<char> {
        self.played.promotion.map(|role| role.letter().to_ascii_lowercase())
    }

    #[getter]
    fn is_castling(&self) -> bool {
        self.played.castling
    }

    /// Whether it gives check, checkmate included.
    #[getter]
    fn is_check(&self) -> bool {
        self.played.check
    }

    #[getter]
    fn is_checkmate(&self) -> bool {
        self.played.checkmate
    }

    #[getter]
    fn is_stalemate(&self) -> bool {
        self.played.stalemate
    }

    /// Whether it is a capture or the move of a pawn.
    #[getter]
    fn is_zeroing(&self) -> bool {
        self.played.zeroing
    }

    fn __str__(&self) -> &str {
        &self.played.uci
    }

    fn __repr__(&self) -> String {
        let outcome = self.wdl().map_or("None".to_owned(), |outcome| outcome.to_string());
        format!("Move('{}', wdl={outcome})", self.played.uci)
    }
}
