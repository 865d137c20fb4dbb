//! Looks up the table for the men on a board, and the numbering of these men. Every probe needs both.
//!
//! The men are counted, four bits for each colour and role. The counts are the key of a small hash table with open
//! addressing. It has an entry for each material, and one for the material with the colours exchanged. An entry gives the first
//! number of the men of each kind.

use crate::chess::position::{Bitboard, Color, MAX_MEN, Material, PackedSquares, Role};

/// The tables by the men on the board.
#[derive(Debug)]
pub(super) struct MaterialIndex {
    /// The number of slots is a power of two; most slots are empty.
    slots: Vec<Slot>,
    hash: Hash,
}

/// The hash of counts: the high bits of a product.
#[derive(Clone, Copy, Debug)]
struct Hash {
    multiplier: u64,
    shift: u32,
}

/// The number of multipliers tried, and the most entries for which more than one multiplier is tried. With three slots of four
/// empty, the best multiplier for the tables of four men has at most one collision. More tables collide with every multiplier.
const MULTIPLIERS: u64 = 64;
const MAX_SEARCHED: usize = 128;

impl Hash {
    /// Returns the hash into `slots` slots, a power of two, with the fewest collisions between `counts`. A collision costs a
    /// mispredicted branch.
    fn best(counts: &[u64], slots: usize) -> Self {
        let shift = u64::BITS - slots.ilog2();
        let tried = if counts.len() > MAX_SEARCHED { 1 } else { MULTIPLIERS };
        let hashes = (1..=tried)
            .map(|number| Hash { multiplier: number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, shift });
        let sharing = |hash: &Hash| {
            let mut homes: Vec<usize> = counts.iter().map(|&counts| hash.home(counts)).collect();
            homes.sort_unstable();
            homes.windows(2).filter(|pair| pair[0] == pair[1]).count()
        };
        hashes.min_by_key(sharing).unwrap_or(Hash { multiplier: 1, shift })
    }

    #[inline]
    fn home(self, counts: u64) -> usize {
        (counts.wrapping_mul(self.multiplier) >> self.shift) as usize
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// The number of men of each kind, four bits a kind; 0 in an empty slot.
    counts: u64,
    /// The first number of the men of each kind, four bits a kind.
    numbers: u64,
    table: u32,
    /// Whether Black is the stronger side.
    exchanged: bool,
}

/// The number of a kind of men: three bits for the role, 1 to 6, and above them a bit for the colour.
const fn kind(color: Color, role: Role) -> usize {
    color.index() << 3 | (role as usize + 1)
}

impl MaterialIndex {
    /// Returns the index of `materials`. A table's number is its place in `materials`.
    pub(super) fn new<'a>(materials: impl ExactSizeIterator<Item = &'a Material>) -> Self {
        let mut found = Vec::with_capacity(2 * materials.len());
        for (table, material) in materials.enumerate() {
            for exchanged in [false, true] {
                let mut slot = Slot { table: table as u32, exchanged, ..Slot::default() };
                for (number, man) in material.men().iter().enumerate().rev() {
                    let color = if exchanged { man.color.other() } else { man.color };
                    let shift = 4 * kind(color, man.role);
                    slot.counts += 1 << shift;
                    slot.numbers = slot.numbers & !(15 << shift) | (number as u64) << shift;
                }
                // A symmetric material is its own exchange.
                if !(exchanged && material.is_symmetric()) {
                    found.push(slot);
                }
            }
        }
        let slots = (4 * found.len() + 2).next_power_of_two();
        let counts: Vec<u64> = found.iter().map(|slot| slot.counts).collect();
        let mut index =
            MaterialIndex { slots: vec![Slot::default(); slots], hash: Hash::best(&counts, slots) };
        for slot in found {
            let mut at = index.hash.home(slot.counts);
            while index.slots[at].counts != 0 {
                at = (at + 1) & (slots - 1);
            }
            index.slots[at] = slot;
        }
        index
    }

    /// Returns the number of the table for the men on the bitboards, their squares in the orientation and order of its
    /// material, and the side to move in this orientation. `None` when there is no table, or the bitboards are no board.
    #[inline]
    pub(super) fn find(
        &self,
        colors: [Bitboard; 2],
        roles: [Bitboard; 6],
        turn: Color,
    ) -> Option<(usize, PackedSquares, Color)> {
        let [white, black] = colors;
        let [kings, queens, rooks, bishops, knights, pawns] = roles;
        // The squares with a man of some role, and those where two roles or two colours meet.
        let (mut all, mut shared) = (Bitboard::EMPTY, white & black);
        for of_role in roles {
            shared |= all & of_role;
            all |= of_role;
        }
        if all != white | black || !shared.is_empty() {
            return None;
        }
        // The bits of the kinds' numbers.
        let bits = [kings | rooks | knights, queens | rooks | pawns, bishops | knights | pawns, black];
        let mut left = (white | black).0;
        let (mut men, mut counts) = (0, 0_u64);
        let mut found = [(0, 0); MAX_MEN];
        while left != 0 {
            let square = left.trailing_zeros();
            let bit = |number: usize| bits[number].0 >> square & 1;
            let shift = bit(0) << 2 | bit(1) << 3 | bit(2) << 4 | bit(3) << 5;
            *found.get_mut(men)? = (shift as u8, square as u8);
            counts += 1 << shift;
            men += 1;
            left &= left - 1;
        }
        let mut at = self.hash.home(counts);
        let slot = loop {
            let slot = self.slots.get(at)?;
            if slot.counts == 0 {
                return None;
            }
            if slot.counts == counts {
                break slot;
            }
            at = (at + 1) & (self.slots.len() - 1);
        };
        let (mut numbers, mut squares) = (slot.numbers, 0);
        for &(shift, square) in &found[..men] {
            squares |= u64::from(square) << (8 * (numbers >> shift & 7));
            numbers += 1 << shift;
        }
        let turn = if slot.exchanged { turn.other() } else { turn };
        Some((slot.table as usize, PackedSquares::of_bytes(squares).mirrored_if(slot.exchanged, men), turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::position::{Canonizer, CastlingRights, Position, Square};
    use proptest::prelude::*;

    fn bitboards(position: &Position) -> ([Bitboard; 2], [Bitboard; 6]) {
        let (colors, roles) = position.bitboards();
        (colors.map(Bitboard), roles.map(Bitboard))
    }

    /// The same with the colours exchanged.
    fn exchanged(colors: [Bitboard; 2], roles: [Bitboard; 6]) -> ([Bitboard; 2], [Bitboard; 6]) {
        let mirrored = |board: Bitboard| Bitboard(board.0.swap_bytes());
        ([mirrored(colors[1]), mirrored(colors[0])], roles.map(mirrored))
    }

    proptest! {
        #[test]
        fn men_are_found_as_in_the_checked_position(
            number in 0..151_usize,
            squares in prop::collection::hash_set(8..56_u8, 8),
            is_white: bool,
            is_exchanged: bool,
        ) {
            let large = ["KQQQvKRR", "KPPPvKPPP", "KQRBvKNP", "KNNNvKBBB", "KQRBNPvKP"].map(|name| name.parse().unwrap());
            let materials: Vec<Material> = (2..=5).flat_map(Material::all).chain(large).collect();
            prop_assert_eq!(materials.len(), 151);
            let index = MaterialIndex::new(materials.iter());
            let material = materials[number];
            let squares: Vec<Square> = squares.into_iter().take(material.len()).map(Square::new).collect();
            let turn = Color::BOTH[usize::from(is_white)];
            let (mut colors, mut roles) = bitboards(&Position::new(material, &squares, turn, None));
            let mut turn = turn;
            if is_exchanged {
                (colors, roles) = exchanged(colors, roles);
                turn = turn.other();
            }
            let found = index.find(colors, roles, turn);
            let Ok(position) = Position::from_bitboards(colors, roles, None, turn, CastlingRights::NONE) else {
                // The table is found for an illegal position too.
                prop_assert!(found.is_some_and(|(table, ..)| table == number));
                return Ok(());
            };
            let (table, mut packed, mut turn) = found.unwrap();
            prop_assert_eq!(table, number);
            if material.is_symmetric() && turn != position.turn() {
                (packed, turn) = (packed.colors_exchanged(material.len()), turn.other());
            }
            prop_assert_eq!(turn, position.turn());
            for anchor in 0..material.len() {
                let canonizer = Canonizer::new(&material, anchor);
                prop_assert_eq!(canonizer.canonical(packed, None), canonizer.canonical(position.packed(), None));
            }
        }

        #[test]
        fn bitboards_that_contradict_each_other_do_not_panic(
            colors in prop::array::uniform2(any::<u64>()),
            roles in prop::array::uniform6(any::<u64>()),
            thin in 0..64_u32,
        ) {
            let materials: Vec<Material> = (2..=4).flat_map(Material::all).collect();
            let keep = u64::MAX >> thin;
            let thinned = |board: u64| Bitboard(board & keep);
            let _ = MaterialIndex::new(materials.iter()).find(colors.map(thinned), roles.map(thinned), Color::White);
        }
    }

    #[test]
    fn a_material_without_a_table_is_not_found() {
        let materials = ["KQvK", "KRvK", "KRvKR"].map(|name| name.parse::<Material>().unwrap());
        let index = MaterialIndex::new(materials.iter());
        let find = |fen| {
            let position = Position::from_fen(fen).unwrap();
            let (colors, roles) = bitboards(&position);
            index.find(colors, roles, position.turn()).map(|(table, ..)| table)
        };
        assert_eq!(find("8/8/8/3k4/8/8/1Q6/K7 w - - 0 1"), Some(0));
        assert_eq!(find("8/8/8/3K4/8/8/1r6/k7 b - - 0 1"), Some(1));
        assert_eq!(find("8/8/8/3K4/8/8/1r5R/k7 w - - 0 1"), Some(2));
        assert_eq!(find("8/8/8/3K4/8/8/1n6/k7 w - - 0 1"), None);
        assert_eq!(find("8/8/8/3K4/8/8/1rr5/k7 w - - 0 1"), None);
        assert!(index.find([Bitboard::EMPTY; 2], [Bitboard::EMPTY; 6], Color::White).is_none());
    }
}
