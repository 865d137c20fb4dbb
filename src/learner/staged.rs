//! Growing a tree in stages: what the rows of open leaves are classified by depends on the leaves that are final, as in a ranking.

use super::many_classes::{ClassCounts, Grower, Held, InMemory, RowNumber};
use super::{CostModel, Rows, TreeOptions};
use crate::nodes::{Node, Test};
use std::fmt;
use std::ops::Range;

/// A node of a tree that grows: a test with its two children, or a leaf with the range of its rows.
#[derive(Debug)]
enum Growing {
    Test(Test, [usize; 2]),
    Leaf(Range<usize>),
}

/// The rows of a function in memory, for trees that are grown in stages.
pub struct StagedRows<'a> {
    rows: &'a dyn Rows,
    held: Held,
    /// The number of each row.
    pub numbers: Vec<RowNumber>,
}

impl fmt::Debug for StagedRows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rows", self.numbers.len())
    }
}

impl<'a> StagedRows<'a> {
    /// Loads `rows`.
    pub fn new(rows: &'a dyn Rows, costs: &CostModel<'_>, options: &TreeOptions<'_>) -> Self {
        let mut numbers = Vec::new();
        for slice in 0..rows.slices() {
            rows.visit(slice, &mut |number| numbers.push((slice as u64) << 32 | u64::from(number)));
        }
        let held = Held::new(&Grower::new(rows, costs, options, numbers.len()), &numbers);
        StagedRows { rows, held, numbers }
    }

    /// Sets the class of each row for the next stage.
    pub fn set_classes(&mut self, class: impl Fn(usize) -> u8) {
        self.held.classes.iter_mut().enumerate().for_each(|(row, of_row)| *of_row = class(row));
    }
}

/// A tree whose open leaves are still to be split.
#[derive(Debug)]
pub struct StagedTree {
    nodes: Vec<Growing>,
    /// The rows, leaf by leaf.
    order: Vec<u32>,
    /// The open leaves.
    open: Vec<usize>,
}

impl StagedTree {
    /// Returns an open leaf of these rows.
    pub fn new(order: Vec<u32>) -> Self {
        StagedTree { nodes: vec![Growing::Leaf(0..order.len())], order, open: vec![0] }
    }

    /// Grows a subtree at each open leaf with candidates, the rows of classes of which `is_candidate` is true. Classes are below 32, and
    /// 1 is one of candidates. Tests separate candidates from the other classes. `ends` decides by the counts which leaves do not
    /// stay open; `leaf` gets their rows.
    pub fn refine(
        &mut self,
        rows: &StagedRows<'_>,
        costs: &CostModel<'_>,
        options: &TreeOptions<'_>,
        is_candidate: impl Fn(u8) -> bool,
        ends: impl Fn(&[(u8, u32)]) -> bool,
        leaf: &mut dyn FnMut(&[u32]),
    ) {
        let groups = std::array::from_fn(|class| if is_candidate(class as u8) { 1 } else { class as u8 });
        let grower = Grower::new(rows.rows, costs, options, self.order.len()).of_groups(groups);
        let live: Vec<u16> = (0..rows.rows.parts().len() as u16).collect();
        for at in std::mem::take(&mut self.open) {
            let Growing::Leaf(range) = &self.nodes[at] else { continue };
            let range = range.clone();
            let of_leaf = &mut self.order[range.clone()];
            if of_leaf.iter().all(|&row| !is_candidate(rows.held.classes[row as usize])) {
                self.open.push(at);
                continue;
            }
            let mut nodes = Vec::new();
            InMemory { grower: &grower, held: &rows.held }.grow(of_leaf, &live, &mut nodes);
            let (mut start, mut next) = (range.start, 0);
            self.graft(at, &nodes, &mut next, &mut start, &ends, leaf);
        }
    }

    fn graft(
        &mut self,
        at: usize,
        nodes: &[Node<ClassCounts>],
        next: &mut usize,
        start: &mut usize,
        ends: &impl Fn(&[(u8, u32)]) -> bool,
        leaf: &mut dyn FnMut(&[u32]),
    ) {
        *next += 1;
        match &nodes[*next - 1] {
            Node::Test(test) => {
                let first = self.nodes.len();
                self.nodes.extend([Growing::Leaf(0..0), Growing::Leaf(0..0)]);
                self.nodes[at] = Growing::Test(*test, [first, first + 1]);
                self.graft(first, nodes, next, start, ends, leaf);
                self.graft(first + 1, nodes, next, start, ends, leaf);
            }
            Node::Leaf(counts) => {
                let end = *start + counts.iter().map(|&(_, count)| count as usize).sum::<usize>();
                self.nodes[at] = Growing::Leaf(*start..end);
                if ends(counts) {
                    leaf(&self.order[*start..end]);
                } else {
                    self.open.push(at);
                }
                *start = end;
            }
        }
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        self.nodes.len() / 2 + 1
    }

    /// The nodes in preorder; a leaf has its rows.
    pub fn preorder(&self) -> Vec<Node<&[u32]>> {
        let (mut out, mut pending) = (Vec::new(), vec![0]);
        while let Some(at) = pending.pop() {
            out.push(match &self.nodes[at] {
                Growing::Test(test, [first, second]) => {
                    pending.extend([*second, *first]);
                    Node::Test(*test)
                }
                Growing::Leaf(range) => Node::Leaf(&self.order[range.clone()]),
            });
        }
        out
    }
}
