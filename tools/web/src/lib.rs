//! The prober for a page: functions from text to text, with all tables of up to four men inside.
//!
//! A FEN goes in; a word, a FEN or JSON comes out, or an error whose message says what is wrong with the input. Nothing is
//! kept between calls but what has been decoded of the tables.

mod explain;
#[cfg(feature = "bench")]
mod sample;

#[cfg(feature = "bench")]
pub use sample::Sample;

use cubebase::{Moves, Position, Tables};
use std::sync::LazyLock;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables::embedded().expect("the embedded tables"));

fn told<T>(answer: cubebase::Result<T>) -> Result<T, JsError> {
    answer.map_err(|error| JsError::new(&error.to_string()))
}

/// Returns `win`, `draw` or `loss` for the side to move, as `cubebase probe` does.
///
/// # Errors
/// Those of [`Position::from_fen`] and [`Tables::probe`].
#[wasm_bindgen]
pub fn probe(fen: &str) -> Result<String, JsError> {
    let outcome = Position::from_fen(fen).and_then(|position| TABLES.probe(&position));
    told(outcome.map(|outcome| outcome.name().to_owned()))
}

/// Returns every legal move with the outcome after it as JSON, as `cubebase moves --format json` does.
///
/// # Errors
/// Those of [`Moves::of`].
#[wasm_bindgen]
pub fn moves(fen: &str) -> Result<String, JsError> {
    told(Moves::of(&TABLES, fen).map(|moves| moves.to_json()))
}

/// Returns the position after a move in UCI's notation.
///
/// # Errors
/// Those of [`cubebase::moves::play`].
#[wasm_bindgen]
pub fn play(fen: &str, uci: &str) -> Result<String, JsError> {
    told(cubebase::moves::play(fen, uci))
}

/// Returns the outcome of a position and the clause that decides it as JSON:
///
/// - `outcome`: for the side to move;
/// - `by`: `clause`, `leaf` or `default`; `number`, but for `default`: that of the clause or leaf; `exception`: whether the
///   position is an exception of the leaf;
/// - `literals`: the clause by the model's names, of the canonical position;
/// - `exchanged`: whether the canonical position has the colours exchanged and the ranks mirrored; `symmetry`: the number in
///   `Symmetry::ALL` of the one that, before that, makes it the position asked;
/// - `men`: each with the model's `name`, and of the position asked the `letter` in FEN, the `square`, and the `squares` where
///   it may stand for the same clause to decide, the other men staying.
///
/// # Errors
/// Those of [`Position::from_fen`] and [`Tables::explain`].
#[wasm_bindgen]
pub fn explain(fen: &str) -> Result<String, JsError> {
    told(explain::json(&TABLES, fen))
}
