//! The paper's own canonical positions: what its counts are of, found out from them.
//!
//! Source: Gomboc & Shelton, tables 2 to 4. The white king leads, and a position counts only where its square, folded by
//! the board's symmetries, does not come behind the black king's. That is the rule of a material that may exchange
//! the colours, applied to every material: the other half of the positions is in no table at all. Squares count from
//! a8 = 0; with pawns they are folded to files a to d, the black king's after a turn of the board upside down, else
//! into the triangle. Identical men are not sorted there, and pawnless tables with identical men have some more
//! positions left out by a rule that is not known; neither is done here.

use crate::export::{Columns, Exported, OUTPUTS};
use crate::position::Material;
use espresso::Function;

/// Whether the rule is known for `material`: all of its men are distinct, and the colours cannot be exchanged.
pub(super) fn is_known(material: &Material) -> bool {
    !material.is_symmetric() && material.groups().iter().all(|group| group.len() == 1)
}

/// Returns the function of `exported`, in the `binary` model with the white king leading, with the positions that the
/// paper leaves out as don't-cares.
pub(super) fn of(exported: Exported, material: &Material) -> Function {
    let Exported { mut function, columns } = exported;
    let pawns = material.has_pawns();
    let is_left_out = |cube: &[u64]| {
        let [white, black] = [0, 1].map(|king| square(cube, &columns, king));
        place(white, pawns) > place(if pawns { black ^ 0o70 } else { black }, pawns)
    };
    // Every position has a cube in the ON-set; with all outputs it is the don't-care.
    let space = columns.space();
    for cube in function.on.iter().filter(|cube| is_left_out(cube)) {
        let mut all = cube.to_vec();
        (0..OUTPUTS.len()).for_each(|output| space.set(&mut all, space.inputs(), output));
        function.dc.push(&all);
    }
    function.on.retain(|_, cube| !is_left_out(cube));
    function.off.retain(|_, cube| !is_left_out(cube));
    function
}

/// The square of man number `man` in a minterm, a8 = 0.
fn square(minterm: &[u64], columns: &Columns, man: usize) -> usize {
    let bits = &columns.variables()[6 * man..6 * (man + 1)];
    bits.iter().fold(0, |square, &bit| 2 * square + usize::from(columns.space().get(minterm, bit, 1)))
}

/// The lowest of the squares that the board's symmetries bring `square` to.
fn place(square: usize, pawns: bool) -> usize {
    let (row, file) = (square / 8, square % 8);
    let file = file.min(7 - file);
    if pawns {
        return 8 * row + file;
    }
    let row = row.min(7 - row);
    8 * row.min(file) + row.max(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::paper_table5;
    use crate::export::{Scope, independent};
    use crate::model::Model;
    use crate::retrograde::Store;

    #[test]
    fn the_papers_counts_come_out() {
        let store = Store::new(None);
        let scope = Scope { leads: [0; 2], ..Scope::default() };
        for name in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"] {
            let material: Material = name.parse().unwrap();
            let exported = independent(&store.get(&material).unwrap(), Model::Binary, &scope).unwrap();
            let whole = exported.function.on.len();
            let half = of(exported, &material);
            assert_eq!(half.on.len(), paper_table5(&material).unwrap().positions as usize, "{name}");
            assert_eq!(half.off.len(), half.on.len(), "{name}: each has one outcome and lacks two");
            assert!(half.on.len() < whole);
        }
    }

    #[test]
    fn known_for_distinct_men() {
        for (name, known) in [("KvK", false), ("KQvKR", true), ("KQvKQ", false), ("KNNvK", false)] {
            assert_eq!(is_known(&name.parse().unwrap()), known, "{name}");
        }
    }
}
