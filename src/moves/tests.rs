use super::*;
use crate::chess::position::{Material, Position, Square};
use crate::error::ErrorKind;
use crate::pcn::noise::{self, Noise};
use cozy_chess::Board;
use cozy_chess::util::{display_san_move, display_uci_move};

fn tables() -> Tables {
    Tables::from_bytes(std::fs::read("fixtures/four-men.pcb").unwrap()).unwrap()
}

/// The table of a material without its castling rights.
fn bare(signature: &str) -> Tables {
    let bundle = crate::pcn::Bundle::open(std::fs::read("fixtures/four-men.pcb").unwrap()).unwrap();
    let mut pcn = crate::Pcn::decode(bundle.table(&signature.parse().unwrap()).unwrap()).unwrap();
    pcn.castling = None;
    Tables::from_bytes(pcn.encode(crate::pcn::Codec::Compressed).unwrap()).unwrap()
}

fn of(fen: &str) -> Moves {
    Moves::of(&tables(), fen).unwrap()
}

impl Moves {
    #[track_caller]
    fn find(&self, uci: &str) -> &Move {
        self.moves.iter().find(|played| played.uci == uci).unwrap_or_else(|| panic!("{uci}: {self:#?}"))
    }

    fn names(&self) -> Vec<&str> {
        self.moves.iter().map(|played| played.san.as_str()).collect()
    }
}

/// A legal position after a double push beside a pawn.
fn after_double_push(noise: &mut Noise) -> Position {
    loop {
        let file = noise.below(8) as u8;
        let beside = if noise.below(2) == 0 { file + 1 } else { file.wrapping_sub(1) };
        if beside > 7 {
            continue;
        }
        let [white, black] = [(); 2].map(|()| Square::new(noise.below(64) as u8));
        let squares = [white, black, Square::at(file, 3), Square::at(beside, 3)];
        let position = Position::new("KPvKP".parse().unwrap(), &squares, Color::Black, Some(file));
        if position.is_legal() {
            return position;
        }
    }
}

/// Checks an answer against the rules library's notation, and against probes of the positions after the moves.
fn check(tables: &Tables, fen: &str) -> Moves {
    let answer = Moves::of(tables, fen).unwrap();
    assert_eq!(answer.outcome, Some(tables.probe(&Position::from_fen(fen).unwrap()).unwrap()), "{fen}");
    let board: Board = fen.parse().unwrap();
    let mut names: Vec<(String, String)> = Vec::new();
    board.generate_moves(|moves| {
        names.extend(moves.into_iter().map(|played| {
            (display_uci_move(&board, played).to_string(), display_san_move(&board, played).to_string())
        }));
        false
    });
    names.sort();
    let mut ours: Vec<(String, String)> =
        answer.moves.iter().map(|played| (played.uci.clone(), played.san.clone())).collect();
    ours.sort();
    assert_eq!(ours, names, "{fen}");
    for played in &answer.moves {
        let after = play(fen, &played.uci).unwrap();
        let position = Position::from_fen(&after).unwrap();
        let outcome = tables.probe(&position).unwrap();
        assert_eq!(played.outcome, Some(outcome.other()), "{fen} {played:?}");
        assert_eq!(position.in_check(position.turn()), played.check, "{fen} {played:?}");
        let men = |fen: &str| fen.split(' ').next().unwrap().matches(char::is_alphabetic).count();
        assert_eq!(men(&after) < men(fen), played.capture, "{fen} {played:?}");
    }
    assert!(answer.moves.is_sorted_by_key(|played| std::cmp::Reverse(played.outcome)), "{fen}: {answer:#?}");
    let best = answer.moves.first().and_then(|played| played.outcome);
    let end = if answer.check { Wdl::Loss } else { Wdl::Draw };
    assert_eq!(answer.outcome, best.or(Some(end)), "{fen}");
    answer
}

#[test]
fn moves_agree_with_probes_along_random_games() {
    let tables = tables();
    let (mut noise, mut seen) = (Noise(1), [0; 4]);
    let materials: Vec<Material> = (2..=4).flat_map(Material::all).collect();
    for number in 0..if cfg!(debug_assertions) { 1500 } else { 10_000 } {
        let position = match number % 4 {
            0 => after_double_push(&mut noise),
            _ => noise::position(materials[number % materials.len()], &mut noise),
        };
        let mut fen = position.to_fen();
        for _ in 0..8 {
            let answer = check(&tables, &fen);
            let Some(played) = answer.moves.get(noise.below(answer.moves.len().max(1))) else { break };
            let is_passing =
                |played: &&Move| played.capture && fen.split(' ').nth(3) == Some(&played.uci[2..4]);
            let played = answer.moves.iter().find(is_passing).unwrap_or(played);
            let is_en_passant = is_passing(&played);
            let kinds = [
                played.capture,
                played.promotion.is_some(),
                answer.outcome == Some(Wdl::Loss),
                is_en_passant,
            ];
            seen.iter_mut().zip(kinds).for_each(|(seen, is)| *seen += usize::from(is));
            fen = play(&fen, &played.uci).unwrap();
        }
    }
    assert!(seen.iter().all(|&seen| seen > 0), "{seen:?}");
}

#[test]
fn castling_by_the_rules() {
    let answer = of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    for (uci, san) in [("e1g1", "O-O"), ("e1c1", "O-O-O")] {
        let played = answer.find(uci);
        assert_eq!((played.san.as_str(), played.outcome, played.castling), (san, Some(Wdl::Win), true));
    }
    assert_eq!(answer.find("e1d1").outcome, Some(Wdl::Win), "the king's move gives up the rights");
    assert_eq!(answer.find("a1a2").outcome, Some(Wdl::Win), "a right is left");
    // A right of the opponent stays.
    let answer = of("4k2r/8/8/8/8/8/8/R3K3 w k - 0 1");
    assert_eq!((answer.find("e1d1").outcome, answer.outcome), (Some(Wdl::Loss), Some(Wdl::Win)));
    assert_eq!((answer.find("a1a8").outcome, answer.find("a1a8").san.as_str()), (Some(Wdl::Win), "Ra8+"));
    // Without castling rights in the table the outcome is unknown, unless a move makes it certain.
    let bare = bare("KRvKR");
    let answer = Moves::of(&bare, "4k2r/8/8/8/8/8/8/R3K3 w k - 0 1").unwrap();
    assert_eq!(
        (answer.find("e1d1").outcome, answer.find("a1a8").outcome, answer.outcome),
        (None, None, None)
    );
    let answer = of("r3k3/8/8/8/8/8/8/R3K3 w q - 0 1");
    assert_eq!((answer.find("a1a8").outcome, answer.outcome), (Some(Wdl::Win), Some(Wdl::Win)));
}

#[test]
fn castling_of_chess960() {
    // Both notations of rights, the inner rook, and the outermost one.
    for (fen, castled) in [
        ("5k2/8/8/8/8/8/8/1R2K3 w B - 0 1", Some("e1b1")),
        ("5k2/8/8/8/8/8/8/1R2K3 w Q - 0 1", Some("e1b1")),
        ("7k/8/8/8/8/8/8/RR2K3 w B - 0 1", Some("e1b1")),
        // The other rook is in the way.
        ("7k/8/8/8/8/8/8/RR2K3 w Q - 0 1", None),
        ("6k1/8/8/8/8/8/8/4KR2 w F - 0 1", Some("e1f1")),
        ("7k/8/8/8/8/8/8/R4K2 w Q - 0 1", Some("f1a1")),
    ] {
        let answer = of(fen);
        let castling: Vec<&str> =
            answer.moves.iter().filter(|played| played.castling).map(|played| played.uci.as_str()).collect();
        assert_eq!(castling, castled.into_iter().collect::<Vec<_>>(), "{fen}");
    }
    assert_eq!(of("4k3/8/8/8/8/8/8/4K2R w H - 0 1").find("e1g1").san, "O-O");
    let fen = "6k1/8/8/8/8/8/8/1R2K3 w B - 3 7";
    assert_eq!(play(fen, "e1b1").unwrap(), "6k1/8/8/8/8/8/8/2KR4 b - - 4 7");
    assert_eq!(play(fen, "e1e2").unwrap(), "6k1/8/8/8/8/8/4K3/1R6 b - - 4 7");
    let black = "1r2k3/8/8/8/8/8/8/K7 w b - 0 1";
    assert_eq!(play(black, "a1a2").unwrap(), "1r2k3/8/8/8/8/8/K7/8 b b - 1 1");
    let castled = play("1r2k3/8/8/8/8/8/8/K7 b b - 1 1", "e8b8").unwrap();
    assert_eq!(castled, "2kr4/8/8/8/8/8/8/K7 w - - 2 2");
    assert_eq!(of(black).find("a1a2").outcome, None, "no table has these rights");
}

#[test]
fn en_passant_and_promotion() {
    let answer = of("7k/8/8/3pP3/8/8/8/K7 w - d6 0 1");
    let played = answer.find("e5d6");
    assert!(played.capture && played.zeroing && played.conversion && played.san == "exd6", "{played:?}");
    assert_eq!(of("7k/8/8/3pP3/8/8/8/K7 w - - 0 1").moves.iter().filter(|played| played.capture).count(), 0);
    assert_eq!(play("7k/8/8/8/5p2/8/4P3/K7 w - - 0 1", "e2e4").unwrap(), "7k/8/8/8/4Pp2/8/8/K7 b - e3 0 1");
    assert_eq!(play("7k/8/8/8/8/8/4P3/K7 w - - 0 1", "e2e4").unwrap(), "7k/8/8/8/4P3/8/8/K7 b - - 0 1");
    let answer = of("3r4/4P3/8/8/8/8/k7/2K5 w - - 0 1");
    let shown = ["exd8=Q", "exd8=R", "e8=Q", "exd8=B", "exd8=N"];
    assert!(shown.iter().all(|san| answer.names().contains(san)), "{:?}", answer.names());
    assert_eq!(answer.names()[0], "exd8=Q");
    assert_eq!(answer.find("e7d8n").promotion, Some(Role::Knight));
    assert!(answer.find("e7d8n").insufficient_material);
    // More than eight men, with en passant, and too many for tables.
    let answer = of("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3");
    assert_eq!((answer.find("e5f6").san.as_str(), answer.outcome), ("exf6", None));
    assert!(answer.moves.iter().all(|played| played.uci != "e5d6"));
}

#[test]
fn notation_distinguishes_moves() {
    let answer = of("7k/8/8/8/N7/8/8/N1N1K3 w - - 0 1");
    for (uci, san) in [("a1b3", "Nab3"), ("c1b3", "Ncb3")] {
        assert_eq!(answer.find(uci).san, san);
    }
    let answer = of("1k6/8/8/3Q3Q/8/8/8/K6Q w - - 0 1");
    for (uci, san) in [("h5d1", "Qh5d1"), ("h1d1", "Q1d1"), ("d5d1", "Qdd1")] {
        assert_eq!(answer.find(uci).san, san);
    }
}

#[test]
fn ends_of_games_need_no_table() {
    let none = Tables::empty();
    let answer = |fen| Moves::of(&none, fen).unwrap();
    let mated = answer("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    assert!(mated.checkmate && mated.check && !mated.stalemate && mated.moves.is_empty());
    assert_eq!(mated.outcome, Some(Wdl::Loss));
    let stale = answer("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert!(stale.stalemate && !stale.checkmate && stale.outcome == Some(Wdl::Draw));
    let mates = answer("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
    assert_eq!((mates.outcome, mates.moves[0].san.as_str()), (Some(Wdl::Win), "Qf8#"));
    assert!(mates.find("f1f7").stalemate && mates.find("f1f7").outcome == Some(Wdl::Draw));
    assert_eq!(mates.find("f1a1").outcome, None);
    for (fen, is_insufficient) in [
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", true),
        ("7k/8/8/8/8/8/8/KN6 w - - 0 1", true),
        ("7k/8/8/8/8/8/8/KNN5 w - - 0 1", false),
        ("7k/8/8/8/8/8/n7/KN6 w - - 0 1", false),
        ("7k/8/8/8/8/b7/8/K1B5 w - - 0 1", true),
        ("7k/8/8/8/b7/8/8/K1B5 w - - 0 1", false),
        ("7k/8/8/8/8/b7/8/K1N5 w - - 0 1", false),
        ("7k/8/8/8/8/8/p7/K7 w - - 0 1", false),
    ] {
        let answer = answer(fen);
        assert_eq!(
            (answer.insufficient_material, answer.outcome.is_some()),
            (is_insufficient, is_insufficient),
            "{fen}"
        );
    }
}

#[test]
fn without_a_table_outcomes_are_unknown() {
    let answer = of("4k3/8/8/8/8/8/PPP5/KQ1R3q w - - 0 1");
    assert_eq!(answer.outcome, None);
    assert!(answer.moves.iter().all(|played| played.outcome.is_none()));
    let start = of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!((start.moves.len(), start.outcome), (20, None));
    assert_eq!(start.moves[0].uci, "a2a3", "moves of pawns come first, by name");
}

#[test]
fn errors_are_typed() {
    use ErrorKind::{BadInput, IllegalPosition};
    let tables = tables();
    for (fen, kind, why) in [
        ("", BadInput, "0 fields"),
        ("garbage", BadInput, "1 field"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", BadInput, "black has 0 kings"),
        ("k7/8/8/8/8/8/8/KK6 w - - 0 1", BadInput, "white has 2 kings"),
        ("k7/8/8/8/8/8/8/K6P w - - 0 1", IllegalPosition, "a pawn on h1"),
        ("8/8/8/8/8/8/8/Kk6 w - - 0 1", IllegalPosition, "kings are adjacent"),
        ("k7/8/8/8/8/8/8/K6q b - - 0 1", IllegalPosition, "white is in check, and black is to move"),
        (
            "k6r/8/8/8/8/8/8/K7 w k - 0 1",
            IllegalPosition,
            "black has no king in place for castling right 'k': write '-'",
        ),
        (
            "4k2r/8/8/8/8/8/8/K7 w q - 0 1",
            IllegalPosition,
            "black has no rook in place for castling right 'q': write '-'",
        ),
        ("4k2r/8/8/8/8/8/8/K7 w kh - 0 1", BadInput, "two on one side"),
        ("4k2r/8/8/8/8/8/8/K7 w kx - 0 1", BadInput, "castling rights are"),
        ("k7/8/8/8/3p4/8/8/K7 b - e3 0 1", IllegalPosition, "en passant without a pawn on e4"),
        ("4k2r/8/8/8/3p4/8/8/K7 b k e3 0 1", IllegalPosition, "en passant without a pawn on e4"),
        ("4k2r/8/8/8/3pP3/8/4N3/K7 b k e3 0 1", IllegalPosition, "e2, behind the pawn, is not empty"),
        ("4k2r/8/8/8/3pP3/8/8/K7 b k e6 0 1", IllegalPosition, "which no double push"),
        ("4k1r1/8/3N4/8/3pP3/8/8/K7 b g e3 0 1", IllegalPosition, "black would have been in check"),
        ("k7/pppppppp/p7/8/8/8/8/K7 w - - 0 1", IllegalPosition, "black has 9 pawns"),
        ("k7/8/8/8/8/8/QQQQQQQQ/QQQQQQQK w - - 0 1", IllegalPosition, "check"),
        ("7k/8/8/8/8/NNNNN3/NNNNNNNN/NNNNNNNK w - - 0 1", IllegalPosition, "white has 21 men"),
    ] {
        let error = Moves::of(&tables, fen).unwrap_err();
        assert!(error.kind() == kind && error.to_string().contains(why), "{fen}: {error}");
    }
    for uci in ["", "e2", "e2e9", "a1a1", "a1b3", "a1a2q", "a1a2qq", "0000", "é1é2"] {
        let error = play("7k/8/8/8/8/8/8/K7 w - - 0 1", uci).unwrap_err();
        assert_eq!(error.kind(), BadInput, "{uci}");
    }
}

#[test]
fn mates_in_a_few_moves() {
    for (fen, most, expected) in [
        ("8/8/2Q5/8/1k6/R7/8/4K3 w - - 0 1", 3, Some((3, "a3a4"))),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 3, Some((2, "a1a7"))),
        ("8/8/2Q5/8/1k6/R7/8/4K3 w - - 0 1", 2, None),
        ("7k/5K2/8/8/8/8/8/6R1 w - - 0 1", 3, Some((1, "g1h1"))),
        // By a knight, by castling, and by a capture en passant that opens a rank.
        ("6bk/6pr/8/8/7N/8/1B6/K6R w - - 0 1", 1, Some((1, "h4g6"))),
        ("8/8/8/8/2p1p3/2pkp3/8/R3K1N1 w Q - 0 1", 1, Some((1, "e1c1"))),
        ("1R6/8/p7/k2pP2R/p7/8/8/K7 w - d6 0 1", 1, Some((1, "e5d6"))),
        // The mate must come before the clock is 100.
        ("8/8/2Q5/8/1k6/R7/8/4K3 w - - 95 80", 3, Some((3, "a3a4"))),
        ("8/8/2Q5/8/1k6/R7/8/4K3 w - - 96 80", 3, None),
    ] {
        let found = Mate::of(fen, most).unwrap();
        assert_eq!(found.as_ref().map(|mate| (mate.moves, mate.uci.as_str())), expected, "{fen}");
    }
}

#[test]
fn a_damaged_table_is_an_error() {
    let bytes = std::fs::read("fixtures/four-men.pcb").unwrap();
    let bundle = crate::pcn::Bundle::open(bytes).unwrap();
    let mut table = bundle.table(&"KRvK".parse().unwrap()).unwrap().to_vec();
    let folder = tempfile::tempdir().unwrap();
    let last = table.len() - 1;
    table[last] ^= 1;
    std::fs::write(folder.path().join("KRvK.pcn"), table).unwrap();
    let tables = Tables::open(folder.path()).unwrap();
    let error = Moves::of(&tables, "7k/8/8/8/8/8/8/KR6 w - - 0 1").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corrupt);
}

/// An answer of lichess's server with `check`, and without distances but those that a win at once tells.
#[test]
fn json_equals_an_answer_of_lichess() {
    let answer = of("8/7P/8/8/8/8/5k2/7K w - - 0 1").to_json();
    let distances = r#""dtz":null,"precise_dtz":null,"dtc":null,"dtm":null,"dtw":null"#;
    let zeroes_in = |plies: &str| distances.replacen("null", plies, 2);
    let played = |uci: &str, san: &str, conversion: bool, insufficient: bool, category: &str| {
        let zeroing = !san.starts_with('K');
        // Known are that of a draw, and that of a loss by a promotion after any move.
        let distances = match (insufficient, zeroing) {
            (true, _) => zeroes_in("0"),
            (_, false) => zeroes_in("-2"),
            _ => distances.to_owned(),
        };
        format!(
            r#"{{"uci":"{uci}","san":"{san}","zeroing":{zeroing},"conversion":{conversion},{distances},"check":false,"checkmate":false,"stalemate":false,"variant_win":false,"variant_loss":false,"insufficient_material":{insufficient},"category":"{category}"}}"#
        )
    };
    let moves = [
        played("h7h8q", "h8=Q", true, false, "loss"),
        played("h7h8r", "h8=R", true, false, "loss"),
        played("h1h2", "Kh2", false, false, "loss"),
        played("h7h8b", "h8=B", true, true, "draw"),
        played("h7h8n", "h8=N", true, true, "draw"),
    ];
    let root = r#""check":false,"checkmate":false,"stalemate":false,"variant_win":false,"variant_loss":false,"insufficient_material":false,"category":"win""#;
    assert_eq!(answer, format!(r#"{{{},{root},"moves":[{}]}}"#, zeroes_in("1"), moves.join(",")));
    let parsed: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(parsed["moves"].as_array().unwrap().len(), 5);
    let checked: serde_json::Value =
        serde_json::from_str(&of("8/8/8/8/8/8/5k2/r6K w - - 0 1").to_json()).unwrap();
    assert_eq!((&checked["check"], &checked["moves"][0]["check"]), (&true.into(), &false.into()));
    let unknown = Moves::of(&Tables::empty(), "7k/8/8/8/8/8/8/KR6 b - - 0 1").unwrap().to_json();
    assert_eq!(unknown.matches(r#""category":"unknown""#).count(), 4, "{unknown}");
}
