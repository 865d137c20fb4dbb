//! Files of distances: where they are found, and what they need.

use cubebase::chess::retrograde::Store;
use cubebase::pcn::{Bundle, BundleKind, DistanceSummary};
use cubebase::pipeline::{Options, build, build_distances};
use cubebase::probe::Prober;
use cubebase::retrograde::Metric;
use cubebase::{Color, ErrorKind, Material, Model, Position, Square, Tables, Wdl};

/// The files of outcomes and of distances of a table.
fn files(name: &str) -> [Vec<u8>; 2] {
    let options = Options { models: vec![Model::Board], ..Options::default() }.with_effort(1);
    let material = name.parse().unwrap();
    let outcomes = build(&Store::new(None).get(&material).unwrap(), &options).unwrap().bytes;
    let table = Store::new(None).with_metric(Metric::Dtz).get(&material).unwrap();
    [outcomes, build_distances(&table, &options).unwrap().bytes]
}

/// The file with another hash of its outcome table.
fn of_other_outcomes(mut file: Vec<u8>) -> Vec<u8> {
    file[4] ^= 1;
    let body = file.len() - 4;
    let sum = crc32fast::hash(&file[..body]).to_le_bytes();
    file[body..].copy_from_slice(&sum);
    file
}

/// A position of queen against king and the same with other colours.
const FENS: [&str; 2] = ["8/8/8/3k4/8/2K5/8/Q7 w - - 0 1", "q7/8/2k5/8/3K4/8/8/8 b - - 0 1"];

#[test]
fn files_are_found_in_directories_and_bundles_and_in_memory() {
    let [outcomes, distances] = files("KQvK");
    let material: Material = "KQvK".parse().unwrap();
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("KQvK.pcn"), &outcomes).unwrap();
    std::fs::write(directory.path().join("KQvK.dtz.pcn"), &distances).unwrap();
    let of_all = outcomes.len() + distances.len();
    let mut in_memory = Tables::from_bytes(outcomes.clone()).unwrap();
    in_memory.add_bytes(distances.clone()).unwrap();
    let mut bundled = Tables::empty();
    for bytes in [outcomes, distances] {
        bundled.add_bytes(Bundle::encode(vec![(material, bytes)]).unwrap()).unwrap();
    }
    let (mut said, mut memory) = (Vec::new(), Vec::new());
    for tables in [Tables::open(directory.path()).unwrap(), in_memory, bundled] {
        assert!(tables.has_distances(&material) && !tables.has_distances(&"KRvK".parse().unwrap()));
        for fen in FENS {
            said.push(tables.won_distance(&Position::from_fen(fen).unwrap()).unwrap());
        }
        // Both are decoded before the first probe too.
        memory.push(tables.memory());
        let mut fresh = Tables::empty();
        fresh.add_tables(tables);
        fresh.preload().unwrap();
        assert!(fresh.memory().decoded > memory[memory.len() - 1].decoded);
        memory.push(fresh.memory());
    }
    assert!(memory.iter().all(|memory| memory.files == of_all), "{memory:?}");
    let Some(plies @ 2..) = said[0] else { panic!("{said:?}") };
    assert!(plies % 2 == 1 && said.iter().all(|other| *other == said[0]), "{said:?}");
}

/// A damaged file does not replace a good one, a good file beside it does.
#[test]
fn undamaged_tables_replace_others() {
    let [outcomes, mut distances] = files("KQvK");
    let won = Position::from_fen("7k/8/8/5K2/8/8/8/6Q1 w - - 0 1").unwrap();
    let mut tables = Tables::from_bytes(outcomes.clone()).unwrap();
    tables.add_bytes(distances.clone()).unwrap();
    let said = tables.won_distance(&won).unwrap();
    assert!(tables.add_undamaged_tables(Tables::from_bytes(distances.clone()).unwrap()));
    distances.truncate(100);
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("KQvK.dtz.pcn"), &distances).unwrap();
    assert!(!tables.add_undamaged_tables(Tables::open(directory.path()).unwrap()));
    assert_eq!(tables.won_distance(&won).unwrap(), said);
    std::fs::write(directory.path().join("KQvK.pcn"), &outcomes[..10]).unwrap();
    std::fs::write(directory.path().join("KRvK.pcn"), "not read yet").unwrap();
    assert!(!tables.add_undamaged_tables(Tables::open(directory.path()).unwrap()));
    assert_eq!((tables.probe(&won).unwrap(), tables.materials().len()), (Wdl::Win, 2));
}

/// A tree in pages has the same distances. Its file has the same outcomes' hash as the bundle.
#[test]
fn pages_are_decoded_when_a_position_reaches_them() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let of = |distances| {
        let mut tables = Tables::open(root.join("fixtures/four-men.pcb")).unwrap();
        tables.add(root.join(distances)).unwrap();
        tables
    };
    let [whole, paged] =
        ["fixtures/four-men-distances.pcb", "fixtures/fuzz/pcn/KNPvK-distances-pages.pcn"].map(of);
    let mut memory = vec![];
    for rank in 2..8 {
        for king in 0..64 {
            let squares =
                [8 * (rank / 3), king, 63 - king / 2, 8 * (rank - 1) + 3].map(|at: u8| Square::new(at));
            let position = Position::new("KNPvK".parse().unwrap(), &squares, Color::White, None);
            if whole.probe(&position).is_ok_and(|outcome| outcome == Wdl::Win) {
                assert_eq!(paged.won_distance(&position).unwrap(), whole.won_distance(&position).unwrap());
                memory.push(paged.memory().decoded);
            }
        }
    }
    // The top with the first position, pages with later ones.
    memory.dedup();
    assert!(memory.len() > 2, "{memory:?}");
}

#[test]
#[cfg(feature = "moves")]
fn a_win_at_once_needs_no_distances() {
    let outcomes = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/four-men.pcb");
    let tables = Tables::open(outcomes).unwrap();
    let dtz = |fen: &str| tables.dtz(&Position::from_fen(fen).unwrap()).ok();
    // The queen takes the rook; she takes it after any move; she cannot win it at once.
    assert_eq!(dtz("8/8/8/8/4k3/8/1K6/2Q1r3 w - - 0 1"), Some(1));
    assert_eq!(dtz("2Q3k1/8/r7/8/8/5K2/8/8 b - - 0 1"), Some(-2));
    assert_eq!(dtz("8/8/8/8/4k3/4r3/8/K1Q5 w - - 0 1"), None);
}

#[test]
fn distances_need_their_outcomes() {
    let [outcomes, distances] = files("KQvK");
    let position = Position::from_fen(FENS[0]).unwrap();
    let mut alone = Tables::from_bytes(distances.clone()).unwrap();
    assert_eq!(alone.won_distance(&position).unwrap_err().kind(), ErrorKind::MissingTable);
    let other = of_other_outcomes(outcomes.clone());
    alone.add_bytes(other.clone()).unwrap();
    assert_eq!(alone.won_distance(&position).unwrap_err().kind(), ErrorKind::Mismatch);
    // So do distances that have answered already, when their outcomes are replaced.
    alone.add_bytes(outcomes.clone()).unwrap();
    assert!(alone.won_distance(&position).unwrap().is_some());
    alone.add_bytes(other).unwrap();
    assert_eq!(alone.won_distance(&position).unwrap_err().kind(), ErrorKind::Mismatch);
    let without = Tables::from_bytes(outcomes).unwrap();
    assert_eq!(without.won_distance(&position).unwrap(), None);
}

#[test]
fn a_bundle_has_outcomes_or_distances() {
    let [outcomes, distances] = files("KQvK");
    let mixed = vec![("KQvK".parse().unwrap(), outcomes), ("KRvK".parse().unwrap(), distances)];
    assert_eq!(Bundle::encode(mixed).unwrap_err().kind(), ErrorKind::BadInput);
}

/// The bundle of distances fits that of the outcomes; `.ci/slow distances` checks each distance.
#[test]
fn the_committed_distances_are_of_the_committed_outcomes() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/four-men-distances.pcb");
    let (distances, outcomes) =
        (Bundle::open(std::fs::read(file).unwrap()).unwrap(), crate::bundle::bundle());
    assert_eq!([distances.kind(), outcomes.kind()], [BundleKind::Distances, BundleKind::Outcomes]);
    assert!(distances.materials().eq(outcomes.materials()));
    let mut bytes = 0;
    for (material, table) in distances.tables() {
        let (summary, of) = (DistanceSummary::decode(table).unwrap(), outcomes.table(material).unwrap());
        assert_eq!(summary.table_hash, Prober::decode(of).unwrap().table_hash(), "{material}");
        bytes += table.len();
    }
    assert!(bytes <= 1_150_000, "{bytes}");
    let longest = |name: &str| {
        let summary = DistanceSummary::decode(distances.table(&name.parse().unwrap()).unwrap()).unwrap();
        summary.sides.into_iter().flatten().map(|side| side.longest).max()
    };
    // A ply less than published for the lost positions before them.
    assert_eq!(["KBNvK", "KQvKR", "KRvK", "KBvK"].map(longest), [Some(65), Some(61), Some(31), None]);
}

/// Commands that work on files of outcomes leave those of distances alone, or say what is to be done.
#[cfg(feature = "cli")]
#[test]
fn commands_know_files_of_distances_beside_outcomes() {
    use crate::command::{cubebase, fails, stdout, succeeds};
    let directory = tempfile::tempdir().unwrap();
    let [outcomes, distances] = files("KRvK");
    let path = |name: &str| directory.path().join(name).display().to_string();
    std::fs::write(path("KRvK.pcn"), outcomes).unwrap();
    std::fs::write(path("KRvK.dtz.pcn"), &distances).unwrap();
    let (all, bundle) = (directory.path().display().to_string(), path("both.pcb"));
    fails(format!("bundle {all} -o {bundle}"), 3, "need a bundle each");
    let doctor = |what: &str, advice: &str| {
        let output = cubebase(format!("doctor {all}"));
        let said = stdout(&output).lines().next().unwrap();
        assert!(output.status.code() == Some(1) && said.contains(what) && said.ends_with(advice), "{said}");
    };
    assert!(succeeds(format!("doctor {all}")).starts_with("2 tables sound, 0 problems"));
    std::fs::rename(path("KRvK.dtz.pcn"), path("KQvK.dtz.pcn")).unwrap();
    doctor("is the table of KRvK", "rename it, and put the right table in its place");
    std::fs::write(path("KQvK.dtz.pcn"), "no table").unwrap();
    doctor("not a .pcn file", ", or rebuild it: cubebase build KQvK --distances --out DIR");
    std::fs::remove_file(path("KQvK.dtz.pcn")).unwrap();
    std::fs::write(path("KRvK.dtz.pcn"), of_other_outcomes(distances.clone())).unwrap();
    doctor("of another table", "make them anew: cubebase build KRvK --distances --out DIR");
    std::fs::write(path("KRvK.dtz.pcn"), distances).unwrap();
    std::fs::rename(path("KRvK.pcn"), path("other")).unwrap();
    // The built-in ones are as good.
    assert!(succeeds(format!("doctor {all} {all}")).starts_with("1 table sound, 0 problems"));
    std::fs::rename(path("other"), path("KRvK.pcn")).unwrap();
    assert!(succeeds(format!("castle {all}")).starts_with(&path("KRvK.pcn")));
    // All images: no fewer than four for each canonical position.
    let verified = |options: &str| {
        let text = succeeds(format!("verify {options} {}", path("KRvK.dtz.pcn")));
        let digits: String =
            text.rsplit("all ").next().unwrap().chars().filter(char::is_ascii_digit).collect();
        digits.parse::<u64>().unwrap()
    };
    let (one, all) = (verified("--canonical"), verified(""));
    assert!(one == 21_770 && all > 4 * one, "{one}, {all}");
}

/// Both sides play by the embedded files, from decisive positions of every table with a clock that leaves the win. Each win
/// takes the plies that are said, up to each zeroing move, and ends with mate.
#[cfg(feature = "distances")]
fn play(games: usize) {
    use crate::noise::{self, Noise};
    use cubebase::Wdl;
    use cubebase::moves::{Line, LineEnd};
    let tables = Tables::embedded().unwrap();
    let decisive = |position: &Position| tables.probe(position).unwrap() != Wdl::Draw;
    let mut materials = tables.distance_materials();
    // Two bare kings, and two minor pieces that mate in a few corners.
    materials.retain(|material| !["KvK", "KBvK", "KNvK"].contains(&material.to_string().as_str()));
    let mut noise = Noise(57);
    let (mut plies, mut zeroed, mut longest) = (0, 0, 0);
    for number in 0..games {
        let material = materials[number % materials.len()];
        let mut tries = std::iter::repeat_with(|| noise::position(material, &mut noise)).take(20_000);
        let Some(position) = tries.find(decisive) else { continue };
        let dtz = tables.dtz(&position).unwrap();
        let clock = noise.below(101 - dtz.unsigned_abs() as usize);
        let fen = position.to_fen().replace(" 0 1", &format!(" {clock} 90"));
        let line = Line::of(&tables, &fen).unwrap();
        assert_eq!((line.end, line.dtz), (LineEnd::Mate, Some(dtz)), "{fen}");
        let mut left = dtz.unsigned_abs();
        for (ply, played) in line.moves.iter().enumerate() {
            let wins = (ply % 2 == 0) == (dtz > 0);
            assert_eq!(played.outcome, Some(if wins { Wdl::Win } else { Wdl::Loss }), "{fen} {}", played.uci);
            let after = played.dtz.unwrap().unsigned_abs();
            assert_eq!(
                left,
                if played.zeroing || played.checkmate { 1 } else { after + 1 },
                "{fen} {}",
                played.uci
            );
            zeroed += usize::from(played.zeroing);
            left = after;
        }
        (plies, longest) = (plies + line.moves.len(), longest.max(line.moves.len()));
    }
    assert!(plies > 10 * games && zeroed > games / 2, "{plies} plies, {zeroed} zeroing moves");
    println!("{games} games, {plies} plies, the longest game {longest}, {zeroed} zeroing moves");
}

#[cfg(feature = "distances")]
#[test]
fn a_won_game_is_won() {
    play(66);
}

#[cfg(feature = "distances")]
#[test]
#[ignore = "slow: minutes"]
fn two_thousand_won_games_are_won() {
    play(2000);
}
