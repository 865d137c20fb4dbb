//! Equations in the format of eqntott, as Berkeley's program writes them.

use super::equations::is_name;
use super::names::{Names, comments, products};
use crate::{Pla, Result};
use std::io::Write;

/// A line is broken before a name that would end after this column.
const WIDTH: usize = 72;

/// Writes an equation for each output, with line breaks as in Berkeley's program. A constant is `0` or `(1)`. The rows of a
/// complemented output become a product of sums, and its constants are `(0)` and `1`.
pub(super) fn write(pla: &Pla, writer: &mut impl Write) -> Result<()> {
    let output = format!("v{}.", pla.space().inputs());
    let names = Names::new(pla, "equations", ["v", &output], |name| !is_name(name))?;
    comments(pla, writer, "#")?;
    for (output, name) in names.outputs.iter().enumerate() {
        let mut text = format!("{name} = ");
        let mut column = text.len();
        let mut is_first = true;
        let is_complemented = pla.is_complemented(output);
        let [inner, outer] = if is_complemented { ["|", " & ("] } else { ["&", " | ("] };
        for product in products(pla, output) {
            let opening = if is_first { "(" } else { outer };
            text.push_str(opening);
            column += opening.len();
            is_first = false;
            let mut is_empty = true;
            for (name, value) in names.inputs.iter().zip(product) {
                let Some(value) = value else { continue };
                if column + name.len() > WIDTH {
                    text.push_str("\n    ");
                    column = 4;
                }
                let before =
                    [if is_empty { "" } else { inner }, if value == is_complemented { "!" } else { "" }]
                        .concat();
                text.extend([&before, name.as_str()]);
                column += before.len() + name.len();
                is_empty = false;
            }
            if is_empty {
                text.push(if is_complemented { '0' } else { '1' });
                column += 1;
            }
            text.push(')');
            column += 1;
        }
        if is_first {
            text.push(if is_complemented { '1' } else { '0' });
        }
        writeln!(writer, "{text};\n")?;
    }
    Ok(())
}
