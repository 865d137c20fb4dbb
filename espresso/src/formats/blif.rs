//! Berkeley's logic interchange format: a table of products for each output.

use super::names::{Names, comments, products};
use crate::{Pla, Result};
use std::io::Write;

/// Writes the model. The table of an output has only the inputs that the output depends on.
pub(super) fn write(pla: &Pla, writer: &mut impl Write, name: &str) -> Result<()> {
    let is_wrong = |name: &str| name.contains(['#', '\\', '=']);
    let names = Names::new(pla, "BLIF", ["x", "y"], is_wrong)?;
    comments(pla, writer, "#")?;
    let name: String =
        name.chars().map(|c| if c.is_whitespace() || "#\\=".contains(c) { '_' } else { c }).collect();
    writeln!(writer, ".model {name}")?;
    for (keyword, names) in [(".inputs", &names.inputs), (".outputs", &names.outputs)] {
        write_names(writer, keyword, names.iter().map(String::as_str))?;
    }
    for (output, name) in names.outputs.iter().enumerate() {
        let mut is_used = vec![false; names.inputs.len()];
        for product in products(pla, output) {
            is_used.iter_mut().zip(product).for_each(|(is_used, value)| *is_used |= value.is_some());
        }
        let used = || (0..is_used.len()).filter(|&v| is_used[v]);
        let used_names = used().map(|v| names.inputs[v].as_str());
        write_names(writer, ".names", used_names.chain([name.as_str()]))?;
        // The table of a complemented output has the minterms at which it is zero.
        let is_complemented = pla.is_complemented(output);
        let value = if is_complemented { '0' } else { '1' };
        let mut lines: Vec<String> = products(pla, output)
            .map(|product| {
                let values = used().map(|v| match product[v] {
                    Some(true) => '1',
                    Some(false) => '0',
                    None => '-',
                });
                let values: String = values.collect();
                if values.is_empty() { "1".into() } else { format!("{values} {value}") }
            })
            .collect();
        if used().next().is_none() {
            // The table of a constant has one line or none.
            let is_one = lines.is_empty() == is_complemented;
            lines = if is_one { vec!["1".into()] } else { Vec::new() };
        }
        for line in lines {
            writeln!(writer, "{line}")?;
        }
    }
    writeln!(writer, ".end")?;
    Ok(())
}

/// Writes a keyword followed by names.
fn write_names<'a>(
    writer: &mut impl Write,
    keyword: &'a str,
    names: impl Iterator<Item = &'a str>,
) -> Result<()> {
    let words: Vec<&str> = [keyword].into_iter().chain(names).collect();
    writeln!(writer, "{}", words.join(" "))?;
    Ok(())
}
