//! The view of a position for the formulas of variables: the sets of squares that they use.
//!
//! `src/pcn/FORMAT.md` defines the sets and their names. Most sets belong to one man of either colour, whatever the side to move.
//! A man's foes are the men of the other colour.

use super::offset::Coordinates;
use crate::chess::position::{Bitboard, Color, MAX_MEN, Man, Material, PackedSquares, Role, Square, attacks};
use core::cell::Cell;

/// Sets of squares that are computed at their first use: one of each kind for each man.
#[derive(Clone, Debug)]
struct Memo {
    /// Bit n is set if value n is known.
    known: Cell<u32>,
    values: [Cell<Bitboard>; KINDS * MAX_MEN],
}

/// A memoized property of each man.
#[derive(Clone, Copy)]
enum Kind {
    Attacks,
    Danger,
    Guard,
    Targets,
}

const KINDS: usize = 4;

impl Memo {
    #[inline]
    fn get(&self, kind: Kind, man: usize, compute: impl FnOnce() -> Bitboard) -> Bitboard {
        let key = kind as usize * MAX_MEN + man % MAX_MEN;
        if self.known.get() >> key & 1 == 0 {
            self.values[key].set(compute());
            self.known.set(self.known.get() | 1 << key);
        }
        self.values[key].get()
    }
}

/// A position whose variables can be computed one by one, made by [`VariableSet::view`](crate::chess::model::VariableSet::view).
/// Values that several variables share are kept after their first use, so that a view is `Send` but not `Sync`.
#[derive(Clone, Debug)]
pub struct View<'p> {
    men: &'p [Man],
    squares: [Square; MAX_MEN],
    coordinates: Coordinates,
    en_passant: Option<u8>,
    /// The squares and the numbers of the men of each colour; empty until their first use.
    sides: Cell<[Bitboard; 2]>,
    numbers: Cell<[u8; 2]>,
    memo: Memo,
}

impl<'p> View<'p> {
    #[allow(clippy::inline_always, reason = "made in its place, not copied there: it is hundreds of bytes")]
    #[inline(always)]
    pub(in crate::chess::model) fn new(
        material: &'p Material,
        squares: PackedSquares,
        en_passant: Option<u8>,
    ) -> Self {
        let coordinates = Coordinates::new(squares);
        let (men, squares) = (material.men(), squares.squares());
        let memo =
            Memo { known: Cell::new(0), values: [const { Cell::new(Bitboard::EMPTY) }; KINDS * MAX_MEN] };
        let (sides, numbers) = (Cell::new([Bitboard::EMPTY; 2]), Cell::new([0; 2]));
        View { men, squares, coordinates, en_passant, sides, numbers, memo }
    }

    #[inline]
    pub(in crate::chess::model) fn square(&self, man: usize) -> Square {
        self.squares[man % MAX_MEN]
    }

    #[inline]
    pub(in crate::chess::model) fn coordinates(&self) -> Coordinates {
        self.coordinates
    }

    #[inline]
    pub(in crate::chess::model) fn man(&self, man: usize) -> Man {
        self.men[man]
    }

    /// The squares of the men, in the material's numbering.
    #[inline]
    pub(crate) fn squares(&self) -> &[Square] {
        &self.squares[..self.men.len()]
    }

    /// Finds the men of each colour.
    fn divide(&self) {
        let (mut sides, mut numbers) = ([Bitboard::EMPTY; 2], [0; 2]);
        for (number, (&square, man)) in self.squares.iter().zip(self.men).enumerate() {
            sides[man.color.index()] |= square;
            numbers[man.color.index()] |= 1 << number;
        }
        self.sides.set(sides);
        self.numbers.set(numbers);
    }

    /// The squares of the men, by colour.
    #[inline]
    fn sides(&self) -> [Bitboard; 2] {
        if self.sides.get()[0] == Bitboard::EMPTY {
            self.divide();
        }
        self.sides.get()
    }

    /// The numbers of the men of `color`, as bits.
    #[inline]
    fn numbers(&self, color: Color) -> u8 {
        if self.numbers.get()[0] == 0 {
            self.divide();
        }
        self.numbers.get()[color.index()]
    }

    #[inline]
    pub(in crate::chess::model) fn side(&self, color: Color) -> impl Iterator<Item = usize> + 'static {
        let mut left = self.numbers(color);
        core::iter::from_fn(move || {
            let man = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (man < MAX_MEN).then_some(man)
        })
    }

    #[inline]
    pub(in crate::chess::model) fn king(&self, color: Color) -> Square {
        self.squares[color.index()]
    }

    #[inline]
    pub(crate) fn en_passant(&self) -> Option<u8> {
        self.en_passant
    }

    #[inline]
    pub(in crate::chess::model) fn men_of(&self, color: Color) -> Bitboard {
        self.sides()[color.index()]
    }

    #[inline]
    pub(in crate::chess::model) fn occupied(&self) -> Bitboard {
        let [white, black] = self.sides();
        white | black
    }

    /// The occupied squares with man number `man` off the board ("lifted").
    #[inline]
    pub(in crate::chess::model) fn lifted(&self, man: usize) -> Bitboard {
        self.occupied() & !Bitboard::from(self.square(man))
    }

    #[inline]
    pub(in crate::chess::model) fn attacks(&self, man: usize) -> Bitboard {
        self.memo
            .get(Kind::Attacks, man, || attacks::of_any(self.man(man), self.square(man), self.occupied()))
    }

    /// The squares that the foes of man number `man` attack with this man lifted.
    #[inline]
    pub(in crate::chess::model) fn danger(&self, man: usize) -> Bitboard {
        self.memo.get(Kind::Danger, man, || self.attacks_without(man, self.man(man).color.other()))
    }

    /// The squares that the other men of the same colour attack with man number `man` lifted.
    #[inline]
    pub(in crate::chess::model) fn guard(&self, man: usize) -> Bitboard {
        self.memo.get(Kind::Guard, man, || self.attacks_without(man, self.man(man).color))
    }

    /// The squares that men of `color` except man number `lifted` attack with that man lifted.
    fn attacks_without(&self, lifted: usize, color: Color) -> Bitboard {
        let occupied = self.lifted(lifted);
        let mut all = Bitboard::EMPTY;
        let mut left = self.numbers(color) & !(1 << lifted);
        while left != 0 {
            let man = left.trailing_zeros() as usize % MAX_MEN;
            all |= attacks::of_any(self.men[man], self.squares[man], occupied);
            left &= left - 1;
        }
        all
    }

    /// The squares that a pin leaves to man number `man`, not a king: the square of the pinning man and the squares between it
    /// and the king. Every square if `man` is not pinned.
    pub(in crate::chess::model) fn pin(&self, man: usize) -> Bitboard {
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

    /// The squares on which a man of `color` other than the king ends a check: the square of the checking man and the squares
    /// between it and the king. Every square if there is no check.
    fn answers(&self, color: Color) -> Bitboard {
        let king = self.king(color);
        self.side(color.other())
            .filter(|&foe| self.attacks(foe).contains(king))
            .fold(Bitboard::ALL, |all, foe| {
                all & (attacks::between(self.square(foe), king) | self.square(foe))
            })
    }

    /// The squares that man number `man` can move to with its side to move; for a pawn only captures, without en passant.
    pub(in crate::chess::model) fn targets(&self, man: usize) -> Bitboard {
        self.memo.get(Kind::Targets, man, || {
            let Man { role, color } = self.man(man);
            let free = if role == Role::Pawn { self.men_of(color.other()) } else { !self.men_of(color) };
            let allowed =
                if role == Role::King { !self.danger(man) } else { self.pin(man) & self.answers(color) };
            self.attacks(man) & free & allowed
        })
    }

    /// The targets of man number `man` that its foes do not attack.
    #[inline]
    pub(in crate::chess::model) fn safe(&self, man: usize) -> Bitboard {
        self.targets(man) & !self.danger(man)
    }
}

pub(in crate::chess::model) fn is_slider(man: Man) -> bool {
    matches!(man.role, Role::Queen | Role::Rook | Role::Bishop)
}
