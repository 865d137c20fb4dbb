//! The program's results and verdicts on random functions of every type and phase, with inputs of two and three values,
//! against truth tables made from the rows of the files alone.

use crate::faults::run;
use proptest::prelude::*;

/// The numbers of values of the inputs; the binary ones come first.
const INPUTS: [usize; 4] = [2, 2, 2, 3];
const OUTPUTS: usize = 2;
const MINTERMS: usize = 24;
const KINDS: [&str; 7] = ["f", "d", "r", "fd", "fr", "dr", "fdr"];

/// For each minterm of the inputs and each output, whether the set has it.
type Set = [[bool; OUTPUTS]; MINTERMS];

/// A file: its type, a phase for each output, and for each row the characters of the inputs and outputs.
#[derive(Clone, Debug)]
struct File {
    kind: &'static str,
    phase: [bool; OUTPUTS],
    rows: Vec<(Vec<u8>, Vec<u8>)>,
}

impl File {
    fn text(&self) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let phase = text(&self.phase.map(|phase| if phase { b'1' } else { b'0' }));
        let phase = if phase.contains('0') { format!(".phase {phase}\n") } else { String::new() };
        let rows = self.rows.iter().map(|(inputs, outputs)| format!("{} {}\n", text(inputs), text(outputs)));
        let rows: String = rows.collect();
        format!(".mv 5 3 3 2\n.ilb a b c\n.ob f g\n.type {}\n{phase}{rows}.e\n", self.kind)
    }

    /// Makes R the minterms that are in neither F nor D: replaces each `0` by `~`, and adds a row for each minterm.
    fn with_rest(mut self) -> Self {
        let [on, dc] = [b'1', b'-'].map(|value| self.rows_with(value));
        self.rows
            .iter_mut()
            .flat_map(|row| &mut row.1)
            .filter(|value| **value == b'0')
            .for_each(|value| *value = b'~');
        for minterm in 0..MINTERMS {
            let value = |output| if on[minterm][output] || dc[minterm][output] { b'~' } else { b'0' };
            let binary = [0, 1, 2].map(|v| b'0' + (minterm >> v & 1) as u8);
            let multi = [0, 1, 2].map(|part| b'0' + u8::from(minterm / 8 == part));
            self.rows.push(([binary, multi].concat(), vec![value(0), value(1)]));
        }
        self
    }

    /// The minterms with this value in some row.
    fn rows_with(&self, value: u8) -> Set {
        let is_in = |minterm: usize, output: usize| {
            let has = |(inputs, outputs): &&(Vec<u8>, Vec<u8>)| {
                outputs[output] == value && row_has(inputs, minterm)
            };
            self.rows.iter().any(|row| has(&row))
        };
        set(is_in)
    }

    /// F, D and R, before the phases; `None` if the file contradicts itself or leaves minterms unspecified.
    fn sets(&self) -> Option<[Set; 3]> {
        let given = |letter, value| {
            if self.kind.contains(letter) { self.rows_with(value) } else { set(|_, _| false) }
        };
        let [f, d, r] = [given('f', b'1'), given('d', b'-'), given('r', b'0')];
        let rest = |a: Set, b: Set| set(|m, o| !a[m][o] && !b[m][o]);
        let sets = match self.kind {
            "r" | "dr" => [rest(d, r), d, r],
            "fr" => [f, rest(f, r), r],
            "fdr" => [f, d, r],
            _ => [f, d, rest(f, d)],
        };
        let [f, d, r] = sets;
        let is_right = |m: usize, o: usize| d[m][o] || f[m][o] != r[m][o];
        (0..MINTERMS).all(|m| (0..OUTPUTS).all(|o| is_right(m, o))).then_some(sets)
    }
}

fn set(is_in: impl Fn(usize, usize) -> bool) -> Set {
    std::array::from_fn(|minterm| std::array::from_fn(|output| is_in(minterm, output)))
}

/// Whether the input part of a row contains a minterm.
fn row_has(inputs: &[u8], minterm: usize) -> bool {
    let (mut rest, mut column) = (minterm, 0);
    INPUTS.iter().all(|&values| {
        let value = rest % values;
        rest /= values;
        column += if values == 2 { 1 } else { values };
        match values {
            2 => inputs[column - 1] == b'-' || usize::from(inputs[column - 1] - b'0') == value,
            _ => inputs[column - values + value] == b'1',
        }
    })
}

/// The minterms in the rows of a written PLA of type f, and its phases, if it has any.
fn written(text: &str) -> (Set, Option<[bool; OUTPUTS]>) {
    let phase = text.lines().find_map(|line| line.strip_prefix("#.phase "));
    let phase = phase.map(|phase| std::array::from_fn(|output| phase.as_bytes()[output] == b'1'));
    let rows = text.lines().filter(|line| !line.starts_with(['.', '#'])).map(|line| {
        let columns: Vec<u8> = line.bytes().filter(|c| !b" |".contains(c)).collect();
        let (inputs, outputs) = columns.split_at(columns.len() - OUTPUTS);
        (inputs.to_vec(), outputs.to_vec())
    });
    (File { kind: "f", phase: [true; OUTPUTS], rows: rows.collect() }.rows_with(b'1'), phase)
}

/// The number of cubes of a minimum cover of `on` without a minterm of `off`.
fn fewest(on: &Set, off: &Set) -> usize {
    // The primes: products of literals, as sets of their minterms, without a minterm of `off` and in no larger product.
    let all = |values: usize| {
        if values == 2 { vec![0b01, 0b10, 0b11] } else { (1..1 << values).collect::<Vec<u32>>() }
    };
    let mut cubes = vec![Vec::new()];
    for values in INPUTS.into_iter().chain([OUTPUTS]) {
        let longer = |cube: &Vec<u32>| {
            all(values).into_iter().map(|literal| [&cube[..], &[literal]].concat()).collect::<Vec<_>>()
        };
        cubes = cubes.iter().flat_map(longer).collect();
    }
    let bits = |is_in: &dyn Fn(usize, usize) -> bool| {
        (0..MINTERMS * OUTPUTS).fold(0_u64, |bits, i| bits | u64::from(is_in(i / OUTPUTS, i % OUTPUTS)) << i)
    };
    let has = |cube: &[u32], minterm: usize, output: usize| {
        let mut rest = minterm;
        cube[INPUTS.len()] >> output & 1 == 1
            && INPUTS.iter().zip(cube).all(|(&values, literal)| {
                let value = rest % values;
                rest /= values;
                literal >> value & 1 == 1
            })
    };
    let [on, off] = [on, off].map(|set| bits(&|m, o| set[m][o]));
    let mut cubes: Vec<u64> =
        cubes.iter().map(|cube| bits(&|m, o| has(cube, m, o))).filter(|cube| cube & off == 0).collect();
    let all = cubes.clone();
    cubes.retain(|cube| !all.iter().any(|other| other != cube && other & cube == *cube));
    (0..=64).find(|&most| is_coverable(on, &cubes, most)).unwrap()
}

/// Whether `most` of the cubes can cover the minterms `open`. Tries each cube with the minterm that is in the fewest cubes.
fn is_coverable(open: u64, cubes: &[u64], most: usize) -> bool {
    let with = |minterm: u32| cubes.iter().filter(move |&&cube| cube >> minterm & 1 == 1);
    let first =
        (0..64).filter(|minterm| open >> minterm & 1 == 1).min_by_key(|&minterm| with(minterm).count());
    first.is_none_or(|minterm| {
        most > 0 && with(minterm).any(|cube| is_coverable(open & !cube, cubes, most - 1))
    })
}

fn file() -> impl Strategy<Value = File> {
    let row =
        (0..125_usize, 1..8_u8, prop::array::uniform2(0..4_usize)).prop_map(|(binary, multi, outputs)| {
            let letter = |digit: usize| b"0101-"[digit % 5];
            let part = |bit: u8| b'0' + (multi >> bit & 1);
            let inputs = [letter(binary), letter(binary / 5), letter(binary / 25), part(0), part(1), part(2)];
            (inputs.to_vec(), outputs.map(|output| b"10-~"[output]).to_vec())
        });
    let phase = prop::array::uniform2(prop::bool::weighted(0.8));
    (prop::sample::select(&KINDS[..]), phase, prop::collection::vec(row, 0..20))
        .prop_map(|(kind, phase, rows)| File { kind, phase, rows })
        .prop_map(|file| if file.kind == "fdr" && file.rows.len() % 4 > 0 { file.with_rest() } else { file })
}

/// Options, and whether the result is a minimum.
const OPTIONS: [(&str, bool); 30] = [
    ("", false),
    ("--effort 1", false),
    ("--effort 4", false),
    ("--exact", true),
    ("-Dqm", true),
    ("-efast", false),
    ("-estrong", false),
    ("-eonset", false),
    ("-eness -enirr -enunwrap", false),
    ("--pos", false),
    ("-epos -Dexact", true),
    ("-Dso", false),
    ("-Dso -S1", false),
    ("-Dso_both", false),
    ("-Dopo", false),
    ("-Dopoall -S1", false),
    ("--budget 60", false),
    ("--exact --budget 500", false),
    ("--steps expand,essential,irredundant,reduce,gasp,supergasp,lns,exact,sparse", false),
    ("-Dexpand", false),
    ("-Dirred", false),
    ("-Dreduce", false),
    ("-Dgasp", false),
    ("-Dsuper_gasp", false),
    ("-Dmake_sparse", false),
    ("-Dsimplify", false),
    ("-Dprimes", false),
    ("-Dd1merge", false),
    ("-Dseparate", false),
    ("-Dminterms", false),
];

proptest! {
    /// A result covers F without D and misses R without D, or the other way round for complemented outputs. A file that
    /// contradicts itself is refused.
    #[test]
    fn results_agree_with_truth_tables(file in file(), options in prop::sample::select(&OPTIONS[..])) {
        let (options, is_minimum) = options;
        let (code, text, error) = run(&format!("{options} {{0}}"), &[&file.text()]);
        let Some([on, dc, off]) = file.sets() else {
            // Operations on F alone do not look at the other sets.
            prop_assert!(code != 0 || options.starts_with("-Dd") || options.starts_with("-Dmi") || options == "-Dsimplify");
            return Ok(());
        };
        prop_assert_eq!(code, 0, "{}", error);
        let (found, phase) = written(&text);
        let phase = phase.unwrap_or([true; OUTPUTS]);
        if !options.contains("-Dso_both") && !options.contains("opo") {
            let wanted = if options.contains("pos") { [false; OUTPUTS] } else { file.phase };
            prop_assert_eq!(phase, wanted);
        }
        for (m, o) in (0..MINTERMS).flat_map(|m| [(m, 0), (m, 1)]) {
            let wanted = if phase[o] { on[m][o] } else { off[m][o] };
            prop_assert!(dc[m][o] || found[m][o] == wanted, "minterm {} of output {}:\n{}", m, o, text);
        }
        if is_minimum {
            let is_free = |m: usize, o: usize| dc[m][o];
            let wanted = set(|m, o| !is_free(m, o) && if phase[o] { on[m][o] } else { off[m][o] });
            let unwanted = set(|m, o| !is_free(m, o) && !wanted[m][o]);
            let rows = text.lines().filter(|line| !line.starts_with(['.', '#'])).count();
            prop_assert_eq!(rows, fewest(&wanted, &unwanted));
        }
    }

    /// The verdict on two files of any types and phases is that of their truth tables, by position and by name.
    #[test]
    fn verdicts_agree_with_truth_tables(first in file(), kind in prop::sample::select(&KINDS[..]), phase in prop::array::uniform2(prop::bool::weighted(0.8)), drop in 0..12_usize) {
        // The second file has the rows of the first, some less one, and a type and phases of its own.
        let mut second = File { kind, phase, ..first.clone() };
        if drop < second.rows.len() {
            second.rows.remove(drop);
        }
        let complemented = |file: &File| {
            let sets = file.sets()?;
            Some(set(|m, o| sets[if file.phase[o] { 0 } else { 2 }][m][o]))
        };
        let texts = [first.text(), second.text()];
        let texts = texts.each_ref().map(String::as_str);
        let (code, _, error) = run("--do verify {0} {1}", &texts);
        // Only the ON-set of the second file counts, so a second file that contradicts itself may still get a verdict.
        let Some(other) = complemented(&second) else { return Ok(()) };
        let (Some(sets), Some(on)) = (first.sets(), complemented(&first)) else {
            prop_assert!(code != 0);
            return Ok(());
        };
        let is_right = on.iter().zip(&other).zip(&sets[1]).all(|((a, b), d)| (0..OUTPUTS).all(|o| d[o] || a[o] == b[o]));
        prop_assert_eq!(code, i32::from(!is_right), "{}", error);
        let (by_name, _, error) = run("--do PLAverify {0} {1}", &texts);
        prop_assert_eq!(by_name, code, "{}", error);
    }
}
