//! The writer of PLAs.

use super::{Phase, Pla, PlaType, SymbolicOutput};
use crate::{Cover, Result, Space};
use std::io::Write;

/// Writes the sets of `kind` from `pla`.
pub(super) fn write(pla: &Pla, writer: &mut impl Write, kind: PlaType) -> Result<()> {
    for comment in &pla.comments {
        writeln!(writer, "{comment}")?;
    }
    header(pla, writer, kind)?;
    let none = Cover::new(pla.space());
    let on = if kind.has_on() { &pla.on } else { &none };
    let dc = if kind.has_dc() { &pla.dc } else { &none };
    let off = if kind.has_off() { &pla.off } else { &none };
    let rows = |cover: &Cover| cover.iter().filter(|cube| !cover.space().is_empty(cube)).count();
    writeln!(writer, ".p {}", rows(on) + rows(dc) + rows(off))?;
    let mut line = Vec::new();
    let (absent, end) = if kind == PlaType::F { (b'0', ".e") } else { (b'~', ".end") };
    for (cover, present) in [(on, b'1'), (dc, b'2'), (off, b'0')] {
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
    for (i, labels) in pla.part_labels.iter().enumerate().filter(|(_, labels)| !labels.is_empty()) {
        writeln!(writer, ".label var={} {}", space.binary_inputs() + i, labels.join(" "))?;
    }
    if let Some(Phase { outputs, is_applied }) = &pla.phase {
        // A phase that is applied is written as a comment, so that a reader does not apply it again.
        let comment = if *is_applied { "#" } else { "" };
        let phase: String = outputs.iter().map(|&is_on| if is_on { '1' } else { '0' }).collect();
        writeln!(writer, "{comment}.phase {phase}")?;
    }
    for SymbolicOutput { outputs, names } in &pla.symbolic_outputs {
        // An output is written by its number if it has no name, or if an earlier output has the same name.
        let named = |output: usize| {
            let labels = pla.output_labels.as_ref()?;
            let name = labels.get(output)?;
            (labels.iter().position(|label| label == name) == Some(output)).then(|| name.clone())
        };
        let outputs: Vec<String> =
            outputs.iter().map(|&output| named(output).unwrap_or_else(|| output.to_string())).collect();
        writeln!(writer, ".symbolic-output {} ; {} ;", outputs.join(" "), names.join(" "))?;
    }
    Ok(())
}

/// Appends the row of `cube`: binary inputs, then each multi-valued input, then the outputs, separated by blanks. `outputs`
/// are the characters for an absent and a present output.
pub(crate) fn row(space: &Space, cube: &[u64], outputs: [u8; 2], line: &mut Vec<u8>) {
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

/// Returns the row of the minterm with part `parts[v]` of each variable v. All outputs but that of the minterm are `~`.
pub(crate) fn minterm_text(space: &Space, parts: &[usize]) -> String {
    let mut cube = vec![0; space.words()];
    parts.iter().enumerate().for_each(|(v, &part)| space.set(&mut cube, v, part));
    let mut line = Vec::new();
    row(space, &cube, *b"~1", &mut line);
    line.into_iter().map(char::from).collect()
}
