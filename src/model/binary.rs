//! `binary`, version 1: the paper's encoding (Gomboc & Shelton, section 2.4) without its first input.
//!
//! Each man, in the material's numbering, gives six two-part variables: the number of its square, counted from
//! a8 = 0 row by row to h1 = 63, most significant bit first. So c8 is 000010 and a6 is 010000.
//! With pawns on both sides four more follow, which the paper does not have: 0000 when no en-passant capture is
//! possible, otherwise 1 and the file of the pawn that may be taken (a = 000 to h = 111).

use super::family::Men;
use super::view::View;
use super::{Variable, man_names};
use crate::position::{Material, Square};

const SQUARE_BITS: usize = 6;
const EN_PASSANT_BITS: usize = 4;

pub(super) fn variables(material: &Material) -> Vec<Variable> {
    let bits = |name: &str, count: usize| {
        let name = name.to_owned();
        (0..count).rev().map(move |bit| Variable { name: format!("{name}{bit}"), parts: 2 })
    };
    let mut variables: Vec<_> = man_names(material).iter().flat_map(|name| bits(name, SQUARE_BITS)).collect();
    if material.has_en_passant() {
        variables.extend(bits("ep", EN_PASSANT_BITS));
    }
    variables
}

/// Variable number `number`: a bit of a man's square, or after the men one of the en-passant file.
pub(super) fn bit(view: &View<'_>, [number, ..]: Men) -> u8 {
    let (man, bit) = (number / SQUARE_BITS, number % SQUARE_BITS);
    match view.squares().get(man) {
        Some(square) => square_code(*square) >> (SQUARE_BITS - 1 - bit) & 1,
        None => en_passant_code(view.en_passant()) >> (EN_PASSANT_BITS - 1 - bit) & 1,
    }
}

/// The paper's number of a square, from a8 = 0.
fn square_code(square: Square) -> u8 {
    (7 - square.rank()) << 3 | square.file()
}

fn en_passant_code(file: Option<u8>) -> u8 {
    file.map_or(0, |file| 8 | file)
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use crate::position::{Color, Material, Position, Square};

    fn parts(material: &str, squares: &[&str], en_passant: Option<u8>) -> String {
        let material: Material = material.parse().unwrap();
        let squares: Vec<_> = squares.iter().map(|text| Square::parse(text).unwrap()).collect();
        let mut parts = vec![0; Model::Binary.variables(&material).len()];
        Model::Binary.evaluate(&Position::new(material, &squares, Color::White, en_passant), &mut parts);
        parts.iter().map(u8::to_string).collect()
    }

    fn names(material: &str) -> Vec<String> {
        let material = material.parse().unwrap();
        Model::Binary.variables(&material).into_iter().map(|variable| variable.name).collect()
    }

    #[test]
    fn the_example_of_the_paper() {
        // White king c8, black king a6, white knight a8, black pawn b7.
        assert_eq!(parts("KNvKP", &["c8", "a6", "a8", "b7"], None), "000010010000000000001001");
    }

    #[test]
    fn corners() {
        assert_eq!(parts("KvK", &["a1", "h1"], None), "111000111111");
        assert_eq!(parts("KvK", &["a8", "h8"], None), "000000000111");
    }

    #[test]
    fn en_passant_has_its_own_four_bits() {
        let squares = ["e1", "e8", "b5", "c5"];
        assert!(parts("KPvKP", &squares, None).ends_with("0000"));
        assert!(parts("KPvKP", &squares, Some(0)).ends_with("1000"));
        assert!(parts("KPvKP", &squares, Some(2)).ends_with("1010"));
        assert_eq!(parts("KPvKP", &squares, None).len(), 28);
        assert_eq!(parts("KPPvK", &squares, None).len(), 24);
    }

    #[test]
    fn names_follow_colour_role_and_bit() {
        let expected: Vec<_> =
            ["wk", "bk"].iter().flat_map(|man| (0..6).rev().map(move |bit| format!("{man}{bit}"))).collect();
        assert_eq!(names("KvK"), expected);
        let pawns = names("KPPvKP");
        assert_eq!(pawns[12], "wpa5");
        assert_eq!(pawns[18], "wpb5");
        assert_eq!(pawns[24], "bp5");
        assert_eq!(pawns[30..], ["ep3", "ep2", "ep1", "ep0"]);
    }
}
