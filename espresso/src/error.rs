//! The crate's error type: a kind to branch on, a message, and the place in the text.

use std::fmt;

/// The result of every fallible function of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// The kind of an error, for callers that branch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is invalid; in a file format, the error mostly has a line and a column.
    Syntax,
    /// The text or the request needs a feature that this crate does not support, or something is too large.
    Unsupported,
    /// The covers contradict each other: a minterm is both ON and OFF outside the DC-set, or in no cover.
    Inconsistent,
    /// Arguments do not fit each other, such as covers over different spaces or PLAs with different names; or a result failed
    /// its check.
    Mismatch,
    /// The work budget given by the caller was used up.
    BudgetExhausted,
    /// The caller's progress callback cancelled the work.
    Cancelled,
    /// Reading or writing failed.
    Io,
}

/// An error of this crate. Opaque: use [`Error::kind`] and [`Error::line`], or display it.
///
/// `{}` is one line. `{:#}` adds the offending line of the text with a caret below the column, when there is one.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    place: Option<(usize, usize)>,
    snippet: Option<String>,
    source: Option<std::io::Error>,
}

/// Characters shown on either side of the caret in a snippet.
const SNIPPET_REACH: usize = 48;

impl Error {
    /// Returns an error of `kind` that displays as `message`.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), place: None, snippet: None, source: None }
    }

    /// Adds the line and column, both counted from one, where the error happened.
    #[must_use]
    pub fn at(mut self, line: usize, column: usize) -> Self {
        self.place = Some((line, column));
        self
    }

    /// Adds the line of text of [`Error::at`], shortened to the part around the column, unless it is blank.
    #[must_use]
    pub fn with_line(mut self, text: &str) -> Self {
        self.snippet =
            self.place.filter(|_| !text.trim().is_empty()).map(|(_, column)| snippet(text, column));
        self
    }

    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The line of the text, counted from one, if the error has one.
    pub fn line(&self) -> Option<usize> {
        self.place.map(|(line, _)| line)
    }

    /// The column in that line, counted from one.
    pub fn column(&self) -> Option<usize> {
        self.place.map(|(_, column)| column)
    }
}

/// A number with its noun, singular or plural.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The characters of `text` around `column` (from one), and below them a caret.
fn snippet(text: &str, column: usize) -> String {
    let text = text.trim_end();
    let at = column.saturating_sub(1).min(text.chars().count());
    let from = at.saturating_sub(SNIPPET_REACH);
    let mut chars = text.chars().skip(from).map(|c| if c.is_control() { ' ' } else { c });
    let shown: String = chars.by_ref().take(at - from + SNIPPET_REACH).collect();
    let (before, after) =
        (if from > 0 { "..." } else { "" }, if chars.next().is_some() { "..." } else { "" });
    let caret = " ".repeat(before.len() + at - from);
    format!("    {before}{shown}{after}\n    {caret}^")
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
        if let Some(snippet) = self.snippet.as_ref().filter(|_| f.alternate()) {
            write!(f, "\n{snippet}")?;
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
        Error { source: Some(source), ..Error::new(ErrorKind::Io, "I/O failed") }
    }
}
