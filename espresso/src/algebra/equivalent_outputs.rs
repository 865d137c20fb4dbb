//! Finds outputs that are equal, or each other's complement.

use super::contain;
use crate::coverage::tautology::is_tautology;
use crate::cube::evaluate::Evaluator;
use crate::cube::outputs::of_output;
use crate::random::draw;
use crate::steps::budget::Budget;
use crate::steps::complement::sharp_limited;
use crate::{Cover, Error, ErrorKind, Monitor, Progress, Result};
use std::collections::HashMap;

/// Words of 64 random minterms, which separate most outputs before an exact comparison.
const SAMPLES: usize = 8;

/// Two outputs that are equal, or each other's complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equivalence {
    /// The two outputs, counted from zero.
    pub outputs: [usize; 2],
    /// Whether one is the complement of the other.
    pub is_complement: bool,
}

/// Limit on the pairs in the result.
const MOST_PAIRS: usize = 1 << 22;

/// Returns all pairs of outputs that are equal or each other's complement in a function with this OFF-set. Don't-cares count
/// as ones.
///
/// Deterministic. 512 random minterms separate most outputs. The others are compared exactly, by two differences (sharp) or,
/// for complements, one tautology test.
///
/// # Errors
/// [`Cancelled`](crate::ErrorKind::Cancelled) when the callback breaks; [`Unsupported`](crate::ErrorKind::Unsupported)
/// when a difference does not fit into memory, or there are more than four million pairs.
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
    let outputs = off.space().outputs();
    // Classes of equal outputs, and the pairs of classes that are complements.
    let mut classes: Vec<Vec<usize>> = Vec::new();
    let mut complements: Vec<[usize; 2]> = Vec::new();
    let mut by_signature: HashMap<Vec<u64>, Vec<usize>> = HashMap::new();
    for (output, signature) in signatures(off).into_iter().enumerate() {
        monitor.report(&Progress::new("equiv", output as u64, outputs as u64, "outputs"))?;
        let cover = of_output(off, output);
        let same = by_signature.get(&signature).map_or(&[][..], Vec::as_slice);
        let mut found = None;
        for &class in same {
            let other = of_output(off, classes[class][0]);
            if covers_all(&cover, &other, monitor)? && covers_all(&other, &cover, monitor)? {
                found = Some(class);
                break;
            }
        }
        if let Some(class) = found {
            classes[class].push(output);
            continue;
        }
        let opposite: Vec<u64> = signature.iter().map(|word| !word).collect();
        for &class in by_signature.get(&opposite).map_or(&[][..], Vec::as_slice) {
            if are_complements(&cover, &of_output(off, classes[class][0])) {
                complements.push([class, classes.len()]);
            }
        }
        by_signature.entry(signature).or_default().push(classes.len());
        classes.push(vec![output]);
    }
    let mut found = Vec::new();
    let mut add = |a: usize, b: usize, is_complement: bool| {
        found.push(Equivalence { outputs: [a.min(b), a.max(b)], is_complement });
        if found.len() > MOST_PAIRS {
            let message = format!("more than {MOST_PAIRS} pairs of outputs are equivalent");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        Ok(())
    };
    for class in &classes {
        for (i, &a) in class.iter().enumerate() {
            class[i + 1..].iter().try_for_each(|&b| add(a, b, false))?;
        }
    }
    for &[first, second] in &complements {
        for &a in &classes[first] {
            classes[second].iter().try_for_each(|&b| add(a, b, true))?;
        }
    }
    found.sort_by_key(|equivalence| equivalence.outputs);
    Ok(found)
}

/// Whether each minterm is in one of the two covers, and none in both.
fn are_complements(a: &Cover, b: &Cover) -> bool {
    let is_shared = a.iter().any(|cube| b.iter().any(|other| a.space().intersects(cube, other)));
    !is_shared && is_tautology(&a.with(b))
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

/// Whether `a` has all minterms of `b`.
fn covers_all(a: &Cover, b: &Cover, monitor: Monitor<'_>) -> Result<bool> {
    let is_in = |cube: &[u64]| a.iter().any(|other| a.space().contains(other, cube));
    if b.iter().all(is_in) {
        return Ok(true);
    }
    Ok(sharp_limited(&contain(b, monitor)?, a, &Budget::in_memory(None, monitor))?.is_empty())
}
