//! cubebase under the names of Fathom, the prober of Syzygy files that engines carry: an engine that was compiled with
//! Fathom's own `tbprobe.h` links this library in place of `tbprobe.c`.
//!
//! [`abi`] has the functions, and all that is unsafe; `opened` has the tables, which are a global variable here because
//! Fathom's interface has no handle; `board` has positions and their outcomes; `root` has what is answered about the
//! moves of a root.
//!
//! There are no distances to zeroing here, as in a Fathom that has WDL files and no DTZ files. What such a Fathom answers
//! is answered: `tb_probe_root_wdl` ranks all moves; `tb_probe_root` and `tb_probe_root_dtz` know the few distances that
//! follow from outcomes alone, and fail where they need another.

pub mod abi;
mod board;
mod opened;
mod root;
