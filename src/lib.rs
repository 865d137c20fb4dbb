//! Chess endgame tables as two-level logic: generated, minimized, packed, and probed without search.
//!
//! An engine needs [`probe::Tables`] and [`Position`] alone, and takes the crate with feature `std` in place of the default
//! ones, and with `mmap`, which maps the files of tables, and `cap`, which bounds the memory of large ones, where these can
//! be had. Without `std` a [`Prober`] is made of the bytes of a table, and `alloc` is all that is needed.
//!
//! Feature `build` adds the way from nothing to a .pcn file: [`retrograde`] makes outcome tables, [`export`] turns them into
//! functions for the minimizer, [`build`] packs and checks what it leaves; covers, spaces, steps and PLAs in their
//! signatures are those of [`espresso`], the minimizer's crate, which is passed on under that name. Feature `cli` adds
//! the command. Feature `embedded` puts the tables of up to four men into the program, and `moves` lists the moves of a
//! position with the outcomes after them. Feature `zstd`, a part of both, reads and writes the one codec that takes C code.

#![cfg_attr(not(any(feature = "std", test)), no_std)]
// Some of what reads headers and pages waits for files.
#![cfg_attr(not(feature = "std"), allow(dead_code, clippy::unnecessary_wraps))]

extern crate alloc;

// Some tests share files with those outside.
#[cfg(test)]
extern crate self as cubebase;

#[cfg(test)]
mod allocated;
#[cfg(feature = "build")]
pub mod atomic;
#[cfg(feature = "build")]
pub mod build;
mod bytes;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "build")]
pub mod compare;
pub mod error;
#[cfg(feature = "explain")]
pub mod explain;
#[cfg(feature = "build")]
pub mod export;
#[cfg(feature = "std")]
mod files;
pub mod model;
#[cfg(feature = "moves")]
pub mod moves;
pub mod pcn;
pub mod position;
pub mod probe;
#[cfg(feature = "build")]
pub mod retrograde;
#[cfg(feature = "build")]
mod scratch;

pub use error::{Error, ErrorKind, Result};
#[cfg(feature = "build")]
pub use espresso;
pub use model::Model;
#[cfg(feature = "moves")]
pub use moves::{Move, Moves};
pub use pcn::Pcn;
pub use position::{Color, Man, Material, Position, Role, Square, Wdl};
pub use probe::Prober;
#[cfg(feature = "std")]
pub use probe::Tables;

/// The examples of README.md, compiled with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples of the book.
#[cfg(all(doctest, feature = "build"))]
#[doc = include_str!("../docs/extending.md")]
struct Extending;
