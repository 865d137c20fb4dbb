//! Functions with other outputs than their PLA. For `.symbolic-output`, outputs are replaced by their values ([`symbolic`]); for
//! `.phase`, by their complements ([`Function::in_phases`]).

use crate::cube::pla::{Phase, SymbolicOutput};
use crate::{Cover, Error, ErrorKind, Function, Pla, Rest, Result, Space, limits};

impl Pla {
    /// Whether [`Function::from_pla`] replaces outputs of this PLA by others.
    pub fn has_other_outputs(&self) -> bool {
        !self.symbolic_outputs.is_empty() || self.phase.as_ref().is_some_and(|phase| !phase.is_applied)
    }

    /// Returns this PLA with the covers of `function` and the names of the function's outputs. `function` must be the completed
    /// function of this PLA.
    ///
    /// The type is fr if the minterms outside all covers belong to D, fd if they belong to R, and fdr if there are none.
    #[must_use]
    pub fn completed(&self, function: &Function) -> Pla {
        let labels = |symbolic: &[SymbolicOutput]| {
            let values = symbolic.iter().flat_map(|group| group.names.clone());
            let left =
                left(self.space().outputs(), symbolic).into_iter().map(|output| self.output_name(output));
            values.chain(left).collect::<Vec<_>>()
        };
        let is_symbolic = !self.symbolic_outputs.is_empty();
        let output_labels =
            if is_symbolic { Some(labels(&self.symbolic_outputs)) } else { self.output_labels.clone() };
        let phase = self.phase.as_ref().map(|phase| {
            let values: usize = self.symbolic_outputs.iter().map(|group| group.names.len()).sum();
            let left = left(self.space().outputs(), &self.symbolic_outputs);
            let kept = left.into_iter().map(|output| phase.outputs[output]);
            Phase { outputs: std::iter::repeat_n(true, values).chain(kept).collect(), is_applied: true }
        });
        let Function { on, dc, off, rest } = function.clone();
        let kind = match rest {
            Rest::Dc => crate::PlaType::Fr,
            Rest::Off => crate::PlaType::Fd,
            Rest::Empty => crate::PlaType::Fdr,
        };
        Pla { kind, on, dc, off, output_labels, phase, symbolic_outputs: Vec::new(), ..self.clone() }
    }
}

/// The outputs in no group.
fn left(outputs: usize, groups: &[SymbolicOutput]) -> Vec<usize> {
    (0..outputs).filter(|output| !groups.iter().any(|group| group.outputs.contains(output))).collect()
}

/// The function whose outputs are the values of all groups, then the outputs in no group. For the output of a value, F is the
/// set where all outputs of the group have their bits of the value, R the set where one has the other bit, and D the rest.
pub(crate) fn symbolic(function: &Function, groups: &[SymbolicOutput]) -> Result<Function> {
    let old = function.on.space();
    let left = left(old.outputs(), groups);
    let values: usize = groups.iter().map(|group| group.names.len()).sum();
    let new = old.resized(old.binary_inputs(), values + left.len())?;
    let sets = [&function.on, &function.dc, &function.off];
    // At most so many cubes of F and R; D and the products of sets may take more.
    let rows: usize = sets.iter().map(|set| set.len()).sum();
    let cubes: usize = groups.iter().map(|group| group.names.len() * group.outputs.len() * rows).sum();
    if limits::available_memory(0).is_some_and(|bytes| 8 * cubes as u64 * new.words() as u64 > bytes / 2) {
        let message = "the rows with symbolic outputs do not fit into the available memory";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let [mut on, mut dc, mut off] = sets.map(|set| {
        let mut kept = Cover::new(&new);
        for cube in set {
            let outputs = left.iter().enumerate().filter(|&(_, &output)| old.get(cube, old.inputs(), output));
            let outputs: Vec<usize> = outputs.map(|(i, _)| values + i).collect();
            if !outputs.is_empty() {
                kept.push(&with_outputs(old, &new, cube, &outputs));
            }
        }
        kept
    });
    let mut first = 0;
    for group in groups {
        for value in 0..group.names.len() {
            let bits = group.outputs.len();
            // The set where output i of the group has its bit of the value (`at` 0), is don't-care (1), or has the other bit (2).
            let of = |i: usize, at: usize| {
                let is_one = value >> (bits - 1 - i) & 1 == 1;
                let set = [if is_one { 0 } else { 2 }, 1, if is_one { 2 } else { 0 }][at];
                of_output(sets[set], group.outputs[i])
            };
            let to = |cover: &Cover, set: &mut Cover| {
                cover.iter().for_each(|cube| set.push(&with_outputs(old, &new, cube, &[first + value])));
            };
            to(&(1..bits).fold(of(0, 0), |both, i| meet(&both, &of(i, 0))), &mut on);
            (0..bits).for_each(|i| to(&of(i, 2), &mut off));
            for free in 0..bits {
                let others = (0..bits).filter(|&i| i != free);
                let open = others.fold(of(free, 1), |both, i| {
                    let mut either = of(i, 0);
                    either.extend(&of(i, 1));
                    meet(&both, &either)
                });
                to(&open, &mut dc);
            }
        }
        first += group.names.len();
    }
    [&mut on, &mut dc, &mut off].into_iter().for_each(Cover::normalize);
    Ok(Function { on, dc, off, rest: function.rest })
}

/// Converts a cube to a space with the same inputs, and gives it these outputs.
pub(crate) fn with_outputs(old: &Space, new: &Space, cube: &[u64], outputs: &[usize]) -> Vec<u64> {
    // The inputs have the same bits in both spaces.
    let mut inputs = cube.to_vec();
    Space::clear(old.output(), &mut inputs);
    inputs.resize(new.words(), 0);
    outputs.iter().for_each(|&output| new.set(&mut inputs, new.inputs(), output));
    inputs
}

/// The cubes that have `output`, with all outputs added to each.
pub(crate) fn of_output(cover: &Cover, output: usize) -> Cover {
    let space = cover.space();
    let mut of_output = cover.chosen(|i| space.get(cover.cube(i), space.inputs(), output));
    for i in 0..of_output.len() {
        for slot in &space.output().slots {
            of_output.cube_mut(i)[slot.word] |= slot.mask;
        }
    }
    of_output
}

/// The intersections of the cubes of `a` with those of `b`, without duplicates.
fn meet(a: &Cover, b: &Cover) -> Cover {
    let mut both = Cover::new(a.space());
    for cube in a {
        for other in b.iter().filter(|other| a.space().intersects(cube, other)) {
            let mut met = cube.to_vec();
            Space::meet(&mut met, other);
            both.push(&met);
        }
    }
    both.normalize();
    both
}
