//! Moves minterms to nearby minterms with fewer primes, which give stronger rows of the covering matrix.
//!
//! A row of the covering matrix is implied by another row whose columns are a subset of its own. The intersection of all
//! primes that contain a minterm is its signature cube (McGeer, Sanghavi, Brayton and Sangiovanni-Vincentelli, *ESPRESSO-
//! SIGNATURE*, 1993). If the signature cube contains another minterm, every prime of the first also contains the second. So
//! a minterm is moved, one variable at a time, as long as the signature cube grows and contains the old place. It ends in or
//! near a largest signature cube, an essential one. Signature cubes need no enumeration of primes: raise all parts of the
//! minterm that are in no row of the absorbed blocking matrix.

use crate::Result;
use crate::coverage::coverage_table::Buffers;
use crate::cube::bits::numbers;
use crate::cube::space::Space;
use crate::steps::expand::Expander;
use crate::steps::step_context::StepContext;

/// Moves minterms of F - D.
pub(super) struct Mover<'s> {
    context: &'s StepContext<'s>,
    buffers: Buffers,
    /// Cubes tested so far.
    pub(super) work: u64,
}

impl<'s> Mover<'s> {
    pub(super) fn new(context: &'s StepContext<'s>) -> Self {
        Mover { context, buffers: Buffers::default(), work: 0 }
    }

    /// Moves to a minterm whose primes all contain `minterm`, after trying at most `tries` places. Leaves `expander` begun with
    /// the result.
    pub(super) fn move_minterm(
        &mut self,
        expander: &mut Expander,
        minterm: Vec<u64>,
        tries: u32,
    ) -> Result<()> {
        let algebra = self.context.algebra;
        let (mut minterm, mut left) = (minterm, tries);
        expander.begin(&minterm)?;
        // If the elements are cubes of F, a minterm cannot be moved.
        if tries == 0 || !self.context.covers_minterms() {
            return Ok(());
        }
        'moved: while !expander.rows().is_empty() {
            let candidates: Vec<u64> =
                expander.reach.iter().zip(expander.common()).map(|(reach, common)| reach & !common).collect();
            for bit in numbers(&candidates) {
                let mut other = minterm.clone();
                Space::keep_only(&algebra.space().variables()[algebra.owner(bit)], &mut other, bit);
                if !self.is_in_on(&other) {
                    continue;
                }
                if left == 0 {
                    break 'moved;
                }
                left -= 1;
                expander.begin(&other)?;
                if algebra.contains(expander.common(), &minterm) {
                    minterm = other;
                    continue 'moved;
                }
            }
            break;
        }
        expander.begin(&minterm)
    }

    /// Whether the minterm is in F - D.
    fn is_in_on(&mut self, minterm: &[u64]) -> bool {
        let off = &self.context.off().columns;
        self.work += off.work();
        !off.meets(self.context.algebra, minterm)
            && !self.context.is_dont_care(minterm, &mut self.buffers, &mut self.work)
    }
}
