//! Cubes of a flat list that are equal except for one variable, united by a hash table.

use crate::cube::cover::retain;
use crate::cube::cube_algebra::CubeAlgebra;

/// One comparison; reusable for the next.
#[derive(Debug, Default)]
pub(crate) struct EqualCubes {
    /// For each word the bits of all other variables.
    others: Vec<u64>,
    /// The cubes to compare, by their places.
    places: Vec<usize>,
    /// The hash table: the number of a cube in `places`, counted from 1, or 0.
    table: Vec<u32>,
    /// The numbers of the cubes that are equal to an earlier cube, counted from the first cube of the list.
    dropped: Vec<usize>,
}

impl EqualCubes {
    /// Starts a comparison of all variables but `v`.
    pub(crate) fn clear(&mut self, algebra: &CubeAlgebra, v: usize) {
        self.places.clear();
        self.others.clear();
        self.others.resize(algebra.words(), u64::MAX);
        for slot in &algebra.space().variables()[v].slots {
            self.others[slot.word] &= !slot.mask;
        }
    }

    /// Adds the cube at this place of the list; places ascend.
    pub(crate) fn add(&mut self, place: usize) {
        self.places.push(place);
    }

    /// Unites equal cubes among the added cubes. All of these are in `made`, from `first` on.
    pub(crate) fn unite(&mut self, n: usize, made: &mut Vec<u64>, first: usize) {
        let Self { others, places, table, dropped, .. } = self;
        if places.len() < 2 {
            return;
        }
        let size = 2 * places.len().next_power_of_two();
        table.clear();
        table.resize(size, 0);
        dropped.clear();
        for (number, &place) in places.iter().enumerate() {
            let cube = made[place..place + n].iter().zip(&*others);
            let hash = cube.fold(0u64, |hash, (cube, others)| {
                (hash.rotate_left(29) ^ cube & others).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            });
            let mut at = (hash >> 32) as usize & (size - 1);
            loop {
                let Some(found) = (table[at] as usize).checked_sub(1) else {
                    table[at] = number as u32 + 1;
                    break;
                };
                let found = places[found];
                if (0..n).all(|i| (made[found + i] ^ made[place + i]) & others[i] == 0) {
                    (0..n).for_each(|i| made[found + i] |= made[place + i]);
                    dropped.push((place - first) / n);
                    break;
                }
                at = (at + 1) & (size - 1);
            }
        }
        let mut dropped = dropped.iter().peekable();
        if dropped.peek().is_some() {
            retain(made, n, first, |i, _| dropped.next_if_eq(&&i).is_none());
        }
    }
}
