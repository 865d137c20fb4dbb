//! Packing a cover of the paper's function, by any minimizer, into a checked .pcn file.

use super::columns::Columns;
use super::function;
use super::memory::check_function_memory;
use super::options::Options;
use super::scope::Scope;
use super::sections::from_cover;
use crate::chess::retrograde::Table;
use crate::error::{Error, ErrorKind, Result, plural};
use crate::pipeline::{Built, StageTimes, finish};
use espresso::{Cover, Progress, Space};

/// Packs the ON-set of a minimized PLA of `table`'s function, by this project's minimizer or another, and checks the packed
/// bytes on every legal canonical position. The PLA has the inputs and outputs of [`paper_function`](super::paper_function), and covers
/// all positions or only the canonical ones. In a model without square bits, a minterm without a position is a don't-care.
///
/// # Errors
/// [`ErrorKind::BadInput`] if the PLA has other inputs or outputs; [`ErrorKind::Mismatch`] if it is not a cover of the
/// table's function: a position lacks its outcome or has another one too; [`ErrorKind::BudgetExhausted`] as
/// [`check_function_memory`]; [`ErrorKind::Cancelled`] if [`Options::progress`] breaks.
pub fn pack(table: &Table, on: &Cover, options: &Options<'_>) -> Result<Built> {
    let (material, model) = (*table.material(), options.model);
    let columns = Columns::new(model, &material)?;
    if columns.space() != on.space() {
        let shape = |space: &Space| {
            let (inputs, outputs) = (space.inputs(), space.outputs());
            format!("{inputs} input{} and {outputs} output{}", plural(inputs), plural(outputs))
        };
        let (theirs, ours) = (shape(on.space()), shape(columns.space()));
        let message = format!("the PLA has {theirs}, and {material} in model {model} has {ours}");
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    check_function_memory(&material, model, true, options.memory, "packing")?;
    let exported = function::paper_function(table, model, &Scope::default())?;
    options.progress.report(&Progress::new("checking the cover", 0, on.len() as u64, "cubes"))?;
    espresso::check::result(&exported.function, on).map_err(|mismatch| {
        Error::new(ErrorKind::Mismatch, format!("the PLA is no cover of {material}: {mismatch}"))
    })?;
    let pcn = from_cover(table, model, on, &columns)?;
    finish(table, pcn, options.codec, options.progress, StageTimes::default())
}
