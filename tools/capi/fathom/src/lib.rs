//! cubebase with the interface of Fathom, the prober of Syzygy files in engines. An engine compiled with Fathom's own
//! `tbprobe.h` links this library in place of `tbprobe.c`.
//!
//! [`abi`] has the functions; `opened` has the tables, in a global variable because Fathom's interface has no handle; `board`
//! has positions and their outcomes; `root` has the answers about the moves of a root; `ffi` is shared with the other C
//! interfaces.
//!
//! The answers are those of a Fathom with WDL and DTZ files, but distances are exact where Syzygy's files round. Where a table
//! has no distances, the answers are those of a Fathom without DTZ files: outcomes ignore the 50-move rule, and `tb_probe_root`
//! and `tb_probe_root_dtz` fail.

pub mod abi;
mod board;
#[allow(unsafe_code, dead_code, reason = "the C ABI; no interface needs all of it")]
mod ffi {
    include!("../../src/ffi.rs");
}
mod opened;
mod root;
