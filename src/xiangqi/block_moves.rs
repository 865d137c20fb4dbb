//! Moves and un-moves of the positions of a word, which differ only in the men of the black palace.
//!
//! A move of a man outside the black palace leads to another word with the same bits, except the bits in which the palace's men
//! are in the way. A move of the palace's men stays in the word. Illegal slots count as won in the sets of the generator, so
//! three kinds of illegal moves need no test: onto a man of the same side, into check, and to generals that face each other.

use super::Xiangqi;
use super::frozen::groups::Sizes;
use super::frozen::index::{BlockPieces, Index, image};
use super::frozen::palace::Palace;
use super::material::Material;
use super::point::Point;
use super::reach::{BlockPoints, Reach};
use crate::outcome::Color;
use crate::retrograde::Set;
use crate::retrograde::bits::ones;
use crate::retrograde::game::{Game, Numbering};
use crate::retrograde::rules::Moves;

/// The moves of the words of a material.
#[derive(Debug)]
pub struct BlockMoves {
    index: Index,
}

impl BlockPieces {
    pub(super) fn reach<'a>(&self, palace: &'a Palace) -> Reach<BlockPoints<'a>> {
        Reach(BlockPoints { palace, fixed: self.fixed })
    }
}

/// The positions in which the black general is attacked.
fn checked(index: &Index, men: &BlockPieces) -> u128 {
    let (palace, reach) = (index.palace(), men.reach(index.palace()));
    let mut checked = 0;
    for number in index.outside() {
        let man = index.material().men()[number];
        if man.role.is_attacker() {
            reach.captures(man, men.placed[number], |to, open| checked |= open & palace.generals[to.index()]);
        }
    }
    checked
}

impl BlockMoves {
    /// Calls `mark` with the word in which man number `man` is back on `to`, and with `bits` as bits of that word.
    fn mark_before(
        &self,
        word: u64,
        men: &BlockPieces,
        man: usize,
        to: Point,
        bits: u128,
        mark: &impl Fn(u64, u128),
    ) {
        if bits == 0 || men.fixed.contains(to) {
            return;
        }
        if let Some((before, is_mirrored)) = self.index.moved(word, men, man, to) {
            mark(before, image(bits, is_mirrored));
        }
        if let Some(before) = self.index.second_image(men, man, to) {
            mark(before, image(bits, true));
        }
    }
}

impl Moves<Xiangqi> for BlockMoves {
    fn new(material: &Material) -> Self {
        BlockMoves { index: Index::new(material) }
    }

    /// The bytes of the numberings: for the moves, for the captures, and of the sub-tables.
    fn bytes(material: &Material) -> u64 {
        let below = Xiangqi::sub_materials(material);
        let all = [material; 2].into_iter().chain(&below);
        all.map(|material| Sizes::of_words(material).bytes() + Palace::BYTES).sum()
    }

    fn index(&self) -> &Index {
        &self.index
    }

    fn legal(&self, turn: Color, _: u64, men: &BlockPieces) -> u128 {
        if men.is_impossible {
            return 0;
        }
        let palace = self.index.palace();
        let shared = men.fixed.into_iter().fold(0, |all, point| all | palace.occupied(point));
        let legal = palace.all & !shared & !men.reach(palace).facing(men.placed[0]);
        // No man of Black can attack the red general.
        if turn == Color::White && legal != 0 { legal & !checked(&self.index, men) } else { legal }
    }

    fn safe(&self, _: Color, _: &BlockPieces) -> u128 {
        u128::MAX
    }

    fn lost(&self, turn: Color, word: u64, candidates: u128, wins: &Set<u128>) -> u128 {
        let men = self.index.men(turn, word);
        let palace = self.index.palace();
        let reach = men.reach(palace);
        let mut lost = candidates;
        if turn == Color::Black {
            let escapes = !wins.get(word) & palace.all;
            // A move of the palace's men can be taken back: the bits that an escape can move to are the bits that can move to it.
            lost &= !ones(escapes).fold(0, |all, bit| all | palace.moves[bit]);
        }
        for number in self.index.outside() {
            let man = self.index.material().men()[number];
            if man.color != turn {
                continue;
            }
            reach.quiet(man, men.placed[number], |to, open| {
                if lost & open == 0 || men.fixed.contains(to) {
                    return;
                }
                if let Some((after, is_mirrored)) = self.index.moved(word, &men, number, to) {
                    lost &= image(wins.get(after), is_mirrored) | !open;
                }
            });
            if lost == 0 {
                return 0;
            }
        }
        lost
    }

    fn unmove(&self, turn: Color, word: u64, bits: u128, mark: &impl Fn(u64, u128)) {
        let men = self.index.men(turn, word);
        let palace = self.index.palace();
        let reach = men.reach(palace);
        let mover = turn.other();
        if mover == Color::Black {
            let before = ones(bits).fold(0, |all, bit| all | palace.moves[bit]);
            mark(word, before);
        }
        for number in self.index.outside() {
            let man = self.index.material().men()[number];
            if man.color == mover {
                reach.quiet_origins(man, men.placed[number], |to, open| {
                    self.mark_before(word, &men, number, to, bits & open, mark);
                });
            }
        }
    }
}
