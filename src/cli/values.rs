//! The values of options: their names, help texts and parsers.

// The comments are the help texts, which are not Markdown.
#![allow(clippy::doc_markdown)]

use crate::pcn::Codec;
use crate::pipeline::MOST_EFFORT;
use crate::retrograde::Metric;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For scripts.
    Json,
}

/// How the contents of files are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum InfoFormat {
    /// For people.
    #[default]
    Text,
    /// For scripts.
    Json,
    /// Comma-separated values, a line for each .pcn file, sorted by material: material, model, clauses, literals, bytes,
    /// castling (bytes of castling rights), shape. Outcome tables are left out.
    Csv,
}

/// Parses the name of a metric. The names come from the library, so that help always lists all.
pub fn metrics() -> impl TypedValueParser<Value = Metric> {
    let names = PossibleValuesParser::new(Metric::ALL.map(Metric::name));
    names.map(|name| Metric::ALL.into_iter().find(|metric| metric.name() == name).unwrap_or(Metric::Wdl))
}

/// Parses a number of bytes: digits, then an optional K, M, G or T, then an optional B or iB.
pub fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        _ => return Err("not a number of bytes: 8589934592, 8192M, 8G".into()),
    };
    let number = digits.parse::<u128>().map_err(|_| "not a number of bytes: 8589934592, 8192M, 8G")?;
    let bytes = number.checked_mul(1 << shift).and_then(|bytes| u64::try_from(bytes).ok());
    bytes.ok_or_else(|| "too many bytes: the limit is below 16777216T".into())
}

/// Parses a time in hours.
pub fn hours(text: &str) -> Result<f64, String> {
    let hours = text.parse().ok().filter(|hours: &f64| hours.is_finite() && *hours > 0.0);
    hours.ok_or_else(|| "a budget is a number of hours above 0".into())
}

/// Parses an effort.
pub fn effort(text: &str) -> Result<u8, String> {
    let effort = text.parse().ok().filter(|effort| (1..=MOST_EFFORT).contains(effort));
    effort.ok_or_else(|| format!("an effort is a whole number from 1 to {MOST_EFFORT}"))
}

impl ValueEnum for Codec {
    fn value_variants<'a>() -> &'a [Self] {
        &Codec::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let value = PossibleValue::new(self.name());
        Some(match self {
            Codec::None => value.help(
                "Trees as bytes; clauses as plain positional cube notation, in model binary a 64-bit word up to five men",
            ),
            Codec::Compressed => {
                value.help("Trees by an adaptive range coder, clauses by zstd").aliases(["pcn", "zstd"])
            }
        })
    }
}

/// How don't-cares are written in a PLA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlaTypeArg {
    /// All three sets; only for model binary.
    Fdr,
    /// ON- and OFF-set; the don't-cares are the rest.
    Fr,
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn numbers_of_bytes() {
        for (text, number) in [("0", 0), ("1024", 1024), ("8G", 8 << 30), ("8GiB", 8 << 30), ("3kb", 3 << 10)]
        {
            assert_eq!(bytes(text), Ok(number), "{text}");
        }
        for text in ["", "G", "8X", "-1", "1.5G", "8 G", "99999999999T", "8G8", "8BB", "8I", "é"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
