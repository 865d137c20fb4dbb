//! Answers about the moves of a root, on Fathom's scales. Where a distance to zeroing is missing, they fail as Fathom does.

use crate::board::{Bitboards, Reply, is_mate, replies};
use cozy_chess::Board;
use cubebase::Tables;
use cubebase::moves::Plan;

/// The return value of `tb_probe_root_impl` without an answer, and the end mark of its results.
pub(crate) const FAILED: u32 = u32::MAX;
/// The answers without a move: the number of a draw for stalemate, that of a win for checkmate.
const STALEMATE: u32 = 2;
const CHECKMATE: u32 = 4;

/// The score of a win in the default `tbconfig.h`: that of mate, minus the longest mate, minus one.
const WIN_SCORE: i32 = 32_000 - 255 - 1;
const PAWN_SCORE: i32 = 100;

/// A move of the root, with the values of `struct TbRootMove`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ranked {
    pub(crate) encoded: u16,
    pub(crate) score: i32,
    pub(crate) rank: i32,
}

impl Ranked {
    fn new(reply: &Reply) -> Self {
        let encoded = (reply.promotion << 12 | reply.from << 6 | reply.to) as u16;
        Ranked { encoded, score: 0, rank: 0 }
    }
}

/// The ranking of the legal moves of a root, up to the first without an answer.
#[derive(Debug)]
pub(crate) struct Ranking {
    /// The moves up to the first without an answer, and that one.
    pub(crate) moves: Vec<Ranked>,
    /// The number of legal moves.
    pub(crate) legal: usize,
    /// Whether all moves have answers.
    pub(crate) is_complete: bool,
}

/// Ranks moves by `value`, which returns rank and score.
fn ranking(board: &Board, value: impl Fn(&Reply) -> Option<(i32, i32)>) -> Ranking {
    let replies = replies(board);
    let mut moves = Vec::with_capacity(replies.len());
    for reply in &replies {
        let mut ranked = Ranked::new(reply);
        let found = value(reply);
        if let Some((rank, score)) = found {
            (ranked.rank, ranked.score) = (rank, score);
        }
        moves.push(ranked);
        if found.is_none() {
            return Ranking { moves, legal: replies.len(), is_complete: false };
        }
    }
    Ranking { moves, legal: replies.len(), is_complete: true }
}

/// Ranks the moves by the outcomes after them, under the 50-move rule or without it.
pub(crate) fn by_outcome(tables: &Tables, board: &Board, by_fifty_moves: bool) -> Ranking {
    ranking(board, |reply| {
        let value = value_after(tables, reply)?;
        let is_sure = value.abs() == 2 || !by_fifty_moves;
        let (rank, score) = if is_sure { (1000, WIN_SCORE) } else { (899, 2) };
        Some((rank * value.signum(), score * value.signum()))
    })
}

/// Ranks the moves by the distances after them. Fathom's rounded distances can be one less than these.
pub(crate) fn by_distance(
    tables: &Tables,
    board: &Board,
    counter: u8,
    has_repeated: bool,
    by_fifty_moves: bool,
) -> Ranking {
    let bound = if by_fifty_moves { 900 } else { 1 };
    let counted = i32::from(counter);
    ranking(board, |reply| {
        let distance = distance_after(tables, reply, counter)?;
        let rank = match distance {
            1.. if distance + counted <= 99 && !has_repeated => 1000,
            1.. => 1000 - (distance + counted),
            0 => 0,
            _ if 2 * -distance + counted < 100 => -1000,
            _ => -1000 - distance + counted,
        };
        let score = match rank {
            0 => 0,
            1.. if rank >= bound => WIN_SCORE,
            // Fathom intends to halve the excess of the rank over 800, but its macros halve only the 800.
            1.. if rank - 800 < 3 => 3,
            1.. => rank - 800 * PAWN_SCORE / 200,
            _ if rank <= -bound => -WIN_SCORE,
            _ if rank + 800 > -3 => -3,
            _ => rank + 800 * PAWN_SCORE / 200,
        };
        Some((rank, score))
    })
}

/// The answer of `tb_probe_root_impl`, and the results for all legal moves; [`FAILED`] if a distance is missing and there is no plan
/// ([`planned`]). Among several moves that keep a draw, it suggests the first, while Fathom chooses pseudo-randomly by the men on the board.
pub(crate) fn suggestion(tables: &Tables, board: &Board, counter: u32) -> (u32, Vec<u32>) {
    let (counted, short) = (counter.cast_signed(), counter as u8);
    let Some(distance) = Bitboards::from(board).dtz(tables) else { return planned(tables, board) };
    let (mut values, mut results) = (Vec::new(), Vec::new());
    for reply in &replies(board) {
        let Some(after) = distance_after(tables, reply, short) else { return planned(tables, board) };
        values.push(after);
        results.push(result(reply, after, i32::from(short)));
    }
    let numbered = || values.iter().copied().enumerate();
    let best = match distance {
        1.. => numbered().filter(|&(_, value)| value > 0).min_by_key(|&(_, value)| value),
        0 => numbered().find(|&(_, value)| value == 0),
        _ => numbered().filter(|&(_, value)| value < 0).min_by_key(|&(_, value)| value),
    };
    let answer = match best {
        // The move is from its own result, the outcome and distance from the root's.
        Some((number, _)) => results[number] & MOVE_MASK | outcome_and_distance(distance, counted),
        None if distance == 0 => STALEMATE,
        None if distance < 0 => CHECKMATE,
        None => FAILED,
    };
    (answer, results)
}

/// The move of the plan of a won position, and the results for all legal moves. All distances are 0, since they are not known, and the
/// outcomes are from a counter of 0.
fn planned(tables: &Tables, board: &Board) -> (u32, Vec<u32>) {
    let Ok(Some(plan)) = Plan::of(tables, &board.to_string()) else { return (FAILED, vec![]) };
    let (mut answer, mut results) = (FAILED, Vec::new());
    for reply in &replies(board) {
        let Some(value) = value_after(tables, reply) else { return (FAILED, vec![]) };
        let ruled = result(reply, 0, 0) & MOVE_MASK | (2 + value).cast_unsigned();
        if reply.to_uci() == plan.uci {
            answer = ruled;
        }
        results.push(ruled);
    }
    (answer, results)
}

/// The bits of a result that encode the move.
const MOVE_MASK: u32 = 0x000f_fff0;

fn result(reply: &Reply, distance: i32, counter: i32) -> u32 {
    let moved =
        reply.to << 4 | reply.from << 10 | reply.promotion << 16 | u32::from(reply.is_en_passant) << 19;
    moved | outcome_and_distance(distance, counter)
}

/// The outcome under the 50-move rule, 0 to 4, and the distance without its sign.
fn outcome_and_distance(distance: i32, counter: i32) -> u32 {
    let zeroed_at = i64::from(distance.abs()) + i64::from(counter);
    let by_fifty_moves = if zeroed_at <= 100 { 2 } else { 1 };
    let outcome = 2 + distance.signum() * by_fifty_moves;
    outcome.cast_unsigned() | distance.unsigned_abs() << 20
}

/// The distance to zeroing for the side that moves, seen from the root; `None` if it is missing.
fn distance_after(tables: &Tables, reply: &Reply, counter: u8) -> Option<i32> {
    // The counter has eight bits: after 255 it is 0.
    if reply.is_zeroing || counter == u8::MAX {
        let value = value_after(tables, reply)?;
        return Some(if value.abs() == 1 { 101 * value } else { value.signum() });
    }
    let after = -Bitboards::from(&reply.after).dtz(tables)?;
    Some(if after == 1 && is_mate(&reply.after) { 1 } else { after + after.signum() })
}

/// The outcome after a move for the side that makes it: from -2 for a loss, over -1 for a blessed loss, to 2 for a win.
fn value_after(tables: &Tables, reply: &Reply) -> Option<i32> {
    Some(2 - Bitboards::from(&reply.after).wdl(tables)?.cast_signed())
}
