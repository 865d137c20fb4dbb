//! The keywords of a PLA: sizes, type and names.
//!
//! A keyword takes the words it needs from the rest of its line; what follows them on the line is read on.

use super::PlaType;
use crate::error::counted;
use crate::{ErrorKind, Space};

/// Columns of a row that are accepted: a bound on what a declared size can make a reader allocate.
pub(super) const MAX_COLUMNS: usize = 1 << 18;

/// Characters of a word that a message repeats.
const SHOWN: usize = 32;

/// Keywords that Berkeley's program knows and this one refuses, with what they would do.
const UNSUPPORTED: [(&str, &str); 7] = [
    ("kiss", "state machines"),
    ("symbolic", "symbolic inputs"),
    ("symbolic-output", "symbolic outputs"),
    ("phase", "output phases"),
    ("pair", "two-bit decoders"),
    ("group", "pleasure's groups"),
    ("option", "pleasure's options"),
];

/// What is wrong, and at which byte of the line.
pub(super) struct Problem {
    pub at: usize,
    pub kind: ErrorKind,
    pub message: String,
}

impl Problem {
    /// A problem of syntax at byte `at` of the line.
    pub fn syntax(at: usize, message: impl Into<String>) -> Self {
        Problem { at, kind: ErrorKind::Syntax, message: message.into() }
    }
}

/// A line and how far it has been read.
pub(super) struct Cursor<'a> {
    pub line: &'a [u8],
    pub at: usize,
}

impl<'a> Cursor<'a> {
    /// The next word of the line and the byte where it starts.
    fn word(&mut self) -> Option<(usize, &'a [u8])> {
        let rest = &self.line[self.at..];
        let start = self.at + rest.iter().position(|b| !b.is_ascii_whitespace())?;
        let rest = &self.line[start..];
        let end = start + rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.at = end;
        Some((start, &self.line[start..end]))
    }

    /// The next word as a number that is at most [`MAX_COLUMNS`].
    fn number(&mut self, keyword: &str) -> Result<usize, Problem> {
        let end = self.line.trim_ascii_end().len();
        let (at, word) =
            self.word().ok_or_else(|| Problem::syntax(end, format!("`.{keyword}` needs a number here")))?;
        if word.is_empty() || !word.iter().all(u8::is_ascii_digit) {
            return Err(Problem::syntax(at, format!("`.{keyword}` needs a number, not `{}`", shown(word))));
        }
        let number = word.iter().try_fold(0usize, |n, &digit| {
            n.checked_mul(10)?.checked_add(usize::from(digit - b'0')).filter(|&n| n <= MAX_COLUMNS)
        });
        number.ok_or_else(|| too_large(at))
    }
}

/// The beginning of a word, for a message of one line.
fn shown(word: &[u8]) -> String {
    let word = String::from_utf8_lossy(&word[..word.len().min(4 * SHOWN)]);
    let end = if word.chars().nth(SHOWN).is_some() { "..." } else { "" };
    word.chars().take(SHOWN).flat_map(char::escape_debug).collect::<String>() + end
}

fn too_large(at: usize) -> Problem {
    let message = format!("more than {MAX_COLUMNS} columns are not supported");
    Problem { at, kind: ErrorKind::Unsupported, message }
}

/// Refuses names that were given before: each list takes as long as there are columns.
fn expect_once(is_first: bool, dot: usize, keyword: &str) -> Result<(), Problem> {
    if is_first { Ok(()) } else { Err(Problem::syntax(dot, format!("`.{keyword}` was given before"))) }
}

/// What a keyword leads to.
pub(super) enum Next {
    /// Reading goes on behind the keyword's words.
    Row,
    End,
}

#[derive(Default)]
pub(super) struct Header {
    pub kind: PlaType,
    pub input_labels: Option<Vec<String>>,
    pub output_labels: Option<Vec<String>>,
    /// What is odd, and may be meant otherwise.
    pub warnings: Vec<String>,
    inputs: Option<usize>,
    outputs: Option<usize>,
    /// Binary inputs, and the parts of the other variables, the output last.
    multi: Option<(usize, Vec<usize>)>,
}

impl Header {
    /// No keyword yet; the type is `kind` unless one says otherwise.
    pub fn new(kind: PlaType) -> Self {
        Header { kind, ..Header::default() }
    }

    /// Reads the keyword at the cursor, which stands on its dot. `rows` tells whether rows came before.
    pub fn keyword(&mut self, cursor: &mut Cursor<'_>, rows: bool) -> Result<Next, Problem> {
        let (dot, word) = cursor.word().unwrap_or((cursor.at, b"."));
        let name = String::from_utf8_lossy(&word[1..]);
        match name.as_ref() {
            "i" | "o" => {
                let number = cursor.number(&name)?;
                if self.multi.is_some() {
                    return Err(Problem::syntax(dot, format!("`.{name}` and `.mv` exclude each other")));
                }
                let size = if name == "i" { &mut self.inputs } else { &mut self.outputs };
                if size.replace(number).is_some_and(|before| before != number) {
                    let message = format!("`.{name}` was declared before with another number");
                    return Err(Problem::syntax(dot, message));
                }
            }
            "mv" => self.multi(cursor, dot)?,
            "p" => {
                // Not relied on, but a word that is no number would be read as a row.
                let (at, word) = cursor.word().unwrap_or((cursor.at, b"0"));
                if !word.iter().all(u8::is_ascii_digit) {
                    return Err(Problem::syntax(at, "`.p` needs a number"));
                }
            }
            "type" if rows => return Err(Problem::syntax(dot, "`.type` must come before the first row")),
            "type" => self.set_type(cursor, dot)?,
            "ilb" => {
                let (inputs, _) = self.sizes(dot, "ilb")?;
                expect_once(self.input_labels.is_none(), dot, "ilb")?;
                self.input_labels = self.labels(cursor, "ilb", inputs, "input", |i| format!("v{i}"))?;
            }
            "ob" => {
                let (inputs, outputs) = self.sizes(dot, "ob")?;
                expect_once(self.output_labels.is_none(), dot, "ob")?;
                let variable = inputs + self.multi.as_ref().map_or(0, |(_, parts)| parts.len() - 1);
                let name = |i| format!("v{variable}.{i}");
                self.output_labels = self.labels(cursor, "ob", outputs, "output", name)?;
            }
            "label" => cursor.at = cursor.line.len(),
            "e" | "end" => return Ok(Next::End),
            other => {
                let known = UNSUPPORTED.iter().find(|(keyword, _)| *keyword == other);
                return Err(known.map_or_else(
                    || Problem::syntax(dot, format!("`{}` is no keyword of a PLA", shown(word))),
                    |(keyword, what)| Problem {
                        at: dot,
                        kind: ErrorKind::Unsupported,
                        message: format!("`.{keyword}` ({what}) is not supported"),
                    },
                ));
            }
        }
        Ok(Next::Row)
    }

    fn multi(&mut self, cursor: &mut Cursor<'_>, dot: usize) -> Result<(), Problem> {
        if self.multi.is_some() || self.inputs.is_some() || self.outputs.is_some() {
            return Err(Problem::syntax(dot, "`.mv` after the sizes were declared"));
        }
        let variables = cursor.number("mv")?;
        let binary = cursor.number("mv")?;
        if binary >= variables {
            return Err(Problem::syntax(
                dot,
                "`.mv` needs more variables than binary ones: the last is the output",
            ));
        }
        let (mut parts, mut columns) = (Vec::new(), binary);
        for _ in binary..variables {
            let at = cursor.at;
            let number = cursor.number("mv")?;
            if number == 0 {
                return Err(Problem::syntax(at + 1, "a multi-valued variable needs at least one part"));
            }
            parts.push(number);
            columns += number;
            if columns > MAX_COLUMNS {
                return Err(too_large(at + 1));
            }
        }
        self.multi = Some((binary, parts));
        Ok(())
    }

    fn set_type(&mut self, cursor: &mut Cursor<'_>, dot: usize) -> Result<(), Problem> {
        let (at, word) =
            cursor.word().ok_or_else(|| Problem::syntax(dot, "`.type` needs f, fd, fr or fdr"))?;
        self.kind = shown(word).parse().map_err(|error: crate::Error| Problem {
            at,
            kind: error.kind(),
            message: error.to_string(),
        })?;
        Ok(())
    }

    /// Numbers of binary inputs and outputs, which a keyword at byte `dot` needs.
    fn sizes(&self, dot: usize, keyword: &str) -> Result<(usize, usize), Problem> {
        match (&self.multi, self.inputs, self.outputs) {
            (Some((binary, parts)), _, _) => Ok((*binary, parts.last().copied().unwrap_or(0))),
            (None, Some(inputs), Some(outputs)) => Ok((inputs, outputs)),
            _ => Err(Problem::syntax(dot, format!("`.i` and `.o`, or `.mv`, must come before `.{keyword}`"))),
        }
    }

    /// Reads up to `count` names; a comment may follow them. Those that are missing get the names that Berkeley's program
    /// would give them, as a list that is too short would make it read rows for names.
    fn labels(
        &mut self,
        cursor: &mut Cursor<'_>,
        keyword: &str,
        count: usize,
        what: &str,
        name: impl Fn(usize) -> String,
    ) -> Result<Option<Vec<String>>, Problem> {
        let mut labels = Vec::new();
        while let Some((at, word)) = cursor.word() {
            if word == b"#" || (labels.len() == count && word[0] == b'#') {
                break;
            }
            if labels.len() == count {
                let message = format!("`.{keyword}` gives more names than the {}", counted(count, what));
                return Err(Problem::syntax(at, message));
            }
            labels.push(String::from_utf8_lossy(word).into_owned());
        }
        cursor.at = cursor.line.len();
        if labels.len() < count {
            let given = labels.len();
            self.warnings.push(format!("`.{keyword}` names {given} of {}", counted(count, what)));
            labels.extend((given..count).map(name));
        }
        Ok(Some(labels).filter(|labels| !labels.is_empty()))
    }

    /// The space that the declared sizes give, for a row at byte `at`.
    pub fn space(&self, at: usize) -> Result<Space, Problem> {
        let space = match (&self.multi, self.inputs, self.outputs) {
            (Some((binary, parts)), _, _) => {
                let (outputs, multi) = parts.split_last().unwrap_or((&0, &[]));
                Space::new(*binary, multi, *outputs)
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
}
