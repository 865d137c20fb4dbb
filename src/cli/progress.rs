//! Progress on standard error, on a terminal only, and what an interrupt leaves behind: nothing.

use crate::position::Material;
use crate::retrograde::{Estimate, Progress};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The status of a process ended by an interrupt, as shells report it.
const INTERRUPTED: i32 = 130;

/// Returns a line on standard error that names the current step, or nothing when `quiet` or not a terminal.
pub(super) fn line(quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    let bar = ProgressBar::with_draw_target(None, target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Returns what shows the generator's progress on `line`: table, pass, and the time left for `plan`, of which nothing is
/// said while it is empty or nothing of it has been finished.
pub(super) fn generating(
    line: &ProgressBar,
    plan: Vec<Estimate>,
) -> impl Fn(&Progress) -> ControlFlow<()> + Send + Sync + use<> {
    let line = line.clone();
    let left = Mutex::new(TimeLeft::new(&plan));
    move |progress| {
        let (material, pass, decided) = (progress.material, progress.pass, progress.decided);
        let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.finished {
            left.finish(&material);
        }
        let left = left.now().map_or(String::new(), |left| format!(", about {} left", HumanDuration(left)));
        line.set_message(format!("{material}: generating, pass {pass}, {decided} positions decided{left}"));
        ControlFlow::Continue(())
    }
}

/// The time left for a plan: the estimates of what is not finished, at the speed that the finished tables had.
struct TimeLeft {
    /// Estimated seconds of the tables that are not finished.
    left: HashMap<Material, f64>,
    done: f64,
    start: Instant,
    /// Time from the start to the last finished table.
    taken: Duration,
}

impl TimeLeft {
    fn new(plan: &[Estimate]) -> Self {
        TimeLeft {
            left: plan.iter().map(|table| (table.material, table.cpu_seconds)).collect(),
            done: 0.0,
            start: Instant::now(),
            taken: Duration::ZERO,
        }
    }

    fn finish(&mut self, material: &Material) {
        if let Some(seconds) = self.left.remove(material) {
            self.done += seconds;
            self.taken = self.start.elapsed();
        }
    }

    /// `None` before a table has been finished.
    fn now(&self) -> Option<Duration> {
        if self.done == 0.0 {
            return None;
        }
        let all = self.taken.mul_f64(1.0 + self.left.values().sum::<f64>() / self.done);
        Some(all.saturating_sub(self.start.elapsed()))
    }
}

/// On an interrupt or a request to end, removes the temporary files of unfinished writes and ends the process.
pub(super) fn remove_temporary_files_when_interrupted() {
    // Without a handler the process simply ends; the unfinished file then keeps its temporary name.
    let _ = ctrlc::set_handler(|| {
        crate::atomic::exit(INTERRUPTED);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrograde::Store;

    #[test]
    fn the_time_left_follows_the_speed_so_far() {
        let plan = Store::new(None).plan(&["KQvK".parse().unwrap()]).unwrap();
        let [bare, queen] = &plan[..] else { panic!("{plan:?}") };
        let mut left = TimeLeft::new(&plan);
        assert_eq!(left.now(), None);
        left.finish(&bare.material);
        // As if bare kings had taken an hour.
        left.taken = Duration::from_secs(3600);
        let expected = 3600.0 * (1.0 + queen.cpu_seconds / bare.cpu_seconds);
        assert!((left.now().unwrap().as_secs_f64() - expected).abs() < 60.0);
        left.finish(&queen.material);
        assert!(left.now().unwrap() < Duration::from_secs(1));
    }
}
