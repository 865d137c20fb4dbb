//! Berkeley's logic interchange format as input: one model, whose tables may use each other in any order.
//!
//! A table, after `.names`, has rows of `0`, `1` and `-` for its inputs, each with the value of its output: 1 in all rows, or
//! 0 in all rows. Each table becomes an expression, as in equations, and the evaluation multiplies out the levels.

use super::equations::{Expression, Program, evaluate};
use super::text_of;
use crate::error::counted;
use crate::{Error, ErrorKind, Monitor, Pla, Result};
use std::collections::HashMap;
use std::io::Read;

/// A table: the line of its keyword, the numbers of the names of its inputs and output, its rows, and the value of all rows.
struct Table {
    line: usize,
    inputs: Vec<usize>,
    output: usize,
    rows: Vec<Expression>,
    value: Option<bool>,
}

#[derive(Default)]
struct Model {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    inputs: Vec<usize>,
    /// Whether each name is an input, and below, whether it is an output.
    is_input: Vec<bool>,
    is_output: Vec<bool>,
    has_name: bool,
    outputs: Vec<usize>,
    tables: Vec<Table>,
    comments: Vec<String>,
}

impl Pla {
    /// Reads a model in Berkeley's logic interchange format, of `.inputs`, `.outputs` and `.names`; a `\` at the end of a line
    /// continues it. The PLA is of type f.
    ///
    /// The tables are multiplied out, which is exponential in the worst case.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] with a line for invalid text and for tables in a cycle, without a line if the outputs or the table
    /// of a name are missing; [`ErrorKind::Unsupported`] for latches, subcircuits and other keywords, and if the text or the
    /// products are too large; [`ErrorKind::Io`] when `reader` fails or the text is not in UTF-8; [`ErrorKind::Cancelled`] when
    /// the callback breaks.
    ///
    /// # Example
    /// ```
    /// use espresso::{Monitor, Pla};
    /// let model = ".model mux\n.inputs s a b\n.outputs f\n.names s a b f\n11- 1\n0-1 1\n.end\n";
    /// let pla = Pla::read_blif(model.as_bytes(), Monitor::default())?;
    /// let rows: Vec<String> = pla.on.cubes().map(|cube| cube.to_string()).collect();
    /// assert_eq!(rows, ["11- 1", "0-1 1"]);
    /// # Ok::<(), espresso::Error>(())
    /// ```
    pub fn read_blif(reader: impl Read, monitor: Monitor<'_>) -> Result<Pla> {
        let text = text_of(reader)?;
        let mut model = Model::default();
        // A line joined with its continuations, and the number and text of its first part.
        let (mut whole, mut first, mut has_ended) = (String::new(), (1, ""), false);
        // The added blank line ends a last line with a `\`.
        for (number, line) in text.lines().chain([""]).enumerate() {
            let (code, comment) = line.split_at(line.find('#').unwrap_or(line.len()));
            model.comments.extend((!comment.is_empty()).then(|| comment.trim_end().to_owned()));
            if whole.is_empty() {
                first = (number + 1, line);
            } else if code.trim().is_empty() && !comment.is_empty() {
                continue;
            }
            if let Some(code) = code.trim_end().strip_suffix('\\') {
                whole.extend([code, " "]);
                continue;
            }
            whole += code;
            let words: Vec<&str> = whole.split_whitespace().collect();
            let (at, shown) = first;
            let taken = if has_ended { after_end(&words).map(|()| true) } else { model.take(&words, at) };
            has_ended |= !taken.map_err(|error| error.at(at, 1).with_line(shown))?;
            whole.clear();
        }
        evaluate(&model.program()?, monitor)
    }
}

/// Takes the words of a line after the end of the model: there may be anything but another model.
fn after_end(words: &[&str]) -> Result<()> {
    if words.first() == Some(&".model") {
        return Err(Error::new(ErrorKind::Unsupported, "a second `.model`: only one model is read"));
    }
    Ok(())
}

fn wrong(message: String) -> Error {
    Error::new(ErrorKind::Syntax, message)
}

impl Model {
    fn name(&mut self, name: &str) -> usize {
        let number = *self.numbers.entry(name.to_owned()).or_insert(self.names.len());
        if number == self.names.len() {
            self.names.push(name.to_owned());
            self.is_input.push(false);
            self.is_output.push(false);
        }
        number
    }

    /// Takes the words of a line; returns `false` at the end of the model.
    fn take(&mut self, words: &[&str], line: usize) -> Result<bool> {
        match words {
            [] => {}
            [".model", ..] if self.names.is_empty() && !std::mem::replace(&mut self.has_name, true) => {}
            [".model", ..] => {
                let message = "a `.model` stands here and not at the beginning: only one model is read";
                return Err(Error::new(ErrorKind::Unsupported, message));
            }
            [keyword @ (".inputs" | ".outputs"), names @ ..] => {
                for name in names {
                    let name = self.name(name);
                    let (list, is_listed) = match *keyword {
                        ".inputs" => (&mut self.inputs, &mut self.is_input),
                        _ => (&mut self.outputs, &mut self.is_output),
                    };
                    if std::mem::replace(&mut is_listed[name], true) {
                        return Err(wrong(format!(
                            "two {} are called `{}`",
                            &keyword[1..],
                            self.names[name]
                        )));
                    }
                    list.push(name);
                }
            }
            [".names"] => return Err(wrong("`.names` has no output".into())),
            [".names", inputs @ .., output] => {
                let inputs = inputs.iter().map(|name| self.name(name)).collect();
                let output = self.name(output);
                self.tables.push(Table { line, inputs, output, rows: Vec::new(), value: None });
            }
            [".end", ..] => return Ok(false),
            [word, ..] if word.starts_with('.') => {
                let message = format!("`{word}` is not supported: only `.names` in one model is");
                return Err(Error::new(ErrorKind::Unsupported, message));
            }
            row => self.row(row)?,
        }
        Ok(true)
    }

    /// Takes a row of the last table.
    fn row(&mut self, words: &[&str]) -> Result<()> {
        let Some(table) = self.tables.last_mut() else {
            return Err(wrong("a row stands before the first `.names`".into()));
        };
        let (inputs, output) = match *words {
            [output] if table.inputs.is_empty() => ("", output),
            [inputs, output] if inputs.len() == table.inputs.len() => (inputs, output),
            _ => {
                return Err(wrong(format!(
                    "a row of this table has {} and an output",
                    counted(table.inputs.len(), "input")
                )));
            }
        };
        let mut literals = Vec::new();
        for (byte, &name) in inputs.bytes().zip(&table.inputs) {
            match byte {
                b'1' => literals.push(Expression::Name(name)),
                b'0' => literals.push(Expression::Not(Box::new(Expression::Name(name)))),
                b'-' => {}
                _ => {
                    return Err(wrong(format!(
                        "`{}` in a row is none of 0, 1 and -",
                        inputs.escape_default()
                    )));
                }
            }
        }
        let value = match output {
            "0" => false,
            "1" => true,
            other => {
                return Err(wrong(format!("the output `{}` is neither 0 nor 1", other.escape_default())));
            }
        };
        if *table.value.get_or_insert(value) != value {
            return Err(wrong("the rows of a table have one value: all 1, or all 0".into()));
        }
        table.rows.push(Expression::And(literals));
        Ok(())
    }

    /// The program of the tables, each after the tables that it uses.
    fn program(mut self) -> Result<Program> {
        if self.outputs.is_empty() {
            return Err(wrong("the model has no outputs".into()));
        }
        let mut tables: HashMap<usize, Table> = HashMap::new();
        for table in std::mem::take(&mut self.tables) {
            let line = table.line;
            let name = table.output;
            if self.is_input[name] || tables.insert(name, table).is_some() {
                return Err(wrong(format!("`{}` is defined twice", self.names[name])).at(line, 1));
            }
        }
        let mut assignments = Vec::new();
        let mut is_known = self.is_input.clone();
        // Depth first: a name stays on the stack until all inputs of its table are known.
        let mut is_open = is_known.clone();
        let mut stack: Vec<usize> = self.outputs.iter().rev().copied().collect();
        while let Some(&name) = stack.last() {
            if is_known[name] {
                stack.pop();
                continue;
            }
            let Some(table) = tables.get(&name) else {
                return Err(wrong(format!("no table defines `{}`", self.names[name])));
            };
            let missing: Vec<usize> = table.inputs.iter().copied().filter(|&name| !is_known[name]).collect();
            if missing.is_empty() {
                is_known[name] = true;
                let sum = Expression::Or(table.rows.clone());
                let value = if table.value == Some(false) { Expression::Not(Box::new(sum)) } else { sum };
                assignments.push((name, value));
            } else if std::mem::replace(&mut is_open[name], true) {
                return Err(wrong(format!("`{}` depends on itself", self.names[name])).at(table.line, 1));
            }
            stack.extend(missing);
        }
        for output in &mut self.outputs {
            if self.is_input[*output] {
                // Outputs must be assigned, so an input as an output gets a copy.
                let copy = self.names.len();
                self.names.push(self.names[*output].clone());
                assignments.push((copy, Expression::Name(*output)));
                *output = copy;
            }
        }
        let Model { names, inputs, outputs, comments, .. } = self;
        Ok(Program { names, inputs, outputs, assignments, comments, warnings: Vec::new() })
    }
}
