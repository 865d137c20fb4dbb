//! Positions from the command line or, line by line, from standard input; an answer for each, in order.
//!
//! An error about a position on the command line goes to standard error. For standard input, and in JSON, an error stands
//! in place of the answer, so that the n-th answer always belongs to the n-th position. The answer to a blank line is blank.
//!
//! Standard input is read in blocks: the available bytes, up to a limit. All threads answer the lines of a block, and the
//! answers are written before more is read. So a typed line is answered at once, a file is answered at full speed, and
//! memory use does not depend on the length of the input.

use super::values::Format;
use super::{complain, not_written, one_line, usage};
use crate::error::{Error, ErrorKind, Result};
use rayon::prelude::*;
use serde_json::json;
use std::io::{self, Read, Write};
use std::process::ExitCode;

/// Appends the answer to a FEN; on an error appends nothing.
type Answer<'a> = dyn Fn(&str, &mut Vec<u8>) -> Result<()> + Sync + 'a;

/// The layout of answers.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub(super) format: Format,
    /// Text after each answer if there are several.
    pub(super) separator: &'static str,
    /// Largest block of standard input in bytes. The answers to one block are in memory together.
    pub(super) block: usize,
}

/// Limit for a line of input in bytes, its end included. No FEN is as long.
const MAX_LINE: usize = 4096;

/// Pieces of a block: more than most machines have threads, so that all threads finish at about the same time.
const PIECES: usize = 64;

/// Answers each position, or each line of standard input for `-`. Exit status 3 if any answer was an error.
pub(super) fn answer_all(positions: &[String], mut layout: Layout, answer: &Answer) -> Result<ExitCode> {
    check_quoted(positions)?;
    let are_several = positions.len() > 1 || positions.iter().any(|position| position == "-");
    if !are_several {
        layout.separator = "";
    }
    let mut out = io::stdout().lock();
    let mut failed = false;
    for position in positions {
        if position == "-" {
            failed |= answer_lines(&mut io::stdin().lock(), &mut out, layout, answer)?;
            continue;
        }
        let mut text = Vec::new();
        match answer(position, &mut text) {
            Err(error) if layout.format == Format::Text => {
                complain(&if are_several { error.context(format_args!("'{position}'")) } else { error });
                failed = true;
                continue;
            }
            answered => failed |= finish(answered, position, layout, &mut text),
        }
        out.write_all(&text).and_then(|()| out.flush()).map_err(not_written)?;
    }
    Ok(if failed { ExitCode::from(3) } else { ExitCode::SUCCESS })
}

/// Appends the error if the answer failed, and the separator. Returns whether it failed.
fn finish(answered: Result<()>, fen: &str, layout: Layout, out: &mut Vec<u8>) -> bool {
    let failed = answered.is_err();
    if let Err(error) = answered {
        let line = match layout.format {
            Format::Text => format!("error: {}\n", one_line(&error)),
            Format::Json => {
                let fields = json!({ "status": error.kind().name(), "error": error.to_string(), "fen": fen });
                format!("{fields}\n")
            }
        };
        out.extend(line.bytes());
    }
    out.extend(layout.separator.bytes());
    failed
}

/// Answers each line of an input. Returns whether any answer was an error.
fn answer_lines(
    input: &mut impl Read,
    out: &mut impl Write,
    layout: Layout,
    answer: &Answer,
) -> Result<bool> {
    let block = layout.block;
    let mut buffer = vec![0; MAX_LINE + block];
    // The first `kept` bytes of the buffer are a line that is not complete yet.
    let (mut kept, mut failed, mut is_first) = (0, false, true);
    loop {
        let count = match input.read(&mut buffer[kept..kept + block]) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                return Err(Error::with_source(ErrorKind::Io, "cannot read standard input", error));
            }
        };
        let all = kept + count;
        let last_end = buffer[kept..all].iter().rposition(|&byte| byte == b'\n').map(|at| kept + at + 1);
        // The last line of the input may lack a line feed.
        let ready = if count == 0 { all } else { last_end.unwrap_or(0) };
        if ready > 0 {
            let is_first = std::mem::take(&mut is_first);
            if is_first && (buffer.starts_with(&[0xff, 0xfe]) || buffer.starts_with(&[0xfe, 0xff])) {
                let why = "standard input is text in UTF-16: convert it to UTF-8";
                return Err(Error::new(ErrorKind::BadInput, why));
            }
            let mark = "\u{feff}".as_bytes();
            let is_marked = is_first && buffer[..ready].starts_with(mark);
            let lines = &buffer[if is_marked { mark.len() } else { 0 }..ready];
            failed |= answer_block(lines, out, layout, answer)?;
        }
        if count == 0 {
            return Ok(failed);
        }
        // A line over the limit keeps just enough bytes to be recognized as such.
        kept = (all - ready).min(MAX_LINE);
        buffer.copy_within(ready..ready + kept, 0);
    }
}

/// Answers complete lines, on all threads if there are many.
fn answer_block(lines: &[u8], out: &mut impl Write, layout: Layout, answer: &Answer) -> Result<bool> {
    let size = (lines.len() / PIECES).max(MAX_LINE / 4);
    let pieces = pieces(lines, size);
    let answers: Vec<(Vec<u8>, bool)> = if pieces.len() == 1 {
        vec![answer_piece(lines, layout, answer)]
    } else {
        pieces.into_par_iter().map(|piece| answer_piece(piece, layout, answer)).collect()
    };
    let mut failed = false;
    for (text, has_failed) in answers {
        out.write_all(&text).map_err(not_written)?;
        failed |= has_failed;
    }
    out.flush().map_err(not_written)?;
    Ok(failed)
}

/// Cuts the block into pieces of complete lines. Each piece but the last ends with the first line that reaches `size`.
fn pieces(lines: &[u8], size: usize) -> Vec<&[u8]> {
    let (mut pieces, mut rest) = (Vec::new(), lines);
    while rest.len() > size {
        let end = rest[size..].iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| size + at + 1);
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    if !rest.is_empty() || pieces.is_empty() {
        pieces.push(rest);
    }
    pieces
}

fn answer_piece(lines: &[u8], layout: Layout, answer: &Answer) -> (Vec<u8>, bool) {
    let (mut out, mut failed) = (Vec::with_capacity(lines.len() / 4), false);
    for line in lines.split_inclusive(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        failed |= if line.len() >= MAX_LINE {
            let why = format!("a line of more than {MAX_LINE} bytes is no FEN");
            finish(Err(Error::new(ErrorKind::BadInput, why)), "", layout, &mut out)
        } else {
            // A line that is not UTF-8 is a bad FEN and must not stop the others.
            let line = String::from_utf8_lossy(line);
            let line = line.trim_end_matches('\r');
            if line.trim().is_empty() {
                out.push(b'\n');
                out.extend(layout.separator.bytes());
                continue;
            }
            finish(answer(line, &mut out), line, layout, &mut out)
        };
    }
    (out, failed)
}

/// Refuses an unquoted FEN of either game, which the shell has split into words.
fn check_quoted(positions: &[String]) -> Result<()> {
    let [board, turn, ..] = positions else { return Ok(()) };
    let is_board = [7, 9].contains(&board.matches('/').count()) && !board.contains(' ');
    if is_board && ["w", "r", "b"].contains(&turn.as_str()) {
        return Err(usage(format!("a FEN has spaces: quote it, as in \"{}\"", positions.join(" "))));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that returns a few bytes at a time.
    struct Drips<'a> {
        text: &'a [u8],
        sizes: Vec<usize>,
    }

    impl Read for Drips<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.sizes.pop().unwrap_or(7).min(self.text.len()).min(buffer.len());
            let (now, later) = self.text.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.text = later;
            Ok(count)
        }
    }

    fn echo(line: &str, out: &mut Vec<u8>) -> Result<()> {
        if line == "bad" {
            return Err(Error::new(ErrorKind::BadInput, "on two\nlines"));
        }
        out.extend(format!("<{line}>\n").bytes());
        Ok(())
    }

    fn layout(block: usize) -> Layout {
        Layout { format: Format::Text, separator: "", block }
    }

    fn answers(text: &[u8], sizes: Vec<usize>, block: usize) -> (String, bool) {
        let mut out = Vec::new();
        let failed = answer_lines(&mut Drips { text, sizes }, &mut out, layout(block), &echo).unwrap();
        (String::from_utf8(out).unwrap(), failed)
    }

    #[test]
    fn lines_are_answered_in_order_wherever_the_input_is_cut() {
        let lines: Vec<String> =
            (0..20_000).map(|number| format!("{number} {}", "x".repeat(number % 37))).collect();
        let expected = format!("<{}>\n", lines.join(">\n<"));
        let text = lines.join("\n");
        for block in [10, 1000, 1 << 16, 1 << 20] {
            let sizes: Vec<usize> = (1..3000).map(|number| number * number % 4999 + 1).collect();
            assert!(answers(text.as_bytes(), sizes, block) == (expected.clone(), false), "{block}");
            assert!(
                answers(format!("{text}\n").as_bytes(), vec![usize::MAX; 99], block).0 == expected,
                "{block}"
            );
        }
    }

    #[test]
    fn empty_long_and_broken_lines_are_lines() {
        let long = "y".repeat(MAX_LINE);
        let fits = "z".repeat(MAX_LINE - 1);
        let text = format!("\u{feff}a\n\nb\r\n{long}\n{fits}\n\u{feff}c\n{long}{long}{long}\nbad");
        let error = "error: a line of more than 4096 bytes is no FEN";
        let expected = format!("<a>\n\n<b>\n{error}\n<{fits}>\n<\u{feff}c>\n{error}\nerror: on two lines\n");
        for (sizes, block) in
            [(vec![usize::MAX; 9], 1 << 20), (vec![], 1 << 20), (vec![], 16), (vec![4000; 9], 5000)]
        {
            assert_eq!(answers(text.as_bytes(), sizes, block), (expected.clone(), true));
        }
        assert_eq!(answers(b"", vec![], 10), (String::new(), false));
        assert_eq!(answers(b"\xff\n", vec![], 10).0, "<\u{fffd}>\n");
    }

    /// An answer must not wait for the next line.
    #[test]
    fn answers_are_written_before_more_is_read() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static WRITTEN: AtomicUsize = AtomicUsize::new(0);
        struct Waits(usize);
        impl Read for Waits {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                assert_eq!(WRITTEN.load(Ordering::SeqCst), self.0, "flushed before line {}", self.0 + 1);
                self.0 += 1;
                let line = if self.0 < 5 { &b"8/8 w\n"[..] } else { b"" };
                buffer[..line.len()].copy_from_slice(line);
                Ok(line.len())
            }
        }
        struct Counts(usize);
        impl Write for Counts {
            fn write(&mut self, text: &[u8]) -> io::Result<usize> {
                self.0 += usize::from(text.ends_with(b"\n"));
                Ok(text.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                WRITTEN.store(self.0, Ordering::SeqCst);
                Ok(())
            }
        }
        answer_lines(&mut Waits(0), &mut Counts(0), layout(1 << 20), &echo).unwrap();
        assert_eq!(WRITTEN.load(Ordering::SeqCst), 4);
    }
}
