//! `probe_many`: reads positions in blocks; threads answer a block without the interpreter's lock.

use crate::board::{Board, Given};
use crate::errors::exception;
use crate::fen::probe_fen;
use crate::shared::SharedTables;
use cubebase::{ErrorKind, Tables};
use pyo3::exceptions::{PyKeyError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyList};
use std::num::NonZero;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Positions in a block: enough that starting threads costs little, few enough for little memory.
const BLOCK: usize = 1 << 16;
/// Positions that a thread takes at a time. A block of this size or less is answered by the caller's thread.
const PORTION: usize = 1 << 10;

/// A block of positions.
#[derive(Default)]
struct Block {
    /// The texts of all FENs.
    text: String,
    items: Vec<Item>,
    can_be_cursed: bool,
}

enum Item {
    Board(Board),
    /// A part of the text.
    Fen(Range<usize>),
    /// A position that is answered by the default, such as a board of another game.
    Default,
}

impl Block {
    fn push(&mut self, object: &Bound<'_, PyAny>, default: Option<i8>) -> PyResult<()> {
        let item = match Given::of(object) {
            Ok(Given::Board(board)) => Item::Board(board),
            Ok(Given::Fen(fen)) => {
                let start = self.text.len();
                self.text.push_str(fen.to_str()?);
                Item::Fen(start..self.text.len())
            }
            Err(error) if default.is_some() && error.is_instance_of::<PyKeyError>(object.py()) => {
                Item::Default
            }
            Err(error) => return Err(error),
        };
        self.items.push(item);
        Ok(())
    }

    fn probe(&self, item: &Item, tables: &Tables, default: Option<i8>) -> cubebase::Result<i8> {
        let outcome = match item {
            Item::Board(board) => board.probe(tables, self.can_be_cursed),
            Item::Fen(range) => probe_fen(&self.text[range.clone()], tables, self.can_be_cursed),
            Item::Default => return Ok(default.unwrap_or_default()),
        };
        match (outcome, default) {
            (Ok(outcome), _) => Ok(outcome),
            (Err(error), Some(default)) if is_key_error(error.kind()) => Ok(default),
            (Err(error), _) => Err(error),
        }
    }

    /// Writes the answers into `answers`, which has a place for each item.
    ///
    /// # Errors
    /// The first error in order, with the number of its item in the block.
    fn probe_all(
        &self,
        tables: &Tables,
        default: Option<i8>,
        answers: &mut [u8],
    ) -> Result<(), (usize, cubebase::Error)> {
        let portions = self.items.chunks(PORTION).zip(answers.chunks_mut(PORTION)).enumerate();
        let (portions, first) = (Mutex::new(portions), Mutex::new(None));
        let work = || {
            // Portions are taken in order, so all before the first error have been started.
            let next = || portions.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some((portion, (items, answers))) = next() {
                for (number, (item, answer)) in items.iter().zip(answers).enumerate() {
                    match self.probe(item, tables, default) {
                        Ok(outcome) => *answer = outcome.cast_unsigned(),
                        Err(error) => {
                            let number = portion * PORTION + number;
                            let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                            if first.as_ref().is_none_or(|&(earlier, _)| number < earlier) {
                                *first = Some((number, error));
                            }
                            return;
                        }
                    }
                }
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        std::thread::scope(|scope| {
            // If no more threads can be started, the existing ones do all the work.
            for _ in 1..threads.min(self.items.len().div_ceil(PORTION)) {
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
        first.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// Whether an error becomes a `KeyError`, which a default can replace.
fn is_key_error(kind: ErrorKind) -> bool {
    use ErrorKind::{IllegalPosition, MissingRights, MissingTable, UnsupportedPosition};
    matches!(kind, MissingTable | MissingRights | UnsupportedPosition | IllegalPosition)
}

/// The answers about `positions` as bytes, with `default` in place of a `KeyError`.
///
/// # Errors
/// The first error in order; its message has the number of the position, from 0.
pub fn probe(tables: &SharedTables, positions: &Bound<'_, PyAny>, default: Option<i8>) -> PyResult<Vec<u8>> {
    let py = positions.py();
    let mut answers = Vec::new();
    let mut positions = positions.try_iter().map_err(|error| not_several(positions, error))?;
    let mut block = Block::default();
    loop {
        block.can_be_cursed = tables.can_be_cursed();
        block.text.clear();
        block.items.clear();
        // If a position cannot be read, those before it are answered first.
        let read = positions.by_ref().take(BLOCK).try_for_each(|position| {
            let number = answers.len() + block.items.len();
            block.push(&position?, default).map_err(|error| in_position(py, error, number))
        });
        if block.items.is_empty() {
            return read.map(|()| answers);
        }
        let begin = answers.len();
        answers.resize(begin + block.items.len(), 0);
        let probed =
            tables.ask_detached(py, |tables| block.probe_all(tables, default, &mut answers[begin..]));
        if let Err((number, error)) = probed {
            let error = tables.name_closed(error).context(format!("position {}", begin + number));
            return Err(exception(&error));
        }
        read?;
        py.check_signals()?;
    }
}

/// Puts the number of a position before the message of the error of reading it.
fn in_position(py: Python<'_>, error: PyErr, number: usize) -> PyErr {
    let value = error.value(py);
    let message = || format!("position {number}: {value}");
    if error.is_instance_of::<PyKeyError>(py) {
        // The text of a `KeyError` is its argument in quotes, so the argument is taken.
        let text = value.getattr("args").and_then(|arguments| arguments.get_item(0));
        PyKeyError::new_err(text.map_or_else(|_| message(), |text| format!("position {number}: {text}")))
    } else if error.is_instance_of::<PyTypeError>(py) {
        PyTypeError::new_err(message())
    } else if error.is_instance_of::<PyValueError>(py) {
        // For example, text that cannot be converted to UTF-8.
        PyValueError::new_err(message())
    } else {
        // For example an interrupt.
        error
    }
}

/// The error if `positions` is a single board; otherwise `error`.
fn not_several(positions: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    match Board::of(positions) {
        Err(other) if !other.is_instance_of::<PyKeyError>(positions.py()) => error,
        // A board, of chess or of another game.
        _ => PyTypeError::new_err("one board instead of several positions: use probe_wdl"),
    }
}

/// The default of `probe_many`.
pub fn default(number: &Bound<'_, PyAny>) -> PyResult<Option<i8>> {
    number.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(number.py()) {
            PyOverflowError::new_err(format!("default is {number}, not from -128 to 127"))
        } else {
            error
        }
    })
}

/// The answers in `bytes` as a numpy array if numpy is installed, otherwise as a list.
pub fn array<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    static FROM_BUFFER: PyOnceLock<Option<Py<PyAny>>> = PyOnceLock::new();
    let from_buffer =
        FROM_BUFFER.get_or_init(py, || Some(py.import("numpy").ok()?.getattr("frombuffer").ok()?.unbind()));
    match from_buffer {
        Some(from_buffer) => from_buffer.bind(py).call1((PyByteArray::new(py, bytes), "int8")),
        None => Ok(PyList::new(py, bytes.iter().map(|byte| byte.cast_signed()))?.into_any()),
    }
}
