//! Which vector instructions this machine has: the one place where every kernel of the crate asks.
//!
//! A level is a set of features, and each contains the one before it. A kernel is compiled for the levels that serve
//! it; the highest of those that the machine's level reaches is run, so that one that has no version for the
//! machine's own level runs the version for the level below. The level is found out once. The environment variable
//! `ESPRESSO_KERNEL` with the name of a level asks for no more than that one.
//!
//! The crates `multiversion` and `pulp` do the same. The first has no way to choose a level at run time, for users or
//! for tests; the second has no level with the bit counts and byte compression of Ice Lake, which two kernels live
//! on.

use std::sync::OnceLock;

/// The sets of instructions that kernels are compiled for, each with those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// What every machine of the architecture has.
    Portable,
    /// AVX2 and POPCNT, as Haswell has them.
    Avx2,
    /// AVX-512 F and BW, as Skylake's servers have them.
    Avx512,
    /// AVX-512 VBMI2 and VPOPCNTDQ, as Ice Lake has them.
    Avx512Icl,
}

/// The levels with their names and with the features that each adds.
const LEVELS: [(Level, &str, &[&str]); 4] = [
    (Level::Portable, "portable", &[]),
    (Level::Avx2, "avx2", &["avx2", "popcnt"]),
    (Level::Avx512, "avx512", &["avx512f", "avx512bw"]),
    (Level::Avx512Icl, "avx512icl", &["avx512vbmi2", "avx512vpopcntdq"]),
];

/// Returns the name of the level of instructions that the vector kernels use: `portable`, `avx2`, `avx512` or
/// `avx512icl`.
///
/// It is the highest that this machine has, or a lower one that the environment variable `ESPRESSO_KERNEL` asks for,
/// with one of these names, when it is first needed. Results do not depend on it.
pub fn vector_level() -> &'static str {
    LEVELS[Level::detect() as usize].1
}

impl Level {
    /// The level of this machine, or the lower one that the environment asks for.
    pub(crate) fn detect() -> Self {
        static LEVEL: OnceLock<Level> = OnceLock::new();
        *LEVEL.get_or_init(|| {
            let wish = std::env::var("ESPRESSO_KERNEL").unwrap_or_default();
            let most =
                LEVELS.iter().find(|(_, name, _)| *name == wish).map_or(Level::Avx512Icl, |level| level.0);
            most.min(Self::best(has))
        })
    }

    /// The levels that this machine has, for tests that compare them.
    #[cfg(test)]
    pub(crate) fn available() -> impl Iterator<Item = Self> {
        LEVELS.iter().map(|&(level, ..)| level).filter(|&level| level <= Self::best(has))
    }

    /// The highest level all of whose features, and those of the levels before it, are there.
    fn best(has: impl Fn(&str) -> bool) -> Self {
        let reached = LEVELS.iter().take_while(|(.., features)| features.iter().all(|feature| has(feature)));
        reached.last().map_or(Level::Portable, |&(level, ..)| level)
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
        "avx512vpopcntdq" => is_x86_feature_detected!("avx512vpopcntdq"),
        _ => false,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn has(_: &str) -> bool {
    false
}

/// Makes of a portable function, which is `#[inline(always)]`, one that takes a level first and runs the same source
/// compiled for the highest of two given levels that it reaches, each with features that it has.
macro_rules! compiled_for_levels {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident($($argument:ident: $type:ty),*) = $generic:ident;
        $high:ident: $high_features:literal, $low:ident: $low_features:literal
    ) => {
        $(#[$attribute])*
        $visibility fn $name(level: $crate::cpu::Level, $($argument: $type),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = $high_features)]
                fn high($($argument: $type),*) {
                    $generic($($argument),*);
                }
                #[target_feature(enable = $low_features)]
                fn low($($argument: $type),*) {
                    $generic($($argument),*);
                }
                if level >= $crate::cpu::Level::$high {
                    // SAFETY: a level is at hand only where all its features are, and these are some of them.
                    return unsafe { high($($argument),*) };
                }
                if level >= $crate::cpu::Level::$low {
                    // SAFETY: as above.
                    return unsafe { low($($argument),*) };
                }
            }
            let _ = level;
            $generic($($argument),*);
        }
    };
}
pub(crate) use compiled_for_levels;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_needs_every_feature_of_its_own_and_of_those_before() {
        let all: Vec<&str> = LEVELS.iter().flat_map(|&(.., features)| features).copied().collect();
        let without = |missing: &str| Level::best(|feature| all.contains(&feature) && feature != missing);
        for (missing, level) in [
            ("", Level::Avx512Icl),
            ("avx512vpopcntdq", Level::Avx512),
            ("avx512vbmi2", Level::Avx512),
            ("avx512bw", Level::Avx2),
            ("avx512f", Level::Avx2),
            ("popcnt", Level::Portable),
            ("avx2", Level::Portable),
        ] {
            assert_eq!(without(missing), level, "without {missing}");
        }
    }
}
