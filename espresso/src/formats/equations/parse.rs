//! The parser of equations, into trees of operators.

use super::lex::{Located, Word, is_name, words};
use crate::Result;
use std::collections::{HashMap, HashSet};

/// Limit on open parentheses, since the parser is recursive.
const DEEPEST: usize = 200;

/// The words of textbooks before a list of numbers, without blanks: lists of minterms, maxterms and don't-cares.
const LISTS: [&[&str]; 3] = [
    &["m", "Σ", "Σm", "sum", "summ", "sumofminterms"],
    &["M", "Π", "ΠM", "PI", "PIM", "productofmaxterms"],
    &["d", "D", "Σd", "ΠD", "sumd", "PID"],
];

/// An expression over names, given by their numbers.
#[derive(Clone, Debug)]
pub(in crate::formats) enum Expression {
    Constant(bool),
    Name(usize),
    Not(Box<Expression>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Xor(Vec<Expression>),
    Minterms(Minterms),
}

/// A function of some inputs by the numbers of its minterms; the first input is the highest bit.
#[derive(Clone, Debug)]
pub(in crate::formats) struct Minterms {
    pub inputs: Vec<usize>,
    pub on: Vec<u64>,
    pub dc: Vec<u64>,
}

/// The content of a text.
pub(in crate::formats) struct Program {
    pub names: Vec<String>,
    /// Inputs and outputs by the numbers of their names, in order.
    pub inputs: Vec<usize>,
    pub outputs: Vec<usize>,
    /// Assigned names in order, with their expressions over inputs and names assigned before.
    pub assignments: Vec<(usize, Expression)>,
    pub comments: Vec<String>,
    /// Warnings about text that may not mean what its author intended.
    pub warnings: Vec<String>,
}

/// The role of a name so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Input,
    Assigned,
    /// An output that is not assigned yet.
    Ordered,
}

struct Parser<'a> {
    text: &'a str,
    words: Vec<Located>,
    at: usize,
    depth: usize,
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    roles: Vec<Role>,
    inputs: Vec<usize>,
    outputs: Option<Vec<usize>>,
    assignments: Vec<(usize, Expression)>,
    /// The inputs of `INORDER`, or those in parentheses after the name of an output, if all are single letters: then letters side
    /// by side are a product.
    letters: Vec<usize>,
    /// Whether the equation lists its inputs.
    has_inputs: bool,
    /// The words that were read as products.
    products: HashSet<String>,
    /// The name of the model, by `NAME`.
    model: Option<String>,
    warnings: Vec<String>,
}

/// Parses a text.
pub(super) fn parse(text: &str) -> Result<Program> {
    let (words, mut comments, inside) = words(text);
    let warning = |line| format!("line {line}: `#` begins a comment inside an equation: `|` or `+` is or");
    let mut parser = Parser {
        text,
        words,
        at: 0,
        depth: 0,
        names: Vec::new(),
        numbers: HashMap::new(),
        roles: Vec::new(),
        inputs: Vec::new(),
        outputs: None,
        assignments: Vec::new(),
        letters: Vec::new(),
        has_inputs: false,
        products: HashSet::new(),
        model: None,
        warnings: inside.into_iter().map(warning).collect(),
    };
    while parser.peek() != &Word::End {
        parser.statement()?;
    }
    comments.extend(parser.model.take().map(|name| format!("# NAME = {name}")));
    let mut warnings = std::mem::take(&mut parser.warnings);
    let is_foreign = |name: &&String| !name.is_ascii();
    warnings.extend(
        parser
            .names
            .iter()
            .filter(is_foreign)
            .map(|name| format!("the name `{name}` has letters beyond ASCII")),
    );
    let has_operator = |name: &&String| name.contains("->") || name.contains('?') || name.ends_with(':');
    warnings.extend(
        parser
            .names
            .iter()
            .filter(has_operator)
            .map(|name| format!("`{name}` is one name: its signs are no operators here")),
    );
    let inputs = || parser.inputs.iter().map(|&input| &parser.names[input][..]);
    let has_letters = !parser.letters.is_empty();
    for name in inputs().filter(|name| has_letters && name.chars().count() > 1) {
        warnings.push(format!("`{name}` is one variable: not all of its letters are in INORDER"));
    }
    if !has_letters && inputs().any(|name| name.len() > 1) && inputs().all(is_of_capitals) {
        let found = inputs().collect::<Vec<_>>().join(", ");
        warnings.push(format!(
            "variables found: {found}; letters side by side are one name, unless INORDER lists single letters"
        ));
    }
    let assigned = || parser.assignments.iter().map(|&(name, _)| name).collect();
    let outputs: Vec<usize> = parser.outputs.clone().unwrap_or_else(assigned);
    if let Some(&missing) = outputs.iter().find(|&&name| parser.roles[name] != Role::Assigned) {
        return Err(parser.error(&format!("the output `{}` is never assigned", parser.names[missing])));
    }
    if outputs.is_empty() {
        return Err(parser.error("there is no equation"));
    }
    let Parser { names, inputs, assignments, .. } = parser;
    Ok(Program { names, inputs, outputs, assignments, comments, warnings })
}

/// Whether a name is a few different capitals, as a product of letters would be.
fn is_of_capitals(name: &str) -> bool {
    let is_first = |(i, c): (usize, char)| c.is_ascii_uppercase() && name.find(c) == Some(i);
    name.len() <= 4 && name.char_indices().all(is_first)
}

impl Parser<'_> {
    fn peek(&self) -> &Word {
        &self.words[self.at].word
    }

    /// Moves to the next word, but never beyond the last one, which is the end.
    fn next(&mut self) {
        self.at = (self.at + 1).min(self.words.len() - 1);
    }

    /// Moves on if the next word is this one, and returns whether it is.
    fn take(&mut self, word: &Word) -> bool {
        let is_next = self.peek() == word;
        if is_next {
            self.next();
        }
        is_next
    }

    /// Returns an error at the next word.
    fn error(&self, message: &str) -> crate::Error {
        if let Word::Wrong(c) = self.words[self.at].word {
            let message = format!("`{}` has no meaning in an equation: {message}", c.escape_default());
            return self.words[self.at].error(self.text, message);
        }
        self.words[self.at].error(self.text, message.to_owned())
    }

    fn number(&mut self, name: String, role: Role) -> usize {
        if let Some(&number) = self.numbers.get(&name) {
            return number;
        }
        let number = self.names.len();
        self.numbers.insert(name.clone(), number);
        self.names.push(name);
        self.roles.push(role);
        if role == Role::Input {
            self.inputs.push(number);
        }
        number
    }

    fn statement(&mut self) -> Result<()> {
        if self.take(&Word::Semicolon) {
            return Ok(());
        }
        let start = self.at;
        let mut rest = self.words[start..].iter().map(|located| &located.word);
        let is_end = |word: &&Word| matches!(word, Word::Equals | Word::Semicolon | Word::End);
        if self.assignments.is_empty() && rest.find(is_end) != Some(&Word::Equals) {
            let expression = self.right_side("", None)?;
            let name = ('f'..='z').map(String::from).find(|name| !self.numbers.contains_key(name));
            return self.assign(&name.unwrap_or_else(|| "output".to_owned()), start, expression);
        }
        let Word::Name(name) = self.peek().clone() else {
            return Err(self.error("an equation begins with the name of its output"));
        };
        self.next();
        let inputs = if self.take(&Word::Open) { Some(self.inputs()?) } else { None };
        if !self.take(&Word::Equals) {
            return Err(self.error("`=` should stand here"));
        }
        if inputs.is_some() {
            let expression = self.right_side(&name, inputs)?;
            return self.assign(&name, start, expression);
        }
        if name == "INORDER" || name == "OUTORDER" {
            return self.order(name == "INORDER");
        }
        if let ("NAME", Word::Name(model)) = (name.as_str(), self.peek().clone())
            && self.words.get(self.at + 1).is_some_and(|next| next.word == Word::Semicolon)
        {
            self.model = Some(model);
            self.next();
            self.next();
            return Ok(());
        }
        let expression = self.right_side(&name, None)?;
        self.assign(&name, start, expression)
    }

    /// The right side of the equation of `output`, whose inputs may be listed: lists of minterms or maxterms, or an expression.
    fn right_side(&mut self, output: &str, inputs: Option<Vec<usize>>) -> Result<Expression> {
        if self.list_and_open(inputs.is_none()).is_some() {
            return self.lists(output, inputs);
        }
        self.has_inputs = inputs.is_some();
        if let Some(inputs) = inputs.filter(|inputs| self.are_letters(inputs)) {
            self.letters.extend(inputs);
        }
        let expression = self.or()?;
        self.has_inputs = false;
        self.end("an operator or `;` should stand here")?;
        Ok(expression)
    }

    fn are_letters(&self, names: &[usize]) -> bool {
        names.iter().all(|&number| self.names[number].chars().count() == 1)
    }

    /// Assigns the name at word `start`.
    fn assign(&mut self, name: &str, start: usize, expression: Expression) -> Result<()> {
        if self.products.contains(name) {
            self.at = start;
            return Err(self.error(&format!("`{name}` was used as a product of letters before")));
        }
        let number = self.number(name.to_owned(), Role::Ordered);
        match self.roles[number] {
            Role::Ordered => self.roles[number] = Role::Assigned,
            role => {
                self.at = start;
                let what = if role == Role::Assigned {
                    "assigned before"
                } else {
                    "used or ordered as an input before"
                };
                return Err(self.error(&format!("`{name}` was {what}")));
            }
        }
        self.assignments.push((number, expression));
        Ok(())
    }

    /// The inputs in parentheses after the name of an output.
    fn inputs(&mut self) -> Result<Vec<usize>> {
        let mut inputs = Vec::new();
        let first = self.at;
        for input in self.list()? {
            let number = self.number(input.clone(), Role::Input);
            if !is_name(&input) || self.roles[number] != Role::Input || inputs.contains(&number) {
                self.at = first;
                return Err(self.error(&format!("`{input}` cannot be an input here")));
            }
            inputs.push(number);
        }
        Ok(inputs)
    }

    /// The number in [`LISTS`] of the list that begins here, and the place of its `(`. A number or `)` follows. A declared name `is_input` before a list.
    fn list_and_open(&self, is_input: bool) -> Option<(usize, usize)> {
        let mut words = String::new();
        for at in self.at.. {
            match &self.words[at].word {
                Word::Name(name) if is_input && self.numbers.contains_key(name) => return None,
                Word::Name(name) => words.push_str(name),
                Word::Open => {
                    let is_list = match &self.words[at + 1].word {
                        Word::Name(numbers) => numbers.starts_with(|c: char| c.is_ascii_digit()),
                        word => matches!(word, Word::Constant(_) | Word::Close),
                    };
                    let list = LISTS.iter().position(|list| list.contains(&words.as_str()));
                    return list.filter(|_| is_list).map(|list| (list, at));
                }
                _ => break,
            }
        }
        None
    }

    /// Lists such as `m(0, 2, 5) + d(7);` or `M(1, 3) * D(7);`, which give the numbers of minterms or maxterms, and of
    /// don't-cares. The first input is the highest bit. If no inputs are known, there are as many as the largest number needs.
    fn lists(&mut self, output: &str, inputs: Option<Vec<usize>>) -> Result<Expression> {
        let inputs = inputs.or_else(|| Some(self.inputs.clone()).filter(|inputs| !inputs.is_empty()));
        let count = inputs.as_ref().map_or(64, Vec::len);
        let mut sets = [Vec::new(), Vec::new(), Vec::new()];
        let mut has_list = [false; 3];
        // The list before, and whether `+` stands behind it.
        let mut before: Option<(usize, bool)> = None;
        loop {
            let Some((set, open)) = self.list_and_open(false) else {
                return Err(self.error("`m(`, `M(` or `d(` and numbers should stand here"));
            };
            match before.filter(|&(other, _)| other == set) {
                Some((0, false)) => return Err(self.error("lists of minterms are joined by `+`")),
                Some((1, true)) => return Err(self.error("lists of maxterms are joined by `*`")),
                _ => {}
            }
            has_list[set] = true;
            self.at = open + 1;
            for text in self.list()? {
                let number = text.parse::<u64>().ok();
                let Some(number) = number.filter(|&number| count > 63 || number >> count == 0) else {
                    self.at = open + 1;
                    return Err(self.error(&format!("`{text}` is no minterm of {count} inputs")));
                };
                if (0..3).any(|other| other != set && sets[other].contains(&number)) {
                    self.at = open + 1;
                    return Err(self.error(&format!("`{text}` is in two different lists")));
                }
                sets[set].push(number);
            }
            let is_or = self.take(&Word::Or);
            if !is_or && !self.take(&Word::And) {
                break;
            }
            before = Some((set, is_or));
        }
        let inputs = match inputs {
            Some(inputs) => inputs,
            None => self.lettered(output, sets.iter().flatten().max().copied().unwrap_or(0))?,
        };
        self.end("`+` or `;` should stand here")?;
        let [on, off, dc] = sets;
        Ok(match has_list {
            [_, false, _] => Expression::Minterms(Minterms { inputs, on, dc }),
            [false, ..] => Expression::Not(Box::new(Expression::Minterms(Minterms { inputs, on: off, dc }))),
            _ => return Err(self.error("an equation lists minterms or maxterms, not both")),
        })
    }

    /// Inputs called A, B, C and so on: as many as the number of a minterm has bits.
    fn lettered(&mut self, output: &str, largest: u64) -> Result<Vec<usize>> {
        let bits = (largest.max(1).ilog2() + 1) as usize;
        let is_new = |name: &String| name != output && !self.numbers.contains_key(name);
        let mut letters: Vec<String> = ('A'..='Z').map(String::from).filter(is_new).collect();
        if bits > letters.len() {
            return Err(self.error("too many inputs without names: list them, as in `f(a, b, c) = m(1, 2)`"));
        }
        letters.truncate(bits);
        self.warnings.push(format!(
            "the inputs are not listed: {} are assumed, as many as the largest number needs",
            letters.join(", ")
        ));
        Ok(letters.into_iter().map(|name| self.number(name, Role::Input)).collect())
    }

    /// The names or numbers, with commas between them, up to a closing parenthesis.
    fn list(&mut self) -> Result<Vec<String>> {
        let open = self.at - 1;
        let mut list = String::new();
        while !self.take(&Word::Close) {
            match self.peek() {
                Word::Name(names) => list.push_str(names),
                Word::Constant(value) => list.push(if *value { '1' } else { '0' }),
                _ => return Err(self.unclosed(open, "a comma")),
            }
            list.push(' ');
            self.next();
        }
        Ok(list.split([',', ' ']).filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    /// The names of `INORDER` or `OUTORDER`.
    fn order(&mut self, of_inputs: bool) -> Result<()> {
        let mut named = Vec::new();
        while let Word::Name(name) = self.peek().clone() {
            let role = if of_inputs { Role::Input } else { Role::Ordered };
            let number = self.number(name.clone(), role);
            let is_wrong = named.contains(&number) || (self.roles[number] == Role::Input) != of_inputs;
            if is_wrong {
                return Err(
                    self.error(&format!("`{name}` cannot be ordered here: it was used or ordered before"))
                );
            }
            named.push(number);
            self.next();
        }
        self.end("a name or `;` should stand here")?;
        if of_inputs {
            self.letters = if self.are_letters(&named) { named.clone() } else { Vec::new() };
            let others =
                self.inputs.iter().filter(|number| !named.contains(number)).copied().collect::<Vec<_>>();
            self.inputs = [named, others].concat();
        } else {
            self.outputs = Some(named);
        }
        Ok(())
    }

    fn end(&mut self, otherwise: &str) -> Result<()> {
        if self.peek() == &Word::End || self.take(&Word::Semicolon) {
            return Ok(());
        }
        Err(self.error(if self.peek() == &Word::Close { "this `)` closes no `(`" } else { otherwise }))
    }

    /// Returns an error at the next word: the `(` at word `open` is not closed.
    fn unclosed(&self, open: usize, wanted: &str) -> crate::Error {
        let Located { line, before, .. } = self.words[open];
        let place = format!("line {}, column {}", line + 1, before + 1);
        self.error(&format!("{wanted} or `)` should stand here: the `(` in {place} is not closed"))
    }

    /// Parses operands of one operator; a single operand stands for itself.
    fn operands(
        &mut self,
        operator: &Word,
        operand: fn(&mut Self) -> Result<Expression>,
        join: fn(Vec<Expression>) -> Expression,
    ) -> Result<Expression> {
        let mut operands = vec![operand(self)?];
        while self.take(operator) {
            operands.push(operand(self)?);
        }
        Ok(if operands.len() == 1 { operands.remove(0) } else { join(operands) })
    }

    fn or(&mut self) -> Result<Expression> {
        self.operands(&Word::Or, Self::xor, Expression::Or)
    }

    fn xor(&mut self) -> Result<Expression> {
        self.operands(&Word::Xor, Self::and, Expression::Xor)
    }

    fn and(&mut self) -> Result<Expression> {
        let mut operands = vec![self.not()?];
        // With declared letters, operands side by side are a product too: `A'B`, `A(B + C)`.
        while self.take(&Word::And)
            || !self.letters.is_empty() && matches!(self.peek(), Word::Name(_) | Word::Open | Word::Not)
        {
            operands.push(self.not()?);
        }
        Ok(if operands.len() == 1 { operands.remove(0) } else { Expression::And(operands) })
    }

    fn not(&mut self) -> Result<Expression> {
        let mut is_complemented = false;
        while self.take(&Word::Not) {
            is_complemented = !is_complemented;
        }
        let mut factors = self.product();
        let mut operand = match factors.pop() {
            Some(last) => last,
            None => self.operand()?,
        };
        let not = |operand| Expression::Not(Box::new(operand));
        // A sign before a product of letters complements its first letter, and a sign after it its last letter.
        if let Some(first) = factors.first_mut().filter(|_| std::mem::take(&mut is_complemented)) {
            *first = not(first.clone());
        }
        while self.take(&Word::Complemented) {
            is_complemented = !is_complemented;
        }
        if is_complemented {
            operand = not(operand);
        }
        if factors.is_empty() {
            return Ok(operand);
        }
        factors.push(operand);
        Ok(Expression::And(factors))
    }

    /// Takes the next word if it is a new name made of the letters of `INORDER`. Returns the letters, or none for another word.
    fn product(&mut self) -> Vec<Expression> {
        let Word::Name(name) = self.peek() else { return Vec::new() };
        let letter =
            |c: char| self.numbers.get(&c.to_string()).filter(|number| self.letters.contains(number));
        let letters: Option<Vec<_>> =
            name.chars().map(|c| letter(c).copied().map(Expression::Name)).collect();
        let Some(letters) = letters.filter(|_| !self.numbers.contains_key(name)) else { return Vec::new() };
        self.products.insert(name.clone());
        self.next();
        letters
    }

    fn operand(&mut self) -> Result<Expression> {
        match self.peek().clone() {
            Word::Name(name) => {
                if self.has_inputs && !self.numbers.contains_key(&name) {
                    return Err(self.error(&format!("`{name}` is not among the inputs of this equation")));
                }
                let number = self.number(name.clone(), Role::Input);
                if self.roles[number] == Role::Ordered {
                    return Err(self.error(&format!("`{name}` is used before it is assigned")));
                }
                self.next();
                Ok(Expression::Name(number))
            }
            Word::Constant(value) => {
                self.next();
                Ok(Expression::Constant(value))
            }
            Word::Open => {
                if self.depth == DEEPEST {
                    return Err(self.error(&format!("more than {DEEPEST} parentheses are open")));
                }
                let open = self.at;
                self.next();
                self.depth += 1;
                let inner = self.or()?;
                self.depth -= 1;
                if !self.take(&Word::Close) {
                    return Err(self.unclosed(open, "an operator"));
                }
                Ok(inner)
            }
            _ => Err(self.error("a name, a constant, `!` or `(` should stand here")),
        }
    }
}
