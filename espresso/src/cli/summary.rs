//! The summary of a run, as a table for people and as JSON for programs.

use super::args::SummaryFormat;
use comfy_table::{CellAlignment, Table, presets};
use espresso::minimize::{Report, StepReport};
use espresso::{Cover, Pla};
use serde::Serialize;
use std::fmt::Write;

/// Sizes of a PLA, the executed steps, and the result.
#[derive(Serialize)]
pub struct Summary<'a> {
    #[serde(skip)]
    name: &'a str,
    #[serde(rename = "type")]
    kind: String,
    binary_inputs: usize,
    multi_valued_input_parts: Vec<usize>,
    outputs: usize,
    on_cubes_read: usize,
    dc_cubes_read: usize,
    off_cubes_read: usize,
    #[serde(flatten)]
    outcome: Option<Outcome<'a>>,
    seconds: f64,
}

/// The report on each step, and the size of the final cover.
#[derive(Serialize)]
struct Outcome<'a> {
    steps: &'a [StepReport],
    cubes: usize,
    input_literals: usize,
    output_literals: usize,
    equation_literals: usize,
    budget_exhausted: bool,
    lower_bound_cubes: Option<usize>,
    strategy: Option<String>,
}

impl<'a> Summary<'a> {
    /// The summary of a PLA as read, called `name`.
    pub fn new(pla: &Pla, name: &'a str, seconds: f64) -> Self {
        let space = pla.space();
        let multi_valued = &space.variables()[space.binary_inputs()..space.inputs()];
        Summary {
            name,
            kind: pla.kind.to_string(),
            binary_inputs: space.binary_inputs(),
            multi_valued_input_parts: multi_valued.iter().map(|variable| variable.parts).collect(),
            outputs: space.outputs(),
            on_cubes_read: pla.on.len(),
            dc_cubes_read: pla.dc.len(),
            off_cubes_read: pla.off.len(),
            outcome: None,
            seconds,
        }
    }

    /// Adds the reports on the steps, and the final cover.
    pub fn with_outcome(mut self, report: &'a Report, cover: &Cover) -> Self {
        let output_literals = cover.output_literals();
        self.outcome = Some(Outcome {
            steps: &report.steps,
            cubes: cover.len(),
            input_literals: cover.literals() - output_literals,
            output_literals,
            equation_literals: cover.equation_literals(),
            budget_exhausted: report.exhausted,
            lower_bound_cubes: report.lower_bound,
            strategy: report.strategy.map(|strategy| strategy.to_string()),
        });
        self
    }

    /// The summary as text, without a line feed at the end.
    pub fn render(&self, format: SummaryFormat) -> String {
        match format {
            SummaryFormat::Text => self.text(),
            SummaryFormat::Json => serde_json::to_string(self).expect("numbers and text are valid JSON"),
        }
    }

    fn text(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(["", "cubes", "literals", "seconds"]);
        for (set, cubes) in
            [("ON", self.on_cubes_read), ("DC", self.dc_cubes_read), ("OFF", self.off_cubes_read)]
        {
            if set == "ON" || cubes > 0 {
                table.add_row([format!("{set}-set as read"), cubes.to_string()]);
            }
        }
        let mut end = String::new();
        if let Some(outcome) = &self.outcome {
            let mut row = |what: &str, cubes: usize, literals: usize, seconds: f64| {
                let row = [what.into(), cubes.to_string(), literals.to_string(), format!("{seconds:.3}")];
                table.add_row(row);
            };
            for done in outcome.steps {
                row(done.step.name(), done.cubes_out, done.literals, done.seconds);
            }
            let Outcome {
                cubes, input_literals: inputs, output_literals: outputs, equation_literals, ..
            } = outcome;
            row("in all", *cubes, inputs + outputs, self.seconds);
            end = format!(
                "\nliterals: {inputs} of inputs, {outputs} of outputs; {equation_literals} in equations"
            );
            if let Some(strategy) = &outcome.strategy {
                let _ = write!(end, "\n{strategy}");
            }
            if let Some(lower) = outcome.lower_bound_cubes {
                let _ = write!(end, "\nno cover has fewer cubes than {lower}");
            }
            if outcome.budget_exhausted {
                end += "\nthe budget was used up";
            }
        }
        table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
        let Summary { name, kind, binary_inputs, outputs, .. } = self;
        let s = |count| if count == 1 { "" } else { "s" };
        let inputs = match &self.multi_valued_input_parts[..] {
            [] => String::new(),
            parts => format!(", inputs of {parts:?} parts"),
        };
        format!(
            "{name}: type {kind}, {binary_inputs} binary input{}{inputs}, {outputs} output{}\n{}{end}",
            s(*binary_inputs),
            s(*outputs),
            table.trim_fmt()
        )
    }
}
