//! The minimizer for a page: from text to the minimized function, in all forms that the page shows.
//!
//! Nothing is kept between calls. Error messages have the same lines as those of the command: the error, and the line of the
//! text with a caret if known.

use espresso::algebra::PrimeTable;
use espresso::minimize::Options;
use espresso::pla::Phase;
use espresso::{
    Cover, Error, ErrorKind, Evaluator, Format, Function, Monitor, Notes, Pla, PlaType, Progress, Rest,
    Result,
};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// Largest number of inputs for which the values at all minterms are returned.
const MOST_MAPPED: usize = 6;
/// Largest number of outputs for which the primes are returned.
const MOST_LISTED: usize = 16;
/// Limits on the search for another minimum cover: the covers found, and the reports of progress, which bound the time.
const MOST_COVERS: usize = 256;
const MOST_REPORTS: usize = 10_000;
/// The name of modules and models, as in the command.
const NAME: &str = "pla";

/// A function and its minimized cover.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug)]
pub struct Minimized {
    /// Names of the inputs; empty if some input has more than two values.
    pub inputs: Vec<String>,
    /// Names of the outputs. Outputs without a name are called `f`, or `f0`, `f1` and so on.
    pub outputs: Vec<String>,
    /// Number of rows of F in the text, if it describes F.
    pub cubes_before: Option<usize>,
    /// Literals of these rows, of inputs and outputs.
    pub literals_before: Option<usize>,
    /// Literals of these rows as equations: these are the literals that textbooks count.
    pub equation_literals_before: Option<usize>,
    /// The cubes of the cover, as rows of a PLA.
    pub rows: Vec<String>,
    /// Literals of the cover, of inputs and outputs.
    pub literals: usize,
    /// Literals of the cover as equations.
    pub equation_literals: usize,
    /// A lower bound on the cubes of every cover, if known.
    pub lower_bound: Option<usize>,
    /// For each output `1` if the rows describe its complement, otherwise `0`.
    pub complemented: Vec<u8>,
    /// For functions of at most six binary inputs: for each output a character for each minterm, `1`, `0`, or `-` for a
    /// don't-care. The first input is the highest bit of a minterm.
    pub maps: Vec<String>,
    /// For each map all primes, one in a line, as rows of a PLA; those of the complement if the rows describe it. Empty
    /// if there are many outputs.
    pub primes: Vec<String>,
    /// The rows of another cover with as few cubes and no more literals; empty if none is known. Only for functions of one output
    /// with a map, if no cover has fewer cubes.
    pub other_rows: Vec<String>,
    /// Warnings, for example about ignored text.
    pub warnings: Vec<String>,
    pla: Pla,
}

#[wasm_bindgen]
impl Minimized {
    /// Returns the cover in a format of the command's option `-o`: `f`, `eqntott`, `verilog`, `blif` or `json`. In equations all
    /// outputs have names.
    ///
    /// # Errors
    /// If the format is unknown, or cannot express the cover.
    pub fn written(&self, format: &str) -> std::result::Result<String, JsError> {
        let mut text = Vec::new();
        let write = |format| {
            let mut pla = self.pla.clone();
            if format == Format::Equations {
                pla.output_labels = Some(self.outputs.clone());
            }
            pla.write_format(&mut text, format, NAME)
        };
        format.parse().and_then(write).map_err(js_error)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

/// Minimizes the function of `text`, at an effort from 1 to 4, and checks the result. A warning says if the check took too long.
///
/// `kind` is one of those of [`kind_of`]. With `complement`, the rows describe the complements of all outputs: equations and
/// Verilog are then products of sums.
///
/// # Errors
/// Those of the reader; and if sets contradict each other or do not fit into memory.
#[wasm_bindgen]
pub fn minimize(
    text: &str,
    kind: &str,
    effort: u8,
    complement: bool,
) -> std::result::Result<Minimized, JsError> {
    minimized(text, kind, effort, complement).map_err(js_error)
}

/// Returns the kind of a text: `pla`, `truth-table`, `equations`, `csv` or `blif`.
///
/// A BLIF has `.model` or `.names`, a PLA another line that begins with a full stop and a letter. Equations have `=`, and a CSV has
/// a line of values and separators. Other text with letters but `x` is taken for equations too. Comments do not count.
#[wasm_bindgen]
pub fn kind_of(text: &str) -> String {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let starts =
        |wanted: fn(&str) -> bool| lines.clone().filter_map(|line| line.strip_prefix('.')).any(wanted);
    let has = |wanted: fn(char) -> bool| lines.clone().any(|line| line.contains(wanted));
    let is_separator = |c| matches!(c, ',' | ';' | '\t');
    let is_row = |line: &str| {
        line.contains(is_separator) && line.chars().all(|c| is_separator(c) || "01xX-\" ".contains(c))
    };
    let kind = if starts(|rest| rest.starts_with("model") || rest.starts_with("names")) {
        "blif"
    } else if starts(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase())) {
        "pla"
    } else if has(|c| c == '=') {
        "equations"
    } else if lines.clone().any(is_row) {
        "csv"
    // A truth table may have `x` for don't-cares.
    } else if has(|c| c == '(' || c.is_alphabetic() && !matches!(c, 'x' | 'X')) {
        "equations"
    } else {
        "truth-table"
    };
    kind.to_owned()
}

#[expect(clippy::needless_pass_by_value, reason = "it takes the place of a closure")]
fn js_error(error: Error) -> JsError {
    JsError::new(&format!("{error:#}"))
}

fn read(text: &str, kind: &str) -> Result<(Pla, Notes)> {
    let without_notes = |pla| (pla, Notes::default());
    let (bytes, monitor) = (text.as_bytes(), Monitor::default());
    match kind {
        "pla" => Pla::read_with_notes(bytes, PlaType::default()),
        "truth-table" => Pla::read_truth_tables(bytes).map(without_notes),
        "equations" => Pla::read_equations(bytes, monitor),
        "csv" => Pla::read_csv(bytes, PlaType::default()).map(without_notes),
        "blif" => Pla::read_blif(bytes, monitor).map(without_notes),
        other => Err(Error::new(ErrorKind::Unsupported, format!("`{other}` is not a kind of text"))),
    }
}

fn minimized(text: &str, kind: &str, effort: u8, complement: bool) -> Result<Minimized> {
    let (mut pla, Notes { mut warnings, .. }) = read(text, kind)?;
    let is_given = pla.kind.has_on() && !pla.has_other_outputs() && !complement;
    if complement {
        pla.phase = Some(Phase { outputs: vec![false; pla.space().outputs()], is_applied: false });
    }
    let made = espresso::run(&pla, &Options { effort, ..Options::default() })?;
    if made.function.rest == Rest::Off {
        warnings.push("the OFF-set has too many cubes: minimized without it, by fewer steps".to_owned());
    }
    if !made.is_checked {
        warnings.push("the result is not checked: that would take long".to_owned());
    }
    let [cubes_before, literals_before, equation_literals_before] =
        [pla.on.len(), pla.on.literals(), pla.on.equation_literals()].map(|count| is_given.then_some(count));
    let espresso::Minimized { pla, function, report, .. } = made;
    let space = pla.space();
    let is_binary = space.inputs() == space.binary_inputs();
    let is_mapped = is_binary && space.inputs() <= MOST_MAPPED;
    // The values and primes of the rows, which may describe complements.
    let maps = if is_mapped { maps(&function) } else { Vec::new() };
    let is_listed = space.outputs() <= MOST_LISTED;
    let tables = maps.iter().filter(|_| is_listed).map(|map| table(map)).collect::<Result<Vec<_>>>()?;
    let other_rows = match &tables[..] {
        [table] => other_cover(table, &pla.on).map_or(Vec::new(), |cover| rows(&cover)),
        _ => Vec::new(),
    };
    let complemented: Vec<bool> = (0..space.outputs()).map(|output| pla.is_complemented(output)).collect();
    let flipped = |map: String| {
        map.chars()
            .map(|c| match c {
                '0' => '1',
                '1' => '0',
                c => c,
            })
            .collect()
    };
    let map = |(map, &is_complemented): (String, &bool)| if is_complemented { flipped(map) } else { map };
    Ok(Minimized {
        inputs: (0..if is_binary { space.inputs() } else { 0 }).map(|v| pla.input_name(v)).collect(),
        outputs: output_names(&pla),
        cubes_before,
        literals_before,
        equation_literals_before,
        rows: rows(&pla.on),
        literals: pla.on.literals(),
        equation_literals: pla.on.equation_literals(),
        lower_bound: report.lower_bound,
        maps: maps.into_iter().zip(&complemented).map(map).collect(),
        complemented: complemented.into_iter().map(u8::from).collect(),
        primes: tables.iter().map(|table| rows(&table.primes).join("\n")).collect(),
        other_rows,
        warnings,
        pla,
    })
}

fn rows(cover: &Cover) -> Vec<String> {
    cover.cubes().map(|cube| cube.to_string()).collect()
}

/// The names of the outputs; without names `f`, or `f0`, `f1` and so on, or with a letter after f if an input is called so.
fn output_names(pla: &Pla) -> Vec<String> {
    let count = pla.space().outputs();
    let number = |output: usize| if count == 1 { String::new() } else { output.to_string() };
    let named =
        |letter: char| (0..count).map(|output| format!("{letter}{}", number(output))).collect::<Vec<_>>();
    let is_free = |names: &Vec<String>| pla.input_labels.iter().flatten().all(|input| !names.contains(input));
    let made_up = || ('f'..='z').map(named).find(is_free);
    let berkeley = || (0..count).map(|output| pla.output_name(output)).collect();
    pla.output_labels.clone().or_else(made_up).unwrap_or_else(berkeley)
}

/// The primes of a truth table with a character for each minterm.
fn table(map: &str) -> Result<PrimeTable> {
    let Function { on, dc, .. } = Function::from_pla(&Pla::read_truth_tables(map.as_bytes())?)?;
    PrimeTable::new(&on, &dc, Monitor::default())
}

/// Another cover than `cover` with as few cubes and no more literals, if `cover` has the fewest cubes and the search soon ends.
fn other_cover(table: &PrimeTable, cover: &Cover) -> Option<Cover> {
    let reports = AtomicUsize::new(0);
    let stop = |_: &Progress| match reports.fetch_add(1, Ordering::Relaxed) {
        0..MOST_REPORTS => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let covers = table.minimum_covers(MOST_COVERS, Monitor::new(&stop)).ok()?;
    let sorted = |cover: &Cover| {
        let mut rows = rows(cover);
        rows.sort_unstable();
        rows
    };
    let is_other = |other: &Cover| {
        other.len() == cover.len() && other.literals() <= cover.literals() && sorted(other) != sorted(cover)
    };
    covers.into_iter().filter(is_other).min_by_key(Cover::literals)
}

/// The values of each output at all minterms.
fn maps(function: &Function) -> Vec<String> {
    let tables = |cover: &Cover| Evaluator::new(cover).truth_tables();
    let [on, dc, off] = [&function.on, &function.dc, &function.off].map(tables);
    let inputs = function.on.space().inputs();
    (0..on.len())
        .map(|output| {
            (0..1usize << inputs)
                .map(|minterm| {
                    // Input v is bit v in a table.
                    let place = (0..inputs).map(|v| (minterm >> (inputs - 1 - v) & 1) << v).sum::<usize>();
                    let has = |table: &[Vec<u64>]| table[output][place / 64] >> (place % 64) & 1 == 1;
                    if has(&dc) {
                        '-'
                    } else if has(&on) {
                        '1'
                    } else if has(&off) || function.rest == Rest::Off {
                        '0'
                    } else {
                        '-'
                    }
                })
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_text() {
        for (text, kind) in [
            (".i 2\n.o 1\n11 1\n.e\n", "pla"),
            ("# a comment = here\n .i 2\n.o 1\n", "pla"),
            ("f = a & b;", "equations"),
            ("0110 # a = b\n1-01\n", "truth-table"),
            ("01xX", "truth-table"),
            ("a and b", "equations"),
            ("a,b,f\n0,1,1\n", "csv"),
            ("a;b;f\n\"0\";\"x\";\"1\"\n", "csv"),
            ("Minimize, please, the function of 0, 1 and 5; thanks.", "equations"),
            ("Σ(0, 1)", "equations"),
            (".model m\n.inputs a\n.outputs f\n.names a f\n1 1\n.end\n", "blif"),
            ("", "truth-table"),
        ] {
            assert_eq!(kind_of(text), kind, "{text}");
        }
    }

    #[test]
    fn a_function_comes_out_in_all_forms() {
        let text = ".i 3\n.o 2\n.ilb a b c\n.ob f g\n110 10\n111 1-\n0-1 01\n.e\n";
        let made = minimized(text, "pla", 4, false).unwrap();
        assert_eq!((made.cubes_before, made.literals_before, made.rows.len()), (Some(3), Some(11), 2));
        assert_eq!(
            (made.inputs, made.outputs),
            (vec!["a".into(), "b".into(), "c".into()], vec!["f".into(), "g".into()])
        );
        assert_eq!(made.maps, ["00000011", "0101000-"]);
        assert_eq!(made.lower_bound, Some(2));
        let equations = minimized("f = a & b | !a & c;", "equations", 1, false).unwrap();
        assert!(equations.written("verilog").is_ok_and(|text| text.contains("assign f = ")));
    }

    /// Minimum sum and product of `Σm(1, 3) + d(2)`, of a and b.
    #[test]
    fn complements_are_products_of_sums() {
        let [sum, product] =
            [false, true].map(|of| minimized("f(a, b) = m(1, 3) + d(2);", "equations", 2, of).unwrap());
        assert_eq!((&sum.maps, &product.maps), (&vec!["01-1".to_owned()], &sum.maps));
        assert_eq!((sum.primes, sum.complemented), (vec!["1- 1\n-1 1".to_owned()], vec![0]));
        assert_eq!((product.primes, product.complemented), (vec!["-0 1".to_owned()], vec![1]));
        assert!(product.pla.to_text(Format::Equations).unwrap().contains("f = (b);"));
    }

    /// Each minterm is in two of the six primes: two covers of three of them are minimum.
    #[test]
    fn another_cover_as_small_is_found_if_there_is_one() {
        for complement in [false, true] {
            let text = "f(a, b, c) = m(1, 2, 3, 4, 5, 6);";
            let made = minimized(text, "equations", 2, complement).unwrap();
            assert_eq!(made.other_rows.len(), if complement { 0 } else { 3 });
            assert!(made.other_rows.iter().all(|row| !made.rows.contains(row)));
        }
        assert!(minimized("f = a & b | c;", "equations", 2, false).unwrap().other_rows.is_empty());
    }

    #[test]
    fn outputs_without_a_name_get_one() {
        let names = |text: &str| minimized(text, "pla", 2, false).unwrap().outputs;
        assert_eq!(names(".i 2\n.o 1\n11 1\n"), ["f"]);
        assert_eq!(names(".i 2\n.o 2\n.ilb e f1\n11 11\n"), ["g0", "g1"]);
        let made = minimized(".i 1\n.o 1\n1 1\n", "pla", 2, false).unwrap();
        assert_eq!((made.equation_literals, made.literals), (1, 2));
        assert!(made.written("eqntott").is_ok_and(|text| text == "f = (v0);\n\n"));
    }

    #[test]
    fn errors_show_their_place() {
        let error = minimized(".i 2\n.o 1\n1x 1\n", "pla", 4, false).unwrap_err();
        assert!(format!("{error:#}").ends_with("    1x 1\n     ^"));
    }
}
