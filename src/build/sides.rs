//! One side to move of a table, in the shape that codes shorter.

use super::shape::{has_lists, too_many_minterms};
use super::{Options, Shape, lists, trees};
use crate::error::{Error, ErrorKind, Result};
use crate::model::Plan;
use crate::pcn::{Layers, Pcn, Section, Side, Tree};
use crate::position::{Color, Material, Wdl};
use crate::retrograde::Table;

/// What a file states about one side to move.
#[derive(Clone, Debug)]
pub(super) struct Stated {
    pub side: Side,
    pub tree: Option<Tree>,
    pub sections: Vec<Section>,
}

/// Returns the work units that lists get at an effort of 1 to 9; 0 where there are to be none.
fn list_work(effort: u8) -> u64 {
    match effort {
        ..=3 => 0,
        4 => 200_000_000,
        5 => 1_000_000_000,
        6 => 2_000_000_000,
        7 => 5_000_000_000,
        8 => 20_000_000_000,
        9.. => 60_000_000_000,
    }
}

/// Minimizes `turn` to move with man number `lead` leading.
///
/// # Errors
/// What the minimizer and the coder refuse; [`ErrorKind::Cancelled`] when [`Options::progress`] breaks.
pub(super) fn minimize(
    table: &Table,
    plan: &Plan,
    (turn, lead): (Color, usize),
    options: &Options<'_>,
    memory: u64,
) -> Result<Stated> {
    let list = |work: u64| -> Result<Option<Stated>> {
        let learned = lists::learn(table, plan, (turn, lead), work, options.progress)?;
        let stated = |(sections, default)| Stated {
            side: Side { lead, default: Some(default) },
            tree: None,
            sections,
        };
        Ok(learned.map(stated))
    };
    let work = list_work(options.effort);
    if options.shape == Shape::List {
        return list(work.max(list_work(4)))?.ok_or_else(|| too_many_minterms(table.material()));
    }
    let bytes = |stated: &Stated| bytes(table.material(), plan, turn, stated, options);
    let mut shortest = Shortest::default();
    trees::grow(table, plan, (turn, lead), options.effort, memory, options.progress, |tree, bits| {
        let stated = Stated { side: Side { lead, default: None }, tree: Some(tree), sections: Vec::new() };
        shortest.offer(stated, bits, bytes)
    })?;
    let Some((tree, _)) = shortest.best.take() else {
        return Err(Error::new(ErrorKind::Internal, "an effort without a growth"));
    };
    let outcomes = table.counts(turn).iter().filter(|&&count| count > 0).count();
    if options.shape == Shape::Tree || work == 0 || outcomes < 2 || !has_lists(plan) {
        return Ok(tree);
    }
    let Some(list) = list(work)? else { return Ok(tree) };
    Ok(if bytes(&list)? < shortest.length(&tree, bytes)? { list } else { tree })
}

/// The shortest of several trees, coded only when there is another to compare it with: coding one of millions of leaves
/// takes a while.
#[derive(Default)]
struct Shortest {
    /// The tree, and its price in bits.
    best: Option<(Stated, f64)>,
    /// Its bytes, where they are known.
    bytes: Option<usize>,
}

impl Shortest {
    /// Keeps `tree`, of price `bits`, when it is the first or shorter than the one so far, or as short and cheaper.
    fn offer(
        &mut self,
        tree: Stated,
        bits: f64,
        mut bytes: impl FnMut(&Stated) -> Result<usize>,
    ) -> Result<()> {
        if let Some((best, least)) = &self.best {
            let length = self.bytes.map_or_else(|| bytes(best), Ok)?;
            self.bytes = Some(length);
            let own = bytes(&tree)?;
            if (own, bits) >= (length, *least) {
                return Ok(());
            }
            self.bytes = Some(own);
        }
        self.best = Some((tree, bits));
        Ok(())
    }

    /// The bytes of `best`, which has been taken out.
    fn length(&self, best: &Stated, bytes: impl Fn(&Stated) -> Result<usize>) -> Result<usize> {
        self.bytes.map_or_else(|| bytes(best), Ok)
    }
}

/// Returns the bytes of a file in which the other side to move, if there is one, is constant.
fn bytes(
    material: &Material,
    plan: &Plan,
    turn: Color,
    stated: &Stated,
    options: &Options<'_>,
) -> Result<usize> {
    let constant = Side { lead: 0, default: Some(Wdl::Draw) };
    let stored = material.stored_turns();
    let sides = stored.iter().map(|&other| if other == turn { stated.side } else { constant }).collect();
    let trees = stored.iter().map(|&other| stated.tree.clone().filter(|_| other == turn)).collect();
    let sections = stated.sections.clone();
    let pcn = Pcn::with_trees(*material, plan.model(), Layers::Ordered, sides, trees, sections, [0; 8])?;
    Ok(pcn.encode(options.codec)?.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_tree_stays_and_of_equal_ones_the_cheapest() {
        // Trees are told apart by their leading man here.
        let offered = |trees: &[(usize, f64)]| {
            let mut shortest = Shortest::default();
            let mut coded = Vec::new();
            for (lead, &(_, bits)) in trees.iter().enumerate() {
                let stated = Stated { side: Side { lead, default: None }, tree: None, sections: Vec::new() };
                let bytes = |stated: &Stated| {
                    coded.push(stated.side.lead);
                    Ok(trees[stated.side.lead].0)
                };
                shortest.offer(stated, bits, bytes).unwrap();
            }
            (shortest.best.unwrap().0.side.lead, shortest.bytes, coded)
        };
        assert_eq!(offered(&[(9, 70.0)]), (0, None, vec![]));
        assert_eq!(offered(&[(9, 70.0), (7, 80.0), (8, 50.0)]), (1, Some(7), vec![0, 1, 2]));
        assert_eq!(offered(&[(7, 60.0), (7, 50.0), (7, 55.0)]), (1, Some(7), vec![0, 1, 2]));
    }
}
