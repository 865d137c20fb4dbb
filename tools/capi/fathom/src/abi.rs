//! The functions of Fathom's `tbprobe.h`. A panic is caught and becomes a failure.

#![allow(unsafe_code, reason = "the C ABI")]
#![allow(clippy::too_many_arguments, reason = "they are Fathom's")]

use crate::board::Bitboards;
use crate::opened;
use crate::root::{self, FAILED, Ranking};
use cozy_chess::{BitBoard, Board, Color, Square};
use cubebase::{Tables, Wdl};
use std::ffi::{CStr, c_char, c_int, c_uint};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

/// The men of the largest table, 0 before [`tb_init`] and after [`tb_free`]. In C an `unsigned`, which this has the layout of.
#[unsafe(no_mangle)]
pub static TB_LARGEST: AtomicU32 = AtomicU32::new(0);

/// The moves that fit into [`TbRootMoves`], and with the end mark into results.
const MAX_MOVES: usize = 193;
/// The moves of a line.
const MAX_PLY: usize = 256;

/// `struct TbRootMove`. As in Fathom, the line and its length are left to the caller.
#[repr(C)]
#[derive(Debug)]
pub struct TbRootMove {
    encoded: u16,
    line: [u16; MAX_PLY],
    line_length: c_uint,
    score: i32,
    rank: i32,
}

/// `struct TbRootMoves`.
#[repr(C)]
#[derive(Debug)]
pub struct TbRootMoves {
    size: c_uint,
    moves: [TbRootMove; MAX_MOVES],
}

/// Does `work`, or returns `failed` after a panic.
#[inline]
fn caught<T>(failed: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        // Dropping it runs code that is not known here.
        std::mem::forget(payload);
        failed
    })
}

/// Opens tables in place of those that are open: always the embedded ones, of all up to four men, and then what `path` lists,
/// separated as in Fathom by `:`, on Windows by `;`: directories of .pcn files, bundles and .pcn files. Of men that there are
/// several tables of the last answers. NULL, empty text and `<empty>` are an empty list.
///
/// Returns whether all could be read and have tables. The others are open whatever it returns. Fathom returns true for a
/// directory that is not there or has no tables, and `TB_LARGEST` says that nothing was found; here it counts the embedded tables.
///
/// # Safety
/// `path` is NULL or text that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_init(path: *const c_char) -> bool {
    // SAFETY: not NULL, and ends with a zero by the caller's promise; the text lives for this call.
    let paths = if path.is_null() { c"" } else { unsafe { CStr::from_ptr(path) } };
    let (all_found, largest) = caught((false, 0), || opened::open(paths.to_bytes()));
    if largest == 0 {
        caught((), opened::close);
    }
    TB_LARGEST.store(largest, Ordering::Release);
    all_found
}

/// Closes all tables, the embedded ones too.
#[unsafe(no_mangle)]
pub extern "C" fn tb_free() {
    TB_LARGEST.store(0, Ordering::Release);
    caught((), opened::close);
}

/// Returns the outcome for the side to move, 0 for a loss, 2 for a draw, 4 for a win; `TB_RESULT_FAILED` when there is no table or the
/// position is found to be illegal. Outcomes are without the 50-move rule. From any number of threads.
#[unsafe(no_mangle)]
pub extern "C" fn tb_probe_wdl_impl(
    white: u64,
    black: u64,
    kings: u64,
    queens: u64,
    rooks: u64,
    bishops: u64,
    knights: u64,
    pawns: u64,
    ep: c_uint,
    turn: u8,
) -> c_uint {
    let roles = [kings, queens, rooks, bishops, knights, pawns];
    let position = Bitboards { colors: [white, black], roles, en_passant: ep, white_to_move: turn != 0 };
    caught(FAILED, || {
        let tables = opened::tables();
        match tables.as_ref().and_then(|tables| position.wdl(tables)) {
            Some(Wdl::Loss) => 0,
            Some(Wdl::Draw) => 2,
            Some(Wdl::Win) => 4,
            _ => FAILED,
        }
    })
}

/// Returns outcome, distance to zeroing and a move, and writes them for all legal moves, where they follow from outcomes
/// alone; `TB_RESULT_FAILED` in all other positions, as Fathom without DTZ files. From any number of threads.
///
/// # Safety
/// `results` is NULL or there is room for 193 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_probe_root_impl(
    white: u64,
    black: u64,
    kings: u64,
    queens: u64,
    rooks: u64,
    bishops: u64,
    knights: u64,
    pawns: u64,
    rule50: c_uint,
    ep: c_uint,
    turn: u8,
    results: *mut c_uint,
) -> c_uint {
    let roles = [kings, queens, rooks, bishops, knights, pawns];
    let position = Bitboards { colors: [white, black], roles, en_passant: ep, white_to_move: turn != 0 };
    let suggested = |tables: &Tables, board: &Board| root::suggestion(tables, board, rule50);
    let Some((answer, mut found)) = with_tables(&position, suggested) else { return FAILED };
    if answer != FAILED {
        found.push(FAILED);
    }
    if !results.is_null() && found.len() <= MAX_MOVES {
        // SAFETY: not NULL, with room for so many by the caller's promise.
        unsafe { results.copy_from_nonoverlapping(found.as_ptr(), found.len()) };
    }
    answer
}

/// Ranks and scores all legal moves by distances to zeroing. Returns 1; 0 where one does not follow from outcomes alone, as
/// Fathom without DTZ files. From any number of threads.
///
/// # Safety
/// `results` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_probe_root_dtz(
    white: u64,
    black: u64,
    kings: u64,
    queens: u64,
    rooks: u64,
    bishops: u64,
    knights: u64,
    pawns: u64,
    rule50: c_uint,
    castling: c_uint,
    ep: c_uint,
    turn: u8,
    has_repeated: u8,
    use_rule50: u8,
    results: *mut TbRootMoves,
) -> c_int {
    let roles = [kings, queens, rooks, bishops, knights, pawns];
    let position = Bitboards { colors: [white, black], roles, en_passant: ep, white_to_move: turn != 0 };
    let ranked = |tables: &Tables, board: &Board| {
        root::by_distance(tables, board, rule50 as u8, has_repeated != 0, use_rule50 != 0)
    };
    // SAFETY: promised by the caller.
    unsafe { written(castling, &position, ranked, results) }
}

/// Ranks and scores all legal moves by the outcomes after them: 1000 for a win, 0, -1000. Returns 1; 0 where there is no
/// table, castling rights are left or the position is illegal. From any number of threads.
///
/// # Safety
/// `results` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_probe_root_wdl(
    white: u64,
    black: u64,
    kings: u64,
    queens: u64,
    rooks: u64,
    bishops: u64,
    knights: u64,
    pawns: u64,
    _rule50: c_uint,
    castling: c_uint,
    ep: c_uint,
    turn: u8,
    _use_rule50: u8,
    results: *mut TbRootMoves,
) -> c_int {
    let roles = [kings, queens, rooks, bishops, knights, pawns];
    let position = Bitboards { colors: [white, black], roles, en_passant: ep, white_to_move: turn != 0 };
    // SAFETY: promised by the caller.
    unsafe { written(castling, &position, root::by_outcome, results) }
}

/// What `work` finds about a legal position; `None` when it is illegal, no tables are open or something panicked.
fn with_tables<T>(position: &Bitboards, work: impl FnOnce(&Tables, &Board) -> T) -> Option<T> {
    caught(None, || {
        let tables = opened::tables();
        Some(work(tables.as_ref()?, &position.board()?))
    })
}

/// Writes a ranking, an incomplete one as far as it goes. Returns whether it is complete.
///
/// # Safety
/// `results` is NULL or can be written.
unsafe fn written(
    castling: c_uint,
    position: &Bitboards,
    rank: impl FnOnce(&Tables, &Board) -> Ranking,
    results: *mut TbRootMoves,
) -> c_int {
    if castling != 0 || results.is_null() {
        return 0;
    }
    let Some(ranking) = with_tables(position, rank) else { return 0 };
    if ranking.legal > MAX_MOVES {
        return 0;
    }
    // SAFETY: the caller's structure can be written; it need not be initialized, so that no reference is made. There are at
    // most as many moves as it has room for.
    unsafe {
        (&raw mut (*results).size).write(ranking.legal as c_uint);
        for (number, ranked) in ranking.moves.iter().enumerate() {
            let to = (&raw mut (*results).moves).cast::<TbRootMove>().add(number);
            (&raw mut (*to).encoded).write(ranked.encoded);
            (&raw mut (*to).score).write(ranked.score);
            (&raw mut (*to).rank).write(ranked.rank);
        }
    }
    c_int::from(ranking.is_complete)
}

/// The squares that `attacks` gives for a square; none beyond h8.
fn attacked(square: c_uint, attacks: impl FnOnce(Square) -> BitBoard) -> u64 {
    Square::try_index(square as usize).map_or(0, |square| attacks(square).0)
}

/// The number of squares in a bitboard.
#[unsafe(no_mangle)]
pub extern "C" fn tb_pop_count(bitboard: u64) -> c_uint {
    bitboard.count_ones()
}

/// The first square of a bitboard, 64 when there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tb_lsb(bitboard: u64) -> c_uint {
    bitboard.trailing_zeros()
}

/// A bitboard without its first square.
#[unsafe(no_mangle)]
pub extern "C" fn tb_pop_lsb(bitboard: u64) -> u64 {
    bitboard & bitboard.wrapping_sub(1)
}

/// The squares that a king attacks.
#[unsafe(no_mangle)]
pub extern "C" fn tb_king_attacks(square: c_uint) -> u64 {
    attacked(square, cozy_chess::get_king_moves)
}

/// The squares that a queen attacks, with the men on `occupied`.
#[unsafe(no_mangle)]
pub extern "C" fn tb_queen_attacks(square: c_uint, occupied: u64) -> u64 {
    tb_rook_attacks(square, occupied) | tb_bishop_attacks(square, occupied)
}

/// The squares that a rook attacks, with the men on `occupied`.
#[unsafe(no_mangle)]
pub extern "C" fn tb_rook_attacks(square: c_uint, occupied: u64) -> u64 {
    attacked(square, |square| cozy_chess::get_rook_moves(square, BitBoard(occupied)))
}

/// The squares that a bishop attacks, with the men on `occupied`.
#[unsafe(no_mangle)]
pub extern "C" fn tb_bishop_attacks(square: c_uint, occupied: u64) -> u64 {
    attacked(square, |square| cozy_chess::get_bishop_moves(square, BitBoard(occupied)))
}

/// The squares that a knight attacks.
#[unsafe(no_mangle)]
pub extern "C" fn tb_knight_attacks(square: c_uint) -> u64 {
    attacked(square, cozy_chess::get_knight_moves)
}

/// The squares that a pawn attacks, a white one when `color` is not 0.
#[unsafe(no_mangle)]
pub extern "C" fn tb_pawn_attacks(square: c_uint, color: u8) -> u64 {
    let color = if color != 0 { Color::White } else { Color::Black };
    attacked(square, |square| cozy_chess::get_pawn_attacks(square, color))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_failure() {
        assert_eq!(caught(FAILED, || panic!("on purpose")), FAILED);
        assert_eq!(caught(FAILED, || 2), 2);
    }

    /// That of `tbprobe.h` on all systems that Fathom is compiled for.
    #[test]
    fn the_structures_have_their_size_in_c() {
        assert_eq!(size_of::<TbRootMove>(), 528);
        assert_eq!(size_of::<TbRootMoves>(), 4 + 193 * 528);
        assert_eq!(size_of_val(&TB_LARGEST), size_of::<c_uint>());
    }

    #[test]
    fn helpers_give_the_squares_of_each_man() {
        let [a1, b1, b2] = [1, 1 << 1, 1 << 9];
        assert_eq!(tb_king_attacks(0), b1 | 1 << 8 | b2);
        assert_eq!(tb_knight_attacks(0), 1 << 10 | 1 << 17);
        assert_eq!(tb_rook_attacks(0, b1 | 1 << 8), b1 | 1 << 8);
        assert_eq!(tb_bishop_attacks(0, b2), b2);
        assert_eq!(tb_queen_attacks(0, b1 | b2 | 1 << 8), b1 | b2 | 1 << 8);
        assert_eq!((tb_pawn_attacks(0, 1), tb_pawn_attacks(9, 0)), (b2, a1 | 1 << 2));
        assert_eq!((tb_pop_count(a1 | b2), tb_lsb(b1 | b2), tb_pop_lsb(b1 | b2)), (2, 1, b2));
        assert_eq!((tb_king_attacks(64), tb_lsb(0), tb_pop_lsb(0)), (0, 64, 0));
    }
}
