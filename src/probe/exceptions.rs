//! The exceptions of a tree, to be looked up by position.
//!
//! A hash table with open addressing: one multiplication and on average little more than one cache line for positions
//! that reach a leaf with exceptions; the others do not ask.

use crate::position::Wdl;

/// An immutable map from the keys of positions to outcomes.
#[derive(Clone, Debug, Default)]
pub(super) struct Exceptions {
    /// Keys and outcomes, as `key << 2 | outcome`; [`EMPTY`] where there is none. Its length is a power of two, at most
    /// half of it in use; without exceptions it is empty.
    slots: Vec<u64>,
}

const EMPTY: u64 = u64::MAX;

impl Exceptions {
    /// Returns the map of `entries`, whose keys are below 2^62 and different.
    pub(super) fn new(entries: impl ExactSizeIterator<Item = (u64, Wdl)>) -> Self {
        if entries.len() == 0 {
            return Self::default();
        }
        let mut exceptions = Exceptions { slots: vec![EMPTY; (2 * entries.len()).next_power_of_two()] };
        for (key, outcome) in entries {
            let mut at = exceptions.place(key);
            while exceptions.slots[at] != EMPTY {
                at = (at + 1) % exceptions.slots.len();
            }
            exceptions.slots[at] = key << 2 | outcome.index() as u64;
        }
        exceptions
    }

    /// Returns the outcome of the position with `key`, if it is an exception.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Wdl> {
        if self.slots.is_empty() {
            return None;
        }
        let mut at = self.place(key);
        loop {
            match self.slots[at] {
                EMPTY => return None,
                slot if slot >> 2 == key => return Wdl::ALL.get((slot & 3) as usize).copied(),
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        let spread = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (spread >> 32) as usize & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn what_was_put_in_is_found_and_nothing_else() {
        let entries: HashMap<u64, Wdl> = (0..5000_u64)
            .map(|i| (i.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 20 | 1, Wdl::ALL[i as usize % 3]))
            .collect();
        let exceptions = Exceptions::new(entries.clone().into_iter());
        for (&key, &outcome) in &entries {
            assert_eq!(exceptions.get(key), Some(outcome));
            assert_eq!(exceptions.get(key - 1), None);
        }
        assert_eq!(Exceptions::default().get(0), None);
    }
}
