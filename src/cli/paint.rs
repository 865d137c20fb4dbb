//! Colours for people: on a terminal or where they are asked for, and never in what scripts read.

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use std::fmt::Display;
use std::io;

/// Heads and sums.
pub(super) const HEAD: Style = Style::new().bold();
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();

/// Makes `--color` hold for all that is printed from now on. By itself a terminal has colours unless `NO_COLOR` is set.
pub(super) fn choose(choice: clap::ColorChoice) {
    let choice = match choice {
        clap::ColorChoice::Auto => ColorChoice::Auto,
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
    };
    choice.write_global();
}

/// The text as standard output gets it.
pub(super) fn out(style: Style, text: impl Display) -> String {
    painted(style, text, AutoStream::choice(&io::stdout()))
}

/// The text as standard error gets it.
pub(super) fn err(style: Style, text: impl Display) -> String {
    painted(style, text, AutoStream::choice(&io::stderr()))
}

fn painted(style: Style, text: impl Display, choice: ColorChoice) -> String {
    if choice == ColorChoice::Never { text.to_string() } else { format!("{style}{text}{style:#}") }
}

/// A table in which the first line is a head and one that begins with `total` is a sum.
pub(super) fn table(text: &str) -> String {
    let line = |(number, line): (usize, &str)| {
        if number == 0 || line.starts_with("total") { out(HEAD, line) } else { line.into() }
    };
    text.lines().enumerate().map(|numbered| line(numbered) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_begin_and_end_or_are_not_there() {
        assert_eq!(painted(BAD, "x", ColorChoice::Never), "x");
        let red = painted(BAD, "x", ColorChoice::Always);
        assert!(red.starts_with('\u{1b}') && red.ends_with("\u{1b}[0m") && red.contains('x'), "{red:?}");
    }
}
