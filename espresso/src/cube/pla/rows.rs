//! The rows of a PLA: converts characters and symbols to cubes.
//!
//! The inputs of a row are collected in a scratch cube, and its outputs in one more for each set. After the last column, the
//! cubes of the row are appended to the sets.

use super::header::{Header, Problem};
use crate::error::counted;
use crate::{Cover, ErrorKind, Space, limits};
use std::collections::HashMap;

/// The cubes of F, D or R read so far.
#[derive(Clone)]
struct SetRows {
    /// Whether the type of the PLA has the set.
    is_wanted: bool,
    cubes: Vec<u64>,
    /// The lines in which the rows of the cubes begin. Kept if the type has R: then F and R may contradict each other.
    lines: Vec<u32>,
    /// The outputs of the row being read.
    outputs: Vec<u64>,
}

/// The names in a symbolic column, each with its part.
#[derive(Default)]
struct Symbols {
    names: Vec<String>,
    parts: HashMap<String, usize>,
}

impl Symbols {
    /// The part of `name`, or a new part; `None` if all `most` parts are taken.
    fn part(&mut self, name: &str, most: usize) -> Option<usize> {
        if let Some(&part) = self.parts.get(name) {
            return Some(part);
        }
        let part = self.names.len();
        (part < most).then(|| {
            self.names.push(name.to_owned());
            self.parts.insert(name.to_owned(), part);
            part
        })
    }
}

/// Whether a word in a symbolic column is a name, rather than a mark for all parts or none.
pub(crate) fn is_name(word: &str) -> bool {
    !matches!(word, "-" | "ANY" | "~")
}

/// The character at byte `at` of a line, for a message.
pub(crate) fn character(line: &[u8], at: usize) -> String {
    let text = String::from_utf8_lossy(&line[at..line.len().min(at + 4)]);
    text.chars().next().unwrap_or(' ').escape_default().to_string()
}

/// A symbolic column: the first of the columns that it stands for, their number, and the number of its table of names.
struct SymbolicColumn {
    first: usize,
    parts: usize,
    table: usize,
}

/// The rows read so far, and the one being read.
pub(super) struct Rows {
    pub space: Space,
    binary: usize,
    inputs: usize,
    columns: usize,
    /// Number of states of a machine; as next states they are the first outputs.
    next_state: usize,
    symbolic: Vec<SymbolicColumn>,
    /// A table of names for each multi-valued input.
    tables: Vec<Symbols>,
    /// F, D and R.
    sets: [SetRows; 3],
    /// The next column of the row being read.
    pub column: usize,
    /// The line in which the row being read began.
    pub line: usize,
    cube: Vec<u64>,
    /// The first line in which one row ends and another begins but does not end: its number, its text, and the byte at which
    /// the unfinished row begins.
    pub overfull: Option<(usize, Vec<u8>, usize)>,
    /// Whether an input of the row being read allows no value.
    empty: bool,
    /// Number of words in all sets at which the available memory is checked again.
    look_at: usize,
}

/// Number of words read before the first check of the available memory.
const FIRST_LOOK: usize = 1 << 24;

/// The result of reading: F, D and R with the lines of their cubes, and the names of symbolic columns.
pub(super) struct Read {
    pub sets: [(Cover, Vec<u32>); 3],
    /// The variable and the names of each symbolic column.
    pub names: Vec<(usize, Vec<String>)>,
}

/// A name as text: in UTF-8, or else in Latin-1, so that different names stay different.
pub(super) fn decoded(name: &[u8]) -> String {
    std::str::from_utf8(name).map_or_else(|_| name.iter().copied().map(char::from).collect(), str::to_owned)
}

impl Rows {
    pub fn new(header: &Header, at: usize) -> Result<Self, Problem> {
        let space = header.space(at)?;
        let binary = space.binary_inputs();
        let (lines, cubes, outputs) = (Vec::new(), Vec::new(), vec![0; space.words()]);
        let set = SetRows { is_wanted: true, cubes, lines, outputs };
        let inputs = space.output().first - binary;
        let declared = header.multi_valued();
        let next_state = declared.last().filter(|_| header.is_kiss).map_or(0, |&(_, parts, _)| parts);
        let mut tables: Vec<Symbols> = declared.iter().map(|_| Symbols::default()).collect();
        for (table, &(_, parts, is_symbolic)) in declared.iter().enumerate() {
            let given = header.part_labels.get(&(binary + table)).filter(|_| is_symbolic);
            for name in given.into_iter().flatten() {
                tables[table].part(name, parts);
            }
        }
        let symbolic = declared.iter().enumerate().filter(|(_, (_, _, is_symbolic))| *is_symbolic);
        let symbolic = symbolic.map(|(number, &(first, parts, _))| SymbolicColumn {
            first,
            parts,
            // The next state shares its names with the present state.
            table: if first >= inputs { number - 1 } else { number },
        });
        Ok(Rows {
            binary,
            inputs,
            columns: space.bits() - binary,
            next_state,
            symbolic: symbolic.collect(),
            tables,
            sets: [header.kind.has_on(), header.kind.has_dc(), header.kind.has_off()]
                .map(|is_wanted| SetRows { is_wanted, ..set.clone() }),
            column: 0,
            line: 0,
            overfull: None,
            cube: vec![0; space.words()],
            empty: false,
            look_at: FIRST_LOOK,
            space,
        })
    }

    /// Whether a row can begin with the byte.
    pub fn can_begin(&self, byte: u8) -> bool {
        self.symbolic_here().is_some() || b"01-234~?|".contains(&byte)
    }

    /// Whether a text is most likely a row with a wrong character: it has as many characters as a row has columns, and a 0 or a 1.
    pub fn is_like(&self, text: &[u8]) -> bool {
        let signs = || text.iter().filter(|&&byte| !byte.is_ascii_whitespace() && byte != b'|');
        self.symbolic.is_empty()
            && signs().count() == self.columns
            && signs().any(|byte| b"01".contains(byte))
    }

    /// The next column, if it is symbolic.
    fn symbolic_here(&self) -> Option<&SymbolicColumn> {
        self.symbolic.iter().find(|symbolic| symbolic.first == self.column)
    }

    /// Reads row characters from byte `at` of the line. Returns the start of a keyword, a comment or other text, or the end of
    /// the line.
    pub fn take(&mut self, line: &[u8], at: usize, number: usize) -> Result<usize, Problem> {
        let (mut i, mut begun, mut rows) = (at, at, 0);
        while let Some(&byte) = line.get(i) {
            match byte {
                b' ' | b'|' | b'\t' | b'\n' | b'\r' | 0x0c => {
                    i += 1;
                    continue;
                }
                b'#' => break,
                b'.' if self.column == 0 => return Ok(i),
                _ if self.column == 0 && !self.can_begin(byte) => return Ok(i),
                _ => {}
            }
            if self.column == 0 {
                (self.line, begun) = (number, i);
            }
            if self.symbolic_here().is_some() {
                i = self.symbol(line, i)?;
            } else {
                let read = if self.column < self.binary {
                    self.binary_input(byte)
                } else if self.column < self.inputs {
                    self.part(byte)
                } else if self.column < self.inputs + self.next_state {
                    self.output(byte) && matches!(byte, b'0' | b'1')
                } else {
                    self.output(byte)
                };
                if !read {
                    return Err(self.wrong(line, i));
                }
                self.column += 1;
                i += 1;
            }
            if self.column == self.columns {
                self.end_row(i)?;
                rows += 1;
            }
        }
        if rows > 0 && self.column > 0 && self.overfull.is_none() {
            self.overfull = Some((number, line.to_vec(), begun));
        }
        Ok(i)
    }

    /// Reads the name at byte `at` and returns its end.
    fn symbol(&mut self, line: &[u8], at: usize) -> Result<usize, Problem> {
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'|';
        let end = line[at..].iter().position(is_end).map_or(line.len(), |length| at + length);
        let name = decoded(&line[at..end]);
        let Some(&SymbolicColumn { first, parts, table }) = self.symbolic_here() else { return Ok(at) };
        let is_next_state = first >= self.inputs;
        let chosen = match name.as_str() {
            name if is_name(name) => {
                let part = self.tables[table].part(name, parts).ok_or_else(|| {
                    let name: String = name.chars().take(32).collect();
                    let parts = counted(parts, "part");
                    let message = format!("`{name}` is a name too many: its column has {parts}");
                    Problem::syntax(at, message)
                })?;
                part..part + 1
            }
            "~" => 0..0,
            _ if is_next_state => 0..0,
            _ => 0..parts,
        };
        for part in if is_next_state && name == "~" { 0..0 } else { 0..parts } {
            let bit = self.binary + first + part;
            if is_next_state {
                let set = if chosen.contains(&part) { &mut self.sets[0] } else { &mut self.sets[2] };
                if set.is_wanted {
                    set.outputs[bit / 64] |= 1 << (bit % 64);
                }
            } else if chosen.contains(&part) {
                self.cube[bit / 64] |= 1 << (bit % 64);
            }
        }
        self.column += parts;
        Ok(end)
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

    fn end_row(&mut self, at: usize) -> Result<(), Problem> {
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
        self.expect_room(at)
    }

    /// Refuses rows that do not fit into memory. A row with a short name in a symbolic column may be a cube of many words.
    fn expect_room(&mut self, at: usize) -> Result<(), Problem> {
        let words: usize = self.sets.iter().map(|set| set.cubes.len()).sum();
        if words < self.look_at {
            return Ok(());
        }
        self.look_at = 2 * words;
        match limits::available_memory(0) {
            Some(bytes) if bytes < 8 * words as u64 => Err(Problem {
                at,
                kind: ErrorKind::Unsupported,
                message: "the rows do not fit into the available memory".into(),
            }),
            _ => Ok(()),
        }
    }

    /// The error that byte `at` of the line is not valid in the next column.
    pub fn wrong(&self, line: &[u8], at: usize) -> Problem {
        let found = character(line, at);
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

    pub fn too_long(&self) -> String {
        format!("the line has more columns than a row, which has {}", self.columns)
    }

    pub fn unfinished(&self) -> String {
        let Rows { line, column, columns, .. } = self;
        format!("the row that began in line {line} has {column} of {columns} columns")
    }

    /// The result; the last row must be complete.
    pub fn finish(self) -> Read {
        let binary = self.binary;
        let named = |column: &&SymbolicColumn| column.first < self.inputs;
        let tables = &self.tables;
        let names = self.symbolic.iter().filter(named).map(|&SymbolicColumn { parts, table, .. }| {
            let mut names = tables[table].names.clone();
            names.extend((names.len()..parts).map(|part| format!("v{}.{part}", binary + table)));
            (binary + table, names)
        });
        Read {
            names: names.collect(),
            sets: self.sets.map(|set| (Cover::from_words(&self.space, set.cubes), set.lines)),
        }
    }
}
