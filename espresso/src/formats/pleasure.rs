//! Input of pleasure, a program that folds PLAs: rows without merged columns, with labels and groups.

use crate::{Pla, Result};
use std::io::Write;

/// Columns after which a line is broken.
const WIDTH: usize = 75;

/// Writes the rows of F: for each part of an input a column, for each output one.
///
/// A binary input has `1` for each value that a cube allows, a multi-valued one `1` for each part that it does not, and
/// an output of phase 0 has `0` for `1`: as in Berkeley's program.
pub(super) fn write(pla: &Pla, writer: &mut impl Write) -> Result<()> {
    let space = pla.space();
    for comment in &pla.comments {
        writeln!(writer, "{comment}")?;
    }
    let names: Vec<Vec<String>> = (0..space.variables().len()).map(|v| names(pla, v)).collect();
    let mut text = String::from(".option unmerged\n.label");
    let mut column = 6;
    for name in names.iter().flatten() {
        put(&mut text, &mut column, name, true);
    }
    text.push_str("\n.group");
    column = 6;
    for (v, names) in names[..space.inputs()].iter().enumerate() {
        text.push_str(" (");
        column += 2;
        // Only the first group begins without a blank.
        names.iter().enumerate().for_each(|(part, name)| put(&mut text, &mut column, name, v + part > 0));
        text.push(')');
        column += 1;
    }
    let rows = || pla.on.iter().filter(|cube| !space.is_empty(cube));
    writeln!(writer, "{text}\n.p {}", rows().count())?;
    let is_on = |output: usize| pla.phase.as_ref().is_none_or(|phase| phase.outputs[output]);
    for cube in rows() {
        let mut line = String::new();
        for (v, variable) in space.variables().iter().enumerate() {
            let is_output = v == space.inputs();
            line.push_str(if is_output { " " } else { "" });
            for part in 0..variable.parts {
                let is_in = space.get(cube, v, part);
                let is_marked = is_in != (!is_output && v >= space.binary_inputs());
                let mark = if is_output && !is_on(part) { '0' } else { '1' };
                line.push(if is_marked { mark } else { '~' });
            }
        }
        writeln!(writer, "{line}")?;
    }
    writeln!(writer, ".end")?;
    Ok(())
}

/// Appends a name, on a new line when it would go beyond the width.
fn put(text: &mut String, column: &mut usize, name: &str, is_apart: bool) {
    if *column + name.len() > WIDTH {
        text.push_str(" \\\n");
        *column = 0;
    } else if is_apart {
        text.push(' ');
        *column += 1;
    }
    text.push_str(name);
    *column += name.len();
}

/// The names of the parts of variable `v`.
fn names(pla: &Pla, v: usize) -> Vec<String> {
    let space = pla.space();
    let parts = 0..space.variables()[v].parts;
    if v < space.binary_inputs() {
        let name = pla.input_name(v);
        vec![format!("{name}.bar"), name]
    } else if v < space.inputs() {
        parts.map(|part| pla.part_name(v, part)).collect()
    } else {
        parts.map(|output| pla.output_name(output)).collect()
    }
}
