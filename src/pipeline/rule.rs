//! The trees of the 50-move rule: for each side to move, the won and lost positions that the rule draws, from distances to zeroing.
//!
//! The rows are the decided positions of the side. The others are don't-cares: the tree of outcomes answers them. Two classes
//! are left, draw and win, for the learner and the coder of outcomes.

use super::Options;
use super::chess_rows::ChessRows;
use super::tree_of;
use crate::chess::position::Color;
use crate::chess::retrograde::Table;
use crate::error::Result;
use crate::pcn::Pcn;
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
            .then(|| tree_of(&ChessRows::of_rule(table, &variables, (turn, anchor), drawn), options))
            .transpose()
    };
    let sides = table.material().stored_turns().iter().zip(pcn.anchors());
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
