//! `binary`, version 1: the paper's encoding (Gomboc & Shelton, section 2.4) without its first input.
//!
//! Each man, in the material's numbering, has six two-valued variables: the number of its square, most significant bit first.
//! Squares count row by row from a8 = 0 to h1 = 63, so that c8 is 000010 and a6 is 010000. With pawns on both sides four
//! more variables follow, which the paper does not have: 0000 if no en-passant capture is possible, otherwise 1 and the
//! file of the pawn that can be captured (a = 000 to h = 111).

use super::family::MenNumbers;
use super::view::View;
use crate::chess::model::{Variable, man_names};
use crate::chess::position::{MAX_MEN, Material};
use alloc::borrow::ToOwned;
use alloc::vec::Vec;

const SQUARE_BITS: usize = 6;
const EN_PASSANT_BITS: usize = 4;

/// The average time of a variable's formula.
#[cfg(feature = "build")]
pub(in crate::chess::model) const NANOSECONDS: u8 = 2;

pub(in crate::chess::model) fn variables(material: &Material) -> Vec<Variable> {
    let bits = |name: &str, count: usize| {
        let name = name.to_owned();
        (0..count).rev().map(move |bit| Variable { name: format!("{name}{bit}"), values: 2 })
    };
    let mut variables: Vec<_> = man_names(material).iter().flat_map(|name| bits(name, SQUARE_BITS)).collect();
    if material.has_en_passant() {
        variables.extend(bits("ep", EN_PASSANT_BITS));
    }
    variables
}

/// Returns the man and the bit (0 is the least significant) of the variable whose code has these digits. The en-passant file
/// counts as a man after the last man.
#[inline]
pub(in crate::chess::model) fn man_and_bit([a, b, c]: MenNumbers, men: usize) -> [usize; 2] {
    // Here the three digits are not men: they are the variable's number.
    let number = (a * MAX_MEN + b) * MAX_MEN + c;
    match number.checked_sub(men * SQUARE_BITS) {
        None => [number / SQUARE_BITS, SQUARE_BITS - 1 - number % SQUARE_BITS],
        Some(bit) => [men, EN_PASSANT_BITS - 1 - bit],
    }
}

/// A bit of a man's square or of the en-passant file.
pub(in crate::chess::model) fn bit(view: &View<'_>, digits: MenNumbers) -> u8 {
    let [man, bit] = man_and_bit(digits, view.squares().len());
    match view.squares().get(man) {
        // The paper counts squares from a8.
        Some(square) => (square.index() ^ 0o70) as u8 >> bit & 1,
        None => view.en_passant().map_or(0, |file| 8 | file) >> bit & 1,
    }
}

#[cfg(test)]
mod tests {
    use crate::chess::model::Model;
    use crate::chess::position::Position;

    #[test]
    fn the_example_of_the_paper() {
        // White king c8, black king a6, white knight a8, black pawn b7.
        let position = Position::from_fen("N1K5/1p6/k7/8/8/8/8/8 w - - 0 1").unwrap();
        let variables = Model::Binary.variable_set(position.material());
        let view = variables.view(&position);
        let values =
            (0..variables.variables().len()).map(|variable| variables.value(&view, variable).to_string());
        assert_eq!(values.collect::<String>(), "000010010000000000001001");
    }
}
