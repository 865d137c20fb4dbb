//! An exported function as PLA text.

use super::columns::OUTPUTS;
use super::function::{Exported, paper_function};
use super::scope::Scope;
use crate::chess::model::Model;
use crate::chess::retrograde::Table;
use crate::error::{Error, ErrorKind, Result};
use espresso::pla::{Pla, PlaType};
use std::io::Write;

/// Returns the default type of a PLA of `model`: fdr if the don't-cares are listed, fr if they are everything else.
pub fn natural_type(model: Model) -> PlaType {
    if model.has_square_bits() { PlaType::Fdr } else { PlaType::Fr }
}

/// Checks that a function of `model` can be written as a PLA of type `kind`.
///
/// # Errors
/// [`ErrorKind::BadInput`] with the reason if it cannot.
pub fn check_type(model: Model, kind: PlaType) -> Result<()> {
    match kind {
        PlaType::Fr => Ok(()),
        PlaType::Fdr if model.has_square_bits() => Ok(()),
        PlaType::Fdr => {
            let why = format!(
                "a PLA of model {} cannot be of type fdr: there are too many don't-cares to list (use type fr)",
                model.name()
            );
            Err(Error::new(ErrorKind::BadInput, why))
        }
        _ => Err(Error::new(ErrorKind::BadInput, "an exported PLA is of type fdr or fr")),
    }
}

/// Writes the function of [`paper_function`] as a PLA of type fdr or fr. In type fr the don't-cares are the minterms without a row;
/// models without square bits have this type only. `.ilb` names the binary inputs; comments at the start name the multi-valued
/// inputs.
///
/// # Errors
/// [`ErrorKind::BadInput`] if an anchor is not a man of the material, and as [`check_type`]; [`ErrorKind::Io`] if writing fails.
pub fn write_pla(
    table: &Table,
    model: Model,
    scope: &Scope,
    kind: PlaType,
    mut out: &mut dyn Write,
) -> Result<()> {
    check_type(model, kind)?;
    let Exported { function, columns } = paper_function(table, model, scope)?;
    let mut names = vec![String::new(); columns.space().inputs()];
    names[0] = "black_to_move".into();
    for (variable, &column) in model.variables(table.material()).iter().zip(columns.variables()) {
        names[column].clone_from(&variable.name);
    }
    let named = names.split_off(columns.space().binary_inputs());
    for (name, variable) in named.iter().zip(columns.space().non_binary()) {
        writeln!(out, "# {name}: {} parts", variable.parts)
            .map_err(|error| Error::new(ErrorKind::Io, format!("writing the PLA: {error}")))?;
    }
    let pla = Pla {
        kind,
        dc: function.dc,
        off: function.off,
        input_labels: Some(names),
        output_labels: Some(OUTPUTS.iter().map(|outcome| outcome.name().to_string()).collect()),
        ..Pla::from_cover(function.on)
    };
    pla.write(&mut out, kind).map_err(Error::from)
}
