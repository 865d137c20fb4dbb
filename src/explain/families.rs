//! The wording for each family of variables. `src/pcn/FORMAT.md` defines the families.
//!
//! These are the families whose values do not change when the board is mirrored or turned. `conditions` has the others.

use super::numbers::{Amount, Difference, either, runs};

/// The names of the men that a variable is about.
pub(super) struct MenInWords<'a> {
    /// "the white rook".
    pub(super) names: [&'a str; 3],
    /// The king of the first man's side, and the other king.
    pub(super) kings: [&'a str; 2],
    /// The white king of the canonical position, and the black one.
    pub(super) both_kings: [&'a str; 2],
    /// The other side, and the first man's: "Black".
    pub(super) foe: &'a str,
    pub(super) friend: &'a str,
    /// Whether the first two have the same colour.
    pub(super) are_friends: bool,
    /// The lines that the first man moves along: "file or rank".
    pub(super) lines: &'a str,
}

/// The wording for a variable's literals and values.
pub(crate) enum Wording {
    /// `before`, the amount, `after`; `own` has the sentences for sets with a special wording.
    Amount { before: String, amount: Amount, after: String, own: Vec<(u64, String)> },
    /// `subject`, "is", the difference.
    Difference { subject: String, difference: Difference },
    /// One of a few cases: short words for each, and sentences for sets of them.
    Cases { short: &'static [&'static str], sets: Vec<(u64, String)> },
}

impl Wording {
    /// The sentence that says that the value is in `set`.
    pub(crate) fn sentence(&self, set: u64) -> String {
        let own = |sets: &[(u64, String)], set: u64| {
            sets.iter().find(|(of, _)| *of == set).map(|(_, words)| words.clone())
        };
        match self {
            Wording::Amount { before, amount, after, own: sets } => {
                own(sets, set).unwrap_or_else(|| format!("{before}{}{after}", amount.words(set)))
            }
            Wording::Difference { subject, difference } => {
                format!("{subject} is {}", difference.words(set))
            }
            Wording::Cases { sets, .. } => own(sets, set).unwrap_or_else(|| {
                let values = runs(set).into_iter().flat_map(|(first, last)| first..=last);
                let words: Vec<String> = values.filter_map(|value| own(sets, 1 << value)).collect();
                either(&words)
            }),
        }
    }

    /// The value of a position, in a few words.
    pub(crate) fn value(&self, value: u8) -> String {
        match self {
            Wording::Amount { amount, .. } => amount.value(value.into()),
            Wording::Difference { difference, .. } => difference.value(value.into()),
            Wording::Cases { short, .. } => (*short.get(usize::from(value)).unwrap_or(&"")).into(),
        }
    }
}

pub(crate) const fn amount(unit: &'static str, largest: i32) -> Amount {
    Amount { unit, largest, is_open: false, none: "", tail: "" }
}

pub(crate) const fn open_amount(unit: &'static str, largest: i32) -> Amount {
    Amount { unit, largest, is_open: true, none: "", tail: "" }
}

pub(crate) fn counted(before: impl Into<String>, amount: Amount, after: impl Into<String>) -> Wording {
    Wording::Amount { before: before.into(), amount, after: after.into(), own: Vec::new() }
}

fn with_own(wording: Wording, sets: &[(u64, String)]) -> Wording {
    match wording {
        Wording::Amount { before, amount, after, .. } => {
            Wording::Amount { before, amount, after, own: sets.to_vec() }
        }
        other => other,
    }
}

fn cases<const N: usize>(short: &'static [&'static str], sets: [(u64, String); N]) -> Wording {
    Wording::Cases { short, sets: sets.into() }
}

/// The wording for a variable of two values: 0 no, 1 yes.
pub(crate) fn whether(short: &'static [&'static str; 2], yes: String, no: String) -> Wording {
    cases(short, [(0b10, yes), (0b01, no)])
}

/// The wording for a difference from -7 to 7. `short` has the words for less, equal and more, and `rest` the words that follow
/// each. `denial` negates less and more.
fn difference(
    subject: &str,
    (denial, unit): (&'static str, &'static str),
    short: [&'static str; 3],
    rest: &[String; 3],
) -> Wording {
    let [less, equal, more] = [0, 1, 2].map(|side| format!("{}{}", short[side], rest[side]));
    let (less, more) = (format!("# {less}"), format!("# {more}"));
    let difference = Difference { less, equal, more, denial, scale: (unit, 7), short };
    Wording::Difference { subject: subject.into(), difference }
}

const NEARER: [&str; 3] = ["nearer", "as near", "further"];

/// The wording that compares the distances of `a` and of `b` to `c`.
fn nearer(a: &str, b: &str, c: &str, how: &str) -> Wording {
    let rest = [
        format!(" to {c} than {b}{how}"),
        format!(" to {c} as {b}{how}"),
        format!(" from {c} than {b}{how}"),
    ];
    difference(a, ("no", "square"), NEARER, &rest)
}

/// The wording for the files from `a` to `b`, left and right as the board is shown.
pub(crate) fn files(a: &str, b: &str, largest: i32) -> Wording {
    let (less, more) = (format!("# to the left of {a}"), format!("# to the right of {a}"));
    let (equal, short) = (format!("on the file of {a}"), ["to the left", "on one file", "to the right"]);
    let difference = Difference { less, equal, more, denial: "not", scale: ("file", largest), short };
    Wording::Difference { subject: b.into(), difference }
}

/// The wording for the ranks from `a` to `b`, White's or Red's side below.
pub(crate) fn ranks(a: &str, b: &str, largest: i32) -> Wording {
    let (less, more) = (format!("# below {a}"), format!("# above {a}"));
    let (equal, short) = (format!("on the rank of {a}"), ["below", "on one rank", "above"]);
    let difference = Difference { less, equal, more, denial: "not", scale: ("rank", largest), short };
    Wording::Difference { subject: b.into(), difference }
}

/// The values of a square's standing in order: attacked by the other side or not, guarded by its own or not.
const STANDINGS: [&str; 4] = [
    "attacked, not guarded",
    "attacked and guarded",
    "neither attacked nor guarded",
    "guarded, not attacked",
];

/// The sentences for all sets of standings; each begins with `what`: "the white rook is".
fn standings(what: &str) -> Vec<(u64, String)> {
    let sets = [
        (0b0001, "attacked and not guarded"),
        (0b0010, "attacked and guarded"),
        (0b0100, "neither attacked nor guarded"),
        (0b1000, "guarded and not attacked"),
        (0b0011, "attacked"),
        (0b1100, "not attacked"),
        (0b1010, "guarded"),
        (0b0101, "not guarded"),
        (0b1001, "either attacked or guarded, not both"),
        (0b0110, "both attacked and guarded, or neither"),
        (0b1110, "guarded or not attacked"),
        (0b1101, "not both attacked and guarded"),
        (0b1011, "attacked or guarded"),
        (0b0111, "attacked or not guarded"),
    ];
    sets.iter().map(|(set, words)| (*set, format!("{what} {words}"))).collect()
}

/// Returns the wording for a variable of `family`.
///
/// # Panics
/// For a family that is not in this file.
pub(super) fn wording(family: &str, men: &MenInWords<'_>) -> Wording {
    let groups = [geometry, contact, pawn_way, pawn, pawn_races, distances];
    let found = groups.iter().find_map(|group| group(family, men));
    found.unwrap_or_else(|| panic!("no sentence for the family {family}"))
}

fn geometry(family: &str, men: &MenInWords<'_>) -> Option<Wording> {
    let [a, b, _] = men.names;
    Some(match family {
        "larger" => {
            let wording = counted(format!("{a} and {b} are "), amount("king move", 7), " apart");
            with_own(wording, &[(0b10, format!("{a} and {b} stand next to each other"))])
        }
        "smaller" => {
            let before = format!("the lesser of the distances by files and by ranks between {a} and {b} is ");
            let amount =
                Amount { none: "on one file or rank", tail: " or more both ways", ..amount("square", 7) };
            let sets = [
                (0b1, format!("{a} and {b} are on one file or rank")),
                (0b1111_1110, format!("{a} and {b} are neither on one file nor on one rank")),
            ];
            with_own(counted(before, amount, ""), &sets)
        }
        "excess" => {
            let sets = [
                (0b1, format!("{a} and {b} are on one diagonal")),
                (0b1111_1110, format!("{a} and {b} are not on one diagonal")),
            ];
            let before = format!("{a} and {b} are ");
            let amount = Amount { none: "on one diagonal", tail: " off", ..amount("square", 7) };
            with_own(counted(before, amount, " off a common diagonal"), &sets)
        }
        _ => return None,
    })
}

fn contact(family: &str, men: &MenInWords<'_>) -> Option<Wording> {
    let ([a, b, c], lines) = (men.names, men.lines);
    let meets = if men.are_friends { "guards" } else { "attacks" };
    let meet = if men.are_friends { "guard" } else { "attack" };
    Some(match family {
        "moves" => counted(format!("{a} has "), amount("square", 8), " to go to"),
        "contact" => Wording::Cases { short: &STANDINGS, sets: standings(&format!("{a} is")) },
        "takes" => cases(
            &["no attack", "attacked, not to be taken safely", "can be taken safely"],
            [
                (0b001, format!("{a} does not attack {b}")),
                (0b010, format!("{a} attacks {b} but cannot take it safely")),
                (0b100, format!("{a} can take {b} safely")),
                (0b011, format!("{a} cannot take {b} safely")),
                (0b110, format!("{a} attacks {b}")),
                (0b101, format!("{a} can take {b} safely or does not attack it")),
            ],
        ),
        "line" => cases(
            &["not on one line", "a man between", "open line"],
            [
                (0b001, format!("{a} and {b} are not on one {lines}")),
                (0b010, format!("{a} and {b} are on one {lines}, with a man between")),
                (0b100, format!("{a} {meets} {b}")),
                (0b011, format!("{a} does not {meet} {b}")),
                (0b110, format!("{a} and {b} are on one {lines}")),
                (0b101, format!("{a} {meets} {b} or is not on one {lines} with it")),
            ],
        ),
        "pinned" => whether(
            &["not pinned", "pinned"],
            format!("{b} pins {a} to its king"),
            format!("{b} does not pin {a} to its king"),
        ),
        "cut" => cases(
            &["not between", "between by one", "between by both"],
            [
                (0b001, format!("{c} is not between {a} and {b}, neither by file nor by rank")),
                (0b010, format!("{c} is between {a} and {b} by file or by rank, not by both")),
                (0b100, format!("{c} is between {a} and {b} by file and by rank")),
                (0b011, format!("{c} is not between {a} and {b} by both file and rank")),
                (0b110, format!("{c} is between {a} and {b} by file, by rank or by both")),
                (0b101, format!("{c} is between {a} and {b} by both file and rank, or by neither")),
            ],
        ),
        _ => return None,
    })
}

/// "the promotion square of the white pawn".
fn goal(pawn: &str) -> String {
    format!("the promotion square of {pawn}")
}

/// The families about a pawn's path to its promotion square.
fn pawn_way(family: &str, men: &MenInWords<'_>) -> Option<Wording> {
    let ([a, ..], foe, friend) = (men.names, men.foe, men.friend);
    Some(match family {
        "front" => {
            let front = format!("the square in front of {a} is");
            let mut sets = vec![(1, format!("{front} occupied")), (0b11110, format!("{front} empty"))];
            for (set, words) in standings(&format!("{front} empty,")) {
                sets.push((set << 1, words.clone()));
                let empty = words.replace(&format!("{front} "), "");
                sets.push((
                    set << 1 | 1,
                    format!("{front} occupied, or {}", empty.replace("empty,", "empty and")),
                ));
            }
            let short = &[
                "occupied",
                "empty, attacked, not guarded",
                "empty, attacked and guarded",
                "empty, neither attacked nor guarded",
                "empty, guarded, not attacked",
            ];
            Wording::Cases { short, sets }
        }
        "clear" => {
            let after = " straight ahead of it before the first man";
            counted(format!("{a} has "), open_amount("empty square", 6), after)
        }
        "free" => {
            let after = format!(" ahead before the first that is occupied or attacked by {foe}");
            counted(format!("{a} has "), open_amount("square", 6), after)
        }
        "path_attacked" => counted(
            format!("{foe} attacks "),
            open_amount("square", 6),
            format!(" on the way of {a} to promotion"),
        ),
        "path_guarded" => counted(
            format!("{friend} guards "),
            open_amount("square", 6),
            format!(" on the way of {a} to promotion"),
        ),
        "path_taken" => {
            counted(format!("{a} has "), open_amount("occupied square", 2), " on its way to promotion")
        }
        "goal_lead" => nearer(men.both_kings[0], men.both_kings[1], &goal(a), ""),
        "front_lead" => {
            let [white, black] = men.both_kings;
            nearer(white, black, &format!("the square in front of {a}"), "")
        }
        "goal_standing" => Wording::Cases { short: &STANDINGS, sets: standings(&format!("{} is", goal(a))) },
        _ => return None,
    })
}

fn pawn(family: &str, men: &MenInWords<'_>) -> Option<Wording> {
    let [a, b, _] = men.names;
    Some(match family {
        "race" => {
            let rest = |than| format!(" {than} {b} to reach its promotion square");
            difference(
                a,
                ("no", "move"),
                ["quicker", "as quick", "slower"],
                &["than", "as", "than"].map(rest),
            )
        }
        "goal" => {
            let amount = Amount { none: "on it", ..amount("king move", 7) };
            let wording = counted(format!("{a} is "), amount, format!(" from {}", goal(b)));
            with_own(wording, &[(0b1, format!("{a} stands on {}", goal(b)))])
        }
        "in_time" => {
            let rest = |_| format!(" to meet {b} on its way");
            difference(a, ("not", "move"), ["early", "just in time", "late"], &[0, 1, 2].map(rest))
        }
        "on_path" => whether(
            &["not in the way", "in the way"],
            format!("{a} stands in the way of {b}"),
            format!("{a} does not stand in the way of {b}"),
        ),
        "crown" => whether(
            &["would not", "would"],
            format!("a queen on {} would attack {b}", goal(a)),
            format!("a queen on {} would not attack {b}", goal(a)),
        ),
        "crown_goal" => whether(
            &["would not", "would"],
            format!("a queen on {} would attack {}", goal(a), goal(b)),
            format!("a queen on {} would not attack {}", goal(a), goal(b)),
        ),
        "wrong" => whether(
            &["no wrong bishop", "the wrong bishop"],
            format!(
                "{b} is a rook's pawn and {a} the wrong bishop for it, which does not cover its promotion square"
            ),
            format!(
                "{b} is no rook's pawn, or {a} the right bishop for it, which covers its promotion square"
            ),
        ),
        _ => return None,
    })
}

fn pawn_races(family: &str, men: &MenInWords<'_>) -> Option<Wording> {
    let ([a, b, _], [king, other_king]) = (men.names, men.kings);
    Some(match family {
        "passed" => whether(
            &["not past each other", "past each other"],
            format!("{a} and {b} are past each other or two files apart or more"),
            format!("{a} and {b} are neither past each other nor two files apart"),
        ),
        "steps_lead" => {
            let rest = |than| format!(" {than} {b}");
            let rest = ["to promotion than", "to promotion as", "from promotion than"].map(rest);
            difference(a, ("no", "move"), NEARER, &rest)
        }
        "race_lead" => {
            let rest = |than| format!(" of {other_king} {than} {b} of {king}");
            let short = ["less far ahead", "as far ahead", "further ahead"];
            let subject = format!("in the race to promote, {a}");
            difference(&subject, ("no", "move"), short, &["than", "as", "than"].map(rest))
        }
        "raid" => {
            let rest = |(to, than)| format!(" {to} {a} {than} {king} {to} {b}");
            let rest = [("to", "than"), ("to", "as"), ("from", "than")].map(rest);
            difference(other_king, ("no", "square"), NEARER, &rest)
        }
        _ => return None,
    })
}

fn distances(family: &str, men: &MenInWords<'_>) -> Option<Wording> {
    let [a, b, c] = men.names;
    Some(match family {
        "hops" => counted(format!("{a} is "), amount("knight move", 6), format!(" from the square of {b}")),
        "nearer" => nearer(a, b, c, ""),
        "taxi_nearer" => nearer(a, b, c, ", files and ranks added up"),
        "detour" => {
            let before = format!("a king's way between {a} and {b} by {c} is ");
            let amount = Amount { none: "no longer", tail: " longer", ..open_amount("move", 14) };
            let wording = counted(before, amount, " longer than the shortest");
            with_own(wording, &[(0b1, format!("{c} is on a shortest way of a king between {a} and {b}"))])
        }
        "taxi" => {
            counted(format!("{a} and {b} are "), amount("square", 14), " apart, files and ranks added up")
        }
        "area" => {
            let before = format!("the triangle of {a}, {b} and {c} has an area of ");
            let amount = Amount { none: "on one line", ..open_amount("half square", 15) };
            let wording = counted(before, amount, "");
            with_own(wording, &[(0b1, format!("{a}, {b} and {c} are on one straight line"))])
        }
        _ => return None,
    })
}
