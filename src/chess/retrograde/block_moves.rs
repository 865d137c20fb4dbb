//! Moves and un-moves of the 64 positions of a word, which differ only in the black king's square.
//!
//! Wu & Beal's `ProveSuccessor` and `Predecessor` (section 2.2), word by word:
//! - a move of a man other than the kings leads to another word, with the same bits except where the black king blocks the
//!   move;
//! - the black king's moves are shifts within the word;
//! - if the white king leaves its region, a symmetry of the board brings it back and permutes the bits of the word.
//!
//! Illegal slots count as won in the given sets, so that moves that leave the own king in check need no test. With the white
//! king on the diagonal, both images of a position are in the sets, so that a move can lead to either.

use super::Chess;
use super::frozen::index::Index;
use super::frozen::radix::BlockPieces;
use super::legality::Legality;
use crate::chess::position::symmetry::to_region;
use crate::chess::position::{
    Bitboard, Color, DoublePush, MAX_MEN, Man, Material, Role, Square, Symmetry, attacks,
};
use crate::retrograde::Set;
use crate::retrograde::game::Numbering;
use crate::retrograde::rules::Moves;
use rayon::prelude::*;

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;

/// The squares that kings on `board` attack.
#[inline]
fn king_steps(board: u64) -> u64 {
    let beside = (board & NOT_H) << 1 | (board & NOT_A) >> 1;
    let row = board | beside;
    beside | row << 8 | row >> 8
}

/// The moves of the words of a material.
#[derive(Debug)]
pub struct BlockMoves {
    pub(super) index: Index,
    material: Material,
    main: u64,
    /// Whether pawns move. Their moves are the only zeroing moves within the table.
    pawns_move: bool,
    /// The legal positions of each word of the en-passant block, by side to move.
    en_passant: [Vec<u64>; 2],
}

impl Moves<Chess> for BlockMoves {
    fn new(material: &Material) -> Self {
        let index = Index::new(material);
        let main = index.main_words();
        let legal = |turn, word| {
            let men = index.men(turn, word);
            let is_legal = |&bit: &u64| index.position(turn, &men, word * 64 + bit).is_some();
            (0..64).filter(is_legal).fold(0, |all, bit| all | 1 << bit)
        };
        let en_passant = Color::BOTH
            .map(|turn| (main..index.words()).into_par_iter().map(|word| legal(turn, word)).collect());
        BlockMoves { material: *material, main, pawns_move: true, en_passant, index }
    }

    /// The size of the sets of legal positions with an en-passant file.
    fn bytes(material: &Material) -> u64 {
        let index = Index::new(material);
        2 * 8 * (index.words() - index.main_words())
    }

    #[inline]
    fn index(&self) -> &Index {
        &self.index
    }

    #[inline]
    fn legal(&self, turn: Color, word: u64, men: &BlockPieces) -> u64 {
        match word.checked_sub(self.main) {
            None => self.legality(men).legal[turn.index()],
            Some(word) => self.en_passant[turn.index()][word as usize],
        }
    }

    #[inline]
    fn safe(&self, turn: Color, men: &BlockPieces) -> u64 {
        self.legality(men).safe[turn.index()]
    }

    fn lost(&self, turn: Color, word: u64, candidates: u64, wins: &Set<u64>) -> u64 {
        let men = &self.index.men(turn, word);
        let here = if word < self.main { word } else { self.index.word(men.squares) };
        let occupied = men.occupied(&self.material);
        let mut lost = candidates;
        if turn == Color::Black {
            lost &= !king_steps(!wins.get(here));
        }
        for (number, man, from) in men.placed(&self.material) {
            if lost == 0 {
                return 0;
            }
            if man.color != turn {
                continue;
            }
            match man.role {
                Role::King => lost = self.king_lost(men, here, occupied, lost, wins),
                Role::Pawn if !self.pawns_move => {}
                Role::Pawn => self.pushes(turn, men, here, occupied, number, &mut |child, among| {
                    lost &= wins.get(child) | !among;
                }),
                _ => {
                    for to in attacks::attacks(man, from, occupied) & !occupied {
                        let child = wins.get(self.index.word_moved(here, men.squares, number, to));
                        // The black king does not block white men here: they would attack it with White to move.
                        let blocked = if turn == Color::Black { attacks::between(from, to).0 } else { 0 };
                        lost &= child | blocked;
                        if lost == 0 {
                            return 0;
                        }
                    }
                }
            }
        }
        lost
    }

    fn unmove(&self, turn: Color, word: u64, bits: u64, mark: &impl Fn(u64, u64)) {
        let men = &self.index.men(turn, word);
        let mover = turn.other();
        let pawn = Man::new(mover, Role::Pawn);
        if let Some(file) = men.en_passant {
            if !self.pawns_move {
                return;
            }
            let push = DoublePush::new(mover, file);
            let here = self.index.word(men.squares);
            for (number, man, square) in men.placed(&self.material) {
                if man == pawn && square == push.target {
                    self.mark_man(mover, men, here, number, push.origin, bits, mark);
                }
            }
            return;
        }
        let occupied = men.occupied(&self.material);
        if mover == Color::Black {
            self.mark_all(mover, word, men, king_steps(bits), mark);
        }
        for (number, man, from) in men.placed(&self.material) {
            if man.color != mover {
                continue;
            }
            match man.role {
                Role::King => self.unmove_king(men, word, occupied, bits, mark),
                Role::Pawn if !self.pawns_move => {}
                Role::Pawn => self.unmove_pawn(mover, men, word, occupied, number, bits, mark),
                _ => {
                    for to in attacks::attacks(man, from, occupied) & !occupied {
                        let blocked = if mover == Color::Black { attacks::between(from, to).0 } else { 0 };
                        self.mark_man(mover, men, word, number, to, bits & !blocked, mark);
                    }
                }
            }
        }
    }

    fn quiet(self) -> Self {
        BlockMoves { pawns_move: false, ..self }
    }

    /// The ranks that pawns have advanced, in sum.
    fn stage(&self, men: &BlockPieces) -> u8 {
        let pawns = men.placed(&self.material).filter(|(_, man, _)| man.role == Role::Pawn);
        pawns.map(|(_, man, on)| if man.color == Color::White { on.rank() } else { 7 - on.rank() }).sum()
    }

    fn zeroing(&self, turn: Color, word: u64, men: &BlockPieces, visit: &mut impl FnMut(u64, u64)) {
        let here = if word < self.main { word } else { self.index.word(men.squares) };
        let occupied = men.occupied(&self.material);
        for (number, man, _) in men.placed(&self.material) {
            if man == Man::new(turn, Role::Pawn) {
                self.pushes(turn, men, here, occupied, number, visit);
            }
        }
    }
}

impl BlockMoves {
    #[inline]
    pub(super) fn legality(&self, men: &BlockPieces) -> Legality {
        Legality::new(men.placed(&self.material).map(|(_, man, square)| (man, square)), men.squares[0])
    }

    fn king_lost(
        &self,
        men: &BlockPieces,
        here: u64,
        occupied: Bitboard,
        mut lost: u64,
        wins: &Set<u64>,
    ) -> u64 {
        for to in attacks::king(men.squares[0]) & !occupied {
            let (symmetry, _) = to_region(self.material.has_pawns(), to);
            lost &= if symmetry == Symmetry::IDENTITY {
                wins.get(self.index.word_king_moved(here, men.squares, to))
            } else {
                let (word, _) = self.image(men, to, symmetry);
                Bitboard(wins.get(word)).image(symmetry.inverse()).0
            };
            if lost == 0 {
                return 0;
            }
        }
        lost
    }

    /// Calls `visit` with the word after each move of the pawn with number `number` to a free square, and the positions that
    /// have the move. With the black king on that square the child is illegal.
    fn pushes(
        &self,
        turn: Color,
        men: &BlockPieces,
        here: u64,
        occupied: Bitboard,
        number: usize,
        visit: &mut impl FnMut(u64, u64),
    ) {
        let from = men.squares[number];
        let one = turn.ahead(from);
        if one.rank() == turn.promotion_rank() || occupied.contains(one) {
            return;
        }
        visit(self.index.word_moved(here, men.squares, number, one), u64::MAX);
        let push = DoublePush::new(turn, from.file());
        if from != push.origin || occupied.contains(push.target) {
            return;
        }
        let two = push.target;
        let mut after = men.squares;
        after[number] = two;
        let passes = !Bitboard::from(one).0;
        let (word, legal) = self.after_double_push(turn, after, two.file()).unwrap_or_default();
        visit(self.index.word_moved(here, men.squares, number, two), passes & !legal);
        if legal != 0 {
            visit(word, passes & legal);
        }
    }

    /// The en-passant word after a double push of `pusher` on `file`, and its legal positions. `squares` are the squares after
    /// the push. `None` if no pawn can capture.
    fn after_double_push(&self, pusher: Color, squares: [Square; MAX_MEN], file: u8) -> Option<(u64, u64)> {
        if !self.material.has_en_passant() {
            return None;
        }
        let turn = pusher.other();
        let word = self.index.en_passant_word(turn, squares, file)?;
        Some((word, self.en_passant[turn.index()][(word - self.main) as usize]))
    }

    /// The image under `symmetry` of the word of `men` after a move of the white king to `to`, and its men.
    fn image(&self, men: &BlockPieces, to: Square, symmetry: Symmetry) -> (u64, BlockPieces) {
        let mut squares = men.squares;
        squares[0] = to;
        for square in &mut squares[..self.material.len()] {
            *square = symmetry.apply(*square);
        }
        (self.index.word(squares), BlockPieces { squares, en_passant: None })
    }

    fn unmove_king(
        &self,
        men: &BlockPieces,
        word: u64,
        occupied: Bitboard,
        bits: u64,
        mark: &impl Fn(u64, u64),
    ) {
        for to in attacks::king(men.squares[0]) & !occupied {
            let (symmetry, other) = to_region(self.material.has_pawns(), to);
            if symmetry == Symmetry::IDENTITY {
                let before = self.index.word_king_moved(word, men.squares, to);
                let mut men = *men;
                men.squares[0] = to;
                self.mark_all(Color::White, before, &men, bits, mark);
            } else {
                let (before, men) = self.image(men, to, symmetry);
                self.mark_all(Color::White, before, &men, Bitboard(bits).image(symmetry).0, mark);
            }
            // If the king goes back to the diagonal, the word has two images. From a square off the diagonal, only this un-move
            // reaches the second image.
            if let Some(symmetry) = other.filter(|_| to_region(false, men.squares[0]).1.is_none()) {
                let (before, men) = self.image(men, to, symmetry);
                self.mark_all(Color::White, before, &men, Bitboard(bits).image(symmetry).0, mark);
            }
        }
    }

    #[expect(clippy::too_many_arguments)]
    fn unmove_pawn(
        &self,
        mover: Color,
        men: &BlockPieces,
        word: u64,
        occupied: Bitboard,
        number: usize,
        bits: u64,
        mark: &impl Fn(u64, u64),
    ) {
        let from = men.squares[number];
        let one = mover.other().ahead(from);
        if one.rank() == mover.other().promotion_rank() || occupied.contains(one) {
            return;
        }
        self.mark_man(mover, men, word, number, one, bits, mark);
        let push = DoublePush::new(mover, from.file());
        if from == push.target && !occupied.contains(push.origin) {
            // If an en-passant capture is possible, the push leads to the position with an en-passant file instead.
            let answered =
                self.after_double_push(mover, men.squares, from.file()).map_or(0, |(_, legal)| legal);
            let bits = bits & !answered & !Bitboard::from(one).0;
            self.mark_man(mover, men, word, number, push.origin, bits, mark);
        }
    }

    /// Marks the positions with man number `number` back on `to`.
    #[expect(clippy::too_many_arguments)]
    fn mark_man(
        &self,
        mover: Color,
        men: &BlockPieces,
        word: u64,
        number: usize,
        to: Square,
        bits: u64,
        mark: &impl Fn(u64, u64),
    ) {
        let before = self.index.word_moved(word, men.squares, number, to);
        let mut men = *men;
        men.squares[number] = to;
        self.mark_all(mover, before, &men, bits, mark);
    }

    /// Marks `bits` of word number `word` with the men `men` and `mover` to move: without an en-passant file, and with each
    /// possible one.
    #[inline]
    fn mark_all(&self, mover: Color, word: u64, men: &BlockPieces, bits: u64, mark: &impl Fn(u64, u64)) {
        if bits == 0 {
            return;
        }
        mark(word, bits);
        if !self.material.has_en_passant() {
            return;
        }
        let pawn = Man::new(mover.other(), Role::Pawn);
        for (_, man, square) in men.placed(&self.material) {
            if man == pawn
                && square == DoublePush::new(mover.other(), square.file()).target
                && let Some((word, legal)) = self.after_double_push(mover.other(), men.squares, square.file())
                && bits & legal != 0
            {
                mark(word, bits & legal);
            }
        }
    }
}
