//! The outcomes of conversions, looked up in the sub-tables for 64 positions at a time.
//!
//! If the colours stay, the child has the same black king. One word of the sub-table, transformed by the symmetry that brings
//! the white king to its region, then has the outcomes of all 64 children. If the colours are exchanged, or if the black
//! king captures, the legal children are looked up one by one.

use super::Chess;
use super::conversions::{Conversions, Renumbering};
use super::frozen::radix::BlockPieces;
use super::legality::Legality;
use crate::chess::position::symmetry::to_region;
use crate::chess::position::{
    Bitboard, Color, DoublePush, MAX_MEN, Man, Material, Position, Role, Square, Symmetry, Wdl, attacks,
};
use crate::chess::retrograde::Table;
use crate::retrograde::bits::ones;
use crate::retrograde::rules::{self, ConversionPlies};
use crate::retrograde::table::Side;
use std::sync::Arc;

/// The conversions of a material, with the tables that they lead to.
#[derive(Debug)]
pub struct ConversionTables {
    material: Material,
    conversions: Conversions,
    /// By number in [`Conversions::materials`].
    tables: Vec<Arc<Table>>,
}

/// The look-up of the conversions of one word.
struct Lookup<'a> {
    of: &'a ConversionTables,
    turn: Color,
    men: &'a BlockPieces,
    /// The positions with a conversion that loses, draws and wins for the side to move, by [`Wdl::index`].
    values: [u64; 3],
    plies: Option<&'a mut ConversionPlies<u64>>,
}

impl rules::Conversions<Chess> for ConversionTables {
    fn new(material: &Material, tables: Vec<Arc<Table>>) -> Self {
        ConversionTables { material: *material, conversions: Conversions::new(material), tables }
    }

    fn values(
        &self,
        turn: Color,
        men: &BlockPieces,
        legal: u64,
        plies: Option<&mut ConversionPlies<u64>>,
    ) -> [u64; 3] {
        let mut search = Lookup { of: self, turn, men, values: [0; 3], plies };
        search.captures_and_promotions(legal);
        search.en_passant(legal);
        search.values
    }
}

impl Lookup<'_> {
    fn captures_and_promotions(&mut self, legal: u64) {
        let Lookup { of, turn, men, .. } = *self;
        let occupied = men.occupied(&of.material);
        for (mover, man, from) in men.placed(&of.material).filter(|(_, man, _)| man.color == turn) {
            let promotes = man.role == Role::Pawn && turn.ahead(from).rank() == turn.promotion_rank();
            let reach = attacks::attacks(man, from, occupied);
            for (captured, other, to) in men.placed(&of.material) {
                if other.color == turn || other.role == Role::King || !reach.contains(to) {
                    continue;
                }
                let legal = legal & !attacks::between(from, to).0;
                if promotes {
                    for by_captured in &of.conversions.promotions[mover] {
                        self.look_up_move(by_captured[captured].as_ref(), mover, to, legal);
                    }
                } else {
                    self.look_up_move(of.conversions.captures[captured].as_ref(), mover, to, legal);
                }
            }
            let to = turn.ahead(from);
            if promotes && !occupied.contains(to) {
                for by_captured in &of.conversions.promotions[mover] {
                    self.look_up_move(
                        by_captured[of.material.len()].as_ref(),
                        mover,
                        to,
                        legal & !Bitboard::from(to).0,
                    );
                }
            }
        }
        if turn == Color::Black {
            for (captured, other, to) in men.placed(&of.material) {
                let reach = attacks::king(to).0 & legal;
                if other.color == Color::White && other.role != Role::King && reach != 0 {
                    self.look_up_king_capture(of.conversions.captures[captured].as_ref(), to, reach);
                }
            }
        }
    }

    fn en_passant(&mut self, legal: u64) {
        let Lookup { of, turn, men, .. } = *self;
        let Some(file) = men.en_passant else { return };
        let push = DoublePush::new(turn.other(), file);
        let pawn = |color| Man::new(color, Role::Pawn);
        let is_captured =
            |&(_, man, on): &(usize, Man, Square)| man == pawn(turn.other()) && on == push.target;
        let Some((captured, ..)) = men.placed(&of.material).find(is_captured) else { return };
        for (mover, man, from) in men.placed(&of.material) {
            if man == pawn(turn) && attacks::pawn(turn, from).contains(push.passed) {
                self.look_up_move(of.conversions.captures[captured].as_ref(), mover, push.passed, legal);
            }
        }
    }

    /// Looks up the children of the positions `among` after a move of man number `mover` to `to`.
    fn look_up_move(&mut self, renumbering: Option<&Renumbering>, mover: usize, to: Square, among: u64) {
        let Some(renumbering) = renumbering.filter(|_| among != 0) else { return };
        let mut squares = self.men.squares;
        squares[mover] = to;
        let turn = self.turn.other();
        if renumbering.exchanged || !renumbering.material.stored_turns().contains(&turn) {
            for bit in ones(among & self.legal_children(renumbering, squares)) {
                squares[1] = Square::new(bit as u8);
                self.look_up_child(renumbering, squares, 1 << bit);
            }
            return;
        }
        let table = &self.of.tables[renumbering.to];
        let Some(side) = table.side(turn) else { return };
        let mut child = [Square::default(); MAX_MEN];
        for (square, &from) in child.iter_mut().zip(&renumbering.from[..renumbering.material.len()]) {
            *square = squares[usize::from(from)];
        }
        let (first, second) = to_region(renumbering.material.has_pawns(), child[0]);
        for symmetry in std::iter::once(first).chain(second) {
            self.look_up_word(table, side, child.map(|square| symmetry.apply(square)), symmetry, among);
        }
    }

    /// Looks up the children in the word of `table` with the men on `squares`, which `symmetry` has brought there.
    fn look_up_word(
        &mut self,
        table: &Table,
        side: &Side,
        squares: [Square; MAX_MEN],
        symmetry: Symmetry,
        among: u64,
    ) {
        let word = table.index().word(squares);
        let inverse = symmetry.inverse();
        let [losses, draws, wins] =
            side.word::<u64>(word).map(|bits| Bitboard(bits).image(inverse).0 & among);
        for (all, of_children) in self.values.iter_mut().zip([wins, draws, losses]) {
            *all |= of_children;
        }
        let Some(plies) = &mut self.plies else { return };
        for (bits, wdl) in [(losses, Wdl::Win), (wins, Wdl::Loss)] {
            for bit in ones(bits) {
                let slot = word * 64 + symmetry.apply(Square::new(bit as u8)).index() as u64;
                plies.add(bit, wdl, side.distances.get(slot as usize).unwrap_or(0));
            }
        }
    }

    /// Looks up the child after a capture by the black king on `to`, which is the same for all positions `among`.
    fn look_up_king_capture(&mut self, renumbering: Option<&Renumbering>, to: Square, among: u64) {
        let Some(renumbering) = renumbering else { return };
        let mut squares = self.men.squares;
        if Bitboard(self.legal_children(renumbering, squares)).contains(to) {
            squares[1] = to;
            self.look_up_child(renumbering, squares, among);
        }
    }

    /// The squares of the black king for which the child with the other men on `squares` is legal.
    fn legal_children(&self, renumbering: &Renumbering, squares: [Square; MAX_MEN]) -> u64 {
        let men = renumbering.material.men().iter().zip(renumbering.from).filter(|&(_, from)| from != 1);
        let placed = men.map(|(&man, from)| {
            let color = if renumbering.exchanged { man.color.other() } else { man.color };
            (Man::new(color, man.role), squares[usize::from(from)])
        });
        Legality::new(placed, squares[0]).legal[self.turn.other().index()]
    }

    /// Looks up a legal child of the positions `parents`, with the men on `squares`.
    fn look_up_child(&mut self, renumbering: &Renumbering, squares: [Square; MAX_MEN], parents: u64) {
        let mut child = [Square::default(); MAX_MEN];
        for (square, &from) in child.iter_mut().zip(&renumbering.from[..renumbering.material.len()]) {
            *square = squares[usize::from(from)];
            if renumbering.exchanged {
                *square = Symmetry::MIRROR_RANKS.apply(*square);
            }
        }
        let turn = if renumbering.exchanged { self.turn } else { self.turn.other() };
        let mut child = Position::new(renumbering.material, &child[..renumbering.material.len()], turn, None);
        child.sort();
        let Some((wdl, distance)) = self.of.tables[renumbering.to].value_and_distance(&child) else { return };
        self.values[wdl.other().index()] |= parents;
        if let Some(plies) = &mut self.plies {
            ones(parents).for_each(|bit| plies.add(bit, wdl.other(), distance));
        }
    }
}
