//! Laws of Chinese chess: symmetries, text, and positions of a material against boards.

use cubebase::Color;
use cubebase::xiangqi::{Board, Man, Move, Point, Position, Role};
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
                prop_assert!(position.check_legal().is_ok());
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
}
