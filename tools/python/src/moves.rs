//! `Move`: a legal move and the outcome of the position after it.

use crate::board::Board;
use crate::outcome::number;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A legal move and the outcome after it, from the view of the side that moves. `str` gives the move in UCI.
#[pyclass(module = "cubebase", frozen)]
#[derive(Debug)]
pub struct Move {
    played: cubebase::moves::Move,
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
        Move { played }
    }
}

#[pymethods]
impl Move {
    /// The move in UCI.
    #[getter]
    fn uci(&self) -> &str {
        &self.played.uci
    }

    /// The move in standard algebraic notation.
    #[getter]
    fn san(&self) -> &str {
        &self.played.san
    }

    /// The outcome after it for the side that moves: 2, 0 or -2, or None if unknown.
    #[getter]
    fn wdl(&self) -> Option<i8> {
        self.played.outcome.map(number)
    }

    #[getter]
    fn is_capture(&self) -> bool {
        self.played.capture
    }

    /// The piece that a pawn is promoted to, such as "q", or None.
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

    /// Whether it is a capture or a pawn move.
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
