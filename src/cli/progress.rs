//! Progress on standard error, on a terminal only; and interrupts, which leave no temporary files.

use crate::pipeline;
use crate::retrograde::estimate::Estimate;
use crate::retrograde::game::Game;
use crate::retrograde::solve::Progress;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::HashMap;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// The status of a process ended by an interrupt, as shells report it.
const INTERRUPTED: i32 = 130;

/// Returns a progress line on standard error, hidden when `quiet` or if standard error is not a terminal.
pub(super) fn line(quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    let bar = ProgressBar::with_draw_target(None, target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    if !bar.is_hidden() {
        bar.enable_steady_tick(Duration::from_millis(200));
    }
    bar
}

/// Returns a callback that shows on `line` the progress of `material`'s table, and the time left of the estimated `seconds`.
pub(super) fn showing(
    line: &ProgressBar,
    material: &dyn Display,
    seconds: Option<f64>,
) -> impl Fn(&pipeline::Progress) -> ControlFlow<()> + Sync + use<> {
    let left = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    showing_name(line, material.to_string(), left)
}

/// The same as [`showing`] for any name; the time left counts down from `left`.
fn showing_name(
    line: &ProgressBar,
    name: String,
    left: Option<Duration>,
) -> impl Fn(&pipeline::Progress) -> ControlFlow<()> + Sync + use<> {
    let (line, start) = (line.clone(), Instant::now());
    move |now| {
        if !line.is_hidden() {
            let left = left.and_then(|left| left.checked_sub(start.elapsed()));
            line.set_message(format!("{name}{}: {now}", left_text(left)));
        }
        ControlFlow::Continue(())
    }
}

fn left_text(left: Option<Duration>) -> String {
    left.filter(|left| left.as_secs() > 0)
        .map_or(String::new(), |left| format!(", about {} left", HumanDuration(left)))
}

/// The progress of a run over tables or files, one after the other: the current one, and the time left for all.
pub(super) struct ItemProgress {
    /// The work for each item.
    shares: Vec<f64>,
    /// The number of items begun.
    begun: usize,
    /// Whether `shares` are estimated seconds by the clock.
    is_time: bool,
    start: Instant,
}

impl ItemProgress {
    /// Returns a run over items that take work in these proportions.
    pub(super) fn over(shares: impl Iterator<Item = f64>) -> Self {
        ItemProgress { shares: shares.collect(), begun: 0, is_time: false, start: Instant::now() }
    }

    /// Returns a run over items with these estimated seconds.
    pub(super) fn of_seconds(seconds: impl Iterator<Item = f64>) -> Self {
        ItemProgress { is_time: true, ..ItemProgress::over(seconds) }
    }

    /// Goes on to the next item, called `name`, and returns a callback that shows its progress on `line`.
    pub(super) fn next(
        &mut self,
        line: &ProgressBar,
        name: &str,
    ) -> impl Fn(&pipeline::Progress) -> ControlFlow<()> + Sync + use<> {
        let left = self.left(self.start.elapsed());
        self.begun += 1;
        let all = self.shares.len();
        let name = if all > 1 { format!("{name} ({} of {all})", self.begun) } else { name.to_owned() };
        line.set_message(name.clone() + &left_text(left));
        showing_name(line, name, left)
    }

    /// The time left for the items that are not begun.
    fn left(&self, elapsed: Duration) -> Option<Duration> {
        let sum = |shares: &[f64]| shares.iter().sum::<f64>();
        let (done, all) = (sum(&self.shares[..self.begun.min(self.shares.len())]), sum(&self.shares));
        time_left(done / all, self.is_time.then_some(all), elapsed)
    }
}

/// The time left by the speed since the start, if enough is done to know it, otherwise by an estimate in seconds of the whole.
fn time_left(done: f64, estimate: Option<f64>, elapsed: Duration) -> Option<Duration> {
    let elapsed = elapsed.as_secs_f64();
    let left = if done > KNOWN { elapsed * (1.0 - done) / done } else { estimate? - elapsed };
    Duration::try_from_secs_f64(left.max(0.0)).ok()
}

/// Returns a callback that shows the generator's progress on `line`: table, pass and, unless `plan` is empty, a bar and
/// the time left.
pub(super) fn generating<G: Game>(
    line: &ProgressBar,
    plan: &[Estimate<G>],
) -> impl Fn(&Progress<G>) -> ControlFlow<()> + Send + Sync + use<G> {
    let line = line.clone();
    let work = Work::new(plan);
    if work.total > 0.0
        && let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} [{bar:20}] {wide_msg}")
    {
        line.set_style(style.progress_chars("=> "));
        line.set_length(STEPS);
    }
    let (start, work) = (Instant::now(), Mutex::new(work));
    move |progress| {
        let (material, pass, decided) = (progress.material, progress.pass, progress.decided);
        let mut work = work.lock().unwrap_or_else(PoisonError::into_inner);
        work.note(&material, decided, progress.finished);
        #[allow(clippy::cast_sign_loss)] // A share is between 0 and 1.
        line.set_position((work.share() * STEPS as f64) as u64);
        let left = work.left(start.elapsed(), rayon::current_num_threads());
        let left = left_text(left);
        // A narrow terminal cuts off the end, so the least important part comes last.
        line.set_message(format!("{material}: generating, pass {pass}{left}, {decided} positions decided"));
        ControlFlow::Continue(())
    }
}

const STEPS: u64 = 1000;
/// Share of the work after which the measured speed replaces the estimate.
const KNOWN: f64 = 0.05;

/// The work of a plan in estimated seconds of processor time, and the finished share of it.
struct Work<G: Game> {
    total: f64,
    tables: HashMap<G::Material, Planned>,
}

struct Planned {
    seconds: f64,
    /// Slots that the solver decides: of both sides to move, even if the table stores one.
    slots: f64,
    share: f64,
}

impl<G: Game> Work<G> {
    fn new(plan: &[Estimate<G>]) -> Self {
        let planned = |table: &Estimate<G>| {
            let sides = 2.0 / G::stored_turns(&table.material).len() as f64;
            Planned { seconds: table.cpu_seconds, slots: table.slots as f64 * sides, share: 0.0 }
        };
        Work {
            total: plan.iter().map(|table| table.cpu_seconds).sum(),
            tables: plan.iter().map(|table| (table.material, planned(table))).collect(),
        }
    }

    fn note(&mut self, material: &G::Material, decided: u64, finished: bool) {
        if let Some(table) = self.tables.get_mut(material) {
            table.share = if finished { 1.0 } else { (decided as f64 / table.slots).min(1.0) };
        }
    }

    fn share(&self) -> f64 {
        self.tables.values().map(|table| table.share * table.seconds).sum::<f64>() / self.total.max(1e-9)
    }

    /// The time left; `None` without a plan.
    fn left(&self, elapsed: Duration, threads: usize) -> Option<Duration> {
        let estimate = (self.total > 0.0).then(|| self.total / threads as f64);
        time_left(self.share(), estimate, elapsed)
    }
}

/// On an interrupt or a termination signal, prints a message, removes temporary files of unfinished writes and ends the
/// process at once.
pub(super) fn end_when_interrupted() {
    // Without a handler the process simply ends; the unfinished file then keeps its temporary name.
    let _ = ctrlc::set_handler(|| {
        say_interrupted();
        crate::atomic::exit(INTERRUPTED);
    });
}

/// Prints on standard error that the process was interrupted. Waits only briefly: a stopped terminal or a full pipe must
/// not keep the process alive.
fn say_interrupted() {
    let (said, heard) = mpsc::channel();
    let say = move || {
        let mut out = io::stderr();
        // The progress line and the terminal's own `^C` stay: they show how far the run got.
        let start = if out.is_terminal() { "\n" } else { "" };
        let _ = writeln!(out, "{start}cubebase: interrupted");
        let _ = said.send(());
    };
    if thread::Builder::new().spawn(say).is_ok() {
        let _ = heard.recv_timeout(Duration::from_millis(200));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::retrograde::Chess;
    use crate::chess::retrograde::Store;

    #[test]
    fn a_run_guesses_first_and_measures_then() {
        let seconds = Duration::from_secs;
        let mut run = ItemProgress::of_seconds([10.0, 30.0, 60.0].into_iter());
        assert_eq!(run.left(Duration::ZERO), Some(seconds(100)));
        run.begun = 1;
        assert_eq!(run.left(seconds(20)), Some(seconds(180)));
        run.begun = 3;
        assert_eq!(run.left(seconds(400)), Some(Duration::ZERO));
        let mut run = ItemProgress::over([1.0, 3.0].into_iter());
        assert_eq!(run.left(seconds(9)), None);
        run.begun = 1;
        assert_eq!(run.left(seconds(9)), Some(seconds(27)));
        assert_eq!(ItemProgress::over(std::iter::empty()).left(seconds(9)), None);
    }

    #[test]
    fn an_unknown_time_left_is_not_shown() {
        let said = [Some(7200), Some(0), None].map(|seconds| left_text(seconds.map(Duration::from_secs)));
        assert_eq!(said, [", about 2 hours left", "", ""]);
    }

    #[test]
    fn the_time_left_follows_the_estimate_and_then_the_speed() {
        let plan = Store::new(None).plan(&["KQvK".parse().unwrap()]).unwrap();
        let [bare, queen] = &plan[..] else { panic!("{plan:?}") };
        let mut work = Work::<Chess>::new(&plan);
        let (seconds, hour) = (Duration::from_secs_f64, Duration::from_secs(3600));
        assert_eq!(work.left(Duration::ZERO, 2), Some(seconds(work.total / 2.0)));
        assert_eq!(work.left(hour, 2), Some(Duration::ZERO));
        // Half of the queen's positions are decided, after an hour.
        work.note(&bare.material, 0, true);
        work.note(&queen.material, queen.slots / 2, false);
        let expected = 3600.0 * (queen.cpu_seconds / 2.0) / (bare.cpu_seconds + queen.cpu_seconds / 2.0);
        assert!((work.left(hour, 2).unwrap().as_secs_f64() - expected).abs() < 1.0);
        work.note(&queen.material, 0, true);
        assert!((work.share() - 1.0).abs() < 1e-9);
        assert_eq!(work.left(hour, 2), Some(Duration::ZERO));
        assert_eq!(Work::<Chess>::new(&[]).left(hour, 2), None);
    }
}
