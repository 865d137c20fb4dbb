//! The decision rule, and tables in files.

use super::*;
use crate::ErrorKind;
use crate::chess::model::Model;
use crate::chess::position::{CastlingRights, Color, Material, Position, Square, Symmetry, Wdl};
use crate::covers::frozen::{Clauses, Covers, Layout, Section, Turns, contains};
use crate::pcn::noise::{self, Noise};
use crate::pcn::{Bundle, Codec, Node, Pcn, Test, Tree};
use proptest::prelude::*;
use std::fs;
use std::ops::ControlFlow;
use std::sync::Mutex;

/// The rule as FORMAT.md states it, word by word.
fn decided(pcn: &Pcn, position: &Position) -> Option<Wdl> {
    let stored = if pcn.material().is_symmetric() { Color::White } else { position.turn() };
    let layout = pcn.layout();
    let mut parts = vec![0; layout.variables().len()];
    pcn.model().evaluate(&position.canonical(pcn.anchors()[stored.index()]), &mut parts);
    let mut minterm = vec![0; layout.words()];
    layout.write_minterm(&parts, &mut minterm);
    let covers = pcn.covers()?;
    for section in &covers.sections {
        if section.turns.contains(stored) && section.clauses.iter().any(|clause| contains(clause, &minterm)) {
            return Some(section.outcome);
        }
    }
    None
}

/// A table whose sections have the numbers of clauses in `counts`.
pub(crate) fn table(material: &str, counts: [usize; 3], noise: &mut Noise) -> Pcn {
    let material: Material = material.parse().unwrap();
    let layout = Layout::new(Model::Binary, &material);
    let mut section = |turns, outcome, count| {
        let clauses = noise::clauses(&layout, count, noise);
        Section { turns, outcome, clauses }
    };
    let mut sections = vec![section(Turns::White, Wdl::Win, counts[0])];
    if material.is_symmetric() {
        sections.push(section(Turns::White, Wdl::Loss, counts[1]));
    } else {
        sections.push(section(Turns::Both, Wdl::Win, counts[1]));
        sections.push(section(Turns::Black, Wdl::Draw, counts[2]));
    }
    let sides = ..material.stored_turns().len();
    let anchors = [0, material.len() - 1][sides].to_vec();
    Pcn::of_covers(material, Model::Binary, anchors, Covers { sections }, [1; 8]).unwrap()
}

pub(crate) fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

proptest! {
    #[test]
    fn a_table_follows_the_rule_in_every_symmetry(
        material in prop::sample::select(vec!["KQvK", "KRvKN", "KPvKP", "KRvKR", "KPPvK", "KQQQvK", "KRPvKPP"]),
        counts in prop::array::uniform3(0..200_usize),
        seed in 1..u64::MAX,
        squares in prop::collection::vec(prop::collection::vec(0..64_u8, 8), 30),
    ) {
        let pcn = table(material, counts, &mut Noise(seed));
        let table = Prober::new(&pcn);
        let men = pcn.material().len();
        for squares in squares {
            let squares: Vec<Square> = squares[..men].iter().map(|&square| Square::new(square)).collect();
            for turn in Color::BOTH {
                let position = Position::new(*pcn.material(), &squares, turn, None);
                if !position.is_legal() {
                    prop_assert_eq!(table.probe(&position).unwrap_err().kind(), ErrorKind::IllegalPosition);
                    continue;
                }
                let expected = decided(&pcn, &position);
                let symmetries =
                    if pcn.material().has_pawns() { &Symmetry::WITH_PAWNS[..] } else { &Symmetry::ALL };
                for &symmetry in symmetries {
                    let image = position.transformed(symmetry);
                    match table.probe(&image) {
                        Ok(outcome) => prop_assert_eq!(Some(outcome), expected),
                        Err(error) => {
                            prop_assert_eq!(error.kind(), ErrorKind::Corrupt);
                            prop_assert_eq!(None, expected);
                        }
                    }
                }
                if pcn.material().is_symmetric() {
                    prop_assert_eq!(table.probe(&position.colors_exchanged()).ok(), expected);
                }
            }
        }
    }
}

/// A table of `KQvK` in which White to move wins with the canonical king on the first two ranks, otherwise draws, and Black loses.
pub(crate) fn kings_low() -> Pcn {
    let material: Material = "KQvK".parse().unwrap();
    let layout = Layout::new(Model::Binary, &material);
    let mut low = layout.universe();
    layout.set_literal(&mut low, 0, 0b10);
    layout.set_literal(&mut low, 1, 0b10);
    let all = layout.universe();
    let sections = [
        (Turns::White, Wdl::Win, low),
        (Turns::White, Wdl::Draw, all.clone()),
        (Turns::Black, Wdl::Loss, all),
    ];
    let sections = sections.map(|(turns, outcome, clause)| Section {
        turns,
        outcome,
        clauses: Clauses::new(1, &clause),
    });
    let covers = Covers { sections: sections.into() };
    Pcn::of_covers(material, Model::Binary, vec![0, 1], covers, [0; 8]).unwrap()
}

#[test]
fn en_passant_is_an_input_of_its_own() {
    let material: Material = "KPvKP".parse().unwrap();
    let layout = Layout::new(Model::Binary, &material);
    let mut clause = layout.universe();
    layout.set_literal(&mut clause, 24, 0b10);
    let sections = [(Wdl::Win, clause), (Wdl::Draw, layout.universe())].map(|(outcome, clause)| Section {
        turns: Turns::White,
        outcome,
        clauses: Clauses::new(1, &clause),
    });
    let covers = Covers { sections: sections.into() };
    let pcn = Pcn::of_covers(material, Model::Binary, vec![2], covers, [0; 8]).unwrap();
    let table = Prober::new(&pcn);
    let probe = |fen| table.probe(&position(fen)).unwrap();
    assert_eq!(probe("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), Wdl::Win);
    assert_eq!(probe("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"), Wdl::Draw);
    assert_eq!(probe("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1"), Wdl::Win);
    assert_eq!(probe("4k3/8/8/8/3Pp3/8/8/4K3 b - - 0 1"), Wdl::Draw);
}

#[test]
fn another_material_and_an_illegal_position_are_errors() {
    let table = Prober::new(&kings_low());
    let other = table.probe(&position("8/8/8/3K4/8/1k6/8/7R w - - 0 1")).unwrap_err();
    assert_eq!(other.kind(), ErrorKind::MissingTable);
    assert!(other.to_string().contains("KRvK"), "{other}");
    let square = |text| Square::parse(text).unwrap();
    let adjacent = [square("a1"), square("a2"), square("h8")];
    let adjacent = Position::new(*table.material(), &adjacent, Color::White, None);
    assert_eq!(table.probe(&adjacent).unwrap_err().kind(), ErrorKind::IllegalPosition);
}

#[test]
fn files_of_a_directory_are_read_when_they_are_probed() {
    let dir = tempfile::tempdir().unwrap();
    let good = kings_low().encode(Codec::Compressed).unwrap();
    fs::write(dir.path().join("KQvK.pcn"), &good).unwrap();
    fs::write(dir.path().join("KRvK.pcn"), &good).unwrap();
    fs::write(dir.path().join("KBvK.pcn"), &good[..good.len() - 1]).unwrap();
    fs::write(dir.path().join("KvKQ.pcn"), "ignored").unwrap();
    fs::write(dir.path().join("KQvK.wdl"), "ignored").unwrap();
    let tables = Tables::open(dir.path()).unwrap();
    let names: Vec<String> = tables.materials().iter().map(Material::to_string).collect();
    assert_eq!(names, ["KBvK", "KQvK", "KRvK"]);
    assert_eq!(tables.probe(&position("8/8/8/3K4/8/1k6/8/7Q w - - 0 1")).unwrap(), Wdl::Draw);
    // White may be the weaker side.
    assert_eq!(tables.probe(&position("8/8/8/3k4/8/1K6/8/7q w - - 0 1")).unwrap(), Wdl::Loss);
    let refused = |fen, kind, why: &str| {
        let error = tables.probe(&position(fen)).unwrap_err();
        assert!(error.kind() == kind && error.to_string().contains(why), "{error}");
    };
    refused("8/8/8/3K4/8/1k6/8/7R w - - 0 1", ErrorKind::Corrupt, "is the table of KQvK");
    refused("8/8/8/3K4/8/1k6/8/7B w - - 0 1", ErrorKind::Corrupt, "KBvK.pcn");
    refused("8/8/8/3K4/8/1k6/8/7N w - - 0 1", ErrorKind::MissingTable, "no table of KNvK");
    assert_eq!(tables.preload().unwrap_err().kind(), ErrorKind::Corrupt);
    for name in ["KRvK.pcn", "KBvK.pcn"] {
        fs::remove_file(dir.path().join(name)).unwrap();
    }
    assert_eq!(tables.preload().unwrap_err().kind(), ErrorKind::Io);
    assert!(Tables::open(dir.path()).unwrap().preload().is_ok());
}

#[test]
fn a_single_file_is_a_set_of_tables_too() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("any name");
    fs::write(&path, kings_low().encode(Codec::None).unwrap()).unwrap();
    let tables = Tables::open(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(tables.probe(&position("8/8/8/3K4/8/1k6/8/7Q b - - 0 1")).unwrap(), Wdl::Loss);
    assert_eq!(Tables::open(&path).unwrap_err().kind(), ErrorKind::Io);
    fs::write(&path, "text").unwrap();
    assert_eq!(Tables::open(&path).unwrap_err().kind(), ErrorKind::BadMagic);
}

#[test]
fn tables_of_a_bundle_are_read_when_they_are_probed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("any name");
    let good = kings_low().encode(Codec::Compressed).unwrap();
    let named = |signature: &str, bytes: &[u8]| (signature.parse().unwrap(), bytes.to_vec());
    let tables = vec![named("KRvK", &good), named("KQvK", &good), named("KBvK", &good[1..])];
    let bytes = Bundle::encode(tables).unwrap();
    fs::write(&path, &bytes).unwrap();
    for tables in [Tables::open(&path).unwrap(), Tables::from_bytes(bytes.clone()).unwrap()] {
        let names: Vec<String> = tables.materials().iter().map(Material::to_string).collect();
        assert_eq!(names, ["KBvK", "KQvK", "KRvK"]);
        assert_eq!(tables.probe(&position("8/8/8/3K4/8/1k6/8/7Q b - - 0 1")).unwrap(), Wdl::Loss);
        let refused = |fen| tables.probe(&position(fen)).unwrap_err().kind();
        assert_eq!(refused("8/8/8/3K4/8/1k6/8/7R w - - 0 1"), ErrorKind::Corrupt);
        assert_eq!(refused("8/8/8/3K4/8/1k6/8/7B w - - 0 1"), ErrorKind::BadMagic);
        assert_eq!(refused("8/8/8/3K4/8/1k6/8/7N w - - 0 1"), ErrorKind::MissingTable);
    }
    assert_eq!(Tables::from_bytes(&[0xe7, 3, 0]).unwrap_err().kind(), ErrorKind::Corrupt);
    assert_eq!(Tables::from_bytes(good).unwrap().materials().len(), 1);
}

/// All tables of up to four men.
const FOUR_MEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/four-men.pcb");

fn four_men() -> Vec<u8> {
    fs::read(FOUR_MEN).unwrap()
}

/// Corrects the checksum at the end of a table's bytes.
pub(super) fn seal(table: &mut [u8]) {
    let body = table.len() - 4;
    let checksum = crc32fast::hash(&table[..body]).to_le_bytes();
    table[body..].copy_from_slice(&checksum);
}

#[test]
fn a_tree_is_decoded_at_its_first_probe() {
    let tables = Tables::from_bytes(four_men()).unwrap();
    let mut held = vec![tables.memory()];
    for turn in ["w", "b", "w"] {
        tables.probe(&position(&format!("8/8/8/3K4/8/1k6/8/7R {turn} - - 0 1"))).unwrap();
        held.push(tables.memory());
    }
    assert_eq!(held[0], Memory::default());
    assert!(0 < held[1].decoded && held[1].decoded < held[2].decoded && held[2] == held[3], "{held:?}");
    assert!(held[1].files > 0 && held[1].files == held[2].files, "{held:?}");
}

#[test]
fn preloading_reports_progress_and_can_be_stopped() {
    let tables = Tables::from_bytes(four_men()).unwrap();
    let told = Mutex::new(Vec::new());
    let tell = |preloaded: Preloaded| {
        let mut told = told.lock().unwrap();
        told.push(preloaded);
        if told.len() < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    tables.preload_with(1, tell).unwrap();
    let stopped = tables.memory();
    let done: Vec<usize> = std::mem::take(&mut *told.lock().unwrap()).iter().map(|told| told.done).collect();
    assert_eq!(done, [1, 2, 3, 4, 5]);
    tables
        .preload_with(3, |preloaded| {
            told.lock().unwrap().push(preloaded);
            ControlFlow::Continue(())
        })
        .unwrap();
    let mut told = told.into_inner().unwrap();
    told.sort_by_key(|told| told.done);
    let all: usize = tables.materials().iter().map(|material| material.stored_turns().len()).sum();
    assert!(told.iter().enumerate().all(|(number, told)| (told.done, told.all) == (number + 1, all)));
    assert_eq!(told.len(), all);
    assert!(stopped.decoded < tables.memory().decoded);
    let loaded = tables.memory();
    tables.preload().unwrap();
    assert_eq!(tables.memory(), loaded);
}

#[test]
fn a_damaged_tree_is_found_at_its_first_probe() {
    let bundle = Bundle::open(four_men()).unwrap();
    let mut table = bundle.table(&"KRvK".parse().unwrap()).unwrap().to_vec();
    // The last byte of the last tree, of Black to move; two bytes of castling rights and the checksum follow.
    let last = table.len() - 7;
    table[last] = 0;
    seal(&mut table);
    assert_eq!(Pcn::decode(&table).unwrap_err().kind(), ErrorKind::Corrupt);
    let tables = Tables::from_bytes(table).unwrap();
    let probe = |turn: &str| tables.probe(&position(&format!("8/8/8/3K4/8/1k6/8/7R {turn} - - 0 1")));
    assert_eq!(probe("w").unwrap(), Wdl::Win);
    for _ in 0..2 {
        let error = probe("b").unwrap_err();
        assert!(error.to_string().contains("section 1"), "{error}");
        assert_eq!(error.kind(), ErrorKind::Corrupt);
    }
    assert_eq!(tables.preload().unwrap_err().kind(), ErrorKind::Corrupt);
}

#[test]
fn a_tree_that_is_not_normal_is_refused_at_its_first_probe() {
    let test = Node::Test(Test { variable: 0, low: 0, high: 2 });
    let nodes = vec![test, Node::Leaf(Wdl::Draw.into()), Node::Leaf(Wdl::Win.into())];
    let tree = Tree::new(nodes, &[8; 4]).unwrap();
    let material = "KvK".parse().unwrap();
    let pcn = Pcn::of_trees(material, Model::Board, vec![0], vec![tree], [1; 8]).unwrap();
    let mut table = pcn.encode(Codec::None).unwrap();
    let kings = position("8/8/3k4/8/8/8/8/K7 b - - 0 1");
    assert!(Tables::from_bytes(table.clone()).unwrap().probe(&kings).is_ok());
    // All parts go to the first child.
    let high = 3 + table.windows(4).position(|bytes| bytes == [16, 0, 0, 2]).unwrap();
    table[high] = 7;
    seal(&mut table);
    let error = Tables::from_bytes(table).unwrap().probe(&kings).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corrupt);
    assert!(error.to_string().contains("section 0: a tree is not in normal form"), "{error}");
}

#[test]
fn threads_that_probe_an_undecoded_table_get_the_same_answers() {
    let ask = |tables: &Tables| -> Vec<Wdl> {
        let fens = ["8/8/8/3K4/8/1k6/6N1/7R", "8/8/3n4/3K4/8/1k6/8/7R", "8/8/3n4/8/3K4/1k6/8/6R1"];
        let ask = |(fen, turn): (&str, &str)| tables.probe(&position(&format!("{fen} {turn} - - 0 1")));
        let all = fens.iter().flat_map(|&fen| [(fen, "w"), (fen, "b")]);
        all.filter_map(|asked| ask(asked).ok()).collect()
    };
    let alone = ask(&Tables::from_bytes(four_men()).unwrap());
    assert_eq!(alone.len(), 6);
    for _ in 0..4 {
        // A bundle in a file, from which the threads read.
        let tables = Tables::open(FOUR_MEN).unwrap();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| ask(&tables))).collect();
            threads.into_iter().for_each(|thread| assert_eq!(thread.join().unwrap(), alone));
        });
    }
}

#[test]
fn bitboards_are_answered_as_positions_are() {
    let tables = Tables::from_bytes(four_men()).unwrap();
    let mut noise = Noise(7);
    let materials = tables.materials();
    for _ in 0..20_000 {
        let position = noise::position(materials[noise.below(materials.len())], &mut noise);
        let ((colors, roles), turn) = (position.bitboards(), position.turn());
        let expected = tables.probe(&position).unwrap();
        assert_eq!(
            tables.probe_bitboards(colors, roles, None, turn, CastlingRights::NONE).unwrap(),
            expected,
            "{position:?}"
        );
        let [white, black] = colors.map(u64::swap_bytes);
        let exchanged = tables.probe_bitboards(
            [black, white],
            roles.map(u64::swap_bytes),
            None,
            turn.other(),
            CastlingRights::NONE,
        );
        assert_eq!(exchanged.unwrap(), expected, "{position:?}, colours exchanged");
    }
    // With an en-passant square, castling rights, no table, or no board: as `Position::from_bitboards`.
    let board = |fen: &str| position(fen).bitboards();
    let (colors, roles) = board("7k/8/8/8/3pP3/8/8/K7 b - - 0 1");
    let e3 = Square::parse("e3");
    let expected = tables.probe(&position("7k/8/8/8/3pP3/8/8/K7 b - e3 0 1")).unwrap();
    assert_eq!(
        tables.probe_bitboards(colors, roles, e3, Color::Black, CastlingRights::NONE).unwrap(),
        expected
    );
    let refused = |colors: [u64; 2], roles: [u64; 6], castling| {
        tables.probe_bitboards(colors, roles, None, Color::White, castling).unwrap_err().kind()
    };
    assert_eq!(refused(colors, roles, CastlingRights::from_bits(1).unwrap()), ErrorKind::IllegalPosition);
    assert_eq!(refused([0; 2], [0; 6], CastlingRights::NONE), ErrorKind::BadInput);
    // A man of two colours, of two roles, of no colour, of no role.
    let ([white, black], roles) = board("7k/8/1Q6/8/8/8/8/K7 w - - 0 1");
    let [queen, rooks] = [roles[1], roles[1]];
    let with_role = |role: usize, men| {
        let mut changed = roles;
        changed[role] = men;
        changed
    };
    for (colors, roles) in [
        ([white, black | queen], roles),
        ([white | black, black], roles),
        ([white, black], with_role(2, rooks)),
        ([white & !queen, black], roles),
        ([white, black], with_role(1, 0)),
    ] {
        assert_eq!(refused(colors, roles, CastlingRights::NONE), ErrorKind::BadInput, "{colors:?} {roles:?}");
    }
    let (colors, roles) = board("7k/8/8/8/3pP3/4P3/8/K7 w - - 0 1");
    assert_eq!(refused(colors, roles, CastlingRights::NONE), ErrorKind::MissingTable);
}

#[test]
fn tables_may_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Tables>();
    shared::<Prober>();
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("KQvK.pcn"), kings_low().encode(Codec::Compressed).unwrap()).unwrap();
    let tables = Tables::open(dir.path()).unwrap();
    let asked = position("7K/8/8/2k5/8/8/8/Q7 w - - 0 1");
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..8).map(|_| scope.spawn(|| tables.table(asked.material()).unwrap())).collect();
        let answers: Vec<&Prober> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert!(answers.windows(2).all(|pair| std::ptr::eq(pair[0], pair[1])));
    });
}

#[test]
fn added_tables_replace_earlier_ones_of_the_same_material() {
    let bytes = |material: &str| {
        let bundle = four_men();
        let bundle = Bundle::open(bundle).unwrap();
        let material: Material = material.parse().unwrap();
        bundle.tables().find(|(name, _)| **name == material).unwrap().1.to_vec()
    };
    let (fen, mut tables) = ("8/8/8/3K4/8/1k6/8/7R w - - 0 1", Tables::empty());
    let error = tables.probe(&position(fen)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MissingTable);
    // A table of noise, then the right one over it.
    let mut wrong = bytes("KRvK");
    let body = wrong.len() - 8;
    wrong[body] ^= 1;
    seal(&mut wrong);
    tables.add_bytes(wrong).unwrap();
    tables.add_bytes(bytes("KQvK")).unwrap();
    tables.add_bytes(bytes("KRvK")).unwrap();
    assert_eq!(tables.materials().iter().map(ToString::to_string).collect::<Vec<_>>(), ["KQvK", "KRvK"]);
    assert_eq!(tables.probe(&position(fen)).unwrap(), Wdl::Win);
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("KRvK.pcn"), "broken").unwrap();
    tables.add(dir.path()).unwrap();
    assert_eq!(tables.probe(&position(fen)).unwrap_err().kind(), ErrorKind::BadMagic);
    assert!(tables.add(dir.path().join("none")).is_err());
    assert_eq!(tables.materials().len(), 2, "a failed addition adds nothing");
    tables.add_bytes(four_men()).unwrap();
    assert_eq!((tables.materials().len(), tables.probe(&position(fen)).unwrap()), (36, Wdl::Win));
    let missing = tables.probe(&position("8/8/QR5R/3K4/8/1k6/8/8 b - - 0 1")).unwrap_err().to_string();
    assert!(
        missing.contains("bytes in memory") && missing.contains(&*dir.path().to_string_lossy()),
        "{missing}"
    );
}

#[test]
fn tables_added_from_other_tables_are_decoded_again() {
    let asked = position("8/8/8/3K4/8/1k6/8/7R w - - 0 1");
    let bytes = Tables::from_bytes(four_men()).unwrap();
    assert_eq!(bytes.probe(&asked).unwrap(), Wdl::Win);
    let (decoded, mut tables) = (bytes.memory().decoded, Tables::empty());
    tables.add_tables(bytes);
    assert_eq!((tables.materials().len(), tables.memory().decoded), (36, 0));
    assert_eq!((tables.probe(&asked).unwrap(), tables.memory().decoded), (Wdl::Win, decoded));
    let missing = tables.probe(&position("8/8/QR5R/3K4/8/1k6/8/8 b - - 0 1")).unwrap_err().to_string();
    assert!(missing.contains("bytes in memory"), "{missing}");
}

#[test]
#[cfg(feature = "embedded")]
fn the_embedded_tables_are_those_of_up_to_four_men() {
    let tables = Tables::embedded().unwrap();
    assert_eq!(tables.materials(), Tables::from_bytes(four_men()).unwrap().materials());
    assert_eq!(tables.materials().len(), 36);
    assert_eq!(tables.probe(&position("8/8/8/3K4/8/1k6/8/7R w - - 0 1")).unwrap(), Wdl::Win);
}
