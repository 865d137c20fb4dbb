//! The paper's own figures, from the fixtures.
//!
//! Source: Gomboc & Shelton, tables 2 to 5. In table 4 the paper gives core-hours from the beginning of compaction to the
//! end of each treatment, on a computer of 2019.

use cubebase::Material;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::sync::LazyLock;

/// Legal positions of a table by outcome for the side to move, on the full board and canonical.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Counts {
    pub win: u64,
    pub draw: u64,
    pub loss: u64,
}

/// A line of table 2.
#[derive(Debug, Deserialize)]
pub struct Table2 {
    material: String,
    canonical: String,
    win: u64,
    draw: u64,
    loss: u64,
}

/// A line of table 3: clauses and seconds after compaction alone, after compaction and expansion, and after compaction
/// and the full loop.
#[derive(Debug, Deserialize)]
pub struct Table3 {
    material: String,
    canonical: String,
    comp: u64,
    comp_exp: u64,
    comp_full: u64,
    comp_s: f64,
    comp_exp_s: f64,
    comp_full_s: f64,
}

impl Table3 {
    pub fn clauses(&self) -> [u64; 3] {
        [self.comp, self.comp_exp, self.comp_full]
    }

    pub fn seconds(&self) -> [f64; 3] {
        [self.comp_s, self.comp_exp_s, self.comp_full_s]
    }
}

/// A line of tables 4 and 5. Where the paper's minimizer failed, or there is no Syzygy file, there is no figure.
#[derive(Debug, Deserialize)]
pub struct Table4 {
    material: String,
    #[serde(rename = "T_clauses")]
    pub positions: u64,
    compaction_cubes: Option<u64>,
    ce_cubes: Option<u64>,
    cei_cubes: Option<u64>,
    full_cubes: Option<u64>,
    compaction_h: Option<f64>,
    ce_h: Option<f64>,
    cei_h: Option<f64>,
    full_h: Option<f64>,
    pub pcn_bytes: Option<u64>,
    pub pcn_zipped_bytes: Option<u64>,
    pub syzygy_wdl_bytes: Option<u64>,
}

impl Table4 {
    /// Clauses after compaction, then expansion, then irredundancy, then the full loop.
    pub fn clauses(&self) -> [Option<u64>; 4] {
        [self.compaction_cubes, self.ce_cubes, self.cei_cubes, self.full_cubes]
    }

    /// Core-hours until then.
    pub fn hours(&self) -> [Option<f64>; 4] {
        [self.compaction_h, self.ce_h, self.cei_h, self.full_h]
    }
}

/// Returns the counts of table 2, canonical or of the full board.
pub fn table2(material: &Material, canonical: bool) -> Option<Counts> {
    static ROWS: LazyLock<Vec<Table2>> =
        LazyLock::new(|| rows(include_str!("../../../fixtures/paper-table2.tsv")));
    let row = ROWS.iter().find(|row| is_row(&row.material, &row.canonical, material, canonical))?;
    Some(Counts { win: row.win, draw: row.draw, loss: row.loss })
}

/// Returns the line of table 3, canonical or of the full board.
pub fn table3(material: &Material, canonical: bool) -> Option<&'static Table3> {
    static ROWS: LazyLock<Vec<Table3>> =
        LazyLock::new(|| rows(include_str!("../../../fixtures/paper-table3.tsv")));
    ROWS.iter().find(|row| is_row(&row.material, &row.canonical, material, canonical))
}

/// Returns the line of tables 4 and 5.
pub fn table4(material: &Material) -> Option<&'static Table4> {
    static ROWS: LazyLock<Vec<Table4>> =
        LazyLock::new(|| rows(include_str!("../../../fixtures/paper-table4-5.tsv")));
    ROWS.iter().find(|row| row.material == material.to_string())
}

fn is_row(name: &str, yes_or_no: &str, material: &Material, canonical: bool) -> bool {
    name == material.to_string() && yes_or_no == if canonical { "yes" } else { "no" }
}

/// The rows of a fixture that can be read; a test reads them all.
fn rows<T: DeserializeOwned>(text: &str) -> Vec<T> {
    reader(text).deserialize().filter_map(Result::ok).collect()
}

fn reader(text: &str) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().delimiter(b'\t').comment(Some(b'#')).from_reader(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fixtures_are_read_whole() {
        let tables: Vec<Material> = (2..=4).flat_map(Material::all).collect();
        let rows: Vec<&Table4> = tables.iter().map(|material| table4(material).unwrap()).collect();
        assert_eq!(rows.len(), 36);
        let sum = |figure: fn(&Table4) -> Option<u64>| rows.iter().copied().filter_map(figure).sum::<u64>();
        assert_eq!(sum(|row| row.pcn_zipped_bytes), 948_292, "as the paper says");
        assert_eq!(sum(|row| row.clauses()[2].map(|clauses| 8 * clauses)), sum(|row| row.pcn_bytes));
        let failed = table4(&"KPvKP".parse().unwrap()).unwrap();
        assert_eq!(
            (failed.clauses()[1], failed.clauses()[2], failed.hours()[3]),
            (Some(133_103), None, None)
        );
        for material in tables.iter().filter(|material| material.len() < 4) {
            for canonical in [false, true] {
                let counts = table2(material, canonical).unwrap();
                let row = table3(material, canonical).unwrap();
                assert!(row.clauses().is_sorted_by(|a, b| a >= b) && row.seconds().is_sorted());
                if canonical {
                    let sum = counts.win + counts.draw + counts.loss;
                    assert_eq!(sum, table4(material).unwrap().positions, "{material}");
                }
            }
        }
    }
}
