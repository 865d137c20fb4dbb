//! The reader: divides lines into keywords, names, rows, comments and other text.

use super::header::{Cursor, Header, Problem};
use super::lists::is_of_row;
use super::regroup::regroup;
use super::rows::{Read, Rows};
use super::{Notes, Phase, Pla, PlaType, SymbolicOutput};
use crate::{Error, ErrorKind, Result};
use std::io::{BufRead, Read as _};

/// Limit on the length of a line without its line feed, in bytes.
const MAX_LINE: usize = 1 << 24;

/// Some editors put this before the first line of UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Refuses text in UTF-16, which editors mark at its beginning.
pub(crate) fn expect_utf8(text: &[u8]) -> Result<()> {
    if matches!(text, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        return Err(Error::new(ErrorKind::Syntax, "the text is in UTF-16: save it in UTF-8").at(1, 1));
    }
    Ok(())
}

/// Reads line `number` of a text, counted from one, without a byte-order mark. Returns `false` at the end.
pub(crate) fn next_line(text: &mut impl BufRead, line: &mut Vec<u8>, number: usize) -> Result<bool> {
    line.clear();
    let length = text.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', line)?;
    if line.strip_suffix(b"\n").unwrap_or(line).len() > MAX_LINE {
        let message = format!("a line of more than {MAX_LINE} bytes is not supported");
        return Err(Error::new(ErrorKind::Unsupported, message).at(number, 1));
    }
    if number == 1 {
        expect_utf8(line)?;
        if line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
    }
    Ok(length > 0)
}

/// Reads one PLA after another from a text, each up to its `.e` or `.end`.
///
/// # Example
/// ```
/// use espresso::pla::Reader;
/// // An end mark too many is no PLA.
/// let mut reader = Reader::new(".i 1\n.o 1\n1 1\n.e\n.e\n.i 2\n.o 1\n11 1\n.e\n".as_bytes());
/// let mut inputs = Vec::new();
/// while let Some((pla, _)) = reader.next_pla()? {
///     inputs.push(pla.space().inputs());
/// }
/// assert_eq!(inputs, [1, 2]);
/// # Ok::<(), espresso::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    text: R,
    kind: PlaType,
    is_kiss: bool,
    line: usize,
}

impl<R: BufRead> Reader<R> {
    /// Returns the reader of the PLAs in a text; one without `.type` is of type fd.
    pub fn new(reader: R) -> Self {
        Reader { text: reader, kind: PlaType::default(), is_kiss: false, line: 0 }
    }

    /// Sets the type of a PLA without `.type`.
    #[must_use]
    pub fn with_type(self, kind: PlaType) -> Self {
        Reader { kind, ..self }
    }

    /// Sets whether each PLA is read as with `.kiss`.
    #[must_use]
    pub fn with_kiss(self, is_kiss: bool) -> Self {
        Reader { is_kiss, ..self }
    }

    /// Reads the next PLA; `None` if only comments, blank lines and end marks come before the end of the text.
    ///
    /// # Errors
    /// As [`Pla::read`]. Lines are counted from the beginning of the text.
    pub fn next_pla(&mut self) -> Result<Option<(Pla, Notes)>> {
        self.read(true)
    }

    /// Reads the first PLA of the text.
    ///
    /// # Errors
    /// As [`Pla::read`]; in an empty text the sizes are missing.
    pub fn only_pla(mut self) -> Result<(Pla, Notes)> {
        let read = self.read(false)?;
        read.ok_or_else(|| Error::new(ErrorKind::Syntax, "there is no PLA").at(self.line, 1))
    }

    /// Reads a PLA. With `may_be_none`, only comments, blank lines and end marks give `None`.
    fn read(&mut self, may_be_none: bool) -> Result<Option<(Pla, Notes)>> {
        let mut header = Header::new(self.kind, self.is_kiss);
        let mut rows = None;
        let mut line = Vec::new();
        let mut is_any = false;
        loop {
            self.line += 1;
            let number = self.line;
            if !next_line(&mut self.text, &mut line, number)? {
                break;
            }
            // An end mark alone is not a PLA.
            let text = line.trim_ascii();
            is_any |= text.first().is_some_and(|&byte| byte != b'#') && !matches!(text, b".e" | b".end");
            header.line = number;
            match take_line(&mut header, &mut rows, &line, number) {
                Ok(true) => {}
                // A second end mark of the PLA before.
                Ok(false) if may_be_none && !is_any => {}
                Ok(false) => break,
                Err(problem) => {
                    return Err(rows_out_of_step(rows).unwrap_or_else(|| located(&problem, &line, number)));
                }
            }
        }
        let number = self.line;
        let end = |problem: Problem| located(&problem, &[], number);
        header.end_names().map_err(end)?;
        let rows = match rows {
            Some(rows) if rows.column > 0 => {
                let error = Error::new(ErrorKind::Syntax, rows.unfinished()).at(rows.line, 1);
                return Err(rows_out_of_step(Some(rows)).unwrap_or(error));
            }
            Some(rows) => rows,
            None if may_be_none && !is_any => return Ok(None),
            None => Rows::new(&header, 0).map_err(end)?,
        };
        let mut notes = Notes { warnings: std::mem::take(&mut header.warnings), ..Notes::default() };
        let pla = finish(header, rows.finish(), &mut notes)?;
        Ok(Some((pla, notes)))
    }
}

/// The error at the first line with more columns than a row, if there is one: later errors are its consequence.
fn rows_out_of_step(rows: Option<Rows>) -> Option<Error> {
    let rows = rows?;
    let (number, line, at) = rows.overfull.as_ref()?;
    Some(located(&Problem::syntax(*at, rows.too_long()), line, *number))
}

/// The error for `problem` in line `number`.
pub(crate) fn located(problem: &Problem, line: &[u8], number: usize) -> Error {
    let before = String::from_utf8_lossy(&line[..problem.at.min(line.len())]);
    Error::new(problem.kind, problem.message.as_str())
        .at(number, before.chars().count() + 1)
        .with_line(&String::from_utf8_lossy(line))
}

/// Reads one line: continued names, keywords, characters of rows, comments, and other text. Returns `false` after an end mark.
fn take_line(
    header: &mut Header,
    rows: &mut Option<Rows>,
    line: &[u8],
    number: usize,
) -> std::result::Result<bool, Problem> {
    let mut cursor = Cursor { line, at: 0 };
    let text = line.trim_ascii();
    if let Some(list) = header.list.as_ref().filter(|_| !text.is_empty() && text[0] != b'#') {
        if text[0] != b'.' && list.goes_on(line) {
            header.more_names(&mut cursor)?;
        } else {
            header.end_names()?;
        }
    }
    loop {
        let rest = &line[cursor.at..];
        let Some(skipped) = rest.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n' | 0x0c))
        else {
            return Ok(true);
        };
        cursor.at += skipped;
        let is_between_rows = rows.as_ref().is_none_or(|rows| rows.column == 0);
        match line[cursor.at] {
            b'#' => {
                header.comments.push(cursor.rest(cursor.at));
                return Ok(true);
            }
            b'.' => {
                if let Some(rows) = rows.as_ref().filter(|_| !is_between_rows) {
                    return Err(Problem::syntax(cursor.at, rows.unfinished()));
                }
                if !header.keyword(&mut cursor, rows.is_some())? {
                    return Ok(false);
                }
            }
            byte => {
                if rows.is_none() && header.is_sized() {
                    *rows = Some(Rows::new(header, cursor.at)?);
                }
                // Text of row characters alone is a row, even before the sizes: the error is then that sizes are missing.
                let is_row = rows.as_ref().map_or_else(
                    || line[cursor.at..].iter().all(|&byte| is_of_row(byte)),
                    |rows| rows.can_begin(byte),
                );
                if is_between_rows && !is_row {
                    if let Some(rows) = rows.as_ref().filter(|rows| rows.is_like(&line[cursor.at..])) {
                        return Err(rows.wrong(line, cursor.at));
                    }
                    header.warn(number, "text that is not a row is kept as a comment");
                    header.comments.push(format!("#{}", cursor.rest(cursor.at)));
                    return Ok(true);
                }
                let rows = match rows {
                    Some(rows) => rows,
                    None => rows.insert(Rows::new(header, cursor.at)?),
                };
                let was_in_step = rows.overfull.is_none();
                cursor.at = rows.take(line, cursor.at, number)?;
                if was_in_step && rows.overfull.is_some() {
                    header.warn(
                        number,
                        "a row begins after the end of another one and goes on in the next line",
                    );
                }
            }
        }
    }
}

/// The PLA of a header and rows.
fn finish(mut header: Header, read: Read, notes: &mut Notes) -> Result<Pla> {
    let [(on, on_lines), (dc, _), (off, off_lines)] = read.sets;
    let space = on.space().clone();
    let mut part_labels = vec![Vec::new(); space.inputs() - space.binary_inputs()];
    for (variable, names) in std::mem::take(&mut header.part_labels).into_iter().chain(read.names) {
        if let Some(labels) = variable.checked_sub(space.binary_inputs()).and_then(|v| part_labels.get_mut(v))
        {
            *labels = names;
        }
    }
    if header.is_kiss {
        name_next_states(&mut header, &space, &part_labels);
    }
    (notes.on_lines, notes.off_lines) = (on_lines, off_lines);
    let groups = header.symbolic_outputs.drain(..);
    let pla = Pla {
        kind: header.kind,
        on,
        dc,
        off,
        input_labels: header.input_labels.take(),
        output_labels: header.output_labels.take(),
        part_labels,
        phase: header.phase.take().map(|outputs| Phase { outputs, is_applied: false }),
        symbolic_outputs: groups
            .map(|group| SymbolicOutput { outputs: group.members, names: group.names })
            .collect(),
        comments: std::mem::take(&mut header.comments),
    };
    regroup(pla, &header.symbolic)
}

/// Puts the names of the next states, which are those of the present states, before the names of the declared outputs.
fn name_next_states(header: &mut Header, space: &crate::Space, part_labels: &[Vec<String>]) {
    let variable = space.inputs();
    let states = space.variables()[variable - 1].parts;
    let named = part_labels.last().filter(|names| !names.is_empty()).cloned();
    if named.is_some() || header.output_labels.is_some() {
        let made_up =
            |from: usize, to: usize| (from..to).map(|i| format!("v{variable}.{i}")).collect::<Vec<_>>();
        let mut labels = named.unwrap_or_else(|| made_up(0, states));
        let outputs = header.output_labels.take().unwrap_or_else(|| made_up(states, space.outputs()));
        labels.extend(outputs);
        header.output_labels = Some(labels);
    }
    if let Some(phase) = &mut header.phase {
        phase.splice(0..0, std::iter::repeat_n(true, states));
    }
    for group in &mut header.symbolic_outputs {
        group.members.iter_mut().for_each(|member| *member += states);
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
        // Elsewhere it is text and not a keyword.
        assert_eq!(
            message(".i 1\n\u{feff}.o 1\n").split(": ").nth(1),
            Some("the number of outputs (`.o` or `.mv`) is missing")
        );
    }

    #[test]
    fn the_longest_line_is_read_and_a_longer_one_is_not() {
        let with_comment = |length| format!("#{}\n.i 1\n.o 1\n1 1\n", "-".repeat(length - 1));
        assert_eq!(counts(&with_comment(MAX_LINE)), (1, 0, 0));
        assert!(message(&with_comment(MAX_LINE + 1)).contains("a line of more than 16777216 bytes"));
    }

    #[test]
    fn unsupported_text_is_distinguished_from_wrong_text() {
        assert_eq!(Pla::parse(".i 262145\n").unwrap_err().kind(), ErrorKind::Unsupported);
        assert_eq!(Pla::parse(".symbols\n").unwrap_err().kind(), ErrorKind::Syntax);
        assert_eq!(Pla::parse(".i 1\n.o 0\n").unwrap_err().kind(), ErrorKind::Unsupported);
    }

    /// Symbolic inputs change the variables, not the function: the value at every minterm stays the same.
    #[test]
    fn regrouped_inputs_keep_the_values() {
        let rows = "0--1 10\n1-0- 01\n-11- 11\n0000 01\n";
        let plain = Pla::parse(&format!(".i 4\n.o 2\n{rows}")).unwrap();
        let regrouped =
            Pla::parse(&format!(".i 4\n.o 2\n.symbolic 0 2 ; ;\n.symbolic 3 1 ; ;\n{rows}")).unwrap();
        assert_eq!(regrouped.space(), &crate::Space::new(0, &[4, 4], 2).unwrap());
        let [plain, regrouped] = [&plain, &regrouped].map(|pla| crate::Evaluator::new(&pla.on));
        for minterm in 0..16 {
            let bits: Vec<usize> = (0..4).map(|v| minterm >> v & 1).collect();
            let parts = [2 * bits[0] + bits[2], 2 * bits[3] + bits[1]];
            assert_eq!(plain.at(&bits), regrouped.at(&parts), "{bits:?}");
        }
    }

    #[test]
    fn lists_cannot_be_made_to_cost_more_than_columns() {
        let groups = (0..16).map(|g| {
            let members: Vec<String> = (0..16).map(|i| (g * 16 + i).to_string()).collect();
            format!(".symbolic {} ; ;\n", members.join(" "))
        });
        let text = format!(".i 300\n.o 1\n{}", groups.collect::<String>());
        assert_eq!(Pla::parse(&text).unwrap_err().kind(), ErrorKind::Unsupported);
        assert!(message(".i 1\n.o 1\n.ilb a\n.ilb b\n").contains("given before"));
        assert!(message(".mv 2 0 3 1\n.label var=0 a\n.label var=0 b\n").contains("given before"));
    }
}
