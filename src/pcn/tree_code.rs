//! Codec `pcn` for trees: the outcomes, the nodes (`tree_nodes.rs`), then the ranks of the exceptions (`ranks.rs`).

use super::range::{Coder, Decoder, Encoder};
use super::ranks;
use super::tree::{Exception, Leaf, Node, Tree};
use super::tree_nodes::{LeafCode, NodesCode};
use crate::error::{Error, Result};
use crate::position::Wdl;
use std::iter;

/// Nodes and exceptions that a payload may have: this many for each of its bytes and of eight more. A reader thereby
/// allocates in proportion to the file.
const PER_BYTE: usize = 32;

/// Returns the payload of a section with `tree`, whose variables have `parts`; `None` when a payload of that length may
/// not stand for so many nodes.
pub(super) fn encode(tree: &Tree, parts: &[u8]) -> Option<Vec<u8>> {
    let payload = payload(tree, parts);
    (tree.nodes().len() + tree.exceptions() <= PER_BYTE * (payload.len() + 8)).then_some(payload)
}

/// Returns the payload of any length.
pub(super) fn payload(tree: &Tree, parts: &[u8]) -> Vec<u8> {
    let classes: Vec<Wdl> = Wdl::ALL.into_iter().filter(|&class| states(tree, class)).collect();
    let class_of = |outcome: Wdl| classes.iter().position(|&class| class == outcome).unwrap_or(0);
    let mut encoder = Encoder::new();
    for class in Wdl::ALL {
        encoder.code(classes.contains(&class), 1 << 15);
    }
    if classes.len() == 1 {
        return encoder.finish();
    }
    let exceptions = tree.exceptions();
    encoder.code(exceptions > 0, 1 << 15);
    let mut code = NodesCode::new(encoder, parts, classes.len(), exceptions > 0);
    let leaf =
        |leaf: &Leaf| LeafCode { class: class_of(leaf.outcome), exceptions: leaf.exceptions.len() as u64 };
    let coded: Result<()> = code.code(tree.nodes().map(|node| node.map(leaf)), |_| Ok(()));
    debug_assert!(coded.is_ok(), "an encoder refuses nothing");
    for leaf in tree.leaves().iter().filter(|leaf| !leaf.exceptions.is_empty()) {
        let given = |number: usize| {
            let Exception { rank, outcome } = leaf.exceptions[number];
            (rank, class_of(outcome))
        };
        let of = (classes.len(), class_of(leaf.outcome));
        let count = leaf.exceptions.len() as u64;
        ranks::code(&mut code.mixer, &mut code.coder, of, leaf.positions, count, given, |_, _| ());
    }
    code.coder.finish()
}

/// Whether a leaf or an exception of `tree` has this outcome.
fn states(tree: &Tree, outcome: Wdl) -> bool {
    tree.leaves().iter().any(|leaf| {
        leaf.outcome == outcome || leaf.exceptions.iter().any(|exception| exception.outcome == outcome)
    })
}

/// A tree whose ranks have not been read yet: that takes the number of positions that reach each leaf with exceptions.
pub(super) struct Unranked<'a> {
    /// Where the ranks come next; nothing in a tree of one leaf.
    code: Option<NodesCode<Decoder<'a>>>,
    tree: Tree<LeafCode>,
    classes: Vec<Wdl>,
}

/// Reads the first part of a payload: everything but the ranks of exceptions. Any payload is acceptable; allocates in
/// proportion to it.
pub(super) fn decode<'a>(payload: &'a [u8], parts: &[u8]) -> Result<Unranked<'a>> {
    let mut decoder = Decoder::new(payload);
    let classes: Vec<Wdl> = Wdl::ALL.into_iter().filter(|_| decoder.code(false, 1 << 15)).collect();
    match classes[..] {
        [] => return Err(Error::corrupt("a tree without outcomes")),
        [_] => {
            finished(&decoder)?;
            let tree = Tree::from_preorder(vec![Node::Leaf(LeafCode::default())])?;
            return Ok(Unranked { code: None, tree, classes });
        }
        _ => {}
    }
    let has_exceptions = decoder.code(false, 1 << 15);
    let limit = (PER_BYTE * (payload.len() + 8)) as u64;
    let (mut nodes, mut exceptions) = (Vec::new(), 0_u64);
    let mut code = NodesCode::new(decoder, parts, classes.len(), has_exceptions);
    code.code(iter::empty(), |node| {
        nodes.push(node);
        if let Node::Leaf(leaf) = node {
            exceptions = exceptions.saturating_add(leaf.exceptions);
        }
        if exceptions.saturating_add(nodes.len() as u64) > limit {
            return Err(Error::corrupt("a payload with more nodes and exceptions than its length allows"));
        }
        Ok(())
    })?;
    if has_exceptions == (exceptions == 0) {
        return Err(Error::corrupt("a tree that announces exceptions and has none"));
    }
    Ok(Unranked { code: Some(code), tree: Tree::from_preorder(nodes)?, classes })
}

fn finished(decoder: &Decoder) -> Result<()> {
    if decoder.is_finished() { Ok(()) } else { Err(Error::corrupt("bytes after the end of a tree")) }
}

impl Unranked<'_> {
    /// The tree, with the number of exceptions at each leaf.
    pub(super) fn tree(&self) -> &Tree<LeafCode> {
        &self.tree
    }

    pub(super) fn has_exceptions(&self) -> bool {
        self.tree.leaves().iter().any(|leaf| leaf.exceptions > 0)
    }

    /// Reads the ranks; `positions` says how many positions reach each leaf, as far as it has exceptions.
    pub(super) fn finish(mut self, positions: &[u64]) -> Result<Tree> {
        let mut leaves = Vec::with_capacity(positions.len());
        for (&LeafCode { class, exceptions: count }, &positions) in self.tree.leaves().iter().zip(positions) {
            let mut leaf = Leaf::from(self.classes[class]);
            if let Some(code) = self.code.as_mut().filter(|_| count > 0) {
                if count > positions || positions > ranks::MAX_POSITIONS {
                    return Err(Error::corrupt(format!("{count} exceptions among {positions} positions")));
                }
                leaf.positions = positions;
                leaf.exceptions.reserve_exact(count as usize);
                let take = |rank, class: usize| {
                    leaf.exceptions.push(Exception { rank, outcome: self.classes[class] });
                };
                let of = (self.classes.len(), class);
                ranks::code(&mut code.mixer, &mut code.coder, of, positions, count, |_| (0, 0), take);
            }
            leaves.push(leaf);
        }
        if let Some(code) = &self.code {
            finished(&code.coder)?;
        }
        let tree = self.tree.with_leaves(leaves);
        if self.classes.iter().all(|&class| states(&tree, class)) {
            Ok(tree)
        } else {
            Err(Error::corrupt("a tree announces an outcome that it does not have"))
        }
    }

    /// Returns the tree with as many exceptions at each leaf as it has, but not those: what follows the nodes is not read.
    pub(super) fn finish_without_ranks(&self) -> Tree {
        let leaf = |&LeafCode { class, exceptions: count }: &LeafCode| {
            // The outcomes are not known either; in a tree of one outcome there are no exceptions.
            let outcome = self.classes[usize::from(class == 0 && self.classes.len() > 1)];
            let exceptions = (0..count).map(|rank| Exception { rank, outcome }).collect();
            Leaf { outcome: self.classes[class], positions: count, exceptions }
        };
        self.tree.with_leaves(self.tree.leaves().iter().map(leaf).collect())
    }
}
