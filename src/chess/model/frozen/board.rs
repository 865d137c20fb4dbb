//! `board`: the file and rank of each man, and the en-passant file. The multi-valued baseline.

use super::family::{Arity, Family, MenNumbers};
use super::offset::OffsetFamily;
use super::view::View;
use crate::chess::position::Material;

pub(in crate::chess::model) const FAMILIES: [Family; 3] = [
    Family::by_offset("file", 8, 2, Arity::Man(|_| true), OffsetFamily::File),
    Family::by_offset("rank", 8, 1, Arity::Man(|_| true), OffsetFamily::Rank),
    Family::new("ep", 9, 1, Arity::Table(Material::has_en_passant), en_passant),
];

/// 0 for none, 1 to 8 for files a to h.
fn en_passant(view: &View<'_>, _: MenNumbers) -> u8 {
    view.en_passant().map_or(0, |file| 1 + file % 8)
}
