//! The vector instructions that this machine has: the one place where every kernel asks, those of crates that use this one too.
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
pub enum Features {
    /// What every machine of the architecture has.
    Portable,
    /// AVX2 and POPCNT, as Haswell has them.
    Avx2,
    /// AVX-512 F and BW, as Skylake's servers have them.
    Avx512,
    /// AVX-512 VBMI2 and VPOPCNTDQ, as Ice Lake has them.
    Avx512Icl,
}

/// Instructions that this machine has. Only this file makes one, so that who has it may run what is compiled for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Features);

/// The levels with their names and with the features that each adds.
const LEVELS: [(Features, &str, &[&str]); 4] = [
    (Features::Portable, "portable", &[]),
    (Features::Avx2, "avx2", &["avx2", "popcnt"]),
    (Features::Avx512, "avx512", &["avx512f", "avx512bw"]),
    (Features::Avx512Icl, "avx512icl", &["avx512vbmi2", "avx512vpopcntdq"]),
];

/// The variable of the environment that asks for a lower level.
const WISH: &str = "ESPRESSO_KERNEL";

/// Returns the name of the level of instructions that the vector kernels use: `portable`, `avx2`, `avx512` or
/// `avx512icl`.
///
/// It is the highest that this machine has, or a lower one that the environment variable `ESPRESSO_KERNEL` asks for,
/// with one of these names, when it is first needed; any other value asks for nothing. Results do not depend on it.
pub fn vector_level() -> &'static str {
    LEVELS[Level::detect().0 as usize].1
}

/// Checks that the environment variable `ESPRESSO_KERNEL`, where it is set, has one of the names of [`vector_level`].
///
/// # Errors
/// What is wrong with it, in words.
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
    /// What every machine has.
    #[cfg(test)]
    pub(crate) const PORTABLE: Self = Level(Features::Portable);

    /// Whether this machine has these features, as far as they are wanted.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub fn has(self, features: Features) -> bool {
        self.0 >= features
    }

    /// The level of this machine, or the lower one that the environment asks for.
    pub fn detect() -> Self {
        static LEVEL: OnceLock<Level> = OnceLock::new();
        *LEVEL.get_or_init(|| {
            let wish = wish();
            let wanted = LEVELS.iter().find(|(_, name, _)| *name == wish).map(|&(features, ..)| features);
            Level(wanted.unwrap_or(Features::Avx512Icl).min(Features::best(has)))
        })
    }

    /// The levels that this machine has, for tests that compare them.
    pub fn available() -> impl Iterator<Item = Self> {
        let best = Features::best(has);
        LEVELS.iter().filter(move |&&(features, ..)| features <= best).map(|&(features, ..)| Level(features))
    }
}

impl Features {
    /// The highest set all of whose features, and those of the sets before it, are there.
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
#[macro_export]
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
                if level.has($crate::cpu::Features::$high) {
                    // SAFETY: the level says that the machine has them.
                    return unsafe { high($($argument),*) };
                }
                if level.has($crate::cpu::Features::$low) {
                    // SAFETY: as above.
                    return unsafe { low($($argument),*) };
                }
            }
            let _ = level;
            $generic($($argument),*);
        }
    };
}
pub use compiled_for_levels;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_needs_every_feature_of_its_own_and_of_those_before() {
        let all: Vec<&str> = LEVELS.iter().flat_map(|&(.., features)| features).copied().collect();
        let without = |missing: &str| Features::best(|feature| all.contains(&feature) && feature != missing);
        for (missing, features) in [
            ("", Features::Avx512Icl),
            ("avx512vpopcntdq", Features::Avx512),
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
