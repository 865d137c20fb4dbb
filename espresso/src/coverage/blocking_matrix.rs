//! The blocking matrix of one expansion: the limits to the growth of a cube.
//!
//! In Brayton et al. 1984, section 4.3.1, each blocking cube has one row, which gives the variables in which it is disjoint
//! from the growing cube. Departure: a row is itself a cube. In each variable in which the blocking cube is disjoint from the
//! growing cube, the row has the blocking cube's literal, restricted to the parts within reach. In the other variables the row
//! has all parts. A row within another row is then redundant: a cube disjoint from the larger row is disjoint from the smaller
//! one. Redundant rows are dropped, which leaves about a dozen rows of a thousand blocking cubes.

use crate::Result;
use crate::cube::cube_algebra::CubeAlgebra;

/// Rows of a group, which are tested together.
const FAN: usize = 16;

/// Rows compared with all others between two calls of the monitor.
pub(super) const ROWS_A_REPORT: usize = 256;

/// The rows; reusable for the next expansion.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockingMatrix {
    pub(crate) rows: Vec<u64>,
    /// The complements of the rows kept so far, in groups.
    lacking: Vec<u64>,
    /// The numbers of the rows; rows with more parts come first.
    order: Vec<u32>,
    sizes: Vec<u32>,
    spare: Vec<u64>,
    /// The complement of one row.
    lacked: Vec<u64>,
}

impl BlockingMatrix {
    /// Adds a blocking cube that does not intersect `raise`.
    pub(crate) fn add(&mut self, algebra: &CubeAlgebra, block: &[u64], raise: &[u64], reach: &[u64]) {
        let start = self.rows.len();
        self.rows.extend_from_slice(algebra.space().full());
        let row = &mut self.rows[start..];
        for w in 0..algebra.words() {
            let tops = algebra.fields[w].empty(block[w] & raise[w]);
            row[w] &= !algebra.spread(w, tops) | block[w] & reach[w];
        }
        for &v in &algebra.straddling {
            let variable = &algebra.space().variables()[v];
            if variable.slots.iter().all(|slot| block[slot.word] & raise[slot.word] & slot.mask == 0) {
                for slot in &variable.slots {
                    row[slot.word] &= !slot.mask | block[slot.word] & reach[slot.word];
                }
            }
        }
    }

    /// Updates the matrix after parts were raised. In a variable in which a row now intersects `raise`, the row gets all parts.
    /// Then drops the rows within other rows, as [`BlockingMatrix::absorb`].
    pub(crate) fn refresh(
        &mut self,
        algebra: &CubeAlgebra,
        raise: &[u64],
        reach: &[u64],
        report: &dyn Fn() -> Result<()>,
    ) -> Result<()> {
        let old = std::mem::take(&mut self.rows);
        self.rows = std::mem::take(&mut self.spare);
        self.rows.clear();
        old.chunks_exact(algebra.words()).for_each(|row| self.add(algebra, row, raise, reach));
        self.spare = old;
        self.absorb(algebra, report)
    }

    /// Drops the rows within other rows. Calls `report` now and then, and returns its error. O(rows · rows kept) words.
    pub(crate) fn absorb(&mut self, algebra: &CubeAlgebra, report: &dyn Fn() -> Result<()>) -> Result<()> {
        let n = algebra.words();
        self.sort_by_size(n);
        let size = FAN * n;
        self.lacking.clear();
        self.spare.clear();
        let mut kept = 0;
        for (done, &at) in self.order.iter().enumerate() {
            if done % ROWS_A_REPORT == ROWS_A_REPORT - 1 {
                report()?;
            }
            let row = &self.rows[at as usize * n..(at as usize + 1) * n];
            self.lacked.clear();
            self.lacked.extend(row.iter().map(|word| !word));
            // A kept row contains this one if the complement of the kept row lies within the complement of this one.
            if self.lacking.chunks_exact(size).any(|group| contains_any(group, &self.lacked)) {
                continue;
            }
            if kept % FAN == 0 {
                self.lacking.resize(self.lacking.len() + size, u64::MAX);
            }
            let group = &mut self.lacking[kept / FAN * size..];
            (0..n).for_each(|w| group[w * FAN + kept % FAN] = self.lacked[w]);
            self.spare.extend_from_slice(row);
            kept += 1;
        }
        std::mem::swap(&mut self.rows, &mut self.spare);
        Ok(())
    }

    fn sort_by_size(&mut self, n: usize) {
        let size = |row: &[u64]| row.iter().map(|word| word.count_zeros()).sum::<u32>() as usize;
        self.sizes.clear();
        self.sizes.resize(n * 64 + 1, 0);
        self.rows.chunks_exact(n).for_each(|row| self.sizes[size(row)] += 1);
        let mut first = 0;
        for count in &mut self.sizes {
            first += std::mem::replace(count, first);
        }
        self.order.clear();
        self.order.resize(self.rows.len() / n, 0);
        for (i, row) in self.rows.chunks_exact(n).enumerate() {
            let place = &mut self.sizes[size(row)];
            self.order[*place as usize] = i as u32;
            *place += 1;
        }
    }
}

/// Whether some cube of a group lies within `cube`. The group has the first words of all its cubes, then the second words, ...
fn contains_any(group: &[u64], cube: &[u64]) -> bool {
    let mut excess = [0u64; FAN];
    for (group, &cube) in group.chunks_exact(FAN).zip(cube) {
        (0..FAN).for_each(|j| excess[j] |= group[j] & !cube);
    }
    excess.contains(&0)
}
