//! The reader: lines into rows, rows into cubes.
//!
//! A row's characters map to the bits of its cube in order, so a row is gathered character by character into one
//! scratch cube for the inputs and one for each set's outputs, and appended when its last column is read. Nothing
//! is allocated for a row.

use super::header::{Cursor, Header, Next, Problem};
use super::{Notes, Pla, PlaType};
use crate::{Cover, Error, ErrorKind, Result, Space};
use std::io::{BufRead, Read};

const MAX_LINE: u64 = 1 << 24;

/// What some editors put before the first line of a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a PLA that is of type `kind` unless it says otherwise.
pub(super) fn read(mut reader: impl BufRead, kind: PlaType) -> Result<(Pla, Notes)> {
    let mut header = Header::new(kind);
    let mut rows = None;
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        number += 1;
        if reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.len() as u64 == MAX_LINE {
            let message = format!("a line of more than {MAX_LINE} bytes is not supported");
            return Err(Error::new(ErrorKind::Unsupported, message).at(number, 1));
        }
        if number == 1 && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        let warnings = header.warnings.len();
        let read = take_line(&mut header, &mut rows, &line, number);
        for warning in &mut header.warnings[warnings..] {
            *warning = format!("line {number}: {warning}");
        }
        match read {
            Ok(Next::Row) => {}
            Ok(Next::End) => break,
            Err(problem) => return Err(located(&problem, &line, number)),
        }
    }
    let rows = match rows {
        Some(rows) => rows,
        None => Rows::new(&header, 0).map_err(|problem| located(&problem, &[], number))?,
    };
    rows.finish(header)
}

/// The error that `problem` is in line `number`.
fn located(problem: &Problem, line: &[u8], number: usize) -> Error {
    let before = String::from_utf8_lossy(&line[..problem.at.min(line.len())]);
    Error::new(problem.kind, problem.message.as_str())
        .at(number, before.chars().count() + 1)
        .with_line(&String::from_utf8_lossy(line))
}

/// Reads one line: keywords between rows, and the characters of rows.
fn take_line(
    header: &mut Header,
    rows: &mut Option<Rows>,
    line: &[u8],
    number: usize,
) -> std::result::Result<Next, Problem> {
    let mut cursor = Cursor { line, at: 0 };
    loop {
        let rest = &line[cursor.at..];
        let Some(skipped) = rest.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n' | 0x0c))
        else {
            return Ok(Next::Row);
        };
        cursor.at += skipped;
        match line[cursor.at] {
            b'#' => return Ok(Next::Row),
            b'.' => {
                if let Some(rows) = rows.as_ref().filter(|rows| rows.column > 0) {
                    return Err(Problem::syntax(cursor.at, rows.unfinished()));
                }
                if let Next::End = header.keyword(&mut cursor, rows.is_some())? {
                    return Ok(Next::End);
                }
            }
            _ => {
                let rows = match rows {
                    Some(rows) => rows,
                    None => rows.insert(Rows::new(header, cursor.at)?),
                };
                cursor.at = rows.take(line, cursor.at, number)?;
            }
        }
    }
}

/// F, D or R as read so far.
#[derive(Clone)]
struct SetRows {
    /// Whether the type of the PLA has the set.
    is_wanted: bool,
    cubes: Vec<u64>,
    /// The lines in which they begin, where the two sets that may contradict each other are given.
    lines: Vec<u32>,
    /// The outputs of the row being read.
    outputs: Vec<u64>,
}

/// The rows read so far, and the one being read.
struct Rows {
    space: Space,
    binary: usize,
    inputs: usize,
    columns: usize,
    /// F, D and R.
    sets: [SetRows; 3],
    /// The next column of the row being read.
    column: usize,
    /// The line in which that row began.
    line: usize,
    cube: Vec<u64>,
    /// Whether a binary input allows neither value.
    empty: bool,
}

impl Rows {
    fn new(header: &Header, at: usize) -> std::result::Result<Self, Problem> {
        let space = header.space(at)?;
        let binary = space.binary_inputs();
        let (lines, cubes, outputs) = (Vec::new(), Vec::new(), vec![0; space.words()]);
        let set = SetRows { is_wanted: true, cubes, lines, outputs };
        Ok(Rows {
            binary,
            inputs: space.output().first - binary,
            columns: space.bits() - binary,
            sets: [true, header.kind.has_dc(), header.kind.has_off()]
                .map(|is_wanted| SetRows { is_wanted, ..set.clone() }),
            column: 0,
            line: 0,
            cube: vec![0; space.words()],
            empty: false,
            space,
        })
    }

    /// Reads row characters from byte `at` of the line; returns where a keyword starts or the line ends.
    fn take(&mut self, line: &[u8], at: usize, number: usize) -> std::result::Result<usize, Problem> {
        for (i, &byte) in line.iter().enumerate().skip(at) {
            match byte {
                b' ' | b'|' | b'\t' | b'\n' | b'\r' | 0x0c => continue,
                b'#' => return Ok(line.len()),
                b'.' if self.column == 0 => return Ok(i),
                _ => {}
            }
            if self.column == 0 {
                self.line = number;
            }
            let read = if self.column < self.binary {
                self.binary_input(byte)
            } else if self.column < self.inputs {
                self.part(byte)
            } else {
                self.output(byte)
            };
            if !read {
                return Err(self.wrong(line, i));
            }
            self.column += 1;
            if self.column == self.columns {
                self.end_row();
            }
        }
        Ok(line.len())
    }

    fn binary_input(&mut self, byte: u8) -> bool {
        let literal = match byte {
            b'0' => 1,
            b'1' => 2,
            b'-' | b'2' => 3,
            b'~' | b'?' => {
                self.empty = true;
                0
            }
            _ => return false,
        };
        self.cube[self.column / 32] |= literal << (self.column % 32 * 2);
        true
    }

    fn part(&mut self, byte: u8) -> bool {
        let bit = self.column + self.binary;
        self.cube[bit / 64] |= u64::from(byte == b'1') << (bit % 64);
        matches!(byte, b'0' | b'1')
    }

    fn output(&mut self, byte: u8) -> bool {
        let [on, dc, off] = &mut self.sets;
        let set = match byte {
            b'1' | b'4' => on,
            b'0' | b'3' => off,
            b'-' | b'2' => dc,
            b'~' => return true,
            _ => return false,
        };
        if set.is_wanted {
            let bit = self.column + self.binary;
            set.outputs[bit / 64] |= 1 << (bit % 64);
        }
        true
    }

    fn end_row(&mut self) {
        let multi = self.inputs > self.binary;
        let inputs = &self.space.variables()[self.binary..self.space.inputs()];
        if multi && inputs.iter().any(|variable| Space::literal_is_empty(variable, &self.cube)) {
            self.empty = true;
        }
        let is_located = self.sets[2].is_wanted;
        for SetRows { cubes, lines, outputs, .. } in &mut self.sets {
            if !self.empty && outputs.iter().any(|&word| word != 0) {
                lines.extend(is_located.then_some(self.line as u32));
                cubes.extend(self.cube.iter().zip(&*outputs).map(|(inputs, outputs)| inputs | outputs));
            }
            outputs.fill(0);
        }
        self.cube.fill(0);
        self.empty = false;
        self.column = 0;
    }

    /// The problem with byte `at` of the line as the next column.
    fn wrong(&self, line: &[u8], at: usize) -> Problem {
        let text = String::from_utf8_lossy(&line[at..line.len().min(at + 4)]);
        let found = text.chars().next().unwrap_or(' ').escape_default();
        let column = self.column + 1;
        let columns = self.columns;
        let expected = if self.column < self.binary {
            "an input is 0, 1, - or ~"
        } else if self.column < self.inputs {
            "a part of a multi-valued input is 0 or 1"
        } else {
            "an output is 0, 1, - or ~"
        };
        let message = format!("`{found}` cannot stand in column {column} of {columns} of a row: {expected}");
        Problem::syntax(at, message)
    }

    fn unfinished(&self) -> String {
        let Rows { line, column, columns, .. } = self;
        format!("the row that began in line {line} has {column} columns of {columns}")
    }

    fn finish(self, header: Header) -> Result<(Pla, Notes)> {
        if self.column > 0 {
            return Err(Error::new(ErrorKind::Syntax, self.unfinished()).at(self.line, 1));
        }
        let [(on, on_lines), (dc, _), (off, off_lines)] =
            self.sets.map(|set| (Cover::from_words(&self.space, set.cubes), set.lines));
        let pla = Pla {
            kind: header.kind,
            on,
            dc,
            off,
            input_labels: header.input_labels,
            output_labels: header.output_labels,
        };
        Ok((pla, Notes { warnings: header.warnings, on_lines, off_lines }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(text: &str) -> (usize, usize, usize) {
        let pla = Pla::parse(text).unwrap();
        (pla.on.len(), pla.dc.len(), pla.off.len())
    }

    fn message(text: &str) -> String {
        Pla::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn separators_comments_and_line_ends_are_free() {
        let plain = Pla::parse(".i 4\n.o 2\n01-1 10\n1-00 01\n").unwrap();
        let odd = "# c\r\n\r\n.i 4 .o 2\r\n\t01 |2 1|\r\n10 # c\r\n1-001 # more follows\n0 1\n.end\nrubbish";
        assert_eq!(Pla::parse(&odd.replace("1-001 #", "1-00 #")).unwrap().on, plain.on);
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        assert_eq!(counts("\u{feff}.i 1\n.o 1\n1 1\n"), (1, 0, 0));
        assert_eq!(message(".i 1\n\u{feff}.o 1\n").split(' ').nth(1), Some("2,"));
    }

    #[test]
    fn unsupported_is_told_from_wrong() {
        assert_eq!(Pla::parse(".symbolic a b ; c ;\n").unwrap_err().kind(), ErrorKind::Unsupported);
        assert_eq!(Pla::parse(".symbols\n").unwrap_err().kind(), ErrorKind::Syntax);
        assert_eq!(Pla::parse(".i 1\n.o 0\n").unwrap_err().kind(), ErrorKind::Unsupported);
    }
}
