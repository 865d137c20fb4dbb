//! Read-only views of single cubes and literals.

use crate::cube::pla::row;
use crate::{Cover, Space};
use std::fmt;

/// A cube of a cover: a product of literals, with its outputs.
///
/// Displays as a row of a PLA.
///
/// # Example
/// ```
/// let cover = espresso::Pla::parse(".i 3\n.o 2\n1-0 01\n")?.on;
/// let cube = cover.cubes().next().unwrap();
/// let literals: Vec<_> = cube.literals().map(|literal| (literal.variable(), literal.polarity())).collect();
/// assert_eq!(literals, [(0, Some(true)), (2, Some(false))]);
/// assert_eq!(cube.outputs().collect::<Vec<_>>(), [1]);
/// assert_eq!(cube.to_string(), "1-0 01");
/// # Ok::<(), espresso::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Cube<'a> {
    space: &'a Space,
    words: &'a [u64],
}

impl<'a> Cube<'a> {
    /// The words of the cube, in positional notation.
    pub fn as_words(self) -> &'a [u64] {
        self.words
    }

    /// The literal of input `v`.
    ///
    /// # Panics
    /// When there is no such input.
    pub fn literal(self, v: usize) -> Literal<'a> {
        assert!(v < self.space.inputs(), "an input");
        Literal { cube: self, variable: v }
    }

    /// The literals of the inputs that the cube depends on, in order.
    pub fn literals(self) -> impl Iterator<Item = Literal<'a>> {
        (0..self.space.inputs()).map(move |v| self.literal(v)).filter(|literal| !literal.is_full())
    }

    /// The outputs of the cube, ascending.
    pub fn outputs(self) -> impl Iterator<Item = usize> {
        self.space.output().parts_in(self.words)
    }
}

impl fmt::Display for Cube<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Vec::new();
        row(self.space, self.words, *b"01", &mut line);
        f.write_str(&String::from_utf8_lossy(&line))
    }
}

/// The parts of an input that a cube allows.
#[derive(Clone, Copy, Debug)]
pub struct Literal<'a> {
    cube: Cube<'a>,
    variable: usize,
}

impl Literal<'_> {
    /// The number of the input.
    pub fn variable(self) -> usize {
        self.variable
    }

    /// The allowed parts, ascending; for a binary input, part 1 is the value 1.
    pub fn parts(self) -> impl Iterator<Item = usize> {
        self.cube.space.variables()[self.variable].parts_in(self.cube.words)
    }

    /// Whether all parts are allowed, so that the cube does not depend on the input.
    pub fn is_full(self) -> bool {
        Space::literal_is_full(&self.cube.space.variables()[self.variable], self.cube.words)
    }

    /// The required value of an input of two parts: `true` for 1. `None` if both or neither are allowed, or the input has more
    /// parts.
    pub fn polarity(self) -> Option<bool> {
        let is_two = self.cube.space.variables()[self.variable].parts == 2;
        let mut parts = self.parts();
        match (is_two, parts.next(), parts.next()) {
            (true, Some(part), None) => Some(part == 1),
            _ => None,
        }
    }
}

impl Cover {
    /// Cube number `i`, as a product of literals.
    ///
    /// # Panics
    /// When there is no such cube.
    pub fn view(&self, i: usize) -> Cube<'_> {
        Cube { space: self.space(), words: self.cube(i) }
    }

    /// The cubes in order, as products of literals.
    pub fn cubes(&self) -> impl ExactSizeIterator<Item = Cube<'_>> {
        self.iter().map(|words| Cube { space: self.space(), words })
    }
}
