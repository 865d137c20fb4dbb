//! The native part of Python's package `cubebase`, which `python/cubebase/__init__.py` and `espresso.py` re-export.
//!
//! `board` and `fen` read positions from Python, `tablebase` answers about one position, `many` about many; `shared` holds
//! the tables. `explanation`, `moves` and `minimize` are named after their results, `errors` converts errors to exceptions.
//! Nothing here imports python-chess: a board is any object with the same attributes.

mod board;
mod errors;
mod explanation;
mod fen;
mod many;
mod minimize;
mod moves;
mod outcome;
mod shared;
mod tablebase;

/// The native half of package `cubebase`.
#[pyo3::pymodule]
mod _cubebase {
    #[pymodule_export]
    use crate::errors::{EspressoError, MissingTableError};
    #[pymodule_export]
    use crate::explanation::{Condition, Explanation};
    #[cfg(feature = "panic")]
    #[pymodule_export]
    use crate::minimize::panic_for_test;
    #[pymodule_export]
    use crate::minimize::{Minimized, minimize};
    #[pymodule_export]
    use crate::moves::Move;
    #[pymodule_export]
    use crate::tablebase::{Tablebase, open_tablebase};
}
