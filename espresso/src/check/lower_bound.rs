//! Checks lower bounds. A bound is a list of weighted minterms of F - D: in any implicant they weigh at most one together.
//!
//! Each of these minterms is in some cube of every cover, so a cover has at least as many cubes as all of them weigh. If no
//! implicant contains two of them, each can weigh one: an independent set (Rudell 1989). Minterms lie in one implicant if
//! and only if their supercube does not meet R - D.

use super::parts;
use super::search::{self, Limits};
use crate::cube::pla::minterm_text;
use crate::{Cover, Error, ErrorKind, Function, Monitor, Progress, Result, Space};

/// Limit on the sets of minterms tested in one group.
const MOST_SETS: u64 = 1 << 22;

/// A minterm, as a cube with one part of each variable, and its weight as a fraction of [`Weighed::WHOLE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighed {
    /// The cube.
    pub minterm: Vec<u64>,
    /// Its weight.
    pub weight: u64,
}

impl Weighed {
    /// The largest weight that an implicant may have: one cube.
    pub const WHOLE: u64 = 1 << 24;
}

/// A lower bound on the cubes of every cover of a function, with its proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LowerBound {
    /// The bound: no cover has fewer cubes.
    pub cubes: usize,
    /// Groups of minterms of F - D. No implicant has minterms of two groups, or more than [`Weighed::WHOLE`] of one. So
    /// each group needs as many cubes as it weighs, rounded up. The sum over all groups is a bound, possibly below `cubes`.
    pub groups: Vec<Vec<Weighed>>,
    /// If `cubes` is above the bound of the groups: minterms that need so many primes, as a search has shown.
    pub searched: Vec<Vec<u64>>,
}

impl LowerBound {
    /// The bound proved by the weights.
    pub fn by_weight(&self) -> usize {
        let weight =
            |group: &Vec<Weighed>| group.iter().fold(0u64, |sum, weighed| sum.saturating_add(weighed.weight));
        self.groups.iter().map(|group| weight(group).div_ceil(Weighed::WHOLE) as usize).sum()
    }

    /// Whether every group is one minterm, so that they are an independent set.
    pub fn is_independent_set(&self) -> bool {
        self.groups.iter().all(|group| group.len() == 1)
    }
}

/// Checks the weights of `bound` for `function`, and returns the number of cubes that they prove:
/// [`LowerBound::by_weight`].
///
/// Deterministic. O(minterms² · |R|) words if D is empty or does not meet R; more if groups have many minterms.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if a minterm is not in F - D, if minterms of two groups are in one implicant, or if an implicant
/// has too much weight; [`ErrorKind::Unsupported`] if there are too many sets of minterms to test;
/// [`ErrorKind::Cancelled`] if the callback breaks.
pub fn lower_bound(function: &Function, bound: &LowerBound, monitor: Monitor<'_>) -> Result<usize> {
    let checker = Checker { function, monitor };
    let groups = &bound.groups;
    for weighed in groups.iter().flatten() {
        checker.expect_in_on(&weighed.minterm)?;
        if weighed.weight > Weighed::WHOLE {
            return Err(mismatch("a minterm weighs more than one cube"));
        }
    }
    for (i, group) in groups.iter().enumerate() {
        monitor.report(&Progress::new("check", i as u64, Some(groups.len() as u64), "groups"))?;
        let others = groups[i + 1..].iter().flatten();
        for (a, b) in others.flat_map(|b| group.iter().map(move |a| (a, b))) {
            if checker.is_implicant(&joined(&a.minterm, &b.minterm))? {
                return Err(mismatch("two minterms of different groups are in one implicant"));
            }
        }
        let mut sets = 0;
        let mut order: Vec<&Weighed> = group.iter().collect();
        order.sort_by_key(|weighed| std::cmp::Reverse(weighed.weight));
        checker.expect_light(&order, None, 0, &mut sets)?;
    }
    Ok(bound.by_weight())
}

/// The row of a PLA that is one minterm, given as a cube.
pub fn minterm_row(space: &Space, minterm: &[u64]) -> String {
    minterm_text(space, &parts(space, minterm))
}

fn mismatch(why: &str) -> Error {
    Error::new(ErrorKind::Mismatch, format!("the lower bound is not proven: {why}"))
}

fn joined(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a | b).collect()
}

struct Checker<'a> {
    function: &'a Function,
    monitor: Monitor<'a>,
}

impl Checker<'_> {
    fn expect_in_on(&self, minterm: &[u64]) -> Result<()> {
        let Function { on, dc, .. } = self.function;
        let space = on.space();
        let is_minterm = minterm.len() == space.words()
            && space.variables().iter().all(|variable| Space::literal_len(variable, minterm) == 1);
        if is_minterm
            && on.iter().any(|cube| space.contains(cube, minterm))
            && !dc.iter().any(|cube| space.contains(cube, minterm))
        {
            return Ok(());
        }
        Err(mismatch("a cube of the bound is not a minterm of the ON-set outside the DC-set"))
    }

    /// Whether the cube has no minterm of R - D.
    fn is_implicant(&self, cube: &[u64]) -> Result<bool> {
        let Function { on, dc, off, rest_is_off, .. } = self.function;
        let space = on.space();
        if *rest_is_off {
            let cube = Cover::from_words(space, cube.to_vec());
            let outside = search::witness(space, &[&cube], &[on, dc], Limits::default(), self.monitor)?;
            return Ok(outside.is_none());
        }
        let mut met = off.iter().filter(|block| space.intersects(block, cube)).peekable();
        if met.peek().is_none() {
            return Ok(true);
        }
        let part = |block: &[u64]| block.iter().zip(cube).map(|(a, b)| a & b).collect::<Vec<u64>>();
        for block in met {
            let part = part(block);
            let free: Vec<u64> =
                dc.iter().filter(|free| space.intersects(free, &part)).flatten().copied().collect();
            let (part, free) = (Cover::from_words(space, part), Cover::from_words(space, free));
            if free.is_empty()
                || search::witness(space, &[&part], &[&free], Limits::default(), self.monitor)?.is_some()
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Checks that no implicant with the chosen minterms and some of `rest` weighs too much. `cube` is the supercube of the
    /// chosen minterms and `weight` their weight. `rest` is sorted, the heaviest first.
    fn expect_light(
        &self,
        rest: &[&Weighed],
        cube: Option<&[u64]>,
        weight: u64,
        sets: &mut u64,
    ) -> Result<()> {
        if weight > Weighed::WHOLE {
            return Err(mismatch("an implicant has too many minterms"));
        }
        let mut left: u64 = rest.iter().map(|weighed| weighed.weight).sum();
        for (i, next) in rest.iter().enumerate() {
            if weight + left <= Weighed::WHOLE {
                break;
            }
            left -= next.weight;
            *sets += 1;
            if *sets > MOST_SETS {
                let why = "there are too many sets of minterms to test";
                return Err(Error::new(ErrorKind::Unsupported, why));
            }
            self.monitor.report(&Progress::new("check", *sets, None, "sets"))?;
            let cube = cube.map_or_else(|| next.minterm.clone(), |cube| joined(cube, &next.minterm));
            if self.is_implicant(&cube)? {
                self.expect_light(&rest[i + 1..], Some(&cube), weight + next.weight, sets)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pla;

    /// The parity of three inputs, and their conjunction with a don't-care.
    fn function() -> Function {
        let text = ".i 3\n.o 2\n001 10\n010 10\n100 10\n111 11\n110 0-\n";
        Function::from_pla(&Pla::parse(text).unwrap()).unwrap()
    }

    fn bound(groups: &[&[(&str, u64)]]) -> LowerBound {
        let weighed = |&(row, weight): &(&str, u64)| {
            let cover = Pla::parse(&format!(".i 3\n.o 2\n{row}\n")).unwrap().on;
            Weighed { minterm: cover.cube(0).to_vec(), weight }
        };
        let groups = groups.iter().map(|group| group.iter().map(weighed).collect()).collect();
        LowerBound { groups, ..LowerBound::default() }
    }

    #[test]
    fn minterms_of_which_no_two_share_an_implicant_are_a_bound() {
        const ONE: u64 = Weighed::WHOLE;
        let proven = |groups: &[&[(&str, u64)]]| lower_bound(&function(), &bound(groups), Monitor::default());
        let four: [&[_]; 4] =
            [&[("001 10", ONE)], &[("010 10", ONE)], &[("100 10", ONE)], &[("111 01", ONE)]];
        assert_eq!(proven(&four).unwrap(), 4);
        // The minterms of both outputs lie in one implicant, so each may weigh half.
        assert!(proven(&[&[("111 10", ONE)], &[("111 01", ONE)]]).is_err());
        assert!(proven(&[&[("111 10", ONE), ("111 01", 1)]]).is_err());
        // The sum of the weights would overflow.
        assert!(proven(&[&[("111 10", u64::MAX), ("111 01", u64::MAX)]]).is_err());
        assert_eq!(proven(&[&[("111 10", ONE / 2), ("111 01", ONE / 2), ("001 10", 1)]]).unwrap(), 2);
        // These are not minterms of F - D.
        for row in ["000 10", "110 01", "11- 01", "111 11", "001 01"] {
            assert!(proven(&[&[(row, ONE)]]).is_err(), "{row}");
        }
    }

    /// An implicant may contain any minterm of D, even one that is also in F or R, whether R is listed or not.
    #[test]
    fn minterms_of_the_dc_set_do_not_count() {
        let proven = |function: &Function, rows: &[&str]| {
            let minterm =
                |row: &&str| Pla::parse(&format!(".i 2\n.o 1\n{row}\n")).unwrap().on.cube(0).to_vec();
            let group = |row| vec![Weighed { minterm: minterm(row), weight: Weighed::WHOLE }];
            let bound = LowerBound { groups: rows.iter().map(group).collect(), ..LowerBound::default() };
            lower_bound(function, &bound, Monitor::default()).ok()
        };
        // Between 00 and 11 there is only D, or also a minterm of R.
        for (free, expected) in [("01 -\n10 -\n", None), ("01 -\n", Some(2))] {
            let text = format!(".i 2\n.o 1\n.type fdr\n00 1\n11 1\n01 1\n01 0\n10 0\n{free}");
            let pla = Pla::parse(&text).unwrap();
            let listed = Function::new(pla.on, pla.dc, pla.off).unwrap();
            let open = Function { off: Cover::new(listed.on.space()), rest_is_off: true, ..listed.clone() };
            for function in [&listed, &open] {
                assert_eq!(proven(function, &["00 1", "11 1"]), expected, "{free}");
                assert_eq!(proven(function, &["11 1"]), Some(1), "{free}");
                assert_eq!(proven(function, &["01 1"]), None, "{free}");
            }
        }
    }
}
