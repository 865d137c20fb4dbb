//! Minimizing one side to move of a table, in the shape that codes shorter.

use super::memory::HELD;
use super::position_rows::Positions;
use super::sampled::PositionRows as _;
use super::shape::{has_lists, learns_lists, too_many_minterms};
use super::shortest::Shortest;
use super::{Options, Shape, exceptions, lists, trees};
use crate::chess::model::Model;
use crate::chess::position::{Material, Wdl};
use crate::error::{Error, ErrorKind, Result};
use crate::pcn::{Codec, Layers, Layout, Pcn, Section, Side, Tree, stated_bytes};
use crate::rows::tree::LeafRows;

/// The content of a file for one side to move.
#[derive(Debug)]
pub(super) struct Stated {
    pub side: Side,
    pub tree: Option<Tree>,
    pub sections: Vec<Section>,
    /// The rows of the tree's leaves, if known.
    pub leaf_rows: Option<LeafRows>,
}

impl Stated {
    pub(super) fn list(lead: usize, default: Wdl, sections: Vec<Section>) -> Self {
        Stated { side: Side { lead, default: Some(default) }, tree: None, sections, leaf_rows: None }
    }

    /// The number of its bytes in a file.
    pub(super) fn bytes(&self, layout: &Layout, codec: Codec) -> Result<usize> {
        stated_bytes(self.tree.as_ref(), &self.sections, layout, codec)
    }

    pub(super) fn tree(lead: usize, tree: Tree, leaf_rows: Option<LeafRows>) -> Self {
        Stated { side: Side { lead, default: None }, tree: Some(tree), sections: Vec::new(), leaf_rows }
    }
}

/// Returns the file of `material` with the content for each stored side to move.
pub(super) fn join(material: Material, model: Model, stated: Vec<Stated>, hash: [u8; 8]) -> Result<Pcn> {
    let (mut sides, mut trees, mut sections) = (Vec::new(), Vec::new(), Vec::new());
    for stated in stated {
        sides.push(stated.side);
        trees.push(stated.tree);
        sections.extend(stated.sections);
    }
    Pcn::with_trees(material, model, Layers::Ordered, sides, trees, sections, hash)
}

/// Returns the work units of a list at an effort of 1 to 9.
fn list_work(effort: u8) -> u64 {
    match effort {
        ..=1 => 25_000_000,
        2 => 50_000_000,
        3 => 100_000_000,
        4 => 200_000_000,
        5 => 1_000_000_000,
        6 => 2_000_000_000,
        7 => 5_000_000_000,
        8 => 20_000_000_000,
        9.. => 60_000_000_000,
    }
}

/// Minimizes the side to move of `rows`.
pub(super) fn minimize(rows: &Positions<'_>, options: &Options<'_>) -> Result<Stated> {
    let material = *rows.table.material();
    let list = || {
        let learned = lists::learn(rows, list_work(options.effort), options.progress)?;
        Ok::<_, Error>(learned.map(|(sections, default)| Stated::list(rows.lead, default, sections)))
    };
    if options.shape == Shape::List {
        return list()?.ok_or_else(|| too_many_minterms(&material));
    }
    let layout = Layout::new(rows.plan.model(), &material);
    let bytes = |stated: &Stated| stated.bytes(&layout, options.codec);
    let mut shortest = Shortest::new();
    trees::grow(rows, options, HELD, |tree, bits, leaf_rows| {
        shortest.offer(Stated::tree(rows.lead, tree, leaf_rows), bits, bytes)
    })?;
    if learns_lists(options)
        && rows.outcomes().len() > 1
        && has_lists(rows.plan)
        && let Some(list) = list()?
    {
        // A list has no price. With infinity the tree is kept if both have the same length.
        shortest.offer(list, f64::INFINITY, bytes)?;
    }
    let stated = shortest.into_inner();
    let mut stated = stated.ok_or_else(|| Error::new(ErrorKind::Internal, "an effort without a growth"))?;
    if let Some(tree) = stated.tree.take() {
        stated.tree = Some(exceptions::with_exceptions(tree, rows, stated.leaf_rows.take(), options)?);
    }
    Ok(stated)
}
