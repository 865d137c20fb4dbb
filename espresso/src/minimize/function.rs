//! Completes the sets of a PLA to a function, and computes the blocking cover R - D.

use crate::cube::outputs::symbolic;
use crate::cube::pla::Phase;
use crate::minimize::memory::truth_table;
use crate::steps::budget::{Budget, LITTLE, spare_memory};
use crate::steps::complement::{complement, complement_limited, sharp, sharp_limited};
use crate::{Cover, Error, ErrorKind, Function, Monitor, Pla, PlaType, Rest, Result, Space, check};

/// Work limit for computing D from F and R, for each of their cubes, with a minimum; see [`Function::from_pla`].
const WORK_A_CUBE: u64 = 1 << 10;
const LEAST_WORK: u64 = 1 << 20;
/// Work limit for computing R from F and D: for some functions the complement is exponentially larger.
const MOST_WORK: u64 = 1 << 30;
/// Limits for computing R where it is optional: words of cubes tested in any case, and for each cube of F and D.
const MOST_WORDS: u64 = 1 << 27;
const MOST_WORDS_A_CUBE: u64 = 1 << 12;
/// Limit on the bytes of the lists for computing R or D where it is optional.
const MOST_BYTES: u64 = 1 << 30;
/// If the space is too large for truth tables and F has only minterms: D is listed up to this many cubes, or up to as many as F
/// and R have.
const LEAST_FREE: usize = 1 << 8;
/// If the space is too large for truth tables and F has larger cubes, which several cubes may cover together: D is listed
/// up to this many cubes for each cube of F and R.
const MOST_FREE_A_CUBE: usize = 48;
/// Divides the work limit in such a space: a complement that takes longer usually has too many cubes.
const WIDE_SHARE: u64 = 4;
/// Work limit for computing D if the caller requests it as a list.
const LISTING_WORK: u64 = 1 << 28;

impl Function {
    /// Returns the function of a PLA, completed with the sets that its type lacks.
    ///
    /// - Types f, d and fd: R is the complement of F and D, so no contradiction is possible.
    /// - Types r and dr: F is the complement of D and R.
    /// - Type fr: D is the complement of F and R, which must not overlap. If the complement takes too long, or if D would have
    ///   many more cubes and the space is too large for a truth table, D is not listed and [`Function::rest`] is [`Rest::Dc`].
    /// - Type fdr: all sets are given. F and R may overlap only inside D, and every minterm must be in one of the three.
    ///
    /// Then outputs are replaced according to `.phase` and `.symbolic-output`. Deterministic. The cost is that of one
    /// complement, or of two searches of [`check`].
    ///
    /// # Errors
    /// [`ErrorKind::Inconsistent`] with an example minterm as a row; [`ErrorKind::Mismatch`] if the covers of `pla` are over
    /// different spaces; [`ErrorKind::Unsupported`] if the complement does not fit into memory or takes too long.
    ///
    /// # Example
    /// ```
    /// use espresso::{ErrorKind, Function, Pla};
    /// let pla = Pla::parse(".i 2\n.o 1\n.type fr\n1- 1\n-1 0\n")?;
    /// let error = Function::from_pla(&pla).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Inconsistent);
    /// assert_eq!(error.to_string(), "11 1 (output 1) is both in the ON-set and in the OFF-set");
    /// # Ok::<(), espresso::Error>(())
    /// ```
    ///
    /// # Source
    /// Gomboc and Shelton, section 2.5, "Function cover consistency"; types after espresso(5).
    pub fn from_pla(pla: &Pla) -> Result<Self> {
        Self::from_pla_with(pla, Monitor::default())
    }

    /// Like [`Function::from_pla_with`]; but if R, the complement of F and D, has too many cubes, it is not listed and
    /// [`Function::rest`] is [`Rest::Off`]. [`minimize`](crate::minimize::minimize) then has fewer steps.
    ///
    /// # Errors
    /// As [`Function::from_pla_with`].
    ///
    /// # Example
    /// ```
    /// use espresso::{Function, Monitor, Pla, Rest, minimize};
    /// // The complement has 3^30 cubes.
    /// let row = |i| (0..90).map(|v| if v / 3 == i { '1' } else { '-' }).collect::<String>();
    /// let rows: String = (0..30).map(|i| format!("{} 1\n", row(i))).collect();
    /// let pla = Pla::parse(&format!(".i 90\n.o 1\n{rows}"))?;
    /// let function = Function::from_pla_without_off(&pla, Monitor::default())?;
    /// assert!(function.rest == Rest::Off);
    /// assert_eq!(minimize::minimize(&function, &Default::default())?.0.len(), 30);
    /// # Ok::<(), espresso::Error>(())
    /// ```
    pub fn from_pla_without_off(pla: &Pla, monitor: Monitor<'_>) -> Result<Self> {
        if !matches!(pla.kind, PlaType::F | PlaType::Fd) || pla.has_other_outputs() {
            return Self::from_pla_with(pla, monitor);
        }
        let function = Function::new(pla.on.clone(), pla.dc.clone(), Cover::new(pla.space()))?;
        Ok(match bounded_rest_of(&function.on.with(&function.dc), monitor)? {
            Some(off) => Function { off, ..function },
            None => Function { rest: Rest::Off, ..function },
        })
    }

    /// Like [`Function::from_pla`], reporting progress to `monitor`.
    ///
    /// # Errors
    /// As [`Function::from_pla`]; [`ErrorKind::Cancelled`] when the callback breaks.
    pub fn from_pla_with(pla: &Pla, monitor: Monitor<'_>) -> Result<Self> {
        let mut function = Function::new(pla.on.clone(), pla.dc.clone(), pla.off.clone())?;
        let Function { on, dc, off, rest: unlisted } = &mut function;
        let verdict = match pla.kind {
            PlaType::F | PlaType::D | PlaType::Fd => {
                *off = rest_of(&on.with(dc), "OFF", monitor)?;
                Ok(())
            }
            PlaType::R | PlaType::Dr => {
                *on = rest_of(&dc.with(off), "ON", monitor)?;
                Ok(())
            }
            PlaType::Fr => {
                *unlisted = Rest::Dc;
                let verdict = check::consistent_with(&function, monitor)?;
                if verdict.is_ok()
                    && let Some(rest) = rest(&function.on, &function.off, monitor)?
                {
                    (function.dc, function.rest) = (rest, Rest::Empty);
                }
                verdict
            }
            PlaType::Fdr => check::consistent_with(&function, monitor)?,
        };
        verdict.map_err(|mismatch| Error::new(ErrorKind::Inconsistent, mismatch.to_string()))?;
        if let Some(Phase { outputs, is_applied: false }) = &pla.phase {
            let Function { on, off, .. } = function.in_phases(outputs)?;
            (function.on, function.off) = (on, off);
        }
        if pla.symbolic_outputs.is_empty() {
            Ok(function)
        } else {
            symbolic(&function, &pla.symbolic_outputs)
        }
    }

    /// Returns the function with all of D as a list of cubes, even if [`Function::rest`] is [`Rest::Dc`].
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the list takes more than some seconds to compute.
    pub fn with_listed_dc(mut self) -> Result<Self> {
        if self.rest == Rest::Dc {
            let all = self.on.with(&self.off).with(&self.dc);
            let rest = limited_complement(&all, LISTING_WORK - 1, Monitor::default())?.ok_or_else(|| {
                Error::new(
                    ErrorKind::Unsupported,
                    "the don't-cares, the complement of the rows, have too many cubes to list: types f and fr need no list",
                )
            })?;
            self.dc.extend(&rest);
            self.rest = Rest::Empty;
        }
        Ok(self)
    }

    /// Returns the blocking cover R - D, which cubes of the result must not meet.
    ///
    /// Only cubes of R that meet D are sharped: they are replaced, after the others, by pieces without D. Each such cube
    /// costs |D| words and the complement of D within it, which is exponential in the worst case. The others cost far less.
    pub fn blocking_on(&self) -> Cover {
        if self.rest == Rest::Off {
            return complement(&self.on.with(&self.dc));
        }
        sharp(&self.off, &self.dc)
    }

    /// Like [`Function::blocking_on`], reporting progress to `monitor`.
    ///
    /// # Errors
    /// [`ErrorKind::Cancelled`] when the callback breaks; [`ErrorKind::Unsupported`] when the result does not fit into
    /// memory.
    pub fn blocking_on_with(&self, monitor: Monitor<'_>) -> Result<Cover> {
        if self.rest == Rest::Off {
            return rest_of(&self.on.with(&self.dc), "OFF", monitor);
        }
        sharp_limited(&self.off, &self.dc, &Budget::in_memory(None, monitor))
    }
}

/// The complement of F and R; `None` if it is too large.
fn rest(on: &Cover, off: &Cover, monitor: Monitor<'_>) -> Result<Option<Cover>> {
    let cubes = on.len() + off.len();
    let all = on.with(off);
    let work = (cubes as u64).saturating_mul(WORK_A_CUBE).max(LEAST_WORK);
    if truth_table(on.space()) > 0 {
        return limited_complement(&all, work - 1, monitor);
    }
    // Without a truth table, lists of don't-cares make every step slow, and for minterms they are not necessary.
    let most = if is_minterms(on) { cubes.max(LEAST_FREE) } else { cubes.saturating_mul(MOST_FREE_A_CUBE) };
    Ok(limited_complement(&all, work / WIDE_SHARE - 1, monitor)?.filter(|rest| rest.len() <= most))
}

/// The complement of `covered`, for the set named `set`.
fn rest_of(covered: &Cover, set: &str, monitor: Monitor<'_>) -> Result<Cover> {
    let made = complement_limited(covered, &Budget::in_memory(Some(MOST_WORK - 1), monitor));
    made.map_err(|error| match error.kind() {
        ErrorKind::BudgetExhausted => {
            let why = format!("the {set}-set, the complement of the rows, has too many cubes");
            Error::new(ErrorKind::Unsupported, why)
        }
        _ => error,
    })
}

/// The complement of `covered`; `None` if it takes too much work or too many bytes.
fn bounded_rest_of(covered: &Cover, monitor: Monitor<'_>) -> Result<Option<Cover>> {
    let words = MOST_WORDS.max((covered.len() as u64).saturating_mul(MOST_WORDS_A_CUBE));
    limited_complement(covered, words / covered.space().words() as u64, monitor)
}

/// The complement of `covered`; `None` if it takes more than `most` work or more than [`MOST_BYTES`]. It is an
/// error if the machine has less memory than the lists need, so that the result does not depend on the memory.
fn limited_complement(covered: &Cover, most: u64, monitor: Monitor<'_>) -> Result<Option<Cover>> {
    let little = Budget::new(Some(most), monitor).with_memory(LITTLE);
    match complement_limited(covered, &little) {
        Err(error) if error.kind() == ErrorKind::BudgetExhausted => return Ok(None),
        Err(error) if error.kind() == ErrorKind::Unsupported => {}
        made => return made.map(Some),
    }
    let memory = spare_memory().map_or(MOST_BYTES, |bytes| MOST_BYTES.min(bytes));
    match complement_limited(covered, &Budget::new(Some(most), monitor).with_memory(memory)) {
        Err(error) if error.kind() == ErrorKind::BudgetExhausted => Ok(None),
        Err(error) if error.kind() == ErrorKind::Unsupported && memory == MOST_BYTES => Ok(None),
        made => made.map(Some),
    }
}

/// Whether all cubes have just one part of every input.
pub(super) fn is_minterms(cover: &Cover) -> bool {
    let inputs = &cover.space().variables()[..cover.space().inputs()];
    cover.iter().all(|cube| inputs.iter().all(|variable| Space::literal_len(variable, cube) == 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Progress;
    use crate::minimize::{Options, minimize};
    use crate::random::draw;
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;
    use std::sync::Mutex;

    fn from(text: &str) -> Result<Function> {
        Function::from_pla(&Pla::parse(text).unwrap())
    }

    /// A PLA of type fr with `count` rows of 40 inputs, the first half in F. `dashes` determines which inputs may be don't-cares.
    fn sparse(count: u64, dashes: u64) -> String {
        let row = |row: u64| {
            // Input 0 separates F from R.
            let on = u8::from(row < count / 2);
            let free = if on == 1 { draw(1, row) & draw(2, row) & dashes } else { 0 };
            let input = |i: u32| match (free >> i & 1, draw(0, row) >> i & 1) {
                (1, _) => '-',
                (_, bit) => char::from(b'0' + bit as u8),
            };
            format!("{on}{} {on}\n", (1..40).map(input).collect::<String>())
        };
        format!(".i 40\n.o 1\n.type fr\n{}", (0..count).map(row).collect::<String>())
    }

    #[test]
    fn dont_cares_are_listed_for_larger_cubes() {
        let is_listed = |text: &str| {
            let function = from(text).unwrap();
            assert_eq!(check::consistent(&function), Ok(()));
            assert!(function.rest != Rest::Dc || function.dc.is_empty());
            function.rest != Rest::Dc
        };
        // Minterms do not need the list; larger cubes could be covered by several cubes together.
        assert!(is_listed(&sparse(4, 0)));
        assert!(!is_listed(&sparse(100, 0)));
        assert!(is_listed(&sparse(100, u64::MAX)));
        let open = from(&sparse(100, 0)).unwrap();
        let listed = open.clone().with_listed_dc().unwrap();
        assert!(listed.rest != Rest::Dc && !listed.dc.is_empty());
        assert_eq!(check::consistent(&listed), Ok(()));
        assert_eq!(check::same_function(&open, &listed), Ok(()));
    }

    #[test]
    fn minterms_are_covered_alike_with_and_without_a_list_of_dont_cares() {
        let open = from(&sparse(100, 0)).unwrap();
        let listed = open.clone().with_listed_dc().unwrap();
        for function in [&open, &listed] {
            let (cover, _) = minimize(function, &Options::default()).unwrap();
            assert_eq!(check::result(&open, &cover), Ok(()));
            assert_eq!(check::result(&listed, &cover), Ok(()));
            assert_eq!(cover.len(), 1, "{cover:?}");
        }
    }

    #[test]
    fn cubes_that_several_cover_are_redundant() {
        // The third row is the consensus of the first two; the rows of R leave many don't-cares.
        let dashes = "-".repeat(37);
        let mut text = format!(".i 40\n.o 1\n.type fr\n11-{dashes} 1\n0-1{dashes} 1\n-11{dashes} 1\n");
        for row in sparse(120, 0).lines().filter(|row| row.ends_with(" 0")) {
            text.extend(["000", &row[3..], "\n"]);
        }
        let (cover, _) = minimize(&from(&text).unwrap(), &Options::default()).unwrap();
        assert!(cover.len() < 3, "{cover:?}");
    }

    #[test]
    fn completion_reports_progress_and_can_be_cancelled() {
        let pla = Pla::parse(&sparse(100, u64::MAX)).unwrap();
        let stages = Mutex::new(BTreeSet::new());
        let note = |now: &Progress| {
            stages.lock().unwrap().insert(now.stage);
            ControlFlow::Continue(())
        };
        Function::from_pla_with(&pla, Monitor::new(&note)).unwrap();
        let stages = stages.into_inner().unwrap();
        assert_eq!(stages, BTreeSet::from(["check", "complement"]));
        for stage in stages {
            let stop = |now: &Progress| {
                if now.stage == stage { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let error = Function::from_pla_with(&pla, Monitor::new(&stop)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Cancelled, "{stage}");
        }
    }

    /// An output of phase 0 is the complement; a value of a symbolic output is ON where all outputs agree with it.
    #[test]
    fn exchanged_outputs_are_those_of_the_values() {
        let rows = ".i 3\n.o 3\n.type fdr\n0-- 10~\n1-- 01~\n-0- ~~1\n-11 ~~0\n-10 ~~-\n";
        let plain = from(rows).unwrap();
        let phased = from(&rows.replace("0-- 10~", ".phase 101\n0-- 10~")).unwrap();
        let symbolic = from(&rows.replace("0-- 10~", ".symbolic-output 0 2 ; ;\n0-- 10~")).unwrap();
        assert_eq!([&phased, &symbolic].map(check::consistent), [Ok(()), Ok(())]);
        let tables = |function: &Function| {
            [&function.on, &function.dc, &function.off].map(|set| crate::Evaluator::new(set).truth_tables())
        };
        let [[on, dc, off], phased, symbolic] = [&plain, &phased, &symbolic].map(tables);
        assert_eq!(phased[0], [on[0].clone(), off[1].clone(), on[2].clone()]);
        assert_eq!(phased[2], [off[0].clone(), on[1].clone(), off[2].clone()]);
        assert_eq!(symbolic[0][4], on[1]);
        for (value, sets) in symbolic[0].iter().zip(&symbolic[2]).enumerate().take(4) {
            let agrees = [(0, value >> 1 & 1), (2, value & 1)].map(|(output, bit)| {
                let [agreeing, other] = if bit == 1 { [&on, &off] } else { [&off, &on] };
                (agreeing[output][0], dc[output][0], other[output][0])
            });
            let (both, differs) = (agrees[0].0 & agrees[1].0, agrees[0].2 | agrees[1].2);
            assert_eq!((sets.0[0], sets.1[0]), (both, differs));
            assert_eq!(symbolic[1][value][0], 0xff & !(both | differs));
        }
    }

    #[test]
    fn spaces_must_agree() {
        let [a, b] = [2, 3].map(|inputs| Cover::new(&crate::Space::binary(inputs, 1).unwrap()));
        assert_eq!(Function::new(a.clone(), b, a).unwrap_err().kind(), ErrorKind::Mismatch);
    }
}
