//! Tables of Chinese chess against the paper's figures, and against the moves of [`Board`] one position at a time.

use super::block_moves::BlockMoves;
use super::frozen::model::VariableSet;
use super::rows::TableRows;
use super::{
    Board, Census, Clauses, Index, Material, Model, Point, Points, Position, Store, Table, Xiangqi, write_pla,
};
use crate::allocated::held;
use crate::error::ErrorKind;
use crate::learner::Rows;
use crate::outcome::{Color, Wdl};
use crate::pipeline::{Monitor, Options};
use crate::retrograde::Metric;
use crate::retrograde::game::{Game, Numbering};
use crate::retrograde::rules::Moves;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

fn store() -> Store {
    Store::new(None).with_metric(Metric::Dtc)
}

/// Outcomes in per cent as the paper prints them, with its distances in moves.
#[test]
fn one_major_piece_as_in_the_paper() {
    let store = store();
    for (name, moves, red, black) in [
        ("h-aaee", 1, [94.42, 5.58], [0.12, 99.88]),
        ("c-aaee", 18, [15.40, 84.60], [51.44, 48.56]),
        ("g-aaee", 1, [92.32, 7.68], [0.37, 99.63]),
    ] {
        let census = Census::of(&store.get(&name.parse().unwrap()).unwrap());
        assert_eq!(census.outcomes.map(|counts| counts.iter().sum::<u64>()), [3_363_048; 2], "{name}");
        let share = |count: u64| (count as f64 / 3_363_048.0 * 10_000.0).round() / 100.0;
        let [[red_loss, red_draw, red_win], [black_loss, black_draw, black_win]] = census.outcomes;
        assert_eq!(([red_draw, red_win].map(share), red_loss), (red, 0), "{name}");
        assert_eq!(([black_loss, black_draw].map(share), black_win), (black, 0), "{name}");
        assert_eq!(census.longest.map(|plies| plies.div_ceil(2)), Some(moves), "{name}");
    }
}

/// Positions with Black to move and a high soldier, counted by definition: no two men share a point, and the generals do not face
/// each other.
#[test]
fn high_soldiers() {
    let census = Census::of_high_soldiers(&store().get(&"cp-k".parse().unwrap()).unwrap());
    let mut expected = 0;
    for (red, black) in points(Points::palace(Color::White), Points::palace(Color::Black)) {
        for (soldier, chariot) in points(Points::soldiers(Color::White), Points::ALL) {
            let taken: Points = [red, black, soldier, chariot].into_iter().collect();
            let is_between =
                |on: Point| on.file() == red.file() && (red.rank()..black.rank()).contains(&on.rank());
            let faces = red.file() == black.file() && !is_between(soldier) && !is_between(chariot);
            expected += u64::from((5..=6).contains(&soldier.rank()) && taken.len() == 4 && !faces);
        }
    }
    assert_eq!(census.outcomes[1].iter().sum::<u64>(), expected);
}

fn points(a: Points, b: Points) -> impl Iterator<Item = (Point, Point)> {
    a.into_iter().flat_map(move |on| b.into_iter().map(move |other| (on, other)))
}

/// A table and the tables that its captures lead to.
struct Equations {
    material: Material,
    tables: HashMap<Material, Arc<Table>>,
}

impl Equations {
    fn value(&self, board: &Board) -> (Wdl, Option<u32>) {
        let (position, exchanged) = Position::from_board(board).unwrap();
        assert!(!exchanged);
        let table = &self.tables[position.material()];
        let (wdl, plies) = (table.wdl(&position).unwrap(), table.distance(&position).unwrap());
        // Distances to conversion end with a capture.
        let is_end = *position.material() != self.material && wdl != Wdl::Draw;
        (wdl, if is_end { Some(0) } else { plies })
    }

    /// Checks a position and its distance against all positions after it.
    fn check(&self, position: &Position, wdl: Wdl) {
        let board = position.board();
        let after: Vec<_> =
            board.legal_moves().iter().map(|&played| self.value(&board.after(played))).collect();
        let plies =
            |wanted: Wdl| after.iter().filter(move |(wdl, _)| *wdl == wanted).filter_map(|(_, plies)| *plies);
        let expected = match plies(Wdl::Loss).min() {
            Some(shortest) => (Wdl::Win, Some(shortest + 1)),
            None if plies(Wdl::Win).count() == after.len() => {
                (Wdl::Loss, Some(plies(Wdl::Win).max().map_or(0, |longest| longest + 1)))
            }
            None => (Wdl::Draw, None),
        };
        assert_eq!(self.value(&board), expected, "{}", position.to_fen());
        assert_eq!(wdl, expected.0);
    }
}

/// Every position of four tables with all roles. With distances the equations are a proof: a win or a loss has a line that ends.
#[test]
fn every_position_satisfies_the_equations() {
    let store = store();
    for name in ["c-aa", "g-aa", "h-aa", "aep-k"] {
        let material = name.parse().unwrap();
        let mut tables = HashMap::from([(material, store.get(&material).unwrap())]);
        for below in super::captures::after_captures(&material).into_iter().flatten() {
            tables.insert(below, store.get(&below).unwrap());
        }
        let equations = Equations { material, tables };
        let table = &equations.tables[&material];
        for turn in Color::BOTH {
            let slots = table.slots();
            (0..slots.div_ceil(4096)).into_par_iter().for_each(|chunk| {
                for (position, wdl) in table.positions_in(turn, chunk * 4096..(chunk + 1) * 4096) {
                    equations.check(&position, wdl);
                }
            });
        }
        // Positions with Red to move in which Black is in check are illegal.
        let legal = |turn| table.counts(turn).iter().sum::<u64>();
        assert!(legal(Color::White) > 0 && legal(Color::Black) >= legal(Color::White), "{name}");
    }
}

/// Memory is estimated without making the numbering. The estimate is an upper bound.
#[test]
fn the_memory_of_moves_is_estimated() {
    for name in ["pppp-aaee", "aegp-aaee", "hc-k", "k-k"] {
        let material: Material = name.parse().unwrap();
        let (_, estimating) = held(|| Xiangqi::is_small(&material));
        let (moves, held) = held(|| BlockMoves::new(&material));
        assert_eq!(moves.index().words(), Index::words_of(&material), "{name}");
        let bytes = BlockMoves::bytes(&material);
        assert!(estimating < 1 << 12 && held as u64 <= bytes, "{name}: {estimating}, {held} of {bytes}");
    }
}

/// A table whose rows have no numbers is refused before it is made.
#[test]
fn too_many_rows_are_refused() {
    let check = |name: &str, memory| {
        let options = Options { memory, ..Options::default() };
        Clauses::check_size(&name.parse().unwrap(), &Model::ALL, &options).map_err(|error| error.kind())
    };
    assert_eq!(check("aegp-aaee", None), Ok(()));
    assert_eq!(check("ahcgpp-k", None), Err(ErrorKind::BudgetExhausted));
    assert_eq!([64, 1024].map(|mib| check("c-aaee", Some(mib << 20)).is_ok()), [false, true]);
}

/// Trees in every model are right on every position, which `build` checks; damage and other tables are found.
#[test]
fn clauses_are_exact() {
    let store = Store::new(None);
    let options = Options::default().with_effort(1);
    for name in ["k-aa", "c-ae", "p-ee", "pp-k"] {
        let table = store.get(&name.parse().unwrap()).unwrap();
        let mut sizes = Vec::new();
        for model in Model::ALL {
            let bytes = Clauses::build(&table, model, &options).unwrap();
            let clauses = Clauses::decode(&bytes).unwrap();
            assert_eq!((clauses.material(), clauses.variables().model()), (table.material(), model));
            sizes.push(bytes.len());
            let other = store.get(&"c-a".parse().unwrap()).unwrap();
            let mismatch = clauses.verify(&other, Monitor::default()).unwrap_err();
            assert_eq!(mismatch.kind(), ErrorKind::Mismatch);
            let damaged = |at: usize| {
                let mut bytes = bytes.clone();
                bytes[at] ^= 0x80;
                let body = bytes.len() - 4;
                // With a correct checksum, the game, the model and the material are still checked.
                if at < body {
                    let checksum = crc32fast::hash(&bytes[..body]);
                    bytes[body..].copy_from_slice(&checksum.to_le_bytes());
                }
                Clauses::decode(&bytes).unwrap_err().kind()
            };
            let kinds = [2, 3, 5, bytes.len() - 1].map(damaged);
            let (unknown, corrupt) = (ErrorKind::UnsupportedVersion, ErrorKind::Corrupt);
            assert_eq!(kinds, [unknown, unknown, corrupt, corrupt], "{name} {model}");
        }
        assert!(sizes[2] <= sizes[1] && sizes[1] <= sizes[0], "{name}: {sizes:?}");
    }
}

/// A minimizer reads the exported PLA: every canonical position is in one output and off in the others.
#[test]
fn an_exported_table_is_a_function() {
    let table = store().get(&"c-k".parse().unwrap()).unwrap();
    for model in Model::ALL {
        let mut text = Vec::new();
        write_pla(&table, model, &mut text).unwrap();
        let pla = espresso::Pla::read(&text[..]).unwrap();
        // A canonical position has one slot in the table, or two if the anchor group is its own mirror.
        let all: u64 = Color::BOTH.iter().flat_map(|&turn| table.counts(turn)).sum();
        assert!((all / 2..=all).contains(&(pla.on.len() as u64)), "{} of {all}", pla.on.len());
        espresso::Function::from_pla(&pla).unwrap();
    }
}

/// Men on one point are refused by the table and the clauses, whatever the other men are.
#[test]
fn men_on_one_point_are_refused() {
    let material = "pp-k".parse().unwrap();
    let table = Store::new(None).get(&material).unwrap();
    let bytes = Clauses::build(&table, Model::Board, &Options::default().with_effort(1)).unwrap();
    let clauses = Clauses::decode(&bytes).unwrap();
    let on = ["d0", "e9", "a6", "a6"].map(|name| Point::parse(name).unwrap());
    let position = Position::new(material, &on, Color::White);
    assert_eq!(table.wdl(&position).unwrap_err().kind(), ErrorKind::IllegalPosition);
    assert_eq!(clauses.probe(&position).unwrap_err().kind(), ErrorKind::IllegalPosition);
}

#[test]
fn rows_are_the_canonical_positions() {
    for name in ["c-ae", "k-aa", "pp-k"] {
        let table = Store::new(None).get(&name.parse().unwrap()).unwrap();
        let variables = VariableSet::new(Model::Board, table.material());
        for turn in Color::BOTH {
            let canonical: HashSet<Position> =
                table.positions(turn).map(|(position, _)| position.canonical()).collect();
            let rows = TableRows::new(&table, &variables, turn);
            let mut visited = HashSet::new();
            for slice in 0..rows.slices() {
                rows.visit(slice, &mut |row| assert!(visited.insert(rows.position(slice, row)), "{name}"));
            }
            assert_eq!((rows.count(), &visited), (canonical.len() as u64, &canonical), "{name}");
        }
    }
}
