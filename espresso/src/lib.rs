//! Two-level logic minimization over multi-valued, multiple-output covers of any size.
//!
//! A function maps inputs to outputs. Here it is given by cubes, the products of a sum of products. Minimization finds an
//! equivalent sum with fewer products.
//!
//! # From text to text
//! ```
//! use espresso::{Format, Pla};
//! let pla = Pla::parse_equations("f = a & b | a & b & c | !a & c;")?;
//! let minimized = espresso::run(&pla, &Default::default())?.pla;
//! assert_eq!(minimized.to_text(Format::Equations)?.trim_end(), "f = (!a&c) | (a&b);");
//! assert!(minimized.to_text(Format::Verilog)?.contains("assign f = (~a & c) | (a & b);"));
//! # Ok::<(), espresso::Error>(())
//! ```
//!
//! # Constructing functions
//! A [`Function`] has an ON-set F, a DC-set D, where its value does not matter, and an OFF-set R. It can be constructed in
//! several ways; missing sets are computed:
//! ```
//! use espresso::{Cover, Function, Pla, Space, check};
//!
//! let by_equations = Function::from_equations("f = a & b | !a & c;")?;
//! let by_table = Function::from_truth_tables("01010011")?;
//! // Bit v of the number of a minterm is input v.
//! let by_values = Function::from_minterms(3, 1, |m, _| Some(if m & 1 == 1 { m & 2 != 0 } else { m & 4 != 0 }))?;
//! let space = Space::binary(3, 1)?;
//! let by_rows = Function::from_on(Cover::parse(&space, "11- 1\n0-1 1")?)?;
//! let by_pla = Function::from_pla(&Pla::parse(".i 3\n.o 1\n.type fr\n11- 1\n0-1 1\n10- 0\n0-0 0\n")?)?;
//! for other in [by_table, by_values, by_rows, by_pla] {
//!     assert_eq!(check::same_function(&by_equations, &other), Ok(()));
//! }
//! # Ok::<(), espresso::Error>(())
//! ```
//! [`Function::from_on_dc`] and [`Function::from_on_off`] take two covers. A [`Space`] may have inputs of more than two
//! values: `Space::new(2, &[5], 3)` has two binary inputs, one of five parts, and three outputs.
//!
//! # Inspecting a result
//! ```
//! use espresso::{Evaluator, Pla};
//! let cover = Pla::parse(".i 3\n.o 2\n1-0 10\n-11 11\n")?.on;
//! for cube in cover.cubes() {
//!     for literal in cube.literals() {
//!         // The value that the input must have.
//!         let _ = (literal.variable(), literal.polarity());
//!     }
//! }
//! // The values of both outputs at 64 minterms at once: a word for each input, a bit for each minterm.
//! let values = Evaluator::new(&cover).evaluate(&[0b0011, 0b0101, 0b0110]);
//! assert_eq!((values[0] & 0b1111, values[1] & 0b1111), (0b0101, 0b0100));
//! # Ok::<(), espresso::Error>(())
//! ```
//! [`check::result`] checks a cover with an independent oracle, and gives a minterm as an example if the cover is wrong.
//! [`algebra`] has the operations on covers: union, intersection, difference, complement, primes.
//!
//! # Limits and progress
//! [`minimize::Options`] has the steps to run, a work budget after which the best cover so far is returned, and a
//! [`Monitor`], a callback for progress that can cancel the work. Other long computations also take a monitor.
//! ```
//! use espresso::minimize::{Options, minimize};
//! use espresso::{Function, Monitor, Progress};
//! use std::ops::ControlFlow;
//! use std::time::{Duration, Instant};
//!
//! let function = Function::from_minterms(8, 1, |minterm, _| Some(minterm.count_ones() % 3 != 0))?;
//! let end = Instant::now() + Duration::from_secs(60);
//! let progress = |_: &Progress| if Instant::now() < end { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
//! let options = Options { budget: Some(1_000_000), progress: Monitor::new(&progress), ..Options::default() };
//! let (cover, report) = minimize(&function, &options)?;
//! assert!(cover.len() < 171 && !report.exhausted);
//! # Ok::<(), espresso::Error>(())
//! ```
//!
//! # Errors
//! Every [`Error`] has a [kind](ErrorKind) to branch on. One about text has a line and a column, and `{:#}` shows the line
//! with a caret:
//! ```
//! let error = espresso::Pla::parse(".i 2\n.o 1\n1x 1\n").unwrap_err();
//! assert_eq!((error.kind(), error.line(), error.column()), (espresso::ErrorKind::Syntax, Some(3), Some(2)));
//! assert!(format!("{error:#}").ends_with("\n    1x 1\n     ^"));
//! ```
//!
//! # Other modules
//! [`limits`] finds the available memory, and `atomic` writes files whole or not at all. The minimizer has
//! no global state, and every type can be sent to and shared between threads.
//!
//! # Source
//! Brayton, Hachtel, `McMullen` and Sangiovanni-Vincentelli, *Logic Minimization Algorithms for VLSI Synthesis* (1984);
//! the compaction that precedes their steps is that of Gomboc and Shelton.

pub mod algebra;
#[cfg(feature = "atomic")]
pub mod atomic;
pub mod check;
mod coverage;
mod cube;
pub mod error;
mod formats;
pub mod limits;
pub mod minimize;
pub mod progress;
pub mod random;
mod steps;
#[cfg(test)]
mod testing;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub use coverage::tautology;
pub use cube::cover::Cover;
pub use cube::evaluate::Evaluator;
pub use cube::function::{Function, Rest};
pub use cube::pla::{Notes, Pla, PlaType};
pub use cube::space::Space;
pub use cube::view::{Cube, Literal};
pub use cube::{cover, function, pla, space};
pub use error::{Error, ErrorKind, Result};
pub use formats::Format;
pub use minimize::{Minimized, memory, run};
pub use progress::{Monitor, Progress};
pub use steps::{compact, complement};
