//! Sets of numbers in words: "at most 3 squares", "at least 2 squares nearer".

use crate::chess::model::MAX_VALUES;

/// The runs of consecutive values in a set, as pairs of first and last value.
pub(crate) fn runs(set: u64) -> Vec<(i32, i32)> {
    let mut runs: Vec<(i32, i32)> = Vec::new();
    for value in (0..).take(MAX_VALUES).filter(|value: &i32| set >> value & 1 != 0) {
        match runs.last_mut() {
            Some((_, last)) if *last == value - 1 => *last = value,
            _ => runs.push((value, value)),
        }
    }
    runs
}

/// "a", "a or b", "a, b or c".
pub(crate) fn either(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., last] => format!("{} or {last}", all.join(", ")),
    }
}

/// "file e", "files a to c or h": a set of lines of one kind.
pub(crate) fn lines_of(kind: &str, set: u64, label: impl Fn(u8) -> String) -> String {
    let label = |number: i32| label(number.unsigned_abs() as u8);
    let run = |(first, last): (i32, i32)| match last - first {
        0 => label(first),
        1 => format!("{} or {}", label(first), label(last)),
        _ => format!("{} to {}", label(first), label(last)),
    };
    let words: Vec<String> = runs(set).into_iter().map(run).collect();
    format!("{kind}{} {}", if set.count_ones() > 1 { "s" } else { "" }, either(&words))
}

/// A number with its unit: "1 square", "2 squares".
fn measured(number: i32, unit: &str) -> String {
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}

/// The scale of a variable that counts from 0.
#[derive(Clone, Copy)]
pub(crate) struct Amount {
    pub(crate) unit: &'static str,
    /// The largest value; with `is_open` it includes all larger ones.
    pub(crate) largest: i32,
    pub(crate) is_open: bool,
    /// The words for a value of 0, if not "no squares".
    pub(crate) none: &'static str,
    /// The words after a value above 0.
    pub(crate) tail: &'static str,
}

impl Amount {
    /// "at most 3 squares".
    pub(super) fn words(self, set: u64) -> String {
        let runs = runs(set);
        if let [(first, last)] = runs[..] {
            return match (first, last) {
                _ if first == last => self.number(first),
                (0, _) => format!("at most {}", measured(last, self.unit)),
                (_, last) if last == self.largest => format!("at least {}", measured(first, self.unit)),
                _ => format!("{first} to {}", measured(last, self.unit)),
            };
        }
        let words = runs.iter().map(|&(first, last)| match last {
            _ if last == self.largest && self.is_open => format!("{first} or more"),
            _ if first == last => first.to_string(),
            _ => format!("{first} to {last}"),
        });
        format!("{} {}s", either(&words.collect::<Vec<_>>()), self.unit)
    }

    /// "3 squares off".
    pub(super) fn value(self, value: i32) -> String {
        match value {
            0 if !self.none.is_empty() => self.none.into(),
            _ => format!("{}{}", self.number(value), self.tail),
        }
    }

    /// "3 squares".
    fn number(self, value: i32) -> String {
        match value {
            0 => format!("no {}s", self.unit),
            value if value == self.largest && self.is_open => format!("{value} or more {}s", self.unit),
            value => measured(value, self.unit),
        }
    }
}

/// The wording of a difference on a scale with zero in the middle. Each end includes all larger differences.
#[derive(Clone)]
pub(crate) struct Difference {
    /// The words for a value below zero, `#` being the number: "# nearer to c than b".
    pub(super) less: String,
    /// The words for zero: "as near to c as b".
    pub(super) equal: String,
    pub(super) more: String,
    /// The word that negates `less` and `more` without a number: "no" or "not".
    pub(super) denial: &'static str,
    /// The unit, and the largest difference.
    pub(super) scale: (&'static str, i32),
    /// The words for values below zero, zero and above zero that leave out the other men.
    pub(super) short: [&'static str; 3],
}

/// The ends of every scale of differences.
const MOST: i32 = i32::MAX;
const LEAST: i32 = i32::MIN;

impl Difference {
    /// "at least 2 squares nearer to c than b".
    pub(super) fn words(&self, set: u64) -> String {
        let most = self.scale.1;
        let words = runs(set).into_iter().map(|(first, last)| {
            self.run(
                if first == 0 { LEAST } else { first - most },
                if last == 2 * most { MOST } else { last - most },
            )
        });
        either(&words.collect::<Vec<_>>())
    }

    /// "2 squares nearer".
    pub(super) fn value(&self, value: i32) -> String {
        let [less, equal, more] = self.short;
        let (unit, most) = self.scale;
        match value - most {
            0 => equal.into(),
            value => {
                // There is no larger difference of files or ranks.
                let is_open = value.abs() == most && !["file", "rank"].contains(&unit);
                let most = if is_open { " or more" } else { "" };
                let measured = measured(value.abs(), unit).replacen(' ', &format!("{most} "), 1);
                format!("{measured} {}", if value < 0 { less } else { more })
            }
        }
    }

    fn run(&self, first: i32, last: i32) -> String {
        let some = |how: &str, value: i32| {
            let side = if value < 0 { &self.less } else { &self.more };
            side.replace('#', &format!("{how}{}", measured(value.abs(), self.scale.0)))
        };
        let any = |side: &str| side.replace("# ", "");
        match (first, last) {
            (0, 0) => self.equal.clone(),
            (LEAST, -1) => any(&self.less),
            (1, MOST) => any(&self.more),
            (LEAST, 0) => format!("{} {}", self.denial, any(&self.more)),
            (0, MOST) => format!("{} {}", self.denial, any(&self.less)),
            (LEAST, last) => some(if last < 0 { "at least " } else { "at most " }, last),
            (first, MOST) => some(if first > 0 { "at least " } else { "at most " }, first),
            (first, last) if first == last => some("", first),
            (first, last) if first < 0 && last > 0 => {
                format!("{} and {}", some("at most ", first), some("at most ", last))
            }
            (first, last) => {
                let (least, most) = if first < 0 { (last, first) } else { (first, last) };
                some(&format!("{} to ", least.abs()), most)
            }
        }
    }
}
