//! Truth tables as text: a line of `0`, `1` and `-` for each output.

use crate::cube::pla::{Problem, character, located, next_line};
use crate::{Cover, Error, ErrorKind, Pla, PlaType, Result, Space};
use std::io::BufRead;

impl Pla {
    /// Reads truth tables: a line for each output, with the value at each minterm. The first input is the highest bit of a
    /// minterm's number. `-`, `2`, `x` or `X` is a don't-care. Blanks, `_` and a byte-order mark are ignored; `#` begins a
    /// comment, which is kept.
    ///
    /// The PLA is of type fd; its cubes are minterms. O(characters); at most one cube for each value that is not zero.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] with line and column for other characters, for a length that is not a power of two, for lines of
    /// different lengths, and if there is no table; [`ErrorKind::Unsupported`] for lines of more than 2^24 bytes;
    /// [`ErrorKind::Io`] if `reader` fails.
    ///
    /// # Example
    /// ```
    /// use espresso::Pla;
    /// let pla = Pla::read_truth_tables("0110 # exclusive or\n0--1\n".as_bytes())?;
    /// let rows: Vec<String> = pla.on.cubes().map(|cube| cube.to_string()).collect();
    /// assert_eq!(rows, ["01 10", "10 10", "11 01"]);
    /// assert_eq!(pla.dc.len(), 2);
    /// # Ok::<(), espresso::Error>(())
    /// ```
    pub fn read_truth_tables(mut reader: impl BufRead) -> Result<Pla> {
        let (mut tables, mut comments) = (Vec::<Vec<u8>>::new(), Vec::new());
        let mut line = Vec::new();
        let mut number = 1;
        while next_line(&mut reader, &mut line, number)? {
            let (table, comment) = values(&line, number)?;
            comments.extend(comment);
            number += 1;
            let Some(table) = table else { continue };
            let wrong = |message: String| Err(located(&Problem::syntax(0, message), &line, number - 1));
            if !table.len().is_power_of_two() {
                return wrong(format!("a truth table has 2^n values, not {}", table.len()));
            }
            if let Some(first) = tables.first().filter(|first| first.len() != table.len()) {
                return wrong(format!(
                    "this table has {} values, the first has {}",
                    table.len(),
                    first.len()
                ));
            }
            tables.push(table);
        }
        if tables.is_empty() {
            return Err(Error::new(ErrorKind::Syntax, "there is no truth table").at(number, 1));
        }
        let pla = of_tables(&tables)?;
        Ok(Pla { comments, ..pla })
    }
}

/// The values in a line, if there are any, and the comment after them.
fn values(line: &[u8], number: usize) -> Result<(Option<Vec<u8>>, Option<String>)> {
    let mut table = Vec::new();
    for (i, &byte) in line.iter().enumerate() {
        match byte {
            b'0' | b'1' => table.push(byte),
            b'-' | b'2' | b'x' | b'X' => table.push(b'-'),
            b'_' => {}
            byte if byte.is_ascii_whitespace() => {}
            b'#' => {
                let comment = String::from_utf8_lossy(line[i..].trim_ascii_end()).into_owned();
                return Ok((Some(table).filter(|table| !table.is_empty()), Some(comment)));
            }
            _ => {
                let message =
                    format!("`{}` is not a value of a truth table: use 0, 1 or -", character(line, i));
                return Err(located(&Problem::syntax(i, message), line, number));
            }
        }
    }
    Ok((Some(table).filter(|table| !table.is_empty()), None))
}

/// The PLA of tables of one length, a power of two.
fn of_tables(tables: &[Vec<u8>]) -> Result<Pla> {
    let minterms = tables[0].len();
    let inputs = minterms.ilog2() as usize;
    let space = Space::binary(inputs, tables.len())?;
    let [mut on, mut dc] = [Cover::new(&space), Cover::new(&space)];
    let mut cube = vec![0; space.words()];
    for minterm in 0..minterms {
        for (cover, wanted) in [(&mut on, b'1'), (&mut dc, b'-')] {
            if !tables.iter().any(|table| table[minterm] == wanted) {
                continue;
            }
            cube.fill(0);
            (0..inputs).for_each(|v| space.set(&mut cube, v, minterm >> (inputs - 1 - v) & 1));
            let outputs = (0..tables.len()).filter(|&output| tables[output][minterm] == wanted);
            outputs.for_each(|output| space.set(&mut cube, inputs, output));
            cover.push(&cube);
        }
    }
    Ok(Pla { kind: PlaType::Fd, dc, ..Pla::from_cover(on) })
}
