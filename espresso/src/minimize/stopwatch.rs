//! Measures the duration of a step. In WebAssembly without a system the standard library has no clock, and reading it
//! aborts the program, so the duration is zero there.

use std::time::Instant;

const HAS_CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

#[derive(Clone, Copy, Debug)]
pub(super) struct Stopwatch(Option<Instant>);

impl Stopwatch {
    pub(super) fn start() -> Self {
        Stopwatch(HAS_CLOCK.then(Instant::now))
    }

    pub(super) fn seconds(self) -> f64 {
        self.0.map_or(0.0, |start| start.elapsed().as_secs_f64())
    }
}
