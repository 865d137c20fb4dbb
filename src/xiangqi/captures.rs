//! Captures, the only moves that change the material. They are looked up in the sub-tables for all positions of a word.
//!
//! A capture outside the black palace keeps the bits of a word in their places. A capture of a black assistant, or by the
//! palace's men, moves each bit to a place of its own. An illegal move leads to a slot that holds no position.

use super::Xiangqi;
use super::frozen::groups::MenPoints;
use super::frozen::index::{BlockPieces, Index, WORD, image};
use super::man::{Man, Role};
use super::material::Material;
use super::point::{Point, Points};
use crate::outcome::Color;
use crate::retrograde::bits::ones;
use crate::retrograde::game::Numbering;
use crate::retrograde::rules::{ConversionPlies, Conversions};
use crate::retrograde::table::{Table, outcome_of};
use std::sync::Arc;

/// A sub-table, after a capture.
#[derive(Debug)]
struct After {
    table: Arc<Table<Xiangqi>>,
    /// If a black assistant is captured: for each bit, the point of each assistant and the bit after its capture.
    without: Vec<Vec<(Point, u8)>>,
}

/// The captures of a material, with the tables that they lead to.
#[derive(Debug)]
pub struct CaptureTables {
    index: Index,
    /// By captured man; `None` for generals.
    after: Vec<Option<After>>,
}

/// The materials after a capture of each man; `None` for generals.
pub(super) fn after_captures(material: &Material) -> Vec<Option<Material>> {
    let roles = |color, captured: usize| -> Vec<Role> {
        let men = material.men().iter().enumerate().skip(2);
        men.filter(|&(at, man)| at != captured && man.color == color).map(|(_, man)| man.role).collect()
    };
    let without = |captured| {
        let (material, _) =
            Material::new(&roles(Color::White, captured), &roles(Color::Black, captured)).ok()?;
        Some(material)
    };
    (0..material.len()).map(|captured| without(captured).filter(|_| captured > 1)).collect()
}

/// Returns the points in the numbering of the material after the capture of man number `man`.
fn remove(placed: &MenPoints, man: usize) -> MenPoints {
    let mut after = *placed;
    after[man..].rotate_left(1);
    after
}

impl After {
    fn new(index: &Index, captured: usize, table: &Arc<Table<Xiangqi>>) -> Self {
        let mut without = Vec::new();
        if index.material().men()[captured] == Man::new(Color::Black, Role::Assistant) {
            let assistants = index
                .material()
                .groups()
                .find(|men| men.contains(&captured))
                .expect("each man is in a group");
            without = (0..WORD as usize)
                .map(|bit| {
                    let Some(placed) = index.palace().placed(bit) else { return Vec::new() };
                    let of = |man: usize| {
                        Some((placed[man], table.index().palace().rank(&remove(&placed, man))? as u8))
                    };
                    assistants.clone().filter_map(of).collect()
                })
                .collect();
        }
        After { table: Arc::clone(table), without }
    }
}

/// The look-up of the captures of one word.
struct Lookup<'a> {
    turn: Color,
    /// The positions with a capture that loses, draws and wins for the side to move, by [`Wdl::index`].
    values: [u128; 3],
    plies: Option<&'a mut ConversionPlies<u128>>,
}

impl Lookup<'_> {
    /// Looks up the positions `among` after a capture of man number `captured`, which leaves the other men on `placed`. `moved`
    /// returns the bit after the capture.
    fn look_up(
        &mut self,
        after: &After,
        captured: usize,
        placed: &MenPoints,
        among: u128,
        moved: impl Fn(usize) -> Option<usize>,
    ) {
        let table = &after.table;
        let Some((word, is_mirrored)) = table.index().word(&remove(placed, captured)) else { return };
        let Some(side) = table.side(self.turn.other()) else { return };
        let outcomes = side.word::<u128>(word).map(|bits| image(bits, is_mirrored));
        for bit in ones(among) {
            let Some(after) = moved(bit) else { continue };
            let Some(wdl) = outcome_of(&outcomes, after) else { continue };
            self.values[wdl.other().index()] |= 1 << bit;
            if let Some(plies) = &mut self.plies {
                let slot = image(1 << after, is_mirrored).trailing_zeros() as usize;
                let below = side.distances.get(word as usize * WORD as usize + slot);
                plies.add(bit, wdl.other(), below.unwrap_or(0));
            }
        }
    }
}

impl Conversions<Xiangqi> for CaptureTables {
    fn new(material: &Material, tables: Vec<Arc<Table<Xiangqi>>>) -> Self {
        let index = Index::new(material);
        let after = after_captures(material)
            .iter()
            .enumerate()
            .map(|(captured, below)| {
                let table = tables.iter().find(|table| Some(table.material()) == below.as_ref())?;
                Some(After::new(&index, captured, table))
            })
            .collect();
        CaptureTables { index, after }
    }

    fn values(
        &self,
        turn: Color,
        men: &BlockPieces,
        legal: u128,
        plies: Option<&mut ConversionPlies<u128>>,
    ) -> [u128; 3] {
        let mut lookup = Lookup { turn, values: [0; 3], plies };
        let (index, palace) = (&self.index, self.index.palace());
        let all = index.material().men();
        let reach = men.reach(palace);
        let outside: Vec<usize> = index.outside().collect();
        for &number in outside.iter().filter(|&&number| all[number].color == turn) {
            let mut placed = men.placed;
            reach.captures(all[number], men.placed[number], |to, open| {
                placed[number] = to;
                let is_captured = |&&man: &&usize| all[man].color != turn && men.placed[man] == to && man > 1;
                if let Some(&captured) = outside.iter().find(is_captured)
                    && let Some(after) = &self.after[captured]
                {
                    lookup.look_up(after, captured, &placed, legal & open, Some);
                }
                let among = legal & open & palace.assistants[to.index()];
                if turn == Color::White && among != 0 {
                    // The capture of either assistant leads to the same material.
                    let assistants = (0..all.len()).filter(|&man| palace.group.has(man) && man > 1);
                    for captured in assistants.take(1) {
                        let Some(after) = &self.after[captured] else { continue };
                        let moved = |bit: usize| {
                            let without = after.without[bit].iter().find(|(point, _)| *point == to);
                            without.map(|&(_, bit)| usize::from(bit))
                        };
                        lookup.look_up(after, captured, &placed, among, moved);
                    }
                }
            });
        }
        if turn == Color::Black {
            for &captured in outside.iter().filter(|&&number| all[number].color == Color::White) {
                let (Some(after), on) = (&self.after[captured], men.placed[captured]) else { continue };
                if !Points::palace(Color::Black).contains(on) {
                    continue;
                }
                for bit in ones(legal) {
                    for &(to, _) in palace.steps[bit].iter().filter(|(_, point)| *point == on) {
                        lookup.look_up(after, captured, &men.placed, 1 << bit, |_| Some(usize::from(to)));
                    }
                }
            }
        }
        lookup.values
    }
}
