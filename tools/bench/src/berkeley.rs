//! Berkeley's program (Espresso 2.3, 1988) as a library, by the crate `espresso-logic`, with its default options.
//!
//! The crate's safe interface has only binary inputs. The program requires F and R to be disjoint, which is stricter than
//! the relaxed rule of this project.

use crate::process::cpu_time;
use anyhow::{Result, anyhow, ensure};
use espresso::{Cover, Space};
use espresso_logic::espresso::{CubeType, EspressoCover};
use std::time::Duration;

/// Minimizes `on` against `dc` and `off`; if `off` is `None`, the program computes the complement. Returns the cover, with
/// outputs joined as the program leaves them, and the processor time in the program. The time includes the complement, but
/// not the conversion of covers.
pub fn minimize(on: &Cover, dc: &Cover, off: Option<&Cover>) -> Result<(Cover, Duration)> {
    let space = on.space().clone();
    ensure!(space.inputs() == space.binary_inputs(), "Berkeley's program is used with binary inputs only");
    let (f, d) = (hand_over(on)?, hand_over(dc)?);
    let r = off.map(hand_over).transpose()?;
    let start = cpu_time();
    let (f, _, _) = f.try_minimize(Some(d), r).map_err(|error| anyhow!("Berkeley's program: {error}"))?;
    let time = cpu_time().saturating_sub(start);
    Ok((take_back(&f, &space), time))
}

/// Converts the nonempty cubes of `cover` to a cover of the program.
fn hand_over(cover: &Cover) -> Result<EspressoCover> {
    let space = cover.space();
    let (inputs, outputs) = (space.inputs(), space.outputs());
    let mut bytes = Vec::with_capacity(cover.len() * (inputs + outputs));
    for cube in cover.iter().filter(|cube| !space.is_empty(cube)) {
        for v in 0..inputs {
            bytes.push(match (space.get(cube, v, 0), space.get(cube, v, 1)) {
                (true, true) => 2,
                (_, one) => u8::from(one),
            });
        }
        bytes.extend((0..outputs).map(|o| u8::from(space.get(cube, inputs, o))));
    }
    let cubes: Vec<(&[u8], &[u8])> =
        bytes.chunks_exact(inputs + outputs).map(|row| row.split_at(inputs)).collect();
    EspressoCover::from_cubes(&cubes, inputs, outputs).map_err(|error| anyhow!("Berkeley's program: {error}"))
}

fn take_back(cover: &EspressoCover, space: &Space) -> Cover {
    let (inputs, outputs) = (space.inputs(), space.outputs());
    let mut taken = Cover::new(space);
    let mut words = vec![0; space.words()];
    for cube in cover.to_cubes(inputs, outputs, CubeType::F) {
        words.fill(0);
        for v in 0..inputs {
            let value = cube.inputs().value_at(v);
            for part in 0..2 {
                if value.is_none_or(|value| usize::from(value) == part) {
                    space.set(&mut words, v, part);
                }
            }
        }
        for o in (0..outputs).filter(|&o| cube.outputs().value_at(o)) {
            space.set(&mut words, inputs, o);
        }
        taken.push(&words);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use espresso::Pla;

    fn cover(rows: &[&str]) -> Cover {
        Pla::parse(&format!(".i 2\n.o 2\n{}\n.e\n", rows.join("\n"))).unwrap().on
    }

    #[test]
    fn merges_shares_outputs_and_uses_dont_cares() {
        let on = cover(&["00 10", "01 10", "00 01", "01 01"]);
        let dc = cover(&["10 11"]);
        for off in [None, Some(cover(&["11 11"]))] {
            assert_eq!(minimize(&on, &dc, off.as_ref()).unwrap().0, cover(&["0- 11"]));
        }
    }

    #[test]
    fn a_contradiction_is_an_error() {
        let on = cover(&["0- 10"]);
        assert!(minimize(&on, &Cover::new(on.space()), Some(&on)).is_err());
    }

    #[test]
    fn covers_of_other_dimensions_follow_each_other() {
        for inputs in 1..40 {
            let space = Space::binary(inputs, 3).unwrap();
            let universe = Cover::universe(&space);
            let none = Cover::new(&space);
            assert_eq!(minimize(&universe, &none, None).unwrap().0, universe);
        }
    }
}
