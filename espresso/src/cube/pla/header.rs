//! The keywords of a PLA: sizes, type, names, and regrouping of inputs and outputs.
//!
//! A keyword takes the words that it needs from its line. Reading continues with the rest of the line.

use super::PlaType;
use super::lists::{List, Target};
use crate::error::counted;
use crate::{ErrorKind, Space};
use std::collections::BTreeMap;

/// Limit on the columns of a row: it bounds the memory that a declared size can make the reader allocate.
pub(super) const MAX_COLUMNS: usize = 1 << 18;

/// Limit on the characters of a word in a message.
const SHOWN: usize = 32;

/// Keywords whose spelling in upper case is refused.
const KEYWORDS: [&str; 10] = ["i", "o", "mv", "type", "ilb", "ob", "phase", "kiss", "e", "end"];

/// Keywords of the program pleasure, which are copied to the output without a warning.
const PASSED_ON: [&str; 2] = ["group", "option"];

/// An error, and its byte position in the line.
pub(crate) struct Problem {
    pub at: usize,
    pub kind: ErrorKind,
    pub message: String,
}

impl Problem {
    /// A syntax error at byte `at` of the line.
    pub fn syntax(at: usize, message: impl Into<String>) -> Self {
        Problem { at, kind: ErrorKind::Syntax, message: message.into() }
    }
}

/// A line and a position in it.
pub(super) struct Cursor<'a> {
    pub line: &'a [u8],
    pub at: usize,
}

impl<'a> Cursor<'a> {
    /// The next word of the line and the byte where it starts.
    pub fn word(&mut self) -> Option<(usize, &'a [u8])> {
        let rest = &self.line[self.at..];
        let start = self.at + rest.iter().position(|b| !b.is_ascii_whitespace())?;
        let rest = &self.line[start..];
        let end = start + rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.at = end;
        Some((start, &self.line[start..end]))
    }

    /// The text of the line from byte `at` on, without blanks at its end.
    pub fn rest(&self, at: usize) -> String {
        String::from_utf8_lossy(self.line[at..].trim_ascii_end()).into_owned()
    }

    /// The next word as a number that is at most [`MAX_COLUMNS`].
    fn number(&mut self, keyword: &str) -> Result<usize, Problem> {
        let end = self.line.trim_ascii_end().len();
        let (at, word) =
            self.word().ok_or_else(|| Problem::syntax(end, format!("`.{keyword}` needs a number here")))?;
        if word.is_empty() || !word.iter().all(u8::is_ascii_digit) {
            return Err(Problem::syntax(at, format!("`.{keyword}` needs a number, not `{}`", shown(word))));
        }
        digits(word).ok_or_else(|| too_large(at))
    }

    /// The next word as the size of a variable, and whether it has a minus sign.
    fn size(&mut self, keyword: &str) -> Result<(usize, bool), Problem> {
        let rest = &self.line[self.at..];
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let is_symbolic = rest.get(blank) == Some(&b'-');
        if is_symbolic {
            self.at += blank + 1;
        }
        Ok((self.number(keyword)?, is_symbolic))
    }
}

/// Parses a word of digits; `None` for other words and for numbers above [`MAX_COLUMNS`].
pub(super) fn digits(word: &[u8]) -> Option<usize> {
    let number = word.iter().try_fold(0usize, |n, &digit| {
        let digit = digit.is_ascii_digit().then(|| usize::from(digit - b'0'))?;
        n.checked_mul(10)?.checked_add(digit).filter(|&n| n <= MAX_COLUMNS)
    });
    number.filter(|_| !word.is_empty())
}

/// The beginning of a word, for a message of one line.
pub(super) fn shown(word: &[u8]) -> String {
    let word = String::from_utf8_lossy(&word[..word.len().min(4 * SHOWN)]);
    let end = if word.chars().nth(SHOWN).is_some() { "..." } else { "" };
    word.chars().take(SHOWN).flat_map(char::escape_debug).collect::<String>() + end
}

pub(super) fn too_large(at: usize) -> Problem {
    let message = format!("more than {MAX_COLUMNS} columns are not supported");
    Problem { at, kind: ErrorKind::Unsupported, message }
}

/// Members of a symbolic variable, the highest bit first, and the names of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub members: Vec<usize>,
    pub names: Vec<String>,
}

/// Sizes by `.mv`.
pub(super) struct Multi {
    pub binary: usize,
    /// The parts of the other variables, the output last.
    pub parts: Vec<usize>,
    /// For each variable in `parts`, whether it is a symbolic column.
    is_symbolic: Vec<bool>,
}

#[derive(Default)]
pub(super) struct Header {
    pub kind: PlaType,
    pub is_kiss: bool,
    pub input_labels: Option<Vec<String>>,
    pub output_labels: Option<Vec<String>>,
    /// The names of the parts of multi-valued variables, by variable number.
    pub part_labels: BTreeMap<usize, Vec<String>>,
    pub phase: Option<Vec<bool>>,
    pub symbolic: Vec<Group>,
    pub symbolic_outputs: Vec<Group>,
    /// Comments and unknown keywords.
    pub comments: Vec<String>,
    /// Warnings about text that may not mean what its author intended.
    pub warnings: Vec<String>,
    /// The line being read.
    pub line: usize,
    pub list: Option<List>,
    /// Number of values of all symbolic inputs and outputs.
    pub values: usize,
    pub inputs: Option<usize>,
    outputs: Option<usize>,
    pub multi: Option<Multi>,
}

impl Header {
    /// Returns an empty header; the type is `kind` until a keyword changes it.
    pub fn new(kind: PlaType, is_kiss: bool) -> Self {
        Header { kind, is_kiss, ..Header::default() }
    }

    pub fn warn(&mut self, line: usize, message: &str) {
        self.warnings.push(format!("line {line}: {message}"));
    }

    /// Whether the sizes of all variables are known.
    pub fn is_sized(&self) -> bool {
        self.multi.is_some() || self.inputs.is_some() && self.outputs.is_some()
    }

    /// Reads the keyword whose dot is at the cursor. `rows`: whether a row was read before. Returns `false` for an end mark.
    pub fn keyword(&mut self, cursor: &mut Cursor<'_>, rows: bool) -> Result<bool, Problem> {
        let (dot, word) = cursor.word().unwrap_or((cursor.at, b"."));
        let name = String::from_utf8_lossy(&word[1..]);
        match name.as_ref() {
            "i" | "o" | "mv" if self.is_sized() => self.repeated(cursor, &name),
            "i" | "o" => {
                let number = cursor.number(&name)?;
                let size = if name == "i" { &mut self.inputs } else { &mut self.outputs };
                if size.replace(number).is_some_and(|before| before != number) {
                    let message = format!("`.{name}` was declared before with another number");
                    return Err(Problem::syntax(dot, message));
                }
            }
            "mv" => self.multi(cursor, dot)?,
            "p" => {
                // The number is not used, but a word that is not a number would be read as a row.
                let (at, word) = cursor.word().unwrap_or((cursor.at, b"0"));
                if !word.iter().all(u8::is_ascii_digit) {
                    return Err(Problem::syntax(at, "`.p` needs a number"));
                }
            }
            "kiss" | "type" if rows => {
                return Err(Problem::syntax(dot, format!("`.{name}` must come before the first row")));
            }
            "kiss" => self.is_kiss = true,
            "type" => self.set_type(cursor, dot)?,
            "ilb" => {
                let (inputs, _) = self.sizes(dot, "ilb")?;
                self.begin(cursor, dot, Target::Inputs, "ilb", inputs)?;
            }
            "ob" => {
                let (_, outputs) = self.sizes(dot, "ob")?;
                self.begin(cursor, dot, Target::Outputs, "ob", outputs)?;
            }
            "label" => self.label(cursor, dot)?,
            "phase" => self.set_phase(cursor, dot)?,
            "pair" => {
                let message =
                    "`.pair` (two-bit decoders) is not supported: `.mv` declares inputs of four parts";
                return Err(Problem { at: dot, kind: ErrorKind::Unsupported, message: message.into() });
            }
            "symbolic" | "symbolic-output" => {
                self.sizes(dot, &name)?;
                let target = Target::Symbolic { outputs: name == "symbolic-output" };
                self.begin(cursor, dot, target, &name, 0)?;
            }
            "e" | "end" => return Ok(false),
            _ if KEYWORDS.contains(&name.to_ascii_lowercase().as_str()) => {
                let message = format!("keywords are in lower case: `.{}`", name.to_ascii_lowercase());
                return Err(Problem::syntax(dot, message));
            }
            _ => {
                if !PASSED_ON.contains(&name.as_ref()) {
                    self.warn(
                        self.line,
                        &format!("`{}` is not a PLA keyword: copied to the output", shown(word)),
                    );
                }
                self.comments.push(cursor.rest(dot));
                cursor.at = cursor.line.len();
            }
        }
        Ok(true)
    }

    /// Ignores a repeated declaration of a size, as Berkeley's program does. Warns unless it repeats the `.i` or `.o` in use.
    fn repeated(&mut self, cursor: &mut Cursor<'_>, name: &str) {
        let known = match (name, &self.multi) {
            ("i", None) => self.inputs,
            ("o", None) => self.outputs,
            _ => None,
        };
        let at = cursor.at;
        if known.is_none() || cursor.number(name).ok() != known {
            cursor.at = at;
            let rest = String::from_utf8_lossy(cursor.line[cursor.at..].trim_ascii()).into_owned();
            let rest = shown(rest.as_bytes());
            self.warn(self.line, &format!("`.{name} {rest}` is ignored: the sizes were declared before"));
            cursor.at = cursor.line.len();
        }
    }

    fn multi(&mut self, cursor: &mut Cursor<'_>, dot: usize) -> Result<(), Problem> {
        if self.inputs.is_some() || self.outputs.is_some() {
            return Err(Problem::syntax(dot, "`.mv` and `.i` or `.o` exclude each other"));
        }
        let variables = cursor.number("mv")?;
        let binary = cursor.number("mv")?;
        if binary >= variables {
            return Err(Problem::syntax(
                dot,
                "`.mv` needs more variables than binary ones: the last is the output",
            ));
        }
        let (mut parts, mut is_symbolic, mut columns) = (Vec::new(), Vec::new(), binary);
        for _ in binary..variables {
            let at = cursor.at;
            let (number, minus) = cursor.size("mv")?;
            if number == 0 {
                return Err(Problem::syntax(at + 1, "a multi-valued variable needs at least one part"));
            }
            parts.push(number);
            is_symbolic.push(minus);
            columns += number;
            if columns > MAX_COLUMNS {
                return Err(too_large(at + 1));
            }
        }
        if is_symbolic.last() == Some(&true) {
            return Err(Problem::syntax(dot, "the output cannot be a symbolic column"));
        }
        self.multi = Some(Multi { binary, parts, is_symbolic });
        Ok(())
    }

    fn set_type(&mut self, cursor: &mut Cursor<'_>, dot: usize) -> Result<(), Problem> {
        let (at, word) =
            cursor.word().ok_or_else(|| Problem::syntax(dot, "`.type` needs f, d, r, fd, fr, dr or fdr"))?;
        self.kind = shown(word).parse().map_err(|error: crate::Error| Problem {
            at,
            kind: error.kind(),
            message: error.to_string(),
        })?;
        Ok(())
    }

    fn set_phase(&mut self, cursor: &mut Cursor<'_>, dot: usize) -> Result<(), Problem> {
        let (_, outputs) = self.sizes(dot, "phase")?;
        let (at, word) = cursor.word().unwrap_or((cursor.at, b""));
        if word.len() != outputs || word.iter().any(|byte| !matches!(byte, b'0' | b'1')) {
            let message = format!("`.phase` needs a 0 or a 1 for each of {}", counted(outputs, "output"));
            return Err(Problem::syntax(at, message));
        }
        match self.phase {
            Some(_) => self.warn(self.line, "a second `.phase` is ignored"),
            None => self.phase = Some(word.iter().map(|&byte| byte == b'1').collect()),
        }
        Ok(())
    }

    /// Reads `.label var=v names`.
    fn label(&mut self, cursor: &mut Cursor<'_>, dot: usize) -> Result<(), Problem> {
        let (inputs, outputs) = self.sizes(dot, "label")?;
        let (at, word) = cursor.word().unwrap_or((cursor.at, b""));
        let variable = word.strip_prefix(b"var=").and_then(digits);
        let variable = variable.ok_or_else(|| {
            Problem::syntax(at, "`.label` needs the number of a variable: `.label var=0 names`")
        })?;
        let parts = self.multi.as_ref().map_or(&[][..], |multi| &multi.parts);
        let output = inputs + parts.len().saturating_sub(1);
        let wanted = match variable {
            v if v < inputs => 2,
            v if v < output => parts[v - inputs],
            v if v == output => outputs,
            _ => return Err(Problem::syntax(at, format!("there is no variable {variable}"))),
        };
        let target = if variable == output { Target::Outputs } else { Target::Parts(variable) };
        self.begin(cursor, dot, target, "label", wanted)
    }

    /// Numbers of binary inputs and outputs, for a keyword at byte `dot` that needs them.
    pub fn sizes(&self, dot: usize, keyword: &str) -> Result<(usize, usize), Problem> {
        match (&self.multi, self.inputs, self.outputs) {
            (Some(Multi { binary, parts, .. }), _, _) => Ok((*binary, parts.last().copied().unwrap_or(0))),
            (None, Some(inputs), Some(outputs)) => Ok((inputs, outputs)),
            _ => Err(Problem::syntax(dot, format!("`.i` and `.o`, or `.mv`, must come before `.{keyword}`"))),
        }
    }

    /// The declared space, with the next state of a machine as part of the output. `at` is the position of the row that needs
    /// it.
    pub fn space(&self, at: usize) -> Result<Space, Problem> {
        let space = match (&self.multi, self.inputs, self.outputs) {
            (Some(Multi { binary, parts, .. }), _, _) => {
                let (outputs, multi) = parts.split_last().unwrap_or((&0, &[]));
                match multi {
                    [before @ .., present, next] if self.is_kiss && present == next => {
                        Space::new(*binary, &[before, &[*present]].concat(), next + outputs)
                    }
                    _ if self.is_kiss => {
                        let message =
                            "`.kiss` needs a present and a next state of one size before the output";
                        return Err(Problem::syntax(at, message));
                    }
                    _ => Space::new(*binary, multi, *outputs),
                }
            }
            (None, Some(_), Some(_)) if self.is_kiss => {
                return Err(Problem::syntax(at, "`.kiss` needs sizes by `.mv`"));
            }
            (None, Some(inputs), Some(outputs)) if inputs + outputs <= MAX_COLUMNS => {
                Space::binary(inputs, outputs)
            }
            (None, Some(_), Some(_)) => return Err(too_large(at)),
            (None, None, _) => {
                return Err(Problem::syntax(at, "the number of inputs (`.i` or `.mv`) is missing"));
            }
            (None, _, None) => {
                return Err(Problem::syntax(at, "the number of outputs (`.o` or `.mv`) is missing"));
            }
        };
        space.map_err(|error| Problem { at, kind: error.kind(), message: error.to_string() })
    }

    /// The first column of each declared multi-valued input, its number of parts, and whether it is symbolic.
    pub fn multi_valued(&self) -> Vec<(usize, usize, bool)> {
        let Some(Multi { binary, parts, is_symbolic }) = &self.multi else { return Vec::new() };
        let mut column = *binary;
        let inputs = parts.iter().zip(is_symbolic).take(parts.len() - 1);
        inputs
            .map(|(&parts, &is_symbolic)| {
                column += parts;
                (column - parts, parts, is_symbolic)
            })
            .collect()
    }
}
