//! Colours of text: on a terminal or with `--color always`, never in JSON or CSV.

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use std::fmt::Display;
use std::io;

/// Heads and sums.
pub(super) const HEAD: Style = Style::new().bold();
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();

/// Applies `--color` to all later output. With `auto`, a terminal has colours unless `NO_COLOR` is set.
pub(super) fn choose(choice: clap::ColorChoice) {
    let choice = match choice {
        clap::ColorChoice::Auto => ColorChoice::Auto,
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
    };
    choice.write_global();
}

/// Whether standard output gets colours.
pub(super) fn is_on() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// The text in `style`, if standard output has colours.
pub(super) fn out(style: Style, text: impl Display) -> String {
    painted(style, text, AutoStream::choice(&io::stdout()))
}

/// The text in `style`, if standard error has colours.
pub(super) fn err(style: Style, text: impl Display) -> String {
    painted(style, text, AutoStream::choice(&io::stderr()))
}

fn painted(style: Style, text: impl Display, choice: ColorChoice) -> String {
    if choice == ColorChoice::Never { text.to_string() } else { format!("{style}{text}{style:#}") }
}

/// Paints a table's head, which is its first line, and its sums, which begin with `total`.
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
    fn colours_end_with_a_reset_and_can_be_off() {
        assert_eq!(painted(BAD, "x", ColorChoice::Never), "x");
        let red = painted(BAD, "x", ColorChoice::Always);
        assert!(red.starts_with('\u{1b}') && red.ends_with("\u{1b}[0m") && red.contains('x'), "{red:?}");
    }
}
