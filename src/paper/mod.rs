//! The paper's experiment over again: every table up to four men through its steps, in its own terms.
//!
//! Source: Gomboc & Shelton, sections 2.5 and 3, tables 4 and 5. A table is one function in the `binary` model: the
//! side to move and six bits a man in, win, draw and loss out as independent covers; the canonical legal positions are
//! care, all else is don't-care. It is compacted, expanded and made irredundant, which is what the paper's files hold;
//! then the full loop, for as long as a budget allows.
//!
//! Departures: canonical sets are complete (the paper's have about half of the positions where the men are distinct;
//! where it is known which, in `half`, they go through the same steps, like for like), and with equal material the colour swap leaves one side to move. The full loop goes on from the irredundant cover,
//! which is where the paper's arrives too after its first three steps. Every cover is checked, by code that shares
//! nothing with the steps, and the packed file on every position.

mod half;
mod record;
mod tables;

pub use record::Record;
pub use tables::Tables;

use crate::build;
use crate::error::{ErrorKind, Result};
use crate::export::{self, Exported, Scope};
use crate::model::Model;
use crate::pcn::{Codec, Layers};
use crate::peak;
use crate::position::Material;
use crate::retrograde::Table;
use espresso::minimize::{Report, Step};
use std::time::{Duration, Instant};

/// The steps of the paper whose result its files hold.
const STEPS: [Step; 3] = [Step::Compact, Step::Expand, Step::Irredundant];

/// How tables are measured.
pub struct Options<'a> {
    /// Time for the full loop of one table, looked at now and then; it is left out when that is over, or nothing.
    pub budget: Duration,
    /// Memory in bytes that minimizing may take by [`build::estimate`]; unlimited when `None`.
    pub memory: Option<u64>,
    /// Told what is being done; may cancel it.
    pub progress: build::Listener<'a>,
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("budget", &self.budget)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

impl<'a> Options<'a> {
    /// The same as options of a build.
    fn of_build(&self) -> build::Options<'a> {
        build::Options {
            models: vec![Model::Binary],
            layers: Layers::Independent,
            codec: Codec::Zstd,
            steps: STEPS.to_vec(),
            memory: self.memory,
            progress: self.progress,
            ..build::Options::default()
        }
    }
}

/// What is left after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// Clauses of the ON-cover.
    pub clauses: u64,
    /// Seconds from the beginning of compaction to the end of the step, by the clock.
    pub seconds: f64,
}

/// The paper's own positions of one table, through the same steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Half {
    /// How many they are.
    pub positions: u64,
    /// After compaction, expansion and irredundancy.
    pub stages: [Stage; 3],
}

/// What was measured of one table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The table.
    pub material: Material,
    /// Legal canonical positions: clauses of the ON-cover before anything is done.
    pub positions: u64,
    /// After compaction, expansion and irredundancy.
    pub stages: [Stage; 3],
    /// After the full loop; `None` when it did not end within the budget.
    pub full: Option<Stage>,
    /// Like for like, with the paper's positions; `None` where it is not known which they are.
    pub half: Option<Half>,
    /// Bytes of the .pcn file with the irredundant cover, compressed.
    pub zstd_bytes: u64,
    /// Seconds that making the function from the outcome table took.
    pub export_seconds: f64,
    /// Seconds that checking the covers and packing and checking the file took.
    pub check_seconds: f64,
    /// The most memory that the process had meanwhile; `None` where the system does not tell.
    pub peak_bytes: Option<u64>,
    /// Number of threads.
    pub threads: usize,
}

impl Row {
    /// Bytes of the irredundant cover in the paper's plain positional cube notation: eight a clause.
    pub fn pcn_bytes(&self) -> u64 {
        8 * self.stages[2].clauses
    }

    /// The four stages of the paper's table 4.
    pub fn all_stages(&self) -> [Option<Stage>; 4] {
        let [compacted, expanded, irredundant] = self.stages.map(Some);
        [compacted, expanded, irredundant, self.full]
    }
}

/// Checks that the memory of the options suffices for each of `materials`.
///
/// # Errors
/// As [`build::check_memory`].
pub fn check_memory(materials: &[Material], options: &Options<'_>) -> Result<()> {
    let mut build = options.of_build();
    if !options.budget.is_zero() {
        build.steps.push(Step::Loop);
    }
    build::check_memory(materials, &build)
}

/// Takes `table` through the paper's steps.
///
/// Clauses and bytes are deterministic for any number of threads.
///
/// # Errors
/// [`ErrorKind::BudgetExhausted`] when the memory allowed does not suffice; [`ErrorKind::Cancelled`] when
/// [`Options::progress`] breaks; [`ErrorKind::Internal`] when a cover is wrong, [`ErrorKind::Mismatch`] when the file is.
pub fn measure(table: &Table, options: &Options<'_>) -> Result<Row> {
    let material = *table.material();
    let what = material.to_string();
    check_memory(&[material], options)?;
    peak::reset();
    let begin = Instant::now();
    let Exported { mut function, columns } = export::independent(table, Model::Binary, &Scope::default())?;
    let export_seconds = begin.elapsed().as_secs_f64();
    let positions = function.on.len() as u64;

    let (cover, report) = build::minimize_function(&function, &what, &STEPS, options.progress, None)?;
    let stages = stages(&report);
    let begin = Instant::now();
    build::tell(options.progress, &format!("{what}: checking the cover"))?;
    build::check_cover(&function, &cover, &what)?;
    let pcn = build::from_cover(material, Model::Binary, &cover, &columns, table.hash())?;
    let built = build::finish(table, pcn, &options.of_build(), begin)?;
    let mut check_seconds = begin.elapsed().as_secs_f64();

    let mut full = None;
    if !options.budget.is_zero() {
        let deadline = Instant::now() + options.budget;
        // The loop begins with the irredundant cover as F; what it leaves is checked against the table's own F.
        let on = std::mem::replace(&mut function.on, cover);
        let steps = [Step::Compact, Step::Loop];
        match build::minimize_function(&function, &what, &steps, options.progress, Some(deadline)) {
            Ok((cover, report)) => {
                let seconds: f64 = report.steps.iter().map(|step| step.seconds).sum();
                full = Some(Stage { clauses: cover.len() as u64, seconds: stages[2].seconds + seconds });
                let begin = Instant::now();
                function.on = on;
                build::check_cover(&function, &cover, &what)?;
                check_seconds += begin.elapsed().as_secs_f64();
            }
            Err(error) if error.kind() == ErrorKind::BudgetExhausted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Row {
        material,
        positions,
        stages,
        full,
        half: measure_half(table, options)?,
        zstd_bytes: built.bytes.len() as u64,
        export_seconds,
        check_seconds,
        peak_bytes: peak::bytes(),
        threads: rayon::current_num_threads(),
    })
}

/// Takes the paper's positions of `table` through its steps.
fn measure_half(table: &Table, options: &Options<'_>) -> Result<Option<Half>> {
    let material = table.material();
    if !half::is_known(material) {
        return Ok(None);
    }
    let what = format!("{material}, the paper's positions");
    let scope = Scope { leads: [0; 2], ..Scope::default() };
    let function = half::of(export::independent(table, Model::Binary, &scope)?, material);
    let (cover, report) = build::minimize_function(&function, &what, &STEPS, options.progress, None)?;
    build::check_cover(&function, &cover, &what)?;
    Ok(Some(Half { positions: function.on.len() as u64, stages: stages(&report) }))
}

/// The stages of a report of [`STEPS`].
fn stages(report: &Report) -> [Stage; 3] {
    let mut seconds = 0.0;
    let mut stages = [Stage { clauses: 0, seconds: 0.0 }; 3];
    for (stage, step) in stages.iter_mut().zip(&report.steps) {
        seconds += step.seconds;
        *stage = Stage { clauses: step.cubes_out as u64, seconds };
    }
    stages
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrograde::Store;
    use std::ops::ControlFlow;
    use std::sync::Mutex;

    /// What [`measure`] makes of the two kings when the listener waits and then breaks at message number `at` among those
    /// that begin a minimization.
    fn stopped(at: usize, wait: Duration) -> Result<bool> {
        let table = Store::new(None).get(&"KvK".parse().unwrap()).unwrap();
        let begun = Mutex::new(Vec::new());
        let listen = |what: &str| {
            let mut begun = begun.lock().unwrap();
            if what.contains("compact, 0 of") {
                begun.push(what.to_string());
            }
            if begun.len() < at {
                return ControlFlow::Continue(());
            }
            std::thread::sleep(wait);
            ControlFlow::Break(())
        };
        let budget = Duration::from_millis(200);
        let row = measure(&table, &Options { budget, memory: None, progress: &listen });
        row.map(|row| row.full.is_some())
    }

    #[test]
    fn a_caller_who_stops_it_late_has_stopped_it() {
        assert!(stopped(usize::MAX, Duration::ZERO).unwrap());
        for at in [1, 2] {
            let error = stopped(at, Duration::from_millis(300)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Cancelled, "{at}: {error}");
        }
    }
}
