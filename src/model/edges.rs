//! Edges: how far men are from the rim and the corners of the board.

use super::plan::{Family, Men, Over, any};
use super::view::View;

pub(super) const FAMILIES: [Family; 2] = [
    Family {
        name: "edge",
        parts: 4,
        over: Over::Man(any),
        formula: |view, men| {
            let (files, ranks) = margins(view, men);
            files.min(ranks)
        },
    },
    Family {
        name: "corner",
        parts: 4,
        over: Over::Man(any),
        formula: |view, men| {
            let (files, ranks) = margins(view, men);
            files.max(ranks)
        },
    },
];

/// The files and the ranks between the man and the nearest edge.
fn margins(view: &View<'_>, [a, ..]: Men) -> (u8, u8) {
    let square = view.square(a);
    (square.file().min(7 - square.file()), square.rank().min(7 - square.rank()))
}
