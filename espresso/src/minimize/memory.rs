//! Estimates the memory of a run before it begins.
//!
//! The estimate is an upper bound from the data held at the same time in each step: the caller's function, the session's
//! copies, the list that compaction sorts, the index of the blocking cubes, and the truth tables of the later steps.
//! Unknown numbers of cubes are bounded by known ones, since compaction and the steps never increase them. The exception is
//! R - D, which may have more cubes than R: this is not known in advance and not counted.

use super::MOST_OUTPUTS_SPLIT;
use crate::Rest;
use crate::coverage::coverage_table::{FEW_WORDS, MOST_WORDS};
use crate::cube::function::Function;
use crate::cube::space::Space;
use crate::error::{Error, ErrorKind, Result};
use crate::limits::available_memory;
use crate::steps::budget::LITTLE;
use crate::steps::step::Step;

/// Sizes of a function, which may be estimates if the function does not exist yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Cubes or minterms of F.
    pub on: u64,
    /// Cubes of D.
    pub dc: u64,
    /// Cubes or minterms of R.
    pub off: u64,
}

/// Compaction of a function given by minterms leaves at most one cube for this many minterms.
const COMPACTED: u64 = 4;
/// Memory of an index of cubes while it is built, in units of its cubes: the list, its columns, and temporary copies.
const INDEX: u64 = 5;
/// Further bytes for each cube to expand: its weight, its numbers in two orders, its state.
const EXPANDED: u64 = 40;
/// Cubes of at most this many words are sorted by value, wider ones by reference.
const SORTED_WORDS: usize = 4;
/// Truth tables at the same time: the care set, and six planes of counts while a seventh is added.
const TABLES: u64 = 14;
/// The same for the steps that work on several covers: a function of 29 inputs took 17 in the loop.
const LOOP_TABLES: u64 = 20;

/// Returns the approximate number of bytes that [`crate::minimize::minimize`] takes for a function of these sizes,
/// including the caller's function.
///
/// An upper estimate, without the overhead of the allocator and the threads' stacks. If `steps` begin with compaction, it
/// is assumed to leave a quarter of the cubes, as for functions given by minterms; for covers that do not compact, omit
/// that step here. Deterministic; O(variables).
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

/// Like [`estimate`], for an existing function: lower if its cubes have few outputs each, or if the rest is in D. O(|F|)
/// words.
pub fn estimate_of(function: &Function, steps: &[Step]) -> u64 {
    let Function { on, dc, off, rest } = function;
    let space = on.space();
    let sizes = Sizes { on: on.len() as u64, dc: dc.len() as u64, off: off.len() as u64 };
    let outputs = on.output_literals();
    let split = if outputs > MOST_OUTPUTS_SPLIT { 0 } else { outputs };
    let table = if *rest == Rest::Dc { 0 } else { care_table(space, sizes, split as u64) };
    with_table(space, sizes, steps, table)
}

/// Checks that the system reports enough available memory for the steps, besides the function itself.
///
/// # Errors
/// [`ErrorKind::Unsupported`] with both numbers.
pub fn expect(function: &Function, steps: &[Step]) -> Result<()> {
    let held = [&function.on, &function.dc, &function.off].map(|cover| 8 * cover.as_words().len() as u64);
    let needed = estimate_of(function, steps).saturating_sub(held.iter().sum());
    // Asking the system takes longer than minimizing a small function.
    if steps.is_empty() || needed <= LITTLE {
        return Ok(());
    }
    let Some(available) = available_memory(rayon::current_num_threads()) else { return Ok(()) };
    if needed <= available {
        return Ok(());
    }
    let [needed, available] = [needed, available].map(|bytes| bytes >> 20);
    let why = format!("minimizing takes about {needed} MiB of memory, and {available} MiB are available");
    Err(Error::new(ErrorKind::Unsupported, why))
}

/// The estimate if the truth table of the care set takes `table` bytes.
fn with_table(space: &Space, sizes: Sizes, steps: &[Step], table: u64) -> u64 {
    let cube = 8 * space.words() as u64;
    let bytes = |cubes: u64, bytes_each: u64| cubes.saturating_mul(bytes_each);
    let all = sizes.on.saturating_add(sizes.dc).saturating_add(sizes.off);
    // The function, the session's copy of it, the cover at work and the best so far.
    let held = bytes(all, 2 * cube).saturating_add(bytes(sizes.on, 2 * cube));
    let compacts = steps.first() == Some(&Step::Compact);
    let largest = sizes.on.max(sizes.dc).max(sizes.off);
    let reference = if space.words() > SORTED_WORDS { 16 } else { 0 };
    // The sorted list and the merged cubes.
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

/// Largest size in bytes of the truth table of a care set: none is made if lists take fewer words. `split` is the number of
/// cubes when outputs are split.
fn care_table(space: &Space, sizes: Sizes, split: u64) -> u64 {
    let on = sizes.on.max(split);
    let lists = on.saturating_mul(on.saturating_add(sizes.dc)).max(FEW_WORDS as u64);
    truth_table(space).min(lists.saturating_mul(8))
}

/// Bytes of one truth table over the space; 0 if it is too large to be made.
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
        // For a few cubes, lists are used.
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
        let open = Function { rest: Rest::Dc, ..function };
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
