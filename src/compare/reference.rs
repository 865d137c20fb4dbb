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
        let material: Material = signature.parse().unwrap();
        assert_eq!(material.to_string(), signature, "as materials write it");
        material
    }

    #[test]
    fn the_totals_of_the_paper_come_out() {
        let signatures = ROWS.iter().map(|row| &row.material[..]).chain(FIVE_MEN.map(|(name, _)| name));
        assert_eq!(signatures.map(material).filter(|material| material.len() <= 4).count(), 36);
        let tables: Vec<Material> = (2..=4).flat_map(Material::all).collect();
        let zipped = |table: &&Material| paper_table5(table).unwrap().zipped_bytes;
        assert_eq!(tables.iter().filter_map(|table| zipped(&table)).sum::<u32>(), 948_292);
        let syzygy =
            |tables: &mut dyn Iterator<Item = &Material>| tables.filter_map(syzygy_bytes).sum::<u64>();
        assert_eq!(syzygy(&mut tables.iter()), 1_262_704);
        let both = syzygy(&mut tables.iter().filter(|table| zipped(table).is_some()));
        assert_eq!(both + 80, 1_017_456, "the paper counts 80 bytes for two bare kings");
    }

    #[test]
    fn what_is_not_known_is_none() {
        assert_eq!(tables_without(|table| syzygy_bytes(table).is_some()), ["KvK"]);
        let failed = PaperRow { clauses: None, zipped_bytes: None };
        assert_eq!(paper_table5(&material("KPvKP")), Some(failed));
        let five = material("KRPvKR");
        assert_eq!((syzygy_bytes(&five), paper_table5(&five)), (Some(16_378_576), None));
    }

    fn tables_without(has: impl Fn(&Material) -> bool) -> Vec<String> {
        let tables = (2..=4).flat_map(Material::all).filter(|table| !has(table));
        tables.map(|table| table.to_string()).collect()
    }
}
