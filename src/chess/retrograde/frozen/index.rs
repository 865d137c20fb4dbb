//! The dense index of a material: a bijection between the canonical positions with one side to move and slot numbers.
//!
//! The white king is the anchor (see [`symmetry`](crate::chess::position::symmetry)). A slot is a number in mixed radix with
//! these digits, the most significant first:
//!
//! - the white king's square: one of the 10 of the triangle a1-d1-d4, or with pawns one of the 32 of files a to d;
//! - for each group of k identical men, in the material's order, the combination of their squares in colexicographic
//!   order: one of C(64, k), of C(48, k) for pawns;
//! - the black king's square, a1 = 0.
//!
//! So the 64 slots of a word differ only in the black king's square, and the generator handles them together.
//!
//! If both sides have pawns, positions with an en-passant file follow in a block of their own. A code there gives the
//! squares of the pushed pawn and of a capturing pawn beside it: the file of the pushed pawn, and the side of the capturing
//! pawn, left if there are two. There are 14 codes. The code is the digit after the white king, and both pawns leave their
//! groups. The block has the same size for both sides to move, about a hundredth of the main block.
//!
//! Some slots hold no position: two men would share a square, or the position would be illegal, or (only with the white king on
//! the diagonal) acanonical.

use super::super::Chess;
use super::radix::{BlockPieces, MixedRadix, WORD, WhiteKings};
use crate::chess::position::{Color, DoublePush, MAX_MEN, Man, Material, Position, Role, Square};
use crate::error::{Error, ErrorKind, Result};
use crate::retrograde::game::Numbering;
use std::ops::Range;

/// The eight files of the pushed pawn times two sides of the capturing pawn, without the left of a and the right of h.
const EN_PASSANT_CODES: u64 = 14;

/// The dense index of a material. See the [module](self) for the order of the slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    material: Material,
    main: MixedRadix,
    en_passant: MixedRadix,
    /// The number of the pawn whose square the en-passant code gives, by colour: the last of its group.
    fixed: [usize; 2],
}

impl Index {
    /// Returns the index of `material`.
    pub fn new(material: &Material) -> Self {
        let codes = if material.has_en_passant() { EN_PASSANT_CODES } else { 0 };
        let mut fixed = [0; 2];
        for (number, man) in material.men().iter().enumerate() {
            if man.role == Role::Pawn {
                fixed[man.color.index()] = number;
            }
        }
        let rest = |men: Range<usize>, role| men.start..men.end - usize::from(role == Role::Pawn);
        Index {
            material: *material,
            main: MixedRadix::new(material, 1, |men, _| men),
            en_passant: MixedRadix::new(material, codes, rest),
            fixed,
        }
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The number of slots for each stored side to move: the same for both, a multiple of 64.
    pub fn len(&self) -> u64 {
        self.words() * WORD
    }

    /// False: every material has positions.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The number of slots before the en-passant block, which ends at [`Index::len`].
    pub fn main_len(&self) -> u64 {
        self.main_words() * WORD
    }

    /// Returns the slot of `position` among the slots of its side to move. It must be legal, of this material, and canonical with
    /// man 0 as the anchor.
    ///
    /// # Panics
    /// It may panic for other positions, or return a meaningless number.
    pub fn rank(&self, position: &Position) -> u64 {
        debug_assert!(position.is_canonical(0), "{position:?} is not canonical");
        let mut squares = [Square::default(); MAX_MEN];
        squares[..self.material.len()].copy_from_slice(position.squares());
        let king = squares[1].index() as u64;
        let word = match position.en_passant() {
            None => Some(self.word(squares)),
            Some(file) => self.en_passant_word(position.turn(), squares, file),
        };
        word.map_or(u64::MAX, |word| word * WORD + king)
    }

    /// Returns the side to move and the slot of the canonical image of `position`, which must be legal.
    pub fn rank_any(&self, position: &Position) -> (Color, u64) {
        let canonical = position.canonical(0);
        (canonical.turn(), self.rank(&canonical))
    }

    pub(in crate::chess::retrograde) fn main_words(&self) -> u64 {
        self.main.words()
    }

    /// The number of the word with the men, except the black king, on `squares` and without an en-passant file. The white king
    /// must be in its region.
    #[inline]
    pub(in crate::chess::retrograde) fn word(&self, squares: [Square; MAX_MEN]) -> u64 {
        self.main.rank(WhiteKings::of(&self.material), 0, squares)
    }

    /// The number of the word with the men, except the black king, on `squares` and `turn` to move, after a double push of the
    /// other side's pawn on `file`. `None` if no pawn of `turn` stands beside that pawn.
    pub(in crate::chess::retrograde) fn en_passant_word(
        &self,
        turn: Color,
        squares: [Square; MAX_MEN],
        file: u8,
    ) -> Option<u64> {
        let target = DoublePush::new(turn.other(), file).target;
        let beside = [(file > 0).then(|| file - 1), (file < 7).then_some(file + 1)];
        let beside = beside.map(|file| file.map(|file| Square::at(file, target.rank())));
        let is_pawn = |square: &Square| self.is_pawn_on(turn, *square, squares);
        let left = beside[0].filter(is_pawn);
        let is_right = left.is_none();
        let capturer = left.or(beside[1].filter(is_pawn))?;
        let code = 2 * u64::from(file) + u64::from(is_right) - 1;
        let mut squares = squares;
        self.set_aside(turn.other(), target, &mut squares);
        self.set_aside(turn, capturer, &mut squares);
        Some(self.main.words() + self.en_passant.rank(WhiteKings::of(&self.material), code, squares))
    }

    /// The number of the word of the main block after a move of man number `man`, not a king, to `to` from word number `word`
    /// with the men on `squares`.
    #[inline]
    pub(in crate::chess::retrograde) fn word_moved(
        &self,
        word: u64,
        squares: [Square; MAX_MEN],
        man: usize,
        to: Square,
    ) -> u64 {
        self.main.moved(word, squares, man, to)
    }

    /// The number of the word of the main block after a move of the white king to `to`, in its region.
    #[inline]
    pub(in crate::chess::retrograde) fn word_king_moved(
        &self,
        word: u64,
        squares: [Square; MAX_MEN],
        to: Square,
    ) -> u64 {
        word.wrapping_add(self.main.king_moved(WhiteKings::of(&self.material), squares[0], to))
    }

    /// The position in slot number `slot`, whose word has the men `men`, with `turn` to move; canonical or not. `None` if it is
    /// illegal or its slot is another.
    pub(in crate::chess::retrograde) fn position(
        &self,
        turn: Color,
        men: &BlockPieces,
        slot: u64,
    ) -> Option<Position> {
        let position = self.placed(turn, men, slot);
        let mut squares = [Square::default(); MAX_MEN];
        squares[..self.material.len()].copy_from_slice(position.squares());
        let is_here = |file| self.en_passant_word(turn, squares, file) == Some(slot / WORD);
        (position.is_legal() && men.en_passant.is_none_or(is_here)).then_some(position)
    }

    fn is_pawn_on(&self, color: Color, square: Square, squares: [Square; MAX_MEN]) -> bool {
        let pawn = Man::new(color, Role::Pawn);
        self.material.men().iter().zip(squares).any(|(&man, on)| man == pawn && on == square)
    }

    /// Makes the pawn of `color` on `square` the last of its group. The others stay in order.
    fn set_aside(&self, color: Color, square: Square, squares: &mut [Square; MAX_MEN]) {
        let pawns = self.material.group(self.fixed[color.index()]).expect("the number of a man");
        if let Some(found) = squares[pawns.clone()].iter().position(|&on| on == square) {
            squares[pawns][found..].rotate_left(1);
        }
    }
}

impl Numbering<Chess> for Index {
    type Men = BlockPieces;

    fn new(material: &Material) -> Self {
        Index::new(material)
    }

    fn material(&self) -> &Material {
        &self.material
    }

    fn words(&self) -> u64 {
        self.main.words() + self.en_passant.words()
    }

    fn rank_any(&self, position: &Position) -> (Color, u64) {
        self.rank_any(position)
    }

    fn check(&self, position: &Position) -> Result<()> {
        if *position.material() != self.material {
            let why =
                format!("a position of {} asked of the table of {}", position.material(), self.material);
            return Err(Error::new(ErrorKind::MissingTable, why));
        }
        if !position.castling().is_empty() {
            let why = format!("castling rights {}: outcome tables have none", position.castling());
            return Err(Error::new(ErrorKind::MissingRights, why));
        }
        position.check_legal()
    }

    /// Men can share squares, and an en-passant file can be impossible.
    #[inline]
    fn men(&self, turn: Color, word: u64) -> BlockPieces {
        let kings = WhiteKings::of(&self.material);
        let mut squares = [Square::default(); MAX_MEN];
        let Some(word) = word.checked_sub(self.main.words()) else {
            self.main.unrank(kings, word, &mut squares);
            return BlockPieces { squares, en_passant: None };
        };
        // Number 0 would be the side left of file a.
        let number = self.en_passant.unrank(kings, word, &mut squares) as u8 + 1;
        let (pushed, is_right) = (number / 2, number % 2 == 1);
        let target = DoublePush::new(turn.other(), pushed).target;
        let beside = if is_right { pushed + 1 } else { pushed.wrapping_sub(1) };
        squares[self.fixed[turn.other().index()]] = target;
        squares[self.fixed[turn.index()]] = Square::at(beside, target.rank());
        BlockPieces { squares, en_passant: Some(pushed) }
    }

    #[inline]
    fn stored(&self, men: &BlockPieces) -> u64 {
        men.canonical(&self.material)
    }

    fn placed(&self, turn: Color, men: &BlockPieces, slot: u64) -> Position {
        let mut squares = men.squares;
        squares[1] = Square::new((slot % WORD) as u8);
        let squares = &squares[..self.material.len()];
        let mut position = Position::new(self.material, squares, turn, men.en_passant);
        if men.en_passant.is_some() {
            position.sort();
        }
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(signature: &str) -> Index {
        Index::new(&signature.parse().unwrap())
    }

    #[test]
    fn lengths() {
        assert_eq!(index("KvK").len(), 10 * 64);
        assert_eq!(index("KQvK").len(), 10 * 64 * 64);
        assert_eq!(index("KBBvK").len(), 10 * 2016 * 64);
        assert_eq!(index("KPvK").len(), 32 * 48 * 64);
        assert_eq!(index("KPvKP").main_len(), 32 * 48 * 48 * 64);
        assert_eq!(index("KPvKP").len(), 32 * (48 * 48 + 14) * 64);
        assert_eq!(index("KPPvKP").len(), 32 * (1128 * 48 + 14 * 48) * 64);
        assert_eq!(index("KQQQQQQvK").len(), 10 * 74_974_368 * 64);
    }
}
