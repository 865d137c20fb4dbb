//! The summary of a run, for people and for programs.

use super::args::Format;
use espresso::minimize::Report;
use espresso::{Cover, Pla, Space};
use std::fmt::Write;

/// Sizes of a PLA, what was done to it, and what came out.
pub struct Summary<'a> {
    pub pla: &'a Pla,
    pub name: &'a str,
    /// What each step did, and the cover at the end, when something was done.
    pub outcome: Option<(&'a Report, &'a Cover)>,
    pub seconds: f64,
}

impl Summary<'_> {
    /// The summary as text that ends with a line feed.
    pub fn render(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Json => self.json(),
        }
    }

    fn text(&self) -> String {
        let Summary { pla, name, .. } = self;
        let space = pla.space();
        let mut text = format!("{name}: type {}, {} inputs", pla.kind, space.inputs());
        if space.inputs() > space.binary_inputs() {
            let _ = write!(text, " ({} binary, parts", space.binary_inputs());
            for variable in &space.variables()[space.binary_inputs()..space.inputs()] {
                let _ = write!(text, " {}", variable.parts);
            }
            text.push(')');
        }
        let _ = writeln!(text, ", {} outputs", space.outputs());
        for (set, cover) in [("ON", &pla.on), ("DC", &pla.dc), ("OFF", &pla.off)] {
            if set == "ON" || !cover.is_empty() {
                let _ = writeln!(text, "{:>14} cubes in the {set}-set as read", cover.len());
            }
        }
        if let Some((report, cover)) = &self.outcome {
            for step in &report.steps {
                let _ = writeln!(
                    text,
                    "{:>14} cubes, {} literals after {} in {:.3} s",
                    step.cubes_out, step.literals, step.step, step.seconds
                );
            }
            let outputs = output_literals(cover);
            let _ = writeln!(
                text,
                "{:>14} cubes, {} literals ({} of inputs, {outputs} of outputs) in {:.3} s in all, {} kernels",
                cover.len(),
                cover.literals(),
                cover.literals() - outputs,
                self.seconds,
                espresso::vector_level()
            );
            if report.exhausted {
                text.push_str("the budget was used up\n");
            }
        }
        text
    }

    fn json(&self) -> String {
        let Summary { pla, .. } = self;
        let space = pla.space();
        let multi: Vec<String> = space.variables()[space.binary_inputs()..space.inputs()]
            .iter()
            .map(|variable| variable.parts.to_string())
            .collect();
        let mut text = format!(
            "{{\"type\":\"{}\",\"binary_inputs\":{},\"multi_valued_input_parts\":[{}],\"outputs\":{},\
             \"on_cubes_read\":{},\"dc_cubes_read\":{},\"off_cubes_read\":{}",
            pla.kind,
            space.binary_inputs(),
            multi.join(","),
            space.outputs(),
            pla.on.len(),
            pla.dc.len(),
            pla.off.len()
        );
        if let Some((report, cover)) = &self.outcome {
            let steps: Vec<String> = report
                .steps
                .iter()
                .map(|step| {
                    format!(
                        "{{\"step\":\"{}\",\"cubes_in\":{},\"cubes_out\":{},\"literals\":{},\"seconds\":{:.6}}}",
                        step.step, step.cubes_in, step.cubes_out, step.literals, step.seconds
                    )
                })
                .collect();
            let outputs = output_literals(cover);
            let _ = write!(
                text,
                ",\"steps\":[{}],\"cubes\":{},\"input_literals\":{},\"output_literals\":{outputs},\
                 \"budget_exhausted\":{}",
                steps.join(","),
                cover.len(),
                cover.literals() - outputs,
                report.exhausted
            );
        }
        let _ = writeln!(text, ",\"seconds\":{:.6}}}", self.seconds);
        text
    }
}

fn output_literals(cover: &Cover) -> usize {
    cover.iter().map(|cube| Space::literal_len(cover.space().output(), cube)).sum()
}
