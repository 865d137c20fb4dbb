//! Cubes turned into bit columns, 64 cubes at a time.

use crate::cube::bits::ones;

/// With fewer rows, the bits are moved one by one.
const FEW_ROWS: usize = 24;

/// Calls `column(bit, word, rows)` with the columns of a flat list of rows of `n` words: bit k of `rows` is set if row
/// 64 `word` + k has `bit`. Empty words are left out; a word may come in several calls, each with some of its bits.
pub(crate) fn transpose(n: usize, rows: &[u64], mut column: impl FnMut(usize, usize, u64)) {
    let mut block = [0; 64];
    for (number, rows) in rows.chunks(64 * n).enumerate() {
        for word in 0..n {
            let cells = || rows.iter().skip(word).step_by(n);
            if rows.len() < FEW_ROWS * n {
                for (row, &cell) in cells().enumerate() {
                    ones(cell).for_each(|bit| column(word * 64 + bit, number, 1 << row));
                }
                continue;
            }
            let some = cells().fold(0, |some, cell| some | cell);
            if some == 0 {
                continue;
            }
            block.fill(0);
            block.iter_mut().zip(cells()).for_each(|(to, &cell)| *to = cell);
            transpose_block(&mut block);
            ones(some).for_each(|bit| column(word * 64 + bit, number, block[bit]));
        }
    }
}

/// Exchanges rows and columns of a matrix of bits, by exchanging ever smaller blocks.
fn transpose_block(block: &mut [u64; 64]) {
    let (mut size, mut mask) = (32, u64::MAX >> 32);
    while size > 0 {
        for pair in block.chunks_exact_mut(2 * size) {
            let (low, high) = pair.split_at_mut(size);
            for (low, high) in low.iter_mut().zip(high) {
                let moved = (*low >> size ^ *high) & mask;
                *low ^= moved << size;
                *high ^= moved;
            }
        }
        size /= 2;
        mask ^= mask << size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::draw;

    #[test]
    fn columns_have_the_bits_of_the_rows() {
        for (len, sparse) in [(0, 0), (1, 0), (64, 3), (64, 0), (150, 0), (150, 4)] {
            for n in 1..3 {
                let word = |i: u64| (0..=sparse).fold(u64::MAX, |word, k| word & draw(k, i));
                let rows: Vec<u64> = (0..len * n as u64).map(word).collect();
                let mut columns = vec![0; n * 64 * 3];
                transpose(n, &rows, |bit, word, some| columns[bit * 3 + word] |= some);
                for (row, cube) in rows.chunks_exact(n).enumerate() {
                    for bit in 0..n * 64 {
                        let is_set = columns[bit * 3 + row / 64] >> (row % 64) & 1;
                        assert_eq!(is_set, cube[bit / 64] >> (bit % 64) & 1);
                    }
                }
            }
        }
    }
}
