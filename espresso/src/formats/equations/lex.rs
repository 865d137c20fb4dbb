//! The lexer of equations.

use crate::{Error, ErrorKind};

/// Characters that, like blanks, cannot be in a name.
const SPECIAL: &str = "!~'&*|+^()=;#";

/// Whether a character can be in a name. Signs beyond ASCII cannot: most are operators in other notations.
fn is_of_name(c: char) -> bool {
    !c.is_whitespace() && !SPECIAL.contains(c) && (c.is_ascii() || c.is_alphanumeric())
}

/// Whether the text can be a name: an input or an output.
pub(in crate::formats) fn is_name(text: &str) -> bool {
    let is_other = matches!(text, "" | "0" | "1" | "INORDER" | "OUTORDER") || operator(text).is_some();
    !is_other && text.chars().all(is_of_name) && !text.starts_with('/') && !text.contains("//")
}

/// The operator spelled as this word, if there is one.
fn operator(text: &str) -> Option<Word> {
    Some(match text {
        "not" | "NOT" => Word::Not,
        "and" | "AND" => Word::And,
        "xor" | "XOR" => Word::Xor,
        "or" | "OR" => Word::Or,
        _ => return None,
    })
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Name(String),
    Constant(bool),
    Not,
    /// The `'` after an operand.
    Complemented,
    And,
    Xor,
    Or,
    Open,
    Close,
    Equals,
    Semicolon,
    /// A character that cannot be here.
    Wrong(char),
    End,
}

/// A word and its start: the line, and the number of characters before it in that line.
#[derive(Clone, Debug)]
pub(super) struct Located {
    pub word: Word,
    pub line: usize,
    pub before: usize,
}

impl Located {
    /// Returns an error at this word of `text`.
    pub fn error(&self, text: &str, message: String) -> Error {
        let line = text.lines().nth(self.line).unwrap_or_default();
        Error::new(ErrorKind::Syntax, message).at(self.line + 1, self.before + 1).with_line(line)
    }
}

/// The words of a text, [`Word::End`] last, its comments, and the lines in which `#` begins a comment inside an equation.
pub(super) fn words(text: &str) -> (Vec<Located>, Vec<String>, Vec<usize>) {
    let (mut words, mut comments, mut inside) = (Vec::<Located>::new(), Vec::new(), Vec::new());
    let mut last = (0, 0);
    for (number, line) in text.lines().enumerate() {
        let mut chars = line.chars().enumerate().peekable();
        last = (number, line.chars().count());
        while let Some((before, c)) = chars.next() {
            let word = match c {
                c if c.is_whitespace() => continue,
                '#' => {
                    if words.last().is_some_and(|last| last.word != Word::Semicolon) {
                        inside.push(number + 1);
                    }
                    comments.push(line.chars().skip(before).collect::<String>().trim_end().to_owned());
                    break;
                }
                '/' if chars.peek().is_some_and(|&(_, next)| next == '/') => {
                    let text: String = line.chars().skip(before + 2).collect();
                    comments.push(format!("#{}", text.trim_end()));
                    break;
                }
                '!' | '~' | '¬' => Word::Not,
                '\'' | '’' | '′' => Word::Complemented,
                '&' | '|' => {
                    chars.next_if(|&(_, next)| next == c);
                    if c == '&' { Word::And } else { Word::Or }
                }
                '*' | '·' | '⋅' | '∧' => Word::And,
                '+' | '∨' => Word::Or,
                '^' | '⊕' => Word::Xor,
                // The signs of sums and products are read like the Greek letters.
                '∑' => Word::Name("Σ".to_owned()),
                '∏' => Word::Name("Π".to_owned()),
                '(' => Word::Open,
                ')' => Word::Close,
                '=' => Word::Equals,
                ';' => Word::Semicolon,
                wrong if wrong == '/' || !is_of_name(wrong) => Word::Wrong(wrong),
                first => {
                    let mut name = String::from(first);
                    while let Some((_, next)) = chars.next_if(|&(_, next)| is_of_name(next)) {
                        name.push(next);
                    }
                    match name.as_str() {
                        "0" => Word::Constant(false),
                        "1" => Word::Constant(true),
                        _ => operator(&name).unwrap_or(Word::Name(name)),
                    }
                }
            };
            words.push(Located { word, line: number, before });
        }
    }
    words.push(Located { word: Word::End, line: last.0, before: last.1 });
    (words, comments, inside)
}
