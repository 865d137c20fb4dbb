//! The codes of a material, a side to move and an outcome in a file, in both directions.

use crate::chess::position::{Material, Wdl};
use crate::covers::frozen::Turns;
use crate::error::{Error, ErrorKind, Result};
use alloc::string::{String, ToString};

/// The first two bytes of a file of chess outcomes without castling rights. The second byte is the version.
pub const MAGIC: [u8; 2] = [0xe7, 3];

/// The version of a file with castling rights.
pub(in crate::pcn) const WITH_CASTLING: u8 = 4;

/// The version of a file of another game than chess.
pub(in crate::pcn) const OTHER_GAME: u8 = 5;

/// The version of a file of distances.
pub(in crate::pcn) const DISTANCES: u8 = 6;

/// The version of a file that has trees of the 50-move rule, or does not know the outcomes under the rule.
pub(in crate::pcn) const UNDER_RULE: u8 = 7;

/// The version of a file of a ranking.
pub(in crate::pcn) const RANKING: u8 = 8;

/// The bits of the byte after [`UNDER_RULE`]: castling rights follow the sections; the outcomes under the rule are known.
pub(in crate::pcn) const HAS_CASTLING: u8 = 1;
pub(in crate::pcn) const KNOWS_RULE: u8 = 2;

/// The kind of the section of castling rights.
pub(in crate::pcn) const CASTLING: u8 = 0;

/// The bit in a section's kind that is set for a tree and clear for clauses.
pub(in crate::pcn) const TREE: u8 = 1 << 5;

/// The code in place of an outcome, for a tree without exceptions; and three set bits in the byte of a side.
pub(in crate::pcn) const NO_OUTCOME: u8 = 7;

/// The code in place of an outcome, for a tree with exceptions.
pub(in crate::pcn) const WITH_EXCEPTIONS: u8 = 6;

/// The code of an outcome; 1 and 3 are reserved for the two outcomes that the 50-move rule adds.
pub(in crate::pcn) const fn outcome_code(outcome: Wdl) -> u8 {
    match outcome {
        Wdl::Loss => 0,
        Wdl::Draw => 2,
        Wdl::Win => 4,
    }
}

pub(in crate::pcn) const fn turns_code(turns: Turns) -> u8 {
    match turns {
        Turns::White => 1,
        Turns::Black => 2,
        Turns::Both => 3,
    }
}

/// The characters of the digits of a material's number. 0 separates White's men from Black's; 1 to 5 are men other than kings.
const DIGITS: &str = "vQRBNP";

/// Returns the number of `material` in files. Its digits in base 6 are White's men without the king, then a 0, then Black's.
pub(in crate::pcn) fn material_number(material: &Material) -> u64 {
    let signature = material.to_string();
    signature.chars().filter_map(|man| DIGITS.find(man)).fold(0, |number, digit| 6 * number + digit as u64)
}

pub(in crate::pcn) fn material_of(number: u64) -> Result<Material> {
    let (mut rest, mut text) = (number, String::new());
    while rest > 0 || text.is_empty() {
        text.insert(0, DIGITS.as_bytes()[(rest % 6) as usize].into());
        rest /= 6;
    }
    match format!("K{}", text.replace('v', "vK")).parse::<Material>() {
        Ok(material) if material_number(&material) == number => Ok(material),
        _ => Err(Error::corrupt(format!("{number} is the number of no material"))),
    }
}

/// Returns the byte of a side to move, which has its anchor.
pub(in crate::pcn) fn side_code(anchor: usize) -> u8 {
    anchor as u8 | NO_OUTCOME << 3
}

pub(in crate::pcn) fn side_of(byte: u8) -> Result<usize> {
    match byte >> 3 {
        NO_OUTCOME => Ok(usize::from(byte & 7)),
        0..=4 => Err(Error::new(
            ErrorKind::UnsupportedVersion,
            "covers with a default outcome, as earlier builds made them",
        )),
        _ => Err(Error::corrupt(format!("reserved bits of a side: {byte:#04x}"))),
    }
}

pub(in crate::pcn) fn turns_of(code: u8) -> Result<Turns> {
    match code {
        1 => Ok(Turns::White),
        2 => Ok(Turns::Black),
        3 => Ok(Turns::Both),
        _ => Err(Error::corrupt("a section for neither side to move")),
    }
}

pub(in crate::pcn) fn outcome_of(code: u8) -> Result<Wdl> {
    match Wdl::ALL.into_iter().find(|&outcome| outcome_code(outcome) == code) {
        Some(outcome) => Ok(outcome),
        None if code < 5 => Err(Error::new(
            ErrorKind::UnsupportedVersion,
            "an outcome under the 50-move rule, which is unknown",
        )),
        None => Err(Error::corrupt(format!("outcome {code}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_have_numbers_of_their_own() {
        let eight: Material = "KQQPPvKPP".parse().unwrap();
        for material in (2..=5).flat_map(Material::all).chain([eight]) {
            assert_eq!(material_of(material_number(&material)).unwrap(), material);
        }
        let number = |text: &str| material_number(&text.parse().unwrap());
        assert_eq!([number("KvK"), number("KQvK"), number("KRvKR")], [0, 6, 74]);
        for wrong in [1, 5, 7, 2 * 36 + 1, u64::MAX] {
            assert!(material_of(wrong).is_err(), "{wrong}");
        }
    }
}
