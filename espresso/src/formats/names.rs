//! The names of a PLA, for formats of binary functions.

use crate::{Error, ErrorKind, Pla, Result};
use std::collections::HashSet;
use std::io::Write;

/// The names of the inputs and the outputs.
pub(super) struct Names {
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
}

impl Names {
    /// The names of a PLA whose inputs are binary. Missing names are generated from a prefix in `made_up`, the first for inputs
    /// and the second for outputs, and a number.
    ///
    /// Fails if an input is multi-valued, if a name occurs twice, or if a name `is_wrong` in the format `format`.
    pub fn new(pla: &Pla, format: &str, made_up: [&str; 2], is_wrong: impl Fn(&str) -> bool) -> Result<Self> {
        let space = pla.space();
        let unsupported = |message: String| Error::new(ErrorKind::Unsupported, message);
        if space.inputs() > space.binary_inputs() {
            return Err(unsupported(format!("{format} has no multi-valued inputs")));
        }
        if !pla.kind.has_on() && pla.kind.has_off() {
            return Err(unsupported(format!("a PLA of type {} has no rows of F for {format}", pla.kind)));
        }
        // A missing name is made up.
        let named = |labels: &Option<Vec<String>>, before: &str, count: usize| {
            let name = |i| labels.as_ref().and_then(|labels| labels.get(i).cloned());
            (0..count).map(|i| name(i).unwrap_or_else(|| format!("{before}{i}"))).collect::<Vec<_>>()
        };
        let inputs = named(&pla.input_labels, made_up[0], space.inputs());
        let outputs = named(&pla.output_labels, made_up[1], space.outputs());
        let mut seen = HashSet::new();
        for name in inputs.iter().chain(&outputs) {
            if is_wrong(name) {
                return Err(unsupported(format!("`{name}` cannot be a name in {format}")));
            }
            if !seen.insert(name) {
                return Err(unsupported(format!(
                    "two inputs or outputs are called `{name}`, which {format} cannot tell apart"
                )));
            }
        }
        Ok(Names { inputs, outputs })
    }
}

/// Writes the comments and unknown keywords of a PLA as comments that begin with `mark`.
pub(super) fn comments(pla: &Pla, writer: &mut impl Write, mark: &str) -> Result<()> {
    for comment in &pla.comments {
        let text = comment.strip_prefix('#').map_or_else(|| format!(" {comment}"), str::to_owned);
        writeln!(writer, "{mark}{text}")?;
    }
    Ok(())
}

/// The cubes of an output, each as the required value of each input; `None` if both values are allowed.
pub(super) fn products(pla: &Pla, output: usize) -> impl Iterator<Item = Vec<Option<bool>>> {
    let space = pla.space();
    let cubes =
        pla.on.iter().filter(move |cube| !space.is_empty(cube) && space.get(cube, space.inputs(), output));
    cubes.map(move |cube| {
        let value = |v| match [space.get(cube, v, 0), space.get(cube, v, 1)] {
            [true, true] => None,
            [_, one] => Some(one),
        };
        (0..space.inputs()).map(value).collect()
    })
}

#[cfg(test)]
mod tests {
    use crate::{ErrorKind, Format, Pla};

    /// Its text would be that of the constant 0.
    #[test]
    fn a_pla_without_rows_of_f_has_no_text() {
        let pla = Pla::parse(".i 1\n.o 1\n.type r\n1 1\n").unwrap();
        for format in [Format::Equations, Format::Verilog, Format::Blif] {
            assert_eq!(pla.to_text(format).unwrap_err().kind(), ErrorKind::Unsupported, "{format:?}");
        }
    }
}
