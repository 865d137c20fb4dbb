//! A position as the formulas of variables see it: the sets that they speak of.
//!
//! `src/pcn/FORMAT.md` defines the sets; their names here are those of that text. All are about one man of either colour,
//! whoever is to move: a man's own side is that of its colour, its foes are the other.

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
    en_passant: Option<u8>,
    sides: [Bitboard; 2],
    attacks: Memo<Bitboard, MAX_MEN>,
    danger: Memo<Bitboard, MAX_MEN>,
    guard: Memo<Bitboard, MAX_MEN>,
    targets: Memo<Bitboard, MAX_MEN>,
}

impl<'p> View<'p> {
    #[allow(clippy::inline_always, reason = "made in its place, not copied there: it is hundreds of bytes")]
    #[inline(always)]
    pub(super) fn new(material: &'p Material, position: &Position) -> Self {
        let mut view = View {
            men: material.men(),
            squares: [Square::default(); MAX_MEN],
            en_passant: position.en_passant(),
            sides: [Bitboard::EMPTY; 2],
            attacks: Memo::new(),
            danger: Memo::new(),
            guard: Memo::new(),
            targets: Memo::new(),
        };
        for ((place, &square), man) in view.squares.iter_mut().zip(position.squares()).zip(view.men) {
            *place = square;
            view.sides[man.color.index()] |= square;
        }
        view
    }

    #[inline]
    pub(super) fn square(&self, man: usize) -> Square {
        self.squares[man % MAX_MEN]
    }

    #[inline]
    pub(super) fn man(&self, man: usize) -> Man {
        self.men[man]
    }

    /// The squares of the men, in the material's numbering.
    pub(super) fn squares(&self) -> &[Square] {
        &self.squares[..self.men.len()]
    }

    #[inline]
    pub(super) fn side(&self, color: Color) -> impl Iterator<Item = usize> + '_ {
        (0..self.men.len()).filter(move |&man| self.men[man].color == color)
    }

    #[inline]
    pub(super) fn king(&self, color: Color) -> Square {
        self.squares[color.index()]
    }

    pub(super) fn en_passant(&self) -> Option<u8> {
        self.en_passant
    }

    #[inline]
    pub(super) fn men_of(&self, color: Color) -> Bitboard {
        self.sides[color.index()]
    }

    #[inline]
    pub(super) fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The occupied squares with man number `man` lifted.
    #[inline]
    pub(super) fn lifted(&self, man: usize) -> Bitboard {
        self.occupied() & !Bitboard::from(self.square(man))
    }

    #[inline]
    pub(super) fn attacks(&self, man: usize) -> Bitboard {
        self.attacks.get(man, || attacks::attacks(self.man(man), self.square(man), self.occupied()))
    }

    /// The squares that the foes of man number `man` attack with it lifted.
    #[inline]
    pub(super) fn danger(&self, man: usize) -> Bitboard {
        self.danger.get(man, || self.attacks_without(man, self.man(man).color.other()))
    }

    /// The squares that the other men of its side attack with man number `man` lifted.
    #[inline]
    pub(super) fn guard(&self, man: usize) -> Bitboard {
        self.guard.get(man, || self.attacks_without(man, self.man(man).color))
    }

    /// The squares that men of `color` attack with man number `lifted`, which is not among them, lifted.
    fn attacks_without(&self, lifted: usize, color: Color) -> Bitboard {
        let (square, occupied) = (self.square(lifted), self.lifted(lifted));
        self.side(color).filter(|&man| man != lifted).fold(Bitboard::EMPTY, |all, man| {
            let seen = self.attacks(man);
            // Only a line that ends on the lifted man goes on without it.
            if seen.contains(square) && is_slider(self.man(man)) {
                all | attacks::attacks(self.man(man), self.square(man), occupied)
            } else {
                all | seen
            }
        })
    }

    /// The line that man number `man`, no king, must keep to because it is pinned: the squares between its king and the
    /// pinning man, and the latter's. Every square when it is not pinned.
    pub(super) fn pin(&self, man: usize) -> Bitboard {
        let (square, color) = (self.square(man), self.man(man).color);
        let mut line = Bitboard::ALL;
        for foe in self.side(color.other()).filter(|&foe| is_slider(self.man(foe))) {
            if self.attacks(foe).contains(square) {
                let between = attacks::between(self.square(foe), self.king(color));
                if between & self.occupied() == square.into() {
                    line &= between | self.square(foe);
                }
            }
        }
        line
    }

    /// The squares to which a man of `color` other than the king must go because of a check: those between the checking
    /// man and the king, and the former's. Every square without a check.
    fn answers(&self, color: Color) -> Bitboard {
        let king = self.king(color);
        self.side(color.other())
            .filter(|&foe| self.attacks(foe).contains(king))
            .fold(Bitboard::ALL, |all, foe| {
                all & (attacks::between(self.square(foe), king) | self.square(foe))
            })
    }

    /// The squares that man number `man` can go to when its side is to move; of a pawn those where it can take, en passant
    /// left out.
    pub(super) fn targets(&self, man: usize) -> Bitboard {
        self.targets.get(man, || {
            let Man { role, color } = self.man(man);
            let free = if role == Role::Pawn { self.men_of(color.other()) } else { !self.men_of(color) };
            let allowed =
                if role == Role::King { !self.danger(man) } else { self.pin(man) & self.answers(color) };
            self.attacks(man) & free & allowed
        })
    }

    /// The squares that man number `man` can go to without being attacked there.
    #[inline]
    pub(super) fn safe(&self, man: usize) -> Bitboard {
        self.targets(man) & !self.danger(man)
    }
}

pub(super) fn is_slider(man: Man) -> bool {
    matches!(man.role, Role::Queen | Role::Rook | Role::Bishop)
}
