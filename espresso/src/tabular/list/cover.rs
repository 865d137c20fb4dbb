//! The working cover of one layer, on its sample: its cubes, how many of them match each ON row, and IRREDUNDANT.

use super::Clause;
use super::expand::{Cube, Ground};
use super::planes::for_each_bit;

/// Cubes that match all ON rows of the sample and no OFF row, or are about to.
#[derive(Debug, Default)]
pub(super) struct Cover {
    pub(super) cubes: Vec<Cube>,
    /// A name for each cube that no other cube has ever had.
    pub(super) names: Vec<u64>,
    /// For each ON row the number of cubes that match it.
    pub(super) counts: Vec<u32>,
    next: u64,
}

impl Cover {
    /// The number of the cube called `name`.
    pub(super) fn find(&self, name: u64) -> Option<usize> {
        // Cubes are only ever appended and taken out.
        self.names.binary_search(&name).ok()
    }

    pub(super) fn add(&mut self, cube: Cube) {
        for_each_bit(&cube.cover, |row| self.counts[row] += 1);
        self.cubes.push(cube);
        self.names.push(self.next);
        self.next += 1;
    }

    pub(super) fn remove(&mut self, number: usize) -> Cube {
        let cube = self.cubes.remove(number);
        self.names.remove(number);
        for_each_bit(&cube.cover, |row| self.counts[row] -= 1);
        cube
    }

    /// The ON rows that no cube matches.
    pub(super) fn uncovered(&self) -> Vec<u64> {
        rows_where(&self.counts, |count| count == 0)
    }

    /// Number of literals of all cubes.
    pub(super) fn literals(&self) -> u64 {
        self.cubes.iter().map(|cube| cube.literals.len() as u64).sum()
    }

    /// Finds covers, counts and prices anew, after the sample or the prices have changed.
    pub(super) fn renew(&mut self, ground: &Ground<'_>) {
        self.counts.clear();
        self.counts.resize(ground.sample.on.rows(), 0);
        for cube in &mut self.cubes {
            cube.cover = ground.sample.on.cover(ground.level, ground.shape, &cube.literals);
            cube.bits = ground.tariff.clause(&cube.literals);
            for_each_bit(&cube.cover, |row| self.counts[row] += 1);
        }
    }

    /// Takes out cubes that match nothing but what others match, those first that cost much for what they alone match.
    pub(super) fn irredundant(&mut self) {
        let single = rows_where(&self.counts, |count| count == 1);
        let alone =
            |cube: &Cube| cube.cover.iter().zip(&single).map(|(a, b)| (a & b).count_ones()).sum::<u32>();
        let mut order: Vec<(f32, u64)> = self
            .cubes
            .iter()
            .zip(&self.names)
            .map(|(cube, &name)| (alone(cube) as f32 / cube.bits, name))
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, name) in order {
            if let Some(number) = self.find(name)
                && self.is_redundant(&self.cubes[number])
            {
                self.remove(number);
            }
        }
    }

    /// Whether other cubes match all that this one of the cover does.
    fn is_redundant(&self, cube: &Cube) -> bool {
        let mut redundant = true;
        for (word, &rows) in cube.cover.iter().enumerate() {
            let mut rows = rows;
            while rows != 0 && redundant {
                redundant = self.counts[word * 64 + rows.trailing_zeros() as usize] > 1;
                rows &= rows - 1;
            }
            if !redundant {
                break;
            }
        }
        redundant
    }

    /// The clauses, in ascending order.
    pub(super) fn clauses(&self) -> Vec<Clause> {
        let mut clauses: Vec<Clause> =
            self.cubes.iter().map(|cube| Clause { literals: cube.literals.clone() }).collect();
        clauses.sort_unstable();
        clauses
    }
}

/// The rows whose count is as asked, one bit each.
pub(super) fn rows_where(counts: &[u32], asked: impl Fn(u32) -> bool) -> Vec<u64> {
    let word = |counts: &[u32]| {
        counts.iter().enumerate().fold(0, |word, (bit, &count)| word | u64::from(asked(count)) << bit)
    };
    counts.chunks(64).map(word).collect()
}
