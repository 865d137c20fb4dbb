//! The crate's one error type: a kind to branch on, a sentence to show, and where it happened.

use std::fmt;

/// What every fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong, for callers that branch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is not a PLA as this crate reads it; the error has a line and a column.
    Syntax,
    /// The PLA uses a keyword of the format that this crate knows and does not support.
    Unsupported,
    /// The covers contradict each other: a minterm is both ON and OFF outside the DC-set, or is in none of them.
    Inconsistent,
    /// Two covers that should meet over one space do not.
    Mismatch,
    /// The work budget given by the caller was used up.
    BudgetExhausted,
    /// The caller's progress callback asked to stop.
    Cancelled,
    /// Reading or writing failed.
    Io,
}

/// An error of this crate. Opaque: ask [`Error::kind`], [`Error::line`], [`Error::column`], or display it.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    place: Option<(usize, usize)>,
    source: Option<std::io::Error>,
}

impl Error {
    /// Returns an error of `kind` that displays as `message`.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), place: None, source: None }
    }

    /// Returns a syntax error at `line` and `column`, both counted from one.
    pub fn syntax(line: usize, column: usize, message: impl Into<String>) -> Self {
        Error { kind: ErrorKind::Syntax, message: message.into(), place: Some((line, column)), source: None }
    }

    /// Adds the line and column, both counted from one, where the error happened.
    #[must_use]
    pub fn at(mut self, line: usize, column: usize) -> Self {
        self.place = Some((line, column));
        self
    }

    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The line of the text, counted from one, when the error has one.
    pub fn line(&self) -> Option<usize> {
        self.place.map(|(line, _)| line)
    }

    /// The column (characters of the line, counted from one), when the error has one.
    pub fn column(&self) -> Option<usize> {
        self.place.map(|(_, column)| column)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.message)?;
        if let Some(source) = &self.source {
            write!(f, ": {source}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

impl From<std::io::Error> for Error {
    fn from(source: std::io::Error) -> Self {
        Error { kind: ErrorKind::Io, message: "I/O failed".into(), place: None, source: Some(source) }
    }
}
