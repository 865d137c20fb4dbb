//! Boolean equations as text.
//!
//! ```text
//! NAME = model;             kept as a comment
//! INORDER = a b c;          the order of the inputs; the default is that of their first use
//! OUTORDER = f;             the outputs; the default is all assigned names, in order
//! n = a & !b | c;           ! and ~ before, ' after: not; & and *: and; ^: exclusive or; | and +: or
//! f = (n ^ 1) * c';         constants; an assigned name stands for its value
//! g = a and not b xor c;    the operators as words
//! h(a, b, c) = m(0, 2, 5) + d(7);    the numbers of minterms of F and D; the first input is the highest bit
//! i(a, b, c) = M(1, 3) * D(7);       the numbers of maxterms and of don't-cares
//! j(A, B, C) = AB' + C;              letters as after INORDER
//! ```
//!
//! The last equation needs no `;`. An expression alone is the output `f`, or another letter if `f` is an input. Lists may have the
//! signs of textbooks: `Σm(0, 2) + Σd(7)`, `ΠM(1, 3)`. If the inputs of the first list are not named, they are A, B, C and so on, as
//! many as its largest number needs; later lists have the inputs so far. The signs ¬ ′ · ∧ ∨ ⊕ are operators too.
//!
//! Operators from the tightest: not, and, exclusive or, or. `#` and `//` begin a comment. A name consists of ASCII characters
//! except blanks and ``!~'&*|+^()=;#``, and of letters and digits beyond ASCII. It is not `0`, `1` or an operator, and does
//! not begin with `/`. A name that is never assigned is an input.

mod evaluate;
mod lex;
mod parse;

pub(super) use evaluate::evaluate;
pub(super) use lex::is_name;
pub(super) use parse::{Expression, Program};

use super::text_of;
use crate::{Monitor, Notes, Pla, Result};
use std::io::Read;

impl Pla {
    /// Reads Boolean equations: see [`Pla::parse_equations`]. Reports progress to `monitor`. Also returns warnings.
    ///
    /// # Errors
    /// As [`Pla::parse_equations`]; [`ErrorKind::Io`](crate::ErrorKind::Io) when `reader` fails or the text is not in UTF-8;
    /// [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled) when the callback breaks.
    pub fn read_equations(reader: impl Read, monitor: Monitor<'_>) -> Result<(Pla, Notes)> {
        let mut program = parse::parse(&text_of(reader)?)?;
        let warnings = std::mem::take(&mut program.warnings);
        Ok((evaluate(&program, monitor)?, Notes { warnings, ..Notes::default() }))
    }

    /// Returns the PLA of Boolean equations: `f = a & !b | c;`. It is of type f; with don't-cares, as in
    /// `f(a, b, c) = m(0, 2, 5) + d(7);`, of type fd.
    ///
    /// Operators, from the tightest: `!`, `~` or `not` before an operand and `'` after it, `&`, `*` or `and`, `^` or `xor`, `|`,
    /// `+` or `or`, with parentheses and the constants `0` and `1`. `INORDER = a b;` and `OUTORDER = f g;` give the order of
    /// inputs and outputs. If `INORDER`, or the list in `f(A, B, C) = …`, has single letters, operands side by side are a product:
    /// `AB' + C(A + B)`. Maxterms are `f(a, b, c) = M(1, 3) * D(7);`. An expression alone is the output `f`. In later equations an
    /// assigned name stands for its value, don't-cares included.
    ///
    /// The expressions are multiplied out, which is exponential in the worst case.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`](crate::ErrorKind::Syntax) with line and column;
    /// [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) when the products do not fit into memory.
    ///
    /// # Example
    /// ```
    /// use espresso::Pla;
    /// let pla = Pla::parse_equations("sum = a ^ b; carry = a & b;")?;
    /// let rows: Vec<String> = pla.on.cubes().map(|cube| cube.to_string()).collect();
    /// assert_eq!(rows, ["10 10", "01 10", "11 01"]);
    /// let error = Pla::parse_equations("f = a & ;").unwrap_err();
    /// assert_eq!((error.line(), error.column()), (Some(1), Some(9)));
    /// # Ok::<(), espresso::Error>(())
    /// ```
    pub fn parse_equations(text: &str) -> Result<Pla> {
        Self::read_equations(text.as_bytes(), Monitor::default()).map(|(pla, _)| pla)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, PlaType};

    fn read(text: &str) -> (Pla, Vec<String>) {
        let (pla, notes) = Pla::read_equations(text.as_bytes(), Monitor::default()).unwrap();
        (pla, notes.warnings)
    }

    #[test]
    fn words_are_operators_too() {
        let [words, signs] = ["f = a and not b or (c XOR a);", "f = a & !b | (c ^ a);"].map(read);
        assert_eq!(words, signs);
    }

    /// The first input is the highest bit, in lists with and without blanks.
    #[test]
    fn minterms_are_numbered() {
        let (pla, warnings) = read("f(a, b,c) = m(0,1, 6) + d( 3 ); g = f & a;");
        let rows = |cover: &crate::Cover| cover.cubes().map(|cube| cube.to_string()).collect::<Vec<_>>();
        assert_eq!((pla.kind, rows(&pla.dc)), (PlaType::Fd, vec!["011 10".to_owned()]));
        assert_eq!(rows(&pla.on), ["000 10", "001 10", "110 11"]);
        assert!(warnings.is_empty());
        let names: Vec<String> = (0..65).map(|i| format!("x{i}")).collect();
        let (wide, _) = read(&format!("f({}) = m(1);", names.join(",")));
        assert_eq!(rows(&wide.on), [format!("{}1 1", "0".repeat(64))]);
        let wrong =
            [("f(a,b) = m(4);", 12), ("f(a,a) = m(1);", 3), ("f(a) = n(1);", 8), ("f(a,or) = m(1);", 3)];
        for (text, column) in wrong {
            let error = Pla::parse_equations(text).unwrap_err();
            assert_eq!((error.kind(), error.column()), (ErrorKind::Syntax, Some(column)), "{text}");
        }
    }

    #[test]
    fn notations_of_textbooks_are_read() {
        let on = "f(A, B, C) = m(0, 1, 5) + d(2, 3);";
        for text in [
            "f(A,B,C) = Σm(0,1,5) + d(2,3)",
            "f(A, B, C) = ∑ m (0, 1, 5) + ∑ d (2, 3)",
            "f(A,B,C) = Σ(0,1,5) + Σd(2,3);",
            "f(A,B,C) = ∏M(4, 6, 7) · D(2, 3)",
            "f(A,B,C) = PI M(4,6,7) + d(2,3)",
            "f(A,B,C) = Π(4,6,7) * d(2,3)",
            "f(A,B,C) = sum of minterms(0, 1, 5) + d(2, 3)",
            "INORDER = A B C; f = m(0, 1, 5) + d(2, 3)",
        ] {
            let ((pla, warnings), (expected, _)) = (read(text), read(on));
            let sets =
                |pla: &Pla| [&pla.on, &pla.dc].map(|cover| crate::Evaluator::new(cover).truth_tables());
            assert_eq!(
                (sets(&pla), &pla.input_labels, &pla.output_labels),
                (sets(&expected), &expected.input_labels, &expected.output_labels),
                "{text}"
            );
            assert_eq!(warnings, Vec::<String>::new());
        }
        // Inputs without names, also if a letter is taken.
        let (pla, warnings) = read("C = Σm(0,1,5) + d(2,3)");
        assert_eq!(pla.input_labels, Some(["A", "B", "D"].map(str::to_owned).to_vec()));
        assert_eq!(
            warnings,
            ["the inputs are not listed: A, B, D are assumed, as many as the largest number needs"]
        );
        assert_eq!(read("a·b’ ∨ ¬c ⊕ a ∧ b′").0.on, read("f = a & b' | !c ^ a & b';").0.on);
        // An expression alone, and one with its inputs.
        assert_eq!(read("a & !b | c").0, read("f = a & !b | c;").0);
        assert_eq!(read("(f + g)'").0, read("h = (f + g)';").0);
        assert_eq!(read("F(C, B, A) = AB' + C"), read("INORDER = C B A; F = AB' + C;"));
        // Without maxterms a function is 1, apart from its don't-cares.
        let ones = |text: &str| crate::Evaluator::new(&read(text).0.on).truth_tables()[0][0] & 15;
        assert_eq!(["f(a, b) = M();", "f(a, b) = M() * D(3);", "f(a, b) = m();"].map(ones), [15, 7, 0]);
        assert_eq!(read("f(a, b) = M(0) * M(1);").0, read("f(a, b) = M(0, 1);").0);
        // A letter is no list.
        assert_eq!(read("INORDER = m n; f = m(1)").0, read("INORDER = m n; f = m;").0);
    }

    #[test]
    fn errors_name_what_is_wrong_and_where() {
        for (text, column, message) in [
            (
                "f = (a & (b | c);",
                17,
                "an operator or `)` should stand here: the `(` in line 1, column 5 is not closed",
            ),
            ("f = (a & b)) | c;", 12, "this `)` closes no `(`"),
            (
                "f(a, b = m(0);",
                8,
                "a comma or `)` should stand here: the `(` in line 1, column 2 is not closed",
            ),
            ("f(a, b) = m(0) + M(1);", 23, "an equation lists minterms or maxterms, not both"),
            ("f(a, b) = m(0) * m(1);", 18, "lists of minterms are joined by `+`"),
            ("f(a, b) = M(0) + M(1);", 18, "lists of maxterms are joined by `*`"),
            ("f(A, B) = AC;", 11, "`AC` is not among the inputs of this equation"),
            ("f(a, b) = m(0, 1) + d(1);", 23, "`1` is in two different lists"),
            ("f = a; b & c;", 10, "`=` should stand here"),
        ] {
            let error = Pla::parse_equations(text).unwrap_err();
            assert_eq!(error.column(), Some(column), "{text}: {error}");
            assert!(error.to_string().contains(message), "{text}: {error}");
        }
    }

    /// A don't-care of a list is one of a later equation too, if the value of that equation depends on it.
    #[test]
    fn dont_cares_go_into_later_equations() {
        let text = "f(a, b) = m(3) + d(1); g(a, b) = m(0) + d(1); h = f & a; i = !f; j = f ^ f ^ b; k = f | g; l = f & !g;";
        let (pla, _) = read(text);
        let values = |cover: &crate::Cover| crate::Evaluator::new(cover).truth_tables();
        let (on, dc) = (values(&pla.on), values(&pla.dc));
        // Bit 0 of the number of a minterm is the first input here: the don't-care a' b is bit 2.
        let all = |sets: &[Vec<u64>]| sets.iter().map(|set| set[0] & 15).collect::<Vec<_>>();
        assert_eq!(all(&on), [0b1000, 0b0001, 0b1000, 0b0011, 0b1100, 0b1001, 0b1000]);
        assert_eq!(all(&dc), [0b0100, 0b0100, 0, 0b0100, 0, 0b0100, 0b0100]);
        assert!(Pla::parse_equations("f(a) = m(0) + d(0);").is_err());
    }

    /// Sixteen inputs, half of the minterms.
    #[test]
    fn long_lists_of_minterms_are_soon_read() {
        let names: Vec<String> = (0..16).map(|i| format!("x{i}")).collect();
        let odd: Vec<String> = (0..1 << 15).map(|m| (2 * m + 1).to_string()).collect();
        let (pla, _) = read(&format!("f({}) = m({});", names.join(","), odd.join(",")));
        assert_eq!(pla.on.len(), 1 << 15);
        let text = format!("INORDER = A B C; f = {};", vec!["AB'C"; 1 << 15].join(" + "));
        assert_eq!(read(&text).0.on.len(), 1);
    }

    #[test]
    fn letters_side_by_side_are_a_product_if_letters_are_declared() {
        let declared = "INORDER = A B C;";
        let (letters, warnings) = read(&format!("{declared} f = AB' + !C;"));
        assert_eq!((letters, warnings), (read(&format!("{declared} f = A & B' + !C;")).0, Vec::new()));
        let [beside, products] = ["f = A'B + A(B + C) !C;", "f = A' & B | A & (B | C) & !C;"]
            .map(|text| read(&format!("{declared} {text}")));
        assert_eq!(beside, products);
        let (_, warnings) = read(&format!("{declared} f = AB + AD;"));
        assert_eq!(warnings, ["`AD` is one variable: not all of its letters are in INORDER"]);
        let error = Pla::parse_equations(&format!("{declared} f = AB; AB = C;")).unwrap_err();
        assert!(error.to_string().contains("was used as a product of letters before"), "{error}");
        let (names, warnings) = read("f = AB + C;");
        assert_eq!(names.input_labels, Some(vec!["AB".to_owned(), "C".to_owned()]));
        assert!(warnings[0].starts_with("variables found: AB, C; letters side by side"));
        assert_eq!(read("f = CLOCK + enable<0>;").1, Vec::<String>::new());
        for text in ["f = a->b;", "f = s?a:b;", "f:=a;"] {
            assert!(read(text).1[0].ends_with("its signs are no operators here"), "{text}");
        }
    }
}
