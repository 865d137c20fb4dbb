//! Tables and numbers as text.

pub(super) use crate::explain::text::grouped;
use comfy_table::{CellAlignment, Table, presets};

/// Returns `lines`, of the same number of cells, as text in columns two spaces apart. The first column is left-aligned, the
/// others right-aligned. No line ends with spaces.
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

/// Returns a ratio in percent: `9.02 %`, from 10 % on with one decimal.
pub fn percent(ratio: f64) -> String {
    if ratio < 0.0995 { format!("{:.2} %", 100.0 * ratio) } else { format!("{:.1} %", 100.0 * ratio) }
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn percents_from_ten_on_have_one_decimal() {
        assert_eq!([0.090_21, 0.0996, 0.288].map(percent), ["9.02 %", "10.0 %", "28.8 %"]);
    }
}
