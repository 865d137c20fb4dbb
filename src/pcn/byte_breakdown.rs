//! The bytes of a file by content: headers, tests, leaves, exceptions, clauses of covers and castling rights.
//!
//! Codec `pcn` has no boundaries between tests and leaves. So a tree is coded once more, and the costs of its decisions are
//! summed by their subject. The bytes of the nodes are divided in these proportions. A tree in pages is divided in the
//! proportions of its code in one piece.

use super::content::Pcn;
use super::frozen::context_mixer::Mixer;
use super::frozen::range_coder::Coder;
use super::frozen::tree::Tree;
use super::frozen::tree_classes::Classes;
use super::frozen::tree_nodes::{ModelCoder, PreorderCodec, kind};
use super::read::Decoded;
use crate::chess::position::Color;
use crate::error::Result;
use alloc::vec::Vec;

/// The bytes of a file by what they code. Their sum is the length of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByteBreakdown {
    /// Everything outside trees, clauses and castling rights: magic, material, hash, entries of sections, checksum.
    pub headers: usize,
    /// Tests of trees: the mark of a test, its variable and its interval.
    pub tests: usize,
    /// Leaves of trees: the mark of a leaf and its outcome.
    pub leaves: usize,
    /// Exceptions: the marks of leaves with exceptions, and the static functions.
    pub exceptions: usize,
    /// Clauses of covers.
    pub lists: usize,
    /// Castling rights.
    pub castling: usize,
}

impl ByteBreakdown {
    /// Returns the breakdown of a file with these bytes. Any bytes are acceptable. Deterministic; takes about twice as long
    /// as decoding the file.
    ///
    /// # Errors
    /// Those of [`Pcn::decode`](crate::Pcn::decode).
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let Decoded { pcn, payloads, castling_bytes: castling } = Decoded::new(bytes)?;
        let parts = pcn.variable_set().values();
        let headers = bytes.len() - castling;
        let mut breakdown = ByteBreakdown { headers, castling, ..ByteBreakdown::default() };
        for payload in &payloads {
            breakdown.headers = breakdown.headers.saturating_sub(payload.bytes);
            let turn = Color::BOTH.into_iter().find(|&turn| payload.turns.contains(turn));
            let is_rule_tree = payload.tree.is_some_and(|tree| tree >= pcn.anchors().len());
            let of = if is_rule_tree { Pcn::rule_tree } else { Pcn::tree };
            let Some(tree) = turn.and_then(|turn| of(&pcn, turn)) else {
                breakdown.lists += payload.bytes;
                continue;
            };
            let nodes = payload.bytes.saturating_sub(payload.exceptions);
            let [tests, leaves, exceptions] = Tally::of(tree, &parts).divide(nodes);
            breakdown.tests += tests;
            breakdown.leaves += leaves;
            breakdown.exceptions += exceptions + payload.exceptions;
        }
        Ok(breakdown)
    }

    /// The sums of two breakdowns.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        ByteBreakdown {
            headers: self.headers + other.headers,
            tests: self.tests + other.tests,
            leaves: self.leaves + other.leaves,
            exceptions: self.exceptions + other.exceptions,
            lists: self.lists + other.lists,
            castling: self.castling + other.castling,
        }
    }

    /// The names and bytes of headers, tests, leaves, exceptions and lists, without castling rights.
    pub fn parts(&self) -> [(&'static str, usize); 5] {
        [
            ("headers", self.headers),
            ("tests", self.tests),
            ("leaves", self.leaves),
            ("exceptions", self.exceptions),
            ("lists", self.lists),
        ]
    }
}

const TESTS: usize = 0;
const LEAVES: usize = 1;
const EXCEPTIONS: usize = 2;

/// A coder that writes nothing and sums the costs of decisions, in 2^-16 bits.
#[derive(Default)]
struct Tally {
    kind: usize,
    costs: [u64; 3],
}

impl Coder for Tally {
    fn about(&mut self, kind: usize) {
        self.kind = kind;
    }

    fn code(&mut self, bit: bool, one: u32) -> bool {
        let subject = match self.kind {
            kind::IS_LEAF if bit => LEAVES,
            kind::OUTCOME => LEAVES,
            kind::HAS_EXCEPTIONS | kind::LEVEL | kind::EXCEPTED => EXCEPTIONS,
            _ => TESTS,
        };
        let probability = if bit { one } else { (1 << 16) - one };
        self.costs[subject] += (16 << 16) - fine_log2(u64::from(probability.max(1)), 16);
        bit
    }
}

impl Tally {
    fn of(tree: &Tree, parts: &[u8]) -> Self {
        let classes = Classes::of(tree);
        let mut learner = ModelCoder { coder: Tally::default(), mixer: Mixer::default() };
        if classes.len() > 1 {
            let given = tree.nodes().iter().map(|node| node.map(Some));
            let mut nodes = PreorderCodec::new(parts, classes, 0);
            // A tree with more contexts than a coder can count is divided by the decisions coded so far.
            let _ = nodes.code(&mut learner, given, |_, _| Ok(()));
        }
        learner.coder
    }

    /// Divides `bytes` in the proportions of the costs. Leaves get the rounding error, and all bytes of a tree of one leaf.
    fn divide(&self, bytes: usize) -> [usize; 3] {
        let sum = u128::from(self.costs.iter().sum::<u64>().max(1));
        let shares: Vec<usize> =
            self.costs.iter().map(|&cost| (bytes as u128 * u128::from(cost) / sum) as usize).collect();
        let (tests, exceptions) = (shares[TESTS], shares[EXCEPTIONS]);
        [tests, bytes - tests - exceptions, exceptions]
    }
}

/// 2^`bits` times log2 of `x`, rounded down; `x` is at least 1. Squaring gives the bits of the fraction.
/// New bytes: the prices of growth depend on it.
pub(crate) const fn fine_log2(x: u64, bits: u32) -> u64 {
    // `x` divided by the greatest power of two that is not above it, in units of 2^-63.
    let mut mantissa = x << x.leading_zeros();
    let mut log = x.ilog2() as u64;
    let mut bit = 0;
    while bit < bits {
        let square = (mantissa as u128 * mantissa as u128) >> 63;
        let carry = (square >> 64) as u64;
        mantissa = (square >> carry) as u64;
        log = log << 1 | carry;
        bit += 1;
    }
    log
}

#[cfg(test)]
mod tests {
    use super::super::frozen::tree_code;
    use super::super::noise::{self, Noise};
    use super::super::{Bundle, Summary};
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_file() {
        let bundle = include_bytes!("../../fixtures/four-men.pcb");
        for (material, bytes) in Bundle::open(bundle).unwrap().tables() {
            let (breakdown, summary) =
                (ByteBreakdown::decode(bytes).unwrap(), Summary::decode(bytes).unwrap());
            let sum: usize = breakdown.parts().iter().map(|(_, bytes)| bytes).sum();
            assert_eq!(sum + breakdown.castling, bytes.len(), "{material}");
            assert_eq!(breakdown.lists, summary.list_bytes, "{material}");
            let stated = summary.tree_bytes + summary.list_bytes + summary.castling_bytes;
            assert_eq!(breakdown.headers, bytes.len() - stated, "{material}");
            let functions: usize =
                summary.sides.iter().filter_map(|side| Some(side.tree?.exception_bytes)).sum();
            let marks = breakdown.exceptions - functions;
            // The marks on leaves with exceptions take less than the functions that store the exceptions.
            assert!(marks == functions || marks > 0 && marks < functions, "{material}: {breakdown:?}");
        }
        assert!(ByteBreakdown::decode(b"\xe7\x03").is_err());
    }

    #[test]
    fn costs_are_the_length_of_the_code() {
        let parts = [8; 12];
        let mut noise = Noise(0x1234_5678_9abc_def1);
        let mut tree = noise::tree(&parts, 3, &mut noise);
        while tree.nodes().len() < 2000 {
            tree = noise::tree(&parts, 14, &mut noise);
        }
        let (code, _) = tree_code::code(&tree, &parts).unwrap();
        let costs: u64 = Tally::of(&tree, &parts).costs.iter().sum();
        let bytes = costs as f64 / f64::from(8 << 16);
        assert!((bytes - code.len() as f64).abs() < 4.0 + bytes / 500.0, "{bytes} {}", code.len());
    }
}
