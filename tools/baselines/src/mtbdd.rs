//! Multi-terminal binary decision diagrams over the bits of the squares, by the crate `oxidd`.
//!
//! After Gomboc & Shelton (ECAI 2024): don't-cares are removed by one of the sibling matchings of Shiple, Hojati,
//! Sangiovanni-Vincentelli & Brayton (DAC 1994). From the root down, the merge of a node's children replaces the node if
//! - `restrict`: one child is all don't-care (Coudert & Madre 1990);
//! - `one-sided`: the care set of one child is part of the other's, and the children agree there;
//! - `two-sided`: the children agree where both care.
//!
//! Departures: a root for each side to move and en-passant file in place of variables; `none` keeps don't-cares as a terminal.
//! Nodes of a level are not matched. Each treatment is tried in the order of the model's variables and after sifting (Rudell
//! 1993), and the smallest diagram is kept. `oxidd` has no sifting, so it is built from the crate's exchanges of neighbouring
//! levels, on the diagram with `none`, variables of the largest levels first.

#![allow(
    clippy::mutable_key_type,
    reason = "a diagram is hashed by its node, and the counters inside do not change that"
)]

use crate::cells::{self, DONT_CARE, Made, SQUARE_BITS};
use crate::diagram::{Level, Nodes, TERMINALS};
use anyhow::{Result, anyhow};
use cubebase::chess::retrograde::Table;
use oxidd::error::OutOfMemory;
use oxidd::mtbdd::{MTBDDFunction, MTBDDManagerRef};
use oxidd::util::Ref;
use oxidd::{
    Function, HasLevel, InnerNode, Manager, ManagerRef, Node, NodeID, NumberBase, PseudoBooleanFunction,
};
use oxidd_core::LevelView;
use oxidd_reorder::set_var_order_seq;
use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};

/// Nodes that a manager has room for, and entries of its cache.
const CAPACITY: usize = 1 << 24;
const CACHE: usize = 1 << 16;

/// While a variable is sifted the diagram may grow by a fifth.
const MAX_GROWTH: (usize, usize) = (6, 5);

/// An outcome by its index, [`DONT_CARE`], or the conflict of two outcomes. Adding two merges them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd)]
struct Terminal(u8);

const CONFLICT: Terminal = Terminal(4);

impl NumberBase for Terminal {
    fn zero() -> Self {
        Terminal(DONT_CARE)
    }
    fn one() -> Self {
        Terminal(0)
    }
    fn nan() -> Self {
        CONFLICT
    }
    fn add(&self, other: &Self) -> Self {
        match (self, other) {
            (one, Terminal(DONT_CARE)) | (Terminal(DONT_CARE), one) => *one,
            (one, other) if one == other => *one,
            _ => CONFLICT,
        }
    }
    fn sub(&self, _: &Self) -> Self {
        CONFLICT
    }
    fn mul(&self, _: &Self) -> Self {
        CONFLICT
    }
    fn div(&self, _: &Self) -> Self {
        CONFLICT
    }
}

type Diagram = MTBDDFunction<Terminal>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Treatment {
    None,
    Restrict,
    OneSided,
    TwoSided,
}

const TREATMENTS: [(&str, Treatment); 4] = [
    ("none", Treatment::None),
    ("restrict", Treatment::Restrict),
    ("one-sided", Treatment::OneSided),
    ("two-sided", Treatment::TwoSided),
];

/// The bits of the key in the order of model `binary`: rank and file of man after man.
pub fn binary_order(men: usize) -> Vec<u8> {
    (0..(men * SQUARE_BITS) as u8).rev().collect()
}

/// The bits of the key in the order of model `board`: the files of all men, then the ranks.
pub fn board_order(men: usize) -> Vec<u8> {
    let bits = |coordinate: usize| {
        (0..men).rev().flat_map(move |man| {
            (0..3).rev().map(move |bit| (man * SQUARE_BITS + coordinate * 3 + bit) as u8)
        })
    };
    bits(0).chain(bits(1)).collect()
}

/// Returns the smallest diagram; variables are the bits `order` of the key, the first at the top.
pub fn make(table: &Table, order: &[u8]) -> Result<Made> {
    let full = |_: OutOfMemory| anyhow!("limit: {CAPACITY} nodes");
    let manager = oxidd::mtbdd::new_manager(CAPACITY, 8, CACHE, 1);
    let roots = build(&manager, &cells::canonical_cells(table), order).map_err(full)?;
    let (mut best, mut sizes) = (None::<Made>, Vec::new());
    for when in ["read", "sifted"] {
        if when == "sifted" {
            sift(&manager, order.len());
        }
        for (name, treatment) in TREATMENTS {
            let mut simplifier = Simplifier { manager: &manager, treatment, known: HashMap::new() };
            let simplify = |(function, root): &(usize, Diagram)| Ok((*function, simplifier.simplify(root)?));
            let treated: Vec<_> = roots.iter().map(simplify).collect::<Result<_, _>>().map_err(full)?;
            let made = nodes(&manager, &treated, order).encode();
            drop((treated, simplifier));
            manager.with_manager_shared(|manager| manager.gc());
            sizes.push(format!("{when} {name}={}", made.bytes.len()));
            if best.as_ref().is_none_or(|best| made.bytes.len() < best.bytes.len()) {
                best = Some(made);
            }
        }
    }
    best.map(|best| Made { detail: sizes.join("; "), ..best }).ok_or_else(|| anyhow!("no treatments"))
}

/// The diagrams of the functions: level by level from the bottom, equal pairs once.
fn build(
    manager: &MTBDDManagerRef<Terminal>,
    cells: &[(usize, Vec<u8>)],
    order: &[u8],
) -> Result<Vec<(usize, Diagram)>, OutOfMemory> {
    manager.with_manager_exclusive(|manager| manager.add_vars(order.len() as u32));
    let mut diagrams: Vec<Diagram> = manager.with_manager_shared(|manager| {
        (0..=DONT_CARE).map(|value| Diagram::constant(manager, Terminal(value))).collect::<Result<_, _>>()
    })?;
    let mut rows: Vec<Vec<u32>> = cells.iter().map(|(_, cells)| permuted(cells, order)).collect();
    for level in (0..order.len() as u32).rev() {
        let variable = manager.with_manager_shared(|manager| Diagram::var(manager, level))?;
        let (mut above, mut known) = (Vec::new(), HashMap::<[u32; 2], u32>::new());
        for row in &mut rows {
            let mut half = Vec::with_capacity(row.len() / 2);
            for &pair in row.as_chunks::<2>().0 {
                let number = if let Some(&number) = known.get(&pair) {
                    number
                } else {
                    let [low, high] = pair.map(|number| &diagrams[number as usize]);
                    above.push(if low == high { low.clone() } else { variable.ite(high, low)? });
                    known.insert(pair, above.len() as u32 - 1);
                    above.len() as u32 - 1
                };
                half.push(number);
            }
            *row = half;
        }
        diagrams = above;
    }
    Ok(cells
        .iter()
        .zip(rows)
        .map(|((function, _), row)| (*function, diagrams[row[0] as usize].clone()))
        .collect())
}

/// The cells with the bits of their keys in the order `order`, the first highest.
fn permuted(cells: &[u8], order: &[u8]) -> Vec<u32> {
    // One table for the upper half of the bits of the new key, one for the lower.
    let spread = |from: usize, bits: usize| -> Vec<usize> {
        let key = |number: usize| {
            (0..bits).map(|bit| (number >> bit & 1) << order[order.len() - 1 - from - bit]).sum()
        };
        (0..1 << bits).map(key).collect()
    };
    let low_bits = order.len() / 2;
    let (low, high) = (spread(0, low_bits), spread(low_bits, order.len() - low_bits));
    high.iter().flat_map(|high| low.iter().map(move |low| u32::from(cells[high | low]))).collect()
}

/// Moves each variable to where the diagram is smallest.
fn sift(manager: &MTBDDManagerRef<Terminal>, variables: usize) {
    manager.with_manager_exclusive(|manager| {
        manager.gc();
        let mut order: Vec<u32> = (0..variables as u32).map(|level| manager.level_to_var(level)).collect();
        let mut largest: Vec<(usize, u32)> = order
            .iter()
            .map(|&variable| (manager.level(manager.var_to_level(variable)).len(), variable))
            .collect();
        largest.sort_unstable_by(|one, other| other.cmp(one));
        for (_, variable) in largest {
            let start = manager.var_to_level(variable) as usize;
            let (mut at, mut best) = (start, (manager.num_inner_nodes(), start));
            // To the nearer end first.
            let down = start >= variables / 2;
            for down in [down, !down] {
                while if down { at + 1 < variables } else { at > 0 } {
                    let next = if down { at + 1 } else { at - 1 };
                    order.swap(at, next);
                    at = next;
                    set_var_order_seq(manager, &order);
                    best = best.min((manager.num_inner_nodes(), at));
                    if manager.num_inner_nodes() > best.0 / MAX_GROWTH.1 * MAX_GROWTH.0 {
                        break;
                    }
                }
            }
            let moved = order.remove(at);
            order.insert(best.1, moved);
            set_var_order_seq(manager, &order);
        }
    });
}

/// Whether two diagrams agree where both care. With `inside` the second must also care wherever the first does.
fn agree<M: Manager<Terminal = Terminal>>(
    manager: &M,
    pair: [Ref<'_, M::Edge>; 2],
    inside: bool,
    known: &mut HashSet<[NodeID; 2]>,
) -> bool
where
    M::InnerNode: HasLevel,
{
    let [one, other] = pair;
    if one == other {
        return true;
    }
    let nodes = pair.map(|edge| manager.get_node(edge));
    let values = nodes.map(|node| match node {
        Node::Terminal(terminal) => Some(*terminal.borrow()),
        Node::Inner(_) => None,
    });
    let is_dont_care = values.map(|value| value == Some(Terminal::zero()));
    if is_dont_care[0] || is_dont_care[1] && !inside {
        return true;
    }
    // Two different outcomes; or, with `inside`, a don't-care where the first cares.
    if is_dont_care[1] || values[0].is_some() && values[1].is_some() {
        return false;
    }
    let ids = [one.node_id(), other.node_id()];
    if known.contains(&ids) {
        return true;
    }
    let top = nodes.map(Node::level).into_iter().min();
    let child = |at: usize, number: usize| match nodes[at] {
        Node::Inner(node) if Some(node.level()) == top => node.child(number),
        _ => pair[at],
    };
    let agrees = (0..2).all(|number| agree(manager, [child(0, number), child(1, number)], inside, known));
    if agrees {
        known.insert(ids);
    }
    agrees
}

/// Applies a treatment of don't-cares to diagrams, and keeps the results.
struct Simplifier<'a> {
    manager: &'a MTBDDManagerRef<Terminal>,
    treatment: Treatment,
    known: HashMap<Diagram, Diagram>,
}

impl Simplifier<'_> {
    fn simplify(&mut self, root: &Diagram) -> Result<Diagram, OutOfMemory> {
        if let Some(known) = self.known.get(root) {
            return Ok(known.clone());
        }
        let Some((variable, [high, low])) = self.manager.with_manager_shared(|manager| {
            let Node::Inner(node) = manager.get_node(root.as_edge(manager)) else { return None };
            let children = [0, 1].map(|number| Diagram::from_edge_ref(manager, node.child(number)));
            Some((Diagram::var(manager, manager.level_to_var(node.level())), children))
        }) else {
            return Ok(root.clone());
        };
        let result = if self.gives_way(&high, &low)? || self.gives_way(&low, &high)? {
            self.simplify(&high.add(&low)?)?
        } else {
            variable?.ite(&self.simplify(&high)?, &self.simplify(&low)?)?
        };
        self.known.insert(root.clone(), result.clone());
        Ok(result)
    }

    /// Whether the merge of two siblings may replace their node, with `one` as the child with more don't-cares.
    fn gives_way(&self, one: &Diagram, other: &Diagram) -> Result<bool, OutOfMemory> {
        self.manager.with_manager_shared(|manager| {
            let edges = [one.as_edge(manager), other.as_edge(manager)];
            Ok(match self.treatment {
                Treatment::None => false,
                Treatment::Restrict => *one == Diagram::constant(manager, Terminal(DONT_CARE))?,
                Treatment::OneSided => agree(manager, edges, true, &mut HashSet::new()),
                Treatment::TwoSided => agree(manager, edges, false, &mut HashSet::new()),
            })
        })
    }
}

/// The nodes of the diagrams, numbered from the bottom up.
fn nodes(manager: &MTBDDManagerRef<Terminal>, roots: &[(usize, Diagram)], order: &[u8]) -> Nodes {
    manager.with_manager_shared(|manager| {
        let mut levels = vec![Vec::new(); order.len()];
        let mut met = HashSet::new();
        for (_, root) in roots {
            collect(manager, root.as_edge(manager), &mut met, &mut levels);
        }
        let mut nodes = Nodes { bits: 1, ..Nodes::default() };
        let mut numbers = HashMap::<NodeID, u32>::new();
        for (level, found) in levels.iter().enumerate().rev().filter(|(_, found)| !found.is_empty()) {
            let shift = order[manager.level_to_var(level as u32) as usize];
            let mut children = Vec::with_capacity(2 * found.len());
            for &edge in found {
                if let Node::Inner(node) = manager.get_node(edge) {
                    // The first child is that of a bit that is set.
                    children.extend([1, 0].map(|at| number(manager, node.child(at), &numbers)));
                }
            }
            for &edge in found {
                let next = TERMINALS + numbers.len() as u32;
                numbers.insert(edge.node_id(), next);
            }
            nodes.levels.push(Level { shift, children });
        }
        let root = |(function, root): &(usize, Diagram)| {
            (*function, number(manager, root.as_edge(manager), &numbers))
        };
        nodes.roots = roots.iter().map(root).collect();
        nodes
    })
}

fn number<M: Manager<Terminal = Terminal>>(
    manager: &M,
    edge: Ref<'_, M::Edge>,
    numbers: &HashMap<NodeID, u32>,
) -> u32 {
    match manager.get_node(edge) {
        Node::Terminal(terminal) => terminal.borrow().0.into(),
        Node::Inner(_) => numbers.get(&edge.node_id()).copied().unwrap_or_default(),
    }
}

/// Appends the nodes below `edge` that have not been met to their levels.
fn collect<'a, M: Manager<Terminal = Terminal>>(
    manager: &'a M,
    edge: Ref<'a, M::Edge>,
    met: &mut HashSet<NodeID>,
    levels: &mut [Vec<Ref<'a, M::Edge>>],
) where
    M::InnerNode: HasLevel,
{
    if let Node::Inner(node) = manager.get_node(edge)
        && met.insert(edge.node_id())
    {
        levels[node.level() as usize].push(edge);
        node.children().for_each(|child| collect(manager, child, met, levels));
    }
}
