//! The generator's word operations compared with an independent rules library: legality, moves, un-moves and look-ups of
//! conversions.
//!
//! The operations do not depend on real outcomes, so the sets of won positions and the sub-tables are random. Random outcomes
//! show a wrong square, word, symmetry or colour. All words of materials of up to three men are tested, and a sample of the
//! words of larger ones.

use super::block_moves::BlockMoves;
use super::conversion_values::ConversionTables;
use super::conversions::Conversions;
use super::frozen::index::Index;
use super::frozen::radix::BlockPieces;
use crate::chess::position::{
    Bitboard, Color, DoublePush, MAX_MEN, Man, Material, Position, Role, Square, Symmetry, Wdl, attacks,
};
use crate::chess::retrograde::Table;
use crate::retrograde::Set;
use crate::retrograde::bits::ones;
use crate::retrograde::game::Numbering as _;
use crate::retrograde::rules::{ConversionPlies, Conversions as _, Moves as _};
use crate::retrograde::table::{Distances, Metric, Side, write_word};
use rayon::prelude::*;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

#[path = "../../../tests/retrograde/rules_library.rs"]
mod rules_library;

/// A sub-table of more slots stays empty, and conversions to it are not compared.
const MOST_SLOTS: u64 = 1 << 23;

/// All materials of up to four men, and some of five. Among them are two identical pawns beside an en-passant pawn.
fn materials() -> Vec<Material> {
    let five = ["KRRvKN", "KPPvKP", "KNPvKP", "KQPvKR"].map(|name| name.parse().unwrap());
    (2..=4).flat_map(Material::all).chain(five).collect()
}

/// A hash of `number`: the finalizer of splitmix64.
fn hashed(number: u64) -> u64 {
    let mixed = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// The sides to move and words to test: all for up to three men, otherwise `wanted` of the main block, `wanted` of the
/// en-passant block, and some rare ones.
fn words(moves: &BlockMoves, wanted: u64) -> Vec<(Color, u64)> {
    let (main, all) = (moves.index.main_words(), moves.index.words());
    let of_both = |words: &mut dyn Iterator<Item = u64>| -> Vec<(Color, u64)> {
        words.flat_map(|word| Color::BOTH.map(|turn| (turn, word))).collect()
    };
    if moves.index.material().len() <= 3 {
        return of_both(&mut (0..all));
    }
    let some = |from: u64, to: u64| {
        let chosen = (0..wanted).map(move |i| from + hashed(i ^ all) % (to - from).max(1));
        chosen.filter(move |_| from < to)
    };
    let mut words = of_both(&mut some(0, main).chain(some(main, all)));
    let rare = of_both(&mut (0..all)).into_iter().filter(|&(turn, word)| is_rare(moves, turn, word));
    words.extend(rare.step_by(97).take(60));
    words
}

/// Whether two pawns can capture en passant in a word, or a pawn can capture on the last rank.
fn is_rare(moves: &BlockMoves, turn: Color, word: u64) -> bool {
    let material = moves.index.material();
    let men = moves.index.men(turn, word);
    let pawns =
        men.placed(material).filter(|&(_, man, _)| man == Man::new(turn, Role::Pawn)).map(|(.., on)| on);
    if let Some(file) = men.en_passant {
        let passed = DoublePush::new(turn.other(), file).passed;
        return pawns.filter(|&from| attacks::pawn(turn, from).contains(passed)).count() == 2;
    }
    let others = men.placed(material).filter(|(_, man, _)| man.color != turn).map(|(.., on)| on);
    let others: Bitboard =
        others.filter(|on| on.rank() == if turn == Color::White { 7 } else { 0 }).collect();
    pawns.into_iter().any(|from| !(attacks::pawn(turn, from) & others).is_empty())
}

/// The position with the black king on square number `bit` in the word of `men`, legal or not.
fn position(material: &Material, turn: Color, men: &BlockPieces, bit: usize) -> Position {
    let mut squares = men.squares;
    squares[1] = Square::new(bit as u8);
    Position::new(*material, &squares[..material.len()], turn, men.en_passant)
}

/// The words and bits of a position in the generator's sets: several with the white king on the diagonal.
fn slots(moves: &BlockMoves, position: &Position) -> Vec<(u64, u64)> {
    let has_pawns = position.material().has_pawns();
    let symmetries = if has_pawns { &Symmetry::WITH_PAWNS[..] } else { &Symmetry::ALL };
    let anchors = |king: Square| king.file() < 4 && (has_pawns || king.rank() <= king.file());
    let images = symmetries.iter().map(|&symmetry| position.transformed(symmetry));
    let slot = |image: Position| {
        let mut squares = [Square::default(); MAX_MEN];
        squares[..image.squares().len()].copy_from_slice(image.squares());
        let word = match image.en_passant() {
            None => moves.index.word(squares),
            Some(file) => moves.index.en_passant_word(image.turn(), squares, file).unwrap(),
        };
        (word, 1 << image.king(Color::Black).index())
    };
    images.filter(|image| anchors(image.king(Color::White))).map(slot).collect()
}

/// Whether the position is picked at random, with all its images: about one in `share` is.
fn is_picked(moves: &BlockMoves, position: &Position, share: u64) -> bool {
    let slot = slots(moves, position)
        .into_iter()
        .map(|(word, bit)| word * 64 + u64::from(bit.trailing_zeros()))
        .min();
    hashed(slot.unwrap() ^ position.turn().index() as u64).is_multiple_of(share)
}

/// The positions after moves that are neither captures nor promotions.
fn quiet(position: &Position) -> impl Iterator<Item = Position> {
    let material = *position.material();
    rules_library::children(position).into_iter().filter(move |child| *child.material() == material)
}

#[test]
fn legality_and_check() {
    for material in materials() {
        let moves = BlockMoves::new(&material);
        words(&moves, 100).into_par_iter().for_each(|(turn, word)| {
            let men = moves.index.men(turn, word);
            let [mut legal, mut safe] = [0_u64; 2];
            for bit in 0..64 {
                let position = position(&material, turn, &men, bit);
                let Some(board) = rules_library::legal_board(&position) else { continue };
                let pawn = Man::new(turn, Role::Pawn);
                let is_here = men.en_passant.is_none_or(|file| {
                    // If two pawns are beside the pushed one, the code has the left one, which is the last of its group here.
                    let pawns =
                        || position.placed().filter(|&(man, _)| man == pawn).map(|(_, square)| square);
                    let rank = DoublePush::new(turn.other(), file).target.rank();
                    let beside =
                        pawns().filter(|on| on.rank() == rank && on.file().abs_diff(file) == 1).min();
                    rules_library::position(&board).en_passant() == Some(file) && pawns().last() == beside
                });
                legal |= u64::from(is_here) << bit;
                safe |= u64::from(board.checkers().is_empty()) << bit;
            }
            assert_eq!(moves.legal(turn, word, &men), legal, "{material} {turn:?} {men:?}");
            let found = moves.legality(&men).safe[turn.index()];
            assert_eq!(found & legal, safe & legal, "{material} {turn:?} {men:?}");
        });
    }
}

/// All positions except picked ones count as won. A position is lost if no move within the table leads to a picked position.
#[test]
fn moves() {
    for material in materials() {
        let moves = BlockMoves::new(&material);
        let sets = Color::BOTH.map(|_| Set::new(moves.index.words() as usize, None).unwrap());
        for set in &sets {
            (0..moves.index.words()).for_each(|word| set.put(word, u64::MAX));
        }
        let looked_at: Vec<_> = words(&moves, 50)
            .into_par_iter()
            .map(|(turn, word)| {
                let men = moves.index.men(turn, word);
                let legal = moves.legal(turn, word, &men);
                let mut lost = legal;
                for bit in ones(legal) {
                    for child in quiet(&position(&material, turn, &men, bit)) {
                        if is_picked(&moves, &child, 12) {
                            lost &= !(1 << bit);
                            for (word, bit) in slots(&moves, &child) {
                                sets[turn.other().index()].remove(word, bit);
                            }
                        }
                    }
                }
                (turn, word, legal, lost)
            })
            .collect();
        for (turn, word, legal, lost) in looked_at {
            let found = moves.lost(turn, word, legal, &sets[turn.other().index()]);
            assert_eq!(found, lost, "{material} {turn:?} {:?}", moves.index.men(turn, word));
        }
    }
}

/// Un-moves of picked positions mark exactly the positions of a word that have a move to a picked position. A sample of the marks
/// in other words is right too.
#[test]
fn unmoves() {
    for material in materials() {
        let moves = BlockMoves::new(&material);
        words(&moves, 24).into_par_iter().for_each(|(turn, word)| {
            let men = moves.index.men(turn, word);
            let legal = moves.legal(turn, word, &men);
            let mut picked = HashMap::<u64, u64>::new();
            let mut leading = 0_u64;
            for bit in ones(legal) {
                for child in quiet(&position(&material, turn, &men, bit)) {
                    if is_picked(&moves, &child, 6) {
                        leading |= 1 << bit;
                        for (word, bit) in slots(&moves, &child) {
                            *picked.entry(word).or_default() |= bit;
                        }
                    }
                }
            }
            // Other picked positions of the same words, so that a wrong mark shows.
            for (&word, picked) in &mut picked {
                let men = moves.index.men(turn.other(), word);
                for bit in ones(moves.legal(turn.other(), word, &men) & hashed(word)) {
                    if is_picked(&moves, &position(&material, turn.other(), &men, bit), 6) {
                        *picked |= 1 << bit;
                    }
                }
            }
            let marked = Cell::new(0);
            let elsewhere = RefCell::new(Vec::new());
            for (&from, &bits) in &picked {
                moves.unmove(turn.other(), from, bits, &|at, bits| {
                    if at == word {
                        marked.set(marked.get() | bits);
                    } else if hashed(at ^ from).is_multiple_of(if material.has_en_passant() {
                        16
                    } else {
                        128
                    }) {
                        elsewhere.borrow_mut().push((at, bits));
                    }
                });
            }
            assert_eq!(marked.get() & legal, leading, "{material} {turn:?} {men:?}");
            for (at, bits) in elsewhere.into_inner() {
                let men = moves.index.men(turn, at);
                for bit in ones(bits & moves.legal(turn, at, &men)) {
                    let before = position(&material, turn, &men, bit);
                    assert!(quiet(&before).any(|child| is_picked(&moves, &child, 6)), "{before:?}");
                }
            }
        });
    }
}

/// A table of random values; empty if it would have more than [`MOST_SLOTS`].
fn random_table(material: &Material, metric: Metric) -> Arc<Table> {
    let moves = BlockMoves::new(material);
    if moves.index.len() > MOST_SLOTS {
        return Arc::new(Table::from_sides(Index::new(material), metric, Vec::new()));
    }
    let side = |&turn: &Color| {
        let word = |word: u64| {
            let men = moves.index.men(turn, word);
            let slots = moves.legal(turn, word, &men) & men.canonical(material);
            let [one, other] = [0, 2].map(|salt| hashed(4 * word + salt + turn.index() as u64));
            let mut bytes = [0; 16];
            write_word(&mut bytes, [slots & one, slots & !one & other, slots & !one & !other]);
            bytes
        };
        let outcomes: Vec<[u8; 16]> = (0..moves.index.words()).into_par_iter().map(word).collect();
        let plies: Vec<u8> = (0..moves.index.len()).into_par_iter().map(|slot| hashed(slot) as u8).collect();
        Side {
            outcomes: outcomes.into_flattened().into(),
            distances: Distances { width: 1, bytes: plies.into() },
        }
    };
    let sides = material.stored_turns().iter().map(side).collect();
    Arc::new(Table::from_sides(moves.index, metric, sides))
}

/// Compares look-ups of the conversions of whole words with look-ups of the library's captures and promotions one by one.
fn assert_conversions(material: &Material, metric: Metric) {
    let moves = BlockMoves::new(material);
    let conversions = Conversions::new(material);
    let tables: Vec<_> = conversions.materials().iter().map(|below| random_table(below, metric)).collect();
    let by_material: HashMap<Material, Arc<Table>> =
        tables.iter().map(|table| (*table.material(), Arc::clone(table))).collect();
    let is_whole = tables.iter().all(|table| !table.sides().is_empty());
    let tables = ConversionTables::new(material, tables);
    words(&moves, 60).into_par_iter().for_each(|(turn, word)| {
        let men = moves.index.men(turn, word);
        let among = moves.legal(turn, word, &men);
        let mut expected = [0_u64; 3];
        let mut wanted = ConversionPlies::<u64>::new(metric);
        for bit in ones(among) {
            let position = position(material, turn, &men, bit);
            for child in rules_library::children(&position) {
                if child.material() == material {
                    continue;
                }
                let Some((wdl, below)) = by_material[child.material()].value_and_distance(&child) else {
                    assert!(!is_whole, "{child:?}");
                    continue;
                };
                let plies = if metric == Metric::Dtc { 1 } else { below as u16 + 1 };
                expected[wdl.index()] |= 1 << bit;
                match wdl {
                    Wdl::Loss => wanted.shortest[bit] = wanted.shortest[bit].min(plies),
                    Wdl::Draw => {}
                    Wdl::Win => wanted.longest[bit] = wanted.longest[bit].max(plies),
                }
            }
        }
        let mut found_plies = ConversionPlies::new(metric);
        let found = tables.values(turn, &men, among, Some(&mut found_plies));
        assert_eq!(found, [expected[2], expected[1], expected[0]], "{material} {turn:?} {men:?}");
        assert_eq!(found_plies.shortest, wanted.shortest, "{material} {turn:?} {men:?}");
        assert_eq!(found_plies.longest, wanted.longest, "{material} {turn:?} {men:?}");
    });
}

#[test]
fn conversions() {
    // Few materials of each kind, as each takes a second. Promotions of five men lead to tables over the limit.
    for name in
        ["KQvK", "KPvK", "KQvKR", "KNvKN", "KRRvK", "KPvKP", "KPPvK", "KQvKP", "KNvKP", "KRRvKN", "KPPvKP"]
    {
        assert_conversions(&name.parse().unwrap(), Metric::Dtm);
    }
    assert_conversions(&"KPvKN".parse().unwrap(), Metric::Dtc);
}

#[test]
fn materials_are_listed_after_those_they_promote_to() {
    for men in 3..=5 {
        let all = Material::all(men);
        for (i, material) in all.iter().enumerate() {
            let conversions = Conversions::new(material);
            let mut below = conversions.materials().iter().filter(|below| below.len() == men);
            assert!(below.all(|below| all[..i].contains(below)), "{material}");
        }
    }
    let conversions = Conversions::new(&"KPvKN".parse().unwrap());
    let mut names: Vec<_> = conversions.materials().iter().map(ToString::to_string).collect();
    names.sort_unstable();
    assert_eq!(names.join(" "), "KBvK KBvKN KNvK KNvKN KPvK KQvK KQvKN KRvK KRvKN");
}

/// Five-man positions in which an en-passant capture is the only move. Without the capture they are stalemate.
#[test]
fn an_en_passant_capture_relieves_a_stalemate() {
    for fen in ["8/K7/8/k7/Pp6/1P6/8/8 b - a3 0 1", "8/1K6/8/k7/1pP5/1P6/8/8 b - c3 0 1"] {
        let relieved = Position::from_fen(fen).unwrap();
        let material = *relieved.material();
        let moves = BlockMoves::new(&material);
        let conversions = Conversions::new(&material);
        let tables = conversions.materials().iter().map(|below| random_table(below, Metric::Wdl)).collect();
        let tables = ConversionTables::new(&material, tables);
        let turn = relieved.turn();
        // Only illegal positions count as won.
        let won = Set::new(moves.index.words() as usize, None).unwrap();
        (0..moves.index.words()).into_par_iter().for_each(|word| {
            won.put(word, !moves.legal(turn.other(), word, &moves.index.men(turn.other(), word)));
        });
        for (position, has_conversion) in [(relieved, true), (relieved.with_en_passant(None), false)] {
            let (word, bit) = slots(&moves, &position)[0];
            let men = moves.index.men(turn, word);
            let values = tables.values(turn, &men, bit, None);
            assert_eq!(values.iter().fold(0, |all, of| all | of), if has_conversion { bit } else { 0 });
            assert_eq!(moves.lost(turn, word, bit, &won), bit, "no quiet move: {fen}");
            assert_eq!(moves.legality(&men).safe[turn.index()] & bit, bit, "no check: {fen}");
        }
    }
}
