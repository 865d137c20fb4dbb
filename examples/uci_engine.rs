//! A UCI engine in one file that plays endings of up to four men without distances.
//!
//! The tables say which moves keep a win, not which come nearer to mate. So it looks a few moves ahead, its own moves
//! restricted to those that keep the win, for a mate or a capture or promotion, and otherwise for the board on which the
//! other king has the least room, stands nearest the rim, and its own king is near.
//!
//! It cannot promise mate: where that needs more moves than it looks ahead, or leads away from the rim (a bishop and a
//! knight against a king, two knights against a pawn), it may move to and fro until the 50-move rule, which it does not
//! know, ends the game. Against repetition it has only its memory of the positions of the game. It never gives up a win
//! or a draw, and in a lost position it plays any move. With more than four men it prefers a capture that wins, then one
//! that draws, then the first legal move that no table calls lost.
//!
//! `cargo run --release --example uci_engine`, then `position fen 8/8/8/4k3/8/8/8/KQ6 w - - 0 1` and `go`.

use cozy_chess::util::{display_uci_move, parse_uci_move};
use cozy_chess::{BitBoard, Board, Color, File, GameStatus, Move, Piece, Rank, Square};
use cozy_chess::{get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves};
use cubebase::{CastlingRights, Tables, Wdl};
use std::collections::HashMap;
use std::io::{self, BufRead, Write};

/// Plies that it looks ahead.
const DEPTH: u32 = 5;
const MATE: i32 = 10_000;
/// The value of a capture or a promotion that keeps the win: it leads to a simpler table.
const CONVERSION: i32 = 1_000;

/// The game so far.
pub(crate) struct Engine {
    tables: Tables,
    board: Board,
    /// How often each position has occurred.
    seen: HashMap<u64, i32>,
}

impl Engine {
    pub(crate) fn new() -> cubebase::Result<Self> {
        Ok(Engine { tables: Tables::embedded()?, board: Board::default(), seen: HashMap::new() })
    }

    /// Sets the position that a `position` command names, and remembers those before it.
    pub(crate) fn position(&mut self, words: &[&str]) -> Option<()> {
        let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let mut board = match words.first()? {
            &"startpos" => Board::default(),
            _ => words.get(1..moves)?.join(" ").parse().ok()?,
        };
        self.seen = HashMap::from([(board.hash(), 1)]);
        for word in words.iter().skip(moves + 1) {
            let played = parse_uci_move(&board, word).ok()?;
            board.try_play(played).ok()?;
            *self.seen.entry(board.hash()).or_default() += 1;
        }
        self.board = board;
        Some(())
    }

    /// The move to play; `None` when there is none.
    pub(crate) fn go(&self) -> Option<Move> {
        let moves = children(&self.board);
        let outcome = |after: &Board| probe(&self.tables, after).map(Wdl::other);
        // An unknown outcome is better than a loss.
        let rank = |after: &Board| match outcome(after) {
            Some(Wdl::Win) => 3,
            Some(Wdl::Draw) => 2,
            None => 1,
            Some(_) => 0,
        };
        let best = moves.iter().map(|(_, after)| rank(after)).max()?;
        let keeps = moves.iter().rev().filter(|(_, after)| rank(after) == best);
        let value = |(_, after): &&(Move, Board)| {
            if best != 3 {
                return 0;
            }
            // A position that is repeated is no progress.
            let again = self.seen.get(&after.hash()).copied().unwrap_or(0);
            self.defend(&self.board, after, DEPTH, -MATE * 2) - 50 * again
        };
        keeps.max_by_key(value).map(|&(played, _)| played)
    }

    /// The value of `board` with the winning side to move; from `bound` on, only that it is no less.
    fn attack(&self, board: &Board, depth: u32, bound: i32) -> i32 {
        let mut best = -2 * MATE;
        for (_, after) in children(board) {
            if best < bound && probe(&self.tables, &after) == Some(Wdl::Loss) {
                best = best.max(self.defend(board, &after, depth, best));
            }
        }
        best
    }

    /// The value of `board` with the losing side to move, after a move from `before`; up to `bound`, only that it is no
    /// more.
    fn defend(&self, before: &Board, board: &Board, depth: u32, bound: i32) -> i32 {
        // Sooner is better.
        let soon = depth.cast_signed();
        if board.status() == GameStatus::Won {
            return MATE + soon;
        }
        let is_pawn_gone = before.pieces(Piece::Pawn) != board.pieces(Piece::Pawn)
            && before.pieces(Piece::Pawn).len() > board.pieces(Piece::Pawn).len();
        if before.occupied().len() > board.occupied().len() || is_pawn_gone {
            return CONVERSION + soon;
        }
        if depth < 2 {
            return progress(board);
        }
        let mut worst = 2 * MATE;
        for (_, after) in children(board) {
            if worst > bound {
                worst = worst.min(self.attack(&after, depth - 2, worst));
            }
        }
        worst
    }
}

/// The outcome of a board for the side to move, from its bitboards: no FEN is written or read. `None` without a table.
pub(crate) fn probe(tables: &Tables, board: &Board) -> Option<Wdl> {
    let turn = board.side_to_move();
    let of = |color| {
        let rights = board.castle_rights(color);
        u8::from(rights.short == Some(File::H)) | u8::from(rights.long == Some(File::A)) << 1
    };
    let rights = CastlingRights::from_bits(of(Color::White) | of(Color::Black) << 2)?;
    let passed = board.en_passant().map(|file| Square::new(file, Rank::Sixth.relative_to(turn)));
    let outcome = tables.probe_bitboards(
        [Color::White, Color::Black].map(|color| board.colors(color).0),
        [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn]
            .map(|piece| board.pieces(piece).0),
        passed.map(|square| cubebase::Square::new(square as u8)),
        if turn == Color::White { cubebase::Color::White } else { cubebase::Color::Black },
        rights,
    );
    outcome.ok()
}

/// The legal moves, each with the board after it.
pub(crate) fn children(board: &Board) -> Vec<(Move, Board)> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        for played in moves {
            let mut after = board.clone();
            after.play_unchecked(played);
            all.push((played, after));
        }
        false
    });
    all
}

/// An estimate of the winning side's progress; the other side is to move.
fn progress(board: &Board) -> i32 {
    let loser = board.side_to_move();
    let (hunted, hunter) = (board.king(loser), board.king(!loser));
    let from_middle = |square: Square| place(square).map(|line| (2 * line - 7).abs()).iter().sum::<i32>();
    let pawns = board.colored_pieces(!loser, Piece::Pawn).into_iter();
    let advanced: i32 = pawns.map(|pawn| i32::from(pawn.rank().relative_to(!loser) as u8)).sum();
    4 * from_middle(hunted) - 10 * apart(hunter, hunted) - 2 * region(board) + 30 * advanced
}

/// The number of squares that the king of the side to move could walk to if nothing else moved.
fn region(board: &Board) -> i32 {
    let loser = board.side_to_move();
    let mut region = board.king(loser).bitboard();
    let blockers = board.occupied() ^ region;
    let guarded = |square: Square| match board.piece_on(square) {
        Some(Piece::Pawn) => get_pawn_attacks(square, !loser),
        Some(Piece::Knight) => get_knight_moves(square),
        Some(Piece::Bishop) => get_bishop_moves(square, blockers),
        Some(Piece::Rook) => get_rook_moves(square, blockers),
        Some(Piece::Queen) => get_bishop_moves(square, blockers) | get_rook_moves(square, blockers),
        _ => get_king_moves(square),
    };
    let union = |all: BitBoard, some: BitBoard| all | some;
    let closed = board.colors(!loser).into_iter().map(guarded).fold(board.colors(loser), union);
    loop {
        let wider = region.into_iter().map(get_king_moves).fold(region, union) & !closed | region;
        if wider == region {
            return region.len().cast_signed();
        }
        region = wider;
    }
}

/// File and rank, 0 to 7.
fn place(square: Square) -> [i32; 2] {
    [square.file() as u8, square.rank() as u8].map(i32::from)
}

/// King's moves from one square to another.
fn apart(one: Square, other: Square) -> i32 {
    let ([file, rank], [other_file, other_rank]) = (place(one), place(other));
    (file - other_file).abs().max((rank - other_rank).abs())
}

/// Answers UCI commands until `quit` or the end of the input.
pub(crate) fn run(engine: &mut Engine, input: impl BufRead, mut out: impl Write) -> io::Result<()> {
    for line in input.lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["uci"] => writeln!(out, "id name cubebase example\nid author the cubebase developers\nuciok")?,
            ["isready"] => writeln!(out, "readyok")?,
            ["position", rest @ ..] if engine.position(rest).is_none() => {
                writeln!(out, "info string no position: {line}")?;
            }
            ["go", ..] => {
                let named = engine.go().map(|played| display_uci_move(&engine.board, played).to_string());
                writeln!(out, "bestmove {}", named.as_deref().unwrap_or("0000"))?;
            }
            ["quit"] => break,
            _ => {}
        }
        out.flush()?;
    }
    Ok(())
}

#[allow(dead_code, reason = "a test uses the functions above")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(&mut Engine::new()?, io::stdin().lock(), io::stdout().lock())?;
    Ok(())
}
