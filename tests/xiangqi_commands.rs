//! Chinese chess in the commands: texts and files of the two games are distinguished, and each error is one line.

use crate::command::{at, copied, cubebase, fails, json, quoted, said, stderr, stdout, succeeds};
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

const BLACK: &str = "'3k5/9/b4a3/9/9/9/9/9/4R4/5K3 b'";
/// The mirror image of that with the colours exchanged.
const RED: &str = "'3k5/4r4/9/9/9/9/9/3A4B/9/5K3 w'";
const CHESS: &str = "'8/8/8/4k3/8/8/4P3/QQ2K3 b - - 0 1'";

/// A directory with tables of both games, `c-ae.pcn` among them.
fn both() -> &'static Path {
    static BOTH: OnceLock<tempfile::TempDir> = OnceLock::new();
    let both = BOTH.get_or_init(|| {
        let both = tempfile::tempdir().unwrap();
        succeeds(format!("build c-ae --keep-tables --effort 1 --out {}", quoted(&both)));
        copied(&both, &[("KQvK", "KQvK.pcn"), ("KRvK", "KRvK.pcn")]);
        both
    });
    both.path()
}

/// Exit statuses, commands, and parts of their one line on standard error.
const SAID: &str = "\
    2 | generate c-ae KQvK --out x | materials of two games: c-ae (Chinese chess) and KQvK (chess)
    2 | generate XYZ --out x | 'XYZ' is no material: no 'v' between the sides (example: KQvKR); 'XYZ' is no material of Chinese
    2 | export KQ-KR | one of a, e, h, c, g, p (example: c-aaee); 'KQ-KR' is no material: no 'v'
    2 | minimize foo -o x.pcn | (example: KQvKR); 'foo' is no material of Chinese chess: no '-'
    2 | pack x.pla --material c-ae -o x.pcn | c-ae is a material of Chinese chess
    2 | build c-p --out x | attackers (h, c, g, p) on both sides
    3 | build ahcgpp-k --memory 64G --out x | too many positions for the numbers of rows
    3 | minimize ahcgpp-k --memory 64G -o x.pcn | too many positions for the numbers of rows
    2 | minimize c-ae --model binary -o x.pcn | no model 'binary' of Chinese chess
    2 | export c-ae --model binary | no model 'binary' of Chinese chess
    3 | build c-aaee --memory 64M --out x | c-aaee: minimizing takes at least
    3 | minimize c-aaee --memory 64M -o x.pcn | c-aaee: minimizing takes at least
    2 | plan c-ae --budget 0.0000001 | at effort 1
    2 | plan c-ae --budget 1 --effort 4 | no estimate of the time
    2 | explain --svg x.svg BLACK | there is no drawing of a board of Chinese chess
    3 | probe BLACK | no table of c-ae
    3 | probe 4k4/9/R3K4_r | bad FEN: 2 fields, not 4 to 6; bad FEN of Chinese chess: the board '4k4/9/R3K4' has 3 ranks, not 10
    3 | moves '9/8 w - -' | has 2 ranks, not 8; bad FEN of Chinese chess: the board '9/8' has 2 ranks, not 10
    3 | lookup --tables BOTH '9/9/9/9/9/9/9/9/9/8 w' | cubebase: bad FEN of Chinese chess: rank 0, '8', has 8 points, not 9
    3 | explain '9/8 w - -' | not 10
    3 | lookup --tables BOTH '9/8 w - -' | not 10
    3 | probe --tables NONE BLACK | no table of c-ae
    3 | probe --tables CHESS BLACK | KQvK.pcn is a file of chess
    3 | probe --tables MISNAMED CHESSMEN | no table of KQQPvK in the embedded tables;
    3 | probe --tables MISNAMED CHESSMEN | c-a.pcn is a file of Chinese chess
    3 | probe --tables NONE '3k5/9/5a3/9/9/9/9/9/4R4/5K3 b' | c-a.pcn has the table of c-ae
    3 | lookup --tables MISNAMED BLACK | c-a.pcn is a file of clauses: use `cubebase probe`
    3 | stats OUTCOMES --memory 100K | c-ae.wdl: needs about 199.6 KiB of memory, 100.0 KiB are allowed
    3 | verify MISNAMED | is the table of c-ae";

#[test]
fn commands_name_the_game_on_one_line() {
    let (both_path, empty) = (both(), tempfile::tempdir().unwrap());
    let both = quoted(both_path);
    let probed = cubebase(format!("probe --tables {both} {BLACK} '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1'"));
    assert_eq!((stdout(&probed), stderr(&probed)), ("loss\ndraw\n", ""));
    copied(&empty, &[("KQvK", "KQvK.pcn")]);
    for name in ["c-ae.pcn", "c-ae.wdl"] {
        fs::copy(both_path.join(name), empty.path().join(name.replace("ae", "a"))).unwrap();
    }
    let (none, misnamed, chess) = (quoted(&empty), at(&empty, "c-a.pcn"), at(&empty, "KQvK.pcn"));
    let mut wrong = Vec::new();
    for case in SAID.lines() {
        let [status, line, what] = case.trim_start().splitn(3, " | ").collect::<Vec<_>>()[..] else {
            panic!("{case}")
        };
        let line = line.replace("BOTH", &both).replace("NONE", &none).replace("MISNAMED", &misnamed);
        let line = line.replace("CHESSMEN", CHESS).replace("CHESS", &chess).replace("BLACK", BLACK);
        let line = line.replace("OUTCOMES", &at(both_path, "c-ae.wdl"));
        let output = cubebase(&line);
        let is_said = stderr(&output).contains(what) && stderr(&output).lines().count() == 1;
        if output.status.code() != status.parse().ok() || !is_said {
            wrong.push(format!("{line}: {}", said(&output)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    fs::remove_file(empty.path().join("c-a.pcn")).unwrap();
    fails(
        format!("probe --tables {none} '3k5/9/5a3/9/9/9/9/9/4R4/5K3 b'"),
        3,
        "c-a.wdl is an outcome table: use `cubebase lookup`",
    );
}

/// Without attackers a position is in the table of either colouring.
#[test]
fn positions_without_attackers_have_the_answers_of_their_image() {
    let directory = tempfile::tempdir().unwrap();
    let path = quoted(&directory);
    succeeds(format!("build k-e --keep-tables --effort 1 --out {path}"));
    for fen in ["'4k4/9/b8/9/9/9/9/9/9/3K5 w'", "'3k5/9/9/9/9/9/9/B8/9/4K4 b'"] {
        for command in ["probe", "lookup"] {
            assert_eq!(succeeds(format!("{command} --tables {path} {fen}")), "draw\n");
        }
        let moves = succeeds(format!("moves --tables {path} {fen}"));
        assert!(moves.starts_with("draw\n") && !moves.contains("unknown"), "{moves}");
        assert!(succeeds(format!("explain --tables {path} {fen}")).contains("Draw"));
    }
    let mut damaged = fs::read(directory.path().join("k-e.pcn")).unwrap();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(directory.path().join("k-e.pcn"), damaged).unwrap();
    for command in ["probe", "moves"] {
        fails(format!("{command} --tables {path} '3k5/9/9/9/9/9/9/B8/9/4K4 b'"), 3, "checksum");
    }
    // Positions that no table can have list their moves.
    let many = "'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w'";
    assert_eq!(succeeds(format!("moves {many}")).lines().count(), 1 + 44);
}

/// Commands that know only chess do their work on its files and name the others.
#[test]
fn directories_with_files_of_both_games() {
    let (both_path, out) = (both(), tempfile::tempdir().unwrap());
    let both = quoted(both_path);
    copied(&out, &[("KRvK", "KRvK.pcn")]);
    fs::copy(both_path.join("c-ae.pcn"), out.path().join("c-ae.pcn")).unwrap();
    for (line, status, done) in [
        (format!("castle {}", quoted(&out)), 3, "KRvK.pcn: "),
        ("compare BOTH".to_owned(), 3, "KRvK"),
        (format!("bundle BOTH -o {}", at(&out, "x.pcb")), 3, "x.pcb: 2 tables"),
    ] {
        let output = cubebase(line.replace("BOTH", &both));
        assert_eq!(output.status.code(), Some(status), "{line}: {}", said(&output));
        let named = said(&output).matches("c-ae.pcn: left out, a file of Chinese chess").count();
        assert!(stdout(&output).contains(done) && named == 1, "{line}: {}", said(&output));
    }
    assert!(succeeds(format!("info {}", at(&out, "x.pcb"))).contains("2 files"));
    assert!(succeeds(format!("verify {both}")).contains("3 files right"));
    let sound = "3 tables sound (1 of Chinese chess), 0 problems\n2 men: 0 of 1; missing: KvK\n";
    assert!(succeeds(format!("doctor {both}")).starts_with(sound));
}

/// `info` lists the files of both games together, and their sums are those of the lines.
#[test]
fn sizes_of_both_games_are_summed() {
    let both = quoted(both());
    let csv = succeeds(format!("info {both} --format csv"));
    let sizes =
        |line: &str| -> Vec<u64> { line.split(',').skip(2).filter_map(|size| size.parse().ok()).collect() };
    let files: Vec<&str> = csv.lines().skip(1).collect();
    assert!(files.len() == 3 && files[2].starts_with("c-ae,"), "{csv}");
    let value = json(format!("info {both}"));
    let totals = &value["totals"];
    for (column, field) in ["clauses", "literals", "bytes", "castling_bytes"].into_iter().enumerate() {
        let sum: u64 = files.iter().map(|line| sizes(line)[column]).sum();
        assert_eq!(totals[field].as_u64(), Some(sum), "{field}: {totals}");
    }
    let kinds = totals["models_and_shapes"].as_array().unwrap();
    let of_sides: u64 = kinds.iter().map(|kind| kind["bytes"].as_u64().unwrap()).sum();
    assert_eq!(of_sides + totals["headers_bytes"].as_u64().unwrap(), totals["bytes"].as_u64().unwrap());
    let last = &kinds[kinds.len() - 1];
    assert_eq!((&last["game"], &last["sides"]), (&"xiangqi".into(), &2.into()), "{totals}");
    // The header of a tree is two bytes, the file has its magic, model, name, hash and checksum.
    assert_eq!(last["bytes"].as_u64().unwrap() + 4 + 4 + 5 + 8 + 4, sizes(files[2])[2], "{totals}");
    let mut of_xiangqi = value["files"].as_array().unwrap().iter().filter(|file| file["material"] == "c-ae");
    let outcomes = of_xiangqi.find(|file| file["kind"] == "table").unwrap();
    assert_eq!((&outcomes["metric"], &outcomes["positions"][0]["turn"]), (&"wdl".into(), &"red".into()));
    let text = succeeds(format!("info {both}"));
    assert!(text.contains(": 3 tables\n") && text.contains(" outcome tables\n"), "{text}");
    assert!(
        text.contains("\ntotal: 3 files, ") && text.contains(" of Chinese chess, shape tree: 2 sides"),
        "{text}"
    );
}

/// A damaged file of Chinese chess is a problem, as is one with another's name.
#[test]
fn doctor_reads_files_of_chinese_chess() {
    let folder = tempfile::tempdir().unwrap();
    let good = fs::read(both().join("c-ae.pcn")).unwrap();
    let mut bad = good.clone();
    bad[good.len() / 2] ^= 16;
    for (name, bytes, what) in [
        ("c-ae.pcn", &bad, "checksum"),
        ("c-ae.pcn", &bad, "rebuild it: cubebase build c-ae --out DIR"),
        ("c-a.pcn", &good, "is the table of c-ae"),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
        let output = cubebase(format!("doctor {}", quoted(&folder)));
        let (text, is_found) = (stdout(&output), output.status.code() == Some(1));
        assert!(is_found && text.contains(what) && text.contains("0 tables sound, 1 problem\n"), "{text}");
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    for name in ["c-ae.pcn", "other.pcn"] {
        fs::write(folder.path().join(name), &good).unwrap();
    }
    let [one, other] = ["c-ae.pcn", "other.pcn"].map(|name| at(&folder, name));
    let output = cubebase(format!("doctor {one} {other}"));
    assert!(stdout(&output).contains("c-ae is also in "), "{}", said(&output));
}

#[test]
fn explanations_are_about_the_board_that_was_asked_about() {
    let both = quoted(both());
    let text = succeeds(format!("explain --tables {both} {BLACK}"));
    let (head, board) = text.split_once("\n\n9 ").unwrap();
    assert!(
        head.contains("\nRed wins. Black is to move.\n") && head.contains("The table c-ae (model "),
        "{text}"
    );
    assert!(head.contains("\n 1. The red chariot is ") && !head.contains("black chariot"), "{text}");
    assert!(board.starts_with(". . .|k . .|. . .\n") && board.contains("\n  ~ ~ "), "{text}");
    let [plain, image] = [BLACK, RED].map(|fen| json(format!("explain --tables {both} {fen}")));
    assert_eq!((&plain["canonical"], &plain["number"]), (&image["canonical"], &image["number"]));
    assert_eq!((plain["is_exchanged"].as_bool(), image["is_exchanged"].as_bool()), (Some(false), Some(true)));
    let sentences =
        |value: &serde_json::Value| value["conditions"][0]["sentence"].as_str().unwrap().to_owned();
    assert!(sentences(&image).starts_with("The black chariot is "), "{image}");
    assert_eq!(plain["conditions"][0]["allowed"], image["conditions"][0]["allowed"]);
    assert_eq!((&plain["stated"], plain["is_exception"].as_bool()), (&plain["outcome"], Some(false)));
    // A tree of one leaf.
    let folder = tempfile::tempdir().unwrap();
    let out = quoted(folder.path());
    succeeds(format!("build e-k --effort 1 --quiet --out {out}"));
    let text = succeeds(format!("explain --tables {out} '4k4/9/9/9/9/9/9/4B4/9/3K5 w'"));
    assert!(text.contains(" has one leaf for all positions with Red"), "{text}");
}

/// Tests of plans for chess are in plan.rs.
#[test]
fn a_plan_has_what_each_table_waits_for_and_keeps_to_the_memory() {
    let plan = json("plan c-aaee --memory 64G");
    let tables = plan["tables"].as_array().unwrap();
    let name = |table: &serde_json::Value| table["material"].as_str().unwrap().to_owned();
    let mut done = HashSet::new();
    for table in tables {
        let after: Vec<&str> =
            table["after"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
        assert!(after.iter().all(|below| done.contains(*below)) && table["refused"].is_null(), "{table}");
        assert!(table["minimize"]["cpu_seconds"].as_f64() > Some(0.0), "{table}");
        done.insert(name(table));
    }
    let last = &tables[tables.len() - 1];
    let expected = ["k-aaee", "c-aee", "c-aae"];
    assert!(last["after"].as_array().is_some_and(|after| after.len() == 3), "{last}");
    assert!(expected.iter().all(|below| last["after"].to_string().contains(below)), "{last}");
    assert_eq!(
        (name(last), last["men"].as_u64(), last["pawns"].as_u64()),
        ("c-aaee".into(), Some(7), Some(0))
    );
    let text = succeeds("plan c-aaee --memory 64M");
    assert!(
        text.contains("\nrefused: c-aaee: minimizing takes at least ") && text.contains(" after\n"),
        "{text}"
    );
}
