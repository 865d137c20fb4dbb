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

/// Which positions of a table are a function's care-set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Whether acanonical positions are don't-cares. Without canonicalization every legal position of the full board
    /// is care, for both sides to move.
    pub canonical: bool,
    /// The number of the man that leads, for White and for Black to move; see [`Position::canonical`].
    pub leads: [usize; 2],
}

/// The number of the black king, which leads unless told otherwise.
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
    let material = table.material();
    check_leads(material, scope)?;
    let columns = Columns::new(model, material, true, OUTPUTS.len())?;
    let mut function = empty(&columns, model);
    if model.has_square_bits() {
        for turn in Color::BOTH {
            blocks::push_blocks(material, scope, turn, &columns, &mut function.dc);
        }
    }
    for &turn in scope.turns(material) {
        let rows = rows(table, model, scope, turn, &columns, |cubes, row, outcome| {
            for (output, &of) in OUTPUTS.iter().enumerate() {
                let cubes = match outcome {
                    None => &mut cubes.dc,
                    Some(outcome) if outcome == of => &mut cubes.on,
                    Some(_) => &mut cubes.off,
                };
                cubes.push_output(row, output, &columns);
            }
        })?;
        rows.into_iter().for_each(|rows| rows.append_to(&mut function));
    }
    Ok(Exported { function, columns })
}

/// Returns the function of one layer for `turn` to move: ON where the outcome is `outcome`, OFF where it is one of
/// `later`, don't-care elsewhere. The inputs are the model's alone; there is one output.
///
/// # Errors
/// [`ErrorKind::BadInput`] when a lead is no man of the material.
pub fn layer(
    table: &Table,
    model: Model,
    scope: &Scope,
    turn: Color,
    outcome: Wdl,
    later: &[Wdl],
) -> Result<Exported> {
    let material = table.material();
    check_leads(material, scope)?;
    let columns = Columns::new(model, material, false, 1)?;
    let mut function = empty(&columns, model);
    if model.has_square_bits() {
        blocks::push_blocks(material, scope, turn, &columns, &mut function.dc);
    }
    let rows = rows(table, model, scope, turn, &columns, |cubes, row, value| {
        let cubes = match value {
            Some(value) if value == outcome => &mut cubes.on,
            Some(value) if later.contains(&value) => &mut cubes.off,
            _ => &mut cubes.dc,
        };
        cubes.push_output(row, 0, &columns);
    })?;
    rows.into_iter().for_each(|rows| rows.append_to(&mut function));
    Ok(Exported { function, columns })
}

fn check_leads(material: &Material, scope: &Scope) -> Result<()> {
    match scope.leads.iter().find(|&&lead| lead >= material.len()) {
        Some(lead) => {
            Err(Error::new(ErrorKind::BadInput, format!("{material} has no man number {lead} to lead")))
        }
        None => Ok(()),
    }
}

/// A function without cubes. The don't-cares of a model without square bits are what is no row: no list of cubes holds
/// them.
fn empty(columns: &Columns, model: Model) -> Function {
    let rest_is_dc = !model.has_square_bits();
    let cover = || Cover::new(columns.space());
    Function { on: cover(), dc: cover(), off: cover(), rest_is_dc }
}

/// Cubes of one set while it is filled; a row whose outputs all fall into the set becomes one cube.
#[derive(Default)]
struct Cubes {
    words: Vec<u64>,
    last: Option<usize>,
}

impl Cubes {
    fn push_output(&mut self, row: &Row<'_>, output: usize, columns: &Columns) {
        if self.last != Some(row.number) {
            self.last = Some(row.number);
            columns.push_minterm(&mut self.words, row.turn, row.parts);
        }
        let start = self.words.len() - columns.space().words();
        columns.set_output(&mut self.words[start..], output);
    }
}

/// One placement as the model shows it.
struct Row<'a> {
    number: usize,
    turn: Color,
    parts: &'a [u8],
}

#[derive(Default)]
struct Sets {
    on: Cubes,
    dc: Cubes,
    off: Cubes,
}

impl Sets {
    fn append_to(self, function: &mut Function) {
        for (cover, cubes) in
            [(&mut function.on, self.on), (&mut function.dc, self.dc), (&mut function.off, self.off)]
        {
            let space = cover.space().clone();
            cover.extend(&Cover::from_words(&space, cubes.words));
        }
    }
}

/// Runs `put` over every placement of `turn` that is in no block, with its outcome when it is care, one [`Sets`] a
/// square of the white king, in order.
fn rows(
    table: &Table,
    model: Model,
    scope: &Scope,
    turn: Color,
    columns: &Columns,
    put: impl Fn(&mut Sets, &Row<'_>, Option<Wdl>) + Sync,
) -> Result<Vec<Sets>> {
    let material = table.material();
    // A model whose blocks are not written as rows leaves its don't-cares to the complement of ON and OFF.
    let with_dont_cares = model.has_square_bits();
    let plan = model.plan(material);
    let files: Vec<Option<u8>> = if material.has_en_passant() {
        std::iter::once(None).chain((0..8).map(Some)).collect()
    } else {
        vec![None]
    };
    (0..64u8)
        .into_par_iter()
        .map(|king| {
            let mut sets = Sets::default();
            let mut parts = vec![0; columns.variables().len()];
            let (mut number, mut failed) = (0, None);
            for &file in &files {
                let mut visit = |position: Position| {
                    if failed.is_some() {
                        return;
                    }
                    let outcome = match care(table, scope, &position) {
                        Ok(outcome) => outcome,
                        Err(error) => {
                            failed = Some(error);
                            return;
                        }
                    };
                    if outcome.is_none() && !with_dont_cares {
                        return;
                    }
                    plan.evaluate(&position, &mut parts);
                    put(&mut sets, &Row { number, turn, parts: &parts }, outcome);
                    number += 1;
                };
                placements::visit_placements(material, scope, turn, file, Square::new(king), &mut visit);
            }
            failed.map_or(Ok(sets), Err)
        })
        .collect()
}

/// Returns the outcome of a position that is legal and, where the scope says so, canonical; `None` for others.
fn care(table: &Table, scope: &Scope, position: &Position) -> Result<Option<Wdl>> {
    if !position.is_legal() || scope.canonical && !position.is_canonical(scope.leads[position.turn().index()])
    {
        return Ok(None);
    }
    table.wdl_of_legal(position).map(Some)
}
