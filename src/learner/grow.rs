//! The entry points: a tree is grown from all rows in memory if there are few enough, otherwise out of core.

use super::grower::Grower;
use super::histogram::MAX_PARTS;
use super::node_rows::NodeRows;
use super::out_of_core;
use super::row_lists::{RowLists, RowPartition, RowsOfLeaves};
use super::split::MAX_CLASSES;
use super::{DecisionTree, Price, Storage, TreeOptions};
use crate::error::{Error, ErrorKind, Result};
use crate::learner::Rows;
use crate::nodes::{Node, Router};
use std::borrow::Cow;

/// The result of growing.
#[derive(Debug)]
pub struct Grown {
    /// The tree.
    pub tree: DecisionTree,
    /// Its price in bits.
    pub bits: f64,
    /// The rows of its leaves if it was grown out of core; otherwise [`leaf_rows`] finds them.
    pub leaf_rows: Option<RowsOfLeaves>,
}

/// Returns a tree whose leaves, with their exceptions, give every row its class. Deterministic for any number of threads.
///
/// Takes time proportional to rows × variables × depth × candidates.
///
/// # Errors
/// [`ErrorKind::Cancelled`] if the callback asks for it; [`ErrorKind::BudgetExhausted`] if row numbers in a slice have more
/// than 32 bits; [`ErrorKind::Io`] if [`TreeOptions::storage`] has no room; [`ErrorKind::Mismatch`] for more than five
/// classes, or a variable without parts or with more than 64, or a wrong tally.
pub fn grow(rows: &dyn Rows, price: &dyn Price, options: &TreeOptions<'_>) -> Result<Grown> {
    check(rows)?;
    let count = rows.count();
    let grower = Grower::new(rows.parts(), price, options, count);
    if count > options.held {
        let (tree, bits, leaf_rows) = out_of_core::grow(grower, rows)?;
        return Ok(Grown { tree, bits, leaf_rows: Some(leaf_rows) });
    }
    let mut nodes = Vec::new();
    let bits = grower.build(Cow::Owned(dataset(rows)?), &mut nodes);
    let tree = grower.finish(nodes)?;
    Ok(Grown { tree, bits, leaf_rows: None })
}

/// Returns the rows of each leaf of a tree with these nodes.
///
/// # Errors
/// As [`grow`].
///
/// # Panics
/// If `nodes` are not one whole tree.
pub fn leaf_rows<L>(
    rows: &dyn Rows,
    nodes: &[Node<L>],
    storage: Option<&dyn Storage>,
) -> Result<RowsOfLeaves> {
    check(rows)?;
    let router = Router::new(nodes);
    let leaves = nodes.iter().filter_map(Node::leaf).count();
    let mut lists = RowLists::new(rows, &|| false, storage)?;
    let sent = lists
        .root()
        .partition_by((rows, &|| false), leaves, &|row| router.leaf(|variable| row.part(variable)));
    let runs = sent.iter().map(RowPartition::runs).collect();
    drop(sent);
    Ok(lists.into_leaf_rows(runs))
}

/// Checks that trees support these variables and classes.
fn check(rows: &dyn Rows) -> Result<()> {
    let refuse = |why: String| Err(Error::new(ErrorKind::Mismatch, why));
    let is_bad = |parts: &u8| !(1..=MAX_PARTS).contains(&usize::from(*parts));
    if let Some(variable) = rows.parts().iter().position(is_bad) {
        return refuse(format!("variable {variable} has no parts, or more than {MAX_PARTS}"));
    }
    if rows.number_bits() > 32 {
        let why = "row numbers in a slice have more than 32 bits, which is more than trees support";
        return Err(Error::new(ErrorKind::BudgetExhausted, why));
    }
    match rows.classes() {
        1..=MAX_CLASSES => Ok(()),
        classes => refuse(format!("{classes} classes; there may be 1 to {MAX_CLASSES}")),
    }
}

/// Rows in memory, to grow several trees from.
#[derive(Debug)]
pub struct Dataset {
    rows: NodeRows,
    parts: Vec<u8>,
}

impl Dataset {
    /// Collects all rows; `None` if there are more than `held`.
    ///
    /// # Errors
    /// [`ErrorKind::BudgetExhausted`] and [`ErrorKind::Mismatch`] as [`grow`].
    pub fn new(rows: &dyn Rows, held: u64) -> Result<Option<Self>> {
        check(rows)?;
        let count = rows.count();
        if count > held {
            return Ok(None);
        }
        Ok(Some(Dataset { rows: dataset(rows)?, parts: rows.parts().to_vec() }))
    }

    /// As [`grow`], from these rows.
    ///
    /// # Errors
    /// As [`grow`].
    pub fn grow(&self, price: &dyn Price, options: &TreeOptions<'_>) -> Result<Grown> {
        let grower = Grower::new(&self.parts, price, options, self.rows.len() as u64);
        let mut nodes = Vec::new();
        let bits = grower.build(Cow::Borrowed(&self.rows), &mut nodes);
        let tree = grower.finish(nodes)?;
        Ok(Grown { tree, bits, leaf_rows: None })
    }
}

pub(super) fn dataset(rows: &dyn Rows) -> Result<NodeRows> {
    let mut lists = RowLists::new(rows, &|| false, None)?;
    Ok(NodeRows::new(rows, &lists.root().lists(), vec![1.0; rows.classes()]))
}
