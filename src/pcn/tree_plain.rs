//! Codec `none` for trees: each node as bytes, for readers without an arithmetic decoder, and for trees that the `pcn`
//! codec may not write because they are too regular.

use super::reader::{Reader, push_number};
use super::tree::{Exception, Leaf, Node, Test};
use super::write::outcome_code;
use crate::error::{Error, Result};
use crate::position::Wdl;

/// First bytes of a node: the outcome of a leaf, with [`EXCEPTIONS`] if it has some; or [`TEST`].
const EXCEPTIONS: u8 = 8;
const TEST: u8 = 16;

/// Returns the bytes of `nodes`.
pub(super) fn write(nodes: &[Node]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for node in nodes {
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

/// Reads nodes; leaves with exceptions are still without their positions.
///
/// # Errors
/// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) with the reason.
pub(super) fn read(payload: &[u8]) -> Result<Vec<Node>> {
    let mut reader = Reader::new(payload);
    let mut nodes = Vec::new();
    while !reader.is_at_end() {
        nodes.push(match reader.byte()? {
            TEST => {
                let variable = u16::try_from(reader.number()?)
                    .map_err(|_| Error::corrupt("a test of a variable that is not there"))?;
                Node::Test(Test { variable, low: reader.byte()?, high: reader.byte()? })
            }
            code => leaf(code, &mut reader)?,
        });
    }
    Ok(nodes)
}

fn leaf(code: u8, reader: &mut Reader) -> Result<Node> {
    let mut leaf = Leaf { outcome: outcome(code & !EXCEPTIONS)?, positions: 0, exceptions: Vec::new() };
    if code & EXCEPTIONS != 0 {
        let count = reader.short_number()?;
        if count == 0 {
            return Err(Error::corrupt("a leaf that announces exceptions and has none"));
        }
        let mut before = 0_u64;
        for _ in 0..count {
            let rank = before.checked_add(reader.number()?).filter(|&rank| rank < u64::MAX);
            let rank = rank.ok_or_else(|| Error::corrupt("a rank beyond all positions"))?;
            leaf.exceptions.push(Exception { rank, outcome: outcome(reader.byte()?)? });
            before = rank + 1;
        }
    }
    Ok(Node::Leaf(leaf))
}

fn outcome(code: u8) -> Result<Wdl> {
    super::read::outcome_of(code)
}
