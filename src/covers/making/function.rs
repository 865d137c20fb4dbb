//! Outcome tables as functions for the minimizer, of three outputs.
//!
//! Source: Gomboc & Shelton, section 2.4, for model `binary` and the don't-care rows. The ON- and OFF-sets of a function are the
//! canonical legal positions, or all legal positions without canonicalization. Everything else is don't-care. If the model has
//! square bits, the DC-set is listed, with large blocks as single rows; otherwise it is the complement of the other sets
//! ([`Function::rest`]).

use super::columns::{Columns, OUTPUTS};
use super::scope::Scope;
use super::{blocks, placements};
use crate::chess::model::Model;
use crate::chess::position::{Color, Position, Square, Wdl};
use crate::chess::retrograde::Table;
use crate::error::{Error, ErrorKind, Result};
use espresso::{Cover, Function, Rest};
use rayon::prelude::*;

/// A function for the minimizer with its [`Columns`].
#[derive(Clone, Debug)]
pub struct Exported {
    /// F, D and R.
    pub function: Function,
    /// The layout of its cubes.
    pub columns: Columns,
}

/// The numbers of the sets of a function.
const ON: usize = 0;
const DC: usize = 1;
const OFF: usize = 2;

/// Returns the paper's function. Its inputs are the side to move (1 for Black) and the model's variables, its outputs win, draw
/// and loss. Deterministic for any number of threads.
///
/// # Errors
/// [`ErrorKind::BadInput`] if an anchor is not a man of the material.
pub fn paper_function(table: &Table, model: Model, scope: &Scope) -> Result<Exported> {
    let (material, columns) = (table.material(), Columns::new(model, table.material())?);
    if let Some(anchor) = scope.anchors.iter().find(|&&anchor| anchor >= material.len()) {
        return Err(Error::new(
            ErrorKind::BadInput,
            format!("{material} has no man number {anchor} to lead"),
        ));
    }
    let mut sets = [ON, DC, OFF].map(|_| Cover::new(columns.space()));
    for turn in Color::BOTH.into_iter().filter(|_| model.has_square_bits()) {
        blocks::push_blocks(material, scope, turn, &columns, &mut sets[DC]);
    }
    for &turn in scope.turns(material) {
        let rows: Vec<[Vec<u64>; 3]> = (0..64)
            .into_par_iter()
            .map(|king| rows(table, model, scope, &columns, turn, Square::new(king)))
            .collect::<Result<_>>()?;
        for (at, words) in rows.into_iter().flat_map(|sets| sets.into_iter().enumerate()) {
            sets[at].extend(&Cover::from_words(columns.space(), words));
        }
    }
    let [on, dc, off] = sets;
    // Without square bits, all minterms without a row are don't-cares: too many to list.
    let function =
        Function { on, dc, off, rest: if model.has_square_bits() { Rest::Empty } else { Rest::Dc } };
    Ok(Exported { function, columns })
}

/// Returns the cubes of [`paper_function`] for the placements outside blocks with `turn` to move and the white king on `king`.
fn rows(
    table: &Table,
    model: Model,
    scope: &Scope,
    columns: &Columns,
    turn: Color,
    king: Square,
) -> Result<[Vec<u64>; 3]> {
    let material = table.material();
    let variables = model.variable_set(material);
    let space = columns.space();
    let mut sets = [ON, DC, OFF].map(|_| Vec::new());
    let mut parts = vec![0; columns.variables().len()];
    let mut failed = None;
    let mut visit = |position: Position| {
        if failed.is_some() {
            return;
        }
        let outcome = match care(table, scope, &position) {
            Ok(outcome) => outcome,
            Err(error) => return failed = Some(error),
        };
        // The DC-set of a model without square bits is not listed.
        if outcome.is_none() && !model.has_square_bits() {
            return;
        }
        variables.evaluate(&position, &mut parts);
        // The outputs of a row in one set share a cube.
        let mut push = |set: usize, has: &dyn Fn(Wdl) -> bool| {
            let words: &mut Vec<u64> = &mut sets[set];
            let start = words.len();
            columns.push_minterm(words, turn, &parts);
            for (output, _) in OUTPUTS.iter().enumerate().filter(|(_, stated)| has(**stated)) {
                space.set(&mut words[start..], space.inputs(), output);
            }
        };
        match outcome {
            None => push(DC, &|_| true),
            Some(outcome) => {
                push(ON, &|stated| stated == outcome);
                push(OFF, &|stated| stated != outcome);
            }
        }
    };
    let files = (0..8).map(Some).filter(|_| material.has_en_passant());
    for file in std::iter::once(None).chain(files) {
        placements::visit_placements(material, scope, turn, file, king, &mut visit);
    }
    failed.map_or(Ok(sets), Err)
}

/// Returns the outcome of a position; `None` outside the care set.
fn care(table: &Table, scope: &Scope, position: &Position) -> Result<Option<Wdl>> {
    if !position.is_legal()
        || scope.canonical && !position.is_canonical(scope.anchors[position.turn().index()])
    {
        return Ok(None);
    }
    table.wdl_of_legal(position).map(Some)
}
