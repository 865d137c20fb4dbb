//! The recursion of the complement, on masks.
//!
//! A list of cubes is a mask over columns (`cube_columns`): a cofactor clears the bits of a column in the mask, and no cube is
//! copied. When few cubes are left, shorter columns are made for them. The output variable is split first, in halves; then the
//! binate variable that most cubes depend on. The complement of a unate list of few cubes is found at once (`transversals`). A
//! larger unate list is split so that one branch needs no literal.
//!
//! Departure from Brayton et al. 1984, section 4.2: a cube of one branch is lifted to the other branch if it meets no cube of the
//! list there, by a test on the columns. In the paper it is lifted if a single cube of the other branch contains it. Cubes of two
//! branches that are equal except for a binary variable are both lifted, so that only lifted cubes have to be compared.

use crate::Result;
use crate::coverage::cube_columns::CubeColumns;
use crate::cube::bits::{add, count, has, ones};
use crate::cube::cofactor::LiteralMask;
use crate::cube::cover::retain;
use crate::cube::cube_algebra::CubeAlgebra;
use crate::cube::space::Space;
use crate::steps::budget::{Budget, StageBudget};
use crate::steps::equal_cubes::EqualCubes;
use crate::steps::transversals::{STRIDE, Transversals};

/// Limit on the pairs of cubes compared when the branches of a unate list are united.
const MOST_PAIRS: usize = 1 << 24;
/// Columns are rebuilt for the cubes left when at most one in this many of their bits is left.
const WORTH_SHORTER: u32 = 4;
/// Work is reported to the budget after at least this many lists.
const LISTS_A_REPORT: usize = 64;
/// Cubes merged between two calls of the monitor.
const MERGED_A_REPORT: usize = 1 << 12;
/// Most words by which the results may change without a report to the budget.
const UNREPORTED: usize = 1 << 12;

/// The starts of a node's masks and fields on their stacks. The masks and fields of the current node reach to the ends.
#[derive(Clone, Copy, Debug)]
struct Starts {
    node: usize,
    open: usize,
}

/// A pending task. Each task makes one list; tasks that merge consume the last lists.
enum Task {
    /// Complements a list within a region.
    Complement(Starts),
    /// Merges the two branches of a split at the variable of a field, the parts of the first list first.
    Merge { starts: Starts, field: u32, sides: [LiteralMask; 2] },
    /// Unites the complement of all cubes with that of the few cubes that count at the parts `lacked` by the others.
    Unite { starts: Starts, lacked: LiteralMask },
    /// Returns to the longer columns.
    Lengthen(Starts),
}

/// The recursion, with an explicit stack, since its depth may be the number of variables.
pub(crate) struct Complement<'k> {
    algebra: &'k CubeAlgebra,
    budget: StageBudget<'k>,
    columns: CubeColumns,
    /// The columns to return to.
    longer: Vec<CubeColumns>,
    tasks: Vec<Task>,
    /// For each node the mask of its cubes, and its region.
    nodes: Vec<u64>,
    /// For each node the fields whose variables are not decided.
    open: Vec<u32>,
    /// The results, and where each starts.
    made: Vec<u64>,
    starts: Vec<usize>,
    /// The mask of the cubes with a literal.
    one: Vec<u64>,
    leaf: Transversals,
    equal: EqualCubes,
    /// Lists complemented so far, and when work was last reported.
    lists: usize,
    reported: usize,
    /// Work not yet reported to the budget.
    work: u64,
    /// Words reported to the budget.
    held: usize,
}

impl Drop for Complement<'_> {
    fn drop(&mut self) {
        self.budget.release(self.held);
    }
}

/// The fields at which a node can be split.
#[derive(Clone, Copy, Debug, Default)]
struct Survey {
    /// The place of the output's field, or of the binate field that most cubes depend on; and the number of these cubes.
    split: Option<(usize, u32)>,
    /// The same for the unate field that most cubes depend on.
    unate: Option<(usize, u32)>,
    /// Whether some variable is not binary.
    has_multi: bool,
}

impl<'k> Complement<'k> {
    pub(crate) fn new(algebra: &'k CubeAlgebra, budget: &'k Budget<'k>) -> Self {
        Complement {
            algebra,
            budget: budget.of_units("complement", "lists"),
            columns: CubeColumns::default(),
            longer: Vec::new(),
            tasks: Vec::new(),
            nodes: Vec::new(),
            open: Vec::new(),
            made: Vec::new(),
            starts: Vec::new(),
            one: Vec::new(),
            leaf: Transversals::default(),
            equal: EqualCubes::default(),
            lists: 0,
            reported: 0,
            work: 0,
            held: 0,
        }
    }

    /// The complement of the flat list `cubes`.
    pub(crate) fn of(mut self, cubes: &[u64]) -> Result<Vec<u64>> {
        let full = self.algebra.space().full();
        let mut columns = CubeColumns::default();
        columns.fill(self.algebra, &[cubes], full);
        let region = full.to_vec();
        self.begin(columns, &region);
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Complement(starts) => match self.columns.words {
                    1 => self.complement::<1>(starts)?,
                    2 => self.complement::<2>(starts)?,
                    _ => self.complement::<0>(starts)?,
                },
                Task::Merge { starts, field, sides } => {
                    match self.columns.words {
                        1 => self.merge::<1>(starts, field, &sides)?,
                        _ => self.merge::<0>(starts, field, &sides)?,
                    }
                    self.end(starts);
                }
                Task::Unite { starts, lacked } => {
                    self.unite(&lacked)?;
                    self.end(starts);
                }
                Task::Lengthen(starts) => {
                    self.columns = self.longer.pop().unwrap_or_default();
                    self.end(starts);
                }
            }
            if self.made.len().abs_diff(self.held) > UNREPORTED {
                self.report()?;
            }
        }
        self.report()?;
        self.budget.spend(std::mem::take(&mut self.work), self.lists)?;
        Ok(std::mem::take(&mut self.made))
    }

    /// Adds the task to complement all cubes of `columns` within a region.
    fn begin(&mut self, columns: CubeColumns, region: &[u64]) {
        let starts = Starts { node: self.nodes.len(), open: self.open.len() };
        self.nodes.extend(columns.all());
        self.nodes.extend_from_slice(region);
        self.open.extend(0..columns.fields.len() as u32);
        self.longer.push(std::mem::replace(&mut self.columns, columns));
        self.tasks.push(Task::Complement(starts));
    }

    /// Removes a node.
    fn end(&mut self, starts: Starts) {
        self.nodes.truncate(starts.node);
        self.open.truncate(starts.open);
    }

    /// Reports the words of the results to the budget.
    fn report(&mut self) -> Result<()> {
        self.budget.release(self.held);
        self.held = self.made.len();
        self.budget.hold(self.held);
        self.budget.expect_room(0)
    }

    /// Makes the complement of a list in a simple case; otherwise pushes the tasks that compute it.
    fn complement<const W: usize>(&mut self, starts: Starts) -> Result<()> {
        let (n, words) = (self.algebra.words(), self.columns.words);
        self.lists += 1;
        let Self { columns, nodes, open, one, .. } = self;
        let (alive, region) = nodes[starts.node..starts.node + words + n].split_at(words);
        let left = count(alive);
        if left == 0 {
            self.starts.push(self.made.len());
            self.made.extend_from_slice(self.algebra.space().full());
            self.end(starts);
            return Ok(());
        }
        if words > 1 && left * WORTH_SHORTER <= words as u32 * 64 {
            let mut shorter = columns.select(alive, &open[starts.open..]);
            shorter.note_places(n);
            let region = region.to_vec();
            self.tasks.push(Task::Lengthen(starts));
            self.begin(shorter, &region);
            return Ok(());
        }
        let work = columns.work(open.len() - starts.open);
        let survey = survey::<W>(columns, self.algebra.space(), [alive, region], open, starts.open, one);
        self.work += work;
        if self.lists - self.reported >= LISTS_A_REPORT {
            self.reported = self.lists;
            self.budget.spend(std::mem::take(&mut self.work), self.lists)?;
        }
        if alive.iter().zip(&*one).any(|(alive, one)| alive & !one != 0) {
            self.starts.push(self.made.len());
            self.end(starts);
        } else if let Some((at, _)) = survey.split {
            self.split(starts, at);
        } else if left <= 64 && !survey.has_multi {
            self.complement_unate(starts)?;
        } else if let Some((at, _)) = survey.unate {
            self.split_unate(starts, at);
        }
        Ok(())
    }

    /// The complement of at most 64 cubes that is unate in all variables, which are binary.
    fn complement_unate(&mut self, starts: Starts) -> Result<()> {
        let Self { columns, nodes, open, leaf, made, budget, held, .. } = self;
        let alive = &nodes[starts.node..starts.node + columns.words];
        leaf.clear();
        let gathered = |lacks: &[u64]| {
            let bits = alive
                .iter()
                .zip(lacks)
                .flat_map(|(&alive, lacks)| ones(alive).map(move |bit| lacks >> bit & 1));
            bits.enumerate().fold(0, |mask, (i, bit)| mask | bit << i)
        };
        let rows_lacking = |column: usize| match columns.lacks(column) {
            [lacks] => lacks & alive[0],
            lacks => gathered(lacks),
        };
        for &field in &open[starts.open..] {
            let [low, high] = columns.pair(field);
            let (meets, cut) = match rows_lacking(low) {
                0 => (rows_lacking(high), low),
                meets => (meets, high),
            };
            leaf.add(meets, columns.bit(cut));
        }
        let rows = if columns.words == 1 { alive[0] } else { u64::MAX >> (64 - count(alive)) };
        self.starts.push(made.len());
        let (lists, held) = (self.lists, *held);
        leaf.append(rows, self.algebra.space().full(), usize::MAX, made, &mut |made, work| {
            budget.expect_room(made.len().saturating_sub(held))?;
            // A long list is reported each time.
            budget.spend(work, if work < STRIDE { lists } else { 0 })
        })?;
        self.end(starts);
        Ok(())
    }

    /// Splits at the field at place `at` of the open fields.
    fn split(&mut self, starts: Starts, at: usize) {
        let (words, space) = (self.columns.words, self.algebra.space());
        let field = self.open.remove(starts.open + at);
        let columns = &self.columns;
        let v = columns.variable(field) as usize;
        let (alive, region) = self.nodes[starts.node..].split_at(words);
        let low = if v < space.binary_inputs() {
            LiteralMask::single(space, v, columns.bit(columns.pair(field)[0]) as usize)
        } else {
            let is_lacked = |&(column, bit): &(usize, u32)| {
                let mut lacking = columns.lacks(column).iter().zip(alive).map(|(lacks, alive)| lacks & alive);
                has(region, bit as usize) && lacking.any(|lacking| lacking != 0)
            };
            let lacked: Vec<u32> = columns.parts(field).filter(is_lacked).map(|(_, bit)| bit).collect();
            LiteralMask::of_bits(space, v, &lacked[..lacked.len().div_ceil(2)])
        };
        let sides = [low.others(space, v, region), low];
        self.push_sides(starts, field, sides, |sides| Task::Merge { starts, field, sides });
    }

    /// Adds the nodes of both sides of a split of the node at `starts`, and the tasks to complement the first, then the second,
    /// and to join the results by `join`. Returns the length of `open` without this field on the first side.
    fn push_sides(
        &mut self,
        starts: Starts,
        field: u32,
        sides: [LiteralMask; 2],
        join: impl FnOnce([LiteralMask; 2]) -> Task,
    ) -> usize {
        let second = Starts { node: self.nodes.len(), open: starts.open };
        let kept = self.open.len();
        self.push_side(starts, field, &sides[1]);
        let first = Starts { node: self.nodes.len(), open: self.open.len() };
        self.open.extend_from_within(starts.open..kept);
        let others = self.open.len();
        self.push_side(starts, field, &sides[0]);
        self.tasks.extend([join(sides), Task::Complement(second), Task::Complement(first)]);
        others
    }

    /// Adds the node of one side of a split of the node at `starts`: its cubes with a part of the literal, and its region
    /// restricted to the literal. The field stays open if the side has several parts.
    fn push_side(&mut self, starts: Starts, field: u32, literal: &LiteralMask) {
        let (n, words) = (self.algebra.words(), self.columns.words);
        let Self { columns, nodes, open, .. } = self;
        let from = nodes.len();
        nodes.extend_from_within(starts.node..starts.node + words + n);
        let (before, node) = nodes.split_at_mut(from);
        let (alive, region) = node.split_at_mut(words);
        let before = &before[starts.node..starts.node + words];
        let mut parts = columns.parts(field).filter(|&(_, bit)| literal.has(bit));
        if let Some((column, _)) = parts.next() {
            alive.iter_mut().zip(columns.lacks(column)).for_each(|(alive, lacks)| *alive &= !lacks);
        }
        let mut has_several = false;
        for (column, _) in parts {
            for ((alive, before), lacks) in alive.iter_mut().zip(before).zip(columns.lacks(column)) {
                *alive |= before & !lacks;
            }
            has_several = true;
        }
        literal.restrict(region);
        if has_several {
            open.push(field);
        }
    }

    /// Merges the last two lists, the branches of a split.
    fn merge<const W: usize>(&mut self, starts: Starts, field: u32, sides: &[LiteralMask; 2]) -> Result<()> {
        let (n, space) = (self.algebra.words(), self.algebra.space());
        let second = self.starts.pop().unwrap_or_default();
        let first = self.starts.last().copied().unwrap_or_default();
        let Self { algebra, budget, columns, nodes, made, equal, lists, work, .. } = self;
        // A literal of several parts takes a pass over its columns; binary literals end the test of a cube soon.
        *work += ((made.len() - first) / n) as u64 * columns.work(space.inputs() - space.binary_inputs());
        let (v, words) = (columns.variable(field) as usize, columns.words);
        let (alive, region) = nodes[starts.node..starts.node + words + n].split_at(words);
        let (mut fixed, mut rest) = ([0; W], vec![0; if W == 0 { words } else { 0 }]);
        let rest = if W == 0 { &mut rest[..] } else { &mut fixed[..] };
        equal.clear(algebra, v);
        for (of_first, range) in [(true, first..second), (false, second..made.len())] {
            let literal = &sides[usize::from(!of_first)];
            // The part of the other branch, if there is just one.
            let other = (v < space.binary_inputs()).then(|| columns.pair(field)[usize::from(!of_first)]);
            for at in range.step_by(n) {
                if (at / n).is_multiple_of(MERGED_A_REPORT) {
                    budget.report(*lists)?;
                }
                let cube = &mut made[at..at + n];
                if let Some(other) = other {
                    let beyond = rest.iter_mut().zip(alive).zip(columns.lacks(other));
                    beyond.for_each(|((rest, alive), lacks)| *rest = alive & !lacks);
                    if is_hit::<W>(columns, algebra, cube, v, rest) {
                        equal.add(at);
                    } else {
                        literal.restrict(cube);
                    }
                    continue;
                }
                literal.restrict(cube);
                equal.add(at);
                // Lifted outputs would only make the cubes overlap more.
                if v < space.inputs() {
                    rest.copy_from_slice(alive);
                    is_hit::<W>(columns, algebra, cube, v, rest);
                    let is_free =
                        |&(column, bit): &_| has(region, bit as usize) && columns.all_lack(rest, column);
                    columns.parts(field).filter(is_free).for_each(|(_, bit)| add(cube, bit as usize));
                }
            }
        }
        equal.unite(n, made, first);
        Ok(())
    }

    /// Splits a list that is weakly unate in the variable of a field. At the parts that all cubes depending on the variable lack,
    /// only the other cubes count. At the remaining parts all cubes count; the complement of all cubes also holds at the lacked
    /// parts, so it needs no literal of the variable.
    fn split_unate(&mut self, starts: Starts, at: usize) {
        let (n, words, space) = (self.algebra.words(), self.columns.words, self.algebra.space());
        let field = self.open.remove(starts.open + at);
        let columns = &self.columns;
        let v = columns.variable(field) as usize;
        let (alive, region) = self.nodes[starts.node..starts.node + words + n].split_at(words);
        let mut depends = vec![0; words];
        columns.lacking::<0>(field, |column| has(region, columns.bit(column) as usize), alive, &mut depends);
        let is_lacked = |&(column, bit): &_| has(region, bit as usize) && columns.all_lack(&depends, column);
        let bits = columns.parts(field).filter(is_lacked);
        let lacked = LiteralMask::of_bits(space, v, &bits.map(|(_, bit)| bit).collect::<Vec<_>>());
        let rest = lacked.others(space, v, region);
        let others =
            self.push_sides(starts, field, [lacked, rest], |[lacked, _]| Task::Unite { starts, lacked });
        // No cube of the first side depends on the variable.
        self.open.truncate(others);
    }

    /// Unites the last two lists: the complements of the few cubes and of all cubes. Cubes of the first list within a cube of the
    /// second are dropped.
    fn unite(&mut self, lacked: &LiteralMask) -> Result<()> {
        let n = self.algebra.words();
        let second = self.starts.pop().unwrap_or_default();
        let first = self.starts.last().copied().unwrap_or_default();
        let (few, all) = self.made[first..].split_at_mut(second - first);
        few.chunks_exact_mut(n).for_each(|cube| lacked.restrict(cube));
        let pairs = (few.len() / n).saturating_mul(all.len() / n);
        if pairs > MOST_PAIRS {
            return Ok(());
        }
        self.budget.spend((pairs / 64) as u64, self.lists)?;
        let is_kept = |cube: &[u64]| !all.chunks_exact(n).any(|other| self.algebra.contains(other, cube));
        let kept: Vec<bool> = few.chunks_exact(n).map(is_kept).collect();
        retain(&mut self.made, n, first, |i, _| kept.get(i).is_none_or(|&kept| kept));
        Ok(())
    }
}

/// One pass over the fields `open[start..]`: removes the fields that no cube of `alive` depends on, and finds the fields to
/// split. `one` becomes the mask of the cubes with a literal. Only parts in `region` count.
fn survey<const W: usize>(
    columns: &CubeColumns,
    space: &Space,
    [alive, region]: [&[u64]; 2],
    open: &mut Vec<u32>,
    start: usize,
    one: &mut Vec<u64>,
) -> Survey {
    let words = if W == 0 { columns.words } else { W };
    let alive = &alive[..words];
    one.clear();
    one.resize(words, 0);
    let one = &mut one[..words];
    let (mut found, mut to) = (Survey::default(), start);
    let mut depends = vec![0; if W == 0 { words } else { 0 }];
    let left = count(alive);
    for at in start..open.len() {
        let field = open[at];
        let v = columns.variable(field) as usize;
        let (active, is_binate) = if v < space.binary_inputs() {
            let [low, high] = columns.pair(field);
            let (low, high) = (&columns.lacks(low)[..words], &columns.lacks(high)[..words]);
            let (mut some_low, mut some_high) = (0, 0);
            for i in 0..words {
                let (low, high) = (low[i] & alive[i], high[i] & alive[i]);
                some_low |= low;
                some_high |= high;
                one[i] |= low | high;
            }
            let is_binate = some_low != 0 && some_high != 0;
            // A unate field is split only if there is no binate field, and too many cubes.
            let active = if is_binate || found.split.is_none() && left > 64 {
                (0..words).map(|i| ((low[i] | high[i]) & alive[i]).count_ones()).sum()
            } else {
                u32::from(some_low | some_high != 0)
            };
            (active, is_binate)
        } else {
            let mut fixed = [0; W];
            let depends = if W == 0 { &mut depends[..] } else { &mut fixed[..] };
            columns.lacking::<W>(field, |column| has(region, columns.bit(column) as usize), alive, depends);
            one.iter_mut().zip(&*depends).for_each(|(one, depends)| *one |= depends);
            let is_lacked = |(column, bit)| has(region, bit as usize) && columns.all_lack(depends, column);
            let is_unate = v < space.inputs() && columns.parts(field).any(is_lacked);
            let active = count(depends);
            found.has_multi |= active > 0;
            (active, !is_unate)
        };
        if active == 0 {
            continue;
        }
        let best = if is_binate { &mut found.split } else { &mut found.unate };
        let is_output = v == space.inputs();
        if is_output || best.is_none_or(|(_, most)| active > most) {
            *best = Some((to - start, if is_output { u32::MAX } else { active }));
        }
        open[to] = field;
        to += 1;
    }
    open.truncate(to);
    found
}

/// Whether `cube` is disjoint from each of the cubes `rest` in an input other than `v`. The cubes from which it is not disjoint
/// stay in `rest`.
#[inline]
fn is_hit<const W: usize>(
    columns: &CubeColumns,
    algebra: &CubeAlgebra,
    cube: &[u64],
    v: usize,
    rest: &mut [u64],
) -> bool {
    let space = algebra.space();
    let words = if W == 0 { columns.words } else { W };
    let rest = &mut rest[..words];
    for (word, (&full, &own)) in space.full().iter().zip(cube).enumerate() {
        let tops = algebra.binary[word];
        for bit in ones((full & !own) & (tops | tops >> 1)) {
            // The other part of the pair is the one that the cube has.
            let lacks = &columns.lacks(columns.column(word * 64 + (bit ^ 1)))[..words];
            let mut left = 0;
            for i in 0..words {
                rest[i] &= !lacks[i];
                left |= rest[i];
            }
            if left == 0 {
                return true;
            }
        }
    }
    for other in (space.binary_inputs()..space.inputs()).filter(|&other| other != v) {
        let variable = &space.variables()[other];
        if Space::literal_is_full(variable, cube) {
            continue;
        }
        let mut apart = vec![u64::MAX; words];
        for bit in variable.bits_in(cube) {
            let lacks = columns.lacks(columns.column(bit));
            apart.iter_mut().zip(lacks).for_each(|(apart, lacks)| *apart &= lacks);
        }
        rest.iter_mut().zip(&apart).for_each(|(rest, apart)| *rest &= !apart);
    }
    rest.iter().all(|&rest| rest == 0)
}
