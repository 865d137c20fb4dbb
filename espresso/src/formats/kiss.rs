//! The writer of state machines, as rows with the name of a part for each multi-valued input.

use crate::cube::pla::row;
use crate::{Cover, Error, ErrorKind, Pla, Result, Space};
use std::io::Write;

/// Writes the rows of F, with `1` for their outputs, then those of D, with `2`; other outputs are `~`.
///
/// A cube that allows several but not all parts of a multi-valued input becomes one row for each of these parts.
pub(super) fn write(pla: &Pla, writer: &mut impl Write) -> Result<()> {
    if let Some(name) = pla.complemented_outputs().first() {
        let why = format!("rows of a state machine cannot describe the complement of `{name}`");
        return Err(Error::new(ErrorKind::Unsupported, why));
    }
    for comment in &pla.comments {
        writeln!(writer, "{comment}")?;
    }
    for (cover, mark) in [(&pla.on, b'1'), (&pla.dc, b'2')] {
        rows(pla, cover, mark, writer)?;
    }
    Ok(())
}

fn rows(pla: &Pla, cover: &Cover, mark: u8, writer: &mut impl Write) -> Result<()> {
    let (space, mut line) = (pla.space(), Vec::new());
    for cube in cover.iter().filter(|cube| !space.is_empty(cube)) {
        line.clear();
        row(space, cube, [b'~', mark], &mut line);
        let text = String::from_utf8_lossy(&line);
        let (binary, outputs) = (&text[..space.binary_inputs()], &text[text.len() - space.outputs()..]);
        // The chosen part of each multi-valued input, counted up like digits; `None` means all parts.
        let choices = space.variables()[space.binary_inputs()..space.inputs()].iter().map(|variable| {
            let is_free = Space::literal_is_full(variable, cube);
            if is_free { vec![None] } else { variable.parts_in(cube).map(Some).collect() }
        });
        let choices: Vec<Vec<Option<usize>>> = choices.collect();
        let mut chosen = vec![0; choices.len()];
        loop {
            let mut text = binary.to_owned();
            for (i, (choices, &chosen)) in choices.iter().zip(&chosen).enumerate() {
                let name = choices[chosen].map(|part| pla.part_name(space.binary_inputs() + i, part));
                text.extend([" ", name.as_deref().unwrap_or("-")]);
            }
            writeln!(writer, "{text} {outputs}")?;
            let Some(next) = (0..chosen.len()).rev().find(|&i| chosen[i] + 1 < choices[i].len()) else {
                break;
            };
            chosen[next] += 1;
            chosen[next + 1..].fill(0);
        }
    }
    Ok(())
}
