//! Berkeley's PLA text: reading and writing covers.
//!
//! A PLA consists of keywords, then rows. Each row is a cube: one character for each binary input, one for each part of
//! each multi-valued input, one for each output. Blanks, tabs and `|` between columns are ignored, and a row may continue on
//! the next line. `#` starts a comment.
//!
//! | column | characters |
//! |---|---|
//! | binary input | `0`, `1`, `-` or `2` (both values), `~` or `?` (neither: the row is empty) |
//! | part of a multi-valued input | `1` (allowed), `0` (not allowed) |
//! | output | `1` or `4` (the cube is in F), `0` or `3` (in R), `-` or `2` (in D), `~` (in none) |
//!
//! An output character counts only if the type of the PLA has its set: in a PLA of type fd, a `0` is ignored.
//!
//! | keyword | meaning |
//! |---|---|
//! | `.i n`, `.o n` | number of binary inputs, of outputs |
//! | `.mv v b s ...` | v variables, the first b binary, the others with these numbers of parts; the last is the output |
//! | `.type t` | f, d, r, fd (the default), fr, dr or fdr; before the first row |
//! | `.ilb`, `.ob` | names of the binary inputs, of the outputs; missing names are generated |
//! | `.label var=v` | names of the parts of variable v |
//! | `.phase` | a `0` for each output whose OFF-set is to be minimized, a `1` for the others |
//! | `.symbolic a b ; names ;` | binary inputs become one multi-valued input, the first named its highest bit |
//! | `.symbolic-output a b ; names ;` | these outputs become one output for each of their values |
//! | `.kiss` | the last input is the next state of a machine; each state becomes an output |
//! | `.p n` | number of rows: not used, as in Berkeley's program; rows continue until `.e`, `.end` or the end |
//!
//! A negative size in `.mv` makes a symbolic column: it holds names, and each new name takes the next part; `-` or `ANY`
//! means all parts. A list of names continues on the next line if that line cannot be a row. Comments and unknown keywords
//! are kept and written at the head of the output. Other text between rows or before the sizes is kept as a comment.
//!
//! # Source
//! The manual page espresso(5), and the behaviour of Berkeley's program, with two differences. An invalid row is an error;
//! that program warns and continues. If a list of names is too short, the rows after it are read as rows; that program reads
//! them as names.

mod header;
mod kind;
mod lists;
mod names;
mod read;
mod regroup;
mod rows;
mod write;

pub(crate) use header::Problem;
pub use kind::PlaType;
pub use read::Reader;
pub(crate) use read::{expect_utf8, located, next_line};
pub(crate) use rows::{character, is_name};
pub(crate) use write::{minterm_text, row};

use crate::{Cover, Result, Space};
use std::io::{BufRead, Write};

/// The phase of each output: whether to minimize its ON-set or its OFF-set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// For each output, `true` for the ON-set, `false` for the OFF-set.
    pub outputs: Vec<bool>,
    /// Whether the phases are already applied to the covers: F and R of outputs of phase 0 are exchanged.
    pub is_applied: bool,
}

/// Outputs to be replaced by one output for each of their values, by `.symbolic-output`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolicOutput {
    /// The outputs, the highest bit of the value first.
    pub outputs: Vec<usize>,
    /// The names of the values: 2^n for n outputs.
    pub names: Vec<String>,
}

/// The content of a PLA: the covers of its rows, and names.
///
/// The covers have the cubes in the order of the rows. Rows with an empty input part give no cube. Sets that the type lacks
/// are empty covers; [`Function::from_pla`](crate::Function::from_pla) completes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pla {
    /// The sets that the rows describe.
    pub kind: PlaType,
    /// F: cubes with a `1` in some output; empty if the type lacks F. The same holds for D and R.
    pub on: Cover,
    /// D: cubes with a `-` in some output.
    pub dc: Cover,
    /// R: cubes with a `0` in some output.
    pub off: Cover,
    /// Names of the binary inputs, by `.ilb`.
    pub input_labels: Option<Vec<String>>,
    /// Names of the outputs, by `.ob`.
    pub output_labels: Option<Vec<String>>,
    /// Names of the parts of each multi-valued input, by `.label`; an empty list if it has none.
    pub part_labels: Vec<Vec<String>>,
    /// The phases of the outputs, by `.phase`.
    pub phase: Option<Phase>,
    /// Groups of outputs to be replaced, by `.symbolic-output`.
    pub symbolic_outputs: Vec<SymbolicOutput>,
    /// Comments, with their `#`, and lines with unknown keywords, in the order of the text.
    pub comments: Vec<String>,
}

/// Warnings and line numbers from reading a PLA.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Warnings about the text, each with its line.
    pub warnings: Vec<String>,
    /// The lines of the cubes of F, counted from one, and below those of R. Both are empty unless the type has R.
    pub(crate) on_lines: Vec<u32>,
    pub(crate) off_lines: Vec<u32>,
}

impl Pla {
    /// Returns the PLA of type f whose ON-set is `on`, without names.
    pub fn from_cover(on: Cover) -> Self {
        let empty = Cover::new(on.space());
        let part_labels = vec![Vec::new(); on.space().inputs() - on.space().binary_inputs()];
        Pla {
            kind: PlaType::F,
            on,
            dc: empty.clone(),
            off: empty,
            input_labels: None,
            output_labels: None,
            part_labels,
            phase: None,
            symbolic_outputs: Vec::new(),
            comments: Vec::new(),
        }
    }

    /// The name of a binary input, or one generated as in Berkeley's program.
    pub fn input_name(&self, input: usize) -> String {
        let given = self.input_labels.as_ref().and_then(|labels| labels.get(input).cloned());
        given.unwrap_or_else(|| format!("v{input}"))
    }

    /// The name of an output, or one generated as in Berkeley's program.
    pub fn output_name(&self, output: usize) -> String {
        let given = self.output_labels.as_ref().and_then(|labels| labels.get(output).cloned());
        given.unwrap_or_else(|| format!("v{}.{output}", self.space().inputs()))
    }

    /// The name of a part of multi-valued input number `input` (counted among all inputs), or a generated one.
    pub fn part_name(&self, input: usize, part: usize) -> String {
        let labels = input.checked_sub(self.space().binary_inputs()).and_then(|i| self.part_labels.get(i));
        labels.and_then(|labels| labels.get(part).cloned()).unwrap_or_else(|| format!("v{input}.{part}"))
    }

    /// Whether the rows describe the complement of an output: its phase is 0 and already applied.
    pub fn is_complemented(&self, output: usize) -> bool {
        self.phase.as_ref().is_some_and(|phase| phase.is_applied && !phase.outputs[output])
    }

    /// The names of the outputs whose complements the rows describe.
    pub fn complemented_outputs(&self) -> Vec<String> {
        let complemented = (0..self.space().outputs()).filter(|&output| self.is_complemented(output));
        complemented.map(|output| self.output_name(output)).collect()
    }

    /// The PLA with the sets of type `kind` alone.
    pub(crate) fn only(self, kind: PlaType) -> Pla {
        let only = |cover: Cover, is_kept| if is_kept { cover } else { Cover::new(cover.space()) };
        let on = only(self.on, kind.has_on());
        Pla { kind, on, dc: only(self.dc, kind.has_dc()), off: only(self.off, kind.has_off()), ..self }
    }

    /// The space of all three covers.
    pub fn space(&self) -> &Space {
        self.on.space()
    }

    /// Reads a PLA, by default of type fd. Stops after the line of `.e` or `.end`, or at the end.
    ///
    /// Keeps only one line and the covers in memory. More than 2^18 columns are refused, so the memory for declared sizes is
    /// bounded.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`](crate::ErrorKind::Syntax) with line and column for invalid text;
    /// [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) for too many columns and for rows that do not fit into memory;
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) when `reader` fails.
    ///
    /// # Example
    /// ```
    /// let pla = espresso::Pla::read("# exclusive or\n.i 2\n.o 1\n01 1\n10 1\n.e\n".as_bytes())?;
    /// assert_eq!(pla.on.len(), 2);
    /// # Ok::<(), espresso::Error>(())
    /// ```
    pub fn read(reader: impl BufRead) -> Result<Self> {
        Self::read_as(reader, PlaType::default())
    }

    /// Like [`Pla::read`]; a PLA without `.type` has type `kind`.
    ///
    /// # Errors
    /// As [`Pla::read`].
    pub fn read_as(reader: impl BufRead, kind: PlaType) -> Result<Self> {
        Self::read_with_notes(reader, kind).map(|(pla, _)| pla)
    }

    /// Like [`Pla::read_as`], and also returns warnings and line numbers.
    ///
    /// # Errors
    /// As [`Pla::read`].
    pub fn read_with_notes(reader: impl BufRead, kind: PlaType) -> Result<(Self, Notes)> {
        Reader::new(reader).with_type(kind).only_pla()
    }

    /// Reads a PLA from `text`, like [`Pla::read`].
    ///
    /// # Errors
    /// As [`Pla::read`], without [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn parse(text: &str) -> Result<Self> {
        Self::read(text.as_bytes())
    }

    /// Writes the sets of `kind` in Berkeley's layout: the type unless it is f, sizes, names, `.p`, the rows of F, then D, then
    /// R, and an end mark.
    ///
    /// For type f the outputs of a row are `1` and `0`; otherwise they are the character of the set and `~`. This crate and
    /// Berkeley's program read the same covers back. Empty cubes are left out. O(bytes), unbuffered.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if `writer` fails; the output is then incomplete.
    ///
    /// # Example
    /// ```
    /// use espresso::{Pla, PlaType};
    /// let pla = Pla::parse(".i 2\n.o 1\n01 1\n1- -\n.e\n")?;
    /// let mut text = Vec::new();
    /// pla.write(&mut text, PlaType::F)?;
    /// assert_eq!(text, b".i 2\n.o 1\n.p 1\n01 1\n.e\n");
    /// # Ok::<(), espresso::Error>(())
    /// ```
    pub fn write(&self, writer: &mut impl Write, kind: PlaType) -> Result<()> {
        write::write(self, writer, kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use proptest::prelude::*;

    fn written(pla: &Pla, kind: PlaType) -> String {
        let mut text = Vec::new();
        pla.write(&mut text, kind).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn cubes_without_minterm_are_not_written() {
        let space = Space::binary(2, 1).unwrap();
        let cover = Cover::from_words(&space, vec![0b1_0011, 0b1_1101, 0b0_1101]);
        assert_eq!(written(&Pla::from_cover(cover), PlaType::F), ".i 2\n.o 1\n.p 1\n0- 1\n.e\n");
    }

    /// An output is written by its number if an earlier one has the same name.
    #[test]
    fn symbolic_outputs_are_read_again_whatever_their_names() {
        for labels in ["", ".ob f g h\n", ".ob f f g\n"] {
            let pla = Pla::parse(&format!(".i 1\n.o 3\n{labels}.symbolic-output 1 2 ; a b c d ;\n1 101\n"))
                .unwrap();
            let back = Pla::read_as(written(&pla, pla.kind).as_bytes(), PlaType::F).unwrap();
            assert_eq!(back, pla, "{labels}");
        }
    }

    proptest! {
        /// Any bytes are read, or refused with a message of one line. A PLA that was read can be written and read again.
        #[test]
        fn any_text_is_read_or_refused(
            header in prop_oneof![Just(""), Just(".i 2\n.o 1\n"), Just(".i 2\n.o 1\n~1 1\n"), Just(".mv 3 1 3 2\n")],
            pieces in proptest::collection::vec(
                prop_oneof![
                    4 => prop_oneof![
                        Just(".i 2\n"), Just(".i 3 "), Just(".o 1\n"), Just(".o 3"), Just(".mv 3 1 3 2\n"),
                        Just(".mv"), Just(".type fr\n"), Just(".type fdr"), Just(".ilb a b\n"), Just(".ob f"),
                        Just(".label x"), Just(".p 3\n"), Just(".e\n"), Just(".i 99999999999999999999\n"),
                        Just(".phase 10\n"), Just(".symbolic 0 1 ; a ;\n"), Just(".symbolic-output 0 ; ;\n"),
                        Just(".kiss\n"), Just(".label var=1 x y\n z\n"), Just(".pair 1 (0 1)\n"), Just(".magic\n"),
                        Just(".mv 4 1 -3 -3 2\n"), Just("0 a b 11\n"), Just("text\n"),
                        Just("01 1\n"), Just("--10"), Just("0 011 10\n"), Just("~?"), Just("\n"), Just("# ")
                    ].prop_map(|text| text.as_bytes().to_vec()),
                    1 => proptest::collection::vec(any::<u8>(), 0..4),
                ],
                0..12,
            ),
        ) {
            match Pla::read([header.as_bytes(), &pieces.concat()].concat().as_slice()) {
                Ok(pla) => {
                    let back = Pla::read_as(written(&pla, pla.kind).as_bytes(), PlaType::F).unwrap();
                    prop_assert_eq!(back, pla);
                }
                Err(error) => {
                    prop_assert!(!error.to_string().contains('\n'));
                    prop_assert!(error.line().is_some() || error.kind() == ErrorKind::Unsupported);
                }
            }
        }

        /// Writing and reading back gives the same cubes in the same order, for every type.
        #[test]
        fn round_trip(
            binary in 0usize..40,
            multi in proptest::collection::vec(1usize..9, 0..4),
            outputs in 1usize..70,
            seeds in proptest::collection::vec((any::<u64>(), 0usize..3), 0..12),
            kind in prop_oneof![
                Just(PlaType::F), Just(PlaType::D), Just(PlaType::R), Just(PlaType::Fd), Just(PlaType::Fr),
                Just(PlaType::Dr), Just(PlaType::Fdr)
            ],
        ) {
            let space = Space::new(binary, &multi, outputs).unwrap();
            let mut sets = [Cover::new(&space), Cover::new(&space), Cover::new(&space)];
            for (seed, set) in seeds {
                let cube = crate::testing::cube(&space, seed);
                sets[set].push(&cube);
            }
            let [on, dc, off] = sets;
            let empty = Cover::new(&space);
            let pla = Pla {
                kind,
                on: if kind.has_on() { on } else { empty.clone() },
                dc: if kind.has_dc() { dc } else { empty.clone() },
                off: if kind.has_off() { off } else { empty.clone() },
                output_labels: Some((0..outputs).map(|i| format!("out<{i}>")).collect()),
                part_labels: multi.iter().map(|&parts| (0..parts).map(|i| format!("p{i}")).collect()).collect(),
                comments: vec!["# kept".into(), ".unknown too".into()],
                ..Pla::from_cover(empty)
            };
            let back = Pla::read_as(written(&pla, kind).as_bytes(), PlaType::F).unwrap();
            prop_assert_eq!(back, pla);
        }
    }
}
