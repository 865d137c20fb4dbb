//! `board`: where each man stands, and the en-passant file. The multi-valued baseline.

use super::family::{Family, Men, Over};
use super::view::View;
use crate::position::Material;

pub(super) const FAMILIES: [Family; 3] = [
    Family {
        name: "file",
        parts: 8,
        over: Over::Man(|_| true),
        formula: |view, [a, ..]| view.square(a).file(),
    },
    Family {
        name: "rank",
        parts: 8,
        over: Over::Man(|_| true),
        formula: |view, [a, ..]| view.square(a).rank(),
    },
    Family { name: "ep", parts: 9, over: Over::Table(Material::has_en_passant), formula: en_passant },
];

/// 0 for none, 1 to 8 for files a to h.
fn en_passant(view: &View<'_>, _: Men) -> u8 {
    view.en_passant().map_or(0, |file| 1 + file % 8)
}
