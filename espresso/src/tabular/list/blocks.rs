//! All rows of the function, block by block: held in planes when they fit into memory, otherwise visited each time.
//!
//! Rows that are not held may cost much to show, so that only what is looked at is asked of them: the variables that the
//! clauses test, and all variables of the rows that are handed out. Checks go by shares, every so-many-th slice, so that
//! what is found in the first need not be looked for in all.

use super::planes::{Planes, Shape};
use super::{Clause, Literal};
use crate::cpu::Level;
use crate::random::draw;
use crate::tabular::{Row, Rows};
use rayon::prelude::*;

/// Rows of a block.
const BLOCK: usize = 4096;
/// What a check hands out of one block at most: rows that no clause matches, and rows that a clause matches wrongly.
const MOST_UNCOVERED: usize = 24;
const MOST_WRONG: u32 = 2;
/// Rows of a share of the function, about.
const SHARE: u64 = 1 << 23;

/// Rows of one slice, in order.
struct Block {
    slice: usize,
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
    fn push(&mut self, shape: &Shape, number: u64, row: &dyn Row) {
        self.numbers.push(number);
        let first = self.bytes.len();
        self.bytes.resize(first + shape.variables(), 0);
        row.parts(&mut self.bytes[first..]);
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

/// The same in one block, rows by their number in it.
struct Faults {
    on: Vec<usize>,
    off: Vec<usize>,
    wrong: u64,
}

/// Clauses to be held against rows: those of each layer, and the place in the order of each class. Layer number n is
/// about the class of place n, against those after it.
struct Question<'a> {
    level: Level,
    layers: &'a [Vec<Clause>],
    places: &'a [usize],
}

/// The rows of a function.
pub(super) struct Blocks<'a> {
    rows: &'a dyn Rows,
    pub(super) shape: Shape,
    /// The number of the first row of each slice.
    firsts: Vec<u64>,
    /// The number of rows of each class.
    pub(super) counts: Vec<u64>,
    /// Rows of a share, about.
    pub(super) share: u64,
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
        let mut blocks = Blocks { rows, shape, firsts, counts, share: SHARE, held: None };
        if (all + (rows.slices() * 64) as u64) * planes / 8 <= memory as u64 {
            blocks.held = Some(blocks.for_each_owned(|block| block));
        }
        blocks
    }

    /// Bytes of the rows that are held.
    pub(super) fn bytes(&self) -> usize {
        self.held.iter().flatten().map(|block| block.planes.bytes() + block.classes.len()).sum()
    }

    /// Applies `f` to the blocks of all rows, shown whole, slice after slice; returns the results in the order of the
    /// blocks.
    fn for_each_owned<T: Send>(&self, f: impl Fn(Block) -> T + Sync) -> Vec<T> {
        let slices: Vec<Vec<T>> = (0..self.rows.slices())
            .into_par_iter()
            .map(|slice| {
                let mut found = Vec::new();
                self.cut(slice, &self.shape, |row, parts| row.parts(parts), |block| found.push(f(block)));
                found
            })
            .collect();
        slices.into_iter().flatten().collect()
    }

    /// Cuts slice number `slice` into blocks of rows, shown in `shape` by `show`.
    fn cut(
        &self,
        slice: usize,
        shape: &Shape,
        show: impl Fn(&dyn Row, &mut [u8]),
        mut take: impl FnMut(Block),
    ) {
        let variables = shape.variables();
        let (mut bytes, mut classes) = (vec![0; BLOCK * variables], Vec::with_capacity(BLOCK));
        let mut first = self.firsts[slice];
        let mut finish = |bytes: &[u8], classes: &mut Vec<u8>| {
            let mut planes = Planes::default();
            planes.extend(shape, &bytes[..classes.len() * variables]);
            let count = classes.len() as u64;
            take(Block { slice, first, planes, classes: std::mem::take(classes) });
            first += count;
        };
        self.rows.visit(slice, &mut |row| {
            show(row, &mut bytes[classes.len() * variables..][..variables]);
            classes.push(row.class());
            if classes.len() == BLOCK {
                finish(&bytes, &mut classes);
            }
        });
        if !classes.is_empty() {
            finish(&bytes, &mut classes);
        }
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
        let highest = limits.iter().copied().max().unwrap_or(0);
        let drawn: Vec<Vec<Extract>> = (0..self.rows.slices())
            .into_par_iter()
            .map(|slice| {
                let first = self.firsts[slice];
                let drawn_of = |number: usize| draw(seed, first + number as u64);
                let mut drawn: Vec<Extract> = Vec::new();
                drawn.resize_with(256, Extract::default);
                let mut wanted = |number: usize| drawn_of(number) <= highest;
                self.rows.pick(slice, &mut wanted, &mut |number, row| {
                    let class = usize::from(row.class());
                    if drawn_of(number) <= limits[class] {
                        drawn[class].push(&self.shape, first + number as u64, row);
                    }
                });
                drawn
            })
            .collect();
        let mut all: Vec<Extract> = Vec::new();
        all.resize_with(256, Extract::default);
        for block in drawn {
            all.iter_mut().zip(block).for_each(|(all, block)| all.append(block));
        }
        all
    }

    /// Number of shares that the slices are divided into.
    pub(super) fn shares(&self) -> usize {
        let all: u64 = self.counts.iter().sum();
        (all.div_ceil(self.share) as usize).clamp(1, self.rows.slices().max(1))
    }

    /// Holds the clauses of each layer against the rows of share number `share`. `places` gives for each class its place
    /// in the order: layer number n is about the class of place n, against those after it.
    pub(super) fn check(
        &self,
        level: Level,
        layers: &[Vec<Clause>],
        places: &[usize],
        share: usize,
    ) -> Vec<Findings> {
        let shares = self.shares();
        let found: Vec<Vec<Findings>> = if let Some(blocks) = &self.held {
            let question = Question { level, layers, places };
            let mine = blocks.par_iter().filter(|block| block.slice % shares == share);
            mine.map(|block| {
                let faults = question.ask(&self.shape, block);
                let extract = |rows: &[usize]| {
                    let mut extract = Extract::default();
                    for &row in rows {
                        extract.numbers.push(block.first + row as u64);
                        block.planes.row(&self.shape, row, &mut extract.bytes);
                    }
                    extract
                };
                let findings = |faults: Faults| Findings {
                    on: extract(&faults.on),
                    off: extract(&faults.off),
                    wrong: faults.wrong,
                };
                faults.into_iter().map(findings).collect()
            })
            .collect()
        } else {
            let tested = Tested::new(&self.shape, layers);
            let question = Question { level, layers: &tested.layers, places };
            let mine: Vec<usize> = (share..self.rows.slices()).step_by(shares).collect();
            mine.into_par_iter().map(|slice| self.check_slice(slice, &tested, &question)).collect()
        };
        let mut all: Vec<Findings> = Vec::new();
        all.resize_with(layers.len(), Findings::default);
        for found in found {
            for (all, found) in all.iter_mut().zip(found) {
                all.on.append(found.on);
                all.off.append(found.off);
                all.wrong += found.wrong;
            }
        }
        all
    }

    /// Checks a slice whose rows are not held.
    fn check_slice(&self, slice: usize, tested: &Tested, question: &Question<'_>) -> Vec<Findings> {
        let show = |row: &dyn Row, parts: &mut [u8]| {
            for (part, &variable) in parts.iter_mut().zip(&tested.variables) {
                *part = row.part(variable);
            }
        };
        let mut wrong = vec![0; question.layers.len()];
        // Faulty rows by their number in the slice, with the layer and whether they are ON.
        let mut faulty: Vec<(usize, usize, bool)> = Vec::new();
        self.cut(slice, &tested.shape, show, |block| {
            let first = (block.first - self.firsts[slice]) as usize;
            for (layer, faults) in question.ask(&tested.shape, &block).into_iter().enumerate() {
                wrong[layer] += faults.wrong;
                faulty.extend(faults.on.iter().map(|row| (first + row, layer, true)));
                faulty.extend(faults.off.iter().map(|row| (first + row, layer, false)));
            }
        });
        let mut findings: Vec<Findings> =
            wrong.into_iter().map(|wrong| Findings { wrong, ..Findings::default() }).collect();
        if faulty.is_empty() {
            return findings;
        }
        faulty.sort_unstable();
        let (mut ahead, mut at) = (0, 0);
        let mut wanted = |number: usize| {
            while faulty.get(ahead).is_some_and(|(row, ..)| *row < number) {
                ahead += 1;
            }
            faulty.get(ahead).is_some_and(|(row, ..)| *row == number)
        };
        self.rows.pick(slice, &mut wanted, &mut |number, row| {
            while let Some((_, layer, on)) = faulty.get(at).filter(|(row, ..)| *row == number) {
                let side = if *on { &mut findings[*layer].on } else { &mut findings[*layer].off };
                side.push(&self.shape, self.firsts[slice] + number as u64, row);
                at += 1;
            }
        });
        findings
    }
}

/// Clauses in the variables that they test alone.
struct Tested {
    /// Those variables; a function has at least one, and so has this.
    variables: Vec<usize>,
    shape: Shape,
    /// The clauses of each layer, their variables numbered among those.
    layers: Vec<Vec<Clause>>,
}

impl Tested {
    fn new(shape: &Shape, layers: &[Vec<Clause>]) -> Self {
        let mut numbers = vec![None; shape.variables()];
        let mut variables: Vec<usize> = layers
            .iter()
            .flatten()
            .flat_map(|clause| &clause.literals)
            .map(|l| usize::from(l.variable))
            .collect();
        variables.push(0);
        variables.sort_unstable();
        variables.dedup();
        for (number, &variable) in variables.iter().enumerate() {
            numbers[variable] = Some(number as u16);
        }
        let renumbered = |clause: &Clause| {
            let literals = clause.literals.iter();
            let literal =
                |l: &Literal| Literal { variable: numbers[usize::from(l.variable)].unwrap_or(0), ..*l };
            Clause { literals: literals.map(literal).collect() }
        };
        let parts: Vec<u8> = variables.iter().map(|&variable| shape.parts[variable]).collect();
        Tested {
            shape: Shape::new(&parts),
            layers: layers.iter().map(|layer| layer.iter().map(renumbered).collect()).collect(),
            variables,
        }
    }
}

impl Question<'_> {
    /// What is wrong in each layer.
    fn ask(&self, shape: &Shape, block: &Block) -> Vec<Faults> {
        self.layers
            .iter()
            .enumerate()
            .map(|(place, clauses)| self.ask_layer(shape, block, clauses, place))
            .collect()
    }

    fn ask_layer(&self, shape: &Shape, block: &Block, clauses: &[Clause], place: usize) -> Faults {
        let words = block.planes.words();
        let (mut on, mut off) = (vec![0_u64; words], vec![0_u64; words]);
        for (row, &class) in block.classes.iter().enumerate() {
            let at = self.places[usize::from(class)];
            on[row / 64] |= u64::from(at == place) << (row % 64);
            off[row / 64] |= u64::from(at > place) << (row % 64);
        }
        let (mut wrong, mut taken) = (vec![0_u64; words], vec![0_u64; words]);
        let mut active = Vec::with_capacity(words);
        for clause in clauses {
            if block.planes.select(self.level, shape, &clause.literals, &mut active) == 0 {
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
        let mut faults = Faults { on: Vec::new(), off: Vec::new(), wrong };
        super::planes::for_each_bit(&taken, |row| faults.off.push(row));
        super::planes::for_each_bit(&on, |row| {
            if faults.on.len() < MOST_UNCOVERED {
                faults.on.push(row);
            }
        });
        faults
    }
}
