//! What was measured of one table for the paper's tables 4 and 5: a line of the record.

use crate::published::{self, Table4};
use anyhow::{Context, Result};
use cubebase::Material;
use serde::{Deserialize, Serialize};

/// Clauses and bytes of one table, and seconds by the clock from the beginning of compaction to the end of a step.
///
/// The rows whose names begin with `half` are of the paper's own positions; they are missing where it is not known which
/// these are. The full loop is missing when it did not end within the budget.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub material: String,
    /// Legal canonical positions: clauses of the ON-cover before anything is done.
    pub positions: u64,
    pub compacted_clauses: u64,
    pub compacted_seconds: f64,
    pub expanded_clauses: u64,
    pub expanded_seconds: f64,
    pub irredundant_clauses: u64,
    pub irredundant_seconds: f64,
    pub full_clauses: Option<u64>,
    pub full_seconds: Option<f64>,
    pub half_positions: Option<u64>,
    pub half_compacted_clauses: Option<u64>,
    pub half_expanded_clauses: Option<u64>,
    pub half_irredundant_clauses: Option<u64>,
    /// Bytes of the .pcn file with the irredundant cover, compressed with zstd.
    pub zstd_bytes: u64,
}

impl Row {
    /// The table.
    pub fn material(&self) -> Result<Material> {
        let (material, _) = Material::parse(&self.material)?;
        Ok(material)
    }

    /// The paper's figures for the same table.
    pub fn paper(&self) -> Result<&'static Table4> {
        published::table4(&self.material()?)
            .with_context(|| format!("the paper has no table of {}", self.material))
    }

    /// Clauses after compaction, then expansion, then irredundancy, then the full loop.
    pub fn clauses(&self) -> [Option<u64>; 4] {
        let [compacted, expanded, irredundant] =
            [self.compacted_clauses, self.expanded_clauses, self.irredundant_clauses].map(Some);
        [compacted, expanded, irredundant, self.full_clauses]
    }

    /// Seconds until then.
    pub fn seconds(&self) -> [Option<f64>; 4] {
        let [compacted, expanded, irredundant] =
            [self.compacted_seconds, self.expanded_seconds, self.irredundant_seconds].map(Some);
        [compacted, expanded, irredundant, self.full_seconds]
    }

    /// Clauses of the paper's positions after compaction, then expansion, then irredundancy.
    pub fn half_clauses(&self) -> [Option<u64>; 3] {
        [self.half_compacted_clauses, self.half_expanded_clauses, self.half_irredundant_clauses]
    }

    /// Bytes of the irredundant cover in the paper's plain positional cube notation: eight a clause.
    pub fn pcn_bytes(&self) -> u64 {
        8 * self.irredundant_clauses
    }
}
