//! The native half of Python's package `cubebase`: what `python/cubebase/__init__.py` and `espresso.py` pass on.
//!
//! `board` and `fen` read what Python gives as a position, `tablebase` answers about one, `many` about many, with the tables that
//! `shared` keeps; `explanation`, `moves` and `minimize` are
//! what they are called, `errors` says which exception an error becomes. Nothing here imports python-chess: a board is
//! whatever has the attributes of one.

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
