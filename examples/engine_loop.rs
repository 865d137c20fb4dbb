//! An engine's loop at its root: of all legal moves it plays one that keeps the value of the game.
//!
//! `cargo run --example engine_loop -- "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"` plays such moves for both sides and prints them.
//! The tables say win, draw or loss and nothing of how far away the end is: which of the moves that keep a win makes
//! progress is for the engine's own search to find. `uci_engine.rs` shows one.

use cozy_chess::{Board, Color, File, Move, Piece, Rank, Square};
use cubebase::{CastlingRights, Tables, Wdl};

/// The outcome of a board for the side to move, from its bitboards: no FEN is written or read.
pub(crate) fn probe(tables: &Tables, board: &Board) -> cubebase::Result<Wdl> {
    let turn = board.side_to_move();
    let passed = board.en_passant().map(|file| Square::new(file, Rank::Sixth.relative_to(turn)));
    tables.probe_bitboards(
        [Color::White, Color::Black].map(|color| board.colors(color).0),
        [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn]
            .map(|piece| board.pieces(piece).0),
        passed.map(|square| cubebase::Square::new(square as u8)),
        if turn == Color::White { cubebase::Color::White } else { cubebase::Color::Black },
        rights(board),
    )
}

/// The castling rights.
fn rights(board: &Board) -> CastlingRights {
    let of = |color| {
        let rights = board.castle_rights(color);
        u8::from(rights.short == Some(File::H)) | u8::from(rights.long == Some(File::A)) << 1
    };
    CastlingRights::from_bits(of(Color::White) | of(Color::Black) << 2).unwrap_or_default()
}

/// The legal moves with the outcome after each for the side that moves, and the board after it.
pub(crate) fn moves(tables: &Tables, board: &Board) -> cubebase::Result<Vec<(Move, Wdl, Board)>> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    let outcome = |played| {
        let mut after = board.clone();
        after.play_unchecked(played);
        probe(tables, &after).map(|outcome| (played, outcome.other(), after))
    };
    all.into_iter().map(outcome).collect()
}

/// A move that keeps the value of the game; `None` when there is no legal move.
pub(crate) fn best(tables: &Tables, board: &Board) -> cubebase::Result<Option<(Move, Wdl)>> {
    let best = moves(tables, board)?.into_iter().max_by_key(|&(_, outcome, _)| outcome);
    Ok(best.map(|(played, outcome, _)| (played, outcome)))
}

#[allow(dead_code, reason = "a test uses the functions above")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fen = std::env::args().nth(1).unwrap_or_else(|| "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1".to_owned());
    let mut board: Board = fen.parse().map_err(|error| format!("{fen}: {error}"))?;
    let tables = Tables::embedded()?;
    for _ in 0..20 {
        let Some((played, outcome)) = best(&tables, &board)? else { break };
        println!("{board}: {played}, {outcome} for the side to move");
        board.play(played);
    }
    Ok(())
}
