//! Traps: what is left to a man after the best safe move of a foe.
//!
//! For each safe move of each man of one side, and each foe of it, the foe's free squares are counted anew with that one
//! man on its new square: the squares that the foe attacks and on which neither stands a man of its own nor would it be
//! attacked. Nothing is moved but the one man, and the foe's pins are not looked at.

use super::measure::{holds, squares};
use super::plan::{Family, Men, Over, is_pawn};
use super::view::{View, is_slider};
use crate::position::{Bitboard, Color, MAX_MEN, Role, Square, attacks};

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
        for man in view.side(color).filter(|&man| view.safe(man) != 0) {
            let lifted = Lifted::new(view, man);
            for to in squares(view.safe(man)) {
                traps.add(&lifted, to);
            }
        }
        traps
    }

    fn add(&mut self, lifted: &Lifted<'_, '_>, to: Square) {
        let Lifted { view, moved, .. } = *lifted;
        let color = view.man(moved).color;
        let occupied = lifted.occupied | to.bit();
        // Only lines through the square that is gone to change.
        let crosses = holds(lifted.lines, to);
        let after = |man: usize| {
            let seen = lifted.seen[man % MAX_MEN];
            if crosses && holds(seen, to) && is_slider(view.man(man)) {
                attacks::attacks(view.man(man), view.square(man), Bitboard(occupied)).0
            } else {
                seen
            }
        };
        let mut covered = attacks::attacks(view.man(moved), to, Bitboard(occupied)).0;
        if crosses {
            covered |= view.side(color).filter(|&man| man != moved).fold(0, |all, man| all | after(man));
        } else {
            covered |= lifted.covered;
        }
        for &(foe, square) in &lifted.foes[..lifted.foe_count] {
            if square == to {
                continue;
            }
            let left = (after(foe) & lifted.free & !covered).count_ones().min(u32::from(NONE) - 1) as u8;
            let fewest = if holds(covered, square) { &mut self.attacked } else { &mut self.quiet };
            fewest[foe] = fewest[foe].min(left);
            self.none[foe] = (self.none[foe] + u8::from(left == 0)).min(3);
        }
    }
}

/// A position with one man lifted, who is going to be put down elsewhere.
struct Lifted<'v, 'p> {
    view: &'v View<'p>,
    moved: usize,
    occupied: u64,
    /// The attack sets of the others.
    seen: [u64; MAX_MEN],
    /// Those of its friends, together, and those of all others that move along lines.
    covered: u64,
    lines: u64,
    /// The squares without a foe on them.
    free: u64,
    /// The foes that are no pawns.
    foes: [(usize, Square); MAX_MEN],
    foe_count: usize,
}

impl<'v, 'p> Lifted<'v, 'p> {
    fn new(view: &'v View<'p>, moved: usize) -> Self {
        let (color, from) = (view.man(moved).color, view.square(moved));
        let mut lifted = Lifted {
            view,
            moved,
            occupied: view.lifted(moved),
            seen: [0; MAX_MEN],
            covered: 0,
            lines: 0,
            free: !view.men_of(color.other()),
            foes: [(0, Square::default()); MAX_MEN],
            foe_count: 0,
        };
        for number in (0..view.squares().len()).filter(|&number| number != moved) {
            let (man, square) = (view.man(number), view.square(number));
            let slides = is_slider(man);
            let mut seen = view.attacks(number);
            if slides && holds(seen, from) {
                seen = attacks::attacks(man, square, Bitboard(lifted.occupied)).0;
            }
            lifted.seen[number % MAX_MEN] = seen;
            lifted.lines |= if slides { seen } else { 0 };
            if man.color == color {
                lifted.covered |= seen;
            } else if man.role != Role::Pawn {
                lifted.foes[lifted.foe_count] = (number % MAX_MEN, square);
                lifted.foe_count += 1;
            }
        }
        lifted
    }
}
