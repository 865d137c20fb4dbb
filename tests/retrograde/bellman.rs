//! The value of every position follows from the values of its children, with distances. An independent rules library makes
//! the moves, and decides what holds without moves.
//! A distance to zeroing says the outcome under the 50-move rule too.
//!
//! Distances make this a proof: a win or a loss ends after so many plies, so positions cannot justify each other in a circle.
//! Moves, legality and the order of work are not those of the generator.

use super::files::{bytes, with_distances};
use super::rules_library;
use super::sampling::{every_position, some_positions, store, store_to_conversion, store_to_zeroing};
use super::syzygy;
use crate::noise::position_in;
use cubebase::Color;
use cubebase::chess::retrograde::{Conversions, Store, Table};
use cubebase::position::{DoublePush, Man, Material, Position, Role, Square, Wdl};
use cubebase::retrograde::Metric;
use cubebase::retrograde::solve::solve;
use rayon::prelude::*;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

struct Equations {
    table: Arc<Table>,
    /// That of the material, and those that its captures and promotions lead to.
    tables: HashMap<Material, Arc<Table>>,
}

impl Equations {
    fn new(store: &Store, material: &Material) -> Self {
        Equations::of(store.get(material).unwrap(), store)
    }

    /// Those of `table`, whose conversions are in `store`.
    fn of(table: Arc<Table>, store: &Store) -> Self {
        let mut tables = HashMap::from([(*table.material(), Arc::clone(&table))]);
        for below in Conversions::new(table.material()).materials() {
            tables.insert(*below, store.get(below).unwrap());
        }
        Equations { table, tables }
    }

    /// Outcome for the side to move, and plies to mate, conversion or zeroing.
    fn value(table: &Table, position: &Position) -> (Wdl, Option<u32>) {
        (table.wdl(position).unwrap(), table.distance(position).unwrap())
    }

    /// The value of the child of `position`, with the plies that count for its own distance.
    fn child(&self, position: &Position, child: &Position) -> (Wdl, Option<u32>) {
        let table = &self.tables[child.material()];
        // A distance to conversion ends with the conversion.
        if self.table.metric() == Metric::Dtc && table.material() != self.table.material() {
            let wdl = table.wdl(child).unwrap();
            return (wdl, (wdl != Wdl::Draw).then_some(0));
        }
        let (wdl, plies) = Self::value(table, child);
        if self.table.metric() == Metric::Dtz && is_zeroing(position, child) {
            // The winner takes any win that the rule leaves one, and the loser any loss that it turns into a draw.
            return (wdl, plies.map(|plies| if plies > 100 { 100 } else { 0 }));
        }
        (wdl, plies)
    }

    fn check(&self, position: &Position) -> Wdl {
        let children: Vec<_> =
            rules_library::children(position).iter().map(|child| self.child(position, child)).collect();
        let wins = children.iter().filter(|(wdl, _)| *wdl == Wdl::Loss).map(|(_, plies)| plies.unwrap());
        let losses = children.iter().filter(|(wdl, _)| *wdl == Wdl::Win).map(|(_, plies)| plies.unwrap());
        let expected = match (wins.min(), children.len()) {
            (None, 0) if position.in_check(position.turn()) => (Wdl::Loss, Some(0)),
            (None, 0) => (Wdl::Draw, None),
            (Some(shortest), _) => (Wdl::Win, Some(1 + shortest)),
            (None, all) if losses.clone().count() == all => {
                (Wdl::Loss, losses.max().map(|longest| 1 + longest))
            }
            (None, _) => (Wdl::Draw, None),
        };
        assert_eq!(Self::value(&self.table, position), expected, "{position:?}");
        expected.0
    }

    fn check_some(&self) {
        some_positions(self.table.index(), 30_000).par_iter().for_each(|position| {
            self.check(position);
        });
    }

    fn check_all(&self) {
        every_position(&self.table, |position, wdl| assert_eq!(self.check(position), wdl, "{position:?}"));
    }
}

/// Whether the move from `position` to `child` is a capture or a pawn move.
fn is_zeroing(position: &Position, child: &Position) -> bool {
    let pawns = |of: &Position| -> Vec<(Man, Square)> {
        of.placed().filter(|(man, _)| man.role == Role::Pawn).collect()
    };
    position.material() != child.material() || pawns(position) != pawns(child)
}

/// The stores of each metric with distances.
fn stores() -> [&'static Store; 3] {
    [store(), store_to_conversion(), store_to_zeroing()]
}

#[test]
fn three_men() {
    let outcomes = Store::new(None);
    for material in (2..=3).flat_map(Material::all) {
        for store in stores() {
            let equations = Equations::new(store, &material);
            equations.check_all();
            // Another algorithm makes tables without distances.
            assert_eq!(equations.table.hash(), outcomes.get(&material).unwrap().hash(), "{material}");
        }
    }
}

/// With three men there are no captures that delay a loss, and no sides with the same men.
#[test]
fn four_men_that_are_quick() {
    for name in ["KQQvK", "KNvKN", "KQvKR"] {
        for store in stores() {
            Equations::new(store, &name.parse().unwrap()).check_some();
        }
    }
    // Stages of both sides' pawns.
    for name in ["KNvKP", "KPPvK", "KPvKP"] {
        Equations::new(store_to_zeroing(), &name.parse().unwrap()).check_some();
    }
}

/// The men of a position of `KPvKP`, by the squares of kings and pawns of the side to move and the other.
fn pawn_each(turn: Color, kings: [Square; 2], pawns: [Square; 2], file: Option<u8>) -> Position {
    let [mine, other] = [turn.index(), turn.other().index()];
    let mut squares = [Square::default(); 4];
    (squares[mine], squares[2 + mine]) = (kings[0], pawns[0]);
    (squares[other], squares[2 + other]) = (kings[1], pawns[1]);
    Position::new("KPvKP".parse().unwrap(), &squares, turn, file)
}

/// Every position of `KPvKP` with pawns side by side after a double push, on the whole board, and the position before the
/// push. The library decides which positions and which en-passant captures are legal.
#[test]
fn en_passant() {
    let all = [store(), store_to_zeroing()].map(|store| Equations::new(store, &"KPvKP".parse().unwrap()));
    let equations = &all[0];
    let syzygy = syzygy::files_of(equations.table.material());
    let check = |turn: Color, file: u8, beside: u8, kings: [Square; 2]| {
        let push = DoublePush::new(turn.other(), file);
        let pawns = [Square::at(beside, push.target.rank()), push.target];
        let claimed = pawn_each(turn, kings, pawns, Some(file));
        let found = rules_library::legal_board(&claimed).map(|board| rules_library::position(&board));
        assert_eq!(claimed.is_legal(), found == Some(claimed), "{claimed:?}");
        let before = pawn_each(turn.other(), [kings[1], kings[0]], [push.origin, pawns[0]], None);
        for position in [claimed, before].iter().filter(|position| position.is_legal()) {
            let [wdl, _] = [0, 1].map(|at| all[at].check(position));
            assert!(
                syzygy.is_none_or(|files| files.wdl(position).ok() == Some(wdl)),
                "{}",
                position.to_fen()
            );
        }
        usize::from(claimed.is_legal())
    };
    let count = |kings: u16| -> usize {
        let kings = [Square::new((kings / 64) as u8), Square::new((kings % 64) as u8)];
        let sides = Color::BOTH.into_iter().flat_map(|turn| (0..8).map(move |file| (turn, file)));
        let beside = |file: u8| [file.wrapping_sub(1), file + 1].into_iter().filter(|&beside| beside < 8);
        sides
            .map(|(turn, file)| beside(file).map(|beside| check(turn, file, beside, kings)).sum::<usize>())
            .sum()
    };
    let counted: usize = (0..64 * 64).into_par_iter().map(count).sum();
    // Of every two mirror images the index holds one, and White to move stands for both colours.
    let index = equations.table.index();
    let held = (index.main_len()..index.len())
        .filter(|&slot| position_in(index, Color::White, slot).is_some())
        .count();
    assert_eq!(counted, 4 * held);
}

/// No table of four men has a cursed win. Forged distances below one give it a few, and blessed losses.
#[test]
fn cursed_wins_and_blessed_losses() {
    let material: Material = "KQvKP".parse().unwrap();
    let forged = |below: &Material| {
        let change = |turn: Color, slot: usize, plies: &mut u8| {
            if *plies > 0 && (slot / 64 + turn.index()).is_multiple_of(3) {
                *plies += 100;
            }
        };
        Arc::new(
            Table::from_bytes(&with_distances(&bytes(&store_to_zeroing().get(below).unwrap()), change))
                .unwrap(),
        )
    };
    let below: Vec<_> = Conversions::new(&material).materials().iter().map(forged).collect();
    let table =
        Arc::new(solve(&material, Metric::Dtz, &below, None, &|_| ControlFlow::Continue(())).unwrap());
    let tables = below.into_iter().chain([Arc::clone(&table)]).map(|table| (*table.material(), table));
    let equations = Equations { table, tables: tables.collect() };
    let late = Mutex::new([0; 3]);
    some_positions(equations.table.index(), 60_000).par_iter().for_each(|position| {
        let wdl = equations.check(position);
        let is_late = equations.table.distance(position).unwrap() > Some(100);
        late.lock().unwrap()[wdl.index()] += u32::from(is_late);
    });
    let [losses, draws, wins] = late.into_inner().unwrap();
    assert!(losses > 100 && wins > 100 && draws == 0, "{losses} blessed losses, {wins} cursed wins");
}

#[test]
#[ignore = "slow: an hour"]
fn four_men() {
    for material in Material::all(4) {
        for store in [store(), store_to_conversion()] {
            Equations::new(store, &material).check_all();
        }
    }
}

#[test]
#[ignore = "slow: half an hour"]
fn four_men_to_zeroing() {
    for material in Material::all(4) {
        Equations::new(store_to_zeroing(), &material).check_all();
        println!("{material} to zeroing: right");
    }
}

/// Ten tables of different kinds, two million positions of each and all en-passant ones among them. Each is made with its
/// distances from outcome tables, and has the outcomes of the table without distances, which campaigns are made of.
#[test]
#[ignore = "slow: half an hour, and gigabytes"]
fn five_men() {
    let directory = tempfile::tempdir().unwrap();
    for name in
        ["KQQQvK", "KBBvKN", "KBNvKQ", "KQRvKR", "KRBvKR", "KNNvKP", "KRPvKR", "KBPvKB", "KPPvKP", "KPPPvK"]
    {
        let material = name.parse().unwrap();
        let outcomes = Store::new(Some(directory.path().into()));
        outcomes.generate(&[material]).unwrap();
        let conversions = Conversions::new(&material);
        let below: Vec<_> =
            conversions.materials().iter().map(|below| outcomes.get(below).unwrap()).collect();
        let table = solve(&material, Metric::Dtc, &below, None, &|_| ControlFlow::Continue(())).unwrap();
        let equations = Equations::of(Arc::new(table), &outcomes);
        some_positions(equations.table.index(), 1_000_000).par_iter().for_each(|position| {
            equations.check(position);
        });
        assert_eq!(equations.table.hash(), outcomes.get(&material).unwrap().hash(), "{name}");
        println!("{name}: right");
    }
}

/// Tables with positions that the 50-move rule makes draws, and with a pawn on each side.
#[test]
#[ignore = "slow: hours, and gigabytes"]
fn five_men_to_zeroing() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["KBBvKN", "KNNvKP", "KPPvKQ", "KRPvKP"] {
        let store = Store::new(Some(directory.path().into())).with_metric(Metric::Dtz);
        let material = name.parse().unwrap();
        store.generate(&[material]).unwrap();
        Equations::new(&store, &material).check_all();
        println!("{name}: right");
    }
}
