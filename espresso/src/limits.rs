//! The memory still available to this process: that of the machine, within the limits of the process and its control group.
//!
//! An allocation beyond a limit aborts the process, so large allocations are checked in advance.

/// Address space of a thread's stack.
const STACK: u64 = 2 << 20;
/// Address space that the system's allocator reserves for each thread, needed or not.
const ARENA: u64 = 64 << 20;

/// Limit on the number of threads. More would stall the machine, or fail to start and abort the process.
pub const MAX_THREADS: u16 = 1024;

/// Parses a number of threads.
///
/// # Errors
/// The error message.
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

/// Returns the number of threads of a program: that of its option, else that of the variable `RAYON_NUM_THREADS`, unless this is
/// empty or 0, which means the default.
///
/// # Errors
/// The error message, if the variable is not a number of threads.
pub fn threads(option: Option<u16>) -> Result<Option<u16>, String> {
    let variable = std::env::var_os("RAYON_NUM_THREADS").unwrap_or_default();
    match (option, variable.to_string_lossy().trim()) {
        (None, text) if !["", "0"].contains(&text) => parse_threads(text).map(Some),
        _ => Ok(option),
    }
}

/// Returns the memory in bytes that is still available to this process with `threads` more threads; `None` on systems
/// without this information.
///
/// It is the minimum of the system's available memory, the rest of the limit of each control group that contains the
/// process, and the rest of the limits of the process on its data and address space (`ulimit -d`, `ulimit -v`), less the
/// space that the threads reserve. Reads a few small files.
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
    let of_groups = left_to_groups(&read("/proc/self/cgroup").unwrap_or_default(), read);
    let status = read("/proc/self/status").unwrap_or_default();
    let threads = threads as u64;
    let of_process = process_limits().into_iter().zip([("VmData:", STACK), ("VmSize:", STACK + ARENA)]);
    let of_process = of_process.filter_map(|(limit, (used, of_thread))| {
        let left = limit?.saturating_sub(kilobytes(&status, used)?);
        Some(left.saturating_sub(threads.saturating_mul(of_thread)))
    });
    Some(of_process.chain(of_groups).fold(available, u64::min))
}

/// The directories of control groups, version 2 and version 1, and the names of three values: the limit, the memory in use,
/// and the part of it that is droppable file cache.
const GROUPS: [(&str, [&str; 3]); 2] = [
    ("/sys/fs/cgroup", ["memory.max", "memory.current", "inactive_file "]),
    ("/sys/fs/cgroup/memory", ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "]),
];

/// The smallest rest of a limit among the control groups that contain the process. `groups` is the text of
/// `/proc/self/cgroup`, and `read` returns the text of a file.
///
/// In a container, the path may be that of the host, and only the root directory exists.
fn left_to_groups(groups: &str, read: impl Fn(&str) -> Option<String>) -> Option<u64> {
    let left = |directory: &str, [limit, used, dropped]: [&str; 3]| {
        let number = |name: &str| read(&format!("{directory}/{name}"))?.trim().parse::<u64>().ok();
        let statistics = read(&format!("{directory}/memory.stat")).unwrap_or_default();
        let dropped = statistics.lines().find_map(|line| line.strip_prefix(dropped)?.trim().parse().ok());
        Some(number(limit)?.saturating_sub(number(used)?.saturating_sub(dropped.unwrap_or(0))))
    };
    let of_version = |line: &str| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        let is_first = controllers.split(',').any(|controller| controller == "memory");
        (is_first || controllers.is_empty()).then(|| (usize::from(is_first), path.to_owned()))
    };
    let roots = [(0, String::new()), (1, String::new())];
    let paths = groups.lines().filter_map(of_version).chain(roots);
    let groups = paths.flat_map(|(version, path)| {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]).collect::<Vec<_>>();
        ends.into_iter().map(move |end| (version, path[..end].to_owned()))
    });
    let left = groups.filter_map(|(version, path)| {
        let (root, names) = GROUPS[version];
        left(&format!("{root}{path}"), names)
    });
    left.min()
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

/// The value in bytes on the line of `text` that begins with `name`, given there in kilobytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_rest_of_the_enclosing_groups_counts() {
        let files = [
            ("/sys/fs/cgroup/a/memory.max", "1000\n"),
            ("/sys/fs/cgroup/a/memory.current", "600\n"),
            ("/sys/fs/cgroup/a/memory.stat", "anon 500\ninactive_file 100\n"),
            ("/sys/fs/cgroup/a/b/memory.max", "max\n"),
            ("/sys/fs/cgroup/a/b/memory.current", "50\n"),
            ("/sys/fs/cgroup/a/b/c/memory.max", "2000\n"),
            ("/sys/fs/cgroup/a/b/c/memory.current", "10\n"),
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "4000\n"),
            ("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n"),
            ("/sys/fs/cgroup/memory/d/memory.limit_in_bytes", "700\n"),
            ("/sys/fs/cgroup/memory/d/memory.usage_in_bytes", "400\n"),
            ("/sys/fs/cgroup/memory/d/memory.stat", "total_inactive_file 50\n"),
        ];
        let read = |path: &str| {
            let file = files.iter().find(|(name, _)| *name == path);
            file.map(|(_, text)| (*text).to_owned())
        };
        assert_eq!(left_to_groups("0::/a/b/c\n", read), Some(500));
        assert_eq!(left_to_groups("2:cpu:/\n4:memory,x:/d\n1:name=systemd:/a\n0::/e\n", read), Some(350));
        // A container's own root, and no group at all.
        assert_eq!(left_to_groups("4:memory:/machine/f\n", read), Some(3000));
        assert_eq!(left_to_groups("", read), Some(3000));
        assert_eq!(left_to_groups("0::/a", |_| None), None);
    }

    #[test]
    fn kilobytes_are_read_by_name() {
        let text = "VmPeak:\t     9 kB\nVmSize:\t  3264 kB\nThreads:\t1\n";
        assert_eq!(kilobytes(text, "VmSize:"), Some(3264 << 10));
        assert_eq!(kilobytes(text, "Threads:"), None);
        assert_eq!(kilobytes(text, "VmData:"), None);
    }
}
