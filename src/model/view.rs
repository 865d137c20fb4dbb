//! A position as the formulas of variables see it: the sets that they speak of.
//!
//! `src/pcn/FORMAT.md` defines the sets; their names here are those of that text. All are about one man of either colour,
//! whoever is to move: a man's own side is that of its colour, its foes are the other.

use super::measure::holds;
use super::trap::Traps;
use super::walking::Walk;
use crate::position::{Bitboard, Color, MAX_MEN, Man, Material, Position, Role, Square, attacks};
use std::cell::Cell;

/// Values for a few numbers, each computed when it is asked for first.
#[derive(Clone, Debug)]
pub(super) struct Memo<T: Copy, const N: usize> {
    known: Cell<u16>,
    values: [Cell<T>; N],
}

impl<T: Copy + Default, const N: usize> Memo<T, N> {
    fn new() -> Self {
        Memo { known: Cell::new(0), values: std::array::from_fn(|_| Cell::new(T::default())) }
    }

    /// The value for `key`, which is below `N`, computed by `compute` at most once.
    #[inline]
    pub(super) fn get(&self, key: usize, compute: impl FnOnce() -> T) -> T {
        let key = key % N;
        if self.known.get() >> key & 1 == 0 {
            self.values[key].set(compute());
            self.known.set(self.known.get() | 1 << key);
        }
        self.values[key].get()
    }
}

/// A position whose variables can be asked for one by one; made by [`Plan::view`](super::Plan::view). What several
/// variables share is computed when the first of them is asked for, and kept, so that a view is `Send` but not `Sync`.
#[derive(Clone, Debug)]
pub struct View<'p> {
    men: &'p [Man],
    squares: [Square; MAX_MEN],
    turn: Color,
    en_passant: Option<u8>,
    /// The bitboards of the men of each colour.
    sides: [u64; 2],
    attacks: Memo<u64, MAX_MEN>,
    walks: Memo<Walk, MAX_MEN>,
    traps: Memo<Traps, 2>,
    danger: Memo<u64, MAX_MEN>,
    guard: Memo<u64, MAX_MEN>,
    targets: Memo<u64, MAX_MEN>,
}

impl<'p> View<'p> {
    #[allow(clippy::inline_always, reason = "made in its place, not copied there: it is half a kilobyte")]
    #[inline(always)]
    pub(super) fn new(material: &'p Material, position: &Position) -> Self {
        let mut view = View {
            men: material.men(),
            squares: [Square::default(); MAX_MEN],
            turn: position.turn(),
            en_passant: position.en_passant(),
            sides: [0; 2],
            attacks: Memo::new(),
            walks: Memo::new(),
            traps: Memo::new(),
            danger: Memo::new(),
            guard: Memo::new(),
            targets: Memo::new(),
        };
        for ((place, &square), man) in view.squares.iter_mut().zip(position.squares()).zip(view.men) {
            *place = square;
            view.sides[man.color.index()] |= square.bit();
        }
        view
    }

    /// The square of man number `man`.
    #[inline]
    pub(super) fn square(&self, man: usize) -> Square {
        self.squares[man % MAX_MEN]
    }

    /// Man number `man`.
    #[inline]
    pub(super) fn man(&self, man: usize) -> Man {
        self.men[man]
    }

    /// The squares of the men, in the material's numbering.
    pub(super) fn squares(&self) -> &[Square] {
        &self.squares[..self.men.len()]
    }

    /// The numbers of the men of `color`.
    #[inline]
    pub(super) fn side(&self, color: Color) -> impl Iterator<Item = usize> + '_ {
        (0..self.men.len()).filter(move |&man| self.men[man].color == color)
    }

    /// The square of `color`'s king.
    #[inline]
    pub(super) fn king(&self, color: Color) -> Square {
        self.squares[color.index()]
    }

    /// The side to move.
    pub(super) fn turn(&self) -> Color {
        self.turn
    }

    /// The en-passant file.
    pub(super) fn en_passant(&self) -> Option<u8> {
        self.en_passant
    }

    /// The squares of `color`'s men.
    #[inline]
    pub(super) fn men_of(&self, color: Color) -> u64 {
        self.sides[color.index()]
    }

    /// The occupied squares.
    #[inline]
    pub(super) fn occupied(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    /// The occupied squares with man number `man` lifted.
    #[inline]
    pub(super) fn lifted(&self, man: usize) -> u64 {
        self.occupied() & !self.square(man).bit()
    }

    /// The attack set of man number `man`.
    #[inline]
    pub(super) fn attacks(&self, man: usize) -> u64 {
        self.attacks
            .get(man, || attacks::attacks(self.man(man), self.square(man), Bitboard(self.occupied())).0)
    }

    /// The squares that the foes of man number `man` attack with it lifted.
    #[inline]
    pub(super) fn danger(&self, man: usize) -> u64 {
        self.danger.get(man, || self.attacks_without(man, self.man(man).color.other()))
    }

    /// The squares that the other men of its side attack with man number `man` lifted.
    #[inline]
    pub(super) fn guard(&self, man: usize) -> u64 {
        self.guard.get(man, || self.attacks_without(man, self.man(man).color))
    }

    /// The squares that men of `color` attack with man number `lifted`, which is not among them, lifted.
    fn attacks_without(&self, lifted: usize, color: Color) -> u64 {
        let (square, occupied) = (self.square(lifted), self.lifted(lifted));
        self.side(color).filter(|&man| man != lifted).fold(0, |all, man| {
            let seen = self.attacks(man);
            // Only a line that ends on the lifted man goes on without it.
            if holds(seen, square) && is_slider(self.man(man)) {
                all | attacks::attacks(self.man(man), self.square(man), Bitboard(occupied)).0
            } else {
                all | seen
            }
        })
    }

    /// The line that man number `man`, no king, must keep to because it is pinned: the squares between its king and the
    /// pinning man, and the latter's. Every square when it is not pinned.
    pub(super) fn pin(&self, man: usize) -> u64 {
        let (square, color) = (self.square(man), self.man(man).color);
        let mut line = u64::MAX;
        for foe in self.side(color.other()).filter(|&foe| is_slider(self.man(foe))) {
            if holds(self.attacks(foe), square) {
                let between = attacks::between(self.square(foe), self.king(color)).0;
                if between & self.occupied() == square.bit() {
                    line &= between | self.square(foe).bit();
                }
            }
        }
        line
    }

    /// The number of men that attack `color`'s king.
    pub(super) fn checkers(&self, color: Color) -> u8 {
        let king = self.king(color);
        self.side(color.other()).filter(|&foe| holds(self.attacks(foe), king)).count() as u8
    }

    /// The squares to which a man of `color` other than the king must go because of a check: those between the checking
    /// man and the king, and the former's. Every square without a check.
    fn answers(&self, color: Color) -> u64 {
        let king = self.king(color);
        self.side(color.other()).filter(|&foe| holds(self.attacks(foe), king)).fold(u64::MAX, |all, foe| {
            all & (attacks::between(self.square(foe), king).0 | self.square(foe).bit())
        })
    }

    /// The squares that man number `man` can go to when its side is to move, en passant left out.
    pub(super) fn targets(&self, man: usize) -> u64 {
        self.targets.get(man, || {
            let Man { role, color } = self.man(man);
            let own = self.men_of(color);
            match role {
                Role::King => self.attacks(man) & !own & !self.danger(man),
                Role::Pawn => {
                    let captures = self.attacks(man) & self.men_of(color.other());
                    (captures | pushes(color, self.square(man), self.occupied()))
                        & self.pin(man)
                        & self.answers(color)
                }
                _ => self.attacks(man) & !own & self.pin(man) & self.answers(color),
            }
        })
    }

    /// The squares that man number `man` can go to without being attacked there.
    #[inline]
    pub(super) fn safe(&self, man: usize) -> u64 {
        self.targets(man) & !self.danger(man)
    }

    /// The walk of man number `man`, a king or a knight.
    #[inline]
    pub(super) fn walk(&self, man: usize) -> Walk {
        self.walks.get(man, || Walk::new(self, man))
    }

    /// What safe moves of `color`'s men leave to their foes.
    #[inline]
    pub(super) fn traps(&self, color: Color) -> Traps {
        self.traps.get(color.index(), || Traps::new(self, color))
    }

    /// The squares from which man number `man` would attack `square`.
    #[inline]
    pub(super) fn sources(&self, man: usize, square: Square) -> u64 {
        sources(self.man(man), square, self.lifted(man))
    }
}

/// The squares from which `man` attacks `square` among `occupied`: where it would attack with the other colour's move.
#[inline]
pub(super) fn sources(man: Man, square: Square, occupied: u64) -> u64 {
    attacks::attacks(Man::new(man.color.other(), man.role), square, Bitboard(occupied)).0
}

/// Whether a man moves along lines.
pub(super) fn is_slider(man: Man) -> bool {
    matches!(man.role, Role::Queen | Role::Rook | Role::Bishop)
}

/// The squares that a pawn of `color` on `square` can be pushed to.
fn pushes(color: Color, square: Square, occupied: u64) -> u64 {
    let (start, ahead): (u8, fn(u64) -> u64) = match color {
        Color::White => (1, |board| board << 8),
        Color::Black => (6, |board| board >> 8),
    };
    let one = ahead(square.bit()) & !occupied;
    if square.rank() == start { one | ahead(one) & !occupied } else { one }
}
