//! Detection of this machine's vector instructions, for the kernels of the learner. Free: results do not depend on the level.
//!
//! A level is a set of features that contains all lower levels. A kernel is compiled for the levels that it can use, and runs
//! at the highest that the machine supports. The level is detected once. The environment variable `CUBEBASE_KERNEL` with the
//! name of a level limits it.
//!
//! The crates `multiversion` and `pulp` do something similar. The first has no way to choose a level at run time, for users
//! or tests. The second has no level with the byte compression of Ice Lake, which a kernel needs.

use std::sync::OnceLock;

/// The instruction sets that kernels are compiled for; each includes all before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Features {
    /// The instructions of every machine of the architecture.
    Portable,
    /// AVX2 and POPCNT, as in Haswell.
    Avx2,
    /// AVX-512 F and BW, as in Skylake servers.
    Avx512,
    /// AVX-512 VBMI2, as in Ice Lake.
    Avx512Icl,
}

/// Proof that this machine has a set of instructions. Only this file creates values: whoever has one may run code compiled for
/// these instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level(Features);

/// The levels with their names and with the features that each adds.
const LEVELS: [(Features, &str, &[&str]); 4] = [
    (Features::Portable, "portable", &[]),
    (Features::Avx2, "avx2", &["avx2", "popcnt"]),
    (Features::Avx512, "avx512", &["avx512f", "avx512bw"]),
    (Features::Avx512Icl, "avx512icl", &["avx512vbmi2"]),
];

/// The environment variable that limits the level.
const WISH: &str = "CUBEBASE_KERNEL";

/// Checks that the environment variable `CUBEBASE_KERNEL`, if set, has the name of a level.
///
/// # Errors
/// The error message.
pub fn check_vector_level() -> Result<(), String> {
    let wish = wish();
    if wish.is_empty() || LEVELS.iter().any(|(_, name, _)| *name == wish) {
        return Ok(());
    }
    let names = LEVELS.map(|(_, name, _)| name).join(", ");
    Err(format!("the environment variable {WISH} is {wish:?}; it may be one of {names}"))
}

fn wish() -> String {
    std::env::var_os(WISH).unwrap_or_default().to_string_lossy().into_owned()
}

impl Level {
    /// Whether this level includes these features.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn has(self, features: Features) -> bool {
        self.0 >= features
    }

    /// The level of this machine, or the lower one set in the environment.
    pub(super) fn detect() -> Self {
        static LEVEL: OnceLock<Level> = OnceLock::new();
        *LEVEL.get_or_init(|| {
            let wish = wish();
            let wanted = LEVELS.iter().find(|(_, name, _)| *name == wish).map(|&(features, ..)| features);
            Level(wanted.unwrap_or(Features::Avx512Icl).min(Features::best(has)))
        })
    }

    /// The levels of this machine, for tests that compare them.
    #[cfg(test)]
    pub(super) fn available() -> impl Iterator<Item = Self> {
        let best = Features::best(has);
        LEVELS.iter().filter(move |&&(features, ..)| features <= best).map(|&(features, ..)| Level(features))
    }
}

impl Features {
    /// The highest level that has all its features and all features of lower levels.
    fn best(has: impl Fn(&str) -> bool) -> Self {
        let reached = LEVELS.iter().take_while(|(.., features)| features.iter().all(|feature| has(feature)));
        reached.last().map_or(Features::Portable, |&(features, ..)| features)
    }
}

/// Whether this machine has a feature.
#[cfg(target_arch = "x86_64")]
fn has(feature: &str) -> bool {
    match feature {
        "avx2" => is_x86_feature_detected!("avx2"),
        "popcnt" => is_x86_feature_detected!("popcnt"),
        "avx512f" => is_x86_feature_detected!("avx512f"),
        "avx512bw" => is_x86_feature_detected!("avx512bw"),
        "avx512vbmi2" => is_x86_feature_detected!("avx512vbmi2"),
        _ => false,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn has(_: &str) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_needs_every_feature_of_its_own_and_of_those_before() {
        let all: Vec<&str> = LEVELS.iter().flat_map(|&(.., features)| features).copied().collect();
        let without = |missing: &str| Features::best(|feature| all.contains(&feature) && feature != missing);
        for (missing, features) in [
            ("", Features::Avx512Icl),
            ("avx512vbmi2", Features::Avx512),
            ("avx512bw", Features::Avx2),
            ("avx512f", Features::Avx2),
            ("popcnt", Features::Portable),
            ("avx2", Features::Portable),
        ] {
            assert_eq!(without(missing), features, "without {missing}");
        }
    }
}
