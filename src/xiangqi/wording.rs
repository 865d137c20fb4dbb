//! The wording for each family of variables. [`model`](super::model) has their formulas.

use crate::explain::families::{self as words, Wording};
use crate::explain::numbers::{Amount, either, lines_of};

const fn amount(unit: &'static str, largest: i32) -> Amount {
    Amount { unit, largest, is_open: false, none: "", tail: "" }
}

const fn open_amount(unit: &'static str, largest: i32) -> Amount {
    Amount { unit, largest, is_open: true, none: "", tail: "" }
}

fn counted(before: impl Into<String>, amount: Amount, after: impl Into<String>) -> Wording {
    Wording::Amount { before: before.into(), amount, after: after.into(), own: Vec::new() }
}

/// The wording for a variable of two values: 0 no, 1 yes.
fn whether(short: &'static [&'static str; 2], yes: String, no: String) -> Wording {
    Wording::Cases { short: short.into(), sets: vec![(0b10, yes), (0b01, no)] }
}

/// The wording for one of a few cases: `before` and any of `cases`.
fn choice<const N: usize>(before: &str, cases: &'static [&'static str; N]) -> Wording {
    let sentence = |set: u64| {
        let allowed = (0..N).filter(|case| set >> case & 1 != 0).map(|case| cases[case].to_owned());
        (set, format!("{before} {}", either(&allowed.collect::<Vec<_>>())))
    };
    Wording::Cases { short: cases.into(), sets: (1..1 << N).map(sentence).collect() }
}

/// The condition that a man is on one of the files or ranks in `set`, as a sentence, and the position's own file or rank.
pub(super) fn lines(family: &str, man: &str, set: u64, part: u8) -> (String, String) {
    let label = |number: u8| match family {
        "file" => char::from(b'a' + number).to_string(),
        _ => number.to_string(),
    };
    (format!("{man} is on {}", lines_of(family, set, label)), lines_of(family, 1 << part, label))
}

/// The wording for a variable of `family` about the men with these names; `own` and `foe` are the sides of the first man and of
/// its opponent. `None` for families worded by [`lines`].
pub(super) fn wording(family: &str, [a, b]: [&str; 2], [own, foe]: [&str; 2]) -> Option<Wording> {
    Some(match family {
        "files" => words::files(a, b, 8),
        "ranks" => words::ranks(a, b, 9),
        "taxi" => {
            counted(format!("{a} and {b} are "), amount("point", 17), " apart, files and ranks added up")
        }
        "between" => choice(
            &format!("{a} and {b} are"),
            &[
                "on no common line",
                "on one line with no man between",
                "on one line with one man between",
                "on one line with two men or more between",
            ],
        ),
        "attacks" => whether(
            &["no attack", "attacked"],
            format!("{a} attacks {b}"),
            format!("{a} does not attack {b}"),
        ),
        "guards" => {
            whether(&["no guard", "guarded"], format!("{a} guards {b}"), format!("{a} does not guard {b}"))
        }
        "leg" => choice(
            &format!("from {a} to {b} there is"),
            &["no horse's move", "a horse's move with a free leg", "a hobbled horse's move"],
        ),
        "attackers" => counted(format!("{a} has "), open_amount("attacker", 3), ""),
        "guardians" => counted(format!("{a} has "), open_amount("guard", 3), ""),
        "free" => counted(format!("{a} has "), open_amount("point", 7), " to go to"),
        "safe" => counted(
            format!("{a} has "),
            open_amount("point", 7),
            format!(" to go to that {foe} does not attack"),
        ),
        "loose" => counted(format!("{own} has "), open_amount("piece", 3), " attacked and not guarded"),
        "escapes" => counted(format!("{a} has "), amount("point", 4), " to go to without being taken there"),
        _ => return None,
    })
}
