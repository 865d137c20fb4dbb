//! From an outcome table to functions for the minimizer: the paper's single function of three outputs, or one function
//! of one output for each layer of each side.
//!
//! Source: Gomboc & Shelton, section 2.4, for the `binary` model and the don't-care rows; the layers are this
//! project's own. A function's ON- and OFF-sets are the canonical legal positions (all legal positions without
//! canonicalization); everything else is don't-care, whole blocks at a time where the model has square bits, and otherwise
//! what is in neither set ([`Function::rest_is_dc`]).

mod blocks;
mod columns;
mod pla;
mod placements;

pub use columns::{Columns, OUTPUTS};
pub use pla::{check_type, natural_type, write_pla};

use crate::error::{Error, ErrorKind, Result};
use crate::model::Model;
use crate::position::{Color, Material, Position, Square, Wdl};
use crate::retrograde::Table;
use espresso::{Cover, Function};
use rayon::prelude::*;

/// The positions of a table that are a function's care-set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Whether acanonical positions are don't-cares. Without canonicalization every legal position of the full board
    /// is care, for both sides to move.
    pub canonical: bool,
    /// The number of the man that leads, for White and for Black to move; see [`Position::canonical`].
    pub leads: [usize; 2],
}

/// The number of the black king, which leads by default.
const BLACK_KING: usize = 1;

impl Default for Scope {
    /// Canonical positions with the black king leading for both sides. Where the weaker side's king is decides most, and
    /// with it in a corner of the board the covers of `KQvK` and `KRvK` have a third fewer clauses than with the white king.
    fn default() -> Self {
        Scope { canonical: true, leads: [BLACK_KING; 2] }
    }
}

impl Scope {
    /// Returns the scope of every legal position of the full board.
    pub fn full_board() -> Self {
        Scope { canonical: false, ..Scope::default() }
    }

    /// The sides to move that have care positions.
    fn turns(&self, material: &Material) -> &'static [Color] {
        if self.canonical { material.stored_turns() } else { &Color::BOTH }
    }
}

/// A function over the model's inputs with its [`Columns`], ready for the minimizer.
#[derive(Clone, Debug)]
pub struct Exported {
    /// F, D and R.
    pub function: Function,
    /// Where the inputs are.
    pub columns: Columns,
}

/// Returns the paper's function: the side to move as first input (1 for Black), then the model's inputs; outputs win,
/// draw, loss. Deterministic for any number of threads.
///
/// # Errors
/// [`ErrorKind::BadInput`] when a lead is no man of the material.
pub fn independent(table: &Table, model: Model, scope: &Scope) -> Result<Exported> {
    let columns = Columns::new(model, table.material(), true, OUTPUTS.len())?;
    function(table, model, scope, columns, &Color::BOTH, |outcome, output| match outcome {
        None => DC,
        Some(outcome) if outcome == OUTPUTS[output] => ON,
        Some(_) => OFF,
    })
}

/// Returns the function of one layer for `turn` to move: ON where the outcome is `outcome`, OFF where it is one of
/// `later`, don't-care elsewhere. The inputs are the model's alone; there is one output.
///
/// # Errors
/// [`ErrorKind::BadInput`] when a lead is no man of the material, or the table has no positions of `turn` in the scope.
pub fn layer(
    table: &Table,
    model: Model,
    scope: &Scope,
    turn: Color,
    outcome: Wdl,
    later: &[Wdl],
) -> Result<Exported> {
    let (material, columns) = (table.material(), Columns::new(model, table.material(), false, 1)?);
    if !scope.turns(material).contains(&turn) {
        let why = format!("the table of {material} stores no positions with {} to move", turn.name());
        return Err(Error::new(ErrorKind::BadInput, why));
    }
    function(table, model, scope, columns, &[turn], |value, _| match value {
        Some(value) if value == outcome => ON,
        Some(value) if later.contains(&value) => OFF,
        _ => DC,
    })
}

/// The sets of a function, by number.
const ON: usize = 0;
const DC: usize = 1;
const OFF: usize = 2;

/// The cubes of one set while it is filled, and the number of the row of the last one; a row whose outputs all fall into
/// the set becomes one cube.
type Cubes = (Vec<u64>, Option<usize>);

/// The function over `columns` of the positions with one of `turns` to move: each output of each position falls into the
/// set that `set_of` says of its outcome, or of `None` where it is no care.
fn function(
    table: &Table,
    model: Model,
    scope: &Scope,
    columns: Columns,
    turns: &[Color],
    set_of: impl Fn(Option<Wdl>, usize) -> usize + Sync,
) -> Result<Exported> {
    let material = table.material();
    if let Some(lead) = scope.leads.iter().find(|&&lead| lead >= material.len()) {
        return Err(Error::new(ErrorKind::BadInput, format!("{material} has no man number {lead} to lead")));
    }
    let mut sets = [ON, DC, OFF].map(|_| Cover::new(columns.space()));
    for &turn in turns.iter().filter(|_| model.has_square_bits()) {
        blocks::push_blocks(material, scope, turn, &columns, &mut sets[DC]);
    }
    for &turn in turns.iter().filter(|turn| scope.turns(material).contains(turn)) {
        let rows: Vec<[Cubes; 3]> = (0..64)
            .into_par_iter()
            .map(|king| rows(table, model, scope, &columns, turn, Square::new(king), &set_of))
            .collect::<Result<_>>()?;
        for (at, (words, _)) in rows.into_iter().flat_map(|cubes| cubes.into_iter().enumerate()) {
            sets[at].extend(&Cover::from_words(columns.space(), words));
        }
    }
    let [on, dc, off] = sets;
    // In a model without square bits a don't-care is any minterm that has no row. There are too many to list.
    let function = Function { on, dc, off, rest_is_dc: !model.has_square_bits(), rest_is_off: false };
    Ok(Exported { function, columns })
}

/// The cubes of [`function`], in order, of every placement of `turn` that is in no block, with the white king on `king`.
fn rows(
    table: &Table,
    model: Model,
    scope: &Scope,
    columns: &Columns,
    turn: Color,
    king: Square,
    set_of: &impl Fn(Option<Wdl>, usize) -> usize,
) -> Result<[Cubes; 3]> {
    let material = table.material();
    let plan = model.plan(material);
    let space = columns.space();
    let mut sets = [ON, DC, OFF].map(|_| Cubes::default());
    let mut parts = vec![0; columns.variables().len()];
    let (mut number, mut failed) = (0, None);
    let mut visit = |position: Position| {
        if failed.is_some() {
            return;
        }
        let outcome = match care(table, scope, &position) {
            Ok(outcome) => outcome,
            Err(error) => return failed = Some(error),
        };
        // A model whose blocks are not written as rows leaves its don't-cares to the complement of ON and OFF.
        if outcome.is_none() && !model.has_square_bits() {
            return;
        }
        plan.evaluate(&position, &mut parts);
        for output in 0..space.outputs() {
            let (words, last) = &mut sets[set_of(outcome, output)];
            if *last != Some(number) {
                *last = Some(number);
                columns.push_minterm(words, turn, &parts);
            }
            let start = words.len() - space.words();
            space.set(&mut words[start..], space.inputs(), output);
        }
        number += 1;
    };
    let files = (0..8).map(Some).filter(|_| material.has_en_passant());
    for file in std::iter::once(None).chain(files) {
        placements::visit_placements(material, scope, turn, file, king, &mut visit);
    }
    failed.map_or(Ok(sets), Err)
}

/// Returns the outcome of a position that is legal and, where the scope says so, canonical; `None` for others.
fn care(table: &Table, scope: &Scope, position: &Position) -> Result<Option<Wdl>> {
    if !position.is_legal() || scope.canonical && !position.is_canonical(scope.leads[position.turn().index()])
    {
        return Ok(None);
    }
    table.wdl_of_legal(position).map(Some)
}
