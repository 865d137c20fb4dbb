//! The exceptions for errors, like those of python-chess's tablebases.
//!
//! | error | exception |
//! |---|---|
//! | no table, or one without castling rights | `MissingTableError`, a `KeyError` |
//! | castling rights of Chess960, too many men, an illegal position | `KeyError` |
//! | text that is not a FEN | `ValueError` |
//! | a file that cannot be read, is not a table, or has distances of another table | `OSError` |
//! | a file that takes more memory, or more decoding at once, than allowed | `MemoryError` |
//! | a PLA that cannot be read or contradicts itself | `EspressoError`, a `ValueError` |

use cubebase::ErrorKind;
use pyo3::exceptions::{PyKeyError, PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::error::Error as _;
use std::io;

pyo3::create_exception!(
    cubebase,
    MissingTableError,
    PyKeyError,
    "There is no table of the position's material, or the position has castling rights and the table has none."
);
pyo3::create_exception!(
    cubebase.espresso,
    EspressoError,
    PyValueError,
    "A PLA that cannot be read, is not supported, or contradicts itself.\n\n`line` and `column` count from one; of rows, `line` is \
     the number of the row. Both are None where the error has no place."
);

/// The exception for `error`, about a position or a file of tables.
pub fn exception(error: &cubebase::Error) -> PyErr {
    let message = error.to_string();
    match error.kind() {
        ErrorKind::MissingTable | ErrorKind::MissingRights => MissingTableError::new_err(message),
        ErrorKind::UnsupportedPosition | ErrorKind::IllegalPosition => PyKeyError::new_err(message),
        ErrorKind::BadInput => PyValueError::new_err(message),
        ErrorKind::Io => os_error(error).unwrap_or_else(|| PyOSError::new_err(message)),
        ErrorKind::BadMagic | ErrorKind::UnsupportedVersion | ErrorKind::Corrupt | ErrorKind::Mismatch => {
            PyOSError::new_err(message)
        }
        ErrorKind::BudgetExhausted => PyMemoryError::new_err(message),
        _ => PyRuntimeError::new_err(message),
    }
}

/// The exception with the system's error number and the path. Python converts it to `FileNotFoundError` and the like.
fn os_error(error: &cubebase::Error) -> Option<PyErr> {
    let source = error.source()?.downcast_ref::<io::Error>()?;
    let number = source.raw_os_error()?;
    let text = source.to_string();
    let text = text.strip_suffix(&format!(" (os error {number})")).unwrap_or(&text).to_owned();
    Some(PyOSError::new_err((number, text, error.path()?.as_os_str().to_owned())))
}

/// The exception of the minimizer, at `place` if it has one.
pub fn espresso_exception(py: Python<'_>, message: String, place: Option<(usize, usize)>) -> PyErr {
    let exception = EspressoError::new_err(message);
    let value = exception.value(py);
    let set = value.setattr("line", place.map(|(line, _)| line));
    match set.and_then(|()| value.setattr("column", place.map(|(_, column)| column))) {
        Ok(()) => exception,
        Err(error) => error,
    }
}
