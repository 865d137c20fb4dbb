//! Codec `none` for trees: each node as bytes. For readers without a range coder, and for trees so regular that their `pcn`
//! code would be too short for the format's limits.

use super::fields::{NO_OUTCOME, outcome_code, outcome_of};
use super::reader::{Reader, push_number};
use super::tree::{Excepted, Leaf, Node, Tree};
use crate::error::{Error, Result};
use crate::nodes::Test;
use alloc::vec::Vec;

/// The first byte of a node: [`TEST`], or the outcome of a leaf, with [`EXCEPTIONS`] added if the leaf has exceptions.
const EXCEPTIONS: u8 = 8;
const TEST: u8 = 16;

/// Returns the bytes of the nodes of `tree`.
pub(in crate::pcn) fn write(tree: &Tree) -> Vec<u8> {
    let mut bytes = Vec::new();
    for &node in tree.nodes() {
        match node {
            Node::Test(test) => {
                bytes.push(TEST);
                push_number(&mut bytes, test.variable.into());
                bytes.extend([test.low, test.high]);
            }
            Node::Leaf(Leaf { outcome, exceptions: None }) => bytes.push(outcome_code(outcome)),
            Node::Leaf(Leaf { outcome, exceptions: Some(of) }) => {
                let excepted = of.outcome.map_or(NO_OUTCOME, outcome_code);
                bytes.extend([EXCEPTIONS | outcome_code(outcome), of.level, excepted]);
            }
        }
    }
    bytes
}

/// Reads a tree, without its exceptions.
pub(in crate::pcn) fn read(reader: &mut Reader) -> Result<Tree> {
    let mut nodes = Vec::new();
    while !reader.is_at_end() {
        nodes.push(match reader.byte()? {
            TEST => {
                let variable = u16::try_from(reader.number()?)
                    .map_err(|_| Error::corrupt("a test of a variable that the model does not have"))?;
                Node::Test(Test { variable, low: reader.byte()?, high: reader.byte()? })
            }
            code => {
                let outcome = outcome_of(code & !EXCEPTIONS)?;
                let exceptions = if code & EXCEPTIONS == 0 { None } else { Some(excepted(reader)?) };
                Node::Leaf(Leaf { outcome, exceptions })
            }
        });
    }
    Tree::from_preorder(nodes)
}

fn excepted(reader: &mut Reader) -> Result<Excepted> {
    let level = reader.byte()?;
    let outcome = match reader.byte()? {
        NO_OUTCOME => None,
        code => Some(outcome_of(code)?),
    };
    Ok(Excepted { level, outcome })
}
