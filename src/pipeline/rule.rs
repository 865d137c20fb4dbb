//! The trees of the 50-move rule: for each side to move, the won and lost positions that the rule draws, from distances to zeroing.
//!
//! The rows are the decided positions of the side. The others are don't-cares: the tree of outcomes answers them. Two classes
//! are left, draw and win, for the learner and the coder of outcomes.

use super::Options;
use super::chess_rows::ChessRows;
use super::sampled::PositionRows;
use super::tree_of;
use crate::chess::model::VariableSet;
use crate::chess::position::{Color, Wdl};
use crate::chess::retrograde::Table;
use crate::error::Result;
use crate::learner::{Parts, RowIds, Rows};
use crate::outcome::FIFTY_MOVES;
use crate::pcn::{Pcn, PositionHash};
use crate::retrograde::Metric;

/// The most men of a material without cursed wins.
const NONE_CURSED: usize = 4;

/// Returns `pcn`, which is made from `table`, with the trees of the rule, if the rule draws won or lost positions.
pub(super) fn add_trees(pcn: Pcn, table: &Table, options: &Options<'_>) -> Result<Pcn> {
    if table.metric() != Metric::Dtz {
        return Ok(pcn);
    }
    let variables = pcn.model().variable_set(table.material());
    let tree = |(&turn, &anchor): (&Color, &usize)| {
        let drawn = table.drawn_by_rule(turn);
        (drawn > 0)
            .then(|| tree_of(&RuleRows::new(table, &variables, turn, anchor, drawn), options))
            .transpose()
    };
    let sides = table.material().stored_turns().iter().zip(pcn.leads());
    let trees = sides.map(tree).collect::<Result<_>>()?;
    pcn.with_rule_trees(Some(trees))
}

/// Returns `pcn`, which is made from `table`, marked as ignorant of the rule unless its outcomes under the rule are right.
pub(super) fn marked(pcn: Pcn, table: &Table) -> Result<Pcn> {
    let turns = table.material().stored_turns();
    let are_right = turns.iter().all(|&turn| pcn.rule_tree(turn).is_some() || table.drawn_by_rule(turn) == 0);
    let is_known = table.material().len() <= NONE_CURSED || table.metric() == Metric::Dtz && are_right;
    if is_known { Ok(pcn) } else { pcn.with_rule_trees(None) }
}

/// The won and lost positions with one side to move. The classes are those of [`Wdl::Draw`], drawn by the rule, and
/// [`Wdl::Win`], decided in spite of it, if they occur.
struct RuleRows<'a> {
    inner: ChessRows<'a>,
    outcomes: &'static [Wdl],
    tally: Vec<u64>,
}

impl<'a> RuleRows<'a> {
    /// `drawn` is the number of positions that the rule draws, at least one.
    fn new(table: &'a Table, variables: &'a VariableSet, turn: Color, anchor: usize, drawn: u64) -> Self {
        let [losses, _, wins] = table.counts(turn);
        let decided = losses + wins - drawn;
        let (outcomes, tally): (&[Wdl], _) = if decided > 0 {
            (&[Wdl::Draw, Wdl::Win], vec![drawn, decided])
        } else {
            (&[Wdl::Draw], vec![drawn])
        };
        RuleRows { inner: ChessRows::new(table, variables, turn, anchor), outcomes, tally }
    }

    /// Whether the rule draws a position; `None` for one that is drawn anyway.
    fn is_drawn(&self, slice: usize, number: u32) -> Option<bool> {
        let (outcome, plies) = self.inner.table.value_and_distance(&self.inner.position(slice, number))?;
        (outcome != Wdl::Draw).then_some(plies > FIFTY_MOVES)
    }
}

impl PositionRows for RuleRows<'_> {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn table_bytes(&self) -> u64 {
        self.inner.table_bytes()
    }

    fn outcomes(&self) -> &[Wdl] {
        self.outcomes
    }

    fn nanoseconds(&self, variable: usize) -> u8 {
        self.inner.nanoseconds(variable)
    }

    fn hash(&self, first_slice: usize, number: u32) -> PositionHash {
        self.inner.hash(first_slice, number)
    }

    fn is_row(&self, slice: usize, number: u32) -> bool {
        self.inner.is_row(slice, number) && self.is_drawn(slice, number).is_some()
    }
}

impl Rows for RuleRows<'_> {
    fn parts(&self) -> &[u8] {
        self.inner.parts()
    }

    fn classes(&self) -> usize {
        self.outcomes.len()
    }

    fn slices(&self) -> usize {
        self.inner.slices()
    }

    fn number_bits(&self) -> u32 {
        self.inner.number_bits()
    }

    fn visit(&self, slice: usize, visit: &mut dyn FnMut(u32)) {
        self.inner.visit(slice, &mut |number| {
            if self.is_drawn(slice, number).is_some() {
                visit(number);
            }
        });
    }

    fn class(&self, slice: usize, number: u32) -> u8 {
        u8::from(self.is_drawn(slice, number) == Some(false))
    }

    fn for_rows(&self, rows: RowIds<'_>, visit: &mut dyn FnMut(usize, Parts<'_>)) {
        self.inner.for_rows(rows, visit);
    }

    fn columns(&self, rows: RowIds<'_>, columns: &mut [u8], stride: usize) {
        self.inner.columns(rows, columns, stride);
    }

    fn tally(&self) -> Vec<u64> {
        self.tally.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::chess::model::Model;
    use crate::chess::retrograde::Store;
    use crate::pcn::Codec;
    use crate::pipeline::{Built, Monitor, Symmetries, build, verify};
    use crate::probe::Prober;

    /// The table of `name` with distances longer by `more` plies: no table of so few men has cursed wins of its own.
    fn lengthened(name: &str, more: u8) -> Table {
        let table = Store::new(None).with_metric(Metric::Dtz).get(&name.parse().unwrap()).unwrap();
        let mut sides = table.sides().to_vec();
        for plies in sides.iter_mut().flat_map(|side| side.distances.bytes.iter_mut()) {
            *plies += if *plies > 0 { more } else { 0 };
        }
        Table::from_sides(table.index().clone(), Metric::Dtz, sides)
    }

    #[test]
    fn files_know_the_positions_that_the_rule_draws() {
        for (name, more) in [("KRvK", 85), ("KPvK", 90)] {
            let table = lengthened(name, more);
            let drawn = Color::BOTH.map(|turn| table.drawn_by_rule(turn));
            let decided = Color::BOTH.map(|turn| table.counts(turn)).map(|[losses, _, wins]| losses + wins);
            assert!((0..2).all(|side| drawn[side] > 500 && drawn[side] < decided[side]), "{drawn:?}");
            let options = Options { models: vec![Model::Attack], ..Options::default() }.with_effort(1);
            // It checks all outcomes, those under the rule among them.
            let Built { pcn, bytes, .. } = build(&table, &options).unwrap();
            assert!(Color::BOTH.iter().all(|&turn| pcn.rule_tree(turn).is_some()), "{name}");
            let check = |bytes: &[u8], table: &Table| {
                let prober = Prober::decode(bytes).unwrap();
                verify(&prober, table, Symmetries::All, Monitor::default()).map_err(|error| error.kind())
            };
            assert!(check(&bytes, &table).is_ok());
            assert_eq!(check(&bytes, &lengthened(name, more + 1)), Err(ErrorKind::Mismatch));
            // Without distances, or if the file does not know the rule, the other outcomes are checked.
            let plain = Store::new(None).get(table.material()).unwrap();
            let unknown = pcn.clone().with_rule_trees(None).unwrap().encode(Codec::Compressed).unwrap();
            assert!(check(&bytes, &plain).is_ok() && check(&unknown, &table).is_ok());
            // The trees of outcomes are the same as without the rule.
            let without = build(&plain, &options).unwrap();
            assert_eq!((pcn.trees(), pcn.table_hash()), (without.pcn.trees(), without.pcn.table_hash()));
            assert_eq!((without.bytes[1], bytes[1]), (3, 7));
        }
    }
}
