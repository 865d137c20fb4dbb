//! The wording for each family of variables. `src/pcn/FORMAT.md` defines the families.
//!
//! `families.txt` has the families whose values do not change when the board is mirrored or turned. `conditions` has the others,
//! with the wordings [`files`] and [`ranks`].

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
    /// Whether the first two men have the same colour.
    pub(super) are_friends: bool,
    /// The lines that the first man moves along: "file or rank".
    pub(super) lines: &'a str,
}

impl MenInWords<'_> {
    /// A text with the names in place of `{a}`, `{b}`, `{c}` and others.
    fn filled(&self, text: &str) -> String {
        let ([a, b, c], [king, other_king], [white, black]) = (self.names, self.kings, self.both_kings);
        let meet = if self.are_friends { "guard" } else { "attack" };
        let names = [
            ("{a}", a),
            ("{b}", b),
            ("{c}", c),
            ("{king}", king),
            ("{other_king}", other_king),
            ("{white}", white),
            ("{black}", black),
            ("{foe}", self.foe),
            ("{friend}", self.friend),
            ("{lines}", self.lines),
            ("{meet}", meet),
            ("{goal}", "the promotion square of"),
        ];
        names.iter().fold(text.into(), |text, (mark, name)| text.replace(mark, name))
    }

    /// The sets of values in lines as in `0-1: {a} attacks {b}`, with their sentences.
    fn sets(&self, lines: impl Iterator<Item = &'static str>) -> Vec<(u64, String)> {
        let set = |line: &str| {
            let (set, words) = line.split_once(": ").expect("a set of values");
            (set_of(set), self.filled(words))
        };
        lines.map(set).collect()
    }
}

/// The wording for a variable's literals and values.
pub(crate) enum Wording {
    /// `before`, the amount, `after`; `own` has the sentences for sets with a special wording.
    Amount { before: String, amount: Amount, after: String, own: Vec<(u64, String)> },
    /// `subject`, "is", the difference.
    Difference { subject: String, difference: Difference },
    /// One of a few cases: short words for each, and sentences for sets of them.
    Cases { short: Vec<&'static str>, sets: Vec<(u64, String)> },
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

/// The standings of an empty square, in the same order.
const EMPTY: [&str; 4] = [
    "empty, attacked, not guarded",
    "empty, attacked and guarded",
    "empty, neither attacked nor guarded",
    "empty, guarded, not attacked",
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

/// The sentences for all sets of values of `front`: the square in front of a pawn is occupied, or it is empty and has a standing.
fn fronts(front: &str) -> Vec<(u64, String)> {
    let mut sets = vec![(1, format!("{front} occupied")), (0b11110, format!("{front} empty"))];
    for (set, words) in standings("") {
        sets.push((set << 1, format!("{front} empty,{words}")));
        sets.push((set << 1 | 1, format!("{front} occupied, or empty and{words}")));
    }
    sets
}

/// The wording of each family, with the men as in [`MenInWords::filled`]: a line with name and kind, then by kind:
/// - amount: the unit, the largest value, and the words for none and after others; the sentence with `#` for the amount; sets of
///   values with sentences of their own;
/// - cases: a few words for each value; sets of values, each with its sentence;
/// - difference (from -7 to 7): the word that negates less and more, the unit, a few words for less, equal and more; the subject;
///   the words that follow those for less, equal and more;
/// - standing and front: the subject and its verb.
const WORDINGS: &str = include_str!("families.txt");

/// The set of values in a text as in `0,2-4`.
fn set_of(text: &str) -> u64 {
    let number = |text: &str| text.parse::<u32>().expect("a value in a list of wordings");
    let runs = text.split(',').map(|run| run.split_once('-').unwrap_or((run, run)));
    runs.flat_map(|(first, last)| number(first)..=number(last)).fold(0, |set, value| set | 1 << value)
}

/// Returns the wording for a variable of `family`.
///
/// # Panics
/// For a family that is not in families.txt.
pub(super) fn wording(family: &str, men: &MenInWords<'_>) -> Wording {
    let is_head = |line: &&str| line.split_once(' ').is_some_and(|(name, _)| name == family);
    let mut lines = WORDINGS.lines().skip_while(|line| !is_head(line));
    let head = lines.next().unwrap_or_else(|| panic!("no sentence for the family {family}"));
    let mut lines = lines.map_while(|line| line.strip_prefix("  "));
    let mut line = || lines.next().expect("a line of a wording");
    let first = line();
    let (_, kind) = head.split_once(' ').expect("a kind of wording");
    match kind {
        "amount" => {
            let words = men.filled(line());
            let (before, after) = words.split_once('#').expect("a place for the amount");
            Wording::Amount {
                before: before.into(),
                amount: amount_of(first),
                after: after.into(),
                own: men.sets(lines),
            }
        }
        "difference" => {
            let words: Vec<&str> = first.split("; ").collect();
            let &[denial, unit, less, equal, more] = &words[..] else { panic!("{first}: not five words") };
            let short = [less, equal, more];
            let subject = men.filled(line());
            let [less, equal, more] = short.map(|short| format!("{short} {}", men.filled(line())));
            let (less, more) = (format!("# {less}"), format!("# {more}"));
            Wording::Difference {
                subject,
                difference: Difference { less, equal, more, denial, scale: (unit, 7), short },
            }
        }
        "cases" => Wording::Cases { short: first.split("; ").collect(), sets: men.sets(lines) },
        "standing" => Wording::Cases { short: STANDINGS.into(), sets: standings(&men.filled(first)) },
        _ => {
            let short = ["occupied"].into_iter().chain(EMPTY);
            Wording::Cases { short: short.collect(), sets: fronts(&men.filled(first)) }
        }
    }
}

/// The amount of a line as in `square, 6 or more, none: on it, tail: off`.
fn amount_of(line: &'static str) -> Amount {
    let mut parts = line.split(", ");
    let unit = parts.next().expect("a unit");
    let (largest, more) =
        parts.next().map(|part| part.split_once(' ').unwrap_or((part, ""))).expect("a largest value");
    let named =
        |name: &str| line.split_once(name).map_or("", |(_, rest)| rest.split(',').next().unwrap_or(rest));
    let largest = largest.parse().expect("a number");
    Amount { unit, largest, is_open: !more.is_empty(), none: named("none: "), tail: named("tail:") }
}
