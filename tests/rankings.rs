//! Files of rankings: where they are found, what they need, and games that are played by them.

use cubebase::chess::retrograde::Store;
use cubebase::moves::{Line, LineEnd, Moves, Plan, play};
use cubebase::pcn::{Bundle, DistanceSummary};
use cubebase::pipeline::{Options, build, build_ranking};
use cubebase::retrograde::Metric;
use cubebase::{Color, ErrorKind, Model, Prober, Tables, Wdl};

/// The file of outcomes of a table.
fn outcomes(name: &str) -> Vec<u8> {
    let options = Options { models: vec![Model::Board], ..Options::default() }.with_effort(1);
    build(&Store::new(None).get(&name.parse().unwrap()).unwrap(), &options).unwrap().bytes
}

/// The files of outcomes and of a ranking of a table.
fn files(name: &str, pairs: u8) -> [Vec<u8>; 2] {
    let table = Store::new(None).with_metric(Metric::Dtz).get(&name.parse().unwrap()).unwrap();
    let options = Options { models: vec![Model::Attack], ..Options::default() }.with_effort(1);
    [outcomes(name), build_ranking(&table, pairs, &options).unwrap().bytes]
}

fn tables(files: [Vec<u8>; 2]) -> Tables {
    let mut tables = Tables::empty();
    files.into_iter().for_each(|bytes| tables.add_bytes(bytes).unwrap());
    tables
}

/// After every reply the next level falls, or it stays and the pairs of moves to it fall: so a game ends.
#[test]
fn plans_fall_after_every_reply() {
    for (name, pairs) in [("KQvK", 2), ("KRvK", 1), ("KRvK", 2), ("KPvK", 3)] {
        let table = Store::new(None).get(&name.parse().unwrap()).unwrap();
        let mut tables = tables(files(name, pairs));
        // A pawn promotes.
        for other in ["KQvK", "KRvK"] {
            tables.add_bytes(outcomes(other)).unwrap();
        }
        let won = table.positions(Color::White).filter(|(_, outcome)| *outcome == Wdl::Win);
        for (position, _) in won.step_by(97) {
            let fen = position.to_fen();
            let plan = Plan::of(&tables, &fen).unwrap().unwrap();
            assert!(
                plan.pairs == 0 || plan.next_level < plan.level && plan.pairs <= pairs,
                "{fen}: {plan:?}"
            );
            if plan.pairs == 0 {
                continue;
            }
            let after = play(&fen, &plan.uci).unwrap();
            for reply in Moves::of(&tables, &after).unwrap().moves {
                let next = play(&after, &reply.uci).unwrap();
                let of_next = Plan::of(&tables, &next).unwrap().unwrap();
                let falls = (of_next.next_level, of_next.pairs) < (plan.next_level, plan.pairs);
                assert!(falls || of_next.pairs == 0, "{fen} {plan:?}, {next} {of_next:?}");
            }
        }
    }
}

/// Of both colours; without distances the loser goes where the level is high.
#[test]
fn a_line_by_a_ranking_ends_with_mate() {
    let tables = tables(files("KRvK", 2));
    for fen in
        ["8/8/8/8/3k4/8/1R6/K7 w - - 0 1", "8/8/8/8/3K4/8/1r6/k7 b - - 0 1", "8/8/8/3k4/8/8/1R6/K7 b - - 0 1"]
    {
        let line = Line::of_plan(&tables, fen).unwrap();
        assert_eq!(line.end, LineEnd::Mate, "{fen}");
        assert!(line.moves.len() <= 100, "{fen}: {}", line.moves.len());
        assert_eq!(Line::of(&tables, fen).unwrap().end, LineEnd::Unknown, "{fen}");
    }
}

#[test]
fn rankings_need_their_outcomes() {
    let [outcomes, ranking] = files("KQvK", 2);
    let [_, other] = files("KRvK", 2);
    let fen = "8/8/8/3k4/8/2K5/8/Q7 w - - 0 1";
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(directory.path().join(name), bytes).unwrap();
    write("KQvK.pcn", &outcomes);
    let plan = || Plan::of(&Tables::open(directory.path()).unwrap(), fen);
    assert_eq!(plan().unwrap(), None);
    write("KQvK.rank.pcn", &ranking);
    assert!(plan().unwrap().is_some());
    let tables = Tables::open(directory.path()).unwrap();
    tables.preload().unwrap();
    assert_eq!(tables.memory().files, outcomes.len() + ranking.len());
    assert_eq!(Line::of(&Tables::open(directory.path()).unwrap(), fen).unwrap().dtz, None);
    write("KQvK.rank.pcn", &other);
    assert_eq!(plan().unwrap_err().kind(), ErrorKind::Corrupt);
    // A ranking is not taken for distances.
    std::fs::remove_file(directory.path().join("KQvK.rank.pcn")).unwrap();
    write("KQvK.dtz.pcn", &ranking);
    let error = Moves::of(&Tables::open(directory.path()).unwrap(), fen).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corrupt);
}

/// A pawn becomes a queen, and if only one of the pieces has a ranking, that piece.
#[test]
fn a_plan_zeroes_where_it_can_go_on() {
    let fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    let mut tables = Tables::empty();
    for name in ["KPvK", "KQvK", "KRvK", "KBvK", "KNvK"] {
        tables.add_bytes(outcomes(name)).unwrap();
    }
    let moved = |tables: &Tables| Plan::of(tables, fen).unwrap().unwrap().uci;
    assert_eq!(moved(&tables), "a7a8q");
    let [_, ranking] = files("KRvK", 2);
    tables.add_bytes(ranking).unwrap();
    assert_eq!(moved(&tables), "a7a8r");
    let [_, ranking] = files("KQvK", 2);
    tables.add_bytes(ranking).unwrap();
    assert_eq!(moved(&tables), "a7a8q");
}

#[cfg(feature = "cli")]
#[test]
fn commands_make_check_and_use_rankings() {
    use crate::command::{fails, json, succeeds};
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).display().to_string();
    let all = directory.path().display().to_string();
    succeeds(format!("build KQvK --effort 1 --out {all}"));
    let text = succeeds(format!("minimize KQvK --ranking --effort 1 -o {}", path("KQvK.rank.pcn")));
    assert!(text.contains("right on all 17,775 positions"), "{text}");
    assert!(succeeds(format!("verify {}", path("KQvK.rank.pcn"))).contains("right on all"));
    let info = json(format!("info {}", path("KQvK.rank.pcn")));
    let info = &info["files"][0];
    assert_eq!((&info["kind"], &info["pairs_of_moves"]), (&"ranking".into(), &2.into()), "{info}");
    assert!(succeeds(format!("doctor {all}")).starts_with("2 tables sound, 0 problems"));
    let fen = "'8/8/8/4k3/8/8/8/K6Q w - - 0 1'";
    let of = |command: &str| succeeds(format!("{command} --plan --tables {all} {fen}"));
    assert!(of("moves").contains(" from level "), "{}", of("moves"));
    assert!(of("line").contains("mate after "), "{}", of("line"));
    let plan = json(format!("moves --plan --tables {all} {fen}"));
    assert!(plan["plan"]["pairs_of_moves"].as_u64().is_some_and(|pairs| pairs <= 2), "{plan}");
    assert_eq!(succeeds("moves --plan '8/8/8/4k3/8/8/8/K6Q w - - 0 1'"), "no plan\n");
    let line = succeeds("line --plan '8/8/8/4k3/8/8/8/K6Q w - - 0 1'");
    assert!(line.starts_with("win, ") && line.ends_with("\nno ranking\n"), "{line}");
    // The rules are about all positions that need them.
    let rules = json(format!("explain --plan KQvK --tables {all}"));
    let all_rules = rules["rules"].as_array().unwrap();
    let levels = all_rules.iter().flat_map(|rule| rule["levels"].as_array().unwrap());
    let counted: u64 = levels.map(|level| level["positions"].as_u64().unwrap()).sum();
    assert_eq!((counted, &rules["pairs_of_moves"]), (17_775, &2.into()));
    let explained = of("explain");
    assert!(
        explained.starts_with(&of("moves")) && explained.contains("\nIts level is that of"),
        "{explained}"
    );
    for name in ["KQvK", "kqk"] {
        assert!(succeeds(format!("explain --plan {name} --tables {all}")).contains("\n1. level 1: "));
    }
    fails("explain --plan KXvK", 3, "'KXvK' is no material");
    // The board is described as given: only the colours differ.
    let lines = |colors: [&str; 2], fen: &str| -> Vec<String> {
        let text = succeeds(format!("explain --plan --tables {all} '{fen}'"));
        let words = |word: &str| match word {
            "white" | "White" => colors[0].to_owned(),
            "black" | "Black" => colors[1].to_owned(),
            _ => word.to_owned(),
        };
        text.lines().skip(1).map(|line| line.split(' ').map(words).collect::<Vec<_>>().join(" ")).collect()
    };
    let white = lines(["winner", "loser"], "8/8/8/8/8/2k5/8/KQ6 w - - 0 1");
    let black = lines(["loser", "winner"], "8/8/8/8/8/2K5/8/kq6 b - - 0 1");
    assert!(white.len() > 2);
    assert_eq!(white, black);
    fails("explain --plan KRvK", 3, "no ranking of KRvK");
    fails(format!("explain --plan {fen} --svg x.svg"), 2, "cannot be used with");
    // A ranking stands beside outcomes that are embedded.
    std::fs::remove_file(path("KQvK.pcn")).unwrap();
    assert!(of("moves").contains(" from level "), "{}", of("moves"));
    // A bundle of rankings is as good as their directory.
    let rankings = path("rankings.pcb");
    succeeds(format!("bundle {all} -o {rankings}"));
    let bundled = |command: &str| succeeds(format!("{command} --plan --tables {rankings} {fen}"));
    assert_eq!(bundled("moves"), of("moves"));
    assert!(succeeds(format!("info {rankings}")).contains("ranking"));
    assert!(succeeds(format!("doctor {rankings}")).starts_with("1 table sound, 0 problems"));
    fails(format!("compare {rankings}"), 3, "only rankings");
    succeeds(format!("build KRvK --effort 1 --out {all}"));
    fails(format!("bundle {all} -o {rankings}"), 3, "need a bundle each");
    fails(format!("minimize KQvK --ranking=4 -o {}", path("x.pcn")), 2, "4 is not in 1..=3");
    fails(format!("minimize KQvK --ranking --distances -o {}", path("x.pcn")), 2, "cannot be used with");
}

/// The bundle of rankings fits that of the outcomes, has the bytes of the page, and wins; `.ci/slow distances` checks every level.
#[test]
fn the_committed_rankings_win_and_are_those_of_the_page() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let [rankings, outcomes] = ["four-men-rankings.pcb", "four-men.pcb"]
        .map(|name| Bundle::open(std::fs::read(root.join("fixtures").join(name)).unwrap()).unwrap());
    assert!(rankings.materials().eq(outcomes.materials()));
    let page = std::fs::read_to_string(root.join("docs/decisions/rankings.md")).unwrap();
    let mut sum = 0;
    for (material, table) in rankings.tables() {
        let (summary, of) = (DistanceSummary::decode(table).unwrap(), outcomes.table(material).unwrap());
        assert_eq!(summary.table_hash, Prober::decode(of).unwrap().table_hash(), "{material}");
        if summary.sides.iter().any(Option::is_some) {
            sum += table.len();
            let row = format!("| {material} | {} |", with_commas(table.len()));
            assert!(page.contains(&row), "{row}");
        }
    }
    assert!(page.contains(&format!("| sum | {} |", with_commas(sum))), "{sum}");
    let mut tables = Tables::open(root.join("fixtures/four-men.pcb")).unwrap();
    tables.add(root.join("fixtures/four-men-rankings.pcb")).unwrap();
    for fen in [
        "8/8/8/8/3k4/8/8/KBN5 w - - 0 1",
        "8/8/8/3k4/8/2r5/8/K5Q1 w - - 0 1",
        "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1",
        "8/8/8/3rk3/8/8/3n4/K7 b - - 0 1",
    ] {
        assert_eq!(Line::of_plan(&tables, fen).unwrap().end, LineEnd::Mate, "{fen}");
    }
}

fn with_commas(number: usize) -> String {
    if number < 1000 {
        number.to_string()
    } else {
        format!("{},{:03}", with_commas(number / 1000), number % 1000)
    }
}
