//! How the program ends when something is wrong: words on standard error, and the exit code.

use espresso::check::Mismatch;
use espresso::{Error, ErrorKind};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Why the program does not end well.
pub enum Failure {
    /// A check found a mismatch: exit code 1.
    Mismatch(String),
    /// Something is wrong with a file, named first: exit code 3, or 4 when the fault is this program's.
    Error(String, Error),
}

impl Failure {
    /// What went wrong with the file that messages call `name`.
    pub fn of(name: &str) -> impl FnOnce(Error) -> Failure + '_ {
        move |error| Failure::Error(name.to_owned(), error)
    }
}

impl From<Mismatch> for Failure {
    fn from(mismatch: Mismatch) -> Self {
        Failure::Mismatch(mismatch.to_string())
    }
}

/// Says what is wrong on standard error. The exit code of a command line that is Berkeley's is 1.
pub fn fail(failure: &Failure, is_berkeley: bool) -> ExitCode {
    let mut err = io::stderr().lock();
    // Nothing can be said when standard error is closed.
    let (_, code) = match failure {
        Failure::Mismatch(mismatch) => (writeln!(err, "espresso: mismatch: {mismatch}"), 1),
        Failure::Error(name, error) => {
            let internal = matches!(error.kind(), ErrorKind::BudgetExhausted | ErrorKind::Cancelled);
            (writeln!(err, "espresso: {name}: {error:#}"), if internal { 4 } else { 3 })
        }
    };
    ExitCode::from(if is_berkeley { 1 } else { code })
}

/// A path as messages name it: on one line, and shortened when it is very long.
pub fn shown(path: &Path) -> String {
    const LONGEST: usize = 300;
    let text = path.display().to_string();
    let end = if text.chars().nth(LONGEST).is_some() { "..." } else { "" };
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().take(LONGEST).map(escaped).collect::<String>() + end
}
