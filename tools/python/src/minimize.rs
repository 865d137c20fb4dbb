//! `cubebase.espresso.minimize`: minimizes the ON-set of a PLA or of rows.
//!
//! The threads that do the work belong to the call: no pool is left for a process that forks afterwards. The caller's thread
//! waits, and checks for an interrupt now and then.

use crate::errors::espresso_exception;
use espresso::limits::MAX_THREADS;
use espresso::minimize::{DEFAULT_EFFORT, EFFORTS, Options, Report, Step};
use espresso::{
    Error, ErrorKind, Format, Function, Monitor, Notes, Pla, PlaType, Progress, Rest, check, run,
};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use std::ffi::CString;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// The time between two checks for an interrupt.
const PAUSE: Duration = Duration::from_millis(50);

/// The characters of rows.
const INPUTS: &str = "01-2~?";
const OUTPUTS: &str = "0134-2~";

/// A minimized ON-set. `str` gives it as a PLA.
#[pyclass(module = "cubebase.espresso", frozen, get_all)]
#[derive(Debug)]
pub struct Minimized {
    /// The text of a PLA of type f.
    pla: String,
    /// The outputs as equations; `None` if an input has more than two values or a name cannot be in an equation.
    equations: Option<String>,
    /// The cubes as pairs of inputs and outputs.
    rows: Vec<(String, String)>,
    /// The number of cubes.
    cubes: usize,
    /// The literals of all inputs: characters that are not `-`.
    input_literals: usize,
    /// The literals of all outputs: characters that are `1`.
    output_literals: usize,
    /// The literals of the equations, one sum of products for each output.
    equation_literals: usize,
    /// Whether the budget ended the work early.
    budget_exhausted: bool,
}

#[pymethods]
impl Minimized {
    fn __str__(&self) -> &str {
        &self.pla
    }

    fn __repr__(&self) -> String {
        let Minimized { cubes, input_literals, output_literals, .. } = self;
        let [cubes, inputs] = [(cubes, "cube"), (input_literals, "literal")]
            .map(|(number, noun)| format!("{number} {noun}{}", if *number == 1 { "" } else { "s" }));
        format!("<Minimized: {cubes}, {inputs} of inputs, {output_literals} of outputs>")
    }
}

/// The text of a function, its format, and the number of its lines before the first row.
struct Source {
    text: String,
    head: usize,
    language: Language,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Pla,
    Equations,
    TruthTables,
}

/// An error, with its line and column.
struct Failure {
    message: String,
    place: Option<(usize, usize)>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure { message: error.to_string(), place: error.line().zip(error.column()) }
    }
}

/// Minimizes the ON-set of a PLA, of equations as `f = a & b | a & ~c` or `f(a, b, c) = m(0, 2) + d(7)`, of rows, which are
/// pairs of inputs and outputs in the characters of a PLA, or of a truth table.
///
/// A truth table is a list or an array of 0, 1 and None (or "x"), the first input the highest bit; several outputs are a list of
/// tables. Instead, `m` can have the numbers of the minterms that are one, and `d` of the minterms that do not matter. `inputs`
/// names their inputs; by default there are as few as the numbers need.
///
/// `type` is the type of a PLA without `.type`: "f", "fd", "fr" or "fdr". `steps` are separated by commas, as in the
/// program; by default "compact,full". `effort` is from 1 to 4. `budget` limits the cubes tested, `threads` the threads, by
/// default one for each processor. With `check` the result is verified by an independent oracle. Ignored text gives a
/// warning.
#[pyfunction]
#[pyo3(signature = (pla = None, *, m = None, d = None, inputs = None, r#type = "fd", steps = None, effort = i64::from(DEFAULT_EFFORT), budget = None, threads = None, check = false))]
#[pyo3(
    text_signature = "(pla=None, *, m=None, d=None, inputs=None, type='fd', steps=None, effort=2, budget=None, threads=None, check=False)"
)]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn minimize(
    py: Python<'_>,
    pla: Option<&Bound<'_, PyAny>>,
    m: Option<&Bound<'_, PyAny>>,
    d: Option<&Bound<'_, PyAny>>,
    inputs: Option<Vec<String>>,
    r#type: &str,
    steps: Option<&str>,
    effort: i64,
    budget: Option<u64>,
    threads: Option<usize>,
    check: bool,
) -> PyResult<Minimized> {
    let wrong = |error: Error| PyValueError::new_err(error.to_string());
    let kind: PlaType = r#type.parse().map_err(wrong)?;
    let (least, most) = EFFORTS.into_inner();
    let level = u8::try_from(effort).ok().filter(|level| EFFORTS.contains(level)).ok_or_else(|| {
        PyValueError::new_err(format!("effort is {effort}: it is one of {least} to {most}"))
    })?;
    let check = check.then_some(u64::MAX);
    let mut options = Options { effort: level, budget, check, ..Options::default() };
    if let Some(steps) = steps {
        options.steps = Step::parse_list(steps).map_err(wrong)?;
    }
    if let Some(wrong) = threads.filter(|threads| !(1..=usize::from(MAX_THREADS)).contains(threads)) {
        return Err(PyValueError::new_err(format!("threads is {wrong}: it is one of 1 to {MAX_THREADS}")));
    }
    let raise = |failure: Failure| espresso_exception(py, failure.message, failure.place);
    let text = match (pla, m) {
        (Some(pla), None) if d.is_none() && inputs.is_none() => Source::of(pla, kind)?.map_err(raise)?,
        (None, Some(m)) => Source::of_minterms([Some(m), d], inputs)?,
        _ => return Err(PyTypeError::new_err("either a function, or `m` with or without `d` and `inputs`")),
    };
    let cancelled = AtomicBool::new(false);
    let watch = |_: &Progress| {
        if cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    options.progress = Monitor::new(&watch);
    let minimized = interruptible(py, threads, &cancelled, || text.minimized(kind, &options))?;
    let (minimized, warnings) = minimized.map_err(raise)?;
    let category = py.get_type::<PyUserWarning>();
    for warning in warnings {
        // Text may have a NUL inside, which a C string cannot.
        let warning = CString::new(warning.replace('\0', "\\0")).unwrap_or_default();
        PyErr::warn(py, &category, &warning, 1)?;
    }
    Ok(minimized)
}

/// Runs `work` with `threads` threads. After an interrupt it sets `cancelled` and returns the interrupt. Propagates panics.
fn interruptible<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    cancelled: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    let pool = pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    py.detach(|| {
        let (sender, receiver) = mpsc::channel();
        pool.in_place_scope(|scope| {
            // The sender is dropped with the closure, even after a panic.
            scope.spawn(move |_| {
                // The receiver still exists.
                let _ = sender.send(work());
            });
            let mut interrupt = Ok(());
            loop {
                match receiver.recv_timeout(PAUSE) {
                    Ok(result) => return interrupt.map(|()| result),
                    Err(RecvTimeoutError::Timeout) if interrupt.is_ok() => {
                        interrupt = Python::attach(|py: Python<'_>| Python::check_signals(py));
                        cancelled.store(interrupt.is_err(), Ordering::Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    // The work has panicked; the scope propagates that.
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(PyRuntimeError::new_err("the minimizer has failed"));
                    }
                }
            }
        })
    })
}

/// Panics inside the threads of `minimize`. A test checks that the call ends.
#[cfg(feature = "panic")]
#[pyfunction]
pub fn panic_for_test(py: Python<'_>) -> PyResult<()> {
    interruptible(py, None, &AtomicBool::new(false), || panic!("on purpose"))
}

impl Source {
    fn of(given: &Bound<'_, PyAny>, kind: PlaType) -> PyResult<Result<Self, Failure>> {
        if let Ok(text) = given.extract::<String>() {
            // Equations have `=`, and no line that begins with a full stop.
            let is_pla = !text.contains('=') || text.lines().any(|line| line.trim_start().starts_with('.'));
            let language = if is_pla { Language::Pla } else { Language::Equations };
            return Ok(Ok(Source { text, head: 0, language }));
        }
        if let Ok(rows) = given.extract::<Vec<(String, String)>>() {
            return Ok(Self::of_rows(&rows, kind));
        }
        let wrong = |_| {
            PyTypeError::new_err(
                "neither the text of a PLA, nor rows, which are pairs of inputs and outputs, nor a truth table of 0, 1 and None",
            )
        };
        let text = match table(given) {
            Ok(values) => values,
            Err(_) => given
                .try_iter()
                .and_then(|tables| tables.map(|values| Ok(table(&values?)? + "\n")).collect())
                .map_err(wrong)?,
        };
        Ok(Ok(Source { text, head: 0, language: Language::TruthTables }))
    }

    /// The function with these minterms in F and D.
    fn of_minterms(sets: [Option<&Bound<'_, PyAny>>; 2], inputs: Option<Vec<String>>) -> PyResult<Self> {
        let numbers = |set: &Bound<'_, PyAny>| {
            set.try_iter()?.map(|number| number?.extract()).collect::<PyResult<Vec<u64>>>()
        };
        let [on, dc] = sets.map(|set| set.map_or(Ok(Vec::new()), numbers));
        let [on, dc] = [on?, dc?];
        let bits = on.iter().chain(&dc).max().map_or(0, |most| u64::BITS - most.leading_zeros());
        let inputs = inputs.unwrap_or_else(|| (0..bits).map(|input| format!("x{input}")).collect());
        let [on, dc] = [on, dc].map(|set| set.iter().map(u64::to_string).collect::<Vec<_>>().join(","));
        let text = format!("f({}) = m({on}) + d({dc});", inputs.join(","));
        Ok(Source { text, head: 0, language: Language::Equations })
    }

    fn of_rows(rows: &[(String, String)], kind: PlaType) -> Result<Self, Failure> {
        let Some((inputs, outputs)) = rows.first() else {
            return Err(Failure {
                message: "no rows: the number of inputs is unknown".to_owned(),
                place: None,
            });
        };
        let (inputs, outputs) = (inputs.len(), outputs.len());
        if outputs == 0 {
            let message = "row 1: a function needs at least one output".to_owned();
            return Err(Failure { message, place: Some((1, inputs + 2)) });
        }
        let mut text = format!(".i {inputs}\n.o {outputs}\n.type {kind}\n");
        let head = text.lines().count();
        for (number, (input, output)) in rows.iter().enumerate() {
            let wrong = |message: String, column| Failure {
                message: format!("row {}: {message}", number + 1),
                place: Some((number + 1, column)),
            };
            for (what, text, columns, allowed, before) in
                [("input", input, inputs, INPUTS, 0), ("output", output, outputs, OUTPUTS, inputs + 1)]
            {
                if let Some((at, letter)) =
                    text.chars().enumerate().find(|&(_, letter)| !allowed.contains(letter))
                {
                    return Err(wrong(format!("{letter:?} is no {what}"), before + at + 1));
                }
                if text.len() != columns {
                    let plural = if text.len() == 1 { "" } else { "s" };
                    let message = format!("{} {what}{plural}, and {columns} in the first row", text.len());
                    return Err(wrong(message, before + columns.min(text.len()) + 1));
                }
            }
            // Writing to a string does not fail.
            let _ = writeln!(text, "{input} {output}");
        }
        Ok(Source { text, head, language: Language::Pla })
    }

    fn minimized(&self, kind: PlaType, options: &Options<'_>) -> Result<(Minimized, Vec<String>), Failure> {
        let text = self.text.as_bytes();
        let (pla, notes) = match self.language {
            Language::Pla => Pla::read_with_notes(text, kind)?,
            Language::Equations => Pla::read_equations(text, options.progress)?,
            Language::TruthTables => (Pla::read_truth_tables(text)?, Notes::default()),
        };
        let made = run(&pla, options).map_err(|error| {
            let contradiction = (error.kind() == ErrorKind::Inconsistent)
                .then(|| self.contradiction(&pla, &notes, options.progress))
                .flatten();
            contradiction.unwrap_or_else(|| error.into())
        })?;
        let (pla, mut warnings) = (made.pla, notes.warnings);
        if made.function.rest == Rest::Off {
            warnings.push("the OFF-set has too many cubes: minimized without it, by fewer steps".to_owned());
        }
        let complemented = pla.complemented_outputs();
        if !complemented.is_empty() {
            warnings.push(format!("the rows are those of complements, of {}", complemented.join(", ")));
        }
        Ok((minimized(&pla, &made.report)?, warnings))
    }

    /// The error if the sets of `pla` contradict each other, with the lines of the two rows.
    fn contradiction(&self, pla: &Pla, notes: &Notes, monitor: Monitor<'_>) -> Option<Failure> {
        let given = Function::new(pla.on.clone(), pla.dc.clone(), pla.off.clone()).ok()?;
        let given = Function { rest: if pla.kind == PlaType::Fr { Rest::Dc } else { Rest::Empty }, ..given };
        let mismatch = check::consistent_with(&given, monitor).ok()?.err()?;
        let Some(lines) = mismatch.lines(pla, notes) else {
            return Some(Failure { message: mismatch.to_string(), place: None });
        };
        let [on, off] = lines.map(|line| line as usize - self.head);
        let what = if self.head == 0 { "lines" } else { "rows" };
        Some(Failure { message: format!("{mismatch}: {what} {on} and {off}"), place: Some((on.max(off), 1)) })
    }
}

fn minimized(pla: &Pla, report: &Report) -> espresso::Result<Minimized> {
    let mut text = Vec::new();
    pla.write(&mut text, PlaType::F)?;
    let text = String::from_utf8(text).map_err(|error| Error::new(ErrorKind::Io, error.to_string()))?;
    let rows: Vec<(String, String)> = text
        .lines()
        .filter(|line| !line.starts_with(['.', '#']))
        .map(|line| line.rsplit_once(' ').unwrap_or(("", line)))
        .map(|(inputs, outputs)| (inputs.to_owned(), outputs.to_owned()))
        .collect();
    let output_literals = pla.on.output_literals();
    Ok(Minimized {
        cubes: pla.on.len(),
        input_literals: pla.on.literals() - output_literals,
        output_literals,
        equation_literals: pla.on.equation_literals(),
        budget_exhausted: report.exhausted,
        rows,
        equations: pla.to_text(Format::Equations).ok(),
        pla: text,
    })
}

/// The values of a list or an array as a line of a truth table.
fn table(values: &Bound<'_, PyAny>) -> PyResult<String> {
    let value = |value: Bound<'_, PyAny>| {
        if value.is_none() {
            return Ok('-');
        }
        let text = if let Ok(text) = value.extract::<String>() {
            text
        } else if let Ok(value) = value.extract::<bool>() {
            u8::from(value).to_string()
        } else {
            value.extract::<i64>()?.to_string()
        };
        match text.as_str() {
            "0" => Ok('0'),
            "1" => Ok('1'),
            "x" | "X" | "-" => Ok('-'),
            _ => Err(PyTypeError::new_err("a value of a truth table is 0, 1 or None")),
        }
    };
    values.try_iter()?.map(|item| value(item?)).collect()
}
