//! Each format preserves the function: the written text is read back, and the oracle compares the functions. This file has the
//! readers that the crate lacks.

use super::Format;
use crate::pla::Phase;
use crate::testing;
use crate::{Cover, Evaluator, Function, Monitor, Pla, PlaType, Rest, Space, check};
use proptest::prelude::*;
use std::collections::HashMap;

fn written(pla: &Pla, format: Format) -> String {
    let mut text = Vec::new();
    pla.write_format(&mut text, format, "model").unwrap();
    String::from_utf8(text).unwrap()
}

/// The cover with an added empty cube, if there is an input whose literal can be empty.
fn with_empty(mut cover: Cover) -> Cover {
    let space = cover.space().clone();
    let mut cube = space.full().to_vec();
    if space.inputs() > 0 {
        Space::clear(&space.variables()[0], &mut cube);
        cover.push(&cube);
    }
    cover
}

/// A PLA of binary inputs, with names that some formats must escape or change.
fn named() -> impl Strategy<Value = Pla> {
    let space = (0usize..6, 1usize..4).prop_map(|(inputs, outputs)| Space::binary(inputs, outputs).unwrap());
    (space.prop_flat_map(|space| testing::cover(space, 8)), any::<bool>()).prop_map(|(on, has_names)| {
        let on = with_empty(on);
        let names = ["a", "b<1>", "wire", "d.x", "2nd", "f[3]", "module", "y", "z-9"];
        let name = |i: usize| names[i].to_owned();
        let (inputs, outputs) = (on.space().inputs(), on.space().outputs());
        let labels = |range: std::ops::Range<usize>| Some(range.map(name).collect()).filter(|_| has_names);
        Pla {
            input_labels: labels(0..inputs).filter(|_| inputs > 0),
            output_labels: labels(6..6 + outputs),
            ..Pla::from_cover(on)
        }
    })
}

/// Whether `cover` has the minterms of the ON-set of `pla`, by the oracle.
fn is_same(pla: &Pla, cover: &Cover) -> bool {
    let [expected, found] = [&pla.on, cover].map(|on| {
        let empty = Cover::new(on.space());
        Function { on: on.clone(), dc: empty.clone(), off: empty, rest: Rest::Dc }
    });
    check::same_function(&expected, &found).is_ok()
}

/// The ON-set of equations, which may lack inputs of `pla` or have them in another order.
fn by_equations(pla: &Pla, text: &str) -> Cover {
    let inputs: Vec<String> = (0..pla.space().inputs()).map(|v| pla.input_name(v)).collect();
    Pla::parse_equations(&format!("INORDER = {};\n{text}", inputs.join(" "))).unwrap().on
}

/// The text of a module of Verilog as equations.
fn of_verilog(text: &str) -> String {
    let equations = text.lines().filter_map(|line| line.trim().strip_prefix("assign "));
    let equations: Vec<String> = equations.map(|line| line.replace('\\', "").replace("1'b", "")).collect();
    equations.join("\n")
}

/// The text of a model of BLIF as equations.
fn of_blif(text: &str) -> String {
    let mut equations = Vec::<(Vec<String>, Vec<String>)>::new();
    for line in text.lines() {
        if let Some(names) = line.strip_prefix(".names ") {
            equations.push((names.split(' ').map(str::to_owned).collect(), Vec::new()));
        } else if let Some((names, products)) = equations.last_mut().filter(|_| !line.starts_with('.')) {
            let values = line.strip_suffix('1').unwrap().trim();
            let literals = names.iter().zip(values.chars()).filter(|(_, value)| *value != '-');
            let literals =
                literals.map(|(name, value)| format!("{}{name}", if value == '0' { "!" } else { "" }));
            let product: Vec<String> = literals.chain(["1".to_owned()]).collect();
            products.push(product.join("&"));
        }
    }
    let equation = |(names, products): (Vec<String>, Vec<String>)| {
        let sum: Vec<String> = products.into_iter().chain(["0".to_owned()]).collect();
        format!("{} = {};", names.last().unwrap(), sum.join("|"))
    };
    equations.into_iter().map(equation).collect::<Vec<_>>().join("\n")
}

/// Each format inverts the rows of a complemented output, except that of state machines, which refuses such an output.
#[test]
fn complemented_outputs_are_inverted() {
    let rows = ".i 2\n.o 4\n.ilb a b\n.ob f g one zero\n11 1100\n0- 0100\n-- 0001\n";
    let phase = Phase { outputs: vec![false, true, false, false], is_applied: true };
    let pla = Pla { phase: Some(phase), ..Pla::parse(rows).unwrap() };
    let expected =
        Pla::parse_equations("f = !a | !b; g = a & b | !a; one = 1; zero = 0; INORDER = a b;").unwrap();
    let equations = Pla::parse_equations(&written(&pla, Format::Equations)).unwrap();
    let verilog = Pla::parse_equations(&of_verilog(&written(&pla, Format::Verilog))).unwrap();
    let blif = Pla::read_blif(written(&pla, Format::Blif).as_bytes(), Monitor::default()).unwrap();
    for read in [equations, verilog, blif] {
        assert!(is_same(&expected, &read.on), "{:?}", read.on);
    }
    assert!(written(&pla, Format::Json).contains("\"complemented\":[\"f\",\"one\",\"zero\"]"));
    assert!(pla.write_format(&mut Vec::new(), Format::Kiss, "model").is_err());
}

proptest! {
    #[test]
    fn equations_and_hardware_are_read_again(pla in named()) {
        let equations = written(&pla, Format::Equations);
        prop_assert!(is_same(&pla, &by_equations(&pla, &equations)), "{}", equations);
        let verilog = written(&pla, Format::Verilog);
        // Generated names differ there.
        let renamed = if pla.input_labels.is_none() {
            let (inputs, outputs) = (pla.space().inputs(), pla.space().outputs());
            let names = |before: &str, count: usize| Some((0..count).map(|i| format!("{before}{i}")).collect());
            Pla { input_labels: names("x", inputs), output_labels: names("y", outputs), ..pla.clone() }
        } else {
            pla.clone()
        };
        prop_assert!(is_same(&pla, &by_equations(&renamed, &of_verilog(&verilog))), "{}", verilog);
        let blif = written(&renamed, Format::Blif);
        prop_assert!(is_same(&pla, &by_equations(&renamed, &of_blif(&blif))), "{}", blif);
        let read = Pla::read_blif(blif.as_bytes(), Monitor::default()).unwrap();
        let names = |pla: &Pla| (pla.input_labels.clone().unwrap_or_default(), pla.output_labels.clone());
        prop_assert_eq!(names(&read), names(&renamed));
        prop_assert!(is_same(&pla, &read.on), "{}", blif);
    }

    /// Any sequence of words is read, or refused in one line.
    #[test]
    fn models_and_tables_of_any_words_end_in_one_line(words in proptest::collection::vec(proptest::sample::select(vec![
        ".model m", ".inputs", ".outputs", ".names", ".end", ".i 1", ".o 1", ".s 2", ".r a", ".e", ".i 3", ".o 99999999999",
        ".latch", "a", "b", "f", "g", "11 1", "0- 0", "1", "0", "-", "*", "0 a b 1", "- b * -", "\\", "#", "\n", "\n", "\n",
    ]), 0..40)) {
        let text = words.join(" ");
        let read = [Pla::read_blif(text.as_bytes(), Monitor::default()), Pla::read_kiss2(text.as_bytes(), PlaType::Fd, Monitor::default())];
        for error in read.into_iter().filter_map(Result::err) {
            prop_assert!(!error.to_string().contains('\n'), "{}", error);
        }
    }

    #[test]
    fn json_has_the_rows([on] in testing::covers([8])) {
        let pla = Pla { comments: vec!["# \"quoted\" \\ \u{1}".into()], ..Pla::from_cover(with_empty(on)) };
        let text = written(&pla, Format::Json);
        let comments = r##"{"comments":["# \"quoted\" \\ \u0001"],"##;
        prop_assert!(text.starts_with(comments), "{}", text);
        let space = pla.space();
        let mut rows = String::new();
        for line in text.lines().filter(|line| line.starts_with("{\"inputs\":\"")) {
            // The values of the fields, without their names, are the row.
            let values = line.split('"').filter(|value| !value.is_empty() && value.chars().all(|c| "01-".contains(c)));
            rows.extend(values);
            rows.push('\n');
        }
        let kept = pla.on.iter().filter(|cube| !space.is_empty(cube)).flatten().copied().collect();
        prop_assert_eq!(Cover::parse(space, &rows).unwrap(), Cover::from_words(space, kept));
    }

    /// Rows with names of parts are read again, with symbolic columns declared.
    #[test]
    fn rows_of_machines_are_read_again(on in testing::cover(Space::new(2, &[3, 4], 3).unwrap(), 8)) {
        let labels = vec![vec!["p".into(), "q".into(), "r".into()], vec!["w".into(), "x".into(), "y".into(), "z".into()]];
        let pla = Pla { part_labels: labels, ..Pla::from_cover(with_empty(on)) };
        let rows = written(&pla, Format::Kiss);
        let head = ".mv 5 2 -3 -4 3\n.label var=2 p q r\n.label var=3 w x y z\n";
        let back = Pla::parse(&format!("{head}{rows}.e\n")).unwrap();
        prop_assert!(is_same(&pla, &back.on), "{}", rows);
        prop_assert_eq!(back.part_labels, pla.part_labels);
    }

    #[test]
    fn truth_tables_are_read_again(tables in (0usize..7, 1usize..4).prop_flat_map(|(inputs, outputs)| {
        proptest::collection::vec(proptest::collection::vec(0usize..3, 1 << inputs), outputs)
    })) {
        let text: Vec<String> =
            tables.iter().map(|table| table.iter().map(|&value| ['0', '1', '-'][value]).collect()).collect();
        let pla = Pla::read_truth_tables(format!("\u{feff}{}", text.join("\n")).as_bytes()).unwrap();
        let inputs = pla.space().inputs();
        let [on, dc] = [&pla.on, &pla.dc].map(Evaluator::new);
        for minterm in 0..1 << inputs {
            let parts: Vec<usize> = (0..inputs).map(|v| minterm >> (inputs - 1 - v) & 1).collect();
            for (output, table) in tables.iter().enumerate() {
                let found = (on.at(&parts)[output], dc.at(&parts)[output]);
                prop_assert_eq!(found, (table[minterm] == 1, table[minterm] == 2));
            }
        }
    }

    /// The value of an expression agrees with an evaluation operator by operator.
    #[test]
    fn expressions_have_their_values(tree in tree()) {
        let text = format!("INORDER = a b c d;\nn = {tree};\nf = n;\ng = !n ^ a;");
        let pla = Pla::parse_equations(&text).unwrap();
        let evaluator = Evaluator::new(&pla.on);
        for minterm in 0..16usize {
            let parts: Vec<usize> = (0..4).map(|v| minterm >> v & 1).collect();
            let values: HashMap<char, bool> = "abcd".chars().zip(parts.iter().map(|&part| part == 1)).collect();
            let value = tree.value(&values);
            prop_assert_eq!(evaluator.at(&parts), [value, value, !value ^ values[&'a']], "{}", text);
        }
    }

    /// Any text is parsed, or gives an error of one line with a place.
    #[test]
    fn any_text_of_equations_is_read_or_refused(
        words in proptest::collection::vec(prop_oneof![
            Just("a"), Just("b"), Just("f"), Just("="), Just("="), Just(";"), Just("&"), Just("|"), Just("^"), Just("!"),
            Just("'"), Just("("), Just(")"), Just("0"), Just("1"), Just("\n"), Just("INORDER"), Just("OUTORDER"), Just("#"),
            Just("\u{e4}"), Just("m"), Just("M"), Just("d"), Just("\u{3a3}"), Just("\u{2019}"),
        ], 0..24),
    ) {
        if let Err(error) = Pla::parse_equations(&words.join(" ")) {
            prop_assert!(error.line().is_some() && error.column().is_some() && !error.to_string().contains('\n'));
        }
    }
}

/// The file's name is converted to a name that is valid in the format; reserved words are escaped.
#[test]
fn a_model_has_a_name_of_the_format() {
    let pla = Pla::parse(".i 1\n.o 1\n1 1\n").unwrap();
    for (name, format, expected) in [
        ("a b#", Format::Verilog, "module \\a_b#  (\n"),
        ("wait", Format::Verilog, "module \\wait  (\n"),
        ("a b#", Format::Blif, ".model a_b_\n"),
    ] {
        let mut text = Vec::new();
        pla.write_format(&mut text, format, name).unwrap();
        assert!(String::from_utf8(text).unwrap().starts_with(expected), "{format}");
    }
}

/// The limit on open parentheses is reached several times, then exceeded by one.
#[test]
fn parentheses_are_bounded_by_their_depth() {
    let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    assert!(Pla::parse_equations(&format!("f = {0} & {0};", nested(200))).is_ok());
    let error = Pla::parse_equations(&format!("f = {};", nested(201))).unwrap_err();
    assert_eq!((error.line(), error.column()), (Some(1), Some(205)));
}

/// A random expression.
#[derive(Clone, Debug)]
enum Tree {
    Name(char),
    Constant(bool),
    Not(Box<Tree>, bool),
    Binary(char, Box<Tree>, Box<Tree>),
}

impl Tree {
    fn value(&self, values: &HashMap<char, bool>) -> bool {
        match self {
            Tree::Name(name) => values[name],
            Tree::Constant(constant) => *constant,
            Tree::Not(inner, _) => !inner.value(values),
            Tree::Binary('&' | '*', a, b) => a.value(values) & b.value(values),
            Tree::Binary('^', a, b) => a.value(values) ^ b.value(values),
            Tree::Binary(_, a, b) => a.value(values) | b.value(values),
        }
    }
}

impl std::fmt::Display for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Tree::Name(name) => write!(f, "{name}"),
            Tree::Constant(constant) => write!(f, "{}", u8::from(*constant)),
            Tree::Not(inner, true) => write!(f, "!({inner})"),
            Tree::Not(inner, false) => write!(f, "({inner})'"),
            // Below, operands of `^` and `|` that bind tighter have no parentheses, so that the order of operators counts.
            Tree::Binary(operator @ ('&' | '*'), a, b) => write!(f, "({a}) {operator} ({b})"),
            Tree::Binary('^', a, b) => match (&**a, &**b) {
                (Tree::Binary('&' | '*', ..), _) => write!(f, "{a} ^ ({b})"),
                _ => write!(f, "({a}) ^ ({b})"),
            },
            Tree::Binary(operator, a, b) => write!(f, "{a} {operator} {b}"),
        }
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        5 => prop_oneof![Just('a'), Just('b'), Just('c'), Just('d')].prop_map(Tree::Name),
        1 => any::<bool>().prop_map(Tree::Constant),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        let operator = prop_oneof![Just('&'), Just('*'), Just('|'), Just('+'), Just('^')];
        prop_oneof![
            (inner.clone(), any::<bool>()).prop_map(|(inner, before)| Tree::Not(Box::new(inner), before)),
            (operator, inner.clone(), inner).prop_map(|(operator, a, b)| Tree::Binary(
                operator,
                Box::new(a),
                Box::new(b)
            )),
        ]
    })
}
