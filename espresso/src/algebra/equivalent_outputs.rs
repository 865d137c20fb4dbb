//! Outputs that are one function, or each other's complement.

use super::contain;
use crate::care::tautology::is_tautology;
use crate::cube::evaluate::Evaluator;
use crate::random::draw;
use crate::steps::complement::sharp_within;
use crate::{Cover, Monitor, Progress, Result, Space};

/// Words of 64 random minterms by which outputs are told apart before they are compared.
const SAMPLES: usize = 8;

/// Two outputs that are one function, or each other's complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equivalence {
    /// The two outputs, counted from zero.
    pub outputs: [usize; 2],
    /// Whether one is the complement of the other.
    pub is_complement: bool,
}

/// Returns all pairs of outputs that are one function or each other's complement, don't-cares taken as ones, for a
/// function with this OFF-set.
///
/// Deterministic. Some hundred random minterms tell most outputs apart; two tautologies decide for each pair that is
/// left.
///
/// # Errors
/// [`Cancelled`](crate::ErrorKind::Cancelled) when the callback breaks; [`Unsupported`](crate::ErrorKind::Unsupported)
/// when a difference does not fit into memory.
///
/// # Example
/// ```
/// use espresso::{Function, Monitor, Pla, algebra};
/// let function = Function::from_pla(&Pla::parse(".i 2\n.o 3\n11 100\n0- 010\n10 010\n-0 001\n")?)?;
/// let found = algebra::equivalent_outputs(&function.off, Monitor::default())?;
/// assert_eq!((found.len(), found[0].outputs, found[0].is_complement), (1, [0, 1], true));
/// # Ok::<(), espresso::Error>(())
/// ```
pub fn equivalent_outputs(off: &Cover, monitor: Monitor<'_>) -> Result<Vec<Equivalence>> {
    let space = off.space();
    let outputs = space.outputs();
    let signatures = signatures(off);
    let covers: Vec<Cover> = (0..outputs).map(|output| of_output(off, output)).collect();
    let mut found = Vec::new();
    for i in 0..outputs {
        monitor.tell(&Progress::new("equiv", i as u64, outputs as u64, "outputs"))?;
        for j in i + 1..outputs {
            let (a, b) = (&covers[i], &covers[j]);
            let equal = signatures[i] == signatures[j] && covers_all(a, b, monitor)? && covers_all(b, a, monitor)?;
            let is_complement = !equal
                && signatures[i].iter().zip(&signatures[j]).all(|(a, b)| a ^ b == u64::MAX)
                && !a.iter().any(|a| b.iter().any(|b| space.intersects(a, b)))
                && {
                    let mut both = a.clone();
                    both.extend(b);
                    is_tautology(&both)
                };
            if equal || is_complement {
                found.push(Equivalence { outputs: [i, j], is_complement });
            }
        }
    }
    Ok(found)
}

/// The values of each output at some random minterms.
fn signatures(off: &Cover) -> Vec<Vec<u64>> {
    let space = off.space();
    let evaluator = Evaluator::new(off);
    let mut values = vec![Vec::new(); space.outputs()];
    let mut drawn = 0;
    for _ in 0..SAMPLES {
        let mut columns = vec![0; evaluator.columns()];
        for lane in 0..64 {
            for v in 0..space.inputs() {
                drawn += 1;
                let part = (draw(0, drawn) % space.variables()[v].parts as u64) as usize;
                evaluator.set(&mut columns, lane, v, part);
            }
        }
        for (values, &word) in values.iter_mut().zip(&evaluator.evaluate(&columns)) {
            values.push(word);
        }
    }
    values
}

/// The cubes of one output, with all outputs.
fn of_output(cover: &Cover, output: usize) -> Cover {
    let space = cover.space();
    let mut of_output = cover.clone();
    of_output.retain(|_, cube| space.get(cube, space.inputs(), output));
    for i in 0..of_output.len() {
        for slot in &space.output().slots {
            of_output.cube_mut(i)[slot.word] |= slot.mask;
        }
    }
    of_output
}

/// Whether `a` has all minterms of `b`.
fn covers_all(a: &Cover, b: &Cover, monitor: Monitor<'_>) -> Result<bool> {
    let is_in = |cube: &[u64]| a.iter().any(|other| Space::contains(a.space(), other, cube));
    if b.iter().all(is_in) {
        return Ok(true);
    }
    Ok(sharp_within(&contain(b, monitor)?, a, &super::budget(monitor))?.is_empty())
}
