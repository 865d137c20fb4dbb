//! The paper's own canonical positions, inferred from its counts.
//!
//! Source: Gomboc & Shelton, tables 2 to 4. The white king is the anchor. A position counts only if the white king's square,
//! mapped by the board's symmetries, does not come after the black king's. That rule fits a material whose colours may be
//! exchanged, but the paper applies it to every material, so half of the positions are in no table. Squares count from
//! a8 = 0. Without pawns, both kings' squares are mapped into the triangle a8, d8, d5. With pawns, they are mirrored to files
//! a to d; before that, the black king's square is turned upside down. The paper does not sort identical men, and in pawnless
//! tables with identical men it leaves out more positions, by an unknown rule; neither is reproduced here.

use anyhow::Result;
use cubebase::chess::retrograde::Table;
use cubebase::covers::{Columns, Exported, OUTPUTS, Scope, paper_function};
use cubebase::{Material, Model};
use espresso::Function;

/// Whether the rule is known for `material`: all its men are distinct, and the colours cannot be exchanged.
pub fn is_known(material: &Material) -> bool {
    !material.is_symmetric() && material.groups().iter().all(|group| group.len() == 1)
}

/// Returns the function of `table` in the `binary` model. Positions that the paper leaves out are don't-cares.
pub fn function(table: &Table) -> Result<Function> {
    let scope = Scope { anchors: [0; 2], ..Scope::default() };
    let Exported { mut function, columns } = paper_function(table, Model::Binary, &scope)?;
    let pawns = table.material().has_pawns();
    let is_left_out = |cube: &[u64]| {
        let [white, black] = [0, 1].map(|king| square(cube, &columns, king));
        place(white, pawns) > place(if pawns { black ^ 0o70 } else { black }, pawns)
    };
    // Every position has a cube in the ON-set; with all outputs added, it is the cube of a don't-care.
    let space = columns.space();
    for cube in function.on.iter().filter(|cube| is_left_out(cube)) {
        let mut all = cube.to_vec();
        (0..OUTPUTS.len()).for_each(|output| space.set(&mut all, space.inputs(), output));
        function.dc.push(&all);
    }
    function.on.retain(|_, cube| !is_left_out(cube));
    function.off.retain(|_, cube| !is_left_out(cube));
    Ok(function)
}

/// The square of man number `man` in a minterm, a8 = 0.
fn square(minterm: &[u64], columns: &Columns, man: usize) -> usize {
    let bits = &columns.variables()[6 * man..6 * (man + 1)];
    bits.iter().fold(0, |square, &bit| 2 * square + usize::from(columns.space().get(minterm, bit, 1)))
}

/// The lowest image of `square` under the board's symmetries.
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
    use cubebase::chess::retrograde::Store;

    #[test]
    fn every_position_has_one_outcome_and_lacks_two() {
        let table = Store::new(None).get(&"KRvK".parse().unwrap()).unwrap();
        let half = function(&table).unwrap();
        assert_eq!((half.on.len(), half.off.len()), (27_212, 27_212));
    }

    #[test]
    fn known_for_distinct_men() {
        for (name, known) in [("KvK", false), ("KQvKR", true), ("KQvKQ", false), ("KNNvK", false)] {
            assert_eq!(is_known(&name.parse().unwrap()), known, "{name}");
        }
    }
}
