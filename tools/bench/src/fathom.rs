//! A safe wrapper of Fathom, the prober of Syzygy files that engines use.

#![allow(unsafe_code, reason = "calls into C")]

use crate::bitboards::Bitboards;
use anyhow::{Context, Result, ensure};
use cubebase::{Color, Wdl};
use fathom_syzygy_sys as c;
use std::ffi::CString;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Fathom with opened files. There is at most one, since Fathom's state is global. Not for several threads.
#[derive(Debug)]
pub struct Fathom(PhantomData<*const ()>);

/// Whether a [`Fathom`] exists.
static IS_OPEN: AtomicBool = AtomicBool::new(false);

impl Fathom {
    /// Opens the files in `directories`. Fathom maps a table when it is first probed.
    pub fn open(directories: &[PathBuf]) -> Result<Self> {
        let joined = std::env::join_paths(directories).context("a directory with a separator in its name")?;
        let joined = CString::new(joined.into_encoded_bytes())?;
        ensure!(!IS_OPEN.swap(true, Ordering::Acquire), "Fathom is open already");
        // SAFETY: the text ends with a zero and is not kept. Only a `Fathom` calls into Fathom. The flag, set by this thread,
        // shows that there is none, and the new one stays on this thread.
        let (is_initialized, men) = unsafe { (c::tb_init(joined.as_ptr().cast()), c::TB_LARGEST) };
        if !is_initialized || men == 0 {
            IS_OPEN.store(false, Ordering::Release);
        }
        ensure!(is_initialized, "Fathom cannot be initialized");
        ensure!(men > 0, "no Syzygy files in {directories:?}");
        Ok(Fathom(PhantomData))
    }

    /// The outcome of a legal position without castling rights, ignoring the 50-move rule.
    #[allow(clippy::unused_self, reason = "a value shows that the globals are initialized")]
    #[inline]
    pub fn probe(&self, board: &Bitboards) -> Option<Wdl> {
        let [white, black] = board.colors;
        let [kings, queens, rooks, bishops, knights, pawns] = board.roles;
        let turn = u8::from(board.turn == Color::White);
        // SAFETY: Fathom is initialized, and accepts the bitboards of any legal position.
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
        // SAFETY: Fathom is initialized, and this is the only `Fathom`.
        unsafe { c::tb_free() }
        IS_OPEN.store(false, Ordering::Release);
    }
}
