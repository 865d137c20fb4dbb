//! Answers about the moves of a root, on Fathom's scales, without DTZ files.
//!
//! Some distances to zeroing follow from outcomes: that of a draw is 0; that of a win is 1 if a capture or a pawn move wins.
//! All others would be read from a DTZ file. Fathom without such files fails when it needs one of them, and so does this.

use crate::board::{Reply, is_mate, replies, wdl};
use cozy_chess::Board;
use cubebase::{Tables, Wdl};

/// The return value of `tb_probe_root_impl` without an answer, and the end mark of its results.
pub(crate) const FAILED: u32 = u32::MAX;
/// The answer for a stalemate: the number of a draw.
const STALEMATE: u32 = 2;

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

/// Ranks the moves by the outcomes after them, which ignore the 50-move rule.
pub(crate) fn by_outcome(tables: &Tables, board: &Board) -> Ranking {
    ranking(board, |reply| {
        let value = sign(wdl(tables, &reply.after)?.other());
        Some((1000 * value, WIN_SCORE * value))
    })
}

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

/// The answer of `tb_probe_root_impl`, and the results for all legal moves; [`FAILED`] if a distance is missing. Among
/// several moves that keep a draw, it suggests the first, while Fathom chooses pseudo-randomly by the men on the board.
pub(crate) fn suggestion(tables: &Tables, board: &Board, counter: u32) -> (u32, Vec<u32>) {
    let (counted, short) = (counter.cast_signed(), counter as u8);
    let Some(distance) = distance(tables, board) else { return (FAILED, vec![]) };
    let (mut values, mut results) = (Vec::new(), Vec::new());
    for reply in &replies(board) {
        let after = if distance > 0 && is_mate(&reply.after) {
            Some(1)
        } else {
            distance_after(tables, reply, short)
        };
        let Some(after) = after else { return (FAILED, results) };
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
        None => FAILED,
    };
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

/// The distance to zeroing for the side that moves, seen from the root; `None` if it does not follow from outcomes.
fn distance_after(tables: &Tables, reply: &Reply, counter: u8) -> Option<i32> {
    // The counter has eight bits: after 255 it is 0.
    if reply.is_zeroing || counter == u8::MAX {
        return Some(sign(wdl(tables, &reply.after)?.other()));
    }
    let after = -distance(tables, &reply.after)?;
    Some(after + after.signum())
}

/// The distance to zeroing for the side to move, if it follows from outcomes: 0 for a draw, 1 for a win by a capture or a
/// pawn move, -1 for a loss in which each legal move captures en passant. It does not follow for mate.
fn distance(tables: &Tables, board: &Board) -> Option<i32> {
    match wdl(tables, board)? {
        Wdl::Draw => Some(0),
        Wdl::Win => {
            for reply in replies(board).iter().filter(|reply| reply.is_zeroing) {
                if wdl(tables, &reply.after)? == Wdl::Loss {
                    return Some(1);
                }
            }
            None
        }
        _ => {
            let replies = replies(board);
            let is_forced = !replies.is_empty() && replies.iter().all(|reply| reply.is_en_passant);
            (is_forced && board.checkers().is_empty()).then_some(-1)
        }
    }
}

/// 1 for a win, -1 for a loss.
fn sign(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Win => 1,
        Wdl::Loss => -1,
        _ => 0,
    }
}
