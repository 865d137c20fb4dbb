//! Chess endgame tables as two-level logic: generated, minimized, packed, and probed without search.
//!
//! # Ask
//!
//! [`Tables`] finds files, decodes them on demand, and answers on any number of threads. The tables of up to four men are
//! part of the crate with feature `embedded`; `Tables::open` takes a directory, a bundle or a file.
//!
//! ```
//! # #[cfg(feature = "embedded")] {
//! use cubebase::{Position, Tables, Wdl};
//!
//! let tables = Tables::embedded()?;
//! // Black has the opposition: the pawn does not get through.
//! let position = Position::from_fen("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")?;
//! assert_eq!(tables.probe(&position)?, Wdl::Draw);
//! # }
//! # Ok::<(), cubebase::Error>(())
//! ```
//!
//! An answer is the outcome for the side to move under best play, without the 50-move rule. No moves are searched, and no
//! other table is read. A position without an answer gives an [`Error`] with a [kind](ErrorKind):
//!
//! ```
//! # #[cfg(feature = "embedded")] {
//! # use cubebase::{ErrorKind, Position, Tables};
//! # let tables = Tables::embedded()?;
//! let five = Position::from_fen("8/8/8/4k3/8/8/2RPP3/4K3 w - - 0 1")?;
//! assert_eq!(tables.probe(&five).unwrap_err().kind(), ErrorKind::MissingTable);
//! # }
//! # Ok::<(), cubebase::Error>(())
//! ```
//!
//! With feature `moves`, `Moves` has every legal move with the outcome after it, best first:
//!
//! ```
//! # #[cfg(all(feature = "embedded", feature = "moves"))] {
//! use cubebase::{Moves, Tables, Wdl};
//!
//! let answer = Moves::of(&Tables::embedded()?, "8/1P6/8/8/8/k7/8/2K5 w - - 0 1")?;
//! assert_eq!((answer.moves[0].san.as_str(), answer.moves[0].outcome), ("b8=Q", Some(Wdl::Win)));
//! # }
//! # Ok::<(), cubebase::Error>(())
//! ```
//!
//! With feature `explain`, `explain::BoardExplanation` is the clause that decides, in words:
//!
//! ```
//! # #[cfg(all(feature = "embedded", feature = "explain"))] {
//! use cubebase::{Tables, explain::BoardExplanation};
//!
//! let certificate = BoardExplanation::of_fen(&Tables::embedded()?, "7K/8/8/8/8/3R4/2k5/8 b - - 0 1")?;
//! let [beside, unguarded] = &certificate.conditions[..] else { panic!() };
//! assert_eq!(beside.sentence, "The black king and the white rook are at most 1 king move apart");
//! assert_eq!(unguarded.value, "5 king moves");
//! # }
//! # Ok::<(), cubebase::Error>(())
//! ```
//!
//! # Make
//!
//! With feature `build`: `chess::retrograde` solves a table, `pipeline` minimizes and packs it, and checks the packed bytes on
//! every legal canonical position.
//!
//! ```
//! # #[cfg(feature = "build")] {
//! use cubebase::Material;
//! use cubebase::pipeline::{Options, build};
//! use cubebase::chess::retrograde::Store;
//!
//! let queen: Material = "KQvK".parse()?;
//! let table = Store::new(None).get(&queen)?;
//! let built = build(&table, &Options::default().with_effort(1))?;
//! // Syzygy's file has 272 bytes.
//! assert!(built.bytes.len() < 272);
//! # }
//! # Ok::<(), cubebase::Error>(())
//! ```
//!
//! `covers` turns tables into functions for any two-level minimizer. Covers, spaces, steps and PLAs in these signatures are
//! those of `espresso`, the minimizer's crate, which this one re-exports.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | none | [`Prober`], made from the bytes of a table; needs only `alloc` |
//! | `std` | [`Tables`]: files, threads, decoding on demand |
//! | `embedded` | the tables of up to four men |
//! | `distances` | their distances to zeroing |
//! | `moves` | legal moves with the outcomes after them |
//! | `explain` | the clause that decides, in words and drawn |
//! | `zstd` | the one codec that takes C code |
//! | `build` | everything that makes tables, with `zstd` |
//! | `cli` | the command, with all of that |
//!
//! `std` and `cli` are on by default. An engine needs no more than `std`.

#![cfg_attr(not(any(feature = "std", test)), no_std)]
// Without `std`, some readers of headers and pages have no caller.
#![cfg_attr(not(feature = "std"), allow(dead_code, clippy::unnecessary_wraps))]

#[macro_use]
extern crate alloc;

// Some unit tests share files with `tests/`, which name the crate.
#[cfg(test)]
extern crate self as cubebase;

#[cfg(test)]
mod allocated;
#[cfg(feature = "build")]
pub mod atomic;
mod bit_set;
mod bytes;
pub mod chess;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "build")]
pub mod compare;
#[cfg(feature = "build")]
mod costs;
pub mod covers;
pub mod error;
#[cfg(feature = "explain")]
pub mod explain;
mod fen_board;
#[cfg(feature = "std")]
mod files;
#[cfg(feature = "build")]
pub mod learner;
#[cfg(feature = "moves")]
pub mod moves;
mod nodes;
pub mod outcome;
pub mod pcn;
#[cfg(feature = "build")]
pub mod pipeline;
pub mod probe;
#[cfg(feature = "build")]
pub mod retrograde;
#[cfg(feature = "build")]
mod scratch;
#[cfg(feature = "build")]
pub mod xiangqi;

pub use chess::model::{self, Model};
pub use chess::position::{self, CastlingRights, Man, Material, Position, Role, Square};
pub use error::{Error, ErrorKind, Result};
#[cfg(feature = "build")]
pub use espresso;
#[cfg(feature = "moves")]
pub use moves::{Line, Move, Moves};
pub use outcome::{Color, Wdl, Wdl50};
pub use pcn::Pcn;
pub use probe::Prober;
#[cfg(feature = "std")]
pub use probe::Tables;

/// The examples of README.md, run as tests of the documentation.
#[cfg(all(doctest, feature = "embedded"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples of the book.
#[cfg(all(doctest, feature = "build"))]
#[doc = include_str!("../docs/extending.md")]
struct Extending;

#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Library;
