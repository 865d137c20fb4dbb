//! The crate's error type: kind, message, context and cause.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::fmt;

/// The result of every fallible function of this crate.
pub type Result<T> = core::result::Result<T, Error>;

/// The most characters of a field that an error message repeats.
const SHOWN: usize = 24;

/// Quotes a field of the input on one line, cut if it is long.
pub(crate) fn quoted(field: &str) -> String {
    let mut shown: String = field.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if field.chars().nth(SHOWN).is_some() {
        shown.push_str("...");
    }
    format!("'{shown}'")
}

/// The plural ending of a noun after this number.
pub(crate) fn plural(number: usize) -> &'static str {
    if number == 1 { "" } else { "s" }
}

/// The kind of an error, for callers that branch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading or writing failed.
    Io,
    /// The magic bytes of the file are missing.
    BadMagic,
    /// This build does not know the file's version, model, metric or codec.
    UnsupportedVersion,
    /// The file contradicts itself: cut short, a wrong checksum, a field out of its range.
    Corrupt,
    /// There is no table of the material.
    MissingTable,
    /// A position that no table answers: castling rights of Chess960, too many men.
    UnsupportedPosition,
    /// The position has castling rights, and the table has none.
    MissingRights,
    /// An illegal position: kings adjacent, the side not to move in check, a pawn on the first or last rank.
    IllegalPosition,
    /// Text of a wrong form, such as a FEN or a PLA.
    BadInput,
    /// Text that names no material.
    BadMaterial,
    /// Answers of clauses, an outcome table or another program differ.
    Mismatch,
    /// The memory or work allowed does not suffice.
    BudgetExhausted,
    /// The caller asked to stop.
    Cancelled,
    /// An invariant of this crate was broken: please report it.
    Internal,
}

impl ErrorKind {
    /// The kind as one word for programs, which never changes: `missing_table`.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Io => "io",
            ErrorKind::BadMagic => "bad_magic",
            ErrorKind::UnsupportedVersion => "unsupported_version",
            ErrorKind::Corrupt => "corrupt",
            ErrorKind::MissingTable => "missing_table",
            ErrorKind::UnsupportedPosition => "unsupported_position",
            ErrorKind::MissingRights => "missing_rights",
            ErrorKind::IllegalPosition => "illegal_position",
            ErrorKind::BadInput => "bad_input",
            ErrorKind::BadMaterial => "bad_material",
            ErrorKind::Mismatch => "mismatch",
            ErrorKind::BudgetExhausted => "budget_exhausted",
            ErrorKind::Cancelled => "cancelled",
            ErrorKind::Internal => "internal",
        }
    }
}

/// An error of this crate, displayed as one line. [`Error::kind`] is for branching.
#[derive(Debug)]
pub struct Error(Box<Parts>);

#[cfg(feature = "std")]
type FilePath = std::path::PathBuf;
#[cfg(not(feature = "std"))]
type FilePath = ();

#[derive(Debug)]
struct Parts {
    kind: ErrorKind,
    /// The displayed text, without the offset and the source.
    message: String,
    path: Option<FilePath>,
    material: Option<String>,
    field: Option<String>,
    offset: Option<u64>,
    source: Option<Box<dyn core::error::Error + Send + Sync>>,
}

impl Error {
    /// Returns an error of `kind` that displays as `message`.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Error(Box::new(Parts {
            kind,
            message,
            path: None,
            material: None,
            field: None,
            offset: None,
            source: None,
        }))
    }

    /// Returns an error of `kind` that displays as `message: source`.
    pub fn with_source(
        kind: ErrorKind,
        message: impl Into<String>,
        source: impl core::error::Error + Send + Sync + 'static,
    ) -> Self {
        let mut error = Self::new(kind, message);
        error.0.source = Some(Box::new(source));
        error
    }

    /// Returns an error of kind [`ErrorKind::Corrupt`].
    pub fn corrupt(reason: impl Into<String>) -> Self {
        Self::new(ErrorKind::Corrupt, reason)
    }

    /// Checks a rule of a file; [`Error::corrupt`] if it does not hold.
    pub(crate) fn corrupt_unless(holds: bool, reason: impl FnOnce() -> String) -> Result<()> {
        if holds { Ok(()) } else { Err(Self::corrupt(reason())) }
    }

    /// Puts `context` and a colon before the message.
    #[must_use]
    pub fn context(mut self, context: impl fmt::Display) -> Self {
        self.0.message = format!("{context}: {}", self.0.message);
        self
    }

    /// Records that the error is about the table of `material`; the message stays.
    #[must_use]
    pub fn of_material(mut self, material: impl fmt::Display) -> Self {
        self.0.material.get_or_insert_with(|| material.to_string());
        self
    }

    /// Records that the error is in `field` of a file, and puts it before the message.
    #[must_use]
    pub fn in_field(mut self, field: impl fmt::Display) -> Self {
        self.0.field.get_or_insert_with(|| field.to_string());
        self.context(field)
    }

    /// Records that the error is at byte `offset` of a file, unless an offset is recorded.
    #[must_use]
    pub fn at_offset(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset as u64);
        self
    }

    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The signature of the material of the table: `KQvKR`.
    pub fn material(&self) -> Option<&str> {
        self.0.material.as_deref()
    }

    /// The wrong field of a file, named as in the format's description.
    pub fn field(&self) -> Option<&str> {
        self.0.field.as_deref()
    }

    /// The byte of a file, counted from 0, at which the error or its field begins.
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }
}

#[cfg(feature = "std")]
impl Error {
    /// Returns the I/O error that happened when `doing` ("read", "write") something to the file at `path`.
    pub fn io(doing: &str, path: &std::path::Path, source: std::io::Error) -> Self {
        let mut error =
            Self::with_source(ErrorKind::Io, format!("cannot {doing} {}", path.display()), source);
        error.0.path = Some(path.to_owned());
        error
    }

    /// Records that the error is about the file at `path`, and puts it before the message, unless a file is recorded.
    #[must_use]
    pub fn in_file(mut self, path: &std::path::Path) -> Self {
        if self.0.path.is_some() {
            return self;
        }
        self.0.path = Some(path.to_owned());
        self.context(path.display())
    }

    /// The file.
    pub fn path(&self) -> Option<&std::path::Path> {
        self.0.path.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        if let Some(offset) = self.0.offset {
            write!(f, ", at offset {offset}")?;
        }
        if let Some(source) = &self.0.source {
            write!(f, ": {source}")?;
        }
        Ok(())
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.0.source.as_ref().map(|source| source.as_ref() as _)
    }
}

#[cfg(feature = "build")]
impl From<espresso::Error> for Error {
    /// The minimizer's error as this crate's. Bad text and an inconsistent PLA are bad input.
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

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn an_error_names_its_subject_once() {
        let error = Error::corrupt("wrong checksum").at_offset(7).in_field("checksum");
        let error =
            error.at_offset(9).in_field("section 1").in_file(Path::new("a/KvK.pcn")).of_material("KvK");
        let error = error.in_file(Path::new("a")).of_material("KQvK");
        assert_eq!(error.to_string(), "a/KvK.pcn: section 1: checksum: wrong checksum, at offset 7");
        assert_eq!((error.field(), error.offset()), (Some("checksum"), Some(7)));
        assert_eq!((error.path(), error.material()), (Some(Path::new("a/KvK.pcn")), Some("KvK")));
        let io = Error::io("read", Path::new("x"), std::io::Error::other("broken"));
        assert_eq!(io.in_file(Path::new("y")).to_string(), "cannot read x: broken");
    }
}
