//! The time that a step takes, where there is a clock: the standard library has none in WebAssembly without a system, and
//! asking for it ends the program.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopwatch(std::time::Instant);

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl Stopwatch {
    pub(super) fn start() -> Self {
        Stopwatch(std::time::Instant::now())
    }

    pub(super) fn seconds(self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopwatch;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
impl Stopwatch {
    pub(super) fn start() -> Self {
        Stopwatch
    }

    pub(super) fn seconds(self) -> f64 {
        0.0
    }
}
