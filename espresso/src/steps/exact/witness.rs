//! Minterms that say much: each with as few primes as there are nearby.
//!
//! A row of the covering matrix is implied by another whose columns are all among its own. The intersection of all primes
//! that contain a minterm is its signature cube (McGeer, Sanghavi, Brayton and Sangiovanni-Vincentelli, *ESPRESSO-
//! SIGNATURE*, 1993); a minterm whose signature cube contains another minterm has only primes that contain that one too.
//! So a minterm is moved, a variable at a time, to where its signature cube grows around the place that it came from. In
//! the end it lies in a largest signature cube, an essential one, or near to it. The signature cube takes no
//! enumeration of primes: it is the minterm with all parts raised that stand in no row of the absorbed blocking matrix.

use crate::care::care_set::Buffers;
use crate::care::cube_index::BlockingIndex;
use crate::cube::space::Space;
use crate::steps::expand::Expander;
use crate::steps::setting::Setting;

/// Moves minterms of F - D.
pub(super) struct Mover<'s> {
    setting: &'s Setting<'s>,
    off: &'s BlockingIndex,
    buffers: Buffers,
    /// Cubes looked at so far.
    pub(super) work: u64,
}

impl<'s> Mover<'s> {
    pub(super) fn new(setting: &'s Setting<'s>, off: &'s BlockingIndex) -> Self {
        Mover { setting, off, buffers: Buffers::default(), work: 0 }
    }

    /// Returns a minterm whose primes all contain `minterm`, with at most `tries` places looked at. `expander` has begun
    /// with the result.
    pub(super) fn settle(&mut self, expander: &mut Expander, minterm: Vec<u64>, tries: u32) -> Vec<u64> {
        let calculus = self.setting.calculus;
        let (mut minterm, mut left) = (minterm, tries);
        expander.begin(&minterm);
        // Where cubes of F stand for minterms, there is nothing in between.
        if tries == 0 || self.setting.care_set.is_some_and(|care_set| care_set.points().is_none()) {
            return minterm;
        }
        'moved: while !expander.rows().is_empty() {
            let candidates: Vec<u64> = expander
                .reach()
                .iter()
                .zip(expander.common())
                .map(|(reach, common)| reach & !common)
                .collect();
            let mut bits = Vec::new();
            calculus.for_each_part(&candidates, |bit| bits.push(bit));
            for bit in bits {
                let mut other = minterm.clone();
                Space::clear(&calculus.space().variables()[calculus.owner(bit)], &mut other);
                other[bit / 64] |= 1 << (bit % 64);
                if !self.is_in_on(&other) {
                    continue;
                }
                if left == 0 {
                    break 'moved;
                }
                left -= 1;
                expander.begin(&other);
                if calculus.contains(expander.common(), &minterm) {
                    minterm = other;
                    continue 'moved;
                }
            }
            break;
        }
        expander.begin(&minterm);
        minterm
    }

    /// Whether the minterm is in F - D.
    fn is_in_on(&mut self, minterm: &[u64]) -> bool {
        let Setting { calculus, dc, care_set, .. } = *self.setting;
        let mut is_off = false;
        self.work += self.off.for_each_meeting(calculus, minterm, |_| is_off = true);
        !is_off
            && if let Some(care_set) = care_set {
                care_set.has(minterm, &mut self.buffers)
            } else {
                self.work += dc.len() as u64;
                !dc.iter().any(|cube| calculus.contains(cube, minterm))
            }
    }
}
