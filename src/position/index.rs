//! A dense index of a material's positions: a number for each canonical position of one side to move, and back.
//!
//! A king leads (see [`symmetry`](super::symmetry)). Slots are counted in mixed radix, most significant first:
//!
//! - the pair of kings: 462 without pawns (white king in the triangle a1-d1-d4; when it stands on the diagonal, the
//!   black king on or below it), 1806 with pawns (white king on files a to d), never adjacent;
//! - each group of k identical men in the material's order: the combination of their squares in colexicographic order,
//!   C(64, k) of them, C(48, k) for pawns.
//!
//! When both sides have pawns, positions with an en-passant file follow in a block of their own. There the pushed pawn
//! and one pawn that stands beside it, of the side to move, are fixed by one of 14 codes (the pushed pawn's file and the
//! side on which the other stands; the left one when there are two), and both leave their groups. So the block has as
//! many slots for White to move as for Black, and costs a hundredth of the main block.
//!
//! Some slots hold no position: men on one square, illegal positions, and those pairs of kings on the diagonal whose
//! other men stand on the wrong side of it.

use super::legal::DoublePush;
use super::man::{Color, Man, Role};
use super::material::{MAX_MEN, Material};
use super::placement::Position;
use super::square::Square;
use std::ops::Range;

/// Number of king pairs without pawns.
const PAIRS_PAWNLESS: usize = 462;
/// Number of king pairs with pawns.
const PAIRS_PAWNS: usize = 1806;
/// What [`KingPairs::number`] holds for a pair that has no number.
const NO_PAIR: u16 = u16::MAX;
/// Pushed pawn and the pawn beside it: two sides on eight files, without the sides beyond a and h.
const EN_PASSANT_CODES: u64 = 14;

/// The numbered pairs of kings, white king first.
struct KingPairs<const N: usize> {
    pair: [[Square; 2]; N],
    number: [[u16; 64]; 64],
}

static PAWNLESS: KingPairs<PAIRS_PAWNLESS> = king_pairs(false);
static WITH_PAWNS: KingPairs<PAIRS_PAWNS> = king_pairs(true);

const fn king_pairs<const N: usize>(pawns: bool) -> KingPairs<N> {
    let mut pairs = KingPairs { pair: [[Square::new(0); 2]; N], number: [[NO_PAIR; 64]; 64] };
    let mut count = 0;
    let mut i = 0_usize;
    while i < 64 * 64 {
        let (white, black) = (Square::new((i / 64) as u8), Square::new((i % 64) as u8));
        let apart = white.file().abs_diff(black.file()) > 1 || white.rank().abs_diff(black.rank()) > 1;
        let lead = white.file() < 4 && (pawns || white.rank() <= white.file());
        let side = pawns || white.rank() != white.file() || black.rank() <= black.file();
        if apart && lead && side {
            pairs.pair[count] = [white, black];
            pairs.number[white.index()][black.index()] = count as u16;
            count += 1;
        }
        i += 1;
    }
    assert!(count == N, "every king pair has its number");
    pairs
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

/// The squares of identical men, as one digit of a slot's number.
#[derive(Clone, Debug)]
struct Digit {
    /// Numbers of the men, in the material's numbering.
    men: Range<usize>,
    /// The first of the squares they may stand on, which are neighbours in number.
    first: u8,
    /// How many such squares there are.
    squares: u8,
    /// How many values the digit has: C(squares, men).
    count: u64,
}

impl Digit {
    fn new(men: Range<usize>, pawns: bool) -> Self {
        let (first, squares) = if pawns { (8, 48) } else { (0, 64) };
        let count = u64::from(BINOMIAL[men.len()][usize::from(squares)]);
        Digit { men, first, squares, count }
    }

    /// The digit's value when its men stand on `squares`, ascending.
    fn rank(&self, squares: &[Square]) -> u64 {
        let places = squares[self.men.clone()].iter().map(|square| square.index() - usize::from(self.first));
        places.zip(1..).map(|(place, k): (usize, usize)| u64::from(BINOMIAL[k][place])).sum()
    }

    /// Puts the men on the squares of `value`, ascending.
    fn unrank(&self, mut value: u64, squares: &mut [Square]) {
        let men = &mut squares[self.men.clone()];
        for k in (1..=men.len()).rev() {
            let row = &BINOMIAL[k][..usize::from(self.squares)];
            let place = row.partition_point(|&below| u64::from(below) <= value) - 1;
            value -= u64::from(row[place]);
            men[k - 1] = Square::new(place as u8 + self.first);
        }
    }

    /// Advances the men to the squares of the next value; `false` when they went from the last to the first.
    fn advance(&self, squares: &mut [Square]) -> bool {
        let men = &mut squares[self.men.clone()];
        let end = usize::from(self.first + self.squares);
        for i in 0..men.len() {
            let next = men[i].index() + 1;
            if next < men.get(i + 1).map_or(end, |above| above.index()) {
                men[i] = Square::new(next as u8);
                return true;
            }
            men[i] = Square::new(self.first + i as u8);
        }
        false
    }
}

/// A run of slots with the same digits.
#[derive(Clone, Debug)]
struct Block {
    /// Kind of position: 1 in the main block, one for each en-passant code in the other, and none when there is none.
    codes: u64,
    digits: Vec<Digit>,
    /// Product of the digits' counts.
    combinations: u64,
    len: u64,
}

impl Block {
    fn new(pairs: usize, codes: u64, digits: Vec<Digit>) -> Self {
        let combinations = digits.iter().map(|digit| digit.count).product();
        Block { codes, digits, combinations, len: pairs as u64 * codes * combinations }
    }

    fn rank(&self, pair: u64, code: u64, squares: &[Square]) -> u64 {
        self.digits
            .iter()
            .fold(pair * self.codes + code, |slot, digit| slot * digit.count + digit.rank(squares))
    }
}

/// The dense index of a material. See the [module](self) for the order of the slots.
#[derive(Clone, Debug)]
pub struct Index {
    material: Material,
    main: Block,
    en_passant: Block,
    /// The number that the pawn fixed by an en-passant code has, for each colour: the last of its group.
    fixed: [usize; 2],
}

impl Index {
    /// Returns the index of `material`.
    pub fn new(material: &Material) -> Self {
        let pairs = if material.has_pawns() { PAIRS_PAWNS } else { PAIRS_PAWNLESS };
        let groups = || material.groups().into_iter().skip(2);
        let is_pawn = |men: &Range<usize>| material.men()[men.start].role == Role::Pawn;
        let main = groups().map(|men| Digit::new(men.clone(), is_pawn(&men))).collect();
        let rest = groups().map(|men| {
            let pawns = is_pawn(&men);
            Digit::new(men.start..men.end - usize::from(pawns), pawns)
        });
        let codes = if material.has_en_passant() { EN_PASSANT_CODES } else { 0 };
        let mut fixed = [0; 2];
        for men in groups().filter(is_pawn) {
            fixed[material.men()[men.start].color.index()] = men.end - 1;
        }
        Index {
            material: *material,
            main: Block::new(pairs, 1, main),
            en_passant: Block::new(pairs, codes, rest.collect()),
            fixed,
        }
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// Number of slots for each stored side to move, the same for both.
    pub fn len(&self) -> u64 {
        self.main.len + self.en_passant.len
    }

    /// Never: every material has positions.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Number of slots before the en-passant block, which reaches from here to [`Index::len`].
    pub fn main_len(&self) -> u64 {
        self.main.len
    }

    /// Returns the slot of `position`, which is legal, of this material, and canonical with man 0 leading. The slot
    /// counts in the table of the position's side to move.
    ///
    /// # Panics
    /// Possibly, when the position is not as it should be; else the number means nothing then.
    pub fn rank(&self, position: &Position) -> u64 {
        debug_assert!(position.is_canonical(0), "{position:?} is not canonical");
        let mut squares = [Square::default(); MAX_MEN];
        let squares = &mut squares[..self.material.len()];
        squares.copy_from_slice(position.squares());
        let pair = self.pair_number(squares[0], squares[1]);
        let Some(file) = position.en_passant() else { return self.main.rank(pair, 0, squares) };
        let turn = position.turn();
        let target = DoublePush::new(turn.other(), file).target;
        let left = file.checked_sub(1).map(|left| Square::at(left, target.rank()));
        let capturer = left.filter(|&left| self.is_pawn_on(turn, left, squares));
        let code = 2 * u64::from(file) + u64::from(capturer.is_none()) - 1;
        self.set_aside(turn.other(), target, squares);
        self.set_aside(turn, capturer.unwrap_or(Square::at(file + 1, target.rank())), squares);
        self.main.len + self.en_passant.rank(pair, code, squares)
    }

    /// Returns the side to move and the slot of the canonical position of `position`'s class; `position` is legal.
    pub fn rank_any(&self, position: &Position) -> (Color, u64) {
        let canonical = position.canonical(0);
        (canonical.turn(), self.rank(&canonical))
    }

    /// Returns the position in `slot` with `turn` to move, legal and canonical with man 0 leading; `None` when the slot
    /// holds none, as all do from [`Index::len`] on and for a turn that is not stored.
    pub fn unrank(&self, turn: Color, slot: u64) -> Option<Position> {
        self.cursor(turn, slot)?.position(self, turn)
    }

    /// Iterates over the positions of `slots` with `turn` to move, ascending, each with its slot; slots that hold no
    /// position are left out. Cheaper than [`Index::unrank`] slot by slot.
    pub fn positions(&self, turn: Color, slots: Range<u64>) -> Positions<'_> {
        Positions { index: self, turn, cursor: self.cursor(turn, slots.start), slots }
    }

    /// The cursor at `slot`; `None` beyond the last one and for a turn that is not stored.
    fn cursor(&self, turn: Color, slot: u64) -> Option<Cursor> {
        let stored = self.material.stored_turns().contains(&turn);
        stored.then(|| Cursor::at(self, slot)).flatten()
    }

    fn pair_number(&self, white: Square, black: Square) -> u64 {
        let number = if self.material.has_pawns() { &WITH_PAWNS.number } else { &PAWNLESS.number };
        u64::from(number[white.index()][black.index()])
    }

    fn pair(&self, number: usize) -> [Square; 2] {
        if self.material.has_pawns() { WITH_PAWNS.pair[number] } else { PAWNLESS.pair[number] }
    }

    fn is_pawn_on(&self, color: Color, square: Square, squares: &[Square]) -> bool {
        let pawn = Man::new(color, Role::Pawn);
        self.material.men().iter().zip(squares).any(|(&man, &on)| man == pawn && on == square)
    }

    /// Makes the pawn of `color` on `square` the last of its group, the others keeping their order.
    fn set_aside(&self, color: Color, square: Square, squares: &mut [Square]) {
        let pawns = self.material.group(self.fixed[color.index()]).unwrap_or_default();
        if let Some(found) = squares[pawns.clone()].iter().position(|&on| on == square) {
            squares[pawns][found..].rotate_left(1);
        }
    }
}

/// The contents of one slot, as its digits.
#[derive(Clone, Debug)]
struct Cursor {
    pair: usize,
    /// The en-passant code, or none in the main block.
    code: Option<u8>,
    /// The squares of the men that belong to digits; the others hold anything.
    squares: [Square; MAX_MEN],
}

impl Cursor {
    /// The cursor at `slot`; `None` beyond the last one.
    fn at(index: &Index, slot: u64) -> Option<Self> {
        let mut squares = [Square::default(); MAX_MEN];
        let (block, slot) = match slot.checked_sub(index.main.len) {
            None => (&index.main, slot),
            Some(slot) => (&index.en_passant, slot),
        };
        if slot >= block.len {
            return None;
        }
        let (mut head, mut digits) = (slot / block.combinations, slot % block.combinations);
        for digit in block.digits.iter().rev() {
            digit.unrank(digits % digit.count, &mut squares);
            digits /= digit.count;
        }
        let code = (block.codes > 1).then_some((head % block.codes) as u8);
        head /= block.codes;
        Some(Cursor { pair: head as usize, code, squares })
    }

    /// Advances to the next slot, `slot`, of the index.
    fn advance(&mut self, index: &Index, slot: u64) -> Option<()> {
        let block = if self.code.is_none() { &index.main } else { &index.en_passant };
        if !block.digits.iter().rev().any(|digit| digit.advance(&mut self.squares)) {
            *self = Self::at(index, slot)?;
        }
        Some(())
    }

    /// The position of the slot, if it holds one.
    fn position(&self, index: &Index, turn: Color) -> Option<Position> {
        let mut squares = self.squares;
        squares[..2].copy_from_slice(&index.pair(self.pair));
        let mut file = None;
        if let Some(code) = self.code {
            // The missing side left of file a would have been number 0.
            let number = code + 1;
            let (pushed, is_right) = (number / 2, number % 2 == 1);
            let target = DoublePush::new(turn.other(), pushed).target;
            let beside =
                |right| Square::at(if right { pushed + 1 } else { pushed.wrapping_sub(1) }, target.rank());
            squares[index.fixed[turn.other().index()]] = target;
            squares[index.fixed[turn.index()]] = beside(is_right);
            if is_right && pushed > 0 && index.is_pawn_on(turn, beside(false), &squares) {
                return None;
            }
            file = Some(pushed);
        }
        let mut position = Position::new(index.material, &squares[..index.material.len()], turn, file);
        if file.is_some() {
            position.sort();
        }
        // Of the pairs of kings only those on the diagonal leave two images to choose from.
        let diagonal = squares[..2].iter().all(|king| king.file() == king.rank());
        (position.is_legal() && (!diagonal || position.is_canonical(0))).then_some(position)
    }
}

/// The positions of a range of slots, with their slots. Made by [`Index::positions`].
#[derive(Clone, Debug)]
pub struct Positions<'a> {
    index: &'a Index,
    turn: Color,
    /// At the first of `slots`; none when that is beyond the last slot.
    cursor: Option<Cursor>,
    slots: Range<u64>,
}

impl Iterator for Positions<'_> {
    type Item = (u64, Position);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let cursor = self.cursor.as_mut()?;
            let slot = self.slots.next()?;
            let position = cursor.position(self.index, self.turn);
            if cursor.advance(self.index, slot + 1).is_none() {
                self.cursor = None;
            }
            if let Some(position) = position {
                return Some((slot, position));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(signature: &str) -> Index {
        Index::new(&signature.parse().unwrap())
    }

    /// All positions of a material with their slots.
    fn all(index: &Index) -> impl Iterator<Item = (u64, Position)> + '_ {
        index.material().stored_turns().iter().flat_map(|&turn| index.positions(turn, 0..index.len()))
    }

    #[test]
    fn lengths() {
        assert_eq!(index("KvK").len(), 462);
        assert_eq!(index("KQvK").len(), 462 * 64);
        assert_eq!(index("KBBvK").len(), 462 * 2016);
        assert_eq!(index("KPvK").len(), 1806 * 48);
        assert_eq!(index("KPvKP").main_len(), 1806 * 48 * 48);
        assert_eq!(index("KPvKP").len(), 1806 * (48 * 48 + 14));
        assert_eq!(index("KPPvKP").len(), 1806 * (1128 * 48 + 14 * 48));
        assert_eq!(index("KQQQQQQvK").len(), 462 * 74_974_368);
    }

    #[test]
    fn every_canonical_position_has_its_slot() {
        // Ordinary and with en passant; the ordinary counts are the numbers of legal positions up to symmetry.
        for (signature, ordinary) in [("KvK", 462), ("KQvK", 46_137), ("KPvK", 165_676)] {
            let index = index(signature);
            assert_eq!(all(&index).count(), ordinary, "{signature}");
            for (slot, position) in all(&index) {
                assert_eq!(index.rank(&position), slot, "{position:?}");
                assert_eq!(index.unrank(position.turn(), slot), Some(position));
            }
        }
    }

    #[test]
    fn en_passant_has_slots_of_its_own() {
        for signature in ["KPvKP", "KPPvKP"] {
            let index = index(signature);
            let mut count = 0;
            for &turn in index.material().stored_turns() {
                for (slot, position) in index.positions(turn, index.main_len()..u64::MAX) {
                    assert!(position.en_passant().is_some());
                    assert_eq!(index.rank(&position), slot, "{position:?}");
                    count += 1;
                }
            }
            assert!(count > 5000, "{signature}: {count}");
        }
    }

    #[test]
    fn nothing_beyond_the_end() {
        let index = index("KPvK");
        assert_eq!(index.unrank(Color::White, index.len()), None);
        assert_eq!(index.unrank(Color::White, u64::MAX), None);
        assert_eq!(index.positions(Color::White, index.len()..u64::MAX).count(), 0);
        let symmetric = Index::new(&"KRvKR".parse().unwrap());
        assert_eq!(symmetric.positions(Color::Black, 0..symmetric.len()).count(), 0);
    }

    #[test]
    fn iterating_agrees_with_single_slots() {
        for signature in ["KBBvK", "KPPvKP"] {
            let index = index(signature);
            for start in [0, 123_456, index.main_len().saturating_sub(5_000), index.len() - 10_000] {
                let slots = start..start + 10_000;
                let single = slots.clone().filter_map(|slot| Some((slot, index.unrank(Color::Black, slot)?)));
                assert!(index.positions(Color::Black, slots).eq(single));
            }
        }
    }

    #[test]
    fn any_position_finds_its_slot() {
        let index = index("KRvKR");
        let position = index.unrank(Color::White, 1_000_007).unwrap();
        for symmetry in crate::position::Symmetry::ALL {
            let image = position.transformed(symmetry);
            assert_eq!(index.rank_any(&image), (Color::White, 1_000_007));
            assert_eq!(index.rank_any(&image.colors_exchanged()), (Color::White, 1_000_007));
        }
    }
}
