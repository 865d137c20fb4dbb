//! The parser of equations, into trees of operators.

use super::lex::{Located, Word, is_name, words};
use crate::Result;
use std::collections::{HashMap, HashSet};

/// Limit on open parentheses, since the parser is recursive.
const DEEPEST: usize = 200;

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
    /// The inputs of `INORDER` if all are single letters: then letters side by side are a product.
    letters: Vec<usize>,
    /// The words that were read as products.
    products: HashSet<String>,
    /// The name of the model, by `NAME`.
    model: Option<String>,
    /// Whether the last equation has no semicolon.
    is_open: bool,
}

/// Parses a text.
pub(super) fn parse(text: &str) -> Result<Program> {
    let (words, mut comments, inside) = words(text);
    let warning = |line| format!("line {line}: `#` begins a comment inside an equation: `|` or `+` is or");
    let mut warnings: Vec<String> = inside.into_iter().map(warning).collect();
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
        products: HashSet::new(),
        model: None,
        is_open: false,
    };
    while parser.peek() != &Word::End {
        parser.statement()?;
    }
    comments.extend(parser.model.take().map(|name| format!("# NAME = {name}")));
    if parser.is_open && text.contains(';') {
        warnings.push("the last equation does not end with `;`".to_owned());
    }
    let is_foreign = |name: &&String| !name.is_ascii();
    warnings.extend(
        parser
            .names
            .iter()
            .filter(is_foreign)
            .map(|name| format!("the name `{name}` has letters beyond ASCII")),
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
        let Word::Name(name) = self.peek().clone() else {
            return Err(self.error("an equation begins with the name of its output"));
        };
        let start = self.at;
        self.next();
        if self.take(&Word::Open) {
            return self.minterms(&name, start);
        }
        if !self.take(&Word::Equals) {
            return Err(self.error("`=` should stand here"));
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
        let expression = self.or()?;
        self.end("an operator or `;` should stand here")?;
        self.assign(&name, start, expression)
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

    /// The rest of `f(a, b, c) = m(0, 2, 5) + d(7);`, which gives the numbers of the minterms of F and D. The first input is the
    /// highest bit.
    fn minterms(&mut self, name: &str, start: usize) -> Result<()> {
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
        if !self.take(&Word::Equals) {
            return Err(self.error("`=` should stand here"));
        }
        let mut sets = [Vec::new(), Vec::new()];
        loop {
            let set = ["m", "d"].iter().position(|&set| self.peek() == &Word::Name(set.to_owned()));
            let Some(set) = set else { return Err(self.error("`m(` or `d(` should stand here")) };
            self.next();
            if !self.take(&Word::Open) {
                return Err(self.error("`(` should stand here"));
            }
            let first = self.at;
            for text in self.list()? {
                let number = text.parse::<u64>().ok();
                let Some(number) = number.filter(|&number| inputs.len() > 63 || number >> inputs.len() == 0)
                else {
                    self.at = first;
                    return Err(self.error(&format!("`{text}` is no minterm of {} inputs", inputs.len())));
                };
                if sets[1 - set].contains(&number) {
                    self.at = first;
                    return Err(self.error(&format!("`{text}` is both in `m(` and in `d(`")));
                }
                sets[set].push(number);
            }
            if !self.take(&Word::Or) {
                break;
            }
        }
        self.end("`+` or `;` should stand here")?;
        let [on, dc] = sets;
        self.assign(name, start, Expression::Minterms(Minterms { inputs, on, dc }))
    }

    /// The names or numbers, with commas between them, up to a closing parenthesis.
    fn list(&mut self) -> Result<Vec<String>> {
        let mut list = String::new();
        while !self.take(&Word::Close) {
            match self.peek() {
                Word::Name(names) => list.push_str(names),
                Word::Constant(value) => list.push(if *value { '1' } else { '0' }),
                _ => return Err(self.error("a comma or `)` should stand here")),
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
            let is_letter = |&number: &usize| self.names[number].chars().count() == 1;
            self.letters = if named.iter().all(is_letter) { named.clone() } else { Vec::new() };
            let others =
                self.inputs.iter().filter(|number| !named.contains(number)).copied().collect::<Vec<_>>();
            self.inputs = [named, others].concat();
        } else {
            self.outputs = Some(named);
        }
        Ok(())
    }

    fn end(&mut self, otherwise: &str) -> Result<()> {
        self.is_open = self.peek() == &Word::End;
        if self.is_open || self.take(&Word::Semicolon) {
            return Ok(());
        }
        Err(self.error(otherwise))
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
                self.next();
                self.depth += 1;
                let inner = self.or()?;
                self.depth -= 1;
                if !self.take(&Word::Close) {
                    return Err(self.error("an operator or `)` should stand here"));
                }
                Ok(inner)
            }
            _ => Err(self.error("a name, a constant, `!` or `(` should stand here")),
        }
    }
}
