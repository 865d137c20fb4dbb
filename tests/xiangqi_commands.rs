//! Chinese chess in the commands: texts and files of the two games are told apart, each error on one line.

use crate::command::{at, copied, cubebase, fails, json, quoted, said, stderr, stdout, succeeds};
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

/// The status of a command, its line, and what it says on one line of standard error.
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
    2 | plan c-ae --budget 1 | no --budget, and no options of minimizing
    2 | plan c-ae --effort 6 | no --budget, and no options of minimizing
    2 | explain --svg x.svg BLACK | there is no drawing of a board of Chinese chess
    3 | probe BLACK | no table of c-ae
    3 | probe nonsense | bad FEN: 1 field, not 4 to 6; bad FEN of Chinese chess: 1 field, not 2 to 6
    3 | moves '8/8 w - -' | has 2 ranks, not 8; bad FEN of Chinese chess: the board '8/8' has 2 ranks, not 10
    3 | explain '8/8 w - -' | not 10
    3 | lookup --tables BOTH '8/8 w - -' | not 10
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

/// Those that know chess alone do their work on its files and name the others.
#[test]
fn directories_with_files_of_both_games() {
    let (both, out) = (quoted(both()), tempfile::tempdir().unwrap());
    for (line, status, done) in [
        ("doctor BOTH".to_owned(), 1, "2 tables sound, 1 problem"),
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
    assert!(text.contains(" asks nothing: with these men and Red to move all"), "{text}");
}

#[test]
fn a_plan_keeps_to_the_memory() {
    let plan = |memory: &str| json(format!("plan pppp-aaee {memory} --threads 1"));
    let (free, short) = (plan("--memory 64G"), plan("--memory 500M"));
    let most = |plan: &serde_json::Value, field: &str| {
        plan["tables"].as_array().unwrap().iter().map(|table| table[field].as_u64().unwrap()).max()
    };
    assert_eq!((most(&free, "scratch_bytes"), short["allowed_bytes"].as_u64()), (Some(0), Some(500 << 20)));
    assert!(
        most(&short, "scratch_bytes") > Some(0) && most(&short, "peak_bytes") < most(&free, "peak_bytes")
    );
}
