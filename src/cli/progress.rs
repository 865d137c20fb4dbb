//! Progress on standard error, on a terminal only, and what an interrupt leaves behind: nothing.

use crate::retrograde::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::ops::ControlFlow;
use std::time::Duration;

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

/// Returns what shows the generator's progress on `line`.
pub(super) fn generating(line: &ProgressBar) -> impl Fn(&Progress) -> ControlFlow<()> + Send + Sync + use<> {
    let line = line.clone();
    move |progress| {
        let (material, pass, decided) = (progress.material, progress.pass, progress.decided);
        line.set_message(format!("{material}: generating, pass {pass}, {decided} positions decided"));
        ControlFlow::Continue(())
    }
}

/// On an interrupt or a request to end, removes the temporary files of unfinished writes and ends the process.
pub(super) fn remove_temporary_files_when_interrupted() {
    // Without a handler the process simply ends; the unfinished file then keeps its temporary name.
    let _ = ctrlc::set_handler(|| {
        crate::atomic::remove_unfinished();
        std::process::exit(INTERRUPTED);
    });
}
