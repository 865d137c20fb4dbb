//! Boolean equations as text.
//!
//! ```text
//! NAME = model;             kept as a comment
//! INORDER = a b c;          the order of the inputs; the default is that of their first use
//! OUTORDER = f;             the outputs; the default is all assigned names, in order
//! n = a & !b | c;           ! and ~ before, ' after: not; & and *: and; ^: exclusive or; | and +: or
//! f = (n ^ 1) * c';         constants; an assigned name stands for its value
//! ```
//!
//! Operators from the tightest: not, and, exclusive or, or. `#` and `//` begin a comment. A name is any text of ASCII
//! without blanks and the characters above, or letters beyond ASCII, except `0` and `1`; it does not begin with `/`. A name that is never assigned is an input.

mod evaluate;
mod lex;
mod parse;

pub(super) use evaluate::evaluate;
pub(super) use lex::is_name;
pub(super) use parse::{Expression, Program};

use super::text_of;
use crate::{Monitor, Notes, Pla, Result};
use std::io::Read;

impl Pla {
    /// Reads Boolean equations: see [`Pla::parse_equations`]. Reports progress to `monitor`. Also returns warnings.
    ///
    /// # Errors
    /// As [`Pla::parse_equations`]; [`ErrorKind::Io`](crate::ErrorKind::Io) when `reader` fails or the text is not in UTF-8;
    /// [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled) when the callback breaks.
    pub fn read_equations(reader: impl Read, monitor: Monitor<'_>) -> Result<(Pla, Notes)> {
        let mut program = parse::parse(&text_of(reader)?)?;
        let warnings = std::mem::take(&mut program.warnings);
        Ok((evaluate(&program, monitor)?, Notes { warnings, ..Notes::default() }))
    }

    /// Returns the PLA, of type f, of Boolean equations: `f = a & !b | c;`.
    ///
    /// Operators, from the tightest: `!` or `~` before an operand and `'` after it, `&` or `*`, `^`, `|` or `+`, with
    /// parentheses and the constants `0` and `1`. `INORDER = a b;` and `OUTORDER = f g;` give the order of inputs and
    /// outputs. An assigned name stands for its value in later equations.
    ///
    /// The expressions are multiplied out, which is exponential in the worst case.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`](crate::ErrorKind::Syntax) with line and column;
    /// [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) when the products do not fit into memory.
    ///
    /// # Example
    /// ```
    /// use espresso::Pla;
    /// let pla = Pla::parse_equations("sum = a ^ b; carry = a & b;")?;
    /// let rows: Vec<String> = pla.on.cubes().map(|cube| cube.to_string()).collect();
    /// assert_eq!(rows, ["10 10", "01 10", "11 01"]);
    /// let error = Pla::parse_equations("f = a & ;").unwrap_err();
    /// assert_eq!((error.line(), error.column()), (Some(1), Some(9)));
    /// # Ok::<(), espresso::Error>(())
    /// ```
    pub fn parse_equations(text: &str) -> Result<Pla> {
        Self::read_equations(text.as_bytes(), Monitor::default()).map(|(pla, _)| pla)
    }
}
