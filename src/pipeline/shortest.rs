//! The choice of the result with the fewest coded bytes.

use crate::error::Result;

/// The shortest of several results. A single one is not coded, as coding a tree of millions of leaves takes a while.
pub(super) struct Shortest<T> {
    /// The best result so far, and its cost in bits.
    best: Option<(T, f64)>,
    /// The length of its code in bytes, if known.
    bytes: Option<usize>,
}

impl<T> Shortest<T> {
    pub(super) fn new() -> Self {
        Shortest { best: None, bytes: None }
    }

    /// Keeps `offered`, of cost `bits`, if it is the first, shorter than the best so far, or as short and cheaper.
    pub(super) fn offer(
        &mut self,
        offered: T,
        bits: f64,
        mut bytes: impl FnMut(&T) -> Result<usize>,
    ) -> Result<()> {
        if let Some((best, least)) = &self.best {
            let length = self.bytes.map_or_else(|| bytes(best), Ok)?;
            self.bytes = Some(length);
            let own = bytes(&offered)?;
            if (own, bits) >= (length, *least) {
                return Ok(());
            }
            self.bytes = Some(own);
        }
        self.best = Some((offered, bits));
        Ok(())
    }

    pub(super) fn into_inner(self) -> Option<T> {
        self.best.map(|(best, _)| best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_stays_and_of_equal_ones_the_cheapest() {
        let offered = |results: &[(usize, f64)]| {
            let (mut shortest, mut coded) = (Shortest::new(), Vec::new());
            for (number, &(_, bits)) in results.iter().enumerate() {
                let bytes = |&number: &usize| {
                    coded.push(number);
                    Ok(results[number].0)
                };
                shortest.offer(number, bits, bytes).unwrap();
            }
            (shortest.bytes, shortest.into_inner().unwrap(), coded)
        };
        assert_eq!(offered(&[(9, 70.0)]), (None, 0, vec![]));
        assert_eq!(offered(&[(9, 70.0), (7, 80.0), (8, 50.0)]), (Some(7), 1, vec![0, 1, 2]));
        assert_eq!(offered(&[(7, 60.0), (7, 50.0), (7, 55.0)]), (Some(7), 1, vec![0, 1, 2]));
    }
}
