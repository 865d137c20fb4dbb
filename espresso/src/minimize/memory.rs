//! What a run takes of memory, known before it begins.
//!
//! A bound from the sizes of what is held at once, step by step: the caller's function, the session's copies, the
//! list that compaction sorts, the index of the blocking cubes, and the truth tables of the steps behind. The counts
//! that only a run would find are bounded by those known: compaction and the steps never end with more cubes than
//! they began with, except that R - D may take more cubes than R; that is not known before and not counted.

use super::MOST_OUTPUTS_SPLIT;
use crate::care::care_set::{FEW_WORDS, MOST_WORDS};
use crate::cube::function::Function;
use crate::cube::space::Space;
use crate::error::{Error, ErrorKind, Result};
use crate::limits::available_memory;
use crate::steps::step::Step;

/// Sizes of a function, as far as they are known before it exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Cubes or minterms of F.
    pub on: u64,
    /// Cubes of D.
    pub dc: u64,
    /// Cubes or minterms of R.
    pub off: u64,
}

/// Compaction of a function given by minterms leaves at most one cube of so many.
const COMPACTED: u64 = 4;
/// What an index of cubes holds while it is made, in cubes: the list, its levels, and what is moved.
const INDEX: u64 = 5;
/// What there is besides for each cube to be expanded, in bytes: its weight, its numbers in two orders, its state.
const EXPANDED: u64 = 40;
/// Cubes of at most so many words are sorted by value, wider ones by references.
const SORTED_WORDS: usize = 4;
/// Truth tables held at once: the care set, and six planes of counts while a seventh is added.
const TABLES: u64 = 14;
/// The same of the steps that look at several covers at once: a function of 29 inputs took 17 in the loop.
const LOOP_TABLES: u64 = 20;

/// Returns about how many bytes [`crate::minimize::minimize`] takes for a function of these sizes, the function
/// itself included, which the caller holds.
///
/// An estimate from above, that does not count what the allocator and the threads' stacks take. Where `steps` begin
/// with compaction, it is taken to leave a quarter of the cubes, as it does with functions given by minterms; for
/// covers that do not compact, ask without that step. Deterministic; O(variables).
///
/// # Example
/// ```
/// use espresso::memory::{Sizes, estimate};
/// use espresso::minimize::Step;
/// let space = espresso::Space::binary(24, 3)?;
/// let sizes = Sizes { on: 2_000_000, dc: 1_000_000, off: 2_000_000 };
/// let bytes = estimate(&space, sizes, &[Step::Compact, Step::Expand, Step::Irredundant]);
/// assert!((80 << 20..1 << 30).contains(&bytes));
/// # Ok::<(), espresso::Error>(())
/// ```
pub fn estimate(space: &Space, sizes: Sizes, steps: &[Step]) -> u64 {
    let split = sizes.on.saturating_mul(space.outputs() as u64).min(MOST_OUTPUTS_SPLIT as u64);
    with_table(space, sizes, steps, care_table(space, sizes, split))
}

/// As [`estimate`], of a function that exists: lower where its cubes have few outputs each, or the rest is in D.
/// O(|F|) words.
pub fn estimate_of(function: &Function, steps: &[Step]) -> u64 {
    let Function { on, dc, off, rest_is_dc, .. } = function;
    let space = on.space();
    let sizes = Sizes { on: on.len() as u64, dc: dc.len() as u64, off: off.len() as u64 };
    let outputs: usize = on.iter().map(|cube| Space::literal_len(space.output(), cube)).sum();
    let split = if outputs > MOST_OUTPUTS_SPLIT { 0 } else { outputs };
    let table = if *rest_is_dc { 0 } else { care_table(space, sizes, split as u64) };
    with_table(space, sizes, steps, table)
}

/// Checks that the memory that the steps need beside the function is there, as far as the system tells.
///
/// # Errors
/// [`ErrorKind::Unsupported`] with both numbers.
pub fn expect(function: &Function, steps: &[Step]) -> Result<()> {
    let Some(available) = available_memory(rayon::current_num_threads()) else { return Ok(()) };
    let held = [&function.on, &function.dc, &function.off].map(|cover| 8 * cover.as_words().len() as u64);
    let needed = estimate_of(function, steps).saturating_sub(held.iter().sum());
    if steps.is_empty() || needed <= available {
        return Ok(());
    }
    let [needed, available] = [needed, available].map(|bytes| bytes >> 20);
    let why = format!("minimizing takes about {needed} MiB of memory, and {available} MiB are available");
    Err(Error::new(ErrorKind::Unsupported, why))
}

/// The estimate where the truth table of the care set takes `table` bytes.
fn with_table(space: &Space, sizes: Sizes, steps: &[Step], table: u64) -> u64 {
    let cube = 8 * space.words() as u64;
    let bytes = |cubes: u64, of_each: u64| cubes.saturating_mul(of_each);
    let all = sizes.on.saturating_add(sizes.dc).saturating_add(sizes.off);
    // The function, the session's copy of it, the cover at work and the best so far.
    let held = bytes(all, 2 * cube).saturating_add(bytes(sizes.on, 2 * cube));
    let compacts = steps.first() == Some(&Step::Compact);
    let largest = sizes.on.max(sizes.dc).max(sizes.off);
    let reference = if space.words() > SORTED_WORDS { 16 } else { 0 };
    // The list that is sorted, and what is merged of it.
    let sorted = if compacts { bytes(largest, 2 * cube + reference) } else { 0 };
    if steps.iter().all(|&step| step == Step::Compact) {
        return held.saturating_add(sorted);
    }
    let left = |cubes: u64| if compacts { cubes / COMPACTED } else { cubes };
    let indexed = bytes(left(sizes.on.saturating_add(sizes.off)), INDEX * cube);
    let expanded = bytes(left(sizes.on), EXPANDED);
    let holds_several =
        |step: &Step| matches!(step, Step::Loop | Step::LastGasp | Step::LargeNeighbourhoodSearch);
    let tables = if steps.iter().any(holds_several) { LOOP_TABLES } else { TABLES };
    let later = indexed.saturating_add(expanded).saturating_add(table.saturating_mul(tables));
    held.saturating_add(sorted.max(later))
}

/// Bytes of the truth table of a care set at most: none is made where going over lists takes fewer words. `split` is the
/// number of cubes when outputs are split.
fn care_table(space: &Space, sizes: Sizes, split: u64) -> u64 {
    let on = sizes.on.max(split);
    let lists = on.saturating_mul(on.saturating_add(sizes.dc)).max(FEW_WORDS as u64);
    truth_table(space).min(lists.saturating_mul(8))
}

/// Bytes of one truth table over the space, 0 when it is too large to be made.
pub(crate) fn truth_table(space: &Space) -> u64 {
    let points = space.variables().iter().map(|v| v.parts as u64).fold(1u64, u64::saturating_mul);
    let words = points.div_ceil(64);
    if words > MOST_WORDS as u64 { 0 } else { words * 8 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cover;

    #[test]
    fn more_takes_more() {
        let space = Space::binary(20, 3).unwrap();
        let steps = [Step::Compact, Step::Expand];
        let sizes = Sizes { on: 1000, dc: 10, off: 1000 };
        let bytes = estimate(&space, sizes, &steps);
        assert!(bytes > estimate(&space, sizes, &steps[..1]));
        assert!(bytes < estimate(&space, Sizes { off: 1_000_000, ..sizes }, &steps));
        assert!(bytes < estimate(&Space::binary(24, 3).unwrap(), sizes, &steps));
        assert!(estimate(&space, Sizes { on: 1 << 20, ..sizes }, &steps[1..]) > 9 * (8 << 20));
    }

    #[test]
    fn tables_count_where_they_would_be_made() {
        // Few cubes are gone over as lists.
        let few = Sizes { on: 2, ..Sizes::default() };
        assert!(estimate(&Space::binary(31, 1).unwrap(), few, &[Step::Loop]) < 1 << 20);
        let space = Space::binary(20, 30).unwrap();
        let (mut single, none) = (Cover::universe(&space), Cover::new(&space));
        Space::clear(space.output(), single.cube_mut(0));
        space.set(single.cube_mut(0), 20, 7);
        let function = Function::new(single, none.clone(), none).unwrap();
        let one = Sizes { on: 1, ..Sizes::default() };
        let wide = estimate(&space, one, &[Step::Loop]);
        assert!(estimate_of(&function, &[Step::Loop]) < wide);
        let open = Function { rest_is_dc: true, ..function };
        assert!(estimate_of(&open, &[Step::Loop]) < 1 << 10);
    }

    #[test]
    fn sizes_beyond_all_bounds_are_no_overflow() {
        let space = Space::new(200, &[1 << 20], 300).unwrap();
        let sizes = Sizes { on: u64::MAX, dc: u64::MAX, off: u64::MAX };
        assert_eq!(estimate(&space, sizes, &[Step::Compact, Step::Loop]), u64::MAX);
        assert_eq!(truth_table(&space), 0);
    }
}
