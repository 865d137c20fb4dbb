//! Published sizes, compiled in: the Syzygy WDL files of three and four men (and five of five men), and the
//! paper's results for the tables of two to four men.
//!
//! Source: Gomboc & Shelton, tables 4 and 5, in `fixtures/paper-table4-5.tsv`; the sizes of Syzygy's files there are those
//! that the files have, and those of five men were read from the files. The paper prints 80 bytes for a Syzygy table of
//! two bare kings that does not exist; it is left out.

use crate::position::Material;
use std::sync::LazyLock;

/// The paper's figures for one table.
///
/// Its canonicalization covers about half of the positions that this crate's does where the men are distinct, so
/// these figures are for fewer positions than ours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaperRow {
    /// Clauses of the three-output ON-cover after compaction, expansion and irredundancy, which is what its files hold;
    /// `None` where the minimizer failed.
    pub clauses: Option<u32>,
    /// Bytes of the compressed file; `None` where the minimizer failed.
    pub zipped_bytes: Option<u32>,
}

/// Returns the size of the Syzygy WDL file of `material` in bytes, for all tables of three and four men and a few
/// of five.
pub fn syzygy_bytes(material: &Material) -> Option<u64> {
    let signature = material.to_string();
    let five = FIVE_MEN.iter().find(|(name, _)| *name == signature).map(|(_, bytes)| *bytes);
    find(material).and_then(|row| row.syzygy_bytes).or(five)
}

/// Returns the paper's figures for `material`, for all tables of two to four men.
pub fn paper_table5(material: &Material) -> Option<PaperRow> {
    find(material).map(|row| row.paper)
}

/// Bytes of some Syzygy files of five men.
const FIVE_MEN: [(&str, u64); 5] = [
    ("KQRvKR", 279_824),
    ("KRBvKR", 2_035_280),
    ("KRNvKR", 1_491_856),
    ("KRPvKR", 16_378_576),
    ("KRRvKR", 334_224),
];

/// A line of the paper's tables 4 and 5.
struct Row {
    material: String,
    paper: PaperRow,
    syzygy_bytes: Option<u64>,
}

/// The lines, in the paper's order.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let text = include_str!("../../fixtures/paper-table4-5.tsv");
    let mut lines =
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().unwrap_or_default();
    let row = |line: Vec<&str>| {
        let cell = |name: &str| head.iter().position(|column| *column == name).and_then(|at| line.get(at));
        let figure = |name: &str| cell(name).and_then(|cell| cell.parse::<u32>().ok());
        let paper = PaperRow { clauses: figure("cei_cubes"), zipped_bytes: figure("pcn_zipped_bytes") };
        let material = cell("material").map(ToString::to_string).unwrap_or_default();
        Row { material, paper, syzygy_bytes: figure("syzygy_wdl_bytes").map(u64::from) }
    };
    lines.map(row).collect()
});

fn find(material: &Material) -> Option<&'static Row> {
    let signature = material.to_string();
    ROWS.iter().find(|row| row.material == signature)
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
        assert_eq!(ROWS.len(), 36);
        for name in ROWS.iter().map(|row| &row.material[..]).chain(FIVE_MEN.map(|(name, _)| name)) {
            assert_eq!(material(name).to_string(), name);
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
    }

    #[test]
    fn where_the_papers_minimizer_failed_there_is_no_size() {
        let row = paper_table5(&material("KPvKP")).unwrap();
        assert_eq!((row.clauses, row.zipped_bytes), (None, None));
        assert_eq!(paper_table5(&material("KRPvKR")), None);
    }
}
