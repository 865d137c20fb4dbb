//! The functions of Fathom's `tbprobe.h`. A panic is caught and becomes a failure.

#![allow(unsafe_code, reason = "the C ABI")]
#![allow(clippy::too_many_arguments, reason = "they are Fathom's")]

use crate::board::Bitboards;
use crate::ffi::caught;
use crate::opened;
use crate::root::{self, FAILED, Ranking};
use cozy_chess::{BitBoard, Board, Color, Square};
use cubebase::Tables;
use std::ffi::{CStr, c_char, c_int, c_uint};
use std::sync::atomic::{AtomicU32, Ordering};

/// The men of the largest table, 0 before [`tb_init`] and after [`tb_free`]. In C it is an `unsigned`, with the same layout.
#[unsafe(no_mangle)]
pub static TB_LARGEST: AtomicU32 = AtomicU32::new(0);

/// The most moves in [`TbRootMoves`], and the most results, the end mark included.
const MAX_MOVES: usize = 193;
/// The number of moves in a line.
const MAX_PLY: usize = 256;

/// `struct TbRootMove`. As in Fathom, the line and its length are not set.
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

/// Closes the open tables and opens others: always the embedded ones, all of up to four men, and then those in the list
/// `path`. Its items are directories of .pcn files, bundles and .pcn files, separated as in Fathom by `:`, on Windows by `;`.
/// If there are several tables for the same men, the last one answers. NULL, empty text and `<empty>` are an empty list.
///
/// Returns whether all items could be read and have tables, none of which has an empty file. If not, the other items are open all
/// the same. Tables that would replace others are read; if one is damaged, the result is false, and the earlier ones stay. Fathom
/// returns true for a directory that is missing or has no tables, and `TB_LARGEST` is then 0; here `TB_LARGEST` counts the
/// embedded tables.
///
/// # Safety
/// `path` is NULL or text that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_init(path: *const c_char) -> bool {
    // SAFETY: not NULL, and the caller guarantees that it ends with a zero; the text is used only during this call.
    let paths = if path.is_null() { c"" } else { unsafe { CStr::from_ptr(path) } };
    let _alone = opened::alone();
    let (all_found, largest) = caught(|| opened::open(paths.to_bytes())).unwrap_or((false, 0));
    if largest == 0 {
        caught(opened::close);
    }
    TB_LARGEST.store(largest, Ordering::Release);
    all_found
}

/// Closes all tables, the embedded ones too.
#[unsafe(no_mangle)]
pub extern "C" fn tb_free() {
    let _alone = opened::alone();
    TB_LARGEST.store(0, Ordering::Release);
    caught(opened::close);
}

/// Returns the outcome for the side to move under the 50-move rule: 0 for a loss, 1 for a blessed loss, 2 for a draw, 3 for a
/// cursed win, 4 for a win; `TB_RESULT_FAILED` if there is no table or the position is found to be illegal. The rule is ignored
/// if neither the file of outcomes nor that of distances knows it. Any number of threads may call it.
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
    caught(|| position.wdl(opened::tables().as_ref()?)).flatten().unwrap_or(FAILED)
}

/// Returns outcome, distance to zeroing and a move, and writes them for every legal move; `TB_RESULT_FAILED` if a distance is
/// missing or the position is illegal. Any number of threads may call it.
///
/// # Safety
/// `results` is NULL or has room for 193 numbers.
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
        // SAFETY: not NULL, and the caller guarantees the room.
        unsafe { results.copy_from_nonoverlapping(found.as_ptr(), found.len()) };
    }
    answer
}

/// Ranks and scores all legal moves by distances to zeroing. Returns 1, or 0 if a distance is missing, if castling rights are
/// left or if the position is illegal. Any number of threads may call it.
///
/// # Safety
/// `results` is NULL or valid for writing.
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
    // SAFETY: guaranteed by the caller.
    unsafe { written(castling, &position, ranked, results) }
}

/// Ranks and scores all legal moves by the outcomes after them: 1000 for a win, 899 for a cursed one, 0 for a draw. Returns 1, or
/// 0 if there is no table, if castling rights are left or if the position is illegal. Any number of threads may call it.
///
/// # Safety
/// `results` is NULL or valid for writing.
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
    use_rule50: u8,
    results: *mut TbRootMoves,
) -> c_int {
    let roles = [kings, queens, rooks, bishops, knights, pawns];
    let position = Bitboards { colors: [white, black], roles, en_passant: ep, white_to_move: turn != 0 };
    let ranked = |tables: &Tables, board: &Board| root::by_outcome(tables, board, use_rule50 != 0);
    // SAFETY: guaranteed by the caller.
    unsafe { written(castling, &position, ranked, results) }
}

/// The result of `work` for a legal position; `None` if it is illegal, if no tables are open, or after a panic.
fn with_tables<T>(position: &Bitboards, work: impl FnOnce(&Tables, &Board) -> T) -> Option<T> {
    caught(|| Some(work(opened::tables().as_ref()?, &position.board()?))).flatten()
}

/// Writes a ranking, even an incomplete one. Returns whether it is complete.
///
/// # Safety
/// `results` is NULL or valid for writing.
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
    // SAFETY: the caller's structure is valid for writing. It may be uninitialized, so no reference to it is made. It has
    // room for all moves.
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

fn attacked(square: c_uint, attacks: impl FnOnce(Square) -> BitBoard) -> u64 {
    Square::try_index(square as usize).map_or(0, |square| attacks(square).0)
}

/// The number of squares in a bitboard.
#[unsafe(no_mangle)]
pub extern "C" fn tb_pop_count(bitboard: u64) -> c_uint {
    bitboard.count_ones()
}

/// The first square of a bitboard, or 64 if there is none.
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

/// The squares that a pawn attacks: a white one if `color` is not 0.
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
        assert_eq!(caught(|| panic!("on purpose")), None::<u32>);
        assert_eq!(caught(|| 2), Some(2));
    }

    /// The sizes in `tbprobe.h` on all systems for which Fathom is compiled.
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

    /// Whichever call is the last one, `TB_LARGEST` is that of the open tables.
    #[test]
    fn tables_are_opened_and_closed_one_call_after_the_other() {
        let largest = || TB_LARGEST.load(Ordering::Acquire);
        for _ in 0..200 {
            tb_free();
            std::thread::scope(|scope| {
                // SAFETY: NULL is an empty list.
                let opening = scope.spawn(|| unsafe { tb_init(std::ptr::null()) });
                while largest() == 0 && !opening.is_finished() {
                    tb_free();
                }
            });
            assert_eq!(largest() > 0, opened::tables().is_some());
        }
    }
}
