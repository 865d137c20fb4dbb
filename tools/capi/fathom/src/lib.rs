//! cubebase with the interface of Fathom, the prober of Syzygy files in engines. An engine compiled with Fathom's own
//! `tbprobe.h` links this library in place of `tbprobe.c`.
//!
//! [`abi`] has the functions; `opened` has the tables, in a global variable because Fathom's interface has no handle; `board`
//! has positions and their outcomes; `root` has the answers about the moves of a root; `ffi` is shared with the other C
//! interfaces.
//!
//! There are no distances to zeroing, as in a Fathom with WDL files and without DTZ files. The answers are the same as
//! there: `tb_probe_root_wdl` ranks all moves; `tb_probe_root` and `tb_probe_root_dtz` give the few distances that follow
//! from outcomes alone, and fail if they need another.

pub mod abi;
mod board;
#[allow(unsafe_code, dead_code, reason = "the C ABI; no interface needs all of it")]
mod ffi {
    include!("../../src/ffi.rs");
}
mod opened;
mod root;
