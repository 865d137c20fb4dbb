//! The equations that the values of a position and of its children satisfy, with distances, and the rules' own verdict
//! where there are no moves.

use super::sampling::{small_materials, store, store_to_conversion};
use cubebase::position::{Material, Position, Wdl};
use cubebase::retrograde::{Conversions, Metric, Store, Table, moves};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Positions that one thread takes at a time.
const CHUNK: u64 = 1 << 16;

struct Equations {
    table: Arc<Table>,
    conversions: Conversions,
    sub_tables: Vec<Arc<Table>>,
}

impl Equations {
    fn new(store: &Store, material: &Material) -> Self {
        let conversions = Conversions::new(material);
        let sub_tables = conversions.materials().iter().map(|below| store.get(below).unwrap()).collect();
        Equations { table: store.get(material).unwrap(), conversions, sub_tables }
    }

    /// Outcome for the side to move, and plies to mate or conversion.
    fn value(table: &Table, position: &Position) -> (Wdl, Option<u32>) {
        (table.wdl(position).unwrap(), table.distance(position).unwrap())
    }

    fn children(&self, position: &Position) -> Vec<(Wdl, Option<u32>)> {
        let mut values = Vec::new();
        let _ = moves::quiet(position, |child| {
            values.push(Self::value(&self.table, &child));
            ControlFlow::<()>::Continue(())
        });
        let _ = self.conversions.moves(position, |number, child| {
            let (wdl, plies) = Self::value(&self.sub_tables[number], &child);
            // To a conversion the count is over where it is made.
            let is_end = self.table.metric() == Metric::Dtc && wdl != Wdl::Draw;
            values.push((wdl, if is_end { Some(0) } else { plies }));
            ControlFlow::<()>::Continue(())
        });
        values
    }

    fn check(&self, position: &Position, wdl: Wdl) {
        let children = self.children(position);
        let (value, plies) = Self::value(&self.table, position);
        assert_eq!(value, wdl, "{position:?}");
        let wins = children.iter().filter(|(wdl, _)| *wdl == Wdl::Loss).map(|(_, plies)| plies.unwrap());
        let losses = children.iter().filter(|(wdl, _)| *wdl == Wdl::Win).map(|(_, plies)| plies.unwrap());
        let expected = match (wins.min(), children.len()) {
            (None, 0) if position.in_check(position.turn()) => (Wdl::Loss, Some(0)),
            (None, 0) => (Wdl::Draw, None),
            (Some(shortest), _) => (Wdl::Win, Some(1 + shortest)),
            (None, all) if losses.clone().count() == all => {
                (Wdl::Loss, losses.max().map(|longest| 1 + longest))
            }
            (None, _) => (Wdl::Draw, None),
        };
        assert_eq!((wdl, plies), expected, "{position:?}");
    }

    fn check_all(&self) {
        let slots = self.table.index().len();
        for &turn in self.table.material().stored_turns() {
            let counted = (0..slots.div_ceil(CHUNK)).into_par_iter().map(|chunk| {
                let slots = chunk * CHUNK..slots.min((chunk + 1) * CHUNK);
                let mut counts = [0; 3];
                for (position, wdl) in self.table.positions_in(turn, slots) {
                    self.check(&position, wdl);
                    counts[wdl.index()] += 1;
                }
                counts
            });
            let sum = |a: [u64; 3], b: [u64; 3]| std::array::from_fn(|i| a[i] + b[i]);
            assert_eq!(counted.reduce(|| [0; 3], sum), self.table.counts(turn));
        }
    }
}

#[test]
fn three_men() {
    for material in small_materials() {
        for store in [store(), store_to_conversion()] {
            Equations::new(store, &material).check_all();
        }
    }
}

/// What three men do not have: captures that lose, which delay a loss, and sides with the same men.
#[test]
fn four_men_that_are_quick() {
    for name in ["KQQvK", "KNvKN", "KQvKR"] {
        for store in [store(), store_to_conversion()] {
            Equations::new(store, &name.parse().unwrap()).check_all();
        }
    }
}

#[test]
#[ignore = "slow: minutes"]
fn four_men() {
    for material in Material::all(4) {
        for store in [store(), store_to_conversion()] {
            Equations::new(store, &material).check_all();
        }
    }
}
