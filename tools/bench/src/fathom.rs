//! Fathom, the prober of Syzygy files that engines use, behind safe calls.

#![allow(unsafe_code, reason = "calls into C")]

use crate::board::Board;
use anyhow::{Context, Result, ensure};
use cubebase::{Color, Wdl};
use fathom_syzygy_sys as c;
use std::ffi::CString;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Fathom with its files opened. There is one at most: it keeps its state in globals. Not for several threads.
#[derive(Debug)]
pub struct Fathom(PhantomData<*const ()>);

/// Whether there is one.
static IS_OPEN: AtomicBool = AtomicBool::new(false);

impl Fathom {
    /// Opens the files in `directories`; how large their tables are is looked at as they are asked.
    pub fn open(directories: &[PathBuf]) -> Result<Self> {
        let joined = std::env::join_paths(directories).context("a directory with a separator in its name")?;
        let joined = CString::new(joined.into_encoded_bytes())?;
        ensure!(!IS_OPEN.swap(true, Ordering::Acquire), "Fathom is open already");
        // SAFETY: the text ends with a zero and is not kept. Only a `Fathom` calls into Fathom: there is none by the flag,
        // which this thread has set, and the one that is made stays on this thread.
        let (is_initialized, men) = unsafe { (c::tb_init(joined.as_ptr().cast()), c::TB_LARGEST) };
        if !is_initialized || men == 0 {
            IS_OPEN.store(false, Ordering::Release);
        }
        ensure!(is_initialized, "Fathom cannot be initialized");
        ensure!(men > 0, "no Syzygy files in {directories:?}");
        Ok(Fathom(PhantomData))
    }

    /// The outcome of a legal position without castling rights, the 50-move rule left out.
    #[allow(clippy::unused_self, reason = "who has one has initialized the globals")]
    #[inline]
    pub fn probe(&self, board: &Board) -> Option<Wdl> {
        let [white, black] = board.colors;
        let [kings, queens, rooks, bishops, knights, pawns] = board.roles;
        let turn = u8::from(board.turn == Color::White);
        // SAFETY: it was initialized; any bitboards of a legal position are acceptable.
        let result = unsafe {
            c::tb_probe_wdl(white, black, kings, queens, rooks, bishops, knights, pawns, 0, 0, 0, turn)
        };
        match result {
            c::TB_LOSS | c::TB_BLESSED_LOSS => Some(Wdl::Loss),
            c::TB_DRAW => Some(Wdl::Draw),
            c::TB_WIN | c::TB_CURSED_WIN => Some(Wdl::Win),
            _ => None,
        }
    }
}

impl Drop for Fathom {
    fn drop(&mut self) {
        // SAFETY: it was initialized, and this is the one that there is.
        unsafe { c::tb_free() }
        IS_OPEN.store(false, Ordering::Release);
    }
}
