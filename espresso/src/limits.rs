//! The memory that this process can still have: what the machine has left, within the limits of the process and of its
//! control group.
//!
//! Beyond a limit an allocation fails, which ends the process; so those who make much ask first.

/// What a thread takes of the address space beside what it allocates: its stack.
const STACK: u64 = 2 << 20;
/// What the system's allocator sets aside of the address space for each thread, whether the thread needs it or not.
const ARENA: u64 = 64 << 20;

/// The most threads that a program may be asked for. More would stall the machine, or fail to start and end the process.
const MAX_THREADS: u16 = 1024;

/// Returns the number of threads that `text` asks for. A program takes its option and the variable `RAYON_NUM_THREADS`
/// by this rule, so that neither asks for more than the other may.
///
/// # Errors
/// What is wrong with the number, in words.
///
/// # Example
/// ```
/// use espresso::limits::parse_threads;
///
/// assert_eq!(parse_threads("2"), Ok(2));
/// assert!(parse_threads("100000").is_err());
/// ```
pub fn parse_threads(text: &str) -> Result<u16, String> {
    text.parse().ok().filter(|threads| (1..=MAX_THREADS).contains(threads)).ok_or_else(|| {
        format!("the number of threads, here or in RAYON_NUM_THREADS, is from 1 to {MAX_THREADS}")
    })
}

/// Returns the bytes of memory that this process can still have when it runs `threads` threads more; `None` where that
/// cannot be asked.
///
/// The least of what the system calls available, what is left to the control group, and what the limits of the process
/// on its data and its address space (`ulimit -d`, `ulimit -v`) leave beside the threads. Reads a few small files.
///
/// # Example
/// ```
/// if let Some(bytes) = espresso::limits::available_memory(1) {
///     assert!(espresso::limits::available_memory(1_000_000) <= Some(bytes + (1 << 30)));
/// }
/// ```
pub fn available_memory(threads: usize) -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let available = kilobytes(&read("/proc/meminfo")?, "MemAvailable:")?;
    let number = |path: &str| read(path)?.trim().parse::<u64>().ok();
    let groups = [
        ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ];
    let of_group =
        groups.iter().filter_map(|(limit, used)| Some(number(limit)?.saturating_sub(number(used)?)));
    let status = read("/proc/self/status").unwrap_or_default();
    let threads = threads as u64;
    let of_process = process_limits().into_iter().zip([("VmData:", STACK), ("VmSize:", STACK + ARENA)]);
    let of_process = of_process.filter_map(|(limit, (used, of_thread))| {
        let left = limit?.saturating_sub(kilobytes(&status, used)?);
        Some(left.saturating_sub(threads.saturating_mul(of_thread)))
    });
    Some(of_group.chain(of_process).fold(available, u64::min))
}

/// The limits of this process on its data and on its address space, in bytes.
#[cfg(unix)]
fn process_limits() -> [Option<u64>; 2] {
    use rustix::process::{Resource, getrlimit};
    [Resource::Data, Resource::As].map(|resource| getrlimit(resource).current)
}

#[cfg(not(unix))]
fn process_limits() -> [Option<u64>; 2] {
    [None; 2]
}

/// The bytes on the line of `text` that begins with `name`, which counts in kilobytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kilobytes_are_read_by_name() {
        let text = "VmPeak:\t     9 kB\nVmSize:\t  3264 kB\nThreads:\t1\n";
        assert_eq!(kilobytes(text, "VmSize:"), Some(3264 << 10));
        assert_eq!(kilobytes(text, "Threads:"), None);
        assert_eq!(kilobytes(text, "VmData:"), None);
    }
}
