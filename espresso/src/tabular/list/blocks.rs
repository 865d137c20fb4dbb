//! All rows of the function, block by block: held in planes when they fit into memory, otherwise visited each time.

use super::Clause;
use super::planes::{Planes, Shape};
use crate::draw::draw;
use crate::scan::Level;
use crate::tabular::Rows;
use rayon::prelude::*;

/// Rows of a block.
const BLOCK: usize = 4096;
/// What a check hands out of one block at most: rows that no clause matches, and rows that a clause matches wrongly.
const MOST_UNCOVERED: usize = 24;
const MOST_WRONG: u32 = 2;

/// Rows of one slice, in order.
struct Block {
    /// The number of the first one.
    first: u64,
    planes: Planes,
    classes: Vec<u8>,
}

/// Rows taken out of the function: their numbers, and their parts one after the other.
#[derive(Debug, Default)]
pub(super) struct Extract {
    pub(super) numbers: Vec<u64>,
    pub(super) bytes: Vec<u8>,
}

impl Extract {
    fn take(&mut self, shape: &Shape, block: &Block, row: usize) {
        self.numbers.push(block.first + row as u64);
        block.planes.row(shape, row, &mut self.bytes);
    }

    fn append(&mut self, mut other: Extract) {
        self.numbers.append(&mut other.numbers);
        self.bytes.append(&mut other.bytes);
    }

    /// Leaves at most `most` rows, evenly spread.
    pub(super) fn thin(&mut self, shape: &Shape, most: usize) {
        let count = self.numbers.len();
        if count > most {
            let variables = shape.variables();
            let kept: Vec<usize> = (0..most).map(|i| i * count / most).collect();
            self.bytes =
                kept.iter().flat_map(|&row| &self.bytes[row * variables..][..variables]).copied().collect();
            self.numbers = kept.iter().map(|&row| self.numbers[row]).collect();
        }
    }
}

/// What a check finds wrong in one layer: ON rows that no clause matches, and OFF rows that one does.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) on: Extract,
    pub(super) off: Extract,
    /// How many there are, with those not extracted.
    pub(super) wrong: u64,
}

/// The rows of a function.
pub(super) struct Blocks<'a> {
    rows: &'a dyn Rows,
    pub(super) shape: Shape,
    /// The number of the first row of each slice.
    firsts: Vec<u64>,
    /// The number of rows of each class.
    pub(super) counts: Vec<u64>,
    held: Option<Vec<Block>>,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(rows: &'a dyn Rows, shape: Shape, memory: usize) -> Self {
        let slices: Vec<[u64; 256]> = (0..rows.slices())
            .into_par_iter()
            .map(|slice| {
                let mut counts = [0; 256];
                rows.visit(slice, &mut |row| counts[usize::from(row.class())] += 1);
                counts
            })
            .collect();
        let mut counts = vec![0; 256];
        let mut firsts = Vec::with_capacity(slices.len());
        let mut all = 0;
        for slice in &slices {
            firsts.push(all);
            all += slice.iter().sum::<u64>();
            counts.iter_mut().zip(slice).for_each(|(sum, count)| *sum += count);
        }
        let planes: u64 = 2 + shape.parts.iter().map(|&parts| u64::from(parts) - 1).sum::<u64>();
        let mut blocks = Blocks { rows, shape, firsts, counts, held: None };
        if (all + (rows.slices() * 64) as u64) * planes / 8 <= memory as u64 {
            blocks.held = Some(blocks.for_each_owned(|block| block));
        }
        blocks
    }

    /// Bytes of the rows that are held.
    pub(super) fn bytes(&self) -> usize {
        self.held.iter().flatten().map(|block| block.planes.bytes() + block.classes.len()).sum()
    }

    /// Applies `f` to each block, in parallel; returns the results in the order of the blocks.
    fn for_each<T: Send>(&self, f: impl Fn(&Block) -> T + Sync) -> Vec<T> {
        match &self.held {
            Some(blocks) => blocks.par_iter().map(&f).collect(),
            None => self.for_each_owned(|block| f(&block)),
        }
    }

    fn for_each_owned<T: Send>(&self, f: impl Fn(Block) -> T + Sync) -> Vec<T> {
        let slices: Vec<Vec<T>> = (0..self.rows.slices())
            .into_par_iter()
            .map(|slice| {
                let mut found = Vec::new();
                let variables = self.shape.variables();
                let (mut bytes, mut classes) = (vec![0; BLOCK * variables], Vec::with_capacity(BLOCK));
                let mut first = self.firsts[slice];
                let mut finish = |bytes: &[u8], classes: &mut Vec<u8>| {
                    let mut planes = Planes::default();
                    planes.extend(&self.shape, &bytes[..classes.len() * variables]);
                    let count = classes.len() as u64;
                    found.push(f(Block { first, planes, classes: std::mem::take(classes) }));
                    first += count;
                };
                self.rows.visit(slice, &mut |row| {
                    row.parts(&mut bytes[classes.len() * variables..][..variables]);
                    classes.push(row.class());
                    if classes.len() == BLOCK {
                        finish(&bytes, &mut classes);
                    }
                });
                if !classes.is_empty() {
                    finish(&bytes, &mut classes);
                }
                found
            })
            .collect();
        slices.into_iter().flatten().collect()
    }

    /// Returns for each class about `most` rows, drawn at random; all when there are no more.
    pub(super) fn draw(&self, seed: u64, most: u64) -> Vec<Extract> {
        let limits: Vec<u64> = self
            .counts
            .iter()
            .map(|&count| {
                if count <= most {
                    u64::MAX
                } else {
                    (u128::from(u64::MAX) * u128::from(most) / u128::from(count)) as u64
                }
            })
            .collect();
        let drawn = self.for_each(|block| {
            let mut drawn: Vec<Extract> = Vec::new();
            drawn.resize_with(256, Extract::default);
            for (row, &class) in block.classes.iter().enumerate() {
                let class = usize::from(class);
                if draw(seed, block.first + row as u64) <= limits[class] {
                    drawn[class].take(&self.shape, block, row);
                }
            }
            drawn
        });
        let mut all: Vec<Extract> = Vec::new();
        all.resize_with(256, Extract::default);
        for block in drawn {
            all.iter_mut().zip(block).for_each(|(all, block)| all.append(block));
        }
        all
    }

    /// Holds the clauses of each layer against all rows. `places` gives for each class its place in the order: layer
    /// number n is about the class of place n, against those after it.
    pub(super) fn check(&self, level: Level, layers: &[Vec<Clause>], places: &[usize]) -> Vec<Findings> {
        let found = self.for_each(|block| {
            layers
                .iter()
                .enumerate()
                .map(|(place, clauses)| self.check_block(level, block, clauses, (place, places)))
                .collect::<Vec<_>>()
        });
        let mut all: Vec<Findings> = Vec::new();
        all.resize_with(layers.len(), Findings::default);
        for block in found {
            for (all, block) in all.iter_mut().zip(block) {
                all.on.append(block.on);
                all.off.append(block.off);
                all.wrong += block.wrong;
            }
        }
        all
    }

    fn check_block(
        &self,
        level: Level,
        block: &Block,
        clauses: &[Clause],
        (place, places): (usize, &[usize]),
    ) -> Findings {
        let words = block.planes.words();
        let (mut on, mut off) = (vec![0_u64; words], vec![0_u64; words]);
        for (row, &class) in block.classes.iter().enumerate() {
            let at = places[usize::from(class)];
            on[row / 64] |= u64::from(at == place) << (row % 64);
            off[row / 64] |= u64::from(at > place) << (row % 64);
        }
        let (mut wrong, mut taken) = (vec![0_u64; words], vec![0_u64; words]);
        let mut active = Vec::with_capacity(words);
        for clause in clauses {
            if block.planes.select(level, &self.shape, &clause.literals, &mut active) == 0 {
                continue;
            }
            let mut left = MOST_WRONG;
            for word in 0..words {
                on[word] &= !active[word];
                let mut new = active[word] & off[word];
                wrong[word] |= new;
                new &= !taken[word];
                while new != 0 && left > 0 {
                    taken[word] |= new & new.wrapping_neg();
                    new &= new - 1;
                    left -= 1;
                }
            }
        }
        let wrong = on.iter().chain(&wrong).map(|rows| u64::from(rows.count_ones())).sum();
        let mut findings = Findings { wrong, ..Findings::default() };
        super::planes::for_each_bit(&taken, |row| findings.off.take(&self.shape, block, row));
        let mut left = MOST_UNCOVERED;
        super::planes::for_each_bit(&on, |row| {
            if left > 0 {
                findings.on.take(&self.shape, block, row);
                left -= 1;
            }
        });
        findings
    }
}
