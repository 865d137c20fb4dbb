//! The numbering beneath the dense index: words of 64 slots that differ in the black king's square alone.
//!
//! A word is numbered in mixed radix by the white king's square, among those to which the board's symmetries bring it,
//! and by the squares of the other men, identical men as one combination in colexicographic order. Wu & Beal
//! (section 2.2) ask of a numbering that un-moves be cheap; here a move of a man other than the kings changes one digit
//! of the word, and the black king's moves stay within it, so that a machine word of a bitmap moves as a whole.

use crate::position::generating::{BELOW_DIAGONAL, DIAGONAL};
use crate::position::symmetry::{leading, region};
use crate::position::{Bitboard, MAX_MEN, Man, Material, Role, Square};
use std::ops::Range;

pub(super) const WORD: u64 = 64;

/// The squares where the white king leads, numbered.
pub(super) struct WhiteKings {
    count: usize,
    square: [Square; 32],
    number: [u8; 64],
}

static WITHOUT_PAWNS: WhiteKings = WhiteKings::new(false);
static WITH_PAWNS: WhiteKings = WhiteKings::new(true);

impl WhiteKings {
    const fn new(pawns: bool) -> Self {
        let mut kings = WhiteKings { count: 0, square: [Square::new(0); 32], number: [0; 64] };
        let mut i = 0;
        while i < 64 {
            let square = Square::new(i);
            if region(pawns).contains(square) {
                kings.number[i as usize] = kings.count as u8;
                kings.square[kings.count] = square;
                kings.count += 1;
            }
            i += 1;
        }
        kings
    }

    pub(super) fn of(material: &Material) -> &'static Self {
        if material.has_pawns() { &WITH_PAWNS } else { &WITHOUT_PAWNS }
    }
}

/// `BINOMIAL[k][n]` is the number of ways to choose k of n.
static BINOMIAL: [[u32; 65]; MAX_MEN - 1] = {
    let mut table = [[0; 65]; MAX_MEN - 1];
    let mut n = 0;
    while n <= 64 {
        table[0][n] = 1;
        let mut k = 1;
        while n > 0 && k < MAX_MEN - 1 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The squares of identical men, as one digit of a word's number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Digit {
    /// Numbers of the men, in the material's numbering.
    men: Range<usize>,
    /// The first of the squares they may stand on, which are neighbours in number.
    first: u8,
    squares: u8,
    /// How many values the digit has: C(squares, men).
    count: u64,
    /// The increment of the number for one more of it.
    stride: u64,
}

impl Digit {
    fn new(men: Range<usize>, pawns: bool) -> Self {
        let (first, squares) = if pawns { (8, 48) } else { (0, 64) };
        let count = u64::from(BINOMIAL[men.len()][usize::from(squares)]);
        Digit { men, first, squares, count, stride: 1 }
    }

    /// The digit's value when its men stand on `squares` (of all men), in any order.
    #[inline]
    fn rank(&self, squares: [Square; MAX_MEN]) -> u64 {
        if self.men.len() == 1 {
            return (squares[self.men.start].index() - usize::from(self.first)) as u64;
        }
        let mut sorted = squares;
        let sorted = &mut sorted[self.men.clone()];
        for end in 1..sorted.len() {
            let mut man = end;
            while man > 0 && sorted[man - 1] > sorted[man] {
                sorted.swap(man - 1, man);
                man -= 1;
            }
        }
        let places = sorted.iter().map(|square| square.index() - usize::from(self.first));
        places.zip(1..).map(|(place, k): (usize, usize)| u64::from(BINOMIAL[k][place])).sum()
    }

    /// Puts the men on the squares of `value`, ascending.
    #[inline]
    fn unrank(&self, mut value: u64, squares: &mut [Square; MAX_MEN]) {
        if self.men.len() == 1 {
            squares[self.men.start] = Square::new(value as u8 + self.first);
            return;
        }
        let men = &mut squares[self.men.clone()];
        for k in (1..=men.len()).rev() {
            let row = &BINOMIAL[k][..usize::from(self.squares)];
            let place = row.partition_point(|&below| u64::from(below) <= value) - 1;
            value -= u64::from(row[place]);
            men[k - 1] = Square::new(place as u8 + self.first);
        }
    }
}

/// A run of words with the same digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MixedRadix {
    /// Kind of position: 1 in the main block, one for each en-passant code in the other, and none when there is none.
    codes: u64,
    digits: Vec<Digit>,
    /// For each man, the place of its digit in `digits`.
    digit_of: [u8; MAX_MEN],
    /// Product of the digits' counts.
    combinations: u64,
    words: u64,
}

impl MixedRadix {
    /// The numbering of `material` with so many codes, of the men that `counted` leaves of each group.
    pub(super) fn new(
        material: &Material,
        codes: u64,
        counted: impl Fn(Range<usize>, Role) -> Range<usize>,
    ) -> Self {
        let mut digits: Vec<Digit> = material
            .groups()
            .into_iter()
            .skip(2)
            .map(|men| {
                let role = material.men()[men.start].role;
                Digit::new(counted(men, role), role == Role::Pawn)
            })
            .filter(|digit| !digit.men.is_empty())
            .collect();
        let mut combinations = 1;
        let mut digit_of = [0; MAX_MEN];
        for (at, digit) in digits.iter_mut().enumerate().rev() {
            digit.stride = combinations;
            combinations *= digit.count;
            digit_of[digit.men.clone()].fill(at as u8);
        }
        let kings = WhiteKings::of(material).count as u64;
        MixedRadix { codes, digits, digit_of, combinations, words: kings * codes * combinations }
    }

    pub(super) fn words(&self) -> u64 {
        self.words
    }

    /// The number of the word with the men on `squares`, the white king where it has a number.
    #[inline]
    pub(super) fn rank(&self, kings: &WhiteKings, code: u64, squares: [Square; MAX_MEN]) -> u64 {
        let king = u64::from(kings.number[squares[0].index()]);
        let head = (king * self.codes + code) * self.combinations;
        self.digits.iter().fold(head, |word, digit| word + digit.stride * digit.rank(squares))
    }

    /// Puts the men on the squares of word `word`, and returns the code.
    #[inline]
    pub(super) fn unrank(&self, kings: &WhiteKings, word: u64, squares: &mut [Square; MAX_MEN]) -> u64 {
        let mut rest = word;
        for digit in self.digits.iter().rev() {
            digit.unrank(rest % digit.count, squares);
            rest /= digit.count;
        }
        squares[0] = kings.square[(rest / self.codes) as usize];
        rest % self.codes
    }

    /// The number of the word in which man number `man`, which is no king, has gone from its square in word number
    /// `word`, of the men on `squares`, to `to`.
    #[inline]
    pub(super) fn moved(&self, word: u64, squares: [Square; MAX_MEN], man: usize, to: Square) -> u64 {
        let digit = &self.digits[usize::from(self.digit_of[man])];
        if digit.men.len() == 1 {
            let steps = (to.index() as u64).wrapping_sub(squares[man].index() as u64);
            return word.wrapping_add(steps.wrapping_mul(digit.stride));
        }
        let mut after = squares;
        after[man] = to;
        let change = digit.rank(after).wrapping_sub(digit.rank(squares));
        word.wrapping_add(change.wrapping_mul(digit.stride))
    }

    /// The change, when the white king goes from `from` to `to`, both with a number, of the number of a word of the main
    /// block, modulo 2^64.
    #[inline]
    pub(super) fn king_moved(&self, kings: &WhiteKings, from: Square, to: Square) -> u64 {
        let number = |square: Square| u64::from(kings.number[square.index()]);
        number(to).wrapping_sub(number(from)).wrapping_mul(self.combinations)
    }
}

/// The men of a word: the squares of all but the black king, by number, and the en-passant file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordMen {
    /// The black king's square means nothing; men of a group may stand in any order.
    pub(super) squares: [Square; MAX_MEN],
    pub(super) en_passant: Option<u8>,
}

impl WordMen {
    #[inline]
    pub(super) fn occupied(&self, material: &Material) -> Bitboard {
        self.placed(material).map(|(_, _, square)| square).collect()
    }

    #[inline]
    pub(super) fn placed<'a>(
        &'a self,
        material: &'a Material,
    ) -> impl Iterator<Item = (usize, Man, Square)> + Clone + 'a {
        let all = material.men().iter().zip(self.squares).enumerate();
        all.filter(|&(number, _)| number != 1).map(|(number, (&man, square))| (number, man, square))
    }

    /// The slots of the word for which the position is the chosen one of its two images: with the white king on the
    /// diagonal the black king's squares below it, and those on it when the other men are not before their images.
    pub(super) fn canonical(&self, material: &Material) -> u64 {
        if leading(material.has_pawns(), self.squares[0]).1.is_none() {
            return u64::MAX;
        }
        let sorted = |transposed: bool| {
            let mut squares = self.squares;
            for square in &mut squares {
                *square = if transposed { Square::at(square.rank(), square.file()) } else { *square };
            }
            for group in material.groups() {
                squares[group].sort_unstable();
            }
            squares
        };
        let (here, image) = (sorted(false), sorted(true));
        let is_first = here[2..material.len()] <= image[2..material.len()];
        if is_first { BELOW_DIAGONAL.0 | DIAGONAL.0 } else { BELOW_DIAGONAL.0 }
    }
}
