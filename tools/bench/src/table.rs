//! A table of results, printed as aligned text or as CSV.

use crate::Format;
use cubebase::compare;
use std::io::{self, Write};

/// Named columns and rows of cells. The first column is text, the others are figures.
#[derive(Debug)]
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Returns the table of the given columns, without rows.
    pub fn new(head: &[&str]) -> Self {
        Table { head: head.iter().map(ToString::to_string).collect(), rows: Vec::new() }
    }

    /// Appends a row: a cell for each column.
    pub fn push(&mut self, row: Vec<String>) {
        debug_assert_eq!(row.len(), self.head.len());
        self.rows.push(row);
    }

    /// Writes the table.
    pub fn write(&self, out: &mut impl Write, format: Format) -> io::Result<()> {
        let lines = std::iter::once(&self.head).chain(&self.rows);
        match format {
            Format::Csv => lines.map(|line| line.join(",")).try_for_each(|line| writeln!(out, "{line}")),
            Format::Text => out.write_all(compare::aligned(lines).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_aligned_and_csv_is_not() {
        let mut table = Table::new(&["name", "cubes"]);
        table.push(vec!["a".into(), "7".into()]);
        table.push(vec!["longer".into(), "1234567".into()]);
        let written = |format| {
            let mut out = Vec::new();
            table.write(&mut out, format).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written(Format::Text), "name      cubes\na             7\nlonger  1234567\n");
        assert_eq!(written(Format::Csv), "name,cubes\na,7\nlonger,1234567\n");
    }
}
