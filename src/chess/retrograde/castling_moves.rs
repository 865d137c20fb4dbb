//! The legal moves of a position with castling rights, as the positions after them.
//!
//! One position at a time, as there are few. The generator's own moves take 64 positions at a time and have no castling.

use super::conversions::{Conversions, Renumbering};
use crate::chess::position::{
    Bitboard, Color, DoublePush, MAX_MEN, Material, Position, Role, Square, Symmetry, attacks,
};

/// The moves of the positions of one material.
pub(super) struct ForwardMoves {
    material: Material,
    pub(super) conversions: Conversions,
}

/// A position after a move: of the same material, or of number `to` of [`Conversions::materials`].
pub(super) struct Child {
    pub(super) position: Position,
    pub(super) to: Option<usize>,
}

impl ForwardMoves {
    pub(super) fn new(material: &Material) -> Self {
        ForwardMoves { material: *material, conversions: Conversions::new(material) }
    }

    /// Calls `visit` with the position after each legal move of a legal position.
    pub(super) fn visit(&self, position: &Position, visit: &mut impl FnMut(Child)) {
        let turn = position.turn();
        let of = |color: Color| -> Bitboard {
            position.placed().filter(|(man, _)| man.color == color).map(|(_, square)| square).collect()
        };
        let (own, foes) = (of(turn), of(turn.other()));
        let occupied = own | foes;
        let passed = position.en_passant().map(|file| DoublePush::new(turn.other(), file));
        for (mover, (man, from)) in position.placed().enumerate().filter(|(_, (man, _))| man.color == turn) {
            let reach = attacks::attacks(man, from, occupied) & !own;
            if man.role != Role::Pawn {
                reach.into_iter().for_each(|to| self.go(position, mover, to, to, visit));
                continue;
            }
            (reach & foes).into_iter().for_each(|to| self.go(position, mover, to, to, visit));
            if let Some(push) = passed.filter(|push| reach.contains(push.passed)) {
                self.go(position, mover, push.passed, push.target, visit);
            }
            let ahead = turn.ahead(from);
            if occupied.contains(ahead) {
                continue;
            }
            self.go(position, mover, ahead, ahead, visit);
            let push = DoublePush::new(turn, from.file());
            if from == push.origin && !occupied.contains(push.target) {
                self.go(position, mover, push.target, push.target, visit);
            }
        }
        self.castle(position, occupied, visit);
    }

    /// Visits the positions after a move of man number `mover` to `to` that captures the man on `taken`, if there is one.
    fn go(
        &self,
        position: &Position,
        mover: usize,
        to: Square,
        taken: Square,
        visit: &mut impl FnMut(Child),
    ) {
        let (turn, men) = (position.turn(), position.material().len());
        let from = position.squares()[mover];
        let captured = position.squares().iter().position(|&square| square == taken);
        let mut squares = [Square::default(); MAX_MEN];
        squares[..men].copy_from_slice(position.squares());
        squares[mover] = to;
        let moved = Position::new(self.material, &squares[..men], turn.other(), None)
            .with_castling(position.castling().after([from, to]));
        let is_pawn = self.material.men()[mover].role == Role::Pawn;
        if is_pawn && to.rank() == turn.promotion_rank() {
            for by_captured in &self.conversions.promotions[mover] {
                converted(by_captured[captured.unwrap_or(men)].as_ref(), &moved, visit);
            }
        } else if let Some(captured) = captured {
            converted(self.conversions.captures[captured].as_ref(), &moved, visit);
        } else if !moved.in_check(turn) {
            let is_double = is_pawn && from.rank().abs_diff(to.rank()) == 2;
            let mut moved = if is_double { moved.with_double_push(to.file()) } else { moved };
            moved.sort();
            visit(Child { position: moved, to: None });
        }
    }

    /// Visits the positions after castling. The king must not be in check, pass or reach an attacked square, and no man may
    /// stand between king and rook.
    fn castle(&self, position: &Position, occupied: Bitboard, visit: &mut impl FnMut(Child)) {
        let turn = position.turn();
        let king = position.king(turn);
        if position.in_check(turn) {
            return;
        }
        for (_, rook) in position.castling().rooks().filter(|&(color, _)| color == turn) {
            let [king_file, rook_file] = if rook.file() == 0 { [2, 3] } else { [6, 5] };
            let [king_to, rook_to] = [king_file, rook_file].map(|file| Square::at(file, king.rank()));
            let is_attacked = |square| position.is_attacked(square, turn.other(), occupied);
            if !(attacks::between(king, rook) & occupied).is_empty()
                || [king_to, rook_to].into_iter().any(is_attacked)
            {
                continue;
            }
            let squares: Vec<Square> = (position.placed())
                .map(|(man, square)| match (man.color == turn, square) {
                    (true, square) if square == king => king_to,
                    (true, square) if square == rook => rook_to,
                    (_, square) => square,
                })
                .collect();
            let rights = position.castling().after([king, king]);
            let mut castled =
                Position::new(self.material, &squares, turn.other(), None).with_castling(rights);
            castled.sort();
            visit(Child { position: castled, to: None });
        }
    }
}

/// Visits `moved` as a position of another material, by the renumbering `how`, unless the side that moved is in check.
fn converted(how: Option<&Renumbering>, moved: &Position, visit: &mut impl FnMut(Child)) {
    let Some(how) = how else { return };
    let mut squares = [Square::default(); MAX_MEN];
    let (mut turn, mut rights) = (moved.turn(), moved.castling());
    for (square, &from) in squares.iter_mut().zip(&how.from[..how.material.len()]) {
        *square = moved.squares()[usize::from(from)];
        if how.exchanged {
            *square = Symmetry::MIRROR_RANKS.apply(*square);
        }
    }
    if how.exchanged {
        (turn, rights) = (turn.other(), rights.exchanged());
    }
    let mut child =
        Position::new(how.material, &squares[..how.material.len()], turn, None).with_castling(rights);
    if !child.in_check(turn.other()) {
        child.sort();
        visit(Child { position: child, to: Some(how.to) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::position::CastlingRights;
    use crate::pcn::noise::Noise;

    /// The positions after all legal moves by the rules library.
    fn by_the_library(position: &Position) -> Vec<Position> {
        let board: cozy_chess::Board = position.to_fen().parse().unwrap();
        let mut all = Vec::new();
        board.generate_moves(|moves| {
            for played in moves {
                let mut after = board.clone();
                after.play_unchecked(played);
                all.push(Position::from_fen(&after.to_string()).unwrap());
            }
            false
        });
        all
    }

    #[test]
    fn moves_agree_with_the_rules_library() {
        let (mut noise, mut asked, mut castled, mut passed) = (Noise(7), 0, 0, 0);
        let materials = ["KRvKP", "KRRvKR", "KRRPvKRP", "KRPPvKRP", "KQRPvKRNP", "KRRBvKRR"];
        while asked < 6_000 {
            let material: Material = materials[noise.below(materials.len())].parse().unwrap();
            let mut men: Vec<Square> =
                material.men().iter().map(|_| Square::new(noise.below(64) as u8)).collect();
            let (turn, file) = (Color::BOTH[noise.below(2)], noise.below(7) as u8);
            let pushed = DoublePush::new(turn.other(), file).target.rank();
            // Kings and rooks mostly at home, pawns often where one takes the other en passant.
            for (man, square) in material.men().iter().zip(&mut men) {
                let rank = if man.color == Color::White { 0 } else { 7 };
                match man.role {
                    Role::King if noise.below(8) > 0 => *square = Square::at(4, rank),
                    Role::Rook if noise.below(4) > 0 => *square = Square::at(7 * noise.below(2) as u8, rank),
                    Role::Pawn if noise.below(2) > 0 => {
                        *square = Square::at(file + u8::from(man.color == turn), pushed);
                    }
                    _ => {}
                }
            }
            let rights = CastlingRights::from_bits(1 + noise.below(15) as u8).unwrap();
            let file = (noise.below(2) > 0).then_some(file);
            let mut position = Position::new(material, &men, turn, file).with_castling(rights);
            position.sort();
            if !position.is_legal() {
                continue;
            }
            let mut ours: Vec<String> = Vec::new();
            ForwardMoves::new(&material).visit(&position, &mut |child| {
                assert_eq!(child.to.is_none(), *child.position.material() == material);
                castled +=
                    usize::from(child.position.castling() != rights && !child.position.castling().is_empty());
                ours.push(child.position.to_fen());
            });
            let mut theirs: Vec<String> = by_the_library(&position).iter().map(Position::to_fen).collect();
            ours.sort();
            theirs.sort();
            assert_eq!(ours, theirs, "{}", position.to_fen());
            asked += 1;
            passed += usize::from(file.is_some());
        }
        assert!(castled > 1000 && passed > 50, "{castled} {passed}");
    }
}
