//! The cubes of one query as bit columns, on which the recursions for tautology, SCCC and irredundant run.
//!
//! The paradigm is that of Brayton et al. 1984, section 4.1. Departure: a list of cubes is a mask over columns. There is a
//! column for each part, with one bit for each cube that lacks the part. A cofactor clears the bits of a column in the mask, and
//! no cube is copied. The literals of all cubes are counted in two planes, "one or more" and "two or more": a cube without
//! literals is full, and a cube with a single literal forces the part of a variable.

use crate::coverage::transpose::transpose;
use crate::cube::bits::{add, count, numbers, ones};
use crate::cube::cube_algebra::CubeAlgebra;
use crate::cube::space::Space;

/// Words of columns that count as much work as one cube.
const WORDS_A_CUBE: usize = 4;

/// A variable that some cube of the list depends on, and its columns: one for each of its parts in the queried cube.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) variable: u32,
    first: u32,
    parts: u32,
}

/// The cubes of a query as bit columns; reusable for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct CubeColumns {
    /// Words in a column.
    pub(crate) words: usize,
    pub(crate) fields: Vec<Field>,
    /// For each column the bit number of its part.
    bits: Vec<u32>,
    /// For each column the mask of the cubes without the part.
    lacks: Vec<u64>,
    /// For each cube that intersects the queried cube, its number in the list.
    pub(crate) numbers: Vec<usize>,
    /// Whether a single cube contains the queried cube.
    pub(crate) has_full: bool,
    /// The parts that each cube lacks, one cube after the other.
    rows: Vec<u64>,
    places: Vec<u32>,
}

/// A cube that shrinks from `whole` by choices of parts, which can be undone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Region {
    whole: Vec<u64>,
    pub(crate) cube: Vec<u64>,
    chosen: Vec<u32>,
}

impl Region {
    pub(crate) fn begin(&mut self, whole: &[u64]) {
        self.whole.clear();
        self.whole.extend_from_slice(whole);
        self.cube.clone_from(&self.whole);
        self.chosen.clear();
    }

    /// The number of choices so far.
    pub(crate) fn mark(&self) -> usize {
        self.chosen.len()
    }

    /// Undoes all choices but the first `mark`.
    pub(crate) fn undo(&mut self, space: &Space, mark: usize) {
        for v in self.chosen.drain(mark..) {
            for slot in &space.variables()[v as usize].slots {
                self.cube[slot.word] = self.cube[slot.word] & !slot.mask | self.whole[slot.word] & slot.mask;
            }
        }
    }

    fn choose(&mut self, space: &Space, variable: u32, bits: impl Iterator<Item = u32>) {
        Space::clear(&space.variables()[variable as usize], &mut self.cube);
        bits.for_each(|bit| add(&mut self.cube, bit as usize));
        self.chosen.push(variable);
    }
}

/// The effect of the cubes with a single literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forced {
    /// Together the cubes cover everything.
    All,
    /// The cubes decide a variable.
    Some,
    /// There are no such cubes, or they leave a choice.
    None,
}

#[inline]
fn any(words: impl Iterator<Item = u64>) -> bool {
    words.fold(0, |all, word| all | word) != 0
}

impl CubeColumns {
    /// Takes the cubes of the flat lists that intersect the nonempty cube `by`.
    pub(crate) fn fill(&mut self, algebra: &CubeAlgebra, lists: &[&[u64]], by: &[u64]) {
        let n = algebra.words();
        self.rows.clear();
        self.numbers.clear();
        self.has_full = false;
        let (mut number, mut lacked) = (0usize, vec![0u64; n]);
        for cube in lists.iter().flat_map(|list| list.chunks_exact(n)) {
            if algebra.intersects(cube, by) {
                let from = self.rows.len();
                self.rows.extend(by.iter().zip(cube).map(|(by, cube)| by & !cube));
                let mut some = 0;
                for (lacked, lacks) in lacked.iter_mut().zip(&self.rows[from..]) {
                    *lacked |= lacks;
                    some |= lacks;
                }
                self.has_full |= some == 0;
                self.numbers.push(number);
            }
            number += 1;
        }
        self.words = self.numbers.len().div_ceil(64).max(1);
        self.lay(algebra, &lacked, by);
        let Self { words, rows, places, lacks, .. } = self;
        transpose(n, rows, |bit, word, cubes| lacks[places[bit] as usize * *words + word] |= cubes);
    }

    /// Makes empty columns for the variables with a part in `lacked`.
    fn lay(&mut self, algebra: &CubeAlgebra, lacked: &[u64], by: &[u64]) {
        self.fields.clear();
        self.bits.clear();
        self.places.resize(algebra.words() * 64, 0);
        algebra.for_each_literal(lacked, |v| {
            let first = self.bits.len() as u32;
            for bit in algebra.space().variables()[v].bits_in(by) {
                self.places[bit] = self.bits.len() as u32;
                self.bits.push(bit as u32);
            }
            self.fields.push(Field { variable: v as u32, first, parts: self.bits.len() as u32 - first });
        });
        self.lacks.clear();
        self.lacks.resize(self.bits.len() * self.words, 0);
    }

    /// Returns columns of only the cubes `alive`, at least one, and the fields `open`. The numbers of the cubes are lost.
    pub(crate) fn select(&self, alive: &[u64], open: &[u32]) -> Self {
        // The new number of each cube.
        let (mut ranks, mut cubes) = (vec![0u32; self.words * 64], 0);
        for i in numbers(alive) {
            ranks[i] = cubes;
            cubes += 1;
        }
        let words = cubes.div_ceil(64).max(1) as usize;
        let columns = open.iter().map(|&field| self.fields[field as usize].parts as usize).sum::<usize>();
        let mut selected = CubeColumns { words, lacks: vec![0; columns * words], ..Self::default() };
        for &field in open {
            let Field { variable, first, parts } = self.fields[field as usize];
            selected.fields.push(Field { variable, first: selected.bits.len() as u32, parts });
            for column in first..first + parts {
                let to = &mut selected.lacks[selected.bits.len() * words..][..words];
                selected.bits.push(self.bits[column as usize]);
                let both = self.lacks(column as usize).iter().zip(alive).map(|(lacks, alive)| lacks & alive);
                for (ranks, both) in ranks.chunks_exact(64).zip(both) {
                    for rank in ones(both).map(|bit| ranks[bit]) {
                        add(to, rank as usize);
                    }
                }
            }
        }
        selected.numbers = vec![0; cubes as usize];
        selected
    }

    /// The mask of all cubes.
    pub(crate) fn all(&self) -> impl Iterator<Item = u64> {
        let count = self.numbers.len();
        (0..self.words).map(move |word| match count.saturating_sub(word * 64) {
            left @ 0..64 => (1 << left) - 1,
            _ => u64::MAX,
        })
    }

    #[inline]
    fn lacks_of(&self, column: usize, words: usize) -> &[u64] {
        &self.lacks[column * words..][..words]
    }

    /// The mask of the cubes without the part of a column.
    #[inline]
    pub(crate) fn lacks(&self, column: usize) -> &[u64] {
        self.lacks_of(column, self.words)
    }

    /// Whether all cubes of the mask `cubes` lack the part of a column.
    #[inline]
    pub(crate) fn all_lack(&self, cubes: &[u64], column: usize) -> bool {
        !any(cubes.iter().zip(self.lacks_of(column, cubes.len())).map(|(cubes, lacks)| cubes & !lacks))
    }

    /// The columns of a field of a binary input.
    #[inline]
    pub(crate) fn pair(&self, field: u32) -> [usize; 2] {
        let first = self.fields[field as usize].first as usize;
        [first, first + 1]
    }

    /// The bit number of a column.
    pub(crate) fn bit(&self, column: usize) -> u32 {
        self.bits[column]
    }

    /// The column of a bit number, which must have a column. After [`CubeColumns::select`], call
    /// [`CubeColumns::note_places`] first.
    #[inline]
    pub(crate) fn column(&self, bit: usize) -> usize {
        self.places[bit] as usize
    }

    /// Notes the column of each bit number, for cubes of `n` words.
    pub(crate) fn note_places(&mut self, n: usize) {
        self.places.resize(n * 64, 0);
        self.bits.iter().enumerate().for_each(|(column, &bit)| self.places[bit as usize] = column as u32);
    }

    /// The cost of a pass over `fields` fields, in cubes tested.
    pub(crate) fn work(&self, fields: usize) -> u64 {
        (1 + fields * self.words / WORDS_A_CUBE) as u64
    }

    /// The numbers and parts of the columns of a field.
    pub(crate) fn parts(&self, field: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        let Field { first, parts, .. } = self.fields[field as usize];
        (first..first + parts).map(|column| (column as usize, self.bits[column as usize]))
    }

    /// The variable of a field.
    pub(crate) fn variable(&self, field: u32) -> u32 {
        self.fields[field as usize].variable
    }

    /// Removes from `alive` the cubes that lack the part of a column.
    #[inline]
    pub(crate) fn cofactor<const W: usize>(&self, alive: &mut [u64], column: usize) {
        let words = if W == 0 { self.words } else { W };
        alive.iter_mut().zip(self.lacks_of(column, words)).for_each(|(alive, lacks)| *alive &= !lacks);
    }

    /// Sets `those` to the cubes of `alive` that depend on a field.
    #[inline]
    fn depending<const W: usize>(&self, field: u32, alive: &[u64], those: &mut [u64]) {
        self.lacking::<W>(field, |_| true, alive, those);
    }

    /// Sets `those` to the cubes of `alive` that lack a part of a field; only parts for whose column `counts` holds are tested.
    #[inline]
    pub(crate) fn lacking<const W: usize>(
        &self,
        field: u32,
        counts: impl Fn(usize) -> bool,
        alive: &[u64],
        those: &mut [u64],
    ) {
        let words = if W == 0 { self.words } else { W };
        those.fill(0);
        let Field { first, parts, .. } = self.fields[field as usize];
        for column in (first as usize..(first + parts) as usize).filter(|&column| counts(column)) {
            those.iter_mut().zip(self.lacks_of(column, words)).for_each(|(those, lacks)| *those |= lacks);
        }
        those.iter_mut().zip(alive).for_each(|(those, alive)| *those &= alive);
    }

    /// Chooses for the variable of a field the part of `column`. Another part is chosen too if every cube of `alive` that lacks
    /// the part of `column` also lacks the other part.
    pub(crate) fn choose(
        &self,
        space: &Space,
        field: u32,
        column: usize,
        alive: &[u64],
        region: &mut Region,
    ) {
        let wanted = self.lacks(column);
        let leaves_no_more = |&(other, _): &(usize, u32)| {
            let lacks = self.lacks(other);
            other == column || !any(wanted.iter().zip(lacks).zip(alive).map(|((a, b), alive)| a & !b & alive))
        };
        let bits = self.parts(field).filter(leaves_no_more).map(|(_, bit)| bit);
        region.choose(space, self.variable(field), bits);
    }

    /// One pass over the fields `open[start..]`. Fields that no cube of `alive` depends on are removed. If all cubes that depend
    /// on a field lack a common part, the list is weakly unate: these cubes are removed from `alive`, the part is chosen, and the
    /// field is removed. `one` and `two` become the masks of the cubes with at least one and at least two literals in the other
    /// fields. Returns whether cubes were removed.
    pub(crate) fn reduce_unate<const W: usize>(
        &self,
        space: &Space,
        [alive, one, two]: [&mut [u64]; 3],
        open: &mut Vec<u32>,
        start: usize,
        region: &mut Region,
    ) -> bool {
        let words = if W == 0 { self.words } else { W };
        let (alive, one, two) = (&mut alive[..words], &mut one[..words], &mut two[..words]);
        one.fill(0);
        two.fill(0);
        let (mut to, mut has_dropped) = (start, false);
        let mut those = vec![0; if W == 0 { words } else { 0 }];
        for at in start..open.len() {
            let field = open[at];
            let Field { variable, first, parts } = self.fields[field as usize];
            let unate = if parts == 2 {
                let both = &self.lacks[first as usize * words..][..2 * words];
                let (low, high) = both.split_at(words);
                let (mut some_low, mut some_high) = (0, 0);
                for i in 0..words {
                    some_low |= low[i] & alive[i];
                    some_high |= high[i] & alive[i];
                }
                match (some_low != 0, some_high != 0) {
                    (true, true) => {
                        for i in 0..words {
                            let depends = (low[i] | high[i]) & alive[i];
                            two[i] |= one[i] & depends;
                            one[i] |= depends;
                        }
                        open[to] = field;
                        to += 1;
                        continue;
                    }
                    (false, false) => continue,
                    (true, false) => first as usize,
                    (false, true) => first as usize + 1,
                }
            } else {
                let mut fixed = [0; W];
                let those = if W == 0 { &mut those[..] } else { &mut fixed[..] };
                self.depending::<W>(field, alive, those);
                if !any(those.iter().copied()) {
                    continue;
                }
                let mut columns = first as usize..(first + parts) as usize;
                let Some(unate) = columns.find(|&column| self.all_lack(those, column)) else {
                    for i in 0..words {
                        two[i] |= one[i] & those[i];
                        one[i] |= those[i];
                    }
                    open[to] = field;
                    to += 1;
                    continue;
                };
                unate
            };
            if parts == 2 {
                let bit = self.bits[unate];
                region.choose(space, variable, std::iter::once(bit));
            } else {
                self.choose(space, field, unate, alive, region);
            }
            self.cofactor::<W>(alive, unate);
            has_dropped = true;
        }
        open.truncate(to);
        has_dropped
    }

    /// Chooses the parts that the cubes of `alive` with a single literal force, and removes from `alive` the cubes without these
    /// parts. `one` and `two` come from [`CubeColumns::reduce_unate`]; `two` is overwritten.
    pub(crate) fn force<const W: usize>(
        &self,
        space: &Space,
        [alive, one, two]: [&mut [u64]; 3],
        open: &mut Vec<u32>,
        start: usize,
        region: &mut Region,
    ) -> Forced {
        let words = if W == 0 { self.words } else { W };
        let (alive, one, single) = (&mut alive[..words], &one[..words], &mut two[..words]);
        for i in 0..words {
            single[i] = alive[i] & one[i] & !single[i];
        }
        if !any(single.iter().copied()) {
            return Forced::None;
        }
        let (mut to, mut verdict) = (start, Forced::None);
        for at in start..open.len() {
            let field = open[at];
            let Field { first, parts, .. } = self.fields[field as usize];
            let columns = first as usize..(first + parts) as usize;
            let has =
                |column: usize| any(self.lacks_of(column, words).iter().zip(&*single).map(|(a, b)| a & b));
            let forced = if parts == 2 {
                match (has(columns.start), has(columns.start + 1)) {
                    (true, true) => return Forced::All,
                    (true, false) => Some(columns.start),
                    (false, true) => Some(columns.start + 1),
                    (false, false) => None,
                }
            } else if columns.clone().any(has) {
                // Only a part that all these cubes lack can be chosen.
                let mut those = vec![0; words];
                self.depending::<W>(field, single, &mut those);
                let mut possible = columns.filter(|&column| self.all_lack(&those, column));
                let Some(only) = possible.next() else { return Forced::All };
                possible.next().is_none().then_some(only)
            } else {
                None
            };
            if let Some(column) = forced {
                region.choose(space, self.variable(field), std::iter::once(self.bits[column]));
                self.cofactor::<W>(alive, column);
                verdict = Forced::Some;
            } else {
                open[to] = field;
                to += 1;
            }
        }
        open.truncate(to);
        verdict
    }

    /// The place in `open` of the field that most cubes of `alive` depend on, and the number of these cubes.
    pub(crate) fn most_active<const W: usize>(&self, alive: &[u64], open: &[u32]) -> Option<(usize, u32)> {
        let words = if W == 0 { self.words } else { W };
        let (mut best, mut those) = (None, vec![0; words]);
        for (at, &field) in open.iter().enumerate() {
            let Field { first, parts, .. } = self.fields[field as usize];
            let active = if parts == 2 {
                let both = &self.lacks[first as usize * words..][..2 * words];
                (0..words).map(|i| ((both[i] | both[words + i]) & alive[i]).count_ones()).sum()
            } else {
                self.depending::<W>(field, alive, &mut those);
                count(&those)
            };
            if best.is_none_or(|(_, most)| active > most) {
                best = Some((at, active));
            }
        }
        best
    }

    /// The columns of a field, each with the number of cubes of `alive` that lack its part, in descending order. A column is left
    /// out if an earlier column dominates it: the cubes that lack its part also lack the part of the earlier column.
    pub(crate) fn branches(&self, field: u32, alive: &[u64]) -> Vec<(u32, usize)> {
        let lacking = |column: usize| self.lacks(column).iter().zip(alive).map(|(a, b)| a & b);
        let mut branches: Vec<(u32, usize)> = self
            .parts(field)
            .map(|(column, _)| (lacking(column).map(u64::count_ones).sum(), column))
            .collect();
        branches.sort_by_key(|&(lacking, _)| std::cmp::Reverse(lacking));
        if branches.len() > 2 {
            let mut kept: Vec<(u32, usize)> = Vec::new();
            for branch in branches {
                let dominates = |&(_, other): &(u32, usize)| {
                    !any(lacking(branch.1).zip(lacking(other)).map(|(a, b)| a & !b))
                };
                if !kept.iter().any(dominates) {
                    kept.push(branch);
                }
            }
            return kept;
        }
        branches
    }

    /// Sets `block` to the cubes of `alive` that are linked to `field` by common variables.
    pub(crate) fn block<const W: usize>(&self, field: u32, alive: &[u64], open: &[u32], block: &mut [u64]) {
        let mut those = vec![0; alive.len()];
        self.depending::<W>(field, alive, block);
        let mut grows = true;
        while grows {
            grows = false;
            for &field in open {
                self.depending::<W>(field, alive, &mut those);
                if any(those.iter().zip(&*block).map(|(a, b)| a & b))
                    && any(those.iter().zip(&*block).map(|(a, b)| a & !b))
                {
                    block.iter_mut().zip(&those).for_each(|(block, those)| *block |= those);
                    grows = true;
                }
            }
        }
    }
}
