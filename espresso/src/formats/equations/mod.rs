//! Boolean equations as text.
//!
//! ```text
//! INORDER = a b c;          the order of the inputs; without it that of their first use
//! OUTORDER = f;             the outputs; without it all names that are assigned, in order
//! n = a & !b | c;           ! and ~ before, ' behind: not; & and *: and; ^: exclusive or; | and +: or
//! f = (n ^ 1) * c';         constants; a name that was assigned stands for its value
//! ```
//!
//! Operators from the tightest: not, and, exclusive or, or. `#` and `//` begin a comment. A name is any text without blanks
//! and the characters above, except `0` and `1`. A name that is never assigned is an input.

mod evaluate;
mod lex;
mod parse;

pub(super) use lex::is_name;

use crate::{Error, ErrorKind, Monitor, Pla, Result};
use std::io::Read;

/// Limit on the length of a text of equations, in bytes.
const MAX_TEXT: u64 = 1 << 26;

impl Pla {
    /// Reads Boolean equations: see [`Pla::parse_equations`]. Reports progress to `monitor`.
    ///
    /// # Errors
    /// As [`Pla::parse_equations`]; [`ErrorKind::Io`] when `reader` fails or the text is not in UTF-8;
    /// [`ErrorKind::Cancelled`] when the callback breaks.
    pub fn read_equations(reader: impl Read, monitor: Monitor<'_>) -> Result<Pla> {
        let mut text = String::new();
        reader.take(MAX_TEXT + 1).read_to_string(&mut text)?;
        if text.len() as u64 > MAX_TEXT {
            let message = format!("equations of more than {MAX_TEXT} bytes are not supported");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let program = parse::parse(&text)?;
        evaluate::evaluate(&program, monitor)
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
    /// [`ErrorKind::Syntax`] with line and column; [`ErrorKind::Unsupported`] when the products do not fit into memory.
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
        Self::read_equations(text.as_bytes(), Monitor::default())
    }
}
