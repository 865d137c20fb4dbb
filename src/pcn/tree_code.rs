//! Codec `pcn` for trees: the outcomes, then the nodes (`tree_nodes.rs`).

use super::mixing::Mixer;
use super::range::{Coder, Decoder, Encoder};
use super::tree::{Excepted, Leaf, Node, Tree};
use super::tree_nodes::{BETTER, EITHER, LeafCode, NodesCode, WORSE};
use crate::error::{Error, Result};
use crate::position::Wdl;
use std::iter;

/// Nodes that a code may have: this many for each of its bytes and of eight more. A reader thereby allocates in proportion
/// to the file.
const PER_BYTE: usize = 32;

/// Returns the code of `tree`, whose variables have `parts`; `None` when a code of that length may not stand for so many
/// nodes.
pub(super) fn encode(tree: &Tree, parts: &[u8]) -> Option<Vec<u8>> {
    let code = code(tree, parts)?;
    (tree.nodes().len() <= PER_BYTE * (code.len() + 8)).then_some(code)
}

/// Returns the code of any length; `None` when it has more contexts than a reader can count.
pub(super) fn code(tree: &Tree, parts: &[u8]) -> Option<Vec<u8>> {
    let classes: Vec<Wdl> = tree.outcomes().collect();
    let class_of = |outcome: Wdl| classes.iter().position(|&class| class == outcome).unwrap_or(0);
    let mut encoder = Encoder::new();
    for class in Wdl::ALL {
        encoder.code(classes.contains(&class), 1 << 15);
    }
    if classes.len() == 1 {
        return Some(encoder.finish());
    }
    let mut code =
        NodesCode::new(encoder, Mixer::default(), parts, classes.len(), tree.max_level().is_some());
    let leaf = |Leaf { outcome, exceptions }: Leaf| {
        let class = class_of(outcome);
        let excepted = |other: Option<Wdl>| match other {
            Some(other) if classes.len() == 2 || class_of(other) == usize::from(class == 0) => WORSE,
            Some(_) => BETTER,
            None => EITHER,
        };
        LeafCode { class, exceptions: exceptions.map(|of| (of.level, excepted(of.outcome))) }
    };
    code.code(tree.nodes().map(|node| node.map(leaf)), |_| Ok(())).ok()?;
    Some(code.coder.finish())
}

/// Reads the code of a tree, whose exceptions are told elsewhere. Any code is acceptable; allocates in proportion to it.
pub(super) fn decode(code: &[u8], parts: &[u8], has_exceptions: bool) -> Result<Tree> {
    let mut decoder = Decoder::new(code);
    let classes: Vec<Wdl> = Wdl::ALL.into_iter().filter(|_| decoder.code(false, 1 << 15)).collect();
    let mut nodes = Vec::new();
    let decoder = match classes[..] {
        [] => return Err(Error::corrupt("a tree without outcomes")),
        [outcome] => {
            nodes.push(Node::Leaf(outcome.into()));
            decoder
        }
        _ => {
            let limit = PER_BYTE * (code.len() + 8);
            let mixer = Mixer::for_bytes(code.len());
            let mut code = NodesCode::new(decoder, mixer, parts, classes.len(), has_exceptions);
            code.code(iter::empty(), |node| {
                nodes.push(node.map(|leaf| leaf_of(leaf, &classes)));
                Error::unless(nodes.len() <= limit, || "a tree with more nodes than its length allows".into())
            })?;
            code.coder
        }
    };
    Error::unless(decoder.is_finished(), || "bytes after the end of a tree".into())?;
    let tree = Tree::from_preorder(nodes)?;
    let has_all = tree.outcomes().eq(classes);
    Error::unless(has_all, || "a tree announces an outcome that it does not have".into())?;
    Ok(tree)
}

fn leaf_of(leaf: LeafCode, classes: &[Wdl]) -> Leaf {
    let outcome = classes[leaf.class];
    let excepted = |(level, excepted)| {
        let mut others = classes.iter().copied().filter(|&other| other != outcome);
        let outcome = match excepted {
            EITHER => None,
            _ => others.nth(usize::from(excepted)),
        };
        Excepted { level, outcome }
    };
    Leaf { outcome, exceptions: leaf.exceptions.map(excepted) }
}
