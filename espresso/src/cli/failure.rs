//! Failures of the program: the message on standard error, and the exit code.

use espresso::check::Mismatch;
use espresso::{Error, ErrorKind};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// The reason for a failure.
pub enum Failure {
    /// A check found a mismatch: exit code 1.
    Mismatch(String),
    /// An error about the named file: exit code 3, or 4 if it is a bug of this program.
    Error(String, Error),
}

impl Failure {
    /// Converts errors about the file called `name` in messages.
    pub fn of(name: &str) -> impl FnOnce(Error) -> Failure + '_ {
        move |error| Failure::Error(name.to_owned(), error)
    }
}

impl From<Mismatch> for Failure {
    fn from(mismatch: Mismatch) -> Self {
        Failure::Mismatch(mismatch.to_string())
    }
}

/// Prints the failure on standard error. The exit code of a command line in Berkeley's style is 1.
pub fn fail(failure: &Failure, is_berkeley: bool) -> ExitCode {
    let mut err = io::stderr().lock();
    // If standard error is closed, there is no message.
    let (_, code) = match failure {
        Failure::Mismatch(mismatch) => (writeln!(err, "espresso: mismatch: {mismatch}"), 1),
        Failure::Error(name, error) => {
            let internal = matches!(error.kind(), ErrorKind::BudgetExhausted | ErrorKind::Cancelled);
            (writeln!(err, "espresso: {name}: {error:#}"), if internal { 4 } else { 3 })
        }
    };
    ExitCode::from(if is_berkeley { 1 } else { code })
}

/// A path for messages: on one line, and shortened if it is very long.
pub fn shown(path: &Path) -> String {
    const LONGEST: usize = 300;
    let text = path.display().to_string();
    let end = if text.chars().nth(LONGEST).is_some() { "..." } else { "" };
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().take(LONGEST).map(escaped).collect::<String>() + end
}
