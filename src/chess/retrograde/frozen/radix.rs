//! The numbering of words: groups of 64 slots that differ only in the black king's square.
//!
//! A word is a number in mixed radix. Its digits are the white king's square in its region, and the squares of each group
//! of identical men as a combination in colexicographic order. Wu & Beal (section 2.2) ask for a numbering with cheap un-moves.
//! Here a move of a man other than the kings changes one digit, and the black king's moves stay in the word. So the 64 bits of a
//! word move together.

use crate::chess::position::generating::{BELOW_DIAGONAL, DIAGONAL};
use crate::chess::position::symmetry::{region, to_region};
use crate::chess::position::{Bitboard, MAX_MEN, Man, Material, Role, Square};
use crate::retrograde::game::binomials;
use std::ops::Range;

pub(in crate::chess::retrograde) const WORD: u64 = 64;

/// The numbered squares of the white king's region.
pub(in crate::chess::retrograde) struct WhiteKings {
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

    pub(in crate::chess::retrograde) fn of(material: &Material) -> &'static Self {
        if material.has_pawns() { &WITH_PAWNS } else { &WITHOUT_PAWNS }
    }
}

/// `BINOMIAL[k][n]` is the binomial coefficient C(n, k).
static BINOMIAL: [[u32; 65]; MAX_MEN - 1] = binomials();

/// The squares of identical men, as one digit of a word's number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Digit {
    /// The numbers of the men in the material.
    men: Range<usize>,
    /// The first square where they can stand, and the number of such squares, which are contiguous.
    first: u8,
    squares: u8,
    /// The number of values: C(squares, men).
    count: u64,
    /// The weight of the digit.
    stride: u64,
}

impl Digit {
    fn new(men: Range<usize>, pawns: bool) -> Self {
        let (first, squares) = if pawns { (8, 48) } else { (0, 64) };
        let count = u64::from(BINOMIAL[men.len()][usize::from(squares)]);
        Digit { men, first, squares, count, stride: 1 }
    }

    /// The value of the digit with all men on `squares`; identical men are in any order.
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

    /// Writes the squares of the men for `value`, ascending.
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

/// The numbering of the words of a block: main or en passant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::chess::retrograde) struct MixedRadix {
    /// The number of en-passant codes; 1 in the main block, 0 if there is no en-passant block.
    codes: u64,
    digits: Vec<Digit>,
    /// The index in `digits` of each man's digit.
    digit_of: [u8; MAX_MEN],
    /// The product of the digits' counts.
    combinations: u64,
    words: u64,
}

impl MixedRadix {
    /// The numbering for `material` with this number of codes. `counted` returns the men of each group that have a digit.
    pub(in crate::chess::retrograde) fn new(
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

    pub(in crate::chess::retrograde) fn words(&self) -> u64 {
        self.words
    }

    /// The number of the word with the men on `squares`. The white king must be in its region.
    #[inline]
    pub(in crate::chess::retrograde) fn rank(
        &self,
        kings: &WhiteKings,
        code: u64,
        squares: [Square; MAX_MEN],
    ) -> u64 {
        let king = u64::from(kings.number[squares[0].index()]);
        let head = (king * self.codes + code) * self.combinations;
        self.digits.iter().fold(head, |word, digit| word + digit.stride * digit.rank(squares))
    }

    /// Writes the squares of the men of word number `word`, and returns the code.
    #[inline]
    pub(in crate::chess::retrograde) fn unrank(
        &self,
        kings: &WhiteKings,
        word: u64,
        squares: &mut [Square; MAX_MEN],
    ) -> u64 {
        let mut rest = word;
        for digit in self.digits.iter().rev() {
            digit.unrank(rest % digit.count, squares);
            rest /= digit.count;
        }
        squares[0] = kings.square[(rest / self.codes) as usize];
        rest % self.codes
    }

    /// The number of the word after a move of man number `man`, not a king, to `to` from word number `word` with the men on
    /// `squares`.
    #[inline]
    pub(in crate::chess::retrograde) fn moved(
        &self,
        word: u64,
        squares: [Square; MAX_MEN],
        man: usize,
        to: Square,
    ) -> u64 {
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

    /// The change, modulo 2^64, of the number of a word of the main block by a move of the white king within its region.
    #[inline]
    pub(in crate::chess::retrograde) fn king_moved(
        &self,
        kings: &WhiteKings,
        from: Square,
        to: Square,
    ) -> u64 {
        let number = |square: Square| u64::from(kings.number[square.index()]);
        number(to).wrapping_sub(number(from)).wrapping_mul(self.combinations)
    }
}

/// The men of a word: the squares of all men except the black king, by number, and the en-passant file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockPieces {
    /// The black king's square is meaningless. Identical men are in any order.
    pub(in crate::chess::retrograde) squares: [Square; MAX_MEN],
    pub(in crate::chess::retrograde) en_passant: Option<u8>,
}

impl BlockPieces {
    #[inline]
    pub(in crate::chess::retrograde) fn occupied(&self, material: &Material) -> Bitboard {
        self.placed(material).map(|(_, _, square)| square).collect()
    }

    #[inline]
    pub(in crate::chess::retrograde) fn placed<'a>(
        &'a self,
        material: &'a Material,
    ) -> impl Iterator<Item = (usize, Man, Square)> + Clone + 'a {
        let all = material.men().iter().zip(self.squares).enumerate();
        all.filter(|&(number, _)| number != 1).map(|(number, (&man, square))| (number, man, square))
    }

    /// The slots of the word with canonical positions. With the white king on the diagonal these are the black king's squares
    /// below the diagonal, and on the diagonal if the other men do not sort after their images.
    pub(in crate::chess::retrograde) fn canonical(&self, material: &Material) -> u64 {
        if to_region(material.has_pawns(), self.squares[0]).1.is_none() {
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
