//! The levels of effort: limits for the exact step and for large neighbourhood searches, which follow the loop. All limits count
//! work, so that a level gives the same result everywhere. At the default level, searches and the exact step are limited to
//! a share of the work of the loop before them, so that a small gain never costs many times the loop.

use super::strategy::Coverage;
use crate::steps::exact;

/// The levels of effort: 1 is the loop alone; 2 is the default; 3 makes as many searches, but without a limit on their work, as
/// for the papers' tables; 4 makes fifteen times as many.
pub const EFFORTS: std::ops::RangeInclusive<u8> = 1..=4;
/// The effort of [`Options::default`](super::Options::default).
pub const DEFAULT_EFFORT: u8 = 2;

/// Multiplies the shares of the exact step and of the searches if coverage is found by the cubes of F: the loop takes little work
/// then, and leaves more to gain.
const MORE_EXACT: u64 = 4;
const MORE_SEARCHES: u64 = 2;
/// Divides the limit of the exact step if there are only lists.
const SHARE_OF_LISTS: u64 = 6;

/// The limits of one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    /// The number of large neighbourhood searches in a row without fewer cubes after which the loop ends.
    pub(super) searches_in_vain: usize,
    /// The same for all searches together.
    pub(super) searches: usize,
    /// The share of the work so far that the exact step and the searches may take; `None` for no such limit.
    pub(super) share: Option<Share>,
    /// The exact step at the end of the loop.
    pub(super) exact: Option<exact::Effort>,
}

/// Limits in percent of the work before, each with a minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    exact: u64,
    least_exact: u64,
    searches: u64,
    least_searches: u64,
}

impl Share {
    /// The work limit of the exact step after `spent` work.
    pub(super) fn exact(self, spent: u64, coverage: Coverage) -> u64 {
        let most = |share: u64| (spent / 100).saturating_mul(share).max(self.least_exact);
        match coverage {
            Coverage::TruthTable => most(self.exact),
            Coverage::OnCubes => most(self.exact * MORE_EXACT),
            Coverage::Lists => most(self.exact) / SHARE_OF_LISTS,
        }
    }

    /// The work limit of all searches together after `spent` work.
    pub(super) fn searches(self, spent: u64, coverage: Coverage) -> u64 {
        let more = if coverage == Coverage::OnCubes { MORE_SEARCHES } else { 1 };
        (spent / 100).saturating_mul(self.searches * more).max(self.least_searches)
    }
}

impl Effort {
    /// The effort of a level, clamped to [`EFFORTS`].
    pub(super) fn of(level: u8) -> Self {
        let loop_alone = Effort { searches_in_vain: 0, searches: 0, share: None, exact: None };
        let exact = |moves, primes, work| {
            Some(exact::Effort { rounds: 1 << 10, moves, primes, search: 2 * work, work, ..Self::whole() })
        };
        match level.clamp(*EFFORTS.start(), *EFFORTS.end()) {
            1 => loop_alone,
            2 => Effort {
                searches_in_vain: 4,
                searches: 20,
                share: Some(Share { exact: 15, least_exact: 150_000, searches: 25, least_searches: 20_000 }),
                exact: exact(0, 30, 1 << 23),
            },
            3 => Effort { searches_in_vain: 4, searches: 20, exact: exact(12, 200, 1 << 23), ..loop_alone },
            _ => {
                Effort { searches_in_vain: 16, searches: 300, exact: exact(400, 4000, 1 << 29), ..loop_alone }
            }
        }
    }

    /// The effort to continue until the minimum is proven or memory is used up.
    pub(super) fn whole() -> exact::Effort {
        exact::Effort {
            rounds: usize::MAX,
            moves: 1000,
            primes: 1 << 13,
            columns: 1 << 20,
            rows: 1 << 10,
            search: u64::MAX,
            work: u64::MAX,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_effort_is_more_work() {
        let work = |level| Effort::of(level).exact.map_or(0, |exact| exact.work);
        for level in 1..4 {
            let (less, more) = (Effort::of(level), Effort::of(level + 1));
            assert!(less != more && work(level) <= work(level + 1) && less.searches <= more.searches);
        }
        assert_eq!(Effort::of(0), Effort::of(1));
        assert_eq!(Effort::of(200), Effort::of(4));
    }
}
