//! Truth tables as CSV: a header with names, then a row for each combination of inputs.

use super::{expect_consistent, text_of};
use crate::{Error, ErrorKind, Monitor, Pla, PlaType, Result};
use std::io::Read;

impl Pla {
    /// Reads a truth table as CSV. The first line has the names of the columns. The last column is the output; but if a column
    /// has an empty name, all columns after it are outputs. Fields are separated by commas, semicolons or tabs, whichever comes
    /// first in the first line, and may be in double quotes.
    ///
    /// Values are `0` and `1`; `x`, `X` or `-` is any value of an input, and a don't-care of an output. Combinations without a
    /// row are zero, but in type fr they are don't-cares.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] with line and column; [`ErrorKind::Inconsistent`] if two rows contradict each other;
    /// [`ErrorKind::Unsupported`] for text that is too long; [`ErrorKind::Io`] if `reader` fails or the text is not in UTF-8.
    ///
    /// # Example
    /// ```
    /// use espresso::{Pla, PlaType};
    /// let pla = Pla::read_csv("a,b,,sum,carry\n0,x,,x,0\n1,0,,1,0\n1,1,,0,1\n".as_bytes(), PlaType::Fd)?;
    /// let rows: Vec<String> = pla.on.cubes().map(|cube| cube.to_string()).collect();
    /// assert_eq!((rows, pla.dc.len()), (vec!["10 10".to_owned(), "11 01".to_owned()], 1));
    /// assert_eq!(pla.output_name(1), "carry");
    /// # Ok::<(), espresso::Error>(())
    /// ```
    pub fn read_csv(reader: impl Read, kind: PlaType) -> Result<Pla> {
        let text = text_of(reader)?;
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (first, header) = lines.next().ok_or_else(|| {
            Error::new(ErrorKind::Syntax, "the line with the names of the columns is missing").at(1, 1)
        })?;
        let separator = header.chars().find(|c| ",;\t".contains(*c)).unwrap_or(',');
        let wrong = |number: usize, line: &str, field: usize, message: String| {
            let before: usize =
                line.split(separator).take(field).map(|field| field.chars().count() + 1).sum();
            Error::new(ErrorKind::Syntax, message).at(number + 1, before + 1).with_line(line)
        };
        let fields = |line: &str| -> Vec<String> {
            line.split(separator).map(|field| field.trim().trim_matches('"').trim().to_owned()).collect()
        };
        let names = fields(header);
        if let Some(field) =
            names.iter().position(|name| name.contains(char::is_whitespace) || name.starts_with('#'))
        {
            let message =
                format!("`{}` is no name: a name has no blanks and does not begin with #", names[field]);
            return Err(wrong(first, header, field, message));
        }
        let gap = names.iter().position(String::is_empty);
        let inputs = gap.unwrap_or(names.len() - 1);
        let outputs = inputs + usize::from(gap.is_some());
        let wanted = names[outputs..].len();
        if wanted == 0 || names[outputs..].contains(&String::new()) {
            let what = "after an empty name, the others are those of outputs";
            return Err(wrong(first, header, names.len() - 1, what.to_owned()));
        }
        // Each row keeps its line.
        let mut rows = "\n".repeat(first) + &format!(".i {inputs} .o {wanted} .type fdr");
        let mut last = first;
        for (number, line) in lines {
            rows.extend(std::iter::repeat_n('\n', number - last));
            last = number;
            let values = fields(line);
            if values.len() != names.len() {
                let message = format!("{} fields, and {} in the first line", values.len(), names.len());
                return Err(wrong(number, line, values.len().min(names.len()), message));
            }
            for (field, value) in values.iter().enumerate().filter(|&(field, _)| Some(field) != gap) {
                rows.push(match value.as_str() {
                    "0" | "1" => value.chars().next().unwrap_or('0'),
                    "x" | "X" | "-" => '-',
                    _ => {
                        let message = format!("`{}` is not a value: use 0, 1 or x", value.escape_debug());
                        return Err(wrong(number, line, field, message));
                    }
                });
            }
        }
        let (pla, notes) = Pla::read_with_notes(rows.as_bytes(), kind)?;
        expect_consistent(&pla, &notes, Monitor::default())?;
        let labels = |names: &[String]| Some(names.to_vec()).filter(|names| !names.is_empty());
        let (input_labels, output_labels) = (labels(&names[..inputs]), labels(&names[outputs..]));
        Ok(Pla { input_labels, output_labels, ..pla.only(kind) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_with_any_separator() {
        let expected = Pla::parse(".i 2\n.o 1\n.ilb a b\n.ob f\n00 1\n01 -\n11 1\n").unwrap();
        for text in [
            "a,b,f\n0,0,1\n0,1,x\n1,0,0\n1,1,1\n",
            "\u{feff}a;b;f\r\n0;0;1\r\n\r\n0;1;X\r\n1;1;1",
            "\"a\"\tb\t\tf\n\"0\"\t0\t\t1\n0\t1\t\t-\n 1\t1 \t\t1\n",
        ] {
            assert_eq!(Pla::read_csv(text.as_bytes(), PlaType::Fd).unwrap(), expected, "{text}");
        }
        let open = Pla::read_csv("a,f\n0,1\n".as_bytes(), PlaType::Fr).unwrap();
        assert_eq!((open.kind, crate::Function::from_pla(&open).unwrap().dc.len()), (PlaType::Fr, 1));
    }

    #[test]
    fn errors_are_at_the_field() {
        for (text, line, column) in [
            ("", 1, 1),
            ("a,,\n", 1, 4),
            ("a,b,f\n0,y,1\n", 2, 3),
            ("a,b,f\n0,1\n", 2, 5),
            ("a,b,f\n0,1,1,0\n", 2, 7),
        ] {
            let error = Pla::read_csv(text.as_bytes(), PlaType::Fd).unwrap_err();
            assert_eq!((error.line(), error.column()), (Some(line), Some(column)), "{text}: {error}");
        }
        let clash = Pla::read_csv("a,b,f\n0,x,1\n\n0,1,0\n".as_bytes(), PlaType::Fd).unwrap_err();
        assert_eq!(clash.kind(), ErrorKind::Inconsistent);
        assert!(clash.to_string().ends_with(": lines 2 and 4"), "{clash}");
    }
}
