//! The cost of a whole process: time, processor time and memory.

use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use wait4::Wait4;

#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub seconds: f64,
    pub cpu_seconds: f64,
    /// The peak memory.
    pub mebibytes: f64,
}

/// The cost of a process and its exit code, which is `None` if a signal ended it.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    pub cost: Cost,
    pub code: Option<i32>,
}

/// Runs a command; its failure is an error.
pub fn cost(command: &mut Command) -> Result<Cost> {
    let Ended { cost, code } = ended(command, None)?;
    ensure!(
        code == Some(0),
        "the command failed: {}",
        code.map_or("a signal".into(), |code| code.to_string())
    );
    Ok(cost)
}

/// Runs a command to its end, or kills it after `most`.
pub fn ended(command: &mut Command, most: Option<Duration>) -> Result<Ended> {
    let start = Instant::now();
    let mut child =
        command.spawn().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    let pid = Pid::from_child(&child);
    let (has_ended, watched) = mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        if let Some(most) = most
            && watched.recv_timeout(most) == Err(RecvTimeoutError::Timeout)
        {
            // It may just have ended by itself.
            let _ = kill_process(pid, Signal::KILL);
        }
    });
    let ended = child.wait4();
    let seconds = start.elapsed().as_secs_f64();
    drop(has_ended);
    let _ = watch.join();
    let ended = ended?;
    let cost = Cost {
        seconds,
        cpu_seconds: (ended.rusage.utime + ended.rusage.stime).as_secs_f64(),
        mebibytes: ended.rusage.maxrss as f64 / f64::from(1 << 20),
    };
    Ok(Ended { cost, code: ended.status.code() })
}

/// The files in directories whose names contain `only`, sorted.
pub fn files(directories: &[PathBuf], only: Option<&str>) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for directory in directories {
        let entries =
            std::fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?;
        for entry in entries {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_file() && only.is_none_or(|only| name.contains(only)) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The processor time of this process so far, over all its threads.
pub fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Returns the command: `given`, or the one called `name` beside this program.
pub fn program(given: Option<&Path>, name: &str) -> Result<PathBuf> {
    let program = match given {
        Some(program) => program.to_path_buf(),
        None => std::env::current_exe()?.with_file_name(name),
    };
    ensure!(
        program.is_file(),
        "{}: not found; build the command in the same profile, or name it with --program",
        program.display()
    );
    Ok(program)
}
