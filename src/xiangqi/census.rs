//! Counts of the positions of a table, as in the paper (page 221).
//!
//! The paper's *real size* counts a position and its mirror, and identical men as different men. No two men share a point and
//! the generals do not face each other. But with Red to move the black general may be attacked: Red can take it, and has won.
//! A *high* soldier stands on one of the first two ranks beyond the river.

use super::Table;
use super::block_moves::BlockMoves;
use super::frozen::index::{BlockPieces, WORD};
use super::man::Role;
use super::point::RANKS;
use crate::outcome::{Color, Wdl};
use crate::retrograde::bits::ones;
use crate::retrograde::game::Numbering;
use crate::retrograde::rules::Moves;
use rayon::prelude::*;

/// Numbers of positions in the paper's sense.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Losses, draws and wins by [`Wdl::index`], with Red to move and with Black to move.
    pub outcomes: [[u64; 3]; 2],
    /// The longest distance of a win with Red to move in plies; `None` without one, or if no distances are stored.
    pub longest: Option<u32>,
}

impl Census {
    /// Counts the positions of `table`.
    pub fn of(table: &Table) -> Self {
        Self::of_words(table, |_| true)
    }

    /// Counts the positions of `table` in which all soldiers are high.
    pub fn of_high_soldiers(table: &Table) -> Self {
        let men = table.material().men();
        let is_high =
            |at: &usize, of: &BlockPieces| (RANKS / 2..=RANKS / 2 + 1).contains(&of.placed[*at].rank());
        let soldiers: Vec<usize> = (0..men.len()).filter(|&at| men[at].role == Role::Soldier).collect();
        Self::of_words(table, |of| soldiers.iter().all(|at| is_high(at, of)))
    }

    fn of_words(table: &Table, is_counted: impl Fn(&BlockPieces) -> bool + Sync) -> Self {
        let moves = BlockMoves::new(table.material());
        let alike = table.material().groups().map(|men| (1..=men.len() as u64).product::<u64>());
        let alike: u64 = alike.product();
        let of_word = |word: u64| {
            let men = moves.index().men(Color::White, word);
            let mut census = Census::default();
            if !is_counted(&men) {
                return census;
            }
            let weight = alike * moves.index().images(&men);
            for (turn, outcomes) in Color::BOTH.into_iter().zip(&mut census.outcomes) {
                let Some(side) = table.side(turn) else { continue };
                let of_side = side.word::<u128>(word);
                for (count, bits) in outcomes.iter_mut().zip(of_side) {
                    *count = weight * u64::from(bits.count_ones());
                }
                if turn == Color::White {
                    let attacked = moves.legal(Color::Black, word, &men) & !moves.legal(turn, word, &men);
                    outcomes[Wdl::Win.index()] += weight * u64::from(attacked.count_ones());
                    let plies = |bit| side.distances.get((word * WORD) as usize + bit);
                    census.longest = ones(of_side[Wdl::Win.index()]).filter_map(plies).max();
                }
            }
            census
        };
        (0..moves.index().words()).into_par_iter().map(of_word).reduce(Census::default, Census::plus)
    }

    fn plus(mut self, other: Census) -> Self {
        for (a, b) in self.outcomes.as_flattened_mut().iter_mut().zip(other.outcomes.as_flattened()) {
            *a += b;
        }
        self.longest = self.longest.max(other.longest);
        self
    }
}
