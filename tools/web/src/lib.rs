//! The prober for a page: functions from text to text, with all tables of up to four men built in. [`add`] adds their distances.
//!
//! The input is a FEN. The result is a word, a FEN, JSON, or an error with a message about the input. Nothing is kept between
//! calls except decoded tables and the tables that are added.

#[cfg(feature = "bench")]
mod sample;

#[cfg(feature = "bench")]
pub use sample::Sample;

use cubebase::explain::{BoardExplanation, Coverage};
use cubebase::moves::{Mate, Plan};
use cubebase::{ErrorKind, Moves, Position, Tables};
use std::sync::{LazyLock, PoisonError, RwLock, RwLockReadGuard};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

static TABLES: LazyLock<RwLock<Tables>> =
    LazyLock::new(|| RwLock::new(Tables::embedded().expect("the embedded tables")));

fn tables() -> RwLockReadGuard<'static, Tables> {
    TABLES.read().unwrap_or_else(PoisonError::into_inner)
}

fn js_result<T>(answer: cubebase::Result<T>) -> Result<T, JsError> {
    answer.map_err(|error| JsError::new(&error.to_string()))
}

/// Returns `win`, `draw` or `loss` for the side to move, as `cubebase probe` does.
///
/// # Errors
/// Those of [`Position::from_fen`] and [`Tables::probe`].
#[wasm_bindgen]
pub fn probe(fen: &str) -> Result<String, JsError> {
    let outcome = Position::from_fen(fen).and_then(|position| tables().probe(&position));
    js_result(outcome.map(|outcome| outcome.name().to_owned()))
}

/// Adds the tables of a .pcn file or a bundle, of outcomes or of distances. They replace earlier ones of the same materials.
/// Returns the materials of the added tables.
///
/// # Errors
/// Those of [`Tables::from_bytes`].
#[wasm_bindgen]
pub fn add(bytes: Vec<u8>) -> Result<Vec<String>, JsError> {
    let more = js_result(Tables::from_bytes(bytes))?;
    let distances = more.distance_materials().into_iter().map(|material| format!("distances of {material}"));
    let rankings = more.ranking_materials().into_iter().map(|material| format!("ranking of {material}"));
    let names = more.materials().iter().map(ToString::to_string).chain(distances).chain(rankings).collect();
    TABLES.write().unwrap_or_else(PoisonError::into_inner).add_tables(more);
    Ok(names)
}

/// Returns every legal move with the outcome after it as JSON, as `cubebase moves --format json` does.
///
/// # Errors
/// Those of [`Moves::of`].
#[wasm_bindgen]
pub fn moves(fen: &str) -> Result<String, JsError> {
    js_result(Moves::of(&tables(), fen).map(|moves| moves.to_json()))
}

/// Returns the shortest mate that the side to move can force in at most `most` moves: the number of moves, a blank and the first move
/// in UCI's notation; empty if there is none.
///
/// # Errors
/// Those of [`Mate::of`].
#[wasm_bindgen]
pub fn mate(fen: &str, most: u8) -> Result<String, JsError> {
    let found = js_result(Mate::of(fen, most))?;
    Ok(found.map_or_else(String::new, |Mate { moves, uci, .. }| format!("{moves} {uci}")))
}

/// Returns the move to play in a won position by the ranking of its material, in UCI's notation; empty if there is none.
///
/// # Errors
/// Those of [`Plan::of`].
#[wasm_bindgen]
pub fn plan(fen: &str) -> Result<String, JsError> {
    let tables = tables();
    match Position::from_fen(fen) {
        Ok(position) if tables.ranking_materials().contains(position.material()) => {}
        Err(error) if error.kind() == ErrorKind::BadInput => return js_result(Err(error)),
        _ => return Ok(String::new()),
    }
    let plan = js_result(Plan::of(&tables, fen))?;
    Ok(plan.map_or_else(String::new, |plan| plan.uci))
}

/// Returns the position after a move in UCI's notation.
///
/// # Errors
/// Those of [`cubebase::moves::play`].
#[wasm_bindgen]
pub fn play(fen: &str, uci: &str) -> Result<String, JsError> {
    js_result(cubebase::moves::play(fen, uci))
}

/// Returns the clause that decides about a position as JSON, as `cubebase explain --no-count --format json` does.
///
/// # Errors
/// Those of [`BoardExplanation::of_fen`].
#[wasm_bindgen]
pub fn explain(fen: &str) -> Result<String, JsError> {
    js_result(BoardExplanation::of_fen(&tables(), fen).map(|certificate| certificate.to_json()))
}

/// Returns the number of slices in which [`count`] counts the positions of the clause that decides `fen`.
///
/// # Errors
/// Those of [`Tables::position_counter`].
#[wasm_bindgen]
pub fn slices(fen: &str) -> Result<usize, JsError> {
    let (position, tables) = (js_result(Position::from_fen(fen))?, tables());
    js_result(tables.position_counter(&position).map(|counter| counter.slices()))
}

/// Counts the positions of slice number `slice`. Returns the fields of [`Coverage`] in their order.
///
/// # Errors
/// Those of [`Tables::position_counter`]; if there is no such slice.
#[wasm_bindgen]
pub fn count(fen: &str, slice: usize) -> Result<Vec<u64>, JsError> {
    let (position, tables) = (js_result(Position::from_fen(fen))?, tables());
    let counter = js_result(tables.position_counter(&position))?;
    if slice >= counter.slices() {
        return Err(JsError::new(&format!("slice {slice} of {}", counter.slices())));
    }
    let Coverage { positions, met, decided, exceptions } = counter.count(slice);
    Ok(vec![positions, met, decided, exceptions])
}

/// Returns the FEN of position number `number` of those in slice number `slice` that the clause decides, without exceptions; with White
/// in place of Black if the clause is about the strong side as White. Empty if there are fewer.
///
/// # Errors
/// Those of [`Tables::position_counter`]; if there is no such slice.
#[wasm_bindgen]
pub fn other(fen: &str, slice: usize, number: u32) -> Result<String, JsError> {
    let (position, tables) = (js_result(Position::from_fen(fen))?, tables());
    let counter = js_result(tables.position_counter(&position))?;
    if slice >= counter.slices() {
        return Err(JsError::new(&format!("slice {slice} of {}", counter.slices())));
    }
    Ok(counter.position(slice, number.into()).map_or_else(String::new, |found| found.to_fen()))
}
