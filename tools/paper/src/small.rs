//! What the paper's tables 2 and 3 say of the tables of two and three men: positions by outcome, and clauses after
//! compaction alone, after compaction and one expansion, and after compaction and the full loop.
//!
//! Source: Gomboc & Shelton, section 3.1. On the full board, and with the paper's canonical positions where it is known
//! which they are. The paper's figures without compaction are left out: it always compacts from there on.

use crate::half;
use crate::measure::{seconds, treat};
use crate::published::Counts;
use anyhow::Result;
use cubebase::export::{Exported, Scope, independent};
use cubebase::retrograde::Table;
use cubebase::{Material, Model};
use espresso::Function;
use espresso::minimize::Step;

/// The treatments, as table 3 has them.
const TREATMENTS: [&[Step]; 3] =
    [&[Step::Compact], &[Step::Compact, Step::Expand], &[Step::Compact, Step::Loop]];

/// One line of both tables.
#[derive(Debug, Clone)]
pub struct Measured {
    pub material: Material,
    /// Whether the positions are the paper's canonical ones, not all of the board.
    pub canonical: bool,
    pub counts: Counts,
    pub clauses: [u64; 3],
    pub seconds: [f64; 3],
}

/// Measures the full board, and then the paper's canonical positions if they are known.
pub fn measure(table: &Table) -> Result<Vec<Measured>> {
    let Exported { function, .. } = independent(table, Model::Binary, &Scope::full_board())?;
    let mut lines = vec![line(table.material(), false, &function)?];
    if half::is_known(table.material()) {
        lines.push(line(table.material(), true, &half::function(table)?)?);
    }
    Ok(lines)
}

fn line(material: &Material, canonical: bool, function: &Function) -> Result<Measured> {
    let mut measured = Measured {
        material: *material,
        canonical,
        counts: counts(function),
        clauses: [0; 3],
        seconds: [0.0; 3],
    };
    let what = format!("{material}, {}", if canonical { "the paper's positions" } else { "full board" });
    for (at, steps) in TREATMENTS.into_iter().enumerate() {
        let (cover, report) = treat(function, steps, &what)?;
        measured.clauses[at] = cover.len() as u64;
        measured.seconds[at] = seconds(&report);
    }
    Ok(measured)
}

/// Positions by outcome: each is a cube of the ON-set with one of the outputs win, draw and loss.
fn counts(function: &Function) -> Counts {
    let space = function.on.space();
    let [win, draw, loss] = [0, 1, 2].map(|output| {
        function.on.iter().filter(|cube| space.get(cube, space.inputs(), output)).count() as u64
    });
    Counts { win, draw, loss }
}
