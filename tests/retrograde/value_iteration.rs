//! A second solver, from scratch: value iteration over the legal moves of the rules library.
//!
//! It shares with the generator neither moves, legality, numbering, symmetries nor order of work: positions are numbered
//! by all their squares, children are those that the library plays, and every sweep looks at every open position
//! forward. In sweep n a position is decided when its distance is n plies:
//!
//!     win   some child is lost, in n - 1 plies
//!     loss  all children are won, the last of them in n - 1 plies
//!
//! Children of another material count with their own distance (DTM), or end the count (DTC).

use super::rules_library;
use super::sampling::{small_materials, store, store_to_conversion};
use cozy_chess::Board;
use cubebase::position::{Color, Material, Position, Square, Wdl};
use cubebase::retrograde::{Metric, Table};
use rayon::prelude::*;
use std::collections::HashMap;

/// A position's value: 0 while open and when drawn, else 1 + 2 * distance, + 1 for a win.
type Value = u16;

fn value(wins: bool, plies: u16) -> Value {
    1 + 2 * plies + Value::from(wins)
}

/// Whether the side to move wins, and in how many plies; `None` for a draw.
fn meaning(value: Value) -> Option<(bool, u16)> {
    (value > 0).then(|| ((value - 1) % 2 == 1, (value - 1) / 2))
}

/// A numbering of the positions of a material: the turn, then the squares of its men. From four men on the board is
/// turned so that the white king is on files a to d, and without pawns on ranks 1 to 4.
struct Numbering {
    material: Material,
    turned: bool,
}

impl Numbering {
    fn new(material: Material) -> Self {
        Numbering { material, turned: material.len() > 3 }
    }

    fn king_squares(&self) -> usize {
        match (self.turned, self.material.has_pawns()) {
            (false, _) => 64,
            (true, true) => 32,
            (true, false) => 16,
        }
    }

    fn len(&self) -> usize {
        2 * self.king_squares() * 64_usize.pow(self.material.len() as u32 - 1)
    }

    /// The number of a board whose men are this material's, White's being White's, or with the colours exchanged.
    fn number(&self, board: &Board, turn: Color) -> usize {
        let mut squares = [0; 8];
        let mut at = 0;
        for group in self.material.groups() {
            let mut on = rules_library::men(board, self.material.men()[group.start]);
            while on != 0 {
                squares[at] = on.trailing_zeros() as usize;
                on &= on - 1;
                at += 1;
            }
        }
        assert_eq!(at, self.material.len());
        self.number_of(&mut squares[..at], turn)
    }

    fn number_of(&self, squares: &mut [usize], turn: Color) -> usize {
        let mut king = squares[0];
        if self.turned {
            let files = if king % 8 > 3 { 7 } else { 0 };
            let ranks = if king / 8 > 3 && !self.material.has_pawns() { 56 } else { 0 };
            squares.iter_mut().for_each(|square| *square ^= files ^ ranks);
            for group in self.material.groups() {
                squares[group].sort_unstable();
            }
            king = squares[0] / 8 * 4 + squares[0] % 8;
        }
        let head = turn.index() * self.king_squares() + king;
        squares[1..].iter().fold(head, |number, square| 64 * number + square)
    }

    /// The position of a number, whatever it is worth; `None` when its men are not sorted.
    fn position(&self, number: usize) -> Option<Position> {
        let mut squares = vec![Square::default(); self.material.len()];
        let mut rest = number;
        for square in squares[1..].iter_mut().rev() {
            *square = Square::new((rest % 64) as u8);
            rest /= 64;
        }
        let (king, turn) = (rest % self.king_squares(), rest / self.king_squares());
        squares[0] =
            if self.turned { Square::at(king as u8 % 4, king as u8 / 4) } else { Square::new(king as u8) };
        let sorted = self.material.groups().into_iter().all(|group| squares[group].is_sorted());
        sorted.then(|| Position::new(self.material, &squares, Color::BOTH[turn], None))
    }
}

/// The values of all positions of some materials.
struct Solver {
    metric: Metric,
    values: HashMap<Material, Vec<Value>>,
}

/// What a position leads to.
enum Child {
    /// A position of the same material, by number.
    Inside(u32),
    /// The value of a position of another material.
    Outside(Value),
}

const OUTSIDE: u32 = 1 << 31;
/// Numbers that one thread takes at a time.
const STRETCH: usize = 1 << 14;

impl Child {
    fn pack(self) -> u32 {
        match self {
            Child::Inside(number) => number,
            Child::Outside(value) => OUTSIDE | u32::from(value),
        }
    }

    fn unpack(packed: u32) -> Self {
        if packed & OUTSIDE == 0 { Child::Inside(packed) } else { Child::Outside(packed as Value) }
    }
}

/// A stretch of positions with their children.
struct Stretch {
    /// Number of a position, and where its children end.
    positions: Vec<(u32, u32)>,
    children: Vec<u32>,
    /// Positions that are mate.
    mates: Vec<u32>,
}

impl Stretch {
    /// The positions of the stretch that are decided in `sweep`.
    fn decided(&self, values: &[Value], sweep: u16) -> Vec<(u32, Value)> {
        let mut found = Vec::new();
        let mut first = 0;
        for &(number, end) in &self.positions {
            let children = &self.children[first as usize..end as usize];
            first = end;
            if values[number as usize] != 0 {
                continue;
            }
            let worth = |&child: &u32| match Child::unpack(child) {
                Child::Inside(number) => meaning(values[number as usize]),
                // Not before its time: a child that is won or lost later is open now.
                Child::Outside(value) => meaning(value).filter(|&(_, plies)| plies < sweep),
            };
            if children.iter().any(|child| matches!(worth(child), Some((false, _)))) {
                found.push((number, value(true, sweep)));
            } else if children.iter().all(|child| matches!(worth(child), Some((true, _)))) {
                found.push((number, value(false, sweep)));
            }
        }
        found
    }
}

impl Solver {
    fn new(metric: Metric) -> Self {
        Solver { metric, values: HashMap::new() }
    }

    /// Solves `material` and all that its moves lead to.
    fn solve(&mut self, material: Material) {
        if self.values.contains_key(&material) {
            return;
        }
        for below in below(&material) {
            self.solve(below);
        }
        let numbering = Numbering::new(material);
        let graph: Vec<Stretch> = (0..numbering.len().div_ceil(STRETCH))
            .into_par_iter()
            .map(|stretch| {
                let numbers = stretch * STRETCH..numbering.len().min((stretch + 1) * STRETCH);
                self.stretch(&numbering, numbers)
            })
            .collect();
        let mut values = vec![0; numbering.len()];
        for &mate in graph.iter().flat_map(|stretch| &stretch.mates) {
            values[mate as usize] = value(false, 0);
        }
        let outside = graph.iter().flat_map(|stretch| &stretch.children).filter_map(|&child| {
            let Child::Outside(value) = Child::unpack(child) else { return None };
            meaning(value).map(|(_, plies)| plies)
        });
        let last = outside.max().unwrap_or(0);
        let mut decided = graph.iter().map(|stretch| stretch.mates.len()).sum::<usize>();
        let mut sweep = 0;
        while decided > 0 || sweep <= last {
            sweep += 1;
            let found: Vec<(u32, Value)> =
                graph.par_iter().flat_map_iter(|stretch| stretch.decided(&values, sweep)).collect();
            decided = found.len();
            for (number, value) in found {
                values[number as usize] = value;
            }
        }
        self.values.insert(material, values);
    }

    /// The legal positions among `numbers`, with their children.
    fn stretch(&self, numbering: &Numbering, numbers: std::ops::Range<usize>) -> Stretch {
        let mut stretch = Stretch { positions: Vec::new(), children: Vec::new(), mates: Vec::new() };
        for number in numbers {
            let Some(board) =
                numbering.position(number).and_then(|position| rules_library::legal_board(&position))
            else {
                continue;
            };
            let turn = Color::BOTH[number / (numbering.len() / 2)];
            let first = stretch.children.len();
            board.generate_moves(|moves| {
                for played in moves {
                    let mut child = board.clone();
                    child.play_unchecked(played);
                    let stays = played.promotion.is_none() && board.color_on(played.to).is_none();
                    let child = if stays {
                        Child::Inside(numbering.number(&child, turn.other()) as u32)
                    } else {
                        Child::Outside(self.outside(&child))
                    };
                    stretch.children.push(child.pack());
                }
                false
            });
            if stretch.children.len() > first {
                stretch.positions.push((number as u32, stretch.children.len() as u32));
            } else if !board.checkers().is_empty() {
                stretch.mates.push(number as u32);
            }
        }
        stretch
    }

    /// The value of a board of another material.
    fn outside(&self, board: &Board) -> Value {
        let position = rules_library::position(board);
        assert_eq!(position.en_passant(), None, "these materials have pawns on one side only");
        let numbering = Numbering::new(*position.material());
        let mut squares: Vec<usize> = position.squares().iter().map(|square| square.index()).collect();
        let value = self.values[position.material()][numbering.number_of(&mut squares, position.turn())];
        match (self.metric, meaning(value)) {
            (Metric::Dtc, Some((wins, _))) => self::value(wins, 0),
            _ => value,
        }
    }

    /// Compares a table with the values, on every number.
    fn assert_agrees(&self, table: &Table) {
        let numbering = Numbering::new(*table.material());
        let values = &self.values[table.material()];
        let compared = (0..numbering.len()).into_par_iter().filter(|&number| {
            let Some(position) = numbering.position(number) else { return false };
            if rules_library::legal_board(&position).is_none() {
                assert!(!position.is_legal(), "{position:?}");
                return false;
            }
            let expected = match meaning(values[number]) {
                None => (Wdl::Draw, None),
                Some((true, plies)) => (Wdl::Win, Some(u32::from(plies))),
                Some((false, plies)) => (Wdl::Loss, Some(u32::from(plies))),
            };
            let found = (table.wdl(&position).unwrap(), table.distance(&position).unwrap());
            assert_eq!(found, expected, "{} {position:?}", table.metric());
            true
        });
        let (compared, canonical) = (compared.count() as u64, Color::BOTH.map(|turn| table.counts(turn)));
        assert!(compared >= canonical.as_flattened().iter().sum(), "{compared} positions");
    }
}

/// The materials that one capture or promotion leads to, from the definition: a man less, or a pawn that is another.
fn below(material: &Material) -> Vec<Material> {
    use cubebase::Role;
    let mut below: Vec<Material> = Vec::new();
    let men = material.men();
    let mut add = |men: &[(Color, Role)]| {
        let roles = |color| {
            let of = men.iter().filter(|&&(side, role)| side == color && role != Role::King);
            of.map(|&(_, role)| role).collect::<Vec<_>>()
        };
        let (material, _) = Material::new(&roles(Color::White), &roles(Color::Black)).unwrap();
        if !below.contains(&material) {
            below.push(material);
        }
    };
    let all: Vec<(Color, Role)> = men.iter().map(|man| (man.color, man.role)).collect();
    for man in 0..all.len() {
        if all[man].1 != Role::King {
            add(&[&all[..man], &all[man + 1..]].concat());
        }
        if all[man].1 == Role::Pawn {
            for role in Role::PROMOTIONS {
                let mut promoted = all.clone();
                promoted[man].1 = role;
                add(&promoted);
                for taken in
                    (0..all.len()).filter(|&taken| all[taken].0 != all[man].0 && all[taken].1 != Role::King)
                {
                    let mut left = promoted.clone();
                    left.remove(taken);
                    add(&left);
                }
            }
        }
    }
    below
}

#[test]
fn three_men() {
    for (metric, store) in [(Metric::Dtm, store()), (Metric::Dtc, store_to_conversion())] {
        let mut solver = Solver::new(metric);
        for material in small_materials() {
            solver.solve(material);
            let table = store.get(&material).unwrap();
            assert_eq!(table.metric(), metric);
            solver.assert_agrees(&table);
        }
    }
}

/// The outcomes alone are made another way; what they are is what the tables with distances say.
#[test]
fn outcomes_alone() {
    let alone = cubebase::retrograde::Store::new(None);
    for material in small_materials() {
        assert_eq!(alone.get(&material).unwrap().hash(), store().get(&material).unwrap().hash());
    }
}

#[test]
#[ignore = "slow: minutes, and a gigabyte"]
fn four_men_with_a_pawn() {
    let material = "KNPvK".parse().unwrap();
    let mut solver = Solver::new(Metric::Dtm);
    solver.solve(material);
    solver.assert_agrees(&store().get(&material).unwrap());
}
