//! The independent reader of tools/reader, which knows the format from FORMAT.md alone, answers as the prober does.
//!
//! Skips, and says so, where Python 3 is missing, or for compressed files its package `zstandard`.

use cubebase::build::{Options, build};
use cubebase::pcn::{Bundle, Codec, Summary};
use cubebase::position::Index;
use cubebase::probe::Decision;
use cubebase::retrograde::Store;
use cubebase::{Material, Model, Position, Tables};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether Python 3 runs `code`.
fn python_runs(code: &str) -> bool {
    let status =
        Command::new("python3").args(["-c", code]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn reader(file: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("python3");
    command.arg(root().join("tools/reader/pcn_reader.py")).arg(file).args(arguments);
    command
}

/// The reader's line for each of `fens`.
fn answers(file: &Path, fens: &[String]) -> Vec<String> {
    let mut input = tempfile::NamedTempFile::new().unwrap();
    input.write_all((fens.join("\n") + "\n").as_bytes()).unwrap();
    let stdin = File::open(input.path()).unwrap();
    let output = reader(file, &["-"]).stdin(stdin).output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect();
    assert_eq!(lines.len(), fens.len());
    lines
}

/// Asks both about `fens`, positions of the table in `file`, many of them no positions at all; returns how many both
/// answered.
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

/// `count` random placements of the men of `signature` as FENs, both colours having either side's men, with an
/// en-passant square now and then.
fn placements(signature: &str, count: usize) -> Vec<String> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let (white, black) = signature.split_once('v').unwrap();
    let mut fens = Vec::new();
    while fens.len() < count {
        let exchanged = random(2) == 1;
        let men = white.chars().map(|man| (man, exchanged)).chain(black.chars().map(|man| (man, !exchanged)));
        let mut board = [' '; 64];
        for (man, is_black) in men {
            let square = loop {
                // Pawns are often where en passant can be, seldom where they cannot stand.
                let square = match (man, random(8)) {
                    ('P', 0..4) => 24 + random(16),
                    ('P', 4..7) => 8 + random(48),
                    _ => random(64),
                };
                if board[square] == ' ' {
                    break square;
                }
            };
            board[square] = if is_black { man.to_ascii_lowercase() } else { man };
        }
        let black_to_move = random(2) == 1;
        let (pawn, rank, passed) = if black_to_move { ('P', 3, 3) } else { ('p', 4, 6) };
        let file = (0..8).find(|file| board[rank * 8 + file] == pawn && random(2) == 1);
        let en_passant = file.map_or("-".into(), |file| format!("{}{passed}", (b'a' + file as u8) as char));
        let turn = if black_to_move { 'b' } else { 'w' };
        fens.push(format!("{} {turn} - {en_passant} 0 1", board_text(&board)));
    }
    fens
}

fn board_text(board: &[char; 64]) -> String {
    let ranks: Vec<String> = board
        .rchunks(8)
        .map(|rank| {
            let (mut text, mut empty) = (String::new(), 0);
            for &man in rank.iter().chain(['/'].iter()) {
                if man == ' ' {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &std::mem::take(&mut empty).to_string();
                }
                text.push(man);
            }
            text.trim_end_matches('/').to_string()
        })
        .collect();
    ranks.join("/")
}

/// The directories of fixtures that the reader can read here.
fn readable() -> Vec<PathBuf> {
    if !python_runs("import sys; assert sys.version_info >= (3, 7)") {
        println!("skipped: no Python 3");
        return Vec::new();
    }
    let fixtures = root().join("fixtures/pcn/v1");
    let mut directories = vec![fixtures.join("plain")];
    if python_runs("import zstandard") {
        directories.push(fixtures);
    } else {
        println!("compressed files skipped: Python has no package `zstandard`");
    }
    directories
}

#[test]
fn the_independent_reader_answers_as_the_prober() {
    for directory in readable() {
        let tables = Tables::open(&directory).unwrap();
        for material in tables.materials() {
            let file = directory.join(format!("{material}.pcn"));
            let fens = placements(&material.to_string(), 3000);
            let answered = compare(&tables, &file, &fens);
            assert!(answered > 500, "{material}: only {answered} answered");
            let en_passant =
                |fen: &&String| Position::from_fen(fen).is_ok_and(|position| position.en_passant().is_some());
            if material.has_en_passant() {
                assert!(fens.iter().filter(en_passant).count() > 10, "{material}: too little en passant");
            }
        }
    }
}

#[test]
fn the_independent_reader_refuses_what_is_damaged() {
    for directory in readable() {
        let whole = fs::read(directory.join("KQvKR.pcn")).unwrap();
        let damages: [fn(&mut Vec<u8>); 5] = [
            |file| file.truncate(file.len() - 1),
            |file| file.push(0),
            |file| file[0] ^= 0x20,
            |file| file[12] ^= 1,
            |file| *file.last_mut().unwrap() ^= 0x80,
        ];
        for damage in damages {
            let mut bytes = whole.clone();
            damage(&mut bytes);
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(&bytes).unwrap();
            let output = reader(file.path(), &["8/8/8/4k3/8/8/4Q3/4K3 w - - 0 1"]).output().unwrap();
            assert_eq!(output.status.code(), Some(3));
            assert!(output.stdout.is_empty());
        }
    }
}

/// Writes a table of `signature` to `directory`, by the best of `models`.
fn write_built(directory: &Path, store: &Store, signature: &str, models: &[Model], codec: Codec) -> PathBuf {
    let table = store.get(&signature.parse().unwrap()).unwrap();
    let built = build(&table, &Options { models: models.to_vec(), codec, ..Options::default() }).unwrap();
    let file = directory.join(format!("{signature}.pcn"));
    fs::write(&file, built.bytes).unwrap();
    file
}

/// Every legal position of `material`, one of each class under the symmetries.
fn every_position(material: &Material) -> Vec<Position> {
    let index = Index::new(material);
    let turns = material.stored_turns().iter();
    turns.flat_map(|&turn| index.positions(turn, 0..index.len())).map(|(_, position)| position).collect()
}

/// Each model by itself, and the three that `auto` chooses from.
const CHOICES: [&[Model]; 5] = [
    &[Model::Binary],
    &[Model::Board],
    &[Model::Geometry],
    &[Model::Attack],
    &[Model::Board, Model::Geometry, Model::Attack],
];
const THREE_MEN: [&str; 6] = ["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK"];

/// Whether Python 3 is there; says so if not.
fn python_is_there() -> bool {
    let there = python_runs("import sys; assert sys.version_info >= (3, 7)");
    if !there {
        println!("skipped: no Python 3");
    }
    there
}

#[test]
fn the_independent_reader_answers_as_the_prober_on_three_men() {
    if !python_is_there() {
        return;
    }
    let store = Store::new(None);
    for models in CHOICES {
        let directory = tempfile::tempdir().unwrap();
        for signature in ["KvK", "KQvK", "KRvK"] {
            let file = write_built(directory.path(), &store, signature, models, Codec::Pcn);
            let tables = Tables::open(directory.path()).unwrap();
            assert!(compare(&tables, &file, &placements(signature, 500)) > 250, "{signature}, {models:?}");
        }
    }
    let mut others = vec![("KPvK", Model::Attack, Codec::Pcn), ("KQvK", Model::Board, Codec::None)];
    if python_runs("import zstandard") {
        others.push(("KQvK", Model::Binary, Codec::Zstd));
    } else {
        println!("compressed files skipped: Python has no package `zstandard`");
    }
    for (signature, model, codec) in others {
        let directory = tempfile::tempdir().unwrap();
        let file = write_built(directory.path(), &store, signature, &[model], codec);
        let tables = Tables::open(directory.path()).unwrap();
        assert!(
            compare(&tables, &file, &placements(signature, 1000)) > 400,
            "{signature}, {model:?}, {codec:?}"
        );
    }
}

#[test]
fn the_independent_reader_answers_from_a_bundle() {
    if !python_is_there() {
        return;
    }
    let (directory, store) = (tempfile::tempdir().unwrap(), Store::new(None));
    let mut tables = Vec::new();
    for signature in ["KvK", "KRvK", "KQvK"] {
        let file = write_built(directory.path(), &store, signature, &[Model::Board], Codec::Pcn);
        tables.push((signature.parse().unwrap(), fs::read(file).unwrap()));
    }
    let bundle = tempfile::NamedTempFile::new().unwrap();
    let bytes = Bundle::encode(tables).unwrap();
    fs::write(bundle.path(), &bytes).unwrap();
    let tables = Tables::open(directory.path()).unwrap();
    // Of the last there is no table.
    let fens: Vec<String> =
        ["KvK", "KQvK", "KRvK", "KBvK"].iter().flat_map(|signature| placements(signature, 200)).collect();
    assert!(compare(&tables, bundle.path(), &fens) > 300);
    for end in [5, 9, bytes.len() - 1] {
        fs::write(bundle.path(), &bytes[..end]).unwrap();
        let output = reader(bundle.path(), &["8/8/8/4k3/8/8/4Q3/4K3 w - - 0 1"]).output().unwrap();
        assert_eq!(output.status.code(), Some(3));
        assert!(output.stdout.is_empty());
    }
}

#[test]
#[ignore = "every position of three men with every model: many minutes"]
fn the_independent_reader_answers_as_the_prober_on_every_position_of_three_men() {
    if !python_is_there() {
        return;
    }
    let store = Store::new(None);
    for models in CHOICES {
        let directory = tempfile::tempdir().unwrap();
        for signature in THREE_MEN {
            let file = write_built(directory.path(), &store, signature, models, Codec::Pcn);
            let tables = Tables::open(directory.path()).unwrap();
            let positions = every_position(&signature.parse().unwrap());
            let fens: Vec<String> = positions.iter().map(Position::to_fen).collect();
            assert_eq!(compare(&tables, &file, &fens), fens.len());
            // Other images, and the colours exchanged.
            compare(&tables, &file, &placements(signature, 4000));
        }
    }
}

/// What an independent program read from Syzygy's files, of the committed tables without exceptions: of the others the
/// reader would have to enumerate all positions.
#[test]
fn the_independent_reader_answers_as_syzygys_files_do() {
    if !python_is_there() {
        return;
    }
    let bundle = Bundle::open(fs::read(root().join("fixtures/four-men.pcb")).unwrap()).unwrap();
    let signature = |fen: &str| {
        let position = Position::from_fen(fen).unwrap();
        Material::parse(&position.material().to_string()).unwrap().0
    };
    let lines = fs::read_to_string(root().join("fixtures/answers.tsv")).unwrap();
    let lines: Vec<(Material, &str, &str)> = lines
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once('\t').unwrap())
        .map(|(fen, outcome)| (signature(fen), fen, outcome))
        .collect();
    let (directory, mut asked) = (tempfile::tempdir().unwrap(), 0);
    for (material, bytes) in bundle.tables() {
        let sides = Summary::decode(bytes).unwrap().sides;
        if sides.iter().any(|side| side.tree.is_some_and(|tree| tree.exceptions > 0)) {
            continue;
        }
        let file = directory.path().join(format!("{material}.pcn"));
        fs::write(&file, bytes).unwrap();
        let of_table = lines.iter().filter(|(of, ..)| of == material);
        let (fens, outcomes): (Vec<String>, Vec<&str>) =
            of_table.map(|&(_, fen, outcome)| (fen.to_string(), outcome)).unzip();
        assert_eq!(answers(&file, &fens), outcomes, "{material}");
        asked += fens.len();
    }
    assert!(asked >= 200, "only {asked} positions of tables without exceptions");
}

/// Every exception of the trees and some thousand other positions.
#[test]
#[ignore = "enumerates tables of four men: many minutes"]
fn the_independent_reader_finds_the_exceptions_of_four_men() {
    if !python_is_there() {
        return;
    }
    let (directory, store) = (tempfile::tempdir().unwrap(), Store::new(None));
    for signature in ["KNvKN", "KQvKR", "KPvKP"] {
        let file = write_built(directory.path(), &store, signature, &[Model::Attack], Codec::Pcn);
        let tables = Tables::open(directory.path()).unwrap();
        let is_exception = |position: &Position| {
            let explanation = tables.explain(position).unwrap();
            matches!(explanation.decision, Decision::Leaf { exception: true, .. })
        };
        let positions = every_position(&signature.parse().unwrap());
        let exceptions: Vec<String> =
            positions.iter().filter(|position| is_exception(position)).map(Position::to_fen).collect();
        assert!(!exceptions.is_empty(), "{signature} has no exceptions");
        let some = positions.iter().step_by(997).map(Position::to_fen);
        let fens: Vec<String> = exceptions.into_iter().chain(some).collect();
        assert_eq!(compare(&tables, &file, &fens), fens.len());
        compare(&tables, &file, &placements(signature, 3000));
    }
}
