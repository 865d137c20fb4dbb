//! Reorders the columns of a PLA by the names in another one.

use crate::{Cover, Error, ErrorKind, Pla, Result, Space};

impl Pla {
    /// Returns this PLA with its binary inputs and outputs in the order of their names in `other`. Outputs that `other` lacks
    /// are dropped. Multi-valued inputs stay in place, and so do all inputs, or all outputs, if neither PLA names them.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] if only one of the two names its inputs, or its outputs, if `other` has a name that this PLA lacks,
    /// or if this PLA has an input that `other` lacks.
    pub fn reordered_like(&self, other: &Pla) -> Result<Pla> {
        let missing =
            |what: &str| Error::new(ErrorKind::Mismatch, format!("names of {what} are needed in both"));
        let order = |of: [&Option<Vec<String>>; 2], count: [usize; 2], what: &str| {
            if of == [&None, &None] && count[0] == count[1] {
                return Ok((0..count[0]).collect());
            }
            let [Some(ours), Some(theirs)] = of else { return Err(missing(what)) };
            theirs
                .iter()
                .map(|name| {
                    let lacks = || Error::new(ErrorKind::Mismatch, format!("only the second has `{name}`"));
                    ours.iter().position(|our| our == name).ok_or_else(lacks)
                })
                .collect::<Result<Vec<_>>>()
        };
        let (space, theirs) = (self.space(), other.space());
        let counts = [space.binary_inputs(), theirs.binary_inputs()];
        let inputs = order([&self.input_labels, &other.input_labels], counts, "inputs")?;
        let counts = [space.outputs(), theirs.outputs()];
        let outputs = order([&self.output_labels, &other.output_labels], counts, "outputs")?;
        if inputs.len() != space.binary_inputs() {
            return Err(Error::new(ErrorKind::Mismatch, "the first has inputs that the second lacks"));
        }
        let arranged = space.resized(inputs.len(), outputs.len())?;
        let reorder = |cover: &Cover| {
            let mut result = Cover::new(&arranged);
            for cube in cover {
                let from = |v: usize| (inputs.get(v).copied().unwrap_or(v), v);
                let mut to = space.moved(cube, &arranged, (0..arranged.inputs()).map(from));
                for (output, &from) in outputs.iter().enumerate() {
                    if space.get(cube, space.inputs(), from) {
                        arranged.set(&mut to, arranged.inputs(), output);
                    }
                }
                if !Space::literal_is_empty(arranged.output(), &to) {
                    result.push(&to);
                }
            }
            result
        };
        Ok(Pla {
            on: reorder(&self.on),
            dc: reorder(&self.dc),
            off: reorder(&self.off),
            input_labels: other.input_labels.clone(),
            output_labels: other.output_labels.clone(),
            phase: None,
            symbolic_outputs: Vec::new(),
            ..self.clone()
        })
    }
}
