//! `board`: the file and rank of each man, and the en-passant file. The multi-valued baseline.

use super::family::{Family, Men, Over};
use super::offset::OffsetFamily;
use super::view::View;
use crate::chess::position::Material;

pub(super) const FAMILIES: [Family; 3] = [
    Family::by_offset("file", 8, 2, Over::Man(|_| true), OffsetFamily::File),
    Family::by_offset("rank", 8, 1, Over::Man(|_| true), OffsetFamily::Rank),
    Family::new("ep", 9, 1, Over::Table(Material::has_en_passant), en_passant),
];

/// 0 for none, 1 to 8 for files a to h.
fn en_passant(view: &View<'_>, _: Men) -> u8 {
    view.en_passant().map_or(0, |file| 1 + file % 8)
}
