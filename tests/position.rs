//! Positions against brute force and against an independent rules library.

use super::noise;
use cozy_chess::{BitBoard, Board, Move, Piece};
#[cfg(feature = "build")]
use cubebase::chess::retrograde::Index;
use cubebase::position::{Bitboard, Symmetry, attacks};
use cubebase::{CastlingRights, Color, ErrorKind, Man, Material, Position, Role, Square};
use proptest::prelude::*;
use std::sync::LazyLock;

const NONE: CastlingRights = CastlingRights::NONE;

/// Every material of two to five men, and some larger ones.
static MATERIALS: LazyLock<Vec<Material>> = LazyLock::new(|| {
    let large = ["KQRBvKNP", "KPPPvKPP", "KRRRvKRR", "KPPPvKPPP", "KQQQQQQvK", "KBBNNvKPP"];
    (2..=5).flat_map(Material::all).chain(large.map(|signature| signature.parse().unwrap())).collect()
});

/// Material of both sides' pawns, for en passant.
static WITH_BOTH_PAWNS: LazyLock<Vec<Material>> =
    LazyLock::new(|| MATERIALS.iter().copied().filter(Material::has_en_passant).collect());

fn turn(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}

/// Men anywhere, pawns off the first and last rank; often illegal, rarely canonical, without en passant.
fn placement() -> impl Strategy<Value = Position> {
    (0..MATERIALS.len(), prop::array::uniform8(0_u8..64), any::<bool>()).prop_map(
        |(which, squares, white)| {
            let material = MATERIALS[which];
            Position::new(material, &places(&material, squares), turn(white), None)
        },
    )
}

fn places(material: &Material, squares: [u8; 8]) -> Vec<Square> {
    let place = |(man, on): (&Man, u8)| match man.role {
        Role::Pawn => Square::at(on & 7, 1 + (on >> 3) % 6),
        _ => Square::new(on),
    };
    material.men().iter().zip(squares).map(place).collect()
}

/// Legal positions after a double push with a pawn beside the pushed one, and its file; some have it as their en-passant
/// file.
fn after_double_push() -> impl Strategy<Value = (Position, u8)> {
    (0..WITH_BOTH_PAWNS.len(), prop::array::uniform8(0_u8..64), any::<bool>(), 0_u8..8, any::<bool>())
        .prop_filter_map("legal", |(which, squares, white, file, right)| {
            let material = WITH_BOTH_PAWNS[which];
            let turn = turn(white);
            let beside = if right { file + 1 } else { file.wrapping_sub(1) };
            let mut squares = places(&material, squares);
            let (rank, origin) = if white { (4, 6) } else { (3, 1) };
            let pawn =
                |color| material.men().iter().position(|&man| man == Man::new(color, Role::Pawn)).unwrap();
            squares[pawn(turn.other())] = Square::at(file, origin);
            if beside < 8 {
                squares[pawn(turn)] = Square::at(beside, rank);
            }
            let before = Position::new(material, &squares, turn.other(), None);
            let passed = Square::at(file, u8::midpoint(origin, rank));
            let free = ![passed, Square::at(file, rank)].iter().any(|&on| before.occupied().contains(on));
            squares[pawn(turn.other())] = Square::at(file, rank);
            let after = Position::new(material, &squares, turn, None);
            (before.is_legal() && free && after.is_legal()).then(|| {
                let mut after = after.with_double_push(file);
                after.sort();
                (after, file)
            })
        })
}

fn legal() -> impl Strategy<Value = Position> {
    let ordinary = placement().prop_filter_map("legal", |mut position| {
        position.sort();
        position.is_legal().then_some(position)
    });
    prop_oneof![ordinary, after_double_push().prop_map(|(position, _)| position)]
}

fn board(position: &Position) -> Option<Board> {
    position.to_fen().parse().ok()
}

fn en_passant_captures(board: &Board, passed: Square) -> Vec<Move> {
    let mut moves = Vec::new();
    let passed = cozy_chess::Square::index(passed.index());
    board.generate_moves_for(board.pieces(Piece::Pawn), |of_one| {
        moves.extend(of_one.into_iter().filter(|mv| mv.to == passed && mv.from.file() != mv.to.file()));
        false
    });
    moves
}

/// The key whose minimum makes a position canonical, computed without the library's symmetries.
fn key(position: &Position, anchor: usize, image: impl Fn(u8, u8) -> (u8, u8)) -> Vec<u8> {
    let number = |square: &Square| {
        let (file, rank) = image(square.file(), square.rank());
        rank * 8 + file
    };
    let sorted = |group: std::ops::Range<usize>| {
        let mut squares: Vec<u8> = position.squares()[group].iter().map(number).collect();
        squares.sort_unstable();
        squares
    };
    let groups = position.material().groups();
    let leading = groups.iter().find(|group| group.contains(&anchor)).unwrap().clone();
    let others = groups.iter().filter(|group| !group.contains(&anchor)).cloned();
    let mut key: Vec<u8> = std::iter::once(leading.clone()).chain(others).flat_map(sorted).collect();
    key.push(position.en_passant().map_or(0, |file| 1 + image(file, 0).0));
    key
}

/// The file and rank of a square's image.
type Image = fn(u8, u8) -> (u8, u8);

fn smallest_key(position: &Position, anchor: usize) -> Vec<u8> {
    let position = if position.material().is_symmetric() && position.turn() == Color::Black {
        position.colors_exchanged()
    } else {
        *position
    };
    let images: [Image; 8] = [
        |file, rank| (file, rank),
        |file, rank| (7 - file, rank),
        |file, rank| (file, 7 - rank),
        |file, rank| (7 - file, 7 - rank),
        |file, rank| (rank, file),
        |file, rank| (7 - rank, file),
        |file, rank| (rank, 7 - file),
        |file, rank| (7 - rank, 7 - file),
    ];
    let images = if position.material().has_pawns() { &images[..2] } else { &images };
    images.iter().map(|image| key(&position, anchor, image)).min().unwrap()
}

#[test]
fn leaper_attacks_agree_with_the_rules_library() {
    for index in 0..64 {
        let (ours, theirs) = (Square::new(index), cozy_chess::Square::index(index.into()));
        assert_eq!(attacks::king(ours).0, cozy_chess::get_king_moves(theirs).0);
        assert_eq!(attacks::knight(ours).0, cozy_chess::get_knight_moves(theirs).0);
        for (color, other) in
            Color::BOTH.into_iter().zip([cozy_chess::Color::White, cozy_chess::Color::Black])
        {
            assert_eq!(attacks::pawn(color, ours).0, cozy_chess::get_pawn_attacks(theirs, other).0);
        }
        for to in 0..64 {
            let between = cozy_chess::get_between_rays(theirs, cozy_chess::Square::index(to.into()));
            assert_eq!(attacks::between(ours, Square::new(to)).0, between.0);
        }
    }
}

/// White's rights, by the squares of its king and its rook.
#[test]
fn castling_rights_need_their_king_and_their_rook() {
    let rights = CastlingRights::from_bits(1).unwrap();
    for (king, rook, is_legal) in [(4, 7, true), (3, 7, false), (4, 6, false), (4, 0, false), (60, 63, false)]
    {
        let (white, black) = (1_u64 << king | 1 << rook, 1_u64 << 40);
        let roles = [1 << king | black, 0, 1 << rook, 0, 0, 0];
        let position = Position::from_bitboards([white, black], roles, None, Color::White, rights);
        assert_eq!(position.is_ok(), is_legal, "{king} {rook}");
        // The same of Black, in the orientation of the material.
        let exchanged = [black.swap_bytes(), white.swap_bytes()];
        let black = CastlingRights::from_bits(4).unwrap();
        let other =
            Position::from_bitboards(exchanged, roles.map(u64::swap_bytes), None, Color::Black, black);
        assert_eq!(other.map_err(|error| error.kind()), position.map_err(|error| error.kind()));
    }
}

#[test]
fn bitboards_that_are_no_position() {
    let kings = |white: u64, black: u64| ([white, black], [white | black, 0, 0, 0, 0, 0]);
    let refused = |(colors, roles): ([u64; 2], [u64; 6]), castling| {
        Position::from_bitboards(colors, roles, None, Color::White, castling).unwrap_err().kind()
    };
    let (colors, roles) = kings(1, 1 << 63);
    assert!(Position::from_bitboards(colors, roles, None, Color::White, NONE).is_ok());
    assert_eq!(refused((colors, roles), CastlingRights::from_bits(1).unwrap()), ErrorKind::IllegalPosition);
    assert_eq!(refused(kings(1, 1 << 9), NONE), ErrorKind::IllegalPosition);
    // No king, two kings, no role, two roles, no colour, two colours, nine men.
    assert_eq!(refused(kings(1, 0), NONE), ErrorKind::BadInput);
    assert_eq!(refused(kings(5, 1 << 63), NONE), ErrorKind::BadInput);
    assert_eq!(refused(([1 | 4, 1 << 63], roles), NONE), ErrorKind::BadInput);
    assert_eq!(refused((colors, [roles[0], 1, 0, 0, 0, 0]), NONE), ErrorKind::BadInput);
    assert_eq!(refused((colors, [roles[0], 4, 0, 0, 0, 0]), NONE), ErrorKind::BadInput);
    assert_eq!(refused(([1 | 1 << 63, 1 << 63], roles), NONE), ErrorKind::BadInput);
    let queens = 0xfe;
    assert_eq!(
        refused(([1 | queens, 1 << 63], [roles[0], queens, 0, 0, 0, 0]), NONE),
        ErrorKind::UnsupportedPosition
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn slider_attacks_agree_with_the_rules_library(index in 0_u8..64, a: u64, b: u64) {
        let (ours, theirs) = (Square::new(index), cozy_chess::Square::index(index.into()));
        for occupied in [a, a & b] {
            let (occupied, blockers) = (Bitboard(occupied), BitBoard(occupied));
            prop_assert_eq!(attacks::rook(ours, occupied).0, cozy_chess::get_rook_moves(theirs, blockers).0);
            prop_assert_eq!(attacks::bishop(ours, occupied).0, cozy_chess::get_bishop_moves(theirs, blockers).0);
        }
    }

    /// The rules library accepts adjacent kings, and refuses a king in check from more than two men.
    #[test]
    fn legality_and_check_agree_with_the_rules_library(position in placement()) {
        let occupied = position.occupied();
        prop_assume!(occupied.len() == position.material().len());
        let king = position.king(position.turn());
        let [white, black] = [Color::White, Color::Black].map(|color| position.king(color));
        let adjacent = white.file().abs_diff(black.file()).max(white.rank().abs_diff(black.rank())) < 2;
        let checkers = position.placed().filter(|&(man, on)| {
            man.color != position.turn() && attacks::attacks(man, on, occupied).contains(king)
        });
        match board(&position) {
            Some(_) if adjacent => prop_assert!(!position.is_legal(), "{}", position.to_fen()),
            Some(board) => {
                prop_assert!(position.is_legal(), "{}", position.to_fen());
                prop_assert_eq!(position.in_check(position.turn()), !board.checkers().is_empty());
            }
            None => prop_assert!(!position.is_legal() || checkers.count() > 2, "{}", position.to_fen()),
        }
    }

    /// Reading the position with the square passed by the double push gives it an en-passant file where a legal move
    /// captures there.
    #[test]
    fn en_passant_agrees_with_the_rules_library((position, file) in after_double_push()) {
        let (pushed, passed) = if position.turn() == Color::White { (4, 5) } else { (3, 2) };
        let passed = Square::at(file, passed);
        let fen = position.with_en_passant(None).to_fen().replace(" - - 0", &format!(" - {passed} 0"));
        let captures = en_passant_captures(&fen.parse().unwrap(), passed);
        let ours: Vec<Square> =
            position.en_passant_capturers(file).map(|man| position.squares()[man]).collect();
        let mut theirs: Vec<Square> = captures.iter().map(|mv| Square::new(mv.from as u8)).collect();
        theirs.sort_unstable();
        prop_assert_eq!(&ours, &theirs, "{}", fen);
        prop_assert!(ours.iter().all(|square| square.rank() == pushed));
        prop_assert_eq!(position.en_passant(), (!theirs.is_empty()).then_some(file), "{}", fen);
        prop_assert_eq!(Position::from_fen(&fen).unwrap(), position, "{}", fen);
    }

    /// Bitboards give the same position or error as the FEN. Sometimes the weaker side is White. A legal position gives
    /// itself.
    #[test]
    fn bitboards_give_what_fen_gives(
        (is_legal, position) in prop_oneof![legal().prop_map(|of| (true, of)), placement().prop_map(|of| (false, of))],
        exchanged: bool,
        passed in 0_u8..128,
    ) {
        let mut colors = [Bitboard::EMPTY; 2];
        let mut roles = [Bitboard::EMPTY; 6];
        let mirrored = |on: Square| if exchanged { Square::at(on.file(), 7 - on.rank()) } else { on };
        for (man, on) in position.placed() {
            let color = if exchanged { man.color.other() } else { man.color };
            colors[color.index()] |= mirrored(on);
            roles[man.role as usize] |= mirrored(on);
        }
        let all = colors[0] | colors[1];
        prop_assume!(all.len() == position.material().len());
        let legal_file = position.en_passant().map(|file| {
            mirrored(Square::at(file, if position.turn() == Color::White { 5 } else { 2 }))
        });
        // Half of the random en-passant squares are on the third or sixth rank.
        let claimed = match passed {
            0..16 => Some(Square::at(passed & 7, if passed < 8 { 2 } else { 5 })),
            16..32 => Some(Square::new(passed * 2)),
            _ => legal_file,
        };
        let turn = if exchanged { position.turn().other() } else { position.turn() };
        let fen = position.with_en_passant(None).to_fen();
        let fen = if exchanged { noise::exchanged(&fen) } else { fen };
        let passed = claimed.map_or("-".to_owned(), |on| on.to_string());
        let fen = fen.replace(" - - ", &format!(" - {passed} "));
        let read = Position::from_fen(&fen).map_err(|error| (error.kind(), error.to_string()));
        let made = Position::from_bitboards(colors, roles, claimed, turn, NONE);
        let made = made.map_err(|error| (error.kind(), error.to_string()));
        // Only errors of a FEN begin so.
        prop_assert_eq!(made, read.map_err(|(kind, text)| (kind, text.replace("bad FEN: ", ""))), "{}", fen);
        if let Ok(made) = Position::from_bitboards(colors, roles, claimed, turn, NONE) {
            prop_assert!(made.is_sorted() && made.is_legal());
            if is_legal && claimed == legal_file {
                // Of a symmetric material White stays White.
                let is_kept = exchanged && position.material().is_symmetric();
                let mut expected = if is_kept { position.colors_exchanged() } else { position };
                expected.sort();
                prop_assert_eq!(made, expected);
            }
        }
    }

    #[test]
    fn canonicalization_agrees_with_brute_force(position in legal()) {
        for anchor in 0..position.material().len() {
            let canonical = position.canonical(anchor);
            prop_assert_eq!(key(&canonical, anchor, |file, rank| (file, rank)), smallest_key(&position, anchor));
            prop_assert!(canonical.is_canonical(anchor));
            prop_assert!(canonical.is_legal());
            prop_assert_eq!(canonical.canonical(anchor), canonical);
            prop_assert_eq!(position.is_canonical(anchor), canonical == position);
            if !position.material().is_symmetric() {
                prop_assert_eq!(canonical.turn(), position.turn());
            }
        }
    }

    #[test]
    fn symmetric_positions_share_their_canonical_one(position in legal(), which in 0_usize..8, anchor in 0_usize..8) {
        let anchor = anchor % position.material().len();
        let symmetry = if position.material().has_pawns() {
            Symmetry::WITH_PAWNS[which % 2]
        } else {
            Symmetry::ALL[which]
        };
        prop_assert_eq!(position.transformed(symmetry).canonical(anchor), position.canonical(anchor));
        if position.material().is_symmetric() {
            prop_assert_eq!(position.colors_exchanged().transformed(symmetry).canonical(anchor), position.canonical(anchor));
        }
    }

    #[cfg(feature = "build")]
    #[test]
    fn index_round_trip(position in legal()) {
        let index = Index::new(position.material());
        let canonical = position.canonical(0);
        let slot = index.rank(&canonical);
        prop_assert!(slot < index.len());
        prop_assert_eq!(slot >= index.main_len(), position.en_passant().is_some());
        prop_assert_eq!(noise::position_in(&index, canonical.turn(), slot), Some(canonical));
        prop_assert_eq!(index.rank_any(&position), (canonical.turn(), slot));
    }

    #[test]
    fn fen_is_read_again_and_anything_else_is_refused(
        any in ".*",
        near in "[1-8KQRBNPkqrbnp/]{0,40} [wbx] (-|K|é|[A-Hkq]{1,3}) (-|[a-i][0-9]) [0-9]{0,2} [0-9é]{0,2}",
        of_legal in legal(),
        at in 0_usize..60,
        letter in any::<char>(),
    ) {
        prop_assert_eq!(Position::from_fen(&of_legal.to_fen()).unwrap(), of_legal);
        let changed: String =
            of_legal.to_fen().chars().enumerate().map(|(i, old)| if i == at { letter } else { old }).collect();
        for text in [any, near, changed] {
            match Position::from_fen(&text) {
                Ok(position) => prop_assert!(position.is_legal() && position.is_sorted()),
                Err(error) => {
                    prop_assert!(matches!(
                        error.kind(),
                        ErrorKind::BadInput | ErrorKind::UnsupportedPosition | ErrorKind::IllegalPosition
                    ));
                    prop_assert_eq!(error.to_string().lines().count(), 1);
                }
            }
        }
    }
}
