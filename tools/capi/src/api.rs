//! The functions of `include/cubebase.h`, which `cbindgen` writes from this file: its comments are the header's.

#![allow(unsafe_code, reason = "the C ABI")]

use crate::failures::Failures;
use crate::ffi;
use crate::status::{Outcome, Status};
use cubebase::moves::Plan;
use cubebase::{CastlingRights, Color, Error, Position, Square, Tables, Wdl50};
use std::ffi::{CStr, c_char, c_int, c_uint};
use std::path::PathBuf;

/// Opened tables.
///
/// Any number of threads may call functions that take the handle as `const` at the same time. `cubebase_add` and
/// `cubebase_close` must not run at the same time as another call with the same handle: the caller ensures that.
#[derive(Debug)]
pub struct Handle {
    tables: Tables,
    failures: Failures,
}

/// The failure of a call: a status and a message.
struct Failure(Status, String);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure(Status::of(error.kind()), error.to_string())
    }
}

/// Calls `work`; a panic becomes a failure.
#[inline]
fn caught<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let panicked = || Err(Failure(Status::Internal, "a panic inside cubebase: please report it".into()));
    ffi::caught(work).unwrap_or_else(panicked)
}

impl Handle {
    /// Calls `work` with the tables, and keeps the text of its failure.
    #[inline]
    fn call(&self, work: impl FnOnce(&Tables) -> Result<(), Failure>) -> Status {
        match caught(|| work(&self.tables)) {
            Ok(()) => Status::Ok,
            Err(failure) => self.failed(failure),
        }
    }

    #[cold]
    fn failed(&self, Failure(status, text): Failure) -> Status {
        // If even this fails, there is no text; the caller still gets the status.
        let _ = caught(|| {
            self.failures.keep(text);
            Ok(())
        });
        status
    }
}

/// The version of the library, as "1.2.3". The text is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn cubebase_version() -> *const c_char {
    const { ffi::VERSION.as_ptr() }
}

/// Opens the tables at `path`: a directory of .pcn files, a bundle or a single .pcn file. Of a directory it reads only the names,
/// and of a bundle only the index. A single file is checked, and its covers are decoded. Everything else is read and decoded at
/// its first probe. Replace files by renaming, and never write into them.
///
/// A directory without tables is no failure: `cubebase_largest` is then 0.
///
/// `path` is in the system's encoding, on Windows in UTF-8. After a failure, a handle is also written to `tables`, for
/// `cubebase_error_text`; it has no tables, and must be closed like any other.
///
/// # Safety
/// `path` is NULL or text that ends with a zero, and `tables` is NULL or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cubebase_open(path: *const c_char, tables: *mut *mut Handle) -> Status {
    // SAFETY: guaranteed by the caller.
    unsafe { handed_out(tables, || Ok(Tables::open(path_of(path)?)?)) }
}

/// Opens a bundle or a .pcn file in memory. The bytes are copied and may be freed after the call. A handle is written as
/// by `cubebase_open`.
///
/// # Safety
/// `bytes` is NULL or points to `length` bytes, and `tables` is NULL or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cubebase_open_memory(
    bytes: *const u8,
    length: usize,
    tables: *mut *mut Handle,
) -> Status {
    let copied = || {
        if bytes.is_null() {
            return Err(Failure(Status::NullPointer, "bytes is NULL".into()));
        }
        if isize::try_from(length).is_err() {
            return Err(Failure(Status::BadInput, format!("{length} bytes are more than there can be")));
        }
        // SAFETY: not NULL, and the caller guarantees the length; the bytes are read before this returns.
        Ok(unsafe { std::slice::from_raw_parts(bytes, length) }.to_vec())
    };
    // SAFETY: guaranteed by the caller.
    unsafe { handed_out(tables, || Ok(Tables::from_bytes(copied()?)?)) }
}

/// Opens the tables that are built into the library: all of up to four men. A handle is written as by `cubebase_open`.
///
/// # Safety
/// `tables` is NULL or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cubebase_embedded(tables: *mut *mut Handle) -> Status {
    // SAFETY: guaranteed by the caller.
    unsafe { handed_out(tables, || Ok(Tables::embedded()?)) }
}

/// Adds the tables at `path`, as `cubebase_open` opens them. An added table replaces an earlier one for the same men.
/// After a failure the tables are unchanged.
///
/// # Safety
/// `tables` is NULL or an open handle that no other thread uses during the call, and `path` is NULL or text that ends with
/// a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cubebase_add(tables: *mut Handle, path: *const c_char) -> Status {
    // SAFETY: guaranteed by the caller.
    let Some(handle) = (unsafe { tables.as_mut() }) else { return Status::NullPointer };
    // SAFETY: guaranteed by the caller.
    match caught(|| Ok(handle.tables.add(unsafe { path_of(path) }?)?)) {
        Ok(()) => Status::Ok,
        Err(failure) => handle.failed(failure),
    }
}

/// Closes the tables and frees their memory. NULL is ignored.
///
/// # Safety
/// `tables` is NULL or an open handle that no other thread uses; it must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cubebase_close(tables: *mut Handle) {
    if !tables.is_null() {
        // SAFETY: a handle comes from `handed_out` and is closed once.
        let handle = unsafe { Box::from_raw(tables) };
        let _ = caught(|| {
            drop(handle);
            Ok(())
        });
    }
}

/// Writes the outcome of a position for the side to move to `outcome`; after a failure `outcome` is unchanged.
///
/// The arguments are those of Fathom. A bitboard has bit 0 for a1, 1 for b1, up to 63 for h8. `white` and `black` are the men
/// of each colour, the other bitboards the men of each kind. `rule50` is the 50-move counter: a position with another counter
/// than 0 is refused. `castling` is the sum of the castling rights: 1 for White's on the king's side, 2 for White's on the
/// queen's side, 4 and 8 for Black's. The built-in tables have castling rights. With a table that has none, a position with
/// rights fails with `CUBEBASE_STATUS_MISSING_RIGHTS`. `en_passant` is the square that a pawn has just passed by
/// a double push, 0 for none. `turn` is 0 if Black is to move, and anything else if White is.
///
/// The position must be legal. An illegal one gets a failure or some outcome. Without castling rights and an en passant
/// square, three rules are not checked: the side not to move is not in check, the kings are not on neighbouring squares, and
/// no pawn is on the first or last rank.
///
/// A failure writes a text, under a lock, and takes longer than an answer: in a search, compare the number of men with
/// `cubebase_largest` and `rule50` with 0 before the call.
///
/// # Safety
/// `tables` is NULL or an open handle, and `outcome` is NULL or valid for writing.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "they are Fathom's")]
pub unsafe extern "C" fn cubebase_probe(
    tables: *const Handle,
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
    en_passant: c_uint,
    turn: u8,
    outcome: *mut Outcome,
) -> Status {
    // SAFETY: guaranteed by the caller.
    let Some(handle) = (unsafe { tables.as_ref() }) else { return Status::NullPointer };
    handle.call(|tables| {
        if outcome.is_null() {
            return Err(Failure(Status::NullPointer, "outcome is NULL".into()));
        }
        if rule50 != 0 {
            let message = format!("a 50-move counter of {rule50}: no table has one");
            return Err(Failure(Status::UnsupportedPosition, message));
        }
        let roles = [kings, queens, rooks, bishops, knights, pawns];
        let turn = if turn != 0 { Color::White } else { Color::Black };
        let (passed, rights) = (passed(en_passant)?, rights(castling)?);
        let wdl = tables.probe_bitboards([white, black], roles, passed, turn, rights)?;
        // SAFETY: not NULL, and the caller guarantees that it is valid for writing.
        unsafe { outcome.write(Outcome::of(Wdl50::new(wdl, 0))) };
        Ok(())
    })
}

/// Writes the distance to zeroing of a position to `dtz` and the outcome under the 50-move rule to `outcome`, both for the side
/// to move. Either may be NULL. After a failure both are unchanged.
///
/// The distance is Syzygy's, but exact: the plies to the next capture or pawn move, that move included, or to mate, with best
/// play of both sides. It is negative for a loss, -1 for mate and 0 for a draw. The counter `rule50` makes no difference to it,
/// only to the outcome: a win or a loss holds if distance and counter are at most 100 in sum, and otherwise is a cursed win or a
/// blessed loss. A mate on the board is a loss with any counter.
///
/// The other arguments are those of `cubebase_probe`; here all rules of legality are checked. Without a distance the call fails
/// with `CUBEBASE_STATUS_MISSING_TABLE`. A lost position takes about ten times as long as a won one: its distance is computed
/// from the positions after its moves.
///
/// # Safety
/// `tables` is NULL or an open handle; `outcome` and `dtz` are NULL or valid for writing.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "they are Fathom's")]
pub unsafe extern "C" fn cubebase_dtz(
    tables: *const Handle,
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
    en_passant: c_uint,
    turn: u8,
    outcome: *mut Outcome,
    dtz: *mut c_int,
) -> Status {
    // SAFETY: guaranteed by the caller.
    let Some(handle) = (unsafe { tables.as_ref() }) else { return Status::NullPointer };
    handle.call(|tables| {
        let roles = [kings, queens, rooks, bishops, knights, pawns];
        let turn = if turn != 0 { Color::White } else { Color::Black };
        let (passed, rights) = (passed(en_passant)?, rights(castling)?);
        let position = Position::from_bitboards([white, black], roles, passed, turn, rights)?;
        let (found, ruled) = (tables.dtz(&position)?, tables.wdl50(&position, rule50)?);
        if !outcome.is_null() {
            // SAFETY: not NULL, and the caller guarantees that it is valid for writing.
            unsafe { outcome.write(Outcome::of(ruled)) };
        }
        if !dtz.is_null() {
            // SAFETY: as above.
            unsafe { dtz.write(found) };
        }
        Ok(())
    })
}

/// Writes to `move` the move to play in a won position by a ranking (`KQvK.rank.pcn`), in UCI notation with a zero at the end: at
/// most 6 bytes. It is empty text if no table says that the position is won under the 50-move rule from a counter of zero, or if
/// there is no ranking of its material and no move mates or zeroes.
///
/// Who plays these moves from a counter of zero mates or zeroes, with a capture or a pawn move that keeps the win, within 50
/// moves. Some milliseconds.
///
/// The other arguments are those of `cubebase_probe`, without castling rights; here all rules of legality are checked.
///
/// # Safety
/// `tables` is NULL or an open handle; `move` is NULL or valid for writing 6 bytes.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "they are Fathom's")]
pub unsafe extern "C" fn cubebase_plan(
    tables: *const Handle,
    white: u64,
    black: u64,
    kings: u64,
    queens: u64,
    rooks: u64,
    bishops: u64,
    knights: u64,
    pawns: u64,
    en_passant: c_uint,
    turn: u8,
    r#move: *mut c_char,
) -> Status {
    // SAFETY: guaranteed by the caller.
    let Some(handle) = (unsafe { tables.as_ref() }) else { return Status::NullPointer };
    handle.call(|tables| {
        if r#move.is_null() {
            return Err(Failure(Status::NullPointer, "move is NULL".into()));
        }
        let roles = [kings, queens, rooks, bishops, knights, pawns];
        let turn = if turn != 0 { Color::White } else { Color::Black };
        let plan = Plan::of_bitboards(tables, [white, black], roles, passed(en_passant)?, turn)?;
        let mut text = plan.map_or_else(String::new, |plan| plan.uci).into_bytes();
        text.push(0);
        // SAFETY: not NULL, and the caller guarantees room for 6 bytes: two squares, a promotion and the zero.
        unsafe { r#move.copy_from_nonoverlapping(text.as_ptr().cast(), text.len()) };
        Ok(())
    })
}

/// Copies the text of the last error with these tables in the calling thread into `buffer`: one line in UTF-8 that ends with
/// a zero, cut to `size` bytes. Returns the length of the whole text without the zero; 0 if there is none, and then `buffer`
/// is empty text.
///
/// Each thread only sees its own errors. A successful call leaves the text of an earlier error, so check the status first.
/// Texts are kept for the 64 threads that failed last.
///
/// # Safety
/// `tables` is NULL or an open handle, and `buffer` is NULL or valid for writing `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cubebase_error_text(
    tables: *const Handle,
    buffer: *mut c_char,
    size: usize,
) -> usize {
    let copy = |text: &str| {
        // SAFETY: guaranteed by the caller.
        unsafe { ffi::copy_text(text, buffer, size) };
        text.len()
    };
    // SAFETY: guaranteed by the caller.
    match unsafe { tables.as_ref() } {
        Some(handle) => caught(|| Ok(handle.failures.show(copy))).unwrap_or(0),
        None => copy(""),
    }
}

/// The number of men of the largest table, including kings; 0 if there are no tables or `tables` is NULL.
///
/// # Safety
/// `tables` is NULL or an open handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cubebase_largest(tables: *const Handle) -> c_uint {
    // SAFETY: guaranteed by the caller.
    let Some(handle) = (unsafe { tables.as_ref() }) else { return 0 };
    let largest = || Ok(handle.tables.materials().iter().map(|material| material.len() as c_uint).max());
    caught(largest).ok().flatten().unwrap_or(0)
}

/// Decodes all tables in advance, with one thread for each processor. If one fails, the others are still decoded.
///
/// # Safety
/// `tables` is NULL or an open handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cubebase_preload(tables: *const Handle) -> Status {
    // SAFETY: guaranteed by the caller.
    let Some(handle) = (unsafe { tables.as_ref() }) else { return Status::NullPointer };
    handle.call(|tables| Ok(tables.preload()?))
}

/// Writes sizes in bytes: to `decoded` the memory of decoded data, to `files` the files of tables that have been probed.
/// Either may be NULL.
///
/// # Safety
/// `tables` is NULL or an open handle; `decoded` and `files` are NULL or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cubebase_memory(
    tables: *const Handle,
    decoded: *mut usize,
    files: *mut usize,
) -> Status {
    // SAFETY: guaranteed by the caller.
    let Some(handle) = (unsafe { tables.as_ref() }) else { return Status::NullPointer };
    handle.call(|tables| {
        let memory = tables.memory();
        for (to, bytes) in [(decoded, memory.decoded), (files, memory.files)] {
            if !to.is_null() {
                // SAFETY: not NULL, and the caller guarantees that it is valid for writing.
                unsafe { to.write(bytes) };
            }
        }
        Ok(())
    })
}

/// Writes a handle with the tables that `open` returns, or without tables if it fails.
///
/// # Safety
/// `handle` is NULL or valid for writing.
unsafe fn handed_out(handle: *mut *mut Handle, open: impl FnOnce() -> Result<Tables, Failure>) -> Status {
    if handle.is_null() {
        return Status::NullPointer;
    }
    let (tables, failure) = match caught(open) {
        Ok(tables) => (tables, None),
        Err(failure) => (Tables::empty(), Some(failure)),
    };
    let opened = Box::new(Handle { tables, failures: Failures::default() });
    let status = failure.map_or(Status::Ok, |failure| opened.failed(failure));
    // SAFETY: not NULL, and the caller guarantees that it is valid for writing.
    unsafe { handle.write(Box::into_raw(opened)) };
    status
}

/// # Safety
/// `text` is NULL or ends with a zero.
unsafe fn path_of(text: *const c_char) -> Result<PathBuf, Failure> {
    if text.is_null() {
        return Err(Failure(Status::NullPointer, "path is NULL".into()));
    }
    // SAFETY: not NULL, and the caller guarantees that it ends with a zero; it is copied before this returns.
    let path = ffi::path_of(unsafe { CStr::from_ptr(text) }.to_bytes());
    path.map(PathBuf::from).ok_or_else(|| Failure(Status::BadInput, "path is not in UTF-8".into()))
}

/// The square passed by a double push.
#[inline]
fn passed(en_passant: c_uint) -> Result<Option<Square>, Failure> {
    match en_passant {
        0 => Ok(None),
        1..64 => Ok(Some(Square::new(en_passant as u8))),
        _ => Err(Failure(Status::BadInput, format!("no square has number {en_passant}"))),
    }
}

#[inline]
fn rights(castling: c_uint) -> Result<CastlingRights, Failure> {
    let rights = u8::try_from(castling).ok().and_then(CastlingRights::from_bits);
    let bad = || Failure(Status::BadInput, format!("no castling rights have the sum {castling}"));
    rights.ok_or_else(bad)
}

/// Sets the limit, from now on, on the bytes of code decoded at once: the covers of a table, a tree, or a page of a tree. Beyond
/// the limit, the first probe fails with `CUBEBASE_STATUS_BUDGET_EXHAUSTED`. Adding a single file of covers fails likewise: set
/// the limit before. A byte costs up to ten microseconds, so the limit bounds the time for which an untrusted file can hold a
/// thread in a probe. The default is 1 MiB. Trees of outcomes need up to 20 KiB, trees of distances up to 144 KiB; covers can
/// need more.
///
/// # Safety
/// `tables` is NULL or an open handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cubebase_set_decoding_limit(tables: *const Handle, bytes: usize) -> Status {
    // SAFETY: guaranteed by the caller.
    let Some(handle) = (unsafe { tables.as_ref() }) else { return Status::NullPointer };
    handle.call(|tables| {
        tables.set_decoding_limit(bytes);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_status_with_a_text() {
        let handle = Handle { tables: Tables::empty(), failures: Failures::default() };
        assert_eq!(handle.call(|_| panic!("on purpose")), Status::Internal);
        assert!(handle.failures.show(|text| text.contains("a panic inside cubebase")));
        assert_eq!(handle.call(|_| Ok(())), Status::Ok);
    }

    #[test]
    fn the_version_is_that_of_the_package() {
        // SAFETY: the text ends with a zero and is never freed.
        let version = unsafe { CStr::from_ptr(cubebase_version()) };
        assert_eq!(version.to_str(), Ok(env!("CARGO_PKG_VERSION")));
    }
}
