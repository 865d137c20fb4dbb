//! The paper's own figures, from the fixtures, by the name of a table; `None` if the paper has no figure.
//!
//! Source: Gomboc & Shelton, tables 2 to 5. In table 4 the paper gives core-hours from the beginning of compaction to the
//! end of each treatment, on a computer of 2019.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::LazyLock;

/// The lines of table 2, of table 3, and of tables 4 and 5, with cells by column; a test reads them all.
static TABLES: LazyLock<[Vec<HashMap<String, String>>; 3]> = LazyLock::new(|| {
    let texts = [
        include_str!("../../../fixtures/paper-table2.tsv"),
        include_str!("../../../fixtures/paper-table3.tsv"),
        include_str!("../../../fixtures/paper-table4-5.tsv"),
    ];
    texts.map(|text| {
        let mut reader = csv::ReaderBuilder::new();
        let mut reader = reader.delimiter(b'\t').comment(Some(b'#')).from_reader(text.as_bytes());
        reader.deserialize().filter_map(Result::ok).collect()
    })
});

/// Some columns of the line of `name`; tables 2 and 3 have a line for the canonical positions and one for the full board.
fn figures<T: FromStr, const N: usize>(
    table: usize,
    name: &str,
    canonical: bool,
    columns: [&str; N],
) -> [Option<T>; N] {
    let set = if canonical { "yes" } else { "no" };
    let line = TABLES[table].iter().find(|line| {
        line["material"] == name && line.get("canonical").is_none_or(|is_canonical| is_canonical == set)
    });
    columns.map(|column| line?.get(column)?.parse().ok())
}

/// Legal positions won, drawn and lost for the side to move (table 2).
pub fn counts(name: &str, canonical: bool) -> [Option<u64>; 3] {
    figures(0, name, canonical, ["win", "draw", "loss"])
}

/// Clauses after compaction alone, after compaction and expansion, and after compaction and the full loop (table 3).
pub fn treatments(name: &str, canonical: bool) -> [Option<u64>; 3] {
    figures(1, name, canonical, ["comp", "comp_exp", "comp_full"])
}

pub fn treatment_seconds(name: &str, canonical: bool) -> [Option<f64>; 3] {
    figures(1, name, canonical, ["comp_s", "comp_exp_s", "comp_full_s"])
}

/// Canonical positions, then clauses after compaction, then expansion, then irredundancy, then the full loop (table 4).
pub fn clauses(name: &str) -> [Option<u64>; 5] {
    figures(2, name, true, ["T_clauses", "compaction_cubes", "ce_cubes", "cei_cubes", "full_cubes"])
}

/// Core-hours until each of these steps.
pub fn hours(name: &str) -> [Option<f64>; 4] {
    figures(2, name, true, ["compaction_h", "ce_h", "cei_h", "full_h"])
}

/// Bytes of the irredundant cover plain and zipped, and of Syzygy's file (table 5).
pub fn bytes(name: &str) -> [Option<u64>; 3] {
    figures(2, name, true, ["pcn_bytes", "pcn_zipped_bytes", "syzygy_wdl_bytes"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use cubebase::Material;

    #[test]
    fn the_fixtures_are_read_whole() {
        let names: Vec<String> = (2..=4).flat_map(Material::all).map(|name| name.to_string()).collect();
        assert!(names.iter().all(|name| clauses(name)[0].is_some() && hours(name)[0].is_some()));
        let sum = |figure: fn(&str) -> Option<u64>| names.iter().filter_map(|name| figure(name)).sum::<u64>();
        assert_eq!(sum(|name| bytes(name)[1]), 948_292, "as the paper says");
        assert_eq!(sum(|name| clauses(name)[3].map(|clauses| 8 * clauses)), sum(|name| bytes(name)[0]));
        assert_eq!(clauses("KPvKP")[2..], [Some(133_103), None, None]);
        assert_eq!(hours("KPvKP")[3], None);
        for name in names.iter().filter(|name| name.len() < 5) {
            for canonical in [false, true] {
                let (treatments, seconds) = (treatments(name, canonical), treatment_seconds(name, canonical));
                assert!(treatments.is_sorted_by(|a, b| a >= b) && treatments[2].is_some(), "{name}");
                assert!(seconds.is_sorted() && seconds[0].is_some(), "{name}");
                let positions: Option<u64> = counts(name, canonical).into_iter().sum();
                assert!(positions.is_some() && !canonical || positions == clauses(name)[0], "{name}");
            }
        }
    }
}
