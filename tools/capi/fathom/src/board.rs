//! Positions from the arguments of Fathom's functions, their legal moves in Fathom's order, and their outcomes.

use cozy_chess::{Board, BoardBuilder, Color, File, Move, Piece, Rank, Square};
use cubebase::{CastlingRights, Error, ErrorKind, Position, Result, Tables, Wdl, Wdl50};

/// The kinds of men in the order of the arguments, which is also that of Fathom's moves.
const ROLES: [Piece; 6] = [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// A position as bitboards, bit 0 for a1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bitboards {
    /// The men of White and of Black.
    pub(crate) colors: [u64; 2],
    /// The kings, queens, rooks, bishops, knights and pawns.
    pub(crate) roles: [u64; 6],
    /// The square passed by a double push, 0 for none.
    pub(crate) en_passant: u32,
    pub(crate) white_to_move: bool,
}

/// No table of up to so many men has cursed wins.
const FEW_MEN: u32 = 4;

impl Bitboards {
    /// The outcome for the side to move under the 50-move rule, from a counter of zero, as Fathom numbers it: 0 for a loss to 4
    /// for a win. The rule is ignored if neither the file of outcomes nor that of distances knows it. `None` if there is no table,
    /// a file is damaged or the position is invalid.
    #[inline]
    pub(crate) fn wdl(&self, tables: &Tables) -> Option<u32> {
        if self.en_passant > 63 {
            return None;
        }
        let passed = self.passed();
        let wdl = tables
            .probe_bitboards(self.colors, self.roles, passed, self.turn(), CastlingRights::NONE)
            .ok()?;
        let few = (self.colors[0] | self.colors[1]).count_ones() <= FEW_MEN;
        if few || wdl == Wdl::Draw {
            return Some(2 * wdl.index() as u32);
        }
        let rights = CastlingRights::NONE;
        let is_missing = |error: &Error| error.kind() == ErrorKind::MissingTable;
        let mut ruled = tables.probe_wdl50_bitboards(self.colors, self.roles, passed, self.turn(), rights);
        if ruled.as_ref().is_err_and(is_missing) {
            ruled = self.distance(tables).map(|plies| Wdl50::new(wdl, plies.unsigned_abs()));
        }
        match ruled {
            Err(error) if is_missing(&error) => Some(Wdl50::new(wdl, 0).index() as u32),
            ruled => ruled.ok().map(|ruled| ruled.index() as u32),
        }
    }

    /// The distance to zeroing for the side to move, in plies; `None` if it is not known. The passed square is one of the board.
    pub(crate) fn dtz(&self, tables: &Tables) -> Option<i32> {
        self.distance(tables).ok()
    }

    fn distance(&self, tables: &Tables) -> Result<i32> {
        let rights = CastlingRights::NONE;
        // Without a `Position`.
        let outcome = tables.probe_bitboards(self.colors, self.roles, self.passed(), self.turn(), rights);
        if outcome? == Wdl::Draw {
            return Ok(0);
        }
        tables.dtz(&Position::from_bitboards(self.colors, self.roles, self.passed(), self.turn(), rights)?)
    }

    fn passed(&self) -> Option<cubebase::Square> {
        (self.en_passant != 0).then(|| cubebase::Square::new(self.en_passant as u8))
    }

    fn turn(&self) -> cubebase::Color {
        if self.white_to_move { cubebase::Color::White } else { cubebase::Color::Black }
    }

    /// The position for the rules library; `None` if it is illegal.
    pub(crate) fn board(&self) -> Option<Board> {
        let [white, black] = self.colors;
        let all = self.roles.into_iter().fold(0, |all, of_role| all | of_role);
        let has_one_role =
            self.roles.iter().map(|of_role| of_role.count_ones()).sum::<u32>() == all.count_ones();
        if !has_one_role || white & black != 0 || white | black != all {
            return None;
        }
        let mut builder = BoardBuilder::empty();
        for square in Square::ALL {
            let is_in = |squares: u64| squares >> (square as u32) & 1 != 0;
            let role = ROLES.into_iter().zip(self.roles).find(|&(_, of_role)| is_in(of_role));
            let color = if is_in(white) { Color::White } else { Color::Black };
            *builder.square_mut(square) = role.map(|(role, _)| (role, color));
        }
        let turn = if self.white_to_move { Color::White } else { Color::Black };
        builder.side_to_move = turn;
        if self.en_passant != 0 {
            let passed = Square::try_index(self.en_passant as usize)?;
            // Callers may give a square after every double push. It is dropped if no pawn can capture.
            let [own, pawns] = [self.colors[usize::from(!self.white_to_move)], self.roles[5]];
            let can_capture = cozy_chess::get_pawn_attacks(passed, !turn).0 & own & pawns != 0;
            builder.en_passant = can_capture.then_some(passed);
        }
        let board = builder.build().ok()?;
        // The library does not check that the kings are apart.
        let around = cozy_chess::get_king_moves(board.king(Color::White));
        (!around.has(board.king(Color::Black))).then_some(board)
    }
}

/// A legal move, and the position after it.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Fathom's number of the piece that a pawn becomes: queen 1, rook 2, bishop 3, knight 4, none 0.
    pub(crate) promotion: u32,
    pub(crate) is_en_passant: bool,
    /// Whether it is a capture or a pawn move, which resets the 50-move counter.
    pub(crate) is_zeroing: bool,
    pub(crate) after: Board,
}

impl Reply {
    /// The move in UCI notation.
    pub(crate) fn to_uci(&self) -> String {
        let square = |square: u32| cozy_chess::Square::index(square as usize);
        let promotion = ["", "q", "r", "b", "n"][self.promotion as usize];
        format!("{}{}{promotion}", square(self.from), square(self.to))
    }
}

/// The legal moves in Fathom's order: king, queens, rooks, bishops, knights, pawns; men by their squares, moves by their
/// targets; en passant before a pawn's other moves; promotions to queen, knight, rook, bishop.
pub(crate) fn replies(board: &Board) -> Vec<Reply> {
    let mut found = Vec::new();
    board.generate_moves(|moves| {
        let role = moves.piece;
        found.extend(moves.into_iter().map(|chosen| (role, chosen)));
        false
    });
    let mut replies: Vec<_> =
        found.into_iter().map(|(role, chosen)| (role, reply(board, role, chosen))).collect();
    replies.sort_by_key(|(role, reply)| {
        let role = ROLES.iter().position(|other| other == role);
        let promotion = [0, 1, 3, 4, 2][reply.promotion as usize];
        (role, reply.from, !reply.is_en_passant, reply.to, promotion)
    });
    replies.into_iter().map(|(_, reply)| reply).collect()
}

fn reply(board: &Board, role: Piece, chosen: Move) -> Reply {
    let promotion = match chosen.promotion {
        Some(Piece::Queen) => 1,
        Some(Piece::Rook) => 2,
        Some(Piece::Bishop) => 3,
        Some(Piece::Knight) => 4,
        _ => 0,
    };
    let is_pawn = role == Piece::Pawn;
    let is_capture = board.occupied().has(chosen.to);
    let mut after = board.clone();
    after.play_unchecked(chosen);
    Reply {
        from: chosen.from as u32,
        to: chosen.to as u32,
        promotion,
        is_en_passant: is_pawn && !is_capture && chosen.from.file() != chosen.to.file(),
        is_zeroing: is_pawn || is_capture,
        after,
    }
}

/// Whether the side to move is mated.
pub(crate) fn is_mate(board: &Board) -> bool {
    !board.checkers().is_empty() && !board.generate_moves(|_| true)
}

/// The arguments of Fathom's functions for a board.
impl From<&Board> for Bitboards {
    fn from(board: &Board) -> Self {
        let rank = Rank::Third.relative_to(!board.side_to_move());
        Bitboards {
            colors: [Color::White, Color::Black].map(|color| board.colors(color).0),
            roles: ROLES.map(|role| board.pieces(role).0),
            en_passant: board.en_passant().map_or(0, |file: File| Square::new(file, rank) as u32),
            white_to_move: board.side_to_move() == Color::White,
        }
    }
}
