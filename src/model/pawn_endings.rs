//! Pawn endings: opposition, key squares, passed pawns, and races of two pawns.

use super::measure::{SIGNED, difference, distance, distance_to, signed, squares};
use super::pawn::{Way, king_and_pawn};
use super::plan::{Family, Men, Over, is_pawn};
use super::view::View;
use crate::position::{Color, Man, Material, Role, Square};

pub(super) const FAMILIES: [Family; 14] = [
    Family { name: "parity", parts: 4, over: Over::Table(Material::has_pawns), formula: parity },
    Family {
        name: "opposition",
        parts: 7,
        over: Over::Table(|_| true),
        formula: |view, _| opposition(view.square(0), view.square(1)),
    },
    Family { name: "oppose", parts: 7, over: Over::Man(|man| man.role == Role::King), formula: oppose },
    Family {
        name: "key",
        parts: 8,
        over: Over::Ordered(king_and_pawn),
        formula: |view, [k, p, _]| distance_to(view.square(k), key_squares(view, p)).min(7),
    },
    Family { name: "key_edge", parts: SIGNED, over: Over::Man(is_pawn), formula: key_edge },
    Family { name: "key_step", parts: 9, over: Over::Ordered(king_and_pawn), formula: key_step },
    Family {
        name: "flank",
        parts: 4,
        over: Over::Man(is_pawn),
        formula: |view, [p, ..]| view.square(p).file().min(7 - view.square(p).file()),
    },
    Family { name: "passed", parts: 2, over: Over::Pair(rivals), formula: passed },
    Family {
        name: "lead",
        parts: SIGNED,
        over: Over::Pair(rivals),
        formula: |view, [a, b, _]| difference(Way::of(view, a).steps, Way::of(view, b).steps),
    },
    Family { name: "race_edge", parts: SIGNED, over: Over::Pair(rivals), formula: race_edge },
    Family { name: "raid", parts: SIGNED, over: Over::Pair(rivals), formula: raid },
    Family { name: "race_step", parts: SIGNED, over: Over::Ordered(king_and_pawn), formula: race_step },
    Family { name: "front_step", parts: 9, over: Over::Ordered(king_and_pawn), formula: front_step },
    Family { name: "both_step", parts: 16, over: Over::Triple(pawns_and_king), formula: both_step },
];

/// Two pawns of different colours.
fn rivals(a: Man, b: Man) -> bool {
    is_pawn(a) && is_pawn(b) && a.color != b.color
}

fn pawns_and_king(a: Man, b: Man, k: Man) -> bool {
    is_pawn(a) && is_pawn(b) && k.role == Role::King
}

/// Twice the parity of the kings' file difference plus that of their rank difference.
fn parity(view: &View<'_>, _: Men) -> u8 {
    let (a, b) = (view.square(0), view.square(1));
    2 * ((a.file() ^ b.file()) & 1) + ((a.rank() ^ b.rank()) & 1)
}

/// How two kings stand opposed: on one file or rank 6, 5, 4 for a distance of 2, 4, 6, on one diagonal 3, 2, 1, else 0.
fn opposition(a: Square, b: Square) -> u8 {
    let (files, ranks) = (a.file().abs_diff(b.file()), a.rank().abs_diff(b.rank()));
    let (larger, smaller) = (files.max(ranks), files.min(ranks));
    match larger {
        2 | 4 | 6 if smaller == 0 => 7 - larger / 2,
        2 | 4 | 6 if smaller == larger => 4 - larger / 2,
        _ => 0,
    }
}

/// The best opposition that the king could take.
fn oppose(view: &View<'_>, [k, ..]: Men) -> u8 {
    let other = view.king(view.man(k).color.other());
    squares(view.targets(k)).map(|to| opposition(to, other)).max().unwrap_or(0)
}

/// The key squares of a pawn: for one on file a or h the last two squares of the neighbouring file; else those of its and
/// the neighbouring files two ranks ahead, from its fifth rank on also those one rank ahead.
fn key_squares(view: &View<'_>, pawn: usize) -> u64 {
    let square = view.square(pawn);
    let color = view.man(pawn).color;
    // As the pawn's own side counts ranks.
    let rank = if color == Color::White { square.rank() } else { 7 - square.rank() };
    let (files, ranks): (u64, [u8; 2]) = match square.file() {
        0 => (1 << 1, [6, 7]),
        7 => (1 << 6, [6, 7]),
        file => (7 << (file - 1), [if rank < 4 { rank + 2 } else { rank + 1 }, rank + 2]),
    };
    ranks.into_iter().filter(|&rank| rank < 8).fold(0, |all, rank| {
        let rank = if color == Color::White { rank } else { 7 - rank };
        all | files << (8 * rank)
    })
}

/// The difference of the kings' distances to the pawn's key squares.
fn key_edge(view: &View<'_>, [p, ..]: Men) -> u8 {
    let keys = key_squares(view, p);
    difference(distance_to(view.square(0), keys), distance_to(view.square(1), keys))
}

/// The least of `value` over the squares that the king can go to, at most `none`, which stands for no such square too.
fn best(view: &View<'_>, king: usize, none: u8, value: impl Fn(Square) -> u8) -> u8 {
    squares(view.targets(king)).map(value).min().unwrap_or(none).min(none)
}

/// The least distance to the pawn's key squares that the king can reach by a move.
fn key_step(view: &View<'_>, [k, p, _]: Men) -> u8 {
    let keys = key_squares(view, p);
    best(view, k, 8, |to| distance_to(to, keys))
}

/// Whether two pawns of different colours are past each other, or two files or more apart.
fn passed(view: &View<'_>, [a, b, _]: Men) -> u8 {
    let apart = view.square(a).file().abs_diff(view.square(b).file()) > 1;
    let (white, black) = if view.man(a).color == Color::White { (a, b) } else { (b, a) };
    u8::from(apart || view.square(white).rank() >= view.square(black).rank())
}

/// How much further behind the first pawn the second one's king is than the first one's king behind the second pawn, each
/// by its distance to the promotion square less the pawn's moves.
fn race_edge(view: &View<'_>, [a, b, _]: Men) -> u8 {
    let behind = |pawn: usize| {
        let way = Way::of(view, pawn);
        let king = view.king(view.man(pawn).color.other());
        i32::from(distance(king, way.goal)) - i32::from(way.steps)
    };
    signed(behind(a) - behind(b))
}

/// The distance to the first pawn of the other side's king less the distance to the second of the other side's.
fn raid(view: &View<'_>, [a, b, _]: Men) -> u8 {
    let hunter = |pawn: usize| distance(view.king(view.man(pawn).color.other()), view.square(pawn));
    difference(hunter(a), hunter(b))
}

/// The least distance to where the pawn promotes that the king can reach by a move, less the pawn's moves; 8 less them
/// when it has no move.
fn race_step(view: &View<'_>, [k, p, _]: Men) -> u8 {
    let way = Way::of(view, p);
    difference(best(view, k, 8, |to| distance(to, way.goal)), way.steps)
}

/// The least distance to the square before the pawn that the king can reach by a move.
fn front_step(view: &View<'_>, [k, p, _]: Men) -> u8 {
    let front = Way::of(view, p).front;
    best(view, k, 8, |to| distance(to, front))
}

/// The least sum of the distances to the squares before both pawns that the king can reach by a move.
fn both_step(view: &View<'_>, [a, b, k]: Men) -> u8 {
    let (a, b) = (Way::of(view, a).front, Way::of(view, b).front);
    best(view, k, 15, |to| distance(to, a) + distance(to, b))
}
