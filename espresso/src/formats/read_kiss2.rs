//! KISS2, the state tables of the MCNC benchmarks: a row has an input, a present state, a next state and outputs.
//!
//! The text is converted to a PLA with `.kiss` line by line, so that errors keep their lines. The present state becomes a
//! multi-valued input, and each state an output that is one if the state is next. The next state `*` or `-` is unspecified, as
//! are inputs without a row.

use super::{expect_consistent, text_of};
use crate::error::counted;
use crate::pla::{Reader, is_name};
use crate::{Error, ErrorKind, Monitor, Pla, PlaType, Result};
use std::collections::HashSet;
use std::io::Read;

/// The sizes of a table, from its keywords.
#[derive(Default)]
struct Sizes {
    inputs: Option<usize>,
    outputs: Option<usize>,
    states: Option<usize>,
}

impl Pla {
    /// Reads a state table in KISS2. Its keywords are `.i`, `.o`, `.s` (states), `.p` (rows), `.r` (the reset state, kept as a
    /// comment) and `.e`. The names of the states become those of the parts. The PLA is of type `kind`: in type fd, unspecified
    /// values are zero, in type fr don't-cares.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`], with line and column unless a size is missing; [`ErrorKind::Unsupported`] for another keyword, and
    /// for text that is too long; [`ErrorKind::Inconsistent`] if two rows give one input and state two next states or values of
    /// an output; [`ErrorKind::Io`] when `reader` fails or the text is not in UTF-8.
    ///
    /// # Example
    /// ```
    /// // Whether the number of ones so far is odd.
    /// let table = ".i 1\n.o 1\n.s 2\n.r even\n0 even even 0\n1 even odd 0\n0 odd odd 1\n1 odd even 1\n.e\n";
    /// let pla = espresso::Pla::read_kiss2(table.as_bytes(), Default::default(), Default::default())?;
    /// let rows: Vec<String> = pla.on.cubes().map(|cube| cube.to_string()).collect();
    /// assert_eq!(rows, ["0 10 100", "1 10 010", "0 01 011", "1 01 101"]);
    /// # Ok::<(), espresso::Error>(())
    /// ```
    pub fn read_kiss2(reader: impl Read, kind: PlaType, monitor: Monitor<'_>) -> Result<Pla> {
        let text = text_of(reader)?;
        let sizes = Sizes::of(&text)?;
        let mut kiss = String::new();
        let mut is_sized = false;
        for line in text.lines() {
            let line = line.trim_end();
            match line.split_whitespace().next() {
                Some(".i" | ".o") if !is_sized => {
                    kiss += &sizes.header()?;
                    is_sized = true;
                }
                Some(".e" | ".end") => kiss += ".e",
                Some(".r") => kiss.extend(["#", line]),
                Some(word) if word.starts_with('.') => {}
                _ => {
                    let (code, comment) = line.split_at(line.find('#').unwrap_or(line.len()));
                    let mut words = code.split_whitespace();
                    if let (Some(input), Some(present), Some(next)) =
                        (words.next(), words.next(), words.next())
                    {
                        let present = if present == "*" { "-" } else { present };
                        let next = if matches!(next, "*" | "-") { "~" } else { next };
                        let outputs: String = words.collect();
                        kiss.extend([input, " ", present, " ", next, " ", &outputs]);
                    }
                    kiss += comment;
                }
            }
            kiss.push('\n');
        }
        let (pla, notes) = Reader::new(kiss.as_bytes()).with_type(PlaType::Fdr).only_pla()?;
        expect_consistent(&pla, &notes, monitor)?;
        Ok(pla.only(kind))
    }
}

impl Sizes {
    /// The sizes that `text` declares; an undeclared number of states is that of the names in rows. Also checks the form of rows.
    fn of(text: &str) -> Result<Self> {
        let (mut sizes, mut names) = (Sizes::default(), HashSet::new());
        for (number, line) in text.lines().enumerate() {
            let wrong =
                |kind, message: String| Err(Error::new(kind, message).at(number + 1, 1).with_line(line));
            let code = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = code.split_whitespace().collect();
            let size = match words[..] {
                [".e" | ".end", ..] => break,
                [".i", ..] => &mut sizes.inputs,
                [".o", ..] => &mut sizes.outputs,
                [".s", ..] => &mut sizes.states,
                [] | [".p" | ".r" | ".start_kiss" | ".end_kiss", ..] => continue,
                [word, ..] if word.starts_with('.') => {
                    return wrong(ErrorKind::Unsupported, format!("`{word}` is not a keyword of KISS2"));
                }
                [input, present, next, outputs]
                    if input.bytes().all(|byte| b"01-2".contains(&byte)) && outputs != "*" =>
                {
                    let (Some(inputs), Some(columns)) = (sizes.inputs, sizes.outputs) else {
                        return wrong(ErrorKind::Syntax, "a row stands before `.i` or `.o`".to_owned());
                    };
                    if input.len() != inputs || outputs.len() != columns {
                        let (inputs, outputs) = (counted(inputs, "input"), counted(columns, "output"));
                        return wrong(
                            ErrorKind::Syntax,
                            format!("a row of this table has {inputs} and {outputs}"),
                        );
                    }
                    names.extend([present, next].into_iter().filter(|&name| name != "*" && is_name(name)));
                    continue;
                }
                _ => {
                    let message =
                        "a row is an input of 0, 1 and -, a present state, a next state and the outputs";
                    return wrong(ErrorKind::Syntax, message.to_owned());
                }
            };
            let [keyword, count] = words[..] else {
                return wrong(ErrorKind::Syntax, format!("`{}` takes one number", words[0]));
            };
            let Ok(count) = count.parse() else {
                return wrong(ErrorKind::Syntax, format!("`{count}` after `{keyword}` is not a number"));
            };
            if size.replace(count).is_some() {
                return wrong(ErrorKind::Syntax, format!("`{keyword}` was given before"));
            }
        }
        sizes.states = sizes.states.or(Some(names.len()));
        Ok(sizes)
    }

    /// The keywords of the PLA: binary inputs, the present and the next state as columns of names, the outputs.
    fn header(&self) -> Result<String> {
        let missing = |what: &str| Error::new(ErrorKind::Syntax, format!("the number of {what} is missing"));
        let inputs = self.inputs.ok_or_else(|| missing("inputs (`.i`)"))?;
        let outputs = self.outputs.ok_or_else(|| missing("outputs (`.o`)"))?;
        let states = self.states.filter(|&states| states > 0);
        let states = states.ok_or_else(|| missing("states (`.s`)"))?;
        Ok(format!(".kiss .mv {} {inputs} -{states} -{states} {outputs}", inputs.saturating_add(3)))
    }
}
