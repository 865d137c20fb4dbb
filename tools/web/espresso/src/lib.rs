//! The minimizer for a page: from text to the minimized function, in all forms that the page shows.
//!
//! Nothing is kept between calls. Error messages have the same lines as those of the command: the error, and the line of the
//! text with a caret if known.

use espresso::minimize::Options;
use espresso::{
    Cover, Error, ErrorKind, Evaluator, Format, Function, Monitor, Pla, PlaType, Rest, Result, Space,
};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// Largest number of inputs for which the values at all minterms are returned.
const MOST_MAPPED: usize = 6;
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
    /// For functions of at most six binary inputs: for each output a character for each minterm, `1`, `0`, or `-` for a
    /// don't-care. The first input is the highest bit of a minterm.
    pub maps: Vec<String>,
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
/// `kind` is `pla`, `truth-table` or `equations`.
///
/// # Errors
/// Those of the reader; and if sets contradict each other or do not fit into memory.
#[wasm_bindgen]
pub fn minimize(text: &str, kind: &str, effort: u8) -> std::result::Result<Minimized, JsError> {
    minimized(text, kind, effort).map_err(js_error)
}

/// Returns the kind of a text: `pla`, `truth-table` or `equations`.
///
/// A PLA has a line that begins with a full stop and a letter; equations have `=`. Other text with letters but `x` is a PLA too.
/// Comments do not count.
#[wasm_bindgen]
pub fn kind_of(text: &str) -> String {
    let mut lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let is_keyword = |line: &str| {
        line.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    let has = |wanted: fn(char) -> bool| lines.clone().any(|line| line.contains(wanted));
    // A truth table may have `x` for don't-cares.
    let is_letter = |c: char| c.is_ascii_alphabetic() && !matches!(c, 'x' | 'X');
    let kind = match (has(|c| c == '='), has(is_letter)) {
        _ if lines.any(is_keyword) => "pla",
        (true, _) => "equations",
        (false, true) => "pla",
        (false, false) => "truth-table",
    };
    kind.to_owned()
}

#[expect(clippy::needless_pass_by_value, reason = "it takes the place of a closure")]
fn js_error(error: Error) -> JsError {
    JsError::new(&format!("{error:#}"))
}

fn minimized(text: &str, kind: &str, effort: u8) -> Result<Minimized> {
    let (pla, warnings) = match kind {
        "pla" => {
            let (pla, notes) = Pla::read_with_notes(text.as_bytes(), PlaType::default())?;
            (pla, notes.warnings)
        }
        "truth-table" => (Pla::read_truth_tables(text.as_bytes())?, Vec::new()),
        "equations" => {
            let (pla, notes) = Pla::read_equations(text.as_bytes(), Monitor::default())?;
            (pla, notes.warnings)
        }
        other => return Err(Error::new(ErrorKind::Unsupported, format!("`{other}` is not a kind of text"))),
    };
    let mut warnings = warnings;
    let made = espresso::run(&pla, &Options { effort, ..Options::default() })?;
    if made.function.rest == Rest::Off {
        warnings.push("the OFF-set has too many cubes: minimized without it, by fewer steps".to_owned());
    }
    if !made.is_checked {
        warnings.push("the result is not checked: that would take long".to_owned());
    }
    let is_given = pla.kind.has_on() && !pla.has_other_outputs();
    let [cubes_before, literals_before] =
        [pla.on.len(), pla.on.literals()].map(|count| is_given.then_some(count));
    let espresso::Minimized { pla, function, report, .. } = made;
    let complemented = pla.complemented_outputs();
    if !complemented.is_empty() {
        warnings.push(format!("the rows and maps are those of complements, of {}", complemented.join(", ")));
    }
    let space = pla.space();
    let is_binary = space.inputs() == space.binary_inputs();
    Ok(Minimized {
        inputs: (0..if is_binary { space.inputs() } else { 0 }).map(|v| pla.input_name(v)).collect(),
        outputs: (0..space.outputs()).map(|output| pla.output_name(output)).collect(),
        cubes_before,
        literals_before,
        rows: pla.on.cubes().map(|cube| cube.to_string()).collect(),
        literals: pla.on.literals(),
        lower_bound: report.lower_bound,
        maps: if is_binary && space.inputs() <= MOST_MAPPED { maps(space, &function) } else { Vec::new() },
        warnings,
        pla,
    })
}

/// The values of each output at all minterms.
fn maps(space: &Space, function: &Function) -> Vec<String> {
    let tables = |cover: &Cover| Evaluator::new(cover).truth_tables();
    let [on, dc, off] = [&function.on, &function.dc, &function.off].map(tables);
    let inputs = space.inputs();
    (0..space.outputs())
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
            ("a and b", "pla"),
            ("", "truth-table"),
        ] {
            assert_eq!(kind_of(text), kind, "{text}");
        }
    }

    #[test]
    fn a_function_comes_out_in_all_forms() {
        let text = ".i 3\n.o 2\n.ilb a b c\n.ob f g\n110 10\n111 1-\n0-1 01\n.e\n";
        let made = minimized(text, "pla", 5).unwrap();
        assert_eq!((made.cubes_before, made.literals_before, made.rows.len()), (Some(3), Some(11), 2));
        assert_eq!(
            (made.inputs, made.outputs),
            (vec!["a".into(), "b".into(), "c".into()], vec!["f".into(), "g".into()])
        );
        assert_eq!(made.maps, ["00000011", "0101000-"]);
        assert_eq!(made.lower_bound, Some(2));
        let equations = minimized("f = a & b | !a & c;", "equations", 1).unwrap();
        assert!(equations.written("verilog").is_ok_and(|text| text.contains("assign f = ")));
    }

    #[test]
    fn errors_show_their_place() {
        let error = minimized(".i 2\n.o 1\n1x 1\n", "pla", 5).unwrap_err();
        assert!(format!("{error:#}").ends_with("    1x 1\n     ^"));
    }
}
