//! Verilog: a module with one assignment for each output.

use super::names::{Names, comments, products};
use crate::{Pla, Result};
use std::io::Write;

/// Reserved words, which are escaped when used as names, so that any tool accepts the text.
const KEYWORDS: [&str; 60] = [
    "always",
    "and",
    "assign",
    "automatic",
    "begin",
    "bit",
    "buf",
    "byte",
    "case",
    "casex",
    "casez",
    "cell",
    "class",
    "config",
    "const",
    "default",
    "disable",
    "do",
    "edge",
    "else",
    "end",
    "endcase",
    "endfunction",
    "endmodule",
    "endtask",
    "enum",
    "event",
    "for",
    "force",
    "forever",
    "function",
    "if",
    "initial",
    "inout",
    "input",
    "int",
    "integer",
    "logic",
    "module",
    "nand",
    "negedge",
    "nor",
    "not",
    "or",
    "output",
    "parameter",
    "posedge",
    "real",
    "reg",
    "repeat",
    "signed",
    "supply0",
    "supply1",
    "table",
    "task",
    "time",
    "while",
    "wire",
    "xnor",
    "xor",
];

/// Writes the module, with products in the order of the cubes and literals in the order of the inputs.
pub(super) fn write(pla: &Pla, writer: &mut impl Write, name: &str) -> Result<()> {
    let names =
        Names::new(pla, "Verilog", ["x", "y"], |name| !name.bytes().all(|byte| byte.is_ascii_graphic()))?;
    let [inputs, outputs] = [&names.inputs, &names.outputs]
        .map(|names| names.iter().map(|name| escaped(name)).collect::<Vec<_>>());
    comments(pla, writer, "//")?;
    let ports = inputs.iter().map(|name| format!("    input wire {name}"));
    let ports = ports.chain(outputs.iter().map(|name| format!("    output wire {name}"))).collect::<Vec<_>>();
    writeln!(writer, "module {} (\n{}\n);", escaped(&printable(name)), ports.join(",\n"))?;
    for (output, name) in outputs.iter().enumerate() {
        let sum: Vec<String> = products(pla, output)
            .map(|product| {
                let literals: Vec<String> = inputs
                    .iter()
                    .zip(product)
                    .filter_map(|(name, value)| {
                        value.map(|value| if value { name.clone() } else { format!("~{name}") })
                    })
                    .collect();
                match &literals[..] {
                    [] => "1'b1".to_owned(),
                    [literal] => literal.clone(),
                    _ => format!("({})", literals.join(" & ")),
                }
            })
            .collect();
        let sum = if sum.is_empty() { "1'b0".to_owned() } else { sum.join(" | ") };
        writeln!(writer, "    assign {name} = {sum};")?;
    }
    writeln!(writer, "endmodule")?;
    Ok(())
}

/// The name as an identifier: unchanged, or escaped with a backslash and a blank.
fn escaped(name: &str) -> String {
    let is_simple = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit())
        && !KEYWORDS.contains(&name);
    if is_simple { name.to_owned() } else { format!("\\{name} ") }
}

/// The name, with `_` for characters that no identifier can have.
fn printable(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_graphic() { c } else { '_' }).collect()
}
