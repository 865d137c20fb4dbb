//! Published sizes, compiled in: Syzygy's WDL files of three to six men, its DTZ files of three to five, and the paper's results
//! for two to four men.
//!
//! Sources: the published Syzygy files, in `fixtures/syzygy-wdl-bytes.tsv` and `syzygy-dtz-bytes.tsv`; Gomboc & Shelton, tables 4
//! and 5, in `fixtures/paper-table4-5.tsv`. The paper has 80 bytes for a Syzygy table of two bare kings, which does not exist.

use crate::chess::position::Material;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The paper's figures for one table.
///
/// The figures are for fewer positions: if all men are distinct, the paper has about half of this crate's canonical positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaperRow {
    /// The clauses in its file: those of the three-output ON-cover after compaction, expansion and irredundancy. `None` if the
    /// minimizer failed.
    pub clauses: Option<u32>,
    /// The bytes of the compressed file; `None` if the minimizer failed.
    pub zipped_bytes: Option<u32>,
}

/// Returns the size of the Syzygy WDL file of `material` in bytes, for all tables of three to six men.
pub fn syzygy_bytes(material: &Material) -> Option<u64> {
    SYZYGY.get(&material.to_string()).copied()
}

/// Returns the size of the Syzygy DTZ file of `material` in bytes, for all tables of three to five men.
pub fn syzygy_dtz_bytes(material: &Material) -> Option<u64> {
    SYZYGY_DTZ.get(&material.to_string()).copied()
}

/// Returns the paper's figures for `material`, for all tables of two to four men.
pub fn paper_table5(material: &Material) -> Option<PaperRow> {
    PAPER.get(&material.to_string()).copied()
}

/// The lines of a tab-separated file, without comments.
fn lines(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

/// Bytes by material.
type Bytes = HashMap<String, u64>;

static SYZYGY: LazyLock<Bytes> = LazyLock::new(|| bytes(include_str!("../../fixtures/syzygy-wdl-bytes.tsv")));

static SYZYGY_DTZ: LazyLock<Bytes> =
    LazyLock::new(|| bytes(include_str!("../../fixtures/syzygy-dtz-bytes.tsv")));

fn bytes(text: &'static str) -> Bytes {
    let row = |line: Vec<&str>| match line[..] {
        [material, bytes] => Some((material.to_string(), bytes.parse().ok()?)),
        _ => None,
    };
    lines(text).filter_map(row).collect()
}

static PAPER: LazyLock<HashMap<String, PaperRow>> = LazyLock::new(|| {
    let mut lines = lines(include_str!("../../fixtures/paper-table4-5.tsv"));
    let head = lines.next().expect("a head of columns");
    let row = |line: Vec<&str>| {
        let cell = |name: &str| head.iter().position(|column| *column == name).and_then(|at| line.get(at));
        let figure = |name: &str| cell(name).and_then(|cell| cell.parse::<u32>().ok());
        let paper = PaperRow { clauses: figure("cei_cubes"), zipped_bytes: figure("pcn_zipped_bytes") };
        Some((cell("material")?.to_string(), paper))
    };
    lines.filter_map(row).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    fn material(signature: &str) -> Material {
        let material: Material = signature.parse().unwrap();
        assert_eq!(material.to_string(), signature, "as materials write it");
        material
    }

    #[test]
    fn the_sums_are_the_paper_s_totals() {
        assert_eq!(PAPER.keys().map(|name| material(name)).filter(|table| table.len() <= 4).count(), 36);
        let tables: Vec<Material> = (2..=4).flat_map(Material::all).collect();
        let zipped = |table: &&Material| paper_table5(table).unwrap().zipped_bytes;
        assert_eq!(tables.iter().filter_map(|table| zipped(&table)).sum::<u32>(), 948_292);
        let syzygy =
            |tables: &mut dyn Iterator<Item = &Material>| tables.filter_map(syzygy_bytes).sum::<u64>();
        assert_eq!(syzygy(&mut tables.iter()), 1_262_704);
        let both = syzygy(&mut tables.iter().filter(|table| zipped(table).is_some()));
        assert_eq!(both + 80, 1_017_456, "the paper counts 80 bytes for two bare kings");
    }

    /// The sums are those of the published files.
    #[test]
    fn all_syzygy_files_have_a_size() {
        let sum = |men| Material::all(men).iter().map(|table| syzygy_bytes(table).unwrap_or(0)).sum::<u64>();
        assert_eq!((3..=6).map(sum).collect::<Vec<_>>(), [8_464, 1_254_240, 394_842_912, 72_834_067_472]);
        let all: Vec<Material> = (2..=6).flat_map(Material::all).collect();
        let without = all.iter().filter(|table| syzygy_bytes(table).is_none());
        assert_eq!(without.map(Material::to_string).collect::<Vec<_>>(), ["KvK"]);
        assert_eq!(SYZYGY.len() + 1, all.len());
    }

    #[test]
    fn unknown_figures_are_none() {
        let failed = PaperRow { clauses: None, zipped_bytes: None };
        assert_eq!(paper_table5(&material("KPvKP")), Some(failed));
        let five = material("KRPvKR");
        assert_eq!((syzygy_bytes(&five), paper_table5(&five)), (Some(16_378_576), None));
    }
}
