//! Command lines in Berkeley's style, as in scripts for its program.

use super::args::{Args, Output, Tuning};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, ValueEnum};
use espresso::Format;
use std::ffi::OsString;

/// Berkeley's single-letter options, except `-o`.
const LETTERS: &[u8] = b"DSdersvtx";

/// Parses the arguments of the process, with older spellings replaced. Also returns whether they are in Berkeley's style: with
/// one of its single-letter options, and without an option that begins with two hyphens.
pub fn parse(arguments: impl Iterator<Item = OsString>) -> (Result<Args, clap::Error>, bool) {
    let mut arguments = modern(arguments.collect());
    let is_long = |argument: &OsString| argument.to_string_lossy().starts_with("--");
    let is_berkeley =
        !arguments.iter().any(is_long) && (0..arguments.len()).any(|at| is_berkeley(&arguments, at));
    arguments.iter_mut().for_each(|argument| {
        if let Some(kind) = argument.to_str().and_then(|text| text.strip_prefix("-type=")) {
            *argument = format!("--type={kind}").into();
        }
    });
    let attached = arguments.iter().filter_map(|argument| argument.to_str()?.strip_prefix("-o"));
    let misspelt = attached
        .filter(|value| value.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        .find(|value| !value.is_empty() && matches!(Output::parse(value.into()), Ok(Output::File(_))));
    let args = match misspelt {
        Some(value) => {
            let why = format!(
                "`{value}` in '-o{value}' is not an output format; a file of this name is `./{value}`"
            );
            Err(<Args as CommandFactory>::command().error(ErrorKind::InvalidValue, why))
        }
        None => Args::try_parse_from(arguments).and_then(Args::checked),
    };
    let args = args.map(|mut args| {
        args.is_berkeley = is_berkeley;
        args
    });
    (args, is_berkeley)
}

/// Whether argument number `at` is one of Berkeley's options; for `-o`, whether its value is one of Berkeley's formats.
fn is_berkeley(arguments: &[OsString], at: usize) -> bool {
    let text = arguments[at].to_string_lossy();
    let Some(letter) = text.strip_prefix('-').and_then(|text| text.bytes().next()) else { return false };
    if letter != b'o' {
        return LETTERS.contains(&letter) || text.starts_with("-type=");
    }
    let next = arguments.get(at + 1).map(|next| next.to_string_lossy());
    let value = if text.len() > 2 { Some(text[2..].into()) } else { next };
    let format = value.and_then(|value| value.parse::<Format>().ok());
    format.is_some_and(|format| !matches!(format, Format::Verilog | Format::Blif | Format::Json))
}

/// The arguments, with `-do x`, `-out x`, `-fast` and `-fdr` replaced by `-Dx`, `-ox`, `-efast` and `-type=fdr`.
fn modern(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut modern = Vec::new();
    let mut arguments = arguments.into_iter();
    modern.extend(arguments.next());
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        let word = text.strip_prefix('-').unwrap_or_default();
        modern.push(match word {
            "do" | "out" => {
                let option = if word == "do" { "-D" } else { "-o" };
                let mut joined = OsString::from(option);
                joined.push(arguments.next().unwrap_or_default());
                joined
            }
            "f" | "fr" | "fdr" => format!("-type={word}").into(),
            // Older versions of Berkeley's program took the values of `-e` as options.
            word if Tuning::from_str(word, false).is_ok() => format!("-e{word}").into(),
            _ => argument,
        });
    }
    modern
}
