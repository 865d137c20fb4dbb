//! Tables and numbers as text.

use comfy_table::{CellAlignment, Table, presets};

/// Returns `lines` as text in columns two spaces apart, the first column left-aligned, the others right-aligned. Lines
/// need the same number of cells. Each ends with a line feed and has no spaces before it.
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

/// Returns a number with commas between its thousands: `1,262,704`.
pub fn grouped(number: impl Into<u64>) -> String {
    let digits = number.into().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a ratio in percent: `9.02 %`, from 10 % on with one decimal.
pub fn percent(ratio: f64) -> String {
    if ratio < 0.0995 { format!("{:.2} %", 100.0 * ratio) } else { format!("{:.1} %", 100.0 * ratio) }
}

#[cfg(test)]
mod tests {
    use super::{grouped, percent};

    #[test]
    fn percents_from_ten_on_have_one_decimal() {
        assert_eq!([0.090_21, 0.0996, 0.288].map(percent), ["9.02 %", "10.0 %", "28.8 %"]);
    }

    #[test]
    fn digits_stand_in_threes() {
        let texts = [0_u64, 999, 1000, 12_345, 1_262_704, u64::MAX].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "12,345", "1,262,704", "18,446,744,073,709,551,615"]);
    }
}
