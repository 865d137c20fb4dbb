//! Evaluates a cover at 64 minterms at once, with one bit for each minterm.

use crate::{Cover, Space};

/// A cover prepared for evaluation at 64 minterms at a time.
///
/// The inputs of 64 minterms are words, called columns. First comes a column for each binary input: bit k is the value of
/// the input in minterm k. Then comes a column for each part of each multi-valued input: bit k is set if minterm k has the
/// part. The values are one word for each output.
///
/// # Example
/// ```
/// use espresso::{Evaluator, Pla};
/// let majority = Pla::parse(".i 3\n.o 1\n11- 1\n1-1 1\n-11 1\n")?.on;
/// let evaluator = Evaluator::new(&majority);
/// // Four minterms: 000, 011, 101, 110.
/// assert_eq!(evaluator.evaluate(&[0b1100, 0b1010, 0b0110])[0] & 0b1111, 0b1110);
/// # Ok::<(), espresso::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evaluator {
    space: Space,
    /// For each cube, the ends of its ranges in `literals` and `outputs`.
    ends: Vec<[usize; 2]>,
    literals: Vec<Factor>,
    outputs: Vec<u32>,
    /// The columns of the literals of multi-valued inputs.
    parts: Vec<u32>,
}

/// One factor of a product.
#[derive(Clone, Copy, Debug)]
enum Factor {
    /// A binary input.
    One(u32),
    /// The complement of a binary input.
    Zero(u32),
    /// A union of columns: the range of their numbers in `parts`.
    Any(u32, u32),
}

impl Evaluator {
    /// Returns the evaluator of a cover. Empty cubes are left out. O(literals).
    pub fn new(cover: &Cover) -> Self {
        let space = cover.space().clone();
        let (mut ends, mut literals, mut outputs, mut parts) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for cube in cover.iter().filter(|cube| !space.is_empty(cube)) {
            let mut column = 0;
            for (v, variable) in space.variables()[..space.inputs()].iter().enumerate() {
                let is_binary = v < space.binary_inputs();
                if !Space::literal_is_full(variable, cube) {
                    if is_binary {
                        let one = space.get(cube, v, 1);
                        literals.push(if one { Factor::One(column) } else { Factor::Zero(column) });
                    } else {
                        let from = parts.len() as u32;
                        parts.extend(variable.parts_in(cube).map(|part| column + part as u32));
                        literals.push(Factor::Any(from, parts.len() as u32));
                    }
                }
                column += if is_binary { 1 } else { variable.parts as u32 };
            }
            outputs.extend(space.output().parts_in(cube).map(|output| output as u32));
            ends.push([literals.len(), outputs.len()]);
        }
        Evaluator { space, ends, literals, outputs, parts }
    }

    /// Number of columns that [`Evaluator::evaluate`] takes: binary inputs, and the parts of multi-valued inputs.
    pub fn columns(&self) -> usize {
        self.space.output().first - self.space.binary_inputs()
    }

    /// Sets input `v` of minterm number `lane` to `part` in `columns`. The bits of this input must be zero before.
    ///
    /// # Panics
    /// If there is no such input or `lane` is 64 or more.
    pub fn set(&self, columns: &mut [u64], lane: usize, v: usize, part: usize) {
        assert!(lane < 64, "64 minterms at a time");
        if v < self.space.binary_inputs() {
            columns[v] |= (part as u64) << lane;
        } else {
            columns[self.space.variables()[v].first - self.space.binary_inputs() + part] |= 1 << lane;
        }
    }

    /// The values of each output at 64 minterms. O(literals and outputs of all cubes).
    ///
    /// # Panics
    /// When there are fewer than [`Evaluator::columns`] columns.
    pub fn evaluate(&self, columns: &[u64]) -> Vec<u64> {
        let mut values = vec![0; self.space.outputs()];
        self.evaluate_into(columns, &mut values);
        values
    }

    /// Like [`Evaluator::evaluate`], into a slice with a word for each output.
    ///
    /// # Panics
    /// When there are too few columns or words.
    pub fn evaluate_into(&self, columns: &[u64], values: &mut [u64]) {
        values.fill(0);
        let [mut literal, mut output] = [0, 0];
        for &[literals, outputs] in &self.ends {
            let mut product = u64::MAX;
            for factor in &self.literals[literal..literals] {
                product &= match *factor {
                    Factor::One(column) => columns[column as usize],
                    Factor::Zero(column) => !columns[column as usize],
                    Factor::Any(from, to) => self.parts[from as usize..to as usize]
                        .iter()
                        .fold(0, |any, &part| any | columns[part as usize]),
                };
                if product == 0 {
                    break;
                }
            }
            if product != 0 {
                self.outputs[output..outputs].iter().for_each(|&output| values[output as usize] |= product);
            }
            (literal, output) = (literals, outputs);
        }
    }

    /// For each output, whether the cover has the minterm with part `inputs[v]` of each input v.
    ///
    /// # Panics
    /// If `inputs` has too few entries.
    pub fn at(&self, inputs: &[usize]) -> Vec<bool> {
        let mut columns = vec![0; self.columns()];
        (0..self.space.inputs()).for_each(|v| self.set(&mut columns, 0, v, inputs[v]));
        self.evaluate(&columns).into_iter().map(|word| word & 1 == 1).collect()
    }

    /// The truth table of each output: bit m is the value at the minterm whose input v is bit v of m.
    ///
    /// # Panics
    /// If an input is multi-valued or there are more than 32.
    pub fn truth_tables(&self) -> Vec<Vec<u64>> {
        let inputs = self.space.inputs();
        assert!(inputs == self.space.binary_inputs() && inputs <= 32, "up to 32 inputs, all of them binary");
        let words = (1usize << inputs).div_ceil(64);
        let mut tables = vec![Vec::with_capacity(words); self.space.outputs()];
        let mut columns: Vec<u64> = LOW_BITS.into_iter().chain(std::iter::repeat(0)).take(inputs).collect();
        let mut values = vec![0; self.space.outputs()];
        for word in 0..words {
            for (v, column) in columns.iter_mut().enumerate().skip(LOW_BITS.len()) {
                *column = if word >> (v - LOW_BITS.len()) & 1 == 1 { u64::MAX } else { 0 };
            }
            self.evaluate_into(&columns, &mut values);
            tables.iter_mut().zip(&values).for_each(|(table, &value)| table.push(value));
        }
        if inputs < LOW_BITS.len() {
            let mask = (1u64 << (1 << inputs)) - 1;
            tables.iter_mut().flatten().for_each(|word| *word &= mask);
        }
        tables
    }
}

/// Bit v of the numbers 0 to 63.
const LOW_BITS: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;

    proptest! {
        /// The value at every minterm agrees with that of the single cubes.
        #[test]
        fn values_are_those_of_the_cubes([cover] in testing::covers([12])) {
            let space = cover.space();
            let evaluator = Evaluator::new(&cover);
            for point in testing::points(space) {
                let parts: Vec<usize> = (0..space.variables().len())
                    .map(|v| (0..space.variables()[v].parts).find(|&part| space.get(&point, v, part)).unwrap())
                    .collect();
                let value = evaluator.at(&parts[..space.inputs()])[parts[space.inputs()]];
                prop_assert_eq!(value, testing::holds(&cover, &point));
            }
        }

        #[test]
        fn truth_tables_are_the_values(
            cover in (0usize..9).prop_flat_map(|inputs| testing::cover(Space::binary(inputs, 3).unwrap(), 9)),
        ) {
            let inputs = cover.space().inputs();
            let evaluator = Evaluator::new(&cover);
            for (output, table) in evaluator.truth_tables().iter().enumerate() {
                prop_assert_eq!(table.len(), (1usize << inputs).div_ceil(64));
                for minterm in 0..64 * table.len() {
                    let bits: Vec<usize> = (0..inputs).map(|v| minterm >> v & 1).collect();
                    let expected = minterm < 1 << inputs && evaluator.at(&bits)[output];
                    prop_assert_eq!(table[minterm / 64] >> (minterm % 64) & 1 == 1, expected);
                }
            }
        }
    }
}
