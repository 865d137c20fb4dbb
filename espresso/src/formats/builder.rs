//! Constructors of functions and covers: from rows, covers, values by minterm, truth tables and equations.

use crate::error::counted;
use crate::steps::compact::compact;
use crate::{Cover, Error, ErrorKind, Function, Pla, PlaType, Result, Space};
use std::fmt;
use std::str::FromStr;

/// Limit on the inputs of a function given by its values.
const MOST_INPUTS: usize = 24;

impl Cover {
    /// Returns the cover whose cubes are the lines of `rows`, written as in a PLA: `0`, `1` or `-` for each binary input, `0`
    /// or `1` for each part of a multi-valued input and for each output. Blanks and `|` are ignored.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] with line and column.
    ///
    /// # Example
    /// ```
    /// use espresso::{Cover, Space};
    /// let space = Space::binary(3, 2)?;
    /// let cover = Cover::parse(&space, "1-0 10\n--1 11")?;
    /// assert_eq!(cover.len(), 2);
    /// assert_eq!(Cover::parse(&space, "1-x 10").unwrap_err().column(), Some(3));
    /// # Ok::<(), espresso::Error>(())
    /// ```
    pub fn parse(space: &Space, rows: &str) -> Result<Cover> {
        let binary = space.binary_inputs();
        let columns = space.bits() - binary;
        let mut cover = Cover::new(space);
        for (number, line) in rows.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |before: usize, message: String| {
                Err(Error::new(ErrorKind::Syntax, message).at(number + 1, before + 1).with_line(line))
            };
            let mut cube = vec![0; space.words()];
            let mut column = 0;
            for (before, c) in line.chars().enumerate().filter(|(_, c)| !c.is_whitespace() && *c != '|') {
                if column == columns {
                    return wrong(before, format!("a row has {}", counted(columns, "column")));
                }
                match (c, column < binary) {
                    ('-', true) => (0..2).for_each(|part| space.set(&mut cube, column, part)),
                    ('0' | '1', true) => space.set(&mut cube, column, usize::from(c == '1')),
                    ('0', false) => {}
                    ('1', false) => cube[(column + binary) / 64] |= 1 << ((column + binary) % 64),
                    _ => {
                        let (found, column) = (c.escape_default(), column + 1);
                        return wrong(before, format!("`{found}` cannot stand in column {column} of a row"));
                    }
                }
                column += 1;
            }
            if column < columns {
                return wrong(line.chars().count(), format!("the row has {column} of {columns} columns"));
            }
            cover.push(&cube);
        }
        Ok(cover)
    }
}

/// As [`Cover::parse`], over binary inputs. The numbers of inputs and outputs are those of the first row, where a `|`, or else
/// the first blank, is between the two.
///
/// # Example
/// ```
/// use espresso::Cover;
/// let cover: Cover = "1-0 10\n--1 11".parse()?;
/// assert_eq!(cover.to_string(), "1-0 10\n--1 11\n");
/// # Ok::<(), espresso::Error>(())
/// ```
impl FromStr for Cover {
    type Err = Error;

    fn from_str(rows: &str) -> Result<Self> {
        let first = rows.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let sides = first.split_once('|').or_else(|| first.split_once(char::is_whitespace));
        let [inputs, outputs] = <[&str; 2]>::from(sides.unwrap_or((first, "")))
            .map(|side| side.chars().filter(|c| !c.is_whitespace()).count());
        Cover::parse(&Space::binary(inputs, outputs)?, rows)
    }
}

/// The cubes as rows of a PLA.
impl fmt::Display for Cover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cubes().try_for_each(|cube| writeln!(f, "{cube}"))
    }
}

impl Function {
    /// Returns the function that is one at the minterms of `on` and zero at all others.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] when the complement does not fit into memory.
    pub fn from_on(on: Cover) -> Result<Function> {
        Function::from_pla(&Pla::from_cover(on))
    }

    /// Returns the function that is one at the minterms of `on`, don't-care at those of `dc`, and zero elsewhere.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] for covers over different spaces; [`ErrorKind::Unsupported`] when the complement does not
    /// fit into memory.
    ///
    /// # Example
    /// ```
    /// use espresso::{Cover, Function, Space};
    /// let space = Space::binary(2, 1)?;
    /// let function = Function::from_on_dc(Cover::parse(&space, "11 1")?, Cover::parse(&space, "10 1")?)?;
    /// assert_eq!(function.off, Cover::parse(&space, "0- 1")?);
    /// # Ok::<(), espresso::Error>(())
    /// ```
    pub fn from_on_dc(on: Cover, dc: Cover) -> Result<Function> {
        Function::from_pla(&Pla { kind: PlaType::Fd, dc, ..Pla::from_cover(on) })
    }

    /// Returns the function that is one at the minterms of `on`, zero at those of `off`, and don't-care elsewhere.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] for covers over different spaces; [`ErrorKind::Inconsistent`] when they have a minterm in
    /// common.
    pub fn from_on_off(on: Cover, off: Cover) -> Result<Function> {
        Function::from_pla(&Pla { kind: PlaType::Fr, off, ..Pla::from_cover(on) })
    }

    /// Returns the function of binary inputs with the values `value(minterm, output)`: one, zero, or `None` for don't-care. Bit
    /// v of the number of a minterm is the value of input v.
    ///
    /// O(minterms · outputs) calls.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] for more than 24 inputs, or no output.
    ///
    /// # Example
    /// ```
    /// use espresso::Function;
    /// use espresso::minimize::{Options, minimize};
    /// // Which digits are prime? Six codes are no digits.
    /// let primes = Function::from_minterms(4, 1, |digit, _| (digit < 10).then_some([2, 3, 5, 7].contains(&digit)))?;
    /// let (cover, _) = minimize(&primes, &Options::default())?;
    /// assert_eq!(cover.len(), 2);
    /// # Ok::<(), espresso::Error>(())
    /// ```
    pub fn from_minterms(
        inputs: usize,
        outputs: usize,
        value: impl Fn(usize, usize) -> Option<bool>,
    ) -> Result<Function> {
        if inputs > MOST_INPUTS {
            let message =
                format!("a function of more than {MOST_INPUTS} inputs cannot be given by its values");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let space = Space::binary(inputs, outputs)?;
        let mut sets = [Cover::new(&space), Cover::new(&space), Cover::new(&space)];
        for minterm in 0..1usize << inputs {
            let mut cube = vec![0; space.words()];
            (0..inputs).for_each(|v| space.set(&mut cube, v, minterm >> v & 1));
            let mut cubes = [cube.clone(), cube.clone(), cube];
            for output in 0..outputs {
                let set = match value(minterm, output) {
                    Some(true) => 0,
                    None => 1,
                    Some(false) => 2,
                };
                space.set(&mut cubes[set], inputs, output);
            }
            for (set, cube) in sets.iter_mut().zip(&cubes) {
                if !space.is_empty(cube) {
                    set.push(cube);
                }
            }
        }
        sets.iter_mut().for_each(compact);
        let [on, dc, off] = sets;
        Function::new(on, dc, off)
    }

    /// Returns the function of truth tables, one line for each output: see [`Pla::read_truth_tables`].
    ///
    /// # Errors
    /// As [`Pla::read_truth_tables`].
    ///
    /// # Example
    /// ```
    /// let function = espresso::Function::from_truth_tables("0001")?;
    /// assert_eq!(function.on.cubes().next().unwrap().to_string(), "11 1");
    /// # Ok::<(), espresso::Error>(())
    /// ```
    pub fn from_truth_tables(text: &str) -> Result<Function> {
        Function::from_pla(&Pla::read_truth_tables(text.as_bytes())?)
    }

    /// Returns the function of Boolean equations: see [`Pla::parse_equations`].
    ///
    /// # Errors
    /// As [`Pla::parse_equations`].
    ///
    /// # Example
    /// ```
    /// let function = espresso::Function::from_equations("f = a & b | !a;")?;
    /// assert_eq!(function.off.cubes().next().unwrap().to_string(), "10 1");
    /// # Ok::<(), espresso::Error>(())
    /// ```
    pub fn from_equations(text: &str) -> Result<Function> {
        Function::from_pla(&Pla::parse_equations(text)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Evaluator, check};

    #[test]
    fn values_by_minterm_are_the_function() {
        let value = |minterm: usize, output: usize| match (minterm * 7 + output) % 5 {
            0 => None,
            rest => Some(rest % 2 == 0),
        };
        let function = Function::from_minterms(5, 2, value).unwrap();
        assert_eq!(check::consistent(&function), Ok(()));
        let tables =
            [&function.on, &function.dc, &function.off].map(|set| Evaluator::new(set).truth_tables());
        for minterm in 0..32 {
            for output in [0, 1] {
                let is_in = tables.each_ref().map(|outputs| outputs[output][0] >> minterm & 1 == 1);
                let value = value(minterm, output);
                assert_eq!(is_in, [value == Some(true), value.is_none(), value == Some(false)]);
            }
        }
        assert_eq!(Function::from_minterms(25, 1, |_, _| None).unwrap_err().kind(), ErrorKind::Unsupported);
    }

    /// In release builds too: a cube with bits of no variable would be counted and intersect nothing.
    #[test]
    fn cubes_and_parts_of_other_spaces_are_refused() {
        let panics = |work: &dyn Fn()| std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err();
        let space = Space::binary(2, 1).unwrap();
        let push = |cube: &[u64]| Cover::new(&space).push(cube);
        assert!(panics(&|| push(&[0b1_1111, 0])) && panics(&|| push(&[0b11_1111])));
        assert!(panics(&|| space.set(&mut [0], 1, 2)) && panics(&|| space.set(&mut [0], 2, 1)));
        let wider = Cover::new(&Space::binary(3, 1).unwrap());
        assert!(panics(&|| Cover::new(&space).extend(&wider)));
    }

    #[test]
    fn blanks_in_rows_are_no_columns() {
        for rows in ["1-0 1 0\n--1 11", "1-0  1\t0\n--1 11", "1 - 0 | 10\n--111", "1-0|10\n--1|1 1"] {
            assert_eq!(rows.parse::<Cover>().unwrap().to_string(), "1-0 10\n--1 11\n", "{rows}");
        }
    }

    /// The main public types can be sent to another thread and shared between threads.
    #[test]
    fn everything_is_send_and_sync() {
        fn check<T: Send + Sync>() {}
        check::<(Space, Cover, Function, Pla, Evaluator, Error)>();
        check::<(crate::minimize::Options<'static>, crate::minimize::Report, crate::Cube<'static>)>();
    }
}
