//! The minimizer for a page: from text to the minimized function, in all forms that the page shows.
//!
//! Nothing is kept between calls. Error messages have the same lines as those of the command: the error, and the line of the
//! text with a caret if known.

use espresso::algebra::primes;
use espresso::minimize::Options;
use espresso::pla::Phase;
use espresso::{
    Cover, Error, ErrorKind, Evaluator, Format, Function, Monitor, Notes, Pla, PlaType, Rest, Result,
};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// Largest number of inputs for which the values at all minterms are returned.
const MOST_MAPPED: usize = 6;
/// Largest number of outputs for which the primes are returned.
const MOST_LISTED: usize = 16;
/// The name of modules and models, as in the command.
const NAME: &str = "pla";

/// A function and its minimized cover.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug)]
pub struct Minimized {
    /// Names of the inputs; empty if some input has more than two values.
    pub inputs: Vec<String>,
    /// Names of the outputs.
    pub outputs: Vec<String>,
    /// Number of rows of F in the text, if it describes F.
    pub cubes_before: Option<usize>,
    /// Literals of these rows, of inputs and outputs.
    pub literals_before: Option<usize>,
    /// The cubes of the cover, as rows of a PLA.
    pub rows: Vec<String>,
    /// Literals of the cover, of inputs and outputs.
    pub literals: usize,
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
    /// Warnings, for example about ignored text.
    pub warnings: Vec<String>,
    pla: Pla,
}

#[wasm_bindgen]
impl Minimized {
    /// Returns the cover in a format of the command's option `-o`: `f`, `eqntott`, `verilog`, `blif` or `json`.
    ///
    /// # Errors
    /// If the format is unknown, or cannot express the cover.
    pub fn written(&self, format: &str) -> std::result::Result<String, JsError> {
        let mut text = Vec::new();
        format
            .parse()
            .and_then(|format: Format| self.pla.write_format(&mut text, format, NAME))
            .map_err(js_error)?;
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
/// separators. Other text with letters but `x` is taken for equations too. Comments do not count.
#[wasm_bindgen]
pub fn kind_of(text: &str) -> String {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let starts =
        |wanted: fn(&str) -> bool| lines.clone().filter_map(|line| line.strip_prefix('.')).any(wanted);
    let has = |wanted: fn(char) -> bool| lines.clone().any(|line| line.contains(wanted));
    let kind = if starts(|rest| rest.starts_with("model") || rest.starts_with("names")) {
        "blif"
    } else if starts(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase())) {
        "pla"
    } else if has(|c| c == '=') {
        "equations"
    } else if has(|c| matches!(c, ',' | ';' | '\t')) {
        "csv"
    // A truth table may have `x` for don't-cares.
    } else if has(|c| c.is_ascii_alphabetic() && !matches!(c, 'x' | 'X')) {
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
    let [cubes_before, literals_before] =
        [pla.on.len(), pla.on.literals()].map(|count| is_given.then_some(count));
    let espresso::Minimized { pla, function, report, .. } = made;
    let space = pla.space();
    let is_binary = space.inputs() == space.binary_inputs();
    let is_mapped = is_binary && space.inputs() <= MOST_MAPPED;
    // The values and primes of the rows, which may describe complements.
    let maps = if is_mapped { maps(&function) } else { Vec::new() };
    let is_listed = space.outputs() <= MOST_LISTED;
    let primes = maps.iter().filter(|_| is_listed).map(|map| primes_of(map)).collect::<Result<_>>()?;
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
        outputs: (0..space.outputs()).map(|output| pla.output_name(output)).collect(),
        cubes_before,
        literals_before,
        rows: pla.on.cubes().map(|cube| cube.to_string()).collect(),
        literals: pla.on.literals(),
        lower_bound: report.lower_bound,
        maps: maps.into_iter().zip(&complemented).map(map).collect(),
        complemented: complemented.into_iter().map(u8::from).collect(),
        primes,
        warnings,
        pla,
    })
}

/// The primes of a truth table with a character for each minterm.
fn primes_of(map: &str) -> Result<String> {
    let Function { on, dc, .. } = Function::from_pla(&Pla::read_truth_tables(map.as_bytes())?)?;
    let rows: Vec<_> = primes(&on, &dc, Monitor::default())?.cubes().map(|cube| cube.to_string()).collect();
    Ok(rows.join("\n"))
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

    #[test]
    fn errors_show_their_place() {
        let error = minimized(".i 2\n.o 1\n1x 1\n", "pla", 4, false).unwrap_err();
        assert!(format!("{error:#}").ends_with("    1x 1\n     ^"));
    }
}
