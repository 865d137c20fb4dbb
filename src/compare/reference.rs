//! Published sizes, compiled in: the Syzygy WDL files of three and four men (and five of five men), and the
//! paper's results for the tables of two to four men.
//!
//! Source of the paper's figures: Gomboc & Shelton, tables 4 and 5, in `fixtures/paper-table4-5.tsv`. Source of the Syzygy sizes: the files
//! themselves. The paper prints 80 bytes for a Syzygy table of two bare kings that does not exist; it is left out
//! here.

use crate::position::Material;
use std::sync::LazyLock;

/// The paper's figures for one table: clauses of the three-output ON-cover at each stage, and file sizes.
///
/// Its canonicalization covers about half of the positions that this crate's does where the men are distinct, so
/// these figures are for fewer positions than ours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaperRow {
    /// Clauses of the ON-set before anything is done: one for each position.
    pub positions: u32,
    /// Clauses after compaction (distance-one merging).
    pub compacted: u32,
    /// Clauses after compaction and expansion.
    pub expanded: u32,
    /// Clauses after compaction, expansion and irredundancy, which is what its files hold; `None` where the
    /// minimizer failed.
    pub clauses: Option<u32>,
    /// Clauses after compaction and the full loop; `None` where the minimizer failed.
    pub full: Option<u32>,
    /// Core-hours from the beginning until compaction, expansion, irredundancy and the full loop were done, on a
    /// computer of 2020; `None` where the minimizer failed.
    pub hours: [Option<f64>; 4],
    /// Bytes of the file in plain positional cube notation; `None` where the minimizer failed.
    pub pcn_bytes: Option<u32>,
    /// Bytes of the compressed file; `None` where the minimizer failed.
    pub zipped_bytes: Option<u32>,
}

/// Returns the size of the Syzygy WDL file of `material` in bytes, for all tables of three and four men and a few
/// of five.
pub fn syzygy_bytes(material: &Material) -> Option<u64> {
    find(&SYZYGY_WDL_BYTES, material).copied()
}

/// Returns the paper's row for `material`, for all tables of two to four men.
pub fn paper_table5(material: &Material) -> Option<PaperRow> {
    find(&PAPER_ROWS, material).copied()
}

fn find<'a, T>(rows: &'a [(impl AsRef<str>, T)], material: &Material) -> Option<&'a T> {
    let signature = material.to_string();
    rows.iter().find(|(name, _)| name.as_ref() == signature).map(|(_, figures)| figures)
}

/// Bytes of `SIGNATURE.rtbw`; the paper's order, then the five of five men.
#[rustfmt::skip]
const SYZYGY_WDL_BYTES: [(&str, u64); 40] = [
    ("KQvK", 272),
    ("KRvK", 208),
    ("KBvK", 80),
    ("KNvK", 80),
    ("KPvK", 7_824),
    ("KQQvK", 7_056),
    ("KQRvK", 4_560),
    ("KQBvK", 4_944),
    ("KQNvK", 3_600),
    ("KQPvK", 12_496),
    ("KRRvK", 1_936),
    ("KRBvK", 2_832),
    ("KRNvK", 2_320),
    ("KRPvK", 5_136),
    ("KBBvK", 58_000),
    ("KBNvK", 7_632),
    ("KBPvK", 81_424),
    ("KNNvK", 1_360),
    ("KNPvK", 93_200),
    ("KPPvK", 25_104),
    ("KQvKQ", 16_528),
    ("KQvKR", 20_496),
    ("KQvKB", 6_672),
    ("KQvKN", 10_064),
    ("KQvKP", 58_064),
    ("KRvKR", 12_944),
    ("KRvKB", 32_912),
    ("KRvKN", 100_048),
    ("KRvKP", 179_408),
    ("KBvKB", 1_232),
    ("KBvKN", 2_256),
    ("KBvKP", 107_472),
    ("KNvKN", 1_168),
    ("KNvKP", 148_048),
    ("KPvKP", 245_328),
    ("KQRvKR", 279_824),
    ("KRBvKR", 2_035_280),
    ("KRNvKR", 1_491_856),
    ("KRPvKR", 16_378_576),
    ("KRRvKR", 334_224),
];

/// The paper's tables 4 and 5.
const PAPER: &str = include_str!("../../fixtures/paper-table4-5.tsv");

/// The paper's rows by signature, in its order.
static PAPER_ROWS: LazyLock<Vec<(String, PaperRow)>> = LazyLock::new(|| {
    let mut lines =
        PAPER.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect());
    let head: Vec<&str> = lines.next().unwrap_or_default();
    lines.filter_map(|line: Vec<&str>| paper_row(&head, &line)).collect()
});

/// Reads a row whose columns `head` names; `None` when the paper's figures that every row has are not there.
fn paper_row(head: &[&str], line: &[&str]) -> Option<(String, PaperRow)> {
    let cell = |name: &str| line.get(head.iter().position(|column| *column == name)?).copied();
    let figure = |name: &str| cell(name)?.parse::<u32>().ok();
    let hours = |name: &str| cell(name)?.parse::<f64>().ok();
    let row = PaperRow {
        positions: figure("T_clauses")?,
        compacted: figure("compaction_cubes")?,
        expanded: figure("ce_cubes")?,
        clauses: figure("cei_cubes"),
        full: figure("full_cubes"),
        hours: ["compaction_h", "ce_h", "cei_h", "full_h"].map(hours),
        pcn_bytes: figure("pcn_bytes"),
        zipped_bytes: figure("pcn_zipped_bytes"),
    };
    Some((cell("material")?.to_string(), row))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(signature: &str) -> Material {
        let (material, swapped) = Material::parse(signature).unwrap();
        assert!(!swapped, "{signature} is not written stronger side first");
        material
    }

    #[test]
    fn every_signature_is_written_as_material_writes_it() {
        let names = SYZYGY_WDL_BYTES.iter().map(|row| row.0);
        let names = names.chain(PAPER_ROWS.iter().map(|row| row.0.as_str()));
        for name in names {
            assert_eq!(material(name).to_string(), name);
        }
    }

    /// The paper prints the sizes of the Syzygy files too; they are those that the files have.
    #[test]
    fn the_fixture_is_read_whole() {
        assert_eq!(PAPER_ROWS.len(), 36);
        let queen = paper_table5(&material("KQvKQ")).unwrap();
        assert_eq!(queen.hours, [Some(4.629), Some(19.446), Some(20.915), Some(135.959)]);
        assert_eq!((queen.compacted, queen.full), (250_785, Some(17_641)));
        for line in PAPER.lines().filter(|line| line.starts_with('K')) {
            let cells: Vec<&str> = line.split('\t').collect();
            let bytes = cells.last().unwrap().parse().ok();
            assert_eq!(syzygy_bytes(&material(cells[0])), bytes, "{}", cells[0]);
        }
    }

    #[test]
    fn syzygy_knows_all_thirty_five_tables_of_three_and_four_men() {
        let tables: Vec<Material> = [3, 4].into_iter().flat_map(Material::all).collect();
        assert_eq!(tables.len(), 35);
        let total: u64 = tables.iter().map(|material| syzygy_bytes(material).unwrap()).sum();
        assert_eq!(total, 1_262_704);
        assert_eq!(syzygy_bytes(&material("KvK")), None);
        assert_eq!(syzygy_bytes(&material("KRPvKR")), Some(16_378_576));
    }

    #[test]
    fn the_papers_totals_come_out() {
        let tables: Vec<Material> = (2..=4).flat_map(Material::all).collect();
        let rows: Vec<PaperRow> = tables.iter().map(|material| paper_table5(material).unwrap()).collect();
        assert_eq!(rows.iter().filter_map(|row| row.zipped_bytes).sum::<u32>(), 948_292);
        let against: u64 = tables
            .iter()
            .zip(&rows)
            .filter(|(_, row)| row.zipped_bytes.is_some())
            .filter_map(|(material, _)| syzygy_bytes(material))
            .sum();
        assert_eq!(against + 80, 1_017_456, "the paper counts 80 bytes for two bare kings");
        for row in rows {
            assert_eq!(row.pcn_bytes, row.clauses.map(|clauses| clauses * 8), "one 64-bit word a clause");
        }
    }

    #[test]
    fn where_the_papers_minimizer_failed_there_is_no_size() {
        let row = paper_table5(&material("KPvKP")).unwrap();
        assert_eq!((row.expanded, row.clauses, row.zipped_bytes), (133_103, None, None));
        assert_eq!(paper_table5(&material("KRPvKR")), None);
    }
}
