//! Growth from all rows in memory.

use super::grower::Grower;
use super::histogram::MAX_PARTS;
use super::node_rows::NodeRows;
use super::row_lists::{RowLists, RowsOfLeaves};
use super::split::MAX_CLASSES;
use super::{CostModel, DecisionTree, TreeOptions};
use crate::error::{Error, ErrorKind, Result};
use crate::learner::Rows;
use crate::nodes::{Node, Router};
use std::borrow::Cow;

/// Checks that trees support these variables and classes.
///
/// # Errors
/// [`ErrorKind::BudgetExhausted`] if row numbers in a slice have more than 32 bits; [`ErrorKind::Mismatch`] for more than five
/// classes, or a variable without parts or with more than 64.
pub(super) fn check(rows: &dyn Rows) -> Result<()> {
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
    lists: RowLists,
    rows: NodeRows,
}

impl Dataset {
    /// Collects all rows.
    ///
    /// # Errors
    /// [`ErrorKind::BudgetExhausted`] if row numbers in a slice have more than 32 bits; [`ErrorKind::Mismatch`] for more than five
    /// classes, a variable without parts or with more than 64, or a wrong tally.
    pub fn new(rows: &dyn Rows) -> Result<Self> {
        check(rows)?;
        let mut lists = RowLists::new(rows, &|| false, None)?;
        let columns = NodeRows::new(rows, &lists.root().lists(), vec![1.0; rows.classes()]);
        Ok(Dataset { lists, rows: columns })
    }

    /// Returns a tree of the rows. Deterministic for any number of threads.
    ///
    /// Takes time proportional to rows × variables × depth × candidates.
    ///
    /// # Errors
    /// [`ErrorKind::Cancelled`] if the callback asks for it.
    pub fn grow(&self, costs: &CostModel<'_>, options: &TreeOptions<'_>) -> Result<DecisionTree> {
        let grower = Grower::new(costs, options, self.rows.len() as u64);
        let mut nodes = Vec::new();
        let bits = grower.build(Cow::Borrowed(&self.rows), &mut nodes);
        grower.finish(nodes, bits)
    }

    /// Returns the rows of each leaf of a tree with these nodes.
    ///
    /// # Panics
    /// If `nodes` are not one whole tree over the variables of the rows.
    pub fn into_leaf_rows<L>(self, nodes: &[Node<L>]) -> RowsOfLeaves {
        let Dataset { mut lists, rows } = self;
        let leaf_of = rows.leaves(&Router::new(nodes));
        drop(rows);
        let leaves = lists.root().sort(&leaf_of, nodes.iter().filter_map(Node::leaf).count());
        lists.into_leaf_rows(leaves)
    }

    #[cfg(test)]
    pub(super) fn rows(&self) -> &NodeRows {
        &self.rows
    }
}
