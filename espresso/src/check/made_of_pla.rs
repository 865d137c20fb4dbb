//! Checks a cover against the function of a PLA. Sets computed as complements are checked too, or not used, so that a wrong
//! complement cannot hide a wrong cover.

use super::{Verdict, consistent_limited, result_within, unless_given_up};
use crate::{Cover, Function, Monitor, Pla, PlaType, Rest, Result};

/// Whether `cover` is a result for `function`, which was made from `pla`. Like [`result_within`], but also finds a wrong
/// complement in `function`.
///
/// A PLA of type fr describes F and R: the cover is compared with F and R only, and D is ignored. If F was computed as a
/// complement, as for types r and dr and for complemented outputs, the function must also be consistent
/// ([`consistent_with`](super::consistent_with)). Returns `None` if a search takes more than about `work` words.
///
/// # Errors
/// [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled) when the callback breaks.
///
/// # Example
/// ```
/// use espresso::{Function, Monitor, Pla, check};
/// let pla = Pla::parse(".i 2\n.o 1\n.type r\n-0 0\n")?;
/// let function = Function::from_pla(&pla)?;
/// let cover = Pla::parse(".i 2\n.o 1\n-1 1\n")?.on;
/// assert_eq!(check::made_of_pla(&pla, &function, &cover, check::SHORT, Monitor::default())?, Some(Ok(())));
/// # Ok::<(), espresso::Error>(())
/// ```
pub fn made_of_pla(
    pla: &Pla,
    function: &Function,
    cover: &Cover,
    work: u64,
    monitor: Monitor<'_>,
) -> Result<Option<Verdict>> {
    if pla.kind == PlaType::Fr {
        let given = Function { dc: Cover::new(cover.space()), rest: Rest::Dc, ..function.clone() };
        return result_within(&given, cover, work, monitor);
    }
    let verdict = result_within(function, cover, work, monitor)?;
    if verdict == Some(Ok(())) && function.on != pla.on {
        return unless_given_up(consistent_limited(function, work, monitor));
    }
    Ok(verdict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Fault, SHORT};

    /// A wrong cover is found, even if it agrees with a wrong complement.
    #[test]
    fn wrong_complements_are_found() {
        for (text, cubes, fault) in [
            (".i 2\n.o 1\n01 1\n11 1\n10 -\n", ["-1 1", "-- 1"], None),
            (".i 2\n.o 1\n.type fr\n01 1\n11 1\n00 0\n", ["-1 1", "-- 1"], Some(Fault::Excess)),
            (".i 2\n.o 1\n.type r\n-0 0\n", ["-1 1", "11 1"], Some(Fault::Unspecified)),
            (".i 2\n.o 1\n.type dr\n-0 0\n", ["-1 1", "-- 1"], Some(Fault::Contradiction)),
            (".i 2\n.o 1\n.phase 0\n-0 1\n", ["-1 1", "11 1"], Some(Fault::Unspecified)),
        ] {
            let pla = Pla::parse(text).unwrap();
            let function = Function::from_pla(&pla).unwrap();
            let [right, wrong] = cubes.map(|row| Pla::parse(&format!(".i 2\n.o 1\n{row}\n")).unwrap().on);
            let check = |function: &Function, cover: &Cover, work| {
                let verdict = made_of_pla(&pla, function, cover, work, Monitor::default()).unwrap();
                verdict.map(|verdict| verdict.err().map(|mismatch| mismatch.fault()))
            };
            assert_eq!(check(&function, &right, SHORT), Some(None), "{text}");
            assert!(matches!(check(&function, &wrong, SHORT), Some(Some(_))), "{text}");
            assert_eq!(check(&function, &right, 0), None, "{text}");
            let misled = match fault {
                Some(Fault::Excess) | None => Function { dc: wrong.clone(), ..function },
                Some(_) => Function { on: wrong.clone(), ..function },
            };
            assert_eq!(check(&misled, &wrong, SHORT), Some(fault), "{text}");
        }
    }
}
