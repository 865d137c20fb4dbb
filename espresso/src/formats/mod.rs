//! Constructors of functions, and text formats other than PLA: truth tables, equations, models and state tables in;
//! equations, hardware descriptions and JSON out.
//! Frozen: other programs fix the formats. Free: `verilog` and `json`.

mod blif;
mod builder;
mod csv;
mod eqntott;
mod equations;
mod json;
mod kiss;
mod names;
mod read_blif;
mod read_kiss2;
mod truth_table;
mod verilog;

use crate::cube::pla::expect_utf8;
use crate::{Error, ErrorKind, Function, Monitor, Notes, Pla, PlaType, Rest, Result, check};
use std::fmt;
use std::io::{self, Read, Write};
use std::str::FromStr;

/// Limit on the length of a text that is read as a whole, in bytes.
const MAX_TEXT: u64 = 1 << 26;

/// The whole text of `reader`, without a byte-order mark.
fn text_of(reader: impl Read) -> Result<String> {
    let mut bytes = Vec::new();
    reader.take(MAX_TEXT + 1).read_to_end(&mut bytes)?;
    expect_utf8(&bytes)?;
    let invalid = |_| Error::from(io::Error::new(io::ErrorKind::InvalidData, "the text is not in UTF-8"));
    let mut text = String::from_utf8(bytes).map_err(invalid)?;
    if text.len() as u64 > MAX_TEXT {
        let message = format!("text of more than {MAX_TEXT} bytes is not supported in this format");
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(text)
}

/// Fails if rows of a PLA contradict each other; unspecified minterms are don't-cares.
fn expect_consistent(pla: &Pla, notes: &Notes, monitor: Monitor<'_>) -> Result<()> {
    let given = Function::new(pla.on.clone(), pla.dc.clone(), pla.off.clone())?;
    let verdict = check::consistent_with(&Function { rest: Rest::Dc, ..given }, monitor)?;
    verdict.map_err(|clash| Error::new(ErrorKind::Inconsistent, clash.located(pla, notes)))
}

/// An output format for PLAs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// A PLA with the sets of this type.
    Pla(PlaType),
    /// Equations for eqntott: `f = (a&!b) | (c);`.
    Equations,
    /// The rows of a state machine: multi-valued inputs by the names of their parts.
    Kiss,
    /// A module of Verilog with an assignment for each output.
    Verilog,
    /// A model in Berkeley's logic interchange format, with a table for each output.
    Blif,
    /// One object: names and rows.
    Json,
}

impl Format {
    /// Formats by name, except the types of PLA.
    pub const NAMED: [(&str, Format); 6] = [
        ("eqntott", Format::Equations),
        ("eqn", Format::Equations),
        ("kiss", Format::Kiss),
        ("verilog", Format::Verilog),
        ("blif", Format::Blif),
        ("json", Format::Json),
    ];

    /// The sets that the format contains.
    pub fn sets(self) -> PlaType {
        match self {
            Format::Pla(kind) => kind,
            Format::Kiss => PlaType::Fd,
            _ => PlaType::F,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Format::Pla(kind) => kind.fmt(f),
            other => f.write_str(
                Self::NAMED.iter().find(|(_, format)| format == other).map_or("", |(name, _)| name),
            ),
        }
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if let Ok(kind) = text.parse() {
            return Ok(Format::Pla(kind));
        }
        Self::NAMED.iter().find(|(name, _)| *name == text).map(|&(_, format)| format).ok_or_else(|| {
            let message = format!(
                "`{text}` is not an output format: use f, d, r, fd, fr, dr, fdr, eqntott, kiss, verilog, blif or json"
            );
            Error::new(ErrorKind::Syntax, message)
        })
    }
}

impl Pla {
    /// Writes the PLA in this format; `name` is the name of a module or model.
    ///
    /// If the format cannot express the PLA, nothing is written.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the format cannot express multi-valued inputs, a name or a complemented output, or if it has
    /// only rows of F, and the type of this PLA has none; [`ErrorKind::Io`] when `writer` fails.
    ///
    /// # Example
    /// ```
    /// use espresso::{Format, Pla};
    /// let pla = Pla::parse(".i 3\n.o 1\n.ilb a b c\n.ob f\n10- 1\n--1 1\n")?;
    /// let mut text = Vec::new();
    /// pla.write_format(&mut text, Format::Verilog, "example")?;
    /// assert!(String::from_utf8_lossy(&text).contains("assign f = (a & ~b) | c;"));
    /// # Ok::<(), espresso::Error>(())
    /// ```
    pub fn write_format(&self, writer: &mut impl Write, format: Format, name: &str) -> Result<()> {
        match format {
            Format::Pla(kind) => self.write(writer, kind),
            Format::Equations => eqntott::write(self, writer),
            Format::Kiss => kiss::write(self, writer),
            Format::Verilog => verilog::write(self, writer, name),
            Format::Blif => blif::write(self, writer, name),
            Format::Json => json::write(self, writer),
        }
    }

    /// Returns the text of [`Pla::write_format`]; a module or model is named `pla`.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] as in [`Pla::write_format`].
    pub fn to_text(&self, format: Format) -> Result<String> {
        let mut text = Vec::new();
        self.write_format(&mut text, format, "pla")?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

/// As [`Pla::parse`].
impl FromStr for Pla {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Pla::parse(text)
    }
}

/// The text of the PLA, with the sets of its type.
impl fmt::Display for Pla {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(Format::Pla(self.kind)).map_err(|_| fmt::Error)?)
    }
}

#[cfg(test)]
mod laws;
