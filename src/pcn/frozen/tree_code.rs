//! Codec `pcn` for trees: the outcomes, then the nodes (`tree_nodes.rs`).

use super::context_mixer::Mixer;
use super::range_coder::{Decoder, Encoder};
use super::tree::{Node, Tree};
use super::tree_classes::Classes;
use super::tree_nodes::{ModelCoder, PreorderCodec, whole};
use crate::error::{Error, Result};
use alloc::vec::Vec;
use core::iter;

/// A code of n bytes may have `PER_BYTE` (n + 8) nodes. This keeps a reader's memory in proportion to the file.
const PER_BYTE: usize = 8;

/// Checks that a code of `bytes` bytes may have `nodes` nodes.
pub(in crate::pcn) fn check_nodes(nodes: usize, bytes: usize) -> Result<()> {
    Error::corrupt_unless(nodes.div_ceil(PER_BYTE) <= bytes + 8, || {
        "a tree with more nodes than its length allows".into()
    })
}

/// Returns the code of `tree`, and the byte where each node begins; the last element is the end of the last node. `None` when the
/// code is too short for so many nodes.
pub(in crate::pcn) fn encode(tree: &Tree, parts: &[u8]) -> Option<(Vec<u8>, Vec<usize>)> {
    code(tree, parts).filter(|(code, _)| check_nodes(tree.nodes().len(), code.len()).is_ok())
}

/// [`encode`] for a code of any length; `None` when the code has more contexts than a reader can count.
pub(in crate::pcn) fn code(tree: &Tree, parts: &[u8]) -> Option<(Vec<u8>, Vec<usize>)> {
    let classes = Classes::of(tree);
    let mut learner = ModelCoder { coder: Encoder::new(), mixer: Mixer::default() };
    Classes::code_outcomes(&mut learner.coder, Some(&classes), classes.has_exceptions()).ok()?;
    let mut starts = vec![0];
    if classes.len() > 1 {
        let given = tree.nodes().iter().map(|node| node.map(Some));
        let mut nodes = PreorderCodec::new(parts, classes, 0);
        let take = |learner: &ModelCoder<Encoder>, _| {
            starts.push(learner.coder.len());
            Ok(())
        };
        nodes.code(&mut learner, given, take).ok()?;
    }
    Some((learner.coder.finish(), starts))
}

/// Reads the code of a tree, without its exceptions. Any code is acceptable; allocates in proportion to it.
pub(in crate::pcn) fn decode(code: &[u8], parts: &[u8], has_exceptions: bool) -> Result<Tree> {
    let mut decoder = Decoder::new(code);
    let classes = Classes::code_outcomes(&mut decoder, None, has_exceptions)?;
    let mut nodes = Vec::new();
    if let Some(leaf) = classes.only_leaf() {
        nodes.push(Node::Leaf(leaf));
    } else {
        let mut learner = ModelCoder { coder: decoder, mixer: Mixer::for_bytes(code.len()) };
        let mut coded = PreorderCodec::new(parts, classes.clone(), 0);
        coded.code(&mut learner, iter::empty(), |_, node| {
            nodes.extend(whole(node));
            check_nodes(nodes.len(), code.len())
        })?;
        decoder = learner.coder;
    }
    Error::corrupt_unless(decoder.is_finished(), || "bytes after the end of a tree".into())?;
    let tree = Tree::from_preorder(nodes)?;
    classes.check_tree(&tree)?;
    Ok(tree)
}
