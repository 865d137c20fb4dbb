//! Measured costs of a slot of an outcome table, for all guesses of times and file lengths.
//!
//! Each cost is the mean over many tables on one core of a server of the mid-2020s. One table can take ten times as much, or a
//! tenth. Memory has upper bounds, not guesses: see `retrograde/estimate`, `pipeline/memory` and `covers/making/memory`.

/// The cost of a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotCost {
    /// Processor time in seconds.
    seconds: f64,
    /// Bytes of the file.
    bytes: f64,
}

/// Generating outcomes: `generate 4`, 194 million slots, 3.4 s, 9.7 million bytes; `KQRvKR`, 336 million slots, 6.1 s.
pub(crate) const OUTCOMES: SlotCost = SlotCost { seconds: 1.8e-8, bytes: 0.05 };
/// Generating distances: `generate 4 --metric dtc`, 7.7 s, 46.2 million bytes.
pub(crate) const DISTANCES: SlotCost = SlotCost { seconds: 4.0e-8, bytes: 0.24 };

/// The costs of growing trees at efforts 1 to 3 in model `attack`. The other models take half the time.
pub(crate) type TreeCosts = [SlotCost; 3];

/// In memory: all 36 tables of up to four men, 194 million slots, took 125 s at effort 1 and 493 s at effort 3 (docs/sizes.md).
pub(crate) const TREES_IN_MEMORY: TreeCosts = trees([0.645e-6, 1.12e-6, 2.545e-6], 0.0006);
/// Out of core, most variables of most rows are never computed. All 110 tables of five men, 45 thousand million slots, take 7.0
/// hours at effort 1 by their record. `KNNvKR` took two and a half times as long at effort 2, and five times as long at effort 3.
pub(crate) const TREES_OUT_OF_CORE: TreeCosts = trees([0.56e-6, 1.4e-6, 2.8e-6], 0.0016);
/// A position of Chinese chess: 2 to 5 us at effort 1, 3 to 25 at effort 3, and 0.0001 to 0.006 bytes.
pub(crate) const TREES_OF_XIANGQI: TreeCosts = trees([4.67e-6, 5.64e-6, 8.55e-6], 0.0006);

/// Distances: all 36 tables of up to four men, 194 million slots, took 3,812 s on two threads at effort 3, and 1,113,993 bytes; at effort 1
/// `KRBvKR` took 124 s and `KBBvKN` 473 s.
pub(crate) const TREES_OF_DISTANCES: TreeCosts = trees([1.5e-6, 3.0e-6, 35.0e-6], 0.006);

const fn trees([one, two, three]: [f64; 3], bytes: f64) -> TreeCosts {
    [SlotCost { seconds: one, bytes }, SlotCost { seconds: two, bytes }, SlotCost { seconds: three, bytes }]
}

impl SlotCost {
    /// The processor time for `slots` slots, in seconds.
    pub(crate) fn seconds(self, slots: u64) -> f64 {
        slots as f64 * self.seconds
    }

    /// The length of the file for `slots` slots, in bytes.
    #[allow(clippy::cast_sign_loss, reason = "neither factor is negative")]
    pub(crate) fn bytes(self, slots: u64) -> u64 {
        (slots as f64 * self.bytes).ceil() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::position::Material;
    use crate::chess::retrograde::{Chess, Store};
    use crate::retrograde::estimate::slots;

    fn slots_of(materials: &[Material]) -> u64 {
        materials.iter().map(slots::<Chess>).sum()
    }

    /// The guess is at most `times` the figure, and at least a `times`th.
    fn is_near(guess: u64, figure: u64, times: u64) -> bool {
        guess <= figure * times && figure <= guess * times
    }

    #[test]
    fn files_are_as_long_as_was_measured() {
        let four: Vec<Material> = (2..=4).flat_map(Material::all).collect();
        let bundle = include_bytes!("../fixtures/four-men.pcb").len() as u64;
        assert!(is_near(TREES_IN_MEMORY[2].bytes(slots_of(&four)), bundle, 2), "{bundle}");
        let directory = tempfile::tempdir().unwrap();
        let store = Store::new(Some(directory.path().into()));
        let made: Vec<Material> = ["KPvK", "KRvK", "KQvKR"].map(|name| name.parse().unwrap()).into();
        store.generate(&made).unwrap();
        let length = |material: &Material| store.path(material).unwrap().metadata().unwrap().len();
        let bytes = made.iter().map(length).sum();
        assert!(is_near(OUTCOMES.bytes(slots_of(&made)), bytes, 10), "{bytes}");
    }
}
