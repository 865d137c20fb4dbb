//! Tables of results: aligned text, or CSV after comments with machine, commit and command.

use crate::Format;
use cubebase::cli::aligned;
use std::io::{self, Write};
use std::process::Command;

/// Lines with equally many cells; the first line has the names of the columns. The first column is text, the others figures.
pub type Table = Vec<Vec<String>>;

/// An empty table with these columns, separated by commas.
pub fn with_columns(names: &str) -> Table {
    vec![names.split(',').map(str::to_string).collect()]
}

/// Writes the table; before CSV, comments about its origin.
pub fn write(table: &Table, format: Format, out: &mut impl Write) -> io::Result<()> {
    if format == Format::Csv {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        writeln!(out, "# cubebase-bench {}", arguments.join(" "))?;
        writeln!(out, "# cpu: {}, threads: {threads}", cpu().unwrap_or("unknown".into()))?;
        writeln!(out, "# commit: {}", commit().unwrap_or("unknown".into()))?;
    }
    out.write_all(text(table, format).as_bytes())
}

pub fn text(table: &Table, format: Format) -> String {
    match format {
        Format::Csv => table.iter().map(|line| line.join(",") + "\n").collect(),
        Format::Text => aligned(table),
    }
}

pub fn cpu() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

fn commit() -> Option<String> {
    let output = Command::new("git").args(["describe", "--always", "--dirty"]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_aligned_and_csv_is_not() {
        let table = ["name,cubes", "a,7", "longer,1234567"].map(with_columns).concat();
        assert_eq!(text(&table, Format::Text), "name      cubes\na             7\nlonger  1234567\n");
        assert_eq!(text(&table, Format::Csv), "name,cubes\na,7\nlonger,1234567\n");
    }
}
