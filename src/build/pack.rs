//! From a cover of the paper's function to the sections of a .pcn file, whoever minimized it.

use super::covers::clauses;
use super::{Built, Options, StageTimes, check_function_memory, finish};
use crate::error::{Error, ErrorKind, Result};
use crate::export::{self, Columns, OUTPUTS, Scope};
use crate::model::Model;
use crate::pcn::{Layers, Layout, Pcn, Section, Side, Turns};
use crate::position::Color;
use crate::retrograde::Table;
use espresso::{Cover, Progress, Space};

/// Packs the ON-set of a minimized PLA of `table`'s function, by this project's minimizer or another, and checks the
/// packed bytes on every legal canonical position. The PLA's inputs and outputs are those that
/// [`crate::export::independent`] gives; whether it covers all positions or the canonical ones does not matter. In a model
/// without square bits any cover will do that gives every position's row its outcome and no other; what is no row is
/// free.
///
/// # Errors
/// [`ErrorKind::BadInput`] when the PLA has other inputs or outputs; [`ErrorKind::Mismatch`] when it is no cover of
/// the table's function: a position without its outcome, or with another one beside it;
/// [`ErrorKind::BudgetExhausted`] as [`check_function_memory`]; [`ErrorKind::Cancelled`] when [`Options::progress`]
/// breaks.
pub fn pack(table: &Table, on: &Cover, options: &Options<'_>) -> Result<Built> {
    let (material, model) = (*table.material(), options.model());
    let columns = Columns::new(model, &material, true, OUTPUTS.len())?;
    if columns.space() != on.space() {
        let shape = |space: &Space| format!("{} inputs and {} outputs", space.inputs(), space.outputs());
        let (theirs, ours) = (shape(on.space()), shape(columns.space()));
        let message = format!("the PLA has {theirs}, and {material} in model {model} has {ours}");
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    check_function_memory(&material, model, true, options.memory, "packing")?;
    let exported = export::independent(table, model, &Scope::default())?;
    options.progress.tell(&Progress::new("checking the cover", 0, on.len() as u64, "cubes"))?;
    espresso::check::result(&exported.function, on).map_err(|mismatch| {
        Error::new(ErrorKind::Mismatch, format!("the PLA is no cover of {material}: {mismatch}"))
    })?;
    finish(table, from_cover(table, model, on, &columns)?, options, StageTimes::default())
}

/// Returns the sections of a cover: for each outcome the clauses of both sides, of White and of Black to move. A cube
/// with several outputs becomes a clause in each one's section.
pub(super) fn from_cover(table: &Table, model: Model, cover: &Cover, columns: &Columns) -> Result<Pcn> {
    let (material, space) = (*table.material(), cover.space());
    let layout = Layout::new(model, &material);
    let stored = material.stored_turns();
    let mut sections = Vec::new();
    for (output, &outcome) in OUTPUTS.iter().enumerate() {
        // Where one side to move is stored, "either" and White are the same.
        let sets: &[(Turns, &[Color])] = if stored.len() == 1 {
            &[(Turns::White, &[Color::White])]
        } else {
            &[(Turns::Both, &Color::BOTH), (Turns::White, &[Color::White]), (Turns::Black, &[Color::Black])]
        };
        for &(turns, colors) in sets {
            let clauses = clauses(cover, columns, &layout, |cube| {
                let holds = |turn: &Color| space.get(cube, 0, turn.index());
                let exact = stored.iter().all(|turn| holds(turn) == colors.contains(turn));
                exact && space.get(cube, space.inputs(), output)
            });
            sections.push(Section { turns, outcome, clauses });
        }
    }
    let lead = |turn: &Color| Side { lead: Scope::default().leads[turn.index()], default: None };
    let sides = stored.iter().map(lead).collect();
    Pcn::new(material, model, Layers::Independent, sides, sections, table.hash())
}
