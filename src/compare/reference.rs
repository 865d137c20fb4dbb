//! Published sizes, compiled in: the Syzygy WDL files of three and four men (and five of five men), and the
//! paper's results for the tables of two to four men.
//!
//! Source of the paper's figures: Gomboc & Shelton, tables 4 and 5. Source of the Syzygy sizes: the files
//! themselves. The paper prints 80 bytes for a Syzygy table of two bare kings that does not exist; it is left out
//! here.

use crate::position::Material;

/// The paper's figures for one table: clauses of the three-output ON-cover at each stage, and file sizes.
///
/// Its canonicalization covers about half of the positions that this crate's does where the men are distinct, so
/// these figures are for fewer positions than ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    let &[positions, compacted, expanded, clauses, full, pcn, zipped] = find(&PAPER, material)?;
    let known = |figure: u32| (figure != 0).then_some(figure);
    Some(PaperRow {
        positions,
        compacted,
        expanded,
        clauses: known(clauses),
        full: known(full),
        pcn_bytes: known(pcn),
        zipped_bytes: known(zipped),
    })
}

fn find<'a, T>(rows: &'a [(&str, T)], material: &Material) -> Option<&'a T> {
    let signature = material.to_string();
    rows.iter().find(|(name, _)| *name == signature).map(|(_, figures)| figures)
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

/// Positions; clauses compacted, expanded, irredundant, full; bytes plain, compressed. Zero: the paper has none.
#[rustfmt::skip]
const PAPER: [(&str, [u32; 7]); 36] = [
    ("KvK", [492, 94, 1, 1, 1, 8, 64]),
    ("KQvK", [24_851, 4_586, 235, 204, 187, 1_632, 748]),
    ("KRvK", [27_212, 4_415, 191, 170, 158, 1_360, 636]),
    ("KBvK", [28_215, 4_326, 1, 1, 1, 8, 64]),
    ("KNvK", [29_060, 3_528, 1, 1, 1, 8, 64]),
    ("KPvK", [85_018, 12_971, 2_706, 2_243, 2_004, 17_944, 6_252]),
    ("KQQvK", [1_199_825, 125_819, 6_257, 4_681, 4_089, 37_448, 13_652]),
    ("KQRvK", [1_385_863, 120_377, 2_097, 1_702, 1_492, 13_616, 5_096]),
    ("KQBvK", [1_429_843, 149_698, 6_820, 5_026, 4_252, 40_208, 14_332]),
    ("KQNvK", [1_465_555, 133_683, 3_789, 2_905, 2_500, 23_240, 8_728]),
    ("KQPvK", [4_308_718, 221_360, 8_100, 6_020, 5_183, 48_160, 18_432]),
    ("KRRvK", [1_385_236, 107_206, 415, 320, 288, 2_560, 1_244]),
    ("KRBvK", [1_554_111, 149_201, 4_421, 3_214, 2_640, 25_712, 8_976]),
    ("KRNvK", [1_589_978, 132_801, 2_588, 1_955, 1_685, 15_640, 5_776]),
    ("KRPvK", [4_653_226, 197_993, 6_035, 4_444, 3_860, 35_552, 13_816]),
    ("KBBvK", [1_481_141, 149_839, 2_579, 1_874, 1_747, 14_992, 5_748]),
    ("KBNvK", [1_644_205, 165_696, 9_343, 6_956, 6_042, 55_648, 21_040]),
    ("KBPvK", [4_841_590, 313_838, 27_711, 21_321, 18_686, 170_568, 60_612]),
    ("KNNvK", [1_562_304, 106_484, 110, 90, 76, 720, 424]),
    ("KNPvK", [4_974_103, 292_502, 30_974, 24_052, 21_335, 192_416, 69_272]),
    ("KPPvK", [3_803_456, 262_735, 23_176, 16_777, 14_480, 134_216, 47_460]),
    ("KQvKQ", [1_120_431, 250_785, 32_145, 21_019, 17_641, 168_152, 66_140]),
    ("KQvKR", [1_329_609, 153_187, 12_247, 8_396, 7_279, 67_168, 25_956]),
    ("KQvKB", [1_413_932, 204_852, 12_951, 7_878, 6_798, 63_024, 23_160]),
    ("KQvKN", [1_461_810, 166_111, 9_539, 5_015, 4_215, 40_120, 15_820]),
    ("KQvKP", [4_316_927, 308_727, 24_827, 18_944, 16_958, 151_552, 54_624]),
    ("KRvKR", [1_349_331, 200_785, 17_138, 11_151, 9_432, 89_208, 36_328]),
    ("KRvKB", [1_553_387, 191_334, 13_094, 9_258, 7_995, 74_064, 29_092]),
    ("KRvKN", [1_601_265, 202_919, 29_200, 21_890, 18_682, 175_120, 69_512]),
    ("KRvKP", [4_669_822, 387_566, 57_060, 45_850, 40_943, 366_800, 131_720]),
    ("KBvKB", [1_480_764, 153_678, 36, 33, 33, 264, 176]),
    ("KBvKN", [1_661_198, 108_600, 22, 20, 20, 160, 140]),
    ("KBvKP", [4_870_169, 407_929, 40_749, 30_224, 25_952, 241_792, 88_784]),
    ("KNvKN", [1_568_855, 124_679, 21, 20, 20, 160, 140]),
    ("KNvKP", [4_669_822, 410_373, 46_307, 35_363, 31_040, 282_904, 104_264]),
    ("KPvKP", [3_720_494, 580_870, 133_103, 0, 0, 0, 0]),
];

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
        let names = SYZYGY_WDL_BYTES.iter().map(|row| row.0).chain(PAPER.iter().map(|row| row.0));
        for name in names {
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
