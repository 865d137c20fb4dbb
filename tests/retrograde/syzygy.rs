//! Every legal position against the Syzygy files, if these exist.

use crate::skip;
use cubebase::chess::retrograde::Store;
use cubebase::compare::syzygy::Syzygy;
use cubebase::position::{Color, Material, Position, Square};
use std::path::Path;
use std::sync::OnceLock;

/// The Syzygy files, opened once in the process, if they include that of `material`; prints a line if they do not.
pub fn files_of(material: &Material) -> Option<&'static Syzygy> {
    static OPENED: OnceLock<Option<Syzygy>> = OnceLock::new();
    let opened = OPENED.get_or_init(|| {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/syzygy");
        let materials: Vec<Material> = (3..=4).flat_map(Material::all).collect();
        directory.is_dir().then(|| Syzygy::open(&[directory], &materials).unwrap())
    });
    let found = opened.as_ref().filter(|files| files.has(material));
    if found.is_none() {
        skip::for_want_of(&format!("{material}.rtbw in ../shared/syzygy"));
    }
    found
}

/// Every legal placement on the whole board, canonical or not.
#[test]
fn three_men() {
    let store = Store::new(None);
    for material in Material::all(3) {
        let Some(syzygy) = files_of(&material) else { continue };
        let table = store.get(&material).unwrap();
        for placement in 0..2 << 18 {
            let squares = [0, 6, 12].map(|shift| Square::new((placement >> shift) as u8));
            let turn = Color::BOTH[placement >> 18];
            let position = Position::new(material, &squares, turn, None);
            if position.is_legal() {
                assert_eq!(syzygy.wdl(&position).ok(), table.wdl(&position).ok(), "{}", position.to_fen());
            }
        }
    }
}
