//! Minimization by the options of the command line: all outputs together or one by one, with given or chosen phases.

use super::args::{Args, Command, Tuning};
use super::failure::Failure;
use super::progress::watch;
use espresso::minimize::{
    Options, Phased, Step, minimize, minimize_all_phases, minimize_each_output, minimize_phases,
};
use espresso::{Function, Monitor};

/// Minimizes `function` by `steps`. `name` is the function's name in messages.
pub fn minimized(args: &Args, name: &str, function: &Function, steps: Vec<Step>) -> Result<Phased, Failure> {
    let Args { effort, budget, .. } = *args;
    let is_strong = args.tuning.contains(&Tuning::Strong);
    let made = |progress: Monitor<'_>| -> espresso::Result<Phased> {
        let options = Options { steps, effort, is_strong, budget, progress, ..Options::default() };
        match args.command() {
            Command::So => minimize_each_output(function, false, &options),
            Command::SoBoth => minimize_each_output(function, true, &options),
            Command::Opo => minimize_phases(function, &options),
            Command::OpoAll => minimize_all_phases(function, &options),
            _ => minimize(function, &options).map(|(cover, report)| Phased::plain(cover, report)),
        }
    };
    watch(made).map_err(Failure::of(name))
}
