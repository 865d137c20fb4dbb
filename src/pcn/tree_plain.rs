//! Codec `none` for trees: each node as bytes, for readers without an arithmetic decoder, and for trees that the `pcn`
//! codec may not write because they are too regular.

use super::fields::{outcome_code, outcome_of};
use super::reader::{Reader, push_number};
use super::tree::{Exception, Leaf, Node, Test, Tree};
use crate::error::{Error, Result};

/// First bytes of a node: the outcome of a leaf, with [`EXCEPTIONS`] if it has some; or [`TEST`].
const EXCEPTIONS: u8 = 8;
const TEST: u8 = 16;

/// Returns the bytes of `tree`.
pub(super) fn write(tree: &Tree) -> Vec<u8> {
    let mut bytes = Vec::new();
    for node in tree.nodes() {
        match node {
            Node::Test(test) => {
                bytes.push(TEST);
                push_number(&mut bytes, test.variable.into());
                bytes.extend([test.low, test.high]);
            }
            Node::Leaf(leaf) if leaf.exceptions.is_empty() => bytes.push(outcome_code(leaf.outcome)),
            Node::Leaf(leaf) => {
                bytes.push(EXCEPTIONS | outcome_code(leaf.outcome));
                push_number(&mut bytes, leaf.exceptions.len() as u64);
                let mut before = 0;
                for exception in &leaf.exceptions {
                    push_number(&mut bytes, exception.rank - before);
                    bytes.push(outcome_code(exception.outcome));
                    before = exception.rank + 1;
                }
            }
        }
    }
    bytes
}

/// Reads a tree over variables with `parts`. Leaves with exceptions have as many positions as they need; the right number
/// stands nowhere in the bytes.
pub(super) fn read(mut reader: Reader, parts: &[u8]) -> Result<Tree> {
    let mut nodes = Vec::new();
    while !reader.is_at_end() {
        nodes.push(match reader.byte()? {
            TEST => {
                let variable = u16::try_from(reader.number()?)
                    .map_err(|_| Error::corrupt("a test of a variable that is not there"))?;
                Node::Test(Test { variable, low: reader.byte()?, high: reader.byte()? })
            }
            code => Node::Leaf(leaf(code, &mut reader)?),
        });
    }
    let tree = Tree::from_preorder(nodes)?;
    tree.check(parts)?;
    Ok(tree)
}

fn leaf(code: u8, reader: &mut Reader) -> Result<Leaf> {
    let mut leaf = Leaf::from(outcome_of(code & !EXCEPTIONS)?);
    if code & EXCEPTIONS != 0 {
        let count = reader.short_number()?;
        if count == 0 {
            return Err(Error::corrupt("a leaf that announces exceptions and has none"));
        }
        let mut before = 0_u64;
        for _ in 0..count {
            let rank = before.checked_add(reader.number()?).filter(|&rank| rank < u64::MAX);
            let rank = rank.ok_or_else(|| Error::corrupt("a rank beyond all positions"))?;
            leaf.exceptions.push(Exception { rank, outcome: outcome_of(reader.byte()?)? });
            before = rank + 1;
        }
        leaf.positions = before;
    }
    Ok(leaf)
}
