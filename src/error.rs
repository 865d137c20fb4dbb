//! The crate's one error type: a kind to branch on, a sentence to show, and its cause.

use std::fmt;
use std::path::Path;

/// What every fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong, for callers that branch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading or writing failed.
    Io,
    /// The file does not begin as a file of its kind does.
    BadMagic,
    /// The file is of its kind, in a version (or with a model or codec) that this build does not know.
    UnsupportedVersion,
    /// The file contradicts itself: cut short, a wrong checksum, a field out of its range.
    Corrupt,
    /// No table for the material is at hand.
    MissingTable,
    /// A position that no table answers: castling rights, too many men.
    UnsupportedPosition,
    /// A position that cannot be: kings adjacent, the side not to move in check, a pawn on the first or last rank.
    IllegalPosition,
    /// Text that is not what it should be: a FEN, a PLA.
    BadInput,
    /// Text that names no material.
    BadMaterial,
    /// The clauses, the table or a peer disagree.
    Mismatch,
    /// The memory or work allowed does not suffice.
    BudgetExhausted,
    /// The caller asked to stop.
    Cancelled,
    /// A promise of this crate to itself was broken: please report it.
    Internal,
}

/// An error of this crate. Opaque: ask [`Error::kind`] or display it.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// Returns an error of `kind` that displays as `message`.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), source: None }
    }

    /// Returns an error of `kind` that displays as `message: source`.
    pub fn with_source(
        kind: ErrorKind,
        message: impl Into<String>,
        source: impl std::error::Error + Send + Sync + 'static,
    ) -> Self {
        Error { kind, message: message.into(), source: Some(Box::new(source)) }
    }

    /// Returns the I/O error that happened when `doing` ("read", "write") something to the file at `path`.
    pub fn io(doing: &str, path: &Path, source: std::io::Error) -> Self {
        Self::with_source(ErrorKind::Io, format!("cannot {doing} {}", path.display()), source)
    }

    /// Returns the error of a file that contradicts itself.
    pub fn corrupt(reason: impl Into<String>) -> Self {
        Self::new(ErrorKind::Corrupt, reason)
    }

    /// Puts `context` and a colon before the message: a path, a material, a FEN.
    #[must_use]
    pub fn context(mut self, context: impl fmt::Display) -> Self {
        self.message = format!("{context}: {}", self.message);
        self
    }

    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(source) = &self.source {
            write!(f, ": {source}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source.as_ref() as _)
    }
}

#[cfg(feature = "build")]
impl From<espresso::Error> for Error {
    /// The minimizer's error as this crate's: bad text is bad input, an inconsistent PLA too.
    fn from(error: espresso::Error) -> Self {
        let kind = match error.kind() {
            espresso::ErrorKind::Io => ErrorKind::Io,
            espresso::ErrorKind::BudgetExhausted => ErrorKind::BudgetExhausted,
            espresso::ErrorKind::Cancelled => ErrorKind::Cancelled,
            espresso::ErrorKind::Syntax
            | espresso::ErrorKind::Unsupported
            | espresso::ErrorKind::Inconsistent
            | espresso::ErrorKind::Mismatch => ErrorKind::BadInput,
            _ => ErrorKind::Internal,
        };
        match kind {
            // The cause is kept: callers look for a closed pipe there.
            ErrorKind::Io => Error::with_source(kind, "reading or writing a PLA", error),
            _ => Error::new(kind, error.to_string()),
        }
    }
}
