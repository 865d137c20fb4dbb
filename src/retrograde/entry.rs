//! Conversions of 64 positions at a time, looked up in the sub-tables.
//!
//! A child that keeps its colours has our black king, so that a word of the sub-table, under the symmetry that its white
//! king asks for, answers for the whole word, three bitboards at once. Where the colours are exchanged, and where
//! the black king captures, positions are looked up one by one, as far as they are legal.

use super::bits::ones;
use super::conversions::{Conversions, Renumbering};
use super::moves::{ahead, promotion_rank};
use super::sight::Sight;
use super::table::{Metric, Side, Table};
use crate::position::square::Symmetry;
use crate::position::symmetry::leading;
use crate::position::words::Frame;
use crate::position::{Color, DoublePush, MAX_MEN, Man, Material, Position, Role, Square, Wdl, attacks};
use std::sync::Arc;

/// What the conversions of the positions of a word say: where one wins, draws or loses for the side to move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Verdict {
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
}

/// The distances of the conversions of a word's positions.
pub(super) struct Lines {
    /// Of the shortest win, `u16::MAX` when there is none.
    pub(super) shortest: [u16; 64],
    /// Of the longest loss, 0 when there is none.
    pub(super) longest: [u16; 64],
    metric: Metric,
}

impl Lines {
    pub(super) fn new(metric: Metric) -> Self {
        Lines { shortest: [u16::MAX; 64], longest: [0; 64], metric }
    }

    /// Notes a conversion of position `bit` with outcome `wdl` to a child at distance `below`; it is the end of the count
    /// when that goes to the conversion.
    #[inline]
    fn add(&mut self, bit: u32, wdl: Wdl, below: u32) {
        let bit = bit as usize;
        // No distance of a table comes near the end; that of a forged file may.
        let plies = if self.metric == Metric::Dtc { 1 } else { (below as u16).saturating_add(1) };
        match wdl {
            Wdl::Win => self.shortest[bit] = self.shortest[bit].min(plies),
            Wdl::Draw => {}
            Wdl::Loss => self.longest[bit] = self.longest[bit].max(plies),
        }
    }
}

/// The ways out of a table.
pub(super) struct Exits {
    material: Material,
    conversions: Conversions,
    /// By number in [`Conversions::materials`].
    tables: Vec<Arc<Table>>,
}

/// The positions of one word whose conversions are looked up.
struct Search<'a> {
    exits: &'a Exits,
    turn: Color,
    frame: &'a Frame,
    verdict: Verdict,
    lines: Option<&'a mut Lines>,
}

impl Exits {
    /// The conversions of `material` into `tables`, which are those of [`Conversions::materials`], in this order.
    pub(super) fn new(material: &Material, conversions: Conversions, tables: Vec<Arc<Table>>) -> Self {
        Exits { material: *material, conversions, tables }
    }

    /// Looks up all conversions of the legal positions `legal` of a word of the men of `frame`; notes their distances in
    /// `lines`, if given.
    pub(super) fn verdict(
        &self,
        turn: Color,
        frame: &Frame,
        legal: u64,
        lines: Option<&mut Lines>,
    ) -> Verdict {
        let mut search = Search { exits: self, turn, frame, verdict: Verdict::default(), lines };
        search.captures_and_promotions(legal);
        search.en_passant(legal);
        search.verdict
    }
}

impl Search<'_> {
    fn captures_and_promotions(&mut self, legal: u64) {
        let Search { exits, turn, frame, .. } = *self;
        let occupied = frame.occupied(&exits.material);
        for (mover, man, from) in frame.placed(&exits.material).filter(|(_, man, _)| man.color == turn) {
            let promotes = man.role == Role::Pawn && ahead(turn, from).rank() == promotion_rank(turn);
            let reach = attacks::attacks(man, from, occupied);
            for (captured, other, to) in frame.placed(&exits.material) {
                if other.color == turn || other.role == Role::King || reach & to.bit() == 0 {
                    continue;
                }
                let legal = legal & !attacks::between(from, to);
                if promotes {
                    for by_captured in &exits.conversions.promotions[mover] {
                        self.look(by_captured[captured].as_ref(), mover, to, legal);
                    }
                } else {
                    self.look(exits.conversions.captures[captured].as_ref(), mover, to, legal);
                }
            }
            let to = ahead(turn, from);
            if promotes && to.bit() & occupied == 0 {
                for by_captured in &exits.conversions.promotions[mover] {
                    self.look(by_captured[exits.material.len()].as_ref(), mover, to, legal & !to.bit());
                }
            }
        }
        if turn == Color::Black {
            for (captured, other, to) in frame.placed(&exits.material) {
                let reach = attacks::king(to) & legal;
                if other.color == Color::White && other.role != Role::King && reach != 0 {
                    self.look_king(exits.conversions.captures[captured].as_ref(), to, reach);
                }
            }
        }
    }

    fn en_passant(&mut self, legal: u64) {
        let Search { exits, turn, frame, .. } = *self;
        let Some(file) = frame.en_passant else { return };
        let push = DoublePush::new(turn.other(), file);
        let pawn = |color| Man::new(color, Role::Pawn);
        let is_captured =
            |&(_, man, on): &(usize, Man, Square)| man == pawn(turn.other()) && on == push.target;
        let Some((captured, ..)) = frame.placed(&exits.material).find(is_captured) else { return };
        for (mover, man, from) in frame.placed(&exits.material) {
            if man == pawn(turn) && attacks::pawn(turn, from) & push.passed.bit() != 0 {
                self.look(exits.conversions.captures[captured].as_ref(), mover, push.passed, legal);
            }
        }
    }

    /// Looks up the children of the positions `among` in which man number `mover` has gone to `to`.
    fn look(&mut self, how: Option<&Renumbering>, mover: usize, to: Square, among: u64) {
        let Some(how) = how.filter(|_| among != 0) else { return };
        let mut squares = self.frame.squares;
        squares[mover] = to;
        let turn = self.turn.other();
        if how.exchanged || !how.material.stored_turns().contains(&turn) {
            for bit in ones(among & self.legal_children(how, squares)) {
                squares[1] = Square::new(bit as u8);
                self.look_up(how, squares, 1 << bit);
            }
            return;
        }
        let table = &self.exits.tables[how.to];
        let Some(side) = table.sides().get(turn.index()) else { return };
        let mut child = [Square::default(); MAX_MEN];
        for (square, &from) in child.iter_mut().zip(&how.from[..how.material.len()]) {
            *square = squares[usize::from(from)];
        }
        let (first, second) = leading(how.material.has_pawns(), child[0]);
        for symmetry in std::iter::once(first).chain(second) {
            self.look_word(table, side, child.map(|square| symmetry.apply(square)), symmetry, among);
        }
    }

    /// Looks up the children whose men, but for the black king, come to `squares` of `table` under `symmetry`.
    fn look_word(
        &mut self,
        table: &Table,
        side: &Side,
        squares: [Square; MAX_MEN],
        symmetry: Symmetry,
        among: u64,
    ) {
        let word = table.index().word(squares);
        let inverse = symmetry.inverse();
        let [losses, draws, wins] = side.word(word as usize).map(|bits| inverse.image(bits) & among);
        self.verdict.wins |= losses;
        self.verdict.draws |= draws;
        self.verdict.losses |= wins;
        let Some(lines) = &mut self.lines else { return };
        for (bits, wdl) in [(losses, Wdl::Win), (wins, Wdl::Loss)] {
            for bit in ones(bits) {
                let slot = word * 64 + symmetry.apply(Square::new(bit as u8)).index() as u64;
                lines.add(bit, wdl, side.distances.get(slot as usize).unwrap_or(0));
            }
        }
    }

    /// Looks up the child in which the black king has captured on `to`, for the positions `among`.
    fn look_king(&mut self, how: Option<&Renumbering>, to: Square, among: u64) {
        let Some(how) = how else { return };
        let mut squares = self.frame.squares;
        if self.legal_children(how, squares) & to.bit() != 0 {
            squares[1] = to;
            self.look_up(how, squares, among);
        }
    }

    /// The black king's squares for which the child with the other men on `squares` is legal.
    fn legal_children(&self, how: &Renumbering, squares: [Square; MAX_MEN]) -> u64 {
        let men = how.material.men().iter().zip(how.from).filter(|&(_, from)| from != 1);
        let placed = men.map(|(&man, from)| {
            let color = if how.exchanged { man.color.other() } else { man.color };
            (Man::new(color, man.role), squares[usize::from(from)])
        });
        Sight::new(placed, squares[0]).legal[self.turn.other().index()]
    }

    /// Looks up one legal child, with the men on `squares`, for the positions `parents`.
    fn look_up(&mut self, how: &Renumbering, squares: [Square; MAX_MEN], parents: u64) {
        let mut child = [Square::default(); MAX_MEN];
        for (square, &from) in child.iter_mut().zip(&how.from[..how.material.len()]) {
            *square = squares[usize::from(from)];
            if how.exchanged {
                *square = Symmetry::MIRROR_RANKS.apply(*square);
            }
        }
        let turn = if how.exchanged { self.turn } else { self.turn.other() };
        let mut child = Position::new(how.material, &child[..how.material.len()], turn, None);
        child.sort();
        let Some((wdl, plies)) = self.exits.tables[how.to].value_and_distance(&child) else { return };
        match wdl.other() {
            Wdl::Win => self.verdict.wins |= parents,
            Wdl::Draw => self.verdict.draws |= parents,
            Wdl::Loss => self.verdict.losses |= parents,
        }
        if let Some(lines) = &mut self.lines {
            ones(parents).for_each(|bit| lines.add(bit, wdl.other(), plies));
        }
    }
}
