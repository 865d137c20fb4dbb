//! `completions` and `man`: completion scripts and manual pages, from the definition of the arguments.

use super::args::{Cli, Completions, Man};
use super::{counted, print};
use crate::atomic;
use crate::error::{Error, Result};
use clap::CommandFactory;
use clap_mangen::roff::{Roff, roman};
use std::io;
use std::process::ExitCode;

pub(super) fn completions(args: &Completions) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cubebase", &mut script);
    print(script)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a page for the command and one for each subcommand.
pub(super) fn man(args: &Man) -> Result<ExitCode> {
    std::fs::create_dir_all(&args.out).map_err(|error| Error::io("make the directory", &args.out, error))?;
    // Pages about `help` would only repeat the others.
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let pages: Vec<clap::Command> =
        std::iter::once(&command).chain(command.get_subcommands()).cloned().collect();
    for page in &pages {
        let name = page.get_display_name().unwrap_or("cubebase").to_owned();
        let path = args.out.join(format!("{name}.1"));
        let text = text(page).map_err(|error| Error::io("write", &path, error))?;
        atomic::write_bytes(&path, &text)?;
    }
    print(format!("{} in {}\n", counted(pages.len(), "page"), args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The page of a command, with the examples at the end of its help in a section of their own.
fn text(command: &clap::Command) -> io::Result<Vec<u8>> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let page = clap_mangen::Man::new(command.clone().after_help(None::<&str>));
    // With an empty date, the page would show the source in its place.
    let page = page.date(" ").source(concat!("cubebase ", env!("CARGO_PKG_VERSION"))).manual("cubebase");
    let mut text = Vec::new();
    page.render(&mut text)?;
    let (examples, notes) = examples(&help);
    let mut roff = Roff::new();
    if !notes.is_empty() {
        roff.control("SH", ["NOTES"]).text([roman(notes)]);
    }
    if !examples.is_empty() {
        roff.control("SH", ["EXAMPLES"]).control("nf", []);
        examples.iter().for_each(|example| _ = roff.text([roman(*example)]));
        roff.control("fi", []);
    }
    roff.to_writer(&mut text)?;
    Ok(text)
}

/// The example commands at the end of a help text, and the rest of that text.
fn examples(help: &str) -> (Vec<&str>, String) {
    let Some(text) = help.strip_prefix("Example: ") else { return (Vec::new(), help.into()) };
    let (examples, notes) = text.split_once("\n\n").unwrap_or((text, ""));
    (examples.lines().map(str::trim).collect(), notes.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    /// The words of a command line as a shell splits them, up to a redirection.
    fn words(line: &str) -> Vec<&str> {
        let line = line.split(['<', '>']).next().unwrap_or(line);
        let quoted = line.split('"').enumerate();
        let words = quoted.flat_map(
            |(at, part)| {
                if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }
            },
        );
        words.collect()
    }

    #[test]
    fn every_command_has_examples_and_each_is_a_command_line() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let (examples, _) = examples(&help);
            let own = format!("cubebase {}", command.get_name());
            assert!(examples.iter().any(|example| example.starts_with(&own)), "{own}: {help}");
            for example in examples.iter().filter(|example| !example.starts_with("espresso ")) {
                if let Err(error) = Cli::try_parse_from(words(example)) {
                    panic!("{example}: {error}");
                }
            }
        }
    }
}
