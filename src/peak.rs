//! The most memory that the process has had, on Linux; elsewhere nothing is known.

/// Forgets what was before, where the system can.
pub(crate) fn reset() {
    // Without the right to, the peak is that of the whole process: still an upper bound.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The peak of the resident memory in bytes since [`reset`], or since the process began.
pub(crate) fn bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}
