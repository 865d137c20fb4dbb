//! What a committed record says of its origin: the machine, the commit, the command.

use crate::Format;
use std::io::{self, Write};
use std::process::Command;

/// Writes the origin of the results that follow as comment lines, when they are for a file.
pub fn head(format: Format, out: &mut impl Write) -> io::Result<()> {
    if format == Format::Text {
        return Ok(());
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    writeln!(out, "# cubebase-bench {}", arguments.join(" "))?;
    writeln!(out, "# cpu: {}, threads: {}", cpu().unwrap_or("unknown".into()), threads())?;
    writeln!(out, "# commit: {}", commit().unwrap_or("unknown".into()))
}

fn cpu() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn commit() -> Option<String> {
    let output = Command::new("git").args(["describe", "--always", "--dirty"]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}
