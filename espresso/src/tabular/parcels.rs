//! Trees of more rows than fit into memory.
//!
//! The top of the tree is grown on a sample in which rare classes are whole. Where a node's rows fit into memory it ends in
//! a stub; all rows are then sent down the top and counted at the stubs, and the stubs' own subtrees are grown from all of
//! their rows, as many stubs at a time as memory holds. Every pass computes the rows anew. After the BOAT of Gehrke, Ganti,
//! Ramakrishnan and Loh (1999), without its test whether the sample misled the top: any top is right, only not the best.

use super::block::{Block, Sheaf};
use super::grow::{Grower, leaf_with};
use super::{Exception, Node, Row, Rows};
use crate::error::{Error, ErrorKind, Result};
use rayon::prelude::*;
use std::borrow::Cow;

/// Rows of the sample that the top is grown on, at most.
const SAMPLE: u64 = 1 << 20;

/// The number of a stub at the top's end.
type Stub = usize;

/// A node of the top, in preorder.
#[derive(Clone, Debug)]
enum Sprout {
    Test(Node, f64),
    Stub,
}

/// How many rows of each class.
type Tally = Vec<u32>;

/// Returns the number of rows.
pub(super) fn count(rows: &dyn Rows) -> Result<u64> {
    let count: u64 = tallies(rows).iter().flatten().map(|&count| u64::from(count)).sum();
    if count > u64::from(u32::MAX) {
        let message = format!("{count} rows, which is more than a tree can be grown of");
        return Err(Error::new(ErrorKind::BudgetExhausted, message));
    }
    Ok(count)
}

/// The rows of each slice by class.
fn tallies(rows: &dyn Rows) -> Vec<Tally> {
    let tally = |slice| {
        let mut tally = vec![0; rows.classes()];
        rows.visit(slice, &mut |row| tally[usize::from(row.class())] += 1);
        tally
    };
    (0..rows.slices()).into_par_iter().map(tally).collect()
}

/// Returns the subtree of all of `rows`, in preorder, and its price.
pub(super) fn grow(grower: &Grower<'_>, rows: &dyn Rows) -> (Vec<Node>, f64) {
    let at_once = grower.rows_at_once().max(1);
    let top = top(grower, rows, at_once);
    let tests: Vec<(Node, Option<Stub>)> = number(&top);
    let route = Route::new(&tests);
    // How the rows of each slice are divided among the stubs.
    let slices: Vec<Vec<Tally>> = (0..rows.slices())
        .into_par_iter()
        .map(|slice| {
            let mut tallies = vec![vec![0; rows.classes()]; route.stubs];
            rows.visit(slice, &mut |row| tallies[route.stub(row)][usize::from(row.class())] += 1);
            tallies
        })
        .collect();
    let totals: Vec<Tally> = (0..route.stubs)
        .map(|stub| {
            let of_class = |class| slices.iter().map(|tallies| tallies[stub][class]).sum();
            (0..rows.classes()).map(of_class).collect()
        })
        .collect();
    let size = |stub: Stub| totals[stub].iter().map(|&count| u64::from(count)).sum::<u64>();

    let mut grown: Vec<Option<(Vec<Node>, f64)>> = vec![None; route.stubs];
    // A top without a test: nothing in the sample tells its rows apart.
    let is_leaf = |stub: &Stub| top.len() == 1 || grower.is_leaf(&totals[*stub]);
    let leaves: Vec<Stub> = (0..route.stubs).filter(is_leaf).collect();
    for (stub, node) in end_in_leaves(rows, &route, &leaves, &totals, &slices) {
        grown[stub] = Some(grower.leaf(&totals[stub], node));
    }
    let mut waiting: Vec<Stub> = Vec::new();
    for stub in (0..route.stubs).filter(|stub| !is_leaf(stub)) {
        if size(stub) > at_once {
            // The sample misled: the stub is treated as the whole was.
            let path = route.path(stub);
            grown[stub] = Some(grow(grower, &Restricted { rows, path }));
            continue;
        }
        waiting.push(stub);
    }
    while !waiting.is_empty() {
        let mut held = 0;
        let end = waiting.iter().position(|&stub| {
            held += size(stub);
            held > at_once
        });
        let batch: Vec<Stub> = waiting.drain(..end.unwrap_or(waiting.len()).max(1)).collect();
        for (&stub, subtree) in batch.iter().zip(build(grower, rows, &route, &batch)) {
            grown[stub] = Some(subtree);
        }
    }
    assemble(&top, grown)
}

/// Returns the top of the tree of `rows`: stubs are expected to have at most `at_once` rows. Its root is a test, if
/// anything tells the rows apart.
fn top(grower: &Grower<'_>, rows: &dyn Rows, at_once: u64) -> Vec<Sprout> {
    let tallies = tallies(rows);
    let totals: Vec<u64> =
        (0..rows.classes()).map(|class| tallies.iter().map(|tally| u64::from(tally[class])).sum()).collect();
    let room = SAMPLE.min(at_once) / rows.classes() as u64;
    let steps: Vec<u64> = totals.iter().map(|&total| total.div_ceil(room.max(1)).max(1)).collect();
    let mut before = vec![0; rows.classes()];
    let firsts: Vec<Vec<u64>> = tallies
        .iter()
        .map(|tally| {
            let firsts = before.clone();
            before.iter_mut().zip(tally).for_each(|(before, &count)| *before += u64::from(count));
            firsts
        })
        .collect();
    let sheaves = firsts.into_par_iter().enumerate().map(|(slice, mut next)| {
        let mut sheaf = Sheaf::new(rows.parts().len(), rows.classes());
        rows.visit(slice, &mut |row| {
            let class = usize::from(row.class());
            if next[class].is_multiple_of(steps[class]) {
                sheaf.push(row);
            }
            next[class] += 1;
        });
        sheaf
    });
    let sample = Block::bind(rows.parts().len(), rows.classes(), sheaves.collect());
    sprout(grower, &sample, &steps, at_once, true)
}

fn sprout(grower: &Grower<'_>, block: &Block, steps: &[u64], at_once: u64, is_root: bool) -> Vec<Sprout> {
    let expected: u64 = block.counts().iter().zip(steps).map(|(&count, step)| u64::from(count) * step).sum();
    // Half of what fits, so that few stubs turn out too large.
    let ends = !is_root && (expected <= at_once / 2 || grower.is_leaf(&block.counts()));
    let Some((test, live)) = (if ends { None } else { grower.test(block) }) else {
        return vec![Sprout::Stub];
    };
    let (a, b) = grower.split(block, test, &live, false);
    let (first, second) = rayon::join(
        || sprout(grower, &a, steps, at_once, false),
        || sprout(grower, &b, steps, at_once, false),
    );
    let mut nodes = vec![Sprout::Test(test.node(block), test.bits.into())];
    nodes.extend(first);
    nodes.extend(second);
    nodes
}

/// Returns the nodes of `top` with the number of the stub at each stub.
fn number(top: &[Sprout]) -> Vec<(Node, Option<Stub>)> {
    let mut stubs = 0;
    let node = |sprout: &Sprout| match sprout {
        Sprout::Test(node, _) => (node.clone(), None),
        Sprout::Stub => {
            stubs += 1;
            (Node::Leaf { class: 0, rows: 0, exceptions: Vec::new() }, Some(stubs - 1))
        }
    };
    top.iter().map(node).collect()
}

/// The way of a row down the top.
struct Route {
    tree: super::Tree,
    seconds: Vec<u32>,
    /// The stub at each node.
    stub_at: Vec<Stub>,
    stubs: usize,
}

/// A test on a path, and whether the path goes to its first child.
type Step = (u16, u8, u8, bool);

impl Route {
    fn new(nodes: &[(Node, Option<Stub>)]) -> Self {
        let tree = super::Tree { nodes: nodes.iter().map(|(node, _)| node.clone()).collect() };
        let seconds = tree.seconds();
        let stub_at: Vec<Stub> = nodes.iter().map(|(_, stub)| stub.unwrap_or(0)).collect();
        let stubs = nodes.iter().filter(|(_, stub)| stub.is_some()).count();
        Route { tree, seconds, stub_at, stubs }
    }

    #[inline]
    fn stub(&self, row: &dyn Row) -> Stub {
        self.stub_at[self.tree.leaf(&self.seconds, |variable| row.part(variable))]
    }

    /// The tests on the way to `stub`.
    fn path(&self, stub: Stub) -> Vec<Step> {
        let is_end = |at: usize| matches!(self.tree.nodes[at], Node::Leaf { .. }) && self.stub_at[at] == stub;
        let end = (0..self.stub_at.len()).find(|&at| is_end(at)).unwrap_or(0);
        let (mut at, mut path) = (0, Vec::new());
        while let Node::Test { variable, low, high } = self.tree.nodes[at] {
            let second = self.seconds[at] as usize;
            path.push((variable, low, high, end < second));
            at = if end < second { at + 1 } else { second };
        }
        path
    }
}

/// The rows that a path leads to.
struct Restricted<'a> {
    rows: &'a dyn Rows,
    path: Vec<Step>,
}

impl Rows for Restricted<'_> {
    fn parts(&self) -> &[u8] {
        self.rows.parts()
    }

    fn classes(&self) -> usize {
        self.rows.classes()
    }

    fn slices(&self) -> usize {
        self.rows.slices()
    }

    fn visit(&self, slice: usize, visit: &mut dyn FnMut(&dyn Row)) {
        self.rows.visit(slice, &mut |row| {
            let follows = |&(variable, low, high, inside): &Step| {
                (low..=high).contains(&row.part(variable.into())) == inside
            };
            if self.path.iter().all(follows) {
                visit(row);
            }
        });
    }
}

/// Returns the leaves that `stubs` are, with their exceptions.
fn end_in_leaves(
    rows: &dyn Rows,
    route: &Route,
    stubs: &[Stub],
    totals: &[Tally],
    slices: &[Vec<Tally>],
) -> Vec<(Stub, Node)> {
    let majority = |stub: Stub| {
        let tally = &totals[stub];
        (0..tally.len()).max_by_key(|&class| (tally[class], std::cmp::Reverse(class))).unwrap_or(0)
    };
    let mut class_of: Vec<Option<u8>> = vec![None; route.stubs];
    for &stub in stubs {
        class_of[stub] = Some(majority(stub) as u8);
    }
    let mut exceptions: Vec<Vec<Exception>> = vec![Vec::new(); route.stubs];
    let has_exceptions = |tallies: &Vec<Tally>| {
        stubs.iter().any(|&stub| {
            tallies[stub].iter().filter(|&&count| count > 0).count() > 1 || {
                tallies[stub].iter().sum::<u32>() > tallies[stub][majority(stub)]
            }
        })
    };
    let found: Vec<Vec<(Stub, u64, u8)>> = (0..rows.slices())
        .into_par_iter()
        .map(|slice| {
            let mut found = Vec::new();
            if !has_exceptions(&slices[slice]) {
                return found;
            }
            let mut reached = vec![0_u64; route.stubs];
            rows.visit(slice, &mut |row| {
                let stub = route.stub(row);
                if class_of[stub].is_some_and(|class| class != row.class()) {
                    found.push((stub, reached[stub], row.class()));
                }
                reached[stub] += 1;
            });
            found
        })
        .collect();
    let mut before = vec![0_u64; route.stubs];
    for (found, tallies) in found.into_iter().zip(slices) {
        for (stub, rank, class) in found {
            exceptions[stub].push(Exception { rank: before[stub] + rank, class });
        }
        for (before, tally) in before.iter_mut().zip(tallies) {
            *before += tally.iter().map(|&count| u64::from(count)).sum::<u64>();
        }
    }
    let node = |&stub: &Stub| {
        (stub, leaf_with(&totals[stub], majority(stub), std::mem::take(&mut exceptions[stub])))
    };
    stubs.iter().map(node).collect()
}

/// Returns the subtrees of the stubs of `batch`, grown from all of their rows.
fn build(grower: &Grower<'_>, rows: &dyn Rows, route: &Route, batch: &[Stub]) -> Vec<(Vec<Node>, f64)> {
    let (variables, classes) = (rows.parts().len(), rows.classes());
    let mut place = vec![None; route.stubs];
    batch.iter().enumerate().for_each(|(number, &stub)| place[stub] = Some(number));
    let sheaves: Vec<Vec<Sheaf>> = (0..rows.slices())
        .into_par_iter()
        .map(|slice| {
            let mut sheaves = vec![Sheaf::new(variables, classes); batch.len()];
            rows.visit(slice, &mut |row| {
                if let Some(number) = place[route.stub(row)] {
                    sheaves[number].push(row);
                }
            });
            sheaves
        })
        .collect();
    let mut by_stub: Vec<Vec<Sheaf>> = (0..batch.len()).map(|_| Vec::with_capacity(sheaves.len())).collect();
    for slice in sheaves {
        by_stub.iter_mut().zip(slice).for_each(|(all, sheaf)| all.push(sheaf));
    }
    let grown =
        by_stub.into_iter().map(|sheaves| grower.build(Cow::Owned(Block::bind(variables, classes, sheaves))));
    grown.collect()
}

/// Returns the top with the stubs' subtrees in their places, and the price of all.
fn assemble(top: &[Sprout], mut grown: Vec<Option<(Vec<Node>, f64)>>) -> (Vec<Node>, f64) {
    let (mut nodes, mut bits, mut stub) = (Vec::new(), 0.0, 0);
    for sprout in top {
        match sprout {
            Sprout::Test(node, price) => {
                nodes.push(node.clone());
                bits += price;
            }
            Sprout::Stub => {
                let (subtree, price) = grown[stub].take().unwrap_or_default();
                nodes.extend(subtree);
                bits += price;
                stub += 1;
            }
        }
    }
    (nodes, bits)
}
