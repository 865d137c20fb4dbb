//! The cubes of a cover as the sections of a .pcn file.

use super::columns::{Columns, OUTPUTS};
use super::scope::Scope;
use crate::chess::model::Model;
use crate::chess::position::Color;
use crate::chess::retrograde::Table;
use crate::covers::frozen::{Clauses, Covers, Layout, Section, Turns};
use crate::error::Result;
use crate::pcn::Pcn;
use espresso::Cover;

/// Returns the file content of a cover. Each outcome has a section for both sides to move, one for White and one for Black; if
/// one side is stored, only the section for White. A cube with several outputs becomes a clause in the section of each.
pub(super) fn from_cover(table: &Table, model: Model, cover: &Cover, columns: &Columns) -> Result<Pcn> {
    let (material, space) = (*table.material(), cover.space());
    let layout = Layout::new(model, &material);
    let stored = material.stored_turns();
    let mut sections = Vec::new();
    for (output, &outcome) in OUTPUTS.iter().enumerate() {
        // If one side to move is stored, "both" and White are the same.
        let sets = [Turns::Both, Turns::White, Turns::Black];
        for &turns in if stored.len() == 1 { &[Turns::White][..] } else { &sets } {
            let clauses = clauses(cover, columns, &layout, |cube| {
                let exact = |turn: &Color| space.get(cube, 0, turn.index()) == turns.contains(*turn);
                stored.iter().all(exact) && space.get(cube, space.inputs(), output)
            });
            sections.push(Section { turns, outcome, clauses });
        }
    }
    let anchors = stored.iter().map(|turn| Scope::default().anchors[turn.index()]).collect();
    Pcn::of_covers(material, model, anchors, Covers { sections }, table.hash())
}

/// Returns the cubes for which `keep` holds as clauses of `layout`, without the side to move and the outputs.
fn clauses(cover: &Cover, columns: &Columns, layout: &Layout, keep: impl Fn(&[u64]) -> bool) -> Clauses {
    let space = cover.space();
    let mut words = Vec::new();
    for cube in cover.iter().filter(|cube| keep(cube)) {
        let mut clause = layout.universe();
        for (number, &variable) in columns.variables().iter().enumerate() {
            let parts =
                (0..space.variables()[variable].parts).filter(|&part| space.get(cube, variable, part));
            layout.set_literal(&mut clause, number, parts.fold(0, |literal, part| literal | 1 << part));
        }
        words.extend(clause);
    }
    Clauses::new(layout.words(), &words)
}
