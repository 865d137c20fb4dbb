//! The independent reader of tools/reader, which knows the format from FORMAT.md alone, answers as the prober does.
//!
//! Most tables here are random: they test more variables, in more ways, than tables of chess would, and take no time to
//! make. `.ci/slow` runs tests of real tables in all models.

use super::bundle;
use super::noise::{self, Noise};
use super::skip;
use cubebase::chess::retrograde::{Index, Store};
use cubebase::covers::{Clauses, Covers, Layout, Section, Turns};
use cubebase::explain::Decision;
use cubebase::pcn::{Bundle, Codec, Leaf, Tree};
use cubebase::pipeline::{Options, build};
use cubebase::{CastlingRights, Color, Man, Material, Model, Pcn, Position, Role, Square, Tables, Wdl};
use rayon::prelude::*;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::NamedTempFile;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether Python is installed as the reader needs it; prints a line if not.
fn python() -> Option<()> {
    let code = "import sys, zstandard; assert sys.version_info >= (3, 7)";
    let is_there = Command::new("python3").args(["-c", code]).output().is_ok_and(|run| run.status.success());
    if !is_there {
        skip::outside_ci_for_want_of("Python 3.7 with its package `zstandard`");
    }
    is_there.then_some(())
}

fn file(bytes: &[u8]) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    fs::write(file.path(), bytes).unwrap();
    file
}

fn read(file: &Path, fens: &[String]) -> Output {
    read_with(&[], file, fens)
}

fn read_with(options: &[&str], file: &Path, fens: &[String]) -> Output {
    let input = self::file(&(fens.join("\n") + "\n").into_bytes());
    let mut command = Command::new("python3");
    command.arg(root().join("tools/reader/pcn_reader.py")).args(options).arg(file).arg("-");
    command.stdin(File::open(input.path()).unwrap()).output().unwrap()
}

fn answers(file: &Path, fens: &[String]) -> Vec<String> {
    let output = read(file, fens);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect();
    assert_eq!(lines.len(), fens.len());
    lines
}

fn assert_refused(bytes: &[u8]) {
    let file = file(bytes);
    let output = read(file.path(), &["8/8/8/4k3/8/8/4Q3/4K3 w - - 0 1".into()]);
    assert_eq!(output.status.code(), Some(3));
    assert!(output.stdout.is_empty());
}

/// Asks both about `fens`, many of which may be illegal; returns how many both answered.
fn compare(tables: &Tables, file: &Path, fens: &[String]) -> usize {
    let mut answered = 0;
    for (fen, theirs) in fens.iter().zip(answers(file, fens)) {
        match Position::from_fen(fen).and_then(|position| tables.probe(&position)) {
            Ok(ours) => {
                assert_eq!(theirs, ours.name(), "{}: {fen}", file.display());
                answered += 1;
            }
            Err(error) => {
                assert!(theirs.starts_with("error: "), "{fen}: {theirs} there, here error: {error}");
            }
        }
    }
    answered
}

/// `count` random placements of the men of `signature` as FENs, some with colours exchanged, some with an en-passant
/// square.
fn placements(signature: &str, count: usize) -> Vec<String> {
    let mut noise = Noise(0x2545_f491_4f6c_dd1d);
    let material: Material = signature.parse().unwrap();
    let mut placement = || {
        let mut squares = Vec::new();
        while let Some(man) = material.men().get(squares.len()) {
            // Pawns are often where en passant can be, seldom where they cannot stand.
            let square = match (man.role, noise.below(8)) {
                (Role::Pawn, 0..4) => 24 + noise.below(16),
                (Role::Pawn, 4..7) => 8 + noise.below(48),
                _ => noise.below(64),
            };
            let square = Square::new(square as u8);
            if !squares.contains(&square) {
                squares.push(square);
            }
        }
        let turn = Color::BOTH[noise.below(2)];
        let position = Position::new(material, &squares, turn, None);
        let pushed = Man::new(turn.other(), Role::Pawn);
        let rank = if turn == Color::White { 4 } else { 3 };
        let mut pawns = position.placed().filter(|&(man, on)| man == pushed && on.rank() == rank);
        let file = pawns.find(|_| noise.below(2) == 1).map(|(_, on)| on.file());
        let fen = position.with_en_passant(file).to_fen();
        if noise.below(2) == 1 { noise::exchanged(&fen) } else { fen }
    };
    (0..count).map(|_| placement()).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// With codec `none` some positions have no answer.
    Covers,
    Trees,
}

const KINDS: [(Kind, Codec); 4] = [
    (Kind::Covers, Codec::Compressed),
    (Kind::Trees, Codec::Compressed),
    (Kind::Covers, Codec::None),
    (Kind::Trees, Codec::None),
];

fn random_table(
    material: &Material,
    model: Model,
    (kind, codec): (Kind, Codec),
    noise: &mut Noise,
) -> Vec<u8> {
    let layout = Layout::new(model, material);
    let turns = material.stored_turns();
    let anchor = noise.below(material.len());
    let anchors = vec![anchor; turns.len()];
    let section = |turns, outcome, noise: &mut _| Section {
        turns,
        outcome,
        clauses: noise::clauses(&layout, layout.variables().len() / 3 + 9, noise),
    };
    if kind == Kind::Trees {
        let values = model.variable_set(material).values();
        let trees = turns.iter().map(|_| noise::tree(&values, 8, noise)).collect();
        let pcn = Pcn::of_trees(*material, model, anchors, trees, [7; 8]);
        return pcn.unwrap().encode(codec).unwrap();
    }
    let mut sections = vec![section(Turns::White, Wdl::Win, noise)];
    if material.is_symmetric() {
        sections.push(section(Turns::White, Wdl::Loss, noise));
    } else {
        sections.push(section(Turns::Both, Wdl::Loss, noise));
        sections.push(section(Turns::Black, Wdl::Win, noise));
    }
    if codec == Codec::Compressed {
        let turns = if material.is_symmetric() { Turns::White } else { Turns::Both };
        let clauses = Clauses::new(layout.words(), &layout.universe());
        sections.push(Section { turns, outcome: Wdl::Draw, clauses });
    }
    Pcn::of_covers(*material, model, anchors, Covers { sections }, [7; 8]).unwrap().encode(codec).unwrap()
}

/// Compares random tables of every model and kind, `count` placements each; those of one model are in a bundle.
fn compare_noise(count: usize) {
    // Symmetric or not, pawns on no side, on one and on both.
    const MATERIALS: [&str; 10] =
        ["KQvKR", "KBNvK", "KPvKP", "KPPvK", "KNvKN", "KvK", "KRPvKP", "KBPvKN", "KPvK", "KBvKP"];
    let is_en_passant =
        |fen: &String| Position::from_fen(fen).is_ok_and(|position| position.en_passant().is_some());
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    for model in Model::ALL {
        let (mut tables, mut fens) = (Vec::new(), Vec::new());
        for (number, signature) in MATERIALS.iter().enumerate() {
            let material: Material = signature.parse().unwrap();
            let kind = KINDS[number % KINDS.len()];
            tables.push((material, random_table(&material, model, kind, &mut noise)));
            fens.extend(placements(signature, count));
            if material.has_en_passant() {
                let before = fens.len();
                fens.extend(placements(signature, 20_000).into_iter().filter(is_en_passant).take(10));
                assert_eq!(fens.len(), before + 10, "{signature}: too little en passant");
            }
        }
        // Of this one there is no table.
        fens.extend(placements("KRvKR", 2));
        let file = file(&Bundle::encode(tables).unwrap());
        let answered = compare(&Tables::open(file.path()).unwrap(), file.path(), &fens);
        assert!(4 * answered > fens.len(), "{model}: {answered} of {} answered", fens.len());
    }
}

#[test]
fn the_independent_reader_answers_as_the_prober_in_every_model_codec_and_shape() {
    let Some(()) = python() else { return };
    compare_noise(40);
}

#[test]
#[ignore = "the same of many positions: minutes"]
fn the_independent_reader_answers_as_the_prober_on_many_positions() {
    let Some(()) = python() else { return };
    compare_noise(3000);
}

/// The files in hexadecimal in a section of FORMAT.md.
fn files_in_format_md(title: &str) -> Vec<NamedTempFile> {
    let text = fs::read_to_string(root().join("src/pcn/FORMAT.md")).unwrap();
    let (_, text) = text.split_once(&format!("\n## {title}, byte by byte\n")).unwrap();
    let (text, _) = text.split_once("\n## ").unwrap();
    let byte = |pair| u8::from_str_radix(pair, 16).unwrap();
    let blocks = text.split("\n\n").filter(|block| block.starts_with("    "));
    blocks.map(|block| file(&block.split_whitespace().map(byte).collect::<Vec<u8>>())).collect()
}

#[test]
fn the_independent_reader_reads_the_files_in_format_md() {
    let Some(()) = python() else { return };
    for (title, signature, count) in [("One file", "KQvK", 3), ("Exceptions", "KvK", 1)] {
        let files = files_in_format_md(title);
        assert_eq!(files.len(), count);
        let fens = placements(signature, 2000);
        for file in files {
            assert!(compare(&Tables::open(file.path()).unwrap(), file.path(), &fens) > 40);
        }
    }
    let fens = ["8/8/8/7Q/8/2k5/8/4K3 w - - 0 1", "8/8/8/8/8/2k5/8/1Q2K3 w - - 0 1"].map(String::from);
    assert_eq!(answers(files_in_format_md("Distances")[0].path(), &fens), ["7", "5"]);
}

/// Random won positions, some with en passant. Where the distance is 1, both print the number of the tree.
#[test]
fn the_independent_reader_reads_distances() {
    let Some(()) = python() else { return };
    let distances = root().join("fixtures/four-men-distances.pcb");
    let mut tables = Tables::open(root().join("fixtures/four-men.pcb")).unwrap();
    tables.add_bytes(fs::read(&distances).unwrap()).unwrap();
    let won = |fen: String| {
        let position = Position::from_fen(&fen).ok()?;
        let is_won = tables.probe(&position).ok()? == Wdl::Win;
        is_won.then(|| (fen, tables.won_distance(&position).unwrap().unwrap()))
    };
    let in_pages = root().join("fixtures/fuzz/pcn/KNPvK-distances-pages.pcn");
    for (file, names) in
        [(distances, &["KQvK", "KRvK", "KPvK", "KQvKQ", "KPvKP"][..]), (in_pages, &["KNPvK"])]
    {
        let fens = names.iter().flat_map(|name| placements(name, 400));
        let (fens, ours): (Vec<String>, Vec<u32>) = fens.filter_map(won).unzip();
        assert!(fens.len() > 100, "{} positions are won", fens.len());
        for ((fen, ours), theirs) in fens.iter().zip(ours).zip(answers(&file, &fens)) {
            assert_eq!(theirs, ours.to_string(), "{fen}");
        }
    }
    // The format of rankings is the same.
    let rankings = root().join("fixtures/four-men-rankings.pcb");
    let won = ["8/8/8/4k3/8/8/8/KQ6 w - - 0 1".to_owned()];
    let level: u32 = answers(&rankings, &won)[0].parse().unwrap();
    assert!((1..50).contains(&level), "{level}");
    let refused = read_with(&["--rule"], &rankings, &won);
    assert_eq!(String::from_utf8(refused.stdout).unwrap(), "error: the file has no outcomes\n");
}

/// Random tables with a tree of the 50-move rule for one side or both, and one that does not know the rule.
#[test]
fn the_independent_reader_knows_the_rule() {
    let Some(()) = python() else { return };
    let mut noise = Noise(0x1357_9bdf_0246_8ace);
    for (signature, sides) in [("KQvKR", Some([true, false])), ("KPvKP", Some([true, true])), ("KNvK", None)]
    {
        let material: Material = signature.parse().unwrap();
        let values = Model::Attack.variable_set(&material).values();
        let mut tree = |_: &Color| noise::tree(&values, 8, &mut noise);
        let turns = material.stored_turns();
        let trees = turns.iter().map(&mut tree).collect();
        let pcn = Pcn::of_trees(material, Model::Attack, vec![0; turns.len()], trees, [7; 8]).unwrap();
        let mut rule_tree = |turn: &Color| {
            let is_draw = |leaf: Leaf| if leaf.outcome == Wdl::Loss { Wdl::Draw } else { leaf.outcome };
            let nodes = tree(turn).nodes().iter().map(|node| node.map(|leaf| is_draw(leaf).into())).collect();
            Tree::new(nodes, &values).unwrap()
        };
        let rule_trees = sides
            .map(|sides| turns.iter().zip(sides).map(|(turn, has)| has.then(|| rule_tree(turn))).collect());
        for codec in Codec::ALL {
            let bytes = pcn.clone().with_rule_trees(rule_trees.clone()).unwrap().encode(codec).unwrap();
            let (file, fens) = (file(&bytes), placements(signature, 200));
            let tables = Tables::from_bytes(bytes).unwrap();
            let found = read_with(&["--rule"], file.path(), &fens).stdout;
            for (fen, theirs) in fens.iter().zip(String::from_utf8(found).unwrap().lines()) {
                match Position::from_fen(fen).and_then(|position| tables.probe_wdl50(&position)) {
                    Ok(ours) => assert_eq!(theirs, ours.name(), "{fen}"),
                    Err(error) => assert!(theirs.starts_with("error: "), "{fen}: {theirs}, here {error}"),
                }
            }
        }
    }
    let ruled = files_in_format_md("The 50-move rule");
    let fens = ["8/8/8/8/4k3/8/7Q/K7 w - - 0 1", "8/8/8/8/4k3/8/1Q6/K7 w - - 0 1"].map(String::from);
    let found = read_with(&["--rule"], ruled[0].path(), &fens).stdout;
    assert_eq!(String::from_utf8(found).unwrap(), "win\ncursed-win\n");
}

#[test]
fn the_independent_reader_refuses_damaged_files() {
    let Some(()) = python() else { return };
    let material = "KQvK".parse().unwrap();
    let table = |kind| random_table(&material, Model::Board, kind, &mut Noise(99));
    let damages: [fn(&mut Vec<u8>); 5] = [
        |file| file.truncate(file.len() - 1),
        |file| file.push(0),
        |file| file[0] ^= 0x20,
        |file| file[12] ^= 1,
        |file| *file.last_mut().unwrap() ^= 0x80,
    ];
    let bundle = Bundle::encode(vec![(material, table(KINDS[0]))]).unwrap();
    for (number, damage) in damages.into_iter().enumerate() {
        let mut bytes = table(KINDS[number % KINDS.len()]);
        damage(&mut bytes);
        assert_refused(&bytes);
    }
    [5, 9, bundle.len() - 1].into_iter().for_each(|end| assert_refused(&bundle[..end]));
}

/// Positions of all committed tables, with the outcomes that an independent program read from Syzygy's files.
#[test]
fn the_independent_reader_answers_as_syzygys_files_do() {
    let Some(()) = python() else { return };
    let (fens, outcomes): (Vec<String>, Vec<&str>) =
        bundle::answers().map(|(fen, _, outcome)| (fen.to_string(), outcome.name())).unzip();
    assert_eq!(answers(&root().join("fixtures/four-men.pcb"), &fens), outcomes);
}

/// Random positions with castling rights, more of those where the rights matter, and some with impossible rights.
#[test]
fn the_independent_reader_knows_castling_rights() {
    let Some(()) = python() else { return };
    let path = root().join("fixtures/four-men.pcb");
    let tables = Tables::open(&path).unwrap();
    let (mut noise, mut fens) = (Noise(0x51ed_270b_a3c5_f00d), Vec::new());
    let (mut matter, mut answered) = (0, 0);
    while fens.len() < 3_000 {
        let signatures = ["KRvK", "KQvKR", "KRvKB", "KRvKN", "KRvKP", "KRvKR", "KRRvK"];
        let material: Material = signatures[noise.below(signatures.len())].parse().unwrap();
        let squares = material.men().iter().map(|man| {
            let rank = if man.color == Color::White { 0 } else { 7 };
            match man.role {
                Role::King if noise.below(3) > 0 => Square::at(4, rank),
                Role::Rook if noise.below(3) > 0 => Square::at(7 * noise.below(2) as u8, rank),
                _ => Square::new(noise.below(64) as u8),
            }
        });
        let squares: Vec<Square> = squares.collect();
        let rights = CastlingRights::from_bits(1 + noise.below(15) as u8).unwrap();
        let mut position =
            Position::new(material, &squares, Color::BOTH[noise.below(2)], None).with_castling(rights);
        position.sort();
        let is_shared = position.occupied().len() < material.len();
        // Keeps those where the rights matter, and a few of the others.
        let is_legal = position.is_legal();
        let without = || tables.probe(&position.with_castling(CastlingRights::NONE)).unwrap();
        let matters = is_legal && tables.probe(&position).unwrap() != without();
        if is_shared || !matters && noise.below(if is_legal { 8 } else { 400 }) > 0 {
            continue;
        }
        matter += usize::from(matters);
        answered += usize::from(is_legal);
        let fen = position.to_fen();
        fens.push(if noise.below(2) == 1 { noise::exchanged(&fen) } else { fen });
    }
    assert!(matter > 4 && answered > 1000 && answered < fens.len(), "{matter} {answered}");
    assert_eq!(compare(&tables, &path, &fens), answered);
}

fn write_built(directory: &Path, store: &Store, signature: &str, models: &[Model]) -> PathBuf {
    let table = store.get(&signature.parse().unwrap()).unwrap();
    let built = build(&table, &Options { models: models.to_vec(), ..Options::default() }).unwrap();
    let file = directory.join(format!("{signature}.pcn"));
    fs::write(&file, built.bytes).unwrap();
    file
}

/// Every legal position of `material`, one of each class under the symmetries.
fn every_position(material: &Material) -> Vec<Position> {
    let index = &Index::new(material);
    let of = |&turn| (0..index.len()).filter_map(move |slot| noise::position_in(index, turn, slot));
    material.stored_turns().iter().flat_map(of).collect()
}

#[test]
#[ignore = "every position of three men with every model: many minutes"]
fn the_independent_reader_answers_as_the_prober_on_every_position_of_three_men() {
    let Some(()) = python() else { return };
    // Each model by itself, and the three that `auto` chooses from.
    let auto = [Model::Board, Model::Geometry, Model::Attack];
    let store = Store::new(None);
    for models in Model::ALL.iter().map(std::slice::from_ref).chain([&auto[..]]) {
        let directory = tempfile::tempdir().unwrap();
        for signature in ["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK"] {
            let file = write_built(directory.path(), &store, signature, models);
            let tables = Tables::open(directory.path()).unwrap();
            let positions = every_position(&signature.parse().unwrap());
            let fens: Vec<String> = positions.iter().map(Position::to_fen).collect();
            assert_eq!(compare(&tables, &file, &fens), fens.len());
            // Other images, and the colours exchanged.
            compare(&tables, &file, &placements(signature, 4000));
        }
    }
}

/// Every exception of two tables, and some thousand other positions.
#[test]
fn the_independent_reader_finds_the_exceptions() {
    let Some(()) = python() else { return };
    let bundle = root().join("fixtures/four-men.pcb");
    let tables = Tables::open(&bundle).unwrap();
    for signature in ["KRvKB", "KNNvK"] {
        let is_exception = |position: &Position| {
            let explanation = tables.explain(position).unwrap();
            matches!(explanation.decision, Decision::Leaf { exception: true, .. })
        };
        let positions = every_position(&signature.parse().unwrap());
        let (exceptions, others): (Vec<&Position>, Vec<&Position>) =
            positions.iter().partition(|position| is_exception(position));
        assert!(exceptions.len() > 5, "{signature} has {} exceptions", exceptions.len());
        let some = others.iter().step_by(1999);
        let fens: Vec<String> = exceptions.iter().chain(some).map(|position| position.to_fen()).collect();
        assert_eq!(compare(&tables, &bundle, &fens), fens.len());
    }
}

/// In the second file, pages test variables that the top does not.
#[test]
fn the_independent_reader_reads_trees_in_pages() {
    let Some(()) = python() else { return };
    for signature in ["KNPvK", "KQvKP"] {
        let file = root().join(format!("fixtures/fuzz/pcn/{signature}-attack-pages.pcn"));
        let tables = Tables::open(&file).unwrap();
        assert!(compare(&tables, &file, &placements(signature, 400)) > 150);
    }
}

/// Every exception of a leaf that states either outcome for its exceptions, every one with an en-passant file, and some
/// hundred other positions with one.
#[test]
fn the_independent_reader_finds_exceptions_of_either_outcome_and_en_passant() {
    let Some(()) = python() else { return };
    let path = root().join("fixtures/four-men.pcb");
    let tables = Tables::open(&path).unwrap();
    let material: Material = "KPvKP".parse().unwrap();
    let bundle = bundle::bundle();
    let (_, bytes) = bundle.tables().find(|(of, _)| **of == material).unwrap();
    let pcn = Pcn::decode(bytes).unwrap();
    // For an exception, whether its leaf states either outcome for its exceptions; `None` for other positions.
    let is_of_either = |position: &Position| {
        let explanation = tables.explain(position).unwrap();
        let Decision::Leaf { leaf, exception: true, .. } = explanation.decision else { return None };
        let leaf = pcn.tree(explanation.canonical.turn()).unwrap().leaves().nth(leaf).unwrap();
        Some(leaf.exceptions.unwrap().outcome.is_none())
    };
    let positions = every_position(&material);
    let has_file = |position: &Position| position.en_passant().is_some();
    let kinds: Vec<Option<bool>> = positions.par_iter().map(is_of_either).collect();
    let (mut either, mut passed, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for (position, kind) in positions.iter().zip(kinds) {
        match kind {
            Some(true) => either.push(position),
            Some(false) if has_file(position) => passed.push(position),
            None if has_file(position) => others.push(position),
            _ => {}
        }
    }
    assert!(either.len() > 20 && passed.len() > 5, "{} and {}", either.len(), passed.len());
    let some = others.iter().step_by(others.len() / 500 + 1);
    let fens: Vec<String> =
        either.iter().chain(&passed).chain(some).map(|position| position.to_fen()).collect();
    assert_eq!(compare(&tables, &path, &fens), fens.len());
}
