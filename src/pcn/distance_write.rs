//! Writing a file of distances, as FORMAT.md describes it.

use super::byte_breakdown::fine_log2;
use super::distance_file::{DistanceFile, DistanceTree, HAS_TREE, IN_PAGES, OMITS_ONE};
use super::frozen::context_mixer::Mixer;
use super::frozen::fields::{DISTANCES, MAGIC, RANKING, material_number};
use super::frozen::range_coder::{Coder, Encoder};
use super::frozen::reader::{push_number, push_payload};
use super::frozen::residual_code::{DistanceLeaves, most_words};
use super::frozen::tree::{Node, normal_form};
use super::frozen::tree_code::check_nodes;
use super::frozen::tree_nodes::{ModelCoder, PreorderCodec};
use super::pages::{self, Cutting};
use crate::error::{Error, Result};
use alloc::vec::Vec;

impl DistanceTree {
    /// Appends the payload of a side; returns whether the tree is in pages.
    fn write(&self, bytes: &mut Vec<u8>, parts: &[u8], cutting: Cutting) -> Result<bool> {
        // Distances as arithmetic progressions.
        let mut runs: Vec<[u64; 3]> = Vec::new();
        for pair in self.plies.windows(2) {
            let step = u64::from(pair[1] - pair[0]);
            match runs.last_mut() {
                Some([_, of_run, count]) if *of_run == step => *count += 1,
                _ => runs.push([0, step, 1]),
            }
        }
        push_number(bytes, self.plies.first().copied().unwrap_or(0).into());
        push_number(bytes, runs.len() as u64);
        runs.iter().flat_map(|run| &run[1..]).for_each(|&number| push_number(bytes, number));
        let nodes = normal_form(&self.nodes, parts, |_, _| false);
        let mut starts = vec![0];
        let coder = self.code_nodes(&nodes, Encoder::new(), parts, |coder| starts.push(coder.len()))?;
        let leaves = self.state();
        let pages = pages::encode_of(&nodes, parts, &leaves, &Encoder::new(), &starts, cutting);
        let in_pages = pages.is_some();
        let code = pages.unwrap_or_else(|| coder.finish());
        check_nodes(self.nodes.len(), code.len())?;
        let words: usize = self.leaves.iter().map(|leaf| leaf.words.len()).sum();
        Error::corrupt_unless(words < most_words(code.len()), || {
            "more code words than the length allows".into()
        })?;
        push_number(bytes, code.len() as u64);
        bytes.extend(code);
        if !self.function.is_empty() {
            self.function.write(bytes);
        }
        Ok(in_pages)
    }

    /// The leaves for an encoder.
    fn state(&self) -> DistanceLeaves {
        DistanceLeaves::new(self.plies.len(), self.leaves.clone(), usize::MAX / 16)
    }

    /// Codes the nodes, and returns the coder. Calls `take` with the coder after each node.
    fn code_nodes<C: Coder>(
        &self,
        nodes: &[Node<u32>],
        coder: C,
        parts: &[u8],
        mut take: impl FnMut(&C),
    ) -> Result<C> {
        let mut learner = ModelCoder { coder, mixer: Mixer::default() };
        let given = nodes.iter().map(|node| node.map(Some));
        PreorderCodec::new(parts, self.state(), 0).code(&mut learner, given, |learner, _| {
            take(&learner.coder);
            Ok(())
        })?;
        Ok(learner.coder)
    }

    /// Returns the length in bytes of the nodes' code in one piece, by the costs of its decisions.
    ///
    /// # Errors
    /// When the nodes have more contexts than a reader can count.
    pub(crate) fn node_bytes(&self, parts: &[u8]) -> Result<usize> {
        let nodes = normal_form(&self.nodes, parts, |_, _| false);
        let tally = self.code_nodes(&nodes, Tally::default(), parts, |_| ())?;
        Ok((tally.0 >> 19) as usize)
    }
}

impl DistanceFile {
    /// Returns the bytes of the file. Deterministic.
    ///
    /// # Errors
    /// [`ErrorKind::BudgetExhausted`] when a tree takes 4 GiB or has more nodes than its length allows.
    pub(crate) fn encode(&self) -> Result<Vec<u8>> {
        self.encode_cut(Cutting::DISTANCES)
    }

    pub(super) fn encode_cut(&self, cutting: Cutting) -> Result<Vec<u8>> {
        let version = if self.pairs.is_some() { RANKING } else { DISTANCES };
        let mut bytes = [MAGIC[0], version, self.model.id() | self.model.version() << 5].to_vec();
        push_number(&mut bytes, material_number(&self.material));
        bytes.extend(self.table_hash);
        bytes.extend(self.pairs);
        let values = self.model.variable_set(&self.material).values();
        for (anchor, tree) in &self.sides {
            let Some(tree) = tree else {
                bytes.push(*anchor as u8 | OMITS_ONE);
                continue;
            };
            let mut payload = Vec::new();
            let in_pages = if tree.write(&mut payload, &values, cutting)? { IN_PAGES } else { 0 };
            bytes.push(*anchor as u8 | HAS_TREE | OMITS_ONE | in_pages);
            push_payload(&mut bytes, &payload)?;
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }
}

/// A coder that writes nothing and sums the costs of decisions, in 2^-16 bits.
#[derive(Default)]
struct Tally(u64);

impl Coder for Tally {
    fn code(&mut self, bit: bool, one: u32) -> bool {
        let probability = if bit { one } else { (1 << 16) - one };
        self.0 += (16 << 16) - fine_log2(u64::from(probability.max(1)), 16);
        bit
    }
}
