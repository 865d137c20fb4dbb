//! `Tablebase`: tables, and the methods of python-chess's tablebases that ask for outcomes and distances.

use crate::board::Given;
use crate::errors::exception;
use crate::explanation::Explanation;
use crate::fen::{position_of_fen, probe_fen, turn_of_fen};
use crate::many;
use crate::moves::{Move, fen_of};
use crate::shared::{SharedTables, empty_like};
use cubebase::explain::BoardExplanation;
use cubebase::moves::Plan;
use cubebase::{Error, ErrorKind, Material, Moves, Tables};
use pyo3::exceptions::{PyKeyError, PyModuleNotFoundError, PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::ffi::CString;
use std::path::{Path, PathBuf};

/// Tables of chess endgames. `Tablebase()` has none; `open_tablebase()` has those of up to four men.
///
/// A position is a `chess.Board`, any object with its attributes, or FEN text. All methods can be called from several threads.
#[pyclass(module = "cubebase", frozen)]
#[derive(Debug)]
pub struct Tablebase {
    tables: SharedTables,
}

/// Opens the tables of up to four men that are built into this module, those of five men if the package `cubebase-five-men` is
/// installed, and those of `directory`. Later ones take precedence.
///
/// `directory` may also be a bundle or one .pcn file; without it, the environment variable `CUBEBASE_TABLES` may name one or,
/// separated by colons, several. A directory without .pcn files gives a `UserWarning`. Without `load_wdl` no outcomes are loaded,
/// and without `load_dtz` no distances, not even those built in. `max_fds` is ignored: files are closed once they are read.
///
/// Raises `FileNotFoundError` for a missing path, another `OSError` for a file that cannot be read or is not a table.
#[pyfunction]
#[pyo3(
    signature = (directory = None, *, load_wdl = true, load_dtz = true, max_fds = Some(128)),
    text_signature = "(directory=None, *, load_wdl=True, load_dtz=True, max_fds=128)"
)]
pub fn open_tablebase(
    py: Python<'_>,
    directory: Option<PathBuf>,
    load_wdl: bool,
    load_dtz: bool,
    #[allow(unused_variables, reason = "the name is part of the signature in Python")] max_fds: Option<usize>,
) -> PyResult<Tablebase> {
    let mut tables = Tables::embedded().map_err(|error| exception(&error))?;
    keep(&mut tables, load_wdl, load_dtz);
    let tablebase = Tablebase::of(tables);
    if let Some(path) = installed(py)? {
        tablebase.add(py, &path, load_wdl, load_dtz)?;
    }
    for path in directory.map_or_else(named_tables, |path| vec![path]) {
        if tablebase.add(py, &path, load_wdl, load_dtz)?.0 == 0 {
            let why =
                format!("no tables in {}: their files end in .pcn, Syzygy's are not read", path.display());
            warn(py, why)?;
        }
    }
    Ok(tablebase)
}

/// The paths in the environment variable, as the command reads them: separated by colons, or by semicolons on Windows.
fn named_tables() -> Vec<PathBuf> {
    let named = std::env::var_os("CUBEBASE_TABLES").unwrap_or_default();
    std::env::split_paths(&named).filter(|path| !path.as_os_str().is_empty()).collect()
}

/// The directory of tables in the package `cubebase-five-men`, if it is installed.
fn installed(py: Python<'_>) -> PyResult<Option<PathBuf>> {
    match py.import("cubebase_five_men") {
        Ok(package) => {
            let path = package.getattr("PATH").and_then(|path| path.extract::<PathBuf>());
            // Another package of this name has none.
            let Ok(path) = path else { return Ok(None) };
            if !path.is_dir() {
                // Its directory of tables is a link, which Git does not make on some systems.
                warn(
                    py,
                    format!(
                        "the package cubebase-five-men has no tables: {} is no directory",
                        path.display()
                    ),
                )?;
                return Ok(None);
            }
            Ok(Some(path))
        }
        Err(error) if error.is_instance_of::<PyModuleNotFoundError>(py) => Ok(None),
        Err(error) => Err(error),
    }
}

fn warn(py: Python<'_>, why: String) -> PyResult<()> {
    let why = CString::new(why).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &why, 1)
}

/// Removes outcomes and distances that are not wanted.
fn keep(tables: &mut Tables, outcomes: bool, distances: bool) {
    if !outcomes {
        tables.remove_outcomes();
    }
    if !distances {
        tables.remove_distances();
    }
}

impl Tablebase {
    fn of(tables: Tables) -> Self {
        Tablebase { tables: SharedTables::new(tables) }
    }

    /// Adds the tables at `path`. Returns the number of files there, and of those that were added.
    fn add(&self, py: Python<'_>, path: &Path, load_wdl: bool, load_dtz: bool) -> PyResult<(usize, usize)> {
        let mut opened = self.tables.ask(py, empty_like);
        py.detach(|| opened.add(path)).map_err(|error| exception(&error))?;
        let files = |tables: &Tables| {
            let [outcomes, distances] = [tables.materials().len(), tables.distance_materials().len()];
            outcomes + distances + tables.ranking_materials().len()
        };
        let found = files(&opened);
        keep(&mut opened, load_wdl, load_dtz);
        let kept = files(&opened);
        self.tables.add(py, opened);
        Ok((found, kept))
    }
}

/// The exception for an error about the moves of a position. A board without one king a side is illegal, as in the other methods,
/// and no bad FEN.
fn moves_exception(fen: &str, error: &Error) -> PyErr {
    let is_bad_fen = || position_of_fen(fen).is_err_and(|error| error.kind() == ErrorKind::BadInput);
    match error.kind() {
        ErrorKind::BadInput if !is_bad_fen() => PyKeyError::new_err(error.to_string()),
        _ => exception(error),
    }
}

/// The answer as an object of Python, or `default` in place of a `KeyError`.
fn or_default<'py>(
    py: Python<'py>,
    answer: PyResult<i32>,
    default: Option<Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match answer {
        Ok(answer) => Ok(Some(answer.into_pyobject(py)?.into_any())),
        Err(error) if error.is_instance_of::<PyKeyError>(py) => Ok(default),
        Err(error) => Err(error),
    }
}

#[pymethods]
impl Tablebase {
    #[new]
    #[pyo3(signature = (*, max_fds = Some(128)), text_signature = "(*, max_fds=128)")]
    fn new(#[allow(unused_variables, reason = "as in open_tablebase")] max_fds: Option<usize>) -> Self {
        Tablebase::of(Tables::empty())
    }

    /// Adds the tables of a directory, a bundle or a .pcn file, and returns the number of files added, of outcomes, distances and
    /// rankings. A later table replaces an earlier one of the same material. `load_wdl`, `load_dtz` and the exceptions are as in
    /// `open_tablebase`.
    #[allow(clippy::needless_pass_by_value, reason = "what Python gives is converted")]
    #[pyo3(signature = (directory, *, load_wdl = true, load_dtz = true))]
    fn add_directory(
        &self,
        py: Python<'_>,
        directory: PathBuf,
        load_wdl: bool,
        load_dtz: bool,
    ) -> PyResult<usize> {
        Ok(self.add(py, &directory, load_wdl, load_dtz)?.1)
    }

    /// Returns the outcome for the side to move: 2 for a win, 0 for a draw, -2 for a loss; 1 for a cursed win and -1 for a
    /// blessed loss, which are draws under the 50-move rule even from a counter of zero. The board's own counter is ignored.
    /// The rule is ignored where neither the file of outcomes nor that of distances knows it.
    ///
    /// Raises `MissingTableError`, a `KeyError`, if there is no table of these men, or none with castling rights; another
    /// `KeyError` for an illegal position, castling rights of Chess960, more than eight men or a board of another game;
    /// `ValueError` for text that is not a FEN; `TypeError` for what is neither a board nor text; `OSError` for a file that
    /// cannot be read or is not a table; `MemoryError` beyond the decoding limit.
    fn probe_wdl(&self, board: &Bound<'_, PyAny>) -> PyResult<i8> {
        let py = board.py();
        let can_be_cursed = self.tables.can_be_cursed();
        let outcome = match Given::of(board)? {
            Given::Board(board) => self.tables.ask(py, |tables| board.probe(tables, can_be_cursed)),
            Given::Fen(text) => {
                let text = text.to_str()?;
                self.tables.ask(py, |tables| probe_fen(text, tables, can_be_cursed))
            }
        };
        outcome.map_err(|error| exception(&self.tables.name_closed(error)))
    }

    /// Like `probe_wdl`, but returns `default` where that raises a `KeyError`, also a `MissingTableError`.
    #[pyo3(signature = (board, default = None))]
    fn get_wdl<'py>(
        &self,
        board: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        or_default(board.py(), self.probe_wdl(board).map(i32::from), default)
    }

    /// Returns the distance to zeroing for the side to move: 0 for a draw; the plies to the next capture or pawn move, that move
    /// included, or to mate, with best play: positive for a win, negative for a loss, -1 for mate. Beyond 100 a win is cursed and
    /// a loss blessed. python-chess's number can be one less, since Syzygy's files round; this one is exact. The board's counter
    /// is ignored.
    ///
    /// Raises what `probe_wdl` raises; `MissingTableError` also if a distance is missing, of this table or of one after a capture
    /// or a promotion, or if castling rights leave it open.
    fn probe_dtz(&self, board: &Bound<'_, PyAny>) -> PyResult<i32> {
        let position = match Given::of(board)? {
            Given::Board(board) => board.position(),
            Given::Fen(text) => position_of_fen(text.to_str()?),
        };
        let plies = self.tables.ask_detached(board.py(), |tables| tables.dtz(&position?));
        plies.map_err(|error| exception(&self.tables.name_closed(error)))
    }

    /// Like `probe_dtz`, but returns `default` where that raises a `KeyError`, also a `MissingTableError`.
    #[pyo3(signature = (board, default = None))]
    fn get_dtz<'py>(
        &self,
        board: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        or_default(board.py(), self.probe_dtz(board), default)
    }

    /// Returns the outcomes of boards or FEN texts in order, using all processors, without the interpreter's lock: an array of
    /// `numpy.int8` if numpy can be imported, otherwise a list.
    ///
    /// Where `probe_wdl` raises a `KeyError`, the answer is `default`, from -128 to 127. Without a default, or for any other
    /// error, the first error is raised; its message begins with the number of its position, from 0.
    #[pyo3(signature = (positions, *, default = None))]
    fn probe_many<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = many::default)] default: Option<i8>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // Otherwise each character would be read as a position.
        if positions.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("one FEN instead of several positions: use probe_wdl"));
        }
        many::array(positions.py(), &many::probe(&self.tables, positions, default)?)
    }

    /// Returns the outcome and the clause that decides it. Raises what `probe_wdl` raises.
    fn explain(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Explanation> {
        let (position, turn) = match Given::of(board)? {
            Given::Board(board) => (board.position(), board.turn),
            Given::Fen(text) => (position_of_fen(text.to_str()?), turn_of_fen(text.to_str()?)),
        };
        // For a large table, the first call numbers its leaves, which takes long.
        let explained =
            self.tables.ask_detached(py, |tables| BoardExplanation::of_position(tables, &position?, turn));
        explained.map(Explanation::new).map_err(|error| exception(&self.tables.name_closed(error)))
    }

    /// Returns the move to play in a won position by a ranking (`KQvK.rank.pcn`), as text in UCI; None if no table says that
    /// the board is won under the 50-move rule from a counter of zero, or if it has castling rights, or if there is no ranking of
    /// its material and no move mates or zeroes.
    ///
    /// Who plays these moves from a counter of zero mates or zeroes within 50 moves: by a capture or a pawn move that
    /// keeps the win. Raises what `moves` raises.
    fn plan(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let fen = fen_of(board)?;
        let plan = self.tables.ask_detached(py, |tables| Plan::of(tables, &fen));
        Ok(plan.map_err(|error| moves_exception(&fen, &error))?.map(|plan| plan.uci))
    }

    /// Returns the legal moves with outcome and distance after each, best first: wins, cursed wins, draws, unknown outcomes,
    /// blessed losses, losses. The board's halfmove clock counts. Among wins, checkmate comes first, then captures and pawn
    /// moves, then the shortest distance. `board` is any position of chess, also with castling rights of Chess960 or many men;
    /// where no table answers, outcome and distance are None.
    ///
    /// Raises what `probe_wdl` raises, but neither `MissingTableError` nor an error for Chess960 or many men; `TypeError` for
    /// a board without a method `fen`.
    fn moves(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Vec<Move>> {
        let fen = fen_of(board)?;
        let moves = self.tables.ask_detached(py, |tables| Moves::of(tables, &fen));
        let moves = moves.map_err(|error| moves_exception(&fen, &error))?;
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

    /// Sets the limit, from now on, on the bytes of code decoded at once: the covers of a table, a tree, or a page of a tree. The
    /// default is 1 MiB. Beyond the limit, the first probe raises `MemoryError`, and so does adding a single file of covers.
    fn set_decoding_limit(&self, py: Python<'_>, bytes: usize) {
        self.tables.ask(py, |tables| tables.set_decoding_limit(bytes));
    }

    /// Closes all tables. Tables can be added again.
    fn close(&self, py: Python<'_>) {
        self.tables.close(py);
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
