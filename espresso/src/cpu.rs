//! Which vector instructions this machine has: the one place where every kernel of the crate asks.
//!
//! The level is found out once. The environment variable `ESPRESSO_KERNEL` with the value `portable`, `avx2` or `avx512`
//! asks for a lesser one.

use std::sync::OnceLock;

/// The instructions that the kernels use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Returns the name of the instructions that the vector kernels use: `avx512`, `avx2` or `portable`.
///
/// They are the best that this machine has, or lesser ones that the environment variable `ESPRESSO_KERNEL` asks for,
/// with one of these names, when it is first needed. Results do not depend on it.
pub fn vector_level() -> &'static str {
    match Level::detect() {
        Level::Portable => "portable",
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => "avx2",
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => "avx512",
    }
}

impl Level {
    /// The level of this machine, or the lesser one that the environment asks for.
    pub(crate) fn detect() -> Self {
        static LEVEL: OnceLock<Level> = OnceLock::new();
        *LEVEL.get_or_init(|| {
            let wish = std::env::var("ESPRESSO_KERNEL").unwrap_or_default();
            let most = match wish.as_str() {
                "portable" => return Level::Portable,
                #[cfg(target_arch = "x86_64")]
                "avx2" => Level::Avx2,
                _ => Self::best(),
            };
            most.min(Self::best())
        })
    }

    /// The levels that this machine has, for tests that compare them.
    #[cfg(test)]
    pub(crate) fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let all = vec![Level::Portable, Level::Avx2, Level::Avx512];
        #[cfg(not(target_arch = "x86_64"))]
        let all = vec![Level::Portable];
        all.into_iter().filter(|&level| level <= Self::best()).collect()
    }

    #[cfg(target_arch = "x86_64")]
    fn best() -> Self {
        if is_x86_feature_detected!("avx512f") {
            Level::Avx512
        } else if is_x86_feature_detected!("avx2") {
            Level::Avx2
        } else {
            Level::Portable
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn best() -> Self {
        Level::Portable
    }
}
