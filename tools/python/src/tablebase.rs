//! `Tablebase`: tables that answer, in the shape of python-chess's.

use crate::board::Given;
use crate::errors::exception;
use crate::explanation::Explanation;
use crate::fen::{position_of_fen, probe_fen, turn_of_fen};
use crate::many;
use crate::moves::{Move, fen_of};
use crate::outcome::number;
use crate::shared::SharedTables;
use cubebase::explain::Certificate;
use cubebase::{ErrorKind, Material, Moves, Tables};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::ffi::CString;
use std::path::{Path, PathBuf};

/// Tables of chess endgames. `Tablebase()` has none; `open_tablebase()` has those of up to four men.
///
/// All methods can be called from several threads.
#[pyclass(module = "cubebase", frozen)]
#[derive(Debug)]
pub struct Tablebase {
    tables: SharedTables,
}

/// Opens the tables of up to four men that are part of this module, and those at `path`, which win.
///
/// `path` is a directory of .pcn files, a bundle or one .pcn file. Where there is none in a directory this is a warning.
#[pyfunction]
#[pyo3(signature = (path = None))]
pub fn open_tablebase(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Tablebase> {
    let tables = Tables::embedded().map_err(|error| exception(&error))?;
    let tablebase = Tablebase::of(tables);
    if let Some(path) = path
        && tablebase.add(py, &path)? == 0
    {
        let why = format!("no tables in {}: their files end in .pcn, Syzygy's are not read", path.display());
        let why = CString::new(why).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &why, 1)?;
    }
    Ok(tablebase)
}

impl Tablebase {
    fn of(tables: Tables) -> Self {
        Tablebase { tables: SharedTables::new(tables) }
    }

    fn add(&self, py: Python<'_>, path: &Path) -> PyResult<usize> {
        let opened = py.detach(|| Tables::open(path)).map_err(|error| exception(&error))?;
        let count = opened.materials().len();
        self.tables.change(py, |tables| tables.add_tables(opened));
        Ok(count)
    }
}

#[pymethods]
impl Tablebase {
    #[new]
    fn new() -> Self {
        Tablebase::of(Tables::empty())
    }

    /// Adds the tables of a directory, a bundle or a .pcn file, and returns how many. Of the same material the last one
    /// wins.
    #[allow(clippy::needless_pass_by_value, reason = "what Python gives is converted")]
    fn add_directory(&self, py: Python<'_>, path: PathBuf) -> PyResult<usize> {
        self.add(py, &path)
    }

    /// Returns the outcome for the side to move: 2 for a win, 0 for a draw, -2 for a loss.
    ///
    /// `board` is a `chess.Board` or FEN text.
    fn probe_wdl(&self, board: &Bound<'_, PyAny>) -> PyResult<i8> {
        let py = board.py();
        let outcome = match Given::of(board)? {
            Given::Board(board) => self.tables.ask(py, |tables| board.probe(tables)),
            Given::Fen(text) => {
                let text = text.to_str()?;
                self.tables.ask(py, |tables| probe_fen(text, tables))
            }
        };
        outcome.map(number).map_err(|error| exception(&error))
    }

    /// Returns what `probe_wdl` does, or `default` where that raises a `KeyError`.
    #[pyo3(signature = (board, default = None))]
    fn get_wdl<'py>(
        &self,
        board: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = board.py();
        match self.probe_wdl(board) {
            Ok(outcome) => Ok(Some(outcome.into_pyobject(py)?.into_any())),
            Err(error) if error.is_instance_of::<PyKeyError>(py) => Ok(default),
            Err(error) => Err(error),
        }
    }

    /// Returns the outcomes of boards or FEN texts in order, with all processors and without the interpreter's lock: an array
    /// of `numpy.int8` where numpy can be imported, otherwise a list.
    ///
    /// Where `probe_wdl` raises a `KeyError` the answer is `default`, -128 to 127; without it, or on any other error, the
    /// first of the errors is raised.
    #[pyo3(signature = (positions, *, default = None))]
    fn probe_many<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        default: Option<i8>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // Each of its characters would be taken for a position.
        if positions.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("one FEN, and not several positions: probe_wdl takes one"));
        }
        many::array(positions.py(), &many::probe(&self.tables, positions, default)?)
    }

    /// Returns the outcome and what decided it.
    fn explain(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Explanation> {
        let (position, turn) = match Given::of(board)? {
            Given::Board(board) => (board.position(), board.turn),
            Given::Fen(text) => (position_of_fen(text.to_str()?), turn_of_fen(text.to_str()?)),
        };
        // The first time that a large table is asked, its leaves are counted.
        let explained =
            self.tables.ask_detached(py, |tables| Certificate::of_position(tables, &position?, turn));
        explained.map(Explanation::new).map_err(|error| exception(&error))
    }

    /// Returns the legal moves with the outcome after each, best first. `board` is any position of chess, castling rights and
    /// many men too: where no table answers, the outcome is None.
    fn moves(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Vec<Move>> {
        let fen = fen_of(board)?;
        let moves = self.tables.ask_detached(py, |tables| Moves::of(tables, &fen));
        // Of a board without one king a side the other methods say that it is illegal, not that it is no FEN.
        let moves = moves.map_err(|error| match error.kind() {
            ErrorKind::BadInput => exception(&position_of_fen(&fen).err().unwrap_or(error)),
            _ => exception(&error),
        })?;
        Ok(moves.moves.into_iter().map(Move::from).collect())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let materials = self.tables.ask(py, Tables::materials);
        let number = |number, noun| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
        match materials.iter().map(Material::len).max() {
            Some(men) => format!("<Tablebase: {} of up to {men} men>", number(materials.len(), "table")),
            None => "<Tablebase: no tables>".to_owned(),
        }
    }

    /// Lets go of all tables. Tables can be added again.
    fn close(&self, py: Python<'_>) {
        self.tables.change(py, |tables| *tables = Tables::empty());
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) {
        self.close(py);
    }
}
