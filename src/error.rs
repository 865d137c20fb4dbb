//! The crate's one error type: a kind to branch on, a sentence to show, what it is about, and its cause.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use core::fmt;

/// The result of every fallible function of this crate.
pub type Result<T> = core::result::Result<T, Error>;

/// The most characters of a field that an error message repeats.
const SHOWN: usize = 24;

/// Quotes a field of the input on one line, its end left out when it is long.
pub(crate) fn quoted(field: &str) -> String {
    let mut shown: String = field.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if field.chars().nth(SHOWN).is_some() {
        shown.push_str("...");
    }
    format!("'{shown}'")
}

/// The ending of a noun with this number.
pub(crate) fn plural(number: usize) -> &'static str {
    if number == 1 { "" } else { "s" }
}

/// The kind of an error, for callers that branch on it.
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
    /// A position that no table answers: castling rights of Chess960, too many men.
    UnsupportedPosition,
    /// The table at hand has no castling rights, and the position has some.
    MissingRights,
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
    /// An invariant of this crate was broken: please report it.
    Internal,
}

impl ErrorKind {
    /// The kind as one word for programs, which stays as it is: `missing_table`.
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

/// An error of this crate: [`Error::kind`] is for branching; what it is about can be asked for; it displays as one line.
#[derive(Debug)]
pub struct Error(Box<Parts>);

#[cfg(feature = "std")]
type FilePath = std::path::PathBuf;
#[cfg(not(feature = "std"))]
type FilePath = ();

#[derive(Debug)]
struct Parts {
    kind: ErrorKind,
    /// Everything that is displayed but the offset and the source.
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

    /// Returns the error of a file that contradicts itself.
    pub fn corrupt(reason: impl Into<String>) -> Self {
        Self::new(ErrorKind::Corrupt, reason)
    }

    /// Checks a rule of a file, which contradicts itself where it does not hold.
    pub(crate) fn unless(holds: bool, reason: impl FnOnce() -> String) -> Result<()> {
        if holds { Ok(()) } else { Err(Self::corrupt(reason())) }
    }

    /// Puts `context` and a colon before the message.
    #[must_use]
    pub fn context(mut self, context: impl fmt::Display) -> Self {
        self.0.message = format!("{context}: {}", self.0.message);
        self
    }

    /// Says that the error is about the table of `material`, whose name the message has already.
    #[must_use]
    pub fn of_material(mut self, material: impl fmt::Display) -> Self {
        self.0.material.get_or_insert_with(|| material.to_string());
        self
    }

    /// Says that the error is in the field `field` of a file, and puts this before the message.
    #[must_use]
    pub fn in_field(mut self, field: impl fmt::Display) -> Self {
        self.0.field.get_or_insert_with(|| field.to_string());
        self.context(field)
    }

    /// Says that the error is at byte `offset` of a file, unless it says where already.
    #[must_use]
    pub fn at_offset(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset as u64);
        self
    }

    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The signature of the material that it is about: `KQvKR`.
    pub fn material(&self) -> Option<&str> {
        self.0.material.as_deref()
    }

    /// The field of a file in which it is, by the name in the format's description.
    pub fn field(&self) -> Option<&str> {
        self.0.field.as_deref()
    }

    /// The byte of a file, from 0, at which it is or its field begins.
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

    /// Says that the error is about the file at `path`, unless it names one already.
    #[must_use]
    pub fn in_file(mut self, path: &std::path::Path) -> Self {
        if self.0.path.is_some() {
            return self;
        }
        self.0.path = Some(path.to_owned());
        self.context(path.display())
    }

    /// The file that it is about.
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

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn an_error_says_once_what_it_is_about() {
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
