//! Karnaugh maps of small functions.
//!
//! Inputs 0 and 1 are the columns of a block of four by four, and inputs 2 and 3 its rows, in Gray code. Inputs 4 and 6 are
//! the columns of blocks, and 5 and 7 their rows, also in Gray code. Each combination of the other inputs has its own sheet.
//! This is the layout of Berkeley's subcommand `map`, which prints only some of the sheets.

use crate::cube::evaluate::Evaluator;
use crate::{Cover, Error, ErrorKind, Result};
use std::fmt::Write;

/// The largest number of inputs for a map.
pub const MOST_MAPPED: usize = 16;

/// The numbers of columns and rows in Gray code.
const GRAY: [usize; 4] = [0, 1, 3, 2];

/// Returns the maps of all outputs, with `1` for a minterm in the cover and `.` for any other.
///
/// # Errors
/// [`ErrorKind::Unsupported`] for multi-valued inputs and more than [`MOST_MAPPED`] inputs.
///
/// # Example
/// ```
/// let pla = espresso::Pla::parse(".i 2\n.o 1\n1- 1\n")?;
/// assert_eq!(espresso::algebra::karnaugh_maps(&pla.on)?.trim(), "Output space # 0\n.11.");
/// # Ok::<(), espresso::Error>(())
/// ```
pub fn karnaugh_maps(cover: &Cover) -> Result<String> {
    let space = cover.space();
    let inputs = space.inputs();
    if inputs != space.binary_inputs() || inputs > MOST_MAPPED {
        let message = format!("a Karnaugh map is drawn for up to {MOST_MAPPED} inputs, all of them binary");
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let tables = Evaluator::new(cover).truth_tables();
    let mut text = String::new();
    for (output, table) in tables.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n\nOutput space # {output}\n");
        for sheet in 0..1usize << inputs.saturating_sub(8) {
            draw_sheet(table, inputs, sheet * 256, &mut text);
        }
    }
    Ok(text)
}

/// Draws up to 256 minterms from `first` on.
fn draw_sheet(table: &[u64], inputs: usize, first: usize, text: &mut String) {
    let minterms = 1usize << inputs;
    for row in 0..16 {
        let of_row = GRAY[row % 4] << 2 | spread(GRAY[row / 4]) << 1;
        let mut is_any = false;
        for column in 0..16 {
            let minterm = first + (of_row | GRAY[column % 4] | spread(GRAY[column / 4]));
            if minterm < minterms {
                text.push(if table[minterm / 64] >> (minterm % 64) & 1 == 1 { '1' } else { '.' });
                is_any = true;
            }
            text.push_str(match column {
                7 | 15 => "   ",
                3 | 11 => " ",
                _ => "",
            });
        }
        if is_any {
            text.push('\n');
        }
        if row % 4 == 3 {
            let next = row + 1;
            if row != 15 && (GRAY[next % 4] << 2 | spread(GRAY[next / 4 % 4]) << 1) >= minterms {
                break;
            }
            text.push('\n');
        }
        if row % 8 == 7 {
            text.push('\n');
        }
    }
}

/// Moves bits 0 and 1 to bits 4 and 6.
fn spread(bits: usize) -> usize {
    (bits & 1) << 4 | (bits & 2) << 5
}
