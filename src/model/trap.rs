//! Traps: what is left to a man after the best safe move of a foe.
//!
//! For each safe move of each man of one side, and each foe of it, the foe's free squares are counted anew with that one
//! man on its new square: the squares that the foe attacks and on which neither stands a man of its own nor would it be
//! attacked. Nothing is moved but the one man, and the foe's pins are not looked at.

use super::measure::{holds, squares};
use super::plan::{Family, Men, Over, is_pawn};
use super::view::{View, is_slider};
use crate::position::{Color, MAX_MEN, Role, attacks};

/// The part of no such move; free squares are at most one less.
const NONE: u8 = 9;

pub(super) const FAMILIES: [Family; 3] = [
    Family {
        name: "cornered",
        parts: NONE + 1,
        over: Over::Man(|man| !is_pawn(man)),
        formula: |view, men| traps(view, men).attacked[men[0] % MAX_MEN],
    },
    Family {
        name: "hemmed",
        parts: NONE + 1,
        over: Over::Man(|man| !is_pawn(man)),
        formula: |view, men| traps(view, men).quiet[men[0] % MAX_MEN],
    },
    Family {
        name: "nets",
        parts: 4,
        over: Over::Man(|man| !is_pawn(man)),
        formula: |view, men| traps(view, men).none[men[0] % MAX_MEN],
    },
];

fn traps(view: &View<'_>, [a, ..]: Men) -> Traps {
    view.traps(view.man(a).color.other())
}

/// For each foe, over the safe moves of one side: the fewest free squares left to it by a move that attacks it and by one
/// that does not, and how many moves leave it none, at most 3.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traps {
    attacked: [u8; MAX_MEN],
    quiet: [u8; MAX_MEN],
    none: [u8; MAX_MEN],
}

impl Traps {
    /// What the safe moves of `color`'s men leave to the others.
    pub(super) fn new(view: &View<'_>, color: Color) -> Self {
        let mut traps = Traps { attacked: [NONE; MAX_MEN], quiet: [NONE; MAX_MEN], none: [0; MAX_MEN] };
        for man in view.side(color) {
            for to in squares(view.safe(man)) {
                traps.add(view, man, to);
            }
        }
        traps
    }

    fn add(&mut self, view: &View<'_>, moved: usize, to: crate::position::Square) {
        let color = view.man(moved).color;
        let from = view.square(moved);
        let occupied = view.lifted(moved) | to.bit();
        // Only lines through the square that is left or the one that is gone to change.
        let after = |man: usize| {
            let seen = view.attacks(man);
            if is_slider(view.man(man)) && (holds(seen, from) || holds(seen, to)) {
                attacks::attacks(view.man(man), view.square(man), occupied)
            } else {
                seen
            }
        };
        let mut covered = attacks::attacks(view.man(moved), to, occupied);
        for man in view.side(color).filter(|&man| man != moved) {
            covered |= after(man);
        }
        let foes = view.men_of(color.other());
        for foe in view.side(color.other()) {
            if view.man(foe).role == Role::Pawn || view.square(foe) == to {
                continue;
            }
            let left = (after(foe) & !foes & !covered).count_ones().min(u32::from(NONE) - 1) as u8;
            let fewest = if holds(covered, view.square(foe)) { &mut self.attacked } else { &mut self.quiet };
            fewest[foe] = fewest[foe].min(left);
            self.none[foe] = (self.none[foe] + u8::from(left == 0)).min(3);
        }
    }
}
