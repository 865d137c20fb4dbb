//! The writer of state machines, as rows with the name of a part for each multi-valued input.

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
    for (cover, mark) in [(&pla.on, '1'), (&pla.dc, '2')] {
        rows(pla, cover, mark, writer)?;
    }
    Ok(())
}

fn rows(pla: &Pla, cover: &Cover, mark: char, writer: &mut impl Write) -> Result<()> {
    let space = pla.space();
    for cube in cover.iter().filter(|cube| !space.is_empty(cube)) {
        let binary: String = (0..space.binary_inputs())
            .map(|v| match [space.get(cube, v, 0), space.get(cube, v, 1)] {
                [true, true] => '-',
                [is_zero, _] => {
                    if is_zero {
                        '0'
                    } else {
                        '1'
                    }
                }
            })
            .collect();
        let outputs: String = (0..space.outputs())
            .map(|output| if space.get(cube, space.inputs(), output) { mark } else { '~' })
            .collect();
        // The chosen part of each multi-valued input, counted up like digits; `None` means all parts.
        let choices = space.variables()[space.binary_inputs()..space.inputs()].iter().map(|variable| {
            let is_free = Space::literal_is_full(variable, cube);
            if is_free { vec![None] } else { variable.parts_in(cube).map(Some).collect() }
        });
        let choices: Vec<Vec<Option<usize>>> = choices.collect();
        let mut chosen = vec![0; choices.len()];
        loop {
            let mut line = binary.clone();
            for (i, (choices, &chosen)) in choices.iter().zip(&chosen).enumerate() {
                let name = choices[chosen].map(|part| pla.part_name(space.binary_inputs() + i, part));
                line.extend([" ", name.as_deref().unwrap_or("-")]);
            }
            writeln!(writer, "{line} {outputs}")?;
            let Some(next) = (0..chosen.len()).rev().find(|&i| chosen[i] + 1 < choices[i].len()) else {
                break;
            };
            chosen[next] += 1;
            chosen[next + 1..].fill(0);
        }
    }
    Ok(())
}
