//! Tests for tautology, and for whether a cover covers a cube.
//!
//! Follows the unate recursive paradigm of Brayton et al. 1984, section 4.1. If all cubes lack some part, or their
//! volumes add up to too little, the answer is no. If a cube is full, it is yes. Cubes that depend on a weakly unate
//! variable are dropped. A list that splits into blocks of disjoint variables is a tautology if one block is. Otherwise
//! the list is split at the variable that most cubes depend on. Departure: lists over few variables end in a truth table
//! (`small_truth_table`), not in a unate leaf. A query with a work limit that the recursion does not soon answer is first
//! given to a local search (`local_search`).

use crate::care::local_search::{distinct, open_minterm};
use crate::care::small_truth_table::SmallTruthTable;
use crate::cube::calculus::{Calculus, ones};
use crate::cube::cofactor::{LiteralMask, cofactor_by_cube};
use crate::cube::column_counts::{Among, ColumnCounts};
use crate::random::draw;
use crate::{Cover, Space};

/// Number of random minterms tested before the recursion, for lists of at least as many cubes.
const SAMPLES: u64 = 6;
pub(super) const FEW: usize = if cfg!(test) { 2 } else { 5 };
/// For a query with a work limit: the cubes tested by the recursion before the local search, and by that search.
pub(super) const SHORT_RECURSION: u64 = 1 << 12;
pub(super) const SEARCH: u64 = 1 << 19;
/// Limit on the cubes for the tests of volume and of blocks, which seldom decide longer lists.
const SHORT: usize = 512;

/// Returns whether the cubes together cover all minterms of the space, for every output.
///
/// Deterministic. Exponential in the worst case; a list of |F| cubes over few variables costs O(|F|) words.
///
/// # Source
/// Brayton et al. 1984, section 4.1.
pub fn is_tautology(cover: &Cover) -> bool {
    let space = cover.space();
    Tautology::new(&Calculus::new(space)).covers(&[cover.as_words()], space.full())
}

#[derive(Debug)]
pub(crate) struct Tautology<'k> {
    pub(super) calculus: &'k Calculus,
    pub(super) stack: Vec<u64>,
    pub(super) columns: ColumnCounts,
    pub(super) small_table: SmallTruthTable,
    /// Cubes tested since the last [`Tautology::take_work`].
    pub(super) work: u64,
    /// Work limit of one query, in cubes tested.
    pub(super) most: u64,
    /// The value of `work` at which the current query is given up.
    pub(super) end: u64,
}

impl<'k> Tautology<'k> {
    pub(crate) fn new(calculus: &'k Calculus) -> Self {
        Self::limited(calculus, u64::MAX)
    }

    /// Like [`Tautology::new`], with a work limit: a query that tests more than `most` cubes is given up, and everything not
    /// shown to be covered counts as not covered.
    pub(crate) fn limited(calculus: &'k Calculus, most: u64) -> Self {
        let columns = ColumnCounts::new(calculus.space());
        let small_table = SmallTruthTable::default();
        Tautology { calculus, stack: Vec::new(), columns, small_table, work: 0, most, end: u64::MAX }
    }

    /// Whether the last query was given up.
    pub(crate) fn has_given_up(&self) -> bool {
        self.work > self.end
    }

    /// Whether the cubes of the flat lists together cover the nonempty `cube`.
    pub(crate) fn covers(&mut self, lists: &[&[u64]], cube: &[u64]) -> bool {
        self.push_cofactor(lists, cube);
        if self.draw_open(cube).is_some() {
            self.stack.clear();
            return false;
        }
        if self.most == u64::MAX {
            return self.node(0);
        }
        let (list, end) = (self.stack.clone(), self.end);
        self.end = end.min(self.work.saturating_add(SHORT_RECURSION));
        let verdict = self.node(0);
        if !self.has_given_up() {
            return verdict;
        }
        self.end = end;
        let start = drawn_minterm(self.calculus.space(), cube, 0);
        let cubes = distinct(self.calculus.words(), &list);
        if self.search_open(&cubes, cube, start, None).is_some() {
            return false;
        }
        self.stack = list;
        self.node(0)
    }

    /// A minterm of `cube` that none of the [`distinct`] cubes contains, by local search from `start`; the part of variable
    /// `fixed` stays. A query whose last search finds one is not given up.
    pub(super) fn search_open(
        &mut self,
        cubes: &[&[u64]],
        cube: &[u64],
        start: Vec<u64>,
        fixed: Option<usize>,
    ) -> Option<Vec<u64>> {
        let most = SEARCH.min(self.end.saturating_sub(self.work));
        let (found, tested) = open_minterm(self.calculus, cubes, cube, start, fixed, most);
        self.work += tested;
        if found.is_some() {
            self.end = self.end.max(self.work);
        }
        found
    }

    /// Draws a few random minterms of `cube`; returns one that no cube on the stack contains, if any. If the list does not
    /// cover the cube, the uncovered part is usually large, so that this avoids the recursion.
    fn draw_open(&mut self, cube: &[u64]) -> Option<Vec<u64>> {
        let n = self.calculus.words();
        if self.stack.len() < FEW * n {
            return None;
        }
        (0..SAMPLES).find_map(|number| {
            let minterm = drawn_minterm(self.calculus.space(), cube, number);
            self.work += (self.stack.len() / n) as u64;
            let is_covered = self.stack.chunks_exact(n).any(|other| self.calculus.contains(other, &minterm));
            (!is_covered).then_some(minterm)
        })
    }

    /// A minterm of the nonempty `cube` that the flat lists do not cover. Costs at most one tautology test for each part of
    /// the cube.
    pub(crate) fn uncovered_minterm(&mut self, lists: &[&[u64]], cube: &[u64]) -> Option<Vec<u64>> {
        self.push_cofactor(lists, cube);
        let drawn = self.draw_open(cube);
        if drawn.is_some() {
            self.stack.clear();
            return drawn;
        }
        let near = self.stack.clone();
        if self.node(0) {
            return None;
        }
        let mut minterm = cube.to_vec();
        for variable in self.calculus.space().clone().variables() {
            let parts = Space::literal_len(variable, &minterm);
            if parts == 1 {
                continue;
            }
            let mut single = minterm.clone();
            let allowed = variable.bits().filter(|bit| minterm[bit / 64] >> (bit % 64) & 1 != 0);
            // If the cofactors of all other parts are covered, that of the last part is not: it needs no test.
            for (number, bit) in allowed.enumerate() {
                Space::keep_only(variable, &mut single, bit);
                if number + 1 == parts || !self.covers(&[&near], &single) {
                    break;
                }
            }
            minterm = single;
        }
        Some(minterm)
    }

    /// Pushes the cofactor of the flat lists with respect to `cube` onto the empty stack.
    pub(super) fn push_cofactor(&mut self, lists: &[&[u64]], cube: &[u64]) {
        self.end = self.work.saturating_add(self.most);
        for list in lists {
            self.work += (list.len() / self.calculus.words()) as u64;
            cofactor_by_cube(self.calculus, list, cube, &mut self.stack);
        }
    }

    pub(crate) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// Pops the list from `start` to the end of the stack, and returns whether it is a tautology.
    pub(super) fn node(&mut self, start: usize) -> bool {
        let verdict = self.decide(start);
        self.stack.truncate(start);
        verdict
    }

    fn decide(&mut self, start: usize) -> bool {
        let n = self.calculus.words();
        loop {
            let cubes = &self.stack[start..];
            self.work += (cubes.len() / n) as u64;
            if cubes.is_empty() || self.has_given_up() {
                return false;
            }
            if cubes.len() <= SHORT * n {
                match volume(self.calculus, cubes) {
                    Volume::Full => return true,
                    Volume::TooLittle => return false,
                    Volume::Enough => {}
                }
            }
            self.columns.take(self.calculus, cubes);
            if self.columns.has_full() {
                return true;
            }
            if self.columns.has_empty_column() {
                return false;
            }
            if !drop_weakly_unate(self.calculus, &self.columns, &mut self.stack, start) {
                break;
            }
        }
        if self.small_table.fill(self.calculus, &self.columns, &self.stack[start..]) {
            return self.small_table.is_covered();
        }
        let space = self.calculus.space();
        // A list without a full cube depends on some variable.
        let Some(v) = self.columns.most_active(self.calculus, Among::All) else { return false };
        let count = (self.stack.len() - start) / n;
        // If all cubes depend on `v`, there is just one block.
        if count <= SHORT
            && (self.columns.active(v) as usize) < count
            && let Some(verdict) = self.by_components(start)
        {
            return verdict;
        }
        let halves = LiteralMask::halves(space, v, &self.columns);
        let end = self.stack.len();
        halves.iter().all(|literal| {
            literal.cofactor(self.calculus, &mut self.stack, start, end);
            self.node(end)
        })
    }

    /// The answer if the list splits into blocks that share no variable.
    fn by_components(&mut self, start: usize) -> Option<bool> {
        let (n, calculus) = (self.calculus.words(), self.calculus);
        let end = self.stack.len();
        // For each block, all bits of the variables that its cubes depend on.
        let mut blocks: Vec<u64> = Vec::new();
        let mut joined = vec![0u64; n];
        for cube in self.stack[start..end].chunks_exact(n) {
            variables_of(calculus, cube, &mut joined);
            let mut at = 0;
            while at < blocks.len() {
                let block = &blocks[at..at + n];
                if block.iter().zip(&joined).all(|(block, joined)| block & joined == 0) {
                    at += n;
                } else {
                    Space::join(&mut joined, block);
                    let last = blocks.len() - n;
                    blocks.copy_within(last.., at);
                    blocks.truncate(last);
                }
            }
            blocks.extend_from_slice(&joined);
        }
        if blocks.len() < 2 * n {
            return None;
        }
        Some(blocks.chunks_exact(n).any(|block| {
            for at in (start..end).step_by(n) {
                variables_of(calculus, &self.stack[at..at + n], &mut joined);
                if block.iter().zip(&joined).any(|(block, joined)| block & joined != 0) {
                    self.stack.extend_from_within(at..at + n);
                }
            }
            self.node(end)
        }))
    }
}

/// Sets `bits` to all bits of the variables that `cube` depends on.
fn variables_of(calculus: &Calculus, cube: &[u64], bits: &mut [u64]) {
    let full = calculus.space().full();
    for i in 0..calculus.words() {
        bits[i] = calculus.spread(i, calculus.nonempty(i, full[i] & !cube[i]));
    }
    for &v in calculus.straddling() {
        let variable = &calculus.space().variables()[v];
        if !Space::literal_is_full(variable, cube) {
            variable.slots.iter().for_each(|slot| bits[slot.word] |= slot.mask);
        }
    }
}

/// The `number`-th pseudo-random minterm of the nonempty `cube`.
pub(super) fn drawn_minterm(space: &Space, cube: &[u64], number: u64) -> Vec<u64> {
    let mut minterm = cube.to_vec();
    for (i, (word, &low)) in minterm.iter_mut().zip(space.binary_low()).enumerate() {
        let both = *word & *word >> 1 & low;
        let ones = draw(number, i as u64) & both;
        *word &= !(ones | (both & !ones) << 1);
    }
    for (v, variable) in space.non_binary().iter().enumerate() {
        let parts = Space::literal_len(variable, cube);
        let chosen = (draw(number, (space.words() + v) as u64) % parts as u64) as usize;
        Space::clear(variable, &mut minterm);
        let mut before = chosen;
        for slot in &variable.slots {
            let allowed = cube[slot.word] & slot.mask;
            if let Some(bit) = ones(allowed).nth(before) {
                minterm[slot.word] |= 1 << bit;
                break;
            }
            before -= allowed.count_ones() as usize;
        }
    }
    minterm
}

/// The verdict by the numbers of minterms.
enum Volume {
    /// One of the cubes is full.
    Full,
    /// The cubes together have fewer minterms than the space.
    TooLittle,
    Enough,
}

fn volume(calculus: &Calculus, cubes: &[u64]) -> Volume {
    let space = calculus.space();
    let others = space.non_binary();
    let mut sum = 0.0;
    for cube in cubes.chunks_exact(calculus.words()) {
        let (mut literals, mut is_full) = (0, true);
        for ((cube, full), low) in cube.iter().zip(space.full()).zip(space.binary_low()) {
            let lacks = full & !cube;
            is_full &= lacks == 0;
            literals += ((lacks | lacks >> 1) & low).count_ones();
        }
        if is_full {
            return Volume::Full;
        }
        let mut volume = f64::from_bits(1023u64.saturating_sub(u64::from(literals)) << 52);
        for variable in others {
            volume *= Space::literal_len(variable, cube) as f64 / variable.parts as f64;
        }
        sum += volume;
    }
    // Fractions such as thirds are rounded; far fewer than 2^20 of them are added.
    if sum > 1.0 - 1e-9 { Volume::Enough } else { Volume::TooLittle }
}

/// Drops the cubes of `stack[start..]` that depend on a variable in which the list is weakly unate, and returns whether
/// there was one. The list is a tautology if and only if its cofactor with respect to the part that they lack is one,
/// and they are not in that cofactor.
fn drop_weakly_unate(
    calculus: &Calculus,
    columns: &ColumnCounts,
    stack: &mut Vec<u64>,
    start: usize,
) -> bool {
    let n = calculus.words();
    let Some(unate) = columns.weakly_unate_parts(calculus) else { return false };
    let mut to = start;
    for at in (start..stack.len()).step_by(n) {
        if (0..n).all(|i| unate[i] & !stack[at + i] == 0) {
            stack.copy_within(at..at + n, to);
            to += n;
        }
    }
    stack.truncate(to);
    true
}
