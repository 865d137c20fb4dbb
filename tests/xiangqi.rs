//! Laws of Chinese chess: symmetries, text, and positions of a material against boards.

use cubebase::Color;
use cubebase::xiangqi::{Board, Man, Material, Move, Point, Position, Role};
use proptest::prelude::*;

/// Legal boards with some of the men of a game, mostly few.
fn board() -> impl Strategy<Value = Board> {
    let places = prop::collection::vec((any::<prop::sample::Index>(), 0_u8..100), 32);
    (places, 0_u8..100, any::<bool>()).prop_filter_map("legal", |(places, share, red)| {
        let mut board = Board::empty(if red { Color::White } else { Color::Black });
        let men = Color::BOTH.into_iter().flat_map(|color| {
            Role::ALL.into_iter().flat_map(move |role| vec![Man::new(color, role); role.limit()])
        });
        for (man, (place, chance)) in men.zip(places) {
            let points: Vec<Point> = man.points().into_iter().collect();
            let on = points[place.index(points.len())];
            if board.man(on).is_none() && (man.role == Role::General || chance < share) {
                board.set(on, Some(man));
            }
        }
        board.check_legal().is_ok().then_some(board)
    })
}

/// Positions of some materials, men on any points: many are illegal.
fn position() -> impl Strategy<Value = Position> {
    let names = ["k-k", "c-aaee", "aegp-aaee", "pp-ae", "hhgg-k"];
    (0..names.len(), prop::collection::vec(0_u8..90, 16), any::<bool>(), any::<bool>()).prop_map(
        move |(which, numbers, red, own)| {
            let material: Material = names[which].parse().unwrap();
            let place = |(man, number): (&Man, u8)| {
                let points: Vec<Point> = man.points().into_iter().collect();
                if own { points[usize::from(number) % points.len()] } else { Point::new(number) }
            };
            let points: Vec<Point> = material.men().iter().zip(numbers).map(place).collect();
            Position::new(material, &points, if red { Color::White } else { Color::Black })
        },
    )
}

/// The images of all legal moves, sorted.
fn images(board: &Board, image: impl Fn(Point) -> Point) -> Vec<Move> {
    let moves = board.legal_moves().into_iter();
    let mut images: Vec<Move> =
        moves.map(|played| Move { from: image(played.from), to: image(played.to) }).collect();
    images.sort_unstable();
    images
}

proptest! {
    #[test]
    fn symmetries_keep_the_moves(board in board()) {
        prop_assert_eq!(board.mirrored().legal_moves(), images(&board, Point::mirrored));
        prop_assert_eq!(board.colors_exchanged().legal_moves(), images(&board, Point::sides_exchanged));
    }

    #[test]
    fn a_legal_move_leads_to_a_legal_board(board in board()) {
        for played in board.legal_moves() {
            let after = board.after(played);
            prop_assert!(after.check_legal().is_ok(), "{} after {played}", board.to_fen());
        }
    }

    #[test]
    fn text_is_read_back(board in board()) {
        let fen = board.to_fen();
        prop_assert_eq!(Board::from_fen(&fen).unwrap(), board);
        let (men, rest) = fen.split_once(' ').unwrap();
        let men = men.replace('B', "E").replace('b', "e").replace('N', "H").replace('n', "h");
        prop_assert_eq!(Board::from_fen(&format!("{men} {rest}")).unwrap(), board);
    }

    #[test]
    fn reading_never_panics(any in ".*", near in "([1-9kabenrcpgKABENRCPG]{0,6}/){9}[1-9kK]{1,4} [wrb]( - -)?") {
        for text in [any, near] {
            if let Ok(board) = Board::from_fen(&text) {
                prop_assert_eq!(Board::from_fen(&board.to_fen()).unwrap(), board);
            }
        }
    }

    #[test]
    fn a_board_becomes_a_position(board in board()) {
        match Position::from_board(&board) {
            Ok((position, exchanged)) => {
                prop_assert!(position.is_legal());
                let back = if exchanged { position.board().colors_exchanged() } else { position.board() };
                prop_assert_eq!(back, board);
                let mirrored = Position::from_board(&board.mirrored()).unwrap();
                prop_assert_eq!((position.mirrored(), exchanged), mirrored);
            }
            Err(error) => {
                let attack =
                    |color| board.placed().any(|(man, _)| man.color == color && man.role.is_attacker());
                let is_large = error.to_string().ends_with("has too many positions for a table");
                prop_assert!(is_large || board.placed().count() > 16 || Color::BOTH.into_iter().all(attack));
            }
        }
    }

    #[test]
    fn a_position_is_legal_as_its_board_is(position in position()) {
        let board = position.board();
        let is_legal = board.placed().count() == position.material().len() && board.check_legal().is_ok();
        prop_assert_eq!(position.is_legal(), is_legal);
        prop_assert_eq!(position.mirrored().is_legal(), is_legal);
    }
}

/// Texts and files of this game and of the other one are told apart, each error on one line.
#[cfg(feature = "cli")]
#[test]
fn commands_name_the_game_on_one_line() {
    use crate::command::{cubebase, quoted, stderr, stdout};
    let directory = tempfile::tempdir().unwrap();
    let place = quoted(directory.path());
    let black = quoted("3k5/9/b4a3/9/9/9/9/9/4R4/5K3 b");
    let white = quoted("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1");
    let built = cubebase(format!("build c-ae --effort 1 --out {place}"));
    assert_eq!(built.status.code(), Some(0), "{}", stderr(&built));
    let probed = cubebase(format!("probe --tables {place} {black} {white}"));
    assert_eq!((stdout(&probed), stderr(&probed)), ("loss\ndraw\n", ""));
    let (file, misnamed) = (directory.path().join("c-ae.pcn"), directory.path().join("c-a.pcn"));
    std::fs::copy(&file, &misnamed).unwrap();
    let misnamed = quoted(&misnamed);
    for (line, status, said) in [
        (
            "generate c-ae KQvK --out x".to_owned(),
            2,
            "materials of two games: c-ae (Chinese chess) and KQvK (chess)",
        ),
        ("pack x.pla --material c-ae -o x.pcn".to_owned(), 2, "c-ae is a material of Chinese chess"),
        ("build c-p --out x".to_owned(), 2, "attackers (h, c, g, p) on both sides"),
        ("minimize c-ae --model binary -o x.pcn".to_owned(), 2, "no model 'binary' of Chinese chess"),
        (format!("probe {black}"), 3, "no table of c-ae"),
        (format!("verify {misnamed}"), 3, "is the table of c-ae"),
    ] {
        let output = cubebase(&line);
        assert_eq!(output.status.code(), Some(status), "{line}: {}", stderr(&output));
        assert!(
            stderr(&output).contains(said) && stderr(&output).lines().count() == 1,
            "{}",
            stderr(&output)
        );
    }
}
