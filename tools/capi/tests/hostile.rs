//! Invalid arguments to the functions: they return a status or Fathom's failure value, and never panic.

#![allow(unsafe_code, reason = "calls of the C ABI")]

use crate::positions::{self, Asked};
use crate::random::Random;
use cubebase_capi::{Handle, Outcome, Status, api};
use cubebase_fathom::abi;
use std::ffi::CString;
use std::ptr::{null, null_mut};
use std::sync::atomic::Ordering;

const FAILED: u32 = u32::MAX;

/// A handle that is closed at the end.
struct Opened(*mut Handle);

impl Drop for Opened {
    fn drop(&mut self) {
        // SAFETY: the handle is open and not used again.
        unsafe { api::cubebase_close(self.0) }
    }
}

fn embedded() -> Opened {
    let mut handle = null_mut();
    // SAFETY: the pointer to the handle is valid for writing.
    assert_eq!(unsafe { api::cubebase_embedded(&raw mut handle) }, Status::Ok);
    Opened(handle)
}

/// A pointer that is sent to threads, which the functions allow.
#[derive(Clone, Copy)]
struct Shared(*const Handle);

// SAFETY: it is only used in functions that take the handle as `const`, which any number of threads may call.
unsafe impl Send for Shared {}

fn probe(
    handle: *const Handle,
    asked: &Asked,
    rule50: u32,
    castling: u32,
    passed: u32,
) -> Result<Outcome, Status> {
    let [white, black] = asked.colors;
    let [kings, queens, rooks, bishops, knights, pawns] = asked.roles;
    // Any value but 0 means White: callers in other languages may pass others than 1.
    let turn = if asked.turn == cubebase::Color::White { 2 } else { 0 };
    let mut outcome = Outcome::Draw;
    // SAFETY: the handle is open or NULL, and the pointer to the outcome is valid for writing.
    let status = unsafe {
        api::cubebase_probe(
            handle,
            white,
            black,
            kings,
            queens,
            rooks,
            bishops,
            knights,
            pawns,
            rule50,
            castling,
            passed,
            turn,
            &raw mut outcome,
        )
    };
    if status == Status::Ok { Ok(outcome) } else { Err(status) }
}

fn error_text(handle: *const Handle) -> String {
    let mut buffer = [1_u8; 200];
    // SAFETY: the handle is open or NULL, and the buffer has the given length.
    let length = unsafe { api::cubebase_error_text(handle, buffer.as_mut_ptr().cast(), buffer.len()) };
    assert_eq!(buffer[length], 0);
    String::from_utf8(buffer[..length].to_vec()).unwrap()
}

/// Random men on random squares: most of these are not valid positions.
fn garbage(random: &mut Random) -> Asked {
    let asked = positions::random(random.word(), 1)[0];
    let mut word = || match random.below(4) {
        0 => 0,
        1 => 1 << random.below(64),
        2 => 1 << random.below(64) | 1 << random.below(64),
        _ => random.word(),
    };
    let mut found = asked;
    for bitboard in found.colors.iter_mut().chain(&mut found.roles) {
        let change = word();
        *bitboard ^= change;
    }
    found
}

#[test]
fn null_is_refused() {
    // SAFETY: NULL is allowed everywhere.
    unsafe {
        let path = CString::new("tables").unwrap();
        assert_eq!(api::cubebase_open(path.as_ptr(), null_mut()), Status::NullPointer);
        assert_eq!(api::cubebase_open_memory(null(), 3, null_mut()), Status::NullPointer);
        assert_eq!(api::cubebase_embedded(null_mut()), Status::NullPointer);
        assert_eq!(api::cubebase_add(null_mut(), path.as_ptr()), Status::NullPointer);
        assert_eq!(api::cubebase_preload(null()), Status::NullPointer);
        assert_eq!(api::cubebase_memory(null(), null_mut(), null_mut()), Status::NullPointer);
        assert_eq!(api::cubebase_set_decoding_limit(null(), 0), Status::NullPointer);
        assert_eq!(api::cubebase_largest(null()), 0);
        assert_eq!(api::cubebase_error_text(null(), null_mut(), 0), 0);
        api::cubebase_close(null_mut());
        for open in [api::cubebase_open(null(), null_mut()), api::cubebase_open_memory(null(), 0, null_mut())]
        {
            assert_eq!(open, Status::NullPointer);
        }
        let mut handle = null_mut();
        assert_eq!(api::cubebase_open_memory(null(), 3, &raw mut handle), Status::NullPointer);
        let opened = Opened(handle);
        assert_eq!(error_text(opened.0), "bytes is NULL");
        assert_eq!(api::cubebase_add(opened.0, null()), Status::NullPointer);
        assert_eq!(error_text(opened.0), "path is NULL");
        let probed = api::cubebase_probe(opened.0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 1, null_mut());
        assert_eq!((probed, error_text(opened.0).as_str()), (Status::NullPointer, "outcome is NULL"));
        let plan = |tables| api::cubebase_plan(tables, 1, 2, 3, 0, 0, 0, 0, 0, 0, 1, null_mut());
        assert_eq!(plan(null()), Status::NullPointer);
        let planned = plan(opened.0.cast_const());
        assert_eq!((planned, error_text(opened.0).as_str()), (Status::NullPointer, "move is NULL"));
    }
    assert_eq!(probe(null(), &positions::random(1, 1)[0], 0, 0, 0), Err(Status::NullPointer));
}

#[test]
fn a_limit_on_decoding_is_a_status() {
    let opened = embedded();
    // SAFETY: the handle is open.
    assert_eq!(unsafe { api::cubebase_set_decoding_limit(opened.0, 0) }, Status::Ok);
    let asked = positions::random(1, 1)[0];
    assert_eq!(probe(opened.0, &asked, 0, 0, 0), Err(Status::BudgetExhausted));
    assert!(error_text(opened.0).contains("0 are allowed"), "{}", error_text(opened.0));
}

#[test]
fn damaged_bytes_are_refused_with_a_text() {
    let bundle = std::fs::read(crate::compiled::of_crate("../../fixtures/four-men.pcb")).unwrap();
    let open = |bytes: &[u8]| {
        let mut handle = null_mut();
        // SAFETY: the bytes have this length, and the pointer to the handle is valid for writing.
        let status = unsafe { api::cubebase_open_memory(bytes.as_ptr(), bytes.len(), &raw mut handle) };
        (status, Opened(handle))
    };
    let (status, opened) = open(&bundle[..bundle.len() / 2]);
    assert_eq!(status, Status::Corrupt);
    assert!(!error_text(opened.0).is_empty());
    // A handle that failed to open has no tables.
    let asked = positions::random(7, 1)[0];
    assert_eq!(probe(opened.0, &asked, 0, 0, asked.passed.into()), Err(Status::MissingTable));
    assert_eq!(open(b"").0, Status::BadMagic);
    assert_eq!(open(b"no table at all").0, Status::BadMagic);
    let (status, opened) = open(&bundle);
    assert_eq!(status, Status::Ok);
    assert!(probe(opened.0, &asked, 0, 0, asked.passed.into()).is_ok());
}

#[test]
fn positions_beyond_every_table_are_refused() {
    let opened = embedded();
    let asked = positions::random(8, 1)[0];
    let passed = asked.passed.into();
    assert_eq!(probe(opened.0, &asked, 0, 0, passed).unwrap() as usize, asked.outcome());
    assert_eq!(probe(opened.0, &asked, 1, 0, passed), Err(Status::UnsupportedPosition));
    assert_eq!(error_text(opened.0), "a 50-move counter of 1: no table has one");
    assert_eq!(probe(opened.0, &asked, 0, 16, passed), Err(Status::BadInput));
    assert_eq!(error_text(opened.0), "no castling rights have the sum 16");
    assert_eq!(probe(opened.0, &asked, 0, 15, passed), Err(Status::IllegalPosition));
    assert_eq!(probe(opened.0, &asked, 0, 0, 64), Err(Status::BadInput));
    // King and three queens against king and queen.
    let roles = [1 | 1 << 63, 0b111_0000_0000 | 1 << 32, 0, 0, 0, 0];
    let six = Asked { colors: [1 | 0b111_0000_0000, 1 << 63 | 1 << 32], roles, ..asked };
    let status = probe(opened.0, &six, 0, 0, 0).unwrap_err();
    assert!([Status::MissingTable, Status::UnsupportedPosition, Status::IllegalPosition].contains(&status));
    let no_king = Asked { colors: [2, 1], roles: [1, 2, 0, 0, 0, 0], ..asked };
    assert_eq!(probe(opened.0, &no_king, 0, 0, 0), Err(Status::BadInput));
}

#[test]
fn castling_rights_are_answered() {
    let opened = embedded();
    // White: Ke1, Ra1; Black: Kd5, Rb2. White castles with check, and the king attacks the rook.
    let kings = 1 << 4 | 1 << 35;
    let (colors, roles) = ([1 << 4 | 1, 1 << 35 | 1 << 9], [kings, 0, 1 | 1 << 9, 0, 0, 0]);
    let asked = Asked { colors, roles, turn: cubebase::Color::White, ..positions::random(11, 1)[0] };
    let rights = [0, 2].map(|castling| probe(opened.0, &asked, 0, castling, 0));
    assert_eq!(rights, [Ok(Outcome::Draw), Ok(Outcome::Win)]);
    assert_eq!(probe(opened.0, &asked, 0, 1, 0), Err(Status::IllegalPosition));
}

#[test]
fn distances_and_the_outcomes_under_the_rule_are_those_of_rust() {
    if !positions::have_distances() {
        return;
    }
    let (opened, tables) = (embedded(), cubebase::Tables::embedded().unwrap());
    for (asked, clock) in positions::random(14, 500).iter().zip((0..110).cycle()) {
        let [white, black] = asked.colors;
        let [k, q, r, b, n, p] = asked.roles;
        let turn = u8::from(asked.turn == cubebase::Color::White);
        let (mut outcome, mut dtz) = (Outcome::Draw, 0);
        let ask = |castling, outcome: *mut Outcome, dtz| {
            let passed = asked.passed.into();
            // SAFETY: the handle is open, and the pointers are NULL or valid for writing.
            unsafe {
                api::cubebase_dtz(
                    opened.0, white, black, k, q, r, b, n, p, clock, castling, passed, turn, outcome, dtz,
                )
            }
        };
        assert_eq!(ask(0, null_mut(), null_mut()), Status::Ok);
        assert_eq!(ask(16, null_mut(), null_mut()), Status::BadInput);
        assert_eq!(ask(0, &raw mut outcome, &raw mut dtz), Status::Ok);
        let passed = (asked.passed != 0).then(|| cubebase::Square::new(asked.passed));
        let rights = cubebase::CastlingRights::NONE;
        let position =
            cubebase::Position::from_bitboards(asked.colors, asked.roles, passed, asked.turn, rights)
                .unwrap();
        assert_eq!(dtz, tables.dtz(&position).unwrap());
        assert_eq!(outcome as usize, tables.wdl50(&position, clock).unwrap().index());
    }
}

/// The outcomes of three queens and their ranking, in a directory of their own.
fn ranked() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for file in ["five-men/KQQQvK.pcn", "fuzz/pcn/KQQQvK.rank.pcn"] {
        let path = crate::compiled::of_crate("../../fixtures").join(file);
        std::fs::copy(&path, directory.path().join(path.file_name().unwrap())).unwrap();
    }
    directory
}

#[test]
fn a_plan_is_that_of_rust() {
    let directory = ranked();
    let path = CString::new(directory.path().to_str().unwrap()).unwrap();
    let (opened, mut tables) = (embedded(), cubebase::Tables::embedded().unwrap());
    tables.add(directory.path()).unwrap();
    // SAFETY: the handle is open, and no other thread uses it.
    assert_eq!(unsafe { api::cubebase_add(opened.0, path.as_ptr()) }, Status::Ok);
    // White Ka1, Qb1, Qc1, Qd1, Black Kh8; with White to move, and the same with the colours exchanged.
    let (king, queens, other) = (1, 0b1110, 1 << 63);
    for (white, black, turn) in
        [(king | queens, other, 1), (other, king | queens, 0), (king | queens, other, 0)]
    {
        let mut text = [1; 6];
        let kings = king | other;
        let ask = |queens, to: *mut u8| {
            // SAFETY: the handle is open, and the pointer is NULL or has room.
            unsafe {
                api::cubebase_plan(opened.0, white, black, kings, queens, 0, 0, 0, 0, 0, turn, to.cast())
            }
        };
        assert_eq!(ask(queens, null_mut()), Status::NullPointer);
        assert_eq!(ask(0, text.as_mut_ptr()), Status::BadInput);
        assert_eq!(ask(queens, text.as_mut_ptr()), Status::Ok);
        let text = std::ffi::CStr::from_bytes_until_nul(&text).unwrap().to_str().unwrap();
        let turn = if turn != 0 { cubebase::Color::White } else { cubebase::Color::Black };
        let roles = [kings, queens, 0, 0, 0, 0];
        let plan = cubebase::moves::Plan::of_bitboards(&tables, [white, black], roles, None, turn).unwrap();
        assert_eq!(text, plan.as_ref().map_or("", |plan| &plan.uci));
        assert_eq!(plan.is_some(), (turn == cubebase::Color::White) == (white & king != 0));
    }
}

#[test]
fn the_text_of_an_error_fits_into_any_buffer() {
    let opened = embedded();
    let path = CString::new("no/\u{fc}\u{fc}\u{fc}").unwrap();
    // SAFETY: the handle is open, and no other thread uses it.
    assert_eq!(unsafe { api::cubebase_add(opened.0, path.as_ptr()) }, Status::Io);
    let whole = error_text(opened.0);
    assert!(whole.starts_with("cannot read no/\u{fc}\u{fc}\u{fc}: "), "{whole}");
    for size in 0..whole.len() + 3 {
        let mut buffer = vec![b'#'; whole.len() + 4];
        // SAFETY: the handle is open, and the buffer is longer than `size`.
        let length = unsafe { api::cubebase_error_text(opened.0, buffer.as_mut_ptr().cast(), size) };
        assert_eq!(length, whole.len());
        let end = buffer.iter().position(|&byte| byte == 0).unwrap_or(0);
        assert!(end < size.max(1) && whole.starts_with(std::str::from_utf8(&buffer[..end]).unwrap()));
        assert!(buffer[size..].iter().all(|&byte| byte == b'#'));
    }
}

#[test]
fn threads_share_a_handle() {
    let opened = embedded();
    let asked = positions::random(9, 2_000);
    std::thread::scope(|scope| {
        for number in 1..5 {
            let (asked, shared) = (&asked, Shared(opened.0));
            scope.spawn(move || {
                let Shared(handle) = { shared };
                for asked in asked {
                    let found = probe(handle, asked, 0, 0, asked.passed.into());
                    assert_eq!(found.unwrap() as usize, asked.outcome());
                    assert_eq!(probe(handle, asked, number, 0, 0), Err(Status::UnsupportedPosition));
                    let text = format!("a 50-move counter of {number}: no table has one");
                    assert_eq!(error_text(handle), text);
                }
            });
        }
    });
    assert_eq!(error_text(opened.0), "");
    let (mut decoded, mut files) = (0, 0);
    // SAFETY: the handle is open, and both pointers are valid for writing.
    assert_eq!(unsafe { api::cubebase_memory(opened.0, &raw mut decoded, &raw mut files) }, Status::Ok);
    assert!(decoded > files && files > 100_000, "{decoded} {files}");
}

#[test]
fn garbage_has_a_status() {
    let opened = embedded();
    let mut random = Random(10);
    for _ in 0..20_000 {
        let asked = garbage(&mut random);
        let passed = random.below(70) as u32;
        let found = probe(opened.0, &asked, 0, 0, passed);
        assert_ne!(found, Err(Status::Internal), "{asked:?} {passed}: {}", error_text(opened.0));
    }
}

/// Without distances, a ranking suggests a move, and no distance is stated. `ask` returns the answer about a root, and whether
/// `tb_probe_root_dtz` has one.
fn suggests_by_rankings(ask: impl Fn(&Asked) -> (u32, i32)) {
    let directory = ranked();
    let path = CString::new(directory.path().to_str().unwrap()).unwrap();
    let (colors, roles) = ([0b1111, 1 << 63], [1 | 1 << 63, 0b1110, 0, 0, 0, 0]);
    let queens = Asked { colors, roles, turn: cubebase::Color::White, passed: 0, wdl: cubebase::Wdl::Win };
    // SAFETY: the text ends with a zero.
    assert!(unsafe { abi::tb_init(path.as_ptr()) });
    let (root, distances) = ask(&queens);
    assert_eq!((root & 0xfff0_000f, distances), (4, 0));
    let mut tables = cubebase::Tables::embedded().unwrap();
    tables.add(directory.path()).unwrap();
    let plan = cubebase::moves::Plan::of_bitboards(&tables, colors, roles, None, queens.turn);
    let square = |shift: u32| cubebase::Square::new((root >> shift & 63) as u8);
    assert_eq!(format!("{}{}", square(10), square(4)), plan.unwrap().unwrap().uci);
    std::fs::remove_file(directory.path().join("KQQQvK.rank.pcn")).unwrap();
    // SAFETY: the text ends with a zero.
    assert!(unsafe { abi::tb_init(path.as_ptr()) });
    assert_eq!(ask(&queens), (FAILED, 0));
}

/// All of Fathom's functions in one test: they share their tables.
#[test]
fn fathoms_functions_fail_as_fathom_does() {
    let ask = |asked: &Asked, castling: u32, passed: u32| {
        let [white, black] = asked.colors;
        let [k, q, r, b, n, p] = asked.roles;
        let turn = if asked.turn == cubebase::Color::White { 2 } else { 0 };
        let wdl = abi::tb_probe_wdl_impl(white, black, k, q, r, b, n, p, passed, turn);
        let mut results = [0; 193];
        let mut moves = Box::new(std::mem::MaybeUninit::<abi::TbRootMoves>::uninit());
        // SAFETY: the pointers to results and moves are valid for writing.
        unsafe {
            let to = results.as_mut_ptr();
            let root = abi::tb_probe_root_impl(white, black, k, q, r, b, n, p, 0, passed, turn, to);
            let of = abi::tb_probe_root_impl(white, black, k, q, r, b, n, p, 0, passed, turn, null_mut());
            assert_eq!(root, of);
            let to = moves.as_mut_ptr();
            let ranks =
                abi::tb_probe_root_wdl(white, black, k, q, r, b, n, p, 0, castling, passed, turn, 1, to);
            let distances =
                abi::tb_probe_root_dtz(white, black, k, q, r, b, n, p, 0, castling, passed, turn, 0, 1, to);
            (wdl, root, ranks, distances)
        }
    };
    let fails = (FAILED, FAILED, 0, 0);
    let asked = positions::random(11, 1)[0];
    let passed = asked.passed.into();
    assert_eq!((abi::TB_LARGEST.load(Ordering::Relaxed), ask(&asked, 0, passed)), (0, fails));
    let syzygy = tempfile::tempdir().unwrap();
    std::fs::write(syzygy.path().join("KQvK.rtbw"), "one of Syzygy's").unwrap();
    for path in [syzygy.path().to_str().unwrap(), "/no/such/directory"] {
        let path = std::ffi::CString::new(path).unwrap();
        // SAFETY: the text ends with a zero.
        assert!(!unsafe { abi::tb_init(path.as_ptr()) }, "{path:?}");
        assert_eq!(abi::TB_LARGEST.load(Ordering::Relaxed), 4);
    }
    // A path may have distances alone.
    let distances = crate::compiled::of_crate("../../fixtures/fuzz/pcn/KQvK-distances.pcn");
    std::fs::copy(distances, syzygy.path().join("KQvK.dtz.pcn")).unwrap();
    let path = std::ffi::CString::new(syzygy.path().to_str().unwrap()).unwrap();
    // SAFETY: the text ends with a zero.
    assert!(unsafe { abi::tb_init(path.as_ptr()) });
    suggests_by_rankings(|queens| {
        let (_, root, _, distances) = ask(queens, 0, 0);
        (root, distances)
    });
    // SAFETY: NULL is allowed: an empty list of paths.
    assert!(unsafe { abi::tb_init(null()) });
    assert_eq!(abi::TB_LARGEST.load(Ordering::Relaxed), 4);
    let (wdl, _, ranks, _) = ask(&asked, 0, passed);
    assert_eq!((wdl as usize, ranks), (asked.outcome(), 1));
    let (_, _, ranks, distances) = ask(&asked, 1, passed);
    assert_eq!((ranks, distances), (0, 0));
    assert_eq!(ask(&asked, 0, 64), fails);
    let six = Asked {
        colors: [1 | 0x700, 1 << 63 | 1 << 32],
        roles: [1 | 1 << 63, 0x700 | 1 << 32, 0, 0, 0, 0],
        ..asked
    };
    assert_eq!(ask(&six, 0, 0), fails);
    assert_eq!(ask(&Asked { colors: [0; 2], roles: [0; 6], ..asked }, 0, 0), fails);
    let mut random = Random(12);
    for _ in 0..20_000 {
        let asked = garbage(&mut random);
        ask(&asked, 0, random.below(70) as u32);
    }
    abi::tb_free();
    assert_eq!((abi::TB_LARGEST.load(Ordering::Relaxed), ask(&asked, 0, passed)), (0, fails));
}
