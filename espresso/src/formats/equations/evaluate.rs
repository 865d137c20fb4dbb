//! Multiplies expressions out into covers.

use super::parse::{Expression, Minterms, Program};
use crate::compact::compact_with;
use crate::cube::outputs::with_outputs;
use crate::{Cover, Monitor, Pla, PlaType, Result, Space, algebra};

/// The cover of an assigned name and, once needed, that of its complement.
struct Value {
    on: Cover,
    off: Option<Cover>,
}

struct Evaluator<'a> {
    /// The inputs, then a free input for each list of minterms with don't-cares: the value at these don't-cares. One output.
    space: Space,
    /// The first free input, and the next one.
    free: [usize; 2],
    /// For each name, the number of its input; `None` if it is not an input.
    inputs: Vec<Option<usize>>,
    values: Vec<Option<Value>>,
    monitor: Monitor<'a>,
}

/// The PLA of a program.
pub(in crate::formats) fn evaluate(program: &Program, monitor: Monitor<'_>) -> Result<Pla> {
    let names = program.names.len();
    let free = program.assignments.iter().filter(|(_, expression)| has_dc(expression)).count();
    let mut evaluator = Evaluator {
        space: Space::binary(program.inputs.len() + free, 1)?,
        free: [program.inputs.len(); 2],
        inputs: vec![None; names],
        values: (0..names).map(|_| None).collect(),
        monitor,
    };
    for (number, &name) in program.inputs.iter().enumerate() {
        evaluator.inputs[name] = Some(number);
    }
    for (name, expression) in &program.assignments {
        let on = evaluator.cover(expression, true)?;
        evaluator.values[*name] = Some(Value { on, off: None });
    }
    let space = Space::binary(program.inputs.len(), program.outputs.len())?;
    let (mut on, mut dc) = (Cover::new(&space), Cover::new(&space));
    for (output, &name) in program.outputs.iter().enumerate() {
        let Some(value) = &evaluator.values[name] else { continue };
        for (from, to) in evaluator.without_free(&value.on)?.iter().zip([&mut on, &mut dc]) {
            from.iter().for_each(|cube| to.push(&with_outputs(from.space(), &space, cube, &[output])));
        }
    }
    if program.outputs.len() > 1 {
        for cover in [&mut on, &mut dc] {
            algebra::merge_variables(cover, space.inputs()..space.inputs() + 1);
        }
    }
    let name = |&name: &usize| program.names[name].clone();
    Ok(Pla {
        input_labels: Some(program.inputs.iter().map(name).collect())
            .filter(|names: &Vec<_>| !names.is_empty()),
        output_labels: Some(program.outputs.iter().map(name).collect()),
        comments: program.comments.clone(),
        kind: if dc.is_empty() { PlaType::F } else { PlaType::Fd },
        dc,
        ..Pla::from_cover(on)
    })
}

/// Whether this is a list of minterms, or maxterms, with don't-cares.
fn has_dc(expression: &Expression) -> bool {
    match expression {
        Expression::Minterms(list) => !list.dc.is_empty(),
        Expression::Not(inner) => has_dc(inner),
        _ => false,
    }
}

impl Evaluator<'_> {
    /// A cover of the minterms at which the expression has this value.
    fn cover(&mut self, expression: &Expression, value: bool) -> Result<Cover> {
        match expression {
            Expression::Constant(constant) if *constant == value => Ok(Cover::universe(&self.space)),
            Expression::Constant(_) => Ok(Cover::new(&self.space)),
            Expression::Name(name) => self.name(*name, value),
            Expression::Not(inner) => self.cover(inner, !value),
            Expression::Minterms(list) => {
                let on = self.minterms(list)?;
                if value { Ok(on) } else { algebra::complement(&on, self.monitor) }
            }
            Expression::And(operands) | Expression::Or(operands) => {
                if matches!(expression, Expression::And(_)) == value {
                    self.product(operands, value)
                } else {
                    self.sum(operands, value)
                }
            }
            Expression::Xor(operands) => {
                // The minterms at which an even number, and an odd number, of the operands so far are one.
                let (mut even, mut odd) = (Cover::universe(&self.space), Cover::new(&self.space));
                for operand in operands {
                    let (off, on) = (self.cover(operand, false)?, self.cover(operand, true)?);
                    let next = self.either(&even, &on, &odd, &off)?;
                    even = self.either(&even, &off, &odd, &on)?;
                    odd = next;
                }
                Ok(if value { odd } else { even })
            }
        }
    }

    /// The minterms of a list: those of F, and those of D where the next free input is one.
    fn minterms(&mut self, list: &Minterms) -> Result<Cover> {
        let space = &self.space;
        let mut cover = Cover::new(space);
        let free = (!list.dc.is_empty()).then_some(self.free[1]);
        for (numbers, free) in [(&list.on, None), (&list.dc, free)] {
            for &number in numbers {
                let mut cube = space.full().to_vec();
                let mut choose = |input: usize, value| {
                    Space::clear(&space.variables()[input], &mut cube);
                    space.set(&mut cube, input, value);
                };
                for (bit, &name) in list.inputs.iter().rev().enumerate() {
                    let value = number.checked_shr(bit as u32).unwrap_or(0) & 1;
                    self.inputs[name].into_iter().for_each(|input| choose(input, value as usize));
                }
                free.into_iter().for_each(|input| choose(input, 1));
                cover.push(&cube);
            }
        }
        self.free[1] += free.iter().len();
        algebra::contain(&cover, self.monitor)
    }

    /// F and D of a cover, without the free inputs. F has the minterms that are in the cover for all values of the free inputs,
    /// D the minterms that are in it for some values only.
    fn without_free(&self, cover: &Cover) -> Result<[Cover; 2]> {
        let (mut all, mut some) = (cover.clone(), cover.clone());
        for input in (self.free[0]..self.space.binary_inputs()).rev() {
            all = algebra::free_variable(&all, input, self.monitor)?[0].clone();
            let [always, sometimes] = algebra::free_variable(&some, input, self.monitor)?;
            some = always.with(&sometimes);
        }
        let dc =
            if some == all { Cover::new(all.space()) } else { algebra::sharp(&some, &all, self.monitor)? };
        Ok([all, dc])
    }

    fn name(&mut self, name: usize, value: bool) -> Result<Cover> {
        if let Some(input) = self.inputs[name] {
            let mut cube = self.space.full().to_vec();
            Space::clear(&self.space.variables()[input], &mut cube);
            self.space.set(&mut cube, input, usize::from(value));
            return Ok(Cover::from_words(&self.space, cube));
        }
        let monitor = self.monitor;
        let Some(known) = self.values[name].as_mut() else { return Ok(Cover::new(&self.space)) };
        if !value && known.off.is_none() {
            known.off = Some(algebra::complement(&known.on, monitor)?);
        }
        Ok(if value { known.on.clone() } else { known.off.clone().unwrap_or_else(|| known.on.clone()) })
    }

    fn product(&mut self, operands: &[Expression], value: bool) -> Result<Cover> {
        let mut product = Cover::universe(&self.space);
        for operand in operands {
            let cover = self.cover(operand, value)?;
            product = algebra::intersect(&product, &cover, self.monitor)?;
        }
        Ok(product)
    }

    fn sum(&mut self, operands: &[Expression], value: bool) -> Result<Cover> {
        let mut sum = Cover::new(&self.space);
        for operand in operands {
            sum.extend(&self.cover(operand, value)?);
        }
        algebra::contain(&sum, self.monitor)
    }

    /// The union of two intersections: `a` with `b`, and `c` with `d`.
    fn either(&self, a: &Cover, b: &Cover, c: &Cover, d: &Cover) -> Result<Cover> {
        let mut either = algebra::intersect(a, b, self.monitor)?;
        either.extend(&algebra::intersect(c, d, self.monitor)?);
        compact_with(&mut either, self.monitor)?;
        algebra::contain(&either, self.monitor)
    }
}
