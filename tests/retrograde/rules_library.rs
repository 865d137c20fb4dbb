//! An independent rules library, with the translation of positions to it and back. The unit tests of the generator share
//! this file.

use cozy_chess::{Board, BoardBuilder, Piece, Square as CozySquare};
use cubebase::position::{DoublePush, MAX_MEN};
use cubebase::{Color, Man, Material, Position, Role, Square};

fn piece(role: Role) -> Piece {
    match role {
        Role::King => Piece::King,
        Role::Queen => Piece::Queen,
        Role::Rook => Piece::Rook,
        Role::Bishop => Piece::Bishop,
        Role::Knight => Piece::Knight,
        Role::Pawn => Piece::Pawn,
    }
}

fn color(color: Color) -> cozy_chess::Color {
    match color {
        Color::White => cozy_chess::Color::White,
        Color::Black => cozy_chess::Color::Black,
    }
}

/// Returns the rules library's board of a position; `None` if the library finds it illegal. With an en-passant file the
/// position before the double push must be legal too. No legal capture is needed for a file.
pub fn legal_board(position: &Position) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    for (man, square) in position.placed() {
        let place = &mut builder.board[square.index()];
        if place.is_some() {
            return None;
        }
        *place = Some((piece(man.role), color(man.color)));
    }
    builder.side_to_move = color(position.turn());
    if let Some(file) = position.en_passant() {
        let push = DoublePush::new(position.turn().other(), file);
        builder.en_passant = Some(CozySquare::index(push.passed.index()));
        let before = position.squares().iter().map(|&on| if on == push.target { push.origin } else { on });
        let before: Vec<Square> = before.collect();
        legal_board(&Position::new(*position.material(), &before, position.turn().other(), None))?;
    }
    let board = builder.build().ok()?;
    // The library accepts adjacent kings.
    let [white, black] = [Color::White, Color::Black].map(|side| board.king(color(side)));
    (cozy_chess::get_king_moves(white) & black.bitboard()).is_empty().then_some(board)
}

/// The bitboard of the men like `man`.
fn men(board: &Board, man: Man) -> u64 {
    board.colored_pieces(color(man.color), piece(man.role)).0
}

/// The position of a board, sorted, in its material's orientation; without the en-passant file where no legal move
/// captures.
pub fn position(board: &Board) -> Position {
    let roles = |side| {
        let of =
            |&role: &Role| std::iter::repeat_n(role, men(board, Man::new(side, role)).count_ones() as usize);
        Role::ALL[1..].iter().flat_map(of).collect::<Vec<_>>()
    };
    let (material, exchanged) = Material::new(&roles(Color::White), &roles(Color::Black)).unwrap();
    position_of(board, material, exchanged)
}

/// [`position`] of a board whose material is known, and whether colours are exchanged in it.
fn position_of(board: &Board, material: Material, exchanged: bool) -> Position {
    let mut squares = [Square::default(); MAX_MEN];
    let mut like = None;
    let mut left = 0;
    for (square, &man) in squares.iter_mut().zip(material.men()) {
        if like != Some(man) {
            like = Some(man);
            let color = if exchanged { man.color.other() } else { man.color };
            left = men(board, Man::new(color, man.role));
            left = if exchanged { left.swap_bytes() } else { left };
        }
        *square = Square::new(left.trailing_zeros() as u8);
        left &= left - 1;
    }
    let white_moves = board.side_to_move() == cozy_chess::Color::White;
    let turn = if white_moves == exchanged { Color::Black } else { Color::White };
    Position::new(material, &squares[..material.len()], turn, en_passant(board))
}

/// The file of the board's en-passant pawn if a legal move captures it.
fn en_passant(board: &Board) -> Option<u8> {
    let file = board.en_passant()?;
    let mut captured = false;
    board.generate_moves_for(board.pieces(Piece::Pawn), |moves| {
        captured |= moves.into_iter().any(|played| {
            played.to.file() == file && moves.from.file() != file && board.color_on(played.to).is_none()
        });
        captured
    });
    captured.then_some(file as u8)
}

/// All legal children of a legal position, in no particular order; those of its own material are the quiet ones.
pub fn children(of: &Position) -> Vec<Position> {
    let parent = legal_board(of).unwrap_or_else(|| panic!("{of:?} is illegal"));
    let mut children = Vec::new();
    parent.generate_moves(|moves| {
        for played in moves {
            let mut child = parent.clone();
            child.play_unchecked(played);
            let is_quiet = played.promotion.is_none() && child.occupied().len() == of.material().len() as u32;
            children.push(if is_quiet {
                position_of(&child, *of.material(), false)
            } else {
                position(&child)
            });
        }
        false
    });
    children
}
