//! A table as a PLA for two-level minimizers: type fr, a row for each canonical position, with the side to move as first
//! input. All other minterms are don't-cares and are not listed.

use super::Table;
use super::frozen::model::{Model, VariableSet};
use super::rows::TableRows;
use crate::error::{Error, ErrorKind, Result};
use crate::learner::Rows;
use crate::outcome::Color;
use crate::pipeline::PositionRows;
use std::fmt::Write as _;
use std::io::Write;

/// The outputs, in this order: each is 1 in its positions and 0 in the others.
const OUTPUTS: [&str; 3] = ["win", "draw", "loss"];

/// Writes the function of `table` over the variables of `model`.
///
/// # Errors
/// [`ErrorKind::Io`] if writing fails.
pub fn write_pla(table: &Table, model: Model, out: &mut dyn Write) -> Result<()> {
    let failed = |error: std::io::Error| Error::with_source(ErrorKind::Io, "writing the PLA", error);
    let variables = VariableSet::new(model, table.material());
    let sides = Color::BOTH.map(|turn| TableRows::new(table, &variables, turn));
    let mut text = String::new();
    for (variable, parts) in variables.values().iter().enumerate() {
        let _ = writeln!(text, "# {}: {parts} parts", variables.name(variable));
    }
    let _ = write!(text, ".type fr\n.mv {} 1", variables.values().len() + 2);
    variables.values().iter().for_each(|parts| _ = write!(text, " {parts}"));
    let rows: u64 = sides.iter().map(Rows::count).sum();
    let _ = write!(text, " 3\n.ilb black_to_move\n.ob {}\n.p {rows}\n", OUTPUTS.join(" "));
    let mut values = vec![0; variables.values().len()];
    for (turn, side) in sides.iter().enumerate() {
        for slice in 0..side.slices() {
            side.visit(slice, &mut |number| {
                variables.evaluate(&side.position(slice, number), &mut values);
                let _ = write!(text, "{turn}");
                for (&value, &parts) in values.iter().zip(variables.values()) {
                    text.push(' ');
                    text.extend((0..parts).map(|part| if part == value { '1' } else { '0' }));
                }
                let outcome = side.outcomes()[usize::from(side.class(slice, number))];
                let _ = writeln!(text, " {}", ["001", "010", "100"][outcome.index()]);
            });
            out.write_all(text.as_bytes()).map_err(failed)?;
            text.clear();
        }
    }
    out.write_all(b".e\n").map_err(failed)
}
