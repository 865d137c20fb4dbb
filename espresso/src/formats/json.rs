//! JSON: the names and the rows of F as one object.

use crate::cube::pla::row;
use crate::{Pla, Result, Space};
use std::fmt::Write as _;
use std::io::Write;

/// Writes the object: `comments`, `inputs` (the names of the binary inputs), `multi_valued_inputs` (the names of the parts of
/// each), `outputs` (the names), `complemented` (the names of the outputs whose complements the rows describe, if there are
/// any), and `cubes`, the rows of F. In a row, `inputs` has a character for each binary input, `multi_valued` a string for
/// each other input, with `1` for an allowed part, and `outputs` a character for each output.
pub(super) fn write(pla: &Pla, writer: &mut impl Write) -> Result<()> {
    let space = pla.space();
    let names = |names: Vec<String>| names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(",");
    let inputs = names((0..space.binary_inputs()).map(|v| pla.input_name(v)).collect());
    let multi: Vec<String> = (space.binary_inputs()..space.inputs())
        .map(|v| {
            format!(
                "[{}]",
                names((0..space.variables()[v].parts).map(|part| pla.part_name(v, part)).collect())
            )
        })
        .collect();
    let outputs = names((0..space.outputs()).map(|output| pla.output_name(output)).collect());
    let comments = names(pla.comments.clone());
    writeln!(writer, "{{\"comments\":[{comments}],")?;
    writeln!(writer, "\"inputs\":[{inputs}],")?;
    writeln!(writer, "\"multi_valued_inputs\":[{}],", multi.join(","))?;
    writeln!(writer, "\"outputs\":[{outputs}],")?;
    let complemented = pla.complemented_outputs();
    if !complemented.is_empty() {
        writeln!(writer, "\"complemented\":[{}],", names(complemented))?;
    }
    write!(writer, "\"cubes\":[")?;
    let mut line = Vec::new();
    for (i, cube) in pla.on.iter().filter(|cube| !space.is_empty(cube)).enumerate() {
        line.clear();
        row(space, cube, *b"01", &mut line);
        let text = fields(space, &String::from_utf8_lossy(&line));
        write!(writer, "{}\n{text}", if i == 0 { "" } else { "," })?;
    }
    writeln!(writer, "]}}")?;
    Ok(())
}

/// The JSON object of a row.
fn fields(space: &Space, row: &str) -> String {
    let (inputs, rest) = row.split_at(space.binary_inputs());
    let (multi, outputs) = rest.split_at(rest.len() - space.outputs());
    let multi: Vec<String> = multi.split_whitespace().map(quoted).collect();
    let multi =
        if multi.is_empty() { String::new() } else { format!("\"multi_valued\":[{}],", multi.join(",")) };
    format!("{{\"inputs\":\"{inputs}\",{multi}\"outputs\":\"{outputs}\"}}")
}

/// The text as a JSON string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            // Writing to a string cannot fail.
            c if c.is_control() => drop(write!(quoted, "\\u{:04x}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
