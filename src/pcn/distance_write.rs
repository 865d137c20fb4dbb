//! Writing a file of distances, as FORMAT.md describes it.

use super::byte_breakdown::fine_log2;
use super::distance_file::{DistanceFile, DistanceTree, HAS_TREE, OMITS_ONE, most_words};
use super::frozen::context_mixer::Mixer;
use super::frozen::fields::{DISTANCES, MAGIC, material_number};
use super::frozen::range_coder::{Coder, Encoder};
use super::frozen::reader::{push_number, push_payload};
use super::frozen::residual_code::DistanceLeaves;
use super::frozen::tree::normal_form;
use super::frozen::tree_code::check_nodes;
use super::frozen::tree_nodes::{ModelCoder, PreorderCodec};
use crate::error::{Error, Result};
use alloc::vec::Vec;

impl DistanceTree {
    fn write(&self, bytes: &mut Vec<u8>, parts: &[u8]) -> Result<()> {
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
        let code = self.code_nodes(Encoder::new(), parts)?.finish();
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
        Ok(())
    }

    /// Codes the nodes, and returns the coder.
    fn code_nodes<C: Coder>(&self, coder: C, parts: &[u8]) -> Result<C> {
        let leaves =
            DistanceLeaves { classes: self.plies.len(), leaves: self.leaves.clone(), words_left: usize::MAX };
        let nodes = normal_form(&self.nodes, parts, |_, _| false);
        let mut learner = ModelCoder { coder, mixer: Mixer::default() };
        let given = nodes.iter().map(|node| node.map(Some));
        PreorderCodec::new(parts, leaves, 0).code(&mut learner, given, |_, _| Ok(()))?;
        Ok(learner.coder)
    }

    /// Returns the bytes of the nodes, without the static function.
    ///
    /// # Errors
    /// When the nodes have more contexts than a reader can count.
    pub(crate) fn node_bytes(&self, parts: &[u8]) -> Result<usize> {
        let tally = self.code_nodes(Tally::default(), parts)?;
        Ok((tally.0 >> 19) as usize)
    }
}

impl DistanceFile {
    /// Returns the bytes of the file. Deterministic.
    ///
    /// # Errors
    /// [`ErrorKind::BudgetExhausted`] when a tree takes 4 GiB or has more nodes than its length allows.
    pub(crate) fn encode(&self) -> Result<Vec<u8>> {
        let mut bytes = [MAGIC[0], DISTANCES, self.model.id() | self.model.version() << 5].to_vec();
        push_number(&mut bytes, material_number(&self.material));
        bytes.extend(self.table_hash);
        let values = self.model.variable_set(&self.material).values();
        for (lead, tree) in &self.sides {
            let has_tree = if tree.is_some() { HAS_TREE } else { 0 };
            bytes.push(*lead as u8 | has_tree | if self.omits_one { OMITS_ONE } else { 0 });
            if let Some(tree) = tree {
                let mut payload = Vec::new();
                tree.write(&mut payload, &values)?;
                push_payload(&mut bytes, &payload)?;
            }
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
