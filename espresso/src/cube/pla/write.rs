//! The writer: covers as rows.

use super::{Pla, PlaType};
use crate::{Cover, Result, Space};
use std::io::Write;

/// Writes the sets of `pla` that `kind` has.
pub(super) fn write(pla: &Pla, writer: &mut impl Write, kind: PlaType) -> Result<()> {
    header(pla, writer, kind)?;
    let none = Cover::new(pla.space());
    let dc = if kind.has_dc() { &pla.dc } else { &none };
    let off = if kind.has_off() { &pla.off } else { &none };
    let rows = |cover: &Cover| cover.iter().filter(|cube| !cover.space().is_empty(cube)).count();
    writeln!(writer, ".p {}", rows(&pla.on) + rows(dc) + rows(off))?;
    let mut line = Vec::new();
    let (absent, end) = if kind == PlaType::F { (b'0', ".e") } else { (b'~', ".end") };
    for (cover, present) in [(&pla.on, b'1'), (dc, b'2'), (off, b'0')] {
        for cube in cover.iter().filter(|cube| !cover.space().is_empty(cube)) {
            line.clear();
            row(cover.space(), cube, [absent, present], &mut line);
            line.push(b'\n');
            writer.write_all(&line)?;
        }
    }
    writeln!(writer, "{end}")?;
    Ok(())
}

fn header(pla: &Pla, writer: &mut impl Write, kind: PlaType) -> Result<()> {
    let space = pla.space();
    if kind != PlaType::F {
        writeln!(writer, ".type {kind}")?;
    }
    if space.inputs() == space.binary_inputs() {
        writeln!(writer, ".i {}\n.o {}", space.inputs(), space.outputs())?;
    } else {
        write!(writer, ".mv {} {}", space.variables().len(), space.binary_inputs())?;
        for variable in space.non_binary() {
            write!(writer, " {}", variable.parts)?;
        }
        writeln!(writer)?;
    }
    for (keyword, labels) in [(".ilb", &pla.input_labels), (".ob", &pla.output_labels)] {
        if let Some(labels) = labels.as_ref().filter(|labels| !labels.is_empty()) {
            writeln!(writer, "{keyword} {}", labels.join(" "))?;
        }
    }
    Ok(())
}

/// Appends the row of `cube`: binary inputs, then each multi-valued input, then the outputs, between blanks.
fn row(space: &Space, cube: &[u64], outputs: [u8; 2], line: &mut Vec<u8>) {
    let binary = space.binary_inputs();
    line.extend((0..binary).map(|v| b"~01-"[(cube[v / 32] >> (v % 32 * 2) & 3) as usize]));
    for (v, variable) in space.variables().iter().enumerate().skip(binary) {
        if v > 0 {
            line.push(b' ');
        }
        let digits = if v == space.inputs() { outputs } else { *b"01" };
        line.extend((0..variable.parts).map(|part| digits[usize::from(space.get(cube, v, part))]));
    }
}

/// The row of the minterm that has part `parts[v]` of each variable v, `~` for the other outputs.
pub(crate) fn minterm_text(space: &Space, parts: &[usize]) -> String {
    let mut cube = vec![0; space.words()];
    parts.iter().enumerate().for_each(|(v, &part)| space.set(&mut cube, v, part));
    let mut line = Vec::new();
    row(space, &cube, *b"~1", &mut line);
    line.into_iter().map(char::from).collect()
}
