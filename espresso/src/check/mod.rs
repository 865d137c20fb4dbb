//! The oracle: checks whether a cover is right for a function, whether two functions are equal, and whether a function is
//! consistent.
//!
//! The oracle shares no code with the steps of minimization, not even complement and tautology, so that it can check them. Both
//! use covers and the algebra of single cubes in [`Space`]. Every check is reduced to one question: is there a minterm that is
//! in all covers of one list and in no cover of another? The space is split (`search`) into parts small enough for truth
//! tables (`truth_table`).
//! Free: no cover depends on it, only the verdict.

mod made_of_pla;
mod search;
mod truth_table;
mod work;

use crate::cube::pla::minterm_text;
use crate::{Cover, ErrorKind, Function, Monitor, Notes, Pla, Rest, Result, Space};
use search::Limits;
use std::collections::HashSet;
use std::fmt;

pub use made_of_pla::made_of_pla;

/// The kind of a [`Mismatch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// The two sides are over different spaces; there is no minterm.
    Space,
    /// A minterm of F - D is not in the cover.
    Missed,
    /// A minterm of the cover is neither in F nor in D; if the rest is in D, it is in R - D.
    Excess,
    /// A minterm is in D of one function only. If the rest is in D, one of the other differences is found instead.
    DcDiffers,
    /// A minterm is in F - D of one function only.
    OnDiffers,
    /// A minterm is in R - D of one function only.
    OffDiffers,
    /// A minterm outside D is both in F and in R.
    Contradiction,
    /// A minterm is in none of F, D and R.
    Unspecified,
}

/// The result of a failed check: the fault, and a minterm as an example.
///
/// Displays as one line, with the minterm as a row of a PLA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    fault: Fault,
    parts: Vec<usize>,
    message: String,
}

impl Mismatch {
    fn new(space: &Space, fault: Fault, minterm: &[u64], what: &str) -> Self {
        let parts = parts(space, minterm);
        let row = minterm_text(space, &parts);
        Mismatch { fault, message: format!("{row} (output {}) {what}", parts[space.inputs()] + 1), parts }
    }

    /// The fault.
    pub fn fault(&self) -> Fault {
        self.fault
    }

    /// The part of each input, counted from zero, of the example minterm; `None` for [`Fault::Space`].
    pub fn inputs(&self) -> Option<&[usize]> {
        self.parts.split_last().map(|(_, inputs)| inputs)
    }

    /// The output, counted from zero, of the example minterm; `None` for [`Fault::Space`].
    pub fn output(&self) -> Option<usize> {
        self.parts.last().copied()
    }

    /// The lines of the first row of F and of the first row of R that contain the example minterm. `pla` must be the PLA that
    /// was read with `notes`. O(|F| + |R|).
    pub fn lines(&self, pla: &Pla, notes: &Notes) -> Option<[u32; 2]> {
        let has =
            |cube: &[u64]| self.parts.iter().enumerate().all(|(v, &part)| pla.space().get(cube, v, part));
        let line = |cover: &Cover, lines: &[u32]| lines.get(cover.iter().position(has)?).copied();
        Some([line(&pla.on, &notes.on_lines)?, line(&pla.off, &notes.off_lines)?])
    }

    /// The message, with [`Mismatch::lines`] if there are such rows.
    pub fn located(&self, pla: &Pla, notes: &Notes) -> String {
        let lines = self.lines(pla, notes);
        format!("{self}{}", lines.map_or_else(String::new, |[on, off]| format!(": lines {on} and {off}")))
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Mismatch {}

/// The part of each variable; the lowest if there are several.
fn parts(space: &Space, minterm: &[u64]) -> Vec<usize> {
    space.variables().iter().map(|variable| variable.parts_in(minterm).next().unwrap_or(0)).collect()
}

/// The result of a check.
pub type Verdict = std::result::Result<(), Mismatch>;

/// Checks that a cover is right for a function: F - D is inside the cover, and the cover is inside F + D. If the rest is in
/// D ([`Function::rest`]), the second condition is that the cover does not meet R - D.
///
/// Exact and deterministic. For large covers in small spaces (up to 2^28 points, counted for each output) it fills truth
/// tables: O(cubes + points / 64) words, in at most 128 MiB. Otherwise the cost is that of a tautology check for each cube.
///
/// # Errors
/// A [`Mismatch`] with [`Fault::Missed`], [`Fault::Excess`] or [`Fault::Space`].
///
/// # Example
/// ```
/// use espresso::{Function, Pla, check};
/// let function = Function::from_pla(&Pla::parse(".i 2\n.o 1\n01 1\n11 1\n10 -\n")?)?;
/// let cover = Pla::parse(".i 2\n.o 1\n-- 1\n")?.on;
/// let mismatch = check::result(&function, &cover).unwrap_err();
/// assert_eq!(mismatch.to_string(), "00 1 (output 1) is in the cover, but neither in the ON-set nor in the DC-set");
/// # Ok::<(), espresso::Error>(())
/// ```
///
/// # Source
/// Gomboc and Shelton, section 2.5.
pub fn result(function: &Function, cover: &Cover) -> Verdict {
    uncancelled(result_with(function, cover, Monitor::default()))
}

/// Like [`result`], reporting progress to `monitor`.
///
/// # Errors
/// [`ErrorKind::Cancelled`] when the callback breaks.
pub fn result_with(function: &Function, cover: &Cover, monitor: Monitor<'_>) -> Result<Verdict> {
    result_limited(function, cover, u64::MAX, monitor)
}

/// The work limit for a check that the user did not request: some seconds.
pub const SHORT: u64 = 1 << 30;

/// Like [`result_with`], with a work limit, since some checks would take too long: returns `None` if one of the two
/// inclusions takes more than about `work` words of cubes and truth tables.
///
/// # Errors
/// [`ErrorKind::Cancelled`] when the callback breaks.
///
/// # Example
/// ```
/// use espresso::{Function, Monitor, Pla, check};
/// let function = Function::from_pla(&Pla::parse(".i 2\n.o 1\n01 1\n11 1\n")?)?;
/// let cover = Pla::parse(".i 2\n.o 1\n-1 1\n")?.on;
/// assert_eq!(check::result_within(&function, &cover, 1 << 20, Monitor::default())?, Some(Ok(())));
/// assert_eq!(check::result_within(&function, &cover, 0, Monitor::default())?, None);
/// # Ok::<(), espresso::Error>(())
/// ```
pub fn result_within(
    function: &Function,
    cover: &Cover,
    work: u64,
    monitor: Monitor<'_>,
) -> Result<Option<Verdict>> {
    unless_given_up(result_limited(function, cover, work, monitor))
}

/// Converts the error of a check over its work limit to `None`.
fn unless_given_up(verdict: Result<Verdict>) -> Result<Option<Verdict>> {
    match verdict {
        Err(error) if error.kind() == ErrorKind::BudgetExhausted => Ok(None),
        verdict => verdict.map(Some),
    }
}

/// Like [`result_with`]; fails over the work limit.
fn result_limited(function: &Function, cover: &Cover, work: u64, monitor: Monitor<'_>) -> Result<Verdict> {
    let Function { on, dc, off, rest } = function;
    if let Err(mismatch) = same_space(on.space(), cover.space()) {
        return Ok(Err(mismatch));
    }
    let (missed, excess) = rayon::join(
        || {
            let what = "is in the ON-set and not in the DC-set, but not in the cover";
            none(on.space(), Fault::Missed, what, &[on], &[cover, dc], work, monitor)
        },
        || {
            if *rest == Rest::Dc {
                let not = if dc.is_empty() { "" } else { ", and not in the DC-set" };
                let what = format!("is in the cover, but in the OFF-set{not}");
                return none(on.space(), Fault::Excess, &what, &[cover, off], &[dc], work, monitor);
            }
            let what = "is in the cover, but neither in the ON-set nor in the DC-set";
            none(on.space(), Fault::Excess, what, &[cover], &[on, dc], work, monitor)
        },
    );
    match (missed, excess) {
        // A mismatch found by one search counts, even if the other search failed.
        (Ok(Err(mismatch)), _) | (_, Ok(Err(mismatch))) => Ok(Err(mismatch)),
        (missed, excess) => missed.and(excess),
    }
}

/// The verdict of a check without a monitor, which cannot be cancelled.
fn uncancelled(verdict: Result<Verdict>) -> Verdict {
    verdict.expect("no monitor can cancel it")
}

/// Checks that two functions are the same partial function: `D_A` = `D_B`, `F_A` - `D_A` = `F_B` - `D_B` and
/// `R_A` - `D_A` = `R_B` - `D_B`. If the rest is in D of either, only the last two are checked: for consistent functions
/// they imply the first. If the rest is in R of either and in D of neither, only the first two are checked.
///
/// Exact and deterministic; up to twelve searches as for [`result`].
///
/// # Errors
/// A [`Mismatch`] with [`Fault::DcDiffers`], [`Fault::OnDiffers`], [`Fault::OffDiffers`] or [`Fault::Space`].
///
/// # Source
/// Gomboc and Shelton, section 2.5, "Function consistency".
pub fn same_function(a: &Function, b: &Function) -> Verdict {
    same_space(a.on.space(), b.on.space())?;
    if a.rest != Rest::Dc && b.rest != Rest::Dc {
        let none = Cover::new(a.on.space());
        equal(Fault::DcDiffers, "DC-set", [&a.dc, &none], [&b.dc, &none])?;
    }
    equal(Fault::OnDiffers, "ON-set outside the DC-set", [&a.on, &a.dc], [&b.on, &b.dc])?;
    if [a.rest, b.rest].contains(&Rest::Off) && ![a.rest, b.rest].contains(&Rest::Dc) {
        // R is the complement of F and D.
        return Ok(());
    }
    let outside = |of: &Function| match of.rest {
        Rest::Off => (Cover::universe(of.on.space()), of.on.with(&of.dc)),
        _ => (of.off.clone(), of.dc.clone()),
    };
    let [a, b] = [a, b].map(outside);
    equal(Fault::OffDiffers, "OFF-set outside the DC-set", [&a.0, &a.1], [&b.0, &b.1])
}

/// Checks that a function is consistent: no minterm outside D is in both F and R, and every minterm is in F, D or R. The
/// latter always holds if the rest is in D or in R.
///
/// Exact and deterministic; two searches as for [`result`].
///
/// # Errors
/// A [`Mismatch`] with [`Fault::Contradiction`] or [`Fault::Unspecified`].
///
/// # Source
/// Gomboc and Shelton, section 2.5, "Function cover consistency".
pub fn consistent(function: &Function) -> Verdict {
    uncancelled(consistent_with(function, Monitor::default()))
}

/// Like [`consistent`], reporting progress to `monitor`.
///
/// # Errors
/// [`ErrorKind::Cancelled`] when the callback breaks.
pub fn consistent_with(function: &Function, monitor: Monitor<'_>) -> Result<Verdict> {
    consistent_limited(function, u64::MAX, monitor)
}

/// Like [`consistent_with`]; fails if one of the two searches takes more than about `work` words of cubes and truth tables.
fn consistent_limited(function: &Function, work: u64, monitor: Monitor<'_>) -> Result<Verdict> {
    let Function { on, dc, off, rest } = function;
    let not = if dc.is_empty() { "" } else { ", and not in the DC-set" };
    let what = format!("is both in the ON-set and in the OFF-set{not}");
    let verdict = none(on.space(), Fault::Contradiction, &what, &[on, off], &[dc], work, monitor)?;
    if verdict.is_err() || *rest != Rest::Empty {
        return Ok(verdict);
    }
    let what = "is in none of the ON-set, the DC-set and the OFF-set";
    none(on.space(), Fault::Unspecified, what, &[], &[on, dc, off], work, monitor)
}

fn same_space(a: &Space, b: &Space) -> Verdict {
    if a == b {
        return Ok(());
    }
    let message = format!("the two are over different spaces: {} and {}", sizes(a), sizes(b));
    Err(Mismatch { fault: Fault::Space, parts: Vec::new(), message })
}

fn sizes(space: &Space) -> String {
    let inputs: Vec<String> = space.variables()[space.binary_inputs()..space.inputs()]
        .iter()
        .map(|variable| format!(" {}", variable.parts))
        .collect();
    let multi = if inputs.is_empty() { String::new() } else { format!(", parts{}", inputs.concat()) };
    let [binary, outputs] = [(space.binary_inputs(), "binary input"), (space.outputs(), "output")]
        .map(|(count, what)| crate::error::counted(count, what));
    format!("{binary}{multi}, {outputs}")
}

/// Checks that `a[0]` - `a[1]` and `b[0]` - `b[1]` have the same minterms; `set` is their name in messages.
fn equal(fault: Fault, set: &str, a: [&Cover; 2], b: [&Cover; 2]) -> Verdict {
    let one_way = |a: [&Cover; 2], b: [&Cover; 2], which: &str| {
        let what = format!("is in the {set} of the {which} function only");
        let none = |inside: &[&Cover], outside: &[&Cover]| {
            uncancelled(none(a[0].space(), fault, &what, inside, outside, u64::MAX, Monitor::default()))
        };
        none(&[a[0]], &[a[1], b[0]])?;
        none(&[a[0], b[1]], &[a[1]])
    };
    let (ab, ba) = rayon::join(|| one_way(a, b, "first"), || one_way(b, a, "second"));
    ab.and(ba)
}

/// Checks that no minterm is in all covers of `inside` and in none of `outside`, within `work` words.
fn none(
    space: &Space,
    fault: Fault,
    what: &str,
    inside: &[&Cover],
    outside: &[&Cover],
    work: u64,
    monitor: Monitor<'_>,
) -> Result<Verdict> {
    // A cube both in `inside` and in `outside` has no such minterm. A result often has many cubes of the function.
    let rest = inside.first().filter(|_| inside.len() == 1).map(|cover| {
        let known: HashSet<&[u64]> = outside.iter().flat_map(|cover| cover.iter()).collect();
        let mut rest = (*cover).clone();
        rest.retain(|_, cube| !known.contains(cube));
        rest
    });
    let rest = rest.as_ref().map(|rest| [rest]);
    let inside = rest.as_ref().map_or(inside, |rest| rest);
    let minterm = search::witness(space, inside, outside, Limits { work, ..Limits::default() }, monitor)?;
    Ok(minterm.map_or(Ok(()), |minterm| Err(Mismatch::new(space, fault, &minterm, what))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pla, PlaType, testing};
    use proptest::prelude::*;

    fn function(text: &str) -> Function {
        let pla = Pla::read_as(text.as_bytes(), PlaType::Fdr).unwrap();
        Function { on: pla.on, dc: pla.dc, off: pla.off, rest: Rest::Empty }
    }

    #[test]
    fn wide_functions_are_split() {
        // The parity of 8 of 60 inputs, and its complement: too large for enumeration or for a table of all inputs.
        let rows = (0u32..256).map(|bits| {
            let output = bits.count_ones() % 2;
            format!("{bits:08b}{} {}{output}\n", "-".repeat(52), 1 - output)
        });
        let text = format!(".i 60\n.o 2\n{}", rows.collect::<String>());
        let function = function(&text);
        assert_eq!(consistent(&function), Ok(()));
        let mut cover = function.on.clone();
        assert_eq!(result(&function, &cover), Ok(()));
        let word = cover.cube_mut(77)[1] & !(3 << 40);
        cover.cube_mut(77)[1] = word | 1 << 40;
        let mismatch = result(&function, &cover).unwrap_err();
        assert_eq!(mismatch.fault(), Fault::Missed);
        assert_eq!(mismatch.inputs().unwrap()[52], 1);
    }

    /// Minterms that neither function lists are in R of one, and in D of the other.
    #[test]
    fn functions_with_different_rests_can_be_the_same() {
        let of = |rows: &str, rest| Function { rest, ..function(&format!(".i 1\n.o 1\n{rows}")) };
        let off = of("1 1\n", Rest::Off);
        assert_eq!(same_function(&off, &of("1 1\n0 0\n", Rest::Dc)), Ok(()));
        for (one, other) in [(&off, of("1 1\n", Rest::Dc)), (&of("", Rest::Off), of("", Rest::Dc))] {
            assert_eq!(same_function(one, &other).unwrap_err().fault(), Fault::OffDiffers);
            assert_eq!(same_function(&other, one).unwrap_err().fault(), Fault::OffDiffers);
        }
    }

    proptest! {
        /// The oracle agrees with an enumeration of all points, on covers and on functions.
        #[test]
        fn agrees_with_brute_force(
            [on, dc, off, cover] in testing::covers([8, 4, 8, 8]),
            same in any::<bool>(),
            rest in prop::sample::select(&[Rest::Empty, Rest::Dc][..]),
            changed in 0..3_usize,
            work in 0u64..100,
        ) {
            let cover = if same { on.clone() } else { cover };
            let function = Function { on, dc, off, rest };
            let mut other = function.clone();
            let set = match changed {
                0 => &mut other.on,
                1 => &mut other.dc,
                _ => &mut other.off,
            };
            set.clone_from(&cover);
            let Function { on, dc, off, .. } = &function;
            let is = |fault: Fault, point: &[u64]| {
                let [f, d, r, c] = [on, dc, off, &cover].map(|set| testing::holds(set, point));
                let mut others = [f, d, r];
                others[changed] = c;
                let [other_f, other_d, other_r] = others;
                match fault {
                    Fault::Missed => f && !d && !c,
                    Fault::Excess if rest == Rest::Dc => c && r && !d,
                    Fault::Excess => c && !f && !d,
                    Fault::Contradiction => f && r && !d,
                    Fault::Unspecified => rest != Rest::Dc && !f && !d && !r,
                    Fault::DcDiffers => rest != Rest::Dc && d != other_d,
                    Fault::OnDiffers => (f && !d) != (other_f && !other_d),
                    Fault::OffDiffers => (r && !d) != (other_r && !other_d),
                    Fault::Space => false,
                }
            };
            // With a work limit, the answer is right or `None`.
            let within = result_within(&function, &cover, work, Monitor::default()).unwrap();
            prop_assert!(within.is_none_or(|verdict| verdict.is_ok() == result(&function, &cover).is_ok()));
            let points = testing::points(on.space());
            let space = on.space();
            for (verdict, faults) in [
                (result(&function, &cover), &[Fault::Missed, Fault::Excess][..]),
                (consistent(&function), &[Fault::Contradiction, Fault::Unspecified]),
                (same_function(&function, &other), &[Fault::DcDiffers, Fault::OnDiffers, Fault::OffDiffers]),
            ] {
                match verdict {
                    Ok(()) => {
                        let bad = |point: &Vec<u64>| faults.iter().any(|&fault| is(fault, point));
                        prop_assert!(!points.iter().any(bad));
                    }
                    Err(mismatch) => {
                        prop_assert!(faults.contains(&mismatch.fault()));
                        let mut point = vec![0; space.words()];
                        let inputs = mismatch.inputs().unwrap();
                        for (v, &part) in inputs.iter().chain(&mismatch.output()).enumerate() {
                            space.set(&mut point, v, part);
                        }
                        prop_assert!(is(mismatch.fault(), &point));
                    }
                }
            }
        }
    }
}
