//! Verilog: a module with one assignment for each output.

use super::names::{Names, comments, products};
use crate::{Pla, Result};
use std::io::Write;

/// The reserved words of IEEE 1800 (`SystemVerilog`), which include those of Verilog. As names they are escaped.
const KEYWORDS: &str = "\
    accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before \
    begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class \
    clocking cmos config const constraint context continue cover covergroup coverpoint cross deassign \
    default defparam design disable dist do edge else end endcase endchecker endclass endclocking endconfig \
    endfunction endgenerate endgroup endinterface endmodule endpackage endprimitive endprogram endproperty \
    endsequence endspecify endtable endtask enum event eventually expect export extends extern final \
    first_match for force foreach forever fork forkjoin function generate genvar global highz0 highz1 if iff \
    ifnone ignore_bins illegal_bins implements implies import incdir include initial inout input inside \
    instance int integer interconnect interface intersect join join_any join_none large let liblist library \
    local localparam logic longint macromodule matches medium modport module nand negedge nettype new \
    nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge \
    primitive priority program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect \
    pulsestyle_onevent pure rand randc randcase randsequence rcmos real realtime ref reg reject_on release \
    repeat restrict return rnmos rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime s_until \
    s_until_with scalared sequence shortint shortreal showcancelled signed small soft solve specify \
    specparam static string strong strong0 strong1 struct super supply0 supply1 sync_accept_on \
    sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri \
    tri0 tri1 triand trior trireg type typedef union unique unique0 unsigned until until_with untyped use \
    uwire var vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard wire with within \
    wor xnor xor";

/// Writes the module, with products in the order of the cubes and literals in the order of the inputs.
pub(super) fn write(pla: &Pla, writer: &mut impl Write, name: &str) -> Result<()> {
    let names =
        Names::new(pla, "Verilog", ["x", "y"], |name| !name.bytes().all(|byte| byte.is_ascii_graphic()))?;
    let [inputs, outputs] = [&names.inputs, &names.outputs]
        .map(|names| names.iter().map(|name| escaped(name)).collect::<Vec<_>>());
    comments(pla, writer, "//")?;
    let ports = inputs.iter().map(|name| format!("    input wire {name}"));
    let ports = ports.chain(outputs.iter().map(|name| format!("    output wire {name}"))).collect::<Vec<_>>();
    // No identifier can have other characters.
    let name: String = name.chars().map(|c| if c.is_ascii_graphic() { c } else { '_' }).collect();
    writeln!(writer, "module {} (\n{}\n);", escaped(&name), ports.join(",\n"))?;
    for (output, name) in outputs.iter().enumerate() {
        // The complement of a sum of products is a product of sums of the other literals.
        let is_complemented = pla.is_complemented(output);
        let [inner, outer] = if is_complemented { [" | ", " & "] } else { [" & ", " | "] };
        let constants = ["1'b0", "1'b1"];
        let sum: Vec<String> = products(pla, output)
            .map(|product| {
                let literals: Vec<String> = inputs
                    .iter()
                    .zip(product)
                    .filter_map(|(name, value)| {
                        value.map(
                            |value| if value == is_complemented { format!("~{name}") } else { name.clone() },
                        )
                    })
                    .collect();
                match &literals[..] {
                    [] => constants[usize::from(!is_complemented)].to_owned(),
                    [literal] => literal.clone(),
                    _ => format!("({})", literals.join(inner)),
                }
            })
            .collect();
        let none = || constants[usize::from(is_complemented)].to_owned();
        let sum = if sum.is_empty() { none() } else { sum.join(outer) };
        writeln!(writer, "    assign {name} = {sum};")?;
    }
    writeln!(writer, "endmodule")?;
    Ok(())
}

/// The name as an identifier: unchanged, or escaped with a backslash and a blank.
fn escaped(name: &str) -> String {
    let is_simple = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit())
        && !KEYWORDS.split_whitespace().any(|keyword| keyword == name);
    if is_simple { name.to_owned() } else { format!("\\{name} ") }
}
