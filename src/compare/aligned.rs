//! Tables as text.

use comfy_table::{CellAlignment, Table, presets};

/// Returns lines of as many cells as text, two spaces between columns: the first to the left, the others to the right. No
/// line ends with spaces; each ends with a line feed.
pub fn aligned<L: IntoIterator<Item = impl Into<String>>>(lines: impl IntoIterator<Item = L>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.add_rows(
        lines.into_iter().map(|line| line.into_iter().map(Into::<String>::into).collect::<Vec<_>>()),
    );
    for (at, column) in table.column_iter_mut().enumerate() {
        let alignment = if at == 0 { CellAlignment::Left } else { CellAlignment::Right };
        column.set_padding((0, 2)).set_cell_alignment(alignment);
    }
    table.lines().fold(String::new(), |text, line| text + line.trim_end() + "\n")
}
