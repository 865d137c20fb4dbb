//! What a process costs as a whole: time, processor time and memory.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use wait4::Wait4;

#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub seconds: f64,
    pub cpu_seconds: f64,
    /// Of these, those outside the system.
    pub user_seconds: f64,
    /// The most memory that it has had.
    pub mebibytes: f64,
}

pub fn cost(command: &mut Command) -> Result<Cost> {
    let start = Instant::now();
    let mut child =
        command.spawn().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    let ended = child.wait4()?;
    let seconds = start.elapsed().as_secs_f64();
    ensure!(ended.status.success(), "the command failed: {}", ended.status);
    Ok(Cost {
        seconds,
        cpu_seconds: (ended.rusage.utime + ended.rusage.stime).as_secs_f64(),
        user_seconds: ended.rusage.utime.as_secs_f64(),
        mebibytes: ended.rusage.maxrss as f64 / f64::from(1 << 20),
    })
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

/// The processor time that this process has had so far, of all its threads.
pub fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Returns the `cubebase` command: the one that is given, or the one beside this program.
pub fn program(given: Option<&Path>) -> Result<PathBuf> {
    let program = match given {
        Some(program) => program.to_path_buf(),
        None => std::env::current_exe()?.with_file_name("cubebase"),
    };
    ensure!(
        program.is_file(),
        "{}: not there; build the command in the same profile, or name it with --program",
        program.display()
    );
    Ok(program)
}
